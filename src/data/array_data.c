/* array_data.c: a data set from the caller's arrays, as if they had been read from a file. */
#include "data/array_data.h"

#include "base/text.h"
#include "data/array.h"
#include "data/fingerprint.h"
#include "data/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* names: [count] or NULL, of things called `kind`; none of them may be NULL. */
static enum ecc_status check_names(const char *const *names, size_t count, const char *kind,
                                   const char *name, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    for (size_t i = 0; names && i < count; i++) {
        if (names[i]) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s has no name for %s %zu",
                        ecc_quote_path(shown, name), kind, i);
    }
    return ECC_OK;
}

static enum ecc_status check_array(const struct ecc_array_data *a, const char *name,
                                   struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], text[ECC_SHAPE_TEXT];
    const size_t shape[4] = {a->n, a->channels, a->height, a->width};
    size_t count;
    if (__builtin_mul_overflow(a->n, a->channels, &count) ||
        __builtin_mul_overflow(count, a->height, &count) ||
        __builtin_mul_overflow(count, a->width, &count) || count > SIZE_MAX / sizeof *a->x) {
        return ecc_fail_memory(error, "an array");
    }
    const bool given = a->x || (a->is_table && a->cells);
    if (!given || count == 0 || (a->is_table && (a->channels != 1 || a->height != 1))) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s has %s %s, expected %s, each at least 1",
                        ecc_quote_path(shown, name), given ? "shape" : "no array of shape",
                        ecc_shape_text(text, shape, 4),
                        a->is_table ? "[n, 1, 1, columns]" : "[n, c, h, w]");
    }
    if (a->class_names && (!a->labels || a->classes == 0)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%s has class names, which need labels and the number of classes",
                        ecc_quote_path(shown, name));
    }
    if (a->classes > ECC_MAX_CLASSES) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s has %zu classes, expected at most %d",
                        ecc_quote_path(shown, name), a->classes, ECC_MAX_CLASSES);
    }
    ECC_TRY(check_names(a->class_names, a->classes, "class", name, error));
    return check_names(a->is_table ? a->column_names : NULL, a->width, "column", name, error);
}

/* A copy that ecc_dataset_close frees; NULL without memory. */
static char **copy_names(const char *const *names, size_t count)
{
    char **const copy = calloc(count ? count : 1, sizeof *copy);
    bool complete = copy;
    for (size_t i = 0; complete && i < count; i++) {
        copy[i] = strdup(names[i]);
        complete = copy[i];
    }
    if (complete) return copy;
    ecc_free_texts(copy, count);
    return NULL;
}

/* ---- Items ---------------------------------------------------------------------------------- */

static enum ecc_status open_table(struct ecc_dataset *data, struct ecc_data_request *request,
                                  struct ecc_error *error)
{
    const struct ecc_array_data *const a = request->array;
    char **names = NULL;
    if (a->column_names) {
        names = copy_names(a->column_names, a->width);
        if (!names) return ecc_fail_memory(error, "the names of columns");
    }
    const struct ecc_array cells = {.dtype = a->cells ? ECC_F8 : ECC_F4,
                                    .rank = 2,
                                    .shape = {a->n, a->width},
                                    .count = a->n * a->width,
                                    .data =
                                        a->cells ? (void *)a->cells : (void *)a->x /* only read */};
    return ecc_array_to_table(data, &cells, names, request->path, request, error);
}

static enum ecc_status open_images(struct ecc_dataset *data, const struct ecc_data_request *request,
                                   struct ecc_error *error)
{
    const struct ecc_array_data *const a = request->array;
    data->shape = (struct ecc_item_shape){a->channels, a->height, a->width};
    const struct ecc_memory memory = {.item_size = ecc_shape_size(data->shape), .floats = a->x};
    for (size_t i = 0; i < a->n; i++) {
        ECC_TRY(ecc_array_check_image(a->x + i * memory.item_size, ECC_F4, memory.item_size, i,
                                      request->path, error));
    }
    return ecc_memory_keep(data, memory, error);
}

/* ---- Labels --------------------------------------------------------------------------------- */

static enum ecc_status copy_labels(struct ecc_dataset *data, const struct ecc_array_data *a,
                                   const char *name, struct ecc_error *error)
{
    if (!a->labels) return ECC_OK;
    const struct ecc_array labels = {.dtype = ECC_I4,
                                     .rank = 1,
                                     .shape = {a->n},
                                     .count = a->n,
                                     .data = (void *)a->labels /* only read */};
    ECC_TRY(ecc_array_to_labels(data, &labels, name, error));
    if (a->classes == 0) return ECC_OK;
    if (data->class_count > a->classes) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s has label %zu, expected labels below %zu",
                        ecc_quote_path(shown, name), data->class_count - 1, a->classes);
    }
    data->class_count = a->classes;
    if (!a->class_names) return ECC_OK;
    data->class_names = copy_names(a->class_names, a->classes);
    return data->class_names ? ECC_OK : ecc_fail_memory(error, "the names of classes");
}

/* ---- Numbers -------------------------------------------------------------------------------- */

static enum ecc_status check_numbers(const struct ecc_array_data *a, const char *name,
                                     struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    if (!a->numbers || !a->number_names) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s has %zu numbers for each item, but no %s",
                        ecc_quote_path(shown, name), a->number_count,
                        a->numbers ? "names for them" : "array of them");
    }
    ECC_TRY(check_names(a->number_names, a->number_count, "number", name, error));
    for (size_t i = 0; i < a->n * a->number_count; i++) {
        if (!isinf(a->numbers[i])) continue;
        return ecc_fail(
            error, ECC_BAD_DATA,
            "%s: '%.80s' of item %zu is infinite, expected a number, or NaN for unknown",
            ecc_quote_path(shown, name), a->number_names[i % a->number_count], i / a->number_count);
    }
    return ECC_OK;
}

static enum ecc_status copy_numbers(struct ecc_dataset *data, const struct ecc_array_data *a,
                                    const char *name, struct ecc_error *error)
{
    if (a->number_count == 0) return ECC_OK;
    size_t count, bytes;
    if (__builtin_mul_overflow(a->n, a->number_count, &count) ||
        __builtin_mul_overflow(count, sizeof *data->numbers, &bytes)) {
        return ecc_fail_memory(error, "the numbers of items");
    }
    ECC_TRY(check_numbers(a, name, error));
    data->number_names = copy_names(a->number_names, a->number_count);
    if (!data->number_names) return ecc_fail_memory(error, "the names of numbers");
    data->number_count = a->number_count;
    data->numbers = malloc(bytes);
    if (!data->numbers) return ecc_fail_memory(error, "the numbers of items");
    memcpy(data->numbers, a->numbers, bytes);
    return ECC_OK;
}

/* ---- The source ----------------------------------------------------------------------------- */

static enum ecc_status memory_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                   struct ecc_error *error)
{
    const struct ecc_array_data *const a = request->array;
    ECC_TRY(check_array(a, request->path, error));
    data->count = a->n;
    ECC_TRY(a->is_table ? open_table(data, request, error) : open_images(data, request, error));
    ECC_TRY(copy_labels(data, a, request->path, error));
    return copy_numbers(data, a, request->path, error);
}

static uint64_t memory_fingerprint(const struct ecc_dataset *data,
                                   const struct ecc_data_request *request)
{
    const struct ecc_array_data *const a = request->array;
    const uint64_t shape[] = {a->n, a->channels, a->height, a->width};
    struct ecc_hash hash;
    (void)data;
    ecc_hash_start(&hash);
    ecc_hash_add(&hash, shape, sizeof shape);
    const size_t count = a->n * a->channels * a->height * a->width;
    if (a->is_table && a->cells) {
        ecc_hash_add(&hash, a->cells, count * sizeof *a->cells);
    } else {
        ecc_hash_add(&hash, a->x, count * sizeof *a->x);
    }
    return ecc_hash_end(&hash);
}

/* Not in the table of source.c: no path leads to it. */
static const struct ecc_data_source source_memory = {
    .name = "memory",
    .summary = "arrays of the calling program",
    .open = memory_open,
    .read = ecc_memory_read,
    .close = ecc_memory_close,
    .fingerprint = memory_fingerprint,
};

enum ecc_status ecc_dataset_from_array(struct ecc_dataset **data,
                                       const struct ecc_array_data *array, enum ecc_split split,
                                       const struct ecc_data_options *options,
                                       struct ecc_error *error)
{
    const char *const name = array->name ? array->name : "memory";
    char *const what =
        split == ECC_SPLIT_TRAIN ? strdup(name) : ecc_data_part_name(name, ecc_split_names[split]);
    *data = NULL;
    if (!what) return ecc_fail_memory(error, "a name");
    struct ecc_data_request request = {.path = name, .split = split, .array = array};
    const enum ecc_status status =
        ecc_dataset_open_request(data, &source_memory, what, &request, options, error);
    free(what);
    return status;
}
