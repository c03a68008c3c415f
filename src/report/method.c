/* method.c: numbers that only some methods have: codes used, singular values, what was learned. */
#include "report/part.h"

#include <math.h>

/* What it has learned. */
static void put_figures(FILE *out, const struct ecc_regularizer_figure *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "<p>%c%s: <b>%.5g</b>.</p>\n", list[i].name[0] - 'a' + 'A', list[i].name + 1,
                list[i].value);
    }
}

static void put_codes(FILE *out, const struct ecc_report *page)
{
    const struct ecc_code_use *const c = &page->codes;
    char used[32], items[32], words[ECC_SEEN_WORDS];
    fprintf(out, "<p>Codes used: <b>%s</b> of %.10g, by %s %s; ", ecc_report_count(used, c->used),
            c->codes, ecc_report_count(items, c->items), ecc_report_items(words, page));
    if (c->dim == 1) {
        fputs("each latent is a code.</p>\n", out);
    } else if (c->dim == page->model->d) {
        fputs("the latents of an item together are one code.</p>\n", out);
    } else {
        fprintf(out, "%zu latents together are a code, so that an item has %zu of them.</p>\n",
                c->dim, page->model->d / c->dim);
    }
}

/* Those of a product that learned a low rank fall by orders of magnitude. */
static enum ecc_status put_singular_values(FILE *out, const struct ecc_report *page,
                                           struct ecc_error *error)
{
    const size_t d = page->model->d;
    const double *const values = page->singular_values;
    const struct ecc_series series = {.y = values, .n = d, .mark = ECC_MARK_BARS};
    const struct ecc_chart chart = {
        .x = {"singular value, largest first", 0.4, (double)d + 0.6, .whole = true},
        .y = {"", 0, 1.08 * fmax(values[0], 1e-12)},
        .series = &series,
        .series_count = 1};
    char words[200];
    size_t large = 0;
    for (size_t k = 0; k < d; k++) large += values[k] > 0.01 * values[0];
    snprintf(words, sizeof words, "%zu singular values, falling from %.3g to %.3g", d, values[0],
             values[d - 1]);
    fprintf(out,
            "<p>Singular values of the product of its linear layers: <b>%zu</b> of %zu are above a "
            "hundredth of the largest, %.4g. They are the directions that the decoder can "
            "see.</p>\n<figure class=\"wide\">",
            large, d, values[0]);
    ECC_TRY(ecc_chart_inline(out, &chart, 420, 172, words, error));
    fputs("</figure>\n", out);
    return ECC_OK;
}

enum ecc_status ecc_report_method(FILE *out, const struct ecc_report *page, struct ecc_error *error)
{
    const struct ecc_model *const m = page->model;
    const struct ecc_regularizer_plan *const plan = &m->regularizer;
    struct ecc_regularizer_figure list[ECC_REGULARIZER_TERMS];
    const size_t count =
        plan->entry->figures ? plan->entry->figures(list, plan->own, plan->values) : 0;
    if (count == 0 && !(page->codes.codes > 0) && !page->singular_values) return ECC_OK;
    ecc_html_in(out, "<h3>The method: ", m->options.regularizer, "</h3>\n");
    ecc_html_in(out, "<p>", plan->entry->summary, ".</p>\n");
    put_figures(out, list, count);
    if (page->codes.codes > 0) put_codes(out, page);
    return page->singular_values ? put_singular_values(out, page, error) : ECC_OK;
}
