/*
 * norm_share.c: batch norm over the batches of several processes.
 *
 * Forward, the processes share mean and squared deviations of each channel; backward, the gradients
 * of gamma and beta, whose means over the processes take the place of each one's own.  Since each
 * process has the gradient of the mean over its own batch, this is what one process with the whole
 * batch would have, times the number of processes: the mean of all gradients is that of the whole
 * batch.
 */
#include "nn/plan.h"

#include <stdlib.h>

enum ecc_status ecc_net_share_norms(struct ecc_net *net, const struct ecc_norm_share *share,
                                    struct ecc_error *error)
{
    if (!share || share->size < 2) {
        net->share.size = 0;
        return ECC_OK;
    }
    if (!net->shared) {
        net->shared = calloc(share->size * net->widest, sizeof *net->shared);
        if (!net->shared) return ecc_fail_memory(error, "the batch norm of several processes");
    }
    net->share = *share;
    return ECC_OK;
}

enum ecc_status ecc_norm_statistics(struct ecc_net *net, struct ecc_post *post,
                                    const struct ecc_post_batch *batch, struct ecc_error *error)
{
    const struct ecc_norm_share *const share = &net->share;
    if (share->size < 2) {
        ecc_post_statistics(post, batch);
        return ECC_OK;
    }
    const size_t channels = batch->map->shape.channels;
    ecc_post_measure(net->shared + share->rank * channels, batch);
    ECC_TRY(share->collect(share->context, net->shared, channels * sizeof *net->shared, error));
    ecc_post_pool(post, batch, net->shared, share->size);
    return ECC_OK;
}

enum ecc_status ecc_norm_gradients(struct ecc_net *net, struct ecc_post *post,
                                   const struct ecc_post_batch *batch, struct ecc_error *error)
{
    const struct ecc_norm_share *const share = &net->share;
    ecc_post_gradients(post, batch);
    if (share->size < 2 || !post->norm) return ECC_OK;
    const size_t channels = batch->map->shape.channels;
    struct ecc_post_moments *const own = net->shared + share->rank * channels;
    for (size_t c = 0; c < channels; c++) {
        own[c] = (struct ecc_post_moments){(double)post->dbeta[c], (double)post->dgamma[c]};
    }
    ECC_TRY(share->collect(share->context, net->shared, channels * sizeof *net->shared, error));
    for (size_t c = 0; c < channels; c++) {
        double dbeta = 0, dgamma = 0;
        for (size_t k = 0; k < share->size; k++) {
            dbeta += net->shared[k * channels + c].mean;
            dgamma += net->shared[k * channels + c].deviations;
        }
        post->dbeta[c] = (float)(dbeta / (double)share->size);
        post->dgamma[c] = (float)(dgamma / (double)share->size);
    }
    return ECC_OK;
}

/* Of one stage; the running means differ by momentum times what the batches' means differ by. */
static void pool_stage(const struct ecc_net *net, struct ecc_post *post, size_t channels,
                       const float *all, size_t size)
{
    const float *const means = all + (post->running_mean - net->running);
    const float *const variances = all + (post->running_variance - net->running);
    for (size_t c = 0; c < channels; c++) {
        double mean = 0, variance = 0, spread = 0;
        for (size_t k = 0; k < size; k++) {
            mean += (double)means[k * net->running_count + c];
            variance += (double)variances[k * net->running_count + c];
        }
        mean /= (double)size;
        for (size_t k = 0; k < size; k++) {
            const double off = (double)means[k * net->running_count + c] - mean;
            spread += off * off;
        }
        post->running_mean[c] = (float)mean;
        post->running_variance[c] = (float)((variance + spread / ECC_NORM_MOMENTUM) / (double)size);
    }
}

void ecc_net_pool_statistics(struct ecc_net *net, const float *all, size_t size)
{
    const struct ecc_part *const parts[] = {&net->encoder, &net->decoder};
    for (size_t p = 0; p < 2; p++) {
        for (size_t i = 0; i < parts[p]->count; i++) {
            struct ecc_stage *const stage = &parts[p]->stages[i];
            if (!stage->post.norm) continue;
            pool_stage(net, &stage->post, stage->out.shape.channels, all, size);
        }
    }
}
