/*
 * wide_product.c: products of matrices that fit the caches, sums in registers.
 *
 * With 32 registers of 16 floats, six rows of 64 columns are summed at a time; with 16 of 8, six
 * rows of 16.
 */
#include "base/processor.h"
#include "nn/wide_vectors.h"

#ifdef ECC_WIDE_TARGETS

/* A few rows and vectors, both constants; for vectors of LANES floats. */
#define DEFINE_MULTIPLY_BLOCK(LANES)                                                               \
    ECC_INLINE void multiply_block##LANES(float *c, const float *a, const float *b,                \
                                          const struct ecc_wide_product *p, size_t rows,           \
                                          size_t vectors)                                          \
    {                                                                                              \
        const size_t depth = p->depth, a_row = p->a_row, a_step = p->a_step;                       \
        const size_t b_row = p->b_row, c_row = p->c_row;                                           \
        const bool add = p->add;                                                                   \
        ecc_f##LANES sum[12][4] = {{{0}}};                                                         \
        for (size_t r = 0; r < rows; r++) {                                                        \
            for (size_t v = 0; v < vectors; v++) __builtin_prefetch(c + r * c_row + LANES * v, 1); \
        }                                                                                          \
        for (size_t k = 0; k < depth; k++) {                                                       \
            ecc_f##LANES w[4];                                                                     \
            for (size_t v = 0; v < vectors; v++) {                                                 \
                w[v] = ecc_load##LANES(b + k * b_row + LANES * v);                                 \
            }                                                                                      \
            for (size_t r = 0; r < rows; r++) {                                                    \
                const float value = a[r * a_row + k * a_step];                                     \
                for (size_t v = 0; v < vectors; v++) sum[r][v] += w[v] * value;                    \
            }                                                                                      \
        }                                                                                          \
        for (size_t r = 0; r < rows; r++) {                                                        \
            for (size_t v = 0; v < vectors; v++) {                                                 \
                float *const at = c + r * c_row + LANES * v;                                       \
                if (add) sum[r][v] += ecc_load##LANES(at);                                         \
                ecc_store##LANES(at, sum[r][v]);                                                   \
            }                                                                                      \
        }                                                                                          \
    }

DEFINE_MULTIPLY_BLOCK(8)
DEFINE_MULTIPLY_BLOCK(16)

/* Fetches the share of some rows in what will be needed next. */
ECC_INLINE void fetch_ahead(const struct ecc_wide_product *p, size_t left, size_t rows)
{
    for (int k = 0; k < 3; k++) {
        const size_t share = p->ahead_size[k] / p->rows + 1;
        const float *const at = p->ahead[k] + (p->rows - left) * share;
        for (size_t i = 0; p->ahead_size[k] && i < rows * share; i += 16) {
            __builtin_prefetch(at + i, 0, 2);
        }
    }
}

/* All rows: as many as fit the registers at a time, then those that are left. */
#define MULTIPLY_ROWS(block, vectors, most)                                                        \
    for (size_t left = p->rows; left > 0;) {                                                       \
        const size_t rows = left >= (most) ? (most) : left >= 6 ? 6 : left;                        \
        fetch_ahead(p, left, rows);                                                                \
        switch (rows) {                                                                            \
        case 1: block(c, a, b, p, 1, vectors); break;                                              \
        case 2: block(c, a, b, p, 2, vectors); break;                                              \
        case 3: block(c, a, b, p, 3, vectors); break;                                              \
        case 4: block(c, a, b, p, 4, vectors); break;                                              \
        case 5: block(c, a, b, p, 5, vectors); break;                                              \
        case 6: block(c, a, b, p, 6, vectors); break;                                              \
        default: block(c, a, b, p, most, vectors); break;                                          \
        }                                                                                          \
        c += rows * p->c_row;                                                                      \
        a += rows * p->a_row;                                                                      \
        left -= rows;                                                                              \
    }

ECC_WIDE_512 static void multiply_512(float *c, const float *a, const float *b,
                                      const struct ecc_wide_product *p)
{
    switch (p->columns / 16) {
    case 1: MULTIPLY_ROWS(multiply_block16, 1, 12) break;
    case 2: MULTIPLY_ROWS(multiply_block16, 2, 12) break;
    case 3: MULTIPLY_ROWS(multiply_block16, 3, 8) break;
    default: MULTIPLY_ROWS(multiply_block16, 4, 6) break;
    }
}

ECC_WIDE_256 static void multiply_256(float *c, const float *a, const float *b,
                                      const struct ecc_wide_product *p)
{
    MULTIPLY_ROWS(multiply_block8, 2, 6)
}

void ecc_wide_multiply(float *c, const float *a, const float *b, const struct ecc_wide_product *p)
{
    if (ecc_processor_vectors() == ECC_VECTORS_AVX512) {
        multiply_512(c, a, b, p);
        return;
    }
    for (size_t at = 0; at < p->columns; at += 16) multiply_256(c + at, a, b + at, p);
}

#else

/* Never chosen, but there. */
void ecc_wide_multiply(float *c, const float *a, const float *b, const struct ecc_wide_product *p)
{
    for (size_t r = 0; r < p->rows; r++) {
        for (size_t k = 0; k < p->columns; k++) {
            float sum = p->add ? c[r * p->c_row + k] : 0;
            for (size_t i = 0; i < p->depth; i++) {
                sum += a[r * p->a_row + i * p->a_step] * b[i * p->b_row + k];
            }
            c[r * p->c_row + k] = sum;
        }
    }
}

#endif
