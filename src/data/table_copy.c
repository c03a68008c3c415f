/* table_copy.c: a text table written again with some of its cells filled. */
#include "data/table_copy.h"

#include "base/file.h"
#include "base/text.h"
#include "data/csv_values.h"
#include "data/dates.h"
#include "data/encoding.h"
#include "data/inflate.h"

#include <stdlib.h>
#include <string.h>

/* A cell that gets another text. */
struct filling {
    size_t at, length; /* in the file */
    char *text;
};

struct ecc_table_copy {
    char *text; /* as it is in the file, or in UTF-8 */
    size_t size;
    bool converted;     /* to UTF-8 */
    struct ecc_csv csv; /* the same, cut into cells: places are the same */
    const struct ecc_schema *schema;
    struct ecc_dataset data; /* takes remarks, which the caller has seen when it opened the data */
    struct ecc_data_options options;
    struct ecc_data_request request;
    struct ecc_survey survey;
    struct ecc_csv_match match;

    struct filling *fillings;
    size_t count, capacity;
};

/* ---- Opening -------------------------------------------------------------------------------- */

static enum ecc_status read_text(struct ecc_table_copy *c, const char *path,
                                 struct ecc_error *error)
{
    unsigned char *bytes;
    struct ecc_plain_text plain;
    ECC_TRY(ecc_inflate_file(&bytes, &c->size, path, error));
    ECC_TRY(ecc_plain_text_init(&plain, bytes, c->size, error));
    c->size = plain.size;
    c->converted = plain.encoding != NULL;
    c->text = malloc(plain.size + 1);
    if (!c->text) {
        free(plain.text);
        return ecc_fail_memory(error, "a table");
    }
    memcpy(c->text, plain.text, plain.size);
    c->text[plain.size] = '\0';
    return ecc_csv_init(&c->csv, plain.text, plain.size, NULL, path, error);
}

static enum ecc_status open_copy(struct ecc_table_copy *c, const char *path,
                                 struct ecc_error *error)
{
    ECC_TRY(read_text(c, path, error));
    c->request =
        (struct ecc_data_request){.path = path, .split = ECC_SPLIT_ALL, .options = &c->options};
    c->request.test = calloc(c->csv.rows + 1, sizeof *c->request.test);
    if (!c->request.test) return ecc_fail_memory(error, "a table");
    ECC_TRY(ecc_survey_init(&c->survey, &c->data, &c->csv, &c->request, error));
    const struct ecc_table_view view = {&c->csv, &c->survey, &c->request, &c->data};
    return ecc_csv_match_schema(&c->match, c->schema, &view, error);
}

enum ecc_status ecc_table_copy_open(struct ecc_table_copy **copy, const char *path,
                                    const struct ecc_schema *schema, struct ecc_error *error)
{
    struct ecc_table_copy *const c = *copy = calloc(1, sizeof *c);
    if (!c) return ecc_fail_memory(error, "a table");
    c->schema = schema;
    const enum ecc_status status = open_copy(c, path, error);
    if (status == ECC_OK) return ECC_OK;
    ecc_table_copy_close(c);
    *copy = NULL;
    return status;
}

void ecc_table_copy_close(struct ecc_table_copy *c)
{
    if (!c) return;
    for (size_t i = 0; i < c->count; i++) free(c->fillings[i].text);
    free(c->fillings);
    free(c->match.columns);
    ecc_survey_release(&c->survey);
    free(c->request.test);
    free(c->data.remark);
    ecc_csv_release(&c->csv);
    free(c->text);
    free(c);
}

size_t ecc_table_copy_rows(const struct ecc_table_copy *c)
{
    return c->csv.rows;
}

/* ---- Cells ---------------------------------------------------------------------------------- */

/* "31.12.2024 17:30:00" of "2024-12-31 17:30:00": a date as the other cells of its column have it.
 */
static void turn_date(char *text, size_t size, char order, const char *seen)
{
    char year[16], month[4], day[4], rest[64] = "";
    const size_t digits = strspn(seen, "0123456789");
    const char sign = seen[digits];
    if ((order != 'D' && order != 'M') || digits == 0 || sign == '\0') return;
    if (sscanf(text, "%15[0-9]-%3[0-9]-%3[0-9]%63[^\n]", year, month, day, rest) < 3) return;
    snprintf(text, size, "%s%c%s%c%s%s", order == 'D' ? day : month, sign,
             order == 'D' ? month : day, sign, year, rest);
}

/* The text of a cell, as its column in this file writes it. */
static void cell_text(const struct ecc_table_copy *c, char *text, size_t size, size_t column,
                      const float *x)
{
    const struct ecc_column *const of = &c->schema->columns[column];
    const size_t place = c->match.columns[column];
    ecc_schema_cell(text, size, of, x);
    if (of->kind == ECC_COLUMN_DATE && c->survey.columns[place].seen) {
        turn_date(text, size, of->date_order, c->survey.columns[place].seen);
    }
    if (of->kind != ECC_COLUMN_NUMBER) return;
    char *const point = strchr(text, '.');
    if (point) *point = ecc_survey_decimal(&c->survey, place, &c->options);
}

/* The text with quotes, if it needs them and stands in none. */
static char *quote(const struct ecc_table_copy *c, const char *text, size_t at)
{
    const char special[] = {c->csv.delimiter, '"', '\n', '\0'};
    const bool inside = at > 0 && c->text[at - 1] == '"';
    const bool needed = text[strcspn(text, special)] != '\0';
    char *const quoted = malloc(2 * strlen(text) + 3), *to = quoted;
    if (!quoted) return NULL;
    if (needed && !inside) *to++ = '"';
    for (; *text; text++) {
        if (*text == '"') *to++ = '"';
        *to++ = *text;
    }
    if (needed && !inside) *to++ = '"';
    *to = '\0';
    return quoted;
}

/* Where the text of a cell starts, and ends; of blanks, all of them but those of the line's end. */
static size_t find_cell(const struct ecc_table_copy *c, size_t *end, size_t row, size_t place)
{
    const char *const cell = ecc_csv_cell(&c->csv, row, place);
    size_t at = (size_t)(cell - c->csv.text);
    *end = at + strlen(cell);
    if (*cell) return at;
    while (at > 0 && c->text[at - 1] == '\r') *end = --at;
    while (at > 0 && c->text[at - 1] == ' ' && c->csv.delimiter != ' ') at--;
    return at;
}

enum ecc_status ecc_table_copy_fill(struct ecc_table_copy *c, size_t row, size_t column,
                                    const float *x, struct ecc_error *error)
{
    char text[1000];
    const size_t place = c->match.columns[column];
    if (row >= c->csv.rows || place == SIZE_MAX) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the table has no cell for row %zu", row + 1);
    }
    if (c->count == c->capacity) {
        const size_t capacity = c->capacity ? 2 * c->capacity : 64;
        struct filling *const more = realloc(c->fillings, capacity * sizeof *more);
        if (!more) return ecc_fail_memory(error, "the filled cells");
        c->fillings = more;
        c->capacity = capacity;
    }
    size_t end;
    const size_t at = find_cell(c, &end, row, place);
    cell_text(c, text, sizeof text, column, x);
    char *const quoted = quote(c, text, at);
    if (!quoted) return ecc_fail_memory(error, "the filled cells");
    c->fillings[c->count++] = (struct filling){at, end - at, quoted};
    return ECC_OK;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    const struct filling *const s = a, *const t = b;
    return (s->at > t->at) - (s->at < t->at);
}

enum ecc_status ecc_table_copy_write(struct ecc_table_copy *c, const char *path,
                                     struct ecc_error *error)
{
    struct ecc_output output;
    size_t from = 0;
    if (c->count > 0) qsort(c->fillings, c->count, sizeof *c->fillings, compare_places);
    ECC_TRY(ecc_output_open(&output, path, error));
    /* what was not UTF-8 comes from a program that needs to be told that it is now */
    if (c->converted) fputs("\xef\xbb\xbf", output.stream);
    for (size_t i = 0; i < c->count; i++) {
        const struct filling *const f = &c->fillings[i];
        fwrite(c->text + from, 1, f->at - from, output.stream);
        fputs(f->text, output.stream);
        from = f->at + f->length;
    }
    fwrite(c->text + from, 1, c->size - from, output.stream);
    return ecc_output_commit(&output, error);
}
