/* regularizer.c: the steps that training takes with any regularizer of the table. */
#include "regularizer/regularizer.h"
#include "base/threads.h"
#include "regularizer/choice.h"

#include <omp.h>
#include <string.h>

/* BLAS takes its number of threads from OpenMP, and may round otherwise with another. */
static int enter(const struct ecc_regularizer_plan *plan)
{
    const int before = omp_get_max_threads();
    if (plan->threads > 0 && before != plan->threads) omp_set_num_threads(plan->threads);
    return before;
}

static enum ecc_status leave(int before, enum ecc_status status)
{
    if (before != omp_get_max_threads()) omp_set_num_threads(before);
    return status;
}

struct ecc_regularizer_options ecc_regularizer_defaults(void)
{
    return (struct ecc_regularizer_options){.loss = ecc_loss_defaults(), .seed = 1};
}

enum ecc_status ecc_regularizer_init(struct ecc_regularizer_plan *plan,
                                     const struct ecc_regularizer *entry, size_t n_max, size_t d,
                                     const struct ecc_regularizer_options *options,
                                     struct ecc_error *error)
{
    struct ecc_regularizer_options all = options ? *options : ecc_regularizer_defaults();
    if (!all.own_given) ecc_regularizer_usual(all.own, entry);
    *plan = (struct ecc_regularizer_plan){
        .entry = entry, .d = d, .threads = ecc_threads(all.loss.threads)};
    memcpy(plan->own, all.own, sizeof plan->own);
    if (entry->check) ECC_TRY(entry->check(d, all.own, error));
    return entry->create(&plan->state, n_max, d, &all, error);
}

void ecc_regularizer_release(struct ecc_regularizer_plan *plan)
{
    if (plan->entry && plan->state) plan->entry->destroy(plan->state);
    *plan = (struct ecc_regularizer_plan){0};
}

enum ecc_status ecc_regularizer_latents(struct ecc_regularizer_plan *plan, float *z,
                                        const float *outputs, size_t n, uint64_t step,
                                        struct ecc_error *error)
{
    if (plan->entry->latents) {
        const int before = enter(plan);
        return leave(before, plan->entry->latents(plan->state, z, outputs, n, step, error));
    }
    memcpy(z, outputs, n * plan->d * sizeof *z);
    return ECC_OK;
}

enum ecc_status ecc_regularizer_evaluate(struct ecc_regularizer_plan *plan,
                                         struct ecc_regularizer_value *value, float *doutputs,
                                         const float *outputs, size_t n, uint64_t step,
                                         struct ecc_error *error)
{
    struct ecc_regularizer_value unused;
    const int before = enter(plan);
    return leave(before, plan->entry->evaluate(plan->state, value ? value : &unused, doutputs,
                                               outputs, n, step, error));
}

void ecc_regularizer_combine(struct ecc_regularizer_plan *plan, float *doutputs, const float *dz,
                             double lambda, const float *outputs, size_t n, uint64_t step)
{
    const size_t count = n * ecc_regularizer_columns(plan->entry, plan->d);
    const float factor = (float)lambda;
    for (size_t i = 0; i < count; i++) doutputs[i] *= factor;
    if (plan->entry->pull_back) {
        const int before = enter(plan);
        plan->entry->pull_back(plan->state, doutputs, dz, outputs, n, step);
        leave(before, ECC_OK);
        return;
    }
    for (size_t i = 0; i < count; i++) doutputs[i] += dz[i];
}

void ecc_regularizer_means(const struct ecc_regularizer_plan *plan, float *z, const float *outputs,
                           size_t n)
{
    const size_t d = plan->d, columns = ecc_regularizer_columns(plan->entry, d);
    if (plan->entry->means) {
        const int before = enter(plan);
        plan->entry->means(z, outputs, n, d, plan->own, plan->values);
        leave(before, ECC_OK);
        return;
    }
    for (size_t i = 0; i < n; i++) memcpy(z + i * d, outputs + i * columns, d * sizeof *z);
}

size_t ecc_regularizer_tensors(const struct ecc_regularizer_plan *plan,
                               struct ecc_latent_tensor list[ECC_LATENT_TENSORS])
{
    return plan->entry->tensors ? plan->entry->tensors(list, plan->d, plan->own) : 0;
}

void ecc_regularizer_bind(struct ecc_regularizer_plan *plan, float *const *values,
                          float *const *gradients, size_t count)
{
    for (size_t i = 0; i < count; i++) plan->values[i] = values[i];
    if (plan->state && plan->entry->bind) plan->entry->bind(plan->state, values, gradients);
}

double ecc_regularizer_weight(struct ecc_regularizer_plan *plan, double lambda, double error,
                              size_t size, uint64_t step)
{
    if (!plan->entry->weight) return lambda;
    return plan->entry->weight(plan->state, lambda, error, size, step);
}

enum ecc_status ecc_regularizer_learn(struct ecc_regularizer_plan *plan, const float *outputs,
                                      size_t n, const struct ecc_regularizer_learning *how,
                                      struct ecc_error *error)
{
    if (!plan->entry->learn) return ECC_OK;
    const int before = enter(plan);
    return leave(before, plan->entry->learn(plan->state, outputs, n, how, error));
}

size_t ecc_regularizer_columns(const struct ecc_regularizer *entry, size_t d)
{
    return d * entry->outputs_per_latent + entry->outputs_more;
}
