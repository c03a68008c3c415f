/* latent_sizes.c: how many latent dimensions a data set needs: trainings of several sizes beside
 * PCA. */
#include "evaluate/retrain.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The share of the best explained variance that a smaller size must reach to be recommended. */
static const double enough = 0.95;

double ecc_dims_explained(const struct ecc_dims_row *row)
{
    return row->variance > 0 ? 1 - row->error / row->variance : (double)NAN;
}

/* The smallest size that explains nearly as much as the best. */
static size_t recommend(const struct ecc_dims *r)
{
    double best = 0;
    size_t at = 0;
    for (size_t i = 0; i < r->count; i++) best = fmax(best, ecc_dims_explained(&r->rows[i]));
    while (at + 1 < r->count && !(ecc_dims_explained(&r->rows[at]) >= enough * best)) at++;
    return r->rows[at].latent;
}

static enum ecc_status measure(struct ecc_dims *r, size_t i,
                               const struct ecc_train_options *options,
                               const struct ecc_watch *watch, struct ecc_error *error)
{
    struct ecc_train_options at = *options;
    struct ecc_train_result trained;
    char name[40];
    at.latent = r->rows[i].latent;
    if (at.keep == ECC_KEEP_AUTO) at.keep = ECC_KEEP_BEST; /* as good to compare sizes by */
    snprintf(name, sizeof name, "d = %zu", at.latent);
    ECC_TRY(ecc_retrain(&trained, &at, name, watch, error));
    const struct ecc_train_comparison *const c = &trained.unseen;
    r->items_are = c->items_are;
    r->items = c->items;
    r->rows[i].error = c->error;
    r->rows[i].pca_error = c->pca_error;
    r->rows[i].variance = c->variance;
    r->rows[i].steps = trained.steps;
    r->rows[i].seconds = trained.seconds;
    ecc_train_result_release(&trained);
    if (r->items_are) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s has no items beside those to train on, so sizes cannot be compared",
                    options->data);
}

enum ecc_status ecc_dims_measure(struct ecc_dims *r, const struct ecc_train_options *options,
                                 const size_t *latents, size_t count, const struct ecc_watch *watch,
                                 struct ecc_error *error)
{
    *r = (struct ecc_dims){.rows = calloc(count + 1, sizeof *r->rows), .count = count};
    if (!r->rows) return ecc_fail_memory(error, "the sizes");
    if (count == 0) return ecc_fail(error, ECC_BAD_ARGUMENT, "no sizes to try were given");
    for (size_t i = 0; i < count; i++) {
        r->rows[i].latent = latents[i];
        if (i == 0 || latents[i] > latents[i - 1]) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT, "size %zu comes after %zu, expected rising sizes",
                        latents[i], latents[i - 1]);
    }
    for (size_t i = 0; i < count; i++) ECC_TRY(measure(r, i, options, watch, error));
    r->recommended = recommend(r);
    return ECC_OK;
}

void ecc_dims_release(struct ecc_dims *r)
{
    free(r->rows);
    *r = (struct ecc_dims){0};
}
