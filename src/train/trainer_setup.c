/* trainer_setup.c: creates a trainer from options, data and network, and frees it. */
#include "base/clock.h"
#include "base/text.h"
#include "regularizer/choice.h"
#include "run/stored.h"
#include "train/settle.h"
#include "train/trainer_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In config.json of a training by several processes: how many. */
static const char key_processes[] = "train.processes";

/* The validation items are read once and stay in memory. */
static enum ecc_status split_items(struct ecc_trainer *t, struct ecc_error *error)
{
    const size_t count = t->data->count;
    t->items = malloc(count * sizeof *t->items);
    if (!t->items) return ecc_fail_memory(error, "the order of the items");
    size_t unused;
    ecc_run_split(t->items, &unused, count, &t->options);
    t->validation_count = ecc_run_aside(count, &t->options);
    t->item_count = count - t->validation_count;
    ecc_settings_settle(&t->options, t->data, t->item_count, (size_t)t->team->size);
    if (t->item_count < ecc_trainer_whole_batch(t)) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "'%s' has %zu item%s to train on, expected at least one batch of %zu%s",
                        t->data->name, t->item_count, ecc_s(t->item_count),
                        ecc_trainer_whole_batch(t),
                        t->team->size > 1 ? " for all processes together" : "");
    }
    if (t->validation_count == 0) return ECC_OK;
    const size_t size = ecc_shape_size(t->data->shape);
    t->validation = malloc(t->validation_count * size * sizeof *t->validation);
    if (!t->validation) return ecc_fail_memory(error, "the validation items");
    return ecc_dataset_read(t->data, t->validation, t->items + t->item_count, t->validation_count,
                            error);
}

static enum ecc_status load_spec(struct ecc_trainer *t, const char *text, struct ecc_error *error)
{
    const struct ecc_train_options *const o = &t->options;
    const size_t outputs = ecc_regularizer_columns(t->regularizer.entry, o->latent);
    if (text) {
        return ecc_net_spec_parse(&t->spec, text, o->net, t->data->shape, o->latent, outputs,
                                  error);
    }
    return ecc_net_spec_load(&t->spec, o->net, t->data->shape, o->latent, outputs, ecc_net_width(o),
                             error);
}

static enum ecc_status make_regularizer(struct ecc_trainer *t, struct ecc_error *error)
{
    const struct ecc_train_options *const o = &t->options;
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    struct ecc_regularizer_choice choice;
    ECC_TRY(ecc_regularizer_read(&choice, o->regularizer, error));
    options.loss = ecc_settings_loss(o);
    options.seed = o->seed;
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    return ecc_regularizer_init(&t->regularizer, choice.entry, ecc_trainer_whole_batch(t),
                                o->latent, &options, error);
}

/* The net keeps the regularizer's numbers with its weights. */
static enum ecc_status make_net(struct ecc_trainer *t, struct ecc_error *error)
{
    const struct ecc_train_options *const o = &t->options;
    struct ecc_latent_tensor list[ECC_LATENT_TENSORS];
    float *values[ECC_LATENT_TENSORS], *gradients[ECC_LATENT_TENSORS];
    const size_t count = ecc_regularizer_tensors(&t->regularizer, list);
    const struct ecc_net_options options = {.batch = o->batch,
                                            .training = true,
                                            .direct = o->direct,
                                            .threads = (int)o->threads,
                                            .latent_tensors = list,
                                            .latent_tensor_count = count};
    ECC_TRY(ecc_net_create(&t->net, t->spec, &options, error));
    ecc_net_latent_tensors(t->net, values, gradients);
    ecc_regularizer_bind(&t->regularizer, values, gradients, count);
    ecc_net_initialize(t->net, o->seed);
    const struct ecc_regularizer *const entry = t->regularizer.entry;
    if (entry->penalty) {
        ECC_TRY(ecc_decoder_passes_init(&t->passes, t->net, o->batch, o->latent,
                                        ecc_shape_size(t->data->shape), error));
    }
    if (!entry->normalizes || !entry->normalizes(t->regularizer.own)) return ECC_OK;
    return ecc_spectral_create(&t->spectral, t->net, error);
}

static enum ecc_status make_buffers(struct ecc_trainer *t, struct ecc_error *error)
{
    const size_t n = t->options.batch, d = t->options.latent, outputs = t->spec->encoder_outputs;
    const size_t team = (size_t)t->team->size, before = (size_t)t->team->rank * n * outputs;
    t->z = calloc(team * n * d, sizeof *t->z);
    t->all_outputs = calloc(team * n * outputs, sizeof *t->all_outputs);
    t->all_doutputs = calloc(team * n * outputs, sizeof *t->all_doutputs);
    if (!t->z || !t->all_outputs || !t->all_doutputs) return ecc_fail_memory(error, "the latents");
    t->outputs = t->all_outputs + before;
    t->doutputs = t->all_doutputs + before;
    ECC_TRY(ecc_moments_init(&t->moments, d, 100, error));
    const size_t size = ecc_net_flat_size(t->net);
    ECC_TRY(ecc_average_init(&t->average, t->options.average, size, error));
    const bool best = t->options.keep != ECC_KEEP_LAST;
    ECC_TRY(ecc_best_init(&t->best, best ? t->validation_count : 0, size, error));
    return ecc_trainer_make_checkpoint(t, error);
}

static uint64_t steps_of(const struct ecc_trainer *t, double epochs)
{
    return (uint64_t)fmax(1, round(epochs * (double)t->batches_per_epoch));
}

/* Everything but the state that a checkpoint holds. */
static enum ecc_status set_up(struct ecc_trainer *t, const char *net_text,
                              const struct ecc_scaling *scaling, const struct ecc_schema *schema,
                              struct ecc_error *error)
{
    struct ecc_train_options *const o = &t->options;
    /* those of the options may belong to a config that is about to be rewritten */
    ECC_TRY(ecc_settings_own_texts(o, t->texts, error));
    struct ecc_data_options data = ecc_settings_data(o);
    data.scaling = scaling;
    data.schema = schema;
    ECC_TRY(ecc_dataset_open(&t->data, o->data, &data, error));
    ECC_TRY(split_items(t, error));
    ECC_TRY(make_regularizer(t, error));
    ECC_TRY(load_spec(t, net_text, error));
    ECC_TRY(make_net(t, error));
    ECC_TRY(ecc_trainer_prepare_pixels(t, error));
    ECC_TRY(
        ecc_loader_create(&t->loader, t->data, t->items, t->item_count, o->batch, o->seed, error));
    ecc_loader_share(t->loader, (size_t)t->team->rank, (size_t)t->team->size);
    ECC_TRY(make_buffers(t, error));
    ECC_TRY(ecc_trainer_prepare_team(t, error));
    t->batches_per_epoch = ecc_loader_batches_per_epoch(t->loader);
    t->look_steps = ecc_validation_steps(t->batches_per_epoch);
    if (o->minutes <= 0 && o->total_steps == 0) o->total_steps = steps_of(t, o->epochs);
    t->schedule = (struct ecc_schedule){.kind = o->schedule,
                                        .rate = o->rate,
                                        .final_rate = o->final_rate,
                                        .fall = o->fall,
                                        .warmup = o->warmup,
                                        .total = o->total_steps};
    double floor;
    ECC_TRY(ecc_settings_target_floor(&floor, o, error));
    const enum ecc_steer_kind kind = ecc_steer_kind_of(o);
    ecc_steer_init(&t->steer, kind,
                   kind == ECC_STEER_LOSS ? o->target_loss : o->target_eccentricity, floor,
                   o->lambda);
    t->eccentricity = t->trace = NAN;
    t->began = t->started = t->checkpoint_at = ecc_seconds();
    return ECC_OK;
}

enum ecc_status ecc_trainer_write_config(struct ecc_trainer *t, struct ecc_error *error)
{
    struct ecc_config *const config = &t->run->config;
    ecc_settings_store(&t->options, config);
    if (t->options.minutes > 0) ecc_time_plan_store(&t->plan, config);
    if (t->team->size > 1 || ecc_config_has(config, key_processes)) {
        ecc_config_set_u64(config, key_processes, (uint64_t)t->team->size);
    }
    ecc_config_set_text(config, "net.text", t->spec->text);
    ecc_run_data_store(config, t->data);
    return t->run->stored ? ecc_config_write(config, error) : ECC_OK;
}

enum ecc_status ecc_trainer_start_weights(struct ecc_trainer *t, struct ecc_error *error)
{
    struct ecc_pca pca;
    double unused, loss;
    if (t->spectral) { /* PCA's kernels do not have norm 1 */
        ecc_spectral_start(t->spectral, t->options.seed);
        return ECC_OK;
    }
    if (!ecc_trainer_has_linear_paths(t)) return ECC_OK;
    ECC_TRY(ecc_trainer_fit_pca(t, &pca, error));
    const enum ecc_status status = ecc_trainer_start_linear(t, &pca, error);
    ecc_pca_release(&pca);
    ECC_TRY(status);
    ECC_TRY(ecc_trainer_share_weights(t, error)); /* machines may round otherwise */
    return t->best.items > 0 ? ecc_trainer_validate(t, &unused, &loss, error) : ECC_OK;
}

static enum ecc_status begin(struct ecc_trainer *t, struct ecc_error *error)
{
    ECC_TRY(ecc_trainer_write_config(t, error));
    if (!t->run->stored) return ecc_loader_start(t->loader, ecc_trainer_own_step(t), error);
    if (t->step == 0) {
        ECC_TRY(ecc_metrics_create(&t->metrics, t->run->directory, error));
    } else {
        ECC_TRY(ecc_metrics_resume(&t->metrics, t->run->directory, t->step, error));
    }
    if (t->options.tensorboard) {
        ECC_TRY(ecc_events_create(&t->events, t->run->directory, t->step, error));
    }
    return ecc_loader_start(t->loader, ecc_trainer_own_step(t), error);
}

static enum ecc_status new_trainer(struct ecc_trainer **trainer, struct ecc_run *run,
                                   struct ecc_team *team, struct ecc_error *error)
{
    struct ecc_trainer *const t = calloc(1, sizeof *t);
    *trainer = t;
    if (!t) return ecc_fail_memory(error, "a trainer");
    t->run = run;
    t->alone = ecc_team_alone();
    t->team = team ? team : &t->alone;
    return ECC_OK;
}

enum ecc_status ecc_trainer_start(struct ecc_trainer **trainer, struct ecc_run *run,
                                  const struct ecc_train_options *options, struct ecc_team *team,
                                  struct ecc_error *error)
{
    struct ecc_trainer *t;
    *trainer = NULL;
    ECC_TRY(ecc_settings_check(options, error));
    ECC_TRY(new_trainer(&t, run, team, error));
    t->options = *options;
    enum ecc_status status = set_up(t, NULL, NULL, NULL, error);
    status = ecc_trainer_compare_team(t, status, error);
    if (status == ECC_OK) status = ecc_trainer_start_weights(t, error);
    if (status == ECC_OK) {
        status = ecc_run_remove_old(run, error);
        if (status == ECC_OK) status = begin(t, error);
        status = ecc_team_settle(t->team, status, error);
    }
    if (status != ECC_OK) {
        ecc_trainer_free(t);
        return status;
    }
    *trainer = t;
    return ECC_OK;
}

/* Rows may have moved between the parts, so that some were trained on and would now test. */
static enum ecc_status refuse_changed(const struct ecc_trainer *t, uint64_t trained_on,
                                      struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    if (!trained_on || !t->data->fingerprint || trained_on == t->data->fingerprint) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s changed since the training began: restore it, or start a new training",
                    ecc_quote_path(shown, t->data->name));
}

/* After the state is restored: the number of steps as it was planned then. */
static enum ecc_status resume_plan(struct ecc_trainer *t, struct ecc_error *error)
{
    ECC_TRY(ecc_time_plan_restore(&t->plan, &t->schedule, &t->run->config, t->step, error));
    t->plan.seen_step = t->step;
    t->plan.seen_seconds = ecc_trainer_seconds(t);
    ECC_TRY(ecc_team_broadcast(t->team, &t->plan.seen_seconds, sizeof t->plan.seen_seconds, error));
    t->plan.look_at = t->step + ECC_PLAN_AGAIN;
    t->options.total_steps = t->schedule.total;
    return ECC_OK;
}

/* 1 with a checkpoint, 0 without, as the first process finds it; a finished run has none left. */
static enum ecc_status find_checkpoint(struct ecc_trainer *t, int *found, struct ecc_error *error)
{
    enum ecc_status status = ECC_OK;
    *found = t->team->rank == 0 && ecc_checkpoint_exists(t->run->checkpoint);
    if (t->team->rank == 0 && !*found && access(t->run->model, F_OK) == 0) {
        char shown[ECC_PATH_SIZE];
        status = ecc_fail(error, ECC_BAD_DATA,
                          "%s is finished and its checkpoint is gone, so it cannot be resumed",
                          ecc_quote_path(shown, t->run->directory));
    }
    ECC_TRY(ecc_team_settle(t->team, status, error));
    return ecc_team_agree(t->team, found, error);
}

/* Another number of processes makes other batches. */
static void remark_processes(const struct ecc_trainer *t, struct ecc_error *remark)
{
    uint64_t before = 1;
    const uint64_t now = (uint64_t)t->team->size;
    if (ecc_config_has(&t->run->config, key_processes) &&
        ecc_config_get_u64(&t->run->config, &before, key_processes, NULL) != ECC_OK) {
        return;
    }
    if (before == now || remark->text[0]) return;
    ecc_set_error(remark, ECC_OK,
                  "this run was trained by %llu process%s and goes on with %llu: a step now has "
                  "%zu items, and the result is another than without the interruption",
                  (unsigned long long)before, before == 1 ? "" : "es", (unsigned long long)now,
                  ecc_trainer_whole_batch(t));
}

static enum ecc_status resume(struct ecc_trainer *t, struct ecc_error *remark,
                              struct ecc_error *error)
{
    int found;
    const char *text;
    struct ecc_scaling scaling;
    const uint64_t trained_on = ecc_run_rows(&t->run->config).fingerprint;
    ECC_TRY(ecc_settings_restore(&t->options, &t->run->config, error));
    if (t->options.keep == ECC_KEEP_AUTO) t->options.keep = ECC_KEEP_BEST; /* the run is old */
    ECC_TRY(ecc_settings_check(&t->options, error));
    ECC_TRY(ecc_config_get_text(&t->run->config, &text, "net.text", error));
    ECC_TRY(ecc_run_scaling(&scaling, &t->run->config, error));
    struct ecc_schema *schema;
    enum ecc_status status = ecc_run_schema(&schema, &t->run->config, error);
    if (status == ECC_OK) {
        status = set_up(t, text, scaling.columns > 0 ? &scaling : NULL, schema, error);
    }
    ecc_schema_free(schema);
    ecc_run_scaling_release(&scaling);
    ECC_TRY(ecc_trainer_compare_team(t, status, error));
    ECC_TRY(find_checkpoint(t, &found, error));
    if (found) {
        ECC_TRY(refuse_changed(t, trained_on, error));
        ECC_TRY(ecc_trainer_restore(t, remark, error));
        if (t->refit.begun) ECC_TRY(ecc_trainer_join_items(t, error));
        remark_processes(t, remark);
    } else {
        ECC_TRY(ecc_trainer_start_weights(t, error)); /* it ended before its first checkpoint */
    }
    if (t->options.minutes > 0) ECC_TRY(resume_plan(t, error));
    return ecc_team_settle(t->team, begin(t, error), error);
}

enum ecc_status ecc_trainer_resume(struct ecc_trainer **trainer, struct ecc_run *run,
                                   struct ecc_team *team, struct ecc_error *remark,
                                   struct ecc_error *error)
{
    struct ecc_trainer *t;
    *trainer = NULL;
    ECC_TRY(new_trainer(&t, run, team, error));
    const enum ecc_status status = resume(t, remark, error);
    if (status != ECC_OK) {
        ecc_trainer_free(t);
        return status;
    }
    *trainer = t;
    return ECC_OK;
}

enum ecc_status ecc_trainer_extend(struct ecc_trainer *t, double epochs, struct ecc_error *error)
{
    struct ecc_train_options longer = t->options;
    longer.epochs = epochs;
    ECC_TRY(ecc_settings_check(&longer, error));
    const uint64_t total = steps_of(t, epochs);
    if (total <= t->step) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%.6g %s %llu steps, but the run has already done %llu", epochs,
                        epochs == 1 ? "epoch is" : "epochs are", (unsigned long long)total,
                        (unsigned long long)t->step);
    }
    if (t->run->stored) ECC_TRY(ecc_run_unfinish(t->run, error));
    if (t->refit.begun) {
        t->refit.total = total;
        t->schedule.total = total - t->refit.from;
        return t->run->stored ? ecc_trainer_save(t, error) : ECC_OK;
    }
    t->options.epochs = epochs;
    t->options.minutes = 0;
    t->options.total_steps = t->schedule.total = total;
    t->schedule.from = 0;
    t->schedule.from_done = 0;
    return ecc_trainer_write_config(t, error);
}

void ecc_trainer_free(struct ecc_trainer *t)
{
    if (!t) return;
    ecc_loader_free(t->loader);
    ecc_metrics_close(t->metrics);
    ecc_events_close(t->events);
    ecc_checkpoint_free(t->checkpoint);
    free(t->saved_weights);
    ecc_moments_release(&t->moments);
    ecc_average_release(&t->average);
    ecc_best_release(&t->best);
    ecc_decoder_passes_release(&t->passes);
    ecc_spectral_free(t->spectral);
    ecc_regularizer_release(&t->regularizer);
    ecc_net_free(t->net);
    ecc_net_spec_free(t->spec);
    ecc_dataset_close(t->data);
    for (size_t i = 0; i < sizeof t->texts / sizeof t->texts[0]; i++) free(t->texts[i]);
    free(t->items);
    free(t->validation);
    free(t->drawn);
    free(t->z);
    free(t->all_outputs);
    free(t->all_doutputs);
    free(t->all_dz);
    free(t->all_statistics);
    free(t->notes);
    free(t);
}
