/* mean_square.c: the mean of z^2 over a batch, which all forms of RAE share. */
#include "regularizer/mean_square.h"
#include "regularizer/outputs.h"

enum ecc_status ecc_mean_square_evaluate(void *state, struct ecc_regularizer_value *value,
                                         float *dz, const float *z, size_t n, uint64_t step,
                                         struct ecc_error *error)
{
    (void)step;
    const struct ecc_mean_square *const plan = state;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(z, n, plan->d, "z", error));
    const double share = 1 / (double)(n * plan->d);
    double squares = 0;
    for (size_t i = 0; i < n * plan->d; i++) {
        squares += (double)z[i] * (double)z[i];
        if (dz) dz[i] = (float)(2 * share * (double)z[i]);
    }
    *value = (struct ecc_regularizer_value){.loss = share * squares};
    return ECC_OK;
}
