/*
 * linear_conv.c: convolutions and their transposes by dnn.h.
 *
 * The master weights and Adam's moments have the layout of the gradient of the weights.  Forward
 * and backward through the data may need other layouts: copies that are updated after each change.
 */
#include "nn/plan.h"

#include <stdlib.h>

struct state {
    struct ecc_dnn_conv *conv;
    struct ecc_conv_info info;
    float *weights[ECC_CONV_PASSES]; /* copies in other layouts, or NULL */
    float *copy; /* of x, if the gradient of the weights needs another layout; or NULL */
    size_t batch;
};

static bool accepts(const struct ecc_net *net, const struct ecc_stage *stage)
{
    (void)net;
    return stage->layer &&
           (stage->layer->kind == ECC_LAYER_CONV || stage->layer->kind == ECC_LAYER_DECONV);
}

static enum ecc_status plan(struct ecc_net *net, struct ecc_stage *stage, struct ecc_error *error)
{
    const struct ecc_layer_spec *const layer = stage->layer;
    struct ecc_conv_shape shape = {.transposed = layer->kind == ECC_LAYER_DECONV,
                                   .n = net->batch,
                                   .in = stage->in.shape,
                                   .out = stage->view};
    for (int k = 0; k < 2; k++) {
        shape.kernel[k] = layer->kernel[k];
        shape.stride[k] = layer->stride[k];
        shape.padding[k] = stage->padding[k];
    }
    struct state *const state = calloc(1, sizeof *state);
    if (!state) return ecc_fail_memory(error, "a convolution");
    stage->state = state;
    ECC_TRY(ecc_dnn_conv_create(&state->conv, &state->info, net->dnn, &shape, stage->in.block,
                                net->training, !stage->first, error));
    state->batch = net->batch;
    stage->in = state->info.in;
    stage->out = state->info.out;
    if (state->info.scratch > net->scratch_size) net->scratch_size = state->info.scratch;
    struct ecc_layout master = state->info.weights[ECC_CONV_BACK_WEIGHTS];
    if (layer->kind == ECC_LAYER_DECONV) ecc_layout_swap(&master, 0, 1);
    ecc_plan_weights(net, stage->weight_tensor, &master);
    return ECC_OK;
}

static bool needs_copy(const struct state *state)
{
    return state->info.weights_in.block != state->info.in.block;
}

static void cut(struct ecc_stage *stage, struct ecc_arena *arena)
{
    struct state *const state = stage->state;
    for (int pass = 0; pass < ECC_CONV_BACK_WEIGHTS; pass++) {
        if (ecc_dnn_conv_same(state->conv, (enum ecc_conv_pass)pass)) continue;
        state->weights[pass] = ecc_arena_cut(arena, state->info.weights[pass].size, sizeof(float));
    }
    if (needs_copy(state)) {
        state->copy =
            ecc_arena_cut(arena, state->batch, state->info.weights_in.item * sizeof(float));
    }
}

static enum ecc_status prepare(struct ecc_stage *stage, struct ecc_error *error)
{
    struct state *const state = stage->state;
    for (int pass = 0; pass < ECC_CONV_BACK_WEIGHTS; pass++) {
        if (!state->weights[pass]) continue;
        ECC_TRY(ecc_dnn_conv_reorder(state->conv, (enum ecc_conv_pass)pass, state->weights[pass],
                                     stage->weight, error));
    }
    return ECC_OK;
}

static float *weights_for(const struct ecc_stage *stage, enum ecc_conv_pass pass)
{
    const struct state *const state = stage->state;
    return state->weights[pass] ? state->weights[pass] : stage->weight;
}

static enum ecc_status forward(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                               struct ecc_error *error)
{
    struct state *const state = stage->state;
    (void)n; /* planned for whole batches */
    return ecc_dnn_conv_run(state->conv, ECC_CONV_FORWARD, stage->x,
                            weights_for(stage, ECC_CONV_FORWARD), stage->u, net->scratch, error);
}

static enum ecc_status backward(struct ecc_net *net, struct ecc_stage *stage, float *dx, float *du,
                                struct ecc_error *error)
{
    struct state *const state = stage->state;
    float *const x = needs_copy(state) ? state->copy : stage->x;
    if (needs_copy(state)) {
        ecc_map_convert(x, &state->info.weights_in, stage->x, &stage->in, net->batch, net->threads);
    }
    ECC_TRY(ecc_dnn_conv_run(state->conv, ECC_CONV_BACK_WEIGHTS, x, stage->dweight, du,
                             net->scratch, error));
    if (!dx) return ECC_OK;
    return ecc_dnn_conv_run(state->conv, ECC_CONV_BACK_DATA, dx,
                            weights_for(stage, ECC_CONV_BACK_DATA), du, net->scratch, error);
}

static void destroy(struct ecc_stage *stage)
{
    struct state *const state = stage->state;
    if (state) ecc_dnn_conv_free(state->conv);
    free(state);
}

static void describe(const struct ecc_stage *stage, FILE *stream)
{
    const struct state *const state = stage->state;
    static const char *const names[] = {"forward", "data", "weights"};
    for (int pass = 0; pass < ECC_CONV_PASSES; pass++) {
        const char *const name = state->info.implementation[pass];
        if (name) fprintf(stream, "%s%s %s", pass ? ", " : "", names[pass], name);
    }
    if (state->info.slow) fputs(" (no faster implementation for these sizes)", stream);
}

const struct ecc_linear ecc_linear_conv = {
    .name = "convolution",
    .accepts = accepts,
    .plan = plan,
    .cut = cut,
    .prepare = prepare,
    .forward = forward,
    .backward = backward,
    .destroy = destroy,
    .describe = describe,
};
