/* checkpoint_file.c: checkpoints to and from disk, the one before kept in case of damage. */
#include "run/checkpoint_file.h"
#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct ecc_checkpoint_prelude) == 24, "no padding in what is written");
_Static_assert(sizeof(struct ecc_checkpoint_head) == 80, "no padding in what is written");

uint64_t ecc_checkpoint_sum(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *const b = bytes;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word;
        memcpy(&word, b + i, sizeof word);
        sum = (sum ^ word) * UINT64_C(0x100000001b3);
        sum = sum << 29 | sum >> 35;
    }
    return sum;
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* The bytes not yet read. */
struct cursor {
    const unsigned char *bytes;
    size_t size;
    char shown[ECC_PATH_SIZE]; /* the file's name */
};

static bool take(struct cursor *cursor, void *out, size_t size)
{
    if (size > cursor->size) return false;
    memcpy(out, cursor->bytes, size);
    cursor->bytes += size;
    cursor->size -= size;
    return true;
}

static enum ecc_status read_prelude(struct ecc_checkpoint_prelude *prelude, struct cursor *cursor,
                                    struct ecc_error *error)
{
    const unsigned char *const start = cursor->bytes;
    const size_t size = cursor->size;
    const char *const shown = cursor->shown;
    const size_t magic = strlen(ECC_CHECKPOINT_MAGIC);
    if (memcmp(start, ECC_CHECKPOINT_MAGIC, size < magic ? size : magic) != 0) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is not a checkpoint", shown);
    }
    if (!take(cursor, prelude, sizeof *prelude)) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is damaged: it ends after %zu bytes", shown, size);
    }
    if (prelude->version != ECC_CHECKPOINT_VERSION) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s is a checkpoint of version %lu, expected version %d", shown,
                        (unsigned long)prelude->version, ECC_CHECKPOINT_VERSION);
    }
    if (prelude->size != size || size % 8 != 0 || size < sizeof *prelude + 8) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is damaged: it has %zu bytes, expected %llu",
                        shown, size, (unsigned long long)prelude->size);
    }
    uint64_t sum;
    memcpy(&sum, start + size - 8, sizeof sum);
    if (sum != ecc_checkpoint_sum(0, start, size - 8)) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is damaged: its checksum is wrong", shown);
    }
    cursor->size -= 8;
    return ECC_OK;
}

static bool head_is_sane(const struct ecc_checkpoint_head *head, size_t left)
{
    const size_t length = strnlen(head->name, sizeof head->name);
    bool good = length > 0 && length < sizeof head->name;
    for (size_t i = 0; i < sizeof head->name; i++) {
        const char c = head->name[i];
        good = good && (i < length ? c > 0x20 && c < 0x7f : c == 0);
    }
    return good && head->kind <= ECC_CHECKPOINT_U64 && head->unused == 0 &&
           head->count <= left / ecc_checkpoint_item_size(head->kind) &&
           ecc_checkpoint_data_size(head) <= left;
}

static enum ecc_status read_array(struct ecc_checkpoint *checkpoint, struct cursor *cursor,
                                  struct ecc_error *error)
{
    struct ecc_checkpoint_head head;
    if (!take(cursor, &head, sizeof head) || !head_is_sane(&head, cursor->size) ||
        ecc_checkpoint_has(checkpoint, head.name)) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is damaged: array %zu cannot be read",
                        cursor->shown, checkpoint->count);
    }
    void *data;
    ECC_TRY(ecc_checkpoint_area(checkpoint, &data, head.name, (enum ecc_checkpoint_kind)head.kind,
                                (size_t)head.count, error));
    const size_t size = (size_t)head.count * ecc_checkpoint_item_size(head.kind);
    uint64_t padding = 0;
    if (!take(cursor, data, size) ||
        !take(cursor, &padding, ecc_checkpoint_data_size(&head) - size) || padding != 0) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is damaged: '%s' cannot be read", cursor->shown,
                        head.name);
    }
    return ECC_OK;
}

static enum ecc_status read_arrays(struct ecc_checkpoint *checkpoint, struct cursor *cursor,
                                   struct ecc_error *error)
{
    struct ecc_checkpoint_prelude prelude;
    ECC_TRY(read_prelude(&prelude, cursor, error));
    for (uint32_t i = 0; i < prelude.count; i++) ECC_TRY(read_array(checkpoint, cursor, error));
    if (cursor->size == 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%s is damaged: %zu bytes too many", cursor->shown,
                    cursor->size);
}

enum ecc_status ecc_checkpoint_decode(struct ecc_checkpoint **result, const unsigned char *bytes,
                                      size_t size, const char *name, struct ecc_error *error)
{
    *result = NULL;
    struct ecc_checkpoint *checkpoint;
    ECC_TRY(ecc_checkpoint_create(&checkpoint, error));
    struct cursor cursor = {.bytes = bytes, .size = size};
    ecc_quote_path(cursor.shown, name);
    checkpoint->path = strdup(name);
    enum ecc_status status = checkpoint->path ? read_arrays(checkpoint, &cursor, error)
                                              : ecc_fail_memory(error, "a checkpoint");
    if (status != ECC_OK) {
        ecc_checkpoint_free(checkpoint);
        return status;
    }
    *result = checkpoint;
    return ECC_OK;
}

static enum ecc_status read_file(struct ecc_checkpoint **checkpoint, const char *path,
                                 struct ecc_error *error)
{
    *checkpoint = NULL;
    unsigned char *bytes;
    size_t size;
    ECC_TRY(ecc_file_read(&bytes, &size, path, error));
    const enum ecc_status status = ecc_checkpoint_decode(checkpoint, bytes, size, path, error);
    free(bytes);
    return status;
}

static char *previous_path(const char *path)
{
    static const char suffix[] = ".previous";
    char *const previous = malloc(strlen(path) + sizeof suffix);
    if (previous) sprintf(previous, "%s%s", path, suffix);
    return previous;
}

enum ecc_status ecc_checkpoint_load(struct ecc_checkpoint **checkpoint, struct ecc_error *remark,
                                    const char *path, struct ecc_error *error)
{
    struct ecc_error newest = {0};
    if (remark) *remark = (struct ecc_error){0};
    const enum ecc_status status = read_file(checkpoint, path, &newest);
    if (status == ECC_OK) return ECC_OK;
    char *const previous = previous_path(path);
    if (previous && status != ECC_NO_MEMORY && access(previous, F_OK) == 0 &&
        read_file(checkpoint, previous, NULL) == ECC_OK) {
        ecc_set_error(remark, status, "%s; the checkpoint before it is used", newest.text);
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

/* ---- Writing -------------------------------------------------------------------------------- */

static uint64_t write_part(FILE *stream, uint64_t sum, const void *bytes, size_t size)
{
    fwrite(bytes, 1, size, stream);
    return ecc_checkpoint_sum(sum, bytes, size);
}

/* Arrays end in zeros up to a multiple of eight bytes, which `ecc_checkpoint_area` left there. */
static void write_all(const struct ecc_checkpoint *checkpoint, FILE *stream)
{
    struct ecc_checkpoint_prelude prelude = {.version = ECC_CHECKPOINT_VERSION,
                                             .count = (uint32_t)checkpoint->count,
                                             .size = sizeof prelude + 8};
    memcpy(prelude.magic, ECC_CHECKPOINT_MAGIC, sizeof prelude.magic);
    for (size_t i = 0; i < checkpoint->count; i++) {
        const struct ecc_checkpoint_head *const head = &checkpoint->arrays[i].head;
        prelude.size += sizeof *head + ecc_checkpoint_data_size(head);
    }
    uint64_t sum = write_part(stream, 0, &prelude, sizeof prelude);
    for (size_t i = 0; i < checkpoint->count; i++) {
        const struct ecc_checkpoint_array *const array = &checkpoint->arrays[i];
        sum = write_part(stream, sum, &array->head, sizeof array->head);
        sum = write_part(stream, sum, array->data, ecc_checkpoint_data_size(&array->head));
    }
    fwrite(&sum, sizeof sum, 1, stream);
}

/* Makes what is at `path` the previous one, unless it is damaged: then the previous one is the only
 * good one and stays.  Linked, so that there is a checkpoint at `path` at every moment. */
static enum ecc_status keep_previous(const char *path, struct ecc_error *error)
{
    struct ecc_checkpoint *whole;
    if (access(path, F_OK) != 0 || read_file(&whole, path, NULL) != ECC_OK) return ECC_OK;
    ecc_checkpoint_free(whole);
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

enum ecc_status ecc_checkpoint_save(const struct ecc_checkpoint *checkpoint, const char *path,
                                    struct ecc_error *error)
{
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, path, error));
    write_all(checkpoint, output.stream);
    /* the new one is safe before anything happens to the old one */
    enum ecc_status status = ecc_output_sync(&output, error);
    if (status == ECC_OK) status = keep_previous(path, error);
    if (status != ECC_OK) {
        ecc_output_discard(&output);
        return status;
    }
    return ecc_output_commit_durably(&output, error);
}
