/* part_spectrum.c: how the variance of the latents is shared between the components. */
#include "report/part.h"

#include <math.h>

enum { ROWS = 12 }; /* of the table that are always shown */

/* The sum of the first n of shares. */
static double sum_of(const double *shares, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += shares[k];
    return sum;
}

static void put_share(FILE *out, double share, double largest, double sum)
{
    if (isnan(share)) {
        fputs("<td></td><td></td>", out);
        return;
    }
    fprintf(out, "<td class=\"bar\" style=\"--t:%.1f%%\">%.2f %%</td><td>%.1f %%</td>",
            100 * fmin(1, fmax(0, share) / fmax(largest, 1e-300)), 100 * share, 100 * sum);
}

static void put_rows(FILE *out, const struct ecc_components *c, size_t from, size_t to)
{
    static const char *const heads[] = {"component",  "variance",    "deviation",  "of the latents",
                                        "cumulative", "of the data", "cumulative", "skewness"};
    double most = 0;
    for (size_t k = 0; k < c->d; k++) most = fmax(most, ecc_components_data_share(c, k));
    fputs("<div class=\"scroll\"><table>\n", out);
    ecc_html_heads(out, heads, 8, "-nnnnnnn");
    for (size_t k = from; k < to; k++) {
        fprintf(out, "<tr><th scope=\"row\">p%zu</th><td>%.4f</td><td>%.4f</td>", k + 1,
                c->eigenvalues[k], c->deviations[k]);
        put_share(out, c->explained[k], c->explained[0], sum_of(c->explained, k + 1));
        put_share(out, ecc_components_data_share(c, k), most,
                  c->of_mean + sum_of(c->of_data, k + 1));
        fprintf(out, "<td>%.3f</td></tr>\n", c->skewness[k]);
    }
    fputs("</table></div>\n", out);
}

static enum ecc_status put_chart(FILE *out, const struct ecc_components *c, struct ecc_error *error)
{
    const struct ecc_series series = {.y = c->eigenvalues, .n = c->d, .mark = ECC_MARK_BARS};
    const struct ecc_rule one = {.at = 1, .label = "1"};
    const struct ecc_chart chart = {
        .x = {"component, strongest first", 0.4, (double)c->d + 0.6, .whole = true},
        .y = {"variance", 0, 1.08 * fmax(1, c->eigenvalues[0])},
        .series = &series,
        .series_count = 1,
        .rules = &one,
        .rule_count = 1};
    char words[200];
    snprintf(words, sizeof words,
             "Variance along each of %zu components, falling from %.3g to %.3g", c->d,
             c->eigenvalues[0], c->eigenvalues[c->d - 1]);
    fputs("<figure class=\"wide\">", out);
    ECC_TRY(ecc_chart_inline(out, &chart, 420, 172, words, error));
    fputs("</figure>\n", out);
    return ECC_OK;
}

static enum ecc_status write_spectrum(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    const struct ecc_components *const c = &page->components;
    char items[32];
    if (c->d == 0) {
        ecc_report_missing(out, &page->no_components);
        return ECC_OK;
    }
    if (!ecc_components_vary(c)) {
        ecc_report_how(out, "All latents are the same, so there is no variance to share.");
        return ECC_OK;
    }
    ecc_report_how(
        out,
        "Components are the directions in which the latents vary, the strongest first, as in "
        "a principal component analysis. Bars of equal height mean a sphere (eccentricity 0); "
        "the more steeply they fall, the fewer components carry most of the variance. The table "
        "has two shares: of the variance of the latents, and of the variance of the data, "
        "which is how much better the reconstructions of the training items become when a "
        "component is added to those before it.");
    ECC_TRY(put_chart(out, c, error));
    fprintf(out,
            "<p>Of %s training items: eccentricity <b>%.4f</b>, trace <b>%.4f</b>, effective "
            "rank <b>%.2f</b> of %zu.</p>\n",
            ecc_report_count(items, c->count), c->eccentricity, c->trace, c->effective_rank, c->d);
    const size_t seen = c->d <= ROWS + 4 ? c->d : ROWS;
    put_rows(out, c, 0, seen);
    if (seen == c->d) return ECC_OK;
    fprintf(out, "<details><summary>The other %zu components</summary>\n", c->d - seen);
    put_rows(out, c, seen, c->d);
    fputs("</details>\n", out);
    return ECC_OK;
}

const struct ecc_report_part ecc_part_spectrum = {"spectrum", "Spectrum", write_spectrum};
