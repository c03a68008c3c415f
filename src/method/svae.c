/*
 * svae.c: the hyperspherical variational autoencoder (Davidson et al., 2018): latents on the unit
 * sphere of R^m, drawn around a mean direction; the value is their divergence from the uniform
 * distribution.
 *
 * The encoder's outputs are [n, m + 1]: a direction, normalised to mu, and a number o that gives
 * kappa = softplus(o) + 1.  The divergence does not depend on mu.  A random draw of an item depends
 * on (seed, step, item) only.
 */
#include "base/arena.h"
#include "base/rng.h"
#include "base/streams.h"
#include "regularizer/outputs.h"
#include "regularizer/regularizer.h"
#include "regularizer/spherical.h"
#include "method/svae.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DISTRIBUTION, GRADIENT, WARMUP }; /* its options */
enum { NODES = 40 };                     /* of the derivative's quadrature */

static const double tiny = 1e-12;

struct svae_plan {
    size_t n_max, m;
    uint64_t seed;
    bool power, published;
    double warmup;
    struct ecc_quadrature rule;
    struct ecc_arena arena;
    double *mu, *z;       /* [m] each, of the item at hand */
    double *tangents;     /* [n, m - 1] directions around mu, of the last `latents` */
    double *gaps, *paths; /* [n] 1 - <mu, z>, and the derivative of <mu, z> by kappa */
};

static void svae_destroy(void *state)
{
    struct svae_plan *const plan = state;
    if (!plan) return;
    ecc_quadrature_release(&plan->rule);
    ecc_arena_release(&plan->arena);
    free(plan);
}

static void cut(struct svae_plan *plan)
{
    struct ecc_arena *const arena = &plan->arena;
    plan->mu = ecc_arena_cut(arena, plan->m, sizeof(double));
    plan->z = ecc_arena_cut(arena, plan->m, sizeof(double));
    plan->tangents = ecc_arena_cut(arena, plan->n_max, (plan->m - 1) * sizeof(double));
    plan->gaps = ecc_arena_cut(arena, plan->n_max, sizeof(double));
    plan->paths = ecc_arena_cut(arena, plan->n_max, sizeof(double));
}

static enum ecc_status svae_create(void **state, size_t n_max, size_t d,
                                   const struct ecc_regularizer_options *options,
                                   struct ecc_error *error)
{
    struct svae_plan *const plan = *state = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    plan->n_max = n_max;
    plan->m = d;
    plan->seed = options->seed;
    plan->power = options->own[DISTRIBUTION] > 0;
    plan->published = options->own[GRADIENT] > 0;
    plan->warmup = options->own[WARMUP];
    cut(plan);
    enum ecc_status status = ecc_arena_reserve(&plan->arena, "the plan of the regularizer", error);
    if (status == ECC_OK) status = ecc_quadrature_jacobi_init(&plan->rule, NODES, 0, 0, error);
    if (status != ECC_OK) {
        svae_destroy(plan);
        *state = NULL;
        return status;
    }
    cut(plan);
    return ECC_OK;
}

static enum ecc_status svae_check(size_t d, const double *own, struct ecc_error *error)
{
    if (own[DISTRIBUTION] > 0 && own[GRADIENT] > 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the power spherical distribution has no published gradient of its own: "
                        "use gradient=exact");
    }
    if (d >= 2) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "the latent size of svae is that of the space around the sphere, expected at "
                    "least 2");
}

static enum ecc_status check_outputs(const struct svae_plan *plan, const float *outputs, size_t n,
                                     struct ecc_error *error)
{
    ECC_TRY(ecc_check_batch(n, 1, plan->n_max, error));
    return ecc_check_finite(outputs, n, plan->m + 1, "[direction, concentration]", error);
}

double ecc_svae_kappa(double *slope, double *over, double output)
{
    const double positive = output > 0 ? output + log1p(exp(-output)) : log1p(exp(output));
    const double kappa = 1 + positive, sigmoid = 1 / (1 + exp(-output));
    *over = fmax(0, kappa - ECC_SVAE_MAX_KAPPA);
    *slope = sigmoid;
    return fmin(kappa, ECC_SVAE_MAX_KAPPA);
}

double ecc_svae_mean(double *mu, const float *outputs, size_t m)
{
    double sum = tiny;
    for (size_t k = 0; k < m; k++) sum += (double)outputs[k] * (double)outputs[k];
    const double norm = sqrt(sum);
    for (size_t k = 0; k < m; k++) mu[k] = (double)outputs[k] / norm;
    return norm;
}

static void svae_means(float *z, const float *outputs, size_t n, size_t d, const double *own,
                       float *const *values)
{
    (void)own, (void)values;
    for (size_t i = 0; i < n; i++) {
        const float *const row = outputs + i * (d + 1);
        double sum = tiny;
        for (size_t k = 0; k < d; k++) sum += (double)row[k] * (double)row[k];
        const double scale = 1 / sqrt(sum);
        for (size_t k = 0; k < d; k++) z[i * d + k] = (float)(scale * (double)row[k]);
    }
}

/* Makes a unit vector of normal numbers; returns the sum of their squares. */
double ecc_svae_normalize(double *tangent, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) sum += tangent[k] * tangent[k];
    const double scale = 1 / sqrt(fmax(sum, 1e-300));
    for (size_t k = 0; k < count; k++) tangent[k] *= scale;
    return sum;
}

static void draw_item(struct svae_plan *plan, float *z, const float *row, size_t i, uint64_t step)
{
    const size_t m = plan->m;
    double *const tangent = plan->tangents + i * (m - 1);
    double slope, over;
    const double kappa = ecc_svae_kappa(&slope, &over, (double)row[m]);
    const struct ecc_spherical s = ecc_spherical_of(plan->power, m, kappa);
    const struct ecc_spherical_source source = {.seed = plan->seed,
                                                .height = ECC_STREAM_SVAE_HEIGHT + step,
                                                .gamma = ECC_STREAM_SVAE_GAMMA + step,
                                                .item = i,
                                                .squares = ecc_svae_normalize(tangent, m - 1)};
    ecc_svae_mean(plan->mu, row, m);
    plan->gaps[i] = ecc_spherical_draw(&s, &plan->paths[i], &source);
    if (!plan->published && (m != 3 || plan->power)) {
        plan->paths[i] = ecc_spherical_implicit(&s, &plan->rule, plan->gaps[i]);
    }
    ecc_spherical_place(plan->z, plan->mu, tangent, plan->gaps[i], m);
    for (size_t k = 0; k < m; k++) z[k] = (float)plan->z[k];
}

static enum ecc_status svae_latents(void *state, float *z, const float *outputs, size_t n,
                                    uint64_t step, struct ecc_error *error)
{
    struct svae_plan *const plan = state;
    const size_t m = plan->m;
    ECC_TRY(check_outputs(plan, outputs, n, error));
    ecc_rng_normal(plan->tangents, plan->seed, ECC_STREAM_SVAE_TANGENT + step, 0, n * (m - 1));
    for (size_t i = 0; i < n; i++) {
        draw_item(plan, z + i * m, outputs + i * (m + 1), i, step);
    }
    return ECC_OK;
}

/* Through the reflection and the normalisation to mu, and along <mu, z> to kappa. */
static void svae_pull_back(void *state, float *doutputs, const float *dz, const float *outputs,
                           size_t n, uint64_t step)
{
    (void)step;
    struct svae_plan *const plan = state;
    const size_t m = plan->m;
    double *const dmu = plan->z;
    for (size_t i = 0; i < n; i++) {
        const float *const row = outputs + i * (m + 1);
        float *const drow = doutputs + i * (m + 1);
        double slope, over, along = 0;
        ecc_svae_kappa(&slope, &over, (double)row[m]);
        const double norm = ecc_svae_mean(plan->mu, row, m);
        memset(dmu, 0, m * sizeof *dmu);
        const double dw = ecc_spherical_pull(dmu, dz + i * m, plan->mu,
                                             plan->tangents + i * (m - 1), plan->gaps[i], m);
        for (size_t k = 0; k < m; k++) along += dmu[k] * plan->mu[k];
        for (size_t k = 0; k < m; k++) drow[k] += (float)((dmu[k] - along * plan->mu[k]) / norm);
        if (over <= 0) drow[m] += (float)(dw * plan->paths[i] * slope);
    }
}

static enum ecc_status svae_evaluate(void *state, struct ecc_regularizer_value *value,
                                     float *doutputs, const float *outputs, size_t n, uint64_t step,
                                     struct ecc_error *error)
{
    (void)step;
    const struct svae_plan *const plan = state;
    const size_t columns = plan->m + 1;
    ECC_TRY(check_outputs(plan, outputs, n, error));
    if (doutputs) memset(doutputs, 0, n * columns * sizeof *doutputs);
    double sum = 0, concentrations = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t at = i * columns + plan->m;
        double slope, over;
        const double kappa = ecc_svae_kappa(&slope, &over, (double)outputs[at]);
        const struct ecc_spherical s = ecc_spherical_of(plan->power, plan->m, kappa);
        sum += s.kl + s.slope * over;
        concentrations += kappa + over;
        if (doutputs) doutputs[at] = (float)(s.slope * slope / (double)n);
    }
    *value = (struct ecc_regularizer_value){
        .loss = sum / (double)n,
        .term_count = 1,
        .terms = {{"mean concentration", concentrations / (double)n}},
    };
    return ECC_OK;
}

static double svae_weight(void *state, double lambda, double error, size_t size, uint64_t step)
{
    (void)error, (void)size;
    const double warmup = ((const struct svae_plan *)state)->warmup;
    return warmup > 0 ? lambda * fmin(1, (double)step / warmup) : lambda;
}

static double svae_radius(size_t d)
{
    (void)d;
    return 1;
}

static const char *const distributions[] = {"vmf", "power", NULL};
static const char *const gradients[] = {"exact", "published", NULL};
static const struct ecc_regularizer_option options[] = {
    {"distribution", "von Mises-Fisher or power spherical", .high = 1, .words = distributions},
    {"gradient", "by kappa: unbiased, or the published one, which is biased", .high = 1,
     .words = gradients},
    {"warmup", "steps over which lambda rises from 0", .high = 1e9, .whole = true},
    {0},
};

const struct ecc_regularizer ecc_regularizer_svae = {
    .name = "svae",
    .summary = "hyperspherical VAE: latents drawn on the unit sphere of R^D (--latent D)",
    .options = options,
    .straight_through = true, /* acceptance in the rejection is not differentiated */
    .outputs_per_latent = 1,
    .outputs_more = 1,
    .n_min = 1,
    .d_min = 2,
    .create = svae_create,
    .evaluate = svae_evaluate,
    .latents = svae_latents,
    .pull_back = svae_pull_back,
    .destroy = svae_destroy,
    .check = svae_check,
    .means = svae_means,
    .radius = svae_radius,
    .weight = svae_weight,
};
