/* part_components.c: what the components mean: images along them, or what they do to columns. */
#include "report/part.h"
#include "show/item_output.h"
#include "show/pictures.h"

#include <math.h>
#include <stdlib.h>

enum { STRIPS = 12, STEPS = 9, LOADINGS = 10, COLUMNS = 40 };
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
        if (status == ECC_OK) status = ecc_report_sheet(out, m, x, STEPS, STEPS, alt, error);
        fputs("</p>\n", out);
    }
    fputs("</div>\n", out);
    free(z);
    free(x);
    return status;
}

/* ---- Tables --------------------------------------------------------------------------------- */

/* Columns that components move most, as numbers in *list: [count], by falling largest loading. */
static void rank_columns(size_t *list, size_t count, const double *loadings, size_t components,
                         size_t size)
{
    size_t found = 0;
    for (size_t j = 0; j < size; j++) {
        double own = 0;
        for (size_t l = 0; l < components; l++) own = fmax(own, fabs(loadings[l * size + j]));
        size_t at = found < count ? found++ : count;
        for (; at > 0; at--) {
            double before = 0;
            for (size_t l = 0; l < components; l++) {
                before = fmax(before, fabs(loadings[l * size + list[at - 1]]));
            }
            if (before >= own) break;
            if (at < count) list[at] = list[at - 1];
        }
        if (at < count) list[at] = j;
    }
}

static void put_loading_rows(FILE *out, const struct ecc_report *page, const double *loadings,
                             const size_t *columns, size_t column_count, size_t count)
{
    const size_t size = page->model->size;
    double most = 1e-300;
    for (size_t i = 0; i < count * size; i++) most = fmax(most, fabs(loadings[i]));
    fputs("<div class=\"scroll\"><table class=\"heat\">\n<tr><th scope=\"col\">column</th>", out);
    for (size_t l = 0; l < count; l++) {
        fprintf(out, "<th scope=\"col\" class=\"n\">p%zu<br><small>%.1f %%</small></th>", l + 1,
                100 * page->components.explained[l]);
    }
    fputs("</tr>\n", out);
    for (size_t i = 0; i < column_count; i++) {
        char name[32];
        ecc_html_in(out, "<tr><th scope=\"row\">", ecc_report_column(name, page->model, columns[i]),
                    "</th>");
        for (size_t l = 0; l < count; l++) {
            const double value = loadings[l * size + columns[i]];
            fputs("<td", out);
            ecc_report_tint(out, value / most);
            const char *const sign = fabs(value) < 0.005 ? "" : value < 0 ? "−" : "+";
            fprintf(out, ">%s%.2f</td>", sign, fabs(value));
        }
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

static enum ecc_status put_loadings(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    const size_t d = page->model->d, size = page->model->size;
    const size_t count = d < LOADINGS ? d : LOADINGS, shown = size < COLUMNS ? size : COLUMNS;
    double *const loadings = malloc(count * size * sizeof *loadings);
    size_t *const list = malloc(count * sizeof *list), *const columns = calloc(shown, sizeof *list);
    enum ecc_status status =
        loadings && list && columns ? ECC_OK : ecc_fail_memory(error, "the loadings");
    if (status == ECC_OK) {
        for (size_t l = 0; l < count; l++) list[l] = l;
        status = ecc_model_loadings(page->model, &page->components, loadings, list, count,
                                    deviations, error);
    }
    if (status == ECC_OK) {
        rank_columns(columns, shown, loadings, count, size);
        put_loading_rows(out, page, loadings, columns, shown, count);
    }
    if (status == ECC_OK && shown < size) {
        fprintf(out,
                "<p class=\"small\">The %zu of %zu columns that these components change most."
                "</p>\n",
                shown, size);
    }
    free(loadings);
    free(list);
    free(columns);
    return status;
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
            out, "Each row shows how the components change one column of the table: by how many of "
                 "the column's standard deviations it changes from the mean to two deviations "
                 "along the component. Red means that it rises, blue that it falls.");
        return put_loadings(out, page, error);
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
