/* figure2.c: Figure 2: the repulsion against distance, and where it peaks. */
#include "reproduce/items.h"
#include "show/theory_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIM = 64 };

static enum ecc_status draw(void *curves, const char *path, struct ecc_error *error)
{
    return ecc_draw_force(curves, path, error);
}

static json_t *curves_json(const struct ecc_force_curves *curves)
{
    json_t *const list = json_array();
    for (size_t c = 0; c < curves->count; c++) {
        json_t *const curve = json_object();
        ecc_json_number(curve, "mu", curves->mu[c]);
        ecc_json_number(curve, "M", curves->m[c]);
        ecc_json_number(curve, "peak_distance", curves->peak_distance[c]);
        ecc_json_number(curve, "peak_force", curves->peak_force[c]);
        ecc_json_numbers(curve, "force", curves->force[c], ECC_FORCE_SAMPLES);
        json_array_append_new(list, curve);
    }
    return list;
}

static enum ecc_status measure(const struct ecc_repro *r, const struct ecc_task *task, json_t *out,
                               struct ecc_error *error)
{
    struct ecc_force_curves *const curves = calloc(1, sizeof *curves);
    (void)task;
    if (!curves) return ecc_fail_memory(error, "the curves");
    curves->dim = DIM;
    curves->count = ECC_PAPER_MUS;
    memcpy(curves->mu, ecc_paper_mus, sizeof ecc_paper_mus);
    enum ecc_status status = ecc_force_curves_compute(curves, ECC_M_PAPER, 0, 0, error);
    if (status == ECC_OK) {
        ecc_json_numbers(out, "distance", curves->distance, ECC_FORCE_SAMPLES);
        json_object_set_new(out, "curves", curves_json(curves));
        status = ecc_measure_picture(r, out, "figures/figure2", draw, curves, error);
    }
    free(curves);
    return status;
}

/* Where the computed curve is highest; -1 where that is its end. */
static double highest(const json_t *distances, const json_t *forces)
{
    size_t best = 0;
    for (size_t i = 0; i < json_array_size(forces); i++) {
        if (ecc_get_item(forces, i) > ecc_get_item(forces, best)) best = i;
    }
    return best + 1 == json_array_size(forces) ? -1 : ecc_get_item(distances, best);
}

static void claim_m(struct ecc_section *s, double mu, double m, double paper, const char *words)
{
    ecc_section_claim(s, ecc_holds(fabs(m / paper - 1) < 0.05), "agrees: within 5%",
                      "%s\tM = %.4g at μ = %g", words, m, mu);
}

static void make(struct ecc_section *s)
{
    const json_t *const result =
        ecc_ask(s, &(struct ecc_step){.name = "figure2",
                                      .measure = measure,
                                      .command = "theory force",
                                      .words = "--dim 64 --out figures/figure2.png"});
    if (!result) return;
    json_t *const distances = json_object_get(result, "distance"),
                  *const curves = json_object_get(result, "curves"),
                  *const table = ecc_section_table(s, "The curves, d = 64",
                                                   "μ\tM\t√M\thighest at\tforce there");
    double worst = 0;
    for (size_t i = 0; i < json_array_size(curves); i++) {
        const json_t *const curve = json_array_get(curves, i);
        const double mu = ecc_get_number(curve, "mu"), m = ecc_get_number(curve, "M");
        const double at = highest(distances, json_object_get(curve, "force"));
        const double one_sample = ecc_get_item(distances, 1);
        if (at >= 0) worst = fmax(worst, (fabs(at - sqrt(m)) - one_sample) / sqrt(m));
        ecc_table_row(table, "%g\t%.4g\t%.3f\t%s\t%.3f", mu, m, sqrt(m),
                      at >= 0 ? ECC_SAY("%.3f", at) : "beyond the diameter",
                      ecc_get_number(curve, "peak_force"));
        if (mu == 1) claim_m(s, mu, m, 129, "μ = 1: far items repel most\tM ≃ 2d + 1 = 129");
        if (mu == 64.5) claim_m(s, mu, m, 1, "μ = d + ½: near items repel most\tM ≃ 1");
    }
    ecc_section_claim(s, ecc_holds(worst < 0.01),
                      "agrees: within 1% and a step of the drawn distances",
                      "The force rises until √M and falls thereafter\tat √M\tat most %.1f%% off",
                      100 * fmax(0, worst));
    json_object_set(json_object_get(s->json, "numbers"), "curves", curves);
    ecc_section_figure(s, "figures/figure2",
                       "Repulsive force between pairs of items, based on their distance, d = 64.");
}

const struct ecc_item ecc_item_figure2 = {
    .name = "figure2",
    .title = "Figure 2: the repulsive force",
    .about = "How strongly two items repel each other depends on their distance, and μ says at "
             "which distance most.",
    .make = make,
};
