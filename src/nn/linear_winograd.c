/*
 * linear_winograd.c: convolutions and their transposes with few multiplications.
 *
 * winograd_shape.h describes the passes and how images are cut into tiles.  Tiles are
 * transformed a few at a time, so that they stay in the second-level cache until they are
 * multiplied and transformed back; gradients of the weights are added up as transformed ones.
 */
#include "nn/plan.h"
#include "nn/wide_kernels.h"
#include "nn/winograd_shape.h"

#include <stdlib.h>
#include <string.h>

/* TILES at a time; a cache line more between points, so that they do not share a cache set. */
enum { BLOCK = ECC_BLOCK, TILES = 24, LINE = 16 };

struct state {
    struct ecc_winograd_shape shape;
    bool training;
    size_t parts;           /* of a batch, one for each thread */
    size_t transformed;     /* floats of the transformed weights */
    float *gather, *spread; /* transformed weights: [points, big, small], [points, small, big] */
    float *tiles;           /* [parts, 2, points, most channels * TILES + LINE] */
    float *sums; /* [parts, points, big, small]: gradient of the transformed weights, by parts */
};

/* ---- Planning ------------------------------------------------------------------------------- */

static bool is_deconv(const struct ecc_stage *stage)
{
    return stage->layer->kind == ECC_LAYER_DECONV;
}

static struct ecc_winograd_request request_of(const struct ecc_net *net,
                                              const struct ecc_stage *stage)
{
    const struct ecc_map out = ecc_map_of(stage->view, ecc_stage_block(stage));
    return (struct ecc_winograd_request){.big = is_deconv(stage) ? out : stage->in,
                                         .small = is_deconv(stage) ? stage->in : out,
                                         .kernel = stage->layer->kernel[0],
                                         .stride = stage->layer->stride[0],
                                         .padding = stage->padding[0],
                                         .items = net->batch,
                                         .transposed = is_deconv(stage),
                                         .training = net->training};
}

static bool accepts(const struct ecc_net *net, const struct ecc_stage *stage)
{
    const struct ecc_layer_spec *const layer = stage->layer;
    if (net->direct || !ecc_winograd_available() || !layer ||
        (layer->kind != ECC_LAYER_CONV && layer->kind != ECC_LAYER_DECONV) ||
        !ecc_map_in_eights(&stage->in) || layer->kernel[0] != layer->kernel[1] ||
        layer->stride[0] != layer->stride[1] || stage->padding[0] != stage->padding[1]) {
        return false;
    }
    const struct ecc_winograd_request request = request_of(net, stage);
    struct ecc_winograd_shape shape;
    double time;
    return ecc_winograd_choose(&shape, &time, &request) && time <= ecc_linear_wide_time(net, stage);
}

/* Floats from a point of the transformed weights to the next, and the same for tiles. */
static size_t weight_stride(const struct ecc_winograd_shape *shape)
{
    return shape->big * shape->small + LINE;
}

static size_t tile_stride(size_t channels)
{
    return channels * TILES + LINE;
}

/* w: [phase, big, taps, taps, small] for a tensor [small, big, kernel, kernel] */
static struct ecc_layout weight_layout(const struct ecc_stage *stage,
                                       const struct ecc_winograd_shape *shape)
{
    const size_t taps = shape->taps, small = shape->small, stride = stage->layer->stride[0];
    const size_t big = shape->big / (stride * stride), phase = big * taps * taps * small;
    struct ecc_layout layout = {.rank = 4,
                                .dims = {shape->small_side.map.shape.channels,
                                         shape->big_side.map.shape.channels,
                                         stage->layer->kernel[0], stage->layer->kernel[1]},
                                .strides = {1, taps * taps * small, taps * small, small},
                                .size = stride * stride * phase};
    ecc_layout_add_phases(&layout, stride, phase);
    return layout;
}

static enum ecc_status plan(struct ecc_net *net, struct ecc_stage *stage, struct ecc_error *error)
{
    struct state *const state = calloc(1, sizeof *state);
    if (!state) return ecc_fail_memory(error, "a convolution");
    stage->state = state;
    stage->out = ecc_map_of(stage->view, ecc_stage_block(stage));
    const struct ecc_winograd_request request = request_of(net, stage);
    double time;
    ecc_winograd_choose(&state->shape, &time, &request);
    state->parts = (size_t)net->threads;
    state->training = net->training;
    state->transformed = state->shape.points * weight_stride(&state->shape);
    const struct ecc_layout weights = weight_layout(stage, &state->shape);
    stage->weight_size = weights.size;
    ecc_plan_weights(net, stage->weight_tensor, &weights);
    return ECC_OK;
}

static size_t tile_floats(const struct ecc_winograd_shape *shape)
{
    return shape->points * tile_stride(shape->big > shape->small ? shape->big : shape->small);
}

static void cut(struct ecc_stage *stage, struct ecc_arena *arena)
{
    struct state *const state = stage->state;
    const size_t bytes = state->transformed * sizeof(float);
    if (state->training || !is_deconv(stage)) state->gather = ecc_arena_cut(arena, 1, bytes);
    if (state->training || is_deconv(stage)) state->spread = ecc_arena_cut(arena, 1, bytes);
    if (state->training) state->sums = ecc_arena_cut(arena, state->parts, bytes);
    state->tiles =
        ecc_arena_cut(arena, state->parts, 2 * tile_floats(&state->shape) * sizeof(float));
}

/* ---- Weights -------------------------------------------------------------------------------- */

/* Eight channels of the big image with eight of the small one. */
static void transform_eights(const struct state *state, const float *weight, size_t b, size_t s)
{
    const struct ecc_winograd_shape *const shape = &state->shape;
    const size_t taps = shape->taps, small = shape->small, stride = weight_stride(shape);
    float u[BLOCK][ECC_WINOGRAD_POINTS * BLOCK];
    for (size_t i = 0; i < BLOCK; i++) {
        ecc_winograd_kernel(u[i], BLOCK, weight + (b + i) * taps * taps * small + s, small,
                            shape->side, taps);
    }
    for (size_t p = 0; p < shape->points; p++) {
        const float *const from = &u[0][p * BLOCK];
        for (size_t i = 0; state->gather && i < BLOCK; i++) {
            memcpy(state->gather + p * stride + (b + i) * small + s,
                   from + i * ECC_WINOGRAD_POINTS * BLOCK, BLOCK * sizeof(float));
        }
        if (!state->spread) continue;
        ecc_wide_transpose(state->spread + p * stride + s * shape->big + b, shape->big, from,
                           ECC_WINOGRAD_POINTS * BLOCK);
    }
}

static enum ecc_status prepare(struct ecc_stage *stage, struct ecc_error *error)
{
    struct state *const state = stage->state;
    (void)error;
#pragma omp parallel for collapse(2) schedule(static) num_threads((int)state->parts)
    for (size_t b = 0; b < state->shape.big; b += BLOCK) {
        for (size_t s = 0; s < state->shape.small; s += BLOCK) {
            transform_eights(state, stage->weight, b, s);
        }
    }
    return ECC_OK;
}

/* The sums of all parts, transformed back, for one channel of the big image. */
static void finish_weights(const struct ecc_stage *stage, size_t b)
{
    const struct state *const state = stage->state;
    const struct ecc_winograd_shape *const shape = &state->shape;
    const size_t small = shape->small, taps = shape->taps;
    for (size_t p = 0; p < shape->points && state->parts > 1; p++) {
        float *const sum = state->sums + p * weight_stride(shape) + b * small;
        for (size_t part = 1; part < state->parts; part++) {
            for (size_t s = 0; s < small; s++) sum[s] += sum[part * state->transformed + s];
        }
    }
    for (size_t s = 0; s < small; s += BLOCK) {
        ecc_winograd_kernel_back(stage->dweight + b * taps * taps * small + s, small,
                                 state->sums + b * small + s, weight_stride(shape), shape->side,
                                 taps);
    }
}

/* ---- Tiles ---------------------------------------------------------------------------------- */

/* Tiles from `first` on, at most TILES. */
struct run {
    size_t first, count;
};

enum transform { INPUT, EVALUATE, OUTPUT, SPREAD };

static void transform_tile(const struct ecc_winograd_shape *shape, float *image, float *points,
                           const struct ecc_winograd_side *side,
                           const struct ecc_winograd_place *place, size_t block,
                           enum transform transform)
{
    const size_t stride = tile_stride(side->channels);
    struct ecc_winograd_tile tile;
    float *const plane = image + ecc_winograd_locate(&tile, side, place, block);
    switch (transform) {
    case INPUT: ecc_winograd_input(points, stride, plane, &tile, shape->side); break;
    case EVALUATE:
        ecc_winograd_evaluate(points, stride, plane, &tile, shape->side, shape->size);
        break;
    case OUTPUT: ecc_winograd_output(plane, &tile, points, stride, shape->side, shape->size); break;
    case SPREAD: {
        const struct ecc_winograd_overlap overlap = {.rows = place->row ? shape->taps - 1 : 0,
                                                     .columns =
                                                         place->column ? shape->taps - 1 : 0};
        ecc_winograd_spread(plane, &tile, points, stride, overlap, shape->side);
    }
    }
}

/* points: [shape->points, tiles, channels], read from an image or written to it */
static void transform_tiles(const struct ecc_winograd_shape *shape, const float *image,
                            float *points, const struct ecc_winograd_side *side, struct run run,
                            enum transform transform)
{
    for (size_t t = 0; t < run.count; t++) {
        const struct ecc_winograd_place place = ecc_winograd_find(side, run.first + t);
        for (size_t block = 0; block < side->channels / BLOCK; block++) {
            transform_tile(shape, (float *)image, points + t * side->channels + block * BLOCK, side,
                           &place, block, transform);
        }
    }
}

/* ---- Passes --------------------------------------------------------------------------------- */

/* What a pass reads, and what it makes of it; NULL: not that. */
struct pass {
    const float *big, *small;   /* images */
    float *big_out, *small_out; /* one at most */
    bool weights;               /* add up the gradient of the weights: needs both images */
};

static struct ecc_winograd_product product_of(const struct ecc_winograd_shape *shape, size_t inputs,
                                              size_t outputs, size_t tiles)
{
    return (struct ecc_winograd_product){.points = shape->points,
                                         .tiles = tiles,
                                         .inputs = inputs,
                                         .outputs = outputs,
                                         .u_row = outputs,
                                         .v_stride = tile_stride(inputs),
                                         .u_stride = weight_stride(shape),
                                         .m_stride = tile_stride(outputs)};
}

/* v, s: room for the tiles of the big image and the small one. */
static void run_tiles(const struct state *state, const struct pass *pass, struct run run, float *v,
                      float *s, float *sums)
{
    const struct ecc_winograd_shape *const shape = &state->shape;
    const struct ecc_winograd_side *const big = &shape->big_side, *const small = &shape->small_side;
    /* leftovers of an earlier run after the last tile are multiplied, too, then ignored */
    const size_t padded = (run.count + 3) / 4 * 4;
    const struct ecc_winograd_product gather = product_of(shape, shape->big, shape->small, padded);
    const struct ecc_winograd_product spread = product_of(shape, shape->small, shape->big, padded);
    struct ecc_winograd_product weights = gather;
    weights.tiles = run.count;
    if (pass->big) transform_tiles(shape, pass->big, v, big, run, INPUT);
    if (pass->small_out) {
        ecc_winograd_multiply(s, v, state->gather, &gather);
        transform_tiles(shape, pass->small_out, s, small, run, OUTPUT);
    }
    if (pass->small) transform_tiles(shape, pass->small, s, small, run, EVALUATE);
    if (pass->weights) ecc_winograd_accumulate(sums, v, s, &weights);
    if (pass->big_out) {
        ecc_winograd_multiply(v, s, state->spread, &spread);
        transform_tiles(shape, pass->big_out, v, big, run, SPREAD);
    }
}

/* A part of n items, one of state->parts: its tiles go in even runs that may end within an item. */
static void run_part(const struct ecc_net *net, const struct state *state, const struct pass *pass,
                     size_t n, size_t part)
{
    const struct ecc_winograd_shape *const shape = &state->shape;
    const size_t tiles = shape->big_side.tiles, item = shape->big_side.map.item;
    size_t ready = n * part / state->parts, made = ready;
    const size_t first = ready * tiles, last = n * (part + 1) / state->parts * tiles;
    const size_t runs = (last - first + TILES - 1) / TILES;
    const size_t most = runs ? ((last - first + runs - 1) / runs + 3) / 4 * 4 : TILES;
    float *const v = state->tiles + part * 2 * tile_floats(shape), *const s =
                                                                       v + tile_floats(shape);
    float *const sums = pass->weights ? state->sums + part * state->transformed : NULL;
    if (sums) memset(sums, 0, state->transformed * sizeof *sums);
    for (size_t at = first; at < last; at += most) {
        const struct run run = {at, last - at < most ? last - at : most};
        const size_t reach = (at + run.count - 1) / tiles + 1, whole = (at + run.count) / tiles;
        ecc_items_ready(net, ready, reach);
        if (pass->big_out && !shape->covers) {
            memset(pass->big_out + ready * item, 0, (reach - ready) * item * sizeof(float));
        }
        run_tiles(state, pass, run, v, s, sums);
        ecc_items_made(net, made, whole);
        ready = reach;
        made = whole;
    }
}

static enum ecc_status forward(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                               struct ecc_error *error)
{
    const struct state *const state = stage->state;
    const struct pass gather = {.big = stage->x, .small_out = stage->u};
    const struct pass spread = {.small = stage->x, .big_out = stage->u};
    (void)error;
#pragma omp parallel for schedule(static) num_threads((int)state->parts)
    for (size_t part = 0; part < state->parts; part++) {
        run_part(net, state, is_deconv(stage) ? &spread : &gather, n, part);
    }
    return ECC_OK;
}

static enum ecc_status backward(struct ecc_net *net, struct ecc_stage *stage, float *dx, float *du,
                                struct ecc_error *error)
{
    const struct state *const state = stage->state;
    const bool deconv = is_deconv(stage);
    const struct pass pass = {.big = deconv ? du : stage->x,
                              .small = deconv ? stage->x : du,
                              .big_out = deconv ? NULL : dx,
                              .small_out = deconv ? dx : NULL,
                              .weights = true};
    (void)error;
#pragma omp parallel num_threads((int)state->parts)
    {
#pragma omp for schedule(static)
        for (size_t part = 0; part < state->parts; part++) {
            run_part(net, state, &pass, net->batch, part);
        }
#pragma omp for schedule(static)
        for (size_t b = 0; b < state->shape.big; b++) finish_weights(stage, b);
    }
    return ECC_OK;
}

static void destroy(struct ecc_stage *stage)
{
    free(stage->state);
}

static void describe(const struct ecc_stage *stage, FILE *stream)
{
    const struct ecc_winograd_shape *const shape = &((const struct state *)stage->state)->shape;
    fprintf(stream, "%zu x %zu pixels by %zu products", shape->size, shape->size, shape->points);
}

const struct ecc_linear ecc_linear_winograd = {
    .name = "Winograd",
    .accepts = accepts,
    .plan = plan,
    .cut = cut,
    .prepare = prepare,
    .forward = forward,
    .backward = backward,
    .destroy = destroy,
    .describe = describe,
    .by_items = true,
};
