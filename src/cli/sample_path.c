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

/* A way along each component of a list in turn, to so many deviations. */
struct way {
    size_t legs;
    bool round; /* for the first component and each other; else for each */
    struct {
        bool first; /* along the first component of a round */
        double amount;
        const char *name;
    } from[4];
};

static const struct way SWEEP = {
    3, false, {{false, 0, "0 → −3"}, {false, -3, "−3 → +3"}, {false, 3, "+3 → 0"}}};
/* a closed way, so that a film has no end; turning, it keeps its distance from the mean */
static const struct way TOUR = {
    4, true, {{true, 2, "+ → +"}, {false, 2, "+ → −"}, {true, -2, "− → −"}, {false, -2, "− → +"}}};

static enum ecc_status name_legs(struct ecc_sampling *g, const struct way *way, const size_t *list,
                                 size_t legs, struct ecc_error *error)
{
    g->row_names = calloc(legs, sizeof *g->row_names);
    g->row_texts = calloc(legs, sizeof *g->row_texts);
    if (!g->row_names || !g->row_texts) return ecc_fail_memory(error, "names of rows");
    for (size_t i = 0; i < legs; i++) {
        const char *const name = way->from[i % way->legs].name;
        const size_t k = list[i / way->legs + way->round] + 1;
        if (way->round) {
            const bool there = way->from[i % way->legs].first;
            snprintf(g->row_texts[i], sizeof g->row_texts[i], "p%zu, p%zu  %s",
                     there ? list[0] + 1 : k, there ? k : list[0] + 1, name);
        } else {
            snprintf(g->row_texts[i], sizeof g->row_texts[i], "p%zu  %s", k, name);
        }
        g->row_names[i] = g->row_texts[i];
    }
    return ECC_OK;
}

/* The way ends where it began. */
static void place_station(float *z, const struct ecc_components *c, const struct way *way,
                          const size_t *list, size_t station, size_t legs)
{
    const size_t at = station == legs ? 0 : station, turn = at % way->legs;
    const size_t k = way->from[turn].first ? list[0] : list[at / way->legs + way->round];
    const double amount = way->from[turn].amount * c->deviations[k];
    for (size_t j = 0; j < c->d; j++) {
        z[j] = (float)(c->mean[j] + amount * c->axes[k * c->d + j]);
    }
}

static enum ecc_status make_way(struct ecc_sampling *g, const struct way *way, const size_t *list,
                                size_t count, struct ecc_error *error)
{
    const size_t legs = (count - way->round) * way->legs, d = g->components.d;
    if (legs == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--tour needs two components or more, such as p1,p2");
    }
    g->count = g->steps * legs;
    g->spherical = way->round;
    g->stations = malloc((legs + 1) * d * sizeof *g->stations);
    if (!g->stations) return ecc_fail_memory(error, "a path");
    for (size_t i = 0; i <= legs; i++) {
        place_station(g->stations + i * d, &g->components, way, list, i, legs);
    }
    return name_legs(g, way, list, legs, error);
}

enum ecc_status ecc_sample_sweep(struct ecc_sampling *g, const struct ecc_sample_settings *s,
                                 struct ecc_error *error)
{
    size_t *list, count;
    ECC_TRY(
        ecc_components_parse(&list, &count, s->sweep ? s->sweep : s->tour, g->components.d, error));
    g->steps = s->count ? s->count : STEPS;
    const enum ecc_status status = make_way(g, s->sweep ? &SWEEP : &TOUR, list, count, error);
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
