/* theory_force.c: `eccentric theory force`: the repulsion against distance (Figure 2). */
#include "cli/output.h"
#include "cli/shared.h"
#include "show/theory_figures.h"

#include <stdlib.h>
#include <string.h>

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
    {"dim", ECC_COUNT, ECC_TO(force_settings, dim), "D",
     "dimensions of the latent space (default 64)", 2, 1e6},
    {"mu", ECC_TEXT, ECC_TO(force_settings, mu), "U,U,...",
     "one curve per value (default 1,1.5,4.5,16.5,64.5)"},
    ECC_OPTION_M(force_settings, m),
    {"farthest", ECC_NUMBER, ECC_TO(force_settings, farthest), "R",
     "largest distance (default: the sphere's diameter, 2 sqrt(d))", 0, 1e100, .above_low = true},
    {"out", ECC_TEXT, ECC_TO(force_settings, out), "FILE", "draw the curves (.png, .svg or .pdf)",
     .writes = ECC_FORMAT_PICTURE},
    {"csv", ECC_TEXT, ECC_TO(force_settings, csv), "FILE", "write the curves as a table",
     .writes = ECC_FORMAT_CSV},
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status compute(struct ecc_force_curves *curves, const struct force_settings *s,
                               struct ecc_error *error)
{
    enum ecc_m_rule rule;
    double given, *mu;
    ECC_TRY(ecc_parse_m(&rule, &given, s->m, error));
    ECC_TRY(ecc_parse_numbers(&mu, &curves->count, s->mu, "mu", error));
    memcpy(curves->mu, mu, curves->count * sizeof *mu); /* force_check has limited the count */
    free(mu);
    curves->dim = s->dim;
    return ecc_force_curves_compute(curves, rule, given, s->farthest, error);
}

static enum ecc_status report_curves(const struct ecc_force_curves *curves,
                                     const struct force_settings *s, struct ecc_error *error)
{
    if (!s->common.json) {
        ecc_print("%10s %14s %18s %12s\n", "mu", "M", "peak at sqrt(M)", "peak force");
        for (size_t c = 0; c < curves->count; c++) {
            ecc_print("%10g %14.8g %18.8g %12.8g\n", curves->mu[c], curves->m[c],
                      curves->peak_distance[c], curves->peak_force[c]);
        }
        return ECC_OK;
    }
    json_t *const json = json_object(), *const list = json_array();
    ecc_json_count(json, "dim", s->dim);
    ecc_json_numbers(json, "distance", curves->distance, ECC_FORCE_SAMPLES);
    for (size_t c = 0; c < curves->count; c++) {
        json_t *const curve = json_object();
        ecc_json_number(curve, "mu", curves->mu[c]);
        ecc_json_number(curve, "M", curves->m[c]);
        ecc_json_number(curve, "peak_distance", curves->peak_distance[c]);
        ecc_json_number(curve, "peak_force", curves->peak_force[c]);
        ecc_json_numbers(curve, "force", curves->force[c], ECC_FORCE_SAMPLES);
        json_array_append_new(list, curve);
    }
    json_object_set_new(json, "curves", list);
    return ecc_json_print(json, error);
}

static enum ecc_status write_table(const struct ecc_force_curves *curves, const char *path,
                                   struct ecc_error *error)
{
    char texts[ECC_FORCE_CURVES][32];
    const char *names[ECC_FORCE_CURVES + 1] = {"distance"};
    const double *columns[ECC_FORCE_CURVES + 1] = {curves->distance};
    for (size_t c = 0; c < curves->count; c++) {
        snprintf(texts[c], sizeof texts[c], "mu=%g", curves->mu[c]);
        names[c + 1] = texts[c];
        columns[c + 1] = curves->force[c];
    }
    return ecc_csv_write(path, names, columns, curves->count + 1, ECC_FORCE_SAMPLES, error);
}

static enum ecc_status force_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    const struct force_settings *const s = settings;
    enum ecc_m_rule rule;
    double given, *mu;
    size_t count;
    ECC_TRY(ecc_parse_m(&rule, &given, s->m, error));
    ECC_TRY(ecc_parse_numbers(&mu, &count, s->mu, "mu", error));
    enum ecc_status status = ECC_OK;
    if (count > ECC_FORCE_CURVES) {
        status = ecc_fail(error, ECC_BAD_ARGUMENT, "--mu lists %zu values, expected at most %d",
                          count, ECC_FORCE_CURVES);
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
    struct ecc_force_curves *const curves = calloc(1, sizeof *curves);
    enum ecc_status status =
        curves ? compute(curves, s, error) : ecc_fail_memory(error, "the curves");
    if (status == ECC_OK && s->out) status = ecc_draw_force(curves, s->out, error);
    if (status == ECC_OK && s->csv) status = write_table(curves, s->csv, error);
    if (status == ECC_OK) status = report_curves(curves, s, error);
    free(curves);
    return status;
}

const struct ecc_command ecc_command_theory_force = {
    .name = "theory force",
    .operands = "",
    .summary = "plot repulsion against distance for several mu (Figure 2)",
    .description =
        "Computes the repulsive force between two items, 2 mu r / (1 + r^2/M), as a function of "
        "their distance r. The force peaks at r = sqrt(M): far away for mu = 1, close by for "
        "large mu.",
    .examples = "  eccentric theory force --dim 64 --mu 1,1.5,4.5,16.5,64.5 --out figure2.svg\n",
    .options = force_options,
    .settings_size = sizeof(struct force_settings),
    .defaults = force_defaults,
    .check = force_check,
    .run = force_run,
};
