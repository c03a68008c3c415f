/* sample_path.c: the items on a path of `eccentric sample`. */
#include "base/text.h"
#include "cli/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 12 };

/* The numbers of --path as items of the data: at least two. */
static enum ecc_status read_items(uint32_t **items, size_t *count, const char *text,
                                  const struct ecc_dataset *data, struct ecc_error *error)
{
    double *values;
    *items = NULL;
    ECC_TRY(ecc_parse_numbers(&values, count, text, "path", error));
    enum ecc_status status = ECC_OK;
    *items = calloc(*count, sizeof **items);
    if (!*items) status = ecc_fail_memory(error, "a path");
    for (size_t i = 0; i < *count && status == ECC_OK; i++) {
        if (values[i] >= 0 && values[i] < (double)data->count && values[i] == floor(values[i])) {
            (*items)[i] = (uint32_t)values[i];
        } else {
            char name[ECC_PATH_SIZE];
            status =
                ecc_fail(error, ECC_BAD_ARGUMENT, "--path names item %g, but %s has items 0 to %zu",
                         values[i], ecc_quote_path(name, data->name), data->count - 1);
        }
    }
    if (status == ECC_OK && *count < 2) {
        status = ecc_fail(error, ECC_BAD_ARGUMENT, "--path is '%.40s', expected two items or more",
                          text);
    }
    free(values);
    if (status == ECC_OK) return ECC_OK;
    free(*items);
    *items = NULL;
    return status;
}

static enum ecc_status name_rows(struct ecc_sampling *g, const uint32_t *items, size_t legs,
                                 struct ecc_error *error)
{
    g->row_names = calloc(legs, sizeof *g->row_names);
    g->row_texts = calloc(legs, sizeof *g->row_texts);
    if (!g->row_names || !g->row_texts) return ecc_fail_memory(error, "names of rows");
    for (size_t i = 0; i < legs; i++) {
        snprintf(g->row_texts[i], sizeof g->row_texts[i], "%u → %u", items[i], items[i + 1]);
        g->row_names[i] = g->row_texts[i];
    }
    return ECC_OK;
}

static enum ecc_status encode_stations(struct ecc_sampling *g, struct ecc_dataset *data,
                                       const struct ecc_sample_settings *s, struct ecc_error *error)
{
    uint32_t *items;
    size_t count;
    ECC_TRY(read_items(&items, &count, s->path, data, error));
    g->steps = s->count ? s->count : STEPS;
    g->spherical = s->spherical;
    g->stations = malloc(count * g->model->d * sizeof *g->stations);
    enum ecc_status status = g->stations ? ECC_OK : ecc_fail_memory(error, "a path");
    if (status == ECC_OK && g->steps > SIZE_MAX / count) {
        status = ecc_fail(error, ECC_BAD_ARGUMENT, "the path is too long");
    }
    g->count = g->steps * (count - 1);
    if (status == ECC_OK) {
        status = ecc_model_encode_data(g->model, g->stations, data, items, count, NULL, error);
    }
    if (status == ECC_OK) status = name_rows(g, items, count - 1, error);
    free(items);
    return status;
}

/* ---- Along components ----------------------------------------------------------------------- */

static const double SWEEP[] = {0, -3, 3, 0}; /* deviations; the last is the next one's first */
enum { SWEEP_LEGS = sizeof SWEEP / sizeof SWEEP[0] - 1 };

static enum ecc_status name_sweeps(struct ecc_sampling *g, const size_t *list, size_t count,
                                   struct ecc_error *error)
{
    static const char *const names[SWEEP_LEGS] = {"0 → −3", "−3 → +3", "+3 → 0"};
    g->row_names = calloc(count * SWEEP_LEGS, sizeof *g->row_names);
    g->row_texts = calloc(count * SWEEP_LEGS, sizeof *g->row_texts);
    if (!g->row_names || !g->row_texts) return ecc_fail_memory(error, "names of rows");
    for (size_t i = 0; i < count * SWEEP_LEGS; i++) {
        snprintf(g->row_texts[i], sizeof g->row_texts[i], "p%zu  %s", list[i / SWEEP_LEGS] + 1,
                 names[i % SWEEP_LEGS]);
        g->row_names[i] = g->row_texts[i];
    }
    return ECC_OK;
}

enum ecc_status ecc_sample_sweep(struct ecc_sampling *g, const struct ecc_sample_settings *s,
                                 struct ecc_error *error)
{
    const struct ecc_components *const c = &g->components;
    const size_t d = c->d;
    size_t *list, count;
    ECC_TRY(ecc_components_parse(&list, &count, s->sweep, d, error));
    g->steps = s->count ? s->count : STEPS;
    g->count = g->steps * count * SWEEP_LEGS;
    g->stations = malloc((count * SWEEP_LEGS + 1) * d * sizeof *g->stations);
    enum ecc_status status = g->stations ? ECC_OK : ecc_fail_memory(error, "a path");
    for (size_t i = 0; status == ECC_OK && i < (count * SWEEP_LEGS + 1) * d; i++) {
        const size_t station = i / d, j = i % d, last = station == count * SWEEP_LEGS;
        const size_t k = list[last ? 0 : station / SWEEP_LEGS];
        const double amount = SWEEP[station % SWEEP_LEGS] * c->deviations[k];
        g->stations[i] = (float)(c->mean[j] + amount * c->axes[k * d + j]);
    }
    if (status == ECC_OK) status = name_sweeps(g, list, count, error);
    free(list);
    return status;
}

/* ---- Between items -------------------------------------------------------------------------- */

enum ecc_status ecc_sample_path(struct ecc_sampling *g, const struct ecc_sample_settings *s,
                                const char *what, struct ecc_error *error)
{
    struct ecc_dataset *data;
    ECC_TRY(ecc_model_open_data(g->model, &data, what ? what : s->data, 0, error));
    const enum ecc_status status = encode_stations(g, data, s, error);
    ecc_dataset_close(data);
    return status;
}
