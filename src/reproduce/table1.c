/* table1.c: Table 1: eccentricity, angles between runs and score, for four methods over lambda. */
#include "reproduce/methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 32 };

static void report_table(json_t *section, const struct ecc_method_row *rows, size_t count)
{
    json_t *const table =
        ecc_section_table(section, "Ours, and in brackets the paper's", "method", "λ", "runs",
                          "eccentricity", "angle, raw", "angle, aligned", "score");
    for (size_t i = 0; i < count; i++) {
        const struct ecc_method_row *const m = &rows[i];
        char own[ECC_NUMBER_TEXT], theirs[ECC_NUMBER_TEXT];
        json_t *const row = ecc_table_row(table);
        ecc_row_cell(row, "%s", m->paper->method);
        ecc_row_cell(row, "%g", m->paper->lambda);
        ecc_row_cell(row, "%zu", m->count);
        ecc_row_cell(row, "%s (%g)", ecc_measured_text(own, m->eccentricity, 3),
                     m->paper->eccentricity);
        ecc_measured_text(own, m->raw, 1);
        ecc_row_cell(row, "%s (%s)", own, ecc_paper_text(theirs, m->paper->raw, 0));
        ecc_measured_text(own, m->aligned, 1);
        ecc_row_cell(row, "%s (%s)", own, ecc_paper_text(theirs, m->paper->aligned, 0));
        ecc_measured_text(own, m->score, 2);
        ecc_row_cell(row, "%s (%s)", own, ecc_paper_text(theirs, m->paper->score, 1));
    }
}

static void put_numbers(json_t *section, const struct ecc_method_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct ecc_method_row *const m = &rows[i];
        char key[60];
        json_t *const entry = json_object();
        ecc_numbers_put(entry, "eccentricity", m->eccentricity.mean);
        ecc_numbers_put(entry, "angle_raw", m->raw.mean);
        ecc_numbers_put(entry, "angle_raw_deviation", m->raw.deviation);
        ecc_numbers_put(entry, "angle_aligned", m->aligned.mean);
        ecc_numbers_put(entry, "angle_aligned_deviation", m->aligned.deviation);
        ecc_numbers_put(entry, "score", m->score.mean);
        ecc_numbers_put(entry, "score_deviation", m->score.deviation);
        snprintf(key, sizeof key, "%s_lambda%g", m->paper->method, m->paper->lambda);
        json_object_set_new(ecc_section_numbers(section), key, entry);
    }
}

/* ---- Trends, which any data can show -------------------------------------------------------- */

/* Eccentricity rises as lambda falls; rows of a method stand by falling lambda. */
static void claim_trend(json_t *section, const struct ecc_method_row *rows, size_t count,
                        const char *method, const struct ecc_fairness *fairness)
{
    char ours[200] = "", claim[100], why[900];
    bool rises = true;
    double last = -1;
    size_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        const double now = rows[i].eccentricity.mean;
        if (strcmp(rows[i].paper->method, method) != 0 || isnan(now)) continue;
        const size_t used = strlen(ours);
        snprintf(ours + used, sizeof ours - used, "%s%.3f", seen ? ", " : "", now);
        rises = rises && now > last;
        last = now;
        seen++;
    }
    if (seen < 2) return;
    snprintf(claim, sizeof claim, "%s: eccentricity rises as λ falls", method);
    ecc_section_claim(section, claim, "in every step", ours, ecc_between_runs(fairness, rises),
                      ecc_fairness_text(why, fairness));
}

static void claim_angles(json_t *section, const struct ecc_method_row *rows, size_t count,
                         const struct ecc_fairness *fairness)
{
    char why[900];
    ecc_fairness_text(why, fairness);
    size_t known = 0, smaller = 0;
    double first = NAN, last = NAN;
    for (size_t i = 0; i < count; i++) {
        if (isnan(rows[i].aligned.mean)) continue;
        known++;
        smaller += rows[i].aligned.mean < rows[i].raw.mean;
        if (strcmp(rows[i].paper->method, "EAE") != 0) continue;
        if (isnan(first)) first = rows[i].aligned.mean;
        last = rows[i].aligned.mean;
    }
    char ours[100];
    if (known == 0) return;
    snprintf(ours, sizeof ours, "in %zu of %zu rows", smaller, known);
    ecc_section_claim(section, "Alignment makes the angle smaller", "in every row", ours,
                      smaller == known ? ECC_AGREES : ECC_DIFFERS, why);
    if (isnan(first) || first == last) return;
    snprintf(ours, sizeof ours, "%.0f° to %.0f°", first, last);
    ecc_section_claim(section, "EAE: aligned components agree better between runs as λ falls",
                      "69° to 40°", ours, ecc_between_runs(fairness, last < first), why);
}

/* ---- Numbers, where they may be compared ---------------------------------------------------- */

static void claim_number(json_t *section, const struct ecc_method_row *m, const char *what,
                         struct ecc_paper_number paper, struct ecc_measured ours, int digits,
                         enum ecc_better better, const struct ecc_fairness *fairness)
{
    char claim[100], theirs[ECC_NUMBER_TEXT], own[ECC_NUMBER_TEXT], why[900];
    snprintf(claim, sizeof claim, "%s, λ = %g: %s", m->paper->method, m->paper->lambda, what);
    ecc_section_claim(section, claim, ecc_paper_text(theirs, paper, digits),
                      ecc_measured_text(own, ours, digits),
                      ecc_fair(fairness, ecc_judge(paper, ours, digits, better)),
                      ecc_fairness_text(why, fairness));
}

/* The paper prints it without a deviation, and without one only luck would agree. */
static void claim_eccentricity(json_t *section, const struct ecc_method_row *m,
                               const struct ecc_fairness *fairness)
{
    const struct ecc_paper_number paper = {m->paper->eccentricity, 0.01};
    char claim[100], theirs[24], own[ECC_NUMBER_TEXT], why[900], ruled[ECC_RULED_TEXT];
    snprintf(claim, sizeof claim, "%s, λ = %g: eccentricity", m->paper->method, m->paper->lambda);
    snprintf(theirs, sizeof theirs, "%g", paper.mean);
    ecc_fairness_text(why, fairness);
    ecc_section_claim(
        section, claim, theirs, ecc_measured_text(own, m->eccentricity, 2),
        ecc_fair(fairness, ecc_judge(paper, m->eccentricity, 2, ECC_NEITHER_IS_BETTER)),
        ecc_ruled_text(ruled, why, ECC_RULE_ASSUMED, paper.deviation));
}

static void claim_row(json_t *section, const struct ecc_repro *r, const struct ecc_method_row *m)
{
    struct ecc_fairness fairness = {0};
    for (size_t i = 0; i < m->count; i++) ecc_fairness_run(&fairness, r, m->runs[i], ECC_FACES);
    ecc_fairness_runs(&fairness, m->count, ECC_PAPER_RUNS1);
    claim_eccentricity(section, m, &fairness);
    claim_number(section, m, "angle, raw", m->paper->raw, m->raw, 0, ECC_NEITHER_IS_BETTER,
                 &fairness);
    claim_number(section, m, "angle, aligned", m->paper->aligned, m->aligned, 0,
                 ECC_NEITHER_IS_BETTER, &fairness);
    if (m->features && !ecc_features_published(m->features)) {
        ecc_fairness_stop(&fairness, "other weights of Inception");
    }
    claim_number(section, m, "score", m->paper->score, m->score, 1, ECC_LOWER_IS_BETTER, &fairness);
}

static enum ecc_status report(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    (void)error;
    struct ecc_method_row rows[ROWS];
    struct ecc_fairness fairness = {0};
    size_t count = 0;
    const char *features = NULL;
    const enum ecc_repro_set set = ecc_plan_set(r);
    if (!r->data[set].what) ecc_section_lacks(section, r, set);
    for (size_t i = 0; i < ecc_paper_table1_rows && count < ROWS; i++) {
        struct ecc_method_row *const m = &rows[count];
        ecc_method_take(m, r, i);
        if (m->count == 0) continue;
        for (size_t k = 0; k < m->count; k++) {
            ecc_section_task(section, r, m->runs[k]);
            ecc_fairness_run(&fairness, r, m->runs[k], ECC_FACES);
        }
        ecc_section_task(section, r, m->align);
        ecc_section_task(section, r, m->fid);
        ecc_method_compare(m, &features, section);
        count++;
    }
    if (!r->options->has_fid) {
        ecc_section_missing(section, "scores: this program has no command fid yet");
    }
    if (count == 0) return ECC_OK;
    report_table(section, rows, count);
    put_numbers(section, rows, count);
    ecc_section_text(section,
                     "Eccentricity over all training items; angles between encodings of the same "
                     "test item by two runs, mean ± deviation over pairs; score: Fréchet distance "
                     "of images from the fitted Gaussian to unseen ones%s.",
                     set == ECC_DIGITS ? ", in the features of a small classifier of digits, so "
                                         "not the paper's Inception score"
                                       : "");
    if (features) ecc_section_text(section, "Features: %s.", features);
    claim_trend(section, rows, count, "EAE", &fairness);
    claim_trend(section, rows, count, "VAE", &fairness);
    claim_trend(section, rows, count, "WAE", &fairness);
    claim_angles(section, rows, count, &fairness);
    for (size_t i = 0; set == ECC_FACES && i < count; i++) claim_row(section, r, &rows[i]);
    return ECC_OK;
}

const struct ecc_item ecc_item_table1 = {
    .name = "table1",
    .title = "Table 1: eccentricity, angles and score",
    .about =
        "Eccentric (EAE), variational (VAE), Wasserstein (WAE) and plain (AE) autoencoders: the "
        "smaller λ, the more eccentric the latents and the more alike the components of "
        "independent runs.",
    .digits = true,
    .faces = true,
    .plan = ecc_methods_plan,
    .report = report,
};
