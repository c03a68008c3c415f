/*
 * rae_gp.c: the regularized autoencoder with a gradient penalty on its decoder (Ghosh et al.,
 * 2020), as its authors' code has it.
 *
 * value = mean of z^2.  Besides, weight times the mean of g^2 over the batch and the dimensions,
 * where g is the gradient with respect to z of s, the sum of squares of all that the decoder makes
 * of the batch.  The gradient of |g|^2 / 2, in z as in the weights, is the derivative of the
 * gradient of s along g: two more passes, at z + h g and z - h g, give it without differentiating
 * twice.
 */
#include "base/arena.h"
#include "regularizer/mean_square.h"

#include <math.h>
#include <stdlib.h>

enum { WEIGHT = 0 }; /* its option */

/* The passes are this far from z, as a share of its root mean square: rounding errors and
 * curvature are both small there. */
static const double distance = 0.01;

struct rae_gp_plan {
    struct ecc_mean_square square; /* first: see mean_square.h */
    double weight;
    struct ecc_arena arena;
    float *g, *moved, *there; /* [n, d] each */
};

static void rae_gp_destroy(void *state)
{
    struct rae_gp_plan *const plan = state;
    ecc_arena_release(&plan->arena);
    free(plan);
}

static void cut(struct rae_gp_plan *plan)
{
    const size_t row = plan->square.d * sizeof(float);
    plan->g = ecc_arena_cut(&plan->arena, plan->square.n_max, row);
    plan->moved = ecc_arena_cut(&plan->arena, plan->square.n_max, row);
    plan->there = ecc_arena_cut(&plan->arena, plan->square.n_max, row);
}

static enum ecc_status rae_gp_create(void **state, size_t n_max, size_t d,
                                     const struct ecc_regularizer_options *options,
                                     struct ecc_error *error)
{
    struct rae_gp_plan *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    plan->square = (struct ecc_mean_square){.n_max = n_max, .d = d};
    plan->weight = options->own[WEIGHT];
    cut(plan);
    const enum ecc_status status =
        ecc_arena_reserve(&plan->arena, "the plan of the regularizer", error);
    if (status != ECC_OK) {
        rae_gp_destroy(plan);
        return status;
    }
    cut(plan);
    *state = plan;
    return ECC_OK;
}

static double sum_of_squares(const float *x, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += (double)x[i] * (double)x[i];
    return sum;
}

static enum ecc_status rae_gp_penalty(void *state, double *value, float *dz, const float *z,
                                      size_t n, const struct ecc_regularizer_decoder *decoder,
                                      struct ecc_error *error)
{
    struct rae_gp_plan *const plan = state;
    const size_t count = n * plan->square.d;
    *value = 0;
    if (plan->weight <= 0) return ECC_OK;
    ECC_TRY(decoder->squares(decoder->context, plan->g, z, n, 0, error));
    const double squares = sum_of_squares(plan->g, count);
    *value = plan->weight * squares / (double)count;
    if (!(squares > 0) || !isfinite(squares)) return ECC_OK;
    const double room = fmax(sqrt(sum_of_squares(z, count) / (double)count), 1e-3);
    const double h = distance * room / sqrt(squares / (double)count);
    const double factor = plan->weight / ((double)count * h); /* 2 w / (n d) / (2 h) */
    for (int side = 1; side >= -1; side -= 2) {
        for (size_t i = 0; i < count; i++) {
            plan->moved[i] = (float)((double)z[i] + side * h * (double)plan->g[i]);
        }
        ECC_TRY(
            decoder->squares(decoder->context, plan->there, plan->moved, n, side * factor, error));
        for (size_t i = 0; i < count; i++) dz[i] += (float)(side * factor * (double)plan->there[i]);
    }
    return ECC_OK;
}

static const struct ecc_regularizer_option rae_gp_options[] = {
    {"weight", "of the gradient penalty", 5e-8, 0, 1},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_rae_gp = {
    .name = "rae-gp",
    .summary = "mean square of the latents, and a penalty on the decoder's gradient (RAE-GP)",
    .options = rae_gp_options,
    .lambda = 1e-4,
    .outputs_per_latent = 1,
    .n_min = 1,
    .d_min = 1,
    .create = rae_gp_create,
    .evaluate = ecc_mean_square_evaluate,
    .destroy = rae_gp_destroy,
    .penalty = rae_gp_penalty,
};
