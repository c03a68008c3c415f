/* wide_shape.c: how a convolution with many channels is cut into tiles, and what that takes. */
#include "nn/wide_shape.h"
#include "nn/tile_rates.h"

/* ---- Tiles ---------------------------------------------------------------------------------- */

/* Clips `count` pixels from `start` on, `step` apart, to an image of `size`. */
static void clip(size_t *from, size_t *to, ptrdiff_t start, ptrdiff_t step, size_t count,
                 size_t size)
{
    const ptrdiff_t last = (ptrdiff_t)size - 1 - start;
    const size_t before = start < 0 ? (size_t)((-start + step - 1) / step) : 0;
    const size_t end = last < 0 ? 0 : (size_t)(last / step) + 1;
    *from = before < count ? before : count;
    *to = end < count ? end : count;
    if (*to < *from) *to = *from;
}

static struct ecc_wide_tile tile_at(const struct ecc_map *map, ptrdiff_t y, ptrdiff_t x,
                                    ptrdiff_t step, size_t count)
{
    const ptrdiff_t block = (ptrdiff_t)map->block, width = (ptrdiff_t)map->shape.width;
    struct ecc_wide_tile tile = {
        .at = (y * width + x) * block, .row = step * width * block, .column = step * block};
    clip(&tile.top, &tile.bottom, y, step, count, map->shape.height);
    clip(&tile.left, &tile.right, x, step, count, map->shape.width);
    return tile;
}

struct ecc_wide_tile ecc_wide_big_tile(const struct ecc_wide_shape *shape, size_t tile,
                                       size_t phase)
{
    const struct ecc_wide_request *const r = &shape->request;
    const size_t y = tile / shape->across * shape->size, x = tile % shape->across * shape->size;
    return tile_at(&r->big,
                   (ptrdiff_t)(y * r->stride + phase / r->stride) - (ptrdiff_t)r->padding[0],
                   (ptrdiff_t)(x * r->stride + phase % r->stride) - (ptrdiff_t)r->padding[1],
                   (ptrdiff_t)r->stride, shape->kernels->side);
}

struct ecc_wide_tile ecc_wide_small_tile(const struct ecc_wide_shape *shape, size_t tile)
{
    const size_t y = tile / shape->across * shape->size, x = tile % shape->across * shape->size;
    return tile_at(&shape->request.small, (ptrdiff_t)y, (ptrdiff_t)x, 1, shape->size);
}

bool ecc_wide_covers(const struct ecc_wide_shape *shape)
{
    const struct ecc_wide_request *const r = &shape->request;
    const size_t more = shape->kernels->taps - 1;
    return (shape->down * shape->size + more) * r->stride >= r->padding[0] + r->big.shape.height &&
           (shape->across * shape->size + more) * r->stride >= r->padding[1] + r->big.shape.width;
}

/* ---- Slabs ---------------------------------------------------------------------------------- */

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

/* Bytes that the tiles of a slab and the products of a group should not exceed, and tiles that they
 * should have: weights are transformed for each group, and their gradients back for each slab. */
enum { SLAB_BYTES = 40 << 20, GROUP_BYTES = 820 << 10, SLAB_LEAST = 256, GROUP_LEAST = 16 };

/* As many groups as give all threads the same work, or enough to make the rest small. */
static size_t group_of(const struct ecc_wide_shape *shape, size_t slab)
{
    const size_t threads = (size_t)shape->request.threads;
    const size_t most = GROUP_BYTES / (shape->points * ECC_WIDE_CHUNK * sizeof(float));
    size_t groups = divide_up(slab, most);
    while (slab / (groups + 1) >= GROUP_LEAST && groups * shape->small_chunks % threads != 0 &&
           groups * shape->small_chunks < 4 * threads) {
        groups++;
    }
    return divide_up(slab, groups);
}

static void cut_slabs(struct ecc_wide_shape *shape)
{
    const size_t channels = shape->phases * shape->big_width + shape->small_width;
    const size_t tile = shape->points * channels * sizeof(float), items = shape->request.items;
    size_t tiles = SLAB_BYTES / tile;
    if (tiles < SLAB_LEAST) tiles = SLAB_LEAST;
    const size_t most = tiles > shape->tiles ? tiles / shape->tiles : 1;
    shape->slab_items = divide_up(items, divide_up(items, most));
    shape->group = group_of(shape, shape->slab_items * shape->tiles);
}

bool ecc_wide_shape_of(struct ecc_wide_shape *shape, const struct ecc_wide_request *r, size_t side)
{
    const size_t taps = divide_up(r->kernel, r->stride);
    *shape = (struct ecc_wide_shape){.request = *r, .phases = r->stride * r->stride};
    shape->kernels = ecc_wide_find(r->big.block, side, taps);
    if (!shape->kernels) return false;
    shape->size = side + 1 - taps;
    shape->points = side * side;
    shape->across = divide_up(r->small.shape.width, shape->size);
    shape->down = divide_up(r->small.shape.height, shape->size);
    shape->tiles = shape->across * shape->down;
    shape->big_width = divide_up(r->big.shape.channels, ECC_WIDE_VECTOR) * ECC_WIDE_VECTOR;
    shape->small_width = divide_up(r->small.shape.channels, ECC_WIDE_VECTOR) * ECC_WIDE_VECTOR;
    shape->big_chunks = divide_up(shape->big_width, ECC_WIDE_CHUNK);
    shape->small_chunks = divide_up(shape->small_width, ECC_WIDE_CHUNK);
    cut_slabs(shape);
    return true;
}

/* ---- Time ----------------------------------------------------------------------------------- */

/*
 * Times in products of vectors of 16 lanes, from measurements on two cores with AVX-512; those of
 * transforms are for one point of a vector.  A model and not a measurement when planning: a choice
 * that depended on how busy the machine was would give other bytes from the same seed.
 */
static const double PRODUCT = 1.15;                      /* of our matrix products */
static const double GATHER = 10, SPREAD = 13, BACK = 12; /* transforms of weights */
static const double TILE = 50, COLLECT = 37;             /* of tiles */
static const double MARGIN = 0.9;                        /* of the direct time, to be chosen */

enum { LEAST_CHANNELS = 24 };

/* How much longer `tasks` take where threads share them, than if they shared them evenly. */
static double unevenness(size_t tasks, int threads)
{
    const size_t rounds = divide_up(tasks, (size_t)threads);
    return (double)(rounds * (size_t)threads) / (double)tasks;
}

struct work {
    double pairs, tiles, big, small, points, multiply; /* vectors of 16 and tiles of a batch */
};

static struct work work_of(const struct ecc_wide_shape *shape)
{
    const double vector = ECC_WIDE_VECTOR;
    struct work work = {.tiles = (double)(shape->tiles * shape->request.items),
                        .big = (double)(shape->phases * shape->big_width) / vector,
                        .small = (double)shape->small_width / vector,
                        .points = (double)shape->points};
    work.pairs = work.big * (double)shape->small_width;
    work.multiply = PRODUCT * work.points * work.tiles * work.pairs;
    return work;
}

static double gather_time(const struct ecc_wide_shape *shape, const struct work *work)
{
    const size_t slab = shape->slab_items * shape->tiles, groups = divide_up(slab, shape->group);
    const double slabs = work->tiles / (double)slab;
    return (work->multiply + GATHER * work->points * work->pairs * (double)groups * slabs) *
               unevenness(groups * shape->small_chunks, shape->request.threads) +
           COLLECT * work->points * work->tiles * work->small;
}

static double spread_time(const struct ecc_wide_shape *shape, const struct work *work)
{
    const size_t items = shape->group > shape->tiles ? shape->group / shape->tiles : 1;
    const size_t groups = divide_up(shape->slab_items, items);
    const double slabs = work->tiles / (double)(shape->slab_items * shape->tiles);
    return (work->multiply + SPREAD * work->points * work->pairs * (double)groups * slabs) *
               unevenness(groups * shape->phases * shape->big_chunks, shape->request.threads) +
           TILE * work->points * work->tiles * work->big;
}

/* All passes of a training step, or only that of inference. */
static double time_of(const struct ecc_wide_shape *shape)
{
    const struct ecc_wide_request *const r = &shape->request;
    const struct work work = work_of(shape);
    const double slabs = work.tiles / (double)(shape->slab_items * shape->tiles);
    const double big = TILE * work.points * work.tiles * work.big;
    const double small = TILE * work.points * work.tiles * work.small;
    if (!r->training) {
        return r->transposed ? small + spread_time(shape, &work) : big + gather_time(shape, &work);
    }
    const double weights = work.multiply + BACK * work.points * work.pairs * slabs;
    return weights + gather_time(shape, &work) + spread_time(shape, &work) + big + small +
           (r->transposed ? small : big);
}

static double direct_time(const struct ecc_wide_request *r)
{
    return ecc_direct_time(&r->big, &r->small, r->kernel, r->stride,
                           (r->training ? 3 : 1) * (double)r->items);
}

bool ecc_wide_choose(struct ecc_wide_shape *shape, double *best, const struct ecc_wide_request *r)
{
    static const size_t sides[] = {5, 6, 8};
    if (r->big.block != r->small.block || r->kernel < r->stride) return false;
    if (r->big.shape.channels < LEAST_CHANNELS || r->small.shape.channels < LEAST_CHANNELS) {
        return false;
    }
    *best = MARGIN * direct_time(r);
    bool found = false;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        struct ecc_wide_shape candidate;
        if (!ecc_wide_shape_of(&candidate, r, sides[i])) continue;
        const double time = ecc_tile_rates()->wide * time_of(&candidate);
        if (time >= *best) continue;
        *best = time;
        *shape = candidate;
        found = true;
    }
    return found;
}
