/* contest.c: the comparison from beginning to end: data, time, sweeps, trainings, measurements. */
#include "base/file.h"
#include "base/text.h"
#include "base/watch.h"
#include "compare/trials.h"
#include "data/dataset.h"
#include "run/json.h"
#include "run/settings.h"
#include "work/sayings.h"
#include "work/workroom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the time there is, for trainings; the rest is for measurements. */
static const double training_share = 0.85;

struct ecc_compare_options ecc_compare_defaults(void)
{
    return (struct ecc_compare_options){
        .methods = "all", .train = ecc_train_defaults(), .seeds = 2, .lambdas = 5};
}

enum ecc_status ecc_compare_check(const char *methods, struct ecc_error *error)
{
    struct ecc_rivals rivals;
    return ecc_rivals_read(&rivals, methods, error);
}

/* ---- Data ----------------------------------------------------------------------------------- */

static void look_at(struct ecc_subject *s, const struct ecc_dataset *data)
{
    s->items = data->count;
    s->is_table = data->is_table;
    s->channels = data->shape.channels;
    s->height = data->shape.height;
    s->width = data->shape.width;
    s->labelled = (data->labels && data->class_count > 1) || data->attribute_count > 0;
    if (data->number_count > 0) snprintf(s->number, sizeof s->number, "%s", data->number_names[0]);
}

static enum ecc_status find_data(struct ecc_comparison *c, struct ecc_error *error)
{
    struct ecc_subject *const s = &c->subject;
    const struct ecc_data_options options = ecc_settings_data(&c->options->train);
    struct ecc_dataset *data;
    enum ecc_split split;
    if (ecc_data_names_part(c->options->train.data, &split)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the data names a part: expected all of it, since methods are trained on "
                        "its training part and measured on its test part");
    }
    s->data = ecc_data_absolute(c->options->train.data);
    s->test = s->data ? ecc_data_part_name(s->data, "test") : NULL;
    if (!s->test) return ecc_fail_memory(error, "a name");
    ECC_TRY(ecc_dataset_open(&data, s->data, &options, error));
    look_at(s, data);
    ecc_dataset_tell(data, c->options->watch);
    const size_t size = ecc_shape_size(data->shape);
    ecc_dataset_close(data);
    for (size_t i = 0; i < c->options->latent_count; i++) {
        if (c->options->latents[i] <= size) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%zu latent dimensions, but an item has only %zu numbers: expected fewer",
                        c->options->latents[i], size);
    }
    return ECC_OK;
}

/* ---- Time ----------------------------------------------------------------------------------- */

/* Seconds of an epoch of each entrant. */
static enum ecc_status time_entrants(struct ecc_comparison *c, double *seconds,
                                     struct ecc_error *error)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct ecc_entrant *const e = &c->entrants[i];
        const struct ecc_train_options o =
            ecc_trial_options(c, e->rival, e->latent, e->rival->lambda, 1, 1);
        const struct ecc_work work = {"speed", "methods", i, c->count, NULL};
        struct ecc_train_estimate estimate;
        struct ecc_error ignored; /* what is wrong is told when the training itself is done */
        ECC_TRY(ecc_watch_work(c->options->watch, &work, error));
        seconds[i] = ecc_train_estimate(&estimate, &o, &ignored) == ECC_OK
                         ? estimate.seconds / fmax(1e-9, estimate.epochs)
                         : 0;
    }
    return ECC_OK;
}

/* What all trainings share, as a key: the same data, net, batch, ... */
static void name_budget(char out[ECC_TRIAL_NAME], const struct ecc_comparison *c)
{
    const struct ecc_rival nobody = {.text = "none"};
    const struct ecc_train_options o = ecc_trial_options(c, &nobody, 1, 0, 1, 1);
    ecc_trial_name(out, &o);
}

/* A directory keeps to one number of epochs, so that methods added later can stand in one table. */
static enum ecc_status note_budget(const struct ecc_comparison *c, struct ecc_error *error)
{
    char key[ECC_TRIAL_NAME];
    name_budget(key, c);
    const char *const path = ECC_IN_TRIALS(c, "steps", "budget", ".json");
    json_t *const stored = ecc_json_load(path);
    json_t *const budgets = json_is_object(stored) ? json_incref(stored) : json_object();
    json_object_set_new(budgets, key, json_real(c->epochs));
    const enum ecc_status status = ecc_workroom_write_json(budgets, 17, path, error);
    json_decref(stored);
    json_decref(budgets);
    return status;
}

static enum ecc_status share_time(struct ecc_comparison *c, struct ecc_error *error)
{
    double *const seconds = calloc(c->count + 1, sizeof *seconds);
    size_t *const shorts = calloc(c->count + 1, sizeof *shorts);
    enum ecc_status status =
        seconds && shorts ? time_entrants(c, seconds, error) : ecc_fail_memory(error, "the times");
    for (size_t i = 0; status == ECC_OK && i < c->count; i++) {
        const size_t lambdas = c->entrants[i].lambda_count;
        shorts[i] = lambdas > 1 ? lambdas : 0;
    }
    if (status == ECC_OK && !(c->epochs > 0)) {
        c->epochs = ecc_rival_epochs(seconds, shorts, c->count, c->options->seeds,
                                     training_share * 60 * c->options->minutes);
    }
    for (size_t i = 0; status == ECC_OK && i < c->count; i++) {
        c->guess += seconds[i] * c->epochs *
                    ((double)c->options->seeds + ecc_sweep_share * (double)shorts[i]);
    }
    free(seconds);
    free(shorts);
    return status;
}

/* Epochs of what is there already; 0: nothing is. */
static double epochs_before(const struct ecc_comparison *c)
{
    char key[ECC_TRIAL_NAME];
    name_budget(key, c);
    json_t *const stored = ecc_json_load(ECC_IN_TRIALS(c, "steps", "budget", ".json"));
    const double before = ecc_get_number(stored, key);
    json_decref(stored);
    return before > 0 ? before : 0;
}

static enum ecc_status find_epochs(struct ecc_comparison *c, struct ecc_error *error)
{
    const double before = epochs_before(c);
    c->epochs = c->options->epochs > 0 ? c->options->epochs : before;
    if (c->options->report_only) return ECC_OK;
    if (!(c->options->epochs > 0) && before > 0) {
        ecc_watch_remark(c->options->watch,
                         "%g epochs for each training, as for those that are already there",
                         before);
    }
    ECC_TRY(share_time(c, error));
    return c->options->plan_only ? ECC_OK : note_budget(c, error);
}

/* ---- Entrants ------------------------------------------------------------------------------- */

static double sweep_epochs(const struct ecc_comparison *c)
{
    return fmin(c->epochs, fmax(1, ecc_sweep_share * c->epochs));
}

static void choose(struct ecc_entrant *e, struct ecc_comparison *c)
{
    e->chosen = e->lambda_count == 1
                    ? 0
                    : ecc_rival_choose(e->scores, e->lambdas, e->lambda_count, e->rival->lambda);
    if (e->chosen == e->lambda_count) return;
    for (size_t i = 0; i < c->options->seeds; i++) {
        ecc_trial_init(&e->trials[i], c,
                       ecc_trial_options(c, e->rival, e->latent, e->lambdas[e->chosen], c->epochs,
                                         c->options->train.seed + i));
    }
}

/* Trains with each lambda for a short time, and chooses one. */
static enum ecc_status sweep(struct ecc_comparison *c, struct ecc_entrant *e,
                             struct ecc_error *error)
{
    const struct ecc_trial_step *const step =
        c->subject.labelled ? &ecc_step_choice_classes : &ecc_step_choice_samples;
    for (size_t i = 0; e->lambda_count > 1 && i < e->lambda_count; i++) {
        const struct ecc_trial *const of = &e->sweep[i];
        json_t *found = NULL;
        e->scores[i] = NAN;
        ECC_TRY(ecc_trial_train(c, &e->sweep[i], error));
        if (!of->result) continue;
        const enum ecc_status status = ecc_trial_measure(c, &found, &of, 1, step, error);
        e->scores[i] = ecc_get_number(found, "score");
        if (json_object_get(found, "failure")) {
            snprintf(e->sweep[i].failure, sizeof e->sweep[i].failure, "%.290s",
                     ecc_get_text(found, "failure"));
        }
        json_decref(found);
        ECC_TRY(status);
    }
    choose(e, c);
    return ECC_OK;
}

/* What the table has of one training. */
static enum ecc_status judge(struct ecc_comparison *c, struct ecc_entrant *e, size_t seed,
                             struct ecc_error *error)
{
    const struct ecc_trial *const of = &e->trials[seed];
    json_t *const all = json_object();
    json_t *part = NULL;
    enum ecc_status status = ECC_OK;
    json_decref(e->measures[seed]);
    e->measures[seed] = all;
    if (c->subject.labelled || c->subject.number[0]) {
        status = ecc_trial_measure(c, &part, &of, 1, &ecc_step_classes, error);
        json_object_set_new(all, "classes", part);
    }
    if (status == ECC_OK) {
        status = ecc_trial_measure(c, &part, &of, 1, &ecc_step_frechet, error);
        json_object_set_new(all, "frechet", part);
    }
    if (status == ECC_OK) {
        status = ecc_trial_measure(c, &part, &of, 1, &ecc_step_shape, error);
        json_object_set_new(all, "shape", part);
    }
    if (status == ECC_OK && e->rival->entry->codes) {
        status = ecc_trial_measure(c, &part, &of, 1, &ecc_step_codes, error);
        json_object_set_new(all, "codes", part);
    }
    return status;
}

static enum ecc_status compete(struct ecc_comparison *c, struct ecc_entrant *e,
                               struct ecc_error *error)
{
    for (size_t i = 0; i < c->options->seeds; i++) {
        if (e->chosen == e->lambda_count) return ECC_OK;
        ECC_TRY(ecc_trial_train(c, &e->trials[i], error));
        if (e->trials[i].result) ECC_TRY(judge(c, e, i, error));
    }
    const struct ecc_trial *const both[] = {&e->trials[0], &e->trials[1]};
    if (!e->trials[0].result) return ECC_OK;
    if (c->options->seeds > 1 && e->trials[1].result && !e->pair) {
        ECC_TRY(ecc_trial_measure(c, &e->pair, both, 2, &ecc_step_pair, error));
    }
    const bool first = (size_t)(e - c->entrants) % c->rivals.count == 0;
    if (!first || !(c->subject.labelled || c->subject.number[0])) return ECC_OK;
    return ecc_trial_measure(c, &e->baselines, both, 1, &ecc_step_baselines, error);
}

static void release(struct ecc_comparison *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct ecc_entrant *const e = &c->entrants[i];
        for (size_t k = 0; k < ECC_LAMBDAS; k++) ecc_trial_release(&e->sweep[k]);
        for (size_t k = 0; k < ECC_SEEDS; k++) {
            ecc_trial_release(&e->trials[k]);
            json_decref(e->measures[k]);
        }
        json_decref(e->pair);
        json_decref(e->baselines);
    }
    free(c->entrants);
    free(c->subject.data);
    free(c->subject.test);
}

static enum ecc_status plan_entrants(struct ecc_comparison *c, struct ecc_error *error)
{
    const size_t latents = c->options->latent_count;
    c->entrants = calloc(latents * c->rivals.count + 1, sizeof *c->entrants);
    if (!c->entrants) return ecc_fail_memory(error, "the methods");
    for (size_t l = 0; l < latents; l++) {
        for (size_t r = 0; r < c->rivals.count; r++) {
            struct ecc_entrant *const e = &c->entrants[c->count++];
            e->rival = &c->rivals.list[r];
            e->latent = c->options->latents[l];
            e->lambda_count = ecc_rival_lambdas(e->lambdas, e->rival, c->options->lambdas);
            e->chosen = e->lambda_count;
        }
    }
    return ECC_OK;
}

/* Names the short trainings, and counts all. */
static void plan_trials(struct ecc_comparison *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct ecc_entrant *const e = &c->entrants[i];
        for (size_t k = 0; e->lambda_count > 1 && k < e->lambda_count; k++) {
            ecc_trial_init(&e->sweep[k], c,
                           ecc_trial_options(c, e->rival, e->latent, e->lambdas[k], sweep_epochs(c),
                                             c->options->train.seed));
        }
        c->total += c->options->seeds + (e->lambda_count > 1 ? e->lambda_count : 0);
    }
}

/* ---- Results -------------------------------------------------------------------------------- */

typedef enum ecc_status writer(FILE *out, const json_t *results, const struct ecc_comparison *c,
                               struct ecc_error *error);

static enum ecc_status write_file(const struct ecc_comparison *c, const json_t *results,
                                  const char *name, writer *write, struct ecc_error *error)
{
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, ECC_IN_TRIALS(c, "", name, ""), error));
    const enum ecc_status status = write(output.stream, results, c, error);
    if (status == ECC_OK) return ecc_output_commit(&output, error);
    ecc_output_discard(&output);
    return status;
}

static enum ecc_status write_results(const struct ecc_comparison *c, json_t **results,
                                     struct ecc_error *error)
{
    json_decref(*results);
    *results = ecc_compare_outcome(c);
    ECC_TRY(ecc_workroom_write_json(*results, ECC_RESULTS_DIGITS,
                                    ECC_IN_TRIALS(c, "", "results", ".json"), error));
    ECC_TRY(write_file(c, *results, "compare.md", ecc_compare_markdown, error));
    ECC_TRY(write_file(c, *results, "compare.csv", ecc_compare_csv, error));
    return write_file(c, *results, "compare.html", ecc_compare_html, error);
}

/* ---- All ------------------------------------------------------------------------------------ */

static enum ecc_status first_failure(const struct ecc_comparison *c, struct ecc_error *error)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct ecc_entrant *const e = &c->entrants[i];
        for (size_t k = 0; k < ECC_SEEDS; k++) {
            if (!e->trials[k].failure[0]) continue;
            return ecc_fail(error, ECC_BAD_DATA, "%s failed: %.250s", e->trials[k].name,
                            e->trials[k].failure);
        }
        if (e->chosen < e->lambda_count || c->options->report_only) continue;
        return ecc_fail(error, ECC_BAD_DATA, "no lambda of %s could be chosen: %.250s",
                        e->rival->text, e->sweep[0].failure);
    }
    return ECC_OK;
}

/* The page is written after each method, so that there is something to see. */
static enum ecc_status do_all(struct ecc_comparison *c, json_t **results, struct ecc_error *error)
{
    for (size_t i = 0; i < c->count; i++) {
        ECC_TRY(sweep(c, &c->entrants[i], error));
        ECC_TRY(compete(c, &c->entrants[i], error));
        if (!c->options->report_only) ECC_TRY(write_results(c, results, error));
    }
    return first_failure(c, error);
}

static enum ecc_status contest(struct ecc_comparison *c, json_t **results, struct ecc_error *error)
{
    char time[32];
    struct ecc_error why = {0};
    ECC_TRY(find_epochs(c, error));
    plan_trials(c);
    if (!c->options->report_only) {
        ecc_watch_remark(c->options->watch,
                         "%zu trainings of %g epochs, and %zu short ones of %g to choose lambda; "
                         "about %s without what is already there",
                         c->count * c->options->seeds, c->epochs,
                         c->total - c->count * c->options->seeds, sweep_epochs(c),
                         ecc_duration(time, c->guess / training_share));
    }
    if (c->options->plan_only) return ECC_OK;
    const enum ecc_status outcome = do_all(c, results, &why);
    ECC_TRY(write_results(c, results, error));
    if (outcome == ECC_OK) return ECC_OK;
    return ecc_fail(error, outcome, "%s",
                    outcome == ECC_INTERRUPTED ? ECC_INTERRUPTED_TEXT : why.text);
}

static enum ecc_status start(struct ecc_comparison *c, json_t **results, struct ecc_error *error)
{
    static const char *const folders[] = {"figures", "runs", "steps", NULL};
    int lock = -1;
    if (strlen(c->options->out) > ECC_TRIAL_PATH - 2 * ECC_TRIAL_NAME - 100) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the name of the directory is too long");
    }
    ECC_TRY(ecc_rivals_read(&c->rivals, c->options->methods, error));
    ECC_TRY(find_data(c, error));
    ECC_TRY(plan_entrants(c, error));
    if (c->options->report_only && epochs_before(c) == 0) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "nothing was compared in this directory with these settings yet");
    }
    /* a plan leaves nothing behind */
    if (!c->options->plan_only) {
        ECC_TRY(ecc_workroom_open(&lock, c->options->out, folders, error));
    }
    const enum ecc_status status = contest(c, results, error);
    if (lock >= 0) close(lock);
    return status;
}

enum ecc_status ecc_compare_methods(json_t **results, const struct ecc_compare_options *options,
                                    struct ecc_error *error)
{
    struct ecc_comparison c = {.options = options};
    *results = NULL;
    if (options->seeds < 1 || options->seeds > ECC_SEEDS) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%zu seeds, expected 1 to %d", options->seeds,
                        ECC_SEEDS);
    }
    const enum ecc_status status = start(&c, results, error);
    release(&c);
    return status;
}

enum ecc_status ecc_compare(char **results, const struct ecc_compare_options *options,
                            struct ecc_error *error)
{
    json_t *json;
    const enum ecc_status status = ecc_compare_methods(&json, options, error);
    return ecc_workroom_text(results, json, status, error);
}
