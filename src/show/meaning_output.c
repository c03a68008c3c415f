/* meaning_output.c: what components do to the columns of a table, as a heat map and as CSV. */
#include "show/meaning_output.h"
#include "base/file.h"
#include "data/cells.h"
#include "figure/plot.h"

#include <math.h>
#include <string.h>

/* ---- The heat map --------------------------------------------------------------------------- */

enum { ROWS = 40, NUMBERED = 16 }; /* columns shown, and components with numbers */

/* A change as a picture writes it: with a true minus. */
static const char *change_text(struct ecc_plot *plot, const struct ecc_meaning *m, size_t at,
                               size_t column)
{
    char number[48];
    ecc_meaning_number(number, sizeof number, &m->columns[column], m->change[at]);
    return number[0] == '-' ? ecc_plot_text(plot, "−%s", number + 1)
                            : ecc_plot_text(plot, "%s", number);
}

static void add_heat(struct ecc_plot *plot, const struct ecc_meaning *m, const size_t *list,
                     size_t rows)
{
    double *const values = ecc_plot_numbers(plot, rows * m->count);
    const char **const texts = ecc_plot_names(plot, rows * m->count);
    const char **const names = ecc_plot_names(plot, rows);
    const char **const heads = ecc_plot_names(plot, m->count);
    if (!values || !texts || !names || !heads) return;
    for (size_t l = 0; l < m->count; l++) {
        heads[l] = ecc_plot_text(plot, "p%zu", m->components[l] + 1);
        for (size_t i = 0; i < rows; i++) {
            const size_t at = l * m->column_count + list[i];
            names[i] = m->columns[list[i]].name;
            values[i * m->count + l] = m->standard[at];
            texts[i * m->count + l] = change_text(plot, m, at, list[i]);
        }
    }
    size_t longest = 6;
    for (size_t i = 0; i < rows * m->count; i++) {
        longest = strlen(texts[i]) > longest ? strlen(texts[i]) : longest;
    }
    struct ecc_heat *const heat = ecc_plot_heat(plot, NULL, values, rows, m->count);
    heat->row_names = names;
    heat->column_names = heads;
    heat->scale_label = "in deviations";
    heat->texts = m->count <= NUMBERED ? texts : NULL;
    heat->cell_width = m->count <= NUMBERED ? fmin(6 + 4.7 * (double)longest, 64) : 15;
    heat->cell_height = 14;
}

enum ecc_status ecc_draw_meaning(const struct ecc_meaning *m, const char *path,
                                 struct ecc_error *error)
{
    size_t list[ROWS];
    const size_t rows = ecc_meaning_columns(list, m, ROWS);
    struct ecc_plot plot;
    if (rows == 0) return ecc_fail_memory(error, "a picture");
    ecc_plot_start(&plot, "What the components change", 0, 0);
    const char *const how =
        ecc_plot_text(&plot, "change of each column, in its own unit, for +%g deviation%s",
                      m->deviations, m->deviations == 1 ? "" : "s");
    plot.figure.caption = rows == m->column_count
                              ? how
                              : ecc_plot_text(&plot, "%s · the %zu of %zu columns that change most",
                                              how, rows, m->column_count);
    add_heat(&plot, m, list, rows);
    return ecc_plot_write(&plot, path, error);
}

/* ---- The table ------------------------------------------------------------------------------ */

enum ecc_status ecc_write_meaning(const struct ecc_meaning *m, const char *path,
                                  struct ecc_error *error)
{
    static const char *const UNITS[] = {"", "days", "percentage points"};
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, path, error));
    FILE *const out = output.stream;
    fputs("column,unit,deviation", out);
    for (size_t l = 0; l < m->count; l++) fprintf(out, ",p%zu", m->components[l] + 1);
    for (size_t j = 0; j < m->column_count; j++) {
        const struct ecc_meaning_column *const column = &m->columns[j];
        fputc('\n', out);
        ecc_cell_put(out, column->name);
        fprintf(out, ",%s,%.6g", UNITS[column->unit], column->deviation);
        for (size_t l = 0; l < m->count; l++) {
            fprintf(out, ",%.6g", m->change[l * m->column_count + j]);
        }
    }
    fputc('\n', out);
    return ecc_output_commit(&output, error);
}
