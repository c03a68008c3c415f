/* score_side.c: an operand of a score: a run to sample, data, or statistics. */
#include "evaluate/score.h"
#include "evaluate/two_stage.h"

#include "base/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum ecc_score_kind ecc_score_kind_of(const char *name)
{
    char *const config = ecc_path_join(name, ECC_RUN_CONFIG);
    const bool is_run = config && access(config, F_OK) == 0;
    free(config);
    if (is_run || ecc_run_is_training(name)) return ECC_SCORE_RUN;
    return ecc_statistics_is_file(name) ? ECC_SCORE_STATISTICS : ECC_SCORE_DATA;
}

enum ecc_status ecc_score_side_init(struct ecc_score_side *side, const struct ecc_score_operand *o,
                                    struct ecc_error *error)
{
    *side = (struct ecc_score_side){.name = o->name, .model = o->model, .is_open = o->model};
    if (!o->name && !o->model) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "an operand has neither a name nor a model");
    }
    if (!side->name) side->name = o->model->run->directory;
    side->kind = o->model ? ECC_SCORE_RUN : ecc_score_kind_of(side->name);
    return ECC_OK;
}

/* ---- Opening -------------------------------------------------------------------------------- */

static enum ecc_status check_images(const struct ecc_score_side *side, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    if (side->model ? side->model->scaling.columns == 0 : !side->data->is_table) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%s is a table, expected images to score",
                    ecc_quote_path(shown, side->name));
}

static enum ecc_status open_run(const struct ecc_scoring *g, struct ecc_score_side *side,
                                struct ecc_error *error)
{
    const struct ecc_model_options options = {.threads = g->options->threads};
    ECC_TRY(ecc_model_open(&side->model, side->name, &options, error));
    side->model->share = g->share;
    char text[ECC_UNFINISHED_TEXT];
    const char *const sentence = ecc_model_unfinished(text, side->model);
    if (sentence) ecc_watch_remark(g->watch, "%s", sentence);
    return check_images(side, error);
}

struct ecc_data_options ecc_score_data_options(const struct ecc_scoring *g, size_t items)
{
    const struct ecc_score_options *const o = g->options;
    struct ecc_data_options options = {.seed = o->seed};
    if (g->guide) options = ecc_settings_data(&g->guide->options);
    options.items = items;
    if (o->crop) options.crop = o->crop;
    if (o->size) options.size = o->size;
    return options;
}

static enum ecc_status open_data(const struct ecc_scoring *g, struct ecc_score_side *side,
                                 struct ecc_error *error)
{
    struct ecc_data_options options = ecc_score_data_options(g, g->options->items);
    options.label = NULL;
    options.cache_bytes = 1; /* each item is read once */
    ECC_TRY(ecc_dataset_open(&side->data, side->name, &options, error));
    return check_images(side, error);
}

enum ecc_status ecc_score_side_open(const struct ecc_scoring *g, struct ecc_score_side *side,
                                    struct ecc_error *error)
{
    if (side->is_open) return check_images(side, error);
    if (side->model || side->data || side->statistics.size) return ECC_OK; /* already open */
    switch (side->kind) {
    case ECC_SCORE_RUN: return open_run(g, side, error);
    case ECC_SCORE_DATA: return open_data(g, side, error);
    case ECC_SCORE_STATISTICS: return ecc_statistics_read(&side->statistics, side->name, error);
    }
    return ECC_OK;
}

void ecc_score_side_close(struct ecc_score_side *side)
{
    ecc_components_release(&side->components);
    ecc_mixture_release(&side->mixture);
    ecc_two_stage_close(side->two_stage);
    if (!side->is_open) ecc_model_close(side->model);
    ecc_dataset_close(side->data);
    ecc_collector_release(&side->collector);
    ecc_statistics_release(&side->statistics);
    *side = (struct ecc_score_side){.name = side->name,
                                    .kind = side->kind,
                                    .is_open = side->is_open,
                                    .model = side->is_open ? side->model : NULL};
}

struct ecc_item_shape ecc_score_side_shape(const struct ecc_score_side *side)
{
    return side->model ? side->model->shape : side->data->shape;
}

/* ---- Collecting ----------------------------------------------------------------------------- */

/* The images of one side, a batch at a time. */
struct stream {
    struct ecc_score_side *side;
    const struct ecc_watch *watch;
    size_t batch, total;
    struct ecc_sampler sampler; /* of a run */
    float *x;                   /* [ECC_SCORE_BATCH, c, h, w] */
    float *z;                   /* [ECC_SCORE_BATCH, d] of a run */
};

/* Fills x with images first .. first + n - 1. */
static enum ecc_status next_images(struct stream *s, size_t first, size_t n,
                                   struct ecc_error *error)
{
    if (s->side->model) {
        ECC_TRY(ecc_sampler_draw(&s->sampler, s->z, first, n, error));
        return ecc_model_decode(s->side->model, s->x, s->z, n, error);
    }
    uint32_t items[ECC_SCORE_BATCH];
    for (size_t i = 0; i < n; i++) items[i] = (uint32_t)(first + i);
    return ecc_dataset_read(s->side->data, s->x, items, n, error);
}

static size_t images_of(const struct stream *s, size_t batch)
{
    const size_t left = s->total - batch * s->batch;
    return left < s->batch ? left : s->batch;
}

/* features: [n, size] of a batch. */
static enum ecc_status extract(void *context, void *features, size_t batch, struct ecc_error *error)
{
    struct stream *const s = context;
    const size_t n = images_of(s, batch);
    ECC_TRY(next_images(s, batch * s->batch, n, error));
    return ecc_collector_extract(&s->side->collector, features, s->x, n, error);
}

static enum ecc_status keep(void *context, const void *features, size_t batch,
                            struct ecc_error *error)
{
    const struct stream *const s = context;
    const size_t n = images_of(s, batch);
    ECC_TRY(ecc_collector_keep(&s->side->collector, features, n, error));
    const struct ecc_work work = {.name = ecc_short_name(s->side->name),
                                  .unit = s->side->model ? "samples" : "images",
                                  .done = batch * s->batch + n,
                                  .total = s->total};
    return ecc_watch_work(s->watch, &work, error);
}

/* Batch by batch; of several processes, each takes its share of the batches. */
static enum ecc_status collect(const struct ecc_scoring *g, struct stream *s,
                               struct ecc_error *error)
{
    const size_t size = g->features->size;
    const struct ecc_pieces pieces = {.count = (s->total + s->batch - 1) / s->batch,
                                      .bytes = s->batch * size * sizeof(float),
                                      .context = s,
                                      .compute = extract,
                                      .take = keep};
    const uint64_t facts[] = {s->total, size, s->side->data ? s->side->data->fingerprint : 0,
                              s->side->model ? s->side->model->weight_sum : 0};
    ECC_TRY(ecc_share_compare(g->share, facts, sizeof facts, "images", error));
    return ecc_share_pieces(g->share, &pieces, error);
}

/* The second stage is trained by one process; the others find it, or train one of their own. */
static enum ecc_status open_two_stage(const struct ecc_scoring *g, struct ecc_score_side *side,
                                      const struct ecc_two_stage_options *options,
                                      struct ecc_error *error)
{
    struct ecc_model *const m = side->model;
    const struct ecc_share *const share = m->share;
    enum ecc_status status = ECC_OK;
    m->share = NULL;
    if (ecc_share_is_first(share)) {
        status = ecc_two_stage_open(&side->two_stage, m, options, g->watch, error);
    }
    status = ecc_share_settle(share, status, error);
    if (status == ECC_OK && !ecc_share_is_first(share)) {
        status = ecc_two_stage_open(&side->two_stage, m, options, g->watch, error);
    }
    m->share = share;
    return ecc_share_settle(share, status, error);
}

/* Prepares the distribution to sample from, and the components if the caller wants them. */
static enum ecc_status prepare_run(const struct ecc_scoring *g, struct ecc_score_side *side,
                                   struct ecc_error *error)
{
    const struct ecc_score_options *const o = g->options;
    if (o->from == ECC_SAMPLE_GAUSSIAN || o->components) {
        ECC_TRY(ecc_model_components(side->model, &side->components, o->run_data, g->watch, error));
    }
    if (o->from == ECC_SAMPLE_TWO_STAGE) {
        const struct ecc_two_stage_options options = {.data = o->run_data,
                                                      .threads = (size_t)o->threads};
        return open_two_stage(g, side, &options, error);
    }
    if (o->from != ECC_SAMPLE_MIXTURE) return ECC_OK;
    struct ecc_mixture_options mixture = ecc_mixture_defaults();
    mixture.k = o->gaussians;
    mixture.seed = o->seed;
    return ecc_model_mixture(side->model, &side->mixture, o->run_data, &mixture, g->watch, error);
}

static enum ecc_status collect_images(const struct ecc_scoring *g, struct ecc_score_side *side,
                                      size_t samples, uint64_t seed, struct ecc_error *error)
{
    const size_t item = ecc_shape_size(ecc_score_side_shape(side));
    const size_t d = side->model ? side->model->d : 1;
    if (side->model) ECC_TRY(prepare_run(g, side, error));
    struct stream s = {.side = side,
                       .watch = g->watch,
                       .batch = g->features->batch,
                       .total = side->data ? side->data->count : samples,
                       .sampler = {.from = g->options->from,
                                   .d = d,
                                   .components = side->components.d > 0 ? &side->components : NULL,
                                   .mixture = &side->mixture,
                                   .radius = side->model ? ecc_model_radius(side->model) : 0,
                                   .seed = seed,
                                   .draw = side->two_stage ? ecc_two_stage_draw : NULL,
                                   .context = side->two_stage},
                       .x = malloc(ECC_SCORE_BATCH * item * sizeof *s.x),
                       .z = malloc(ECC_SCORE_BATCH * d * sizeof *s.z)};
    enum ecc_status status =
        s.x && s.z ? collect(g, &s, error) : ecc_fail_memory(error, "a batch of images");
    free(s.x);
    free(s.z);
    return status;
}

static bool is_pca(const char *identity)
{
    return strncmp(identity, "pca ", 4) == 0;
}

static bool differs(const char *identity, const char *expected)
{
    return expected[0] && strcmp(identity, expected) != 0;
}

enum ecc_status ecc_score_check_identity(const struct ecc_scoring *g,
                                         const struct ecc_score_side *side, const char *identity,
                                         size_t size, struct ecc_error *error)
{
    const struct ecc_statistics *const s = &side->statistics;
    char shown[ECC_PATH_SIZE];
    ecc_quote_path(shown, side->name);
    if (s->identity[0] && differs(s->identity, identity)) {
        const bool axes = is_pca(s->identity) && is_pca(identity);
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has statistics %s (%s), expected %s: scores cannot be compared%s",
                        shown, axes ? "along other axes" : "of other features", s->identity,
                        identity,
                        axes ? "; score the images themselves instead of one of the files" : "");
    }
    if (s->size != size) {
        return ecc_fail(error, ECC_BAD_DATA, "%s has statistics of %zu features, expected %zu%s%s",
                        shown, s->size, size, identity[0] ? ": " : "", identity);
    }
    if (!s->identity[0]) {
        ecc_watch_remark(g->watch, "%s does not say which features it has; assuming %s", shown,
                         identity[0] ? identity : "those of the other side");
    }
    return ECC_OK;
}

enum ecc_status ecc_score_side_collect(const struct ecc_scoring *g, struct ecc_score_side *side,
                                       size_t samples, uint64_t seed, struct ecc_error *error)
{
    const struct ecc_features *const f = g->features;
    if (side->kind == ECC_SCORE_STATISTICS) {
        if (!f) return ECC_OK; /* all are files, which are compared with each other */
        return ecc_score_check_identity(g, side, f->identity, f->size, error);
    }
    ECC_TRY(ecc_collector_init(&side->collector, g->features, g->options->seed, error));
    ECC_TRY(collect_images(g, side, samples, seed, error));
    struct ecc_error reason = {0};
    const enum ecc_status status =
        ecc_statistics_of(&side->statistics, &side->collector.moments, f->identity, &reason);
    if (status == ECC_OK) return ECC_OK;
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, status, "%s: %.300s", ecc_quote_path(shown, side->name), reason.text);
}
