/* report_markdown.c: the report as Markdown, for a repository: tables, figures by their files. */
#include "reproduce/report.h"

#include <string.h>

/* A cell: what would end it, or start another, is escaped. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|') fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

static void put_row(FILE *out, const json_t *cells)
{
    fputs("|", out);
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const char *const text = json_string_value(json_array_get(cells, i));
        fputc(' ', out);
        put_cell(out, text ? text : "");
        fputs(" |", out);
    }
    fputc('\n', out);
}

static void put_table(FILE *out, const json_t *table)
{
    const json_t *const columns = json_object_get(table, "columns"), *const rows = json_object_get(
                                                                         table, "rows");
    fprintf(out, "**%s**\n\n", ecc_repro_report_text(table, "title"));
    put_row(out, columns);
    fputs("|", out);
    for (size_t i = 0; i < json_array_size(columns); i++) fputs("---|", out);
    fputc('\n', out);
    for (size_t i = 0; i < json_array_size(rows); i++) put_row(out, json_array_get(rows, i));
    fputc('\n', out);
}

static void put_claims(FILE *out, const json_t *claims)
{
    static const char *const keys[] = {"claim", "paper", "ours", "verdict"};
    if (json_array_size(claims) == 0) return;
    fputs("| claim | paper | ours | verdict | remarks |\n|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < json_array_size(claims); i++) {
        fputs("|", out);
        for (size_t k = 0; k < 4; k++) {
            const bool bold = strcmp(keys[k], "verdict") == 0;
            fputs(bold ? " **" : " ", out);
            put_cell(out, ecc_repro_report_text(json_array_get(claims, i), keys[k]));
            fputs(bold ? "** |" : " |", out);
        }
        fputc(' ', out);
        put_cell(out, ecc_repro_report_remark(claims, i));
        fputs(" |", out);
        fputc('\n', out);
    }
    fputc('\n', out);
}

static void put_section(FILE *out, const json_t *section)
{
    const json_t *const texts = json_object_get(section, "texts"),
                        *const missing = json_object_get(section, "missing"),
                        *const tables = json_object_get(section, "tables"),
                        *const figures = json_object_get(section, "figures"),
                        *const commands = json_object_get(section, "commands");
    fprintf(out, "## %s\n\n%s\n\n", ecc_repro_report_text(section, "title"),
            ecc_repro_report_text(section, "about"));
    for (size_t i = 0; i < json_array_size(missing); i++) {
        fprintf(out, "> Missing: %s\n\n", json_string_value(json_array_get(missing, i)));
    }
    for (size_t i = 0; i < json_array_size(figures); i++) {
        const json_t *const figure = json_array_get(figures, i);
        fprintf(out, "![%s](%s.png)\n\n", ecc_repro_report_text(figure, "caption"),
                ecc_repro_report_text(figure, "file"));
    }
    for (size_t i = 0; i < json_array_size(tables); i++) put_table(out, json_array_get(tables, i));
    for (size_t i = 0; i < json_array_size(texts); i++) {
        fprintf(out, "%s\n\n", json_string_value(json_array_get(texts, i)));
    }
    put_claims(out, json_object_get(section, "claims"));
    if (json_array_size(commands) == 0) return;
    fputs("<details><summary>Commands</summary>\n\n", out);
    for (size_t i = 0; i < json_array_size(commands); i++) {
        fprintf(out, "    %s\n", json_string_value(json_array_get(commands, i)));
    }
    fputs("\n</details>\n\n", out);
}

static void put_runs(FILE *out, const json_t *runs)
{
    if (json_array_size(runs) == 0) return;
    fputs("## Runs\n\n| run | items | epochs | minutes | error | eccentricity | trace |\n"
          "|---|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *const run = json_array_get(runs, i);
        fprintf(out, "| %s | %.0f | %.1f | %.1f | %.5f | %.3f | %.3f |\n",
                ecc_repro_report_text(run, "name"),
                json_number_value(json_object_get(run, "items")),
                json_number_value(json_object_get(run, "epochs")),
                json_number_value(json_object_get(run, "seconds")) / 60,
                json_number_value(json_object_get(run, "error")),
                json_number_value(json_object_get(run, "eccentricity")),
                json_number_value(json_object_get(run, "trace")));
    }
    fputc('\n', out);
}

void ecc_repro_report_markdown(FILE *out, const json_t *results)
{
    const json_t *const sections = json_object_get(results, "sections");
    json_t *const verdicts = json_object_get(results, "verdicts");
    const char *name;
    json_t *count;
    fputs("# The paper, reproduced\n\nLi & Blair, *Eccentric Regularization*, 2022, beside what "
          "this program finds.\n\n",
          out);
    fprintf(out, "%s\n\n%s, %s, %s.\n\n", ecc_repro_report_text(results, "about"),
            ecc_repro_report_text(results, "program"), ecc_repro_report_text(results, "made"),
            ecc_repro_report_text(results, "machine"));
    const char *before = "Verdicts: ";
    json_object_foreach(verdicts, name, count)
    {
        if (json_integer_value(count) == 0) continue;
        fprintf(out, "%s%s **%d**", before, name, (int)json_integer_value(count));
        before = " · ";
    }
    fputs("\n\n", out);
    for (size_t i = 0; i < json_array_size(sections); i++) {
        put_section(out, json_array_get(sections, i));
    }
    put_runs(out, json_object_get(results, "runs"));
}
