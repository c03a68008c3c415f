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
                                      .channels = ecc_eights(map.shape.channels) * BLOCK * phases};
}

static void plan_tiles(struct ecc_winograd_shape *shape, const struct ecc_winograd_request *r)
{
    struct ecc_winograd_side *const big = &shape->big_side, *const small = &shape->small_side;
    const size_t size = shape->size, height = r->small.shape.height, width = r->small.shape.width;
    *big = side_of(r->big, r->stride, r->stride * r->stride, size);
    *small = side_of(r->small, 1, 1, size);
    big->offset = -(ptrdiff_t)r->padding;
    const size_t across = (width + size - 1) / size, down = (height + size - 1) / size;
    big->across = small->across = across;
    big->tiles = small->tiles = across * down;
    const size_t more = shape->taps - 1;
    shape->covers = (down * size + more) * r->stride >= r->padding + r->big.shape.height &&
                    (across * size + more) * r->stride >= r->padding + r->big.shape.width;
}

static struct ecc_winograd_shape shape_of(const struct ecc_winograd_request *r, size_t side)
{
    const size_t taps = r->kernel / r->stride, phases = r->stride * r->stride;
    struct ecc_winograd_shape shape = {.side = side,
                                       .points = side * side,
                                       .taps = taps,
                                       .size = side + 1 - taps,
                                       .big = ecc_map_channels(&r->big) * phases,
                                       .small = ecc_map_channels(&r->small)};
    plan_tiles(&shape, r);
    return shape;
}

struct ecc_winograd_place ecc_winograd_find(const struct ecc_winograd_side *side, size_t number)
{
    const size_t in_item = number % side->tiles;
    return (struct ecc_winograd_place){.item = number / side->tiles,
                                       .row = in_item / side->across,
                                       .column = in_item % side->across};
}

/* Phases are one, or two in each direction. */
size_t ecc_winograd_locate(struct ecc_winograd_tile *tile, const struct ecc_winograd_side *side,
                           const struct ecc_winograd_place *place, size_t block)
{
    const struct ecc_map *const map = &side->map;
    const size_t eights = ecc_eights(map->shape.channels);
    const size_t phase = side->phases > 1 ? block / eights : 0;
    const ptrdiff_t down = (ptrdiff_t)(phase / MOST_STRIDE), right = phase % MOST_STRIDE;
    *tile = (struct ecc_winograd_tile){
        .height = map->shape.height,
        .width = map->shape.width,
        .y = (ptrdiff_t)place->row * side->pace + side->offset + down,
        .x = (ptrdiff_t)place->column * side->pace + side->offset + right,
        .step = side->step,
        .block = (ptrdiff_t)map->block};
    return place->item * map->item + ecc_map_offset(map, (block - phase * eights) * BLOCK, 0);
}

/* ---- Time ----------------------------------------------------------------------------------- */

/*
 * Times in products of vectors, from measurements on two cores with AVX2: the transforms of a tile
 * of eight channels on its way in and out; the transforms of the weights of a pair of channels,
 * there and back.
 */
struct rates {
    size_t side;
    double input, evaluate, output, spread, pair;
};
static const struct rates rates[] = {{8, 450, 330, 400, 550, 600}, {6, 230, 180, 200, 280, 300}};

/* All passes of a training step, or only that of inference. */
static double time_of(const struct ecc_winograd_shape *shape, const struct rates *rate,
                      const struct ecc_winograd_request *r)
{
    const size_t big_blocks = shape->big / BLOCK, small_blocks = shape->small / BLOCK;
    const double big = (double)big_blocks, small = (double)small_blocks;
    const double multiply = (double)(shape->points * shape->big) * small;
    const double gather = multiply + big * rate->input + small * rate->output;
    const double spread = multiply + small * rate->evaluate + big * rate->spread;
    const double tiles = (double)(shape->big_side.tiles * r->items);
    if (!r->training) return (r->transposed ? spread : gather) * tiles;
    /* what goes back shares its tiles with the gradient of the weights */
    const double weights = multiply + (r->transposed ? small * rate->evaluate : big * rate->input);
    return (gather + spread + weights) * tiles + rate->pair * (double)(shape->big * shape->small);
}

static double direct_time(const struct ecc_winograd_request *r)
{
    return ecc_direct_time(&r->big, &r->small, r->kernel, r->stride,
                           (r->training ? 3 : 1) * (double)r->items);
}

/* 4 MB of transformed weights: those of paper-celeba are many times larger than the caches, and
 * most of its layers were slower this way. */
enum { MOST_PAIRS = 16384 };

static bool fits(const struct ecc_winograd_request *r)
{
    if (r->stride < 1 || r->stride > MOST_STRIDE || r->kernel % r->stride != 0) return false;
    const size_t taps = r->kernel / r->stride;
    const size_t pairs =
        r->stride * r->stride * ecc_map_channels(&r->big) * ecc_map_channels(&r->small);
    return taps >= 2 && taps <= 5 && r->padding < r->kernel && pairs <= MOST_PAIRS;
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
