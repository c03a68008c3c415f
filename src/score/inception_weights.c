/*
 * inception_weights.c: where the weights of Inception-v3 are, whose they are, and the tensors of
 * one convolution and its batch norm.
 *
 * The names of the tensors say which kind of file it is.  torchvision's own network has the names
 * of the FID network but other weights: its scores would be mistaken for published ones, so it is
 * refused.
 */
#include "base/file.h"
#include "base/text.h"
#include "score/inception.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* ---- Where the file is ---------------------------------------------------------------------- */

static const char file_name[] = "inception.safetensors";

/* directory/middle/inception.safetensors where it can be read, else NULL. */
static char *existing_file(const char *directory, const char *middle)
{
    char *const between = ecc_path_join(directory, middle);
    char *path = between ? ecc_path_join(between, file_name) : NULL;
    free(between);
    if (path && access(path, R_OK) != 0) {
        free(path);
        path = NULL;
    }
    return path;
}

enum ecc_status ecc_inception_weights_find(char **path, struct ecc_error *error)
{
    const char *const ours = getenv("ECCENTRIC_DATA"), *const home = getenv("HOME");
    const bool is_set = ours && *ours;
    *path = is_set ? existing_file(ours, "") : NULL;
    if (!*path && home) *path = existing_file(home, ".local/share/eccentric");
    if (!*path) *path = existing_file("/usr/share/datasets", "");
    if (*path) return ECC_OK;
    return ecc_fail(error, ECC_IO,
                    "the weights of Inception-v3 are missing: there is no %s in $ECCENTRIC_DATA%s, "
                    "~/.local/share/eccentric or /usr/share/datasets; make it from "
                    "pt_inception-2015-12-05-6726825d.pth with: "
                    "scripts/inception_to_safetensors.py",
                    file_name, is_set ? "" : " (not set)");
}

/* ---- Whose weights they are ----------------------------------------------------------------- */

static enum ecc_status recognise(struct ecc_inception_weights *weights, struct ecc_error *error)
{
    const struct ecc_safetensors *const file = weights->file;
    char name[ECC_PATH_SIZE];
    if (ecc_safetensors_find(file, "conv2d_1/kernel")) {
        weights->variant = ECC_INCEPTION_KERAS;
        return ECC_OK;
    }
    weights->variant = ECC_INCEPTION_FID;
    if (!ecc_safetensors_find(file, "Conv2d_1a_3x3.conv.weight")) {
        return ecc_fail(
            error, ECC_BAD_DATA,
            "%s is not an Inception-v3: expected a tensor 'Conv2d_1a_3x3.conv.weight' (the "
            "FID network of 2015) or 'conv2d_1/kernel' (Keras)",
            ecc_quote_path(name, file->name));
    }
    const struct ecc_safetensors_entry *const last = ecc_safetensors_find(file, "fc.weight");
    if (ecc_safetensors_find(file, "AuxLogits.fc.weight") || (last && last->shape[0] == 1000)) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s is torchvision's Inception-v3, expected the FID network of 2015 "
                        "(pt_inception-2015-12-05), with which published scores are made",
                        ecc_quote_path(name, file->name));
    }
    return ECC_OK;
}

/* The FID network was trained on -1 to 1; files may say otherwise, or Keras' the same. */
static enum ecc_status find_range(struct ecc_inception_weights *weights, struct ecc_error *error)
{
    const char *const range = ecc_safetensors_metadata(weights->file, "input");
    const bool both = weights->variant == ECC_INCEPTION_FID;
    char quoted[ECC_QUOTE_SIZE], name[ECC_PATH_SIZE];
    if (range && strcmp(range, "[-1, 1]") != 0 && strcmp(range, "[0, 1]") != 0) {
        return ecc_fail(
            error, ECC_BAD_DATA, "%s: its metadata says input %s, expected [0, 1] or [-1, 1]",
            ecc_quote_path(name, weights->file->name), ecc_quote(quoted, range, strlen(range)));
    }
    const bool is_both = range ? range[1] == '-' : both;
    weights->scale = is_both ? 2 : 1;
    weights->shift = is_both ? -1 : 0;
    return ECC_OK;
}

enum ecc_status ecc_inception_weights_init(struct ecc_inception_weights *weights, const char *path,
                                           struct ecc_error *error)
{
    *weights = (struct ecc_inception_weights){0};
    ECC_TRY(ecc_safetensors_read(&weights->file, path, error));
    enum ecc_status status = recognise(weights, error);
    if (status == ECC_OK) status = find_range(weights, error);
    if (status != ECC_OK) {
        ecc_inception_weights_release(weights);
        return status;
    }
    weights->checksum = (uint32_t)crc32_z(0, weights->file->data, weights->file->data_size);
    return ECC_OK;
}

void ecc_inception_weights_release(struct ecc_inception_weights *weights)
{
    ecc_safetensors_free(weights->file);
    weights->file = NULL;
}

/* ---- The tensors of one convolution --------------------------------------------------------- */

size_t ecc_inception_kernel_size(const struct ecc_inception_op *op)
{
    const struct ecc_conv_shape *const s = &op->shape;
    return s->out.channels * s->in.channels * s->kernel[0] * s->kernel[1];
}

struct ecc_inception_unit *ecc_inception_unit_create(const struct ecc_inception_graph *graph)
{
    size_t kernel = 1, channels = 1;
    for (size_t i = 0; i < graph->count; i++) {
        const struct ecc_inception_op *const op = &graph->ops[i];
        if (op->kind != ECC_INFER_CONV) continue;
        const size_t size = ecc_inception_kernel_size(op);
        if (size > kernel) kernel = size;
        if (op->shape.out.channels > channels) channels = op->shape.out.channels;
    }
    struct ecc_inception_unit *const unit = calloc(1, sizeof *unit);
    float *const block = malloc((2 * kernel + 4 * channels) * sizeof *block);
    if (!unit || !block) {
        free(unit);
        free(block);
        return NULL;
    }
    unit->kernel = block;
    unit->raw = block + kernel;
    unit->gamma = unit->raw + kernel;
    unit->beta = unit->gamma + channels;
    unit->mean = unit->beta + channels;
    unit->variance = unit->mean + channels;
    return unit;
}

void ecc_inception_unit_free(struct ecc_inception_unit *unit)
{
    if (unit) free(unit->kernel);
    free(unit);
}

/* One vector; stem and ending are its name. */
static enum ecc_status get_vector(const struct ecc_inception_weights *weights, float *out,
                                  const char *stem, const char *ending, size_t count,
                                  struct ecc_error *error)
{
    char name[80];
    snprintf(name, sizeof name, "%s%s", stem, ending);
    return ecc_safetensors_get(weights->file, out, name, 1, &count, error);
}

static enum ecc_status get_fid(const struct ecc_inception_weights *weights,
                               struct ecc_inception_unit *unit, const struct ecc_inception_op *op,
                               struct ecc_error *error)
{
    const struct ecc_conv_shape *const s = &op->shape;
    const size_t count = s->out.channels;
    const size_t shape[] = {count, s->in.channels, s->kernel[0], s->kernel[1]};
    char name[80];
    snprintf(name, sizeof name, "%s.conv.weight", op->name);
    ECC_TRY(ecc_safetensors_get(weights->file, unit->kernel, name, 4, shape, error));
    snprintf(name, sizeof name, "%s.bn.", op->name);
    ECC_TRY(get_vector(weights, unit->gamma, name, "weight", count, error));
    ECC_TRY(get_vector(weights, unit->beta, name, "bias", count, error));
    ECC_TRY(get_vector(weights, unit->mean, name, "running_mean", count, error));
    return get_vector(weights, unit->variance, name, "running_var", count, error);
}

/* Keras has [height, width, inputs, outputs]. */
static void transpose(struct ecc_inception_unit *unit, const struct ecc_conv_shape *s)
{
    const size_t inputs = s->in.channels, outputs = s->out.channels;
    const size_t pixels = s->kernel[0] * s->kernel[1];
    const float *from = unit->raw;
    for (size_t p = 0; p < pixels; p++) {
        for (size_t i = 0; i < inputs; i++) {
            for (size_t o = 0; o < outputs; o++) {
                unit->kernel[(o * inputs + i) * pixels + p] = *from++;
            }
        }
    }
}

static enum ecc_status get_keras(const struct ecc_inception_weights *weights,
                                 struct ecc_inception_unit *unit, const struct ecc_inception_op *op,
                                 struct ecc_error *error)
{
    const struct ecc_conv_shape *const s = &op->shape;
    const size_t count = s->out.channels;
    const size_t shape[] = {s->kernel[0], s->kernel[1], s->in.channels, count};
    char name[80];
    snprintf(name, sizeof name, "conv2d_%zu/kernel", op->number);
    ECC_TRY(ecc_safetensors_get(weights->file, unit->raw, name, 4, shape, error));
    transpose(unit, s);
    snprintf(name, sizeof name, "batch_normalization_%zu/gamma", op->number);
    if (ecc_safetensors_find(weights->file, name)) {
        ECC_TRY(get_vector(weights, unit->gamma, name, "", count, error));
    } else {
        for (size_t c = 0; c < count; c++) unit->gamma[c] = 1;
    }
    snprintf(name, sizeof name, "batch_normalization_%zu/", op->number);
    ECC_TRY(get_vector(weights, unit->beta, name, "beta", count, error));
    ECC_TRY(get_vector(weights, unit->mean, name, "moving_mean", count, error));
    return get_vector(weights, unit->variance, name, "moving_variance", count, error);
}

enum ecc_status ecc_inception_weights_get(const struct ecc_inception_weights *weights,
                                          struct ecc_inception_unit *unit,
                                          const struct ecc_inception_op *op,
                                          struct ecc_error *error)
{
    return (weights->variant == ECC_INCEPTION_FID ? get_fid : get_keras)(weights, unit, op, error);
}
