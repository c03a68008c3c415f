/* unusual_limits.c: the limits of T2 and Q: from the training items, kept in limits.npz. */
#include "base/watch.h"
#include "data/archive.h"
#include "math/distribution.h"
#include "model/unusual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ITEMS = 20000 }; /* their quantiles do not get better by more */

static const double LEVELS[2] = {0.95, 0.99};
static const double EXACT = 1e-10; /* errors of a feature below this are those of rounding */

/* ---- The file ------------------------------------------------------------------------------- */

static enum ecc_status write_file(const struct ecc_limits *l, const struct ecc_model *m,
                                  const char *path, struct ecc_error *error)
{
    const uint64_t items = l->items;
    const struct ecc_archive_item arrays[] = {
        {"level", ECC_F8, 1, {2}, LEVELS}, {"t2", ECC_F8, 1, {2}, l->t2},
        {"q", ECC_F8, 1, {2}, l->q},       {"t2_above", ECC_F8, 1, {2}, l->t2_above},
        {"items", ECC_U8, 0, {0}, &items}, {"weights", ECC_U4, 0, {0}, &m->weight_sum},
    };
    return ecc_archive_write(path, arrays, sizeof arrays / sizeof arrays[0], error);
}

static enum ecc_status read_numbers(struct ecc_limits *l, double *sum,
                                    const struct ecc_archive *file, struct ecc_error *error)
{
    double items;
    ECC_TRY(ecc_archive_get_f64(file, l->t2, "t2", 2, error));
    ECC_TRY(ecc_archive_get_f64(file, l->q, "q", 2, error));
    ECC_TRY(ecc_archive_get_f64(file, l->t2_above, "t2_above", 2, error));
    ECC_TRY(ecc_archive_get_f64(file, &items, "items", 1, error));
    ECC_TRY(ecc_archive_get_f64(file, sum, "weights", 1, error));
    l->items = items >= 1 && items < 1e15 ? (size_t)items : 0;
    return ECC_OK;
}

/* True if the file exists, can be read, and belongs to these weights. */
static bool use_file(struct ecc_limits *l, const struct ecc_model *m, const char *path)
{
    struct ecc_archive file;
    double sum = 0;
    if (access(path, F_OK) != 0 || ecc_archive_open(&file, path, NULL) != ECC_OK) return false;
    const enum ecc_status status = read_numbers(l, &sum, &file, NULL);
    ecc_archive_close(&file);
    return status == ECC_OK && l->items > 0 && sum == (double)m->weight_sum;
}

/* ---- Computing ------------------------------------------------------------------------------ */

struct collected {
    struct ecc_model *model;
    double *t2, *q; /* [count] */
};

/* results: [2, batch], t2 and q. */
static enum ecc_status measure(void *context, void *results, const float *x, size_t n,
                               struct ecc_error *error)
{
    const struct collected *const c = context;
    double *const both = results;
    const struct ecc_measures measures = {.t2 = both, .q = both + c->model->batch};
    return ecc_model_measure(c->model, &measures, x, n, error);
}

static enum ecc_status collect(void *context, const void *results, size_t first, size_t n,
                               struct ecc_error *error)
{
    const struct collected *const c = context;
    const double *const both = results;
    (void)error;
    memcpy(c->t2 + first, both, n * sizeof *both);
    memcpy(c->q + first, both + c->model->batch, n * sizeof *both);
    return ECC_OK;
}

static void summarise(struct ecc_limits *l, const struct ecc_model *m, double *t2, double *q)
{
    const double n = (double)m->components.count;
    const double d = (double)ecc_components_alive(&m->components);
    for (size_t i = 0; i < 2; i++) {
        size_t above = 0;
        l->t2[i] = n > d && d > 0 ? d * (n + 1) / (n - d) * ecc_f_quantile(LEVELS[i], d, n - d)
                                  : (double)NAN;
        l->q[i] = ecc_sample_quantile(q, l->items, LEVELS[i]);
        if (l->q[i] < EXACT * (double)m->size) l->q[i] = NAN;
        for (size_t k = 0; k < l->items; k++) above += t2[k] > l->t2[i];
        l->t2_above[i] = (double)above / (double)l->items;
    }
}

/* Every so many training items, at most MOST_ITEMS of them. */
static size_t thin_out(uint32_t *items, size_t count)
{
    if (count <= MOST_ITEMS) return count;
    for (size_t i = 0; i < MOST_ITEMS; i++) items[i] = items[i * count / MOST_ITEMS];
    return MOST_ITEMS;
}

static enum ecc_status measure_training(struct ecc_limits *l, struct ecc_model *m,
                                        struct ecc_dataset *data, const struct ecc_watch *watch,
                                        struct ecc_error *error)
{
    uint32_t *items;
    size_t count;
    ECC_TRY(ecc_model_training_items(m, &items, &count, data, error));
    l->items = thin_out(items, count);
    struct collected c = {m, malloc((l->items + 1) * sizeof *c.t2),
                          malloc((l->items + 1) * sizeof *c.q)};
    const struct ecc_item_map map = {"measure", 2 * m->batch * sizeof(double), &c, measure,
                                     collect};
    enum ecc_status status = c.t2 && c.q ? ECC_OK : ecc_fail_memory(error, "the training items");
    if (status == ECC_OK) {
        status = ecc_model_map(m, data, items, l->items, &map, watch, error);
    }
    if (status == ECC_OK && l->items > 0) summarise(l, m, c.t2, c.q);
    free(items);
    free(c.t2);
    free(c.q);
    return status;
}

static enum ecc_status compute(struct ecc_limits *l, struct ecc_model *m, const char *what,
                               const struct ecc_watch *watch, struct ecc_error *error)
{
    struct ecc_components components; /* the model keeps them */
    struct ecc_dataset *data;
    ECC_TRY(ecc_model_components(m, &components, what, watch, error));
    ecc_components_release(&components);
    ECC_TRY(ecc_model_open_data(m, &data, what, m->options.items, error));
    const enum ecc_status status = measure_training(l, m, data, watch, error);
    ecc_dataset_close(data);
    return status;
}

double ecc_limits_excess(const struct ecc_limits *l, double t2, double q)
{
    return fmax(t2 / l->t2[1], q / l->q[1]); /* a limit that is NaN does not count */
}

enum ecc_status ecc_model_limits(struct ecc_model *m, struct ecc_limits *limits, const char *what,
                                 const struct ecc_watch *watch, struct ecc_error *error)
{
    *limits = (struct ecc_limits){0};
    if (!m->run->stored) return compute(limits, m, what, watch, error);
    char *const path = ecc_run_path(m->run, ECC_LIMITS_FILE);
    if (!path) return ecc_fail_memory(error, "a path");
    if (!use_file(limits, m, path)) *limits = (struct ecc_limits){0};
    /* of several processes, all have them from the first, or none */
    enum ecc_status status = ecc_share_from_first(m->share, ECC_OK, limits, sizeof *limits, error);
    if (status == ECC_OK && limits->items == 0) {
        struct ecc_error reason;
        status = compute(limits, m, what, watch, error);
        /* a read-only run works, too */
        if (status == ECC_OK && ecc_share_is_first(m->share) &&
            write_file(limits, m, path, &reason) != ECC_OK) {
            ecc_watch_remark(watch, "the limits were not saved: %s", reason.text);
        }
    }
    free(path);
    return status;
}
