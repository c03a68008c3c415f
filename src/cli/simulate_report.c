/* simulate_report.c: the words, the JSON and the pictures of `eccentric simulate`. */
#include "base/file.h"
#include "base/text.h"
#include "cli/simulate.h"
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>

/* ---- Words and JSON ------------------------------------------------------------------------- */

/* Why it ended, and what keeps it from being the sphere of the theory. */
static void print_notes(const struct ecc_simulate_result *r)
{
    if (!r->at_rest && !r->interrupted) {
        printf("\nNote: not yet at rest: the net forces are still %.2g of the radius (--steps, "
               "--tolerance).\n",
               r->history[2][r->steps] / (r->radius * sqrt((double)r->n)));
    }
    if (r->escape_gain > 0) {
        printf(
            "\nNote: with this d, mu and M the sphere is stationary but not the minimum: points\n"
            "gain by moving to radius %.3g (see docs/theory.md).\n",
            r->escape_radius);
    } else if (r->trapped > 0) {
        printf("\nNote: %zu of %zu points rest well inside the sphere: a local minimum, the loss "
               "would be lower without.\n",
               r->trapped, r->n);
    }
}

void ecc_simulate_print(const struct ecc_simulate_result *r)
{
    char quoted[ECC_PATH_SIZE];
    const double square = r->radius_theory * r->radius_theory;
    printf("%zu points in %zu dimensions, mu %g, M %.8g (%s), pairs %s, start %s\n", r->n, r->d,
           r->mu, r->m, r->m_rule, r->pairs, ecc_quote_path(quoted, r->start_name));
    printf("%zu steps in %.2f s%s\n\n", r->steps, r->seconds, r->at_rest ? ", at rest" : "");
    printf("%-24s %12s %12s   %s\n", "", "start", "end", "theory");
    printf("%-24s %12.6g %12.6g   %.6g for the sphere", "loss", r->loss_start, r->loss,
           r->loss_sphere);
    if (r->mu == 1) printf("; d(1 - 2 log 2) = %.6g", r->loss_paper);
    printf("\n%-24s %12.6g %12.6g   %.6g by Theorem 1; sqrt(d) = %.6g\n", "radius", r->radius_start,
           r->radius, r->radius_theory, sqrt((double)r->d));
    printf("%-24s %12.4g %12.4g   0\n", "  deviation", r->radius_start_deviation,
           r->radius_deviation);
    printf("%-24s %12s %12.6g   %.6g = radius^2; d = %zu\n", "trace of covariance", "", r->trace,
           square, r->d);
    printf("%-24s %12s %12.4g   %.4g = radius^2/d, all alike\n", "largest eigenvalue", "",
           r->eigenvalues[0], square / (double)r->d);
    printf("%-24s %12s %12.4g", "smallest eigenvalue", "", r->eigenvalues[r->d - 1]);
    if (r->n <= r->d) printf("   (%zu points span at most %zu dimensions)", r->n, r->n - 1);
    printf("\n%-24s %12s %12.4g   0 on a sphere\n", "eccentricity", "", r->eccentricity);
    printf("%-24s %12s %12.4g   +- %.3g, least %.4g\n", "nearest neighbour", "", r->nearest,
           r->nearest_deviation, r->nearest_least);
    print_notes(r);
}

json_t *ecc_simulate_json(const struct ecc_simulate_result *r)
{
    json_t *const json = json_object();
    ecc_json_count(json, "points", r->n);
    ecc_json_count(json, "dim", r->d);
    ecc_json_number(json, "mu", r->mu);
    ecc_json_number(json, "M", r->m);
    ecc_json_text(json, "m_rule", r->m_rule);
    ecc_json_text(json, "pairs", r->pairs);
    ecc_json_text(json, "start", r->start_name);
    ecc_json_count(json, "seed", r->seed);
    ecc_json_number(json, "tolerance", r->tolerance);
    ecc_json_count(json, "steps", r->steps);
    ecc_json_flag(json, "at_rest", r->at_rest);
    ecc_json_flag(json, "interrupted", r->interrupted);
    ecc_json_number(json, "seconds", r->seconds);
    ecc_json_number(json, "loss_start", r->loss_start);
    ecc_json_number(json, "loss", r->loss);
    ecc_json_number(json, "loss_sphere", r->loss_sphere);
    ecc_json_number(json, "loss_paper", r->loss_paper);
    ecc_json_number(json, "radius", r->radius);
    ecc_json_number(json, "radius_deviation", r->radius_deviation);
    ecc_json_number(json, "radius_theory", r->radius_theory);
    ecc_json_number(json, "escape_gain", r->escape_gain);
    ecc_json_number(json, "escape_radius", r->escape_radius);
    ecc_json_number(json, "trace", r->trace);
    ecc_json_number(json, "eccentricity", r->eccentricity);
    ecc_json_number(json, "effective_rank", r->effective_rank);
    ecc_json_number(json, "nearest", r->nearest);
    ecc_json_number(json, "nearest_deviation", r->nearest_deviation);
    ecc_json_number(json, "nearest_least", r->nearest_least);
    ecc_json_numbers(json, "eigenvalues", r->eigenvalues, r->d);
    return json;
}

/* ---- Pictures ------------------------------------------------------------------------------- */

static enum ecc_status write_figure(const struct ecc_figure *figure, const char *directory,
                                    const char *name, const char *ending, struct ecc_error *error)
{
    char file[40];
    snprintf(file, sizeof file, "%s.%s", name, ending);
    char *const path = ecc_path_join(directory, file);
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_figure_write(figure, path, error);
    free(path);
    return status;
}

/* Coordinates along the principal axis `axis` of the points at the end. */
static void project(double *out, const struct ecc_simulate_result *r, const float *z, size_t axis)
{
    for (size_t i = 0; i < r->n; i++) {
        out[i] = 0;
        for (size_t k = 0; k < r->d; k++) {
            out[i] += r->axes[axis * r->d + k] * ((double)z[i * r->d + k] - r->mean[k]);
        }
    }
}

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
    return most;
}

/* Before and after, along the same two axes on the same scale. */
static enum ecc_status draw_points(const struct ecc_simulate_result *r, double *memory,
                                   const char *directory, const char *ending,
                                   struct ecc_error *error)
{
    double *const xy[4] = {memory, memory + r->n, memory + 2 * r->n, memory + 3 * r->n};
    project(xy[0], r, r->start, 0);
    project(xy[1], r, r->start, 1);
    project(xy[2], r, r->points, 0);
    project(xy[3], r, r->points, 1);
    /* in many dimensions the sphere's shadow is a small disc, and its outline would dwarf it */
    const double reach = largest(memory, 4 * r->n);
    const bool outline = r->radius_theory < 1.5 * reach;
    const double limit = 1.06 * (outline ? fmax(reach, r->radius_theory) : reach);
    const double size = r->n <= 2000 ? 3.2 : r->n <= 20000 ? 1.8 : 1;
    struct ecc_series series[2];
    struct ecc_panel panels[2] = {{.title = "start"}, {.title = "end"}};
    const struct ecc_circle circle = {.radius = r->radius_theory};
    for (int p = 0; p < 2; p++) {
        series[p] = (struct ecc_series){.x = xy[2 * p],
                                        .y = xy[2 * p + 1],
                                        .n = r->n,
                                        .mark = ECC_MARK_POINTS,
                                        .size = size,
                                        .colour = ecc_colour_category((size_t)p)};
        panels[p].chart = (struct ecc_chart){
            .x = {"first principal axis", -limit, limit, false, false},
            .y = {p == 0 ? "second principal axis" : NULL, -limit, limit, false, false},
            .series = &series[p],
            .series_count = 1,
            .circles = &circle,
            .circle_count = outline ? 1 : 0,
            .equal_scales = true,
            .legend = ECC_LEGEND_NONE};
    }
    char title[80], caption[160];
    snprintf(title, sizeof title, "%zu points in %zu dimensions, μ = %g", r->n, r->d, r->mu);
    snprintf(caption, sizeof caption,
             outline
                 ? "circle: radius %.4g of Theorem 1"
                 : "axes: principal ones of the end; a sphere of radius %.4g casts this shadow, "
                   "like a normal cloud",
             r->radius_theory);
    const struct ecc_figure figure = {.title = title,
                                      .caption = caption,
                                      .panels = panels,
                                      .panel_count = 2,
                                      .panel_width = 300,
                                      .panel_height = 300};
    return write_figure(&figure, directory, "points", ending, error);
}

static enum ecc_status draw_history(const struct ecc_simulate_result *r, const char *directory,
                                    const char *ending, struct ecc_error *error)
{
    const struct ecc_series loss = {.x = r->history[0], .y = r->history[1], .n = r->steps + 1};
    const struct ecc_series radius = {.x = r->history[0], .y = r->history[3], .n = r->steps + 1};
    const struct ecc_rule sphere = {.at = r->loss_sphere, .label = "uniform sphere"};
    const struct ecc_rule theorem = {.at = r->radius_theory, .label = "Theorem 1"};
    const struct ecc_panel panels[2] = {
        {.chart = {.x = {.label = "step", .whole = true},
                   .y = {.label = "loss"},
                   .series = &loss,
                   .series_count = 1,
                   .rules = &sphere,
                   .rule_count = 1}},
        {.chart = {.x = {.label = "step", .whole = true},
                   .y = {.label = "mean radius"},
                   .series = &radius,
                   .series_count = 1,
                   .rules = &theorem,
                   .rule_count = 1}},
    };
    const struct ecc_figure figure = {.title = "Loss and radius, step by step",
                                      .panels = panels,
                                      .panel_count = 2,
                                      .panel_width = 300,
                                      .panel_height = 220};
    return write_figure(&figure, directory, "history", ending, error);
}

enum { BINS = 80 };

/* Percent of the points whose distance from the origin falls into each bin; 0 at the last edge. */
static void radius_histogram(double *share, const float *z, size_t n, size_t d, double low,
                             double high)
{
    for (size_t b = 0; b <= BINS; b++) share[b] = 0;
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        for (size_t k = 0; k < d; k++) squares += (double)z[i * d + k] * (double)z[i * d + k];
        const double place = (sqrt(squares) - low) / (high - low) * BINS;
        if (place >= 0 && place < BINS) share[(size_t)place] += 100 / (double)n;
    }
}

static enum ecc_status draw_radius(const struct ecc_simulate_result *r, const char *directory,
                                   const char *ending, struct ecc_error *error)
{
    double edge[BINS + 1], before[BINS + 1], after[BINS + 1];
    const double margin =
        4 * r->radius_start_deviation + 4 * r->radius_deviation + 0.02 * r->radius_theory;
    const double low = fmax(0, fmin(r->radius_start, r->radius_theory) - margin);
    const double high = fmax(r->radius_start, r->radius_theory) + margin;
    for (size_t b = 0; b <= BINS; b++) edge[b] = low + (high - low) * (double)b / BINS;
    radius_histogram(before, r->start, r->n, r->d, low, high);
    radius_histogram(after, r->points, r->n, r->d, low, high);
    char caption[100];
    snprintf(caption, sizeof caption, "end: %.5g ± %.2g; Theorem 1: %.5g", r->radius,
             r->radius_deviation, r->radius_theory);
    const struct ecc_series series[] = {
        {.name = "start",
         .x = edge,
         .y = before,
         .n = BINS + 1,
         .mark = ECC_MARK_STEPS,
         .colour = ecc_colour_category(0)},
        {.name = "end",
         .x = edge,
         .y = after,
         .n = BINS + 1,
         .mark = ECC_MARK_STEPS,
         .colour = ecc_colour_category(1)},
    };
    const struct ecc_rule rule = {.at = r->radius_theory, .vertical = true, .label = "Theorem 1"};
    const struct ecc_panel panel = {.chart = {.x = {.label = "distance from the origin"},
                                              .y = {.label = "share of the points, %"},
                                              .series = series,
                                              .series_count = 2,
                                              .rules = &rule,
                                              .rule_count = 1}};
    const struct ecc_figure figure = {.title = "How far the points are from the origin",
                                      .caption = caption,
                                      .panels = &panel,
                                      .panel_count = 1,
                                      .panel_width = 420,
                                      .panel_height = 240};
    return write_figure(&figure, directory, "radius", ending, error);
}

static enum ecc_status draw_spectrum(const struct ecc_simulate_result *r, const char *directory,
                                     const char *ending, struct ecc_error *error)
{
    double *const rank = malloc(r->d * sizeof *rank);
    if (!rank) return ecc_fail_memory(error, "the spectrum");
    for (size_t k = 0; k < r->d; k++) rank[k] = (double)(k + 1);
    const struct ecc_series series = {.x = rank, .y = r->eigenvalues, .n = r->d};
    const struct ecc_rule rule = {.at = r->radius_theory * r->radius_theory / (double)r->d,
                                  .label = "Theorem 1"};
    char caption[100];
    snprintf(caption, sizeof caption, "trace %.5g, eccentricity %.3g", r->trace, r->eccentricity);
    const struct ecc_panel panel = {
        .chart = {.x = {"component", 0.5, (double)r->d + 0.5, false, true},
                  .y = {"eigenvalue", 0, 1.15 * fmax(rule.at, r->eigenvalues[0]), false, false},
                  .series = &series,
                  .series_count = 1,
                  .rules = &rule,
                  .rule_count = 1}};
    const struct ecc_figure figure = {.title = "Spectrum of the covariance",
                                      .caption = caption,
                                      .panels = &panel,
                                      .panel_count = 1,
                                      .panel_width = 420,
                                      .panel_height = 240};
    const enum ecc_status status = write_figure(&figure, directory, "spectrum", ending, error);
    free(rank);
    return status;
}

enum ecc_status ecc_simulate_draw(const struct ecc_simulate_result *r, const char *directory,
                                  const char *ending, struct ecc_error *error)
{
    double *const memory = malloc(4 * r->n * sizeof *memory);
    if (!memory) return ecc_fail_memory(error, "the picture of the points");
    const enum ecc_status status = draw_points(r, memory, directory, ending, error);
    free(memory);
    ECC_TRY(status);
    ECC_TRY(draw_history(r, directory, ending, error));
    ECC_TRY(draw_radius(r, directory, ending, error));
    return draw_spectrum(r, directory, ending, error);
}
