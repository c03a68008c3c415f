/* simulation.c: free points before and after, and how the loss has moved them. */
#include "eccentric_show.h"
#include "figure/plot.h"

#include <math.h>

/* Only the eccentric loss has a theory. */
static bool has_theory(const struct ecc_simulation *r)
{
    return isfinite(r->loss_sphere);
}

/* ---- Points --------------------------------------------------------------------------------- */

/* Coordinates of z: [n, d] along a principal axis of the points at the end. */
static double *project(struct ecc_plot *plot, const struct ecc_simulation *r, const float *z,
                       size_t axis)
{
    double *const out = ecc_plot_numbers(plot, r->n);
    for (size_t i = 0; out && i < r->n; i++) {
        for (size_t k = 0; k < r->d; k++) {
            out[i] += r->axes[axis * r->d + k] * ((double)z[i * r->d + k] - r->mean[k]);
        }
    }
    return out;
}

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; values && i < count; i++) most = fmax(most, fabs(values[i]));
    return most;
}

/* Start and end, along the same two axes on the same scale. */
static void draw_points(struct ecc_plot *plot, const struct ecc_simulation *r)
{
    static const char *const titles[] = {"start", "end"};
    double *xy[2][2], reach = 0;
    for (size_t i = 0; i < 4; i++) {
        xy[i / 2][i % 2] = project(plot, r, i < 2 ? r->start : r->points, i % 2);
        reach = fmax(reach, largest(xy[i / 2][i % 2], r->n));
    }
    /* in many dimensions the sphere's shadow is a small disc, and its outline would dwarf it */
    const bool outline = r->radius_theory < 1.5 * reach;
    const double limit = 1.06 * (outline ? fmax(reach, r->radius_theory) : reach);
    for (size_t p = 0; p < 2; p++) {
        struct ecc_chart *const chart = ecc_plot_chart(plot, titles[p], "first principal axis",
                                                       p == 0 ? "second principal axis" : NULL);
        chart->x.low = chart->y.low = -limit;
        chart->x.high = chart->y.high = limit;
        chart->equal_scales = true;
        chart->legend = ECC_LEGEND_NONE;
        struct ecc_series *const points = ecc_plot_points(plot, NULL, xy[p][0], xy[p][1], r->n);
        points->size = r->n <= 2000 ? 3.2 : r->n <= 20000 ? 1.8 : 1;
        points->colour = ecc_colour_category(p);
        if (outline) ecc_plot_circle(plot, 0, 0, r->radius_theory, NULL);
    }
    plot->figure.title =
        has_theory(r)
            ? ecc_plot_text(plot, "%zu points in %zu dimensions, μ = %g", r->n, r->d, r->mu)
            : ecc_plot_text(plot, "%zu points in %zu dimensions", r->n, r->d);
    if (!has_theory(r)) {
        plot->figure.caption = "axes: principal ones of the end";
        return;
    }
    plot->figure.caption = ecc_plot_text(
        plot,
        outline ? "circle: radius %.4g of Theorem 1"
                : "axes: principal ones of the end; a sphere of radius %.4g casts this shadow, "
                  "like a normal cloud",
        r->radius_theory);
}

/* ---- Curves --------------------------------------------------------------------------------- */

static void draw_curve(struct ecc_plot *plot, const struct ecc_simulation *r, size_t column,
                       const char *label)
{
    ecc_plot_chart(plot, NULL, "step", label)->x.whole = true;
    ecc_plot_line(plot, NULL, r->history[ECC_HISTORY_STEP], r->history[column], r->steps + 1);
}

static void draw_history(struct ecc_plot *plot, const struct ecc_simulation *r)
{
    draw_curve(plot, r, ECC_HISTORY_LOSS, "loss");
    if (has_theory(r)) ecc_plot_rule(plot, r->loss_sphere, "uniform sphere");
    draw_curve(plot, r, ECC_HISTORY_RADIUS, "mean radius");
    if (has_theory(r)) ecc_plot_rule(plot, r->radius_theory, "Theorem 1");
}

enum { BINS = 80 };

/* Percent of the points z: [n, d] whose distance from the origin falls into each bin; 0 at the last
 * edge. */
static const double *histogram(struct ecc_plot *plot, const struct ecc_simulation *r,
                               const float *z, double low, double high)
{
    double *const share = ecc_plot_numbers(plot, BINS + 1);
    for (size_t i = 0; share && i < r->n; i++) {
        const float *const row = z + i * r->d;
        double squares = 0;
        for (size_t k = 0; k < r->d; k++) squares += (double)row[k] * (double)row[k];
        const double place = (sqrt(squares) - low) / (high - low) * BINS;
        if (place >= 0 && place < BINS) share[(size_t)place] += 100 / (double)r->n;
    }
    return share;
}

static void draw_radius(struct ecc_plot *plot, const struct ecc_simulation *r)
{
    const double end = has_theory(r) ? r->radius_theory : r->radius.mean;
    const double margin = 4 * r->radius_start.deviation + 4 * r->radius.deviation + 0.02 * end;
    const double low = fmax(0, fmin(r->radius_start.mean, end) - margin);
    const double high = fmax(r->radius_start.mean, end) + margin;
    double *const edge = ecc_plot_numbers(plot, BINS + 1);
    for (size_t b = 0; edge && b <= BINS; b++) edge[b] = low + (high - low) * (double)b / BINS;
    ecc_plot_chart(plot, NULL, "distance from the origin", "share of the points, %");
    for (size_t p = 0; p < 2; p++) {
        const double *const share = histogram(plot, r, p == 0 ? r->start : r->points, low, high);
        struct ecc_series *const line =
            ecc_plot_line(plot, p == 0 ? "start" : "end", edge, share, BINS + 1);
        line->mark = ECC_MARK_STEPS;
        line->colour = ecc_colour_category(p);
    }
    if (!has_theory(r)) {
        plot->figure.caption =
            ecc_plot_text(plot, "end: %.5g ± %.2g", r->radius.mean, r->radius.deviation);
        return;
    }
    ecc_plot_rule_upright(plot, r->radius_theory, "Theorem 1");
    plot->figure.caption = ecc_plot_text(plot, "end: %.5g ± %.2g; Theorem 1: %.5g", r->radius.mean,
                                         r->radius.deviation, r->radius_theory);
}

static void draw_spectrum(struct ecc_plot *plot, const struct ecc_simulation *r)
{
    const double theory = r->radius_theory * r->radius_theory / (double)r->d;
    struct ecc_chart *const chart = ecc_plot_chart(plot, NULL, "component", "eigenvalue");
    chart->x.low = 0.5;
    chart->x.high = (double)r->d + 0.5;
    chart->x.whole = true;
    chart->y.high = 1.15 * (has_theory(r) ? fmax(theory, r->eigenvalues[0]) : r->eigenvalues[0]);
    ecc_plot_line(plot, NULL, NULL, r->eigenvalues, r->d);
    if (has_theory(r)) ecc_plot_rule(plot, theory, "Theorem 1");
    plot->figure.caption =
        ecc_plot_text(plot, "trace %.5g, eccentricity %.3g", r->trace, r->eccentricity);
}

/* ---- All of them ---------------------------------------------------------------------------- */

static const struct picture {
    const char *name, *title;
    double width, height;
    void (*draw)(struct ecc_plot *plot, const struct ecc_simulation *r);
} pictures[] = {
    {"points", NULL, 300, 300, draw_points},
    {"history", "Loss and radius, step by step", 300, 220, draw_history},
    {"radius", "How far the points are from the origin", 420, 240, draw_radius},
    {"spectrum", "Spectrum of the covariance", 420, 240, draw_spectrum},
};

enum ecc_status ecc_draw_simulation(const struct ecc_simulation *r, const char *folder,
                                    const char *ending, struct ecc_error *error)
{
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        const struct picture *const p = &pictures[i];
        struct ecc_plot plot;
        ecc_plot_start(&plot, p->title, p->width, p->height);
        p->draw(&plot, r);
        const char *const file = ecc_plot_text(&plot, "%s.%s", p->name, ending);
        ECC_TRY(ecc_plot_write_in(&plot, folder, file, error));
    }
    return ECC_OK;
}
