/* known.c: what is known of items besides what they are: labels and more from files of their own.
 */
#include "data/known.h"

#include "base/file.h"
#include "base/text.h"
#include "data/directory.h"
#include "data/item_labels.h"
#include "data/metadata.h"

#include <stdlib.h>
#include <string.h>

/* ---- From files ----------------------------------------------------------------------------- */

static enum ecc_status read_labels(struct ecc_dataset *data, const char *path,
                                   struct ecc_error *error)
{
    const bool had = data->labels;
    char shown[ECC_PATH_SIZE];
    ECC_TRY(ecc_labels_from_file(data, path, error));
    if (had) {
        ecc_data_remark(data, "the labels of %s take the place of the data's own",
                        ecc_quote_path(shown, path));
    }
    return ECC_OK;
}

static enum ecc_status use_metadata(struct ecc_metadata *metadata, struct ecc_dataset *data,
                                    struct ecc_data_request *request, bool asked_for,
                                    struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    bool found = true;
    if (data->source->paths) {
        ECC_TRY(ecc_metadata_match(metadata, &found, data, data->source->paths(data), request->path,
                                   error));
    } else {
        ECC_TRY(ecc_metadata_order(metadata, data, error));
    }
    if (found) return ecc_metadata_apply(metadata, data, request, error);
    ecc_quote_path(shown, asked_for ? metadata->path : ecc_short_name(metadata->path));
    if (asked_for) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "no column of %s has the names of the images, expected one such as "
                        "file_name",
                        shown);
    }
    ecc_data_remark(data, "%s was not used: no column of it has the names of the images", shown);
    return ECC_OK;
}

static enum ecc_status read_metadata(struct ecc_dataset *data, struct ecc_data_request *request,
                                     const char *path, bool asked_for, struct ecc_error *error)
{
    struct ecc_metadata metadata;
    enum ecc_status status = ecc_metadata_read(&metadata, path, error);
    if (status == ECC_OK) status = use_metadata(&metadata, data, request, asked_for, error);
    ecc_metadata_release(&metadata);
    return status;
}

/* What is in the folder of images itself. */
static enum ecc_status read_found(struct ecc_dataset *data, struct ecc_data_request *request,
                                  struct ecc_error *error)
{
    if (!data->source->paths || !ecc_file_exists(request->path, ECC_METADATA_FILE)) return ECC_OK;
    char *const path = ecc_path_join(request->path, ECC_METADATA_FILE);
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = read_metadata(data, request, path, false, error);
    free(path);
    return status;
}

enum ecc_status ecc_known_read(struct ecc_dataset *data, struct ecc_data_request *request,
                               struct ecc_error *error)
{
    const struct ecc_data_options *const o = request->options;
    const bool ours = !o->beside || ecc_data_is_same(o->beside, data->name);
    if (o->label && strcmp(o->label, "none") == 0) ecc_labels_remove(data);
    if (o->metadata && ours) {
        ECC_TRY(read_metadata(data, request, o->metadata, true, error));
    } else {
        ECC_TRY(read_found(data, request, error));
    }
    return o->labels && ours ? read_labels(data, o->labels, error) : ECC_OK;
}

/* ---- Columns -------------------------------------------------------------------------------- */

/* A table [rows, columns] of items of `size` bytes with a name for each column. */
struct columns {
    void *cells;
    char **names;
    size_t count, size;
};

/* The same with one column more, from values: [rows]; false without memory, and nothing changed. */
static bool add_column(struct columns *columns, const char *name, const void *values, size_t rows)
{
    const size_t old = columns->count * columns->size, new = old + columns->size;
    char **const names = realloc(columns->names, (columns->count + 1) * sizeof *names);
    if (names) columns->names = names;
    char *const copy = strdup(name);
    unsigned char *const cells = rows <= SIZE_MAX / new ? malloc(rows * new + 1) : NULL;
    if (!names || !copy || !cells) {
        free(copy);
        free(cells);
        return false;
    }
    for (size_t i = 0; i < rows; i++) {
        if (old) memcpy(cells + i * new, (const char *)columns->cells + i * old, old);
        memcpy(cells + i * new + old, (const char *)values + i * columns->size, columns->size);
    }
    free(columns->cells);
    columns->cells = cells;
    names[columns->count++] = copy;
    return true;
}

enum ecc_status ecc_known_add_number(struct ecc_dataset *data, const char *name,
                                     const double *values, struct ecc_error *error)
{
    struct columns columns = {data->numbers, data->number_names, data->number_count,
                              sizeof *data->numbers};
    const bool good = add_column(&columns, name, values, data->count);
    data->numbers = columns.cells;
    data->number_names = columns.names;
    data->number_count = columns.count;
    return good ? ECC_OK : ecc_fail_memory(error, "the numbers of items");
}

enum ecc_status ecc_known_add_attribute(struct ecc_dataset *data, const char *name,
                                        const uint8_t *values, struct ecc_error *error)
{
    struct columns columns = {data->attributes, data->attribute_names, data->attribute_count,
                              sizeof *data->attributes};
    const bool good = add_column(&columns, name, values, data->count);
    data->attributes = columns.cells;
    data->attribute_names = columns.names;
    data->attribute_count = columns.count;
    return good ? ECC_OK : ecc_fail_memory(error, "attributes");
}
