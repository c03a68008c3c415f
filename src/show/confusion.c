/* confusion.c: which classes are taken for which, as a picture or as a table. */
#include "base/file.h"
#include "base/place.h"
#include "figure/plot.h"
#include "show/classification.h"

#include <math.h>
#include <stdlib.h>

enum { SHOWN = 30 }; /* classes in a picture */

/* ---- Table ---------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"') putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

static enum ecc_status write_csv(const struct ecc_classification *c, const char *path,
                                 struct ecc_error *error)
{
    const size_t n = c->name_count;
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, path, error));
    fputs("class", output.stream);
    for (size_t k = 0; k < n; k++) {
        putc(',', output.stream);
        put_text(output.stream, c->names[k]);
    }
    putc('\n', output.stream);
    for (size_t r = 0; r < n; r++) {
        put_text(output.stream, c->names[r]);
        for (size_t k = 0; k < n; k++) fprintf(output.stream, ",%zu", c->confusion[r * n + k]);
        putc('\n', output.stream);
    }
    const enum ecc_status status = ecc_output_commit(&output, error);
    ecc_output_discard(&output);
    return status;
}

/* ---- Picture -------------------------------------------------------------------------------- */

/* classes: [SHOWN] to show: all, or those of the most frequent mistakes, in their order.  Returns
 * how many. */
static size_t choose_classes(size_t *classes, const struct ecc_classification *c)
{
    const size_t n = c->name_count;
    size_t count = 0;
    if (n <= SHOWN) {
        for (; count < n; count++) classes[count] = count;
        return count;
    }
    for (size_t p = 0; p < c->pair_count; p++) {
        const size_t both[] = {c->pairs[p].truth, c->pairs[p].taken_for};
        for (size_t side = 0; side < 2 && count < SHOWN; side++) {
            size_t at = 0;
            while (at < count && classes[at] != both[side]) at++;
            if (at == count) classes[count++] = both[side];
        }
    }
    for (size_t i = 1; i < count; i++) {
        for (size_t at = i; at > 0 && classes[at] < classes[at - 1]; at--) {
            const size_t class = classes[at];
            classes[at] = classes[at - 1];
            classes[at - 1] = class;
        }
    }
    return count;
}

struct matrix {
    double *shares;     /* [count, count] in percent of the class; NaN, grey: the right answers */
    const char **texts; /* [count, count] of items */
    const char **names; /* [count] */
};

static void fill(struct ecc_plot *plot, const struct matrix *m, const struct ecc_classification *c,
                 const size_t *classes, size_t count)
{
    const size_t n = c->name_count;
    for (size_t r = 0; r < count; r++) {
        const size_t *const row = c->confusion + classes[r] * n;
        double total = 0;
        for (size_t k = 0; k < n; k++) total += (double)row[k];
        for (size_t k = 0; k < count; k++) {
            const size_t items = row[classes[k]];
            const double share = total > 0 ? 100 * (double)items / total : 0;
            m->shares[r * count + k] = r == k ? (double)NAN : share;
            m->texts[r * count + k] = items > 0 ? ecc_plot_text(plot, "%zu", items) : "";
        }
        m->names[r] = c->names[classes[r]];
    }
}

static void describe(struct ecc_plot *plot, const struct ecc_classification *c, size_t count)
{
    const struct ecc_classify_row *const row = &c->rows[c->row_count - 1];
    const char *const part =
        count < c->name_count
            ? ecc_plot_text(plot, " · the %zu of %zu classes with the most frequent mistakes",
                            count, c->name_count)
            : "";
    plot->figure.caption =
        ecc_plot_text(plot, "%zu items · error %.1f %%, balanced %.1f %%, macro F1 %.2f%s",
                      c->test_items, 100 * row->error[ECC_VIEW_LATENTS],
                      100 * row->balanced[ECC_VIEW_LATENTS], row->f1[ECC_VIEW_LATENTS], part);
}

static enum ecc_status draw(const struct ecc_classification *c, const char *path,
                            struct ecc_error *error)
{
    size_t classes[SHOWN];
    const size_t count = choose_classes(classes, c);
    if (count == 0) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "there are no mistakes to draw: none of the %zu classes was taken for "
                        "another",
                        c->name_count);
    }
    struct ecc_plot plot;
    ecc_plot_start(&plot, "Confusions", 0, count > 8 ? 22 * (double)count : 0);
    const struct matrix m = {ecc_plot_numbers(&plot, count * count),
                             ecc_plot_names(&plot, count * count), ecc_plot_names(&plot, count)};
    if (m.shares && m.texts && m.names) fill(&plot, &m, c, classes, count);
    describe(&plot, c, count);
    struct ecc_heat *const heat = ecc_plot_heat(&plot, NULL, m.shares, count, count);
    heat->row_names = heat->column_names = m.names;
    heat->texts = m.texts;
    heat->from_zero = true;
    heat->row_label = "class";
    heat->column_label = "taken for";
    heat->scale_label = "mistakes, % of the class";
    return ecc_plot_write(&plot, path, error);
}

enum ecc_status ecc_show_confusion(const struct ecc_classification *c, const char *path,
                                   struct ecc_error *error)
{
    if (!c->confusion) {
        return c->row_count == 0
                   ? ecc_fail(error, ECC_BAD_DATA,
                              "there is no confusion matrix of numbers, expected classes")
                   : ecc_fail(error, ECC_BAD_DATA, "there is no confusion matrix of %zu %s",
                              c->name_count, c->attributes ? "attributes" : "classes");
    }
    return ecc_format_of(path) == ECC_FORMAT_CSV ? write_csv(c, path, error) : draw(c, path, error);
}
