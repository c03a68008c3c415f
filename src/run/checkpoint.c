/* checkpoint.c: named arrays in memory: everything a training run needs to continue. */
#include "run/checkpoint.h"
#include "base/text.h"
#include "run/checkpoint_file.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {"float32", "float64", "uint64"};

size_t ecc_checkpoint_item_size(uint32_t kind)
{
    return kind == ECC_CHECKPOINT_F32 ? 4 : 8;
}

size_t ecc_checkpoint_data_size(const struct ecc_checkpoint_head *head)
{
    return ((size_t)head->count * ecc_checkpoint_item_size(head->kind) + 7) / 8 * 8;
}

enum ecc_status ecc_checkpoint_create(struct ecc_checkpoint **checkpoint, struct ecc_error *error)
{
    *checkpoint = calloc(1, sizeof **checkpoint);
    return *checkpoint ? ECC_OK : ecc_fail_memory(error, "a checkpoint");
}

void ecc_checkpoint_free(struct ecc_checkpoint *checkpoint)
{
    if (!checkpoint) return;
    for (size_t i = 0; i < checkpoint->count; i++) free(checkpoint->arrays[i].data);
    free(checkpoint->arrays);
    free(checkpoint->path);
    free(checkpoint);
}

static struct ecc_checkpoint_array *find(const struct ecc_checkpoint *checkpoint, const char *name)
{
    for (size_t i = 0; i < checkpoint->count; i++) {
        if (strcmp(checkpoint->arrays[i].head.name, name) == 0) return &checkpoint->arrays[i];
    }
    return NULL;
}

bool ecc_checkpoint_has(const struct ecc_checkpoint *checkpoint, const char *name)
{
    return find(checkpoint, name) != NULL;
}

/* ---- Putting in ----------------------------------------------------------------------------- */

static enum ecc_status check_name(const char *name, struct ecc_error *error)
{
    const size_t length = strlen(name);
    bool good = length > 0 && length < ECC_CHECKPOINT_NAME;
    for (size_t i = 0; good && i < length; i++) good = name[i] > 0x20 && name[i] < 0x7f;
    char quoted[ECC_QUOTE_SIZE];
    if (good) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "a checkpoint cannot hold the name %s, expected 1 to %d printable characters",
                    ecc_quote(quoted, name, length), ECC_CHECKPOINT_NAME - 1);
}

static enum ecc_status add(struct ecc_checkpoint *checkpoint, struct ecc_checkpoint_array **array,
                           const char *name, struct ecc_error *error)
{
    ECC_TRY(check_name(name, error));
    if (checkpoint->count == ECC_CHECKPOINT_MAX_ARRAYS) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "a checkpoint holds at most %d arrays",
                        ECC_CHECKPOINT_MAX_ARRAYS);
    }
    if (checkpoint->count == checkpoint->capacity) {
        const size_t capacity = checkpoint->capacity ? 2 * checkpoint->capacity : 16;
        void *const larger = realloc(checkpoint->arrays, capacity * sizeof *checkpoint->arrays);
        if (!larger) return ecc_fail_memory(error, "a checkpoint");
        checkpoint->arrays = larger;
        checkpoint->capacity = capacity;
    }
    *array = &checkpoint->arrays[checkpoint->count++];
    **array = (struct ecc_checkpoint_array){0};
    memcpy((*array)->head.name, name, strlen(name));
    return ECC_OK;
}

enum ecc_status ecc_checkpoint_area(struct ecc_checkpoint *checkpoint, void **data,
                                    const char *name, enum ecc_checkpoint_kind kind, size_t count,
                                    struct ecc_error *error)
{
    struct ecc_checkpoint_array *array = find(checkpoint, name);
    if (count > SIZE_MAX / 16) return ecc_fail_memory(error, "a checkpoint");
    if (!array) ECC_TRY(add(checkpoint, &array, name, error));
    struct ecc_checkpoint_head *const head = &array->head;
    if (!array->data || head->kind != kind || head->count != count) {
        /* whole words, with one more for the padding; calloc checks the product */
        void *const fresh = calloc(count / (8 / ecc_checkpoint_item_size(kind)) + 1, 8);
        if (!fresh) {
            if (!array->data) checkpoint->count--; /* it was added just now */
            return ecc_fail_memory(error, "a checkpoint");
        }
        free(array->data);
        array->data = fresh;
        head->kind = kind;
        head->count = count;
    }
    *data = array->data;
    return ECC_OK;
}

static enum ecc_status put(struct ecc_checkpoint *checkpoint, const char *name,
                           enum ecc_checkpoint_kind kind, const void *data, size_t count,
                           struct ecc_error *error)
{
    void *area;
    ECC_TRY(ecc_checkpoint_area(checkpoint, &area, name, kind, count, error));
    if (count) memcpy(area, data, count * ecc_checkpoint_item_size(kind));
    return ECC_OK;
}

enum ecc_status ecc_checkpoint_put_f32(struct ecc_checkpoint *checkpoint, const char *name,
                                       const float *data, size_t count, struct ecc_error *error)
{
    return put(checkpoint, name, ECC_CHECKPOINT_F32, data, count, error);
}

enum ecc_status ecc_checkpoint_put_f64(struct ecc_checkpoint *checkpoint, const char *name,
                                       const double *data, size_t count, struct ecc_error *error)
{
    return put(checkpoint, name, ECC_CHECKPOINT_F64, data, count, error);
}

enum ecc_status ecc_checkpoint_put_u64(struct ecc_checkpoint *checkpoint, const char *name,
                                       const uint64_t *data, size_t count, struct ecc_error *error)
{
    return put(checkpoint, name, ECC_CHECKPOINT_U64, data, count, error);
}

enum ecc_status ecc_checkpoint_area_f32(struct ecc_checkpoint *checkpoint, float **data,
                                        const char *name, size_t count, struct ecc_error *error)
{
    void *area;
    ECC_TRY(ecc_checkpoint_area(checkpoint, &area, name, ECC_CHECKPOINT_F32, count, error));
    *data = area;
    return ECC_OK;
}

enum ecc_status ecc_checkpoint_area_f64(struct ecc_checkpoint *checkpoint, double **data,
                                        const char *name, size_t count, struct ecc_error *error)
{
    void *area;
    ECC_TRY(ecc_checkpoint_area(checkpoint, &area, name, ECC_CHECKPOINT_F64, count, error));
    *data = area;
    return ECC_OK;
}

/* ---- Getting out ---------------------------------------------------------------------------- */

static enum ecc_status view(const struct ecc_checkpoint *checkpoint, const void **data,
                            const char *name, enum ecc_checkpoint_kind kind, size_t count,
                            struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    ecc_quote_path(shown, checkpoint->path ? checkpoint->path : "checkpoint");
    const struct ecc_checkpoint_array *const array = find(checkpoint, name);
    if (!array) {
        return ecc_fail(error, ECC_BAD_DATA, "%s holds no '%s': it is of another run or version",
                        shown, name);
    }
    if (array->head.kind != kind || array->head.count != count) {
        return ecc_fail(error, ECC_BAD_DATA, "%s: '%s' has %zu %s, expected %zu %s", shown, name,
                        (size_t)array->head.count, kind_names[array->head.kind], count,
                        kind_names[kind]);
    }
    *data = array->data;
    return ECC_OK;
}

static enum ecc_status get(const struct ecc_checkpoint *checkpoint, void *data, const char *name,
                           enum ecc_checkpoint_kind kind, size_t count, struct ecc_error *error)
{
    const void *found;
    ECC_TRY(view(checkpoint, &found, name, kind, count, error));
    if (count) memcpy(data, found, count * ecc_checkpoint_item_size(kind));
    return ECC_OK;
}

enum ecc_status ecc_checkpoint_get_f32(const struct ecc_checkpoint *checkpoint, float *data,
                                       const char *name, size_t count, struct ecc_error *error)
{
    return get(checkpoint, data, name, ECC_CHECKPOINT_F32, count, error);
}

enum ecc_status ecc_checkpoint_get_f64(const struct ecc_checkpoint *checkpoint, double *data,
                                       const char *name, size_t count, struct ecc_error *error)
{
    return get(checkpoint, data, name, ECC_CHECKPOINT_F64, count, error);
}

enum ecc_status ecc_checkpoint_get_u64(const struct ecc_checkpoint *checkpoint, uint64_t *data,
                                       const char *name, size_t count, struct ecc_error *error)
{
    return get(checkpoint, data, name, ECC_CHECKPOINT_U64, count, error);
}

enum ecc_status ecc_checkpoint_view_f32(const struct ecc_checkpoint *checkpoint, const float **data,
                                        const char *name, size_t count, struct ecc_error *error)
{
    const void *found;
    ECC_TRY(view(checkpoint, &found, name, ECC_CHECKPOINT_F32, count, error));
    *data = found;
    return ECC_OK;
}

enum ecc_status ecc_checkpoint_view_f64(const struct ecc_checkpoint *checkpoint,
                                        const double **data, const char *name, size_t count,
                                        struct ecc_error *error)
{
    const void *found;
    ECC_TRY(view(checkpoint, &found, name, ECC_CHECKPOINT_F64, count, error));
    *data = found;
    return ECC_OK;
}
