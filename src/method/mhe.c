/*
 * mhe.c: minimum hyperspherical energy (Liu et al., 2018), on latents projected to the unit sphere.
 *
 * The value is the mean over pairs of -log q (s = 0), q^-1/2 (s = 1: Thomson's problem) or 1/q
 * (s = 2), q = |u_i - u_j|^2 + 1e-6; for half-space energy each u counts together with -u.  The
 * authors' code has the energy of the filters of a layer, and no floor: equal points give infinity
 * there.
 */
#include "regularizer/log_sum.h"
#include "regularizer/sphere_pairs.h"

#include <math.h>

enum { POWER = 0, HALF = 1 }; /* its options */

/* M of the laws of pairs: f(q/M) with q + M in place of q */
static const double least_square = 1e-6;

static enum ecc_status mhe_create(void **state, size_t n_max, size_t d,
                                  const struct ecc_regularizer_options *options,
                                  struct ecc_error *error)
{
    const struct ecc_pair_law *const laws[] = {&ecc_law_log, &ecc_law_root, &ecc_law_inverse};
    return ecc_sphere_pairs_create((struct ecc_sphere_pairs **)state, n_max, d,
                                   laws[(size_t)options->own[POWER]], options->own[HALF] > 0,
                                   options, error);
}

static enum ecc_status mhe_evaluate(void *state, struct ecc_regularizer_value *value, float *dz,
                                    const float *z, size_t n, uint64_t step,
                                    struct ecc_error *error)
{
    (void)step;
    struct ecc_sphere_pairs *const plan = state;
    const double m = least_square, s = plan->own[POWER], scale = pow(m, -s / 2);
    struct ecc_pair_totals totals;
    double pairs;
    ECC_TRY(ecc_sphere_pairs_evaluate(plan, &totals, &pairs, z, n, m, dz != NULL, error));
    const size_t points = plan->mirror ? 2 * n : n;
    const double logs = s == 0 ? ecc_pair_totals_logs(&totals, points, m) : 0;
    *value = (struct ecc_regularizer_value){.loss = s == 0 ? -log(m) - logs / pairs
                                                           : scale * totals.terms / pairs};
    /* see the table of pair_law.h: the derivatives are -2/M, -1/M, -2/M times w */
    if (dz) ecc_sphere_pairs_gradient(plan, dz, z, n, -(s == 1 ? 1 : 2) * scale / (m * pairs));
    return ECC_OK;
}

static const char *const yes_no[] = {"no", "yes", NULL};

static const struct ecc_regularizer_option mhe_options[] = {
    {"s", "the energy: 0 for -log of the squared distance, or its power -s/2", 2, 0, 2,
     .whole = true},
    {"half", "half-space: each direction together with its opposite", 0, .words = yes_no},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_mhe = {
    .name = "mhe",
    .summary = "repulsion of latents projected to the unit sphere (hyperspherical energy)",
    .options = mhe_options,
    .directions = true,
    .outputs_per_latent = 1,
    .n_min = 2,
    .d_min = 2,
    .create = mhe_create,
    .evaluate = mhe_evaluate,
    .destroy = ecc_sphere_pairs_free,
};
