/* csv_rows.h: lines of text cut into cells, in place. */
#ifndef ECC_DATA_CSV_ROWS_H
#define ECC_DATA_CSV_ROWS_H

#include "base/status.h"

struct ecc_csv_row {
    char **cells; /* [count], each ending in a 0, blanks around it removed, quotes resolved */
    size_t count, capacity;
    size_t line; /* where it starts, from 1 */
};

struct ecc_csv_reader {
    char *at, *end; /* *end may be written to */
    size_t line;
    char delimiter;
    const char *path;
};

/* Skips a byte order mark and finds the delimiter: of tab, semicolon, bar and comma the first that
 * all of the first lines have equally often, else the most frequent in the first line, else blanks.
 * A first line "sep=;", which Excel knows, decides. */
enum ecc_status ecc_csv_reader_init(struct ecc_csv_reader *reader, char *text, size_t size,
                                    const char *path, struct ecc_error *error);

/* The next row that is not blank; row->count is 0 at the end.  The cells of other rows stay valid.
 */
enum ecc_status ecc_csv_next(struct ecc_csv_reader *reader, struct ecc_csv_row *row,
                             struct ecc_error *error);
void ecc_csv_row_release(struct ecc_csv_row *row);

#endif
