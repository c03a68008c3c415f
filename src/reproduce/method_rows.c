/* method_rows.c: the rows of Table 1, which Figure 10 draws: four methods, several lambda. */
#include "reproduce/method_rows.h"
#include "reproduce/store.h"

#include <string.h>

enum { QUICK_ITEMS = 2000, QUICK_TRAIN_ITEMS = 10000 }; /* of a quick score */

static struct ecc_variant variant_of(const struct ecc_repro *r, const struct ecc_paper_row1 *row)
{
    const enum ecc_repro_set set = ecc_plan_set(r);
    return (struct ecc_variant){set, ecc_plan_latent(set), row->regularizer, row->lambda, 1, 1};
}

/* Angles are the point of EAE and AE; the others get them when there is time for two runs. */
static size_t seeds_of(const struct ecc_repro *r, const struct ecc_paper_row1 *row)
{
    const bool pairs = strcmp(row->method, "EAE") == 0 || strcmp(row->method, "AE") == 0;
    return pairs || ecc_plan_seeds(r, ECC_PAPER_RUNS1) > 1 ? ecc_plan_pair_seeds(r, ECC_PAPER_RUNS1)
                                                           : 1;
}

/* ---- Scores --------------------------------------------------------------------------------- */

/* Digits are judged by a classifier, faces by Inception; both against unseen items. */
static enum ecc_status measure_score(const struct ecc_repro *r, const struct ecc_task *task,
                                     json_t *out, struct ecc_error *error)
{
    struct ecc_score_options options = ecc_score_defaults();
    struct ecc_score_operand operands[ECC_GROUP + 1] = {0};
    struct ecc_score_table table = {0};
    char paths[ECC_GROUP][ECC_STORE_PATH];
    const size_t count = task->step.runs.count;
    const bool quick = r->options->size == ECC_SIZE_QUICK;
    options.kid = false;
    options.features = task->step.inception ? ECC_FEATURES_INCEPTION : ECC_FEATURES_CLASSIFIER;
    options.items = quick ? QUICK_ITEMS : 0;
    options.train_items = quick && !task->step.inception ? QUICK_TRAIN_ITEMS : 0;
    for (size_t i = 0; i < count; i++) {
        const char *const name = r->tasks[task->step.runs.runs[i]].name;
        operands[i].name = ecc_store_path(paths[i], r, "runs", name, "");
    }
    operands[count].name = task->step.runs.data;
    const enum ecc_status status =
        ecc_score_images(&table, operands, count + 1, &options, r->options->watch, error);
    json_t *const scores = json_array();
    for (size_t i = 0; i < table.count; i++) {
        json_array_append_new(scores, json_real(table.scores[i].frechet.distance));
    }
    json_object_set_new(out, "scores", scores);
    json_object_set_new(out, "features", ecc_json_any(table.identity));
    ecc_score_table_release(&table);
    return status;
}

static const json_t *ask_score(struct ecc_section *s, struct ecc_variant variant,
                               struct ecc_group runs)
{
    const bool quick = s->r->options->size == ECC_SIZE_QUICK, faces = variant.set == ECC_FACES;
    runs.data = s->r->data[variant.set].test;
    const struct ecc_step step = {
        .measure = measure_score,
        .runs = runs,
        .command = "fid",
        .words = ECC_SAY("--kid no --features %s%s%s", faces ? "inception" : "classifier",
                         quick ? ECC_SAY(" --items %d", QUICK_ITEMS) : "",
                         quick && !faces ? ECC_SAY(" --train-items %d", QUICK_TRAIN_ITEMS) : ""),
        .guess = faces ? 120 : 5,
        .inception = faces};
    return ecc_ask_group(s, "fid", variant, &step);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

enum { MOST = ECC_GROUP * (ECC_GROUP - 1) / 2 }; /* pairs of runs; runs are fewer */

/* The numbers in a list, or those of this name in a list of objects. */
static struct ecc_measured measure_list(const json_t *list, const char *key)
{
    double values[MOST];
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(list) && count < MOST; i++) {
        const json_t *const item = json_array_get(list, i);
        const json_t *const value = key ? json_object_get(item, key) : item;
        if (json_is_number(value)) values[count++] = json_number_value(value);
    }
    return ecc_measure(values, count);
}

void ecc_method_ask(struct ecc_method_row *row, struct ecc_section *s, size_t index)
{
    struct ecc_repro *const r = s->r;
    const struct ecc_paper_row1 *const paper = &ecc_paper_table1[index];
    const struct ecc_variant v = variant_of(r, paper);
    const size_t seeds = seeds_of(r, paper);
    *row = (struct ecc_method_row){.paper = paper};
    if (r->planning && !paper->kept && !ecc_plan_all_rows(r)) return;
    row->group = ecc_ask_runs(s, v, seeds);
    const json_t *const pairs = ecc_ask_pairs(s, v, seeds);
    const json_t *const scores = ask_score(s, v, row->group);
    /* where nothing is trained, a second run may be missing, and the first is scored alone */
    if (r->planning && ecc_plan_no_training(r)) {
        ask_score(s, v, ecc_group_of(row->group.runs[0]));
    }
    row->eccentricity = ecc_group_number(r, &row->group, "eccentricity");
    row->raw = measure_list(pairs, "angle_raw");
    row->aligned = measure_list(pairs, "angle_aligned");
    row->score = measure_list(json_object_get(scores, "scores"), NULL);
    row->features = json_string_value(json_object_get(scores, "features"));
}

void ecc_method_compare(struct ecc_method_row *row, const char **first, struct ecc_section *s)
{
    if (!row->features) return;
    if (!*first) *first = row->features;
    if (strcmp(row->features, *first) == 0) return;
    ecc_section_missing(s, "%s, λ = %g: its score is by other features and left out: %s",
                        row->paper->method, row->paper->lambda, row->features);
    row->score = ecc_measure(NULL, 0);
    row->features = NULL;
}

bool ecc_features_published(const char *features)
{
    return features && strstr(features, "FID network of 2015");
}
