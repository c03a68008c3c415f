/* trainer_state.c: checkpoints: saves and loads everything that a step depends on. */
#include "base/clock.h"
#include "train/trainer_internal.h"

#include <math.h>
#include <unistd.h>

/* The trainer's own numbers. */
static enum ecc_status add_numbers(struct ecc_trainer *t, struct ecc_error *error)
{
    const struct {
        const char *name;
        enum ecc_dtype dtype;
        void *value;
    } numbers[] = {
        {ECC_CHECKPOINT_STEP, ECC_I8, &t->step},
        {"total_steps", ECC_I8, &t->saved_total},
        {"seconds", ECC_F8, &t->seconds},
        {"lambda", ECC_F8, &t->steer.lambda},
        {"steer.measured", ECC_F8, &t->steer.measured},
        {"steer.integral", ECC_F8, &t->steer.integral},
        {"steer.past", ECC_F8, &t->steer.past},
        {"eccentricity", ECC_F8, &t->eccentricity},
        {"trace", ECC_F8, &t->trace},
        {"loss_average", ECC_F8, &t->loss_average},
        {"sums.steps", ECC_F8, &t->sums.steps},
        {"sums.error", ECC_F8, &t->sums.error},
        {"sums.regularizer", ECC_F8, &t->sums.regularizer},
        {"moments.weight", ECC_F8, &t->moments.weight},
        {"moments.weight_squares", ECC_F8, &t->moments.weight_squares},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        ECC_TRY(ecc_checkpoint_add(t->checkpoint, numbers[i].name, numbers[i].dtype,
                                   numbers[i].value, 1, error));
    }
    return ECC_OK;
}

static enum ecc_status add_tensors(struct ecc_trainer *t, const char *prefix, float *flat,
                                   struct ecc_error *error)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(t->net, &tensors);
    return ecc_checkpoint_add_tensors(t->checkpoint, prefix, tensors, count, flat, error);
}

/* What the regularizer keeps to itself. */
static enum ecc_status add_regularizer(struct ecc_trainer *t, struct ecc_error *error)
{
    struct ecc_regularizer_array list[ECC_REGULARIZER_ARRAYS];
    const struct ecc_regularizer_plan *const plan = &t->regularizer;
    const size_t count = plan->entry->arrays ? plan->entry->arrays(plan->state, list) : 0;
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "regularizer.%s", list[i].name);
        ECC_TRY(
            ecc_checkpoint_add(t->checkpoint, name, ECC_F4, list[i].data, list[i].count, error));
    }
    if (!t->spectral) return ECC_OK;
    size_t size;
    float *const spectral = ecc_spectral_state(t->spectral, &size);
    return ecc_checkpoint_add(t->checkpoint, "spectral", ECC_F4, spectral, size, error);
}

static enum ecc_status add_best(struct ecc_trainer *t, struct ecc_error *error)
{
    struct ecc_best *const b = &t->best;
    struct ecc_checkpoint *const c = t->checkpoint;
    ECC_TRY(ecc_checkpoint_add(c, "best_step", ECC_I8, &b->step, 1, error));
    ECC_TRY(ecc_checkpoint_add(c, "best_error", ECC_F8, &b->error, 1, error));
    ECC_TRY(ecc_checkpoint_add(c, "best_first_error", ECC_F8, &b->first_error, 1, error));
    ECC_TRY(ecc_checkpoint_add(c, "best_first_errors", ECC_F8, b->first, b->items, error));
    return add_tensors(t, "best.", b->weights, error);
}

static enum ecc_status add_refit(struct ecc_trainer *t, struct ecc_error *error)
{
    struct ecc_refit *const r = &t->refit;
    struct ecc_checkpoint *const c = t->checkpoint;
    ECC_TRY(ecc_checkpoint_add(c, "refit.begun", ECC_I8, &r->begun, 1, error));
    ECC_TRY(ecc_checkpoint_add(c, "refit.from", ECC_I8, &r->from, 1, error));
    ECC_TRY(ecc_checkpoint_add(c, "refit.total", ECC_I8, &r->total, 1, error));
    ECC_TRY(ecc_checkpoint_add(c, "refit.epochs", ECC_F8, &r->epochs, 1, error));
    ECC_TRY(ecc_checkpoint_add(c, "refit.items", ECC_I8, &r->items, 1, error));
    ECC_TRY(ecc_checkpoint_add(c, "refit.error", ECC_F8, &r->before.error, 1, error));
    ECC_TRY(ecc_checkpoint_add(c, "refit.pca_error", ECC_F8, &r->before.pca_error, 1, error));
    return ecc_checkpoint_add(c, "refit.variance", ECC_F8, &r->before.variance, 1, error);
}

enum ecc_status ecc_trainer_make_checkpoint(struct ecc_trainer *t, struct ecc_error *error)
{
    const size_t size = ecc_net_flat_size(t->net), d = t->moments.d;
    t->saved_weights = calloc(3 * size, sizeof *t->saved_weights);
    if (!t->saved_weights) return ecc_fail_memory(error, "a checkpoint");
    t->saved_first = t->saved_weights + size;
    t->saved_second = t->saved_first + size;
    ECC_TRY(ecc_checkpoint_create(&t->checkpoint, error));
    ECC_TRY(add_numbers(t, error));
    ECC_TRY(
        ecc_checkpoint_add(t->checkpoint, "moments", ECC_F8, t->moments.state, d * (d + 1), error));
    ECC_TRY(add_tensors(t, ECC_CHECKPOINT_WEIGHTS, t->saved_weights, error));
    ECC_TRY(add_tensors(t, "adam.first.", t->saved_first, error));
    ECC_TRY(add_tensors(t, "adam.second.", t->saved_second, error));
    if (t->average.share > 0) {
        ECC_TRY(ecc_checkpoint_add(t->checkpoint, "average_looks", ECC_I8, &t->average.looks, 1,
                                   error));
        ECC_TRY(add_tensors(t, "average.", t->average.mean, error));
    }
    ECC_TRY(add_regularizer(t, error));
    if (t->options.reconstruction == ECC_RECONSTRUCTION_BCE) {
        ECC_TRY(
            ecc_checkpoint_add(t->checkpoint, "sums.entropy", ECC_F8, &t->sums.entropy, 1, error));
    }
    if (t->options.keep == ECC_KEEP_REFIT) ECC_TRY(add_refit(t, error));
    return t->best.items > 0 ? add_best(t, error) : ECC_OK;
}

double ecc_trainer_seconds(const struct ecc_trainer *t)
{
    return t->seconds + ecc_seconds() - t->started;
}

enum ecc_status ecc_trainer_diverged(const struct ecc_trainer *t, const char *what, double value,
                                     uint64_t step, struct ecc_error *error)
{
    const bool saved = t->run->stored && access(t->run->checkpoint, F_OK) == 0;
    return ecc_fail(error, ECC_NUMERIC,
                    "training diverged: %s is %g at step %llu (rate %.3g); %s%s%s; a smaller "
                    "learning rate or a longer warm-up may help",
                    what, value, (unsigned long long)step, ecc_schedule_rate(&t->schedule, step),
                    saved ? "the last good state is in '" : "there is no checkpoint yet",
                    saved ? t->run->checkpoint : "", saved ? "'" : "");
}

/* A model with a NaN must never replace a good one. */
static enum ecc_status check_finite(const struct ecc_trainer *t, const float *flat, size_t count,
                                    struct ecc_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(flat[i])) {
            return ecc_trainer_diverged(t, "a weight", (double)flat[i], t->step, error);
        }
    }
    return ECC_OK;
}

enum ecc_status ecc_trainer_save(struct ecc_trainer *t, struct ecc_error *error)
{
    ecc_trainer_hide_average(t);
    ecc_net_export(t->net, t->saved_weights);
    ECC_TRY(check_finite(t, t->saved_weights, ecc_net_flat_size(t->net), error));
    ecc_net_export_adam(t->net, t->saved_first, t->saved_second);
    t->saved_total = t->options.total_steps;
    t->seconds = ecc_trainer_seconds(t);
    t->started = ecc_seconds();
    ECC_TRY(ecc_metrics_sync(t->metrics, error));
    ECC_TRY(ecc_checkpoint_save(t->checkpoint, t->run->checkpoint, error));
    t->checkpoint_at = ecc_seconds();
    return ECC_OK;
}

enum ecc_status ecc_trainer_restore(struct ecc_trainer *t, struct ecc_error *remark,
                                    struct ecc_error *error)
{
    enum ecc_status status = ECC_OK;
    if (t->team->rank == 0) {
        status = ecc_checkpoint_load(t->checkpoint, remark, t->run->checkpoint, error);
    }
    ECC_TRY(ecc_team_settle(t->team, status, error));
    ECC_TRY(ecc_trainer_share_state(t, error));
    ecc_net_import(t->net, t->saved_weights);
    ecc_net_import_adam(t->net, t->saved_first, t->saved_second);
    /* config.json is at least as new as the checkpoint: use its number of steps, if it has one */
    if (t->options.total_steps == 0) t->options.total_steps = t->schedule.total = t->saved_total;
    return ECC_OK;
}
