/* theory_force.c: `eccentric theory force`: the repulsion against distance (Figure 2). */
#include "cli/output.h"
#include "cli/shared.h"
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 401, MOST_CURVES = 32 };

struct force_settings {
    struct ecc_common common;
    size_t dim;
    double farthest;
    const char *mu, *m, *out, *csv;
};

static void force_defaults(void *settings)
{
    struct force_settings *const s = settings;
    s->dim = 64;
    s->mu = "1,1.5,4.5,16.5,64.5";
    s->m = "paper";
}

static const struct ecc_option force_options[] = {
    {.name = "dim",
     .kind = ECC_COUNT,
     ECC_TO(force_settings, dim),
     .value_name = "D",
     .low = 2,
     .high = 1e6,
     .help = "dimensions of the latent space (default 64)"},
    {.name = "mu",
     .kind = ECC_TEXT,
     ECC_TO(force_settings, mu),
     .value_name = "U,U,...",
     .help = "one curve for each (default 1,1.5,4.5,16.5,64.5)"},
    ECC_OPTION_M(force_settings, m),
    {.name = "farthest",
     .kind = ECC_NUMBER,
     ECC_TO(force_settings, farthest),
     .value_name = "R",
     .above_low = true,
     .high = 1e100,
     .help = "largest distance (default: the sphere's diameter, 2 sqrt(d))"},
    {.name = "out",
     .kind = ECC_TEXT,
     ECC_TO(force_settings, out),
     .value_name = "FILE",
     .help = "draw the curves (.png, .svg or .pdf)"},
    {.name = "csv",
     .kind = ECC_TEXT,
     ECC_TO(force_settings, csv),
     .value_name = "FILE",
     .help = "write the curves as a table"},
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

/* The curves of one call: columns[0] are distances, columns[1 + c] the forces for mu[c]. */
struct curves {
    size_t count;
    double *mu;
    double m[MOST_CURVES], peak_x[MOST_CURVES], peak_y[MOST_CURVES];
    double *columns[MOST_CURVES + 1];
    char names[MOST_CURVES + 1][32];
};

static enum ecc_status curves_init(struct curves *curves, const struct force_settings *s,
                                   struct ecc_error *error)
{
    enum ecc_m_rule rule;
    double given;
    ECC_TRY(ecc_parse_m(&rule, &given, s->m, error));
    ECC_TRY(ecc_parse_numbers(&curves->mu, &curves->count, s->mu, "mu", error));
    const double farthest = s->farthest > 0 ? s->farthest : 2 * sqrt((double)s->dim);
    for (size_t c = 0; c <= curves->count; c++) {
        curves->columns[c] = malloc(SAMPLES * sizeof(double));
        if (!curves->columns[c]) return ecc_fail_memory(error, "the curves");
    }
    for (size_t i = 0; i < SAMPLES; i++) {
        curves->columns[0][i] = farthest * (double)i / (SAMPLES - 1);
    }
    snprintf(curves->names[0], sizeof curves->names[0], "distance");
    for (size_t c = 0; c < curves->count; c++) {
        const double mu = curves->mu[c];
        ECC_TRY(ecc_theory_m(&curves->m[c], s->dim, mu, rule, given, error));
        curves->peak_x[c] = sqrt(curves->m[c]);
        curves->peak_y[c] = ecc_theory_force(curves->peak_x[c], mu, curves->m[c]);
        snprintf(curves->names[c + 1], sizeof curves->names[0], "mu=%g", mu);
        for (size_t i = 0; i < SAMPLES; i++) {
            curves->columns[c + 1][i] = ecc_theory_force(curves->columns[0][i], mu, curves->m[c]);
        }
    }
    return ECC_OK;
}

static void curves_release(struct curves *curves)
{
    for (size_t c = 0; c <= MOST_CURVES; c++) free(curves->columns[c]);
    free(curves->mu);
}

static enum ecc_status draw_curves(const struct curves *curves, const struct force_settings *s,
                                   struct ecc_error *error)
{
    struct ecc_series series[MOST_CURVES + 1] = {0};
    char names[MOST_CURVES][48], title[80];
    double within_x[MOST_CURVES], within_y[MOST_CURVES];
    size_t within = 0;
    for (size_t c = 0; c < curves->count; c++) {
        const double t = curves->count > 1 ? (double)c / (double)(curves->count - 1) : 0;
        snprintf(names[c], sizeof names[c], "μ = %g,  √M = %.2f", curves->mu[c], curves->peak_x[c]);
        series[c] = (struct ecc_series){.name = names[c],
                                        .x = curves->columns[0],
                                        .y = curves->columns[c + 1],
                                        .n = SAMPLES,
                                        .colour = ecc_colour_sequence(0.9 * t)};
        if (curves->peak_x[c] <= curves->columns[0][SAMPLES - 1]) {
            within_x[within] = curves->peak_x[c];
            within_y[within++] = curves->peak_y[c];
        }
    }
    series[curves->count] = (struct ecc_series){.name = "peak, at distance √M",
                                                .x = within_x,
                                                .y = within_y,
                                                .n = within,
                                                .mark = ECC_MARK_POINTS,
                                                .size = 5,
                                                .colour = {0.2, 0.2, 0.2, 1}};
    snprintf(title, sizeof title, "Repulsive force between two items, d = %zu", s->dim);
    const struct ecc_panel panel = {
        .chart = {.x = {.label = "distance"},
                  .y = {.label = "force  2μr / (1 + r²/M)"},
                  .series = series,
                  .series_count = curves->count + 1},
    };
    const struct ecc_figure figure = {.title = title,
                                      .caption = "strongest at distance √M: far away for μ = 1, "
                                                 "close by for large μ",
                                      .panels = &panel,
                                      .panel_count = 1,
                                      .panel_width = 460,
                                      .panel_height = 320};
    return ecc_figure_write(&figure, s->out, error);
}

static enum ecc_status report_curves(const struct curves *curves, const struct force_settings *s,
                                     struct ecc_error *error)
{
    if (!s->common.json) {
        printf("%10s %14s %18s %12s\n", "mu", "M", "peak at sqrt(M)", "peak force");
        for (size_t c = 0; c < curves->count; c++) {
            printf("%10g %14.8g %18.8g %12.8g\n", curves->mu[c], curves->m[c], curves->peak_x[c],
                   curves->peak_y[c]);
        }
        return ECC_OK;
    }
    json_t *const json = json_object(), *const list = json_array();
    ecc_json_count(json, "dim", s->dim);
    ecc_json_numbers(json, "distance", curves->columns[0], SAMPLES);
    for (size_t c = 0; c < curves->count; c++) {
        json_t *const curve = json_object();
        ecc_json_number(curve, "mu", curves->mu[c]);
        ecc_json_number(curve, "M", curves->m[c]);
        ecc_json_number(curve, "peak_distance", curves->peak_x[c]);
        ecc_json_number(curve, "peak_force", curves->peak_y[c]);
        ecc_json_numbers(curve, "force", curves->columns[c + 1], SAMPLES);
        json_array_append_new(list, curve);
    }
    json_object_set_new(json, "curves", list);
    return ecc_json_print(json, error);
}

static enum ecc_status write_table(const struct curves *curves, const char *path,
                                   struct ecc_error *error)
{
    const char *names[MOST_CURVES + 1];
    for (size_t c = 0; c <= curves->count; c++) names[c] = curves->names[c];
    return ecc_csv_write(path, names, (const double *const *)curves->columns, curves->count + 1,
                         SAMPLES, error);
}

static enum ecc_status force_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    const struct force_settings *const s = settings;
    enum ecc_m_rule rule;
    double given, *mu;
    size_t count;
    if (s->out) ECC_TRY(ecc_figure_check_path(s->out, error));
    ECC_TRY(ecc_parse_m(&rule, &given, s->m, error));
    ECC_TRY(ecc_parse_numbers(&mu, &count, s->mu, "mu", error));
    enum ecc_status status = ECC_OK;
    if (count > MOST_CURVES) {
        status = ecc_fail(error, ECC_BAD_ARGUMENT, "--mu lists %zu values, expected at most %d",
                          count, MOST_CURVES);
    }
    for (size_t i = 0; status == ECC_OK && i < count; i++) {
        if (mu[i] > 0.5) continue;
        status =
            ecc_fail(error, ECC_BAD_ARGUMENT, "--mu lists %g, expected numbers above 0.5", mu[i]);
    }
    free(mu);
    return status;
}

static enum ecc_status force_run(void *settings, const char *const *operands, size_t count,
                                 struct ecc_error *error)
{
    (void)operands, (void)count;
    const struct force_settings *const s = settings;
    struct curves curves = {0};
    enum ecc_status status = curves_init(&curves, s, error);
    if (status == ECC_OK && s->out) status = draw_curves(&curves, s, error);
    if (status == ECC_OK && s->csv) status = write_table(&curves, s->csv, error);
    if (status == ECC_OK) status = report_curves(&curves, s, error);
    curves_release(&curves);
    return status;
}

const struct ecc_command ecc_command_theory_force = {
    .name = "theory force",
    .operands = "",
    .summary = "repulsion against distance for several mu (Figure 2)",
    .description = "The size of the repulsive force between two items, 2 mu r / (1 + r^2/M), "
                   "against their distance r.  It peaks at sqrt(M): far away for mu = 1, close by "
                   "for large mu.",
    .examples = "  eccentric theory force --dim 64 --mu 1,1.5,4.5,16.5,64.5 --out figure2.svg\n",
    .options = force_options,
    .settings_size = sizeof(struct force_settings),
    .defaults = force_defaults,
    .check = force_check,
    .run = force_run,
};
