/*
 * safetensors.c: reading named tensors.
 *
 * Files are not trusted: the header has a maximum size, and the ranges of the tensors must fit
 * their shapes and cover the data without gap or overlap.
 */
#include "run/safetensors.h"
#include "base/file.h"
#include "base/npy.h"
#include "base/text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct dtype {
    const char *name;
    size_t size;
};

/* Every type that may be in a file: ours, in the order of their enum, and others'. */
static const struct dtype dtypes[] = {
    [ECC_F2] = {"F16", 2}, [ECC_F4] = {"F32", 4}, [ECC_F8] = {"F64", 8}, [ECC_I1] = {"I8", 1},
    [ECC_I2] = {"I16", 2}, [ECC_I4] = {"I32", 4}, [ECC_I8] = {"I64", 8}, [ECC_U1] = {"U8", 1},
    [ECC_U2] = {"U16", 2}, [ECC_U4] = {"U32", 4}, [ECC_U8] = {"U64", 8}, [ECC_B1] = {"BOOL", 1},
    {"BF16", 2},           {"F8_E4M3", 1},        {"F8_E5M2", 1},
};

const char *ecc_safetensors_type(enum ecc_dtype dtype)
{
    return dtypes[dtype].name;
}

/* ---- The header ----------------------------------------------------------------------------- */

/* What a message is about: "'model.safetensors': tensor 'encoder.1.weight': ..." */
struct place {
    const char *file, *tensor; /* tensor NULL: about the whole file */
};

static void say(const struct place *place, struct ecc_error *error, const char *why)
{
    char file[ECC_PATH_SIZE], tensor[ECC_QUOTE_SIZE];
    ecc_quote_path(file, place->file);
    if (!place->tensor) {
        ecc_set_error(error, ECC_BAD_DATA, "%s: %s", file, why);
    } else {
        ecc_set_error(error, ECC_BAD_DATA, "%s: tensor %s: %s", file,
                      ecc_quote(tensor, place->tensor, strlen(place->tensor)), why);
    }
}

/* An expression, so that compilers see that it is never ECC_OK. */
#define refuse(place, error, why) (say((place), (error), (why)), ECC_BAD_DATA)

static bool read_size(size_t *value, const json_t *json)
{
    if (!json_is_integer(json) || json_integer_value(json) < 0) return false;
    *value = (size_t)json_integer_value(json);
    return true;
}

static enum ecc_status read_dtype(struct ecc_safetensors_entry *entry, size_t *size,
                                  const json_t *json, const struct place *place,
                                  struct ecc_error *error)
{
    const char *const name = json_string_value(json);
    for (size_t i = 0; name && i < sizeof dtypes / sizeof dtypes[0]; i++) {
        if (strcmp(dtypes[i].name, name) != 0) continue;
        entry->dtype = dtypes[i].name;
        *size = dtypes[i].size;
        return ECC_OK;
    }
    if (!name) return refuse(place, error, "no \"dtype\", expected a type such as \"F32\"");
    char why[120], quoted[ECC_QUOTE_SIZE];
    snprintf(why, sizeof why, "dtype is %s, expected a type such as \"F32\"",
             ecc_quote(quoted, name, strlen(name)));
    return refuse(place, error, why);
}

static enum ecc_status read_shape(struct ecc_safetensors_entry *entry, const json_t *json,
                                  const struct place *place, struct ecc_error *error)
{
    if (!json_is_array(json)) return refuse(place, error, "no \"shape\", expected a list of sizes");
    entry->rank = json_array_size(json);
    if (entry->rank > ECC_SAFETENSORS_MAX_RANK) {
        return refuse(place, error, "more than 8 dimensions");
    }
    entry->count = 1;
    for (size_t i = 0; i < entry->rank; i++) {
        size_t *const extent = &entry->shape[i];
        if (!read_size(extent, json_array_get(json, i))) {
            return refuse(place, error, "\"shape\" has an item that is not a size");
        }
        if (*extent && entry->count > SIZE_MAX / 16 / *extent) {
            return refuse(place, error, "its shape is too large for any file");
        }
        entry->count *= *extent;
    }
    return ECC_OK;
}

static enum ecc_status read_offsets(struct ecc_safetensors_entry *entry, const json_t *json,
                                    size_t item_size, size_t data_size, const struct place *place,
                                    struct ecc_error *error)
{
    char why[200];
    if (!json_is_array(json) || json_array_size(json) != 2 ||
        !read_size(&entry->begin, json_array_get(json, 0)) ||
        !read_size(&entry->end, json_array_get(json, 1))) {
        return refuse(place, error, "no \"data_offsets\", expected [begin, end]");
    }
    if (entry->begin > entry->end || entry->end > data_size) {
        snprintf(why, sizeof why, "bytes %zu to %zu, but the file has %zu after its header",
                 entry->begin, entry->end, data_size);
        return refuse(place, error, why);
    }
    if (entry->end - entry->begin != entry->count * item_size) {
        snprintf(why, sizeof why, "%zu bytes for %zu numbers of type %s", entry->end - entry->begin,
                 entry->count, entry->dtype);
        return refuse(place, error, why);
    }
    return ECC_OK;
}

static enum ecc_status read_entry(struct ecc_safetensors *file, const char *name,
                                  const json_t *json, struct ecc_error *error)
{
    const struct place place = {file->name, name};
    struct ecc_safetensors_entry *const entry = &file->entries[file->count];
    size_t item_size;
    if (!json_is_object(json) || json_object_size(json) != 3) {
        return refuse(&place, error, "expected \"dtype\", \"shape\" and \"data_offsets\"");
    }
    ECC_TRY(read_dtype(entry, &item_size, json_object_get(json, "dtype"), &place, error));
    ECC_TRY(read_shape(entry, json_object_get(json, "shape"), &place, error));
    ECC_TRY(read_offsets(entry, json_object_get(json, "data_offsets"), item_size, file->data_size,
                         &place, error));
    entry->name = strdup(name);
    if (!entry->name) return ecc_fail_memory(error, "the names of tensors");
    file->count++;
    return ECC_OK;
}

static enum ecc_status read_metadata(struct ecc_safetensors *file, json_t *json,
                                     struct ecc_error *error)
{
    const struct place place = {file->name, NULL};
    if (!json_is_object(json)) return refuse(&place, error, "__metadata__ is not an object");
    file->metadata = calloc(2 * json_object_size(json) + 1, sizeof *file->metadata);
    if (!file->metadata) return ecc_fail_memory(error, "metadata");
    const char *key;
    json_t *value;
    size_t at = 0;
    json_object_foreach(json, key, value)
    {
        if (!json_is_string(value))
            return refuse(&place, error, "__metadata__ has a value that is not a text");
        file->metadata[at++] = strdup(key);
        if (!file->metadata[at - 1]) return ecc_fail_memory(error, "metadata");
        file->metadata[at++] = strdup(json_string_value(value));
        if (!file->metadata[at - 1]) return ecc_fail_memory(error, "metadata");
    }
    return ECC_OK;
}

static int compare_entries(const void *a, const void *b)
{
    const struct ecc_safetensors_entry *const x = a, *const y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

/* In the order of their bytes, each tensor starts where the one before ends. */
static enum ecc_status check_cover(struct ecc_safetensors *file, struct ecc_error *error)
{
    qsort(file->entries, file->count, sizeof *file->entries, compare_entries);
    size_t end = 0;
    char why[120];
    for (size_t i = 0; i < file->count; i++) {
        const struct place place = {file->name, file->entries[i].name};
        if (file->entries[i].begin != end) {
            snprintf(why, sizeof why, "starts at byte %zu, %s at %zu", file->entries[i].begin,
                     file->entries[i].begin < end ? "inside a tensor that ends"
                                                  : "but the tensor before ends",
                     end);
            return refuse(&place, error, why);
        }
        end = file->entries[i].end;
    }
    if (end == file->data_size) return ECC_OK;
    snprintf(why, sizeof why, "%zu bytes after its header, but its tensors have %zu",
             file->data_size, end);
    const struct place whole = {file->name, NULL};
    return refuse(&whole, error, why);
}

static enum ecc_status read_header(struct ecc_safetensors *file, json_t *root,
                                   struct ecc_error *error)
{
    const size_t count = json_object_size(root);
    if (count > ECC_SAFETENSORS_MAX_COUNT) {
        const struct place place = {file->name, NULL};
        return refuse(&place, error, "more than 65536 tensors");
    }
    file->entries = calloc(count + 1, sizeof *file->entries);
    if (!file->entries) return ecc_fail_memory(error, "the names of tensors");
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value)
    {
        ECC_TRY(strcmp(key, "__metadata__") == 0 ? read_metadata(file, value, error)
                                                 : read_entry(file, key, value, error));
    }
    return check_cover(file, error);
}

/* ---- The file ------------------------------------------------------------------------------- */

static enum ecc_status header_length(size_t *length, const unsigned char *bytes, size_t size,
                                     const char *name, struct ecc_error *error)
{
    const struct place place = {name, NULL};
    char why[160];
    if (size < 8) {
        snprintf(why, sizeof why, "%zu bytes, expected a safetensors file", size);
        return refuse(&place, error, why);
    }
    uint64_t value = 0;
    for (size_t i = 0; i < 8; i++) value |= (uint64_t)bytes[i] << 8 * i;
    if (value > ECC_SAFETENSORS_MAX_HEADER || (size > 8 && bytes[8] != '{')) {
        return refuse(&place, error,
                      "not a safetensors file: expected the length of a header and '{'");
    }
    if (value > size - 8 || value < 2) {
        snprintf(why, sizeof why, "a header of %zu bytes, but only %zu follow", (size_t)value,
                 size - 8);
        return refuse(&place, error, why);
    }
    *length = (size_t)value;
    return ECC_OK;
}

static enum ecc_status decode(struct ecc_safetensors *file, size_t size, struct ecc_error *error)
{
    size_t length;
    ECC_TRY(header_length(&length, file->bytes, size, file->name, error));
    json_error_t problem;
    json_t *const root =
        json_loadb((const char *)file->bytes + 8, length, JSON_REJECT_DUPLICATES, &problem);
    if (!json_is_object(root)) {
        char file_name[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
        json_decref(root);
        return ecc_fail(error, ECC_BAD_DATA, "%s, byte %d: its header is not JSON: %s",
                        ecc_quote_path(file_name, file->name), 8 + problem.position,
                        ecc_quote(quoted, problem.text, strlen(problem.text)));
    }
    file->data = file->bytes + 8 + length;
    file->data_size = size - 8 - length;
    const enum ecc_status status = read_header(file, root, error);
    json_decref(root);
    return status;
}

enum ecc_status ecc_safetensors_take(struct ecc_safetensors **result, unsigned char *bytes,
                                     size_t size, const char *name, struct ecc_error *error)
{
    *result = NULL;
    struct ecc_safetensors *const file = calloc(1, sizeof *file);
    if (!file) {
        free(bytes);
        return ecc_fail_memory(error, "tensors");
    }
    file->bytes = bytes;
    file->name = strdup(name);
    const enum ecc_status status =
        file->name ? decode(file, size, error) : ecc_fail_memory(error, "tensors");
    if (status != ECC_OK) {
        ecc_safetensors_free(file);
        return status;
    }
    *result = file;
    return ECC_OK;
}

enum ecc_status ecc_safetensors_decode(struct ecc_safetensors **file, const unsigned char *bytes,
                                       size_t size, const char *name, struct ecc_error *error)
{
    *file = NULL;
    unsigned char *const copy = malloc(size + 1);
    if (!copy) return ecc_fail_memory(error, "tensors");
    if (size > 0) memcpy(copy, bytes, size);
    return ecc_safetensors_take(file, copy, size, name, error);
}

enum ecc_status ecc_safetensors_read(struct ecc_safetensors **file, const char *path,
                                     struct ecc_error *error)
{
    *file = NULL;
    unsigned char *bytes;
    size_t size;
    ECC_TRY(ecc_file_read(&bytes, &size, path, error));
    return ecc_safetensors_take(file, bytes, size, path, error);
}

void ecc_safetensors_free(struct ecc_safetensors *file)
{
    if (!file) return;
    for (size_t i = 0; i < file->count; i++) free(file->entries[i].name);
    for (size_t i = 0; file->metadata && file->metadata[i]; i++) free(file->metadata[i]);
    free(file->metadata);
    free(file->entries);
    free(file->bytes);
    free(file->name);
    free(file);
}

/* ---- Tensors -------------------------------------------------------------------------------- */

const struct ecc_safetensors_entry *ecc_safetensors_find(const struct ecc_safetensors *file,
                                                         const char *tensor)
{
    for (size_t i = 0; i < file->count; i++) {
        if (strcmp(file->entries[i].name, tensor) == 0) return &file->entries[i];
    }
    return NULL;
}

const char *ecc_safetensors_metadata(const struct ecc_safetensors *file, const char *key)
{
    for (size_t i = 0; file->metadata && file->metadata[i]; i += 2) {
        if (strcmp(file->metadata[i], key) == 0) return file->metadata[i + 1];
    }
    return NULL;
}

/* Numbers in files are little-endian. */
static void swap_if_foreign(void *data, enum ecc_dtype dtype, size_t count)
{
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) {
        ecc_swap_bytes(data, ecc_dtype_size(dtype), count);
    }
}

/* data: little-endian.  Returns false for a type that is not read as float. */
static bool convert(float *out, unsigned char *data, size_t count, const char *type)
{
    static const enum ecc_dtype known[] = {ECC_F4, ECC_F8, ECC_F2};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(ecc_safetensors_type(known[i]), type) != 0) continue;
        swap_if_foreign(data, known[i], count);
        ecc_to_f32(out, data, known[i], count);
        swap_if_foreign(data, known[i], count); /* back, for the next reader */
        return true;
    }
    if (strcmp(type, "BF16") != 0) return false;
    for (size_t i = 0; i < count; i++) { /* the upper half of a float */
        const uint32_t bits = (uint32_t)data[2 * i] << 16 | (uint32_t)data[2 * i + 1] << 24;
        memcpy(&out[i], &bits, sizeof bits);
    }
    return true;
}

/* The tensor of that name, which must have this shape. */
static enum ecc_status find_shaped(const struct ecc_safetensors *file,
                                   const struct ecc_safetensors_entry **result, const char *tensor,
                                   size_t rank, const size_t *shape, struct ecc_error *error)
{
    const struct place place = {file->name, tensor};
    const struct ecc_safetensors_entry *const entry = ecc_safetensors_find(file, tensor);
    if (!entry) return refuse(&place, error, "is missing");
    char why[2 * ECC_SHAPE_TEXT + 40], found[ECC_SHAPE_TEXT], expected[ECC_SHAPE_TEXT];
    if (entry->rank != rank ||
        (rank > 0 && memcmp(entry->shape, shape, rank * sizeof *shape) != 0)) {
        snprintf(why, sizeof why, "has shape %s, expected %s",
                 ecc_shape_text(found, entry->shape, entry->rank),
                 ecc_shape_text(expected, shape, rank));
        return refuse(&place, error, why);
    }
    *result = entry;
    return ECC_OK;
}

static enum ecc_status refuse_type(const struct ecc_safetensors *file,
                                   const struct ecc_safetensors_entry *entry, const char *expected,
                                   struct ecc_error *error)
{
    const struct place place = {file->name, entry->name};
    char why[80];
    snprintf(why, sizeof why, "has type %s, expected %s", entry->dtype, expected);
    return refuse(&place, error, why);
}

enum ecc_status ecc_safetensors_get(const struct ecc_safetensors *file, float *out,
                                    const char *tensor, size_t rank, const size_t *shape,
                                    struct ecc_error *error)
{
    const struct ecc_safetensors_entry *entry;
    ECC_TRY(find_shaped(file, &entry, tensor, rank, shape, error));
    if (convert(out, file->data + entry->begin, entry->count, entry->dtype)) return ECC_OK;
    return refuse_type(file, entry, "F32, F64, F16 or BF16", error);
}

enum ecc_status ecc_safetensors_get_exactly(const struct ecc_safetensors *file, void *out,
                                            const struct ecc_safetensors_item *like,
                                            struct ecc_error *error)
{
    const struct ecc_safetensors_entry *entry;
    const char *const type = ecc_safetensors_type(like->dtype);
    ECC_TRY(find_shaped(file, &entry, like->name, like->rank, like->shape, error));
    if (strcmp(entry->dtype, type) != 0) return refuse_type(file, entry, type, error);
    if (entry->count == 0) return ECC_OK;
    memcpy(out, file->data + entry->begin, entry->end - entry->begin);
    swap_if_foreign(out, like->dtype, entry->count);
    return ECC_OK;
}
