/* part_classes.c: how well the latents predict classes or attributes, compared with baselines. */
#include "report/part.h"

#include <math.h>

enum { STUMPS = 12 };

/* ---- Errors --------------------------------------------------------------------------------- */

/* Error, balanced error and macro F1 of one way to see the items. */
struct shown {
    const char *name, *note;
    double error, balanced, f1;
};

static void put_error(FILE *out, const struct shown *s, double largest)
{
    if (isnan(s->error)) return;
    fprintf(out, "<tr><th scope=\"row\">%s</th><td", s->name);
    if (s->error <= largest) {
        fprintf(out, " class=\"bar\" style=\"--t:%.1f%%\"", 100 * s->error / fmax(largest, 1e-300));
    }
    fprintf(out, ">%.2f %%</td><td>%.2f %%</td><td>%.3f</td><td>%s</td></tr>\n", 100 * s->error,
            100 * s->balanced, s->f1, s->note);
}

/* How many numbers per item has, and which of the items were used. */
static const char *pixels_note(char text[120], const struct ecc_classification *c)
{
    const struct ecc_classify_view *const v = &c->views[ECC_VIEW_PIXELS];
    const int length = snprintf(text, 120, "%zu number%s per item", v->d, ecc_s(v->d));
    if (v->items < c->items || v->test_items < c->test_items) {
        snprintf(text + length, 120 - (size_t)length, "; %zu items classify %zu", v->items,
                 v->test_items);
    }
    return text;
}

static struct shown show_view(const struct ecc_classification *c,
                              const struct ecc_classify_row *row, size_t view, const char *note)
{
    return (struct shown){c->views[view].name, note, row->error[view], row->balanced[view],
                          row->f1[view]};
}

static void put_errors(FILE *out, const struct ecc_report *page)
{
    static const char *const heads[] = {"nearest neighbours in", "error", "balanced error",
                                        "macro F1", ""};
    const struct ecc_classification *const c = &page->classes;
    const struct ecc_classify_row *const row = ecc_report_errors(page);
    char latents[120], pixels[120];
    snprintf(latents, sizeof latents, "%zu number%s per item", c->latent, ecc_s(c->latent));
    const struct shown rows[] = {
        show_view(c, row, ECC_VIEW_LATENTS, latents),
        show_view(c, row, ECC_VIEW_PCA, "the same number of ordinary principal components"),
        show_view(c, row, ECC_VIEW_PIXELS, pixels_note(pixels, c)),
        {"majority",
         c->attributes ? "always the more frequent answer" : "always the most frequent class",
         row->majority, row->majority_balanced, row->majority_f1},
    };
    double most = 0;
    for (size_t v = 0; v < ECC_VIEWS; v++) most = fmax(most, row->error[v]);
    fputs("<div class=\"scroll\"><table class=\"errors\">\n", out);
    ecc_html_heads(out, heads, 5, "-nnn-");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) put_error(out, &rows[i], most);
    fputs(
        "</table></div>\n<p class=\"small\">The balanced error is the mean of the classes' errors, "
        "and macro F1 the mean of their F1: rare classes count as much as frequent ones.</p>\n",
        out);
}

/* ---- Single components ---------------------------------------------------------------------- */

/* How often the answer is right without and with the component, or why that says nothing. */
static void put_verdict(FILE *out, const struct ecc_stump *s)
{
    if (s->verdict == ECC_STUMP_TELLS) {
        fprintf(out, "<td>%.1f %%</td><td>%.1f %%</td>", 100 * s->majority, 100 * s->accuracy);
    } else if (s->verdict == ECC_STUMP_SAME_ANSWER) {
        fputs("<td colspan=\"2\" class=\"t\">same answer on both sides</td>", out);
    } else {
        const bool rare = s->having < s->lacking;
        fprintf(out,
                "<td colspan=\"2\" class=\"t\">only %zu labelled and %zu test items %s it</td>",
                rare ? s->having : s->lacking, rare ? s->test_having : s->test_lacking,
                rare ? "have" : "lack");
    }
}

static void put_stump_rows(FILE *out, const struct ecc_classification *c, size_t from, size_t to)
{
    const char *const heads[] = {c->attributes ? "attribute" : "class",
                                 "component",
                                 "information",
                                 "share below",
                                 "share above",
                                 "right without it",
                                 "right with it"};
    const double best = c->stumps[c->ranking[0]].gain;
    fputs("<div class=\"scroll\"><table>\n", out);
    ecc_html_heads(out, heads, 7, "--nnnnn");
    for (size_t i = from; i < to; i++) {
        const struct ecc_stump *const s = &c->stumps[c->ranking[i]];
        ecc_html_in(out, "<tr><th scope=\"row\">", c->names[c->ranking[i]], "</th>");
        fprintf(out,
                "<td class=\"t\">p%zu</td><td class=\"bar\" style=\"--t:%.1f%%\">%.3f bits</td>"
                "<td>%.1f %%</td><td>%.1f %%</td>",
                s->component + 1, 100 * s->gain / fmax(best, 1e-300), s->gain, 100 * s->below,
                100 * s->above);
        put_verdict(out, s);
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

static void put_stumps(FILE *out, const struct ecc_classification *c)
{
    if (c->name_count == 0) return;
    fprintf(out,
            "<h3>What single components predict</h3>\n<p class=\"how\">For each %s, the component "
            "that predicts it best when it is split at one threshold, the share of it on either "
            "side, and how often the answer is right.</p>\n",
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

static void put_classes(FILE *out, const struct ecc_report *page,
                        const struct ecc_classify_row *row)
{
    const struct ecc_classification *const c = &page->classes;
    char test[32], train[32], text[500], words[ECC_SEEN_WORDS];
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
        return;
    }
    ecc_report_confusions(out, c);
    put_stumps(out, c);
}

static enum ecc_status write_classes(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    const struct ecc_classify_row *const row = ecc_report_errors(page);
    if (row) put_classes(out, page, row);
    if (!row && page->classes.number_count == 0) ecc_report_missing(out, &page->no_classes);
    return ecc_report_numbers(out, &page->classes, error);
}

const struct ecc_report_part ecc_part_classes = {"classes", "Classification", write_classes};
