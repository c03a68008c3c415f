/*
 * eccentric.c: the eccentric loss of a batch of latents and its gradient (paper, equation 1), from
 * the sum of log(1 + |z_i - z_j|^2/M) over pairs.
 */
#include "method/eccentric.h"
#include "regularizer/log_sum.h"
#include "regularizer/pair_sums.h"
#include "regularizer/regularizer.h"

#include <math.h>
#include <stdlib.h>

struct ecc_loss_plan {
    struct ecc_loss_options options;
    double m;
    struct ecc_pair_sums *pairs;
};

struct ecc_loss_options ecc_loss_defaults(void)
{
    return (struct ecc_loss_options){.mu = 1.0, .m_rule = ECC_M_PAPER};
}

/* ---- Planning ------------------------------------------------------------------------------- */

static enum ecc_status check_sizes(size_t n, size_t d, struct ecc_error *error)
{
    if (n < 2) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the loss is a sum over pairs: n is %zu, expected at least 2 items", n);
    }
    if (d < 2) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "d is %zu, expected at least 2 dimensions (with fewer there is no sphere)",
                        d);
    }
    if (n > PTRDIFF_MAX / sizeof(double) / (d + 1)) {
        return ecc_fail(error, ECC_NO_MEMORY, "%zu items of %zu dimensions do not fit in memory", n,
                        d);
    }
    if (d > INT32_MAX / 2) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "d is %zu, expected at most %d", d, INT32_MAX / 2);
    }
    return ECC_OK;
}

enum ecc_status ecc_loss_plan_create(struct ecc_loss_plan **result, size_t n_max, size_t d,
                                     const struct ecc_loss_options *options,
                                     struct ecc_error *error)
{
    *result = NULL;
    const struct ecc_loss_options settings = options ? *options : ecc_loss_defaults();
    ECC_TRY(check_sizes(n_max, d, error));
    double m;
    ECC_TRY(ecc_theory_m(&m, d, settings.mu, settings.m_rule, settings.m, error));
    if (settings.pairs != ECC_PAIRS_PUBLISHED && settings.pairs != ECC_PAIRS_DISTINCT) {
        return ecc_fail(
            error, ECC_BAD_ARGUMENT,
            "%d is not a choice of pairs: expected ECC_PAIRS_PUBLISHED or ECC_PAIRS_DISTINCT",
            (int)settings.pairs);
    }
    if (!(m > 1e-30 && m < 1e30)) { /* distances are float32, in units of sqrt(M) */
        return ecc_fail(error, ECC_BAD_ARGUMENT, "M is %g, expected between 1e-30 and 1e30", m);
    }
    struct ecc_loss_plan *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "a plan of the loss");
    plan->options = settings;
    plan->m = m;
    const enum ecc_status status = ecc_pair_sums_create(&plan->pairs, n_max, d, &ecc_law_log,
                                                        ECC_ALL_DIFFERENT, settings.threads, error);
    if (status != ECC_OK) {
        free(plan);
        return status;
    }
    *result = plan;
    return ECC_OK;
}

size_t ecc_loss_plan_bytes(const struct ecc_loss_plan *plan)
{
    return ecc_pair_sums_bytes(plan->pairs) + sizeof *plan;
}

void ecc_loss_plan_free(struct ecc_loss_plan *plan)
{
    if (!plan) return;
    ecc_pair_sums_free(plan->pairs);
    free(plan);
}

void ecc_loss_plan_share(struct ecc_loss_plan *plan, const struct ecc_pair_share *share)
{
    ecc_pair_sums_share(plan->pairs, share);
}

/* ---- Value and gradient --------------------------------------------------------------------- */

/*
 * Where all distances are small the tiles have summed x - log(1 + x) instead of log(1 + x); the sum
 * of x itself is n times that of |z - centre|^2/M, exactly, so that the loss keeps its digits where
 * attraction and repulsion almost cancel: tiny latents, or mu near 1/2.
 */
static struct ecc_loss_value sum_up(const struct ecc_loss_plan *plan,
                                    const struct ecc_pair_totals *totals, size_t n)
{
    const double items = (double)n, share = 2 * plan->options.mu / (items * (items - 1));
    const bool distinct = plan->options.pairs == ECC_PAIRS_DISTINCT;
    struct ecc_loss_value value = {.m = plan->m};
    value.attraction = totals->squares / (distinct ? items : items - 1);
    if (totals->excess) {
        value.repulsion = share * (items * totals->centred - plan->m * totals->terms);
    } else {
        value.repulsion = share * plan->m * totals->terms;
    }
    value.loss = value.attraction - value.repulsion;
    return value;
}

/* dz_i = 2 z_i/(n-1) - 4 mu/(n(n-1)) sum_j w_ij (z_i - z_j) */
static void finish_gradient(const struct ecc_loss_plan *plan, float *dz, const float *z, size_t n)
{
    const double items = (double)n;
    const bool distinct = plan->options.pairs == ECC_PAIRS_DISTINCT;
    ecc_pair_sums_gradient(plan->pairs, dz, z, n, 2 / (distinct ? items : items - 1),
                           4 * plan->options.mu / (items * (items - 1)));
}

enum ecc_status ecc_loss_plan_evaluate(struct ecc_loss_plan *plan, struct ecc_loss_value *value,
                                       float *dz, const float *z, size_t n, struct ecc_error *error)
{
    struct ecc_pair_totals totals;
    ECC_TRY(ecc_pair_sums_evaluate(plan->pairs, &totals, dz, z, n, plan->m, error));
    if (dz) finish_gradient(plan, dz, z, n);
    const struct ecc_loss_value sums = sum_up(plan, &totals, n);
    if (value) *value = sums;
    if (isfinite(sums.loss)) return ECC_OK;
    return ecc_fail(error, ECC_NUMERIC, "the loss is %g: it is outside the range of its numbers",
                    sums.loss);
}

enum ecc_status ecc_loss(struct ecc_loss_value *value, float *dz, const float *z, size_t n,
                         size_t d, const struct ecc_loss_options *options, struct ecc_error *error)
{
    struct ecc_loss_plan *plan;
    ECC_TRY(ecc_loss_plan_create(&plan, n, d, options, error));
    const enum ecc_status status = ecc_loss_plan_evaluate(plan, value, dz, z, n, error);
    ecc_loss_plan_free(plan);
    return status;
}

/* ---- The entry of the table ----------------------------------------------------------------- */

static enum ecc_status entry_create(void **state, size_t n_max, size_t d,
                                    const struct ecc_regularizer_options *options,
                                    struct ecc_error *error)
{
    struct ecc_loss_plan *plan;
    const enum ecc_status status =
        ecc_loss_plan_create(&plan, n_max, d, options ? &options->loss : NULL, error);
    *state = plan;
    return status;
}

static enum ecc_status entry_evaluate(void *state, struct ecc_regularizer_value *value, float *dz,
                                      const float *z, size_t n, uint64_t step,
                                      struct ecc_error *error)
{
    (void)step;
    struct ecc_loss_value parts;
    ECC_TRY(ecc_loss_plan_evaluate(state, &parts, dz, z, n, error));
    *value = (struct ecc_regularizer_value){
        .loss = parts.loss,
        .term_count = 3,
        .terms = {{"attraction", parts.attraction}, {"repulsion", parts.repulsion}, {"M", parts.m}},
    };
    return ECC_OK;
}

static void entry_destroy(void *state)
{
    ecc_loss_plan_free(state);
}

const struct ecc_regularizer ecc_regularizer_eccentric = {
    .name = "eccentric",
    .summary = "pairwise log repulsion and attraction to the origin (the paper's loss)",
    .outputs_per_latent = 1,
    .n_min = 2,
    .d_min = 2,
    .create = entry_create,
    .evaluate = entry_evaluate,
    .destroy = entry_destroy,
};
