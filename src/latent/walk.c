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

void ecc_walk_grid(const struct ecc_components *c, float *z, const struct ecc_walk_grid *g)
{
    const size_t rows = (size_t)1 << g->y_count, columns = (size_t)1 << g->x_count;
    size_t list[2 * ECC_WALK_MOST];
    double amounts[2 * ECC_WALK_MOST];
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
}
