/*
 * npz.c: arrays in a .npz file as a data set.
 *
 * Items are x, X, images, image, data, features or arr_0; their labels y, Y, labels, label,
 * targets, target or arr_1.  If the file has parts, they are x_train and x_test, or train_x and
 * test_x, with labels likewise, as in Keras's mnist.npz.  Classes may have names (class_names,
 * target_names, label_names), and so may the columns of a table (feature_names, column_names,
 * columns).
 */
#include "data/npz.h"

#include "base/file.h"
#include "base/npy.h"
#include "base/text.h"
#include "data/array.h"
#include "data/few_names.h"
#include "data/fingerprint.h"
#include "data/item_labels.h"
#include "data/memory.h"
#include "data/zip.h"

#include <stdlib.h>
#include <string.h>

static const char *const item_names[] = {"x",    "X",        "images", "image",
                                         "data", "features", "arr_0",  NULL};
static const char *const label_names[] = {"y", "Y", "labels", "label", "targets", "target", NULL};
static const char *const label_beside_arr_0[] = {"arr_1", NULL};
static const char *const class_names[] = {"class_names", "target_names", "label_names", NULL};
static const char *const column_names[] = {"feature_names", "column_names", "columns", NULL};

static bool npz_accepts(const char *path, bool is_directory)
{
    return !is_directory && ecc_ends_in(path, ".npz");
}

/* The file, and which of its members were used. */
struct npz {
    const struct ecc_zip *zip;
    bool *used;               /* [zip->count] */
    const char *key;          /* of the items or labels that were found last ... */
    char name[ECC_PATH_SIZE]; /* ... and where: "file.npz: x_train.npy", for messages */
};

/* ---- Members -------------------------------------------------------------------------------- */

/* Where a part of the data is: x_train, train_x. */
struct part {
    const char *before, *after;
};
static const struct part whole = {"", ""};
static const struct part parts[][2] = {{{"", "_train"}, {"", "_test"}},
                                       {{"train_", ""}, {"test_", ""}}};

/* The member of one of these names in this part, or NULL. */
static const struct ecc_zip_member *find_member(struct npz *npz, const char *const *names,
                                                struct part part)
{
    for (; *names; names++) {
        char name[200];
        snprintf(name, sizeof name, "%s%s%s.npy", part.before, *names, part.after);
        const struct ecc_zip_member *const member = ecc_zip_find(npz->zip, name);
        if (!member) continue;
        npz->key = *names;
        return member;
    }
    return NULL;
}

/* The bytes of a member, which counts as used from here on. */
static enum ecc_status extract(struct npz *npz, unsigned char **bytes,
                               const struct ecc_zip_member *member, struct ecc_error *error)
{
    const struct ecc_zip *const zip = npz->zip;
    const size_t length = strlen(zip->path), most = ECC_PATH_SIZE - 60;
    snprintf(npz->name, sizeof npz->name, "%s: %.*s",
             zip->path + (length > most ? length - most : 0),
             (int)(member->name_length < 40 ? member->name_length : 40), member->name);
    npz->used[member - zip->members] = true;
    return ecc_zip_extract(bytes, zip, member, ecc_npy_announced, error);
}

static enum ecc_status read_any(struct npz *npz, struct ecc_npy_any *any,
                                const struct ecc_zip_member *member, struct ecc_error *error)
{
    unsigned char *bytes;
    *any = (struct ecc_npy_any){0};
    ECC_TRY(extract(npz, &bytes, member, error));
    const enum ecc_status status = ecc_npy_decode_any(any, bytes, member->size, npz->name, error);
    free(bytes);
    return status;
}

/* ---- Two parts as one array ------------------------------------------------------------------ */

static bool same_rows(const struct ecc_npy_any *a, const struct ecc_npy_any *b)
{
    const struct ecc_array *const x = &a->array, *const y = &b->array;
    return x->rank == y->rank && x->rank > 0 && (a->texts != NULL) == (b->texts != NULL) &&
           (a->texts || x->dtype == y->dtype) &&
           memcmp(x->shape + 1, y->shape + 1, (x->rank - 1) * sizeof *x->shape) == 0;
}

/* Appends b's rows to a; b then has none. */
static enum ecc_status append(struct ecc_npy_any *a, struct ecc_npy_any *b, const char *name,
                              struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    if (!same_rows(a, b)) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has another type or shape than the training part; save both with the "
                        "same dtype",
                        ecc_quote_path(shown, name));
    }
    const bool texts = a->texts;
    const size_t size = texts ? sizeof *a->texts : ecc_dtype_size(a->array.dtype);
    const size_t old = a->array.count * size, more = b->array.count * size;
    unsigned char *const joined = realloc(texts ? (void *)a->texts : a->array.data, old + more + 1);
    if (!joined) return ecc_fail_memory(error, "an array");
    memcpy(joined + old, texts ? (void *)b->texts : b->array.data, more);
    if (texts) {
        a->texts = (char **)(void *)joined;
        b->array.count = 0; /* the texts are a's now */
    } else {
        a->array.data = joined;
    }
    a->array.shape[0] += b->array.shape[0];
    a->array.count += more / size;
    return ECC_OK;
}

/* Labels of the parts may differ in type, such as i4 and i8: then both become f8. */
static enum ecc_status widen(struct ecc_npy_any *any, struct ecc_error *error)
{
    struct ecc_array *const a = &any->array;
    if (any->texts || a->dtype == ECC_F8) return ECC_OK;
    double *const values =
        a->count < SIZE_MAX / sizeof *values ? malloc((a->count + 1) * sizeof *values) : NULL;
    if (!values) return ecc_fail_memory(error, "an array");
    ecc_to_f64(values, a->data, a->dtype, a->count);
    free(a->data);
    a->data = values;
    a->dtype = ECC_F8;
    return ECC_OK;
}

struct found {
    struct ecc_npy_any any;
    bool is_there;
    size_t train_rows; /* where the test part begins; SIZE_MAX: the file has no parts */
};

static enum ecc_status read_test_part(struct npz *npz, struct found *found,
                                      const struct ecc_zip_member *member, bool labels,
                                      struct ecc_error *error)
{
    struct ecc_npy_any rest;
    found->train_rows = found->any.array.rank ? found->any.array.shape[0] : 0;
    ECC_TRY(read_any(npz, &rest, member, error));
    enum ecc_status status = labels ? widen(&found->any, error) : ECC_OK;
    if (status == ECC_OK && labels) status = widen(&rest, error);
    if (status == ECC_OK) status = append(&found->any, &rest, npz->name, error);
    ecc_npy_any_release(&rest);
    return status;
}

/* The array of these names, or those of both parts joined. */
static enum ecc_status read_parts(struct npz *npz, struct found *found, const char *const *names,
                                  bool labels, struct ecc_error *error)
{
    const struct ecc_zip_member *train = find_member(npz, names, whole), *test = NULL;
    for (size_t i = 0; i < 2 && !train; i++) {
        test = find_member(npz, names, parts[i][1]);
        train = find_member(npz, names, parts[i][0]);
    }
    *found = (struct found){.is_there = train, .train_rows = SIZE_MAX};
    if (!train) return ECC_OK;
    ECC_TRY(read_any(npz, &found->any, train, error));
    const enum ecc_status status = test ? read_test_part(npz, found, test, labels, error) : ECC_OK;
    if (status != ECC_OK) ecc_npy_any_release(&found->any);
    return status;
}

/* ---- Items ---------------------------------------------------------------------------------- */

/* "'a', 'b' and 3 more" of the members that were not used. */
static const char *list_members(const struct npz *npz, struct ecc_few_names *names)
{
    for (size_t i = 0; i < npz->zip->count; i++) {
        const struct ecc_zip_member *const member = &npz->zip->members[i];
        char key[120];
        if (npz->used[i]) continue;
        snprintf(key, sizeof key, "%.*s",
                 (int)(member->name_length < 119 ? member->name_length : 119), member->name);
        if (ecc_ends_in(key, ".npy")) key[strlen(key) - 4] = '\0';
        ecc_few_names_add(names, key);
    }
    return ecc_few_names_end(names);
}

/* A file with a single array needs no names. */
static enum ecc_status read_only_one(struct npz *npz, struct ecc_dataset *data, struct found *found,
                                     struct ecc_error *error)
{
    struct ecc_few_names names = {0};
    char shown[ECC_PATH_SIZE];
    list_members(npz, &names);
    if (npz->zip->count != 1) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has no array of items: expected x, images, data, features, or x_train "
                        "and x_test, but it has %s",
                        ecc_quote_path(shown, npz->zip->path), names.count ? names.text : "none");
    }
    ecc_data_remark(data, "the items are the only array of the file, %s", names.text);
    found->is_there = true;
    return read_any(npz, &found->any, &npz->zip->members[0], error);
}

static enum ecc_status open_items(struct npz *npz, struct ecc_dataset *data,
                                  struct ecc_data_request *request, struct ecc_error *error)
{
    struct found found;
    char shown[ECC_PATH_SIZE];
    ECC_TRY(read_parts(npz, &found, item_names, false, error));
    if (!found.is_there) ECC_TRY(read_only_one(npz, data, &found, error));
    const size_t rows = found.any.array.rank ? found.any.array.shape[0] : 0;
    enum ecc_status status = ECC_OK;
    if (found.any.texts) {
        status = ecc_fail(error, ECC_BAD_DATA, "%s is text, expected numbers",
                          ecc_quote_path(shown, npz->name));
    } else if (found.train_rows != SIZE_MAX) {
        status = ecc_data_mark_test(request, found.train_rows, rows, error);
    }
    if (status != ECC_OK) {
        ecc_npy_any_release(&found.any);
        return status;
    }
    return ecc_array_to_dataset(data, &found.any.array, npz->name, request, error);
}

/* ---- Labels and names ------------------------------------------------------------------------ */

static enum ecc_status open_labels(struct npz *npz, struct ecc_dataset *data,
                                   struct ecc_data_request *request, struct ecc_error *error)
{
    const struct ecc_data_options *const options = request->options;
    const char *const given[] = {options->label, NULL};
    const bool none = options->label && strcmp(options->label, "none") == 0;
    const bool unnamed = strcmp(npz->key ? npz->key : "", "arr_0") == 0;
    struct found found = {0};
    if (!none && options->label) ECC_TRY(read_parts(npz, &found, given, true, error));
    request->label_used = found.is_there;
    if (!none && !found.is_there) ECC_TRY(read_parts(npz, &found, label_names, true, error));
    if (!none && !found.is_there && unnamed) {
        ECC_TRY(read_parts(npz, &found, label_beside_arr_0, true, error));
    }
    if (!found.is_there) return ECC_OK;
    const enum ecc_status status =
        ecc_labels_from_array(data, &found.any, npz->key, npz->name, error);
    ecc_npy_any_release(&found.any);
    return status;
}

/* A list of texts under one of these names, or nothing. */
static void read_names(struct npz *npz, struct ecc_npy_any *any, struct ecc_dataset *data,
                       const char *const *names)
{
    const struct ecc_zip_member *const member = find_member(npz, names, whole);
    struct ecc_error reason = {0};
    *any = (struct ecc_npy_any){0};
    if (!member) return;
    const enum ecc_status status = read_any(npz, any, member, &reason);
    if (status != ECC_OK) ecc_data_remark(data, "names were not used: %s", reason.text);
}

static void open_names(struct npz *npz, struct ecc_dataset *data)
{
    struct ecc_npy_any names;
    char shown[ECC_PATH_SIZE];
    if (data->labels && !data->class_names) {
        read_names(npz, &names, data, class_names);
        if (names.texts &&
            !ecc_labels_name(data, (const char *const *)names.texts, names.array.count)) {
            ecc_data_remark(data, "%s has %zu names for %zu classes and was not used",
                            ecc_quote_path(shown, npz->name), names.array.count, data->class_count);
        }
        ecc_npy_any_release(&names);
    }
    if (!data->is_table) return;
    read_names(npz, &names, data, column_names);
    if (names.texts && names.array.count == data->scaling.columns && !data->scaling.names) {
        data->scaling.names = names.texts; /* freed with the dataset */
        names.texts = NULL;
    } else if (names.texts) {
        ecc_data_remark(data, "%s has %zu names for %zu columns and was not used",
                        ecc_quote_path(shown, npz->name), names.array.count, data->scaling.columns);
    }
    ecc_npy_any_release(&names);
}

/* ---- The source ------------------------------------------------------------------------------ */

static enum ecc_status open_zip(struct npz *npz, struct ecc_dataset *data,
                                struct ecc_data_request *request, struct ecc_error *error)
{
    ECC_TRY(open_items(npz, data, request, error));
    ECC_TRY(open_labels(npz, data, request, error));
    open_names(npz, data);
    ECC_TRY(ecc_labels_close_gaps(data, error));
    struct ecc_few_names names = {0};
    list_members(npz, &names);
    if (names.count) {
        ecc_data_remark(data, "%zu %s of the file %s not used: %s", names.count,
                        names.count == 1 ? "array" : "arrays", names.count == 1 ? "is" : "are",
                        names.text);
    }
    return ECC_OK;
}

enum ecc_status ecc_npz_open_bytes(struct ecc_dataset *data, const unsigned char *bytes,
                                   size_t size, struct ecc_data_request *request,
                                   struct ecc_error *error)
{
    struct ecc_zip zip;
    ECC_TRY(ecc_zip_open(&zip, bytes, size, request->path, error));
    struct npz npz = {.zip = &zip, .used = calloc(zip.count + 1, sizeof *npz.used)};
    const enum ecc_status status = npz.used ? open_zip(&npz, data, request, error)
                                            : ecc_fail_memory(error, "the list of arrays");
    free(npz.used);
    ecc_zip_release(&zip);
    return status;
}

static enum ecc_status npz_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    ECC_TRY(ecc_file_read(&bytes, &size, request->path, error));
    const enum ecc_status status = ecc_npz_open_bytes(data, bytes, size, request, error);
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
