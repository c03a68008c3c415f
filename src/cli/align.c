/* align.c: `eccentric align`: whether runs found the same components. */
#include "cli/align.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/latent.h"
#include "figure/figure.h"
#include "math/statistics.h"

#include <math.h>
#include <stdlib.h>

struct align_settings {
    struct ecc_common common;
    const char *data, *out;
    size_t items;
};

static const struct ecc_option align_options[] = {
    {.name = "data",
     .kind = ECC_TEXT,
     ECC_TO(align_settings, data),
     .value_name = "DATA",
     .help = "items to compare by: its training part matches, its test part measures (default: the "
             "first run's data)"},
    {.name = "items",
     .kind = ECC_COUNT,
     ECC_TO(align_settings, items),
     .value_name = "N",
     .low = 2,
     .high = 4e9,
     .help = "only the first N items of each part"},
    {.name = "out",
     .kind = ECC_TEXT,
     ECC_TO(align_settings, out),
     .value_name = "FIGURE",
     .help = "draw the correlations before and after (.png, .svg or .pdf)"},
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status align_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    const struct align_settings *const s = settings;
    return s->out ? ecc_figure_check_path(s->out, error) : ECC_OK;
}

/* ---- Encodings ------------------------------------------------------------------------------- */

/* One part of the data, [n, d], in components of one run. */
struct part {
    float *p;
    size_t n;
};

struct encoding {
    struct ecc_model *model;
    struct ecc_components components;
    struct part train, test;
};

static void release_encoding(struct encoding *e)
{
    free(e->train.p);
    free(e->test.p);
    ecc_components_release(&e->components);
    ecc_model_close(e->model);
}

static enum ecc_status encode_part(struct encoding *e, struct part *part, const char *what,
                                   const struct align_settings *s, struct ecc_error *error)
{
    struct ecc_dataset *data;
    ECC_TRY(ecc_model_open_data(e->model, &data, what, s->items, error));
    part->n = data->count;
    part->p = malloc(part->n * e->model->d * sizeof *part->p);
    struct ecc_cli_watch report;
    ecc_cli_watch_start(&report, &s->common);
    const enum ecc_status status = part->p ? ecc_model_encode_data(e->model, part->p, data, NULL,
                                                                   part->n, &report.watch, error)
                                           : ecc_fail_memory(error, "the latents");
    ecc_cli_watch_end(&report);
    ecc_dataset_close(data);
    return status;
}

/* The run's own components; those of the given items where its own data is gone. */
static enum ecc_status find_components(struct encoding *e, const struct align_settings *s,
                                       struct ecc_error *error)
{
    const struct ecc_stand_in items = {s->data, e->train.p, e->train.n};
    struct ecc_cli_watch cli;
    ecc_cli_watch_start(&cli, &s->common);
    const enum ecc_status status =
        ecc_model_components_or_fit(e->model, &e->components, &items, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    ECC_TRY(status);
    ECC_TRY(ecc_components_project(&e->components, e->train.p, e->train.p, e->train.n, error));
    return ecc_components_project(&e->components, e->test.p, e->test.p, e->test.n, error);
}

static enum ecc_status encode(struct encoding *e, const struct align_settings *s, const char *data,
                              struct ecc_error *error)
{
    char *const train = ecc_data_part_name(data, "train"), *const test =
                                                               ecc_data_part_name(data, "test");
    enum ecc_status status = train && test ? ECC_OK : ecc_fail_memory(error, "a name");
    if (status == ECC_OK) status = encode_part(e, &e->train, train, s, error);
    if (status == ECC_OK) status = encode_part(e, &e->test, test, s, error);
    free(train);
    free(test);
    return status == ECC_OK ? find_components(e, s, error) : status;
}

static enum ecc_status open_runs(struct encoding *e, const char *const *runs, size_t count,
                                 const struct align_settings *s, struct ecc_error *error)
{
    for (size_t i = 0; i < count; i++) {
        ECC_TRY(ecc_cli_open(&e[i].model, runs[i], &s->common, error));
        if (e[i].model->d == e[0].model->d) continue;
        char first[ECC_PATH_SIZE], other[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has %zu latent dimensions and %s has %zu, expected the same of all "
                        "runs",
                        ecc_quote_path(first, runs[0]), e[0].model->d,
                        ecc_quote_path(other, runs[i]), e[i].model->d);
    }
    for (size_t i = 0; i < count; i++) {
        ECC_TRY(encode(&e[i], s, s->data ? s->data : e[0].model->options.data, error));
    }
    return ECC_OK;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static struct ecc_align_mean mean_over_pairs(const struct ecc_align_result *r, size_t offset,
                                             double *values)
{
    struct ecc_align_mean mean;
    for (size_t i = 0; i < r->pair_count; i++) {
        const char *const alignment = (const char *)&r->pairs[i].alignment;
        values[i] = *(const double *)(const void *)(alignment + offset);
    }
    ecc_mean_deviation(&mean.value, &mean.deviation, values, r->pair_count);
    return mean;
}

static void find_stability(struct ecc_align_result *r)
{
    const double others = (double)(r->run_count - 1);
    for (size_t k = 0; k < r->d; k++) r->least[k] = 1;
    for (size_t i = 0; i < r->pair_count; i++) {
        if (r->pairs[i].a != 0) continue;
        for (size_t k = 0; k < r->d; k++) {
            const double correlation = r->pairs[i].alignment.correlation[k];
            r->stability[k] += correlation / others;
            r->least[k] = fmin(r->least[k], correlation);
        }
    }
}

static enum ecc_status align_pairs(struct ecc_align_result *r, const struct encoding *e,
                                   struct ecc_error *error)
{
    for (size_t a = 0; a < r->run_count; a++) {
        for (size_t b = a + 1; b < r->run_count; b++) {
            struct ecc_align_pair *const pair = &r->pairs[r->pair_count++];
            pair->a = a;
            pair->b = b;
            ECC_TRY(ecc_align(&pair->alignment, e[a].train.p, e[b].train.p, r->items, e[a].test.p,
                              e[b].test.p, r->test_items, r->d, error));
        }
    }
    double *const values = malloc((r->pair_count + 1) * sizeof *values);
    if (!values) return ecc_fail_memory(error, "the angles");
    r->raw = mean_over_pairs(r, offsetof(struct ecc_alignment, angle_raw), values);
    r->aligned = mean_over_pairs(r, offsetof(struct ecc_alignment, angle_aligned), values);
    r->procrustes = mean_over_pairs(r, offsetof(struct ecc_alignment, angle_procrustes), values);
    r->cka = mean_over_pairs(r, offsetof(struct ecc_alignment, cka), values);
    free(values);
    find_stability(r);
    return ECC_OK;
}

static enum ecc_status align_all(struct ecc_align_result *r, struct encoding *e,
                                 const struct align_settings *s, struct ecc_error *error)
{
    const double start = ecc_seconds();
    const size_t count = r->run_count;
    ECC_TRY(open_runs(e, r->runs, count, s, error));
    r->d = e[0].model->d;
    r->items = e[0].train.n;
    r->test_items = e[0].test.n;
    r->pairs = calloc(count * count, sizeof *r->pairs);
    r->stability = calloc(r->d, sizeof *r->stability);
    r->least = calloc(r->d, sizeof *r->least);
    r->eccentricity = calloc(count, sizeof *r->eccentricity);
    if (!r->pairs || !r->stability || !r->least || !r->eccentricity) {
        return ecc_fail_memory(error, "the pairs of runs");
    }
    for (size_t i = 0; i < count; i++) {
        r->eccentricity[i] = e[i].components.eccentricity;
        if (ecc_components_vary(&e[i].components)) continue;
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_NUMERIC,
                        "all latents of %s are the same: nothing can be aligned",
                        ecc_quote_path(shown, r->runs[i]));
    }
    ECC_TRY(align_pairs(r, e, error));
    r->seconds = ecc_seconds() - start;
    if (s->out) ECC_TRY(ecc_align_draw(r, s->out, error));
    return ecc_align_report(r, s->common.json, error);
}

static enum ecc_status align_run(void *settings, const char *const *operands, size_t count,
                                 struct ecc_error *error)
{
    if (count < 2)
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%zu runs, expected two or more", count);
    struct ecc_align_result r = {.runs = operands, .run_count = count};
    struct encoding *const e = calloc(count, sizeof *e);
    if (!e) return ecc_fail_memory(error, "the runs");
    ecc_catch_interrupt();
    const enum ecc_status status = align_all(&r, e, settings, error);
    for (size_t i = 0; i < count; i++) release_encoding(&e[i]);
    for (size_t i = 0; i < r.pair_count; i++) ecc_alignment_release(&r.pairs[i].alignment);
    free(e);
    free(r.pairs);
    free(r.stability);
    free(r.least);
    free(r.eccentricity);
    return status;
}

const struct ecc_command ecc_command_align = {
    .name = "align",
    .operands = "RUN RUN...",
    .operand_min = 2,
    .operand_max = 64,
    .summary = "whether runs found the same components",
    .description =
        "Compares how runs encode the same items.  The components of each pair of runs are matched "
        "one to one by their covariance over training items, and flipped where it is negative; on "
        "test items it then reports the mean angle between the two encodings as they are and "
        "aligned (90 degrees: nothing in common), the same after the best rotation, and linear "
        "CKA.  So \"same space, rotated\" can be told from \"different spaces\".",
    .examples = "  eccentric align run1 run2 run3 --data mnist --out alignment.png\n"
                "  eccentric align run1 run2 --json\n",
    .options = align_options,
    .settings_size = sizeof(struct align_settings),
    .check = align_check,
    .run = align_run,
};
