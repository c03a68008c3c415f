/*
 * linear_winograd.c: convolutions and their transposes with few multiplications.
 *
 * winograd_shape.h describes the passes and how images are cut into tiles.  Tiles are
 * transformed a few at a time, so that they stay in the second-level cache until they are
 * multiplied and transformed back; gradients of the weights are added up as transformed ones.
 */
#include "nn/plan.h"
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
    const struct ecc_map out = ecc_map_of(stage->view, stage->wish);
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
        stage->in.block % BLOCK != 0 || stage->in.shape.channels % stage->in.block != 0 ||
        layer->kernel[0] != layer->kernel[1] || layer->stride[0] != layer->stride[1] ||
        stage->padding[0] != stage->padding[1]) {
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
    stage->out = ecc_map_of(stage->view, stage->wish);
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

/* Eight channels of the big image with eight of the small one, flipped and transposed. */
static void transform_spread(struct state *state, const float *weight, size_t b, size_t s)
{
    const struct ecc_winograd_shape *const shape = &state->shape;
    const size_t taps = shape->taps, small = shape->small;
    float u[BLOCK][ECC_WINOGRAD_POINTS * BLOCK];
    for (size_t i = 0; i < BLOCK; i++) {
        ecc_winograd_kernel(u[i], BLOCK, weight + (b + i) * taps * taps * small + s, small,
                            shape->side, taps, true);
    }
    for (size_t p = 0; p < shape->points; p++) {
        ecc_winograd_transpose(state->spread + p * weight_stride(shape) + s * shape->big + b,
                               shape->big, &u[0][p * BLOCK], ECC_WINOGRAD_POINTS * BLOCK);
    }
}

static void transform_gather(struct state *state, const float *weight, size_t b, size_t s)
{
    const struct ecc_winograd_shape *const shape = &state->shape;
    const size_t taps = shape->taps, small = shape->small;
    for (size_t i = b; i < b + BLOCK; i++) {
        ecc_winograd_kernel(state->gather + i * small + s, weight_stride(shape),
                            weight + i * taps * taps * small + s, small, shape->side, taps, false);
    }
}

static enum ecc_status prepare(struct ecc_stage *stage, struct ecc_error *error)
{
    struct state *const state = stage->state;
    (void)error;
#pragma omp parallel for schedule(static) num_threads((int)state->parts)
    for (size_t b = 0; b < state->shape.big; b += BLOCK) {
        for (size_t s = 0; s < state->shape.small; s += BLOCK) {
            if (state->gather) transform_gather(state, stage->weight, b, s);
            if (state->spread) transform_spread(state, stage->weight, b, s);
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

/* Some tiles of a batch, one after the other. */
struct run {
    size_t first, count;
};

/* size 0: whole tiles as inputs, else size x size pixels of them are evaluated */
static void read_tiles(float *v, const float *image, const struct ecc_winograd_side *side,
                       struct run run, size_t tile_side, size_t size)
{
    const size_t stride = tile_stride(side->channels);
    for (size_t t = 0; t < run.count; t++) {
        for (size_t block = 0; block < side->channels / BLOCK; block++) {
            struct ecc_winograd_tile tile;
            const float *const plane =
                image + ecc_winograd_locate(&tile, side, run.first + t, block);
            float *const at = v + t * side->channels + block * BLOCK;
            if (size) {
                ecc_winograd_evaluate(at, stride, plane, &tile, tile_side, size);
            } else {
                ecc_winograd_input(at, stride, plane, &tile, tile_side);
            }
        }
    }
}

static void write_tiles(float *image, const float *m, const struct ecc_winograd_side *side,
                        struct run run, size_t tile_side, size_t size)
{
    for (size_t t = 0; t < run.count; t++) {
        for (size_t block = 0; block < side->channels / BLOCK; block++) {
            struct ecc_winograd_tile tile;
            float *const plane = image + ecc_winograd_locate(&tile, side, run.first + t, block);
            ecc_winograd_output(plane, &tile, m + t * side->channels + block * BLOCK,
                                tile_stride(side->channels), tile_side, size);
        }
    }
}

/* ---- Passes --------------------------------------------------------------------------------- */

/* A pass over the tiles of a batch; target or other may be NULL. */
struct pass {
    const struct ecc_winograd_side *from, *to;
    const float *source;  /* image of `from` */
    float *target;        /* image of `to`, made with */
    const float *weights; /* these, rows lie */
    size_t row;           /* floats apart */
    const float *other;   /* image of `to` whose products with the source are added up */
};

static struct ecc_winograd_product product_of(const struct state *state, const struct pass *pass,
                                              size_t tiles)
{
    return (struct ecc_winograd_product){.points = state->shape.points,
                                         .tiles = tiles,
                                         .inputs = pass->from->channels,
                                         .outputs = pass->to->channels,
                                         .u_row = pass->row,
                                         .v_stride = tile_stride(pass->from->channels),
                                         .u_stride = weight_stride(&state->shape),
                                         .m_stride = tile_stride(pass->to->channels)};
}

/* v: the tiles of the source, m: room for as many of the target. */
static void run_tiles(const struct state *state, const struct pass *pass, struct run run, float *v,
                      float *m, float *sums)
{
    const size_t side = state->shape.side, size = state->shape.size;
    read_tiles(v, pass->source, pass->from, run, side, 0);
    if (pass->target) {
        /* leftovers of an earlier run after the last tile are multiplied, too, then ignored */
        const struct ecc_winograd_product product =
            product_of(state, pass, (run.count + 3) / 4 * 4);
        ecc_winograd_multiply(m, v, pass->weights, &product);
        write_tiles(pass->target, m, pass->to, run, side, size);
    }
    if (pass->other) {
        const struct ecc_winograd_product product = product_of(state, pass, run.count);
        read_tiles(m, pass->other, pass->to, run, side, size);
        ecc_winograd_accumulate(sums, v, m, &product);
    }
}

/* Items from `first` to before `last`; ready, made: whether this is the first pass that reads them,
 * and the last that writes. */
struct range {
    size_t first, last;
    bool ready, made;
};

/* The tiles of some items, in even runs that may end within an item. */
static void run_items(const struct ecc_net *net, const struct state *state, const struct pass *pass,
                      struct range items, size_t part)
{
    const size_t tiles = pass->from->tiles, floats = tile_floats(&state->shape);
    const size_t first = items.first * tiles, last = items.last * tiles;
    const size_t runs = (last - first + TILES - 1) / TILES;
    const size_t most = runs ? ((last - first + runs - 1) / runs + 3) / 4 * 4 : TILES;
    float *const v = state->tiles + part * 2 * floats;
    float *const sums = pass->other ? state->sums + part * state->transformed : NULL;
    size_t ready = items.first, made = items.first;
    for (size_t at = first; at < last; at += most) {
        const struct run run = {at, last - at < most ? last - at : most};
        const size_t reach = (at + run.count - 1) / tiles + 1, whole = (at + run.count) / tiles;
        if (items.ready) ecc_items_ready(net, ready, reach);
        run_tiles(state, pass, run, v, v + floats, sums);
        if (items.made) ecc_items_made(net, made, whole);
        ready = reach;
        made = whole;
    }
}

static struct pass gather_pass(const struct state *state, const float *big)
{
    return (struct pass){.from = &state->shape.gather_from,
                         .to = &state->shape.gather_to,
                         .source = big,
                         .weights = state->gather,
                         .row = state->shape.small};
}

static void spread_items(const struct ecc_net *net, const struct state *state, float *big,
                         const float *small, struct range items, size_t part)
{
    const struct ecc_winograd_shape *const shape = &state->shape;
    for (size_t i = 0; i < shape->spreads; i++) {
        const struct pass pass = {.from = &shape->spread_from[i],
                                  .to = &shape->spread_to[i],
                                  .source = small,
                                  .target = big,
                                  .weights = state->spread + i * shape->spread_to[i].channels,
                                  .row = shape->big};
        const struct range now = {items.first, items.last, items.ready && i == 0,
                                  items.made && i + 1 == shape->spreads};
        run_items(net, state, &pass, now, part);
    }
}

/* What is computed of a part of the items. */
typedef void run_part(const struct ecc_net *net, const struct ecc_stage *stage, float *dx,
                      const float *du, struct range items, size_t part);

static void forward_part(const struct ecc_net *net, const struct ecc_stage *stage, float *dx,
                         const float *du, struct range items, size_t part)
{
    const struct state *const state = stage->state;
    (void)dx, (void)du;
    if (is_deconv(stage)) {
        spread_items(net, state, stage->u, stage->x, items, part);
    } else {
        struct pass pass = gather_pass(state, stage->x);
        pass.target = stage->u;
        run_items(net, state, &pass, items, part);
    }
}

static void backward_part(const struct ecc_net *net, const struct ecc_stage *stage, float *dx,
                          const float *du, struct range items, size_t part)
{
    const struct state *const state = stage->state;
    const bool deconv = is_deconv(stage), spreads = !deconv && dx;
    struct pass pass = gather_pass(state, deconv ? du : stage->x);
    pass.other = deconv ? stage->x : du;
    if (deconv) pass.target = dx;
    const struct range gathered = {items.first, items.last, true, !spreads};
    run_items(net, state, &pass, gathered, part);
    const struct range spread = {items.first, items.last, false, true};
    if (spreads) spread_items(net, state, dx, du, spread, part);
}

/* Where several passes read or write the same images, a few items at a time stay in the cache. */
static size_t group_of(const struct ecc_stage *stage, size_t n, bool back)
{
    enum { CACHED = 384 << 10 };
    const struct state *const state = stage->state;
    const bool deconv = is_deconv(stage);
    if (deconv == back || (deconv && state->shape.spreads == 1)) return n;
    const size_t item = state->shape.gather_from.map.item + state->shape.gather_to.map.item;
    const size_t items = CACHED / (item * sizeof(float));
    return items < 1 ? 1 : items;
}

/* One part; several threads may do this at once. */
static void run_groups(const struct ecc_net *net, const struct ecc_stage *stage, run_part *run,
                       float *dx, const float *du, size_t n, size_t part)
{
    const struct state *const state = stage->state;
    const size_t group = group_of(stage, n, du != NULL), last = n * (part + 1) / state->parts;
    for (size_t at = n * part / state->parts; at < last; at += group) {
        const struct range items = {at, last - at < group ? last : at + group, true, true};
        run(net, stage, dx, du, items, part);
    }
}

static enum ecc_status forward(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                               struct ecc_error *error)
{
    const size_t parts = ((const struct state *)stage->state)->parts;
    (void)error;
#pragma omp parallel for schedule(static) num_threads((int)parts)
    for (size_t part = 0; part < parts; part++) {
        run_groups(net, stage, forward_part, NULL, NULL, n, part);
    }
    return ECC_OK;
}

static enum ecc_status backward(struct ecc_net *net, struct ecc_stage *stage, float *dx, float *du,
                                struct ecc_error *error)
{
    const struct state *const state = stage->state;
    (void)error;
#pragma omp parallel num_threads((int)state->parts)
    {
#pragma omp for schedule(static)
        for (size_t part = 0; part < state->parts; part++) {
            memset(state->sums + part * state->transformed, 0, state->transformed * sizeof(float));
            run_groups(net, stage, backward_part, dx, du, net->batch, part);
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
