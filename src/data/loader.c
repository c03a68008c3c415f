/* loader.c: a thread that reads the next batch while the last one is being used. */
#include "data/loader.h"

#include "base/rng.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* The order of an epoch has random numbers of its own; the epoch's number is added. */
static const uint64_t order_stream = UINT64_C(0x6f72646572) << 24;

struct slot {
    float *x;        /* [batch, c, h, w] */
    uint32_t *items; /* [batch] */
    bool full;
};

struct ecc_loader {
    struct ecc_dataset *data;
    uint32_t *items; /* [count] */
    uint32_t *order; /* [count] of the epoch `order_epoch`; the thread's own */
    size_t count, batch;
    uint64_t seed, order_epoch;

    pthread_t thread;
    bool running;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t changed;
    bool stop;
    bool lent;              /* the caller holds slots[taken % 2 ^ 1], the one before `taken` */
    uint64_t step;          /* the next batch that the thread reads */
    uint64_t taken;         /* the next batch that the caller gets */
    struct slot slots[2];   /* batch k lies in slots[k % 2] */
    enum ecc_status status; /* not ECC_OK: the thread ended with this error */
    struct ecc_error error;
};

size_t ecc_loader_batches_per_epoch(const struct ecc_loader *loader)
{
    return loader->count / loader->batch;
}

/* ---- The thread ----------------------------------------------------------------------------- */

/* The items of batch `step`, which depend on (seed, step) alone. */
static void choose_items(struct ecc_loader *loader, uint32_t *items, uint64_t step)
{
    const uint64_t per_epoch = ecc_loader_batches_per_epoch(loader), epoch = step / per_epoch;
    if (epoch != loader->order_epoch) {
        ecc_rng_permutation(loader->order, loader->count, loader->seed, order_stream + epoch);
        loader->order_epoch = epoch;
    }
    const uint32_t *const order = loader->order + (step % per_epoch) * loader->batch;
    for (size_t i = 0; i < loader->batch; i++) {
        items[i] = loader->items[order[i]];
    }
}

/* Waits until the slot for the next batch is free; false when it is time to stop. */
static bool wait_for_room(struct ecc_loader *loader)
{
    pthread_mutex_lock(&loader->lock);
    while (!loader->stop && loader->slots[loader->step % 2].full) {
        pthread_cond_wait(&loader->changed, &loader->lock);
    }
    const bool go = !loader->stop;
    pthread_mutex_unlock(&loader->lock);
    return go;
}

static void *read_batches(void *argument)
{
    struct ecc_loader *const loader = argument;
    enum ecc_status status = ECC_OK;
    while (status == ECC_OK && wait_for_room(loader)) {
        /* nobody else touches this slot while it is not full, nor `step` ever */
        struct slot *const slot = &loader->slots[loader->step % 2];
        struct ecc_error error = {0};
        choose_items(loader, slot->items, loader->step);
        status = ecc_dataset_read(loader->data, slot->x, slot->items, loader->batch, &error);
        pthread_mutex_lock(&loader->lock);
        slot->full = status == ECC_OK;
        loader->status = status;
        loader->error = error;
        loader->step++;
        pthread_cond_broadcast(&loader->changed);
        pthread_mutex_unlock(&loader->lock);
    }
    return NULL;
}

static void stop_thread(struct ecc_loader *loader)
{
    if (!loader->running) return;
    pthread_mutex_lock(&loader->lock);
    loader->stop = true;
    pthread_cond_broadcast(&loader->changed);
    pthread_mutex_unlock(&loader->lock);
    pthread_join(loader->thread, NULL);
    loader->running = false;
}

/* ---- The caller's side ---------------------------------------------------------------------- */

static enum ecc_status allocate(struct ecc_loader *loader, const uint32_t *items,
                                struct ecc_error *error)
{
    size_t floats;
    if (__builtin_mul_overflow(loader->batch, ecc_shape_size(loader->data->shape), &floats) ||
        floats > SIZE_MAX / sizeof(float)) {
        return ecc_fail_memory(error, "a batch");
    }
    loader->items = malloc(loader->count * sizeof *loader->items);
    loader->order = malloc(loader->count * sizeof *loader->order);
    bool complete = loader->items && loader->order;
    for (int i = 0; i < 2; i++) {
        loader->slots[i].x = malloc(floats * sizeof(float));
        loader->slots[i].items = malloc(loader->batch * sizeof(uint32_t));
        complete = complete && loader->slots[i].x && loader->slots[i].items;
    }
    if (!complete) return ecc_fail_memory(error, "batches");
    memcpy(loader->items, items, loader->count * sizeof *items);
    return ECC_OK;
}

enum ecc_status ecc_loader_create(struct ecc_loader **out, struct ecc_dataset *data,
                                  const uint32_t *items, size_t count, size_t batch, uint64_t seed,
                                  struct ecc_error *error)
{
    *out = NULL;
    if (batch == 0 || count < batch) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "a batch of %zu cannot be made of %zu items",
                        batch, count);
    }
    struct ecc_loader *const loader = calloc(1, sizeof *loader);
    if (!loader) return ecc_fail_memory(error, "a loader");
    loader->data = data;
    loader->count = count;
    loader->batch = batch;
    loader->seed = seed;
    loader->order_epoch = UINT64_MAX;
    pthread_mutex_init(&loader->lock, NULL);
    pthread_cond_init(&loader->changed, NULL);
    const enum ecc_status status = allocate(loader, items, error);
    if (status != ECC_OK) {
        ecc_loader_free(loader);
        return status;
    }
    *out = loader;
    return ECC_OK;
}

enum ecc_status ecc_loader_start(struct ecc_loader *loader, uint64_t step, struct ecc_error *error)
{
    stop_thread(loader);
    loader->stop = loader->lent = false;
    loader->slots[0].full = loader->slots[1].full = false;
    loader->status = ECC_OK;
    loader->step = loader->taken = step;
    /* signals are for the caller's threads: Ctrl-C must not end up here */
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    const int failed = pthread_create(&loader->thread, NULL, read_batches, loader);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        return ecc_fail(error, ECC_NO_MEMORY, "cannot start the thread that reads the data");
    }
    loader->running = true;
    return ECC_OK;
}

enum ecc_status ecc_loader_next(struct ecc_loader *loader, const float **x, const uint32_t **items,
                                struct ecc_error *error)
{
    if (!loader->running) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the loader was not started");
    }
    struct slot *const slot = &loader->slots[loader->taken % 2];
    pthread_mutex_lock(&loader->lock);
    if (loader->lent) { /* the caller is done with the batch before */
        loader->slots[(loader->taken + 1) % 2].full = false;
        loader->lent = false;
        pthread_cond_broadcast(&loader->changed);
    }
    while (!slot->full && loader->status == ECC_OK) {
        pthread_cond_wait(&loader->changed, &loader->lock);
    }
    enum ecc_status status = ECC_OK;
    if (slot->full) { /* a batch that was read before the error is still good */
        *x = slot->x;
        *items = slot->items;
        loader->taken++;
        loader->lent = true;
    } else {
        status = loader->status;
        if (error) *error = loader->error;
    }
    pthread_mutex_unlock(&loader->lock);
    return status;
}

void ecc_loader_free(struct ecc_loader *loader)
{
    if (!loader) return;
    stop_thread(loader);
    for (int i = 0; i < 2; i++) {
        free(loader->slots[i].x);
        free(loader->slots[i].items);
    }
    free(loader->items);
    free(loader->order);
    pthread_cond_destroy(&loader->changed);
    pthread_mutex_destroy(&loader->lock);
    free(loader);
}
