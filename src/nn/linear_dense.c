/*
 * linear_dense.c: layers that are a matrix product: dense ones, a transposed convolution of 1x1
 * images, and a convolution whose kernel covers its whole input.
 *
 * Rows and columns of the weights follow the order of the images in memory, in any layout, so that
 * nothing has to be moved before or after.
 *     u: [n, out.item] = x: [n, in.item] * transposed W: [out.item, in.item] + bias
 */
#include "nn/plan.h"

#include <string.h>

static bool accepts(const struct ecc_net *net, const struct ecc_stage *stage)
{
    const struct ecc_layer_spec *const layer = stage->layer;
    (void)net;
    if (!layer) return false;
    if (layer->kind == ECC_LAYER_DENSE) return true;
    if (stage->padding[0] || stage->padding[1]) return false;
    const struct ecc_item_shape in = stage->in.shape;
    if (layer->kind == ECC_LAYER_DECONV) return in.height == 1 && in.width == 1;
    return layer->kind == ECC_LAYER_CONV && in.height == layer->kernel[0] &&
           in.width == layer->kernel[1];
}

static enum ecc_status plan(struct ecc_net *net, struct ecc_stage *stage, struct ecc_error *error)
{
    (void)error;
    const struct ecc_item_shape view = stage->view;
    const bool image = view.height > 1 || view.width > 1;
    const size_t block = stage->wish || view.channels % ECC_BLOCK ? stage->wish : ECC_BLOCK;
    stage->out = image && block ? ecc_map_of(view, block) : ecc_map_plain(view);
    struct ecc_layout weight = {.size = stage->in.item * stage->out.item};
    if (stage->layer->kind == ECC_LAYER_DECONV) {
        ecc_layout_add_image(&weight, &stage->in, 1);
        ecc_layout_add_image(&weight, &stage->out, stage->in.item);
    } else {
        ecc_layout_add_image(&weight, &stage->out, stage->in.item);
        ecc_layout_add_image(&weight, &stage->in, 1);
    }
    ecc_plan_weights(net, stage->weight_tensor, &weight);
    if (stage->layer->kind == ECC_LAYER_DENSE) {
        struct ecc_layout bias = {.size = stage->out.item};
        ecc_layout_add_image(&bias, &stage->out, 1);
        ecc_plan_weights(net, stage->bias_tensor, &bias);
    }
    return ECC_OK;
}

static enum ecc_status forward(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                               struct ecc_error *error)
{
    (void)net;
    const size_t inputs = stage->in.item, outputs = stage->out.item;
    for (size_t i = 0; stage->bias && i < n; i++) {
        memcpy(stage->u + i * outputs, stage->bias, outputs * sizeof *stage->u);
    }
    const struct ecc_product product = {
        .m = n, .n = outputs, .k = inputs, .transpose_b = true, .beta = stage->bias ? 1 : 0};
    return ecc_dnn_gemm(stage->u, stage->x, stage->weight, &product, error);
}

/* Sums of the columns of du: [n, count], row by row for any number of threads. */
static void sum_rows(float *sums, const float *du, size_t n, size_t count)
{
    memset(sums, 0, count * sizeof *sums);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < count; k++) sums[k] += du[i * count + k];
    }
}

static enum ecc_status backward(struct ecc_net *net, struct ecc_stage *stage, float *dx, float *du,
                                struct ecc_error *error)
{
    const size_t n = net->batch, inputs = stage->in.item, outputs = stage->out.item;
    if (stage->dbias) sum_rows(stage->dbias, du, n, outputs);
    const struct ecc_product weights = {.m = outputs, .n = inputs, .k = n, .transpose_a = true};
    const struct ecc_product data = {.m = n, .n = inputs, .k = outputs};
    ECC_TRY(ecc_dnn_gemm(stage->dweight, du, stage->x, &weights, error));
    return dx ? ecc_dnn_gemm(dx, du, stage->weight, &data, error) : ECC_OK;
}

const struct ecc_linear ecc_linear_dense = {
    .name = "matrix product",
    .accepts = accepts,
    .plan = plan,
    .forward = forward,
    .backward = backward,
};
