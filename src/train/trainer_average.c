/*
 * trainer_average.c: puts the averaged model in place of the one in training, and takes it out
 * again.
 *
 * Averaged weights produce different activations than the weights that went into them, so the
 * statistics of batch norm are measured again, over batches spread evenly over the items.
 */
#include "nn/post.h"
#include "train/trainer_internal.h"

#include <stdlib.h>
#include <string.h>

void ecc_trainer_average(struct ecc_trainer *t)
{
    struct ecc_average *const a = &t->average;
    if (a->share <= 0 || t->step % ECC_AVERAGE_STEPS != 0) return;
    ecc_net_export(t->net, a->work);
    ecc_average_add(a, a->work);
}

/* Statistics of one batch: what a step leaves when they start from zero. */
static enum ecc_status measure_batch(struct ecc_trainer *t, float *x, uint32_t *items, size_t batch,
                                     struct ecc_error *error)
{
    const size_t n = t->options.batch;
    for (size_t i = 0; i < n; i++) {
        items[i] =
            t->items[(i * ECC_AVERAGE_BATCHES + batch) * t->item_count / (n * ECC_AVERAGE_BATCHES)];
    }
    ECC_TRY(ecc_dataset_read(t->data, x, items, n, error));
    size_t count;
    float *const statistics = ecc_net_statistics(t->net, &count);
    memset(statistics, 0, count * sizeof *statistics);
    const float *outputs;
    ECC_TRY(ecc_net_encode(t->net, &outputs, x, n, true, error));
    ecc_regularizer_means(&t->regularizer, t->z, outputs, n);
    return ecc_net_decode(t->net, NULL, t->z, n, true, error);
}

static enum ecc_status measure(struct ecc_trainer *t, double *sums, struct ecc_error *error)
{
    const size_t n = t->options.batch;
    float *const x = malloc(n * ecc_shape_size(t->data->shape) * sizeof *x);
    uint32_t *const items = malloc(n * sizeof *items);
    enum ecc_status status = x && items ? ECC_OK : ecc_fail_memory(error, "a batch");
    size_t count;
    float *const statistics = ecc_net_statistics(t->net, &count);
    for (size_t b = 0; status == ECC_OK && b < ECC_AVERAGE_BATCHES; b++) {
        status = measure_batch(t, x, items, b, error);
        for (size_t k = 0; k < count; k++) sums[k] += (double)statistics[k];
    }
    for (size_t k = 0; k < count; k++) {
        statistics[k] = (float)(sums[k] / (ECC_AVERAGE_BATCHES * ECC_NORM_MOMENTUM));
    }
    free(items);
    free(x);
    return status;
}

enum ecc_status ecc_trainer_show_average(struct ecc_trainer *t, struct ecc_error *error)
{
    struct ecc_average *const a = &t->average;
    if (a->looks == 0 || t->showing) return ECC_OK;
    size_t count;
    ecc_net_statistics(t->net, &count);
    double *const sums = calloc(count + 1, sizeof *sums);
    if (!sums) return ecc_fail_memory(error, "batch norm's statistics");
    ecc_net_export(t->net, a->work);
    ecc_net_import(t->net, a->mean);
    t->showing = true;
    enum ecc_status status = ecc_trainer_share_norms(t, false, error);
    if (status == ECC_OK) status = measure(t, sums, error);
    if (status == ECC_OK) status = ecc_trainer_share_norms(t, true, error);
    free(sums);
    return status;
}

void ecc_trainer_hide_average(struct ecc_trainer *t)
{
    if (!t->showing) return;
    ecc_net_import(t->net, t->average.work);
    t->showing = false;
}
