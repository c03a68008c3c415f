/* none.c: no regularizer: a plain autoencoder. */
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"

#include <stdlib.h>
#include <string.h>

struct none_plan {
    size_t n_max, d;
};

static enum ecc_status none_create(void **state, size_t n_max, size_t d,
                                   const struct ecc_regularizer_options *options,
                                   struct ecc_error *error)
{
    (void)options;
    *state = NULL;
    if (n_max == 0 || d == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "n is %zu and d is %zu, expected at least 1 of each", n_max, d);
    }
    struct none_plan *const plan = malloc(sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    *plan = (struct none_plan){.n_max = n_max, .d = d};
    *state = plan;
    return ECC_OK;
}

static enum ecc_status none_evaluate(void *state, struct ecc_regularizer_value *value,
                                     float *doutputs, const float *outputs, size_t n, uint64_t step,
                                     struct ecc_error *error)
{
    (void)step;
    const struct none_plan *const plan = state;
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    ECC_TRY(ecc_check_finite(outputs, n, plan->d, "z", error));
    if (doutputs) memset(doutputs, 0, n * plan->d * sizeof *doutputs);
    *value = (struct ecc_regularizer_value){0};
    return ECC_OK;
}

const struct ecc_regularizer ecc_regularizer_none = {
    .name = "none",
    .summary = "no regularizer: a plain autoencoder",
    .no_lambda = true,
    .outputs_per_latent = 1,
    .n_min = 1,
    .d_min = 1,
    .create = none_create,
    .evaluate = none_evaluate,
    .destroy = free,
};
