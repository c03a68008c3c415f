/* wide_kernels.c: the transforms of each kind of tile, for AVX2 and for AVX-512. */
#include "base/processor.h"
#include "nn/wide_vectors.h"

#ifdef ECC_WIDE_TARGETS

/*
 * Points: 0, 1, -1, 2, infinity for five; also -1/2 for six (2 with -1/2 rounds less than 2 with
 * -2); 0, +-1, +-2, +-1/2, infinity for eight.  inputs: B'; powers: those of the points; scales:
 * what makes G of them.
 */
static const float inputs5[5][5] = {
    {2, -1, -2, 1, 0}, {0, -2, -1, 1, 0}, {0, 2, -3, 1, 0}, {0, -1, 0, 1, 0}, {0, 2, -1, -2, 1}};
static const float powers5[4][4] = {{1, 0, 0, 0}, {1, 1, 1, 1}, {1, -1, 1, -1}, {1, 2, 4, 8}};
static const float scales5[5] = {0.5F, -0.5F, -1.0F / 6, 1.0F / 6, 1};

static const float inputs6[6][6] = {{1, 1.5F, -2, -1.5F, 1, 0}, {0, -1, -2.5F, -0.5F, 1, 0},
                                    {0, 1, 0.5F, -2.5F, 1, 0},  {0, -0.5F, -1, 0.5F, 1, 0},
                                    {0, 2, -1, -2, 1, 0},       {0, 1, 1.5F, -2, -1.5F, 1}};
static const float powers6[5][5] = {{1, 0, 0, 0, 0},
                                    {1, 1, 1, 1, 1},
                                    {1, -1, 1, -1, 1},
                                    {1, 2, 4, 8, 16},
                                    {1, -0.5F, 0.25F, -0.125F, 0.0625F}};
static const float scales6[6] = {1, -1.0F / 3, 1.0F / 3, 1.0F / 15, -16.0F / 15, 1};

static const float inputs8[8][8] = {
    {1, 0, -5.25F, 0, 5.25F, 0, -1, 0},        {0, 1, 1, -4.25F, -4.25F, 1, 1, 0},
    {0, -1, 1, 4.25F, -4.25F, -1, 1, 0},       {0, 0.5F, 0.25F, -2.5F, -1.25F, 2, 1, 0},
    {0, -0.5F, 0.25F, 2.5F, -1.25F, -2, 1, 0}, {0, 2, 4, -2.5F, -5, 0.5F, 1, 0},
    {0, -2, 4, 2.5F, -5, -0.5F, 1, 0},         {0, -1, 0, 5.25F, 0, -5.25F, 0, 1}};
static const float powers8[7][7] = {{1, 0, 0, 0, 0, 0, 0},
                                    {1, 1, 1, 1, 1, 1, 1},
                                    {1, -1, 1, -1, 1, -1, 1},
                                    {1, 2, 4, 8, 16, 32, 64},
                                    {1, -2, 4, -8, 16, -32, 64},
                                    {1, 0.5F, 0.25F, 0.125F, 0.0625F, 0.03125F, 0.015625F},
                                    {1, -0.5F, 0.25F, -0.125F, 0.0625F, -0.03125F, 0.015625F}};
static const float scales8[8] = {1,         -2.0F / 9,  -2.0F / 9,  1.0F / 90,
                                 1.0F / 90, 32.0F / 45, 32.0F / 45, 1};

#define LANES 8
#define TARGET ECC_WIDE_256
#include "nn/wide_sizes.inc"
#undef LANES
#undef TARGET

#define LANES 16
#define TARGET ECC_WIDE_512
#include "nn/wide_sizes.inc"

static const struct ecc_wide_kernels *const kernels[] = {
    &kernels_8_5_2,  &kernels_8_6_3,  &kernels_8_6_4,  &kernels_8_8_4,  &kernels_8_8_5,
    &kernels_16_5_2, &kernels_16_6_3, &kernels_16_6_4, &kernels_16_8_4, &kernels_16_8_5};

const struct ecc_wide_kernels *ecc_wide_find(size_t lanes, size_t side, size_t taps)
{
    if (ecc_processor_vectors() < (lanes == 16 ? ECC_VECTORS_AVX512 : ECC_VECTORS_AVX2))
        return NULL;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        const struct ecc_wide_kernels *const k = kernels[i];
        if (k->lanes == lanes && k->side == side && k->taps == taps) return k;
    }
    return NULL;
}

void ecc_wide_settle(void)
{
    _mm_sfence();
}

/* ---- Transpose ------------------------------------------------------------------------------ */

ECC_WIDE_256 void ecc_wide_transpose(float *out, size_t out_row, const float *in, size_t in_row)
{
    ecc_f8 a[8], b[8];
    for (size_t i = 0; i < 8; i++) a[i] = ecc_load8(in + i * in_row);
    for (size_t i = 0; i < 8; i += 2) {
        b[i] = ECC_SHUFFLE8(a[i], a[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        b[i + 1] = ECC_SHUFFLE8(a[i], a[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (size_t i = 0; i < 8; i += 4) {
        for (size_t k = 0; k < 2; k++) {
            a[i + 2 * k] = ECC_SHUFFLE8(b[i + k], b[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            a[i + 2 * k + 1] = ECC_SHUFFLE8(b[i + k], b[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        ecc_store8(out + i * out_row, ECC_SHUFFLE8(a[i], a[i + 4], 0, 1, 2, 3, 8, 9, 10, 11));
        ecc_store8(out + (i + 4) * out_row,
                   ECC_SHUFFLE8(a[i], a[i + 4], 4, 5, 6, 7, 12, 13, 14, 15));
    }
}

#else

const struct ecc_wide_kernels *ecc_wide_find(size_t lanes, size_t side, size_t taps)
{
    (void)lanes;
    (void)side;
    (void)taps;
    return NULL;
}

void ecc_wide_settle(void)
{
}

void ecc_wide_transpose(float *out, size_t out_row, const float *in, size_t in_row)
{
    for (size_t i = 0; i < 64; i++) out[i / 8 * out_row + i % 8] = in[i % 8 * in_row + i / 8];
}

#endif
