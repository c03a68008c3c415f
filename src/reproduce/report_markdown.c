/* report_markdown.c: the report as Markdown, for a repository: tables, figures by their files. */
#include "reproduce/findings.h"

/* What would end a cell, or start another, is escaped. */
static void put_cell(FILE *out, const char *text)
{
    for (; text && *text; text++) {
        if (*text == '|') fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

/* Of claims the fourth cell is a verdict. */
static void put_row(FILE *out, const json_t *cells, bool claims)
{
    fputs("|", out);
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const char *const mark = claims && i == 3 ? "**" : "";
        fprintf(out, " %s", mark);
        put_cell(out, json_string_value(json_array_get(cells, i)));
        fprintf(out, "%s |", mark);
    }
    fputc('\n', out);
}

static void put_table(FILE *out, const json_t *table, bool claims)
{
    const json_t *const columns = json_object_get(table, "columns"), *const rows = json_object_get(
                                                                         table, "rows");
    const char *const title = ecc_get_text(table, "title");
    if (*title) fprintf(out, "**%s**\n\n", title);
    put_row(out, columns, false);
    fputs("|", out);
    for (size_t i = 0; i < json_array_size(columns); i++) fputs("---|", out);
    fputc('\n', out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        put_row(out, json_array_get(rows, i), claims);
    }
    fputc('\n', out);
}

static void put_list(FILE *out, const json_t *list, const char *before, const char *after)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        fprintf(out, "%s%s%s", before, json_string_value(json_array_get(list, i)), after);
    }
}

static void put_section(FILE *out, const json_t *section)
{
    const json_t *const tables = json_object_get(section, "tables"),
                        *const figures = json_object_get(section, "figures"),
                        *const commands = json_object_get(section, "commands");
    json_t *const claims = ecc_repro_report_claims(section);
    fprintf(out, "## %s\n\n%s\n\n", ecc_get_text(section, "title"), ecc_get_text(section, "about"));
    put_list(out, json_object_get(section, "missing"), "> Missing: ", "\n\n");
    for (size_t i = 0; i < json_array_size(figures); i++) {
        const json_t *const figure = json_array_get(figures, i);
        fprintf(out, "![%s](%s.png)\n\n", ecc_get_text(figure, "caption"),
                ecc_get_text(figure, "file"));
    }
    for (size_t i = 0; i < json_array_size(tables); i++) {
        put_table(out, json_array_get(tables, i), false);
    }
    put_list(out, json_object_get(section, "texts"), "", "\n\n");
    if (claims) put_table(out, claims, true);
    json_decref(claims);
    if (json_array_size(commands) == 0) return;
    fputs("<details><summary>Commands</summary>\n\n", out);
    put_list(out, commands, "    ", "\n");
    fputs("\n</details>\n\n", out);
}

enum ecc_status ecc_repro_report_markdown(FILE *out, const json_t *results,
                                          const struct ecc_repro *r, struct ecc_error *error)
{
    const json_t *const sections = json_object_get(results, "sections");
    json_t *const runs = ecc_repro_report_runs(results), *count;
    const char *name, *before = "Verdicts: ";
    (void)r, (void)error;
    fputs("# The paper, reproduced\n\nLi & Blair, *Eccentric Regularization*, 2022, beside what "
          "this program finds.\n\n",
          out);
    fprintf(out, "%s\n\n%s, %s, %s.\n\n", ecc_get_text(results, "about"),
            ecc_get_text(results, "program"), ecc_get_text(results, "made"),
            ecc_get_text(results, "machine"));
    json_object_foreach(json_object_get(results, "verdicts"), name, count)
    {
        if (json_integer_value(count) == 0) continue;
        fprintf(out, "%s%s **%d**", before, name, (int)json_integer_value(count));
        before = " · ";
    }
    fputs("\n\n", out);
    for (size_t i = 0; i < json_array_size(sections); i++) {
        put_section(out, json_array_get(sections, i));
    }
    if (runs) put_section(out, runs);
    json_decref(runs);
    return ECC_OK;
}
