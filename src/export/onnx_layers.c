/* onnx_layers.c: the layers of a net as ONNX operators. */
#include "export/onnx_layers.h"
#include "nn/post.h"

#include <string.h>

/* A part at work. */
struct walk {
    struct ecc_onnx_graph *graph;
    const struct ecc_onnx_part *part;
    const struct ecc_layer_spec *layers;
    size_t count, at;
    bool flat;                    /* the last value is [n, size] */
    char source[ECC_ONNX_NAME];   /* the part's input */
    char names[5][ECC_ONNX_NAME]; /* of the constants of a layer */
};

size_t ecc_onnx_dims(size_t dims[3], struct ecc_item_shape shape)
{
    dims[0] = shape.channels;
    dims[1] = shape.height;
    dims[2] = shape.width;
    return shape.height == 1 && shape.width == 1 ? 1 : 3;
}

/* ---- Weights -------------------------------------------------------------------------------- */

/* A tensor of the layer at hand; its name is kept for its constant. */
static const float *tensor_of(struct walk *w, const char *what, size_t slot)
{
    return ecc_part_tensor(&w->part->of, w->names[slot], w->at, what);
}

static bool folds(const struct walk *w)
{
    return !w->part->keep_norms && ecc_part_norm_after(&w->part->of, w->at);
}

static enum ecc_status fold(struct walk *w, struct ecc_folded *folded, struct ecc_error *error)
{
    ECC_TRY(ecc_part_fold(&w->part->of, folded, w->at, folds(w), error));
    tensor_of(w, "weight", 0);
    tensor_of(w, "bias", 1);
    return ECC_OK;
}

/* ---- Layers --------------------------------------------------------------------------------- */

/* Gives the last value the rank that a layer needs. */
static void reshape(struct walk *w, struct ecc_item_shape shape, bool flat)
{
    char name[ECC_ONNX_NAME];
    const int64_t size = (int64_t)ecc_shape_size(shape);
    const int64_t dims[4] = {0, flat ? size : (int64_t)shape.channels, (int64_t)shape.height,
                             (int64_t)shape.width}; /* 0: as it is */
    snprintf(name, sizeof name, "%s.%zu.shape", w->part->of.decoder ? "decoder" : "encoder", w->at);
    ecc_onnx_ints(w->graph, name, dims, flat ? 2 : 4);
    ecc_onnx_add(w->graph, &(struct ecc_onnx_node){.type = "Reshape", .others = {name}});
    w->flat = flat;
}

static void need(struct walk *w, bool flat)
{
    if (w->flat != flat) reshape(w, w->layers[w->at].input, flat);
}

static enum ecc_status put_conv(struct walk *w, struct ecc_error *error)
{
    const struct ecc_layer_spec *const l = &w->layers[w->at];
    const bool up = l->kind == ECC_LAYER_DECONV;
    const size_t in = l->input.channels, out = l->outputs;
    const size_t dims[4] = {up ? in : out, up ? out : in, l->kernel[0], l->kernel[1]};
    const int64_t pads[2] = {(int64_t)l->padding[0], (int64_t)l->padding[1]};
    const struct ecc_onnx_attribute attributes[] = {
        {.name = "kernel_shape", .count = 2, .ints = {(int64_t)dims[2], (int64_t)dims[3]}},
        {.name = "strides", .count = 2, .ints = {(int64_t)l->stride[0], (int64_t)l->stride[1]}},
        {.name = "pads", .count = 4, .ints = {pads[0], pads[1], pads[0], pads[1]}}};
    struct ecc_folded folded;
    need(w, false);
    const enum ecc_status status = fold(w, &folded, error);
    if (status == ECC_OK) {
        ecc_onnx_floats(w->graph, w->names[0], folded.weight, dims, 4);
        ecc_onnx_floats(w->graph, w->names[1], folded.bias, &out, 1);
        ecc_onnx_add(w->graph, &(struct ecc_onnx_node){.type = up ? "ConvTranspose" : "Conv",
                                                       .others = {w->names[0], w->names[1]},
                                                       .attributes = attributes,
                                                       .attribute_count = 3});
    }
    ecc_folded_release(&folded);
    return status;
}

static const struct ecc_onnx_attribute turned = {"transB", 1, true, {1}, 0};

static enum ecc_status put_dense(struct walk *w, struct ecc_error *error)
{
    const struct ecc_layer_spec *const l = &w->layers[w->at];
    const size_t dims[2] = {l->outputs, ecc_shape_size(l->input)};
    struct ecc_folded folded;
    need(w, true);
    const enum ecc_status status = fold(w, &folded, error);
    if (status == ECC_OK) {
        ecc_onnx_floats(w->graph, w->names[0], folded.weight, dims, 2);
        ecc_onnx_floats(w->graph, w->names[1], folded.bias, dims, 1);
        ecc_onnx_add(w->graph, &(struct ecc_onnx_node){.type = "Gemm",
                                                       .others = {w->names[0], w->names[1]},
                                                       .attributes = &turned,
                                                       .attribute_count = 1});
    }
    ecc_folded_release(&folded);
    return status;
}

static void put_norm(struct walk *w)
{
    static const char *const what[4] = {"weight", "bias", "running_mean", "running_var"};
    const struct ecc_onnx_attribute epsilon = {.name = "epsilon",
                                               .number = (float)ECC_NORM_EPSILON};
    const size_t channels = w->layers[w->at].output.channels;
    for (size_t i = 0; i < 4; i++) {
        const float *const values = tensor_of(w, what[i], i);
        ecc_onnx_floats(w->graph, w->names[i], values, &channels, 1);
    }
    ecc_onnx_add(w->graph, &(struct ecc_onnx_node){
                               .type = "BatchNormalization",
                               .others = {w->names[0], w->names[1], w->names[2], w->names[3]},
                               .attributes = &epsilon,
                               .attribute_count = 1});
}

static void put_pad(struct walk *w)
{
    const struct ecc_layer_spec *const l = &w->layers[w->at];
    const int64_t down = (int64_t)l->padding[0], across = (int64_t)l->padding[1];
    const int64_t pads[8] = {0, 0, down, across, 0, 0, down, across};
    char name[ECC_ONNX_NAME];
    need(w, false);
    snprintf(name, sizeof name, "%s.%zu.pads", w->part->of.decoder ? "decoder" : "encoder", w->at);
    ecc_onnx_ints(w->graph, name, pads, 8);
    ecc_onnx_add(w->graph, &(struct ecc_onnx_node){.type = "Pad", .others = {name}});
}

/* The last value plus a linear map of the part's input, as one operator. */
static void put_bypass(struct walk *w)
{
    const struct ecc_layer_spec *const l = &w->layers[w->at];
    const size_t dims[2] = {l->output.channels, l->around};
    char last[ECC_ONNX_NAME];
    need(w, true);
    memcpy(last, w->graph->last, sizeof last);
    const float *const values = tensor_of(w, ECC_TENSOR_BYPASS, 0);
    ecc_onnx_floats(w->graph, w->names[0], values, dims, 2);
    ecc_onnx_add(w->graph, &(struct ecc_onnx_node){.type = "Gemm",
                                                   .first = w->source,
                                                   .others = {w->names[0], last},
                                                   .attributes = &turned,
                                                   .attribute_count = 1});
}

static void put_activation(struct walk *w)
{
    const struct ecc_layer_spec *const l = &w->layers[w->at];
    const struct ecc_onnx_attribute slope = {.name = "alpha", .number = (float)l->slope};
    const bool leaky = l->kind == ECC_LAYER_LEAKY_RELU;
    ecc_onnx_add(w->graph, &(struct ecc_onnx_node){.type = leaky                       ? "LeakyRelu"
                                                           : l->kind == ECC_LAYER_RELU ? "Relu"
                                                                                       : "Sigmoid",
                                                   .attributes = &slope,
                                                   .attribute_count = leaky});
}

static enum ecc_status put_layer(struct walk *w, struct ecc_error *error)
{
    switch (w->layers[w->at].kind) {
    case ECC_LAYER_CONV:
    case ECC_LAYER_DECONV: return put_conv(w, error);
    case ECC_LAYER_DENSE: return put_dense(w, error);
    case ECC_LAYER_BATCHNORM: put_norm(w); break;
    case ECC_LAYER_LEAKY_RELU:
    case ECC_LAYER_RELU:
    case ECC_LAYER_SIGMOID: put_activation(w); break;
    case ECC_LAYER_FLATTEN: need(w, true); break;
    case ECC_LAYER_RESHAPE: reshape(w, w->layers[w->at].output, false); break;
    case ECC_LAYER_PAD: put_pad(w); break;
    case ECC_LAYER_BYPASS: put_bypass(w); break;
    }
    return ECC_OK;
}

enum ecc_status ecc_onnx_layers(struct ecc_onnx_graph *graph, const struct ecc_onnx_part *part,
                                struct ecc_error *error)
{
    const struct ecc_net_spec *const spec = part->of.spec;
    const struct ecc_item_shape input =
        part->of.decoder ? (struct ecc_item_shape){spec->latent, 1, 1} : spec->shape;
    struct walk w = {.graph = graph,
                     .part = part,
                     .layers = part->of.decoder ? spec->decoder : spec->encoder,
                     .count = part->of.decoder ? spec->decoder_count : spec->encoder_count,
                     .flat = ecc_onnx_dims((size_t[3]){0}, input) == 1};
    memcpy(w.source, graph->last, sizeof w.source);
    for (w.at = 0; w.at < w.count; w.at++) {
        const bool folded = folds(&w);
        ECC_TRY(put_layer(&w, error));
        w.at += folded;
    }
    const struct ecc_item_shape output =
        part->of.decoder ? spec->target : (struct ecc_item_shape){spec->encoder_outputs, 1, 1};
    const bool flat = ecc_onnx_dims((size_t[3]){0}, output) == 1;
    w.at = w.count;
    if (w.flat != flat) reshape(&w, output, flat);
    return ECC_OK;
}
