/* walk.c: latents that show what components mean: pairs, strips and grids. */
#include "latent/walk.h"

void ecc_walk_point(const struct ecc_components *c, float *z, const size_t *list,
                    const double *amounts, size_t count)
{
    const size_t d = c->d;
    for (size_t j = 0; j < d; j++) {
        double sum = c->mean[j];
        for (size_t l = 0; l < count; l++) {
            sum += amounts[l] * c->deviations[list[l]] * c->axes[list[l] * d + j];
        }
        z[j] = (float)sum;
    }
}

void ecc_walk_strip(const struct ecc_components *c, float *z, size_t k, size_t steps,
                    double deviations)
{
    for (size_t s = 0; s < steps; s++) {
        const double amount = deviations * (2 * (double)s / (double)(steps - 1) - 1);
        ecc_walk_point(c, z + s * c->d, &k, &amount, 1);
    }
}

bool ecc_walk_sign(size_t at, size_t which, size_t count)
{
    return at >> (count - 1 - which) & 1;
}

enum ecc_status ecc_walk_check(const struct ecc_components *c, const struct ecc_walk_grid *g,
                               struct ecc_error *error)
{
    const size_t count = g->x_count + g->y_count;
    if (g->x_count > ECC_WALK_MOST || g->y_count > ECC_WALK_MOST || count > ECC_WALK_MOST) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%zu components make a grid of 2^%zu images, expected at most %d of them",
                        count, count, ECC_WALK_MOST);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t k = i < g->x_count ? g->x[i] : g->y[i - g->x_count];
        if (k >= c->d) {
            return ecc_fail(error, ECC_BAD_ARGUMENT, "component p%zu, but there are only %zu",
                            k + 1, c->d);
        }
        for (size_t j = 0; i < g->x_count && j < g->y_count; j++) {
            if (k != g->y[j]) continue;
            return ecc_fail(error, ECC_BAD_ARGUMENT,
                            "component p%zu is named for both the columns and the rows", k + 1);
        }
    }
    return ECC_OK;
}

enum ecc_status ecc_walk_grid(const struct ecc_components *c, float *z,
                              const struct ecc_walk_grid *g, struct ecc_error *error)
{
    ECC_TRY(ecc_walk_check(c, g, error));
    const size_t rows = (size_t)1 << g->y_count, columns = (size_t)1 << g->x_count;
    size_t list[ECC_WALK_MOST];
    double amounts[ECC_WALK_MOST];
    for (size_t l = 0; l < g->x_count; l++) list[l] = g->x[l];
    for (size_t l = 0; l < g->y_count; l++) list[g->x_count + l] = g->y[l];
    for (size_t i = 0; i < rows * columns; i++) {
        for (size_t l = 0; l < g->x_count; l++) {
            amounts[l] = ecc_walk_sign(i % columns, l, g->x_count) ? g->deviations : -g->deviations;
        }
        for (size_t l = 0; l < g->y_count; l++) {
            amounts[g->x_count + l] =
                ecc_walk_sign(i / columns, l, g->y_count) ? g->deviations : -g->deviations;
        }
        ecc_walk_point(c, z + i * c->d, list, amounts, g->x_count + g->y_count);
    }
    return ECC_OK;
}
