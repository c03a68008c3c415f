/*
 * winograd_product_512.c: the products of winograd_product.c with vectors of sixteen floats.
 *
 * For processors that multiply these as fast as vectors of eight.  Sums are taken in the same
 * order, so that the results are the same bytes.
 */
#include "nn/winograd_product.h"

#ifdef ECC_WIDE_TARGETS

/* rows and vectors are constants: the sums and what they are made of fit 32 registers. */
#define DEFINE_BLOCKS(LANES)                                                                       \
    ECC_INLINE void multiply_block##LANES(float *m, const float *v, const float *u,                \
                                          const struct ecc_winograd_product *p, size_t rows,       \
                                          size_t vectors)                                          \
    {                                                                                              \
        const size_t inputs = p->inputs, outputs = p->outputs, u_row = p->u_row;                   \
        ecc_f##LANES sum[12][2] = {{{0}}};                                                         \
        for (size_t k = 0; k < inputs; k++) {                                                      \
            ecc_f##LANES w[2];                                                                     \
            for (size_t b = 0; b < vectors; b++) {                                                 \
                w[b] = ecc_load##LANES(u + k * u_row + b * LANES);                                 \
            }                                                                                      \
            for (size_t t = 0; t < rows; t++) {                                                    \
                const float value = v[t * inputs + k];                                             \
                for (size_t b = 0; b < vectors; b++) sum[t][b] += w[b] * value;                    \
            }                                                                                      \
        }                                                                                          \
        for (size_t t = 0; t < rows; t++) {                                                        \
            for (size_t b = 0; b < vectors; b++) {                                                 \
                ecc_store##LANES(m + t * outputs + b * LANES, sum[t][b]);                          \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    ECC_INLINE void multiply_columns##LANES(float *m, const float *v, const float *u,              \
                                            const struct ecc_winograd_product *p, size_t vectors)  \
    {                                                                                              \
        size_t t = 0;                                                                              \
        for (; t + 12 <= p->tiles; t += 12) {                                                      \
            multiply_block##LANES(m + t * p->outputs, v + t * p->inputs, u, p, 12, vectors);       \
        }                                                                                          \
        for (; t < p->tiles; t += 4) {                                                             \
            multiply_block##LANES(m + t * p->outputs, v + t * p->inputs, u, p, 4, vectors);        \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    /* summed apart first, as with vectors of eight */                                             \
    ECC_INLINE void accumulate_block##LANES(float *u, const float *v, const float *m,              \
                                            const struct ecc_winograd_product *p, size_t vectors)  \
    {                                                                                              \
        ecc_f##LANES sum[8][3] = {{{0}}};                                                          \
        for (size_t t = 0; t < p->tiles; t++) {                                                    \
            ecc_f##LANES w[3];                                                                     \
            for (size_t b = 0; b < vectors; b++) {                                                 \
                w[b] = ecc_load##LANES(m + t * p->outputs + b * LANES);                            \
            }                                                                                      \
            for (size_t i = 0; i < 8; i++) {                                                       \
                const float value = v[t * p->inputs + i];                                          \
                for (size_t b = 0; b < vectors; b++) sum[i][b] += w[b] * value;                    \
            }                                                                                      \
        }                                                                                          \
        for (size_t i = 0; i < 8; i++) {                                                           \
            for (size_t b = 0; b < vectors; b++) {                                                 \
                float *const at = u + i * p->u_row + b * LANES;                                    \
                ecc_store##LANES(at, ecc_load##LANES(at) + sum[i][b]);                             \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    ECC_INLINE void accumulate_columns##LANES(float *u, const float *v, const float *m,            \
                                              const struct ecc_winograd_product *p,                \
                                              size_t vectors)                                      \
    {                                                                                              \
        for (size_t i = 0; i < p->inputs; i += 8) {                                                \
            accumulate_block##LANES(u + i * p->u_row, v + i, m, p, vectors);                       \
        }                                                                                          \
    }

DEFINE_BLOCKS(8)
DEFINE_BLOCKS(16)

ECC_WIDE_512 void ecc_winograd_multiply_512(float *m, const float *v, const float *u,
                                            const struct ecc_winograd_product *p)
{
    for (size_t point = 0; point < p->points; point++) {
        size_t at = 0;
        for (; at + 32 <= p->outputs; at += 32) multiply_columns16(m + at, v, u + at, p, 2);
        for (; at + 16 <= p->outputs; at += 16) multiply_columns16(m + at, v, u + at, p, 1);
        if (at < p->outputs) multiply_columns8(m + at, v, u + at, p, 1);
        m += p->m_stride;
        v += p->v_stride;
        u += p->u_stride;
    }
}

ECC_WIDE_512 void ecc_winograd_accumulate_512(float *u, const float *v, const float *m,
                                              const struct ecc_winograd_product *p)
{
    for (size_t point = 0; point < p->points; point++) {
        size_t at = 0;
        for (; at + 48 <= p->outputs; at += 48) accumulate_columns16(u + at, v, m + at, p, 3);
        for (; at + 32 <= p->outputs; at += 32) accumulate_columns16(u + at, v, m + at, p, 2);
        for (; at + 16 <= p->outputs; at += 16) accumulate_columns16(u + at, v, m + at, p, 1);
        if (at < p->outputs) accumulate_columns8(u + at, v, m + at, p, 1);
        m += p->m_stride;
        v += p->v_stride;
        u += p->u_stride;
    }
}

#else

/* Never called, but there. */
void ecc_winograd_multiply_512(float *m, const float *v, const float *u,
                               const struct ecc_winograd_product *p)
{
    (void)m, (void)v, (void)u, (void)p;
}

void ecc_winograd_accumulate_512(float *u, const float *v, const float *m,
                                 const struct ecc_winograd_product *p)
{
    (void)u, (void)v, (void)m, (void)p;
}

#endif
