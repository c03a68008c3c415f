/*
 * linear_wide.c: convolutions and their transposes with many channels, by tiles.
 *
 * See wide_passes.c.  Channels that fill up the last vector of the weights are zero and stay so.
 */
#include "nn/plan.h"
#include "nn/wide_passes.h"

#include <math.h>
#include <stdlib.h>

struct state {
    struct ecc_wide_shape shape;
};

static bool is_deconv(const struct ecc_stage *stage)
{
    return stage->layer->kind == ECC_LAYER_DECONV;
}

static struct ecc_wide_request request_of(const struct ecc_net *net, const struct ecc_stage *stage)
{
    const struct ecc_map out = ecc_map_of(stage->view, stage->in.block);
    return (struct ecc_wide_request){.big = is_deconv(stage) ? out : stage->in,
                                     .small = is_deconv(stage) ? stage->in : out,
                                     .kernel = stage->layer->kernel[0],
                                     .stride = stage->layer->stride[0],
                                     .padding = {stage->padding[0], stage->padding[1]},
                                     .items = net->batch,
                                     .transposed = is_deconv(stage),
                                     .training = net->training,
                                     .threads = net->threads};
}

double ecc_linear_wide_time(const struct ecc_net *net, const struct ecc_stage *stage)
{
    const struct ecc_layer_spec *const layer = stage->layer;
    if (net->direct || !layer || stage->first ||
        (layer->kind != ECC_LAYER_CONV && layer->kind != ECC_LAYER_DECONV) ||
        (stage->in.block != 8 && stage->in.block != 16) || layer->kernel[0] != layer->kernel[1] ||
        layer->stride[0] != layer->stride[1]) {
        return HUGE_VAL;
    }
    const struct ecc_wide_request request = request_of(net, stage);
    struct ecc_wide_shape shape;
    double time;
    return ecc_wide_choose(&shape, &time, &request) ? time : HUGE_VAL;
}

static bool accepts(const struct ecc_net *net, const struct ecc_stage *stage)
{
    return ecc_linear_wide_time(net, stage) < HUGE_VAL;
}

/* w: [phase, chunk of small, big, taps, taps, row] for a tensor [small, big, kernel, kernel] */
static struct ecc_layout weight_layout(const struct ecc_stage *stage,
                                       const struct ecc_wide_shape *shape)
{
    const size_t taps = shape->kernels->taps, row = ecc_wide_weight_row(shape);
    const size_t stride = shape->request.stride, chunk = shape->big_width * taps * taps * row;
    const size_t phase = shape->small_chunks * chunk;
    struct ecc_layout layout = {.rank = 4,
                                .dims = {shape->request.small.shape.channels,
                                         shape->request.big.shape.channels, stage->layer->kernel[0],
                                         stage->layer->kernel[1]},
                                .strides = {chunk, taps * taps * row, taps * row, row},
                                .inner_count = 1,
                                .inner_dim = {0},
                                .inner_size = {row},
                                .inner_stride = {1},
                                .size = ecc_wide_weights(shape)};
    ecc_layout_add_phases(&layout, stride, phase);
    return layout;
}

static enum ecc_status plan(struct ecc_net *net, struct ecc_stage *stage, struct ecc_error *error)
{
    struct state *const state = calloc(1, sizeof *state);
    if (!state) return ecc_fail_memory(error, "a convolution");
    stage->state = state;
    stage->out = ecc_map_of(stage->view, stage->in.block);
    const struct ecc_wide_request request = request_of(net, stage);
    double time;
    ecc_wide_choose(&state->shape, &time, &request);
    const size_t scratch = ecc_wide_scratch(&state->shape) * sizeof(float);
    if (scratch > net->scratch_size) net->scratch_size = scratch;
    const struct ecc_layout weights = weight_layout(stage, &state->shape);
    stage->weight_size = weights.size;
    ecc_plan_weights(net, stage->weight_tensor, &weights);
    return ECC_OK;
}

static enum ecc_status forward(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                               struct ecc_error *error)
{
    const struct state *const state = stage->state;
    (void)error;
    struct ecc_wide_run run = {.weights = stage->weight, .scratch = net->scratch, .items = n};
    if (is_deconv(stage)) {
        run.small = stage->x;
        run.big_out = stage->u;
    } else {
        run.big = stage->x;
        run.small_out = stage->u;
    }
    ecc_wide_run(&state->shape, &run);
    return ECC_OK;
}

static enum ecc_status backward(struct ecc_net *net, struct ecc_stage *stage, float *dx, float *du,
                                struct ecc_error *error)
{
    const struct state *const state = stage->state;
    const bool deconv = is_deconv(stage);
    (void)error;
    const struct ecc_wide_run run = {.big = deconv ? du : stage->x,
                                     .small = deconv ? stage->x : du,
                                     .big_out = deconv ? NULL : dx,
                                     .small_out = deconv ? dx : NULL,
                                     .weights = stage->weight,
                                     .dweights = stage->dweight,
                                     .scratch = net->scratch,
                                     .items = net->batch};
    ecc_wide_run(&state->shape, &run);
    return ECC_OK;
}

static void destroy(struct ecc_stage *stage)
{
    free(stage->state);
}

static void describe(const struct ecc_stage *stage, FILE *stream)
{
    const struct ecc_wide_shape *const shape = &((const struct state *)stage->state)->shape;
    fprintf(stream, "%zu x %zu pixels by %zu products", shape->size, shape->size, shape->points);
}

const struct ecc_linear ecc_linear_wide = {
    .name = "wide tiles",
    .accepts = accepts,
    .plan = plan,
    .forward = forward,
    .backward = backward,
    .destroy = destroy,
    .describe = describe,
};
