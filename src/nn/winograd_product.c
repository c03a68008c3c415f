/* winograd_product.c: the matrix products at the points of transformed tiles, sums in registers. */
#include "nn/winograd_product.h"
#include "base/compiler.h"
#include "base/processor.h"

bool ecc_winograd_available(void)
{
#if defined(ECC_HAS_MULTIVERSION)
    return ecc_processor_vectors() >= ECC_VECTORS_AVX2;
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true; /* slow, but tested */
#else
    return false;
#endif
}

/* rows and vectors are constants: twelve sums and what they are made of fit sixteen registers. */
ECC_INLINE void multiply_block(float *m, const float *v, const float *u,
                               const struct ecc_winograd_product *p, size_t rows, size_t vectors)
{
    const size_t inputs = p->inputs, outputs = p->outputs, u_row = p->u_row;
    ecc_f8 sum[12][3] = {{{0}}};
    for (size_t k = 0; k < inputs; k++) {
        ecc_f8 w[3];
        for (size_t b = 0; b < vectors; b++) w[b] = ecc_load8(u + k * u_row + b * 8);
        for (size_t t = 0; t < rows; t++) {
            const float value = v[t * inputs + k];
            for (size_t b = 0; b < vectors; b++) sum[t][b] += w[b] * value;
        }
    }
    for (size_t t = 0; t < rows; t++) {
        for (size_t b = 0; b < vectors; b++) ecc_store8(m + t * outputs + b * 8, sum[t][b]);
    }
}

/* `rows` at a time, then two thirds or one third as many: tiles go in fours. */
ECC_INLINE void multiply_columns(float *m, const float *v, const float *u,
                                 const struct ecc_winograd_product *p, size_t rows, size_t vectors)
{
    size_t t = 0;
    for (; t + rows <= p->tiles; t += rows) {
        multiply_block(m + t * p->outputs, v + t * p->inputs, u, p, rows, vectors);
    }
    for (; rows > 4 && t + 2 * rows / 3 <= p->tiles; t += 2 * rows / 3) {
        multiply_block(m + t * p->outputs, v + t * p->inputs, u, p, 2 * rows / 3, vectors);
    }
    for (; rows > 4 && t < p->tiles; t += rows / 3) {
        multiply_block(m + t * p->outputs, v + t * p->inputs, u, p, rows / 3, vectors);
    }
}

/* Columns go in twos and threes of vectors as long as they can. */
ECC_INLINE size_t next_vectors(size_t left)
{
    return left < 3 ? left : left == 4 ? 2 : 3;
}

ECC_MULTIVERSION
static void multiply_256(float *m, const float *v, const float *u,
                         const struct ecc_winograd_product *p)
{
    for (size_t point = 0; point < p->points; point++) {
        size_t at = 0;
        while (at < p->outputs) {
            const size_t vectors = next_vectors((p->outputs - at) / 8);
            switch (vectors) {
            case 1: multiply_columns(m + at, v, u + at, p, 12, 1); break;
            case 2: multiply_columns(m + at, v, u + at, p, 6, 2); break;
            default: multiply_columns(m + at, v, u + at, p, 4, 3); break;
            }
            at += vectors * 8;
        }
        m += p->m_stride;
        v += p->v_stride;
        u += p->u_stride;
    }
}

ECC_INLINE void accumulate_block(float *u, const float *v, const float *m,
                                 const struct ecc_winograd_product *p, size_t rows, size_t vectors)
{
    /* summed apart first: shorter sums round less */
    ecc_f8 sum[8][3] = {{{0}}};
    for (size_t t = 0; t < p->tiles; t++) {
        ecc_f8 w[3];
        for (size_t b = 0; b < vectors; b++) w[b] = ecc_load8(m + t * p->outputs + b * 8);
        for (size_t i = 0; i < rows; i++) {
            const float value = v[t * p->inputs + i];
            for (size_t b = 0; b < vectors; b++) sum[i][b] += w[b] * value;
        }
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t b = 0; b < vectors; b++) {
            float *const at = u + i * p->u_row + b * 8;
            ecc_store8(at, ecc_load8(at) + sum[i][b]);
        }
    }
}

/* inputs is a multiple of 8: rows go in sixes, and what is left in fours and twos. */
ECC_INLINE void accumulate_pairs(float *u, const float *v, const float *m,
                                 const struct ecc_winograd_product *p)
{
    size_t i = 0;
    while (i < p->inputs) {
        const size_t left = p->inputs - i;
        if (left >= 6 && left != 8) {
            accumulate_block(u + i * p->u_row, v + i, m, p, 6, 2);
            i += 6;
        } else if (left >= 4) {
            accumulate_block(u + i * p->u_row, v + i, m, p, 4, 2);
            i += 4;
        } else {
            accumulate_block(u + i * p->u_row, v + i, m, p, 2, 2);
            i += 2;
        }
    }
}

ECC_MULTIVERSION
static void accumulate_256(float *u, const float *v, const float *m,
                           const struct ecc_winograd_product *p)
{
    for (size_t point = 0; point < p->points; point++) {
        size_t at = 0;
        while (at < p->outputs) {
            const size_t vectors = next_vectors((p->outputs - at) / 8);
            if (vectors == 1) {
                for (size_t i = 0; i < p->inputs; i += 8) {
                    accumulate_block(u + i * p->u_row + at, v + i, m + at, p, 8, 1);
                }
            } else if (vectors == 2) {
                accumulate_pairs(u + at, v, m + at, p);
            } else {
                for (size_t i = 0; i < p->inputs; i += 4) {
                    accumulate_block(u + i * p->u_row + at, v + i, m + at, p, 4, 3);
                }
            }
            at += vectors * 8;
        }
        m += p->m_stride;
        v += p->v_stride;
        u += p->u_stride;
    }
}

void ecc_winograd_multiply(float *m, const float *v, const float *u,
                           const struct ecc_winograd_product *p)
{
    if (ecc_processor_wide()) {
        ecc_winograd_multiply_512(m, v, u, p);
    } else {
        multiply_256(m, v, u, p);
    }
}

void ecc_winograd_accumulate(float *u, const float *v, const float *m,
                             const struct ecc_winograd_product *p)
{
    if (ecc_processor_wide()) {
        ecc_winograd_accumulate_512(u, v, m, p);
    } else {
        accumulate_256(u, v, m, p);
    }
}
