/* confusions.c: which classes are taken for which: a matrix of few, the worst pairs of many. */
#include "report/part.h"

#include <math.h>

enum { MATRIX = 16, PAIRS = 10 };

static double row_total(const struct ecc_classification *c, size_t row)
{
    size_t sum = 0;
    for (size_t k = 0; k < c->name_count; k++) sum += c->confusion[row * c->name_count + k];
    return fmax(1, (double)sum);
}

/* The largest share of a class that is taken for another one. */
static double largest_share(const struct ecc_classification *c)
{
    const size_t n = c->name_count;
    double most = 1e-300;
    for (size_t r = 0; r < n; r++) {
        const double total = row_total(c, r);
        for (size_t k = 0; k < n; k++) {
            if (r != k) most = fmax(most, (double)c->confusion[r * n + k] / total);
        }
    }
    return most;
}

static void put_matrix(FILE *out, const struct ecc_classification *c)
{
    const size_t n = c->name_count;
    const double most = largest_share(c);
    fputs("<h3>Confusions</h3>\n<p class=\"how\">Rows are the true classes, columns the answers of "
          "the neighbours; the numbers are items. Mistakes are red, the redder the larger their "
          "share of the class.</p>\n"
          "<div class=\"scroll\"><table class=\"heat matrix\">\n<tr><td></td>",
          out);
    for (size_t k = 0; k < n; k++) {
        ecc_html_in(out, "<th scope=\"col\" class=\"n\">", c->names[k], "</th>");
    }
    fputs("</tr>\n", out);
    for (size_t r = 0; r < n; r++) {
        const double total = row_total(c, r);
        ecc_html_in(out, "<tr><th scope=\"row\">", c->names[r], "</th>");
        for (size_t k = 0; k < n; k++) {
            const size_t items = c->confusion[r * n + k];
            fputs(r == k ? "<td class=\"right\"" : "<td", out);
            if (r != k) ecc_report_tint(out, (double)items / total / most);
            fprintf(out, items > 0 ? ">%zu</td>" : "></td>", items);
        }
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

static void put_pairs(FILE *out, const struct ecc_classification *c)
{
    static const char *const heads[] = {"class", "taken for", "times", "of"};
    fputs("<h3>The most frequent mistakes</h3>\n<div class=\"scroll\"><table>\n", out);
    ecc_html_heads(out, heads, 4, "--nn");
    for (size_t i = 0; i < c->pair_count && i < PAIRS; i++) {
        const struct ecc_confused_pair *const p = &c->pairs[i];
        ecc_html_in(out, "<tr><td class=\"t\">", c->names[p->truth], "</td>");
        ecc_html_in(out, "<td class=\"t\">", c->names[p->taken_for], "</td>");
        fprintf(out, "<td>%zu</td><td>%zu</td></tr>\n", p->items, p->of);
    }
    fputs("</table></div>\n", out);
}

void ecc_report_confusions(FILE *out, const struct ecc_classification *c)
{
    if (c->confusion && c->name_count <= MATRIX) {
        put_matrix(out, c);
    } else if (c->pair_count > 0) {
        put_pairs(out, c);
    }
}
