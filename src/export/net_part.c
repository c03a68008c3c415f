/* net_part.c: the weights of an encoder or decoder, with batch norm as a part of them. */
#include "export/net_part.h"
#include "model/model.h"
#include "nn/post.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ecc_model_encoder_is_exportable(const struct ecc_model *m)
{
    const struct ecc_regularizer *const entry = m->regularizer.entry;
    return !entry->means || m->product || entry->radius;
}

const struct ecc_layer_spec *ecc_part_layers(const struct ecc_net_part *part, size_t *count)
{
    *count = part->decoder ? part->spec->decoder_count : part->spec->encoder_count;
    return part->decoder ? part->spec->decoder : part->spec->encoder;
}

const float *ecc_part_tensor(const struct ecc_net_part *part, char name[ECC_PART_NAME],
                             size_t layer, const char *what)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(part->net, &tensors);
    snprintf(name, ECC_PART_NAME, "%s.%zu.%s", part->decoder ? "decoder" : "encoder", layer, what);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(tensors[i].name, name) == 0) return part->flat + tensors[i].offset;
    }
    return NULL;
}

bool ecc_part_norm_after(const struct ecc_net_part *part, size_t layer)
{
    size_t count;
    const struct ecc_layer_spec *const layers = ecc_part_layers(part, &count);
    const enum ecc_layer_kind kind = layers[layer].kind;
    if (kind != ECC_LAYER_CONV && kind != ECC_LAYER_DECONV && kind != ECC_LAYER_DENSE) return false;
    return layer + 1 < count && layers[layer + 1].kind == ECC_LAYER_BATCHNORM;
}

struct ecc_part_norm ecc_part_norm(const struct ecc_net_part *part, size_t layer)
{
    char name[ECC_PART_NAME];
    return (struct ecc_part_norm){.gamma = ecc_part_tensor(part, name, layer, "weight"),
                                  .beta = ecc_part_tensor(part, name, layer, "bias"),
                                  .mean = ecc_part_tensor(part, name, layer, "running_mean"),
                                  .variance = ecc_part_tensor(part, name, layer, "running_var")};
}

double ecc_part_norm_factor(const struct ecc_part_norm *norm, size_t c)
{
    return (double)norm->gamma[c] / sqrt((double)norm->variance[c] + ECC_NORM_EPSILON);
}

double ecc_part_norm_shift(const struct ecc_part_norm *norm, size_t c)
{
    return (double)norm->beta[c] - (double)norm->mean[c] * ecc_part_norm_factor(norm, c);
}

/* weight: [count / each / outputs, outputs, each] */
static void fold_norm(const struct ecc_net_part *part, struct ecc_folded *f, size_t layer,
                      size_t each)
{
    const struct ecc_part_norm norm = ecc_part_norm(part, layer);
    if (!norm.gamma || !norm.beta || !norm.mean || !norm.variance) return; /* never in a model */
    for (size_t o = 0; o < f->outputs; o++) {
        const double factor = ecc_part_norm_factor(&norm, o);
        f->bias[o] = (float)((double)f->bias[o] * factor + ecc_part_norm_shift(&norm, o));
        for (size_t k = 0; k < f->count / each / f->outputs; k++) {
            float *const own = f->weight + (k * f->outputs + o) * each;
            for (size_t j = 0; j < each; j++) own[j] = (float)((double)own[j] * factor);
        }
    }
}

enum ecc_status ecc_part_fold(const struct ecc_net_part *part, struct ecc_folded *f, size_t layer,
                              bool with_norm, struct ecc_error *error)
{
    size_t layers;
    char name[ECC_PART_NAME];
    const struct ecc_layer_spec *const l = &ecc_part_layers(part, &layers)[layer];
    const float *const weight = ecc_part_tensor(part, name, layer, "weight");
    const float *const bias = ecc_part_tensor(part, name, layer, "bias");
    const size_t count = l->parameters - l->outputs;
    *f = (struct ecc_folded){.weight = malloc(count * sizeof *f->weight),
                             .bias = malloc(l->outputs * sizeof *f->bias),
                             .count = count,
                             .outputs = l->outputs};
    if (!f->weight || !f->bias) {
        ecc_folded_release(f);
        return ecc_fail_memory(error, "the weights of a layer");
    }
    memcpy(f->weight, weight, count * sizeof *weight);
    memcpy(f->bias, bias, l->outputs * sizeof *bias);
    const bool up = l->kind == ECC_LAYER_DECONV;
    const size_t each = up ? l->kernel[0] * l->kernel[1] : count / l->outputs;
    if (with_norm) fold_norm(part, f, layer + 1, each);
    return ECC_OK;
}

void ecc_folded_release(struct ecc_folded *f)
{
    free(f->weight);
    free(f->bias);
    *f = (struct ecc_folded){0};
}
