/* columns.c: columns of a table by what the user calls them. */
#include "data/columns.h"

#include "base/text.h"
#include "data/csv_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Lists for messages --------------------------------------------------------------------- */

enum { LISTED = 6, NAME_CHARS = 40 };

void ecc_name_list_add(struct ecc_name_list *list, const char *name)
{
    if (list->count++ >= LISTED || list->used >= sizeof list->text - 2 * NAME_CHARS) return;
    char *const start = list->text + list->used;
    list->listed++;
    list->used += (size_t)snprintf(start, sizeof list->text - list->used, "%s%.*s",
                                   list->count > 1 ? ", " : "", NAME_CHARS, name);
    ecc_hide_controls(start);
}

void ecc_name_list_count(struct ecc_name_list *list, const char *name, size_t count)
{
    char entry[NAME_CHARS + 1];
    snprintf(entry, sizeof entry, "%.15s%s (%zu)", name, strlen(name) > 15 ? "..." : "", count);
    ecc_utf8_repair(entry);
    ecc_name_list_add(list, entry);
}

const char *ecc_name_list_text(struct ecc_name_list *list)
{
    if (list->count > list->listed) {
        snprintf(list->text + list->used, sizeof list->text - list->used, " and %zu more",
                 list->count - list->listed);
    }
    ecc_utf8_repair(list->text);
    return list->text;
}

/* ---- Finding -------------------------------------------------------------------------------- */

size_t ecc_columns_find(char *const *names, size_t count, const char *word)
{
    size_t number;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], word) == 0) return i;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(names[i], word) == 0) return i;
    }
    if (ecc_parse_size(word, &number) && number >= 1 && number <= count) return number - 1;
    return SIZE_MAX;
}

/* Changes of single letters that turn one word into the other (Levenshtein), in any case. */
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 60 };
    size_t row[LONGEST + 1];
    const size_t n = strnlen(a, LONGEST), m = strnlen(b, LONGEST);
    for (size_t j = 0; j <= m; j++) row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const char x[] = {a[i - 1], '\0'}, y[] = {b[j - 1], '\0'};
            const size_t change = diagonal + (strcasecmp(x, y) != 0);
            const size_t step = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < step ? change : step;
        }
    }
    return row[m];
}

/* In any case of the letters. */
static bool contains(const char *name, const char *word)
{
    const size_t length = strlen(word);
    for (; *name; name++) {
        if (strncasecmp(name, word, length) == 0) return true;
    }
    return false;
}

/* The three closest names. */
static void closest(struct ecc_name_list *list, const struct ecc_csv *csv, const char *word)
{
    enum { SHOWN = 3 };
    size_t best[SHOWN] = {0}, far[SHOWN] = {0}, count = 0;
    for (size_t i = 0; i < csv->columns; i++) {
        const bool inside = contains(csv->names[i], word);
        const size_t apart = inside ? 0 : distance(csv->names[i], word);
        if (count == SHOWN && apart >= far[SHOWN - 1]) continue;
        size_t at = count < SHOWN ? count++ : SHOWN - 1;
        for (; at > 0 && apart < far[at - 1]; at--) {
            far[at] = far[at - 1];
            best[at] = best[at - 1];
        }
        far[at] = apart;
        best[at] = i;
    }
    for (size_t i = 0; i < count; i++) ecc_name_list_add(list, csv->names[best[i]]);
}

enum ecc_status ecc_columns_unknown(const struct ecc_csv *csv, const char *word, const char *option,
                                    const char *path, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    struct ecc_name_list list = {0};
    ecc_quote_path(shown, path);
    ecc_quote_name(quoted, word);
    if (!csv->has_header) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has no column %s (--%s): the table has no header, so give the column's "
                        "number, from 1 to %zu",
                        shown, quoted, option, csv->columns);
    }
    closest(&list, csv, word);
    return ecc_fail(error, ECC_BAD_DATA, "%s has no column %s (--%s); the closest names are: %s",
                    shown, quoted, option, ecc_name_list_text(&list));
}

static enum ecc_status mark_words(bool *marks, const struct ecc_csv *csv,
                                  const struct ecc_csv_row *row, const char *option,
                                  const char *path, struct ecc_error *error)
{
    for (size_t i = 0; i < row->count; i++) {
        if (!*row->cells[i]) continue;
        const size_t column = ecc_columns_find(csv->names, csv->columns, row->cells[i]);
        if (column == SIZE_MAX) {
            return ecc_columns_unknown(csv, row->cells[i], option, path, error);
        }
        marks[column] = true;
    }
    return ECC_OK;
}

/* The list is a row of its own, with quotes where a name holds a comma; or one whole name. */
enum ecc_status ecc_columns_mark(bool *marks, const struct ecc_csv *csv, const char *list,
                                 const char *option, const char *path, struct ecc_error *error)
{
    for (size_t i = 0; i < csv->columns; i++) {
        if (strcmp(csv->names[i], list) != 0) continue;
        marks[i] = true;
        return ECC_OK;
    }
    const size_t size = strlen(list);
    char *const copy = malloc(size + 1), name[40];
    if (!copy) return ecc_fail_memory(error, "a list of columns");
    memcpy(copy, list, size + 1);
    snprintf(name, sizeof name, "--%s", option);
    struct ecc_csv_reader reader = {
        .at = copy, .end = copy + size, .line = 1, .delimiter = ',', .path = name};
    struct ecc_csv_row row = {0};
    enum ecc_status status = ecc_csv_next(&reader, &row, error);
    if (status == ECC_OK) status = mark_words(marks, csv, &row, option, path, error);
    ecc_csv_row_release(&row);
    free(copy);
    return status;
}
