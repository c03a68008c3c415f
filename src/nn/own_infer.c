/* own_infer.c: the layers for inference of dnn.h without oneDNN: convolution with bias and ReLU,
 * and pooling. */
#include "nn/own_columns.h"

#include <math.h>
#include <stdlib.h>

struct ecc_dnn_infer {
    enum ecc_infer_kind kind;
    struct ecc_columns plan; /* a pool uses only its sizes */
};

enum ecc_status ecc_dnn_infer_create(struct ecc_dnn_infer **result, struct ecc_infer_info *info,
                                     struct ecc_dnn *dnn, enum ecc_infer_kind kind,
                                     const struct ecc_conv_shape *shape, size_t in_block,
                                     size_t out_block, struct ecc_error *error)
{
    (void)dnn;
    *result = NULL;
    *info = (struct ecc_infer_info){.implementation = kind == ECC_INFER_CONV ? "columns" : "plain"};
    if (shape->in.channels % in_block != 0 || shape->out.channels % out_block != 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%zu -> %zu channels in blocks of %zu and %zu, expected whole blocks",
                        shape->in.channels, shape->out.channels, in_block, out_block);
    }
    struct ecc_dnn_infer *const infer = *result = calloc(1, sizeof *infer);
    if (!infer) return ecc_fail_memory(error, "a layer");
    infer->kind = kind;
    infer->plan = ecc_columns_plan(shape, in_block, out_block);
    if (kind != ECC_INFER_CONV) return ECC_OK;
    info->weights = ecc_columns_weights(&infer->plan, false);
    info->scratch = ecc_columns_scratch(&infer->plan);
    return ECC_OK;
}

void ecc_dnn_infer_free(struct ecc_dnn_infer *infer)
{
    free(infer);
}

/* ---- Convolution ---------------------------------------------------------------------------- */

/* Bias and ReLU of a block of channels: pixels: [count, block] */
static void add_bias_relu(float *pixels, const float *bias, size_t count, size_t block)
{
    for (size_t i = 0; i < count * block; i += block) {
        for (size_t c = 0; c < block; c++) {
            const float value = pixels[i + c] + bias[c];
            pixels[i + c] = value > 0 ? value : 0;
        }
    }
}

static void convolve(const struct ecc_columns *plan, const struct ecc_columns_data *data,
                     const float *bias)
{
    const struct ecc_map *const map = &plan->small;
    ecc_columns_gather(plan, data);
#pragma omp parallel for schedule(static) num_threads((int)plan->threads)
    for (size_t i = 0; i < plan->items * map->blocks; i++) {
        add_bias_relu(data->small + i * map->pixels * map->block,
                      bias + i % map->blocks * map->block, map->pixels, map->block);
    }
}

/* ---- Pooling -------------------------------------------------------------------------------- */

/* The pixels of a window that lie inside the image, along one side. */
struct range {
    size_t from, to;
};

static struct range range_at(const struct ecc_columns *p, int side, size_t at)
{
    const size_t size = side == 0 ? p->big.shape.height : p->big.shape.width;
    const size_t start = at * p->stride[side], end = start + p->kernel[side];
    const size_t padding = p->padding[side];
    return (struct range){start > padding ? start - padding : 0,
                          end - padding < size ? end - padding : size};
}

/* One pixel of a block of channels. */
static void pool_pixel(float *out, const float *plane, const struct ecc_columns *p,
                       struct range rows, struct range columns, bool max)
{
    const size_t block = p->big.block;
    const float share = 1 / (float)((rows.to - rows.from) * (columns.to - columns.from));
    for (size_t c = 0; c < block; c++) out[c] = max ? -INFINITY : 0;
    for (size_t y = rows.from; y < rows.to; y++) {
        for (size_t x = columns.from; x < columns.to; x++) {
            const float *const at = plane + (y * p->big.shape.width + x) * block;
            for (size_t c = 0; c < block; c++) {
                out[c] = !max ? out[c] + at[c] : at[c] > out[c] ? at[c] : out[c];
            }
        }
    }
    for (size_t c = 0; !max && c < block; c++) out[c] *= share;
}

static void pool(const struct ecc_columns *p, float *out, const float *in, bool max)
{
    const size_t height = p->small.shape.height, width = p->small.shape.width;
    const size_t block = p->big.block;
#pragma omp parallel for schedule(static) num_threads((int)p->threads)
    for (size_t plane = 0; plane < p->items * p->big.blocks; plane++) {
        const float *const from = in + plane * p->big.pixels * block;
        float *const to = out + plane * p->small.pixels * block;
        for (size_t i = 0; i < height * width; i++) {
            pool_pixel(to + i * block, from, p, range_at(p, 0, i / width),
                       range_at(p, 1, i % width), max);
        }
    }
}

enum ecc_status ecc_dnn_infer_run(struct ecc_dnn_infer *infer, float *out, float *in,
                                  float *weights, float *bias, void *scratch,
                                  struct ecc_error *error)
{
    (void)error;
    if (infer->kind == ECC_INFER_CONV) {
        const struct ecc_columns_data data = {in, out, weights, scratch};
        convolve(&infer->plan, &data, bias);
    } else {
        pool(&infer->plan, out, in, infer->kind == ECC_INFER_MAX);
    }
    return ECC_OK;
}
