/*
 * linear_point.c: convolutions with a kernel of 1 x 1, and their transposes: at each pixel a small
 * matrix product.
 *
 * These take as long to read and write their images as to multiply, so they are computed item by
 * item, together with the batch norm and activation before them.  A few outputs, such as the
 * colours of an image, make a plain image without filling.
 */
#include "nn/item_groups.h"
#include "nn/point_kernels.h"

#include <stdlib.h>

/* More pairs of channels are left to oneDNN, whose matrix products block for the caches. */
enum { FEW = 4, MOST_PAIRS = 4096 };

struct state {
    size_t groups;
    float *transposed; /* [out, in]: the weights for the way back; not for few outputs */
    float *sums;       /* [groups, weights] */
    bool training, few;
};

static bool is_few(const struct ecc_stage *stage)
{
    return stage->view.channels <= FEW;
}

static bool accepts(const struct ecc_net *net, const struct ecc_stage *stage)
{
    const struct ecc_layer_spec *const layer = stage->layer;
    const size_t in = stage->in.shape.channels, out = stage->view.channels;
    (void)net;
    if (!layer || stage->first ||
        (layer->kind != ECC_LAYER_CONV && layer->kind != ECC_LAYER_DECONV)) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        if (layer->kernel[k] != 1 || layer->stride[k] != 1 || stage->padding[k] != 0) return false;
    }
    return ecc_map_in_eights(&stage->in) && (is_few(stage) || in * out <= MOST_PAIRS);
}

static enum ecc_status plan(struct ecc_net *net, struct ecc_stage *stage, struct ecc_error *error)
{
    struct state *const state = calloc(1, sizeof *state);
    if (!state) return ecc_fail_memory(error, "a convolution");
    stage->state = state;
    state->few = is_few(stage);
    state->training = net->training;
    state->groups = ecc_item_groups(net->batch);
    stage->out = ecc_map_of(stage->view, state->few ? 1 : ecc_stage_block(stage));
    const size_t in = ecc_map_channels(&stage->in), out = ecc_map_channels(&stage->out);
    struct ecc_layout weights = {.rank = 4,
                                 .dims = {stage->view.channels, stage->in.shape.channels, 1, 1},
                                 .strides = {state->few ? in : 1, state->few ? 1 : out, 1, 1},
                                 .size = in * out};
    if (stage->layer->kind == ECC_LAYER_DECONV) ecc_layout_swap(&weights, 0, 1);
    stage->weight_size = weights.size;
    ecc_plan_weights(net, stage->weight_tensor, &weights);
    return ECC_OK;
}

static void cut(struct ecc_stage *stage, struct ecc_arena *arena)
{
    struct state *const state = stage->state;
    const size_t bytes = stage->weight_size * sizeof(float);
    if (!state->training) return;
    if (!state->few) state->transposed = ecc_arena_cut(arena, 1, bytes);
    state->sums = ecc_arena_cut(arena, state->groups, bytes);
}

static enum ecc_status prepare(struct ecc_stage *stage, struct ecc_error *error)
{
    const struct state *const state = stage->state;
    const size_t in = ecc_map_channels(&stage->in), out = ecc_map_channels(&stage->out);
    (void)error;
    for (size_t k = 0; state->transposed && k < in * out; k++) {
        state->transposed[k % out * in + k / out] = stage->weight[k];
    }
    return ECC_OK;
}

static enum ecc_status forward(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                               struct ecc_error *error)
{
    const bool few = ((const struct state *)stage->state)->few;
    (void)error;
#pragma omp parallel for schedule(static) num_threads(net->threads)
    for (size_t i = 0; i < n; i++) {
        const float *const x = stage->x + i * stage->in.item;
        float *const u = stage->u + i * stage->out.item;
        ecc_items_ready(net, i, i + 1);
        if (few) {
            ecc_point_few(u, stage->out.shape.channels, x, &stage->in, stage->weight);
        } else {
            ecc_point_multiply(u, &stage->out, x, &stage->in, stage->weight);
        }
        ecc_items_made(net, i, i + 1);
    }
    return ECC_OK;
}

static void backward_item(const struct ecc_net *net, const struct ecc_stage *stage, float *sums,
                          float *dx, const float *du, size_t i)
{
    const struct state *const state = stage->state;
    const float *const x = stage->x + i * stage->in.item;
    const float *const d = du + i * stage->out.item;
    float *const to = dx + i * stage->in.item;
    ecc_items_ready(net, i, i + 1);
    if (state->few) {
        const size_t outputs = stage->out.shape.channels;
        ecc_point_few_weights(sums, d, outputs, x, &stage->in);
        ecc_point_few_back(to, &stage->in, d, outputs, stage->weight);
    } else {
        ecc_point_weights(sums, d, &stage->out, x, &stage->in);
        ecc_point_multiply(to, &stage->in, d, &stage->out, state->transposed);
    }
    ecc_items_made(net, i, i + 1);
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

const struct ecc_linear ecc_linear_point = {
    .name = "pixel by pixel",
    .accepts = accepts,
    .plan = plan,
    .cut = cut,
    .prepare = prepare,
    .forward = forward,
    .backward = backward,
    .destroy = destroy,
    .by_items = true,
};
