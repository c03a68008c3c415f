/*
 * page_net.c: an encoder or decoder as the block of bytes that wasm/net.c runs.
 *
 * That net has images as [height, width, channels] and weights with outputs side by side.
 */
#include "export/page_net.h"
#include "export/half.h"
#include "export/net_part.h"
#include "latent/principal.h"
#include "wasm/net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ecc_weight_format_names[] = {"float32", "float16", "int8", "auto", NULL};

/* Layers, of which the net leaves some for what comes after it: an order of pixels, latents,
 * components; words before the layers. */
enum { MOST_LAYERS = 256, LAYERS_AFTER = 8, LAYERS_OF_NET = MOST_LAYERS - LAYERS_AFTER, HEAD = 4 };

struct work {
    const struct ecc_model *model;
    const struct ecc_components *components;
    struct ecc_net_part part;
    enum ecc_weight_format format;
    uint32_t words[MOST_LAYERS][NET_WORDS];
    size_t layers, inputs;
    bool planes;         /* the last item is a vector that was an image [channels, height, width] */
    unsigned char *data; /* [size] weights, which follow the layers */
    size_t size, room;
    bool failed;
};

/* ---- Numbers -------------------------------------------------------------------------------- */

static unsigned char *grow(struct work *w, size_t bytes)
{
    const size_t start = (w->size + 3) / 4 * 4;
    if (!w->failed && start + bytes > w->room) {
        const size_t room = 2 * (start + bytes);
        unsigned char *const grown = realloc(w->data, room);
        w->failed = !grown;
        if (grown) {
            w->data = grown;
            w->room = room;
        }
    }
    if (w->failed) return NULL;
    memset(w->data + w->size, 0, start + bytes - w->size);
    w->size = start + bytes;
    return w->data + start;
}

static void put_u32(unsigned char *to, uint32_t value)
{
    for (size_t i = 0; i < 4; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Where floats: [count] are then, from the start of the weights. */
static uint32_t put_floats(struct work *w, const float *values, size_t count)
{
    unsigned char *const to = grow(w, 4 * count);
    if (!to) return 0;
    for (size_t i = 0; i < count; i++) put_u32(to + 4 * i, bits_of(values[i]));
    return (uint32_t)(to - w->data);
}

/* values: [rows, outputs] */
static void put_weights(struct work *w, uint32_t *word, const float *values, size_t rows,
                        size_t outputs)
{
    const size_t count = rows * outputs;
    word[FORMAT] = (uint32_t)w->format;
    if (w->format == ECC_WEIGHTS_FLOAT) {
        word[WEIGHTS] = put_floats(w, values, count);
        return;
    }
    unsigned char *const to = grow(w, w->format == ECC_WEIGHTS_HALF ? 2 * count : count);
    if (!to) return;
    word[WEIGHTS] = (uint32_t)(to - w->data);
    if (w->format == ECC_WEIGHTS_HALF) {
        ecc_put_halves(to, values, count);
        return;
    }
    float *const scales = calloc(outputs, sizeof *scales);
    if (!scales) {
        w->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const float size = fabsf(values[i]) / 127;
        if (size > scales[i % outputs]) scales[i % outputs] = size;
    }
    for (size_t i = 0; i < count; i++) {
        const float scale = scales[i % outputs];
        to[i] = (unsigned char)(signed char)lrintf(scale > 0 ? values[i] / scale : 0);
    }
    word[SCALES] = put_floats(w, scales, outputs);
    free(scales);
}

/* ---- Layers --------------------------------------------------------------------------------- */

static uint32_t *add_layer(struct work *w, enum net_kind kind, struct ecc_item_shape in,
                           struct ecc_item_shape out)
{
    if (w->layers == MOST_LAYERS) w->failed = true;
    uint32_t *const word = w->words[w->failed ? 0 : w->layers++];
    memset(word, 0, sizeof w->words[0]);
    word[KIND] = kind;
    word[IN_CHANNELS] = (uint32_t)in.channels;
    word[IN_HEIGHT] = (uint32_t)in.height;
    word[IN_WIDTH] = (uint32_t)in.width;
    word[OUT_CHANNELS] = (uint32_t)out.channels;
    word[OUT_HEIGHT] = (uint32_t)out.height;
    word[OUT_WIDTH] = (uint32_t)out.width;
    for (size_t i = KERNEL_HEIGHT; i <= STRIDE_WIDTH; i++) word[i] = 1;
    return word;
}

static struct ecc_item_shape vector_of(size_t size)
{
    return (struct ecc_item_shape){size, 1, 1};
}

/* A dense layer with weight: [outputs, inputs], as PyTorch has it. */
static void add_dense(struct work *w, const float *weight, const float *bias, size_t inputs,
                      size_t outputs)
{
    uint32_t *const word = add_layer(w, NET_DENSE, vector_of(inputs), vector_of(outputs));
    float *const turned = calloc(inputs * outputs + 1, sizeof *turned);
    if (!turned) w->failed = true;
    if (w->failed) {
        free(turned);
        return;
    }
    for (size_t o = 0; o < outputs; o++) {
        for (size_t i = 0; i < inputs; i++) turned[i * outputs + o] = weight[o * inputs + i];
    }
    put_weights(w, word, turned, inputs, outputs);
    word[BIAS] = put_floats(w, bias, outputs);
    free(turned);
}

/* [out, in, taps] of a convolution to [taps, in, out]; [in, out, taps] of a deconvolution to
 * [in, taps, out]. */
static float *turn_kernel(const struct ecc_layer_spec *l, const float *weight)
{
    const size_t taps = l->kernel[0] * l->kernel[1], in = l->input.channels, out = l->outputs;
    const bool up = l->kind == ECC_LAYER_DECONV;
    float *const turned = calloc(taps * in * out + 1, sizeof *turned);
    for (size_t i = 0; turned && i < taps * in * out; i++) {
        const size_t tap = i % taps, second = i / taps % (up ? out : in);
        const size_t first = i / taps / (up ? out : in), c = up ? first : second;
        const size_t o = up ? second : first;
        turned[((up ? c * taps + tap : tap * in + c)) * out + o] = weight[i];
    }
    return turned;
}

static void add_conv(struct work *w, const struct ecc_layer_spec *l, const struct ecc_folded *f)
{
    const bool up = l->kind == ECC_LAYER_DECONV;
    uint32_t *const word = add_layer(w, up ? NET_DECONV : NET_CONV, l->input, l->output);
    float *const turned = turn_kernel(l, f->weight);
    if (!turned) w->failed = true;
    if (w->failed) {
        free(turned);
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        word[KERNEL_HEIGHT + i] = (uint32_t)l->kernel[i];
        word[STRIDE_HEIGHT + i] = (uint32_t)l->stride[i];
        word[PADDING_HEIGHT + i] = (uint32_t)l->padding[i];
    }
    put_weights(w, word, turned, f->count / f->outputs, f->outputs);
    word[BIAS] = put_floats(w, f->bias, f->outputs);
    free(turned);
}

/* Gives the last item the order that a layer needs: an image of pixels, or a vector. */
static void arrange(struct work *w, struct ecc_item_shape shape, bool vector)
{
    if (w->planes == vector) return;
    w->planes = vector;
    if (shape.height * shape.width > 1) {
        add_layer(w, vector ? NET_PLANES : NET_PIXELS, shape, shape);
    }
}

static void add_pad(struct work *w, const struct ecc_layer_spec *l)
{
    uint32_t *const word = add_layer(w, NET_PAD, l->input, l->output);
    word[PADDING_HEIGHT] = (uint32_t)l->padding[0];
    word[PADDING_WIDTH] = (uint32_t)l->padding[1];
}

/* turned: [inputs, outputs] and then a shift: [outputs], of weight: [outputs, inputs].  The input
 * of the decoder is made of amounts, so that the map goes from there. */
static void turn_bypass(const struct work *w, float *turned, const float *weight, size_t inputs,
                        size_t outputs)
{
    const struct ecc_components *const c = w->components;
    for (size_t o = 0; o < outputs; o++) {
        double shift = 0;
        for (size_t i = 0; i < inputs; i++) {
            double sum = (double)weight[o * inputs + i];
            if (w->part.decoder) {
                shift += sum * c->mean[i];
                sum = 0;
                for (size_t j = 0; j < inputs; j++) {
                    sum += (double)weight[o * inputs + j] * c->axes[i * inputs + j];
                }
                sum *= c->deviations[i];
            }
            turned[i * outputs + o] = (float)sum;
        }
        turned[inputs * outputs + o] = (float)shift;
    }
}

static void add_bypass(struct work *w, const struct ecc_layer_spec *l, size_t at)
{
    char name[ECC_PART_NAME];
    const size_t outputs = ecc_shape_size(l->output), inputs = l->around;
    const float *const weight = ecc_part_tensor(&w->part, name, at, ECC_TENSOR_BYPASS);
    uint32_t *const word = add_layer(w, NET_BYPASS, vector_of(outputs), vector_of(outputs));
    float *const turned = calloc((inputs + 1) * outputs + 1, sizeof *turned);
    if (!turned) w->failed = true;
    if (!w->failed) {
        turn_bypass(w, turned, weight, inputs, outputs);
        put_weights(w, word, turned, inputs, outputs);
        word[BIAS] = put_floats(w, turned + inputs * outputs, outputs);
    }
    free(turned);
}

/* Batch norm that does not follow a layer with weights. */
static void add_norm(struct work *w, const struct ecc_layer_spec *l, size_t at)
{
    const size_t channels = l->output.channels;
    const struct ecc_part_norm norm = ecc_part_norm(&w->part, at);
    float *const both = calloc(2 * channels + 1, sizeof *both);
    if (l->output.height * l->output.width > 1) arrange(w, l->input, false);
    uint32_t *const word = add_layer(w, NET_NORM, l->input, l->output);
    if (!both) w->failed = true;
    for (size_t c = 0; both && c < channels; c++) {
        both[c] = (float)ecc_part_norm_factor(&norm, c);
        both[channels + c] = (float)ecc_part_norm_shift(&norm, c);
    }
    if (!w->failed) {
        word[SCALES] = put_floats(w, both, channels);
        word[BIAS] = put_floats(w, both + channels, channels);
    }
    free(both);
}

/* An activation is part of the layer before it; one that keeps all numbers stands in where there is
 * none, or where that has one already. */
static void add_activation(struct work *w, const struct ecc_layer_spec *l)
{
    if (w->failed) return;
    uint32_t *word = w->layers > 0 ? w->words[w->layers - 1] : NULL;
    if (!word || word[ACTIVATION] != NET_LINEAR) word = add_layer(w, NET_FIRST, l->input, l->input);
    word[ACTIVATION] = l->kind == ECC_LAYER_SIGMOID ? NET_SIGMOID : NET_LEAKY;
    word[NUMBER] = bits_of((float)l->slope);
}

static enum ecc_status add_linear(struct work *w, const struct ecc_layer_spec *l, size_t at,
                                  bool with_norm, struct ecc_error *error)
{
    struct ecc_folded folded;
    const bool dense = l->kind == ECC_LAYER_DENSE;
    arrange(w, l->input, dense);
    ECC_TRY(ecc_part_fold(&w->part, &folded, at, with_norm, error));
    if (dense) {
        add_dense(w, folded.weight, folded.bias, ecc_shape_size(l->input), l->outputs);
    } else {
        add_conv(w, l, &folded);
    }
    ecc_folded_release(&folded);
    return ECC_OK;
}

static enum ecc_status add_one(struct work *w, const struct ecc_layer_spec *l, size_t at,
                               bool with_norm, struct ecc_error *error)
{
    switch (l->kind) {
    case ECC_LAYER_CONV:
    case ECC_LAYER_DECONV:
    case ECC_LAYER_DENSE: return add_linear(w, l, at, with_norm, error);
    case ECC_LAYER_BATCHNORM: add_norm(w, l, at); break;
    case ECC_LAYER_LEAKY_RELU:
    case ECC_LAYER_RELU:
    case ECC_LAYER_SIGMOID: add_activation(w, l); break;
    case ECC_LAYER_FLATTEN: arrange(w, l->input, true); break;
    case ECC_LAYER_RESHAPE:
        arrange(w, l->input, true);
        arrange(w, l->output, false);
        break;
    case ECC_LAYER_PAD:
        arrange(w, l->input, false);
        add_pad(w, l);
        break;
    case ECC_LAYER_BYPASS:
        arrange(w, l->input, true);
        add_bypass(w, l, at);
        break;
    }
    return ECC_OK;
}

static enum ecc_status add_layers(struct work *w, struct ecc_error *error)
{
    size_t count;
    const struct ecc_layer_spec *const layers = ecc_part_layers(&w->part, &count);
    for (size_t i = 0; i < count; i++) {
        const bool with_norm = ecc_part_norm_after(&w->part, i);
        ECC_TRY(add_one(w, &layers[i], i, with_norm, error));
        i += with_norm;
    }
    return ECC_OK;
}

/* ---- Latents -------------------------------------------------------------------------------- */

/* A dense layer between latents and amounts: always as floats, never in few bits. */
static void add_latents(struct work *w, const double *matrix, const double *shift)
{
    const size_t d = w->model->d;
    const enum ecc_weight_format format = w->format;
    float *const values = calloc(d * d + d + 1, sizeof *values);
    if (!values) {
        w->failed = true;
        return;
    }
    for (size_t i = 0; i < d * d; i++) values[i] = (float)matrix[i];
    for (size_t i = 0; i < d; i++) values[d * d + i] = (float)shift[i];
    w->format = ECC_WEIGHTS_FLOAT;
    add_dense(w, values, values + d * d, d, d);
    w->format = format;
    free(values);
}

/* z - mean, before it is multiplied: after that, rounding errors would be as large as the result.
 */
static void add_shift(struct work *w, const double *mean)
{
    const size_t d = w->model->d;
    uint32_t *const word = add_layer(w, NET_NORM, vector_of(d), vector_of(d));
    float *const both = calloc(2 * d + 1, sizeof *both);
    if (!both) w->failed = true;
    for (size_t k = 0; both && k < d; k++) {
        both[k] = 1;
        both[d + k] = (float)-mean[k];
    }
    if (!w->failed) {
        word[SCALES] = put_floats(w, both, d);
        word[BIAS] = put_floats(w, both + d, d);
    }
    free(both);
}

/* matrix: [d, d] and shift: [d] of z = mean + (amounts deviations) axes, or of its inverse. */
static void add_components(struct work *w, bool decoder)
{
    const struct ecc_components *const c = w->components;
    const size_t d = c->d;
    double *const matrix = calloc(d * d + d, sizeof *matrix), *const shift =
                                                                  matrix ? matrix + d * d : NULL;
    if (!matrix) {
        w->failed = true;
        return;
    }
    for (size_t k = 0; k < d; k++) {
        const double factor = ecc_component_varies(c, k) ? 1 / c->deviations[k] : 0;
        for (size_t j = 0; j < d; j++) {
            if (decoder) {
                matrix[j * d + k] = c->deviations[k] * c->axes[k * d + j];
            } else {
                matrix[k * d + j] = c->axes[k * d + j] * factor;
            }
        }
        if (decoder) shift[k] = c->mean[k];
    }
    if (!decoder) add_shift(w, c->mean);
    add_latents(w, matrix, shift);
    free(matrix);
}

/* The encoder's outputs become latents, as analysis uses them. */
static void add_means(struct work *w)
{
    const struct ecc_model *const m = w->model;
    const size_t outputs = m->spec->encoder_outputs, d = m->d;
    const double radius = ecc_model_radius(m);
    if (outputs > d) add_layer(w, NET_FIRST, vector_of(outputs), vector_of(d));
    if (m->product) {
        double *const values = calloc(d * d + d, sizeof *values);
        if (!values) w->failed = true;
        for (size_t i = 0; values && i < d * d; i++) values[i] = (double)m->product[i];
        if (values) add_latents(w, values, values + d * d);
        free(values);
    } else if (radius > 0) {
        add_layer(w, NET_SPHERE, vector_of(d), vector_of(d))[NUMBER] = bits_of((float)radius);
    }
}

/* ---- All ------------------------------------------------------------------------------------ */

/* Head, layers and weights as one block; places of weights count from its start. */
static enum ecc_status join(struct work *w, unsigned char **bytes, size_t *size, size_t outputs,
                            struct ecc_error *error)
{
    const size_t start = 4 * (HEAD + w->layers * NET_WORDS);
    *size = start + w->size;
    *bytes = w->failed ? NULL : malloc(*size);
    if (!*bytes) return ecc_fail_memory(error, "the net of a page");
    const uint32_t head[HEAD] = {NET_MAGIC, (uint32_t)w->layers, (uint32_t)w->inputs,
                                 (uint32_t)outputs};
    for (size_t i = 0; i < HEAD; i++) put_u32(*bytes + 4 * i, head[i]);
    for (size_t i = 0; i < w->layers; i++) {
        uint32_t *const word = w->words[i];
        for (size_t k = WEIGHTS; k <= BIAS; k++) word[k] += (uint32_t)start;
        for (size_t k = 0; k < NET_WORDS; k++) {
            put_u32(*bytes + 4 * (HEAD + i * NET_WORDS + k), word[k]);
        }
    }
    if (w->size > 0) memcpy(*bytes + start, w->data, w->size);
    return ECC_OK;
}

static enum ecc_status write_part(struct work *w, unsigned char **bytes, size_t *size,
                                  struct ecc_error *error)
{
    const struct ecc_model *const m = w->model;
    const bool decoder = w->part.decoder;
    w->inputs = decoder ? m->d : m->size;
    w->planes = decoder || m->shape.height * m->shape.width == 1;
    if (decoder) add_components(w, true);
    ECC_TRY(add_layers(w, error));
    if (w->layers > LAYERS_OF_NET) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "the net has too many layers for a page, expected at most %d",
                        LAYERS_OF_NET);
    }
    arrange(w, decoder ? m->shape : vector_of(m->d), !decoder);
    if (!decoder) {
        add_means(w);
        add_components(w, false);
    }
    return join(w, bytes, size, decoder ? m->size : m->d, error);
}

enum ecc_status ecc_page_net(unsigned char **bytes, size_t *size, const struct ecc_model *m,
                             const struct ecc_components *components, bool decoder,
                             enum ecc_weight_format format, struct ecc_error *error)
{
    *bytes = NULL;
    struct work *const w = calloc(1, sizeof *w);
    float *const flat = malloc(ecc_net_flat_size(m->net) * sizeof *flat);
    enum ecc_status status = w && flat ? ECC_OK : ecc_fail_memory(error, "the net of a page");
    if (status == ECC_OK) {
        ecc_net_export(m->net, flat);
        w->model = m;
        w->components = components;
        w->part = (struct ecc_net_part){m->net, m->spec, flat, decoder};
        w->format = format;
        status = write_part(w, bytes, size, error);
        free(w->data);
    }
    free(flat);
    free(w);
    return status;
}
