/*
 * linear_winograd.c: convolutions and their transposes with few multiplications.
 *
 * Seen from the weights a convolution has a big image and a small one, and three passes:
 *     gather   small[o] = sum over taps k of big[o + k] w[k]       conv forward, deconv back
 *     spread   big[v] = sum over taps k of small[v - k] w[k]       deconv forward, conv back
 *     weights  dw[k] = sum over o of big[o + k] small[o]
 * With stride 2 the big image is taken as four of half its size, its even and odd rows and columns
 * ("phases"), side by side as channels; the kernel is then half as wide.  Tiles are transformed a
 * few at a time, so that they stay in the second-level cache.
 */
#include "nn/plan.h"
#include "nn/winograd_kernels.h"

#include <stdlib.h>
#include <string.h>

/* TILES at a time; a line more between points, lest they all fall into the same part of a cache. */
enum { BLOCK = 8, POINTS = ECC_WINOGRAD_POINTS, TILES = 24, LINE = 16 };
enum { MOST_PAIRS = 4096 }; /* of channels; that is 1 MB of transformed weights */

/* Tiles of one of the images: where they start and how far they are apart. */
struct side {
    struct ecc_map map;
    size_t phases;          /* 1 or 2 in each direction */
    ptrdiff_t offset, pace; /* of pixels: of the first tile, and from each to the next */
    size_t across, tiles;   /* tiles in a row and of an item */
    size_t channels;        /* with phases */
};

struct state {
    size_t taps, size;           /* r and m: a tile of 8 x 8 makes m x m */
    struct side big_in, small_m; /* tiles of gather and weights */
    struct side small_in, big_m; /* tiles of spread */
    size_t parts;                /* of a batch, one for each thread */
    size_t transformed;          /* floats of the transformed weights */
    float *gather, *spread;      /* transformed weights: [64, big, small], [64, small, big] */
    float *tiles;                /* [parts, 2, 64, most channels * TILES + LINE] */
    float *sums;                 /* [parts, 64, big, small]: gradient of the transformed weights */
    bool training;
};

/* ---- Planning ------------------------------------------------------------------------------- */

static bool is_deconv(const struct ecc_stage *stage)
{
    return stage->layer->kind == ECC_LAYER_DECONV;
}

static size_t tiles_of(size_t height, size_t width, size_t size)
{
    return (height + size - 1) / size * ((width + size - 1) / size);
}

/*
 * Measured with AVX2 (paper-mnist, batch 100), where oneDNN comes to 70% of what a core can
 * multiply: the tiles' transforms are paid for when they save a third of the multiplications.  The
 * transformed weights must stay in the second-level cache: with those of paper-celeba, which do
 * not, two layers of three were slower.
 */
static bool pays(const struct ecc_stage *stage)
{
    const struct ecc_item_shape small = is_deconv(stage) ? stage->in.shape : stage->view;
    const size_t taps = stage->layer->kernel[0] / stage->layer->stride[0];
    const size_t size = ECC_WINOGRAD_SIDE + 1 - taps;
    const size_t tiles = tiles_of(small.height + taps - 1, small.width + taps - 1, size);
    const size_t phases = stage->layer->stride[0] * stage->layer->stride[0];
    const size_t pairs = phases * stage->in.shape.channels * stage->layer->outputs;
    return 2 * small.height * small.width * taps * taps >= 3 * tiles * POINTS &&
           pairs <= MOST_PAIRS;
}

static bool fits(const struct ecc_stage *stage)
{
    const struct ecc_layer_spec *const layer = stage->layer;
    const size_t stride = layer->stride[0];
    if (layer->kernel[0] != layer->kernel[1] || stride != layer->stride[1] || stride > 2 ||
        stage->padding[0] != stage->padding[1] || layer->kernel[0] % stride != 0) {
        return false;
    }
    const size_t taps = layer->kernel[0] / stride;
    return taps >= 2 && taps <= 5 && stage->padding[0] < layer->kernel[0] &&
           stage->in.block == BLOCK && stage->in.shape.channels % BLOCK == 0 &&
           layer->outputs % BLOCK == 0;
}

static bool accepts(const struct ecc_net *net, const struct ecc_stage *stage)
{
    const struct ecc_layer_spec *const layer = stage->layer;
    return !net->direct && ecc_winograd_available() && ecc_dnn_block(net->dnn) == BLOCK && layer &&
           (layer->kind == ECC_LAYER_CONV || layer->kind == ECC_LAYER_DECONV) && fits(stage) &&
           pays(stage);
}

static struct side side_of(struct ecc_map map, size_t phases, ptrdiff_t offset, size_t pace)
{
    return (struct side){.map = map,
                         .phases = phases,
                         .offset = offset,
                         .pace = (ptrdiff_t)(pace * phases),
                         .channels = map.shape.channels * phases * phases};
}

static void set_tiles(struct side *a, struct side *b, size_t height, size_t width, size_t size)
{
    a->across = b->across = (width + size - 1) / size;
    a->tiles = b->tiles = a->across * ((height + size - 1) / size);
}

static void plan_sides(struct state *state, struct ecc_map big, struct ecc_map small, size_t stride,
                       size_t padding)
{
    const ptrdiff_t before = (ptrdiff_t)padding;
    /* the first place in the small image that reaches into the big one */
    const size_t start = padding / stride;
    const ptrdiff_t taps = (ptrdiff_t)state->taps;
    state->big_in = side_of(big, stride, -before, state->size);
    state->small_m = side_of(small, 1, 0, state->size);
    set_tiles(&state->big_in, &state->small_m, small.shape.height, small.shape.width, state->size);
    state->small_in = side_of(small, 1, (ptrdiff_t)start - (taps - 1), state->size);
    state->big_m = side_of(big, stride, (ptrdiff_t)(start * stride) - before, state->size);
    set_tiles(&state->small_in, &state->big_m,
              (big.shape.height - 1 + padding) / stride - start + 1,
              (big.shape.width - 1 + padding) / stride - start + 1, state->size);
}

/* Floats from a point of the transformed weights to the next. */
static size_t weight_stride(const struct state *state)
{
    return state->big_in.channels * state->small_in.channels + LINE;
}

static size_t tile_stride(size_t channels)
{
    return channels * TILES + LINE;
}

/* w: [phase, big, taps, taps, small] */
static struct ecc_layout weight_layout(const struct ecc_stage *stage, size_t big, size_t small)
{
    const struct state *const state = stage->state;
    const size_t taps = state->taps, stride = stage->layer->stride[0];
    const size_t phase = big * taps * taps * small;
    struct ecc_layout layout = {
        .rank = 4,
        .dims = {small, big, stage->layer->kernel[0], stage->layer->kernel[1]},
        .strides = {1, taps * taps * small, taps * small, small},
        .size = stride * stride * phase};
    if (stride > 1) {
        layout.inner_count = 2;
        layout.inner_dim[0] = 2;
        layout.inner_dim[1] = 3;
        layout.inner_size[0] = layout.inner_size[1] = stride;
        layout.inner_stride[0] = stride * phase;
        layout.inner_stride[1] = phase;
    }
    return layout;
}

static enum ecc_status plan(struct ecc_net *net, struct ecc_stage *stage, struct ecc_error *error)
{
    struct state *const state = calloc(1, sizeof *state);
    if (!state) return ecc_fail_memory(error, "a convolution");
    stage->state = state;
    stage->out = ecc_map_of(stage->view, BLOCK);
    const size_t stride = stage->layer->stride[0];
    state->taps = stage->layer->kernel[0] / stride;
    state->size = ECC_WINOGRAD_SIDE + 1 - state->taps;
    state->parts = (size_t)net->threads;
    state->training = net->training;
    const struct ecc_map big = is_deconv(stage) ? stage->out : stage->in;
    const struct ecc_map small = is_deconv(stage) ? stage->in : stage->out;
    plan_sides(state, big, small, stride, stage->padding[0]);
    state->transformed = POINTS * weight_stride(state);
    const struct ecc_layout weights =
        weight_layout(stage, big.shape.channels, small.shape.channels);
    stage->weight_size = weights.size;
    ecc_plan_weights(net, stage->weight_tensor, &weights);
    return ECC_OK;
}

static size_t tile_floats(const struct state *state)
{
    const size_t big = state->big_in.channels, small = state->small_in.channels;
    return POINTS * tile_stride(big > small ? big : small);
}

static void cut(struct ecc_stage *stage, struct ecc_arena *arena)
{
    struct state *const state = stage->state;
    const size_t bytes = state->transformed * sizeof(float);
    if (state->training || !is_deconv(stage)) state->gather = ecc_arena_cut(arena, 1, bytes);
    if (state->training || is_deconv(stage)) state->spread = ecc_arena_cut(arena, 1, bytes);
    if (state->training) state->sums = ecc_arena_cut(arena, state->parts, bytes);
    state->tiles = ecc_arena_cut(arena, state->parts, 2 * tile_floats(state) * sizeof(float));
}

/* ---- Weights -------------------------------------------------------------------------------- */

/* Eight channels of the big image with eight of the small one, flipped and transposed. */
static void transform_spread(struct state *state, const float *weight, size_t b, size_t s)
{
    const size_t big = state->big_in.channels, small = state->small_in.channels;
    const size_t taps = state->taps;
    float u[BLOCK][POINTS * BLOCK];
    for (size_t i = 0; i < BLOCK; i++) {
        ecc_winograd_kernel(u[i], BLOCK, weight + (b + i) * taps * taps * small + s, small, taps,
                            true);
    }
    for (size_t p = 0; p < POINTS; p++) {
        ecc_winograd_transpose(state->spread + p * weight_stride(state) + s * big + b, big,
                               &u[0][p * BLOCK], POINTS * BLOCK);
    }
}

static void transform_gather(struct state *state, const float *weight, size_t b, size_t s)
{
    const size_t small = state->small_in.channels, taps = state->taps;
    for (size_t i = b; i < b + BLOCK; i++) {
        ecc_winograd_kernel(state->gather + i * small + s, weight_stride(state),
                            weight + i * taps * taps * small + s, small, taps, false);
    }
}

static enum ecc_status prepare(struct ecc_stage *stage, struct ecc_error *error)
{
    struct state *const state = stage->state;
    (void)error;
#pragma omp parallel for schedule(static) num_threads((int)state->parts)
    for (size_t b = 0; b < state->big_in.channels; b += BLOCK) {
        for (size_t s = 0; s < state->small_in.channels; s += BLOCK) {
            if (state->gather) transform_gather(state, stage->weight, b, s);
            if (state->spread) transform_spread(state, stage->weight, b, s);
        }
    }
    return ECC_OK;
}

/* The sums of all parts, transformed back. */
static void finish_weights(struct ecc_stage *stage)
{
    const struct state *const state = stage->state;
    const size_t small = state->small_in.channels, taps = state->taps;
#pragma omp parallel for schedule(static) num_threads((int)state->parts)
    for (size_t b = 0; b < state->big_in.channels; b++) {
        for (size_t p = 0; p < POINTS && state->parts > 1; p++) {
            float *const sum = state->sums + p * weight_stride(state) + b * small;
            for (size_t part = 1; part < state->parts; part++) {
                for (size_t s = 0; s < small; s++) sum[s] += sum[part * state->transformed + s];
            }
        }
        for (size_t s = 0; s < small; s += BLOCK) {
            ecc_winograd_kernel_back(stage->dweight + b * taps * taps * small + s, small,
                                     state->sums + b * small + s, weight_stride(state), taps);
        }
    }
}

/* ---- Tiles ---------------------------------------------------------------------------------- */

/* A run of tiles: numbers of their items' tiles count on from item to item. */
struct run {
    size_t first, count;
};

/* Where a block of channels of a tile is: its plane's place, and the tile in it. */
static size_t locate(struct ecc_winograd_tile *tile, const struct side *side, size_t number,
                     size_t block)
{
    const size_t item = number / side->tiles, in_item = number % side->tiles;
    const size_t phase = block / side->map.blocks;
    *tile = (struct ecc_winograd_tile){.height = side->map.shape.height,
                                       .width = side->map.shape.width,
                                       .y = (ptrdiff_t)(in_item / side->across) * side->pace +
                                            side->offset + (ptrdiff_t)(phase / side->phases),
                                       .x = (ptrdiff_t)(in_item % side->across) * side->pace +
                                            side->offset + (ptrdiff_t)(phase % side->phases),
                                       .step = (ptrdiff_t)side->phases};
    return item * side->map.item + block % side->map.blocks * side->map.pixels * BLOCK;
}

/* size 0: tiles of 8 x 8 as inputs, else size x size pixels of them are evaluated */
static void read_tiles(float *v, const float *image, const struct side *side, struct run run,
                       size_t size)
{
    const size_t stride = tile_stride(side->channels);
    for (size_t t = 0; t < run.count; t++) {
        for (size_t block = 0; block < side->channels / BLOCK; block++) {
            struct ecc_winograd_tile tile;
            const float *const plane = image + locate(&tile, side, run.first + t, block);
            float *const at = v + t * side->channels + block * BLOCK;
            if (size) {
                ecc_winograd_evaluate(at, stride, plane, &tile, size);
            } else {
                ecc_winograd_input(at, stride, plane, &tile);
            }
        }
    }
}

static void write_tiles(float *image, const float *m, const struct side *side, struct run run,
                        size_t size)
{
    for (size_t t = 0; t < run.count; t++) {
        for (size_t block = 0; block < side->channels / BLOCK; block++) {
            struct ecc_winograd_tile tile;
            float *const plane = image + locate(&tile, side, run.first + t, block);
            ecc_winograd_output(plane, &tile, m + t * side->channels + block * BLOCK,
                                tile_stride(side->channels), size);
        }
    }
}

static struct ecc_winograd_product product_of(const struct state *state, const struct side *from,
                                              const struct side *to, size_t tiles)
{
    return (struct ecc_winograd_product){.points = POINTS,
                                         .tiles = tiles,
                                         .inputs = from->channels,
                                         .outputs = to->channels,
                                         .v_stride = tile_stride(from->channels),
                                         .u_stride = weight_stride(state),
                                         .m_stride = tile_stride(to->channels)};
}

/* What is left in the buffer after `run` is multiplied as well, and then dropped. */
static void multiply(float *m, const float *v, const float *weights, const struct state *state,
                     const struct side *from, const struct side *to, size_t tiles)
{
    const size_t whole = (tiles + 11) / 12 * 12;
    const struct ecc_winograd_product product = product_of(state, from, to, whole);
    ecc_winograd_multiply(m, v, weights, &product);
}

/* ---- Passes --------------------------------------------------------------------------------- */

/* A pass over the tiles of some items: any of the last three may be NULL. */
struct pass {
    const struct side *from, *to;
    const float *source;  /* image of `from` */
    float *target;        /* image of `to`, made with */
    const float *weights; /* these */
    const float *other;   /* image of `to` whose products with the source are added up */
};

static void run_part(const struct state *state, const struct pass *pass, size_t n, size_t part)
{
    const size_t tiles = pass->from->tiles, size = state->size;
    const size_t first = n * part / state->parts * tiles;
    const size_t last = n * (part + 1) / state->parts * tiles;
    float *const v = state->tiles + part * 2 * tile_floats(state), *const m =
                                                                       v + tile_floats(state);
    float *const sums = state->sums + (pass->other ? part * state->transformed : 0);
    if (pass->other) memset(sums, 0, state->transformed * sizeof *sums);
    for (size_t at = first; at < last; at += TILES) {
        const struct run run = {at, last - at < TILES ? last - at : TILES};
        read_tiles(v, pass->source, pass->from, run, 0);
        if (pass->target) {
            multiply(m, v, pass->weights, state, pass->from, pass->to, run.count);
            write_tiles(pass->target, m, pass->to, run, size);
        }
        if (pass->other) {
            read_tiles(m, pass->other, pass->to, run, size);
            const struct ecc_winograd_product product =
                product_of(state, pass->from, pass->to, run.count);
            ecc_winograd_accumulate(sums, v, m, &product);
        }
    }
}

static void run_pass(const struct state *state, const struct pass *pass, size_t n)
{
#pragma omp parallel for schedule(static) num_threads((int)state->parts)
    for (size_t part = 0; part < state->parts; part++) run_part(state, pass, n, part);
}

static struct pass gather_pass(const struct state *state, const float *big)
{
    return (struct pass){
        .from = &state->big_in, .to = &state->small_m, .source = big, .weights = state->gather};
}

static struct pass spread_pass(const struct state *state, const float *small)
{
    return (struct pass){
        .from = &state->small_in, .to = &state->big_m, .source = small, .weights = state->spread};
}

static enum ecc_status forward(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                               struct ecc_error *error)
{
    const struct state *const state = stage->state;
    (void)net;
    (void)error;
    struct pass pass =
        is_deconv(stage) ? spread_pass(state, stage->x) : gather_pass(state, stage->x);
    pass.target = stage->u;
    run_pass(state, &pass, n);
    return ECC_OK;
}

static enum ecc_status backward(struct ecc_net *net, struct ecc_stage *stage, float *dx, float *du,
                                struct ecc_error *error)
{
    const struct state *const state = stage->state;
    (void)error;
    struct pass gather = gather_pass(state, is_deconv(stage) ? du : stage->x);
    gather.other = is_deconv(stage) ? stage->x : du;
    if (is_deconv(stage)) gather.target = dx;
    run_pass(state, &gather, net->batch);
    finish_weights(stage);
    if (is_deconv(stage) || !dx) return ECC_OK;
    struct pass spread = spread_pass(state, du);
    spread.target = dx;
    run_pass(state, &spread, net->batch);
    return ECC_OK;
}

static void destroy(struct ecc_stage *stage)
{
    free(stage->state);
}

static void describe(const struct ecc_stage *stage, FILE *stream)
{
    const struct state *const state = stage->state;
    fprintf(stream, "%zu x %zu pixels of a tile, %zu tiles forward", state->size, state->size,
            is_deconv(stage) ? state->small_in.tiles : state->big_in.tiles);
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
};
