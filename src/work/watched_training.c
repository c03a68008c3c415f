/* watched_training.c: a training in a directory, as part of longer work: watched, with pictures. */
#include "work/watched_training.h"
#include "base/clock.h"
#include "base/watch.h"
#include "show/training.h"
#include "work/sayings.h"

struct training {
    const struct ecc_watch *watch;
    const char *run;
    double drawn; /* on the clock */
};
static const double draw_seconds = 10; /* at least, between two drawings */

static bool on_step(void *context, const struct ecc_train_progress *now)
{
    struct training *const t = context;
    struct ecc_error ignored;
    const char *const text =
        ECC_SAY("error %.5f  eccentricity %.3f", now->error, now->eccentricity);
    const struct ecc_work work = {"train", "steps", now->step, now->total, text};
    const bool last = now->total > 0 && now->step >= now->total;
    if (last || (now->epoch_ended && ecc_seconds() - t->drawn >= draw_seconds)) {
        const enum ecc_status drawn = ecc_show_progress(t->run, now, &ignored);
        if (drawn != ECC_OK) ecc_watch_remark(t->watch, "%s", ignored.text);
        t->drawn = ecc_seconds();
    }
    return ecc_watch_work(t->watch, &work, &ignored) == ECC_OK;
}

static void on_remark(void *context, const char *sentence)
{
    const struct training *const t = context;
    ecc_watch_remark(t->watch, "%s", sentence);
}

enum ecc_status ecc_train_watched(const char *run, const struct ecc_train_options *options,
                                  bool resumes, const struct ecc_watch *watch,
                                  struct ecc_error *error)
{
    struct ecc_train_result result = {0};
    struct training t = {.watch = watch, .run = run, .drawn = ecc_seconds()};
    const struct ecc_train_job job = {
        .out = run, .on_step = on_step, .on_remark = on_remark, .context = &t, .take_turns = true};
    enum ecc_status status = resumes ? ecc_train_resume(&result, 0, &job, error)
                                     : ecc_train(&result, options, &job, error);
    if (status == ECC_OK) status = ecc_show_samples(result.model, options->seed, error);
    ecc_train_result_release(&result);
    return status;
}
