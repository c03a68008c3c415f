/* train_run.c: a whole training run in one call: starts or resumes it, reports progress, finishes
 * it. */
#include "base/text.h"
#include "base/threads.h"
#include "data/source.h"
#include "run/stored.h"
#include "train/settle.h"
#include "train/trainer.h"
#include "train/turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void remark(const struct ecc_train_job *job, const char *sentence)
{
    if (job->on_remark && sentence && *sentence) job->on_remark(job->context, sentence);
}

static struct ecc_team *team_of(const struct ecc_train_job *job)
{
    static struct ecc_team alone = {.size = 1, .local = 1};
    return job->team ? job->team : &alone;
}

static enum ecc_status interrupted(struct ecc_trainer *t, struct ecc_error *error)
{
    const unsigned long long step = t->step;
    if (t->run->stored) ECC_TRY(ecc_trainer_save(t, error));
    return ecc_fail(error, ECC_INTERRUPTED, "interrupted after step %llu", step);
}

/* A latent size at which there is nothing to compress. */
static void remark_size(const struct ecc_trainer *t, const struct ecc_train_job *job)
{
    const size_t d = t->options.latent, size = ecc_shape_size(t->data->shape);
    char sentence[200];
    if (d < size && d < t->item_count) return;
    snprintf(sentence, sizeof sentence,
             "%zu latent dimension%s for %zu %s%s of %zu number%s leave%s nothing to compress: a "
             "linear map keeps everything; choose fewer",
             d, ecc_s(d), t->item_count, t->data->is_table ? "row" : "item", ecc_s(t->item_count),
             size, ecc_s(size), d == 1 ? "s" : "");
    remark(job, sentence);
}

/* Trains from the current step to the end, and frees the trainer, also on failure. */
static enum ecc_status run_to_end(struct ecc_trainer *t, struct ecc_train_result *result,
                                  const struct ecc_train_job *job, struct ecc_error *error)
{
    struct ecc_team *const team = t->team;
    enum ecc_status status = ECC_OK;
    struct ecc_turns turns;
    ecc_dataset_tell(t->data, &(struct ecc_watch){NULL, job->on_remark, job->context});
    remark_size(t, job);
    ecc_turns_init(&turns, job->take_turns ? ecc_threads((int)t->options.threads) : 1);
    atomic_store(&team->steps, true);
    while (status == ECC_OK && !ecc_trainer_done(t)) {
        struct ecc_train_progress now;
        ecc_turns_take(&turns);
        status = ecc_trainer_step(t, &now, error);
        if (status != ECC_OK) break;
        int stop = job->on_step && !job->on_step(job->context, &now);
        status = ecc_team_agree(team, &stop, error);
        if (status != ECC_OK || !stop) continue;
        if (job->keep_stopped) break;
        status = ecc_team_settle(team, interrupted(t, error), error);
    }
    ecc_turns_release(&turns);
    char damage[ECC_DAMAGE_TEXT];
    if (t->data) remark(job, ecc_dataset_damage(damage, t->data));
    atomic_store(&team->steps, false);
    if (status == ECC_OK) {
        if (team->rank == 0) status = ecc_trainer_finish(t, result, error);
        status = ecc_team_settle(team, status, error);
    }
    ecc_trainer_free(t);
    return status;
}

static enum ecc_status make_run(struct ecc_run **run, const char *data,
                                const struct ecc_train_job *job, struct ecc_error *error)
{
    if (!job->out || ecc_team_rank(job->team) > 0)
        return ecc_run_in_memory(run, NULL, "a model in memory", error);
    ECC_TRY(ecc_data_refuse_run_inside(job->out, data, error));
    return ecc_run_create(run, job->out, job->overwrite, error);
}

enum ecc_status ecc_train(struct ecc_train_result *result, const struct ecc_train_options *options,
                          const struct ecc_train_job *job, struct ecc_error *error)
{
    const struct ecc_train_job none = {0};
    struct ecc_run *run;
    struct ecc_trainer *trainer;
    *result = (struct ecc_train_result){0};
    if (!job) job = &none;
    if (!options->data) return ecc_fail(error, ECC_BAD_ARGUMENT, "no data to train on was given");
    enum ecc_status status = ecc_settings_check(options, error);
    if (status == ECC_OK) status = make_run(&run, options->data, job, error);
    if (status != ECC_OK) run = NULL;
    status = ecc_team_settle(team_of(job), status, error);
    if (status == ECC_OK) status = ecc_trainer_start(&trainer, run, options, job->team, error);
    if (status == ECC_OK) status = run_to_end(trainer, result, job, error);
    if (status != ECC_OK && run && run->stored) ecc_run_abandon(run);
    if (status != ECC_OK) ecc_train_result_release(result);
    ecc_run_close(run);
    return status;
}

/* The first process opens the run; the others get its settings. */
static enum ecc_status open_run(struct ecc_run **run, const struct ecc_train_job *job,
                                struct ecc_error *error)
{
    struct ecc_team *const team = team_of(job);
    char *config = NULL;
    uint64_t size = 0;
    *run = NULL;
    enum ecc_status status = ECC_OK;
    if (team->rank == 0) status = ecc_run_resume(run, job->out, error);
    if (team->size == 1) return status;
    if (*run) status = ecc_config_encode(&(*run)->config, &config, error);
    if (config) size = strlen(config) + 1;
    status = ecc_team_settle(team, status, error);
    if (status == ECC_OK) status = ecc_team_broadcast(team, &size, sizeof size, error);
    if (status == ECC_OK && !config) config = malloc(size);
    if (!config) return status == ECC_OK ? ecc_fail_memory(error, "a run") : status;
    if (status == ECC_OK) status = ecc_team_broadcast(team, config, size, error);
    if (status == ECC_OK && !*run) status = ecc_run_in_memory(run, config, job->out, error);
    free(config);
    return status;
}

enum ecc_status ecc_train_resume(struct ecc_train_result *result, double epochs,
                                 const struct ecc_train_job *job, struct ecc_error *error)
{
    struct ecc_run *run;
    struct ecc_trainer *trainer = NULL;
    struct ecc_error odd = {0};
    *result = (struct ecc_train_result){0};
    if (!job || !job->out) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "no run directory to resume was given");
    }
    enum ecc_status status = open_run(&run, job, error);
    if (status == ECC_OK) status = ecc_trainer_resume(&trainer, run, job->team, &odd, error);
    if (status == ECC_OK) remark(job, odd.text);
    if (status == ECC_OK && epochs != 0) {
        status = ecc_trainer_extend(trainer, epochs, error);
        status = ecc_team_settle(team_of(job), status, error);
    }
    if (status == ECC_OK) {
        status = run_to_end(trainer, result, job, error);
    } else {
        ecc_trainer_free(trainer);
    }
    if (status != ECC_OK) ecc_train_result_release(result);
    ecc_run_close(run);
    return status;
}

enum ecc_status ecc_train_examples(struct ecc_trainer *t, float *x, float *y, size_t *n,
                                   bool *unseen, struct ecc_error *error)
{
    const bool aside = t->validation_count > 0;
    const size_t there = aside ? t->validation_count : t->item_count;
    double unused;
    if (*n > there) *n = there;
    if (unseen) *unseen = aside;
    ECC_TRY(ecc_dataset_read(t->data, x, aside ? t->items + t->item_count : t->items, *n, error));
    return ecc_trainer_reconstruct(t, &unused, y, x, *n, error);
}

/* How this machine computes the net, and the shares of a step's time, measured. */
static enum ecc_status describe_plan(FILE *stream, const struct ecc_net_spec *spec,
                                     const struct ecc_train_options *o, struct ecc_error *error)
{
    const struct ecc_net_options options = {
        .batch = o->batch, .training = true, .threads = o->threads, .direct = o->direct};
    struct ecc_net *net;
    ECC_TRY(ecc_net_create(&net, spec, &options, error));
    ecc_net_initialize(net, o->seed);
    const enum ecc_status status = ecc_net_time(net, 0.2, error);
    fprintf(stream,
            "\nhow this machine computes it, batch %zu, and shares of a step's time "
            "(measured)\n",
            o->batch);
    ecc_net_describe_plan(stream, net);
    ecc_net_free(net);
    return status;
}

enum ecc_status ecc_train_describe(char **text, const struct ecc_train_options *o,
                                   struct ecc_error *error)
{
    const struct ecc_data_options options = ecc_settings_data(o);
    struct ecc_dataset *data;
    struct ecc_net_spec *spec;
    size_t size;
    *text = NULL;
    if (!o->data) return ecc_fail(error, ECC_BAD_ARGUMENT, "there is no data to train on");
    ECC_TRY(ecc_settings_check(o, error));
    ECC_TRY(ecc_dataset_open(&data, o->data, &options, error));
    struct ecc_train_options settled = *o;
    ecc_settings_settle(&settled, data, data->count - ecc_run_aside(data->count, o), 1);
    o = &settled;
    const enum ecc_status status = ecc_net_spec_load(
        &spec, o->net, data->shape, o->latent, ecc_settings_outputs(o), ecc_net_width(o), error);
    ecc_dataset_close(data);
    ECC_TRY(status);
    FILE *const stream = open_memstream(text, &size);
    enum ecc_status written = stream ? ECC_OK : ecc_fail_memory(error, "a description");
    if (stream) {
        ecc_net_spec_describe(stream, spec);
        written = describe_plan(stream, spec, o, error);
    }
    ecc_net_spec_free(spec);
    if (stream && fclose(stream) != 0 && written == ECC_OK) {
        written = ecc_fail_memory(error, "a description");
    }
    if (written == ECC_OK) return ECC_OK;
    free(*text);
    *text = NULL;
    return written;
}
