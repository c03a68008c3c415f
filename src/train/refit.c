/*
 * refit.c: trains once more from the start, on all items, for as many steps as were best on the
 * validation items.
 *
 * Of few items, a fifth kept aside is missed.  It is needed only to learn how long to train.  The
 * second training goes on in the same run: the step counts on, and what a step depends on besides
 * follows from `refit`, which is part of the checkpoint.
 */
#include "train/trainer_internal.h"

#include <math.h>
#include <string.h>

bool ecc_trainer_refit_due(const struct ecc_trainer *t)
{
    return t->options.keep == ECC_KEEP_REFIT && t->refit.begun == 0 && t->best.items > 0;
}

enum ecc_status ecc_trainer_join_items(struct ecc_trainer *t, struct ecc_error *error)
{
    t->item_count = t->data->count;
    t->validation_count = 0;
    t->best.items = 0;
    t->schedule.total = t->refit.total - t->refit.from;
    ecc_loader_free(t->loader);
    t->loader = NULL;
    ECC_TRY(ecc_loader_create(&t->loader, t->data, t->items, t->item_count, t->options.batch,
                              t->options.seed, error));
    ecc_loader_share(t->loader, (size_t)t->team->rank, (size_t)t->team->size);
    t->batches_per_epoch = ecc_loader_batches_per_epoch(t->loader);
    return ECC_OK;
}

/* As a step finds it at the start of a training; a steered lambda stays. */
static void forget(struct ecc_trainer *t)
{
    const size_t size = ecc_net_flat_size(t->net), d = t->moments.d;
    memset(t->saved_first, 0, size * sizeof *t->saved_first);
    memset(t->saved_second, 0, size * sizeof *t->saved_second);
    ecc_net_import_adam(t->net, t->saved_first, t->saved_second);
    if (t->average.share > 0) memset(t->average.mean, 0, size * sizeof *t->average.mean);
    t->average.looks = 0;
    if (t->regularizer.entry->reset) t->regularizer.entry->reset(t->regularizer.state);
    memset(t->moments.state, 0, d * (d + 1) * sizeof *t->moments.state);
    t->moments.weight = t->moments.weight_squares = 0;
    t->sums = (struct ecc_train_sums){0};
    t->loss_average = 0;
    t->eccentricity = t->trace = NAN;
}

enum ecc_status ecc_trainer_refit(struct ecc_trainer *t, struct ecc_error *error)
{
    ecc_trainer_hide_average(t);
    ecc_trainer_show_best(t);
    ECC_TRY(ecc_trainer_compare_aside(t, &t->refit.before, error));
    t->showing = false; /* what the net held is not needed again */
    t->refit.begun = 1;
    t->refit.items = t->refit.before.items;
    t->refit.from = t->step;
    t->refit.total = t->step + t->best.step;
    t->refit.epochs = (double)t->step / (double)t->batches_per_epoch;
    ECC_TRY(ecc_trainer_join_items(t, error));
    forget(t);
    ecc_net_initialize(t->net, t->options.seed);
    ECC_TRY(ecc_trainer_start_weights(t, error));
    return ecc_loader_start(t->loader, 0, error);
}
