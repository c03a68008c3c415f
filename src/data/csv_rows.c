/* csv_rows.c: lines of text cut into cells, in place. */
#include "data/csv_rows.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* How often each delimiter is in the line at `at`, outside quotes; returns where the next starts.
 */
static const char candidates[] = "\t;|,";
enum { CANDIDATES = sizeof candidates - 1, SAMPLE_LINES = 50 };

static const char *count_line(size_t counts[CANDIDATES], const char *at, const char *end)
{
    bool quoted = false;
    memset(counts, 0, CANDIDATES * sizeof *counts);
    for (; at < end && (quoted || *at != '\n'); at++) {
        if (*at == '"') quoted = !quoted;
        if (quoted) continue;
        for (size_t i = 0; i < CANDIDATES; i++) counts[i] += *at == candidates[i];
    }
    return at < end ? at + 1 : end;
}

/* In a table with semicolons, commas are decimal commas and may be as regular; so the order of the
 * candidates decides. */
static char find_delimiter(const char *at, const char *end)
{
    size_t first[CANDIDATES], counts[CANDIDATES], best = CANDIDATES - 1;
    bool steady[CANDIDATES];
    at = count_line(first, at, end);
    for (size_t i = 0; i < CANDIDATES; i++) {
        steady[i] = first[i] > 0;
        if (first[i] > first[best]) best = i;
    }
    for (size_t line = 1; line < SAMPLE_LINES && at < end; line++) {
        const char *const start = at;
        at = count_line(counts, at, end);
        const char *seen = start;
        while (seen < at && (is_blank(*seen) || *seen == '\n')) seen++;
        for (size_t i = 0; i < CANDIDATES && seen < at; i++) {
            if (counts[i] != first[i]) steady[i] = false;
        }
    }
    for (size_t i = 0; i < CANDIDATES; i++) {
        if (steady[i]) return candidates[i];
    }
    return first[best] > 0 ? candidates[best] : ' ';
}

/* Excel's own first line "sep=;": returns the delimiter and skips the line, or 0. */
static char given_delimiter(struct ecc_csv_reader *reader)
{
    const char *at = reader->at;
    const bool quoted = *at == '"';
    at += quoted;
    if (reader->end - at < 5 || strncasecmp(at, "sep=", 4) != 0) return '\0';
    const char sign = at[4];
    at += 5 + quoted;
    while (at < reader->end && *at == '\r') at++;
    if (at >= reader->end || *at != '\n' || !strchr(candidates, sign)) return '\0';
    reader->at = (char *)at + 1;
    reader->line++;
    return sign;
}

/* A carriage return alone ends a line, too: old Macs wrote only these, and files that were put
 * together from several sources have all kinds. */
static void mend_line_ends(char *text, size_t size)
{
    const char *const end = text + size;
    const char *seen = text;
    bool quoted = false;
    for (char *at = memchr(text, '\r', size); at; at = memchr(at, '\r', (size_t)(end - at))) {
        for (; seen < at; seen++) quoted ^= *seen == '"';
        char *const first = at;
        while (at < end && *at == '\r') at++;
        if (!quoted && (at == end || *at != '\n')) *first = '\n';
    }
}

enum ecc_status ecc_csv_reader_init(struct ecc_csv_reader *reader, char *text, size_t size,
                                    const char *path, struct ecc_error *error)
{
    const char *const zero = memchr(text, '\0', size);
    if (zero) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s is not text: byte %zu is 0; save it as UTF-8",
                        ecc_quote_path(shown, path), (size_t)(zero - text));
    }
    const size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *reader =
        (struct ecc_csv_reader){.at = text + mark, .end = text + size, .line = 1, .path = path};
    *reader->end = '\0';
    mend_line_ends(text, size);
    const char *first = reader->at;
    while (first < reader->end && (is_blank(*first) || *first == '\n')) {
        first++;
    }
    reader->delimiter = given_delimiter(reader);
    if (!reader->delimiter) reader->delimiter = find_delimiter(first, reader->end);
    return ECC_OK;
}

void ecc_csv_row_release(struct ecc_csv_row *row)
{
    free(row->cells);
    *row = (struct ecc_csv_row){0};
}

enum { MOST_CELLS = 2000000 }; /* in a row; thousands of columns are usual, millions a mistake */

static bool push(struct ecc_csv_row *row, char *cell)
{
    if (row->count == row->capacity) {
        const size_t capacity = row->capacity ? row->capacity * 2 : 32;
        char **const cells = realloc(row->cells, capacity * sizeof *cells);
        if (!cells) return false;
        row->cells = cells;
        row->capacity = capacity;
    }
    row->cells[row->count++] = cell;
    return true;
}

/* Blanks around a cell do not count; a tab that separates cells is not a blank. */
static char *skip_blanks(const struct ecc_csv_reader *reader, char *at)
{
    while (at < reader->end && is_blank(*at) && (*at != reader->delimiter || *at == ' ')) {
        at++;
    }
    return at;
}

/* A quoted cell, which may hold anything; a doubled quote stands for one.  Moves reader->at past
 * the closing quote. */
static enum ecc_status quoted_cell(struct ecc_csv_reader *reader, char **cell,
                                   struct ecc_error *error)
{
    const size_t line = reader->line;
    char *from = reader->at + 1, *to = from;
    *cell = to;
    for (; from < reader->end; from++) {
        if (*from == '"') {
            if (from + 1 >= reader->end || from[1] != '"') break;
            from++;
        }
        reader->line += *from == '\n';
        *to++ = *from;
    }
    if (from >= reader->end) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s, line %zu: a quote is never closed; a quote within quotes is written "
                        "twice, \"\"",
                        ecc_quote_path(shown, reader->path), line);
    }
    *to = '\0';
    reader->at = skip_blanks(reader, from + 1);
    return ECC_OK;
}

/* An unquoted cell, up to the delimiter or the end of the line, where it leaves reader->at. *last
 * receives its end; the caller writes a 0 there after looking at that byte. */
static void plain_cell(struct ecc_csv_reader *reader, char **cell, char **last)
{
    char *end = reader->at;
    *cell = end;
    while (end < reader->end && *end != '\n' && *end != reader->delimiter) {
        end++;
    }
    reader->at = end;
    while (end > *cell && is_blank(end[-1])) {
        end--;
    }
    *last = end;
}

/* One cell; *more tells whether another follows on this line. */
static enum ecc_status next_cell(struct ecc_csv_reader *reader, char **cell, bool *more,
                                 struct ecc_error *error)
{
    char *last = NULL;
    reader->at = skip_blanks(reader, reader->at);
    if (reader->at < reader->end && *reader->at == '"') {
        ECC_TRY(quoted_cell(reader, cell, error));
    } else {
        plain_cell(reader, cell, &last);
    }
    if (reader->delimiter == ' ') reader->at = skip_blanks(reader, reader->at);
    const char ending = reader->at < reader->end ? *reader->at : '\n';
    *more = reader->delimiter == ' ' ? ending != '\n' : ending == reader->delimiter;
    if (!*more && ending != '\n') {
        char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s, line %zu: %s follows a closing quote, expected the delimiter or the "
                        "end of the line; a quote within quotes is written twice, \"\"",
                        ecc_quote_path(shown, reader->path), reader->line,
                        ecc_quote(quoted, &ending, 1));
    }
    if (reader->at < reader->end && (ending == '\n' || reader->delimiter != ' ')) reader->at++;
    if (ending == '\n') reader->line++;
    if (last) *last = '\0';
    return ECC_OK;
}

enum ecc_status ecc_csv_next(struct ecc_csv_reader *reader, struct ecc_csv_row *row,
                             struct ecc_error *error)
{
    row->count = 0;
    /* empty lines; a tab may be an empty cell */
    while (reader->at < reader->end && (*reader->at == '\n' || is_blank(*reader->at)) &&
           (*reader->at != '\t' || reader->delimiter != '\t')) {
        reader->line += *reader->at++ == '\n';
    }
    row->line = reader->line;
    bool more = reader->at < reader->end;
    while (more) {
        char *cell;
        ECC_TRY(next_cell(reader, &cell, &more, error));
        if (row->count == MOST_CELLS) {
            char shown[ECC_PATH_SIZE];
            return ecc_fail(error, ECC_BAD_DATA,
                            "%s, line %zu has more than %d million cells, expected a table",
                            ecc_quote_path(shown, reader->path), row->line, MOST_CELLS / 1000000);
        }
        if (!push(row, cell)) return ecc_fail_memory(error, "a row of a table");
    }
    return ECC_OK;
}
