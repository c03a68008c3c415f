/*
 * wide_product.c: products of matrices that fit the caches, sums in registers.
 *
 * With 32 registers of 16 floats, six rows of 64 columns are summed at a time; with 16 of 8, six
 * rows of 16.
 */
#include "base/processor.h"
#include "nn/wide_vectors.h"

#ifdef ECC_WIDE_TARGETS

/* What some rows of a product fetch: a little at every step of their sums, since many requests at
 * once hold up those of the sums; with AVX2, all before, since steps are too short for more. */
struct fetch {
    const float *at[3];
    size_t step[3];
};

ECC_INLINE void fetch_step(const struct fetch *fetch, size_t k)
{
    for (int i = 0; i < 3; i++) __builtin_prefetch(fetch->at[i] + k * fetch->step[i], 0, 2);
}

ECC_INLINE void fetch_all(const struct fetch *fetch, size_t depth)
{
    for (int i = 0; i < 3; i++) {
        for (size_t k = 0; k < fetch->step[i] * depth; k += 16) {
            __builtin_prefetch(fetch->at[i] + k, 0, 2);
        }
    }
}

/* A few rows and vectors, both constants; for vectors of LANES floats. */
#define DEFINE_MULTIPLY_BLOCK(LANES)                                                               \
    ECC_INLINE void multiply_block##LANES(float *c, const float *a, const float *b,                \
                                          const struct ecc_wide_product *p, size_t rows,           \
                                          size_t vectors, const struct fetch *fetch)               \
    {                                                                                              \
        const size_t depth = p->depth, a_row = p->a_row, a_step = p->a_step;                       \
        const size_t b_row = p->b_row, c_row = p->c_row;                                           \
        const bool add = p->add;                                                                   \
        ecc_f##LANES sum[12][4] = {{{0}}};                                                         \
        for (size_t r = 0; r < rows; r++) {                                                        \
            for (size_t v = 0; v < vectors; v++) __builtin_prefetch(c + r * c_row + LANES * v, 1); \
        }                                                                                          \
        if (LANES == 8) fetch_all(fetch, depth);                                                   \
        for (size_t k = 0; k < depth; k++) {                                                       \
            ecc_f##LANES w[4];                                                                     \
            for (size_t v = 0; v < vectors; v++) {                                                 \
                w[v] = ecc_load##LANES(b + k * b_row + LANES * v);                                 \
            }                                                                                      \
            if (LANES == 16) fetch_step(fetch, k);                                                 \
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

/* What a step of a row's sum fetches, in floats. */
ECC_INLINE void share_ahead(float *share, const struct ecc_wide_product *p)
{
    for (int i = 0; i < 3; i++) share[i] = (float)p->ahead_size[i] / (float)(p->rows * p->depth);
}

/* The share of some rows in what will be needed next. */
ECC_INLINE struct fetch fetch_of(const struct ecc_wide_product *p, const float *share, size_t left,
                                 size_t rows)
{
    struct fetch fetch;
    for (int i = 0; i < 3; i++) {
        const float done = share[i] * (float)((p->rows - left) * p->depth);
        /* nothing: a line that is there, since looking for a page that is not takes long */
        fetch.at[i] = p->ahead_size[i] ? p->ahead[i] + (size_t)done : p->ahead[0];
        fetch.step[i] = (size_t)(share[i] * (float)rows + 0.99F);
    }
    return fetch;
}

/* All rows: as many as fit the registers at a time, then those that are left. */
#define MULTIPLY_ROWS(block, vectors, most)                                                        \
    for (size_t left = p->rows; left > 0;) {                                                       \
        const size_t rows = left >= (most) ? (most) : left >= 6 ? 6 : left;                        \
        const struct fetch fetch = fetch_of(p, share, left, rows);                                 \
        switch (rows) {                                                                            \
        case 1: block(c, a, b, p, 1, vectors, &fetch); break;                                      \
        case 2: block(c, a, b, p, 2, vectors, &fetch); break;                                      \
        case 3: block(c, a, b, p, 3, vectors, &fetch); break;                                      \
        case 4: block(c, a, b, p, 4, vectors, &fetch); break;                                      \
        case 5: block(c, a, b, p, 5, vectors, &fetch); break;                                      \
        case 6: block(c, a, b, p, 6, vectors, &fetch); break;                                      \
        default: block(c, a, b, p, most, vectors, &fetch); break;                                  \
        }                                                                                          \
        c += rows * p->c_row;                                                                      \
        a += rows * p->a_row;                                                                      \
        left -= rows;                                                                              \
    }

ECC_WIDE_512 static void multiply_512(float *c, const float *a, const float *b,
                                      const struct ecc_wide_product *p)
{
    float share[3];
    share_ahead(share, p);
    switch (p->columns / 16) {
    case 1: MULTIPLY_ROWS(multiply_block16, 1, 12) break;
    case 2: MULTIPLY_ROWS(multiply_block16, 2, 12) break;
    case 3: MULTIPLY_ROWS(multiply_block16, 3, 8) break;
    default: MULTIPLY_ROWS(multiply_block16, 4, 6) break;
    }
}

/* 16 columns from `at` on; the first ones fetch for all. */
ECC_WIDE_256 static void multiply_256(float *c, const float *a, const float *b,
                                      const struct ecc_wide_product *p, size_t at)
{
    float share[3] = {0};
    if (at == 0) share_ahead(share, p);
    c += at;
    b += at;
    MULTIPLY_ROWS(multiply_block8, 2, 6)
}

void ecc_wide_multiply(float *c, const float *a, const float *b, const struct ecc_wide_product *p)
{
    if (ecc_processor_vectors() == ECC_VECTORS_AVX512) {
        multiply_512(c, a, b, p);
        return;
    }
    for (size_t at = 0; at < p->columns; at += 16) multiply_256(c, a, b, p, at);
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
