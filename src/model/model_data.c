/* model_data.c: opens the data of a run and encodes whole data sets batch by batch. */
#include "base/text.h"
#include "base/watch.h"
#include "data/loader.h"
#include "model/model.h"
#include "run/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Opening -------------------------------------------------------------------------------- */

const char *ecc_model_shape_text(char out[64], struct ecc_item_shape shape, bool is_table)
{
    if (is_table) {
        snprintf(out, 64, "%zu column%s", shape.channels, ecc_s(shape.channels));
    } else {
        snprintf(out, 64, "%zu x %zu x %zu", shape.channels, shape.height, shape.width);
    }
    return out;
}

static enum ecc_status check_shape(const struct ecc_model *m, const struct ecc_dataset *data,
                                   struct ecc_error *error)
{
    const struct ecc_item_shape a = data->shape, b = m->shape;
    const bool table = m->scaling.columns > 0;
    if (a.channels == b.channels && a.height == b.height && a.width == b.width &&
        data->is_table == table) {
        return ECC_OK;
    }
    char name[ECC_PATH_SIZE], run[ECC_PATH_SIZE], ours[64], theirs[64];
    return ecc_fail(
        error, ECC_BAD_DATA, "the items of %s are %s (%s), but those of the run %s are %s (%s)",
        ecc_quote_path(name, data->name), data->is_table ? "rows" : "images",
        ecc_model_shape_text(theirs, a, data->is_table), ecc_quote_path(run, m->run->directory),
        table ? "rows" : "images", ecc_model_shape_text(ours, b, table));
}

static enum ecc_status open_data(const struct ecc_model *m, struct ecc_dataset **data,
                                 const char *what, size_t items, struct ecc_error *error)
{
    *data = NULL;
    struct ecc_data_options options = ecc_settings_data(&m->options);
    if (what || items) options.items = items;
    if (m->scaling.columns > 0) options.scaling = &m->scaling;
    options.schema = m->schema;
    options.cache_bytes = 1; /* each item is read once */
    struct ecc_error reason = {0};
    enum ecc_status status =
        ecc_dataset_open(data, what ? what : m->options.data, &options, &reason);
    if (status != ECC_OK) {
        char run[ECC_PATH_SIZE];
        if (what) return ecc_fail(error, status, "%s", reason.text);
        return ecc_fail(error, status, "cannot open the data of the run %s: %.280s",
                        ecc_quote_path(run, m->run->directory), reason.text);
    }
    return check_shape(m, *data, error);
}

enum ecc_status ecc_model_open_data(const struct ecc_model *m, struct ecc_dataset **data,
                                    const char *what, size_t items, struct ecc_error *error)
{
    enum ecc_status status = open_data(m, data, what, items, error);
    status = ecc_share_settle(m->share, status, error); /* of several processes, all or none */
    if (status != ECC_OK) {
        ecc_dataset_close(*data);
        *data = NULL;
    }
    return status;
}

static int compare_items(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

enum ecc_status ecc_model_training_items(const struct ecc_model *m, uint32_t **items, size_t *count,
                                         const struct ecc_dataset *data, struct ecc_error *error)
{
    *items = malloc((data->count + 1) * sizeof **items);
    if (!*items) return ecc_fail_memory(error, "the order of the items");
    ecc_run_split(*items, count, data->count, &m->options);
    qsort(*items, *count, sizeof **items, compare_items);
    return ECC_OK;
}

enum ecc_status ecc_check_has_labels(const struct ecc_dataset *data, struct ecc_error *error)
{
    char name[ECC_PATH_SIZE];
    if (data->labels) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%s has no labels", ecc_quote_path(name, data->name));
}

enum ecc_status ecc_check_labels(const struct ecc_dataset *data, struct ecc_error *error)
{
    char name[ECC_PATH_SIZE];
    ECC_TRY(ecc_check_has_labels(data, error));
    for (size_t i = 1; i < data->count; i++) {
        if (data->labels[i] != data->labels[0]) return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_DATA, "all items of %s have the same label",
                    ecc_quote_path(name, data->name));
}

/* ---- Streaming ------------------------------------------------------------------------------ */

static enum ecc_status visit_batches(struct ecc_loader *loader, size_t batch, size_t count,
                                     const struct ecc_visit *visit, const struct ecc_watch *watch,
                                     struct ecc_error *error)
{
    ECC_TRY(ecc_loader_start(loader, 0, error));
    for (size_t first = 0; first < count; first += batch) {
        const size_t n = count - first < batch ? count - first : batch;
        const float *x;
        const uint32_t *items;
        ECC_TRY(ecc_loader_next(loader, &x, &items, error));
        ECC_TRY(visit->sink(visit->context, x, first, n, error));
        const struct ecc_work work = {visit->name, "items", first + n, count, NULL};
        ECC_TRY(ecc_watch_work(watch, &work, error));
    }
    return ECC_OK;
}

enum ecc_status ecc_model_visit(struct ecc_model *m, struct ecc_dataset *data,
                                const uint32_t *items, size_t count, const struct ecc_visit *visit,
                                const struct ecc_watch *watch, struct ecc_error *error)
{
    if (count == 0) return ECC_OK;
    struct ecc_loader *loader;
    ECC_TRY(ecc_loader_create_once(&loader, data, items, count, m->batch, error));
    const enum ecc_status status = visit_batches(loader, m->batch, count, visit, watch, error);
    ecc_loader_free(loader);
    char damage[ECC_DAMAGE_TEXT];
    if (*ecc_dataset_damage(damage, data)) ecc_watch_remark(watch, "%s", damage);
    return status;
}

/* Items on their way to a sink of latents. */
struct encoding {
    struct ecc_model *model;
    ecc_latent_sink *sink;
    void *context;
};

static enum ecc_status encode_batch(void *context, void *z, const float *x, size_t n,
                                    struct ecc_error *error)
{
    const struct encoding *const e = context;
    return ecc_model_encode(e->model, z, x, n, error);
}

static enum ecc_status pass_on(void *context, const void *z, size_t first, size_t n,
                               struct ecc_error *error)
{
    const struct encoding *const e = context;
    return e->sink(e->context, z, first, n, error);
}

enum ecc_status ecc_model_encode_stream(struct ecc_model *m, struct ecc_dataset *data,
                                        const uint32_t *items, size_t count, ecc_latent_sink *sink,
                                        void *context, const struct ecc_watch *watch,
                                        struct ecc_error *error)
{
    struct encoding encoding = {m, sink, context};
    const struct ecc_item_map map = {"encode", m->batch * m->d * sizeof(float), &encoding,
                                     encode_batch, pass_on};
    return ecc_model_map(m, data, items, count, &map, watch, error);
}

struct collected {
    float *z;
    size_t d;
};

static enum ecc_status collect(void *context, const float *z, size_t first, size_t n,
                               struct ecc_error *error)
{
    (void)error;
    const struct collected *const c = context;
    memcpy(c->z + first * c->d, z, n * c->d * sizeof *z);
    return ECC_OK;
}

enum ecc_status ecc_model_encode_data(struct ecc_model *m, float *z, struct ecc_dataset *data,
                                      const uint32_t *items, size_t count,
                                      const struct ecc_watch *watch, struct ecc_error *error)
{
    struct collected context = {z, m->d};
    return ecc_model_encode_stream(m, data, items, count, collect, &context, watch, error);
}

/* Allocates *z: [n, d] and encodes the items of a list. */
static enum ecc_status encode_new(struct ecc_model *m, float **z, struct ecc_dataset *data,
                                  const uint32_t *items, size_t n, const struct ecc_watch *watch,
                                  struct ecc_error *error)
{
    *z = n < SIZE_MAX / sizeof **z / m->d ? malloc((n * m->d + 1) * sizeof **z) : NULL;
    if (!*z) return ecc_fail_memory(error, "the latents of all items");
    const enum ecc_status status = ecc_model_encode_data(m, *z, data, items, n, watch, error);
    if (status == ECC_OK) return ECC_OK;
    free(*z);
    *z = NULL;
    return status;
}

/* The same source, as far as is known. */
static void remark_if_changed(const struct ecc_model *m, const struct ecc_dataset *data,
                              const struct ecc_watch *watch)
{
    char shown[ECC_PATH_SIZE];
    const uint64_t trained_on = ecc_run_rows(&m->run->config).fingerprint;
    if (!trained_on || !data->fingerprint || trained_on == data->fingerprint) return;
    ecc_watch_remark(watch,
                     "%s is not what the run was trained on: it has changed, or is other data",
                     ecc_quote_path(shown, ecc_short_name(data->name)));
}

enum ecc_status ecc_model_training_latents(struct ecc_model *m, float **z, size_t *n,
                                           const char *what, const struct ecc_watch *watch,
                                           struct ecc_error *error)
{
    struct ecc_dataset *data;
    uint32_t *items;
    *z = NULL;
    ECC_TRY(ecc_model_open_data(m, &data, what, m->options.items, error));
    remark_if_changed(m, data, watch);
    enum ecc_status status = ecc_model_training_items(m, &items, n, data, error);
    if (status == ECC_OK) {
        status = encode_new(m, z, data, items, *n, watch, error);
        free(items);
    }
    ecc_dataset_close(data);
    return status;
}

enum ecc_status ecc_model_latents(struct ecc_model *m, float **z, int32_t **labels, size_t *n,
                                  const char *what, size_t items, const struct ecc_watch *watch,
                                  struct ecc_error *error)
{
    struct ecc_dataset *data;
    *z = NULL;
    if (labels) *labels = NULL;
    ECC_TRY(ecc_model_open_data(m, &data, what, items, error));
    *n = data->count;
    enum ecc_status status = encode_new(m, z, data, NULL, *n, watch, error);
    if (status == ECC_OK && labels) { /* the data set no longer needs them */
        *labels = data->labels;
        data->labels = NULL;
    }
    ecc_dataset_close(data);
    return status;
}
