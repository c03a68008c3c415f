/* linear_move.c: layers that only move numbers: padding, reshaping, another layout. */
#include "nn/plan.h"

#include <string.h>

static bool accepts(const struct ecc_net *net, const struct ecc_stage *stage)
{
    (void)net;
    (void)stage;
    return true;
}

/* Without a layer the planner has set stage->out. */
static enum ecc_status plan(struct ecc_net *net, struct ecc_stage *stage, struct ecc_error *error)
{
    (void)net;
    (void)error;
    if (!stage->layer) return ECC_OK;
    const bool pads = stage->layer->kind == ECC_LAYER_PAD;
    stage->out = pads ? ecc_map_of(stage->view, stage->in.block) : ecc_map_plain(stage->view);
    return ECC_OK;
}

/* Copies the rows of an image into the middle of a larger one, or back. */
static void copy_rows(float *large, float *small, const struct ecc_stage *stage, bool back)
{
    const struct ecc_map *const in = &stage->in, *const out = &stage->out;
    const size_t row = in->shape.width * in->block;
    for (size_t b = 0; b < in->blocks; b++) {
        for (size_t h = 0; h < in->shape.height; h++) {
            const size_t pixel = (h + stage->padding[0]) * out->shape.width + stage->padding[1];
            float *const there = large + (b * out->pixels + pixel) * out->block;
            float *const here = small + (b * in->pixels + h * in->shape.width) * in->block;
            memcpy(back ? here : there, back ? there : here, row * sizeof(float));
        }
    }
}

static enum ecc_status forward(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                               struct ecc_error *error)
{
    (void)error;
    if (!stage->layer || stage->layer->kind != ECC_LAYER_PAD) {
        ecc_map_convert(stage->u, &stage->out, stage->x, &stage->in, n, net->threads);
        return ECC_OK;
    }
    memset(stage->u, 0, n * stage->out.item * sizeof *stage->u);
    for (size_t i = 0; i < n; i++) {
        copy_rows(stage->u + i * stage->out.item, stage->x + i * stage->in.item, stage, false);
    }
    return ECC_OK;
}

static enum ecc_status backward(struct ecc_net *net, struct ecc_stage *stage, float *dx, float *du,
                                struct ecc_error *error)
{
    (void)error;
    if (!dx) return ECC_OK;
    if (!stage->layer || stage->layer->kind != ECC_LAYER_PAD) {
        ecc_map_convert(dx, &stage->in, du, &stage->out, net->batch, net->threads);
        return ECC_OK;
    }
    for (size_t i = 0; i < net->batch; i++) {
        copy_rows(du + i * stage->out.item, dx + i * stage->in.item, stage, true);
    }
    return ECC_OK;
}

const struct ecc_linear ecc_linear_move = {
    .name = "move",
    .accepts = accepts,
    .plan = plan,
    .forward = forward,
    .backward = backward,
};
