/* table1.c: Table 1: eccentricity, angles between runs and score, for four methods over lambda. */
#include "reproduce/method_rows.h"

#include <math.h>
#include <string.h>

enum { ROWS = 32 };

static void report_table(struct ecc_section *s, const struct ecc_method_row *rows, size_t count)
{
    json_t *const table =
        ecc_section_table(s, "Ours, and in brackets the paper's",
                          "method\tλ\truns\teccentricity\tangle, raw\tangle, aligned\tscore");
    for (size_t i = 0; i < count; i++) {
        const struct ecc_method_row *const m = &rows[i];
        const struct ecc_paper_row1 *const p = m->paper;
        ecc_table_row(table, "%s\t%g\t%zu\t%s (%g)\t%s (%s)\t%s (%s)\t%s (%s)", p->method,
                      p->lambda, m->group.count, ECC_OURS(m->eccentricity, 3), p->eccentricity,
                      ECC_OURS(m->raw, 1), ECC_THEIRS(p->raw, 0), ECC_OURS(m->aligned, 1),
                      ECC_THEIRS(p->aligned, 0), ECC_OURS(m->score, 2), ECC_THEIRS(p->score, 1));
        json_t *const numbers =
            ecc_section_numbers(s, ECC_SAY("%s_lambda%g", p->method, p->lambda));
        ecc_json_number(numbers, "eccentricity", m->eccentricity.mean);
        ecc_json_number(numbers, "angle_raw", m->raw.mean);
        ecc_json_number(numbers, "angle_raw_deviation", m->raw.deviation);
        ecc_json_number(numbers, "angle_aligned", m->aligned.mean);
        ecc_json_number(numbers, "angle_aligned_deviation", m->aligned.deviation);
        ecc_json_number(numbers, "score", m->score.mean);
        ecc_json_number(numbers, "score_deviation", m->score.deviation);
    }
}

/* ---- Trends, which any data can show -------------------------------------------------------- */

/* Eccentricity rises as lambda falls; rows of a method stand by falling lambda. */
static void claim_trend(struct ecc_section *s, const struct ecc_method_row *rows, size_t count,
                        const char *method)
{
    char ours[ECC_SAID] = "";
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
    ecc_section_claim(s, ecc_between_runs(&s->fairness, rises), NULL,
                      "%s: eccentricity rises as λ falls\tin every step\t%s", method, ours);
}

static void claim_angles(struct ecc_section *s, const struct ecc_method_row *rows, size_t count)
{
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
    if (known == 0) return;
    ecc_section_claim(s, ecc_holds(smaller == known), NULL,
                      "Alignment makes the angle smaller\tin every row\tin %zu of %zu rows",
                      smaller, known);
    if (isnan(first) || first == last) return;
    ecc_section_claim(s, ecc_between_runs(&s->fairness, last < first), NULL,
                      "EAE: aligned components agree better between runs as λ falls\t69° to 40°\t"
                      "%.0f° to %.0f°",
                      first, last);
}

/* ---- Numbers, where they may be compared ---------------------------------------------------- */

/* Of two numbers with deviations; better or worse only counts for scores, which have a digit. */
static void claim_number(struct ecc_section *s, const char *words, struct ecc_paper_number paper,
                         struct ecc_measured ours, int digits)
{
    const enum ecc_better better = digits > 0 ? ECC_LOWER_IS_BETTER : ECC_NEITHER_IS_BETTER;
    ecc_section_claim(s, ecc_fair(&s->fairness, ecc_judge(paper, ours, digits, better)), NULL,
                      "%s\t%s\t%s", words, ECC_THEIRS(paper, digits), ECC_OURS(ours, digits));
}

static void claim_row(struct ecc_section *s, const struct ecc_method_row *m)
{
    const char *const row = ECC_SAY("%s, λ = %g", m->paper->method, m->paper->lambda);
    /* the paper prints it without a deviation, and without one only luck would agree */
    const struct ecc_paper_number eccentricity = {m->paper->eccentricity, 0.01};
    ecc_section_fresh(s);
    ecc_section_runs(s, &m->group, ECC_FACES);
    ecc_fairness_runs(&s->fairness, m->group.count, ECC_PAPER_RUNS1);
    ecc_section_claim(
        s,
        ecc_fair(&s->fairness, ecc_judge(eccentricity, m->eccentricity, 2, ECC_NEITHER_IS_BETTER)),
        ECC_SAY(ECC_RULE_ASSUMED, eccentricity.deviation), "%s: eccentricity\t%g\t%s", row,
        eccentricity.mean, ECC_OURS(m->eccentricity, 2));
    claim_number(s, ECC_SAY("%s: angle, raw", row), m->paper->raw, m->raw, 0);
    claim_number(s, ECC_SAY("%s: angle, aligned", row), m->paper->aligned, m->aligned, 0);
    if (m->features && !ecc_features_published(m->features)) {
        ecc_fairness_stop(&s->fairness, "other weights of Inception");
    }
    claim_number(s, ECC_SAY("%s: score", row), m->paper->score, m->score, 1);
}

static void make(struct ecc_section *s)
{
    struct ecc_repro *const r = s->r;
    struct ecc_method_row rows[ROWS];
    size_t count = 0;
    const char *features = NULL;
    const enum ecc_repro_set set = ecc_plan_set(r);
    if (!r->data[set].what) ecc_section_lacks(s, set);
    for (size_t i = 0; i < ecc_paper_table1_rows && count < ROWS; i++) {
        struct ecc_method_row *const m = &rows[count];
        ecc_method_ask(m, s, i);
        ecc_method_compare(m, &features, s);
        ecc_section_runs(s, &m->group, ECC_FACES);
        count += m->group.count > 0;
    }
    if (r->planning || count == 0) return;
    report_table(s, rows, count);
    ecc_section_text(s,
                     "Eccentricity over all training items; angles between encodings of the same "
                     "test item by two runs, mean ± deviation over pairs; score: Fréchet distance "
                     "of images from the fitted Gaussian to unseen ones%s.",
                     set == ECC_DIGITS ? ", in the features of a small classifier of digits, so "
                                         "not the paper's Inception score"
                                       : "");
    if (features) ecc_section_text(s, "Features: %s.", features);
    claim_trend(s, rows, count, "EAE");
    claim_trend(s, rows, count, "VAE");
    claim_trend(s, rows, count, "WAE");
    claim_angles(s, rows, count);
    for (size_t i = 0; set == ECC_FACES && i < count; i++) claim_row(s, &rows[i]);
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
    .make = make,
};
