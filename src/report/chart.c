/* chart.c: a chart as inline SVG: its text is text, its colours are those of the page. */
#include "figure/scale.h"
#include "report/part.h"

#include <math.h>

enum { LEFT = 50, RIGHT = 14, TOP = 12, BOTTOM = 36, COLOURS = 10, CHUNK = 400 };

/* Where the axes are, and how values become places. */
struct plan {
    const struct ecc_chart *chart;
    struct ecc_scale x, y;
    double left, top, width, height; /* of the inside */
};

/* ---- Places --------------------------------------------------------------------------------- */

static void fit(struct plan *p)
{
    const struct ecc_chart *const c = p->chart;
    struct ecc_span x = {0}, y = {0};
    for (size_t s = 0; s < c->series_count; s++) {
        for (size_t i = 0; i < c->series[s].n; i++) {
            ecc_span_add(&x, c->series[s].x[i], c->x.logarithmic);
            ecc_span_add(&y, c->series[s].y[i], c->y.logarithmic);
        }
    }
    for (size_t r = 0; r < c->rule_count; r++) {
        ecc_span_add(c->rules[r].vertical ? &x : &y, c->rules[r].at,
                     c->rules[r].vertical ? c->x.logarithmic : c->y.logarithmic);
    }
    ecc_scale_fit(&p->x, &c->x, &x, c->equal_scales ? 0.03 : 0);
    ecc_scale_fit(&p->y, &c->y, &y, c->equal_scales ? 0.03 : 0.06);
    if (!c->equal_scales) return;
    const double unit = fmax((p->x.high - p->x.low) / p->width, (p->y.high - p->y.low) / p->height);
    const double middle_x = (p->x.low + p->x.high) / 2, middle_y = (p->y.low + p->y.high) / 2;
    p->x.low = middle_x - unit * p->width / 2;
    p->x.high = middle_x + unit * p->width / 2;
    p->y.low = middle_y - unit * p->height / 2;
    p->y.high = middle_y + unit * p->height / 2;
}

static double across(const struct plan *p, double value)
{
    return p->left + p->width * ecc_scale_place(&p->x, value);
}

static double down(const struct plan *p, double value)
{
    return p->top + p->height * (1 - ecc_scale_place(&p->y, value));
}

/* ---- Axes ----------------------------------------------------------------------------------- */

static void put_axes(FILE *out, const struct plan *p)
{
    const struct ecc_chart *const c = p->chart;
    const double right = p->left + p->width, bottom = p->top + p->height;
    struct ecc_ticks ticks;
    ecc_ticks_choose(&ticks, &p->y, p->height > 200 ? 7 : 5);
    for (size_t i = 0; i < ticks.count; i++) {
        const double at = down(p, ticks.at[i]);
        fprintf(out,
                "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/><text class=\"y\" x=\"%.1f\" "
                "y=\"%.1f\">",
                p->left, at, right, p->left - 6, at + 3.5);
        ecc_html_text(out, ticks.label[i]);
        fputs("</text>", out);
    }
    ecc_ticks_choose(&ticks, &p->x, p->width > 400 ? 9 : 6);
    for (size_t i = 0; i < ticks.count; i++) {
        const double at = across(p, ticks.at[i]);
        fprintf(out,
                "<path class=\"tick\" d=\"M%.1f %.1fv4\"/><text class=\"x\" x=\"%.1f\" "
                "y=\"%.1f\">",
                at, bottom, at, bottom + 15);
        ecc_html_text(out, ticks.label[i]);
        fputs("</text>", out);
    }
    fprintf(out, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>", p->left, bottom, right);
    if (c->x.label) {
        fprintf(out, "<text class=\"x name\" x=\"%.1f\" y=\"%.1f\">", p->left + p->width / 2,
                bottom + 30);
        ecc_html_text(out, c->x.label);
        fputs("</text>", out);
    }
    if (c->y.label) {
        fprintf(out, "<text class=\"x name\" transform=\"translate(%.1f %.1f) rotate(-90)\">", 11.0,
                p->top + p->height / 2);
        ecc_html_text(out, c->y.label);
        fputs("</text>", out);
    }
}

static void put_rules(FILE *out, const struct plan *p)
{
    for (size_t r = 0; r < p->chart->rule_count; r++) {
        const struct ecc_rule *const rule = &p->chart->rules[r];
        if (rule->vertical) continue;
        const double at = down(p, rule->at), right = p->left + p->width;
        if (!isfinite(at)) continue;
        fprintf(out,
                "<path class=\"rule\" d=\"M%.1f %.1fH%.1f\"/><text class=\"rule\" x=\"%.1f\" "
                "y=\"%.1f\">",
                p->left, at, right, right, at - 4);
        ecc_html_text(out, rule->label);
        fputs("</text>", out);
    }
    for (size_t i = 0; i < p->chart->circle_count; i++) {
        const struct ecc_circle *const circle = &p->chart->circles[i];
        fprintf(out, "<circle class=\"rule\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>",
                across(p, circle->x), down(p, circle->y), across(p, circle->radius) - across(p, 0));
    }
}

/* ---- Marks ---------------------------------------------------------------------------------- */

/* A line breaks where a point has no place. */
static void put_line(FILE *out, const struct plan *p, const struct ecc_series *s, size_t number)
{
    bool pen = false;
    fprintf(out, "<path class=\"line k%zu%s\" d=\"", number % COLOURS,
            s->mark == ECC_MARK_DASHED ? " dashed" : "");
    for (size_t i = 0; i < s->n; i++) {
        const double x = across(p, s->x[i]), y = down(p, s->y[i]);
        const bool here = isfinite(x) && isfinite(y);
        if (here) fprintf(out, "%c%.1f %.1f", pen ? 'L' : 'M', x, y);
        pen = here;
    }
    fputs("\"/>", out);
    if (s->n > 16) return;
    fprintf(out, "<path class=\"dots k%zu\" d=\"", number % COLOURS);
    for (size_t i = 0; i < s->n; i++) {
        const double x = across(p, s->x[i]), y = down(p, s->y[i]);
        if (isfinite(x) && isfinite(y)) fprintf(out, "M%.1f %.1fh0", x, y);
    }
    fputs("\"/>", out);
}

static void put_bars(FILE *out, const struct plan *p, const struct ecc_series *s, size_t number)
{
    const double room = s->n > 0 ? p->width / (double)s->n : 0;
    const double width = fmax(1, fmin(46, 0.72 * room)), bottom = p->top + p->height;
    for (size_t i = 0; i < s->n; i++) {
        const double x = across(p, s->x[i]), y = down(p, s->y[i]);
        fprintf(out, "<rect class=\"k%zu\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                number % COLOURS, x - width / 2, y, width, fmax(0, bottom - y));
    }
}

/* Points of one category among some; those without one are "none". */
static void put_some(FILE *out, const struct plan *p, const struct ecc_series *s, size_t from,
                     size_t to, int category)
{
    bool any = false;
    for (size_t i = from; i < to; i++) {
        const int own = s->category ? s->category[i] : 0;
        if ((own < 0 ? -1 : own) != category) continue;
        if (!any && category < 0) fputs("<path class=\"point none\" d=\"", out);
        if (!any && category >= 0)
            fprintf(out, "<path class=\"point k%d\" d=\"", category % COLOURS);
        any = true;
        const double x = across(p, s->x[i]), y = down(p, s->y[i]);
        const bool inside =
            x >= p->left && x <= p->left + p->width && y >= p->top && y <= p->top + p->height;
        if (inside) fprintf(out, "M%.1f %.1fh0", x, y);
    }
    if (any) fputs("\"/>", out);
}

/* Some of each category, then more of each, so that none hides another. */
static void put_points(FILE *out, const struct plan *p, const struct ecc_series *s)
{
    const size_t categories = p->chart->category_count > 0 ? p->chart->category_count : 1;
    for (size_t from = 0; from < s->n; from += CHUNK) {
        const size_t to = s->n - from < CHUNK ? s->n : from + CHUNK;
        for (int c = -1; c < (int)categories; c++) put_some(out, p, s, from, to, c);
    }
}

void ecc_report_chart(FILE *out, const struct ecc_chart *chart, double width, double height,
                      const char *words)
{
    const double label = chart->y.label ? 14 : 0;
    struct plan p = {.chart = chart,
                     .left = LEFT + label,
                     .top = TOP,
                     .width = width - LEFT - label - RIGHT,
                     .height = height - TOP - BOTTOM};
    fit(&p);
    fprintf(out, "<svg role=\"img\"%s viewBox=\"0 0 %.0f %.0f\" aria-label=\"",
            width > 500 ? " class=\"wide\"" : "", width, height);
    ecc_html_text(out, words);
    fputs("\">", out);
    put_axes(out, &p);
    for (size_t s = 0; s < chart->series_count; s++) {
        const struct ecc_series *const series = &chart->series[s];
        if (series->mark == ECC_MARK_POINTS) {
            put_points(out, &p, series);
        } else if (series->mark == ECC_MARK_STEPS) {
            put_bars(out, &p, series, s);
        } else {
            put_line(out, &p, series, s);
        }
    }
    put_rules(out, &p);
    fputs("</svg>\n", out);
}

void ecc_report_legend(FILE *out, const struct ecc_chart *chart)
{
    enum { MOST = 40 };
    const size_t count = chart->category_names ? chart->category_count : chart->series_count;
    fputs("<ul class=\"legend\">", out);
    for (size_t i = 0; i < count && i < MOST; i++) {
        const char *const name =
            chart->category_names ? chart->category_names[i] : chart->series[i].name;
        if (!name) continue;
        fprintf(out, "<li><i class=\"k%zu\"></i>", i % COLOURS);
        ecc_html_text(out, name);
        fputs("</li>", out);
    }
    if (count > MOST) fprintf(out, "<li>and %zu more</li>", count - MOST);
    fputs("</ul>\n", out);
}
