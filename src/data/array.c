/* array.c: makes a data set from an array of a .npy or .npz file: images or a table, and labels. */
#include "data/array.h"

#include "base/text.h"
#include "data/memory.h"
#include "data/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHANNELS = 4 };

/* ---- Tables --------------------------------------------------------------------------------- */

static enum ecc_status check_cells(const double *values, size_t count, size_t columns,
                                   const char *name, struct ecc_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!isinf(values[i])) continue; /* NaN is a missing cell */
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s: row %zu, column %zu is infinite, expected a number, or NaN for a "
                        "missing cell",
                        ecc_quote_path(shown, name), i / columns, i % columns);
    }
    return ECC_OK;
}

enum ecc_status ecc_array_to_table(struct ecc_dataset *data, const struct ecc_array *array,
                                   char **names, const char *name, struct ecc_data_request *request,
                                   struct ecc_error *error)
{
    data->scaling.names = names; /* from here on freed with the dataset */
    data->scaling.columns = array->shape[1];
    double *const values = array->count <= SIZE_MAX / sizeof(double)
                               ? malloc((array->count ? array->count : 1) * sizeof(double))
                               : NULL;
    if (!values) return ecc_fail_memory(error, "a table");
    ecc_to_f64(values, array->data, array->dtype, array->count);
    const enum ecc_status status = check_cells(values, array->count, array->shape[1], name, error);
    if (status != ECC_OK) {
        free(values);
        return status;
    }
    return ecc_table_finish(data, values, names, array->shape[1], request, error);
}

/* ---- Images --------------------------------------------------------------------------------- */

bool ecc_array_image_shape(struct ecc_item_shape *item, const size_t *shape, size_t rank)
{
    if (rank == 3) {
        *item = (struct ecc_item_shape){1, shape[1], shape[2]};
        return false;
    }
    const bool last = shape[3] <= MAX_CHANNELS && shape[1] > MAX_CHANNELS;
    *item = last ? (struct ecc_item_shape){shape[3], shape[1], shape[2]}
                 : (struct ecc_item_shape){shape[1], shape[2], shape[3]};
    return last;
}

bool ecc_array_channels_first(void *items, size_t count, struct ecc_item_shape shape, size_t bytes)
{
    const size_t plane = shape.height * shape.width, item = plane * shape.channels * bytes;
    unsigned char *const copy = malloc(item ? item : 1);
    if (!copy) return false;
    for (size_t i = 0; i < count; i++) {
        unsigned char *const to = (unsigned char *)items + i * item;
        memcpy(copy, to, item);
        for (size_t p = 0; p < plane; p++) {
            for (size_t c = 0; c < shape.channels; c++) {
                memcpy(to + (c * plane + p) * bytes, copy + (p * shape.channels + c) * bytes,
                       bytes);
            }
        }
    }
    free(copy);
    return true;
}

static bool is_whole(enum ecc_dtype dtype)
{
    return dtype != ECC_F2 && dtype != ECC_F4 && dtype != ECC_F8 && dtype != ECC_B1;
}

enum ecc_status ecc_array_check_image(const float *pixels, enum ecc_dtype dtype, size_t size,
                                      size_t number, const char *name, struct ecc_error *error)
{
    const float high = is_whole(dtype) ? 255 : 1;
    for (size_t i = 0; i < size; i++) {
        if (pixels[i] >= 0 && pixels[i] <= high) continue;
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s: image %zu has a pixel of %g, expected %s from 0 to %g",
                        ecc_quote_path(shown, name), number, (double)pixels[i],
                        ecc_dtype_name(dtype), (double)high);
    }
    return ECC_OK;
}

enum ecc_status ecc_array_scale_image(float *pixels, enum ecc_dtype dtype, size_t size,
                                      size_t number, const char *name, struct ecc_error *error)
{
    ECC_TRY(ecc_array_check_image(pixels, dtype, size, number, name, error));
    for (size_t i = 0; is_whole(dtype) && i < size; i++) {
        pixels[i] /= 255;
    }
    return ECC_OK;
}

static enum ecc_status make_images(struct ecc_dataset *data, struct ecc_array *array,
                                   const char *name, struct ecc_error *error)
{
    const bool last = ecc_array_image_shape(&data->shape, array->shape, array->rank);
    struct ecc_memory memory = {.block = array->data, .item_size = ecc_shape_size(data->shape)};
    const bool bytes = array->dtype == ECC_U1;
    if (!bytes) {
        float *const pixels =
            array->count <= SIZE_MAX / sizeof(float) ? malloc(array->count * sizeof(float)) : NULL;
        if (!pixels) return ecc_fail_memory(error, "images");
        ecc_to_f32(pixels, array->data, array->dtype, array->count);
        enum ecc_status status = ECC_OK;
        for (size_t i = 0; i < data->count && status == ECC_OK; i++) {
            status = ecc_array_scale_image(pixels + i * memory.item_size, array->dtype,
                                           memory.item_size, i, name, error);
        }
        if (status != ECC_OK) {
            free(pixels);
            return status;
        }
        free(array->data);
        memory.block = pixels;
    }
    array->data = NULL;
    if (last && !ecc_array_channels_first(memory.block, data->count, data->shape,
                                          bytes ? 1 : sizeof(float))) {
        free(memory.block);
        return ecc_fail_memory(error, "images");
    }
    if (bytes)
        memory.bytes = memory.block;
    else
        memory.floats = memory.block;
    return ecc_memory_keep(data, memory, error);
}

enum ecc_status ecc_array_check_shape(const size_t *shape, size_t rank, size_t count,
                                      const char *name, struct ecc_error *error)
{
    if (rank >= 2 && rank <= 4 && count > 0) return ECC_OK;
    char shown[ECC_PATH_SIZE], text[ECC_SHAPE_TEXT];
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s has shape %s, expected [n, d], [n, h, w], [n, c, h, w] or [n, h, w, c], "
                    "each at least 1",
                    ecc_quote_path(shown, name), ecc_shape_text(text, shape, rank));
}

enum ecc_status ecc_array_to_dataset(struct ecc_dataset *data, struct ecc_array *array,
                                     const char *name, struct ecc_data_request *request,
                                     struct ecc_error *error)
{
    enum ecc_status status =
        ecc_array_check_shape(array->shape, array->rank, array->count, name, error);
    if (status == ECC_OK) {
        data->count = array->shape[0];
        status = array->rank == 2 ? ecc_array_to_table(data, array, NULL, name, request, error)
                                  : make_images(data, array, name, error);
    }
    ecc_array_release(array);
    return status;
}

/* ---- Labels --------------------------------------------------------------------------------- */

enum ecc_status ecc_array_to_labels(struct ecc_dataset *data, const struct ecc_array *labels,
                                    const char *name, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], shape[ECC_SHAPE_TEXT];
    ecc_quote_path(shown, name);
    const bool flat = labels->rank == 1 || (labels->rank == 2 && labels->shape[1] == 1);
    if (!flat || labels->count != data->count) {
        return ecc_fail(error, ECC_BAD_DATA, "%s has shape %s, expected one label for %zu items",
                        shown, ecc_shape_text(shape, labels->shape, labels->rank), data->count);
    }
    data->labels = malloc(data->count * sizeof *data->labels);
    if (!data->labels) return ecc_fail_memory(error, "the labels");
    const size_t size = ecc_dtype_size(labels->dtype);
    for (size_t i = 0; i < data->count; i++) {
        double label;
        ecc_to_f64(&label, (const unsigned char *)labels->data + i * size, labels->dtype, 1);
        if (!(label >= 0 && label < ECC_MAX_CLASSES && label == floor(label))) {
            return ecc_fail(error, ECC_BAD_DATA,
                            "%s: label %zu is %g, expected a whole number from 0 to %d", shown, i,
                            label, ECC_MAX_CLASSES - 1);
        }
        data->labels[i] = (int32_t)label;
        if ((size_t)label >= data->class_count) data->class_count = (size_t)label + 1;
    }
    return ECC_OK;
}
