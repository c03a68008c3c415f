/* csv.c: a text table, plain or gzipped, as a data set. */
#include "data/csv.h"

#include "base/text.h"
#include "data/fingerprint.h"
#include "data/inflate.h"
#include "data/memory.h"
#include "data/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Any file that no other source accepts. */
static bool csv_accepts(const char *path, bool is_directory)
{
    (void)path;
    return !is_directory;
}

static void remark(struct ecc_dataset *data, const struct ecc_csv *csv)
{
    if (csv->odd_header) {
        ecc_data_remark(data,
                        "the first line has %zu entries, unlike all other lines, and was ignored",
                        csv->odd_header);
    }
    if (csv->label_guessed) {
        ecc_data_remark(data, "the last column is used as labels (--label none: as numbers)");
    }
}

/* The columns as a schema: numbers, and the label. */
static enum ecc_status make_schema(struct ecc_dataset *data, const char *label,
                                   struct ecc_error *error)
{
    const struct ecc_scaling *const scaling = &data->scaling;
    const size_t count = scaling->columns + (data->labels != NULL);
    struct ecc_schema *const schema = data->schema = ecc_schema_create(count);
    bool whole = schema != NULL;
    for (size_t i = 0; whole && i < count; i++) {
        struct ecc_column *const column = &schema->columns[i];
        char number[40];
        snprintf(number, sizeof number, "column %zu", i + 1);
        const bool feature = i < scaling->columns;
        const char *const named = feature ? scaling->names ? scaling->names[i] : NULL : label;
        column->name = strdup(named ? named : number);
        column->kind = feature ? ECC_COLUMN_NUMBER : ECC_COLUMN_LABEL;
        column->mean = feature ? scaling->mean[i] : 0;
        column->deviation = feature ? scaling->deviation[i] : 1;
        column->decimals = 3;
        whole = column->name != NULL;
    }
    if (!whole) return ecc_fail_memory(error, "the columns of a table");
    ecc_schema_number(schema);
    return ECC_OK;
}

/* Moves what the parser found into the dataset. */
static enum ecc_status hand_over(struct ecc_dataset *data, struct ecc_csv *csv,
                                 struct ecc_data_request *request, struct ecc_error *error)
{
    data->count = csv->rows;
    data->labels = csv->labels;
    data->class_count = csv->class_count;
    data->class_names = csv->class_names;
    remark(data, csv);
    enum ecc_status status =
        ecc_table_finish(data, csv->values, csv->names, csv->columns, request, error);
    if (status == ECC_OK) status = make_schema(data, csv->label_name, error);
    free(csv->label_name);
    return status;
}

static enum ecc_status csv_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    ECC_TRY(ecc_inflate_file(&bytes, &size, request->path, error));
    char *const text = realloc(bytes, size + 1);
    if (!text) {
        free(bytes);
        return ecc_fail_memory(error, "a table");
    }
    struct ecc_csv csv;
    enum ecc_status status =
        ecc_csv_parse(&csv, text, size, request->options->label, request->path, error);
    free(text);
    if (status == ECC_OK) status = hand_over(data, &csv, request, error);
    return status;
}

const struct ecc_data_source ecc_source_csv = {
    .name = "csv",
    .summary = "a text table: numbers, perhaps a header and labels",
    .accepts = csv_accepts,
    .open = csv_open,
    .read = ecc_memory_read,
    .close = ecc_memory_close,
    .fingerprint = ecc_fingerprint_file,
};
