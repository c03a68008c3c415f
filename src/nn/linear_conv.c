/*
 * linear_conv.c: convolutions and their transposes by dnn.h.
 *
 * The master weights and Adam's moments have the layout of the gradient of the weights.  Forward
 * and backward through the data may need other layouts: copies that are updated after each change.
 *
 * For some counts of channels oneDNN has only its reference implementation, a hundred times slower.
 * It is then told of as many as fill whole vectors; the weights of those that are not there are
 * zero, and stay so.
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

static struct ecc_conv_shape shape_of(const struct ecc_net *net, const struct ecc_stage *stage)
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
    return shape;
}

/* Plans it for channels in multiples of `filled`; the maps and weights of *info are of those that
 * are there.  False if it is not fast, or if the maps have no room for those that fill up. */
static bool plan_filled(struct state *state, const struct ecc_net *net,
                        const struct ecc_stage *stage, size_t filled)
{
    struct ecc_conv_shape shape = shape_of(net, stage);
    const struct ecc_item_shape in = shape.in, out = shape.out;
    shape.in.channels = (in.channels + filled - 1) / filled * filled;
    shape.out.channels = (out.channels + filled - 1) / filled * filled;
    struct ecc_conv_info *const info = &state->info;
    if (ecc_dnn_conv_create(&state->conv, info, net->dnn, &shape, stage->in.block, net->training,
                            !stage->first, NULL) != ECC_OK) {
        return false;
    }
    struct ecc_map *const maps[] = {&info->in, &info->weights_in, &info->out};
    bool usable = !info->slow;
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        const struct ecc_map map = ecc_map_of(i == 2 ? out : in, maps[i]->block);
        if (map.item != maps[i]->item) usable = false;
        *maps[i] = map;
    }
    for (int pass = 0; pass < ECC_CONV_PASSES; pass++) {
        info->weights[pass].dims[0] = out.channels;
        info->weights[pass].dims[1] = in.channels;
    }
    if (!usable) ecc_dnn_conv_free(state->conv);
    return usable;
}

static enum ecc_status plan_conv(struct state *state, const struct ecc_net *net,
                                 const struct ecc_stage *stage, struct ecc_error *error)
{
    for (size_t filled = 1; filled <= 16; filled = filled == 1 ? 8 : 2 * filled) {
        if (plan_filled(state, net, stage, filled)) return ECC_OK;
    }
    const struct ecc_conv_shape shape = shape_of(net, stage);
    return ecc_dnn_conv_create(&state->conv, &state->info, net->dnn, &shape, stage->in.block,
                               net->training, !stage->first, error);
}

static enum ecc_status plan(struct ecc_net *net, struct ecc_stage *stage, struct ecc_error *error)
{
    struct state *const state = calloc(1, sizeof *state);
    if (!state) return ecc_fail_memory(error, "a convolution");
    stage->state = state;
    ECC_TRY(plan_conv(state, net, stage, error));
    state->batch = net->batch;
    stage->in = state->info.in;
    stage->out = state->info.out;
    if (state->info.scratch > net->scratch_size) net->scratch_size = state->info.scratch;
    struct ecc_layout master = state->info.weights[ECC_CONV_BACK_WEIGHTS];
    if (stage->layer->kind == ECC_LAYER_DECONV) ecc_layout_swap(&master, 0, 1);
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
