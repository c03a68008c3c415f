/* known.c: what is known of items besides what they are: labels and more from files of their own.
 */
#include "data/known.h"

#include "base/text.h"
#include "data/item_labels.h"

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

enum ecc_status ecc_known_read(struct ecc_dataset *data, const struct ecc_data_request *request,
                               struct ecc_error *error)
{
    const struct ecc_data_options *const o = request->options;
    const bool ours = !o->beside || ecc_data_is_same(o->beside, data->name);
    if (o->label && strcmp(o->label, "none") == 0) ecc_labels_remove(data);
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
