/*
 * npz.c: arrays in a .npz file as a data set: x, images or data, with y or labels; or, if it has
 * parts, x_train and x_test with y_train and y_test, as in Keras's mnist.npz.
 */
#include "base/file.h"
#include "base/npy.h"
#include "base/text.h"
#include "data/array.h"
#include "data/fingerprint.h"
#include "data/memory.h"
#include "data/zip.h"

#include <stdlib.h>
#include <string.h>

static const char *const item_names[] = {"x", "X", "images", "data", NULL};
static const char *const label_names[] = {"y", "labels", "label", "target", NULL};

static bool npz_accepts(const char *path, bool is_directory)
{
    return !is_directory && ecc_ends_in(path, ".npz");
}

/* "x" and "_train": the member x_train.npy, or NULL. */
static const struct ecc_zip_member *find_array(const struct ecc_zip *zip, const char *const *names,
                                               const char *suffix)
{
    const struct ecc_zip_member *member = NULL;
    for (; *names && !member; names++) {
        char name[40];
        snprintf(name, sizeof name, "%s%s.npy", *names, suffix);
        member = ecc_zip_find(zip, name);
    }
    return member;
}

/* name: "file.npz: x.npy" for messages. */
static enum ecc_status read_array(struct ecc_array *array, char name[ECC_PATH_SIZE],
                                  const struct ecc_zip *zip, const struct ecc_zip_member *member,
                                  struct ecc_error *error)
{
    const size_t length = strlen(zip->path), most = ECC_PATH_SIZE - 60;
    snprintf(name, ECC_PATH_SIZE, "%s: %.*s", zip->path + (length > most ? length - most : 0),
             (int)(member->name_length < 40 ? member->name_length : 40), member->name);
    unsigned char *bytes;
    ECC_TRY(ecc_zip_extract(&bytes, zip, member, error));
    const enum ecc_status status = ecc_npy_decode(array, bytes, member->size, name, error);
    free(bytes);
    return status;
}

/* Appends b to a; they may differ only in the number of items. */
static enum ecc_status append_array(struct ecc_array *a, const struct ecc_array *b,
                                    const char *name, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    if (a->rank != b->rank || a->dtype != b->dtype || a->rank == 0 ||
        memcmp(a->shape + 1, b->shape + 1, (a->rank - 1) * sizeof *a->shape) != 0) {
        return ecc_fail(
            error, ECC_BAD_DATA,
            "the items of %s have another type or shape than those of the training part",
            ecc_quote_path(shown, name));
    }
    const size_t size = ecc_dtype_size(a->dtype), total = (a->count + b->count) * size;
    unsigned char *const joined = realloc(a->data, total ? total : 1);
    if (!joined) return ecc_fail_memory(error, "an array");
    memcpy(joined + a->count * size, b->data, b->count * size);
    a->data = joined;
    a->shape[0] += b->shape[0];
    a->count += b->count;
    return ECC_OK;
}

/* The array of these names, or those of both parts joined.  *train_rows: where the test part
 * begins; SIZE_MAX when the file has no parts.  *found is false if there is neither. */
static enum ecc_status read_parts(struct ecc_array *array, bool *found, size_t *train_rows,
                                  char name[ECC_PATH_SIZE], const struct ecc_zip *zip,
                                  const char *const *names, struct ecc_error *error)
{
    const struct ecc_zip_member *const whole = find_array(zip, names, "");
    const struct ecc_zip_member *const train = find_array(zip, names, "_train");
    const struct ecc_zip_member *const test = find_array(zip, names, "_test");
    *found = whole || train;
    *train_rows = SIZE_MAX;
    if (!*found) return ECC_OK;
    ECC_TRY(read_array(array, name, zip, whole ? whole : train, error));
    if (whole || !test) return ECC_OK;
    *train_rows = array->shape[0];
    struct ecc_array rest;
    enum ecc_status status = read_array(&rest, name, zip, test, error);
    if (status == ECC_OK) {
        status = append_array(array, &rest, name, error);
        ecc_array_release(&rest);
    }
    if (status != ECC_OK) ecc_array_release(array);
    return status;
}

static enum ecc_status find_items(struct ecc_array *array, char name[ECC_PATH_SIZE],
                                  const struct ecc_zip *zip, struct ecc_data_request *request,
                                  struct ecc_error *error)
{
    bool found;
    size_t train_rows;
    ECC_TRY(read_parts(array, &found, &train_rows, name, zip, item_names, error));
    if (!found) {
        char shown[ECC_PATH_SIZE], first[ECC_QUOTE_SIZE] = "none";
        if (zip->count) ecc_quote(first, zip->members[0].name, zip->members[0].name_length);
        return ecc_fail(
            error, ECC_BAD_DATA,
            "%s has no array x, images, data or x_train: it has %zu members, the first is %s",
            ecc_quote_path(shown, zip->path), zip->count, first);
    }
    if (train_rows == SIZE_MAX) return ECC_OK;
    const enum ecc_status status =
        ecc_data_mark_test(request, train_rows, array->rank ? array->shape[0] : 0, error);
    if (status != ECC_OK) ecc_array_release(array);
    return status;
}

static enum ecc_status find_labels(struct ecc_dataset *data, const struct ecc_zip *zip,
                                   struct ecc_error *error)
{
    struct ecc_array labels;
    char name[ECC_PATH_SIZE];
    bool found;
    size_t train_rows;
    ECC_TRY(read_parts(&labels, &found, &train_rows, name, zip, label_names, error));
    if (!found) return ECC_OK;
    const enum ecc_status status = ecc_array_to_labels(data, &labels, name, error);
    ecc_array_release(&labels);
    return status;
}

static enum ecc_status open_zip(struct ecc_dataset *data, const struct ecc_zip *zip,
                                struct ecc_data_request *request, struct ecc_error *error)
{
    struct ecc_array items;
    char name[ECC_PATH_SIZE];
    ECC_TRY(find_items(&items, name, zip, request, error));
    ECC_TRY(ecc_array_to_dataset(data, &items, name, request, error));
    return find_labels(data, zip, error);
}

static enum ecc_status npz_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    struct ecc_zip zip;
    ECC_TRY(ecc_file_read(&bytes, &size, request->path, error));
    enum ecc_status status = ecc_zip_open(&zip, bytes, size, request->path, error);
    if (status == ECC_OK) {
        status = open_zip(data, &zip, request, error);
        ecc_zip_release(&zip);
    }
    free(bytes);
    return status;
}

const struct ecc_data_source ecc_source_npz = {
    .name = "npz",
    .summary = "arrays x and y in a .npz file",
    .accepts = npz_accepts,
    .open = npz_open,
    .read = ecc_memory_read,
    .close = ecc_memory_close,
    .fingerprint = ecc_fingerprint_file,
};
