/* part_components.c: what the components mean: images along them, or what they do to columns. */
#include "eccentric_show.h"

#include "latent/walk.h"
#include "report/part.h"
#include "show/item_output.h"

#include <math.h>
#include <stdlib.h>

enum { STRIPS = 12, STEPS = 9, COMPONENTS = 10, COLUMNS = 40, WORDS = 6 };
static const double deviations = 2;

/* ---- Images --------------------------------------------------------------------------------- */

static enum ecc_status put_strips(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    struct ecc_model *const m = page->model;
    const struct ecc_components *const c = &page->components;
    const size_t count = m->d < STRIPS ? m->d : STRIPS;
    float *const z = malloc(STEPS * m->d * sizeof *z);
    float *const x = malloc(STEPS * m->size * sizeof *x);
    enum ecc_status status = z && x ? ECC_OK : ecc_fail_memory(error, "the strips");
    fputs("<div class=\"strips\"><p class=\"strip ends\" aria-hidden=\"true\"><span></span>"
          "<span class=\"scale\"><span>−2 deviations</span><span>mean</span>"
          "<span>+2 deviations</span></span></p>\n",
          out);
    for (size_t k = 0; status == ECC_OK && k < count; k++) {
        char alt[120];
        ecc_walk_strip(c, z, k, STEPS, deviations);
        status = ecc_model_decode(m, x, z, STEPS, error);
        snprintf(alt, sizeof alt,
                 "Component p%zu: the decoder's image from minus two to plus two deviations",
                 k + 1);
        fprintf(out, "<p class=\"strip\"><span class=\"name\"><b>p%zu</b> %.1f %%</span>", k + 1,
                100 * c->explained[k]);
        if (status == ECC_OK) status = ecc_html_tiles(out, x, m->shape, STEPS, STEPS, alt, error);
        fputs("</p>\n", out);
    }
    fputs("</div>\n", out);
    free(z);
    free(x);
    return status;
}

/* ---- Tables --------------------------------------------------------------------------------- */

/* A change with a true minus. */
static void put_change(FILE *out, const struct ecc_meaning *m, size_t at, size_t column)
{
    char number[48];
    ecc_meaning_number(number, sizeof number, &m->columns[column], m->change[at]);
    fputs(number[0] == '-' ? "−" : "", out);
    ecc_html_text(out, number + (number[0] == '-'));
}

/* Each component in words. */
static void put_words(FILE *out, const struct ecc_meaning *m, const struct ecc_components *c)
{
    fputs("<dl class=\"meaning\">\n", out);
    for (size_t l = 0; l < m->count; l++) {
        char words[1000];
        fprintf(out, "<dt>p%zu <small>%.1f %%</small></dt>", l + 1, 100 * c->explained[l]);
        ecc_html_in(out, "<dd>", ecc_meaning_words(words, sizeof words, m, l, WORDS), "</dd>\n");
    }
    fputs("</dl>\n", out);
}

static void put_rows(FILE *out, const struct ecc_meaning *m, const size_t *columns, size_t count)
{
    const size_t n = m->column_count;
    double most = 1e-300;
    for (size_t i = 0; i < m->count * n; i++) most = fmax(most, fabs(m->standard[i]));
    for (size_t i = 0; i < count; i++) {
        ecc_html_in(out, "<tr><th scope=\"row\">", m->columns[columns[i]].name, "</th>");
        for (size_t l = 0; l < m->count; l++) {
            const size_t at = l * n + columns[i];
            fputs("<td", out);
            ecc_report_tint(out, m->standard[at] / most);
            fputc('>', out);
            put_change(out, m, at, columns[i]);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
}

static void put_table(FILE *out, const struct ecc_meaning *m)
{
    size_t columns[COLUMNS];
    const size_t count = ecc_meaning_columns(columns, m, COLUMNS);
    fputs("<div class=\"scroll\"><table class=\"heat\">\n<tr><th scope=\"col\">column</th>", out);
    for (size_t l = 0; l < m->count; l++) {
        fprintf(out, "<th scope=\"col\" class=\"n\">p%zu</th>", l + 1);
    }
    fputs("</tr>\n", out);
    put_rows(out, m, columns, count);
    fputs("</table></div>\n", out);
    if (count == m->column_count) return;
    fprintf(out,
            "<p class=\"small\">The %zu of %zu columns that these components change most.</p>\n",
            count, m->column_count);
}

static enum ecc_status put_meaning(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    static const size_t FIRST[COMPONENTS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const size_t d = page->model->d;
    const struct ecc_meaning_options options = {FIRST, d < COMPONENTS ? d : COMPONENTS, 1};
    struct ecc_meaning meaning;
    ECC_TRY(ecc_model_meaning(&meaning, page->model, &page->components, &options, error));
    put_words(out, &meaning, &page->components);
    put_table(out, &meaning);
    ecc_meaning_release(&meaning);
    return ECC_OK;
}

static enum ecc_status write_components(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    const struct ecc_model *const m = page->model;
    if (page->components.d == 0) {
        ecc_report_missing(out, &page->no_components);
        return ECC_OK;
    }
    if (m->scaling.columns > 0) {
        ecc_report_how(
            out,
            "How the columns of the table change along each component, in their own units, for "
            "one deviation more of it: those that change most, then a table. Red means that a "
            "column rises, blue that it falls; the darker, the more of its own deviations. "
            "The percentage is the component's share of the latents' variance.");
        return put_meaning(out, page, error);
    }
    if (!ecc_model_drawable(m)) {
        ecc_report_how(out, "The items have neither 1 nor 3 channels, so they cannot be drawn.");
        return ECC_OK;
    }
    ecc_report_how(out, "Eigen-images: each row moves along one component, with the mean in the "
                        "middle. What changes from left to right is what the component means. The "
                        "percentage is its share of the latents' variance.");
    ECC_TRY(put_strips(out, page, error));
    if (m->d > STRIPS) {
        fprintf(out, "<p class=\"small\">The %d strongest of %zu components.</p>\n", STRIPS, m->d);
    }
    return ECC_OK;
}

const struct ecc_report_part ecc_part_components = {"components", "What the components mean",
                                                    write_components};
