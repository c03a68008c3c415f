/* block.c: sums, centred squares and centred copies of a block of latents. */
#include "regularizer/block.h"
#include "base/compiler.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Items are short: where d is a constant, the loops over coordinates are unrolled. */
#define FOR_USUAL_D(function, ...)                                                                 \
    switch (d) {                                                                                   \
    case 2: function(__VA_ARGS__, 2); break;                                                       \
    case 8: function(__VA_ARGS__, 8); break;                                                       \
    default: function(__VA_ARGS__, d);                                                             \
    }

ECC_INLINE void summarise(struct ecc_block_summary *summary, double *restrict sums,
                          const float *restrict z, size_t count, size_t d)
{
    struct ecc_block_summary found = {.bad_item = SIZE_MAX};
    memset(sums, 0, d * sizeof *sums);
    for (size_t i = 0; i < count; i++) {
        double squares = 0;
#pragma omp simd reduction(+ : squares)
        for (size_t k = 0; k < d; k++) {
            squares += (double)z[i * d + k] * (double)z[i * d + k];
        }
        for (size_t k = 0; k < d; k++) sums[k] += (double)z[i * d + k];
        if (!isfinite(squares) && found.bad_item == SIZE_MAX) found.bad_item = i;
        found.squares += squares;
    }
    *summary = found;
}

ECC_MULTIVERSION
void ecc_block_summarise(struct ecc_block_summary *summary, double *sums, const float *z,
                         size_t count, size_t d){FOR_USUAL_D(summarise, summary, sums, z, count)}

ECC_INLINE void measure(struct ecc_block_summary *summary, const double *restrict centre,
                        const float *restrict z, size_t count, size_t d)
{
    double centred = 0, spread = 0;
    for (size_t i = 0; i < count; i++) {
        double squares = 0;
#pragma omp simd reduction(+ : squares)
        for (size_t k = 0; k < d; k++) {
            const double difference = (double)z[i * d + k] - centre[k];
            squares += difference * difference;
        }
        centred += squares;
        spread = squares > spread ? squares : spread;
    }
    summary->centred = centred;
    summary->spread = spread;
}

ECC_MULTIVERSION
void ecc_block_measure(struct ecc_block_summary *summary, const double *centre, const float *z,
                       size_t count, size_t d){FOR_USUAL_D(measure, summary, centre, z, count)}

ECC_MULTIVERSION
    void ecc_block_centre(float *restrict out, float *restrict norm, const float *restrict z,
                          const double *centre, double scale, size_t count, size_t d)
{
    for (size_t i = 0; i < count; i++) {
        double squares = 0;
#pragma omp simd reduction(+ : squares)
        for (size_t k = 0; k < d; k++) {
            const float moved = (float)(((double)z[i * d + k] - centre[k]) * scale);
            out[i * d + k] = moved;
            squares += (double)moved * (double)moved;
        }
        norm[i] = (float)squares;
    }
}
