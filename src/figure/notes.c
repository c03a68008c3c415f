/*
 * notes.c: rules across a chart and circles in it.
 *
 * The label of a rule is outside the body at its end, where there can be no data. Labels that are
 * too close are pushed apart.
 */
#include "figure/chart.h"
#include "figure/lettering.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_WORDS = 32 }; /* labelled rules on one side; more could not be read */

static const double WORD_GAP = 4, LONGEST = 130;

static const struct ecc_ink RULE = {
    .name = "rule", .colour = {0.3, 0.3, 0.3, 1}, .width = 0.8, .dash = 4, .gap = 2.5};
/* Lighter: points will lie on it. */
static const struct ecc_ink CIRCLE = {.name = "circle", .colour = {0.6, 0.6, 0.6, 1}, .width = 0.8};
static const struct ecc_ink GROUND = {.name = "ground", .colour = {1, 1, 1, 0.8}};

/* ---- Words along one side ------------------------------------------------------------------ */

struct word {
    double at, size; /* the centre, and the room along the side */
    const char *label;
};

static int compare_words(const void *a, const void *b)
{
    const struct word *first = a, *second = b;
    return (first->at > second->at) - (first->at < second->at);
}

static double rule_place(const struct ecc_chart_plan *plan, const struct ecc_rule *rule)
{
    const double at = ecc_scale_place(rule->vertical ? &plan->x : &plan->y, rule->at);
    if (!(at >= -1e-9 && at <= 1 + 1e-9)) return NAN;
    return rule->vertical ? at * plan->width : (1 - at) * plan->height;
}

/* Pushes neighbours apart: forwards, then backwards from the end of the side. */
static void spread(struct word *words, size_t count, double end)
{
    for (size_t i = 1; i < count; i++) {
        const double least = words[i - 1].at + (words[i - 1].size + words[i].size) / 2;
        if (words[i].at < least) words[i].at = least;
    }
    for (size_t i = count; i-- > 0;) {
        const double limit =
            i + 1 == count ? end : words[i + 1].at - (words[i + 1].size + words[i].size) / 2;
        if (words[i].at > limit) words[i].at = limit;
    }
}

static size_t collect(const struct ecc_chart_plan *plan, cairo_t *cr, bool vertical,
                      struct word *words)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->chart->rule_count && count < MOST_WORDS; i++) {
        const struct ecc_rule *rule = &plan->chart->rules[i];
        const double at = rule_place(plan, rule);
        if (rule->vertical != vertical || isnan(at) || !rule->label || !rule->label[0]) continue;
        char fitted[ECC_TEXT_BYTES];
        ecc_text_fit(cr, ECC_TEXT_TICK, fitted, rule->label, LONGEST);
        const double size = vertical ? ecc_text_width(cr, ECC_TEXT_TICK, fitted) + 6
                                     : ecc_text_height(ECC_TEXT_TICK) + 2;
        words[count++] = (struct word){at, size, rule->label};
    }
    qsort(words, count, sizeof *words, compare_words);
    spread(words, count, vertical ? plan->width : plan->height);
    return count;
}

void ecc_notes_measure(struct ecc_chart_plan *plan, cairo_t *cr)
{
    struct word words[MOST_WORDS] = {0};
    size_t count = collect(plan, cr, false, words);
    for (size_t i = 0; i < count; i++) {
        const double width = fmin(ecc_text_width(cr, ECC_TEXT_TICK, words[i].label), LONGEST);
        plan->notes_right = fmax(plan->notes_right, WORD_GAP + width);
    }
    count = collect(plan, cr, true, words);
    if (count == 0) return;
    plan->notes_top = WORD_GAP + ecc_text_height(ECC_TEXT_TICK);
    const double end = words[count - 1].at + words[count - 1].size / 2;
    plan->notes_right = fmax(plan->notes_right, end - plan->width);
}

static void draw_side(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body,
                      bool vertical)
{
    struct word words[MOST_WORDS] = {0};
    const size_t count = collect(plan, cr, vertical, words);
    for (size_t i = 0; i < count; i++) {
        char fitted[ECC_TEXT_BYTES];
        ecc_text_fit(cr, ECC_TEXT_TICK, fitted, words[i].label, LONGEST);
        const double x = vertical ? body->x + words[i].at : body->x + body->width + WORD_GAP;
        const double y = vertical ? body->y - WORD_GAP + 1 : body->y + words[i].at;
        const struct ecc_anchor anchor = {vertical ? 0.5 : 0, vertical ? 1 : 0.5};
        ecc_text_draw(cr, ECC_TEXT_TICK, x, y, anchor, false, fitted);
    }
}

/* ---- Circles ------------------------------------------------------------------------------- */

/* The ellipse that a circle is where scales differ; straight axes only. */
static bool circle_shape(const struct ecc_chart_plan *plan, const struct ecc_circle *circle,
                         double *x, double *y, double *across, double *down)
{
    if (plan->x.logarithmic || plan->y.logarithmic || !(circle->radius > 0)) return false;
    if (!ecc_chart_place(plan, circle->x, circle->y, x, y)) return false;
    *across = circle->radius / (plan->x.high - plan->x.low) * plan->width;
    *down = circle->radius / (plan->y.high - plan->y.low) * plan->height;
    /* Larger ones would leave cairo's coordinates, and look straight anyway. */
    return fabs(*x) < 1e5 && fabs(*y) < 1e5 && *across < 1e5 && *down < 1e5;
}

static void draw_circle(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body,
                        const struct ecc_circle *circle)
{
    double x, y, across, down;
    if (!circle_shape(plan, circle, &x, &y, &across, &down)) return;
    if (across < 1e-3 || down < 1e-3) return;
    cairo_save(cr);
    cairo_translate(cr, body->x + x, body->y + y);
    cairo_scale(cr, across, down);
    cairo_new_sub_path(cr);
    cairo_arc(cr, 0, 0, 1, 0, 2 * M_PI);
    cairo_restore(cr);
    ecc_ink_stroke(cr, &CIRCLE);
}

/* The label at the upper right of a circle, on a white ground because points may be everywhere. */
static void draw_circle_words(const struct ecc_chart_plan *plan, cairo_t *cr,
                              const struct ecc_box *body, const struct ecc_circle *circle)
{
    double x, y, across, down;
    if (!circle->label || !circle->label[0]) return;
    if (!circle_shape(plan, circle, &x, &y, &across, &down)) return;
    char fitted[ECC_TEXT_BYTES];
    ecc_text_fit(cr, ECC_TEXT_TICK, fitted, circle->label, LONGEST);
    const double width = ecc_text_width(cr, ECC_TEXT_TICK, fitted) + 4;
    const double height = ecc_text_height(ECC_TEXT_TICK) + 3;
    double left = x + across * M_SQRT1_2 + 3, top = y - down * M_SQRT1_2 - 3 - height;
    left = fmin(fmax(left, 0), fmax(plan->width - width, 0));
    top = fmin(fmax(top, 0), fmax(plan->height - height, 0));
    cairo_rectangle(cr, body->x + left, body->y + top, width, height);
    ecc_ink_fill(cr, &GROUND);
    ecc_text_draw(cr, ECC_TEXT_TICK, body->x + left + 2, body->y + top + height / 2,
                  (struct ecc_anchor){0, 0.5}, false, fitted);
}

/* ---- Both ---------------------------------------------------------------------------------- */

void ecc_notes_draw_lines(const struct ecc_chart_plan *plan, cairo_t *cr,
                          const struct ecc_box *body)
{
    cairo_save(cr);
    cairo_rectangle(cr, body->x, body->y - 0.5, body->width, body->height + 1);
    cairo_clip(cr);
    for (size_t i = 0; i < plan->chart->circle_count; i++) {
        draw_circle(plan, cr, body, &plan->chart->circles[i]);
    }
    for (size_t i = 0; i < plan->chart->rule_count; i++) {
        const struct ecc_rule *rule = &plan->chart->rules[i];
        const double at = rule_place(plan, rule);
        if (isnan(at)) continue;
        cairo_move_to(cr, body->x + (rule->vertical ? at : 0), body->y + (rule->vertical ? 0 : at));
        cairo_rel_line_to(cr, rule->vertical ? 0 : body->width, rule->vertical ? body->height : 0);
        ecc_ink_stroke(cr, &RULE);
    }
    cairo_restore(cr);
}

void ecc_notes_draw_words(const struct ecc_chart_plan *plan, cairo_t *cr,
                          const struct ecc_box *body)
{
    for (size_t i = 0; i < plan->chart->circle_count; i++) {
        draw_circle_words(plan, cr, body, &plan->chart->circles[i]);
    }
    draw_side(plan, cr, body, false);
    draw_side(plan, cr, body, true);
}
