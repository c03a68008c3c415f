/* binarize.c: grey pixels drawn black or white. */
#include "data/binarize.h"
#include "base/rng.h"

/* Room for the uniform numbers of one call of the generator, on the stack. */
enum { PART = 1024 };

void ecc_binarize(float *drawn, const float *x, size_t count, uint64_t seed, uint64_t stream,
                  uint64_t first)
{
    float u[PART];
    for (size_t start = 0; start < count; start += PART) {
        const size_t n = count - start < PART ? count - start : PART;
        ecc_rng_uniform_f32(u, seed, stream, first + start, n);
        for (size_t k = 0; k < n; k++) drawn[start + k] = u[k] < x[start + k] ? 1 : 0;
    }
}
