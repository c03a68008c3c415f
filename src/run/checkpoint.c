/* checkpoint.c: named arrays to and from a safetensors file with a checksum, the one before kept in
 * case of damage. */
#include "run/checkpoint.h"
#include "base/file.h"
#include "base/text.h"
#include "run/safetensors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char version_key[] = "checkpoint_version", version[] = "2";

struct array {
    char *name;
    enum ecc_dtype dtype;
    size_t rank, shape[4];
    void *data;
};

struct ecc_checkpoint {
    struct array *arrays;
    size_t count, capacity;
};

/* ---- The list ------------------------------------------------------------------------------- */

enum ecc_status ecc_checkpoint_create(struct ecc_checkpoint **checkpoint, struct ecc_error *error)
{
    *checkpoint = calloc(1, sizeof **checkpoint);
    return *checkpoint ? ECC_OK : ecc_fail_memory(error, "a checkpoint");
}

void ecc_checkpoint_free(struct ecc_checkpoint *checkpoint)
{
    if (!checkpoint) return;
    for (size_t i = 0; i < checkpoint->count; i++) free(checkpoint->arrays[i].name);
    free(checkpoint->arrays);
    free(checkpoint);
}

/* The name is freed with the list, or here on failure. */
static enum ecc_status add(struct ecc_checkpoint *checkpoint, const struct array *array,
                           struct ecc_error *error)
{
    if (array->name && checkpoint->count == checkpoint->capacity) {
        const size_t capacity = 2 * checkpoint->capacity + 16;
        void *const larger = realloc(checkpoint->arrays, capacity * sizeof *checkpoint->arrays);
        if (larger) {
            checkpoint->arrays = larger;
            checkpoint->capacity = capacity;
        }
    }
    if (!array->name || checkpoint->count == checkpoint->capacity) {
        free(array->name);
        return ecc_fail_memory(error, "a checkpoint");
    }
    checkpoint->arrays[checkpoint->count++] = *array;
    return ECC_OK;
}

enum ecc_status ecc_checkpoint_add(struct ecc_checkpoint *checkpoint, const char *name,
                                   enum ecc_dtype dtype, void *data, size_t count,
                                   struct ecc_error *error)
{
    const struct array array = {strdup(name), dtype, 1, {count}, data};
    return add(checkpoint, &array, error);
}

enum ecc_status ecc_checkpoint_add_tensors(struct ecc_checkpoint *checkpoint, const char *prefix,
                                           const struct ecc_tensor *tensors, size_t count,
                                           float *flat, struct ecc_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const struct ecc_tensor *const tensor = &tensors[i];
        struct array array = {.dtype = ECC_F4, .rank = tensor->rank, .data = flat + tensor->offset};
        memcpy(array.shape, tensor->shape, sizeof tensor->shape);
        array.name = malloc(strlen(prefix) + strlen(tensor->name) + 1);
        if (array.name) sprintf(array.name, "%s%s", prefix, tensor->name);
        ECC_TRY(add(checkpoint, &array, error));
    }
    return ECC_OK;
}

static struct ecc_safetensors_item item_of(const struct array *array)
{
    struct ecc_safetensors_item item = {array->name, array->dtype, array->rank, {0}, array->data};
    memcpy(item.shape, array->shape, sizeof array->shape);
    return item;
}

/* ---- Reading -------------------------------------------------------------------------------- */

enum { SUM = 4 }; /* bytes of the checksum, at the end of the file, little-endian */

static uint32_t stored_sum(const unsigned char bytes[SUM])
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static enum ecc_status check_sum(const unsigned char *bytes, size_t size, const char *name,
                                 struct ecc_error *error)
{
    static const char magic[] = "ecccheck"; /* how files of version 0.1 start */
    char shown[ECC_PATH_SIZE];
    ecc_quote_path(shown, name);
    if (size >= strlen(magic) && memcmp(bytes, magic, strlen(magic)) == 0) {
        return ecc_fail(
            error, ECC_BAD_DATA,
            "%s was written by version 0.1 of eccentric, which used another format: finish "
            "this training with version 0.1, or start it again",
            shown);
    }
    if (size >= SUM && crc32_z(0, bytes, size - SUM) == stored_sum(bytes + size - SUM)) {
        return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s is damaged, or not a checkpoint: its checksum is wrong", shown);
}

/* The checksum is right, so the file is as somebody wrote it. */
#define ANOTHER_VERSION                                                                            \
    "if another version of eccentric wrote it, finish this training with that one, or start it "   \
    "again"

static enum ecc_status fill(const struct ecc_checkpoint *checkpoint,
                            const struct ecc_safetensors *file, struct ecc_error *error)
{
    const char *const found = ecc_safetensors_metadata(file, version_key);
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    if (!found || strcmp(found, version) != 0) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s is a checkpoint of version %s, expected '%s'; " ANOTHER_VERSION,
                        ecc_quote_path(shown, file->name),
                        ecc_quote(quoted, found ? found : "", found ? strlen(found) : 0), version);
    }
    for (size_t i = 0; i < checkpoint->count; i++) {
        const struct array *const array = &checkpoint->arrays[i];
        const struct ecc_safetensors_item like = item_of(array);
        struct ecc_error why = {0};
        const enum ecc_status status = ecc_safetensors_get_exactly(file, array->data, &like, &why);
        if (status != ECC_OK) return ecc_fail(error, status, "%s; " ANOTHER_VERSION, why.text);
    }
    return ECC_OK;
}

enum ecc_status ecc_checkpoint_decode(const struct ecc_checkpoint *checkpoint, unsigned char *bytes,
                                      size_t size, const char *name, struct ecc_error *error)
{
    const enum ecc_status sound = check_sum(bytes, size, name, error);
    if (sound != ECC_OK) {
        free(bytes);
        return sound;
    }
    struct ecc_safetensors *file;
    ECC_TRY(ecc_safetensors_take(&file, bytes, size, name, error));
    const enum ecc_status status = fill(checkpoint, file, error);
    ecc_safetensors_free(file);
    return status;
}

static enum ecc_status load_file(const struct ecc_checkpoint *checkpoint, const char *path,
                                 struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    ECC_TRY(ecc_file_read(&bytes, &size, path, error));
    return ecc_checkpoint_decode(checkpoint, bytes, size, path, error);
}

static char *previous_path(const char *path)
{
    static const char suffix[] = ".previous";
    char *const previous = malloc(strlen(path) + sizeof suffix);
    if (previous) sprintf(previous, "%s%s", path, suffix);
    return previous;
}

enum ecc_status ecc_checkpoint_load(const struct ecc_checkpoint *checkpoint,
                                    struct ecc_error *remark, const char *path,
                                    struct ecc_error *error)
{
    struct ecc_error newest = {0};
    if (remark) *remark = (struct ecc_error){0};
    const enum ecc_status status = load_file(checkpoint, path, &newest);
    if (status == ECC_OK) return ECC_OK;
    char *const previous = previous_path(path);
    if (previous && status != ECC_NO_MEMORY && access(previous, F_OK) == 0 &&
        load_file(checkpoint, previous, NULL) == ECC_OK) {
        ecc_set_error(remark, status, "%s; using the checkpoint before it", newest.text);
        free(previous);
        return ECC_OK;
    }
    free(previous);
    return ecc_fail(error, status, "%s", newest.text);
}

bool ecc_checkpoint_exists(const char *path)
{
    char *const previous = previous_path(path);
    const bool exists = access(path, F_OK) == 0 || (previous && access(previous, F_OK) == 0);
    free(previous);
    return exists;
}

bool ecc_checkpoint_array(const struct ecc_checkpoint *checkpoint, size_t number, void **data,
                          size_t *bytes)
{
    if (number >= checkpoint->count) return false;
    const struct array *const array = &checkpoint->arrays[number];
    *data = array->data;
    *bytes = ecc_dtype_size(array->dtype);
    for (size_t k = 0; k < array->rank; k++) *bytes *= array->shape[k];
    return true;
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* Whether the checksum of a file is right, without holding the file in memory. */
static bool is_whole(const char *path)
{
    FILE *stream;
    struct ecc_error unused;
    if (ecc_input_open(&stream, path, &unused) != ECC_OK) return false;
    unsigned char chunk[1 << 16];
    uLong sum = 0;
    size_t kept = 0; /* bytes at the start of the chunk that may be the checksum */
    for (size_t more; (more = fread(chunk + kept, 1, sizeof chunk - kept, stream)) > 0;) {
        const size_t have = kept + more;
        kept = have < SUM ? have : SUM;
        sum = crc32_z(sum, chunk, have - kept);
        memmove(chunk, chunk + have - kept, kept);
    }
    const bool whole = !ferror(stream) && kept == SUM && sum == stored_sum(chunk);
    fclose(stream);
    return whole;
}

/* Makes what is at `path` the previous one, unless it is damaged: then the previous one is the only
 * good one and stays.  Linked, so that there is a checkpoint at `path` at every moment. */
static enum ecc_status keep_previous(const char *path, struct ecc_error *error)
{
    if (!is_whole(path)) return ECC_OK;
    char *const previous = previous_path(path);
    if (!previous) return ecc_fail_memory(error, "a path");
    enum ecc_status status = ECC_OK;
    if ((unlink(previous) != 0 && errno != ENOENT) ||
        (link(path, previous) != 0 && rename(path, previous) != 0)) {
        status = ecc_fail_errno(error, "write", previous);
    }
    free(previous);
    return status;
}

static enum ecc_status write_arrays(const struct ecc_checkpoint *checkpoint, FILE *stream,
                                    struct ecc_error *error)
{
    const char *const metadata[] = {version_key, version, NULL};
    struct ecc_safetensors_item *const items = calloc(checkpoint->count + 1, sizeof *items);
    if (!items) return ecc_fail_memory(error, "a checkpoint");
    for (size_t i = 0; i < checkpoint->count; i++) items[i] = item_of(&checkpoint->arrays[i]);
    const enum ecc_status status =
        ecc_safetensors_write_summed(stream, items, checkpoint->count, metadata, error);
    free(items);
    return status;
}

enum ecc_status ecc_checkpoint_save(const struct ecc_checkpoint *checkpoint, const char *path,
                                    struct ecc_error *error)
{
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, path, error));
    enum ecc_status status = write_arrays(checkpoint, output.stream, error);
    /* the new one is safe before anything happens to the old one */
    if (status == ECC_OK) status = ecc_output_sync(&output, error);
    if (status == ECC_OK) status = keep_previous(path, error);
    if (status != ECC_OK) {
        ecc_output_discard(&output);
        return status;
    }
    return ecc_output_commit_durably(&output, error);
}
