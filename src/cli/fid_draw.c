/* fid_draw.c: scores of runs against their eccentricity, as in Figure 10 of the paper, and against
 * lambda. */
#include "cli/fid.h"
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KINDS = 10 };

/* The runs of one regularizer; x is eccentricity or lambda. */
struct curve {
    const char *name;
    double *x, *y; /* [n] by rising x */
    size_t n;
};

struct drawing {
    struct curve curves[2][MOST_KINDS]; /* against eccentricity, against lambda */
    size_t count;                       /* of curves */
    double *numbers;
    double plain; /* the score of `none`, or NaN */
};

static int by_x(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The number of a regularizer's curve, a new one for its first run. */
static size_t curve_of(struct drawing *d, const char *name)
{
    size_t k = 0;
    while (k < d->count && strcmp(d->curves[0][k].name, name) != 0) k++;
    if (k == d->count && k < MOST_KINDS) d->curves[0][d->count++].name = name;
    return k;
}

/* Fills one curve: pairs are sorted, then taken apart. */
static void fill_curve(struct curve *c, const struct ecc_fid_report *r, bool against_lambda,
                       double *room)
{
    double(*const pairs)[2] = (double(*)[2])(room + 2 * r->count);
    c->n = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_fid_score *const s = &r->scores[i];
        const double x = against_lambda ? s->lambda : s->eccentricity;
        if (s->kind != ECC_FID_RUN || strcmp(s->regularizer, c->name) != 0 || !isfinite(x))
            continue;
        pairs[c->n][0] = x;
        pairs[c->n++][1] = s->frechet.distance;
    }
    qsort(pairs, c->n, sizeof *pairs, by_x);
    c->x = room;
    c->y = room + r->count;
    for (size_t i = 0; i < c->n; i++) {
        c->x[i] = pairs[i][0];
        c->y[i] = pairs[i][1];
    }
}

static enum ecc_status collect(struct drawing *d, const struct ecc_fid_report *r,
                               struct ecc_error *error)
{
    size_t runs = 0;
    d->plain = NAN;
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_fid_score *const s = &r->scores[i];
        if (s->kind != ECC_FID_RUN || isnan(s->eccentricity)) continue;
        runs++;
        curve_of(d, s->regularizer);
        if (strcmp(s->regularizer, "none") == 0) d->plain = s->frechet.distance;
    }
    if (runs == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--out draws scores against eccentricity, and none of these is a run");
    }
    d->numbers = malloc(2 * d->count * 4 * r->count * sizeof *d->numbers);
    if (!d->numbers) return ecc_fail_memory(error, "the curves");
    for (size_t k = 0; k < 2 * d->count; k++) {
        struct curve *const c = &d->curves[k / d->count][k % d->count];
        c->name = d->curves[0][k % d->count].name;
        fill_curve(c, r, k / d->count == 1, d->numbers + k * 4 * r->count);
    }
    return ECC_OK;
}

static void make_series(struct ecc_series *series, const struct drawing *d, int against_lambda)
{
    for (size_t k = 0; k < d->count; k++) {
        const struct curve *const c = &d->curves[against_lambda][k];
        const bool plain = strcmp(c->name, "none") == 0;
        series[k] = (struct ecc_series){.name = c->name,
                                        .x = c->x,
                                        .y = c->y,
                                        .n = c->n,
                                        .mark = plain ? ECC_MARK_POINTS : ECC_MARK_LINE,
                                        .size = plain ? 7 : 0,
                                        .colour = ecc_colour_category(k)};
    }
}

enum ecc_status ecc_fid_draw(const struct ecc_fid_report *r, const char *path,
                             struct ecc_error *error)
{
    struct drawing d = {0};
    struct ecc_series series[2][MOST_KINDS];
    char caption[300], axis[80];
    ECC_TRY(collect(&d, r, error));
    make_series(series[0], &d, 0);
    make_series(series[1], &d, 1);
    snprintf(axis, sizeof axis, "FID (%.*s features)", (int)strcspn(r->identity, " ,"),
             r->identity[0] ? r->identity : "unknown");
    snprintf(caption, sizeof caption, "samples from %s against %s", ecc_fid_from_words(r->settings),
             ecc_short_name(r->reference));
    const struct ecc_rule rule = {.at = d.plain, .label = "none"};
    const struct ecc_axis y = {.label = axis};
    const struct ecc_panel panels[] = {
        {.title = "against eccentricity",
         .chart = {.x = {.label = "eccentricity"},
                   .y = y,
                   .series = series[0],
                   .series_count = d.count}},
        {.title = "against λ",
         .chart = {.x = {.label = "λ", .logarithmic = true},
                   .y = y,
                   .series = series[1],
                   .series_count = d.count,
                   .rules = &rule,
                   .rule_count = isnan(d.plain) ? 0 : 1,
                   .legend = ECC_LEGEND_NONE}},
    };
    const struct ecc_figure figure = {.title = "Score of generated images",
                                      .caption = caption,
                                      .panels = panels,
                                      .panel_count = 2};
    const enum ecc_status status = ecc_figure_write(&figure, path, error);
    free(d.numbers);
    return status;
}
