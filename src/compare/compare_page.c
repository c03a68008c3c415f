/* compare_page.c: the results of a comparison as one page that needs nothing else. */
#include "base/file.h"
#include "compare/trials.h"
#include "figure/plot.h"
#include "show/html.h"
#include "show/tiles.h"
#include "work/sayings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table ------------------------------------------------------------------------------ */

static void put_row(FILE *out, const json_t *row, const json_t *columns)
{
    const bool baseline = json_is_true(json_object_get(row, "baseline"));
    const double lambda = ecc_get_number(row, "lambda");
    fputs(baseline ? "<tr class=\"base\">" : "<tr>", out);
    ecc_html_in(out, "<th scope=\"row\">", ecc_get_text(row, "method"), "</th><td>");
    if (!isnan(lambda)) fprintf(out, "%g", lambda);
    fputs("</td>", out);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *const column = json_array_get(columns, i);
        const json_t *const value =
            json_object_get(json_object_get(row, "values"), ecc_get_text(column, "key"));
        const bool best = json_is_true(json_object_get(value, "best"));
        char text[ECC_CELL_TEXT];
        ecc_html_in(out, best ? "<td class=\"best\">" : "<td>",
                    ecc_compare_cell(text, column, value, false), "");
        if (*ecc_compare_cell(text, column, value, true)) {
            ecc_html_in(out, "<br><small>", text, "</small>");
        }
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void put_table(FILE *out, const json_t *section)
{
    const json_t *const columns = json_object_get(section, "columns"), *const rows =
                                                                           json_object_get(section,
                                                                                           "rows");
    fputs("<div class=\"scroll\"><table class=\"results\"><tr><th scope=\"col\">method</th>"
          "<th scope=\"col\" class=\"n\">lambda</th>",
          out);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *const column = json_array_get(columns, i);
        const char *const better = ecc_get_text(column, "better");
        ecc_html_in(out, "<th scope=\"col\" class=\"n\">", ecc_get_text(column, "title"), "");
        if (*better)
            fputs(strcmp(better, "low") == 0 ? " <small>↓</small>" : " <small>↑</small>", out);
        fputs("</th>", out);
    }
    fputs("</tr>\n", out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        put_row(out, json_array_get(rows, i), columns);
    }
    fputs("</table></div>\n<p class=\"small\">★ the best method of the column, baselines not "
          "counted; ↓ lower is better, ↑ higher "
          "is better. ± is the deviation between seeds.</p>\n<dl class=\"terms\">",
          out);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *const column = json_array_get(columns, i);
        ecc_html_in(out, "<div><dt>", ecc_get_text(column, "title"), "</dt> ");
        ecc_html_in(out, "<dd>", ecc_get_text(column, "about"), "</dd></div>\n");
    }
    fputs("</dl>\n", out);
}

static void put_notes(FILE *out, const json_t *section)
{
    const json_t *const rows = json_object_get(section, "rows"), *const gone = json_object_get(
                                                                     section, "left_out");
    fputs("<ul class=\"notes\">\n", out);
    for (size_t i = 0; i < json_array_size(gone); i++) {
        ecc_html_in(out, "<li>", json_string_value(json_array_get(gone, i)), "</li>\n");
    }
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *const row = json_array_get(rows, i);
        const json_t *const notes = json_object_get(row, "notes");
        for (size_t k = 0; k < json_array_size(notes); k++) {
            ecc_html_in(out, "<li><b>", ecc_get_text(row, "method"), "</b>: ");
            ecc_html_in(out, "", json_string_value(json_array_get(notes, k)), "</li>\n");
        }
    }
    fputs("</ul>\n", out);
}

/* ---- Charts --------------------------------------------------------------------------------- */

/* Eigenvalues by rank, one line for each method; there are at least two methods or components. */
static enum ecc_status put_spectra(FILE *out, const json_t *rows, struct ecc_error *error)
{
    struct ecc_plot plot;
    double low = INFINITY, high = 0;
    ecc_plot_start(&plot, NULL, 0, 0);
    struct ecc_chart *chart = ecc_plot_chart(&plot, NULL, "component, strongest first", "variance");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *const row = json_array_get(rows, i);
        const json_t *const values = json_object_get(json_object_get(row, "shape"), "eigenvalues");
        const size_t n = json_array_size(values);
        double *const y = n ? ecc_plot_numbers(&plot, n) : NULL;
        if (!y) continue;
        for (size_t k = 0; k < n; k++) {
            y[k] = fmax(ecc_get_item(values, k), 1e-6);
            low = fmin(low, y[k]);
            high = fmax(high, y[k]);
        }
        ecc_plot_line(&plot, ecc_plot_text(&plot, "%s", ecc_get_text(row, "method")), NULL, y, n);
    }
    if (high == 0) {
        ecc_plot_release(&plot);
        return ECC_OK;
    }
    chart->legend = ECC_LEGEND_NONE;
    chart->y.logarithmic = true;
    chart->y.low = low / 1.3;
    chart->y.high = high * 1.3;
    chart->x.whole = true;
    fputs("<figure><h3>Spectra</h3><p class=\"small\">How the variance of the latents is shared "
          "between the components. A flat line is a sphere; one that falls steeply uses few "
          "dimensions.</p>",
          out);
    enum ecc_status status = ecc_plot_inline(
        &plot, out, 300, 190, "Variance of each component, one line per method", error);
    if (status == ECC_OK) ecc_html_legend(out, &((struct ecc_panel *)plot.panels.items)->chart);
    fputs("</figure>\n", out);
    ecc_plot_release(&plot);
    return status;
}

/* The last column of this beginning, such as "knn_". */
static const char *last_column(const json_t *columns, const char *beginning)
{
    const char *found = "";
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *const key = ecc_get_text(json_array_get(columns, i), "key");
        if (strncmp(key, beginning, strlen(beginning)) == 0) found = key;
    }
    return found;
}

/* Reconstruction against what the latents are good for. */
static enum ecc_status put_trade(FILE *out, const json_t *section, struct ecc_error *error)
{
    const json_t *const rows = json_object_get(section, "rows");
    const json_t *const columns = json_object_get(section, "columns");
    const char *const classes = last_column(columns, "knn_");
    const char *const key = *classes ? classes : last_column(columns, "frechet");
    struct ecc_plot plot;
    size_t count = 0;
    if (!*key) return ECC_OK;
    ecc_plot_start(&plot, NULL, 0, 0);
    struct ecc_chart *const chart = ecc_plot_chart(&plot, NULL, "test error (lower is better)",
                                                   *classes ? "KNN error, % (lower is better)"
                                                            : "Frechet distance (lower is better)");
    chart->legend = ECC_LEGEND_NONE;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *const row = json_array_get(rows, i);
        const json_t *const values = json_object_get(row, "values");
        double *const at = ecc_plot_numbers(&plot, 2);
        if (!at || !json_object_get(row, "shape")) continue;
        at[0] = ecc_get_number(json_object_get(values, "error"), "mean");
        at[1] = ecc_get_number(json_object_get(values, key), "mean") * (*classes ? 100 : 1);
        if (isnan(at[0]) || isnan(at[1])) continue;
        ecc_plot_points(&plot, ecc_plot_text(&plot, "%s", ecc_get_text(row, "method")), at, at + 1,
                        1)
            ->size = 5;
        count++;
    }
    enum ecc_status status = ECC_OK;
    if (count > 1) {
        fputs("<figure class=\"trade\"><h3>What is traded for what</h3><p class=\"small\">Down and "
              "to the left is "
              "better.</p>",
              out);
        status = ecc_plot_inline(&plot, out, 300, 190,
                                 "Test error against what the latents are good for, one point per "
                                 "method",
                                 error);
        if (status == ECC_OK) ecc_html_legend(out, &((struct ecc_panel *)plot.panels.items)->chart);
        fputs("</figure>\n", out);
    }
    ecc_plot_release(&plot);
    return status;
}

/* ---- Pictures ------------------------------------------------------------------------------- */

static enum ecc_status put_sheet(FILE *out, const json_t *row, const char *what,
                                 const struct ecc_comparison *c, struct ecc_error *error)
{
    const struct ecc_subject *const s = &c->subject;
    const struct ecc_item_shape shape = {s->channels, s->height, s->width};
    const json_t *const own = json_object_get(row, "shape"), *const layout =
                                                                 json_object_get(own, what);
    const char *const file = ecc_get_text(json_object_get(own, "files"), what);
    unsigned char *bytes;
    size_t size;
    if (!*file) return ECC_OK;
    ECC_TRY(ecc_file_read(&bytes, &size, ECC_IN_TRIALS(c, "", file, ""), error));
    ecc_html_in(out, "<figure><figcaption>", ecc_get_text(row, "method"), "</figcaption>");
    char alt[200];
    snprintf(alt, sizeof alt, "%s of %.100s", what, ecc_get_text(row, "method"));
    ecc_html_tiles_file(out, bytes, size, shape, (size_t)ecc_get_number(layout, "count"),
                        (size_t)ecc_get_number(layout, "columns"), alt);
    fputs("</figure>\n", out);
    free(bytes);
    return ECC_OK;
}

static enum ecc_status put_sheets(FILE *out, const json_t *rows, const char *what,
                                  const char *title, const char *how,
                                  const struct ecc_comparison *c, struct ecc_error *error)
{
    enum ecc_status status = ECC_OK;
    bool any = false;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        any = any || json_object_get(json_object_get(json_array_get(rows, i), "shape"), what);
    }
    if (!any) return ECC_OK;
    fprintf(out, "<h3>%s</h3><p class=\"small\">%s</p>\n<div class=\"side\">\n", title, how);
    for (size_t i = 0; status == ECC_OK && i < json_array_size(rows); i++) {
        status = put_sheet(out, json_array_get(rows, i), what, c, error);
    }
    fputs("</div>\n", out);
    return status;
}

/* What the components do to the columns of a table. */
static void put_meanings(FILE *out, const json_t *rows)
{
    fputs("<h3>Components</h3><p class=\"small\">What the columns do along each component, for one "
          "deviation more.</p>\n<div class=\"side\">\n",
          out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *const row = json_array_get(rows, i);
        const json_t *const words = json_object_get(json_object_get(row, "shape"), "words");
        if (json_array_size(words) == 0) continue;
        ecc_html_in(out, "<figure><figcaption>", ecc_get_text(row, "method"), "</figcaption>");
        fputs("<dl class=\"meaning\">", out);
        for (size_t k = 0; k < json_array_size(words); k++) {
            fprintf(out, "<dt>p%zu</dt>", k + 1);
            ecc_html_in(out, "<dd>", json_string_value(json_array_get(words, k)), "</dd>\n");
        }
        fputs("</dl></figure>\n", out);
    }
    fputs("</div>\n", out);
}

/* ---- Where it comes from -------------------------------------------------------------------- */

static void put_sweep_row(FILE *out, const json_t *row, bool percent)
{
    const json_t *const sweep = json_object_get(row, "sweep");
    if (json_array_size(sweep) == 0) return;
    ecc_html_in(out, "<tr><th scope=\"row\">", ecc_get_text(row, "method"), "</th>");
    for (size_t i = 0; i < json_array_size(sweep); i++) {
        const json_t *const at = json_array_get(sweep, i);
        const double score = ecc_get_number(at, "score");
        fputs(json_is_true(json_object_get(at, "chosen")) ? "<td class=\"chosen\">" : "<td>", out);
        fprintf(out, "%g: ", ecc_get_number(at, "lambda"));
        if (isnan(score)) {
            fputs("failed", out);
        } else if (percent) {
            fprintf(out, "%.2f %%", 100 * score);
        } else {
            fprintf(out, "%.3f", score);
        }
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void put_origin(FILE *out, const json_t *section, bool percent)
{
    const json_t *const rows = json_object_get(section, "rows");
    fprintf(out,
            "<details><summary>How lambda was chosen</summary><p class=\"small\">Each lambda that "
            "was tried, and the %s of validation items after a short training; ★ was "
            "chosen.</p><div class=\"scroll\"><table class=\"results\">\n",
            percent ? "KNN error" : "Frechet distance");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        put_sweep_row(out, json_array_get(rows, i), percent);
    }
    fputs("</table></div></details>\n<details><summary>Commands of the trainings, to be run beside "
          "this page</summary><pre>",
          out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *const runs = json_object_get(json_array_get(rows, i), "runs");
        for (size_t k = 0; k < json_array_size(runs); k++) {
            ecc_html_in(out, "", ecc_get_text(json_array_get(runs, k), "command"), "\n");
        }
    }
    fputs("</pre></details>\n", out);
}

/* ---- The page ------------------------------------------------------------------------------- */

static enum ecc_status put_section(FILE *out, const json_t *section, const json_t *results,
                                   const struct ecc_comparison *c, struct ecc_error *error)
{
    const json_t *const rows = json_object_get(section, "rows");
    const int latent = (int)ecc_get_number(section, "latent");
    fprintf(out, "<section id=\"d%d\"><h2>%d latent dimension%s</h2>\n", latent, latent,
            latent == 1 ? "" : "s");
    put_table(out, section);
    put_notes(out, section);
    fputs("<div class=\"charts\">\n", out);
    ECC_TRY(put_trade(out, section, error));
    ECC_TRY(put_spectra(out, rows, error));
    fputs("</div>\n", out);
    ECC_TRY(put_sheets(out, rows, "samples", "Samples",
                       "Decoded from the Gaussian that fits the latents, or from the sphere that "
                       "they lie on; the same random numbers for all.",
                       c, error));
    ECC_TRY(put_sheets(out, rows, "strips", "Components",
                       "What each component does, the strongest first, from minus two to plus two "
                       "deviations.",
                       c, error));
    if (c->subject.is_table) put_meanings(out, rows);
    put_origin(out, section, strcmp(ecc_get_text(results, "score"), "error") == 0);
    fputs("</section>\n", out);
    return ECC_OK;
}

enum ecc_status ecc_compare_html(FILE *out, const json_t *results, const struct ecc_comparison *c,
                                 struct ecc_error *error)
{
    const json_t *const sections = json_object_get(results, "sections");
    char title[200];
    snprintf(title, sizeof title, "Methods compared on %.150s", ecc_get_text(results, "data"));
    ecc_html_begin(out, title, "compare");
    ecc_html_in(out, "<header><h1>", title, "</h1>\n<p class=\"by\">");
    ecc_html_in(out, "", ecc_get_text(results, "brief"), "</p></header>\n<nav>");
    for (size_t i = 0; i < json_array_size(sections); i++) {
        const int latent = (int)ecc_get_number(json_array_get(sections, i), "latent");
        fprintf(out, "<a href=\"#d%d\">%d dimension%s</a>", latent, latent, latent == 1 ? "" : "s");
    }
    fputs("<a href=\"#how\">How it was done, and how lambda was chosen</a>", out);
    fputs("</nav><main>\n", out);
    for (size_t i = 0; i < json_array_size(sections); i++) {
        ECC_TRY(put_section(out, json_array_get(sections, i), results, c, error));
    }
    fputs("<section id=\"how\"><h2>How it was done</h2>\n", out);
    ecc_html_in(out, "<p>", ecc_get_text(results, "about"), "</p>\n");
    ecc_html_in(out, "<p>", ecc_get_text(results, "criterion"), "</p>\n");
    fputs("<p class=\"small\">All numbers are in results.json and compare.csv.<br>", out);
    ecc_html_in(out, "", ecc_get_text(results, "program"), " · ");
    ecc_html_in(out, "", ecc_get_text(results, "made"), " · ");
    ecc_html_in(out, "", ecc_get_text(results, "machine"), "</p></section>\n</main>");
    ecc_html_end(out);
    return ECC_OK;
}
