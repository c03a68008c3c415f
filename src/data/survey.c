/* survey.c: what the cells of each column of a text table look like. */
#include "data/survey.h"

#include "base/text.h"
#include "data/dates.h"

#include <stdlib.h>
#include <string.h>

static void add_date(struct ecc_column_survey *c, const char *cell)
{
    struct ecc_date date;
    if (!ecc_date_parse(&date, cell)) return;
    c->dates++;
    c->years += date.order == 'Y';
    c->days += date.order == 'D';
    c->months += date.order == 'M';
    c->either += date.order == '?';
    c->times += date.order == 'h';
    if (date.timed) c->timed = true;
}

/* The same value, however it is written: 1 and 1.0, 0.00 and -0.00. */
static bool same_value(const char *a, const char *b)
{
    double x, y;
    if (strcmp(a, b) == 0) return true;
    if (ecc_number_read(a, '.', &x) && ecc_number_read(b, '.', &y)) return x == y;
    return ecc_number_read(a, ',', &x) && ecc_number_read(b, ',', &y) && x == y;
}

static void add_cell(struct ecc_column_survey *c, const char *cell, bool fitted)
{
    int decimals;
    const enum ecc_cell_shape shape = ecc_cell_shape(cell, &decimals);
    c->shapes[shape]++;
    if (shape == ECC_CELL_WORD) add_date(c, cell);
    if (decimals > c->decimals && shape != ECC_CELL_POINT_GROUP) c->decimals = decimals;
    if (!fitted) return;
    if (shape == ECC_CELL_MISSING) {
        c->gaps++;
    } else if (!c->seen) {
        c->seen = cell;
    } else if (!c->varies) {
        c->varies = !same_value(c->seen, cell);
    }
}

/* ---- The decimal sign ----------------------------------------------------------------------- */

/* One number that could be read in two ways, for a remark. */
static const char *find_cell(const struct ecc_csv *csv, enum ecc_cell_shape wanted)
{
    for (size_t i = 0; i < csv->rows * csv->columns; i++) {
        const char *const cell = ecc_csv_cell(csv, i / csv->columns, i % csv->columns);
        int unused;
        if (ecc_cell_shape(cell, &unused) == wanted) return cell;
    }
    return NULL;
}

static void remark_on_decimal(struct ecc_dataset *data, const struct ecc_csv *csv, char decimal,
                              enum ecc_cell_shape doubtful)
{
    const char *const cell = find_cell(csv, doubtful);
    const bool fraction = (doubtful == ECC_CELL_POINT_GROUP) == (decimal == '.');
    if (!cell) return;
    ecc_data_remark(data, "numbers such as %.20s are read as %s (--decimal %s: as %s)", cell,
                    fraction ? "fractions" : "thousands", decimal == '.' ? "comma" : "point",
                    fraction ? "thousands" : "fractions");
}

/* Where all numbers with a sign look like 1.234 or 1,234, the delimiter decides: tables with
 * semicolons come from where people write decimal commas. */
static char find_decimal(const struct ecc_survey *s, struct ecc_dataset *data,
                         const struct ecc_csv *csv, const struct ecc_data_options *options)
{
    size_t sum[ECC_CELL_SHAPES] = {0};
    if (options->decimal) return options->decimal == ECC_DECIMAL_COMMA ? ',' : '.';
    for (size_t i = 0; i < csv->columns; i++) {
        for (size_t k = 0; k < ECC_CELL_SHAPES; k++) sum[k] += s->columns[i].shapes[k];
    }
    if (sum[ECC_CELL_COMMA] > sum[ECC_CELL_POINT]) return ',';
    if (sum[ECC_CELL_POINT] > 0) return '.';
    const bool commas = sum[ECC_CELL_COMMA_GROUP] > 0;
    const char decimal = commas && csv->delimiter != ',' ? ',' : '.';
    if (commas) {
        remark_on_decimal(data, csv, decimal, ECC_CELL_COMMA_GROUP);
    } else if (sum[ECC_CELL_POINT_GROUP] > 0 && csv->delimiter != ',') {
        remark_on_decimal(data, csv, decimal, ECC_CELL_POINT_GROUP);
    }
    return decimal;
}

char ecc_survey_decimal(const struct ecc_survey *s, size_t column,
                        const struct ecc_data_options *options)
{
    const size_t *const shapes = s->columns[column].shapes;
    if (options->decimal) return s->decimal;
    if (shapes[ECC_CELL_COMMA] > 0 && shapes[ECC_CELL_POINT] == 0) return ',';
    if (shapes[ECC_CELL_POINT] > 0 && shapes[ECC_CELL_COMMA] == 0) return '.';
    return s->decimal;
}

size_t ecc_survey_numbers(const struct ecc_column_survey *c, char decimal)
{
    return c->shapes[ECC_CELL_WHOLE] + c->shapes[decimal == '.' ? ECC_CELL_POINT : ECC_CELL_COMMA] +
           c->shapes[ECC_CELL_POINT_GROUP] + c->shapes[ECC_CELL_COMMA_GROUP];
}

/* ---- All ------------------------------------------------------------------------------------ */

enum ecc_status ecc_survey_init(struct ecc_survey *s, struct ecc_dataset *data,
                                const struct ecc_csv *csv, const struct ecc_data_request *request,
                                struct ecc_error *error)
{
    *s = (struct ecc_survey){.columns = calloc(csv->columns + 1, sizeof *s->columns)};
    if (!s->columns) return ecc_fail_memory(error, "the columns of a table");
    for (size_t row = 0; row < csv->rows; row++) {
        const bool fitted = ecc_row_is_fitted(request, row);
        const char *const start = csv->text + csv->places[row].start;
        const uint32_t *const at = csv->at + row * csv->columns;
        for (size_t i = 0; i < csv->columns; i++) add_cell(&s->columns[i], start + at[i], fitted);
    }
    s->decimal = find_decimal(s, data, csv, request->options);
    return ECC_OK;
}

void ecc_survey_release(struct ecc_survey *s)
{
    free(s->columns);
    *s = (struct ecc_survey){0};
}
