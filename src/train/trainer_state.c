/* trainer_state.c: checkpoints: everything that a step depends on, out and in again. */
#include "base/clock.h"
#include "train/trainer_internal.h"

#include <math.h>
#include <unistd.h>

enum { NUMBERS = 11 };

/* The trainer's own numbers, in one array. */
static void pack(double numbers[NUMBERS], const struct ecc_trainer *t)
{
    const double values[NUMBERS] = {ecc_trainer_seconds(t),
                                    t->steer.lambda,
                                    t->steer.measured,
                                    t->eccentricity,
                                    t->trace,
                                    t->sums.steps,
                                    t->sums.error,
                                    t->sums.regularizer,
                                    t->loss_average,
                                    t->steer.integral,
                                    t->steer.past};
    for (int i = 0; i < NUMBERS; i++) numbers[i] = values[i];
}

static void unpack(struct ecc_trainer *t, const double numbers[NUMBERS])
{
    t->seconds = numbers[0];
    t->steer.lambda = numbers[1];
    t->steer.measured = numbers[2];
    t->eccentricity = numbers[3];
    t->trace = numbers[4];
    t->sums = (struct ecc_train_sums){numbers[5], numbers[6], numbers[7]};
    t->loss_average = numbers[8];
    t->steer.integral = numbers[9];
    t->steer.past = numbers[10];
}

double ecc_trainer_seconds(const struct ecc_trainer *t)
{
    return t->seconds + ecc_seconds() - t->started;
}

enum ecc_status ecc_trainer_diverged(const struct ecc_trainer *t, const char *what, double value,
                                     uint64_t step, struct ecc_error *error)
{
    const bool saved = access(t->run->checkpoint, F_OK) == 0;
    return ecc_fail(error, ECC_NUMERIC,
                    "training diverged: %s is %g at step %llu (rate %.3g); %s%s%s; a smaller --lr "
                    "or a longer --warmup may help",
                    what, value, (unsigned long long)step, ecc_schedule_rate(&t->schedule, step),
                    saved ? "the last good state is in '" : "there is no checkpoint yet",
                    saved ? t->run->checkpoint : "", saved ? "'" : "");
}

/* A model with NaN in it must never replace a good one. */
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
    const size_t size = ecc_net_flat_size(t->net);
    float *flat, *first, *second;
    ecc_trainer_hide_average(t);
    double *moments, numbers[NUMBERS];
    ECC_TRY(ecc_checkpoint_area_f32(t->checkpoint, &flat, "weights", size, error));
    ECC_TRY(ecc_checkpoint_area_f32(t->checkpoint, &first, "adam.first", size, error));
    ECC_TRY(ecc_checkpoint_area_f32(t->checkpoint, &second, "adam.second", size, error));
    ECC_TRY(ecc_checkpoint_area_f64(t->checkpoint, &moments, "moments",
                                    ecc_moments_size(&t->moments), error));
    ecc_net_export(t->net, flat);
    ECC_TRY(check_finite(t, flat, size, error));
    ecc_net_export_adam(t->net, first, second);
    ecc_moments_export(&t->moments, moments);
    pack(numbers, t);
    ECC_TRY(ecc_checkpoint_put_f64(t->checkpoint, "numbers", numbers, NUMBERS, error));
    const uint64_t steps[] = {t->step, t->options.total_steps};
    ECC_TRY(ecc_checkpoint_put_u64(t->checkpoint, "steps", steps, 2, error));
    if (t->average.share > 0) {
        ECC_TRY(ecc_checkpoint_put_f32(t->checkpoint, "average", t->average.mean, size, error));
        ECC_TRY(
            ecc_checkpoint_put_u64(t->checkpoint, "average.looks", &t->average.looks, 1, error));
    }
    ECC_TRY(ecc_metrics_sync(t->metrics, error));
    ECC_TRY(ecc_checkpoint_save(t->checkpoint, t->run->checkpoint, error));
    t->checkpoint_at = ecc_seconds();
    return ECC_OK;
}

enum ecc_status ecc_trainer_restore(struct ecc_trainer *t, struct ecc_error *remark,
                                    struct ecc_error *error)
{
    struct ecc_checkpoint *loaded;
    ECC_TRY(ecc_checkpoint_load(&loaded, remark, t->run->checkpoint, error));
    ecc_checkpoint_free(t->checkpoint);
    t->checkpoint = loaded;
    const size_t size = ecc_net_flat_size(t->net);
    const float *flat, *first, *second;
    const double *moments;
    double numbers[NUMBERS];
    uint64_t steps[2];
    ECC_TRY(ecc_checkpoint_view_f32(loaded, &flat, "weights", size, error));
    ECC_TRY(ecc_checkpoint_view_f32(loaded, &first, "adam.first", size, error));
    ECC_TRY(ecc_checkpoint_view_f32(loaded, &second, "adam.second", size, error));
    ECC_TRY(
        ecc_checkpoint_view_f64(loaded, &moments, "moments", ecc_moments_size(&t->moments), error));
    ECC_TRY(ecc_checkpoint_get_f64(loaded, numbers, "numbers", NUMBERS, error));
    ECC_TRY(ecc_checkpoint_get_u64(loaded, steps, "steps", 2, error));
    if (t->average.share > 0) {
        struct ecc_average *const a = &t->average;
        ECC_TRY(ecc_checkpoint_get_f32(loaded, a->mean, "average", size, error));
        ECC_TRY(ecc_checkpoint_get_u64(loaded, &a->looks, "average.looks", 1, error));
    }
    ecc_net_import(t->net, flat);
    ecc_net_import_adam(t->net, first, second);
    ecc_moments_import(&t->moments, moments);
    unpack(t, numbers);
    t->step = steps[0];
    /* config.json is at least as new: a budget of minutes becomes steps there, and so do other
     * plans */
    if (t->options.total_steps == 0) t->options.total_steps = t->schedule.total = steps[1];
    return ECC_OK;
}
