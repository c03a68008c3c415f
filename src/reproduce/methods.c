/* methods.c: the rows of Table 1, which Figure 10 draws: four methods, several lambda. */
#include "reproduce/methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct ecc_setting setting_of(const struct ecc_repro *r, const struct ecc_paper_row1 *row)
{
    const enum ecc_repro_set set = ecc_plan_set(r);
    struct ecc_setting s = ecc_eae(set, ecc_plan_latent(set), row->lambda, 1, 1);
    s.regularizer = row->regularizer;
    return s;
}

/* Angles are the point of EAE and AE; the others get them when there is time for two runs. */
static size_t seeds_of(const struct ecc_repro *r, const struct ecc_paper_row1 *row)
{
    const bool pairs = strcmp(row->method, "EAE") == 0 || strcmp(row->method, "AE") == 0;
    return pairs || ecc_plan_seeds(r, ECC_PAPER_RUNS1) > 1 ? ecc_plan_pair_seeds(r, ECC_PAPER_RUNS1)
                                                           : 1;
}

/* Digits are judged by a classifier, faces by Inception; both against unseen items. */
static void plan_fid(struct ecc_repro *r, const struct ecc_paper_row1 *row, const int *runs,
                     size_t count)
{
    char name[ECC_TASK_NAME], test[4200];
    const enum ecc_repro_set set = ecc_plan_set(r);
    const bool quick = r->options->size == ECC_SIZE_QUICK;
    if (!r->options->has_fid || count == 0) return;
    ecc_group_name(name, r, "fid", setting_of(r, row), count);
    if (ecc_plan_find(r, name) != ECC_NO_TASK) return;
    ecc_data_part(test, sizeof test, &r->data[set], "test");
    const int step =
        ecc_plan_step_on(r, name, "fid", runs, count, test, "--kid", "no", "--features",
                         set == ECC_FACES ? "inception" : "classifier", "--json");
    if (step == ECC_NO_TASK) return;
    if (quick) {
        ecc_plan_word(r, step, "--items");
        ecc_plan_word(r, step, "2000");
    }
    if (quick && set == ECC_DIGITS) {
        ecc_plan_word(r, step, "--train-items");
        ecc_plan_word(r, step, "10000");
    }
    r->tasks[step].optional = true; /* weights may be missing */
    r->tasks[step].guess = set == ECC_FACES ? 120 : 5;
}

void ecc_methods_plan(struct ecc_repro *r)
{
    for (size_t i = 0; i < ecc_paper_table1_rows; i++) {
        const struct ecc_paper_row1 *const row = &ecc_paper_table1[i];
        if (!row->kept && !ecc_plan_all_rows(r)) continue;
        int runs[ECC_GROUP] = {0};
        const struct ecc_setting s = setting_of(r, row);
        const size_t count = ecc_plan_group(r, runs, s, seeds_of(r, row));
        if (count >= 2) ecc_plan_align(r, s, count);
        plan_fid(r, row, runs, count);
        /* where nothing is trained, a second run may be missing, and the first is scored alone */
        if (ecc_plan_no_training(r) && count > 1) plan_fid(r, row, runs, 1);
    }
}

enum { MOST = ECC_GROUP * (ECC_GROUP - 1) / 2 }; /* pairs of runs; runs are fewer */

/* The numbers of this name in a list of objects. */
static struct ecc_measured measure_list(const json_t *list, const char *key)
{
    double values[MOST];
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(list) && count < MOST; i++) {
        const json_t *const value = json_object_get(json_array_get(list, i), key);
        if (json_is_number(value)) values[count++] = json_number_value(value);
    }
    return ecc_measure(values, count);
}

/* Of several runs a list, of one run the number itself. */
static struct ecc_measured scores_of(const json_t *result)
{
    const json_t *const list = json_object_get(result, "scores");
    const json_t *const one = json_object_get(result, "fid");
    if (json_array_size(list) > 0 || !json_is_number(one)) return measure_list(list, "fid");
    const double score = json_number_value(one);
    return ecc_measure(&score, 1);
}

void ecc_method_take(struct ecc_method_row *row, const struct ecc_repro *r, size_t index)
{
    const struct ecc_paper_row1 *const paper = &ecc_paper_table1[index];
    const struct ecc_setting s = setting_of(r, paper);
    *row = (struct ecc_method_row){.paper = paper};
    row->count = ecc_find_group(r, row->runs, s);
    row->eccentricity = ecc_group_number(r, row->runs, row->count, "eccentricity");
    row->align = ecc_find_align(r, s);
    row->fid = ecc_find_group_step(r, "fid", s);
    const json_t *const angles = row->align == ECC_NO_TASK ? NULL : r->tasks[row->align].result;
    const json_t *const pairs = json_object_get(angles, "pairs");
    row->raw = measure_list(pairs, "angle_raw");
    row->aligned = measure_list(pairs, "angle_aligned");
    const json_t *const fid = row->fid == ECC_NO_TASK ? NULL : r->tasks[row->fid].result;
    row->score = scores_of(fid);
    row->features = json_string_value(json_object_get(fid, "features"));
}

void ecc_method_compare(struct ecc_method_row *row, const char **first, json_t *section)
{
    if (!row->features) return;
    if (!*first) *first = row->features;
    if (strcmp(row->features, *first) == 0) return;
    ecc_section_missing(section, "%s, λ = %g: its score is by other features and left out: %s",
                        row->paper->method, row->paper->lambda, row->features);
    row->score = ecc_measure(NULL, 0);
    row->features = NULL;
}

bool ecc_features_published(const char *features)
{
    return features && strstr(features, "FID network of 2015");
}
