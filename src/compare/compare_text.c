/* compare_text.c: the results of a comparison as Markdown, for a repository, and as CSV. */
#include "compare/trials.h"
#include "work/sayings.h"

#include <math.h>
#include <string.h>

/* ---- Markdown ------------------------------------------------------------------------------- */

/* What would end a cell, or start something else, is escaped. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("|*_<[`\\", *text)) fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

static void put_row(FILE *out, const json_t *row, const json_t *columns)
{
    const double lambda = ecc_get_number(row, "lambda");
    fputs("| ", out);
    put_cell(out, ecc_get_text(row, "method"));
    fputs(" | ", out);
    if (!isnan(lambda)) fprintf(out, "%g", lambda);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *const column = json_array_get(columns, i);
        const json_t *const value =
            json_object_get(json_object_get(row, "values"), ecc_get_text(column, "key"));
        const char *const mark = json_is_true(json_object_get(value, "best")) ? "**" : "";
        char text[ECC_CELL_TEXT];
        fprintf(out, " | %s%s%s", mark, ecc_compare_cell(text, column, value, false), mark);
        if (*ecc_compare_cell(text, column, value, true)) fprintf(out, " %s", text);
    }
    fputs(" |\n", out);
}

static void put_pictures(FILE *out, const json_t *rows, const char *what, const char *title)
{
    bool any = false;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *const row = json_array_get(rows, i);
        const char *const file =
            ecc_get_text(json_object_get(json_object_get(row, "shape"), "files"), what);
        if (!*file) continue;
        if (!any) fprintf(out, "### %s\n\n", title);
        any = true;
        put_cell(out, ecc_get_text(row, "method"));
        fprintf(out, ":\n\n![%s](%s)\n\n", title, file);
    }
}

static void put_section(FILE *out, const json_t *section)
{
    const json_t *const columns = json_object_get(section, "columns"),
                        *const rows = json_object_get(section, "rows"),
                        *const gone = json_object_get(section, "left_out");
    fprintf(out, "## %.0f latent dimensions\n\n| method | lambda",
            ecc_get_number(section, "latent"));
    for (size_t i = 0; i < json_array_size(columns); i++) {
        fputs(" | ", out);
        put_cell(out, ecc_get_text(json_array_get(columns, i), "title"));
    }
    fputs(" |\n|---|---|", out);
    for (size_t i = 0; i < json_array_size(columns); i++) fputs("---|", out);
    fputc('\n', out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        put_row(out, json_array_get(rows, i), columns);
    }
    fputc('\n', out);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *const column = json_array_get(columns, i);
        fprintf(out, "- **%s**: %s\n", ecc_get_text(column, "title"),
                ecc_get_text(column, "about"));
    }
    fputc('\n', out);
    for (size_t i = 0; i < json_array_size(gone); i++) {
        fprintf(out, "%s\n\n", json_string_value(json_array_get(gone, i)));
    }
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *const row = json_array_get(rows, i), *const notes =
                                                               json_object_get(row, "notes");
        for (size_t k = 0; k < json_array_size(notes); k++) {
            fputs("- ", out);
            put_cell(out, ecc_get_text(row, "method"));
            fputs(": ", out);
            put_cell(out, json_string_value(json_array_get(notes, k)));
            fputc('\n', out);
        }
    }
    fputc('\n', out);
    put_pictures(out, rows, "samples", "Samples");
    put_pictures(out, rows, "strips", "Components");
}

enum ecc_status ecc_compare_markdown(FILE *out, const json_t *results,
                                     const struct ecc_comparison *c, struct ecc_error *error)
{
    const json_t *const sections = json_object_get(results, "sections");
    (void)c, (void)error;
    fputs("# Methods compared on ", out);
    put_cell(out, ecc_get_text(results, "data"));
    fprintf(out,
            "\n\n%s\n\n%s\n\nBold: the best method of a column, baselines not counted. %s, %s, ",
            ecc_get_text(results, "about"), ecc_get_text(results, "criterion"),
            ecc_get_text(results, "program"), ecc_get_text(results, "made"));
    put_cell(out, ecc_get_text(results, "machine"));
    fputs(".\n\n", out);
    for (size_t i = 0; i < json_array_size(sections); i++) {
        put_section(out, json_array_get(sections, i));
    }
    return ECC_OK;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void put_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* One line for each number: latent, method, lambda, what, mean, deviation, count. */
enum ecc_status ecc_compare_csv(FILE *out, const json_t *results, const struct ecc_comparison *c,
                                struct ecc_error *error)
{
    const json_t *const sections = json_object_get(results, "sections");
    (void)c, (void)error;
    fputs("latent,method,lambda,quantity,mean,deviation,count\n", out);
    for (size_t s = 0; s < json_array_size(sections); s++) {
        const json_t *const section = json_array_get(sections, s);
        const json_t *const rows = json_object_get(section, "rows");
        for (size_t r = 0; r < json_array_size(rows); r++) {
            const json_t *const row = json_array_get(rows, r);
            const char *key;
            json_t *value;
            json_object_foreach(json_object_get(row, "values"), key, value)
            {
                const double lambda = ecc_get_number(row, "lambda"),
                             deviation = ecc_get_number(value, "deviation");
                fprintf(out, "%.0f,", ecc_get_number(section, "latent"));
                put_quoted(out, ecc_get_text(row, "method"));
                fputc(',', out);
                if (!isnan(lambda)) fprintf(out, "%g", lambda);
                fprintf(out, ",%s,%.10g,", key, ecc_get_number(value, "mean"));
                if (!isnan(deviation)) fprintf(out, "%.10g", deviation);
                fprintf(out, ",%.0f\n", ecc_get_number(value, "count"));
            }
        }
    }
    return ECC_OK;
}
