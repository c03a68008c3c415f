/* tile_rates.c: what tiles and direct convolutions cost on this processor. */
#include "nn/tile_rates.h"
#include "base/processor.h"

const struct ecc_tile_rates *ecc_tile_rates(void)
{
    static const struct ecc_tile_rates avx2 = {
        .small = 1, .wide = 1.35, .direct = 2.2, .narrow = 2.2};
    /* 512-bit vectors in two halves: as many products as with AVX2, but fewer instructions */
    static const struct ecc_tile_rates halves = {
        .small = 1, .wide = 1.21, .direct = 1.6, .narrow = 1.95};
    static const struct ecc_tile_rates wide = {.small = 1, .wide = 1, .direct = 1.1, .narrow = 2.2};
    if (ecc_processor_vectors() != ECC_VECTORS_AVX512) return &avx2;
    return ecc_processor_wide() ? &wide : &halves;
}

double ecc_direct_time(const struct ecc_map *big, const struct ecc_map *small, size_t kernel,
                       size_t stride, double passes)
{
    /* oneDNN was measured to lose as much where images are hardly larger than kernels */
    const size_t width = small->shape.width;
    const bool tight = kernel % stride == 0 && width <= 4;
    const double loss = !tight ? 1 : width <= 3 ? 1.4 : 1.15;
    const bool whole = big->shape.channels % 16 == 0 && small->shape.channels % 16 == 0;
    const struct ecc_tile_rates *const rates = ecc_tile_rates();
    const double products = (double)(small->pixels * kernel * kernel) *
                            (double)(ecc_map_channels(small) * ecc_map_channels(big)) / 16;
    return (whole ? rates->direct : rates->narrow) * loss * products * passes;
}
