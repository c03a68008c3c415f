/* score_features.c: the features that images are compared by, and the data that a classifier learns
 * from or that axes are fitted to. */
#include "evaluate/score.h"

#include "base/text.h"
#include "score/inception.h"
#include "score/pixel_axes.h"

#include <stdlib.h>
#include <string.h>

const char *const ecc_score_feature_names[] = {"auto",   "inception", "classifier",
                                               "pixels", "pca",       NULL};

/* The first operand of this kind, starting with the reference; or NULL. */
static struct ecc_score_side *find_side(const struct ecc_scoring *g, enum ecc_score_kind kind)
{
    for (size_t i = 0; i < g->count; i++) {
        struct ecc_score_side *const side = &g->sides[(g->count - 1 + i) % g->count];
        if (side->kind == kind) return side;
    }
    return NULL;
}

/* ---- Which features ------------------------------------------------------------------------- */

static bool starts_with(const char *identity, enum ecc_score_features features)
{
    const char *const name = ecc_score_feature_names[features];
    return strncmp(identity, name, strlen(name)) == 0;
}

/* Whether there are weights, or their absence must be an error: what a statistics file is of could
 * only be Inception's features if it does not say. */
static bool expects_inception(const struct ecc_scoring *g)
{
    struct ecc_error ignored;
    char *path = NULL;
    if (g->options->weights || find_side(g, ECC_SCORE_STATISTICS)) return true;
    const bool found = ecc_inception_weights_find(&path, &ignored) == ECC_OK;
    free(path);
    return found;
}

/* What ECC_FEATURES_AUTO stands for. */
static enum ecc_score_features choose(const struct ecc_scoring *g, struct ecc_item_shape shape)
{
    if (g->options->features != ECC_FEATURES_AUTO) return g->options->features;
    for (size_t i = 0; i < g->count; i++) {
        for (enum ecc_score_features f = ECC_FEATURES_INCEPTION; f <= ECC_FEATURES_PCA; f++) {
            if (starts_with(g->sides[i].statistics.identity, f)) return f;
        }
    }
    if (shape.channels != 3) return ECC_FEATURES_CLASSIFIER;
    return expects_inception(g) ? ECC_FEATURES_INCEPTION : ECC_FEATURES_PCA;
}

/* Refuses statistics of another kind of features before the long training of a classifier. */
static enum ecc_status check_kind(const struct ecc_scoring *g, enum ecc_score_features features,
                                  struct ecc_error *error)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct ecc_statistics *const s = &g->sides[i].statistics;
        if (!s->identity[0] || starts_with(s->identity, features)) continue;
        ECC_TRY(ecc_score_check_identity(g, &g->sides[i], ecc_score_feature_names[features],
                                         s->size, error));
    }
    return ECC_OK;
}

/* ---- What features learn from --------------------------------------------------------------- */

/* The caller's data, or the training part of an operand or of a run's data. */
static enum ecc_status open_training(const struct ecc_scoring *g, struct ecc_dataset **data,
                                     const struct ecc_data_options *options,
                                     struct ecc_error *error)
{
    const struct ecc_score_options *const o = g->options;
    const struct ecc_score_side *const side = find_side(g, ECC_SCORE_DATA);
    if (o->train) return ecc_dataset_open(data, o->train, options, error);
    if (!side) {
        const char *const own = o->run_data ? o->run_data : g->guide->options.data;
        return ecc_dataset_open(data, own, options, error);
    }
    char *const name = ecc_data_part_name(side->name, "train");
    const enum ecc_status status =
        name ? ecc_dataset_open(data, name, options, error) : ecc_fail_memory(error, "a name");
    free(name);
    return status;
}

static enum ecc_status open_labelled(const struct ecc_scoring *g, struct ecc_dataset **data,
                                     struct ecc_error *error)
{
    const struct ecc_data_options options = ecc_score_data_options(g, g->options->train_items);
    struct ecc_error reason;
    enum ecc_status status = open_training(g, data, &options, &reason);
    if (status == ECC_OK) status = ecc_check_labels(*data, &reason);
    if (status == ECC_OK) return ECC_OK;
    return ecc_fail(
        error, status,
        "%.300s; a classifier needs labelled images: name data with labels to train it, "
        "or choose other features",
        reason.text);
}

/* As for a classifier, so that the axes are not those of the very images that are scored; but the
 * operand as it is, where it has no training part. */
static enum ecc_status open_fitted(const struct ecc_scoring *g, struct ecc_dataset **data,
                                   struct ecc_error *error)
{
    const struct ecc_score_side *const side = find_side(g, ECC_SCORE_DATA);
    struct ecc_data_options options = ecc_score_data_options(g, g->options->train_items);
    options.label = NULL;
    options.cache_bytes = 1; /* each item is read once */
    struct ecc_error reason;
    const enum ecc_status status = open_training(g, data, &options, &reason);
    if (status == ECC_OK && (*data)->count >= ECC_AXES_ITEMS_LEAST) return ECC_OK;
    if (side && !g->options->train) {
        ecc_dataset_close(*data);
        return ecc_dataset_open(data, side->name, &options, error);
    }
    if (status == ECC_OK) return ECC_OK; /* the fit says that there are too few */
    return ecc_fail(error, status,
                    "%.300s; name other images to fit principal components to, or choose other "
                    "features",
                    reason.text);
}

/* ---- Opening -------------------------------------------------------------------------------- */

static enum ecc_status open_kind(struct ecc_scoring *g, enum ecc_score_features features,
                                 struct ecc_features_options *options, struct ecc_error *error)
{
    const bool slow = features == ECC_FEATURES_INCEPTION;
    struct ecc_error reason = {0};
    options->weights = g->options->weights;
    options->batch = slow ? ECC_SCORE_SLOW_BATCH : ECC_SCORE_BATCH;
    options->threads = g->options->threads;
    options->watch = g->watch;
    options->share = g->share;
    const enum ecc_status status =
        ecc_features_open(&g->features, ecc_score_feature_names[features], options, &reason);
    if (status == ECC_OK) return ECC_OK;
    if (!slow || g->options->features != ECC_FEATURES_AUTO) {
        return ecc_fail(error, status, "%.400s", reason.text);
    }
    /* a file that does not name its features has no axes */
    return ecc_fail(error, status, "%.400s; or choose the features %sclassifier or pixels",
                    reason.text, find_side(g, ECC_SCORE_STATISTICS) ? "" : "pca, ");
}

static enum ecc_status open_classifier(struct ecc_scoring *g, struct ecc_features_options *options,
                                       struct ecc_error *error)
{
    enum ecc_status status = open_labelled(g, &options->labelled, error);
    if (status == ECC_OK) status = open_kind(g, ECC_FEATURES_CLASSIFIER, options, error);
    ecc_dataset_close(options->labelled);
    ECC_TRY(status);
    const double accuracy = g->features->accuracy;
    if (accuracy > 0 && accuracy < 0.8) {
        ecc_watch_remark(
            g->watch,
            "the classifier is right for only %.0f%% of unseen items: its scores say little",
            100 * accuracy);
    }
    return ECC_OK;
}

/* Along the axes of a statistics file. */
static enum ecc_status open_saved(struct ecc_scoring *g, struct ecc_score_side *from,
                                  struct ecc_features_options *options, struct ecc_error *error)
{
    struct ecc_error reason;
    char shown[ECC_PATH_SIZE];
    options->statistics = &from->statistics;
    const enum ecc_status status = open_kind(g, ECC_FEATURES_PCA, options, &reason);
    if (status == ECC_OK) return ECC_OK;
    return ecc_fail(error, status, "%s: %.400s", ecc_quote_path(shown, from->name), reason.text);
}

static enum ecc_status open_pca(struct ecc_scoring *g, struct ecc_features_options *options,
                                struct ecc_error *error)
{
    struct ecc_score_side *from;
    ECC_TRY(ecc_score_find_axes(g, &from, error));
    if (from) return open_saved(g, from, options, error);
    enum ecc_status status = open_fitted(g, &options->fitted, error);
    if (status == ECC_OK) {
        ecc_score_remark_axes(g, options->fitted);
        options->axes = ecc_score_most_axes(g);
        status = open_kind(g, ECC_FEATURES_PCA, options, error);
    }
    ecc_dataset_close(options->fitted);
    return status;
}

static enum ecc_status open_features(struct ecc_scoring *g, struct ecc_item_shape shape,
                                     struct ecc_error *error)
{
    const enum ecc_score_features features = choose(g, shape);
    struct ecc_features_options options = {.shape = shape};
    ECC_TRY(check_kind(g, features, error));
    if (features == ECC_FEATURES_CLASSIFIER) return open_classifier(g, &options, error);
    if (features == ECC_FEATURES_PCA) return open_pca(g, &options, error);
    return open_kind(g, features, &options, error);
}

static enum ecc_status check_shape(const struct ecc_score_side *side, struct ecc_item_shape b,
                                   struct ecc_error *error)
{
    const struct ecc_item_shape a = ecc_score_side_shape(side);
    if (a.channels == b.channels && a.height == b.height && a.width == b.width) return ECC_OK;
    char shown[ECC_PATH_SIZE], theirs[64], ours[64];
    return ecc_fail(error, ECC_BAD_DATA,
                    "the images of %s are %s, but those of the other side are %s",
                    ecc_quote_path(shown, side->name), ecc_model_shape_text(theirs, a, false),
                    ecc_model_shape_text(ours, b, false));
}

/* Opens each operand with images, and closes it again if it was not open: together they might not
 * fit in memory. */
static enum ecc_status check_all(struct ecc_scoring *g, struct ecc_item_shape shape,
                                 struct ecc_error *error)
{
    for (size_t i = 0; i < g->count; i++) {
        struct ecc_score_side *const side = &g->sides[i];
        if (side->kind == ECC_SCORE_STATISTICS) continue;
        const bool was_open = side->model || side->data;
        ECC_TRY(ecc_score_side_open(g, side, error));
        ECC_TRY(check_shape(side, shape, error));
        if (!was_open) ecc_score_side_close(side);
    }
    return ECC_OK;
}

enum ecc_status ecc_score_prepare(struct ecc_scoring *g, struct ecc_error *error)
{
    struct ecc_score_side *const run = find_side(g, ECC_SCORE_RUN);
    if (run) {
        ECC_TRY(ecc_score_side_open(g, run, error));
        g->guide = run->model;
    }
    for (size_t i = 0; i < g->count; i++) {
        if (g->sides[i].kind != ECC_SCORE_STATISTICS) continue;
        ECC_TRY(ecc_score_side_open(g, &g->sides[i], error));
    }
    struct ecc_score_side *images = &g->sides[g->count - 1];
    if (images->kind == ECC_SCORE_STATISTICS) images = find_side(g, ECC_SCORE_DATA);
    if (!images) images = run;
    if (!images) return ECC_OK;
    ECC_TRY(ecc_score_side_open(g, images, error));
    const struct ecc_item_shape shape = ecc_score_side_shape(images);
    ECC_TRY(check_all(g, shape, error));
    return open_features(g, shape, error);
}
