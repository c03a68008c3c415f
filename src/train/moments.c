/* moments.c: mean and covariance of the latents over about the last hundred batches. */
#include "train/moments.h"
#include "math/lapack.h"
#include "math/statistics.h"

#include <math.h>
#include <stdlib.h>

enum ecc_status ecc_moments_init(struct ecc_moments *moments, size_t d, double window,
                                 struct ecc_error *error)
{
    *moments = (struct ecc_moments){.d = d, .keep = 1 - 1 / window};
    ECC_TRY(ecc_eigenvalues_work(&moments->room, d, error));
    moments->state = calloc(d * (d + 1), sizeof *moments->state);
    moments->work = calloc(d * (d + 1) + moments->room, sizeof *moments->work);
    if (moments->state && moments->work) return ECC_OK;
    ecc_moments_release(moments);
    return ecc_fail_memory(error, "the running covariance");
}

void ecc_moments_release(struct ecc_moments *moments)
{
    free(moments->state);
    free(moments->work);
    *moments = (struct ecc_moments){0};
}

void ecc_moments_add(struct ecc_moments *moments, const float *z, size_t n)
{
    const size_t d = moments->d;
    double *const sums = moments->state, *const products = moments->state + d;
    for (size_t i = 0; i < d * (d + 1); i++) moments->state[i] *= moments->keep;
    moments->weight = moments->weight * moments->keep + (double)n;
    moments->weight_squares = moments->weight_squares * moments->keep * moments->keep + (double)n;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < d; k++) {
            const double value = (double)z[i * d + k];
            sums[k] += value;
            for (size_t l = k; l < d; l++) products[k * d + l] += value * (double)z[i * d + l];
        }
    }
}

enum ecc_status ecc_moments_spectrum(struct ecc_moments *moments, double *trace,
                                     double *eccentricity, struct ecc_error *error)
{
    const size_t d = moments->d;
    const double *const sums = moments->state, *const products = moments->state + d;
    double *const values = moments->work, *const covariance = moments->work + d;
    for (size_t k = 0; k < d; k++) {
        for (size_t l = k; l < d; l++) {
            covariance[k * d + l] = products[k * d + l] / moments->weight -
                                    sums[k] / moments->weight * (sums[l] / moments->weight);
        }
    }
    ECC_TRY(
        ecc_eigenvalues_in_place(values, covariance, d, covariance + d * d, moments->room, error));
    *trace = ecc_spectrum_trace(values, d);
    const double raw = ecc_spectrum_eccentricity(values, d);
    /* with N items on a sphere, the squared spread of the eigenvalues is about (d+1)/N */
    const double items = moments->weight * moments->weight / moments->weight_squares;
    *eccentricity = sqrt(fmax(0, raw * raw - (double)(d + 1) / items));
    return ECC_OK;
}
