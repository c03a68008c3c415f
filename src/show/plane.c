/* plane.c: items as points in a plane: their order, many categories, arrows of columns. */
#include "show/plane.h"
#include "base/rng.h"
#include "base/streams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 10 }; /* categories that colours alone tell apart */

/* ---- Order ---------------------------------------------------------------------------------- */

/* When a point is drawn. */
struct turn {
    double when; /* 0 to 1 */
    size_t item;
};

static int compare_turns(const void *a, const void *b)
{
    const struct turn *const s = a, *const t = b;
    if (s->when != t->when) return s->when < t->when ? -1 : 1;
    return s->item < t->item ? -1 : s->item > t->item;
}

/* counts: [category_count + 1], the last one those without a category. */
static void count_categories(size_t *counts, const struct ecc_plane *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const bool none = !p->category || p->category[i] < 0;
        counts[none ? p->category_count : (size_t)p->category[i]]++;
    }
}

/* The most frequent category is drawn all the time, one with a tenth as many points in the last
 * tenth of it. */
static void draw_turns(struct turn *turns, const struct ecc_plane *p, const size_t *counts)
{
    size_t most = 1;
    for (size_t c = 0; c <= p->category_count; c++) most = counts[c] > most ? counts[c] : most;
    for (size_t i = 0; i < p->n; i++) {
        const bool none = !p->category || p->category[i] < 0;
        const size_t count = counts[none ? p->category_count : (size_t)p->category[i]];
        double u;
        ecc_rng_uniform(&u, 1, ECC_STREAM_PLANE, i, 1);
        turns[i] = (struct turn){1 - u * (double)count / (double)most, i};
    }
    qsort(turns, p->n, sizeof *turns, compare_turns);
}

/* ---- Many categories ------------------------------------------------------------------------ */

struct rank {
    size_t count, category;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct rank *const s = a, *const t = b;
    if (s->count != t->count) return s->count > t->count ? -1 : 1;
    return s->category < t->category ? -1 : 1;
}

/* number: [category_count] new numbers of the categories. */
static void renumber(int32_t *number, const char **names, const struct ecc_plane *p,
                     const size_t *counts, struct rank *ranks)
{
    for (size_t c = 0; c < p->category_count; c++) ranks[c] = (struct rank){counts[c], c};
    if (p->category_count > ECC_CATEGORY_MARKS) {
        qsort(ranks, p->category_count, sizeof *ranks, compare_ranks);
    }
    for (size_t c = 0; c < p->category_count; c++) {
        number[ranks[c].category] = (int32_t)c;
        if (p->category_names) names[c] = p->category_names[ranks[c].category];
    }
}

/* ---- Both ----------------------------------------------------------------------------------- */

/* What arranging needs for a while. */
struct arranging {
    size_t *counts;
    struct rank *ranks;
    int32_t *number;
    struct turn *turns;
};

static void fill(struct ecc_plane *to, const struct ecc_plane *p, const char **names,
                 struct arranging *work)
{
    count_categories(work->counts, p);
    renumber(work->number, names, p, work->counts, work->ranks);
    draw_turns(work->turns, p, work->counts);
    for (size_t i = 0; i < p->n; i++) {
        const size_t item = work->turns[i].item;
        to->x[i] = p->x[item];
        to->y[i] = p->y[item];
        if (!p->category) continue;
        const int32_t c = p->category[item];
        to->category[i] = c < 0 ? -1 : work->number[c];
    }
}

enum ecc_status ecc_plane_arrange(struct ecc_plane *to, const struct ecc_plane *p,
                                  struct ecc_error *error)
{
    const size_t n = p->n + 1, categories = p->category_count + 1;
    struct arranging work = {
        calloc(categories, sizeof *work.counts), calloc(categories, sizeof *work.ranks),
        calloc(categories, sizeof *work.number), malloc(n * sizeof *work.turns)};
    *to = *p;
    to->x = calloc(n, sizeof *to->x);
    to->y = calloc(n, sizeof *to->y);
    to->category = p->category ? calloc(n, sizeof *to->category) : NULL;
    const char **const names = calloc(categories, sizeof *names);
    const bool room = work.counts && work.ranks && work.number && work.turns && to->x && to->y &&
                      (to->category || !p->category) && names;
    to->category_names = names;
    if (room) fill(to, p, names, &work);
    if (!p->category_names && room) {
        free(names);
        to->category_names = NULL;
    }
    free(work.counts);
    free(work.ranks);
    free(work.number);
    free(work.turns);
    if (room) return ECC_OK;
    ecc_plane_release(to);
    return ecc_fail_memory(error, "the points");
}

void ecc_plane_release(struct ecc_plane *p)
{
    free(p->x);
    free(p->y);
    free(p->category);
    free((void *)p->category_names);
    *p = (struct ecc_plane){0};
}

/* ---- Names in the middle of categories ------------------------------------------------------ */

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of the values of one category; memory: [n]. */
static double median_of(const struct ecc_plane *p, const double *values, size_t category,
                        double *memory)
{
    size_t count = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (p->category[i] == (int32_t)category && isfinite(values[i])) memory[count++] = values[i];
    }
    qsort(memory, count, sizeof *memory, compare_numbers);
    return count ? memory[count / 2] : (double)NAN;
}

double ecc_plane_reach(const struct ecc_plane *p, const double *values, double least)
{
    double reach = least;
    double *const sizes = malloc((2 * p->n + 1) * sizeof *sizes);
    if (!sizes) return 0;
    for (size_t i = 0; i < p->n; i++) sizes[p->n + i] = fabs(values[i]);
    for (size_t c = 0; p->category && c < p->category_count; c++) {
        const double middle = median_of(p, sizes + p->n, c, sizes);
        if (isfinite(middle)) reach = fmax(reach, 1.2 * middle);
    }
    free(sizes);
    return reach;
}

static void tag_categories(struct ecc_plot *plot, const struct ecc_plane *p)
{
    if (!p->category || !p->category_names || p->category_count <= FEW) return;
    double *const memory = ecc_plot_numbers(plot, p->n + 1);
    for (size_t c = 0; memory && c < p->category_count && c < ECC_CATEGORY_MARKS; c++) {
        const double x = median_of(p, p->x, c, memory), y = median_of(p, p->y, c, memory);
        if (isfinite(x) && isfinite(y)) ecc_plot_tag(plot, x, y, p->category_names[c]);
    }
}

/* ---- Arrows --------------------------------------------------------------------------------- */

static const double SHORTEST = 0.15; /* arrow, in parts of the longest */

struct arrow {
    double x, y; /* changes of the column along both components, in its deviations */
    const char *name;
};

static int compare_arrows(const void *a, const void *b)
{
    const struct arrow *const s = a, *const t = b;
    const double one = hypot(s->x, s->y), two = hypot(t->x, t->y);
    if (one != two) return one > two ? -1 : 1;
    return strcmp(s->name, t->name);
}

/* The columns that change most, in *list: [the result], the caller's to free. */
static size_t find_arrows(struct arrow **list, const struct ecc_plane *p)
{
    const struct ecc_meaning *const m = p->meaning;
    const size_t n = m && m->count == 2 ? m->column_count : 0;
    *list = n > 0 && p->arrows > 0 ? malloc(n * sizeof **list) : NULL;
    if (!*list) return 0;
    for (size_t j = 0; j < n; j++) {
        (*list)[j] = (struct arrow){m->standard[j], m->standard[n + j], m->columns[j].name};
    }
    qsort(*list, n, sizeof **list, compare_arrows);
    const double least = SHORTEST * hypot((*list)[0].x, (*list)[0].y);
    size_t count = 0;
    while (count < n && count < p->arrows && hypot((*list)[count].x, (*list)[count].y) > least) {
        count++;
    }
    return count;
}

/* Arrows have a unit of their own: the longest reaches most of the way to the farthest points. */
static void plot_arrows(struct ecc_plot *plot, const struct ecc_plane *p)
{
    struct arrow *list;
    const size_t count = find_arrows(&list, p);
    double far_x = 0, far_y = 0, scale = INFINITY;
    for (size_t i = 0; i < p->n; i++) {
        if (isfinite(p->x[i])) far_x = fmax(far_x, fabs(p->x[i]));
        if (isfinite(p->y[i])) far_y = fmax(far_y, fabs(p->y[i]));
    }
    for (size_t a = 0; a < count; a++) {
        scale = fmin(scale, fmin(far_x / fmax(fabs(list[a].x), 1e-300),
                                 far_y / fmax(fabs(list[a].y), 1e-300)));
    }
    for (size_t a = 0; a < count && isfinite(scale); a++) {
        ecc_plot_arrow(plot, 0.85 * scale * list[a].x, 0.85 * scale * list[a].y, list[a].name);
    }
    free(list);
}

/* ---- The picture ---------------------------------------------------------------------------- */

void ecc_plane_plot(struct ecc_plot *plot, struct ecc_chart *chart, const struct ecc_plane *p)
{
    chart->equal_scales = true;
    chart->category_names = p->category_names;
    chart->category_count = p->category_count;
    struct ecc_series *const points = ecc_plot_points(plot, NULL, p->x, p->y, p->n);
    points->category = p->category;
    if (p->n > 100000) { /* where there are very many, each lets more of the others through */
        points->colour =
            (struct ecc_colour){0.1, 0.3, 0.6, fmax(0.08, 0.6 * sqrt(1e5 / (double)p->n))};
    }
    if (p->circle > 0) ecc_plot_circle(plot, p->circle_x, p->circle_y, p->circle, "√d");
    tag_categories(plot, p);
    plot_arrows(plot, p);
}

static const char *caption_of(struct ecc_plot *plot, const struct ecc_plane *p)
{
    const char *caption = p->caption ? p->caption : "";
    if (p->category_count > ECC_CATEGORY_MARKS) {
        caption = ecc_plot_text(plot, "%s · the %d most frequent of %zu classes, the others grey",
                                caption, ECC_CATEGORY_MARKS, p->category_count);
    }
    if (!p->meaning || p->arrows == 0) return caption;
    return ecc_plot_text(plot, "%s · arrows: the columns that change most", caption);
}

enum ecc_status ecc_draw_plane(const struct ecc_plane *plane, const char *path,
                               struct ecc_error *error)
{
    struct ecc_plot plot;
    struct ecc_plane arranged;
    ECC_TRY(ecc_plane_arrange(&arranged, plane, error));
    ecc_plot_start(&plot, plane->title, 400, 400);
    plot.figure.caption = caption_of(&plot, plane);
    ecc_plane_plot(&plot, ecc_plot_chart(&plot, NULL, plane->x_label, plane->y_label), &arranged);
    const enum ecc_status status = ecc_plot_write(&plot, path, error);
    ecc_plane_release(&arranged);
    return status;
}
