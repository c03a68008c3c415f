/* sphere_pairs.c: sums over pairs of latents projected to the unit sphere. */
#include "regularizer/sphere_pairs.h"
#include "regularizer/directions.h"
#include "regularizer/outputs.h"

#include <stdlib.h>
#include <string.h>

static void cut(struct ecc_sphere_pairs *plan)
{
    const size_t points = plan->mirror ? 2 * plan->n_max : plan->n_max;
    plan->u = ecc_arena_cut(&plan->arena, points, plan->d * sizeof *plan->u);
    plan->du = ecc_arena_cut(&plan->arena, points, plan->d * sizeof *plan->du);
    plan->lengths = ecc_arena_cut(&plan->arena, plan->n_max, sizeof *plan->lengths);
}

static enum ecc_status check_sizes(size_t n, size_t d, struct ecc_error *error)
{
    if (n < 2 || d < 2) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "n is %zu and d is %zu, expected at least 2 of each", n, d);
    }
    if (n <= SIZE_MAX / 64 / d) return ECC_OK;
    return ecc_fail(error, ECC_NO_MEMORY, "%zu items of %zu dimensions do not fit in memory", n, d);
}

enum ecc_status ecc_sphere_pairs_create(struct ecc_sphere_pairs **result, size_t n_max, size_t d,
                                        const struct ecc_pair_law *law, bool mirror,
                                        const struct ecc_regularizer_options *options,
                                        struct ecc_error *error)
{
    *result = NULL;
    ECC_TRY(check_sizes(n_max, d, error));
    struct ecc_sphere_pairs *const plan = calloc(1, sizeof *plan);
    if (!plan) return ecc_fail_memory(error, "the plan of the regularizer");
    plan->n_max = n_max;
    plan->d = d;
    plan->mirror = mirror;
    memcpy(plan->own, options->own, sizeof plan->own);
    cut(plan);
    enum ecc_status status = ecc_arena_reserve(&plan->arena, "the plan of the regularizer", error);
    if (status == ECC_OK) {
        status = ecc_pair_sums_create(&plan->pairs, mirror ? 2 * n_max : n_max, d, law,
                                      mirror ? ECC_MIRRORED : ECC_ALL_DIFFERENT,
                                      options->loss.threads, error);
    }
    if (status != ECC_OK) {
        ecc_sphere_pairs_free(plan);
        return status;
    }
    cut(plan);
    *result = plan;
    return ECC_OK;
}

void ecc_sphere_pairs_free(void *state)
{
    struct ecc_sphere_pairs *const plan = state;
    if (!plan) return;
    ecc_pair_sums_free(plan->pairs);
    ecc_arena_release(&plan->arena);
    free(plan);
}

enum ecc_status ecc_sphere_pairs_evaluate(struct ecc_sphere_pairs *plan,
                                          struct ecc_pair_totals *totals, double *count,
                                          const float *z, size_t n, double m, bool with_forces,
                                          struct ecc_error *error)
{
    const size_t d = plan->d, points = plan->mirror ? 2 * n : n;
    ECC_TRY(ecc_check_latents(z, n, d, 2, plan->n_max, error));
    ecc_directions(plan->u, plan->lengths, z, n, d);
    for (size_t k = n * d; k < points * d; k++) plan->u[k] = -plan->u[k - n * d];
    *count = 0.5 * (double)points * ((double)points - 1);
    return ecc_pair_sums_evaluate(plan->pairs, totals, with_forces ? plan->du : NULL, plan->u,
                                  points, m, error);
}

void ecc_sphere_pairs_gradient(struct ecc_sphere_pairs *plan, float *dz, const float *z, size_t n,
                               double factor)
{
    const size_t d = plan->d, points = plan->mirror ? 2 * n : n;
    /* with an image, u_i is moved twice */
    ecc_pair_sums_gradient(plan->pairs, plan->du, plan->u, points, 0,
                           plan->mirror ? -2 * factor : -factor);
    for (size_t i = 0; i < n; i++) {
        memcpy(dz + i * d, plan->du + i * d, d * sizeof *dz);
        ecc_direction_pull_back(dz + i * d, z + i * d, plan->lengths[i], d);
    }
}
