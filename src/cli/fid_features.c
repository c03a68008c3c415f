/* fid_features.c: what `eccentric fid` judges images by, and what a classifier learns from. */
#include "cli/fid.h"

#include <stdlib.h>
#include <string.h>

const char *const ecc_fid_feature_names[] = {"auto", "inception", "classifier", "pixels", NULL};

/* The first of this kind, from the last operand on, then in their order; or NULL. */
static struct ecc_fid_side *find_side(const struct ecc_scoring *g, enum ecc_fid_kind kind)
{
    for (size_t i = 0; i < g->count; i++) {
        struct ecc_fid_side *const side = &g->sides[(g->count - 1 + i) % g->count];
        if (side->kind == kind) return side;
    }
    return NULL;
}

/* The kind of features that `auto` stands for. */
static const char *choose_features(const struct ecc_scoring *g, struct ecc_item_shape shape)
{
    const int given = g->settings->features;
    if (given != ECC_FID_AUTO) return ecc_fid_feature_names[given];
    for (size_t i = 0; i < g->count; i++) {
        const char *const identity = g->sides[i].statistics.identity;
        for (size_t k = 1; ecc_fid_feature_names[k]; k++) {
            const size_t length = strlen(ecc_fid_feature_names[k]);
            if (strncmp(identity, ecc_fid_feature_names[k], length) == 0)
                return ecc_fid_feature_names[k];
        }
    }
    return ecc_fid_feature_names[shape.channels == 3 ? ECC_FID_INCEPTION : ECC_FID_CLASSIFIER];
}

/* What a classifier learns from: the training part of --train, of an operand, or of a run's data.
 */
static enum ecc_status open_labelled(const struct ecc_scoring *g, struct ecc_dataset **data,
                                     struct ecc_error *error)
{
    const struct ecc_fid_settings *const s = g->settings;
    const struct ecc_model *const guide = g->guide ? g->guide->model : NULL;
    const struct ecc_fid_side *const side = find_side(g, ECC_FID_DATA);
    struct ecc_data_options options = {.seed = s->common.seed};
    if (guide) options = guide->options.data_options;
    options.items = s->train_items;
    if (s->crop) options.crop = s->crop;
    if (s->size) options.size = s->size;
    char *const name = s->train ? strdup(s->train)
                       : side   ? ecc_data_part_name(side->name, "train")
                       : guide  ? strdup(s->run_data ? s->run_data : guide->options.data)
                                : NULL;
    if (!name) return ecc_fail_memory(error, "a name");
    struct ecc_error reason;
    enum ecc_status status = ecc_dataset_open(data, name, &options, &reason);
    if (status == ECC_OK) status = ecc_check_labels(*data, &reason);
    if (status != ECC_OK) {
        ecc_set_error(error, status,
                      "%.300s; a classifier learns from labelled images: name some with --train "
                      "DATA, or judge by other --features",
                      reason.text);
    }
    free(name);
    return status;
}

/* That statistics which say what they are of are of this kind, before anything learns for long. */
static enum ecc_status check_kind(const struct ecc_scoring *g, const char *kind,
                                  struct ecc_error *error)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct ecc_statistics *const s = &g->sides[i].statistics;
        if (!s->identity[0] || strncmp(s->identity, kind, strlen(kind)) == 0) continue;
        ECC_TRY(ecc_fid_check_identity(s, g->sides[i].name, kind, s->size, &g->settings->common,
                                       error));
    }
    return ECC_OK;
}

static enum ecc_status open_features(struct ecc_scoring *g, struct ecc_item_shape shape,
                                     struct ecc_error *error)
{
    const struct ecc_fid_settings *const s = g->settings;
    const char *const kind = choose_features(g, shape);
    ECC_TRY(check_kind(g, kind, error));
    const bool slow = strcmp(kind, ecc_fid_feature_names[ECC_FID_INCEPTION]) == 0;
    struct ecc_dataset *labelled = NULL;
    struct ecc_cli_watch report;
    struct ecc_error remark = {0};
    enum ecc_status status = ECC_OK;
    if (strcmp(kind, ecc_fid_feature_names[ECC_FID_CLASSIFIER]) == 0)
        status = open_labelled(g, &labelled, error);
    if (status == ECC_OK) {
        ecc_cli_watch_start(&report, &s->common);
        const struct ecc_features_options options = {.weights = s->weights,
                                                     .shape = shape,
                                                     .labelled = labelled,
                                                     .batch =
                                                         slow ? ECC_FID_SLOW_BATCH : ECC_FID_BATCH,
                                                     .threads = (int)s->common.threads,
                                                     .watch = &report.watch,
                                                     .remark = &remark};
        struct ecc_error reason = {0};
        status = ecc_features_open(&g->features, kind, &options, &reason);
        ecc_cli_watch_end(&report);
        if (status != ECC_OK) {
            ecc_set_error(error, status, "%.400s%s", reason.text,
                          slow && s->features == ECC_FID_AUTO
                              ? "; or judge by --features classifier or pixels"
                              : "");
        }
    }
    ecc_dataset_close(labelled);
    if (g->features && g->features->accuracy > 0 && g->features->accuracy < 0.8 &&
        !s->common.quiet) {
        fprintf(stderr,
                "eccentric: the classifier names only %.0f%% of items rightly: a poor judge\n",
                100 * g->features->accuracy);
    }
    if (remark.text[0] && !s->common.quiet) fprintf(stderr, "eccentric: %s\n", remark.text);
    return status;
}

/* That --out has something to draw: a run among those that are scored. */
static enum ecc_status check_drawing(const struct ecc_scoring *g, struct ecc_error *error)
{
    if (!g->settings->out) return ECC_OK;
    for (size_t i = 0; i + 1 < g->count; i++) {
        if (g->sides[i].kind == ECC_FID_RUN) return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "--out draws scores against eccentricity, expected a run to be scored");
}

/* Opens each operand, and closes again what was not open: all together might not fit. */
static enum ecc_status look_at_all(struct ecc_scoring *g, struct ecc_item_shape shape,
                                   struct ecc_error *error)
{
    const struct ecc_model *const guide = g->guide ? g->guide->model : NULL;
    for (size_t i = 0; i < g->count; i++) {
        struct ecc_fid_side *const side = &g->sides[i];
        if (side->kind == ECC_FID_STATISTICS) continue;
        const bool was_open = side->model || side->data;
        ECC_TRY(ecc_fid_side_open(side, guide, g->settings, error));
        ECC_TRY(ecc_fid_side_check_shape(side, shape, error));
        if (!was_open) ecc_fid_side_release(side);
    }
    return ECC_OK;
}

enum ecc_status ecc_fid_prepare(struct ecc_scoring *g, struct ecc_error *error)
{
    struct ecc_fid_side *const run = find_side(g, ECC_FID_RUN);
    ECC_TRY(check_drawing(g, error));
    if (run) ECC_TRY(ecc_fid_side_open(run, NULL, g->settings, error));
    g->guide = run;
    const struct ecc_model *const guide = run ? run->model : NULL;
    for (size_t i = 0; i < g->count; i++) {
        if (g->sides[i].kind != ECC_FID_STATISTICS) continue;
        ECC_TRY(ecc_fid_side_open(&g->sides[i], guide, g->settings, error));
    }
    struct ecc_fid_side *images = ecc_fid_reference(g);
    if (images->kind == ECC_FID_STATISTICS) images = find_side(g, ECC_FID_DATA);
    if (!images) images = run;
    if (!images) return ECC_OK;
    ECC_TRY(ecc_fid_side_open(images, guide, g->settings, error));
    const struct ecc_item_shape shape = ecc_fid_side_shape(images);
    ECC_TRY(look_at_all(g, shape, error));
    return open_features(g, shape, error);
}
