/* align_runs.c: whether runs found the same components: aligns every pair of runs. */
#include "eccentric_evaluate.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/watch.h"
#include "latent/align_pair.h"
#include "math/statistics.h"
#include "model/components.h"
#include "model/seen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Encodings ------------------------------------------------------------------------------ */

/* One part of the data, [n, d], in components of one run. */
struct part {
    float *p;
    size_t n;
};

struct encoding {
    struct part train, test;
};

/* What all encodings share. */
struct encoder {
    const struct ecc_align_options *options;
    const struct ecc_watch *watch;
    char *train, *test; /* names of the two parts */
    uint32_t *items;    /* [item_count] of the test part */
    size_t item_count;
};

/* items: [count] of them, or NULL: the first as the options say. */
static enum ecc_status encode_part(const struct encoder *how, struct part *part,
                                   struct ecc_model *model, const char *what, const uint32_t *items,
                                   size_t count, struct ecc_error *error)
{
    struct ecc_dataset *data;
    ECC_TRY(items ? ecc_model_open_test(model, &data, what, 0, error)
                  : ecc_model_open_data(model, &data, what, how->options->items, error));
    part->n = items ? count : data->count;
    part->p = malloc((part->n * model->d + 1) * sizeof *part->p);
    const enum ecc_status status =
        part->p ? ecc_model_encode_data(model, part->p, data, items, part->n, how->watch, error)
                : ecc_fail_memory(error, "the latents of all items");
    ecc_dataset_close(data);
    return status;
}

/* Along the run's own components, or along those of the given items if the run's data is gone. */
static enum ecc_status encode(const struct encoder *how, struct encoding *e,
                              struct ecc_model *model, double *eccentricity,
                              struct ecc_error *error)
{
    ECC_TRY(encode_part(how, &e->train, model, how->train, NULL, 0, error));
    ECC_TRY(encode_part(how, &e->test, model, how->test, how->items, how->item_count, error));
    const struct ecc_stand_in items = {how->options->data, e->train.p, e->train.n};
    struct ecc_components c;
    ECC_TRY(ecc_model_components_or_fit(model, &c, &items, how->watch, error));
    char shown[ECC_PATH_SIZE];
    enum ecc_status status =
        ecc_components_vary(&c)
            ? ecc_components_project(&c, e->train.p, e->train.p, e->train.n, error)
            : ecc_fail(error, ECC_NUMERIC, "all latents of %s are the same: they cannot be aligned",
                       ecc_quote_path(shown, model->run->directory));
    if (status == ECC_OK) {
        status = ecc_components_project(&c, e->test.p, e->test.p, e->test.n, error);
    }
    *eccentricity = c.eccentricity;
    ecc_components_release(&c);
    return status;
}

static enum ecc_status check_runs(struct ecc_model *const *models, size_t count,
                                  struct ecc_error *error)
{
    char first[ECC_PATH_SIZE], other[ECC_PATH_SIZE];
    if (count < 2) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%zu runs, expected two or more", count);
    }
    for (size_t i = 1; i < count; i++) {
        if (models[i]->d == models[0]->d) continue;
        return ecc_fail(
            error, ECC_BAD_DATA,
            "%s has %zu latent dimensions and %s has %zu, expected the same size for all "
            "runs",
            ecc_quote_path(first, models[0]->run->directory), models[0]->d,
            ecc_quote_path(other, models[i]->run->directory), models[i]->d);
    }
    return ECC_OK;
}

/* ---- Items to measure on -------------------------------------------------------------------- */

/* trained: [count] of the dataset, 1 where one of the runs was trained on the item. */
static enum ecc_status mark_trained(uint8_t *trained, struct ecc_dataset *data,
                                    struct ecc_model *const *models, size_t run_count,
                                    const struct encoder *how, struct ecc_error *error)
{
    uint8_t *const marks = malloc(data->count + 1);
    enum ecc_status status = marks ? ECC_OK : ecc_fail_memory(error, "the test items");
    for (size_t r = 0; status == ECC_OK && r < run_count; r++) {
        struct ecc_seen seen;
        status = ecc_model_mark_seen(models[r], marks, &seen, data, r == 0, error);
        if (status != ECC_OK) break;
        if (r == 0 || seen.changed) {
            seen.trained = 0; /* what is left is said below, of all runs */
            ecc_seen_remark(&seen, data, how->watch);
        }
        for (size_t i = 0; i < data->count; i++) trained[i] |= marks[i] == ECC_ITEM_TRAINED;
    }
    free(marks);
    return status;
}

/* Lists the items that no run was trained on; all of them if there are none or they were asked
 * for. */
static enum ecc_status list_items(struct encoder *how, struct ecc_seen *seen,
                                  const uint8_t *trained, size_t count, struct ecc_error *error)
{
    const size_t most = how->options->items ? how->options->items : SIZE_MAX;
    size_t unseen = 0;
    for (size_t i = 0; i < count; i++) unseen += !trained[i];
    const bool all = how->options->test || unseen == 0;
    how->items = malloc((count + 1) * sizeof *how->items);
    if (!how->items) return ecc_fail_memory(error, "the test items");
    for (size_t i = 0; i < count && how->item_count < most; i++) {
        if (!all && trained[i]) continue;
        how->items[how->item_count++] = (uint32_t)i;
        seen->trained += trained[i];
    }
    seen->items = how->item_count;
    seen->answer = seen->trained == 0             ? ECC_SEEN_NONE
                   : seen->trained == seen->items ? ECC_SEEN_ALL
                                                  : ECC_SEEN_SOME;
    return ECC_OK;
}

static void remark_on_items(const struct encoder *how, const struct ecc_seen *seen)
{
    if (seen->trained == 0) return;
    ecc_watch_remark(how->watch, "the runs were trained on %zu of the %zu item%s to measure on%s",
                     seen->trained, seen->items, ecc_s(seen->items),
                     how->options->test ? "" : ": name other test data");
}

static enum ecc_status choose_items(struct encoder *how, struct ecc_seen *seen,
                                    struct ecc_model *const *models, size_t run_count,
                                    struct ecc_error *error)
{
    struct ecc_dataset *data;
    ECC_TRY(ecc_model_open_test(models[0], &data, how->test, 0, error));
    uint8_t *const trained = calloc(data->count + 1, sizeof *trained);
    enum ecc_status status = trained ? mark_trained(trained, data, models, run_count, how, error)
                                     : ecc_fail_memory(error, "the test items");
    if (status == ECC_OK) status = list_items(how, seen, trained, data->count, error);
    if (status == ECC_OK) remark_on_items(how, seen);
    free(trained);
    ecc_dataset_close(data);
    return status;
}

/* Encodes the same items with all runs; e: [count]. */
static enum ecc_status encode_all(struct encoding *e, struct ecc_runs_alignment *r,
                                  struct ecc_model *const *models,
                                  const struct ecc_align_options *options,
                                  const struct ecc_watch *watch, struct ecc_error *error)
{
    const char *const data = options->data ? options->data : models[0]->options.data;
    struct encoder how = {.options = options,
                          .watch = watch,
                          .train = ecc_data_part_name(data, "train"),
                          .test = options->test ? strdup(options->test)
                                                : ecc_data_part_name(data, "test")};
    enum ecc_status status = how.train && how.test ? ECC_OK : ecc_fail_memory(error, "a name");
    if (status == ECC_OK) status = choose_items(&how, &r->seen, models, r->run_count, error);
    for (size_t i = 0; status == ECC_OK && i < r->run_count; i++) {
        status = encode(&how, &e[i], models[i], &r->eccentricity[i], error);
    }
    free(how.train);
    free(how.test);
    free(how.items);
    return status;
}

/* ---- Pairs ---------------------------------------------------------------------------------- */

static enum ecc_status align_pairs(struct ecc_runs_alignment *r, const struct encoding *e,
                                   struct ecc_error *error)
{
    for (size_t a = 0; a < r->run_count; a++) {
        for (size_t b = a + 1; b < r->run_count; b++) {
            struct ecc_run_pair *const pair = &r->pairs[r->pair_count++];
            struct ecc_alignment *const l = &pair->alignment;
            pair->a = a;
            pair->b = b;
            ECC_TRY(ecc_align(l, e[a].train.p, e[b].train.p, r->items, e[a].test.p, e[b].test.p,
                              r->test_items, r->latent, error));
            pair->verdict = ecc_verdict_names[ecc_align_verdict(l)];
        }
    }
    return ECC_OK;
}

/* The spread of the number at this offset over all alignments; values: [pair_count] is scratch
 * space. */
static struct ecc_spread over_pairs(const struct ecc_runs_alignment *r, size_t offset,
                                    double *values)
{
    struct ecc_spread spread;
    for (size_t i = 0; i < r->pair_count; i++) {
        const char *const alignment = (const char *)&r->pairs[i].alignment;
        values[i] = *(const double *)(const void *)(alignment + offset);
    }
    ecc_mean_deviation(&spread.mean, &spread.deviation, values, r->pair_count);
    return spread;
}

static void find_stability(struct ecc_runs_alignment *r)
{
    const double others = (double)(r->run_count - 1);
    for (size_t k = 0; k < r->latent; k++) r->least[k] = 1;
    for (size_t i = 0; i < r->pair_count; i++) {
        if (r->pairs[i].a != 0) continue;
        for (size_t k = 0; k < r->latent; k++) {
            const double correlation = r->pairs[i].alignment.correlation[k];
            r->stability[k] += correlation / others;
            r->least[k] = fmin(r->least[k], correlation);
        }
    }
}

/* What holds for every pair. */
static const char *worst_verdict(const struct ecc_runs_alignment *r)
{
    enum ecc_verdict worst = ECC_SAME_COMPONENTS;
    for (size_t i = 0; i < r->pair_count; i++) {
        const enum ecc_verdict verdict = ecc_align_verdict(&r->pairs[i].alignment);
        if (verdict > worst) worst = verdict;
    }
    return ecc_verdict_names[worst];
}

static enum ecc_status sum_up(struct ecc_runs_alignment *r, struct ecc_error *error)
{
    double *const values = malloc(r->pair_count * sizeof *values);
    if (!values) return ecc_fail_memory(error, "the angles");
    r->raw = over_pairs(r, offsetof(struct ecc_alignment, angle_raw), values);
    r->aligned = over_pairs(r, offsetof(struct ecc_alignment, angle_aligned), values);
    r->procrustes = over_pairs(r, offsetof(struct ecc_alignment, angle_procrustes), values);
    r->cka = over_pairs(r, offsetof(struct ecc_alignment, cka), values);
    r->verdict = worst_verdict(r);
    free(values);
    find_stability(r);
    return ECC_OK;
}

/* ---- The whole alignment
 * ------------------------------------------------------------------------------ */

static enum ecc_status reserve(struct ecc_runs_alignment *r, struct ecc_error *error)
{
    r->pairs = calloc(r->run_count * (r->run_count - 1) / 2, sizeof *r->pairs);
    r->stability = calloc(r->latent, sizeof *r->stability);
    r->least = calloc(r->latent, sizeof *r->least);
    r->eccentricity = calloc(r->run_count, sizeof *r->eccentricity);
    if (r->pairs && r->stability && r->least && r->eccentricity) return ECC_OK;
    return ecc_fail_memory(error, "the pairs of runs");
}

enum ecc_status ecc_align_runs(struct ecc_runs_alignment *result, struct ecc_model *const *models,
                               size_t count, const struct ecc_align_options *options,
                               const struct ecc_watch *watch, struct ecc_error *error)
{
    static const struct ecc_align_options none = {0};
    const double start = ecc_seconds();
    *result = (struct ecc_runs_alignment){0};
    ECC_TRY(check_runs(models, count, error));
    result->run_count = count;
    result->latent = models[0]->d;
    ECC_TRY(reserve(result, error));
    struct encoding *const e = calloc(count, sizeof *e);
    if (!e) return ecc_fail_memory(error, "the runs");
    enum ecc_status status = encode_all(e, result, models, options ? options : &none, watch, error);
    result->items = e[0].train.n;
    result->test_items = e[0].test.n;
    if (status == ECC_OK) status = align_pairs(result, e, error);
    if (status == ECC_OK) status = sum_up(result, error);
    for (size_t i = 0; i < count; i++) {
        free(e[i].train.p);
        free(e[i].test.p);
    }
    free(e);
    result->seconds = ecc_seconds() - start;
    return status;
}

void ecc_runs_alignment_release(struct ecc_runs_alignment *r)
{
    for (size_t i = 0; i < r->pair_count; i++) ecc_alignment_release(&r->pairs[i].alignment);
    free(r->pairs);
    free(r->stability);
    free(r->least);
    free(r->eccentricity);
    *r = (struct ecc_runs_alignment){0};
}
