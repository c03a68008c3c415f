/*
 * tags.c: arrows and words inside a chart.
 *
 * Each word takes the best of some places around its point: inside the body, over no other word and
 * across no arrow.  What finds none is left out, and an arrow without its word with it.
 */
#include "figure/chart.h"
#include "figure/lettering.h"

#include <math.h>

enum { MOST = 128 };             /* words; more could not be read */
static const double FULL = 0.07; /* share of the body that tags may cover */

static const double HEAD = 5.5, HALF_HEAD = 2.1, LONGEST = 120, PADDING = 1.5;

static const struct ecc_ink SHAFT = {
    .name = "arrow", .colour = {0.12, 0.12, 0.12, 1}, .width = 1.1, .round = true};
static const struct ecc_ink TIP = {.name = "arrowhead", .colour = {0.12, 0.12, 0.12, 1}};
static const struct ecc_ink GLOW = {
    .name = "glow", .colour = {1, 1, 1, 0.75}, .width = 3.2, .round = true};

/* ---- Places --------------------------------------------------------------------------------- */

struct word {
    struct ecc_box box; /* from the body's corner */
    char text[ECC_TEXT_BYTES];
};

struct shaft {
    double x, y, to_x, to_y;
};

/* What lies on the chart already. */
struct desk {
    const struct ecc_chart_plan *plan;
    struct ecc_box taken[MOST + 1]; /* words, and the legend */
    double angles[MOST + 1];        /* of their arrows; NaN: not of an arrow */
    size_t taken_count;
    struct shaft shafts[MOST];
    size_t shaft_count;
};

static double overlap(double from, double length, double other, double other_length)
{
    return fmax(0, fmin(from + length, other + other_length) - fmax(from, other));
}

static double common_area(const struct ecc_box *a, const struct ecc_box *b)
{
    return overlap(a->x, a->width, b->x, b->width) * overlap(a->y, a->height, b->y, b->height);
}

/* How much of a shaft runs under a box, in points. */
static double length_under(const struct shaft *s, const struct ecc_box *box)
{
    enum { STEPS = 40 };
    size_t inside = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double t = (double)i / STEPS;
        const double x = s->x + t * (s->to_x - s->x), y = s->y + t * (s->to_y - s->y);
        inside += x > box->x && x < box->x + box->width && y > box->y && y < box->y + box->height;
    }
    return (double)inside / (STEPS + 1) * hypot(s->to_x - s->x, s->to_y - s->y);
}

/* What is wrong with a place: area under other words or outside the body, in square points. */
static double faults(const struct desk *desk, const struct ecc_box *box)
{
    const struct ecc_box body = {0, 0, desk->plan->width, desk->plan->height};
    double sum = 4 * (box->width * box->height - common_area(box, &body));
    for (size_t i = 0; i < desk->taken_count; i++) sum += 4 * common_area(box, &desk->taken[i]);
    return sum;
}

/* How much of the arrows a place would cover. */
static double covered(const struct desk *desk, const struct ecc_box *box)
{
    double sum = 0;
    for (size_t i = 0; i < desk->shaft_count; i++) sum += length_under(&desk->shafts[i], box);
    return sum;
}

/* How many words of arrows in about the same direction would be on the wrong side: words stand in
 * the order of their arrows. */
static double disorder(const struct desk *desk, const struct ecc_box *box, double angle)
{
    static const double ABOUT = 0.6;
    double wrong = 0;
    for (size_t i = 0; i < desk->taken_count; i++) {
        const struct ecc_box *const other = &desk->taken[i];
        const double turn = remainder(angle - desk->angles[i], 2 * M_PI);
        if (!(fabs(turn) < ABOUT)) continue; /* also for NaN */
        const double middle = angle - turn / 2;
        const double x = box->x + box->width / 2 - other->x - other->width / 2;
        const double y = box->y + box->height / 2 - other->y - other->height / 2;
        wrong += (y * cos(middle) - x * sin(middle)) * turn < 0;
    }
    return wrong;
}

/* The box of a word whose nearest edge is `gap` away from a point, in a direction. */
static struct ecc_box box_beside(const struct ecc_box *size, double x, double y, double angle,
                                 double gap)
{
    const double u = cos(angle), v = sin(angle);
    /* The half of the box that lies towards the point, measured along the direction. */
    const double half = fmin(fabs(u) > 1e-9 ? size->width / 2 / fabs(u) : 1e9,
                             fabs(v) > 1e-9 ? size->height / 2 / fabs(v) : 1e9);
    const double away = gap > 0 ? gap + half : 0;
    return (struct ecc_box){x + away * u - size->width / 2, y + away * v - size->height / 2,
                            size->width, size->height};
}

/* Finds the place of a word near a point, first in the direction of its arrow (NaN: it has none,
 * and the first choice is on the point itself); false: none is free. */
static bool find_place(struct desk *desk, struct word *word, double x, double y, double arrow)
{
    static const double TURNS[] = {0, 25, -25, 50, -50, 80, -80, 110, -110, 145, -145, 180};
    static const double GAPS[] = {3, 8, 14, 21, 30};
    const struct ecc_box size = word->box;
    const bool middle = isnan(arrow);
    const double angle = middle ? -M_PI / 2 : arrow;
    double least = INFINITY;
    for (size_t g = 0; g < sizeof GAPS / sizeof GAPS[0]; g++) {
        for (size_t t = 0; t < sizeof TURNS / sizeof TURNS[0]; t++) {
            const bool centre = middle && g == 0 && t == 0;
            const struct ecc_box box =
                box_beside(&size, x, y, angle + TURNS[t] * M_PI / 180, centre ? 0 : GAPS[g]);
            const double fault = faults(desk, &box);
            const double cost = fault + 3 * covered(desk, &box) + 2 * GAPS[g] +
                                0.25 * fabs(TURNS[t]) + (centre ? -10 : 0) +
                                80 * disorder(desk, &box, arrow);
            if (fault > 2 || cost >= least) continue;
            least = cost;
            word->box = box;
        }
    }
    if (!isfinite(least)) return false;
    desk->angles[desk->taken_count] = arrow;
    desk->taken[desk->taken_count++] = word->box;
    return true;
}

static void measure_word(struct word *word, cairo_t *cr, const char *label)
{
    ecc_text_fit(cr, ECC_TEXT_TICK, word->text, label, LONGEST);
    word->box =
        (struct ecc_box){.width = ecc_text_width(cr, ECC_TEXT_TICK, word->text) + 2 * PADDING,
                         .height = ecc_text_height(ECC_TEXT_TICK) + PADDING};
}

/* ---- Drawing -------------------------------------------------------------------------------- */

static void draw_word(cairo_t *cr, const struct ecc_box *body, const struct word *word)
{
    ecc_text_halo(cr, ECC_TEXT_TICK, body->x + word->box.x + PADDING,
                  body->y + word->box.y + word->box.height / 2, (struct ecc_anchor){0, 0.5},
                  word->text);
}

/* The part of an arrow that one ink draws: the glow under it, or its shaft and tip. */
static void draw_shaft(cairo_t *cr, const struct ecc_box *body, const struct shaft *s, bool glow)
{
    const double length = hypot(s->to_x - s->x, s->to_y - s->y);
    if (!(length > 0.5)) return;
    const double u = (s->to_x - s->x) / length, v = (s->to_y - s->y) / length;
    const double head = fmin(HEAD, length), half = HALF_HEAD * head / HEAD;
    const double x = body->x + s->to_x, y = body->y + s->to_y;
    const double neck_x = x - head * u, neck_y = y - head * v;
    cairo_move_to(cr, body->x + s->x, body->y + s->y);
    cairo_line_to(cr, glow ? x : neck_x, glow ? y : neck_y);
    ecc_ink_stroke(cr, glow ? &GLOW : &SHAFT);
    if (glow) return;
    cairo_move_to(cr, x, y);
    cairo_line_to(cr, neck_x - half * v, neck_y + half * u);
    cairo_line_to(cr, neck_x + half * v, neck_y - half * u);
    cairo_close_path(cr);
    ecc_ink_fill(cr, &TIP);
}

/* ---- The chart ------------------------------------------------------------------------------ */

/* All shafts first: no word may cover one that comes later. */
static void lay_shafts(struct desk *desk)
{
    const struct ecc_chart *const chart = desk->plan->chart;
    double x, y;
    if (!ecc_chart_place(desk->plan, 0, 0, &x, &y)) return;
    for (size_t i = 0; i < chart->arrow_count && desk->shaft_count < MOST; i++) {
        struct shaft *const s = &desk->shafts[desk->shaft_count];
        *s = (struct shaft){.x = x, .y = y};
        if (!ecc_chart_place(desk->plan, chart->arrows[i].x, chart->arrows[i].y, &s->to_x,
                             &s->to_y)) {
            *s = (struct shaft){x, y, x, y};
        }
        desk->shaft_count++;
    }
}

/* Finds the places of the arrows' words, the first arrows first, and leaves out arrows without. */
static size_t place_arrows(struct desk *desk, cairo_t *cr, struct word *words)
{
    size_t count = 0;
    for (size_t i = 0; i < desk->shaft_count; i++) {
        const struct shaft s = desk->shafts[i];
        measure_word(&words[count], cr, desk->plan->chart->arrows[i].label);
        const double angle = atan2(s.to_y - s.y, s.to_x - s.x);
        if (find_place(desk, &words[count], s.to_x, s.to_y, angle)) {
            desk->shafts[count++] = s;
        }
    }
    return count;
}

static void draw_arrows(struct desk *desk, cairo_t *cr, const struct ecc_box *body)
{
    struct word words[MOST];
    lay_shafts(desk);
    const size_t count = desk->shaft_count = place_arrows(desk, cr, words);
    for (size_t i = 0; i < count; i++) draw_shaft(cr, body, &desk->shafts[i], true);
    for (size_t i = 0; i < count; i++) draw_shaft(cr, body, &desk->shafts[i], false);
    for (size_t i = 0; i < count; i++) draw_word(cr, body, &words[i]);
}

void ecc_tags_draw(const struct ecc_chart_plan *plan, cairo_t *cr, const struct ecc_box *body)
{
    const struct ecc_chart *const chart = plan->chart;
    struct desk desk = {.plan = plan};
    if (chart->arrow_count + chart->tag_count == 0) return;
    if (plan->legend.place == ECC_PLACE_CORNER) {
        const struct ecc_legend *const l = &plan->legend;
        desk.angles[desk.taken_count] = NAN;
        desk.taken[desk.taken_count++] = (struct ecc_box){l->left, l->top, l->width, l->height};
    }
    draw_arrows(&desk, cr, body);
    double room = FULL * plan->width * plan->height;
    for (size_t i = 0; i < chart->tag_count && desk.taken_count < MOST && room > 0; i++) {
        struct word word;
        double x, y;
        if (!ecc_chart_place(plan, chart->tags[i].x, chart->tags[i].y, &x, &y)) continue;
        measure_word(&word, cr, chart->tags[i].label);
        room -= word.box.width * word.box.height;
        if (find_place(&desk, &word, x, y, NAN)) draw_word(cr, body, &word);
    }
}
