/* safetensors_write.c: writing named tensors, float32, in the order given. */
#include "base/dtype.h"
#include "base/file.h"
#include "base/text.h"
#include "run/safetensors.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static enum ecc_status count_numbers(size_t *count, const struct ecc_safetensors_item *item,
                                     struct ecc_error *error)
{
    *count = 1;
    bool fits = item->rank <= ECC_SAFETENSORS_MAX_RANK;
    for (size_t i = 0; fits && i < item->rank; i++) {
        fits = item->shape[i] == 0 || *count <= (size_t)INT64_MAX / 16 / item->shape[i];
        if (fits) *count *= item->shape[i];
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
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", "F32", "shape", shape, "data_offsets",
                     (json_int_t)begin, (json_int_t)end);
}

static enum ecc_status add_metadata(json_t *root, const char *const *metadata,
                                    struct ecc_error *error)
{
    json_t *const object = json_object();
    for (size_t i = 0; metadata && metadata[i] && metadata[i + 1]; i += 2) {
        if (json_object_set_new(object, metadata[i], json_string(metadata[i + 1])) == 0) continue;
        json_decref(object);
        return ecc_fail(error, ECC_BAD_ARGUMENT, "metadata cannot be written: it is no UTF-8");
    }
    if (!metadata) {
        json_decref(object);
        return ECC_OK;
    }
    if (json_object_set_new(root, "__metadata__", object) == 0) return ECC_OK;
    return ecc_fail_memory(error, "metadata");
}

static enum ecc_status describe(json_t *root, const struct ecc_safetensors_item *items,
                                size_t count, const char *const *metadata, struct ecc_error *error)
{
    ECC_TRY(add_metadata(root, metadata, error));
    size_t begin = 0;
    for (size_t i = 0; i < count; i++) {
        size_t numbers;
        char quoted[ECC_QUOTE_SIZE];
        ECC_TRY(count_numbers(&numbers, &items[i], error));
        const size_t end = begin + numbers * sizeof(float);
        const bool taken = json_object_get(root, items[i].name) != NULL;
        if (taken || end < begin ||
            json_object_set_new(root, items[i].name, describe_item(&items[i], begin, end)) != 0) {
            return ecc_fail(error, ECC_BAD_ARGUMENT, "tensor %s cannot be written: %s",
                            ecc_quote(quoted, items[i].name, strlen(items[i].name)),
                            taken ? "there are two of that name" : "its name is no UTF-8");
        }
        begin = end;
    }
    return ECC_OK;
}

/* The length, little-endian, and the header, padded with blanks so that numbers are aligned. */
static void write_header(FILE *stream, const char *header)
{
    const size_t length = strlen(header), padded = (length + 7) / 8 * 8;
    for (size_t i = 0; i < 8; i++) putc((int)((uint64_t)padded >> 8 * i & 255), stream);
    fputs(header, stream);
    for (size_t i = length; i < padded; i++) putc(' ', stream);
}

static void write_numbers(FILE *stream, const float *data, size_t count)
{
    enum { chunk = 4096 };
    float buffer[chunk];
    while (count > 0) {
        const size_t now = count < chunk ? count : chunk;
        memcpy(buffer, data, now * sizeof *data);
        if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ecc_swap_bytes(buffer, sizeof *buffer, now);
        fwrite(buffer, sizeof *buffer, now, stream);
        data += now;
        count -= now;
    }
}

static enum ecc_status write_file(const char *path, const char *header,
                                  const struct ecc_safetensors_item *items, size_t count,
                                  struct ecc_error *error)
{
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, path, error));
    write_header(output.stream, header);
    for (size_t i = 0; i < count; i++) {
        size_t numbers = 0;
        const enum ecc_status status = count_numbers(&numbers, &items[i], error);
        if (status != ECC_OK) {
            ecc_output_discard(&output);
            return status;
        }
        write_numbers(output.stream, items[i].data, numbers);
    }
    return ecc_output_commit_durably(&output, error);
}

enum ecc_status ecc_safetensors_write(const char *path, const struct ecc_safetensors_item *items,
                                      size_t count, const char *const *metadata,
                                      struct ecc_error *error)
{
    json_t *const root = json_object();
    if (!root) return ecc_fail_memory(error, "tensors");
    enum ecc_status status = describe(root, items, count, metadata, error);
    char *const header = status == ECC_OK ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    if (status != ECC_OK) return status;
    status = header ? write_file(path, header, items, count, error)
                    : ecc_fail_memory(error, "the names of tensors");
    free(header);
    return status;
}
