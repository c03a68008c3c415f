/* safetensors_write.c: named tensors as the bytes of a safetensors file. */
#include "base/file.h"
#include "base/text.h"
#include "run/safetensors.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- The header ----------------------------------------------------------------------------- */

static enum ecc_status count_bytes(size_t *size, const struct ecc_safetensors_item *item,
                                   struct ecc_error *error)
{
    *size = ecc_dtype_size(item->dtype);
    bool fits = item->rank <= ECC_SAFETENSORS_MAX_RANK;
    for (size_t i = 0; fits && i < item->rank; i++) {
        fits = item->shape[i] == 0 || *size <= (size_t)INT64_MAX / 4 / item->shape[i];
        if (fits) *size *= item->shape[i];
    }
    char quoted[ECC_QUOTE_SIZE];
    if (fits) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "tensor %s is too large to be written",
                    ecc_quote(quoted, item->name, strlen(item->name)));
}

static json_t *describe_item(const struct ecc_safetensors_item *item, size_t begin, size_t end)
{
    json_t *const shape = json_array();
    for (size_t i = 0; i < item->rank; i++) {
        json_array_append_new(shape, json_integer((json_int_t)item->shape[i]));
    }
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", ecc_safetensors_type(item->dtype), "shape",
                     shape, "data_offsets", (json_int_t)begin, (json_int_t)end);
}

static enum ecc_status add_metadata(json_t *root, const char *const *metadata,
                                    struct ecc_error *error)
{
    if (!metadata) return ECC_OK;
    json_t *const object = json_object();
    if (json_object_set_new(root, "__metadata__", object) != 0) {
        return ecc_fail_memory(error, "metadata");
    }
    for (size_t i = 0; metadata[i] && metadata[i + 1]; i += 2) {
        if (json_object_set_new(object, metadata[i], json_string(metadata[i + 1])) == 0) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT, "metadata cannot be written: it is not UTF-8");
    }
    return ECC_OK;
}

/* *size: of the numbers of all tensors */
static enum ecc_status describe(json_t *root, size_t *size,
                                const struct ecc_safetensors_item *items, size_t count,
                                struct ecc_error *error)
{
    *size = 0;
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        char quoted[ECC_QUOTE_SIZE];
        ECC_TRY(count_bytes(&bytes, &items[i], error));
        const size_t begin = *size, end = begin + bytes;
        const char *why = NULL;
        if (end > (size_t)INT64_MAX / 2) {
            why = "there are too many numbers";
        } else if (json_object_get(root, items[i].name)) {
            why = "there are two of that name";
        } else if (json_object_set_new(root, items[i].name, describe_item(&items[i], begin, end))) {
            why = "its name is not UTF-8";
        }
        if (why) {
            return ecc_fail(error, ECC_BAD_ARGUMENT, "tensor %s cannot be written: %s",
                            ecc_quote(quoted, items[i].name, strlen(items[i].name)), why);
        }
        *size = end;
    }
    return ECC_OK;
}

static enum ecc_status make_header(char **header, size_t *size,
                                   const struct ecc_safetensors_item *items, size_t count,
                                   const char *const *metadata, struct ecc_error *error)
{
    json_t *const root = json_object();
    enum ecc_status status = root ? ECC_OK : ecc_fail_memory(error, "tensors");
    if (status == ECC_OK) status = add_metadata(root, metadata, error);
    if (status == ECC_OK) status = describe(root, size, items, count, error);
    *header = status == ECC_OK ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    if (status != ECC_OK) return status;
    if (!*header) return ecc_fail_memory(error, "the names of tensors");
    if (strlen(*header) <= ECC_SAFETENSORS_MAX_HEADER - 8) return ECC_OK;
    free(*header);
    return ecc_fail(error, ECC_BAD_ARGUMENT, "names and metadata of tensors have more than %d MB",
                    ECC_SAFETENSORS_MAX_HEADER >> 20);
}

/* ---- The bytes ------------------------------------------------------------------------------ */

/* The length, little-endian, and the header, padded with blanks so that numbers are aligned. */
static unsigned char *put_header(unsigned char *to, const char *header, size_t padded)
{
    const size_t length = strlen(header);
    for (size_t i = 0; i < 8; i++) *to++ = (unsigned char)((uint64_t)padded >> 8 * i);
    memcpy(to, header, length);
    memset(to + length, ' ', padded - length);
    return to + padded;
}

static unsigned char *put_item(unsigned char *to, const struct ecc_safetensors_item *item)
{
    const size_t item_size = ecc_dtype_size(item->dtype);
    size_t count = 1;
    for (size_t i = 0; i < item->rank; i++) count *= item->shape[i];
    if (count == 0) return to;
    memcpy(to, item->data, count * item_size);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ecc_swap_bytes(to, item_size, count);
    return to + count * item_size;
}

static enum ecc_status encode(unsigned char **bytes, size_t *size,
                              const struct ecc_safetensors_item *items, size_t count,
                              const char *const *metadata, struct ecc_error *error)
{
    char *header;
    size_t data_size;
    ECC_TRY(make_header(&header, &data_size, items, count, metadata, error));
    const size_t padded = (strlen(header) + 7) / 8 * 8;
    *size = 8 + padded + data_size;
    *bytes = malloc(*size);
    if (*bytes) {
        unsigned char *to = put_header(*bytes, header, padded);
        for (size_t i = 0; i < count; i++) to = put_item(to, &items[i]);
    }
    free(header);
    return *bytes ? ECC_OK : ecc_fail_memory(error, "tensors");
}

/* Copies the items: those of larger numbers first, otherwise in the order given. */
static void sort_items(struct ecc_safetensors_item *sorted,
                       const struct ecc_safetensors_item *items, size_t count)
{
    for (size_t size = 8; size > 0; size /= 2) {
        for (size_t i = 0; i < count; i++) {
            if (ecc_dtype_size(items[i].dtype) == size) *sorted++ = items[i];
        }
    }
}

enum ecc_status ecc_safetensors_encode(unsigned char **bytes, size_t *size,
                                       const struct ecc_safetensors_item *items, size_t count,
                                       const char *const *metadata, struct ecc_error *error)
{
    *bytes = NULL;
    struct ecc_safetensors_item *const sorted = calloc(count + 1, sizeof *sorted);
    if (!sorted) return ecc_fail_memory(error, "tensors");
    sort_items(sorted, items, count);
    const enum ecc_status status = encode(bytes, size, sorted, count, metadata, error);
    free(sorted);
    return status;
}

enum ecc_status ecc_safetensors_write(const char *path, const struct ecc_safetensors_item *items,
                                      size_t count, const char *const *metadata,
                                      struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    struct ecc_output output;
    ECC_TRY(ecc_safetensors_encode(&bytes, &size, items, count, metadata, error));
    enum ecc_status status = ecc_output_open(&output, path, error);
    if (status == ECC_OK) {
        fwrite(bytes, 1, size, output.stream);
        status = ecc_output_commit_durably(&output, error);
    }
    free(bytes);
    return status;
}
