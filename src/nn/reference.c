/* reference.c: nets in double, layer by layer, in simple slow loops. */
#include "nn/reference.h"
#include "nn/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One layer at work.  x, dx: [n, input], y, dy: [n, output]; w, b, ...: its tensors. */
struct task {
    const struct ecc_layer_spec *layer;
    size_t n;
    const double *x, *dy;
    double *y, *dx;
    const double *source; /* the input of the part, for a bypass, ... */
    double *dsource;      /* ... and its gradient */
    double *w, *dw;       /* the layer's tensors one after the other, and their gradients */
    bool training;
};

/* ---- Convolutions --------------------------------------------------------------------------- */

/* Calls visit(a, b, w) for every product that a convolution from `a` (large) to `b` (small) adds
 * up; the transposed one adds up the same products the other way around. */
typedef void visit_product(const struct task *task, size_t large, size_t small, size_t weight);

/* One weight between two channels of an item. */
struct tap {
    size_t large, small, weight; /* where the channels begin, and which weight */
    size_t row, column;          /* of the kernel */
};

static void visit_pixels(const struct task *task, visit_product *visit, const struct tap *tap,
                         struct ecc_item_shape large, struct ecc_item_shape small)
{
    const struct ecc_layer_spec *const layer = task->layer;
    for (size_t h = 0; h < small.height; h++) {
        const size_t row = h * layer->stride[0] + tap->row - layer->padding[0];
        for (size_t w = 0; w < small.width; w++) {
            const size_t column = w * layer->stride[1] + tap->column - layer->padding[1];
            if (row >= large.height || column >= large.width) continue; /* also if below 0 */
            visit(task, tap->large + row * large.width + column, tap->small + h * small.width + w,
                  tap->weight);
        }
    }
}

static void visit_products(const struct task *task, visit_product *visit)
{
    const struct ecc_layer_spec *const layer = task->layer;
    const bool up = layer->kind == ECC_LAYER_DECONV;
    const struct ecc_item_shape large = up ? layer->output : layer->input;
    const struct ecc_item_shape small = up ? layer->input : layer->output;
    const size_t taps = layer->kernel[0] * layer->kernel[1];
    for (size_t i = 0; i < task->n; i++) {
        for (size_t s = 0; s < small.channels; s++) {
            for (size_t l = 0; l < large.channels; l++) {
                const size_t a = (i * large.channels + l) * large.height * large.width;
                const size_t b = (i * small.channels + s) * small.height * small.width;
                for (size_t k = 0; k < taps; k++) {
                    const struct tap tap = {a, b, (s * large.channels + l) * taps + k,
                                            k / layer->kernel[1], k % layer->kernel[1]};
                    visit_pixels(task, visit, &tap, large, small);
                }
            }
        }
    }
}

static void conv_product(const struct task *t, size_t large, size_t small, size_t w)
{
    t->y[small] += t->x[large] * t->w[w];
}
static void conv_product_back(const struct task *t, size_t large, size_t small, size_t w)
{
    t->dx[large] += t->dy[small] * t->w[w];
    t->dw[w] += t->dy[small] * t->x[large];
}
static void deconv_product(const struct task *t, size_t large, size_t small, size_t w)
{
    t->y[large] += t->x[small] * t->w[w];
}
static void deconv_product_back(const struct task *t, size_t large, size_t small, size_t w)
{
    t->dx[small] += t->dy[large] * t->w[w];
    t->dw[w] += t->dy[large] * t->x[small];
}

static size_t weight_count(const struct ecc_layer_spec *layer)
{
    return layer->parameters - layer->outputs;
}

/* Bias, also that of dense layers: one number a channel. */
static void bias_forward(const struct task *t)
{
    const size_t pixels = t->layer->output.height * t->layer->output.width;
    const double *const bias = t->w + weight_count(t->layer);
    for (size_t k = 0; k < t->n * t->layer->outputs * pixels; k++) {
        t->y[k] = bias[k / pixels % t->layer->outputs];
    }
}

static void bias_backward(const struct task *t)
{
    const size_t pixels = t->layer->output.height * t->layer->output.width;
    double *const dbias = t->dw + weight_count(t->layer);
    for (size_t k = 0; k < t->n * t->layer->outputs * pixels; k++) {
        dbias[k / pixels % t->layer->outputs] += t->dy[k];
    }
}

static void conv_forward(const struct task *t)
{
    bias_forward(t);
    visit_products(t, t->layer->kind == ECC_LAYER_DECONV ? deconv_product : conv_product);
}

static void conv_backward(const struct task *t)
{
    bias_backward(t);
    visit_products(t, t->layer->kind == ECC_LAYER_DECONV ? deconv_product_back : conv_product_back);
}

/* ---- Dense ---------------------------------------------------------------------------------- */

static void dense_forward(const struct task *t)
{
    const size_t in = t->layer->input.channels, out = t->layer->outputs;
    bias_forward(t);
    for (size_t k = 0; k < t->n * out * in; k++) {
        const size_t i = k / (out * in), o = k / in % out, c = k % in;
        t->y[i * out + o] += t->x[i * in + c] * t->w[o * in + c];
    }
}

static void dense_backward(const struct task *t)
{
    const size_t in = t->layer->input.channels, out = t->layer->outputs;
    bias_backward(t);
    for (size_t k = 0; k < t->n * out * in; k++) {
        const size_t i = k / (out * in), o = k / in % out, c = k % in;
        t->dx[i * in + c] += t->dy[i * out + o] * t->w[o * in + c];
        t->dw[o * in + c] += t->dy[i * out + o] * t->x[i * in + c];
    }
}

/* ---- Batch norm ----------------------------------------------------------------------------- */

/* Number k of channel c, of `pixels` a channel and item. */
static size_t place(const struct task *t, size_t c, size_t k, size_t pixels)
{
    return (k / pixels * t->layer->output.channels + c) * pixels + k % pixels;
}

static void channel_moments(const struct task *t, size_t c, size_t pixels, double *mean,
                            double *variance)
{
    const size_t count = t->n * pixels;
    *mean = *variance = 0;
    for (size_t k = 0; k < count; k++) *mean += t->x[place(t, c, k, pixels)] / (double)count;
    for (size_t k = 0; k < count; k++) {
        const double off = t->x[place(t, c, k, pixels)] - *mean;
        *variance += off * off / (double)count;
    }
}

static void norm_forward(const struct task *t)
{
    const size_t channels = t->layer->output.channels;
    const size_t pixels = t->layer->output.height * t->layer->output.width, count = t->n * pixels;
    double *const running_mean = t->w + 2 * channels, *const running_variance = t->w + 3 * channels;
    for (size_t c = 0; c < channels; c++) {
        double mean = running_mean[c], variance = running_variance[c];
        if (t->training) {
            channel_moments(t, c, pixels, &mean, &variance);
            const double unbiased = count > 1 ? variance * (double)count / (double)(count - 1) : 0;
            running_mean[c] += ECC_NORM_MOMENTUM * (mean - running_mean[c]);
            running_variance[c] += ECC_NORM_MOMENTUM * (unbiased - running_variance[c]);
        }
        for (size_t k = 0; k < count; k++) {
            const size_t at = place(t, c, k, pixels);
            const double normal = (t->x[at] - mean) / sqrt(variance + ECC_NORM_EPSILON);
            t->y[at] = normal * t->w[c] + t->w[channels + c];
        }
    }
}

static void norm_backward(const struct task *t)
{
    const size_t channels = t->layer->output.channels;
    const size_t pixels = t->layer->output.height * t->layer->output.width, count = t->n * pixels;
    for (size_t c = 0; c < channels; c++) {
        double mean, variance, sum = 0, product = 0;
        channel_moments(t, c, pixels, &mean, &variance);
        const double inverse = 1 / sqrt(variance + ECC_NORM_EPSILON);
        for (size_t k = 0; k < count; k++) {
            const size_t at = place(t, c, k, pixels);
            sum += t->dy[at];
            product += t->dy[at] * (t->x[at] - mean) * inverse;
        }
        t->dw[c] += product;
        t->dw[channels + c] += sum;
        for (size_t k = 0; k < count; k++) {
            const size_t at = place(t, c, k, pixels);
            const double normal = (t->x[at] - mean) * inverse;
            t->dx[at] += t->w[c] * inverse *
                         (t->dy[at] - sum / (double)count - normal * product / (double)count);
        }
    }
}

/* ---- The others ----------------------------------------------------------------------------- */

static void leaky_forward(const struct task *t)
{
    const size_t count = t->n * ecc_shape_size(t->layer->output);
    for (size_t k = 0; k < count; k++) {
        t->y[k] = t->x[k] > 0 ? t->x[k] : t->x[k] * t->layer->slope;
    }
}

static void leaky_backward(const struct task *t)
{
    const size_t count = t->n * ecc_shape_size(t->layer->output);
    for (size_t k = 0; k < count; k++) {
        t->dx[k] += t->x[k] > 0 ? t->dy[k] : t->dy[k] * t->layer->slope;
    }
}

static void sigmoid_forward(const struct task *t)
{
    const size_t count = t->n * ecc_shape_size(t->layer->output);
    for (size_t k = 0; k < count; k++) t->y[k] = 1 / (1 + exp(-t->x[k]));
}

static void sigmoid_backward(const struct task *t)
{
    const size_t count = t->n * ecc_shape_size(t->layer->output);
    for (size_t k = 0; k < count; k++) t->dx[k] += t->dy[k] * t->y[k] * (1 - t->y[k]);
}

static void view_forward(const struct task *t)
{
    memcpy(t->y, t->x, t->n * ecc_shape_size(t->layer->output) * sizeof *t->y);
}

static void view_backward(const struct task *t)
{
    const size_t count = t->n * ecc_shape_size(t->layer->output);
    for (size_t k = 0; k < count; k++) t->dx[k] += t->dy[k];
}

/* Where number k of the input of a padding layer is in its output. */
static size_t padded_place(const struct ecc_layer_spec *layer, size_t k)
{
    const struct ecc_item_shape in = layer->input, out = layer->output;
    const size_t column = k % in.width, row = k / in.width % in.height;
    const size_t plane = k / (in.width * in.height);
    return (plane * out.height + row + layer->padding[0]) * out.width + column + layer->padding[1];
}

static void pad_forward(const struct task *t)
{
    const size_t count = t->n * ecc_shape_size(t->layer->input);
    memset(t->y, 0, t->n * ecc_shape_size(t->layer->output) * sizeof *t->y);
    for (size_t k = 0; k < count; k++) t->y[padded_place(t->layer, k)] = t->x[k];
}

static void pad_backward(const struct task *t)
{
    const size_t count = t->n * ecc_shape_size(t->layer->input);
    for (size_t k = 0; k < count; k++) t->dx[k] += t->dy[padded_place(t->layer, k)];
}

static void bypass_forward(const struct task *t)
{
    const size_t in = t->layer->around, out = t->layer->output.channels;
    view_forward(t);
    for (size_t k = 0; k < t->n * out * in; k++) {
        const size_t i = k / (out * in), o = k / in % out, c = k % in;
        t->y[i * out + o] += t->source[i * in + c] * t->w[o * in + c];
    }
}

static void bypass_backward(const struct task *t)
{
    const size_t in = t->layer->around, out = t->layer->output.channels;
    view_backward(t);
    for (size_t k = 0; k < t->n * out * in; k++) {
        const size_t i = k / (out * in), o = k / in % out, c = k % in;
        t->dsource[i * in + c] += t->dy[i * out + o] * t->w[o * in + c];
        t->dw[o * in + c] += t->dy[i * out + o] * t->source[i * in + c];
    }
}

static const struct {
    void (*forward)(const struct task *task);
    void (*backward)(const struct task *task);
} rules[] = {
    [ECC_LAYER_CONV] = {conv_forward, conv_backward},
    [ECC_LAYER_DECONV] = {conv_forward, conv_backward},
    [ECC_LAYER_DENSE] = {dense_forward, dense_backward},
    [ECC_LAYER_BATCHNORM] = {norm_forward, norm_backward},
    [ECC_LAYER_LEAKY_RELU] = {leaky_forward, leaky_backward},
    [ECC_LAYER_RELU] = {leaky_forward, leaky_backward},
    [ECC_LAYER_SIGMOID] = {sigmoid_forward, sigmoid_backward},
    [ECC_LAYER_FLATTEN] = {view_forward, view_backward},
    [ECC_LAYER_RESHAPE] = {view_forward, view_backward},
    [ECC_LAYER_PAD] = {pad_forward, pad_backward},
    [ECC_LAYER_BYPASS] = {bypass_forward, bypass_backward},
};

/* ---- Whole nets ----------------------------------------------------------------------------- */

static void free_buffers(double **buffers, size_t count)
{
    for (size_t i = 0; buffers && i <= count; i++) free(buffers[i]);
    free(buffers);
}

void ecc_reference_free(struct ecc_reference *reference)
{
    if (!reference) return;
    free_buffers(reference->encoder, reference->spec->encoder_count);
    free_buffers(reference->dencoder, reference->spec->encoder_count);
    free_buffers(reference->decoder, reference->spec->decoder_count);
    free_buffers(reference->ddecoder, reference->spec->decoder_count);
    free(reference->flat);
    free(reference->gradient);
    free(reference);
}

static double **make_buffers(const struct ecc_layer_spec *layers, size_t count, size_t n)
{
    double **const buffers = calloc(count + 1, sizeof *buffers);
    for (size_t i = 0; buffers && i <= count; i++) {
        const struct ecc_item_shape shape = i < count ? layers[i].input : layers[i - 1].output;
        buffers[i] = calloc(n * ecc_shape_size(shape), sizeof **buffers);
        if (buffers[i]) continue;
        free_buffers(buffers, count);
        return NULL;
    }
    return buffers;
}

enum ecc_status ecc_reference_create(struct ecc_reference **result, const struct ecc_net_spec *spec,
                                     size_t n, struct ecc_error *error)
{
    struct ecc_tensors list;
    *result = NULL;
    ECC_TRY(ecc_spec_tensors(&list, spec, NULL, 0, error));
    free(list.at);
    const size_t flat_size = list.flat_size;
    struct ecc_reference *const r = calloc(1, sizeof *r);
    if (!r) return ecc_fail_memory(error, "a reference");
    r->spec = spec;
    r->n = n;
    r->flat_size = flat_size;
    r->flat = calloc(flat_size + 1, sizeof *r->flat);
    r->gradient = calloc(flat_size + 1, sizeof *r->gradient);
    r->encoder = make_buffers(spec->encoder, spec->encoder_count, n);
    r->dencoder = make_buffers(spec->encoder, spec->encoder_count, n);
    r->decoder = make_buffers(spec->decoder, spec->decoder_count, n);
    r->ddecoder = make_buffers(spec->decoder, spec->decoder_count, n);
    if (!r->flat || !r->gradient || !r->encoder || !r->dencoder || !r->decoder || !r->ddecoder) {
        ecc_reference_free(r);
        return ecc_fail_memory(error, "a reference");
    }
    r->z = r->encoder[spec->encoder_count];
    r->y = r->decoder[spec->decoder_count];
    r->dz = r->ddecoder[0];
    *result = r;
    return ECC_OK;
}

static size_t flat_floats(const struct ecc_layer_spec *layer)
{
    return layer->kind == ECC_LAYER_BATCHNORM ? 2 * layer->parameters : layer->parameters;
}

static size_t part_offset(const struct ecc_net_spec *spec, bool decoder)
{
    size_t offset = 0;
    for (size_t i = 0; decoder && i < spec->encoder_count; i++) {
        offset += flat_floats(&spec->encoder[i]);
    }
    return offset;
}

static void run_part(struct ecc_reference *r, bool decoder, bool training)
{
    const struct ecc_layer_spec *const layers = decoder ? r->spec->decoder : r->spec->encoder;
    const size_t count = decoder ? r->spec->decoder_count : r->spec->encoder_count;
    double **const values = decoder ? r->decoder : r->encoder;
    size_t offset = part_offset(r->spec, decoder);
    for (size_t i = 0; i < count; i++) {
        const struct task task = {.layer = &layers[i],
                                  .n = r->n,
                                  .x = values[i],
                                  .y = values[i + 1],
                                  .source = values[0],
                                  .w = r->flat + offset,
                                  .training = training};
        rules[layers[i].kind].forward(&task);
        offset += flat_floats(&layers[i]);
    }
}

static void run_part_back(struct ecc_reference *r, bool decoder)
{
    const struct ecc_layer_spec *const layers = decoder ? r->spec->decoder : r->spec->encoder;
    const size_t count = decoder ? r->spec->decoder_count : r->spec->encoder_count;
    double **const values = decoder ? r->decoder : r->encoder;
    double **const gradients = decoder ? r->ddecoder : r->dencoder;
    size_t offset = part_offset(r->spec, decoder);
    for (size_t i = 0; i < count; i++) {
        offset += flat_floats(&layers[i]);
        memset(gradients[i], 0, r->n * ecc_shape_size(layers[i].input) * sizeof *gradients[i]);
    }
    for (size_t i = count; i-- > 0;) {
        offset -= flat_floats(&layers[i]);
        memset(r->gradient + offset, 0, flat_floats(&layers[i]) * sizeof *r->gradient);
        const struct task task = {.layer = &layers[i],
                                  .n = r->n,
                                  .x = values[i],
                                  .y = values[i + 1],
                                  .dx = gradients[i],
                                  .dy = gradients[i + 1],
                                  .source = values[0],
                                  .dsource = gradients[0],
                                  .w = r->flat + offset,
                                  .dw = r->gradient + offset,
                                  .training = true};
        rules[layers[i].kind].backward(&task);
    }
}

void ecc_reference_encode(struct ecc_reference *r, const double *x, bool training)
{
    const size_t count = r->n * ecc_shape_size(r->spec->shape);
    for (size_t k = 0; k < count; k++) r->encoder[0][k] = isnan(x[k]) ? 0 : x[k];
    run_part(r, false, training);
}

void ecc_reference_decode(struct ecc_reference *r, const double *z, bool training)
{
    memcpy(r->decoder[0], z, r->n * r->spec->latent * sizeof *z);
    run_part(r, true, training);
}

double ecc_reference_error(struct ecc_reference *r, const double *x)
{
    const size_t count = r->n * ecc_shape_size(r->spec->shape);
    double *const dy = r->ddecoder[r->spec->decoder_count], sum = 0, present = 0;
    for (size_t k = 0; k < count; k++) present += !isnan(x[k]);
    for (size_t k = 0; k < count; k++) {
        const double off = isnan(x[k]) ? 0 : r->y[k] - x[k];
        sum += off * off / present;
        dy[k] = 2 * off / present;
    }
    return sum;
}

void ecc_reference_decode_back(struct ecc_reference *r)
{
    run_part_back(r, true);
}

void ecc_reference_encode_back(struct ecc_reference *r, const double *dz)
{
    memcpy(r->dencoder[r->spec->encoder_count], dz, r->n * r->spec->encoder_outputs * sizeof *dz);
    run_part_back(r, false);
}
