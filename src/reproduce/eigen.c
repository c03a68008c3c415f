/* eigen.c: Figures 6 and 7: paired eigen-digits for each dimension, eigen-faces of two runs. */
#include "reproduce/items.h"

#include <stdio.h>
#include <string.h>

/* One picture, `figures/NAME/components.png` and .svg, of the first few components. */
static void plan_pictures(struct ecc_repro *r, const char *name, int run, size_t components)
{
    static const char *const formats[] = {"png", "svg"};
    if (run == ECC_NO_TASK) return;
    for (size_t i = 0; i < 2; i++) {
        char step_name[ECC_TASK_NAME], folder[64], list[24], file[100];
        snprintf(step_name, sizeof step_name, "%s%s", name, i ? "-svg" : "");
        snprintf(folder, sizeof folder, "figures/%s", name);
        snprintf(list, sizeof list, "p1-p%zu", components);
        snprintf(file, sizeof file, "%s/components.%s", folder, formats[i]);
        const int step = ecc_plan_step_on(r, step_name, "components", &run, 1, "--components", list,
                                          "--format", formats[i], "--out", folder, "--json");
        ecc_plan_file(r, step, file);
        if (step != ECC_NO_TASK) r->tasks[step].guess = 3;
    }
}

/* The picture, if it is there. */
static bool report_pictures(const struct ecc_repro *r, json_t *section, const char *name,
                            const char *caption)
{
    char file[100];
    const int step = ecc_plan_find(r, name);
    ecc_section_task(section, r, step);
    if (!ecc_plan_result(r, name)) return false;
    snprintf(file, sizeof file, "figures/%s/components", name);
    ecc_section_figure(section, file, "%s", caption);
    const json_t *const result = ecc_plan_result(r, name);
    json_t *const numbers = json_object();
    json_object_set(numbers, "eigenvalues", json_object_get(result, "eigenvalues"));
    json_object_set(numbers, "skewness", json_object_get(result, "skewness"));
    json_object_set_new(ecc_section_numbers(section), name, numbers);
    return true;
}

/* ---- Figure 6 ------------------------------------------------------------------------------- */

static void name6(char out[32], size_t d)
{
    snprintf(out, 32, "figure6-d%zu", d);
}

static void plan6(struct ecc_repro *r)
{
    for (size_t i = 0; i < ECC_PAPER_DIMS; i++) {
        char name[32];
        const struct ecc_setting s = ecc_eae(ECC_DIGITS, ecc_paper_dims[i], 1e-3, 1, 1);
        name6(name, ecc_paper_dims[i]);
        plan_pictures(r, name, ecc_plan_run(r, &s), ecc_paper_dims[i]);
    }
}

static enum ecc_status report6(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    (void)error;
    ecc_section_lacks(section, r, ECC_DIGITS);
    for (size_t i = 0; i < ECC_PAPER_DIMS; i++) {
        char name[32], caption[100];
        name6(name, ecc_paper_dims[i]);
        snprintf(caption, sizeof caption, "%s, d = %zu: plus above, minus below",
                 ecc_set_title(r, ECC_DIGITS), ecc_paper_dims[i]);
        report_pictures(r, section, name, caption);
    }
    ecc_section_text(section,
                     "The paper shows these pictures without a number to compare.  A component's "
                     "sign is such that the third moment of the training latents along it is "
                     "positive.");
    return ECC_OK;
}

const struct ecc_item ecc_item_figure6 = {
    .name = "figure6",
    .title = "Figure 6: eigen-digits",
    .about = "What the mean digit becomes two deviations along each principal component of the "
             "latents, to either side.",
    .digits = true,
    .plan = plan6,
    .report = report6,
};

/* ---- Figure 7 ------------------------------------------------------------------------------- */

enum { FACES_RUNS = 2, FACES_SHOWN = 10 };
static const char *const names7[FACES_RUNS] = {"figure7-run1", "figure7-run2"};

static struct ecc_setting setting7(void)
{
    return ecc_eae(ECC_FACES, ecc_plan_latent(ECC_FACES), 1e-4, 1, 1);
}

static void plan7(struct ecc_repro *r)
{
    int runs[ECC_GROUP] = {0};
    const size_t count = ecc_plan_group(r, runs, setting7(), FACES_RUNS);
    for (size_t i = 0; i < count && i < FACES_RUNS; i++) {
        plan_pictures(r, names7[i], runs[i], FACES_SHOWN);
    }
    ecc_plan_align(r, setting7(), ecc_plan_pair_seeds(r, ECC_GROUP));
}

/* How many of the first ten components have their partner at the same place or next to it. */
static void claim_neighbours(json_t *section, const json_t *pair, const char *why)
{
    const json_t *const partners = json_object_get(pair, "partners"), *const correlations =
                                                                          json_object_get(
                                                                              pair, "correlations");
    size_t close = 0;
    double correlation = 0;
    for (size_t k = 0; k < FACES_SHOWN; k++) {
        const int partner = (int)json_integer_value(json_array_get(partners, k));
        close += partner >= (int)k && partner <= (int)k + 2; /* partners count from 1 */
        correlation += json_number_value(json_array_get(correlations, k)) / FACES_SHOWN;
    }
    char ours[120], ruled[ECC_RULED_TEXT];
    snprintf(ours, sizeof ours, "%zu of 10 within one place, mean correlation %.2f", close,
             correlation);
    ecc_section_claim(section,
                      "The first ten components of two runs are very similar, some neighbours "
                      "mixed",
                      "by eye", ours, close >= 8 && correlation > 0.5 ? ECC_AGREES : ECC_DIFFERS,
                      ecc_ruled_text(ruled, why, "agrees: 8 of 10, mean correlation above 0.5"));
}

static enum ecc_status report7(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    (void)error;
    char caption[60], why[900];
    struct ecc_fairness fairness = {0};
    int runs[ECC_GROUP] = {0};
    ecc_section_lacks(section, r, ECC_FACES);
    for (size_t i = 0; i < FACES_RUNS; i++) {
        snprintf(caption, sizeof caption, "Run %zu: plus above, minus below", i + 1);
        report_pictures(r, section, names7[i], caption);
    }
    const size_t count = ecc_find_group(r, runs, setting7());
    for (size_t i = 0; i < count; i++) ecc_fairness_run(&fairness, r, runs[i], ECC_FACES);
    const int align = ecc_find_align(r, setting7());
    if (align == ECC_NO_TASK) return ECC_OK;
    ecc_section_task(section, r, align);
    const json_t *const pairs = json_object_get(r->tasks[align].result, "pairs");
    if (json_array_size(pairs) > 0) {
        claim_neighbours(section, json_array_get(pairs, 0), ecc_fairness_text(why, &fairness));
    }
    return ECC_OK;
}

const struct ecc_item ecc_item_figure7 = {
    .name = "figure7",
    .title = "Figure 7: eigen-faces of two runs",
    .about = "The first ten components of two autoencoders trained independently on CelebA.",
    .faces = true,
    .plan = plan7,
    .report = report7,
};
