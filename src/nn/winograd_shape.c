/* winograd_shape.c: how a convolution is cut into tiles, and whether that is faster than direct. */
#include "nn/winograd_shape.h"
#include "nn/tile_rates.h"

enum { BLOCK = 8, MOST_STRIDE = 2 };

/* ---- Tiles of the passes -------------------------------------------------------------------- */

static struct ecc_winograd_side side_of(struct ecc_map map, size_t step, size_t phases, size_t size)
{
    return (struct ecc_winograd_side){.map = map,
                                      .step = (ptrdiff_t)step,
                                      .phases = phases,
                                      .pace = (ptrdiff_t)(size * step),
                                      .channels = map.shape.channels * phases};
}

static void set_tiles(struct ecc_winograd_side *a, struct ecc_winograd_side *b,
                      const size_t *extent, size_t size)
{
    a->across = b->across = (extent[1] + size - 1) / size;
    a->tiles = b->tiles = a->across * ((extent[0] + size - 1) / size);
}

static void plan_gather(struct ecc_winograd_shape *shape, const struct ecc_winograd_request *r)
{
    struct ecc_winograd_side *const from = &shape->gather_from, *const to = &shape->gather_to;
    *from = side_of(r->big, r->stride, r->stride * r->stride, shape->size);
    *to = side_of(r->small, 1, 1, shape->size);
    from->offset[0] = from->offset[1] = -(ptrdiff_t)r->padding;
    set_tiles(from, to, (const size_t[]){r->small.shape.height, r->small.shape.width}, shape->size);
}

/* The phases from `phase` on: pixel v of one lies at stride * v + phase - padding, and those from
 * the first v that is inside the big image to the last are made. */
static void plan_spread(struct ecc_winograd_shape *shape, const struct ecc_winograd_request *r,
                        size_t phase)
{
    const size_t all = r->stride * r->stride, stride = r->stride;
    struct ecc_winograd_side *const from = &shape->spread_from[phase];
    struct ecc_winograd_side *const to = &shape->spread_to[phase];
    *from = side_of(r->small, 1, 1, shape->size);
    *to = side_of(r->big, stride, shape->spreads == 1 ? all : 1, shape->size);
    to->first_phase = phase;
    const size_t extent[2] = {r->big.shape.height, r->big.shape.width};
    size_t count[2];
    for (int k = 0; k < 2; k++) {
        const size_t p = k == 0 ? phase / stride : phase % stride;
        const size_t start = r->padding > p ? (r->padding - p + stride - 1) / stride : 0;
        count[k] = (extent[k] - 1 + r->padding - p) / stride - start + 1;
        from->offset[k] = (ptrdiff_t)start - (ptrdiff_t)(shape->taps - 1);
        to->offset[k] = (ptrdiff_t)(start * stride) - (ptrdiff_t)r->padding;
    }
    set_tiles(from, to, count, shape->size);
}

static struct ecc_winograd_shape shape_of(const struct ecc_winograd_request *r, size_t side)
{
    const size_t taps = r->kernel / r->stride, phases = r->stride * r->stride;
    struct ecc_winograd_shape shape = {.side = side,
                                       .points = side * side,
                                       .taps = taps,
                                       .size = side + 1 - taps,
                                       .big = r->big.shape.channels * phases,
                                       .small = r->small.shape.channels,
                                       .spreads = r->padding % r->stride ? phases : 1};
    plan_gather(&shape, r);
    for (size_t i = 0; i < shape.spreads; i++) plan_spread(&shape, r, i);
    return shape;
}

size_t ecc_winograd_locate(struct ecc_winograd_tile *tile, const struct ecc_winograd_side *side,
                           size_t number, size_t block)
{
    const struct ecc_map *const map = &side->map;
    const size_t item = number / side->tiles, in_item = number % side->tiles;
    const size_t eights = map->shape.channels / BLOCK, step = (size_t)side->step;
    const size_t phase = side->first_phase + block / eights;
    *tile = (struct ecc_winograd_tile){.height = map->shape.height,
                                       .width = map->shape.width,
                                       .y = (ptrdiff_t)(in_item / side->across) * side->pace +
                                            side->offset[0] + (ptrdiff_t)(phase / step),
                                       .x = (ptrdiff_t)(in_item % side->across) * side->pace +
                                            side->offset[1] + (ptrdiff_t)(phase % step),
                                       .step = side->step,
                                       .block = (ptrdiff_t)map->block};
    return item * map->item + ecc_map_offset(map, block % eights * BLOCK, 0);
}

/* ---- Time ----------------------------------------------------------------------------------- */

/*
 * Times in products of vectors, from measurements on two cores with AVX2: the transforms of a tile
 * of eight channels on its way in and out; the transforms of the weights of a pair of channels,
 * there and back.
 */
struct rates {
    size_t side, in, out;
};
static const struct rates rates[] = {{8, 450, 370}, {6, 230, 170}};
static const double PER_PAIR = 1000;

static double pass_time(const struct ecc_winograd_shape *shape, const struct rates *rate,
                        const struct ecc_winograd_side *from, const struct ecc_winograd_side *to,
                        bool read)
{
    const size_t in = from->channels / BLOCK, out = to->channels / BLOCK;
    const size_t tile =
        shape->points * from->channels * out + (read ? in * rate->in : 0) + out * rate->out;
    return (double)tile * (double)from->tiles;
}

static double spread_time(const struct ecc_winograd_shape *shape, const struct rates *rate)
{
    double item = 0;
    for (size_t i = 0; i < shape->spreads; i++) {
        item += pass_time(shape, rate, &shape->spread_from[i], &shape->spread_to[i], true);
    }
    return item;
}

/* All passes of a training step, or only that of inference. */
static double time_of(const struct ecc_winograd_shape *shape, const struct rates *rate,
                      const struct ecc_winograd_request *r)
{
    const double gather = pass_time(shape, rate, &shape->gather_from, &shape->gather_to, true);
    const double spread = spread_time(shape, rate);
    if (!r->training) return (r->transposed ? spread : gather) * (double)r->items;
    /* the gradient of the weights; where gather goes back, too, they share the big image's tiles */
    const double weights =
        pass_time(shape, rate, &shape->gather_from, &shape->gather_to, !r->transposed);
    return (gather + spread + weights) * (double)r->items +
           PER_PAIR * (double)(shape->big * shape->small);
}

static double direct_time(const struct ecc_winograd_request *r)
{
    const size_t products =
        r->small.pixels * r->kernel * r->kernel * r->small.shape.channels * r->big.shape.channels;
    return (r->training ? 3 : 1) * ecc_tile_rates()->direct / 16 * (double)products *
           (double)r->items;
}

/* 4 MB of transformed weights: those of paper-celeba are many times larger than the caches, and
 * most of its layers were slower this way. */
enum { MOST_PAIRS = 16384 };

static bool fits(const struct ecc_winograd_request *r)
{
    if (r->stride < 1 || r->stride > MOST_STRIDE || r->kernel % r->stride != 0) return false;
    const size_t taps = r->kernel / r->stride;
    const size_t pairs = r->stride * r->stride * r->big.shape.channels * r->small.shape.channels;
    return taps >= 2 && taps <= 5 && r->padding < r->kernel && r->big.shape.channels % BLOCK == 0 &&
           r->small.shape.channels % BLOCK == 0 && pairs <= MOST_PAIRS;
}

bool ecc_winograd_choose(struct ecc_winograd_shape *shape, double *best,
                         const struct ecc_winograd_request *r)
{
    if (!fits(r)) return false;
    *best = direct_time(r);
    bool found = false;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        const struct ecc_winograd_shape candidate = shape_of(r, rates[i].side);
        const double time = ecc_tile_rates()->small * time_of(&candidate, &rates[i], r);
        if (time >= *best) continue;
        *best = time;
        *shape = candidate;
        found = true;
    }
    return found;
}
