/* fid_side.c: an operand of `eccentric fid`: a run to be sampled, data, or statistics. */
#include "base/file.h"
#include "base/text.h"
#include "cli/fid.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum ecc_fid_kind ecc_fid_kind_of(const char *name)
{
    char *const config = ecc_path_join(name, ECC_RUN_CONFIG);
    const bool is_run = config && access(config, F_OK) == 0;
    free(config);
    if (is_run) return ECC_FID_RUN;
    return ecc_statistics_is_file(name) ? ECC_FID_STATISTICS : ECC_FID_DATA;
}

/* ---- Opening -------------------------------------------------------------------------------- */

static enum ecc_status refuse_table(const char *name, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA, "%s has rows of a table, expected images to score",
                    ecc_quote_path(shown, name));
}

static enum ecc_status open_run(struct ecc_fid_side *side, const struct ecc_fid_settings *s,
                                struct ecc_error *error)
{
    ECC_TRY(ecc_cli_open(&side->model, side->name, &s->common, error));
    return side->model->scaling.columns > 0 ? refuse_table(side->name, error) : ECC_OK;
}

static enum ecc_status open_data(struct ecc_fid_side *side, const struct ecc_model *guide,
                                 const struct ecc_fid_settings *s, struct ecc_error *error)
{
    struct ecc_data_options options = {.seed = s->common.seed};
    if (guide) options = guide->options.data_options;
    options.items = s->items;
    if (s->crop) options.crop = s->crop;
    if (s->size) options.size = s->size;
    options.label = NULL;
    options.cache_bytes = 1; /* items are read once */
    ECC_TRY(ecc_dataset_open(&side->data, side->name, &options, error));
    return side->data->is_table ? refuse_table(side->name, error) : ECC_OK;
}

enum ecc_status ecc_fid_side_open(struct ecc_fid_side *side, const struct ecc_model *guide,
                                  const struct ecc_fid_settings *s, struct ecc_error *error)
{
    if (side->model || side->data || side->statistics.size) return ECC_OK; /* it is open */
    switch (side->kind) {
    case ECC_FID_RUN: return open_run(side, s, error);
    case ECC_FID_DATA: return open_data(side, guide, s, error);
    case ECC_FID_STATISTICS: return ecc_statistics_read(&side->statistics, side->name, error);
    }
    return ECC_OK;
}

void ecc_fid_side_release(struct ecc_fid_side *side)
{
    ecc_components_release(&side->components);
    ecc_mixture_release(&side->mixture);
    ecc_model_close(side->model);
    ecc_dataset_close(side->data);
    ecc_collector_release(&side->collector);
    ecc_statistics_release(&side->statistics);
    *side = (struct ecc_fid_side){.name = side->name, .kind = side->kind};
}

struct ecc_item_shape ecc_fid_side_shape(const struct ecc_fid_side *side)
{
    return side->model ? side->model->shape : side->data->shape;
}

size_t ecc_fid_side_count(const struct ecc_fid_side *side)
{
    return side->data ? side->data->count : side->statistics.count;
}

/* ---- Collecting ----------------------------------------------------------------------------- */

static enum ecc_status collect_data(struct ecc_fid_side *side, float *x, struct ecc_progress *bar,
                                    struct ecc_error *error)
{
    uint32_t items[ECC_FID_BATCH];
    const size_t batch = side->collector.features->batch;
    for (size_t done = 0; done < side->data->count; done += batch) {
        const size_t left = side->data->count - done, n = left < batch ? left : batch;
        for (size_t i = 0; i < n; i++) items[i] = (uint32_t)(done + i);
        ECC_TRY(ecc_dataset_read(side->data, x, items, n, error));
        ECC_TRY(ecc_collector_add(&side->collector, x, n, error));
        ecc_progress_update(bar, done + n, NULL);
        if (ecc_interrupted()) return ecc_fail(error, ECC_INTERRUPTED, "interrupted");
    }
    return ECC_OK;
}

static enum ecc_status collect_samples(struct ecc_fid_side *side, float *x, size_t samples,
                                       const struct ecc_sampler *sampler, struct ecc_progress *bar,
                                       struct ecc_error *error)
{
    struct ecc_model *const m = side->model;
    const size_t batch = side->collector.features->batch;
    float *const z = malloc(ECC_FID_BATCH * m->d * sizeof *z);
    enum ecc_status status = z ? ECC_OK : ecc_fail_memory(error, "a batch of latents");
    for (size_t done = 0; done < samples && status == ECC_OK; done += batch) {
        const size_t n = samples - done < batch ? samples - done : batch;
        status = ecc_sampler_draw(sampler, z, done, n, error);
        if (status == ECC_OK) status = ecc_model_decode(m, x, z, n, error);
        if (status == ECC_OK) status = ecc_collector_add(&side->collector, x, n, error);
        ecc_progress_update(bar, done + n, NULL);
        if (status == ECC_OK && ecc_interrupted()) {
            status = ecc_fail(error, ECC_INTERRUPTED, "interrupted");
        }
    }
    free(z);
    return status;
}

/* Fits what the samples are drawn from; figures and tables want the components, too. */
static enum ecc_status prepare_run(struct ecc_fid_side *side, const struct ecc_fid_settings *s,
                                   struct ecc_error *error)
{
    if (s->from == ECC_SAMPLE_GAUSSIAN || s->out || s->csv) {
        ECC_TRY(ecc_cli_components(&side->components, side->model, s->run_data, &s->common, error));
    }
    if (s->from != ECC_SAMPLE_MIXTURE) return ECC_OK;
    return ecc_cli_mixture(&side->mixture, side->model, s->run_data, &s->mixture, &s->common,
                           error);
}

static enum ecc_status collect(struct ecc_fid_side *side, size_t samples, uint64_t seed,
                               const struct ecc_fid_settings *s, struct ecc_error *error)
{
    const size_t item = ecc_shape_size(ecc_fid_side_shape(side));
    const size_t total = side->data ? side->data->count : samples;
    if (side->model) ECC_TRY(prepare_run(side, s, error));
    float *const x = malloc(ECC_FID_BATCH * item * sizeof *x);
    if (!x) return ecc_fail_memory(error, "a batch of images");
    struct ecc_progress bar;
    const char *const name = ecc_short_name(side->name);
    ecc_catch_interrupt();
    ecc_cli_progress(&bar, &s->common, name, side->data ? "images" : "samples", total);
    enum ecc_status status;
    if (side->data) {
        status = collect_data(side, x, &bar, error);
    } else {
        const struct ecc_sampler sampler = {.from = (enum ecc_sample_from)s->from,
                                            .d = side->model->d,
                                            .components =
                                                side->components.d > 0 ? &side->components : NULL,
                                            .mixture = &side->mixture,
                                            .seed = seed};
        status = collect_samples(side, x, samples, &sampler, &bar, error);
    }
    ecc_progress_end(&bar, NULL);
    free(x);
    return status;
}

enum ecc_status ecc_fid_side_check_shape(const struct ecc_fid_side *side, struct ecc_item_shape b,
                                         struct ecc_error *error)
{
    const struct ecc_item_shape a = ecc_fid_side_shape(side);
    if (a.channels == b.channels && a.height == b.height && a.width == b.width) return ECC_OK;
    char shown[ECC_PATH_SIZE], theirs[64], ours[64];
    return ecc_fail(error, ECC_BAD_DATA, "the images of %s are %s, those of the other side %s",
                    ecc_quote_path(shown, side->name), ecc_model_shape_text(theirs, a, false),
                    ecc_model_shape_text(ours, b, false));
}

enum ecc_status ecc_fid_check_identity(const struct ecc_statistics *statistics, const char *name,
                                       const char *identity, size_t size,
                                       const struct ecc_common *common, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    ecc_quote_path(shown, name);
    if (statistics->size != size) {
        return ecc_fail(error, ECC_BAD_DATA, "%s has statistics of %zu features, expected %zu%s%s",
                        shown, statistics->size, size, identity[0] ? ": " : "", identity);
    }
    if (!statistics->identity[0]) {
        if (!common->quiet) {
            fprintf(stderr, "eccentric: %s does not say what its features are; taken to be %s\n",
                    shown, identity[0] ? identity : "the same as the other's");
        }
        return ECC_OK;
    }
    if (!identity[0] || strcmp(statistics->identity, identity) == 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s has statistics of other features (%s), expected %s: such scores cannot be "
                    "compared",
                    shown, statistics->identity, identity);
}

enum ecc_status ecc_fid_side_collect(struct ecc_fid_side *side, struct ecc_features *features,
                                     size_t samples, uint64_t seed,
                                     const struct ecc_fid_settings *s, struct ecc_error *error)
{
    if (side->kind == ECC_FID_STATISTICS) {
        if (!features) return ECC_OK; /* all are files; they are compared with each other */
        return ecc_fid_check_identity(&side->statistics, side->name, features->identity,
                                      features->size, &s->common, error);
    }
    ECC_TRY(ecc_collector_init(&side->collector, features, s->common.seed, error));
    ECC_TRY(collect(side, samples, seed, s, error));
    struct ecc_error reason = {0};
    const enum ecc_status status =
        ecc_statistics_of(&side->statistics, &side->collector.moments, features->identity, &reason);
    if (status == ECC_OK) return ECC_OK;
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, status, "%s: %.300s", ecc_quote_path(shown, side->name), reason.text);
}
