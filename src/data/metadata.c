/* metadata.c: reads a table of metadata and gives its rows to items by their order. */
#include "data/metadata.h"

#include "base/text.h"
#include "data/encoding.h"
#include "data/formats.h"
#include "data/inflate.h"
#include "data/numbers.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Cells ---------------------------------------------------------------------------------- */

const char *ecc_metadata_column(const struct ecc_metadata *m, size_t column)
{
    return m->own_header ? ecc_csv_cell(&m->csv, 0, column) : m->csv.names[column];
}

size_t ecc_metadata_rows(const struct ecc_metadata *m)
{
    return m->csv.rows - m->own_header;
}

const char *ecc_metadata_cell(const struct ecc_metadata *m, size_t row, size_t column)
{
    return ecc_csv_cell(&m->csv, row + m->own_header, column);
}

const char *ecc_metadata_of(const struct ecc_metadata *m, size_t item, size_t column)
{
    return m->rows[item] == SIZE_MAX ? "" : ecc_metadata_cell(m, m->rows[item], column);
}

/* ---- Reading -------------------------------------------------------------------------------- */

void ecc_metadata_release(struct ecc_metadata *m)
{
    ecc_csv_release(&m->csv);
    free(m->rows);
    *m = (struct ecc_metadata){0};
}

enum ecc_status ecc_metadata_parse(struct ecc_metadata *m, char *text, size_t size,
                                   const char *path, struct ecc_error *error)
{
    *m = (struct ecc_metadata){.path = path, .key = SIZE_MAX};
    ECC_TRY(ecc_csv_init(&m->csv, text, size, NULL, path, error));
    m->own_header = !m->csv.has_header && m->csv.rows > 0;
    return ecc_problems_report(&m->csv.ragged, path,
                               "quote cells that hold the delimiter, or remove these lines", error);
}

enum ecc_status ecc_metadata_read(struct ecc_metadata *m, const char *path, struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    struct ecc_plain_text plain;
    *m = (struct ecc_metadata){.path = path, .key = SIZE_MAX};
    ECC_TRY(ecc_inflate_file(&bytes, &size, path, error));
    const enum ecc_status status = ecc_formats_refuse(bytes, size, path, error);
    if (status != ECC_OK) {
        free(bytes);
        return status;
    }
    ECC_TRY(ecc_plain_text_init(&plain, bytes, size, error));
    return ecc_metadata_parse(m, plain.text, plain.size, path, error);
}

/* ---- By order ------------------------------------------------------------------------------- */

static bool names_index(const char *name)
{
    static const char *const usual[] = {"index", "idx",    "item",     "row",       "id",
                                        "i",     "number", "column 1", "unnamed: 0"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (strcasecmp(name, usual[i]) == 0) return true;
    }
    return *name == '\0';
}

/* The place that a cell gives, from `first`; SIZE_MAX if it is none of `count`. */
static size_t place_in(const char *cell, size_t first, size_t count)
{
    size_t place;
    if (!ecc_parse_size(cell, &place) || place < first || place - first >= count) return SIZE_MAX;
    return place - first;
}

/* Whether a column counts items from `first`, each at most once; then fills m->rows. */
static bool counts_from(struct ecc_metadata *m, size_t column, size_t first)
{
    for (size_t i = 0; i < m->count; i++) m->rows[i] = SIZE_MAX;
    for (size_t row = 0; row < ecc_metadata_rows(m); row++) {
        const size_t place = place_in(ecc_metadata_cell(m, row, column), first, m->count);
        if (place == SIZE_MAX || m->rows[place] != SIZE_MAX) return false;
        m->rows[place] = row;
    }
    return true;
}

enum ecc_status ecc_metadata_order(struct ecc_metadata *m, struct ecc_dataset *data,
                                   struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    const size_t rows = ecc_metadata_rows(m);
    m->count = data->count;
    m->rows = malloc((m->count + 1) * sizeof *m->rows);
    if (!m->rows) return ecc_fail_memory(error, "metadata");
    for (size_t column = 0; column < m->csv.columns; column++) {
        if (!names_index(ecc_metadata_column(m, column))) continue;
        if (!counts_from(m, column, 0) && !counts_from(m, column, 1)) continue;
        m->key = column;
        if (rows < m->count) {
            ecc_data_remark(data, "%zu of %zu item%s %s no row in %s", m->count - rows, m->count,
                            ecc_s(m->count), ecc_has_have(m->count - rows),
                            ecc_quote_path(shown, m->path));
        }
        return ECC_OK;
    }
    for (size_t i = 0; i < m->count; i++) m->rows[i] = i;
    if (rows == m->count) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s has %zu row%s, but there are %zu items; a column 'index' that counts them "
                    "from 0 would tell which is which",
                    ecc_quote_path(shown, m->path), rows, ecc_s(rows), m->count);
}
