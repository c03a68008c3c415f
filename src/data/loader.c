/* loader.c: a thread that reads the next batch while the last one is being used. */
#include "data/loader.h"

#include "base/rng.h"
#include "base/streams.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct slot {
    float *x;        /* [batch, c, h, w] */
    uint32_t *items; /* [batch] */
    bool full;
};

struct ecc_loader {
    struct ecc_dataset *data;
    uint32_t *items; /* [count], or NULL: 0 .. count - 1 */
    uint32_t *order; /* [count] of the epoch `order_epoch`; NULL: once, in order */
    size_t count, batch;
    uint64_t seed, order_epoch;
    size_t rank, size; /* of the processes that share the batches */

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
    return loader->count / (loader->batch * loader->size);
}

void ecc_loader_share(struct ecc_loader *loader, size_t rank, size_t size)
{
    loader->rank = rank;
    loader->size = size;
}

/* ---- The thread ----------------------------------------------------------------------------- */

/* The next items in order; returns how many there are, 0 at the end. */
static size_t next_items(const struct ecc_loader *loader, uint32_t *items, uint64_t step)
{
    const uint64_t first = step * loader->batch;
    const uint64_t left = first < loader->count ? loader->count - first : 0;
    const size_t n = left < loader->batch ? (size_t)left : loader->batch;
    for (size_t i = 0; i < n; i++) {
        items[i] = loader->items ? loader->items[first + i] : (uint32_t)(first + i);
    }
    return n;
}

/* The items of batch `step` of a training, which depend on (seed, step) alone. */
static size_t draw_items(struct ecc_loader *loader, uint32_t *items, uint64_t step)
{
    const uint64_t per_epoch = ecc_loader_batches_per_epoch(loader), epoch = step / per_epoch;
    if (epoch != loader->order_epoch) {
        ecc_rng_permutation(loader->order, loader->count, loader->seed, ECC_STREAM_ORDER + epoch);
        loader->order_epoch = epoch;
    }
    const uint64_t batch = (step % per_epoch) * loader->size + loader->rank;
    const uint32_t *const order = loader->order + batch * loader->batch;
    for (size_t i = 0; i < loader->batch; i++) {
        items[i] = loader->items[order[i]];
    }
    return loader->batch;
}

static enum ecc_status fill(struct ecc_loader *loader, struct slot *slot, struct ecc_error *error)
{
    const size_t n = loader->order ? draw_items(loader, slot->items, loader->step)
                                   : next_items(loader, slot->items, loader->step);
    if (n == 0) return ecc_fail(error, ECC_BAD_ARGUMENT, "there are no more batches to read");
    return ecc_dataset_read(loader->data, slot->x, slot->items, n, error);
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
        /* only this thread touches the slot while it is not full, and only it changes `step` */
        struct slot *const slot = &loader->slots[loader->step % 2];
        struct ecc_error error = {0};
        status = fill(loader, slot, &error);
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

/* Memory for the numbers of the items, and for two batches. */
static enum ecc_status allocate(struct ecc_loader *loader, const uint32_t *items, bool shuffled,
                                struct ecc_error *error)
{
    size_t floats;
    if (__builtin_mul_overflow(loader->batch, ecc_shape_size(loader->data->shape), &floats) ||
        floats > SIZE_MAX / sizeof(float)) {
        return ecc_fail_memory(error, "a batch");
    }
    const size_t bytes = loader->count * sizeof *items;
    if (items) loader->items = malloc(bytes);
    if (shuffled) loader->order = malloc(bytes);
    bool complete = (!items || loader->items) && (!shuffled || loader->order);
    for (int i = 0; i < 2; i++) {
        loader->slots[i].x = malloc(floats * sizeof(float));
        loader->slots[i].items = malloc(loader->batch * sizeof(uint32_t));
        complete = complete && loader->slots[i].x && loader->slots[i].items;
    }
    if (!complete) return ecc_fail_memory(error, "batches");
    if (items) memcpy(loader->items, items, bytes);
    return ECC_OK;
}

static enum ecc_status create(struct ecc_loader **out, struct ecc_loader start,
                              const uint32_t *items, bool shuffled, struct ecc_error *error)
{
    *out = NULL;
    if (start.batch == 0 || start.count < start.batch) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "cannot make a batch of %zu from %zu items",
                        start.batch, start.count);
    }
    struct ecc_loader *const loader = malloc(sizeof *loader);
    if (!loader) return ecc_fail_memory(error, "a loader");
    *loader = start;
    loader->order_epoch = UINT64_MAX;
    loader->size = 1;
    pthread_mutex_init(&loader->lock, NULL);
    pthread_cond_init(&loader->changed, NULL);
    const enum ecc_status status = allocate(loader, items, shuffled, error);
    if (status != ECC_OK) {
        ecc_loader_free(loader);
        return status;
    }
    *out = loader;
    return ECC_OK;
}

enum ecc_status ecc_loader_create(struct ecc_loader **loader, struct ecc_dataset *data,
                                  const uint32_t *items, size_t count, size_t batch, uint64_t seed,
                                  struct ecc_error *error)
{
    const struct ecc_loader start = {.data = data, .count = count, .batch = batch, .seed = seed};
    return create(loader, start, items, true, error);
}

enum ecc_status ecc_loader_create_once(struct ecc_loader **loader, struct ecc_dataset *data,
                                       const uint32_t *items, size_t count, size_t batch,
                                       struct ecc_error *error)
{
    const struct ecc_loader start = {
        .data = data, .count = count, .batch = batch < count ? batch : count};
    return create(loader, start, items, false, error);
}

enum ecc_status ecc_loader_start(struct ecc_loader *loader, uint64_t step, struct ecc_error *error)
{
    stop_thread(loader);
    loader->stop = loader->lent = false;
    loader->slots[0].full = loader->slots[1].full = false;
    loader->status = ECC_OK;
    loader->step = loader->taken = step;
    /* the caller's threads handle signals: Ctrl-C must not end up here */
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
    if (loader->lent) { /* the caller is done with the previous batch */
        loader->slots[(loader->taken + 1) % 2].full = false;
        loader->lent = false;
        pthread_cond_broadcast(&loader->changed);
    }
    while (!slot->full && loader->status == ECC_OK) {
        pthread_cond_wait(&loader->changed, &loader->lock);
    }
    enum ecc_status status = ECC_OK;
    if (slot->full) { /* a batch that was read before the error is still valid */
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
