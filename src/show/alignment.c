/* alignment.c: the correlations between components of two runs, as they are and aligned. */
#include "eccentric_show.h"
#include "figure/plot.h"
#include "model/seen.h"

enum { SHOWN = 3 }; /* pairs */

/* One of the two heat maps of a pair. */
static void draw_side(struct ecc_plot *plot, const struct ecc_run_pair *pair, bool aligned)
{
    const struct ecc_alignment *const l = &pair->alignment;
    const char **const rows = ecc_plot_names(plot, l->d);
    const char **const columns = ecc_plot_names(plot, l->d);
    for (size_t k = 0; rows && columns && k < l->d; k++) {
        rows[k] = columns[k] = ecc_plot_text(plot, "p%zu", k + 1);
        if (!aligned) continue;
        columns[k] =
            ecc_plot_text(plot, "%sp%zu", l->sign[k] < 0 ? "\u2212" : "", l->partner[k] + 1);
    }
    const char *const title =
        ecc_plot_text(plot, "%s, mean angle %.0f°", aligned ? "aligned" : "raw",
                      aligned ? l->angle_aligned : l->angle_raw);
    struct ecc_heat *const heat =
        ecc_plot_heat(plot, title, aligned ? l->after : l->before, l->d, l->d);
    heat->limit = 1;
    heat->row_names = rows;
    heat->column_names = columns;
    heat->row_label = ecc_plot_text(plot, "run %zu", pair->a + 1);
    heat->column_label = ecc_plot_text(plot, "run %zu", pair->b + 1);
    heat->scale_label = "correlation";
}

enum ecc_status ecc_draw_runs_alignment(const struct ecc_runs_alignment *r, const char *path,
                                        struct ecc_error *error)
{
    struct ecc_plot plot;
    char words[ECC_SEEN_WORDS];
    ecc_plot_start(&plot, "Do the runs find the same components?", 0, 0);
    plot.figure.columns = 2;
    plot.figure.caption =
        ecc_plot_text(&plot, "%zu %s · after the best rotation %.0f° · CKA %.2f", r->test_items,
                      ecc_seen_words(words, &r->seen), r->procrustes.mean, r->cka.mean);
    for (size_t i = 0; i < r->pair_count && i < SHOWN; i++) {
        draw_side(&plot, &r->pairs[i], false);
        draw_side(&plot, &r->pairs[i], true);
    }
    return ecc_plot_write(&plot, path, error);
}
