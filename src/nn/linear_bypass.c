/*
 * linear_bypass.c: a linear path around the layers of the encoder or decoder.
 *
 *     u: [n, out] = x: [n, out] + s: [n, in] * transposed W: [out, in], s being the part's input
 *
 * A net with it can start from a linear solution, such as PCA's, and learn what is left.
 */
#include "nn/plan.h"

#include <string.h>

static bool accepts(const struct ecc_net *net, const struct ecc_stage *stage)
{
    (void)net;
    return stage->layer && stage->layer->kind == ECC_LAYER_BYPASS;
}

static enum ecc_status plan(struct ecc_net *net, struct ecc_stage *stage, struct ecc_error *error)
{
    (void)error;
    const size_t in = stage->layer->around;
    stage->in = stage->out = ecc_map_plain(stage->view);
    const struct ecc_layout weight = {
        .rank = 2, .dims = {stage->out.item, in}, .strides = {in, 1}, .size = in * stage->out.item};
    ecc_plan_weights(net, stage->weight_tensor, &weight);
    return ECC_OK;
}

static enum ecc_status forward(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                               struct ecc_error *error)
{
    (void)net;
    const size_t outputs = stage->out.item;
    memcpy(stage->u, stage->x, n * outputs * sizeof *stage->u);
    const struct ecc_product product = {
        .m = n, .n = outputs, .k = stage->layer->around, .transpose_b = true, .beta = 1};
    return ecc_dnn_gemm(stage->u, stage->source, stage->weight, &product, error);
}

static enum ecc_status backward(struct ecc_net *net, struct ecc_stage *stage, float *dx, float *du,
                                struct ecc_error *error)
{
    const size_t n = net->batch, inputs = stage->layer->around, outputs = stage->out.item;
    const struct ecc_product weight = {.m = outputs, .n = inputs, .k = n, .transpose_a = true};
    const struct ecc_product data = {.m = n, .n = inputs, .k = outputs};
    ECC_TRY(ecc_dnn_gemm(stage->dweight, du, stage->source, &weight, error));
    if (stage->dsource) {
        ECC_TRY(ecc_dnn_gemm(stage->dsource, du, stage->weight, &data, error));
    }
    if (dx) memcpy(dx, du, n * outputs * sizeof *dx);
    return ECC_OK;
}

const struct ecc_linear ecc_linear_bypass = {
    .name = "linear path",
    .accepts = accepts,
    .plan = plan,
    .forward = forward,
    .backward = backward,
};
