/* predictions.c: how well numbers known of the items, such as an age, are predicted. */
#include "report/part.h"
#include "show/classification.h"

#include <math.h>

enum { CHARTS = 4 };

static void put_r2(FILE *out, double r2)
{
    if (isnan(r2)) {
        fputs("<td>–</td>", out);
    } else {
        fprintf(out, "<td class=\"bar\" style=\"--t:%.1f%%\">%.3f</td>", 100 * fmax(0, r2), r2);
    }
}

/* fits: [ECC_VIEWS]; errors are those of the latents. */
static void put_row(FILE *out, const char *name, const char *way, const struct ecc_fit *fits,
                    size_t views)
{
    ecc_html_in(out, "<tr><th scope=\"row\">", name, "</th>");
    fprintf(out, "<td class=\"t\">%s</td>", way);
    for (size_t v = 0; v < views; v++) put_r2(out, fits[v].r2);
    fprintf(out, "<td>%.4g</td><td>%.4g</td></tr>\n", fits[ECC_VIEW_LATENTS].mae,
            fits[ECC_VIEW_LATENTS].rmse);
}

static void put_number(FILE *out, const struct ecc_classification *c,
                       const struct ecc_number_result *number)
{
    struct ecc_fit mean[ECC_VIEWS];
    for (size_t r = 0; r < number->row_count; r++) {
        const struct ecc_number_row *const row = &number->rows[r];
        char way[40];
        if (row->method == ECC_CLASSIFY_KNN) {
            snprintf(way, sizeof way, "%zu neighbour%s", row->parameter, ecc_s(row->parameter));
        } else {
            snprintf(way, sizeof way, "tree of depth %zu", row->parameter);
        }
        put_row(out, number->name, way, row->fit, c->view_count);
    }
    for (size_t v = 0; v < ECC_VIEWS; v++) mean[v] = number->baseline;
    put_row(out, number->name, "always the mean", mean, c->view_count);
}

static void put_table(FILE *out, const struct ecc_classification *c)
{
    const char *heads[] = {"number", "by", "R2, latents", "", "", "", ""};
    char pixels[40];
    size_t count = 3;
    if (c->view_count > 1) {
        snprintf(pixels, sizeof pixels, "R2, %s", c->views[ECC_VIEW_PIXELS].name);
        heads[count++] = "R2, PCA";
        heads[count++] = pixels;
    }
    heads[count++] = "mean absolute error";
    heads[count++] = "RMSE";
    fputs("<div class=\"scroll\"><table>\n", out);
    ecc_html_heads(out, heads, count, "--nnnnn");
    for (size_t j = 0; j < c->number_count; j++) {
        if (c->numbers[j].row_count > 0) put_number(out, c, &c->numbers[j]);
    }
    fputs("</table></div>\n", out);
}

static enum ecc_status put_chart(FILE *out, const struct ecc_classification *c, size_t number,
                                 struct ecc_error *error)
{
    const char *const name = c->numbers[number].name;
    struct ecc_plot plot;
    ecc_plot_start(&plot, NULL, 0, 0);
    ecc_plot_number(&plot, c, number);
    fputs("<figure>", out);
    const enum ecc_status status =
        ecc_plot_inline(&plot, out, 300, 280,
                        ecc_plot_text(&plot, "%s, and what the neighbours predict", name), error);
    ecc_plot_release(&plot);
    fputs("</figure>\n", out);
    return status;
}

enum ecc_status ecc_report_numbers(FILE *out, const struct ecc_classification *c,
                                   struct ecc_error *error)
{
    size_t drawn = 0;
    if (c->number_count == 0) return ECC_OK;
    fputs("<h3>Numbers</h3>\n", out);
    ecc_report_how(out, "What else is known of the items, predicted as the mean of the nearest "
                        "neighbours and by regression trees. R2 is 1 for perfect predictions and 0 "
                        "for those that are no better than always the mean.");
    put_table(out, c);
    fputs("<div class=\"charts numbers\">\n", out);
    for (size_t j = 0; j < c->number_count && drawn < CHARTS; j++) {
        if (c->numbers[j].row_count == 0) continue;
        ECC_TRY(put_chart(out, c, j, error));
        drawn++;
    }
    fputs("</div>\n", out);
    return ECC_OK;
}
