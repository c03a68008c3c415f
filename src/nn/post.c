/*
 * post.c: batch norm, bias and activation after a linear layer.
 *
 * Sums over a batch are taken item by item, then over the items in order: the result does not
 * depend on the number of threads.
 */
#include "nn/post.h"
#include "nn/post_kernels.h"

#include <math.h>
#include <string.h>

void ecc_post_fold(struct ecc_post *post, const struct ecc_map *map)
{
    const size_t channels = ecc_map_channels(map);
    for (size_t c = 0; c < channels; c++) {
        const float bias = post->has_bias ? post->bias[c] : 0;
        if (post->norm) {
            const double inverse = 1 / sqrt((double)post->running_variance[c] + ECC_NORM_EPSILON);
            post->scale[c] = (float)((double)post->gamma[c] * inverse);
            post->shift[c] = post->beta[c] + (bias - post->running_mean[c]) * post->scale[c];
        } else {
            post->scale[c] = 1;
            post->shift[c] = bias;
        }
    }
}

/* ---- Statistics ----------------------------------------------------------------------------- */

/* Means and squared deviations of items become those of the batch (Chan's formula). */
static struct ecc_post_moments measure(const struct ecc_post_batch *batch, size_t c)
{
    const size_t n = batch->n, channels = ecc_map_channels(batch->map);
    const float *const means = batch->partial + c, *const squares = means + n * channels;
    double sum = 0, within = 0, between = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)means[i * channels];
        within += (double)squares[i * channels];
    }
    const double mean = sum / (double)n, pixels = (double)batch->map->pixels;
    for (size_t i = 0; i < n; i++) {
        const double off = (double)means[i * channels] - mean;
        between += off * off;
    }
    return (struct ecc_post_moments){mean, within + pixels * between};
}

/* Those of a channel, over `count` numbers. */
static void normalize(struct ecc_post *post, size_t c, struct ecc_post_moments moments,
                      double count)
{
    const double mean = moments.mean, deviations = moments.deviations;
    const double variance = deviations / count;
    const double unbiased = count > 1 ? deviations / (count - 1) : variance;
    const double inverse = 1 / sqrt(variance + ECC_NORM_EPSILON);
    const double bias = post->has_bias ? (double)post->bias[c] : 0;
    const double keep = 1 - ECC_NORM_MOMENTUM;
    post->mean[c] = (float)mean;
    post->inverse[c] = (float)inverse;
    post->scale[c] = (float)((double)post->gamma[c] * inverse);
    post->shift[c] = (float)((double)post->beta[c] - mean * (double)post->gamma[c] * inverse);
    post->running_mean[c] =
        (float)(keep * (double)post->running_mean[c] + ECC_NORM_MOMENTUM * (mean + bias));
    post->running_variance[c] =
        (float)(keep * (double)post->running_variance[c] + ECC_NORM_MOMENTUM * unbiased);
}

void ecc_post_sum(const struct ecc_post_batch *batch, const float *u, size_t item)
{
    const struct ecc_map *const map = batch->map;
    const size_t channels = ecc_map_channels(map);
    float *const means = batch->partial + item * channels;
    ecc_kernel_statistics(means, means + batch->n * channels, u + item * map->item, map->pixels,
                          map->blocks, map->block);
}

static double numbers(const struct ecc_post_batch *batch)
{
    return (double)batch->n * (double)batch->map->pixels;
}

void ecc_post_statistics(struct ecc_post *post, const struct ecc_post_batch *batch)
{
    for (size_t c = 0; c < batch->map->shape.channels; c++) {
        normalize(post, c, measure(batch, c), numbers(batch));
    }
}

void ecc_post_measure(struct ecc_post_moments *moments, const struct ecc_post_batch *batch)
{
    for (size_t c = 0; c < batch->map->shape.channels; c++) moments[c] = measure(batch, c);
}

void ecc_post_pool(struct ecc_post *post, const struct ecc_post_batch *batch,
                   const struct ecc_post_moments *all, size_t size)
{
    const size_t channels = batch->map->shape.channels;
    for (size_t c = 0; c < channels; c++) {
        struct ecc_post_moments pooled = {0};
        for (size_t k = 0; k < size; k++) pooled.mean += all[k * channels + c].mean;
        pooled.mean /= (double)size;
        for (size_t k = 0; k < size; k++) {
            const double off = all[k * channels + c].mean - pooled.mean;
            pooled.deviations += all[k * channels + c].deviations + numbers(batch) * off * off;
        }
        normalize(post, c, pooled, (double)size * numbers(batch));
    }
}

/* ---- Forward -------------------------------------------------------------------------------- */

static void sigmoid_item(float *y, const struct ecc_map *map)
{
    if (map->block == 1) {
        ecc_kernel_sigmoid(y, map->item);
        return;
    }
    for (size_t c = 0; c < map->shape.channels; c++) {
        float *const start = y + ecc_map_offset(map, c, 0);
        for (size_t p = 0; p < map->pixels; p++) {
            float *const at = start + p * map->block;
            *at = 1 / (1 + expf(-*at));
        }
    }
}

void ecc_post_apply(const struct ecc_post *post, const struct ecc_post_batch *batch, float *y,
                    const float *u, size_t item)
{
    const struct ecc_map *const map = batch->map;
    const size_t at = item * map->item;
    ecc_kernel_affine(y + at, u + at, post->scale, post->shift, post->slope, map->pixels,
                      map->blocks, map->block);
    if (post->sigmoid) sigmoid_item(y + at, map);
}

/* ---- Backward ------------------------------------------------------------------------------- */

static void sigmoid_back_item(float *dy, const float *y, size_t count)
{
    for (size_t k = 0; k < count; k++) dy[k] *= y[k] * (1 - y[k]);
}

/* Sums of g and of g * normalised u, where g is the gradient before the activation. */
void ecc_post_sum_back(const struct ecc_post *post, const struct ecc_post_batch *batch, float *dy,
                       const float *u, const float *y, size_t item)
{
    const struct ecc_map *const map = batch->map;
    const size_t channels = ecc_map_channels(map), at = item * map->item;
    float *const sums = batch->partial + item * channels;
    if (post->sigmoid && !post->before_sigmoid) sigmoid_back_item(dy + at, y + at, map->item);
    ecc_kernel_sums(sums, sums + batch->n * channels, dy + at, u + at, post, map->pixels,
                    map->blocks, map->block);
}

static double sum_over_items(const float *partial, size_t n, size_t channels)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)partial[i * channels];
    return sum;
}

void ecc_post_gradients(struct ecc_post *post, const struct ecc_post_batch *batch)
{
    const size_t n = batch->n, channels = ecc_map_channels(batch->map);
    float *const dbeta = post->norm ? post->dbeta : post->dbias;
    for (size_t c = 0; c < batch->map->shape.channels; c++) {
        if (dbeta) dbeta[c] = (float)sum_over_items(batch->partial + c, n, channels);
        if (!post->norm) continue;
        post->dgamma[c] = (float)sum_over_items(batch->partial + n * channels + c, n, channels);
        if (post->has_bias) post->dbias[c] = 0;
    }
}

bool ecc_post_changes_gradient(const struct ecc_post *post)
{
    return post->norm || post->slope != 1;
}

void ecc_post_back(const struct ecc_post *post, const struct ecc_post_batch *batch, float *dy,
                   const float *u, size_t item)
{
    const struct ecc_map *const map = batch->map;
    const size_t at = item * map->item;
    const float share = (float)(1 / ((double)batch->n * (double)map->pixels));
    ecc_kernel_back(dy + at, u + at, post, share, map->pixels, map->blocks, map->block);
}
