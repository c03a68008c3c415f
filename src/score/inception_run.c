/*
 * inception_run.c: Inception-v3 on oneDNN: batch norm folded into the convolutions, every layer
 * planned once, activations in blocks of channels from end to end; where they are faster, tiles
 * with few multiplications instead.
 *
 * oneDNN has no fast implementation for output that is a slice of something larger, except when
 * the slice is contiguous: in blocks of channels, and for one image, it is.
 */
#include "base/arena.h"
#include "base/threads.h"
#include "nn/enter.h"
#include "nn/winograd_infer.h"
#include "score/inception.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

struct layer {
    struct ecc_dnn_infer *infer; /* NULL: by tiles */
    struct ecc_infer_info info;
    struct ecc_winograd_infer tiles;
    float *weights, *bias; /* NULL for a pool */
};

struct ecc_inception {
    struct ecc_inception_graph graph;
    struct layer layers[ECC_INCEPTION_OPS];
    struct ecc_dnn *dnn;
    size_t block; /* of channels, in all but the image */
    int threads;
    struct ecc_arena arena;
    float *buffers[ECC_INCEPTION_BUFFERS];
    void *scratch;
};

/* ---- Planning ------------------------------------------------------------------------------- */

static void forget(struct ecc_inception *net)
{
    for (size_t i = 0; i < net->graph.count; i++) {
        ecc_dnn_infer_free(net->layers[i].infer);
        net->layers[i].infer = NULL;
    }
}

bool ecc_inception_is_slow(const struct ecc_inception *net)
{
    for (size_t i = 0; i < net->graph.count; i++) {
        if (net->layers[i].info.slow) return true;
    }
    return false;
}

/* Blocks must not straddle the border of a slice. */
static bool block_fits(const struct ecc_inception_graph *graph, size_t block)
{
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->ops[i].shape.out.channels % block != 0) return false;
    }
    return true;
}

/* By tiles, where that is faster. */
static bool plan_tiles(const struct ecc_inception *net, struct layer *layer,
                       const struct ecc_inception_op *op)
{
    if (net->block != 8 || op->kind != ECC_INFER_CONV || op->shape.in.channels % 8 != 0 ||
        !ecc_winograd_infer_plan(&layer->tiles, &op->shape)) {
        return false;
    }
    layer->info = (struct ecc_infer_info){
        .implementation = layer->tiles.shape.side == 8 ? "tiles of 8x8" : "tiles of 6x6",
        .scratch = (size_t)net->threads * layer->tiles.scratch * sizeof(float),
        .weights.size = layer->tiles.weights,
    };
    return true;
}

static enum ecc_status plan_layers(struct ecc_inception *net, size_t block, struct ecc_error *error)
{
    enum ecc_status status = ECC_OK;
    net->block = block;
    for (size_t i = 0; i < net->graph.count && status == ECC_OK; i++) {
        const struct ecc_inception_op *const op = &net->graph.ops[i];
        struct layer *const layer = &net->layers[i];
        if (plan_tiles(net, layer, op)) continue;
        status = ecc_dnn_infer_create(&layer->infer, &layer->info, net->dnn, op->kind, &op->shape,
                                      i == 0 ? 1 : block, block, error);
    }
    if (status != ECC_OK) forget(net);
    return status;
}

/* The block that oneDNN likes here, then others; the first with which every layer is fast, or else
 * the first that works at all. */
static enum ecc_status choose_block(struct ecc_inception *net, struct ecc_error *error)
{
    const size_t candidates[] = {ecc_dnn_block(net->dnn), 8, 16, 1};
    enum { COUNT = sizeof candidates / sizeof candidates[0] };
    size_t usable = 0;
    for (size_t i = 0; i < COUNT; i++) {
        if (!block_fits(&net->graph, candidates[i])) continue;
        if (plan_layers(net, candidates[i], NULL) != ECC_OK) continue;
        if (!ecc_inception_is_slow(net)) return ECC_OK;
        if (usable == 0) usable = candidates[i];
        forget(net);
    }
    return plan_layers(net, usable ? usable : 1, error);
}

/* Twice: to measure, and to cut. */
static void cut_memory(struct ecc_inception *net)
{
    size_t scratch = 1;
    for (size_t i = 0; i < net->graph.count; i++) {
        struct layer *const layer = &net->layers[i];
        if (layer->info.scratch > scratch) scratch = layer->info.scratch;
        if (net->graph.ops[i].kind != ECC_INFER_CONV) continue;
        const size_t outputs = net->graph.ops[i].shape.out.channels;
        layer->weights = ecc_arena_cut(&net->arena, layer->info.weights.size, sizeof(float));
        layer->bias = ecc_arena_cut(&net->arena, outputs, sizeof(float));
    }
    for (size_t i = 0; i < ECC_INCEPTION_BUFFERS; i++) {
        net->buffers[i] = ecc_arena_cut(&net->arena, net->graph.floats[i], sizeof(float));
    }
    net->scratch = ecc_arena_cut(&net->arena, scratch, 1);
}

/* ---- Weights -------------------------------------------------------------------------------- */

/* gamma (k * x - mean) / sqrt(variance + epsilon) + beta as a convolution with bias. */
static bool fold(struct ecc_inception_unit *unit, float *bias, const struct ecc_inception_op *op)
{
    const size_t outputs = op->shape.out.channels;
    const size_t size = ecc_inception_kernel_size(op) / outputs;
    bool finite = true;
    for (size_t c = 0; c < outputs; c++) {
        const double factor =
            (double)unit->gamma[c] / sqrt((double)unit->variance[c] + ECC_INCEPTION_EPSILON);
        float *const kernel = unit->kernel + c * size;
        bias[c] = (float)((double)unit->beta[c] - (double)unit->mean[c] * factor);
        float sum = bias[c];
        for (size_t i = 0; i < size; i++) {
            kernel[i] = (float)((double)kernel[i] * factor);
            sum += fabsf(kernel[i]);
        }
        finite = finite && isfinite(sum);
    }
    return finite;
}

static enum ecc_status load(struct ecc_inception *net, const struct ecc_inception_weights *weights,
                            struct ecc_inception_unit *unit, struct ecc_error *error)
{
    for (size_t i = 0; i < net->graph.count; i++) {
        const struct ecc_inception_op *const op = &net->graph.ops[i];
        struct layer *const layer = &net->layers[i];
        if (op->kind != ECC_INFER_CONV) continue;
        ECC_TRY(ecc_inception_weights_get(weights, unit, op, error));
        if (!fold(unit, layer->bias, op)) {
            return ecc_fail(error, ECC_BAD_DATA,
                            "the weights of Inception-v3: convolution %zu (%s) or its batch norm "
                            "has a number that is not finite",
                            op->number, op->name);
        }
        if (layer->infer) {
            ecc_layout_scatter(layer->weights, unit->kernel, &layer->info.weights);
        } else {
            ecc_winograd_infer_weights(&layer->tiles, layer->weights, unit->kernel, unit->raw);
        }
    }
    return ECC_OK;
}

/* ---- Life ----------------------------------------------------------------------------------- */

static enum ecc_status create(struct ecc_inception *net,
                              const struct ecc_inception_weights *weights, struct ecc_error *error)
{
    ECC_TRY(ecc_dnn_create(&net->dnn, error));
    ECC_TRY(choose_block(net, error));
    cut_memory(net);
    ECC_TRY(ecc_arena_reserve(&net->arena, "Inception-v3", error));
    cut_memory(net);
    struct ecc_inception_unit *const unit = ecc_inception_unit_create(&net->graph);
    if (!unit) return ecc_fail_memory(error, "the weights of Inception-v3");
    const enum ecc_status status = load(net, weights, unit, error);
    ecc_inception_unit_free(unit);
    return status;
}

enum ecc_status ecc_inception_create(struct ecc_inception **result,
                                     const struct ecc_inception_graph *graph,
                                     const struct ecc_inception_weights *weights, int threads,
                                     struct ecc_error *error)
{
    *result = NULL;
    struct ecc_inception *const net = calloc(1, sizeof *net);
    if (!net) return ecc_fail_memory(error, "Inception-v3");
    net->graph = *graph;
    net->threads = ecc_threads(threads);
    const int before = omp_get_max_threads();
    omp_set_num_threads(net->threads); /* oneDNN plans for as many as there would be */
    const enum ecc_status status = create(net, weights, error);
    omp_set_num_threads(before);
    if (status != ECC_OK) {
        ecc_inception_free(net);
        return status;
    }
    *result = net;
    return ECC_OK;
}

void ecc_inception_free(struct ecc_inception *net)
{
    if (!net) return;
    forget(net);
    ecc_dnn_free(net->dnn);
    ecc_arena_release(&net->arena);
    free(net);
}

/* ---- Running -------------------------------------------------------------------------------- */

float *ecc_inception_input(struct ecc_inception *net)
{
    return net->buffers[net->graph.ops[0].from];
}

static enum ecc_status run_layers(struct ecc_inception *net, struct ecc_error *error)
{
    for (size_t i = 0; i < net->graph.count; i++) {
        const struct ecc_inception_op *const op = &net->graph.ops[i];
        struct layer *const layer = &net->layers[i];
        const size_t pixels = op->shape.out.height * op->shape.out.width;
        float *const out = net->buffers[op->to] + op->channel * pixels;
        float *const in = net->buffers[op->from];
        if (layer->infer) {
            ECC_TRY(ecc_dnn_infer_run(layer->infer, out, in, layer->weights, layer->bias,
                                      net->scratch, error));
        } else {
            ecc_winograd_infer_run(&layer->tiles, out, in, layer->weights, layer->bias,
                                   net->scratch, net->threads);
        }
    }
    return ECC_OK;
}

/* The mean of each channel. */
static void average(const struct ecc_inception *net, float *features)
{
    const struct ecc_map map = ecc_map_of(net->graph.out, net->block);
    const float *const x = net->buffers[net->graph.output];
    for (size_t c = 0; c < map.shape.channels; c++) {
        const float *const start = x + ecc_map_offset(&map, c, 0);
        double sum = 0;
        for (size_t p = 0; p < map.pixels; p++) sum += (double)start[p * map.block];
        features[c] = (float)(sum / (double)map.pixels);
    }
}

enum ecc_status ecc_inception_run(struct ecc_inception *net, float *features,
                                  struct ecc_error *error)
{
    const struct ecc_entered before = ecc_enter(net->threads);
    const enum ecc_status status = run_layers(net, error);
    ecc_leave(&before);
    if (status == ECC_OK) average(net, features);
    return status;
}

void ecc_inception_describe(FILE *stream, const struct ecc_inception *net)
{
    static const char *const kinds[] = {"conv", "max", "mean"};
    for (size_t i = 0; i < net->graph.count; i++) {
        const struct ecc_inception_op *const op = &net->graph.ops[i];
        const struct ecc_conv_shape *const s = &op->shape;
        fprintf(stream, "%-4s %-24s %zux%zux%zu -> %zux%zux%zu, %zux%zu/%zu: %s\n", kinds[op->kind],
                op->name, s->in.channels, s->in.height, s->in.width, s->out.channels, s->out.height,
                s->out.width, s->kernel[0], s->kernel[1], s->stride[0],
                net->layers[i].info.implementation);
    }
}
