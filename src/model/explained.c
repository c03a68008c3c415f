/*
 * explained.c: how much of the data's variance each component explains, which is not its share of
 * the latents' variance: the decoder may make much of a direction in which the latents vary little.
 *
 * Training items are decoded from their first k components alone, the others at their mean.  With
 * E_k the squared error of that and V the variance of the items, component k explains
 * (E_{k-1} - E_k) / V, and the first k keep 1 - E_k / V.  For k = 0 that is 0 at best: the decoded
 * mean is not the mean of the items.  Missing cells are left out of the sums.
 */
#include "base/watch.h"
#include "data/gaps.h"
#include "model/components.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_ITEMS = 5000,
    LEAST_ITEMS = 500,
    MOST_DECODED = 40000, /* items times components, so that many components do not take minutes */
};

struct sums {
    struct ecc_model *model;
    float *z, *p, *y; /* [batch, d], [batch, d], [batch, size] */
    double *errors;   /* [d] squared, over all cells, with the first k + 1 components */
    double *x, *xx,
        *n; /* [size] of each cell: sums of values and squares, and how often it is there */
};

/* ---- Sums over items ------------------------------------------------------------------------ */

static void add_values(struct sums *s, const float *x, size_t n)
{
    const size_t size = s->model->size;
    for (size_t i = 0; i < n * size; i++) {
        if (isnan(x[i])) continue;
        const double value = (double)x[i];
        s->x[i % size] += value;
        s->xx[i % size] += value * value;
        s->n[i % size]++;
    }
}

/* z: the mean, to which one component after another is added. */
static enum ecc_status add_batch(void *context, const float *x, size_t first, size_t n,
                                 struct ecc_error *error)
{
    (void)first;
    struct sums *const s = context;
    struct ecc_model *const m = s->model;
    const struct ecc_components *const c = &m->components;
    const size_t d = m->d;
    add_values(s, x, n);
    ECC_TRY(ecc_model_encode(m, s->z, x, n, error));
    ECC_TRY(ecc_components_project(c, s->p, s->z, n, error));
    for (size_t i = 0; i < n * d; i++) s->z[i] = (float)c->mean[i % d];
    for (size_t k = 0; k <= d; k++) {
        for (size_t i = 0; k > 0 && i < n * d; i++) {
            const double amount = (double)s->p[i / d * d + k - 1];
            s->z[i] += (float)(amount * c->axes[(k - 1) * d + i % d]);
        }
        ECC_TRY(ecc_model_decode(m, s->y, s->z, n, error));
        s->errors[k] += ecc_known_squares(x, s->y, n * m->size);
    }
    return ECC_OK;
}

/* NaN if the items are all the same. */
static void conclude(const struct sums *s, struct ecc_components *c)
{
    double variance = 0;
    for (size_t j = 0; j < s->model->size; j++) {
        if (s->n[j] > 0) variance += fmax(0, s->xx[j] - s->x[j] * s->x[j] / s->n[j]);
    }
    const double unit = variance > 0 ? variance : (double)NAN;
    c->of_mean = 1 - s->errors[0] / unit;
    for (size_t k = 0; k < c->d; k++) c->of_data[k] = (s->errors[k] - s->errors[k + 1]) / unit;
}

/* ---- Over a sample of the training items ----------------------------------------------------- */

size_t ecc_components_explain_items(size_t count, size_t d)
{
    const size_t affordable = MOST_DECODED / d > LEAST_ITEMS ? MOST_DECODED / d : LEAST_ITEMS;
    const size_t most = affordable < MOST_ITEMS ? affordable : MOST_ITEMS;
    return count < most ? count : most;
}

static enum ecc_status visit_items(struct sums *s, struct ecc_dataset *data,
                                   const struct ecc_watch *watch, struct ecc_error *error)
{
    struct ecc_model *const m = s->model;
    const struct ecc_visit visit = {"explain", add_batch, s};
    uint32_t *items;
    size_t count;
    ECC_TRY(ecc_model_training_items(m, &items, &count, data, error));
    const size_t n = ecc_components_explain_items(count, m->d);
    for (size_t i = 0; i < n; i++) items[i] = items[i * count / n];
    const enum ecc_status status = ecc_model_visit(m, data, items, n, &visit, watch, error);
    free(items);
    return status;
}

enum ecc_status ecc_components_explain(struct ecc_model *m, struct ecc_dataset *data,
                                       const struct ecc_watch *watch, struct ecc_error *error)
{
    float *const room = malloc(m->batch * (2 * m->d + m->size) * sizeof *room);
    double *const sums = calloc(m->d + 1 + 3 * m->size, sizeof *sums);
    enum ecc_status status = room && sums ? ECC_OK : ecc_fail_memory(error, "a batch of items");
    if (status == ECC_OK) {
        double *const x = sums + m->d + 1;
        struct sums s = {.model = m,
                         .z = room,
                         .p = room + m->batch * m->d,
                         .y = room + 2 * m->batch * m->d,
                         .errors = sums,
                         .x = x,
                         .xx = x + m->size,
                         .n = x + 2 * m->size};
        status = visit_items(&s, data, watch, error);
        if (status == ECC_OK) conclude(&s, &m->components);
    }
    free(room);
    free(sums);
    return status;
}

/* ---- Of a run ------------------------------------------------------------------------------- */

static void keep(const struct ecc_model *m, const struct ecc_watch *watch)
{
    struct ecc_error reason;
    if (!m->run->stored) return;
    char *const path = ecc_run_path(m->run, ECC_COMPONENTS_FILE);
    if (path && ecc_components_write(&m->components, m->weight_sum, path, &reason) != ECC_OK) {
        ecc_watch_remark(watch, "the components were not saved: %s", reason.text);
    }
    free(path);
}

enum ecc_status ecc_model_explained(struct ecc_model *m, struct ecc_components *c, const char *what,
                                    const struct ecc_watch *watch, struct ecc_error *error)
{
    ECC_TRY(ecc_model_components(m, c, what, watch, error)); /* the model keeps them */
    if (!isnan(m->components.of_mean)) return ECC_OK;
    struct ecc_dataset *data;
    ECC_TRY(ecc_model_open_data(m, &data, what, m->options.items, error));
    const enum ecc_status status = ecc_components_explain(m, data, watch, error);
    ecc_dataset_close(data);
    ECC_TRY(status);
    if (!isnan(m->components.of_mean)) keep(m, watch);
    ecc_components_release(c);
    return ecc_components_copy(c, &m->components, error);
}
