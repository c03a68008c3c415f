/* classifier_train.c: a small classifier learns labels: cross-entropy, Adam, a falling rate. */
#include "base/rng.h"
#include "base/streams.h"
#include "base/text.h"
#include "base/watch.h"
#include "data/loader.h"
#include "score/classifier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double top_rate = 0.003, decay = 1e-5;
enum { WARM_UP = 50 };

struct training {
    struct ecc_net *net;
    struct ecc_dataset *data;
    struct ecc_loader *loader;
    uint32_t *items; /* labelled ones in random order: those held out, then those to learn from */
    size_t held, count, batch, classes;
    float *x, *y, *dy; /* [batch, item], [batch, classes] twice */
};

/* Five epochs, or more of a small set. */
static size_t epochs_for(size_t items)
{
    const size_t epochs = (50000 + items - 1) / items;
    return epochs < 5 ? 5 : epochs > 20 ? 20 : epochs;
}

/* ---- Setting up ----------------------------------------------------------------------------- */

static enum ecc_status split_items(struct training *t, struct ecc_error *error)
{
    const struct ecc_dataset *const data = t->data;
    t->items = malloc((data->count + 1) * sizeof *t->items);
    uint32_t *const order = malloc((data->count + 1) * sizeof *order);
    if (!t->items || !order) {
        free(order);
        return ecc_fail_memory(error, "the list of items");
    }
    ecc_rng_permutation(order, data->count, ECC_CLASSIFIER_SEED, ECC_STREAM_SPLIT);
    for (size_t i = 0; i < data->count; i++) {
        if (data->labels[order[i]] >= 0) t->items[t->count++] = order[i];
    }
    free(order);
    if (t->count < ECC_CLASSIFIER_LEAST) {
        char name[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has %zu labelled items, expected at least %d for a classifier to learn "
                        "from",
                        ecc_quote_path(name, data->name), t->count, ECC_CLASSIFIER_LEAST);
    }
    t->held = t->count / 10 < 5000 ? t->count / 10 : 5000;
    return ECC_OK;
}

static enum ecc_status set_up(struct training *t, const struct ecc_net_spec *spec, int threads,
                              struct ecc_error *error)
{
    ECC_TRY(split_items(t, error));
    const size_t learned = t->count - t->held;
    t->batch = learned < ECC_CLASSIFIER_BATCH ? learned : ECC_CLASSIFIER_BATCH;
    const struct ecc_net_options options = {
        .batch = t->batch, .training = true, .threads = threads};
    ECC_TRY(ecc_net_create(&t->net, spec, &options, error));
    ecc_net_initialize(t->net, ECC_CLASSIFIER_SEED);
    ECC_TRY(ecc_loader_create(&t->loader, t->data, t->items + t->held, learned, t->batch,
                              ECC_CLASSIFIER_SEED, error));
    const size_t item = ecc_shape_size(spec->shape);
    t->x = malloc(t->batch * (item + 2 * t->classes) * sizeof *t->x);
    if (!t->x) return ecc_fail_memory(error, "a batch of images");
    t->y = t->x + t->batch * item;
    t->dy = t->y + t->batch * t->classes;
    return ECC_OK;
}

static void release(struct training *t)
{
    ecc_loader_free(t->loader);
    ecc_net_free(t->net);
    free(t->items);
    free(t->x);
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* Of the mean cross-entropy by y: softmax minus one for the class itself, over the batch. */
static void entropy_gradient(struct training *t, const uint32_t *items)
{
    const size_t classes = t->classes;
    for (size_t i = 0; i < t->batch; i++) {
        const float *const y = t->y + i * classes;
        float *const dy = t->dy + i * classes, most = y[0], sum = 0;
        for (size_t k = 1; k < classes; k++) most = y[k] > most ? y[k] : most;
        for (size_t k = 0; k < classes; k++) {
            dy[k] = expf(y[k] - most);
            sum += dy[k];
        }
        for (size_t k = 0; k < classes; k++) dy[k] /= sum * (float)t->batch;
        dy[t->data->labels[items[i]]] -= 1 / (float)t->batch;
    }
}

static enum ecc_status step(struct training *t, size_t number, size_t total,
                            struct ecc_error *error)
{
    const float *x, *z, *dz;
    const uint32_t *items;
    ECC_TRY(ecc_loader_next(t->loader, &x, &items, error));
    ECC_TRY(ecc_net_encode(t->net, &z, x, t->batch, true, error));
    ECC_TRY(ecc_net_decode(t->net, t->y, z, t->batch, true, error));
    entropy_gradient(t, items);
    ECC_TRY(ecc_net_output_gradient(t->net, t->dy, error));
    ECC_TRY(ecc_net_decode_back(t->net, &dz, error));
    ECC_TRY(ecc_net_encode_back(t->net, dz, error));
    const double half_turn = 3.14159265358979 * (double)number / (double)total;
    const double warm = fmin(1, (double)(number + 1) / WARM_UP);
    const struct ecc_adam adam = {.rate = top_rate * warm * 0.5 * (1 + cos(half_turn)),
                                  .decay = decay,
                                  .beta1 = 0.9,
                                  .beta2 = 0.999,
                                  .epsilon = 1e-8,
                                  .step = number + 1};
    return ecc_net_update(t->net, &adam, error);
}

static enum ecc_status learn(struct training *t, const struct ecc_watch *watch,
                             struct ecc_error *error)
{
    const size_t per_epoch = ecc_loader_batches_per_epoch(t->loader);
    const size_t total = per_epoch * epochs_for(t->count - t->held);
    ECC_TRY(ecc_loader_start(t->loader, 0, error));
    for (size_t i = 0; i < total; i++) {
        ECC_TRY(step(t, i, total, error));
        const struct ecc_work work = {"classifier", "steps", i + 1, total, NULL};
        ECC_TRY(ecc_watch_work(watch, &work, error));
    }
    return ECC_OK;
}

/* ---- Accuracy ------------------------------------------------------------------------------- */

static size_t largest(const float *y, size_t count)
{
    size_t best = 0;
    for (size_t k = 1; k < count; k++) {
        if (y[k] > y[best]) best = k;
    }
    return best;
}

/* The share of the held-out items that are classified correctly. */
static enum ecc_status measure(struct training *t, double *accuracy, struct ecc_error *error)
{
    size_t right = 0;
    const float *z;
    for (size_t done = 0; done < t->held; done += t->batch) {
        const size_t n = t->held - done < t->batch ? t->held - done : t->batch;
        ECC_TRY(ecc_dataset_read(t->data, t->x, t->items + done, n, error));
        ECC_TRY(ecc_net_encode(t->net, &z, t->x, n, false, error));
        ECC_TRY(ecc_net_decode(t->net, t->y, z, n, false, error));
        for (size_t i = 0; i < n; i++) {
            const size_t class = largest(t->y + i * t->classes, t->classes);
            right += class == (size_t)t->data->labels[t->items[done + i]];
        }
    }
    *accuracy = (double)right / (double)t->held;
    return ECC_OK;
}

enum ecc_status ecc_classifier_train(struct ecc_classifier *c, float *flat,
                                     struct ecc_dataset *data, int threads,
                                     const struct ecc_watch *watch, struct ecc_error *error)
{
    struct training t = {.data = data, .classes = c->classes};
    enum ecc_status status = set_up(&t, c->spec, threads, error);
    if (status == ECC_OK) status = learn(&t, watch, error);
    if (status == ECC_OK) status = measure(&t, &c->accuracy, error);
    if (status == ECC_OK) {
        c->trained = t.count - t.held;
        c->held_out = t.held;
        ecc_net_export(t.net, flat);
    }
    release(&t);
    return status;
}
