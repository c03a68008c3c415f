/* scores.c: scores of runs against their eccentricity, as in Figure 10 of the paper, and against
 * lambda. */
#include "show/scores.h"

#include "base/text.h"
#include "figure/figure.h"
#include "latent/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SERIES = 10 };

struct drawing {
    const struct ecc_score **runs; /* [n] those that are drawn: by regularizer, by rising lambda */
    size_t n;
    double *x[2], *y; /* [n] eccentricity and lambda, and FID */
    struct ecc_series series[2][MOST_SERIES];
    size_t series_count;
    double plain;       /* the FID of the regularizer `none`, or NaN */
    double low, high;   /* of the scores within the axes */
    double left, right; /* of their eccentricities */
    size_t above;       /* scores above the axes ... */
    double worst;       /* ... and the largest */
};

static bool is_drawn(const struct ecc_score *s)
{
    return s->kind == ECC_SCORE_RUN && isfinite(s->eccentricity) && isfinite(s->lambda);
}

static int by_lambda(const void *a, const void *b)
{
    const double x = (*(const struct ecc_score *const *)a)->lambda;
    const double y = (*(const struct ecc_score *const *)b)->lambda;
    return (x > y) - (x < y);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The runs of one regularizer.  By rising lambda they are a path, which may turn back in
 * eccentricity. */
static void add_series(struct drawing *d, const struct ecc_score_table *t, const char *name)
{
    const size_t first = d->n, k = d->series_count++;
    const bool plain = strcmp(name, "none") == 0;
    for (size_t i = 0; i < t->count; i++) {
        const struct ecc_score *const s = &t->scores[i];
        if (is_drawn(s) && strcmp(s->regularizer, name) == 0) d->runs[d->n++] = s;
    }
    if (plain) d->plain = d->runs[d->n - 1]->frechet.distance;
    qsort(d->runs + first, d->n - first, sizeof *d->runs, by_lambda);
    for (size_t i = first; i < d->n; i++) {
        d->x[0][i] = d->runs[i]->eccentricity;
        d->x[1][i] = d->runs[i]->lambda;
        d->y[i] = d->runs[i]->frechet.distance;
    }
    for (size_t p = 0; p < 2; p++) {
        d->series[p][k] = (struct ecc_series){.name = name,
                                              .x = d->x[p] + first,
                                              .y = d->y + first,
                                              .n = d->n - first,
                                              .mark = plain ? ECC_MARK_POINTS : ECC_MARK_LINE,
                                              .size = plain ? 7 : 0,
                                              .colour = ecc_colour_category(k)};
    }
}

/* One series for each regularizer, in the order of the table. */
static void add_all(struct drawing *d, const struct ecc_score_table *t)
{
    d->plain = NAN;
    for (size_t i = 0; i < t->count && d->series_count < MOST_SERIES; i++) {
        const char *const name = t->scores[i].regularizer;
        size_t k = 0;
        while (k < d->series_count && strcmp(d->series[0][k].name, name) != 0) k++;
        if (k == d->series_count && is_drawn(&t->scores[i])) add_series(d, t, name);
    }
}

/* A range with a margin. */
static void widen(double *low, double *high)
{
    const double margin = fmax(0.06 * (*high - *low), 1e-9 * fabs(*high));
    *low -= margin;
    *high += margin;
}

/* The axes end at twice the median score: one failed run would otherwise press all others into a
 * line.  Runs above are counted.  sorted: [n] is room. */
static void choose_range(struct drawing *d, double *sorted)
{
    memcpy(sorted, d->y, d->n * sizeof *sorted);
    qsort(sorted, d->n, sizeof *sorted, by_value);
    const double most = 2 * sorted[d->n / 2];
    d->worst = sorted[d->n - 1];
    d->low = d->left = INFINITY;
    d->high = d->right = -INFINITY;
    for (size_t i = 0; i < d->n; i++) {
        if (d->y[i] > most) {
            d->above++;
            continue;
        }
        d->low = fmin(d->low, d->y[i]);
        d->high = fmax(d->high, d->y[i]);
        d->left = fmin(d->left, d->x[0][i]);
        d->right = fmax(d->right, d->x[0][i]);
    }
    widen(&d->low, &d->high);
    widen(&d->left, &d->right);
}

static enum ecc_status write_figure(const struct drawing *d, const struct ecc_score_table *t,
                                    const char *path, struct ecc_error *error)
{
    char caption[300], label[80], above[100] = "";
    snprintf(label, sizeof label, "FID (%.*s features)", (int)strcspn(t->identity, " ,"),
             t->identity[0] ? t->identity : "unknown");
    if (d->above > 0) {
        snprintf(above, sizeof above, "; %zu of %zu runs are above these axes, up to %.4g",
                 d->above, d->n, d->worst);
    }
    snprintf(caption, sizeof caption, "samples from %s against %s%s", ecc_sample_words[t->from],
             ecc_short_name(t->reference), above);
    const struct ecc_rule rule = {.at = d->plain, .label = "none"};
    const struct ecc_axis y = {.label = label, .low = d->low, .high = d->high};
    const struct ecc_panel panels[] = {
        {.title = "against eccentricity",
         .chart = {.x = {.label = "eccentricity", .low = d->left, .high = d->right},
                   .y = y,
                   .series = d->series[0],
                   .series_count = d->series_count}},
        {.title = "against λ",
         .chart = {.x = {.label = "λ", .logarithmic = true},
                   .y = y,
                   .series = d->series[1],
                   .series_count = d->series_count,
                   .rules = &rule,
                   .rule_count = isnan(d->plain) ? 0 : 1,
                   .legend = ECC_LEGEND_NONE}},
    };
    const struct ecc_figure figure = {.title = "Score of generated images",
                                      .caption = caption,
                                      .panels = panels,
                                      .panel_count = 2};
    return ecc_figure_write(&figure, path, error);
}

enum ecc_status ecc_draw_scores(const struct ecc_score_table *t, const char *path,
                                struct ecc_error *error)
{
    const size_t most = t->count + 1;
    double *const numbers = malloc(4 * most * sizeof *numbers);
    struct drawing d = {.runs = malloc(most * sizeof *d.runs)};
    enum ecc_status status = ECC_OK;
    if (!numbers || !d.runs) {
        status = ecc_fail_memory(error, "the scores of runs");
    } else {
        d.x[0] = numbers;
        d.x[1] = numbers + most;
        d.y = numbers + 2 * most;
        add_all(&d, t);
        if (d.n == 0) {
            status = ecc_fail(error, ECC_BAD_ARGUMENT,
                              "no run to draw: scores are drawn against eccentricity");
        } else {
            choose_range(&d, numbers + 3 * most);
            status = write_figure(&d, t, path, error);
        }
    }
    free(numbers);
    free(d.runs);
    return status;
}
