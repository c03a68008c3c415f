/* regularizer.c: the steps that training takes with any regularizer of the table. */
#include "regularizer/regularizer.h"

#include <string.h>

struct ecc_regularizer_options ecc_regularizer_defaults(void)
{
    return (struct ecc_regularizer_options){.loss = ecc_loss_defaults(), .seed = 1};
}

enum ecc_status ecc_regularizer_init(struct ecc_regularizer_plan *plan,
                                     const struct ecc_regularizer *entry, size_t n_max, size_t d,
                                     const struct ecc_regularizer_options *options,
                                     struct ecc_error *error)
{
    *plan = (struct ecc_regularizer_plan){.entry = entry, .d = d};
    return entry->create(&plan->state, n_max, d, options, error);
}

void ecc_regularizer_release(struct ecc_regularizer_plan *plan)
{
    if (plan->entry) plan->entry->destroy(plan->state);
    *plan = (struct ecc_regularizer_plan){0};
}

enum ecc_status ecc_regularizer_latents(struct ecc_regularizer_plan *plan, float *z,
                                        const float *outputs, size_t n, uint64_t step,
                                        struct ecc_error *error)
{
    if (plan->entry->latents) return plan->entry->latents(plan->state, z, outputs, n, step, error);
    memcpy(z, outputs, n * plan->d * sizeof *z);
    return ECC_OK;
}

enum ecc_status ecc_regularizer_evaluate(struct ecc_regularizer_plan *plan,
                                         struct ecc_regularizer_value *value, float *doutputs,
                                         const float *outputs, size_t n, uint64_t step,
                                         struct ecc_error *error)
{
    struct ecc_regularizer_value unused;
    return plan->entry->evaluate(plan->state, value ? value : &unused, doutputs, outputs, n, step,
                                 error);
}

void ecc_regularizer_combine(struct ecc_regularizer_plan *plan, float *doutputs, const float *dz,
                             double lambda, const float *outputs, size_t n, uint64_t step)
{
    const size_t count = n * plan->d * plan->entry->outputs_per_latent;
    const float factor = (float)lambda;
    for (size_t i = 0; i < count; i++) doutputs[i] *= factor;
    if (plan->entry->pull_back) {
        plan->entry->pull_back(plan->state, doutputs, dz, outputs, n, step);
        return;
    }
    for (size_t i = 0; i < count; i++) doutputs[i] += dz[i];
}

void ecc_regularizer_means(const struct ecc_regularizer *entry, float *z, const float *outputs,
                           size_t n, size_t d)
{
    const size_t stride = d * entry->outputs_per_latent;
    for (size_t i = 0; i < n; i++) memcpy(z + i * d, outputs + i * stride, d * sizeof *z);
}
