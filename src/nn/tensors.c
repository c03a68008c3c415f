/* tensors.c: the tensors of a net as PyTorch names and shapes them, and their initial values. */
#include "nn/plan.h"

#include "base/rng.h"
#include "base/streams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t tensors_of(enum ecc_layer_kind kind)
{
    switch (kind) {
    case ECC_LAYER_CONV:
    case ECC_LAYER_DECONV:
    case ECC_LAYER_DENSE: return 2;
    case ECC_LAYER_BATCHNORM: return 4;
    case ECC_LAYER_BYPASS: return 1;
    default: return 0;
    }
}

static size_t count_tensors(const struct ecc_layer_spec *layers, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += tensors_of(layers[i].kind);
    return sum;
}

size_t ecc_spec_tensor_of(const struct ecc_net_spec *spec, bool decoder, size_t layer)
{
    const struct ecc_layer_spec *const layers = decoder ? spec->decoder : spec->encoder;
    const size_t before = decoder ? count_tensors(spec->encoder, spec->encoder_count) : 0;
    return before + count_tensors(layers, layer);
}

static void set_shape(struct ecc_tensor *tensor, size_t rank, const size_t *shape)
{
    tensor->rank = rank;
    tensor->count = 1;
    for (size_t k = 0; k < rank; k++) {
        tensor->shape[k] = shape[k];
        tensor->count *= shape[k];
    }
}

/* weight is [out, in], [out, in, h, w], or [in, out, h, w] for a transposed convolution; of a
 * bypass [out, input of the part]. */
static void set_weight_shape(struct ecc_tensor *tensor, const struct ecc_layer_spec *layer)
{
    const bool swapped = layer->kind == ECC_LAYER_DECONV;
    const bool around = layer->kind == ECC_LAYER_BYPASS;
    const size_t in = around ? layer->around : layer->input.channels;
    const size_t out = around ? layer->output.channels : layer->outputs;
    const size_t shape[] = {swapped ? in : out, swapped ? out : in, layer->kernel[0],
                            layer->kernel[1]};
    set_shape(tensor, around || layer->kind == ECC_LAYER_DENSE ? 2 : 4, shape);
}

static struct ecc_tensor *add_part(struct ecc_tensor *tensor, const char *part,
                                   const struct ecc_layer_spec *layers, size_t count)
{
    static const char *const names[] = {"weight", "bias", "running_mean", "running_var"};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < tensors_of(layers[i].kind); k++, tensor++) {
            const bool around = layers[i].kind == ECC_LAYER_BYPASS;
            snprintf(tensor->name, sizeof tensor->name, "%s.%zu.%s", part, i,
                     around ? ECC_TENSOR_BYPASS : names[k]);
            tensor->trainable = k < 2;
            if (k == 0 && layers[i].kind != ECC_LAYER_BATCHNORM) {
                set_weight_shape(tensor, &layers[i]);
            } else {
                set_shape(tensor, 1, &layers[i].output.channels);
            }
        }
    }
    return tensor;
}

static void add_latent(struct ecc_tensor *tensor, const struct ecc_latent_tensor *list,
                       size_t count)
{
    for (size_t i = 0; i < count; i++, tensor++) {
        snprintf(tensor->name, sizeof tensor->name, "latent.%s", list[i].name);
        tensor->trainable = true;
        tensor->latent = &list[i];
        set_shape(tensor, list[i].rank, list[i].shape);
    }
}

enum ecc_status ecc_spec_tensors(struct ecc_tensors *list, const struct ecc_net_spec *spec,
                                 const struct ecc_latent_tensor *latent, size_t latent_count,
                                 struct ecc_error *error)
{
    *list = (struct ecc_tensors){.count = count_tensors(spec->encoder, spec->encoder_count) +
                                          count_tensors(spec->decoder, spec->decoder_count) +
                                          latent_count};
    list->at = calloc(list->count ? list->count : 1, sizeof *list->at);
    if (!list->at) return ecc_fail_memory(error, "the tensors of a net");
    struct ecc_tensor *const decoder =
        add_part(list->at, "encoder", spec->encoder, spec->encoder_count);
    add_latent(add_part(decoder, "decoder", spec->decoder, spec->decoder_count), latent,
               latent_count);
    for (size_t i = 0; i < list->count; i++) {
        list->at[i].offset = list->flat_size;
        list->flat_size += list->at[i].count;
    }
    return ECC_OK;
}

/* ---- Initial values ------------------------------------------------------------------------- */

/* The inputs of an output as PyTorch counts them; for a transposed convolution, it counts outputs.
 */
static double fan_in(const struct ecc_tensor *weight)
{
    double fan = 1;
    for (size_t k = 1; k < weight->rank; k++) fan *= (double)weight->shape[k];
    return fan;
}

/* U(-1/sqrt(fan), 1/sqrt(fan)) for weight and bias, as kaiming_uniform_(a=sqrt(5)) gives; batch
 * norm starts with weight 1, bias 0, mean 0 and variance 1; a bypass with 0. */
void ecc_tensor_draw(float *values, const struct ecc_tensor *tensors, size_t number, uint64_t seed)
{
    const struct ecc_tensor *const tensor = &tensors[number];
    const char *const role = strrchr(tensor->name, '.') + 1;
    const bool is_bias = strcmp(role, "bias") == 0;
    if (strcmp(role, ECC_TENSOR_BYPASS) == 0) {
        memset(values, 0, tensor->count * sizeof *values);
        return;
    }
    const struct ecc_tensor *const weight = is_bias ? tensor - 1 : tensor;
    if (weight->rank == 1 && !weight->latent) {
        const float value = strcmp(role, "weight") == 0 || strcmp(role, "running_var") == 0;
        for (size_t i = 0; i < tensor->count; i++) values[i] = value;
        return;
    }
    const double usual = 1 / sqrt(fan_in(weight));
    const float bound = (float)(tensor->latent ? tensor->latent->bound : usual);
    ecc_rng_uniform_f32(values, seed, ECC_STREAM_NET + number, 0, tensor->count);
    for (size_t i = 0; i < tensor->count; i++) values[i] = (2 * values[i] - 1) * bound;
}
