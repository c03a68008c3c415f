/* tile_rates.c: what tiles and direct convolutions cost on this processor. */
#include "nn/tile_rates.h"
#include "base/processor.h"

#include <stdbool.h>

const struct ecc_tile_rates *ecc_tile_rates(void)
{
    static const struct ecc_tile_rates avx2 = {.small = 1, .wide = 1.35, .direct = 2.2};
    /* 512-bit vectors in two halves: as many products as with AVX2, but fewer instructions */
    static const struct ecc_tile_rates halves = {.small = 1, .wide = 1.21, .direct = 1.6};
    static const struct ecc_tile_rates wide = {.small = 1, .wide = 1, .direct = 1.1};
    if (ecc_processor_vectors() != ECC_VECTORS_AVX512) return &avx2;
    return ecc_processor_wide() ? &wide : &halves;
}

double ecc_direct_time(size_t width, size_t kernel, size_t stride, double products)
{
    /* oneDNN was measured to lose as much where images are hardly larger than kernels */
    const bool tight = kernel % stride == 0 && width <= 4;
    const double loss = !tight ? 1 : width <= 3 ? 1.4 : 1.15;
    return ecc_tile_rates()->direct * loss * products / 16;
}
