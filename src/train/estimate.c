/* estimate.c: how long a training would take here: a few steps on a few of its items are timed.
 *
 * The items are copied to an array first, so that large data is not opened again, and large images
 * are trained in batches that are small enough to answer soon.
 */
#include "base/clock.h"
#include "base/text.h"
#include "base/threads.h"
#include "model/components.h"
#include "run/stored.h"
#include "train/settle.h"
#include "train/trainer_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    STEPS = 20,     /* to time, at most */
    SMALL_BATCH = 8 /* of items to time, at least */
};
static const double time_limit = 0.5;     /* seconds of these steps */
static const double step_flops = 1.5e10;  /* of one of them, at most: a fraction of a second */
static const double pass_share = 1.0 / 3; /* of a forward pass in a step */
static const double rest_share = 0.1;     /* checkpoints, pictures, PCA, a busy loader */

/* A training that was thought through, and the smaller one that is timed. */
struct probe {
    struct ecc_train_options options; /* settled */
    size_t items, validation;
    size_t batch; /* to time */
    double read;  /* seconds to read an item */
    double step;  /* seconds of a step on a whole batch */
};

static enum ecc_status choose_batch(struct probe *p, const struct ecc_dataset *data,
                                    struct ecc_error *error)
{
    const struct ecc_train_options *const o = &p->options;
    struct ecc_net_spec *spec;
    ECC_TRY(ecc_net_spec_load(&spec, o->net, data->shape, o->latent, ecc_settings_outputs(o),
                              ecc_net_width(o), error));
    const double most = step_flops * pass_share / fmax(1, ecc_net_spec_flops(spec));
    ecc_net_spec_free(spec);
    p->batch = most < SMALL_BATCH ? SMALL_BATCH : (size_t)fmin(most, (double)o->batch);
    if (p->batch > o->batch) p->batch = o->batch;
    return ECC_OK;
}

/* Two batches of items, spread over the data; *x is the caller's to free. */
static enum ecc_status read_items(struct probe *p, float **x, size_t *n, struct ecc_dataset *data,
                                  struct ecc_error *error)
{
    *n = 2 * p->batch < data->count ? 2 * p->batch : data->count;
    uint32_t *const items = calloc(*n, sizeof *items);
    *x = calloc(*n, ecc_shape_size(data->shape) * sizeof **x);
    if (!items || !*x) {
        free(items);
        return ecc_fail_memory(error, "items to time");
    }
    for (size_t i = 0; i < *n; i++) items[i] = (uint32_t)(i * data->count / *n);
    const double start = ecc_seconds();
    const enum ecc_status status = ecc_dataset_read(data, *x, items, *n, error);
    p->read = (ecc_seconds() - start) / (double)*n;
    free(items);
    return status;
}

/* The first step warms up. */
static enum ecc_status time_steps(struct ecc_trainer *t, double *seconds, struct ecc_error *error)
{
    struct ecc_train_progress now;
    ECC_TRY(ecc_trainer_step(t, &now, error));
    const double start = ecc_seconds();
    size_t steps = 0;
    do {
        ECC_TRY(ecc_trainer_step(t, &now, error));
        steps++;
    } while (steps < STEPS && ecc_seconds() - start < time_limit);
    *seconds = (ecc_seconds() - start) / (double)steps;
    return ECC_OK;
}

static enum ecc_status time_training(struct probe *p, const char *data, struct ecc_error *error)
{
    struct ecc_train_options o = p->options;
    struct ecc_run *run;
    struct ecc_trainer *t;
    double seconds = 0;
    o.data = data;
    o.batch = p->batch;
    o.width = ecc_net_width(&o); /* not chosen again for so few items */
    o.items = o.crop = o.size = o.validation = 0;
    o.label = o.columns = o.drop = o.labels = o.metadata = NULL;
    o.tensorboard = o.strict = false;
    o.minutes = 0;
    o.total_steps = 2 * STEPS;
    ECC_TRY(ecc_run_in_memory(&run, NULL, "an estimate", error));
    enum ecc_status status = ecc_trainer_start(&t, run, &o, NULL, error);
    if (status == ECC_OK) {
        status = time_steps(t, &seconds, error);
        ecc_trainer_free(t);
    }
    ecc_run_close(run);
    p->step = seconds * (double)p->options.batch / (double)p->batch;
    return status;
}

static enum ecc_status measure(struct probe *p, struct ecc_dataset *data, struct ecc_error *error)
{
    const struct ecc_item_shape s = data->shape;
    float *x;
    size_t n;
    char name[40], what[60];
    snprintf(name, sizeof name, "estimate-%p", (void *)p);
    snprintf(what, sizeof what, "memory:%s:all", name);
    enum ecc_status status = read_items(p, &x, &n, data, error);
    struct ecc_array_data array = {
        .x = x, .n = n, .channels = s.channels, .height = s.height, .width = s.width};
    if (data->is_table) {
        array.is_table = true;
        array.channels = array.height = 1;
        array.width = ecc_shape_size(s);
    }
    if (status == ECC_OK) status = ecc_data_lend(name, &array, error);
    if (status == ECC_OK) status = time_training(p, what, error);
    ecc_data_return(name);
    free(x);
    return status;
}

/* Steps, looks at the validation items by the averaged model, two passes over all at the end, and
 * what the components explain, each of which is half a pass; items are read once from their files.
 */
static double total_seconds(const struct probe *p, uint64_t steps)
{
    const double batch = (double)p->options.batch, items = (double)p->items;
    const size_t per_epoch = p->items / p->options.batch;
    const double looks = (double)steps / (double)ecc_validation_steps(per_epoch);
    const double averaged = p->options.average > 0 ? ECC_AVERAGE_BATCHES * batch : 0;
    const size_t d = p->options.latent;
    const double explained =
        (double)ecc_components_explain_items(p->items, d) * (1 + (double)d / 2);
    const double passes = looks * ((double)p->validation + averaged) + 2 * items + explained;
    const double seconds = p->step * ((double)steps + pass_share * passes / batch);
    return (1 + rest_share) * seconds + p->read * items;
}

enum ecc_status ecc_train_estimate_of(struct ecc_train_estimate *e, struct ecc_dataset *data,
                                      const struct ecc_train_options *options,
                                      struct ecc_error *error)
{
    struct probe p = {.options = *options, .validation = ecc_run_aside(data->count, options)};
    struct ecc_train_options *const o = &p.options;
    *e = (struct ecc_train_estimate){0};
    ECC_TRY(ecc_settings_check(options, error));
    p.items = data->count - p.validation;
    ecc_settings_settle(o, data, p.items, 1);
    if (p.items < o->batch || o->batch == 0) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "'%s' has %zu item%s to train on, expected at least one batch of %zu",
                        data->name, p.items, ecc_s(p.items), o->batch);
    }
    ECC_TRY(choose_batch(&p, data, error));
    ECC_TRY(measure(&p, data, error));
    const size_t batches = p.items / o->batch;
    const double per_epoch = (double)batches;
    e->batch = o->batch;
    e->threads = (size_t)ecc_threads((int)o->threads);
    e->steps = o->total_steps ? o->total_steps : (uint64_t)fmax(1, round(o->epochs * per_epoch));
    if (o->minutes > 0 && o->total_steps == 0) {
        e->steps = (uint64_t)fmax(1, 60 * o->minutes / fmax(1e-9, p.step));
    }
    e->seconds = total_seconds(&p, e->steps);
    if (o->keep == ECC_KEEP_REFIT) { /* as many again, without validation */
        e->seconds += p.step * (double)e->steps;
        e->steps *= 2;
    }
    e->epochs = (double)e->steps / per_epoch;
    return ECC_OK;
}

enum ecc_status ecc_train_estimate(struct ecc_train_estimate *e,
                                   const struct ecc_train_options *options, struct ecc_error *error)
{
    const struct ecc_data_options how = ecc_settings_data(options);
    struct ecc_dataset *data;
    *e = (struct ecc_train_estimate){0};
    if (!options->data) return ecc_fail(error, ECC_BAD_ARGUMENT, "there is no data to train on");
    ECC_TRY(ecc_dataset_open(&data, options->data, &how, error));
    const enum ecc_status status = ecc_train_estimate_of(e, data, options, error);
    ecc_dataset_close(data);
    return status;
}
