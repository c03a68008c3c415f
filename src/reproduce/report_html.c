/* report_html.c: the report as one page that needs nothing else: style and pictures are in it. */
#include "base/file.h"
#include "reproduce/findings.h"
#include "reproduce/store.h"
#include "show/html.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sections ------------------------------------------------------------------------------- */

static enum ecc_status put_figure(FILE *out, const json_t *figure, const struct ecc_repro *r,
                                  struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    const char *const caption = ecc_get_text(figure, "caption");
    const char *const file = ecc_get_text(figure, "file");
    ECC_TRY(ecc_file_read(&bytes, &size, ECC_IN_STORE(r, "", file, ".png"), error));
    fputs("<figure>", out);
    ecc_html_png(out, bytes, size, 0.5, caption); /* drawn at two pixels a point */
    ecc_html_in(out, "<figcaption>", caption, "</figcaption></figure>\n");
    free(bytes);
    return ECC_OK;
}

/* "v v-not-comparable" of "not comparable". */
static void put_verdict_class(FILE *out, const char *verdict)
{
    fputs("v v-", out);
    for (; *verdict; verdict++) fputc(*verdict == ' ' ? '-' : *verdict, out);
}

/* Of claims the fourth cell is a verdict. */
static void put_cells(FILE *out, const json_t *cells, bool claims)
{
    fputs("<tr>", out);
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const char *const text = json_string_value(json_array_get(cells, i));
        fputs("<td class=\"", out);
        if (claims && i == 3) put_verdict_class(out, text ? text : "");
        ecc_html_in(out, "\">", text ? text : "", "</td>");
    }
    fputs("</tr>\n", out);
}

static void put_table(FILE *out, const json_t *table, bool claims)
{
    const json_t *const columns = json_object_get(table, "columns"), *const rows = json_object_get(
                                                                         table, "rows");
    fprintf(out, "<div class=\"scroll\"><table%s><caption>", claims ? " class=\"claims\"" : "");
    ecc_html_text(out, ecc_get_text(table, "title"));
    fputs("</caption>\n<tr>", out);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        ecc_html_in(out, "<th scope=\"col\">", json_string_value(json_array_get(columns, i)),
                    "</th>");
    }
    fputs("</tr>\n", out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        put_cells(out, json_array_get(rows, i), claims);
    }
    fputs("</table></div>\n", out);
}

static void put_list(FILE *out, const json_t *list, const char *before, const char *after)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        ecc_html_in(out, before, json_string_value(json_array_get(list, i)), after);
    }
}

static enum ecc_status put_section(FILE *out, const json_t *section, const struct ecc_repro *r,
                                   struct ecc_error *error)
{
    const json_t *const tables = json_object_get(section, "tables"),
                        *const figures = json_object_get(section, "figures"),
                        *const commands = json_object_get(section, "commands");
    json_t *const claims = ecc_repro_report_claims(section);
    enum ecc_status status = ECC_OK;
    fprintf(out, "<section id=\"%s\"><h2>", ecc_get_text(section, "id"));
    ecc_html_text(out, ecc_get_text(section, "title"));
    ecc_html_in(out, "</h2>\n<p>", ecc_get_text(section, "about"), "</p>\n");
    put_list(out, json_object_get(section, "missing"), "<p class=\"missing\">Missing: ", "</p>\n");
    if (json_array_size(figures) > 1) fputs("<div class=\"row\">\n", out);
    for (size_t i = 0; i < json_array_size(figures) && status == ECC_OK; i++) {
        status = put_figure(out, json_array_get(figures, i), r, error);
    }
    if (json_array_size(figures) > 1) fputs("</div>\n", out);
    for (size_t i = 0; i < json_array_size(tables); i++) {
        put_table(out, json_array_get(tables, i), false);
    }
    put_list(out, json_object_get(section, "texts"), "<p>", "</p>\n");
    if (claims) put_table(out, claims, true);
    json_decref(claims);
    if (json_array_size(commands) > 0) {
        fputs("<details><summary>Commands, to be run beside this page</summary><pre>", out);
        put_list(out, commands, "", "\n");
        fputs("</pre></details>\n", out);
    }
    fputs("</section>\n", out);
    return status;
}

/* ---- The page ------------------------------------------------------------------------------- */

static void put_head(FILE *out, const json_t *results)
{
    const char *name;
    json_t *count;
    ecc_html_begin(out, "Eccentric Regularization, reproduced", "reproduce");
    fputs("<header><h1>Eccentric Regularization, reproduced</h1>"
          "<p class=\"by\">The figures, tables and claims of Li &amp; Blair (IJCNN 2022), beside "
          "what this program finds</p>\n<p class=\"about\">",
          out);
    ecc_html_text(out, ecc_get_text(results, "about"));
    fputs("</p>\n<div class=\"chips\">", out);
    json_object_foreach(json_object_get(results, "verdicts"), name, count)
    {
        if (json_integer_value(count) == 0) continue;
        fputs("<span class=\"chip ", out);
        put_verdict_class(out, name);
        fprintf(out, "\">%s <b>%d</b></span>", name, (int)json_integer_value(count));
    }
    fputs("</div><p class=\"small\">", out);
    ecc_html_print(out, "%s · %s · %s · %.1f minutes of computation",
                   ecc_get_text(results, "program"), ecc_get_text(results, "made"),
                   ecc_get_text(results, "machine"), ecc_get_number(results, "seconds") / 60);
    fputs("</p></header>\n<nav>", out);
}

enum ecc_status ecc_repro_report_html(FILE *out, const json_t *results, const struct ecc_repro *r,
                                      struct ecc_error *error)
{
    const json_t *const sections = json_object_get(results, "sections");
    json_t *const runs = ecc_repro_report_runs(results);
    enum ecc_status status = ECC_OK;
    put_head(out, results);
    for (size_t i = 0; i < json_array_size(sections); i++) {
        const json_t *const section = json_array_get(sections, i);
        fprintf(out, "<a href=\"#%s\">", ecc_get_text(section, "id"));
        ecc_html_text(out, ecc_get_text(section, "title"));
        fputs("</a>", out);
    }
    fputs("</nav><main>\n", out);
    for (size_t i = 0; i < json_array_size(sections) && status == ECC_OK; i++) {
        status = put_section(out, json_array_get(sections, i), r, error);
    }
    if (status == ECC_OK && runs) status = put_section(out, runs, r, error);
    json_decref(runs);
    fputs("<p class=\"small\">Numbers agree when they differ by at most two standard deviations, "
          "of both combined, plus half of the paper's last digit. Other data, far fewer items, "
          "another network or other features make them not comparable; the remarks tell of fewer "
          "epochs and fewer runs. Nothing was chosen by looking at test items. All numbers are in "
          "results.json.</p>\n</main>",
          out);
    ecc_html_end(out);
    return status;
}
