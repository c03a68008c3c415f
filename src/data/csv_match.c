/* csv_match.c: finds the columns of a run's schema in another table. */
#include "base/text.h"
#include "data/columns.h"
#include "data/csv_values.h"
#include "data/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_needed(const struct ecc_column *column)
{
    return column->kind <= ECC_COLUMN_CATEGORY;
}

/* Whether a schema comes from a table without a header: its columns are "column 1", ... */
static bool nameless(const struct ecc_schema *schema)
{
    for (size_t i = 0; i < schema->count; i++) {
        char number[40];
        snprintf(number, sizeof number, "column %zu", i + 1);
        if (strcmp(schema->columns[i].name, number) != 0) return false;
    }
    return true;
}

/* By place: all columns of the schema, or all but the label. */
static bool match_places(size_t *columns, const struct ecc_schema *schema, size_t there)
{
    size_t labels = 0, at = 0;
    for (size_t i = 0; i < schema->count; i++) {
        labels += schema->columns[i].kind == ECC_COLUMN_LABEL ||
                  schema->columns[i].kind == ECC_COLUMN_TARGET;
    }
    const bool whole = there == schema->count;
    if (!whole && there != schema->count - labels) return false;
    for (size_t i = 0; i < schema->count; i++) {
        const enum ecc_column_kind kind = schema->columns[i].kind;
        const bool label = kind == ECC_COLUMN_LABEL || kind == ECC_COLUMN_TARGET;
        columns[i] = label && !whole ? SIZE_MAX : at++;
    }
    return true;
}

static size_t match_names(size_t *columns, const struct ecc_schema *schema,
                          const struct ecc_csv *csv, struct ecc_name_list *missing,
                          struct ecc_error *error)
{
    struct ecc_tally names = {0};
    size_t found = 0;
    for (size_t i = 0; i < csv->columns; i++) {
        struct ecc_tally_entry *const entry = ecc_tally_add(&names, csv->names[i]);
        if (!entry) {
            ecc_tally_release(&names);
            ecc_set_error(error, ECC_NO_MEMORY, "out of memory for the names of columns");
            return SIZE_MAX;
        }
        entry->number = i;
    }
    for (size_t i = 0; i < schema->count; i++) {
        const struct ecc_tally_entry *const entry = ecc_tally_find(&names, schema->columns[i].name);
        columns[i] = entry ? entry->number : SIZE_MAX;
        if (!is_needed(&schema->columns[i])) continue;
        found += entry != NULL;
        if (!entry) ecc_name_list_add(missing, schema->columns[i].name);
    }
    ecc_tally_release(&names);
    return found;
}

static enum ecc_status remark_on_extra(const size_t *columns, const struct ecc_schema *schema,
                                       const struct ecc_table_view *v, struct ecc_error *error)
{
    bool *const used = calloc(v->csv->columns + 1, sizeof *used);
    struct ecc_name_list extra = {0};
    if (!used) return ecc_fail_memory(error, "the columns of a table");
    for (size_t i = 0; i < schema->count; i++) {
        if (columns[i] != SIZE_MAX) used[columns[i]] = true;
    }
    for (size_t i = 0; i < v->csv->columns; i++) {
        if (!used[i]) ecc_name_list_add(&extra, v->csv->names[i]);
    }
    free(used);
    if (extra.count > 0) {
        ecc_data_remark(v->data, "columns that the run does not know and that are not used: %s",
                        ecc_name_list_text(&extra));
    }
    return ECC_OK;
}

enum ecc_status ecc_csv_match_schema(struct ecc_csv_match *match, const struct ecc_schema *schema,
                                     const struct ecc_table_view *v, struct ecc_error *error)
{
    struct ecc_name_list missing = {0};
    const struct ecc_csv *const csv = v->csv;
    match->columns = malloc((schema->count + 1) * sizeof *match->columns);
    if (!match->columns) return ecc_fail_memory(error, "the columns of a table");
    if (!csv->has_header || nameless(schema)) {
        if (match_places(match->columns, schema, csv->columns)) {
            if (csv->has_header || !nameless(schema)) {
                ecc_data_remark(v->data,
                                "the columns are taken in the order of the run's own, as "
                                "%s have no names",
                                csv->has_header ? "those" : "these");
            }
            return ECC_OK;
        }
    }
    const size_t found = match_names(match->columns, schema, csv, &missing, error);
    if (found == SIZE_MAX) return ECC_NO_MEMORY;
    if (missing.count == 0) return remark_on_extra(match->columns, schema, v, error);
    char shown[ECC_PATH_SIZE];
    struct ecc_name_list there = {0};
    for (size_t i = 0; i < csv->columns; i++) ecc_name_list_add(&there, csv->names[i]);
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s lacks %zu of the %zu columns that the run needs: %s; it has: %s",
                    ecc_quote_path(shown, v->request->path), missing.count, missing.count + found,
                    ecc_name_list_text(&missing), ecc_name_list_text(&there));
}
