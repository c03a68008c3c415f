/*
 * linear_direct.c: the first convolution, of images with few channels.
 *
 * oneDNN's fast kernels need eight channels to fill a vector; with one channel its gradient of the
 * weights even falls back to the reference implementation.  Here a vector holds eight outputs:
 *     u[p, o..o+7] = sum over taps t of x[p + t] * w[t, o..o+7]
 * The image is first copied into a border of zeros.  Batch norm and the activation are computed
 * while an item is still in the cache.
 */
#include "nn/direct_kernels.h"
#include "nn/item_groups.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHANNELS = 4, BLOCK = 8 };

struct state {
    struct ecc_direct_shape shape;
    float *padded; /* [threads, padded image], the border stays zero */
    float *sums;   /* [groups, weights] gradients of a group of items each */
    size_t threads, groups;
};

static bool accepts(const struct ecc_net *net, const struct ecc_stage *stage)
{
    (void)net;
    return stage->first && stage->layer && stage->layer->kind == ECC_LAYER_CONV &&
           stage->in.shape.channels <= MOST_CHANNELS && stage->in.block == 1 &&
           stage->layer->outputs <= 64;
}

static enum ecc_status plan(struct ecc_net *net, struct ecc_stage *stage, struct ecc_error *error)
{
    const struct ecc_layer_spec *const layer = stage->layer;
    struct state *const state = calloc(1, sizeof *state);
    if (!state) return ecc_fail_memory(error, "a convolution");
    stage->state = state;
    stage->out = ecc_map_of(stage->view, BLOCK);
    const struct ecc_item_shape in = stage->in.shape;
    state->threads = (size_t)net->threads;
    state->groups = ecc_item_groups(net->batch);
    state->shape = (struct ecc_direct_shape){.channels = in.channels,
                                             .height = in.height + 2 * stage->padding[0],
                                             .width = in.width + 2 * stage->padding[1],
                                             .out_height = stage->view.height,
                                             .out_width = stage->view.width,
                                             .blocks = stage->out.blocks};
    for (int k = 0; k < 2; k++) {
        state->shape.kernel[k] = layer->kernel[k];
        state->shape.stride[k] = layer->stride[k];
    }
    /* w: [blocks, channels, kernel height, kernel width, 8] */
    const size_t taps = layer->kernel[0] * layer->kernel[1];
    const struct ecc_layout weights = {
        .rank = 4,
        .dims = {layer->outputs, in.channels, layer->kernel[0], layer->kernel[1]},
        .strides = {in.channels * taps * BLOCK, taps * BLOCK, layer->kernel[1] * BLOCK, BLOCK},
        .inner_count = 1,
        .inner_dim = {0},
        .inner_size = {BLOCK},
        .inner_stride = {1},
        .size = ecc_map_channels(&stage->out) * in.channels * taps};
    stage->weight_size = weights.size;
    ecc_plan_weights(net, stage->weight_tensor, &weights);
    return ECC_OK;
}

static size_t padded_size(const struct state *state)
{
    const struct ecc_direct_shape *const s = &state->shape;
    /* kernels may read some columns past the last row */
    const size_t size = s->channels * s->height * s->width + 64;
    return (size + 15) / 16 * 16;
}

static void cut(struct ecc_stage *stage, struct ecc_arena *arena)
{
    struct state *const state = stage->state;
    state->padded = ecc_arena_cut(arena, state->threads, padded_size(state) * sizeof(float));
    state->sums = ecc_arena_cut(arena, state->groups, stage->weight_size * sizeof(float));
}

static void copy_into_border(float *padded, const float *x, const struct ecc_stage *stage)
{
    const struct state *const state = stage->state;
    const struct ecc_item_shape in = stage->in.shape;
    for (size_t c = 0; c < in.channels; c++) {
        for (size_t h = 0; h < in.height; h++) {
            const size_t row = c * state->shape.height + h + stage->padding[0];
            memcpy(padded + row * state->shape.width + stage->padding[1],
                   x + (c * in.height + h) * in.width, in.width * sizeof *x);
        }
    }
}

static enum ecc_status forward(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                               struct ecc_error *error)
{
    const struct state *const state = stage->state;
    const struct ecc_map *const map = &stage->out;
    (void)error;
#pragma omp parallel for schedule(static) num_threads(net->threads)
    for (size_t i = 0; i < n; i++) {
        float *const padded = state->padded + ecc_thread() * padded_size(state);
        float *const u = stage->u + i * map->item;
        ecc_items_ready(net, i, i + 1);
        copy_into_border(padded, stage->x + i * stage->in.item, stage);
        ecc_direct_forward(u, padded, stage->weight, &state->shape);
        ecc_items_made(net, i, i + 1);
    }
    return ECC_OK;
}

/* dx stays as it is: the gradient of an item is not needed. */
static void backward_item(const struct ecc_net *net, const struct ecc_stage *stage, float *sums,
                          float *dx, const float *du, size_t i)
{
    const struct state *const state = stage->state;
    float *const padded = state->padded + ecc_thread() * padded_size(state);
    (void)dx;
    ecc_items_ready(net, i, i + 1);
    copy_into_border(padded, stage->x + i * stage->in.item, stage);
    ecc_direct_weights(sums, padded, du + i * stage->out.item, &state->shape);
}

static enum ecc_status backward(struct ecc_net *net, struct ecc_stage *stage, float *dx, float *du,
                                struct ecc_error *error)
{
    const struct state *const state = stage->state;
    (void)error;
    ecc_item_groups_sum(net, stage, state->sums, dx, du, backward_item);
    return ECC_OK;
}

static void destroy(struct ecc_stage *stage)
{
    free(stage->state);
}

const struct ecc_linear ecc_linear_direct = {
    .name = "direct",
    .accepts = accepts,
    .plan = plan,
    .cut = cut,
    .forward = forward,
    .backward = backward,
    .destroy = destroy,
    .by_items = true,
};
