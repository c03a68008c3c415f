/* report_html.c: the report as one page that needs nothing else: style and pictures are in it. */
#include "base/file.h"
#include "reproduce/report.h"
#include "show/html.h"

#include <stdlib.h>
#include <string.h>

/* ---- Pictures ------------------------------------------------------------------------------- */

static enum ecc_status put_figure(FILE *out, const json_t *figure, const char *directory,
                                  struct ecc_error *error)
{
    char file[300];
    unsigned char *bytes;
    size_t size;
    snprintf(file, sizeof file, "%s.png", ecc_repro_report_text(figure, "file"));
    char *const path = ecc_path_join(directory, file);
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_file_read(&bytes, &size, path, error);
    free(path);
    ECC_TRY(status);
    fputs("<figure>", out); /* drawn at two pixels a point */
    ecc_html_png(out, bytes, size, 0.5, ecc_repro_report_text(figure, "caption"));
    fputs("<figcaption>", out);
    ecc_html_text(out, ecc_repro_report_text(figure, "caption"));
    fputs("</figcaption></figure>\n", out);
    free(bytes);
    return ECC_OK;
}

/* ---- Tables --------------------------------------------------------------------------------- */

static void put_cells(FILE *out, const json_t *cells, const char *tag)
{
    fputs("<tr>", out);
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const char *const text = json_string_value(json_array_get(cells, i));
        fprintf(out, "<%s%s>", tag, strcmp(tag, "th") == 0 ? " scope=\"col\"" : "");
        ecc_html_text(out, text ? text : "");
        fprintf(out, "</%s>", tag);
    }
    fputs("</tr>\n", out);
}

static void put_table(FILE *out, const json_t *table)
{
    const json_t *const rows = json_object_get(table, "rows");
    fputs("<div class=\"scroll\"><table><caption>", out);
    ecc_html_text(out, ecc_repro_report_text(table, "title"));
    fputs("</caption>\n", out);
    put_cells(out, json_object_get(table, "columns"), "th");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        put_cells(out, json_array_get(rows, i), "td");
    }
    fputs("</table></div>\n", out);
}

/* "v v-not-comparable" of "not comparable". */
static void put_verdict_class(FILE *out, const char *verdict)
{
    fputs("v v-", out);
    for (; *verdict; verdict++) fputc(*verdict == ' ' ? '-' : *verdict, out);
}

static void put_claims(FILE *out, const json_t *claims)
{
    static const char *const claim_heads[] = {"claim", "paper", "ours", "verdict", "remarks"};
    if (json_array_size(claims) == 0) return;
    fputs("<div class=\"scroll\"><table class=\"claims\"><caption>Verdicts</caption>\n", out);
    ecc_html_heads(out, claim_heads, 5, NULL);
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *const claim = json_array_get(claims, i);
        const char *const verdict = ecc_repro_report_text(claim, "verdict");
        fputs("<tr><td>", out);
        ecc_html_text(out, ecc_repro_report_text(claim, "claim"));
        fputs("</td><td>", out);
        ecc_html_text(out, ecc_repro_report_text(claim, "paper"));
        fputs("</td><td>", out);
        ecc_html_text(out, ecc_repro_report_text(claim, "ours"));
        fputs("</td><td class=\"", out);
        put_verdict_class(out, verdict);
        fprintf(out, "\">%s</td><td>", verdict);
        ecc_html_text(out, ecc_repro_report_remark(claims, i));
        fputs("</td></tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

static void put_runs(FILE *out, const json_t *runs)
{
    static const char *const run_heads[] = {"run",   "items",        "epochs", "minutes",
                                            "error", "eccentricity", "trace"};
    if (json_array_size(runs) == 0) return;
    fputs("<section id=\"runs\"><h2>Runs</h2><div class=\"scroll\"><table>\n", out);
    ecc_html_heads(out, run_heads, 7, NULL);
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *const run = json_array_get(runs, i);
        fputs("<tr><td>", out);
        ecc_html_text(out, ecc_repro_report_text(run, "name"));
        fprintf(out,
                "</td><td>%.0f</td><td>%.1f</td><td>%.1f</td><td>%.5f</td><td>%.3f</td>"
                "<td>%.3f</td></tr>\n",
                json_number_value(json_object_get(run, "items")),
                json_number_value(json_object_get(run, "epochs")),
                json_number_value(json_object_get(run, "seconds")) / 60,
                json_number_value(json_object_get(run, "error")),
                json_number_value(json_object_get(run, "eccentricity")),
                json_number_value(json_object_get(run, "trace")));
    }
    fputs("</table></div></section>\n", out);
}

/* ---- The page ------------------------------------------------------------------------------- */

static void put_list(FILE *out, const json_t *list, const char *before, const char *after)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        fputs(before, out);
        ecc_html_text(out, json_string_value(json_array_get(list, i)));
        fputs(after, out);
    }
}

static enum ecc_status put_section(FILE *out, const json_t *section, const char *directory,
                                   struct ecc_error *error)
{
    const json_t *const tables = json_object_get(section, "tables"),
                        *const figures = json_object_get(section, "figures"),
                        *const commands = json_object_get(section, "commands");
    fprintf(out, "<section id=\"%s\"><h2>", ecc_repro_report_text(section, "id"));
    ecc_html_text(out, ecc_repro_report_text(section, "title"));
    fputs("</h2>\n<p>", out);
    ecc_html_text(out, ecc_repro_report_text(section, "about"));
    fputs("</p>\n", out);
    put_list(out, json_object_get(section, "missing"), "<p class=\"missing\">Missing: ", "</p>\n");
    if (json_array_size(figures) > 1) fputs("<div class=\"row\">\n", out);
    for (size_t i = 0; i < json_array_size(figures); i++) {
        ECC_TRY(put_figure(out, json_array_get(figures, i), directory, error));
    }
    if (json_array_size(figures) > 1) fputs("</div>\n", out);
    for (size_t i = 0; i < json_array_size(tables); i++) put_table(out, json_array_get(tables, i));
    put_list(out, json_object_get(section, "texts"), "<p>", "</p>\n");
    put_claims(out, json_object_get(section, "claims"));
    if (json_array_size(commands) > 0) {
        fputs("<details><summary>Commands, to be run beside this page</summary><pre>", out);
        put_list(out, commands, "", "\n");
        fputs("</pre></details>\n", out);
    }
    fputs("</section>\n", out);
    return ECC_OK;
}

static void put_head(FILE *out, const json_t *results)
{
    json_t *const verdicts = json_object_get(results, "verdicts");
    const char *name;
    json_t *count;
    ecc_html_begin(out, "Eccentric Regularization, reproduced", "reproduce");
    fputs("<header><h1>Eccentric Regularization, reproduced</h1>"
          "<p class=\"by\">The figures, tables and claims of Li &amp; Blair (IJCNN 2022), beside "
          "what this program finds</p>\n<p class=\"about\">",
          out);
    ecc_html_text(out, ecc_repro_report_text(results, "about"));
    fputs("</p>\n<div class=\"chips\">", out);
    json_object_foreach(verdicts, name, count)
    {
        if (json_integer_value(count) == 0) continue;
        fputs("<span class=\"chip ", out);
        put_verdict_class(out, name);
        fprintf(out, "\">%s <b>%d</b></span>", name, (int)json_integer_value(count));
    }
    fputs("</div><p class=\"small\">", out);
    ecc_html_text(out, ecc_repro_report_text(results, "program"));
    fprintf(out, " · %s · ", ecc_repro_report_text(results, "made"));
    ecc_html_text(out, ecc_repro_report_text(results, "machine"));
    fprintf(out, " · %.1f minutes of computation</p></header>\n",
            json_number_value(json_object_get(results, "seconds")) / 60);
}

enum ecc_status ecc_repro_report_html(FILE *out, const json_t *results, const char *directory,
                                      struct ecc_error *error)
{
    const json_t *const sections = json_object_get(results, "sections");
    put_head(out, results);
    fputs("<nav>", out);
    for (size_t i = 0; i < json_array_size(sections); i++) {
        const json_t *const section = json_array_get(sections, i);
        fprintf(out, "<a href=\"#%s\">", ecc_repro_report_text(section, "id"));
        ecc_html_text(out, ecc_repro_report_text(section, "title"));
        fputs("</a>", out);
    }
    fputs("</nav><main>\n", out);
    for (size_t i = 0; i < json_array_size(sections); i++) {
        ECC_TRY(put_section(out, json_array_get(sections, i), directory, error));
    }
    put_runs(out, json_object_get(results, "runs"));
    fputs("<p class=\"small\">Numbers agree when they differ by at most two deviations, those of "
          "both together, and half of the paper's last digit. Other data, far fewer items, "
          "another network or other features make them not comparable; fewer epochs and fewer "
          "runs are remarked. Nothing was chosen by looking at test items. All numbers: "
          "results.json.</p>"
          "\n</main>",
          out);
    ecc_html_end(out);
    return ECC_OK;
}
