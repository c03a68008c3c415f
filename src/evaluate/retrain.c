/* retrain.c: trainings that a measurement makes itself, in memory, watched like other work. */
#include "evaluate/retrain.h"

#include "base/watch.h"

struct watched {
    const char *name;
    const struct ecc_watch *watch;
};

static bool on_step(void *context, const struct ecc_train_progress *now)
{
    const struct watched *const w = context;
    const struct ecc_work work = {
        .name = w->name, .unit = "steps", .done = now->step, .total = now->total};
    struct ecc_error unused;
    return ecc_watch_work(w->watch, &work, &unused) == ECC_OK;
}

enum ecc_status ecc_retrain(struct ecc_train_result *result,
                            const struct ecc_train_options *options, const char *name,
                            const struct ecc_watch *watch, struct ecc_error *error)
{
    struct watched watched = {name, watch};
    const struct ecc_train_job job = {.on_step = on_step, .context = &watched};
    return ecc_train(result, options, &job, error);
}
