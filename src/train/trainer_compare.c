/*
 * trainer_compare.c: the trained model beside PCA of the same size, on items it was not trained on.
 *
 * These are the test part of the data; without one, the validation items, on which the model was
 * chosen; without those, there is nothing to compare on.
 */
#include "data/gaps.h"
#include "train/trainer_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ITEMS = 500, MOST_ITEMS = 10000 };

/* No more than were trained on: a short training should not be outlasted by its comparison. */
static size_t enough_items(const struct ecc_trainer *t, size_t there)
{
    const size_t wanted = t->item_count > LEAST_ITEMS ? t->item_count : LEAST_ITEMS;
    const size_t most = wanted < MOST_ITEMS ? wanted : MOST_ITEMS;
    return there < most ? there : most;
}

/* Sums over cells that are not missing. */
struct sums {
    double cells, model, pca, variance;
};

/* One batch of x: [n, size]; y, filled: room for as many. */
struct room {
    float *x, *y, *filled, *z;
};

static enum ecc_status make_room(struct room *room, size_t n, size_t size, size_t d,
                                 struct ecc_error *error)
{
    room->x = malloc((3 * n * size + n * d) * sizeof *room->x);
    if (!room->x) return ecc_fail_memory(error, "a comparison with PCA");
    room->y = room->x + n * size;
    room->filled = room->y + n * size;
    room->z = room->filled + n * size;
    return ECC_OK;
}

static enum ecc_status add_batch(struct ecc_trainer *t, struct sums *sums, const struct room *room,
                                 const struct ecc_pca *pca, size_t n, struct ecc_error *error)
{
    const size_t size = pca->size;
    double mean;
    ECC_TRY(ecc_trainer_reconstruct(t, &mean, NULL, room->x, n, error));
    const double cells = (double)ecc_net_cells(t->net);
    sums->cells += cells;
    sums->model += mean * cells;
    memcpy(room->filled, room->x, n * size * sizeof *room->x);
    ecc_fill_gaps(room->filled, n * size);
    ecc_pca_project(pca, room->z, room->filled, n);
    ecc_pca_restore(pca, room->y, room->z, n);
    sums->pca += ecc_known_squares(room->x, room->y, n * size);
    for (size_t i = 0; i < n; i++) {
        sums->variance += ecc_known_squares(room->x + i * size, pca->mean, size);
    }
    return ECC_OK;
}

static enum ecc_status add_items(struct ecc_trainer *t, struct ecc_train_comparison *c,
                                 struct ecc_dataset *data, const uint32_t *items,
                                 const struct ecc_pca *pca, struct ecc_error *error)
{
    const size_t batch = t->options.batch;
    struct sums sums = {0};
    struct room room;
    ECC_TRY(make_room(&room, batch, pca->size, pca->d, error));
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; status == ECC_OK && i < c->items; i += batch) {
        const size_t n = c->items - i < batch ? c->items - i : batch;
        status = ecc_dataset_read(data, room.x, items + i, n, error);
        if (status == ECC_OK) status = add_batch(t, &sums, &room, pca, n, error);
    }
    free(room.x);
    c->error = sums.model / fmax(1, sums.cells);
    c->pca_error = sums.pca / fmax(1, sums.cells);
    c->variance = sums.variance / fmax(1, sums.cells);
    return status;
}

/* The test part of the same data, or NULL: there is none, or it was trained on. */
static struct ecc_dataset *open_test(struct ecc_trainer *t)
{
    const char *const colon = strrchr(t->options.data, ':');
    enum ecc_split split = ECC_SPLIT_TRAIN;
    if (colon && ecc_split_parse(&split, colon + 1) && split != ECC_SPLIT_TRAIN) return NULL;
    char *const name = ecc_data_part_name(t->options.data, "test");
    struct ecc_data_options options = ecc_settings_data(&t->options);
    struct ecc_dataset *test = NULL;
    struct ecc_error ignored;
    options.items = 0;
    options.scaling = t->data->scaling.columns ? &t->data->scaling : NULL;
    options.schema = t->data->schema;
    if (name && ecc_dataset_open(&test, name, &options, &ignored) != ECC_OK) test = NULL;
    free(name);
    return test;
}

static enum ecc_status compare(struct ecc_trainer *t, struct ecc_train_comparison *c,
                               struct ecc_dataset *test, const struct ecc_pca *pca,
                               struct ecc_error *error)
{
    c->items_are = test ? "test" : "validation";
    c->items = enough_items(t, test ? test->count : t->validation_count);
    if (!test) return add_items(t, c, t->data, t->items + t->item_count, pca, error);
    uint32_t *const items = malloc(c->items * sizeof *items);
    if (!items) return ecc_fail_memory(error, "a comparison with PCA");
    for (size_t i = 0; i < c->items; i++) items[i] = (uint32_t)i;
    const enum ecc_status status = add_items(t, c, test, items, pca, error);
    free(items);
    return status;
}

enum ecc_status ecc_trainer_compare_aside(struct ecc_trainer *t, struct ecc_train_comparison *c,
                                          struct ecc_error *error)
{
    struct ecc_pca pca;
    ECC_TRY(ecc_trainer_fit_pca(t, &pca, error));
    const enum ecc_status status = compare(t, c, NULL, &pca, error);
    ecc_pca_release(&pca);
    return status;
}

/* Nothing is left aside after a refit: what was measured before counts. */
static struct ecc_train_comparison before_refit(const struct ecc_trainer *t)
{
    struct ecc_train_comparison c = t->refit.before;
    c.items_are = "validation";
    c.items = t->refit.items;
    return c;
}

enum ecc_status ecc_trainer_compare(struct ecc_trainer *t, struct ecc_train_result *r,
                                    struct ecc_error *error)
{
    struct ecc_train_comparison *const c = &r->unseen;
    *c = (struct ecc_train_comparison){.error = NAN, .pca_error = NAN, .variance = NAN};
    struct ecc_dataset *const test = open_test(t);
    if (!test && t->refit.begun) *c = before_refit(t);
    if (!test && t->validation_count == 0) return ECC_OK;
    struct ecc_pca pca;
    enum ecc_status status = ecc_trainer_fit_pca(t, &pca, error);
    if (status == ECC_OK) {
        status = compare(t, c, test, &pca, error);
        ecc_pca_release(&pca);
    }
    ecc_dataset_close(test);
    return status;
}
