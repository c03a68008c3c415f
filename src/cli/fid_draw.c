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
    double *x, *y; /* [n] by rising lambda: a path, which may turn back in eccentricity */
    size_t n;
};

struct point {
    double lambda, x, y;
};

struct drawing {
    struct curve curves[2][MOST_KINDS]; /* against eccentricity, against lambda */
    size_t count;                       /* of curves */
    double *numbers;
    double plain;       /* the score of `none`, or NaN */
    double low, high;   /* of the scores that are drawn */
    double left, right; /* of their eccentricities */
    size_t above;       /* scores so large that the others could not be told apart beside them */
    double worst;
};

static int by_lambda(const void *a, const void *b)
{
    const double x = ((const struct point *)a)->lambda, y = ((const struct point *)b)->lambda;
    return (x > y) - (x < y);
}

static int by_value(const void *a, const void *b)
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

/* Fills one curve: points are sorted, then taken apart. */
static void fill_curve(struct curve *c, const struct ecc_fid_report *r, bool against_lambda,
                       double *room)
{
    struct point *const points = (struct point *)(room + 2 * r->count);
    c->n = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_fid_score *const s = &r->scores[i];
        const double x = against_lambda ? s->lambda : s->eccentricity;
        if (s->kind != ECC_FID_RUN || strcmp(s->regularizer, c->name) != 0 || !isfinite(x))
            continue;
        points[c->n++] = (struct point){s->lambda, x, s->frechet.distance};
    }
    qsort(points, c->n, sizeof *points, by_lambda);
    c->x = room;
    c->y = room + r->count;
    for (size_t i = 0; i < c->n; i++) {
        c->x[i] = points[i].x;
        c->y[i] = points[i].y;
    }
}

/* A range with some room around it. */
static void widen(double *low, double *high)
{
    const double margin = fmax(0.06 * (*high - *low), 1e-9 * fabs(*high));
    *low -= margin;
    *high += margin;
}

/* What the axes show: scores up to twice the median, since one failed run would otherwise press all
 * others into a line; such runs are counted.  room: [count] numbers. */
static void choose_range(struct drawing *d, const struct ecc_fid_report *r, double *room)
{
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_fid_score *const s = &r->scores[i];
        if (s->kind == ECC_FID_RUN && !isnan(s->eccentricity)) room[n++] = s->frechet.distance;
    }
    qsort(room, n, sizeof *room, by_value);
    const double most = 2 * room[n / 2];
    d->low = d->left = INFINITY;
    d->high = d->right = -INFINITY;
    d->worst = room[n - 1];
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_fid_score *const s = &r->scores[i];
        if (s->kind != ECC_FID_RUN || isnan(s->eccentricity)) continue;
        if (s->frechet.distance > most) {
            d->above++;
            continue;
        }
        d->low = fmin(d->low, s->frechet.distance);
        d->high = fmax(d->high, s->frechet.distance);
        d->left = fmin(d->left, s->eccentricity);
        d->right = fmax(d->right, s->eccentricity);
    }
    widen(&d->low, &d->high);
    widen(&d->left, &d->right);
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
    d->numbers = malloc(2 * d->count * 5 * r->count * sizeof *d->numbers);
    if (!d->numbers) return ecc_fail_memory(error, "the curves");
    choose_range(d, r, d->numbers);
    for (size_t k = 0; k < 2 * d->count; k++) {
        struct curve *const c = &d->curves[k / d->count][k % d->count];
        c->name = d->curves[0][k % d->count].name;
        fill_curve(c, r, k / d->count == 1, d->numbers + k * 5 * r->count);
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
    char caption[300], axis[80], above[100] = "";
    ECC_TRY(collect(&d, r, error));
    make_series(series[0], &d, 0);
    make_series(series[1], &d, 1);
    snprintf(axis, sizeof axis, "FID (%.*s features)", (int)strcspn(r->identity, " ,"),
             r->identity[0] ? r->identity : "unknown");
    if (d.above > 0) {
        snprintf(above, sizeof above, "; %zu of %zu runs are above these axes, up to %.4g", d.above,
                 r->count, d.worst);
    }
    snprintf(caption, sizeof caption, "samples from %s against %s%s",
             ecc_fid_from_words(r->settings), ecc_short_name(r->reference), above);
    const struct ecc_rule rule = {.at = d.plain, .label = "none"};
    const struct ecc_axis y = {.label = axis, .low = d.low, .high = d.high};
    const struct ecc_panel panels[] = {
        {.title = "against eccentricity",
         .chart = {.x = {.label = "eccentricity", .low = d.left, .high = d.right},
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
