/* scores.c: scores of runs against their eccentricity, as in Figure 10 of the paper, and against
 * lambda. */
#include "eccentric_show.h"
#include "base/text.h"
#include "figure/plot.h"
#include "latent/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ECCENTRICITY = 0, LAMBDA, MOST_GROUPS = 10 };

/* The runs of one regularizer.  By rising lambda they are a path, which may turn back in
 * eccentricity. */
struct group {
    const char *name;
    size_t first, n;
};

struct drawing {
    double *x[2], *y; /* [n] eccentricity and lambda, FID: by group, then by rising lambda */
    size_t n;
    struct group groups[MOST_GROUPS];
    size_t group_count;
    double plain;             /* the FID of the regularizer `none`, or NaN */
    struct ecc_axis fid, ecc; /* the ranges that are shown */
    size_t above;             /* scores above them ... */
    double worst;             /* ... and the largest score */
};

static bool is_drawn(const struct ecc_score *s)
{
    return s->kind == ECC_SCORE_RUN && isfinite(s->eccentricity) && isfinite(s->lambda);
}

static void add_run(struct drawing *d, struct group *g, const struct ecc_score *s)
{
    size_t i = d->n++;
    g->n++;
    for (; i > g->first && d->x[LAMBDA][i - 1] > s->lambda; i--) {
        for (int k = 0; k < 2; k++) d->x[k][i] = d->x[k][i - 1];
        d->y[i] = d->y[i - 1];
    }
    d->x[ECCENTRICITY][i] = s->eccentricity;
    d->x[LAMBDA][i] = s->lambda;
    d->y[i] = s->frechet.distance;
    if (strcmp(g->name, "none") == 0) d->plain = s->frechet.distance;
}

/* One group for each regularizer, in the order of the table. */
static void group_runs(struct drawing *d, const struct ecc_score_table *t)
{
    for (size_t i = 0; i < t->count && d->group_count < MOST_GROUPS; i++) {
        const char *const name = t->scores[i].regularizer;
        size_t k = 0;
        while (k < d->group_count && strcmp(d->groups[k].name, name) != 0) k++;
        if (k < d->group_count || !is_drawn(&t->scores[i])) continue;
        struct group *const g = &d->groups[d->group_count++];
        *g = (struct group){.name = name, .first = d->n};
        for (size_t j = i; j < t->count; j++) {
            const struct ecc_score *const s = &t->scores[j];
            if (is_drawn(s) && strcmp(s->regularizer, name) == 0) add_run(d, g, s);
        }
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void widen(struct ecc_axis *axis)
{
    const double margin = fmax(0.06 * (axis->high - axis->low), 1e-9 * fabs(axis->high));
    axis->low -= margin;
    axis->high += margin;
}

/* The axes end at twice the median score: one failed run would otherwise press all others into a
 * line.  sorted: [n] is room. */
static void choose_ranges(struct drawing *d, double *sorted)
{
    memcpy(sorted, d->y, d->n * sizeof *sorted);
    qsort(sorted, d->n, sizeof *sorted, by_value);
    d->worst = sorted[d->n - 1];
    d->fid = d->ecc = (struct ecc_axis){.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < d->n; i++) {
        const double x = d->x[ECCENTRICITY][i], y = d->y[i];
        if (y > 2 * sorted[d->n / 2]) {
            d->above++;
            continue;
        }
        d->fid.low = fmin(d->fid.low, y);
        d->fid.high = fmax(d->fid.high, y);
        d->ecc.low = fmin(d->ecc.low, x);
        d->ecc.high = fmax(d->ecc.high, x);
    }
    widen(&d->fid);
    widen(&d->ecc);
}

static void add_chart(struct ecc_plot *plot, const struct drawing *d, int against, const char *fid)
{
    static const char *const titles[] = {"against eccentricity", "against λ"};
    static const char *const labels[] = {"eccentricity", "λ"};
    struct ecc_chart *const chart = ecc_plot_chart(plot, titles[against], labels[against], fid);
    chart->y.low = d->fid.low;
    chart->y.high = d->fid.high;
    if (against == LAMBDA) {
        chart->x.logarithmic = true;
        chart->legend = ECC_LEGEND_NONE;
        if (!isnan(d->plain)) ecc_plot_rule(plot, d->plain, "none");
    } else {
        chart->x.low = d->ecc.low;
        chart->x.high = d->ecc.high;
    }
    for (size_t k = 0; k < d->group_count; k++) {
        const struct group *const g = &d->groups[k];
        struct ecc_series *const s =
            ecc_plot_line(plot, g->name, d->x[against] + g->first, d->y + g->first, g->n);
        if (strcmp(g->name, "none") != 0) continue;
        s->mark = ECC_MARK_POINTS;
        s->size = 7;
    }
}

enum ecc_status ecc_draw_scores(const struct ecc_score_table *t, const char *path,
                                struct ecc_error *error)
{
    struct ecc_plot plot;
    struct drawing d = {.plain = NAN};
    ecc_plot_start(&plot, "Score of generated images", 0, 0);
    double *const numbers = ecc_plot_numbers(&plot, 4 * t->count + 1);
    if (!numbers) return ecc_plot_write(&plot, path, error); /* which says so */
    d.x[0] = numbers;
    d.x[1] = numbers + t->count;
    d.y = numbers + 2 * t->count;
    group_runs(&d, t);
    if (d.n == 0) {
        ecc_plot_release(&plot);
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "scores are drawn against eccentricity, and none of these is a run");
    }
    choose_ranges(&d, numbers + 3 * t->count);
    const char *const above =
        d.above == 0 ? ""
                     : ecc_plot_text(&plot, "; %zu of %zu runs are above these axes, up to %.4g",
                                     d.above, d.n, d.worst);
    plot.figure.caption =
        ecc_plot_text(&plot, "samples from %s against %s%s", ecc_sample_words[t->from],
                      ecc_short_name(t->reference), above);
    const char *const fid =
        ecc_plot_text(&plot, "FID (%.*s features)", (int)strcspn(t->identity, " ,"),
                      t->identity[0] ? t->identity : "unknown");
    add_chart(&plot, &d, ECCENTRICITY, fid);
    add_chart(&plot, &d, LAMBDA, fid);
    return ecc_plot_write(&plot, path, error);
}
