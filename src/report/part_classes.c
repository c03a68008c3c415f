/* part_classes.c: how well the latents predict classes or attributes, compared with baselines. */
#include "report/part.h"

#include <math.h>

enum { MATRIX = 16, PAIRS = 10, STUMPS = 12 };

/* ---- Errors --------------------------------------------------------------------------------- */

static void put_error(FILE *out, const char *name, double error, double largest, const char *note)
{
    if (isnan(error)) return;
    fprintf(out, "<tr><th scope=\"row\">%s</th><td", name);
    if (error <= largest) {
        fprintf(out, " class=\"bar\" style=\"--t:%.1f%%\"", 100 * error / fmax(largest, 1e-300));
    }
    fprintf(out, ">%.2f %%</td><td>%s</td></tr>\n", 100 * error, note);
}

/* How many numbers per item has, and which of the items were used. */
static const char *pixels_note(char text[120], const struct ecc_classification *c)
{
    const struct ecc_classify_view *const v = &c->views[ECC_VIEW_PIXELS];
    const int length = snprintf(text, 120, "%zu numbers per item", v->d);
    if (v->items < c->items || v->test_items < c->test_items) {
        snprintf(text + length, 120 - (size_t)length, "; %zu items classify %zu", v->items,
                 v->test_items);
    }
    return text;
}

static void put_errors(FILE *out, const struct ecc_report *page)
{
    static const char *const heads[] = {"nearest neighbours in", "error", ""};
    const struct ecc_classification *const c = &page->classes;
    const struct ecc_classify_row *const row = ecc_report_errors(page);
    const double pca = row->error[ECC_VIEW_PCA], pixels = row->error[ECC_VIEW_PIXELS];
    const double most = fmax(row->error[ECC_VIEW_LATENTS], fmax(pca, pixels));
    char note[120];
    fputs("<div class=\"scroll\"><table class=\"errors\">\n", out);
    ecc_html_heads(out, heads, 3, "-n-");
    snprintf(note, sizeof note, "%zu numbers per item", c->latent);
    put_error(out, "latents", row->error[ECC_VIEW_LATENTS], most, note);
    put_error(out, "PCA", pca, most, "the same number of ordinary principal components");
    put_error(out, c->views[ECC_VIEW_PIXELS].name, pixels, most, pixels_note(note, c));
    put_error(out, "majority", row->majority, most,
              c->attributes ? "always the more frequent answer" : "always the most frequent class");
    fputs("</table></div>\n", out);
}

/* ---- Confusions ----------------------------------------------------------------------------- */

static double row_total(const struct ecc_classification *c, size_t row)
{
    size_t sum = 0;
    for (size_t k = 0; k < c->name_count; k++) sum += c->confusion[row * c->name_count + k];
    return fmax(1, (double)sum);
}

static void put_matrix(FILE *out, const struct ecc_classification *c)
{
    const size_t n = c->name_count;
    double most = 1e-300;
    for (size_t r = 0; r < n; r++) {
        const double total = row_total(c, r);
        for (size_t k = 0; k < n; k++) {
            if (r != k) most = fmax(most, (double)c->confusion[r * n + k] / total);
        }
    }
    fputs("<h3>Confusions</h3>\n<p class=\"how\">Rows are the true classes, columns the answers of "
          "the neighbours, in percent of the row. Mistakes are red.</p>\n"
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
            const double share = (double)c->confusion[r * n + k] / total;
            fputs(r == k ? "<td class=\"right\"" : "<td", out);
            if (r != k) ecc_report_tint(out, share / most);
            fprintf(out, share > 0 ? ">%.1f</td>" : "></td>", 100 * share);
        }
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

/* With many classes, only the most frequent mistakes. */
static void put_pairs(FILE *out, const struct ecc_classification *c)
{
    static const char *const heads[] = {"class", "mistaken for", "items"};
    const size_t n = c->name_count;
    fputs("<h3>The most frequent mistakes</h3>\n<div class=\"scroll\"><table>\n", out);
    ecc_html_heads(out, heads, 3, "--n");
    size_t below = SIZE_MAX;
    size_t after = 0; /* among equals, those after this one */
    for (size_t p = 0; p < PAIRS; p++) {
        size_t best = n * n;
        for (size_t i = 0; i < n * n; i++) {
            const size_t v = c->confusion[i];
            if (i / n == i % n || v > below || (v == below && i <= after)) continue;
            if (best == n * n || v > c->confusion[best]) best = i;
        }
        if (best == n * n || c->confusion[best] == 0) break;
        below = c->confusion[best];
        after = best;
        ecc_html_in(out, "<tr><td class=\"t\">", c->names[best / n], "</td>");
        ecc_html_in(out, "<td class=\"t\">", c->names[best % n], "</td>");
        fprintf(out, "<td>%zu</td></tr>\n", below);
    }
    fputs("</table></div>\n", out);
}

/* ---- Single components ---------------------------------------------------------------------- */

static void put_stump_rows(FILE *out, const struct ecc_classification *c, size_t from, size_t to)
{
    const char *const heads[] = {c->attributes ? "attribute" : "class", "component", "information",
                                 "correct without it", "correct with it"};
    const double best = c->stumps[c->ranking[0]].gain;
    fputs("<div class=\"scroll\"><table>\n", out);
    ecc_html_heads(out, heads, 5, "--nnn");
    for (size_t i = from; i < to; i++) {
        const struct ecc_stump *const s = &c->stumps[c->ranking[i]];
        ecc_html_in(out, "<tr><th scope=\"row\">", c->names[c->ranking[i]], "</th>");
        fprintf(out,
                "<td class=\"t\">p%zu</td><td class=\"bar\" style=\"--t:%.1f%%\">%.3f bits</td>"
                "<td>%.1f %%</td><td>%.1f %%</td></tr>\n",
                s->component + 1, 100 * s->gain / fmax(best, 1e-300), s->gain, 100 * s->majority,
                100 * s->accuracy);
    }
    fputs("</table></div>\n", out);
}

static void put_stumps(FILE *out, const struct ecc_classification *c)
{
    if (c->name_count == 0) return;
    fprintf(out,
            "<h3>What single components predict</h3>\n<p class=\"how\">For each %s, the component "
            "that predicts it best when it is split at one threshold, and how often that "
            "prediction is right.</p>\n",
            c->attributes ? "attribute" : "class (against all others)");
    const size_t seen = c->name_count <= STUMPS + 4 ? c->name_count : STUMPS;
    put_stump_rows(out, c, 0, seen);
    if (seen == c->name_count) return;
    fprintf(out, "<details><summary>The other %zu</summary>\n", c->name_count - seen);
    put_stump_rows(out, c, seen, c->name_count);
    fputs("</details>\n", out);
}

/* ---- Attributes ----------------------------------------------------------------------------- */

static void put_targets(FILE *out, const struct ecc_classification *c)
{
    static const char *const heads[] = {"attribute", "error from latents", "error of the majority"};
    const double *const errors = c->views[ECC_VIEW_LATENTS].target_errors;
    fprintf(out,
            "<details><summary>Errors of the neighbours for each of %zu attributes</summary>"
            "<div class=\"scroll\"><table>\n",
            c->target_count);
    ecc_html_heads(out, heads, 3, "-nn");
    for (size_t t = 0; t < c->target_count; t++) {
        ecc_html_in(out, "<tr><th scope=\"row\">", c->names[t], "</th>");
        fprintf(out, "<td>%.2f %%</td><td>%.2f %%</td></tr>\n", 100 * errors[t],
                100 * c->target_majority[t]);
    }
    fputs("</table></div></details>\n", out);
}

static enum ecc_status write_classes(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    (void)error;
    const struct ecc_classification *const c = &page->classes;
    char test[32], train[32], text[500], words[ECC_SEEN_WORDS];
    const struct ecc_classify_row *const row = ecc_report_errors(page);
    if (!row) {
        ecc_report_missing(out, &page->no_classes);
        return ECC_OK;
    }
    snprintf(text, sizeof text,
             "The training used no labels. Here %s %s are %s by a vote of their %zu "
             "nearest neighbours among %s labelled items: the fewer mistakes, the better the "
             "latents separate the classes.",
             ecc_report_count(test, c->test_items), ecc_seen_words(words, &c->seen),
             c->attributes ? "given their attributes" : "classified", row->parameter,
             ecc_report_count(train, c->items));
    ecc_report_how(out, text);
    put_errors(out, page);
    if (c->attributes) {
        fprintf(out, "<p class=\"small\">Means over %zu attributes.</p>\n", c->target_count);
        put_stumps(out, c);
        put_targets(out, c);
        return ECC_OK;
    }
    if (c->name_count <= MATRIX) {
        put_matrix(out, c);
    } else {
        put_pairs(out, c);
    }
    put_stumps(out, c);
    return ECC_OK;
}

const struct ecc_report_part ecc_part_classes = {"classes", "Classification", write_classes};
