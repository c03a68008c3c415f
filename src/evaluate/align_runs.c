/* align_runs.c: whether runs found the same components: aligns every pair of runs. */
#include "eccentric_evaluate.h"

#include "base/clock.h"
#include "base/text.h"
#include "latent/match.h"
#include "math/statistics.h"
#include "model/components.h"

#include <math.h>
#include <stdlib.h>

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
};

static enum ecc_status encode_part(const struct encoder *how, struct part *part,
                                   struct ecc_model *model, const char *what,
                                   struct ecc_error *error)
{
    return ecc_model_latents(model, &part->p, NULL, &part->n, what, how->options->items, how->watch,
                             error);
}

/* Along the run's own components, or along those of the given items if the run's data is gone. */
static enum ecc_status encode(const struct encoder *how, struct encoding *e,
                              struct ecc_model *model, double *eccentricity,
                              struct ecc_error *error)
{
    ECC_TRY(encode_part(how, &e->train, model, how->train, error));
    ECC_TRY(encode_part(how, &e->test, model, how->test, error));
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

/* Encodes the same items with all runs; e: [count]. */
static enum ecc_status encode_all(struct encoding *e, struct ecc_runs_alignment *r,
                                  struct ecc_model *const *models,
                                  const struct ecc_align_options *options,
                                  const struct ecc_watch *watch, struct ecc_error *error)
{
    const char *const data = options->data ? options->data : models[0]->options.data;
    const struct encoder how = {options, watch, ecc_data_part_name(data, "train"),
                                ecc_data_part_name(data, "test")};
    enum ecc_status status = how.train && how.test ? ECC_OK : ecc_fail_memory(error, "a name");
    for (size_t i = 0; status == ECC_OK && i < r->run_count; i++) {
        status = encode(&how, &e[i], models[i], &r->eccentricity[i], error);
    }
    free(how.train);
    free(how.test);
    return status;
}

/* ---- Pairs ---------------------------------------------------------------------------------- */

static const char *verdict_of(double aligned, double procrustes)
{
    return ecc_verdict_names[ecc_align_verdict(aligned, procrustes)];
}

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
            pair->verdict = verdict_of(l->angle_aligned, l->angle_procrustes);
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

static enum ecc_status sum_up(struct ecc_runs_alignment *r, struct ecc_error *error)
{
    double *const values = malloc(r->pair_count * sizeof *values);
    if (!values) return ecc_fail_memory(error, "the angles");
    r->raw = over_pairs(r, offsetof(struct ecc_alignment, angle_raw), values);
    r->aligned = over_pairs(r, offsetof(struct ecc_alignment, angle_aligned), values);
    r->procrustes = over_pairs(r, offsetof(struct ecc_alignment, angle_procrustes), values);
    r->cka = over_pairs(r, offsetof(struct ecc_alignment, cka), values);
    r->verdict = verdict_of(r->aligned.mean, r->procrustes.mean);
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
