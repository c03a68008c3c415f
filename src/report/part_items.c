/* part_items.c: items beside their reconstructions, and new items. */
#include "latent/sampler.h"
#include "report/part.h"
#include "show/item_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 12, SAMPLED_ROWS = 8, TABLE_COLUMNS = 16, KEPT_COLUMNS = 12 };

/* ---- Reconstructions ------------------------------------------------------------------------ */

/* Two rows for every COLUMNS items: as they are, and what became of them. */
static enum ecc_status put_pairs(FILE *out, const struct ecc_report *page, struct ecc_error *error)
{
    const size_t size = page->model->size;
    float *const x = malloc((2 * COLUMNS * size + 1) * sizeof *x);
    enum ecc_status status = x ? ECC_OK : ecc_fail_memory(error, "the reconstructions");
    for (size_t i = 0; status == ECC_OK && i < page->kept_n; i += COLUMNS) {
        const size_t n = page->kept_n - i < COLUMNS ? page->kept_n - i : COLUMNS;
        memcpy(x, page->x + i * size, n * size * sizeof *x);
        memcpy(x + n * size, page->y + i * size, n * size * sizeof *x);
        fputs("<p class=\"strip\"><span class=\"name two\"><span>item</span>"
              "<span>reconstruction</span></span>",
              out);
        status = ecc_html_tiles(out, x, page->model->shape, 2 * n, n,
                                "Items in the upper row, their reconstructions below", error);
        fputs("</p>\n", out);
    }
    free(x);
    return status;
}

static void put_column_rows(FILE *out, const struct ecc_report *page, size_t from, size_t to)
{
    static const char *const heads[] = {"column", "mean", "deviation", "variance kept"};
    const struct ecc_scaling *const scaling = &page->model->scaling;
    fputs("<div class=\"scroll\"><table>\n", out);
    ecc_html_heads(out, heads, 4, "-nnn");
    for (size_t j = from; j < to; j++) {
        char name[32];
        const double kept = page->column_kept[j];
        ecc_html_in(out, "<tr><th scope=\"row\">", ecc_report_column(name, page->model, j),
                    "</th>");
        fprintf(out, "<td>%.4g</td><td>%.4g</td>", scaling->mean[j], scaling->deviation[j]);
        if (isfinite(kept)) {
            fprintf(out, "<td class=\"bar\" style=\"--t:%.1f%%\">%.1f %%</td></tr>\n",
                    100 * fmax(0, kept), 100 * kept);
        } else {
            fputs("<td>never changes</td></tr>\n", out);
        }
    }
    fputs("</table></div>\n", out);
}

static void put_columns(FILE *out, const struct ecc_report *page)
{
    const size_t columns = page->model->scaling.columns;
    const size_t seen = columns <= KEPT_COLUMNS + 4 ? columns : KEPT_COLUMNS;
    put_column_rows(out, page, 0, seen);
    if (seen == columns) return;
    fprintf(out, "<details><summary>The other %zu columns</summary>\n", columns - seen);
    put_column_rows(out, page, seen, columns);
    fputs("</details>\n", out);
}

static void put_measured(FILE *out, const struct ecc_report *page)
{
    char count[32], words[ECC_SEEN_WORDS];
    fprintf(out, "<p>Over %s %s: mean squared error <b>%.5f</b>",
            ecc_report_count(count, page->measured), ecc_report_items(words, page), page->error);
    if (page->kept < 0) {
        fputs("; the mean of the items would do better", out);
    } else if (isfinite(page->kept)) {
        fprintf(out,
                "; the reconstructions keep <b>%.1f %%</b> of the variance between items, "
                "about their own mean",
                100 * page->kept);
    }
    fputs(".</p>\n", out);
}

static enum ecc_status write_reconstructions(FILE *out, struct ecc_report *page,
                                             struct ecc_error *error)
{
    const struct ecc_model *const m = page->model;
    if (!page->items.data) {
        ecc_report_missing(out, &page->no_items);
        return ECC_OK;
    }
    const bool drawable = ecc_model_drawable(m);
    char text[400];
    snprintf(text, sizeof text,
             "The network reconstructs each item from its %zu latent number%s alone; %s. The "
             "closer a reconstruction is to its item, the more of it is kept.",
             m->d, ecc_s(m->d),
             drawable ? "each item is shown above its reconstruction"
                      : "the table shows how much of each column's variance is kept, below 0 where "
                        "the mean would do better");
    ecc_report_how(out, text);
    put_measured(out, page);
    if (m->scaling.columns > 0) put_columns(out, page);
    return drawable ? put_pairs(out, page, error) : ECC_OK;
}

const struct ecc_report_part ecc_part_reconstructions = {"reconstructions", "Reconstructions",
                                                         write_reconstructions};

/* ---- Samples -------------------------------------------------------------------------------- */

static enum ecc_status sample(struct ecc_report *page, float *x, size_t n, struct ecc_error *error)
{
    const struct ecc_sampler sampler =
        ecc_model_sampler(page->model, &page->components, page->seed);
    float *const z = malloc(n * page->model->d * sizeof *z);
    if (!z) return ecc_fail_memory(error, "the samples");
    enum ecc_status status = ecc_sampler_draw(&sampler, z, 0, n, error);
    if (status == ECC_OK) status = ecc_model_decode(page->model, x, z, n, error);
    free(z);
    return status;
}

static void put_row(FILE *out, const char *name, const double *values, size_t n)
{
    fprintf(out, "<tr><th scope=\"row\">%s</th>", name);
    for (size_t j = 0; j < n; j++) fprintf(out, "<td>%.4g</td>", values[j]);
    fputs("</tr>\n", out);
}

/* x: [SAMPLED_ROWS, columns] standardised */
static enum ecc_status put_sampled_rows(FILE *out, const struct ecc_report *page, const float *x,
                                        struct ecc_error *error)
{
    const struct ecc_model *const m = page->model;
    const size_t shown = m->size < TABLE_COLUMNS ? m->size : TABLE_COLUMNS;
    double *const values = malloc(SAMPLED_ROWS * m->size * sizeof *values);
    if (!values) return ecc_fail_memory(error, "the sampled rows");
    ecc_model_unscale(m, values, x, SAMPLED_ROWS);
    fputs("<div class=\"scroll\"><table>\n<tr><td></td>", out);
    for (size_t j = 0; j < shown; j++) {
        char name[32];
        ecc_html_in(out, "<th scope=\"col\" class=\"n\">", ecc_report_column(name, m, j), "</th>");
    }
    fputs("</tr>\n", out);
    for (size_t i = 0; i < SAMPLED_ROWS; i++) {
        char name[32];
        snprintf(name, sizeof name, "sample %zu", i + 1);
        put_row(out, name, values + i * m->size, shown);
    }
    put_row(out, "mean of the data", m->scaling.mean, shown);
    put_row(out, "deviation", m->scaling.deviation, shown);
    fputs("</table></div>\n", out);
    if (shown < m->size) {
        fprintf(out, "<p class=\"small\">The first %zu of %zu columns.</p>\n", shown, m->size);
    }
    free(values);
    return ECC_OK;
}

static enum ecc_status write_samples(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    const struct ecc_model *const m = page->model;
    const bool table = m->scaling.columns > 0, drawable = ecc_model_drawable(m);
    const bool sphere = ecc_model_radius(m) > 0;
    if (page->components.d == 0) {
        ecc_report_missing(out, &page->no_components);
        return ECC_OK;
    }
    if (!table && !drawable) {
        ecc_report_how(out, "The items have neither 1 nor 3 channels, so they cannot be drawn.");
        return ECC_OK;
    }
    const size_t columns = m->shape.width <= 40 ? 16 : 10, n = table ? SAMPLED_ROWS : columns * 5;
    float *const x = malloc(n * m->size * sizeof *x);
    if (!x) return ecc_fail_memory(error, "the samples");
    enum ecc_status status = sample(page, x, n, error);
    ecc_report_how(out, sphere ? "New items: latents drawn at random from the sphere that all "
                                 "latents lie on, then decoded. They are not hand-picked."
                               : "New items: latents drawn at random from the Gaussian with the "
                                 "mean and covariance of the training latents, then decoded. They "
                                 "are not hand-picked.");
    if (status == ECC_OK && table) status = put_sampled_rows(out, page, x, error);
    if (status == ECC_OK && !table) {
        char alt[120];
        snprintf(alt, sizeof alt, "%zu images sampled from %s", n,
                 sphere ? "the sphere" : "the fitted Gaussian");
        fputs("<figure>", out);
        status = ecc_html_tiles(out, x, m->shape, n, columns, alt, error);
        fputs("</figure>\n", out);
    }
    free(x);
    return status;
}

const struct ecc_report_part ecc_part_samples = {"samples", "Samples", write_samples};
