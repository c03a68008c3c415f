/* figure3.c: Figure 3: MNIST in two dimensions, six panels of lambda and mu. */
#include "reproduce/items.h"

#include <math.h>
#include <stdlib.h>

enum { LAMBDAS = ECC_PAPER_LAMBDAS3, PANELS = LAMBDAS * ECC_PAPER_MUS3, CLASSES = 10 };

/* Panels row by row: mu rises down, lambda falls across. */
static struct ecc_variant variant_of(size_t panel)
{
    return ecc_eae(ECC_DIGITS, 2, ecc_paper_lambdas3[panel % LAMBDAS],
                   ecc_paper_mus3[panel / LAMBDAS], 1);
}

/* Along both components a row x, y, class for each test item, and where the latents' origin is. */
static enum ecc_status put_points(json_t *out, const struct ecc_components *c, float *z,
                                  const int32_t *labels, size_t n, struct ecc_error *error)
{
    float zero[2] = {0, 0};
    json_t *const points = json_array();
    json_object_set_new(out, "points", points);
    ECC_TRY(ecc_components_project(c, z, z, n, error));
    ECC_TRY(ecc_components_project(c, zero, zero, 1, error));
    for (size_t i = 0; i < n; i++) {
        const double row[] = {(double)z[2 * i], (double)z[2 * i + 1], labels ? labels[i] : -1};
        json_array_append_new(points, ecc_json_reals(row, 3));
    }
    ecc_json_number(out, "origin_x", (double)zero[0]);
    ecc_json_number(out, "origin_y", (double)zero[1]);
    return ECC_OK;
}

static enum ecc_status measure(const struct ecc_repro *r, const struct ecc_task *task, json_t *out,
                               struct ecc_error *error)
{
    struct ecc_opened run;
    float *z = NULL;
    int32_t *labels = NULL;
    size_t n = 0;
    enum ecc_status status = ecc_opened_open(&run, r, task, error);
    if (status == ECC_OK) {
        status = ecc_model_latents(run.model, &z, &labels, &n, task->step.runs.data, 0,
                                   r->options->watch, error);
    }
    if (status == ECC_OK) status = put_points(out, &run.components, z, labels, n, error);
    ecc_opened_close(&run);
    free(z);
    free(labels);
    return status;
}

/* ---- The picture ---------------------------------------------------------------------------- */

struct panel {
    const json_t *points;
    double origin_x, origin_y;
    double radius, spread; /* of the points' distance from there */
    double eccentricity, trace;
};

/* Points of a panel; returns the category of each, the caller's to free, or NULL. */
static int *add_points(struct ecc_plot *plot, const json_t *points)
{
    const size_t n = json_array_size(points);
    double *const x = ecc_plot_numbers(plot, n), *const y = ecc_plot_numbers(plot, n);
    int *const category = calloc(n + 1, sizeof *category);
    for (size_t i = 0; x && y && category && i < n; i++) {
        const json_t *const row = json_array_get(points, i);
        x[i] = ecc_get_item(row, 0);
        y[i] = ecc_get_item(row, 1);
        category[i] = (int)json_number_value(json_array_get(row, 2));
    }
    struct ecc_series *const series = ecc_plot_points(plot, NULL, x, y, n);
    series->size = n > 3000 ? 1.3 : 2.2;
    series->category = category;
    return category;
}

/* How far the axes go: to the farthest point, but no farther than 4. */
static double find_reach(const struct panel *panels)
{
    double reach = 1.5 * sqrt(2);
    for (size_t k = 0; k < PANELS; k++) {
        for (size_t i = 0; i < 2 * json_array_size(panels[k].points); i++) {
            const json_t *const row = json_array_get(panels[k].points, i / 2);
            reach = fmax(reach, fmin(4, fabs(ecc_get_item(row, i % 2))));
        }
    }
    return reach;
}

/* Two rows of three, all with the same limits. */
static void draw(struct ecc_section *s, const struct panel *panels)
{
    static const char *const digits[CLASSES] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    struct ecc_plot plot;
    int *categories[PANELS];
    const double reach = find_reach(panels);
    ecc_plot_start(&plot, "Latents in two dimensions", 210, 210);
    plot.figure.columns = LAMBDAS;
    plot.figure.caption =
        ecc_plot_text(&plot, "test items of %s; circle: radius √2 around the latents' origin",
                      ecc_set_title(s->r, ECC_DIGITS));
    for (size_t k = 0; k < PANELS; k++) {
        const struct ecc_variant v = variant_of(k);
        struct ecc_chart *const chart =
            ecc_plot_chart(&plot, ecc_plot_text(&plot, "λ = %g, μ = %g", v.lambda, v.mu),
                           k >= LAMBDAS ? "larger component" : NULL,
                           k % LAMBDAS == 0 ? "smaller component" : NULL);
        chart->x.low = chart->y.low = -reach;
        chart->x.high = chart->y.high = reach;
        chart->equal_scales = true;
        chart->category_names = digits;
        chart->category_count = CLASSES;
        chart->legend = k == LAMBDAS - 1 ? ECC_LEGEND_AUTO : ECC_LEGEND_NONE;
        categories[k] = add_points(&plot, panels[k].points);
        if (!panels[k].points) continue;
        ecc_plot_circle(&plot, panels[k].origin_x, panels[k].origin_y, sqrt(2), NULL);
    }
    ecc_item_draw(s, &plot, "figure3");
    for (size_t k = 0; k < PANELS; k++) free(categories[k]);
}

/* ---- The report ----------------------------------------------------------------------------- */

static void report_table(struct ecc_section *s, const struct panel *panels)
{
    json_t *const table = ecc_section_table(s,
                                            "Distance of test latents from the origin; √2 = 1.414, "
                                            "a standard normal has 1.25 ± 0.66",
                                            "λ\tμ\tradius\ttrace\teccentricity");
    for (size_t k = 0; k < PANELS; k++) {
        const struct panel *const p = &panels[k];
        const struct ecc_variant v = variant_of(k);
        json_t *const numbers = ecc_section_numbers(s, ECC_SAY("lambda%g_mu%g", v.lambda, v.mu));
        ecc_table_row(table, "%g\t%g\t%.3f ± %.3f\t%.3f\t%.3f", v.lambda, v.mu, p->radius,
                      p->spread, p->trace, p->eccentricity);
        ecc_json_number(numbers, "radius", p->radius);
        ecc_json_number(numbers, "radius_deviation", p->spread);
        ecc_json_number(numbers, "trace", p->trace);
        ecc_json_number(numbers, "eccentricity", p->eccentricity);
    }
}

/* What the paper reads from the panels, for each mu; columns are 0.1, 0.01, 0.001. */
static void report_claims(struct ecc_section *s, const struct panel *panels)
{
    for (size_t row = 0; row < ECC_PAPER_MUS3; row++) {
        const double mu = ecc_paper_mus3[row];
        const struct panel *const a = &panels[row * LAMBDAS], *const b = a + 1, *const c = a + 2;
        ecc_section_claim(s, ecc_holds(fabs(a->radius / sqrt(2) - 1) < 0.1 && a->spread < 0.4),
                          "agrees: mean within 10% of √2, deviation below 0.4",
                          "λ = 0.1, μ = %g: close to the circle of radius √2\tby eye\t%.3f ± %.3f",
                          mu, a->radius, a->spread);
        ecc_section_claim(s, ecc_holds(a->spread < b->spread && b->spread < c->spread), NULL,
                          "As λ falls, latents leave the circle (μ = %g)\tby eye\t"
                          "± %.3f, %.3f, %.3f",
                          mu, a->spread, b->spread, c->spread);
        ecc_section_claim(
            s, ecc_holds(c->eccentricity > a->eccentricity && c->eccentricity > b->eccentricity),
            NULL, "At λ = 0.001 the eccentricity is greatest (μ = %g)\tby eye\t%.3f, %.3f, %.3f",
            mu, a->eccentricity, b->eccentricity, c->eccentricity);
    }
}

static void measure_radius(struct panel *p)
{
    const size_t n = json_array_size(p->points);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        const json_t *const row = json_array_get(p->points, i);
        const double distance =
            hypot(ecc_get_item(row, 0) - p->origin_x, ecc_get_item(row, 1) - p->origin_y);
        sum += distance;
        squares += distance * distance;
    }
    p->radius = sum / (double)n;
    p->spread = sqrt(fmax(0, squares / (double)n - p->radius * p->radius));
}

/* The panel, if it is there. */
static bool take(struct panel *p, struct ecc_section *s, size_t k)
{
    struct ecc_repro *const r = s->r;
    const int run = ecc_ask_run(s, variant_of(k));
    struct ecc_step step = {
        .measure = measure, .runs = ecc_group_of(run), .command = "scatter", .guess = 3};
    step.runs.data = r->data[ECC_DIGITS].test;
    const json_t *const result = ecc_ask_of(s, "scatter", &step);
    if (!result) return false;
    p->points = json_object_get(result, "points");
    p->origin_x = ecc_get_number(result, "origin_x");
    p->origin_y = ecc_get_number(result, "origin_y");
    measure_radius(p);
    p->eccentricity = ecc_get_number(ecc_plan_result(r, run), "eccentricity");
    p->trace = ecc_get_number(ecc_plan_result(r, run), "trace");
    ecc_section_runs(s, &step.runs, ECC_DIGITS);
    return true;
}

static void make(struct ecc_section *s)
{
    struct panel panels[PANELS] = {0};
    size_t done = 0;
    ecc_section_lacks(s, ECC_DIGITS);
    for (size_t k = 0; k < PANELS; k++) done += take(&panels[k], s, k);
    if (done == 0) return;
    if (done == PANELS) {
        report_table(s, panels);
        report_claims(s, panels);
    }
    ecc_section_figure(s, "figures/figure3",
                       "Test items in latent space along the larger and the smaller principal "
                       "component, coloured by digit.");
    draw(s, panels);
}

const struct ecc_item ecc_item_figure3 = {
    .name = "figure3",
    .title = "Figure 3: MNIST in two dimensions",
    .about =
        "With a large λ the latents lie on a circle of radius √2; as λ falls they spread like a "
        "normal distribution, and then become eccentric.",
    .digits = true,
    .make = make,
};
