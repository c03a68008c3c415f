/* figure3.c: Figure 3: MNIST in two dimensions, six panels of lambda and mu. */
#include "base/npy.h"
#include "reproduce/items.h"
#include "reproduce/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PANELS = ECC_PAPER_LAMBDAS3 * ECC_PAPER_MUS3, CLASSES = 10 };

/* Panels row by row: mu rises down, lambda falls across. */
static struct ecc_setting setting_of(size_t panel)
{
    return ecc_eae(ECC_DIGITS, 2, ecc_paper_lambdas3[panel % ECC_PAPER_LAMBDAS3],
                   ecc_paper_mus3[panel / ECC_PAPER_LAMBDAS3], 1);
}

static void names_of(const struct ecc_repro *r, size_t panel, char step[ECC_TASK_NAME],
                     char points[ECC_TASK_NAME + 16])
{
    char name[ECC_TASK_NAME];
    const struct ecc_setting setting = setting_of(panel);
    ecc_setting_name(name, r, &setting);
    snprintf(step, ECC_TASK_NAME, "scatter-%.90s", name);
    snprintf(points, ECC_TASK_NAME + 16, "work/%s.npy", step);
}

static void plan(struct ecc_repro *r)
{
    for (size_t panel = 0; panel < PANELS; panel++) {
        char name[ECC_TASK_NAME], points[ECC_TASK_NAME + 16], test[4200];
        const struct ecc_setting setting = setting_of(panel);
        const int run = ecc_plan_run(r, &setting);
        if (run == ECC_NO_TASK) return;
        names_of(r, panel, name, points);
        ecc_data_part(test, sizeof test, &r->data[ECC_DIGITS], "test");
        const int step =
            ecc_plan_step_on(r, name, "scatter", &run, 1, test, "--points", points, "--json");
        ecc_plan_file(r, step, points);
        if (step != ECC_NO_TASK) r->tasks[step].guess = 3;
    }
}

/* ---- The picture ---------------------------------------------------------------------------- */

struct panel {
    double *x, *y; /* [n] */
    int *category;
    size_t n;
    char title[60];
    struct ecc_circle circle;
    struct ecc_series series;
};

static enum ecc_status read_points(struct panel *p, const struct ecc_repro *r, const char *points,
                                   struct ecc_error *error)
{
    float *rows;
    size_t columns;
    char *const path = ecc_store_path(r, "", points, "");
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_npy_read_f32(&rows, &p->n, &columns, path, error);
    free(path);
    ECC_TRY(status);
    p->x = malloc((p->n + 1) * sizeof *p->x);
    p->y = malloc((p->n + 1) * sizeof *p->y);
    p->category = malloc((p->n + 1) * sizeof *p->category);
    const bool room = p->x && p->y && p->category && columns == 3;
    for (size_t i = 0; room && i < p->n; i++) {
        p->x[i] = (double)rows[3 * i];
        p->y[i] = (double)rows[3 * i + 1];
        p->category[i] = (int)rows[3 * i + 2];
    }
    free(rows);
    return room ? ECC_OK : ecc_fail(error, ECC_BAD_DATA, "the points in %s cannot be used", points);
}

/* Two rows of three, all with the same limits. */
static enum ecc_status draw(const struct ecc_repro *r, struct panel *panels,
                            struct ecc_error *error)
{
    static const char *const digits[CLASSES] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    struct ecc_panel drawn[PANELS];
    double reach = 1.5 * sqrt(2);
    for (size_t k = 0; k < PANELS; k++) {
        for (size_t i = 0; i < panels[k].n; i++) {
            reach = fmax(reach, fmin(4, fmax(fabs(panels[k].x[i]), fabs(panels[k].y[i]))));
        }
    }
    for (size_t k = 0; k < PANELS; k++) {
        struct panel *const p = &panels[k];
        p->series = (struct ecc_series){.x = p->x,
                                        .y = p->y,
                                        .n = p->n,
                                        .mark = ECC_MARK_POINTS,
                                        .size = p->n > 3000 ? 1.3 : 2.2,
                                        .category = p->category};
        drawn[k] = (struct ecc_panel){
            .title = p->title,
            .chart = {.x = {k >= ECC_PAPER_LAMBDAS3 ? "larger component" : NULL, -reach, reach,
                            false, false},
                      .y = {k % ECC_PAPER_LAMBDAS3 == 0 ? "smaller component" : NULL, -reach, reach,
                            false, false},
                      .series = &p->series,
                      .series_count = 1,
                      .circles = &p->circle,
                      .circle_count = p->n > 0,
                      .equal_scales = true,
                      .category_names = digits,
                      .category_count = CLASSES,
                      .legend = k == ECC_PAPER_LAMBDAS3 - 1 ? ECC_LEGEND_AUTO : ECC_LEGEND_NONE}};
    }
    char caption[160];
    snprintf(caption, sizeof caption,
             "test items of %s; circle: radius √2 around the latents' origin",
             ecc_set_title(r, ECC_DIGITS));
    const struct ecc_figure figure = {.title = "Latents in two dimensions",
                                      .caption = caption,
                                      .panels = drawn,
                                      .panel_count = PANELS,
                                      .columns = ECC_PAPER_LAMBDAS3,
                                      .panel_width = 210,
                                      .panel_height = 210};
    return ecc_item_draw(r, &figure, "figure3", error);
}

/* ---- Numbers -------------------------------------------------------------------------------- */

struct numbers {
    double radius[PANELS], spread[PANELS], eccentricity[PANELS], trace[PANELS];
};

static void report_table(json_t *section, const struct numbers *n)
{
    json_t *const table =
        ecc_section_table(section,
                          "Distance of test latents from the origin; √2 = 1.414, a "
                          "standard normal has 1.25 ± 0.66",
                          "λ", "μ", "radius", "trace", "eccentricity");
    for (size_t k = 0; k < PANELS; k++) {
        const struct ecc_setting s = setting_of(k);
        json_t *const row = ecc_table_row(table);
        char key[40];
        ecc_row_cell(row, "%g", s.lambda);
        ecc_row_cell(row, "%g", s.mu);
        ecc_row_cell(row, "%.3f ± %.3f", n->radius[k], n->spread[k]);
        ecc_row_cell(row, "%.3f", n->trace[k]);
        ecc_row_cell(row, "%.3f", n->eccentricity[k]);
        snprintf(key, sizeof key, "lambda%g_mu%g", s.lambda, s.mu);
        json_t *const numbers = json_object();
        ecc_numbers_put(numbers, "radius", n->radius[k]);
        ecc_numbers_put(numbers, "radius_deviation", n->spread[k]);
        ecc_numbers_put(numbers, "trace", n->trace[k]);
        ecc_numbers_put(numbers, "eccentricity", n->eccentricity[k]);
        json_object_set_new(ecc_section_numbers(section), key, numbers);
    }
}

/* What the paper reads from the panels, for each mu; columns are 0.1, 0.01, 0.001. */
static void report_claims(json_t *section, const struct numbers *n, const char *why)
{
    for (size_t row = 0; row < ECC_PAPER_MUS3; row++) {
        const size_t a = row * ECC_PAPER_LAMBDAS3;
        char claim[120], ours[120], ruled[ECC_RULED_TEXT];
        snprintf(claim, sizeof claim, "λ = 0.1, μ = %g: close to the circle of radius √2",
                 ecc_paper_mus3[row]);
        snprintf(ours, sizeof ours, "%.3f ± %.3f", n->radius[a], n->spread[a]);
        const bool circle = fabs(n->radius[a] / sqrt(2) - 1) < 0.1 && n->spread[a] < 0.4;
        ecc_ruled_text(ruled, why, "agrees: mean within 10%% of √2, deviation below 0.4");
        ecc_section_claim(section, claim, "by eye", ours, circle ? ECC_AGREES : ECC_DIFFERS, ruled);
        snprintf(claim, sizeof claim, "As λ falls, latents leave the circle (μ = %g)",
                 ecc_paper_mus3[row]);
        snprintf(ours, sizeof ours, "± %.3f, %.3f, %.3f", n->spread[a], n->spread[a + 1],
                 n->spread[a + 2]);
        const bool leave = n->spread[a] < n->spread[a + 1] && n->spread[a + 1] < n->spread[a + 2];
        ecc_section_claim(section, claim, "by eye", ours, leave ? ECC_AGREES : ECC_DIFFERS, why);
        snprintf(claim, sizeof claim, "At λ = 0.001 the eccentricity is greatest (μ = %g)",
                 ecc_paper_mus3[row]);
        snprintf(ours, sizeof ours, "%.3f, %.3f, %.3f", n->eccentricity[a], n->eccentricity[a + 1],
                 n->eccentricity[a + 2]);
        const bool greatest = n->eccentricity[a + 2] > n->eccentricity[a] &&
                              n->eccentricity[a + 2] > n->eccentricity[a + 1];
        ecc_section_claim(section, claim, "by eye", ours, greatest ? ECC_AGREES : ECC_DIFFERS, why);
    }
}

/* Fills a panel; *found is left alone when its step is not done. */
static enum ecc_status take_panel(const struct ecc_repro *r, json_t *section, size_t k,
                                  struct panel *p, struct numbers *n, size_t *found,
                                  struct ecc_fairness *fairness, struct ecc_error *error)
{
    char name[ECC_TASK_NAME], points[ECC_TASK_NAME + 16], run_name[ECC_TASK_NAME];
    const struct ecc_setting s = setting_of(k);
    names_of(r, k, name, points);
    ecc_setting_name(run_name, r, &s);
    const int run = ecc_plan_find(r, run_name);
    snprintf(p->title, sizeof p->title, "λ = %g, μ = %g", s.lambda, s.mu);
    ecc_section_task(section, r, ecc_plan_find(r, name));
    const json_t *const result = ecc_plan_result(r, name);
    if (!result) return ECC_OK;
    const json_t *const circle = json_object_get(result, "circle");
    p->circle = (struct ecc_circle){.x = json_number_value(json_array_get(circle, 0)),
                                    .y = json_number_value(json_array_get(circle, 1)),
                                    .radius = sqrt(2)};
    n->radius[k] = json_number_value(json_object_get(result, "radius"));
    n->spread[k] = json_number_value(json_object_get(result, "radius_deviation"));
    n->eccentricity[k] = ecc_run_number(r, run, "eccentricity");
    n->trace[k] = ecc_run_number(r, run, "trace");
    ecc_fairness_run(fairness, r, run, ECC_DIGITS);
    ++*found;
    return read_points(p, r, points, error);
}

static enum ecc_status report(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    struct panel panels[PANELS] = {0};
    struct numbers n = {0};
    struct ecc_fairness fairness = {0};
    size_t found = 0;
    char why[900];
    enum ecc_status status = ECC_OK;
    ecc_section_lacks(section, r, ECC_DIGITS);
    for (size_t k = 0; k < PANELS && status == ECC_OK; k++) {
        status = take_panel(r, section, k, &panels[k], &n, &found, &fairness, error);
    }
    if (status == ECC_OK && found == PANELS) {
        report_table(section, &n);
        report_claims(section, &n, ecc_fairness_text(why, &fairness));
    }
    if (status == ECC_OK && found > 0) {
        status = draw(r, panels, error);
        ecc_section_figure(section, "figures/figure3",
                           "Test items in latent space along the larger and the smaller principal "
                           "component, coloured by digit.");
    }
    for (size_t k = 0; k < PANELS; k++) {
        free(panels[k].x);
        free(panels[k].y);
        free(panels[k].category);
    }
    return status;
}

const struct ecc_item ecc_item_figure3 = {
    .name = "figure3",
    .title = "Figure 3: MNIST in two dimensions",
    .about =
        "With a large λ the latents lie on a circle of radius √2; as λ falls they spread like a "
        "normal distribution, and then become eccentric.",
    .digits = true,
    .plan = plan,
    .report = report,
};
