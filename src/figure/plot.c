/* plot.c: a figure put together step by step. */
#include "figure/plot.h"

#include "base/file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void ecc_plot_start(struct ecc_plot *plot, const char *title, double width, double height)
{
    *plot =
        (struct ecc_plot){.figure = {.title = title, .panel_width = width, .panel_height = height}};
}

/* ---- Lists --------------------------------------------------------------------------------- */

/* A new item of a list, zeroed; the spare one where memory runs out. */
static void *append(struct ecc_plot *plot, struct ecc_plot_list *list, size_t size)
{
    const size_t count = list->count;
    if ((count & (count - 1)) == 0) { /* 0, 1, 2, 4, ...: full */
        void *const grown = realloc(list->items, (count ? 2 * count : 1) * size);
        if (!grown) {
            plot->failed = true;
            return memset(&plot->spare, 0, sizeof plot->spare);
        }
        list->items = grown;
    }
    list->count++;
    return memset((char *)list->items + count * size, 0, size);
}

static struct ecc_panel *add_panel(struct ecc_plot *plot, const char *title,
                                   enum ecc_panel_kind kind)
{
    struct ecc_panel *const panel = append(plot, &plot->panels, sizeof *panel);
    panel->title = title;
    panel->kind = kind;
    return panel;
}

/* The last panel, which counts what is added to it. */
static struct ecc_chart *last_chart(struct ecc_plot *plot)
{
    struct ecc_panel *const panels = plot->panels.items;
    return plot->panels.count ? &panels[plot->panels.count - 1].chart : &plot->spare.panel.chart;
}

struct ecc_chart *ecc_plot_chart(struct ecc_plot *plot, const char *title, const char *x_label,
                                 const char *y_label)
{
    struct ecc_chart *const chart = &add_panel(plot, title, ECC_PANEL_CHART)->chart;
    chart->x.label = x_label;
    chart->y.label = y_label;
    return chart;
}

struct ecc_heat *ecc_plot_heat(struct ecc_plot *plot, const char *title, const double *values,
                               size_t rows, size_t columns)
{
    struct ecc_heat *const heat = &add_panel(plot, title, ECC_PANEL_HEAT)->heat;
    *heat = (struct ecc_heat){.values = values, .rows = rows, .columns = columns};
    return heat;
}

struct ecc_sheet *ecc_plot_sheet(struct ecc_plot *plot, const float *pixels, size_t count,
                                 size_t channels, size_t height, size_t width)
{
    struct ecc_sheet *const sheet = &add_panel(plot, NULL, ECC_PANEL_SHEET)->sheet;
    *sheet = (struct ecc_sheet){
        .pixels = pixels, .count = count, .channels = channels, .height = height, .width = width};
    return sheet;
}

struct ecc_series *ecc_plot_line(struct ecc_plot *plot, const char *name, const double *x,
                                 const double *y, size_t n)
{
    last_chart(plot)->series_count++;
    struct ecc_series *const series = append(plot, &plot->series, sizeof *series);
    *series = (struct ecc_series){.name = name, .x = x, .y = y, .n = n};
    return series;
}

struct ecc_series *ecc_plot_points(struct ecc_plot *plot, const char *name, const double *x,
                                   const double *y, size_t n)
{
    struct ecc_series *const series = ecc_plot_line(plot, name, x, y, n);
    series->mark = ECC_MARK_POINTS;
    return series;
}

static void add_rule(struct ecc_plot *plot, double at, bool vertical, const char *label)
{
    last_chart(plot)->rule_count++;
    struct ecc_rule *const rule = append(plot, &plot->rules, sizeof *rule);
    *rule = (struct ecc_rule){at, vertical, label};
}

void ecc_plot_rule(struct ecc_plot *plot, double y, const char *label)
{
    add_rule(plot, y, false, label);
}

void ecc_plot_rule_upright(struct ecc_plot *plot, double x, const char *label)
{
    add_rule(plot, x, true, label);
}

void ecc_plot_circle(struct ecc_plot *plot, double x, double y, double radius, const char *label)
{
    last_chart(plot)->circle_count++;
    struct ecc_circle *const circle = append(plot, &plot->circles, sizeof *circle);
    *circle = (struct ecc_circle){x, y, radius, label};
}

void ecc_plot_arrow(struct ecc_plot *plot, double x, double y, const char *label)
{
    last_chart(plot)->arrow_count++;
    struct ecc_arrow *const arrow = append(plot, &plot->arrows, sizeof *arrow);
    *arrow = (struct ecc_arrow){x, y, label};
}

void ecc_plot_tag(struct ecc_plot *plot, double x, double y, const char *label)
{
    last_chart(plot)->tag_count++;
    struct ecc_tag *const tag = append(plot, &plot->tags, sizeof *tag);
    *tag = (struct ecc_tag){x, y, label};
}

/* ---- Texts and numbers ---------------------------------------------------------------------- */

struct ecc_plot_block {
    struct ecc_plot_block *next;
    double bytes[]; /* aligned for numbers and pointers */
};

static void *take(struct ecc_plot *plot, size_t count, size_t size)
{
    struct ecc_plot_block *block = NULL;
    if (count < SIZE_MAX / 2 / size) block = calloc(1, sizeof *block + count * size);
    if (!block) {
        plot->failed = true;
        return NULL;
    }
    block->next = plot->blocks;
    plot->blocks = block;
    return block->bytes;
}

const char *ecc_plot_text(struct ecc_plot *plot, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int length = vsnprintf(NULL, 0, format, list);
    char *const text = take(plot, length < 0 ? 1 : (size_t)length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(list);
    return text ? text : "";
}

const char **ecc_plot_names(struct ecc_plot *plot, size_t count)
{
    return take(plot, count, sizeof(const char *));
}

double *ecc_plot_numbers(struct ecc_plot *plot, size_t count)
{
    return take(plot, count, sizeof(double));
}

/* ---- Drawing ------------------------------------------------------------------------------- */

/* Points the panels to what was added to them. */
static enum ecc_status finish(struct ecc_plot *plot, struct ecc_error *error)
{
    if (plot->failed) return ecc_fail_memory(error, "a picture");
    struct ecc_panel *const panels = plot->panels.items;
    const struct ecc_series *series = plot->series.items;
    const struct ecc_rule *rules = plot->rules.items;
    const struct ecc_circle *circles = plot->circles.items;
    const struct ecc_arrow *arrows = plot->arrows.items;
    const struct ecc_tag *tags = plot->tags.items;
    for (size_t i = 0; i < plot->panels.count; i++) {
        struct ecc_chart *const chart = &panels[i].chart;
        chart->series = series;
        chart->rules = rules;
        chart->circles = circles;
        chart->arrows = arrows;
        chart->tags = tags;
        if (series) series += chart->series_count;
        if (rules) rules += chart->rule_count;
        if (circles) circles += chart->circle_count;
        if (arrows) arrows += chart->arrow_count;
        if (tags) tags += chart->tag_count;
    }
    plot->figure.panels = panels;
    plot->figure.panel_count = plot->panels.count;
    return ECC_OK;
}

enum ecc_status ecc_plot_draw(struct ecc_plot *plot, const char *path, struct ecc_error *error)
{
    ECC_TRY(finish(plot, error));
    return ecc_figure_write(&plot->figure, path, error);
}

enum ecc_status ecc_plot_inline(struct ecc_plot *plot, FILE *page, double width, double height,
                                const char *words, struct ecc_error *error)
{
    ECC_TRY(finish(plot, error));
    if (plot->panels.count == 0) return ecc_fail(error, ECC_BAD_ARGUMENT, "a plot has no chart");
    return ecc_chart_inline(page, &plot->figure.panels[0].chart, width, height, words, error);
}

void ecc_plot_release(struct ecc_plot *plot)
{
    free(plot->panels.items);
    free(plot->series.items);
    free(plot->rules.items);
    free(plot->circles.items);
    free(plot->arrows.items);
    free(plot->tags.items);
    while (plot->blocks) {
        struct ecc_plot_block *const next = plot->blocks->next;
        free(plot->blocks);
        plot->blocks = next;
    }
    *plot = (struct ecc_plot){0};
}

enum ecc_status ecc_plot_write(struct ecc_plot *plot, const char *path, struct ecc_error *error)
{
    const enum ecc_status status = ecc_plot_draw(plot, path, error);
    ecc_plot_release(plot);
    return status;
}

enum ecc_status ecc_plot_write_in(struct ecc_plot *plot, const char *folder, const char *name,
                                  struct ecc_error *error)
{
    char *const path = ecc_path_join(folder, name);
    const enum ecc_status status =
        path ? ecc_plot_draw(plot, path, error) : ecc_fail_memory(error, "a path");
    free(path);
    ecc_plot_release(plot);
    return status;
}
