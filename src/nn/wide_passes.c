/*
 * wide_passes.c: the passes of a convolution with many channels, by tiles.
 *
 * A slab is some items of a batch.  All its tiles are transformed first: V, of the big image, and
 * S, of the small one (wide_kernels.h).  Then follow the products, point by point.  For each chunk
 * of channels the weights are transformed when they are needed, into the second-level cache:
 * writing all of them to memory and reading them back, six times as many as there are weights,
 * would take longer than making them again.
 */
#include "nn/wide_passes.h"

#include <omp.h>
#include <string.h>

/* Floats more between points, so that they do not share a cache set. */
enum { LINE = 16, CHUNK = ECC_WIDE_CHUNK };

/* A slab at work, as one thread sees it. */
struct slab {
    const struct ecc_wide_shape *shape;
    const struct ecc_wide_run *run;
    size_t item, items, tiles; /* its first item, items, and tiles of these */
    size_t stride;             /* from a point of V and S to the next */
    float *v, *s;              /* [chunks, points][tiles, width of the chunk] */
    float *u, *m;              /* the thread's: transformed weights, and products */
    size_t u_stride, m_stride;
};

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

/* ---- Sizes ---------------------------------------------------------------------------------- */

size_t ecc_wide_weight_row(const struct ecc_wide_shape *shape)
{
    return shape->small_chunks > 1 ? CHUNK : shape->small_width;
}

static size_t weights_of_channel(const struct ecc_wide_shape *shape)
{
    return shape->kernels->taps * shape->kernels->taps * ecc_wide_weight_row(shape);
}

size_t ecc_wide_weights(const struct ecc_wide_shape *shape)
{
    return shape->phases * shape->small_chunks * shape->big_width * weights_of_channel(shape);
}

static size_t tile_stride(const struct ecc_wide_shape *shape)
{
    return shape->slab_items * shape->tiles * CHUNK + LINE;
}

static size_t product_stride(const struct ecc_wide_shape *shape)
{
    return (shape->group > shape->tiles ? shape->group : shape->tiles) * CHUNK + LINE;
}

enum { WEIGHT_STRIDE = CHUNK * CHUNK + LINE };

static size_t chunks_of_big(const struct ecc_wide_shape *shape)
{
    return shape->phases * shape->big_chunks;
}

size_t ecc_wide_scratch(const struct ecc_wide_shape *shape)
{
    const size_t chunks = chunks_of_big(shape) + shape->small_chunks;
    const size_t thread = WEIGHT_STRIDE + product_stride(shape);
    return shape->points * (chunks * tile_stride(shape) + (size_t)shape->request.threads * thread);
}

static struct slab slab_of(const struct ecc_wide_shape *shape, const struct ecc_wide_run *run,
                           size_t thread)
{
    struct slab slab = {.shape = shape, .run = run};
    slab.stride = tile_stride(shape);
    slab.u_stride = WEIGHT_STRIDE;
    slab.m_stride = product_stride(shape);
    slab.v = run->scratch;
    slab.s = slab.v + chunks_of_big(shape) * shape->points * slab.stride;
    slab.u = slab.s + shape->small_chunks * shape->points * slab.stride +
             thread * shape->points * (slab.u_stride + slab.m_stride);
    slab.m = slab.u + shape->points * slab.u_stride;
    return slab;
}

/* ---- Tiles in ------------------------------------------------------------------------------- */

static float *chunk_of(const struct slab *slab, float *tiles, size_t chunk)
{
    return tiles + chunk * slab->shape->points * slab->stride;
}

/* Blocks of channels that a chunk has, the last ones only to fill its vectors. */
struct blocks {
    size_t first, count, filled;
};

static struct blocks blocks_of(const struct ecc_map *map, size_t chunk, size_t width)
{
    const size_t first = chunk * CHUNK / map->block, filled = width / map->block;
    const size_t left = map->blocks - first;
    return (struct blocks){first, left < filled ? left : filled, filled};
}

static void clear_block(const struct slab *slab, float *to)
{
    for (size_t p = 0; p < slab->shape->points; p++) {
        memset(to + p * slab->stride, 0, slab->shape->kernels->lanes * sizeof *to);
    }
}

/* Tiles of an item in one chunk of the big image. */
static void read_big(const struct slab *slab, size_t chunk, size_t item)
{
    const struct ecc_wide_shape *const shape = slab->shape;
    const struct ecc_map *const map = &shape->request.big;
    const size_t in_phase = chunk % shape->big_chunks;
    const size_t width = ecc_wide_chunk(shape->big_width, in_phase), lanes = map->block;
    const struct blocks blocks = blocks_of(map, in_phase, width);
    const float *const image =
        slab->run->big + (slab->item + item) * map->item + blocks.first * map->pixels * lanes;
    float *to = chunk_of(slab, slab->v, chunk) + item * shape->tiles * width;
    for (size_t t = 0; t < shape->tiles; t++, to += width) {
        const struct ecc_wide_tile tile = ecc_wide_big_tile(shape, t, chunk / shape->big_chunks);
        for (size_t b = 0; b < blocks.count; b++) {
            shape->kernels->input(to + b * lanes, slab->stride, image + b * map->pixels * lanes,
                                  &tile);
        }
        for (size_t b = blocks.count; b < blocks.filled; b++) clear_block(slab, to + b * lanes);
    }
}

static void read_small(const struct slab *slab, size_t chunk, size_t item)
{
    const struct ecc_wide_shape *const shape = slab->shape;
    const struct ecc_map *const map = &shape->request.small;
    const size_t width = ecc_wide_chunk(shape->small_width, chunk), lanes = map->block;
    const struct blocks blocks = blocks_of(map, chunk, width);
    const float *const image =
        slab->run->small + (slab->item + item) * map->item + blocks.first * map->pixels * lanes;
    float *to = chunk_of(slab, slab->s, chunk) + item * shape->tiles * width;
    for (size_t t = 0; t < shape->tiles; t++, to += width) {
        const struct ecc_wide_tile tile = ecc_wide_small_tile(shape, t);
        for (size_t b = 0; b < blocks.count; b++) {
            shape->kernels->evaluate(to + b * lanes, slab->stride, image + b * map->pixels * lanes,
                                     &tile);
        }
        for (size_t b = blocks.count; b < blocks.filled; b++) clear_block(slab, to + b * lanes);
    }
}

/* ---- Weights -------------------------------------------------------------------------------- */

/* A chunk of the big image's channels with one of the small image's. */
struct pair {
    size_t big, small;             /* numbers of the chunks; big counts those of all phases */
    size_t big_width, small_width; /* their channels */
    size_t weights, size;          /* where the first weight of the pair is, and how many */
};

static struct pair pair_of(const struct ecc_wide_shape *shape, size_t big, size_t small)
{
    const size_t in_phase = big % shape->big_chunks, phase = big / shape->big_chunks;
    const size_t channel =
        (phase * shape->small_chunks + small) * shape->big_width + in_phase * CHUNK;
    const size_t width = ecc_wide_chunk(shape->big_width, in_phase);
    return (struct pair){.big = big,
                         .small = small,
                         .big_width = width,
                         .small_width = ecc_wide_chunk(shape->small_width, small),
                         .weights = channel * weights_of_channel(shape),
                         .size = width * weights_of_channel(shape)};
}

/* The pair whose weights are transformed next, with a size of 0 if there is none. */
static struct pair next_pair(const struct ecc_wide_shape *shape, size_t big, size_t small)
{
    if (big >= chunks_of_big(shape) || small >= shape->small_chunks) return (struct pair){0};
    return pair_of(shape, big, small);
}

/* u: [points][big, small] */
static void transform_gather(const struct slab *slab, const struct pair *pair)
{
    const struct ecc_wide_shape *const shape = slab->shape;
    const size_t lanes = shape->kernels->lanes;
    for (size_t b = 0; b < pair->big_width; b++) {
        const float *const w = slab->run->weights + pair->weights + b * weights_of_channel(shape);
        for (size_t s = 0; s < pair->small_width; s += lanes) {
            shape->kernels->kernel(slab->u + b * pair->small_width + s, slab->u_stride, w + s,
                                   ecc_wide_weight_row(shape));
        }
    }
}

/* Eight channels of the small image with one vector of the big one, turned round. */
static void transform_eight(const struct slab *slab, const struct pair *pair, size_t b, size_t s)
{
    const struct ecc_wide_shape *const shape = slab->shape;
    const size_t lanes = shape->kernels->lanes, taps = shape->kernels->taps * shape->kernels->taps;
    _Alignas(64) float turned[25 * 8 * 16]; /* [taps][8, lanes] */
    for (size_t k = 0; k < taps; k++) {
        for (size_t i = 0; i < lanes; i += 8) {
            const float *const w = slab->run->weights + pair->weights +
                                   (b + i) * weights_of_channel(shape) +
                                   k * ecc_wide_weight_row(shape) + s;
            ecc_wide_transpose(turned + k * 8 * lanes + i, lanes, w, weights_of_channel(shape));
        }
    }
    for (size_t i = 0; i < 8; i++) {
        shape->kernels->kernel(slab->u + (s + i) * pair->big_width + b, slab->u_stride,
                               turned + i * lanes, 8 * lanes);
    }
}

/* u: [points][small, big] */
static void transform_spread(const struct slab *slab, const struct pair *pair)
{
    const size_t lanes = slab->shape->kernels->lanes;
    for (size_t s = 0; s < pair->small_width; s += 8) {
        for (size_t b = 0; b < pair->big_width; b += lanes) transform_eight(slab, pair, b, s);
    }
}

/* Taps of a phase that lie outside the kernel: where the stride does not divide it. */
static void clear_taps(const struct slab *slab, const struct pair *pair, float *dw)
{
    const struct ecc_wide_shape *const shape = slab->shape;
    const size_t stride = shape->request.stride, kernel = shape->request.kernel;
    const size_t taps = shape->kernels->taps, phase = pair->big / shape->big_chunks;
    for (size_t i = 0; i < taps; i++) {
        for (size_t j = 0; j < taps && kernel % stride; j++) {
            if (i * stride + phase / stride < kernel && j * stride + phase % stride < kernel) {
                continue;
            }
            memset(dw + (i * taps + j) * ecc_wide_weight_row(shape), 0,
                   pair->small_width * sizeof *dw);
        }
    }
}

/* Gradient of a pair's weights; sums over 64 tiles each, since longer ones round more. */
static void sum_weights(const struct slab *slab, size_t big, size_t small)
{
    const struct ecc_wide_shape *const shape = slab->shape;
    const struct pair pair = pair_of(shape, big, small);
    struct ecc_wide_product product = {.rows = pair.big_width,
                                       .columns = pair.small_width,
                                       .a_row = 1,
                                       .a_step = pair.big_width,
                                       .b_row = pair.small_width,
                                       .c_row = pair.small_width};
    product.ahead[2] = slab->run->dweights + pair.weights;
    product.ahead_size[2] = pair.size / (shape->points * divide_up(slab->tiles, CHUNK));
    const float *v = chunk_of(slab, slab->v, big), *s = chunk_of(slab, slab->s, small);
    for (size_t p = 0; p < shape->points; p++, v += slab->stride, s += slab->stride) {
        for (size_t t = 0; t < slab->tiles; t += CHUNK) {
            const bool last = t + CHUNK >= slab->tiles;
            product.depth = last ? slab->tiles - t : CHUNK;
            product.add = t > 0;
            product.ahead[0] = v + (last ? slab->stride : (t + CHUNK) * pair.big_width);
            product.ahead[1] = s + (last ? slab->stride : (t + CHUNK) * pair.small_width);
            product.ahead_size[0] = product.depth * pair.big_width;
            product.ahead_size[1] = product.depth * pair.small_width;
            ecc_wide_multiply(slab->u + p * slab->u_stride, v + t * pair.big_width,
                              s + t * pair.small_width, &product);
            product.ahead[2] += product.ahead_size[2];
        }
    }
    for (size_t b = 0; b < pair.big_width; b++) {
        float *const dw = slab->run->dweights + pair.weights + b * weights_of_channel(shape);
        for (size_t i = 0; i < pair.small_width; i += shape->kernels->lanes) {
            shape->kernels->kernel_back(dw + i, ecc_wide_weight_row(shape),
                                        slab->u + b * pair.small_width + i, slab->u_stride,
                                        slab->item > 0);
        }
        clear_taps(slab, &pair, dw);
    }
}

/* ---- Products ------------------------------------------------------------------------------- */

/* m: [points][count, columns] = tiles from `first` on, of `depth` channels, times u (+ m).
 * Meanwhile the weights of the next pair come into the cache. */
static void multiply(const struct slab *slab, const float *tiles, size_t first, size_t count,
                     size_t depth, size_t columns, bool add, const struct pair *next)
{
    struct ecc_wide_product product = {.rows = count,
                                       .columns = columns,
                                       .depth = depth,
                                       .a_row = depth,
                                       .a_step = 1,
                                       .b_row = columns,
                                       .c_row = columns,
                                       .add = add};
    product.ahead_size[0] = count * depth;
    product.ahead_size[1] = next->size / slab->shape->points;
    for (size_t p = 0; p < slab->shape->points; p++) {
        const float *const at = tiles + p * slab->stride + first * depth;
        product.ahead[0] = at + slab->stride;
        product.ahead[1] = slab->run->weights + next->weights + p * product.ahead_size[1];
        ecc_wide_multiply(slab->m + p * slab->m_stride, at, slab->u + p * slab->u_stride, &product);
    }
}

static size_t groups_of(const struct slab *slab)
{
    return divide_up(slab->tiles, slab->shape->group);
}

/* A chunk of the small image's channels in a group of tiles. */
static void gather(const struct slab *slab, size_t small, size_t group)
{
    const struct ecc_wide_shape *const shape = slab->shape;
    const struct ecc_map *const map = &shape->request.small;
    const size_t first = group * shape->group, left = slab->tiles - first, lanes = map->block;
    const size_t count = left < shape->group ? left : shape->group;
    const size_t width = ecc_wide_chunk(shape->small_width, small);
    for (size_t big = 0; big < chunks_of_big(shape); big++) {
        const struct pair pair = pair_of(shape, big, small),
                          next = next_pair(shape, big + 1, small);
        transform_gather(slab, &pair);
        multiply(slab, chunk_of(slab, slab->v, big), first, count, pair.big_width, width, big > 0,
                 &next);
    }
    const struct blocks blocks = blocks_of(map, small, width);
    for (size_t t = 0; t < count; t++) {
        const size_t item = (first + t) / shape->tiles;
        const struct ecc_wide_tile tile = ecc_wide_small_tile(shape, (first + t) % shape->tiles);
        float *const image = slab->run->small_out + (slab->item + item) * map->item;
        for (size_t b = 0; b < blocks.count; b++) {
            shape->kernels->collect(image + (blocks.first + b) * map->pixels * lanes, &tile,
                                    slab->m + t * width + b * lanes, slab->m_stride);
        }
    }
}

static size_t items_of_group(const struct slab *slab)
{
    const size_t items = slab->shape->group / slab->shape->tiles;
    return items ? items : 1;
}

/* A chunk of a phase's channels, in a group of whole items: tiles overlap, so that one thread adds
 * them up in their order. */
static void spread(const struct slab *slab, size_t big, size_t group)
{
    const struct ecc_wide_shape *const shape = slab->shape;
    const struct ecc_map *const map = &shape->request.big;
    const size_t first = group * items_of_group(slab), left = slab->items - first;
    const size_t items = left < items_of_group(slab) ? left : items_of_group(slab);
    const size_t in_phase = big % shape->big_chunks, lanes = map->block;
    const size_t width = ecc_wide_chunk(shape->big_width, in_phase);
    for (size_t small = 0; small < shape->small_chunks; small++) {
        const struct pair pair = pair_of(shape, big, small),
                          next = next_pair(shape, big, small + 1);
        transform_spread(slab, &pair);
        multiply(slab, chunk_of(slab, slab->s, small), first * shape->tiles, items * shape->tiles,
                 pair.small_width, width, small > 0, &next);
    }
    const struct blocks blocks = blocks_of(map, in_phase, width);
    for (size_t t = 0; t < items * shape->tiles; t++) {
        const size_t item = first + t / shape->tiles, in_item = t % shape->tiles;
        const size_t row = in_item / shape->across, column = in_item % shape->across;
        const struct ecc_wide_tile tile =
            ecc_wide_big_tile(shape, in_item, big / shape->big_chunks);
        float *const image = slab->run->big_out + (slab->item + item) * map->item;
        for (size_t b = 0; b < blocks.count; b++) {
            shape->kernels->spread(image + (blocks.first + b) * map->pixels * lanes, &tile,
                                   slab->m + t * width + b * lanes, slab->m_stride, row > 0,
                                   column > 0);
        }
    }
}

/* ---- Slabs ---------------------------------------------------------------------------------- */

/* All threads call this; which one takes which piece does not matter. */
static void run_slab(const struct slab *slab)
{
    const struct ecc_wide_shape *const shape = slab->shape;
    const struct ecc_wide_run *const run = slab->run;
    const size_t bigs = run->big ? chunks_of_big(shape) * slab->items : 0;
    const size_t smalls = run->small ? shape->small_chunks * slab->items : 0;
    const size_t pairs = run->dweights ? chunks_of_big(shape) * shape->small_chunks : 0;
    const size_t gathers = run->small_out ? shape->small_chunks * groups_of(slab) : 0;
    const size_t parts = divide_up(slab->items, items_of_group(slab));
    const size_t spreads = run->big_out ? chunks_of_big(shape) * parts : 0;
#pragma omp for schedule(dynamic) nowait
    for (size_t i = 0; i < bigs; i++) read_big(slab, i / slab->items, i % slab->items);
#pragma omp for schedule(dynamic) nowait
    for (size_t i = 0; i < smalls; i++) read_small(slab, i / slab->items, i % slab->items);
    ecc_wide_settle();
#pragma omp barrier
#pragma omp for schedule(dynamic) nowait
    for (size_t i = 0; i < pairs; i++) {
        sum_weights(slab, i / shape->small_chunks, i % shape->small_chunks);
    }
#pragma omp for schedule(dynamic) nowait
    for (size_t i = 0; i < gathers; i++) gather(slab, i / groups_of(slab), i % groups_of(slab));
#pragma omp for schedule(dynamic)
    for (size_t i = 0; i < spreads; i++) spread(slab, i / parts, i % parts);
}

void ecc_wide_run(const struct ecc_wide_shape *shape, const struct ecc_wide_run *run)
{
    if (run->big_out && !ecc_wide_covers(shape)) {
        memset(run->big_out, 0, run->items * shape->request.big.item * sizeof(float));
    }
#pragma omp parallel num_threads(shape->request.threads)
    {
        struct slab slab = slab_of(shape, run, (size_t)omp_get_thread_num());
        for (size_t item = 0; item < run->items; item += slab.items) {
            const size_t left = run->items - item;
            slab.item = item;
            slab.items = left < shape->slab_items ? left : shape->slab_items;
            slab.tiles = slab.items * shape->tiles;
            run_slab(&slab);
        }
    }
}
