/* figure1.c: Figure 1: how close the closed form of M brings the radius to sqrt(d). */
#include "reproduce/items.h"
#include "show/theory_figures.h"

enum { FIRST = 2, LAST = 300 }; /* dimensions */

static enum ecc_status draw(void *curve, const char *path, struct ecc_error *error)
{
    return ecc_draw_accuracy(curve, path, error);
}

static enum ecc_status measure(const struct ecc_repro *r, const struct ecc_task *task, json_t *out,
                               struct ecc_error *error)
{
    struct ecc_accuracy_curve c;
    (void)task;
    enum ecc_status status =
        ecc_accuracy_curve_compute(&c, FIRST, LAST, 0.01, 0, r->options->watch, error);
    if (status == ECC_OK) {
        double from[ECC_ACCURACY_CLAIMS];
        for (size_t i = 0; i < ECC_ACCURACY_CLAIMS; i++) {
            from[i] = (double)ecc_accuracy_holds_from(&c, ecc_accuracy_claims[i].percent);
        }
        ecc_json_numbers(out, "holds_from", from, ECC_ACCURACY_CLAIMS);
        ecc_json_numbers(out, "dim", c.dim, c.count);
        ecc_json_numbers(out, "percent", c.percent, c.count);
        ecc_json_numbers(out, "worst_mu", c.worst_mu, c.count);
        status = ecc_measure_picture(r, out, "figures/figure1", draw, &c, error);
    }
    ecc_accuracy_curve_release(&c);
    return status;
}

static void make(struct ecc_section *s)
{
    static const size_t shown[] = {2, 3, 4, 8, 12, 38, 64, 117, 300};
    const json_t *const result = ecc_ask(s, &(struct ecc_step){.name = "figure1",
                                                               .measure = measure,
                                                               .command = "theory accuracy",
                                                               .words = "--out figures/figure1.png",
                                                               .guess = 5});
    if (!result) return;
    json_t *const percents = json_object_get(result, "percent");
    json_t *const numbers = json_object_get(s->json, "numbers");
    for (size_t i = 0; i < ECC_ACCURACY_CLAIMS; i++) {
        const struct ecc_accuracy_claim *const claim = &ecc_accuracy_claims[i];
        const double from = ecc_get_item(json_object_get(result, "holds_from"), i);
        ecc_section_claim(s, ecc_holds(from > 0 && from <= (double)claim->dim), NULL,
                          "ρ is within %g%% of √d\tfrom d = %zu on\tfrom d = %.0f on",
                          claim->percent, claim->dim, from);
    }
    json_t *const table =
        ecc_section_table(s, "Largest difference between ρ and √d", "d\tpercent\tat μ");
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        ecc_table_row(table, "%zu\t%.4g\t%.2f", shown[i], ecc_get_item(percents, shown[i] - FIRST),
                      ecc_get_item(json_object_get(result, "worst_mu"), shown[i] - FIRST));
    }
    json_object_set(numbers, "dim", json_object_get(result, "dim"));
    json_object_set(numbers, "percent", percents);
    ecc_section_figure(s, "figures/figure1",
                       "Maximum percentage difference between ρ and √d, over μ from 1 to 2d + 1.");
}

const struct ecc_item ecc_item_figure1 = {
    .name = "figure1",
    .title = "Figure 1: the radius of the sphere",
    .about = "With the paper's closed form for M the radius ρ of the stationary sphere is very "
             "close to √d, whatever μ is.",
    .make = make,
};
