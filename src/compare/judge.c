/* judge.c: what is measured of the trainings of a comparison, each as JSON. */
#include "base/file.h"
#include "compare/trials.h"
#include "evaluate/code_use.h"
#include "evaluate/sample_distance.h"
#include "latent/walk.h"
#include "model/model.h"
#include "show/tiles.h"
#include "work/sayings.h"

#include <eccentric_evaluate.h>

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 48, SAMPLE_COLUMNS = 8, STRIPS = 8, STRIP_STEPS = 9, REPEATS = 10, WORDS = 4 };

/* ---- Lambda, by validation items ------------------------------------------------------------ */

static enum ecc_status choose_by_classes(const struct ecc_comparison *c, json_t *out,
                                         struct ecc_model *const *models,
                                         const struct ecc_trial *const *of, struct ecc_error *error)
{
    struct ecc_classify_options options = ecc_classify_defaults();
    struct ecc_classification found;
    (void)of;
    options.validation = true;
    options.baselines = false;
    const enum ecc_status status =
        ecc_classify(&found, models[0], &options, c->options->watch, error);
    if (status == ECC_OK) {
        ecc_json_number(out, "score", found.rows[found.row_count - 1].error[ECC_VIEW_LATENTS]);
        ecc_json_count(out, "items", found.test_items);
    }
    ecc_classification_release(&found);
    return status;
}

static enum ecc_status choose_by_samples(const struct ecc_comparison *c, json_t *out,
                                         struct ecc_model *const *models,
                                         const struct ecc_trial *const *of, struct ecc_error *error)
{
    struct ecc_sample_distance found;
    (void)of;
    ECC_TRY(ecc_sample_distance_measure(&found, models[0], true, c->options->watch, error));
    ecc_json_number(out, "score", found.frechet.distance);
    ecc_json_count(out, "items", found.items);
    return ECC_OK;
}

const struct ecc_trial_step ecc_step_choice_classes = {"choice-knn", choose_by_classes};
const struct ecc_trial_step ecc_step_choice_samples = {"choice-samples", choose_by_samples};

/* ---- Classes and numbers -------------------------------------------------------------------- */

static void put_row(json_t *rows, const struct ecc_classify_row *row, size_t views)
{
    static const char *const names[ECC_VIEWS] = {"error", "pca", "pixels"};
    json_t *const json = json_object();
    ecc_json_count(json, "labels", row->labels);
    ecc_json_count(json, "neighbours", row->parameter);
    ecc_json_number(json, "majority", row->majority);
    for (size_t v = 0; v < views && v < ECC_VIEWS; v++) {
        ecc_json_number(json, names[v], row->error[v]);
    }
    json_array_append_new(rows, json);
}

static void put_number(json_t *out, const struct ecc_number_result *number)
{
    json_t *const json = json_object();
    ecc_json_text(json, "name", number->name);
    ecc_json_number(json, "r2", number->rows[0].fit[ECC_VIEW_LATENTS].r2);
    ecc_json_number(json, "pca", number->rows[0].fit[ECC_VIEW_PCA].r2);
    json_object_set_new(out, "number", json);
}

/* Numbers of labelled items that leave something to learn: 100, 1,000, 10,000 and all. */
static enum ecc_status classify(const struct ecc_comparison *c, json_t *out,
                                struct ecc_model *model, bool baselines, struct ecc_error *error)
{
    static const size_t usual[] = {100, 1000, 10000};
    size_t labels[4], count = 0;
    for (size_t i = 0; i < 3; i++) {
        if (2 * usual[i] <= c->subject.items) labels[count++] = usual[i];
    }
    labels[count++] = 0; /* all */
    struct ecc_classify_options options = ecc_classify_defaults();
    struct ecc_classification found;
    options.labels = labels;
    options.label_count = count;
    options.repeats = REPEATS;
    options.baselines = baselines;
    options.items = c->options->train.items;
    const enum ecc_status status = ecc_classify(&found, model, &options, c->options->watch, error);
    json_t *const rows = json_array();
    json_object_set_new(out, "rows", rows);
    for (size_t i = 0; status == ECC_OK && i < found.row_count; i++) {
        put_row(rows, &found.rows[i], found.view_count);
    }
    if (status == ECC_OK && found.number_count > 0) put_number(out, &found.numbers[0]);
    ecc_json_count(out, "test_items", found.test_items);
    ecc_classification_release(&found);
    return status;
}

static enum ecc_status measure_classes(const struct ecc_comparison *c, json_t *out,
                                       struct ecc_model *const *models,
                                       const struct ecc_trial *const *of, struct ecc_error *error)
{
    (void)of;
    return classify(c, out, models[0], false, error);
}

static enum ecc_status measure_baselines(const struct ecc_comparison *c, json_t *out,
                                         struct ecc_model *const *models,
                                         const struct ecc_trial *const *of, struct ecc_error *error)
{
    (void)of;
    return classify(c, out, models[0], true, error);
}

const struct ecc_trial_step ecc_step_classes = {"knn", measure_classes};
const struct ecc_trial_step ecc_step_baselines = {"baselines", measure_baselines};

/* ---- Samples -------------------------------------------------------------------------------- */

static enum ecc_status score(const struct ecc_comparison *c, json_t *out, struct ecc_model *model,
                             enum ecc_score_features features, struct ecc_error *error)
{
    const struct ecc_score_operand operands[] = {{.name = "samples", .model = model},
                                                 {.name = c->subject.test}};
    struct ecc_score_options options = ecc_score_defaults();
    struct ecc_score_table table;
    options.features = features;
    options.from = ecc_model_sampler(model, NULL, 1).from;
    options.train = c->subject.data;
    options.train_items = c->options->train.items;
    options.crop = c->options->train.crop;
    options.size = c->options->train.size;
    options.kid = false;
    ECC_TRY(ecc_score_images(&table, operands, 2, &options, c->options->watch, error));
    ecc_json_number(out, "distance", table.scores[0].frechet.distance);
    ecc_json_count(out, "items", table.reference_items);
    ecc_json_count(out, "samples", table.scores[0].items);
    ecc_json_text(out, "features", table.identity);
    ecc_score_table_release(&table);
    return ECC_OK;
}

static enum ecc_status measure_frechet(const struct ecc_comparison *c, json_t *out,
                                       struct ecc_model *const *models,
                                       const struct ecc_trial *const *of, struct ecc_error *error)
{
    struct ecc_sample_distance found;
    struct ecc_error ignored;
    (void)of;
    if (!c->subject.is_table) {
        const bool can = c->subject.channels == 3 || c->subject.labelled;
        const enum ecc_status status =
            can ? score(c, out, models[0], ECC_FEATURES_AUTO, &ignored) : ECC_BAD_DATA;
        if (status == ECC_INTERRUPTED) return ecc_fail(error, status, "%s", ignored.text);
        if (status == ECC_OK) return ECC_OK;
        return score(c, out, models[0], ECC_FEATURES_PCA, error);
    }
    ECC_TRY(ecc_sample_distance_measure(&found, models[0], false, c->options->watch, error));
    ecc_json_number(out, "distance", found.frechet.distance);
    ecc_json_count(out, "items", found.items);
    ecc_json_count(out, "samples", found.samples);
    ecc_json_text(out, "features",
                  ECC_SAY("%zu principal component%s of the columns", found.axes,
                          found.axes == 1 ? "" : "s"));
    return ECC_OK;
}

const struct ecc_trial_step ecc_step_frechet = {"frechet", measure_frechet};

/* ---- Codes ---------------------------------------------------------------------------------- */

static enum ecc_status measure_codes(const struct ecc_comparison *c, json_t *out,
                                     struct ecc_model *const *models,
                                     const struct ecc_trial *const *of, struct ecc_error *error)
{
    const struct ecc_test_request request = {.most = c->options->train.items, .validation = true};
    struct ecc_test_items items = {0};
    struct ecc_code_use found = {0};
    (void)of;
    enum ecc_status status =
        ecc_model_test_items(models[0], &items, &request, c->options->watch, error);
    if (status == ECC_OK) {
        status = ecc_code_use_measure(&found, models[0], &items, c->options->watch, error);
    }
    ecc_test_items_release(&items);
    ECC_TRY(status);
    ecc_json_count(out, "used", found.used);
    ecc_json_number(out, "codes", found.codes);
    ecc_json_count(out, "latents", found.dim);
    ecc_json_count(out, "items", found.items);
    return ECC_OK;
}

const struct ecc_trial_step ecc_step_codes = {"codes", measure_codes};

/* ---- Two seeds ------------------------------------------------------------------------------ */

static enum ecc_status measure_pair(const struct ecc_comparison *c, json_t *out,
                                    struct ecc_model *const *models,
                                    const struct ecc_trial *const *of, struct ecc_error *error)
{
    const struct ecc_align_options options = {.items = c->options->train.items};
    struct ecc_runs_alignment found;
    (void)of;
    const enum ecc_status status =
        ecc_align_runs(&found, models, 2, &options, c->options->watch, error);
    if (status == ECC_OK) {
        ecc_json_number(out, "raw", found.raw.mean);
        ecc_json_number(out, "aligned", found.aligned.mean);
        ecc_json_text(out, "verdict", found.verdict);
    }
    ecc_runs_alignment_release(&found);
    return status;
}

const struct ecc_trial_step ecc_step_pair = {"pair", measure_pair};

/* ---- Shape and pictures --------------------------------------------------------------------- */

/* figures/NAME-what.png, noted in out["files"] with its layout in out["what"]. */
static enum ecc_status keep_sheet(const struct ecc_comparison *c, json_t *out, const char *what,
                                  const char *name, const struct ecc_model *m, const float *x,
                                  size_t count, size_t columns, struct ecc_error *error)
{
    unsigned char *file;
    size_t bytes;
    struct ecc_output output;
    const char *const path = ECC_SAY("figures/%.150s-%s.png", name, what);
    ECC_TRY(ecc_tiles_encode(&file, &bytes, x, m->shape, count, columns, error));
    enum ecc_status status = ecc_output_open(&output, ECC_IN_TRIALS(c, "", path, ""), error);
    if (status == ECC_OK) {
        fwrite(file, 1, bytes, output.stream);
        status = ecc_output_commit(&output, error);
    }
    free(file);
    json_object_set_new(json_object_get(out, "files"), what, json_string(path));
    json_object_set_new(out, what,
                        json_pack("{s:i,s:i}", "count", (int)count, "columns", (int)columns));
    return status;
}

static enum ecc_status draw_samples(const struct ecc_comparison *c, json_t *out,
                                    const struct ecc_trial *trial, struct ecc_model *m,
                                    const struct ecc_components *components, float *z, float *x,
                                    struct ecc_error *error)
{
    const struct ecc_sampler sampler = ecc_model_sampler(m, components, 1);
    ECC_TRY(ecc_sampler_draw(&sampler, z, 0, SAMPLES, error));
    ECC_TRY(ecc_model_decode(m, x, z, SAMPLES, error));
    return keep_sheet(c, out, "samples", trial->name, m, x, SAMPLES, SAMPLE_COLUMNS, error);
}

static enum ecc_status draw_strips(const struct ecc_comparison *c, json_t *out,
                                   const struct ecc_trial *trial, struct ecc_model *m,
                                   const struct ecc_components *components, float *z, float *x,
                                   struct ecc_error *error)
{
    const size_t rows = m->d < STRIPS ? m->d : STRIPS;
    for (size_t k = 0; k < rows; k++) {
        ecc_walk_strip(components, z + k * STRIP_STEPS * m->d, k, STRIP_STEPS, 2);
    }
    ECC_TRY(ecc_model_decode(m, x, z, rows * STRIP_STEPS, error));
    return keep_sheet(c, out, "strips", trial->name, m, x, rows * STRIP_STEPS, STRIP_STEPS, error);
}

static enum ecc_status draw_images(const struct ecc_comparison *c, json_t *out,
                                   const struct ecc_trial *trial, struct ecc_model *m,
                                   const struct ecc_components *components, struct ecc_error *error)
{
    enum { MOST = STRIPS * STRIP_STEPS > SAMPLES ? STRIPS * STRIP_STEPS : SAMPLES };
    float *const z = malloc(MOST * m->d * sizeof *z), *const x = malloc(MOST * m->size * sizeof *x);
    enum ecc_status status = z && x ? ECC_OK : ecc_fail_memory(error, "the pictures");
    if (status == ECC_OK) status = draw_samples(c, out, trial, m, components, z, x, error);
    if (status == ECC_OK) status = draw_strips(c, out, trial, m, components, z, x, error);
    free(z);
    free(x);
    return status;
}

/* What the first components do to the columns of a table, in words. */
static enum ecc_status say_meaning(json_t *out, struct ecc_model *m,
                                   const struct ecc_components *components, struct ecc_error *error)
{
    static const size_t first[STRIPS] = {0, 1, 2, 3, 4, 5, 6, 7};
    const struct ecc_meaning_options options = {first, m->d < STRIPS ? m->d : STRIPS, 1};
    struct ecc_meaning meaning;
    json_t *const words = json_array();
    json_object_set_new(out, "words", words);
    const enum ecc_status status = ecc_model_meaning(&meaning, m, components, &options, error);
    for (size_t k = 0; status == ECC_OK && k < meaning.count; k++) {
        char text[600];
        ecc_meaning_words(text, sizeof text, &meaning, k, WORDS);
        json_array_append_new(words, ecc_json_any(text));
    }
    ecc_meaning_release(&meaning);
    return status;
}

static enum ecc_status measure_shape(const struct ecc_comparison *c, json_t *out,
                                     struct ecc_model *const *models,
                                     const struct ecc_trial *const *of, struct ecc_error *error)
{
    struct ecc_model *const m = models[0];
    struct ecc_components components = {0};
    const size_t channels = c->subject.channels;
    enum ecc_status status = ecc_model_components(m, &components, NULL, c->options->watch, error);
    json_object_set_new(out, "files", json_object());
    if (status == ECC_OK) {
        ecc_json_number(out, "eccentricity", components.eccentricity);
        ecc_json_number(out, "trace", components.trace);
        ecc_json_number(out, "rank", components.effective_rank);
        ecc_json_numbers(out, "eigenvalues", components.eigenvalues, components.d);
    }
    if (status == ECC_OK && c->subject.is_table) {
        status = say_meaning(out, m, &components, error);
    } else if (status == ECC_OK && (channels == 1 || channels == 3)) {
        status = draw_images(c, out, of[0], m, &components, error);
    }
    ecc_components_release(&components);
    return status;
}

const struct ecc_trial_step ecc_step_shape = {"shape", measure_shape};
