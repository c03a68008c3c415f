/* spec_shape.c: works out shapes, parameters and work of the layers of a net. */
#include "base/text.h"
#include "nn/spec.h"

#include <stdarg.h>
#include <string.h>

/* The net that is being checked, and the line of the current layer. */
struct place {
    const struct ecc_net_spec *spec;
    struct ecc_error *error;
    size_t line;
    struct ecc_item_shape start; /* the input of the encoder or decoder */
};

static enum ecc_status fail_at(const struct place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static enum ecc_status fail_at(const struct place *place, const char *format, ...)
{
    char reason[300], file[ECC_PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return ecc_fail(place->error, ECC_BAD_DATA, "%s, line %zu: %s",
                    ecc_quote_path(file, place->spec->name), place->line, reason);
}

static size_t *side(struct ecc_item_shape *shape, int k)
{
    return k == 0 ? &shape->height : &shape->width;
}

/* How many numbers an item may have inside a net, at most. */
static const double largest_item = 1 << 28;

static enum ecc_status check_size(const struct place *place, const struct ecc_layer_spec *layer)
{
    const struct ecc_item_shape s = layer->output;
    const double size = (double)s.channels * (double)s.height * (double)s.width;
    if (size <= largest_item) return ECC_OK;
    return fail_at(place, "the output would be %zu x %zu x %zu, expected at most %.0f numbers",
                   s.channels, s.height, s.width, largest_item);
}

static enum ecc_status shape_conv(const struct place *place, struct ecc_layer_spec *layer)
{
    layer->output.channels = layer->outputs;
    for (int k = 0; k < 2; k++) {
        const size_t padded = *side(&layer->input, k) + 2 * layer->padding[k];
        if (padded < layer->kernel[k]) {
            return fail_at(place,
                           "the kernel is %zux%zu but the padded input only %zux%zu, expected a "
                           "kernel that fits",
                           layer->kernel[0], layer->kernel[1],
                           layer->input.height + 2 * layer->padding[0],
                           layer->input.width + 2 * layer->padding[1]);
        }
        *side(&layer->output, k) = (padded - layer->kernel[k]) / layer->stride[k] + 1;
    }
    return ECC_OK;
}

static enum ecc_status shape_deconv(const struct place *place, struct ecc_layer_spec *layer)
{
    layer->output.channels = layer->outputs;
    for (int k = 0; k < 2; k++) {
        const size_t full = (*side(&layer->input, k) - 1) * layer->stride[k] + layer->kernel[k];
        if (full <= 2 * layer->padding[k] || layer->padding[k] >= layer->kernel[k]) {
            return fail_at(place,
                           "padding %zux%zu is too large for an output of %zu, expected less than "
                           "the kernel, and an output of at least 1",
                           layer->padding[0], layer->padding[1], full);
        }
        *side(&layer->output, k) = full - 2 * layer->padding[k];
    }
    return ECC_OK;
}

static enum ecc_status shape_dense(const struct place *place, struct ecc_layer_spec *layer)
{
    if (layer->input.height != 1 || layer->input.width != 1) {
        return fail_at(place,
                       "the input of dense is an image of %zu x %zu x %zu, expected a vector "
                       "(flatten before it)",
                       layer->input.channels, layer->input.height, layer->input.width);
    }
    layer->output = (struct ecc_item_shape){layer->outputs, 1, 1};
    return ECC_OK;
}

static enum ecc_status shape_same(const struct place *place, struct ecc_layer_spec *layer)
{
    (void)place;
    layer->output = layer->input;
    return ECC_OK;
}

static enum ecc_status shape_flatten(const struct place *place, struct ecc_layer_spec *layer)
{
    (void)place;
    layer->output = (struct ecc_item_shape){ecc_shape_size(layer->input), 1, 1};
    return ECC_OK;
}

static enum ecc_status shape_reshape(const struct place *place, struct ecc_layer_spec *layer)
{
    ECC_TRY(check_size(place, layer));
    const struct ecc_item_shape in = layer->input, out = layer->output;
    if (ecc_shape_size(in) == ecc_shape_size(out)) return ECC_OK;
    return fail_at(place,
                   "reshape from %zu x %zu x %zu to %zu x %zu x %zu, expected the same count "
                   "of numbers",
                   in.channels, in.height, in.width, out.channels, out.height, out.width);
}

static enum ecc_status shape_pad(const struct place *place, struct ecc_layer_spec *layer)
{
    (void)place;
    layer->output = layer->input;
    layer->output.height += 2 * layer->padding[0];
    layer->output.width += 2 * layer->padding[1];
    return ECC_OK;
}

static bool is_vector(struct ecc_item_shape shape)
{
    return shape.height == 1 && shape.width == 1;
}

static enum ecc_status shape_bypass(const struct place *place, struct ecc_layer_spec *layer)
{
    layer->output = layer->input;
    layer->around = place->start.channels;
    if (is_vector(place->start) && is_vector(layer->input)) return ECC_OK;
    return fail_at(place, "bypass leads from %zu x %zu x %zu to %zu x %zu x %zu, expected vectors",
                   place->start.channels, place->start.height, place->start.width,
                   layer->input.channels, layer->input.height, layer->input.width);
}

static enum ecc_status (*const shape_rules[])(const struct place *, struct ecc_layer_spec *) = {
    [ECC_LAYER_CONV] = shape_conv,       [ECC_LAYER_DECONV] = shape_deconv,
    [ECC_LAYER_DENSE] = shape_dense,     [ECC_LAYER_BATCHNORM] = shape_same,
    [ECC_LAYER_LEAKY_RELU] = shape_same, [ECC_LAYER_RELU] = shape_same,
    [ECC_LAYER_SIGMOID] = shape_same,    [ECC_LAYER_FLATTEN] = shape_flatten,
    [ECC_LAYER_RESHAPE] = shape_reshape, [ECC_LAYER_PAD] = shape_pad,
    [ECC_LAYER_BYPASS] = shape_bypass,
};

static enum ecc_status count_work(const struct place *place, struct ecc_layer_spec *layer)
{
    const bool deconv = layer->kind == ECC_LAYER_DECONV, dense = layer->kind == ECC_LAYER_DENSE;
    if (layer->kind == ECC_LAYER_BATCHNORM) layer->parameters = 2 * layer->output.channels;
    const bool around = layer->kind == ECC_LAYER_BYPASS;
    if (layer->kind != ECC_LAYER_CONV && !deconv && !dense && !around) return ECC_OK;
    const double taps = dense || around ? 1 : (double)layer->kernel[0] * (double)layer->kernel[1];
    const double weights =
        (double)layer->input.channels * taps * (double)(around ? layer->around : layer->outputs);
    if (weights > 1e9) {
        return fail_at(place, "%.3g weights in one layer, expected at most 1e9", weights);
    }
    const struct ecc_item_shape at = deconv ? layer->input : layer->output;
    layer->parameters = (size_t)weights + layer->outputs;
    layer->flops = 2 * weights * (double)at.height * (double)at.width;
    return ECC_OK;
}

static enum ecc_status shape_layers(struct place *place, struct ecc_item_shape *shape,
                                    struct ecc_layer_spec *layers, size_t count)
{
    place->start = *shape;
    for (size_t i = 0; i < count; i++) {
        place->line = layers[i].line;
        layers[i].input = *shape;
        ECC_TRY(shape_rules[layers[i].kind](place, &layers[i]));
        ECC_TRY(check_size(place, &layers[i]));
        ECC_TRY(count_work(place, &layers[i]));
        *shape = layers[i].output;
    }
    return ECC_OK;
}

enum ecc_status ecc_net_spec_shapes(struct ecc_net_spec *spec, struct ecc_error *error)
{
    struct place place = {.spec = spec, .error = error};
    struct ecc_item_shape s = spec->shape;
    ECC_TRY(shape_layers(&place, &s, spec->encoder, spec->encoder_count));
    if (s.channels != spec->encoder_outputs || s.height != 1 || s.width != 1) {
        return fail_at(
            &place, "the encoder ends in %zu x %zu x %zu, expected a vector of %zu (dense latent)",
            s.channels, s.height, s.width, spec->encoder_outputs);
    }
    s = (struct ecc_item_shape){spec->latent, 1, 1};
    ECC_TRY(shape_layers(&place, &s, spec->decoder, spec->decoder_count));
    const struct ecc_item_shape t = spec->target;
    if (s.channels != t.channels || s.height != t.height || s.width != t.width) {
        return fail_at(&place,
                       "the decoder ends in %zu x %zu x %zu, expected the shape of an item, "
                       "%zu x %zu x %zu",
                       s.channels, s.height, s.width, t.channels, t.height, t.width);
    }
    return ECC_OK;
}

/* ---- The table of layers -------------------------------------------------------------------- */

static void shape_words(char out[40], struct ecc_item_shape s)
{
    if (s.height == 1 && s.width == 1) {
        snprintf(out, 40, "%zu", s.channels);
    } else {
        snprintf(out, 40, "%zu x %zu x %zu", s.channels, s.height, s.width);
    }
}

static void pair_words(char *out, size_t size, const char *name, const size_t pair[2])
{
    const size_t used = strlen(out);
    if (pair[0] == pair[1]) {
        snprintf(out + used, size - used, "%s %zu", name, pair[0]);
    } else {
        snprintf(out + used, size - used, "%s %zux%zu", name, pair[0], pair[1]);
    }
}

static void layer_words(char *out, size_t size, const struct ecc_layer_spec *layer)
{
    snprintf(out, size, "%s", ecc_layer_name(layer->kind));
    const size_t used = strlen(out);
    if (layer->outputs) snprintf(out + used, size - used, " %zu", layer->outputs);
    if (layer->kind == ECC_LAYER_LEAKY_RELU) {
        snprintf(out + used, size - used, " %g", layer->slope);
    }
    if (layer->kernel[0]) pair_words(out, size, " kernel", layer->kernel);
    if (layer->stride[0] * layer->stride[1] > 1) pair_words(out, size, " stride", layer->stride);
    if (layer->padding[0] + layer->padding[1]) {
        pair_words(out, size, layer->kind == ECC_LAYER_PAD ? "" : " padding", layer->padding);
    }
}

static void describe_part(FILE *stream, const char *part, const struct ecc_layer_spec *layers,
                          size_t count, size_t *parameters, double *flops)
{
    for (size_t i = 0; i < count; i++) {
        char words[100], shape[40];
        layer_words(words, sizeof words, &layers[i]);
        shape_words(shape, layers[i].output);
        fprintf(stream, "%-8s %3zu  %-42s ", part, i, words);
        if (layers[i].parameters) {
            fprintf(stream, "%-17s %10zu", shape, layers[i].parameters);
        } else {
            fputs(shape, stream);
        }
        if (layers[i].flops > 0) fprintf(stream, " %11.3f", layers[i].flops * 1e-6);
        fputc('\n', stream);
        *parameters += layers[i].parameters;
        *flops += layers[i].flops;
    }
}

void ecc_net_spec_describe(FILE *stream, const struct ecc_net_spec *spec)
{
    size_t parameters = 0;
    double flops = 0;
    char shape[40];
    shape_words(shape, spec->shape);
    fprintf(stream, "net %s for items of %s, %zu latent dimension%s\n\n", spec->name, shape,
            spec->latent, ecc_s(spec->latent));
    fprintf(stream, "%-8s %3s  %-42s %-17s %10s %11s\n", "part", "#", "layer", "output",
            "parameters", "Mflop/item");
    describe_part(stream, "encoder", spec->encoder, spec->encoder_count, &parameters, &flops);
    describe_part(stream, "decoder", spec->decoder, spec->decoder_count, &parameters, &flops);
    fprintf(stream, "%-74s %10zu %11.3f\n", "total", parameters, flops * 1e-6);
}

size_t ecc_net_spec_parameters(const struct ecc_net_spec *spec)
{
    size_t sum = 0;
    for (size_t i = 0; i < spec->encoder_count; i++) sum += spec->encoder[i].parameters;
    for (size_t i = 0; i < spec->decoder_count; i++) sum += spec->decoder[i].parameters;
    return sum;
}

double ecc_net_spec_flops(const struct ecc_net_spec *spec)
{
    double sum = 0;
    for (size_t i = 0; i < spec->encoder_count; i++) sum += spec->encoder[i].flops;
    for (size_t i = 0; i < spec->decoder_count; i++) sum += spec->decoder[i].flops;
    return sum;
}
