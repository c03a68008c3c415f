/* safetensors_write.c: named tensors as the bytes of a safetensors file. */
#include "base/file.h"
#include "base/text.h"
#include "run/safetensors.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

/* Everything that is written: the header, and the tensors in the order of the file. */
struct content {
    struct ecc_safetensors_item *items;
    size_t count;
    char *header;
    size_t header_size; /* with blanks after it, so that numbers are aligned */
    size_t data_size;
};

static void release(struct content *content)
{
    free(content->items);
    free(content->header);
}

static enum ecc_status make_header(struct content *content, const char *const *metadata,
                                   struct ecc_error *error)
{
    json_t *const root = json_object();
    enum ecc_status status = root ? ECC_OK : ecc_fail_memory(error, "tensors");
    if (status == ECC_OK) status = add_metadata(root, metadata, error);
    if (status == ECC_OK) {
        status = describe(root, &content->data_size, content->items, content->count, error);
    }
    if (status == ECC_OK) content->header = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    if (status != ECC_OK) return status;
    if (!content->header) return ecc_fail_memory(error, "the names of tensors");
    content->header_size = (strlen(content->header) + 7) / 8 * 8;
    if (content->header_size <= ECC_SAFETENSORS_MAX_HEADER) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "names and metadata of tensors take more than %d MB",
                    ECC_SAFETENSORS_MAX_HEADER >> 20);
}

/* Larger numbers first, otherwise in the order given; the checksum, if there is one, last. */
static enum ecc_status plan(struct content *content, const struct ecc_safetensors_item *items,
                            size_t count, const char *const *metadata, bool summed,
                            struct ecc_error *error)
{
    *content = (struct content){.items = calloc(count + 1, sizeof *items)};
    if (!content->items) return ecc_fail_memory(error, "tensors");
    for (size_t size = 8; size > 0; size /= 2) {
        for (size_t i = 0; i < count; i++) {
            if (ecc_dtype_size(items[i].dtype) == size) content->items[content->count++] = items[i];
        }
    }
    if (summed) {
        content->items[content->count++] = (struct ecc_safetensors_item){
            .name = "crc32", .dtype = ECC_U1, .rank = 1, .shape = {sizeof(uint32_t)}};
    }
    const enum ecc_status status = make_header(content, metadata, error);
    if (status != ECC_OK) release(content);
    return status;
}

/* ---- The bytes ------------------------------------------------------------------------------ */

/* Where bytes go: to a stream, or to memory that has room for them. */
struct sink {
    FILE *stream;
    unsigned char *memory;
    bool summed;
    uLong sum; /* of all bytes so far */
};

static void put(struct sink *sink, const void *bytes, size_t size)
{
    if (sink->summed) sink->sum = crc32_z(sink->sum, bytes, size);
    if (sink->stream) {
        fwrite(bytes, 1, size, sink->stream);
    } else {
        memcpy(sink->memory, bytes, size);
        sink->memory += size;
    }
}

/* A number of `size` bytes, little-endian. */
static void put_number(struct sink *sink, uint64_t value, size_t size)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(value >> 8 * i);
    put(sink, bytes, size);
}

/* In pieces that stay in the cache while they are summed and written. */
static void put_item(struct sink *sink, const struct ecc_safetensors_item *item)
{
    unsigned char piece[1 << 16];
    const size_t item_size = ecc_dtype_size(item->dtype);
    size_t left = item_size;
    for (size_t i = 0; i < item->rank; i++) left *= item->shape[i];
    for (const unsigned char *from = item->data; left > 0;) {
        const size_t size = left < sizeof piece ? left : sizeof piece;
        memcpy(piece, from, size);
        if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) {
            ecc_swap_bytes(piece, item_size, size / item_size);
        }
        put(sink, piece, size);
        from += size;
        left -= size;
    }
}

static void put_content(struct sink *sink, const struct content *content)
{
    const size_t length = strlen(content->header);
    const size_t items = content->count - (sink->summed ? 1 : 0);
    put_number(sink, content->header_size, 8);
    put(sink, content->header, length);
    put(sink, "       ", content->header_size - length);
    for (size_t i = 0; i < items; i++) put_item(sink, &content->items[i]);
    if (sink->summed) put_number(sink, sink->sum, sizeof(uint32_t));
}

enum ecc_status ecc_safetensors_encode(unsigned char **bytes, size_t *size,
                                       const struct ecc_safetensors_item *items, size_t count,
                                       const char *const *metadata, struct ecc_error *error)
{
    struct content content;
    *bytes = NULL;
    ECC_TRY(plan(&content, items, count, metadata, false, error));
    *size = 8 + content.header_size + content.data_size;
    *bytes = malloc(*size);
    if (*bytes) put_content(&(struct sink){.memory = *bytes}, &content);
    release(&content);
    return *bytes ? ECC_OK : ecc_fail_memory(error, "tensors");
}

enum ecc_status ecc_safetensors_write(const char *path, const struct ecc_safetensors_item *items,
                                      size_t count, const char *const *metadata,
                                      struct ecc_error *error)
{
    struct content content;
    struct ecc_output output;
    ECC_TRY(plan(&content, items, count, metadata, false, error));
    enum ecc_status status = ecc_output_open(&output, path, error);
    if (status == ECC_OK) {
        put_content(&(struct sink){.stream = output.stream}, &content);
        status = ecc_output_commit_durably(&output, error);
    }
    release(&content);
    return status;
}

enum ecc_status ecc_safetensors_write_summed(FILE *stream, const struct ecc_safetensors_item *items,
                                             size_t count, const char *const *metadata,
                                             struct ecc_error *error)
{
    struct content content;
    ECC_TRY(plan(&content, items, count, metadata, true, error));
    put_content(&(struct sink){.stream = stream, .summed = true}, &content);
    release(&content);
    return ECC_OK;
}
