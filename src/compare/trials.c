/* trials.c: trainings and measurements of a comparison, named by their settings and found again. */
#include "compare/trials.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/watch.h"
#include "run/json.h"
#include "run/run.h"
#include "run/settings.h"
#include "work/sayings.h"
#include "work/watched_training.h"
#include "work/workroom.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *ecc_trial_path(char out[ECC_TRIAL_PATH], const struct ecc_comparison *c,
                           const char *folder, const char *name, const char *ending)
{
    snprintf(out, ECC_TRIAL_PATH, "%s/%s%s%s%s", c->options->out, folder, *folder ? "/" : "", name,
             ending);
    return out;
}

/* ---- Names ---------------------------------------------------------------------------------- */

struct ecc_train_options ecc_trial_options(const struct ecc_comparison *c,
                                           const struct ecc_rival *rival, size_t latent,
                                           double lambda, double epochs, uint64_t seed)
{
    struct ecc_train_options o = c->options->train;
    o.data = c->subject.data;
    o.regularizer = rival->text;
    o.lambda = lambda;
    o.latent = latent;
    o.epochs = epochs;
    o.minutes = 0;
    o.seed = seed;
    /* the same number of steps for all, and validation items that nobody trained on */
    o.keep = ECC_KEEP_BEST;
    o.patience = 0;
    return o;
}

/* Letters that every file system takes. */
static void plain(char *text)
{
    for (; *text; text++) {
        if (*text == ':' || *text == '=' || *text == '/' || *text == ',') *text = '-';
    }
}

static uint64_t hash_settings(const struct ecc_train_options *options)
{
    struct ecc_train_options o = *options;
    char *text = NULL;
    size_t size;
    FILE *const out = open_memstream(&text, &size);
    if (!out) return 0;
    o.threads = 0; /* does not change what is trained */
    ecc_settings_command(out, &o, "");
    fclose(out);
    const uint64_t hash = text ? ecc_hash_of(text, size) : 0;
    free(text);
    return hash;
}

void ecc_trial_name(char out[ECC_TRIAL_NAME], const struct ecc_train_options *o)
{
    struct ecc_regularizer_choice choice;
    char method[ECC_RIVAL_TEXT], lambda[40] = "";
    snprintf(method, sizeof method, "%.60s", o->regularizer);
    plain(method);
    if (ecc_regularizer_read(&choice, o->regularizer, NULL) == ECC_OK && !choice.entry->no_lambda) {
        snprintf(lambda, sizeof lambda, "-lambda%g", o->lambda);
    }
    snprintf(out, ECC_TRIAL_NAME, "%s-d%zu%s-epochs%g-seed%zu-%08x", method, o->latent, lambda,
             o->epochs, (size_t)o->seed, (unsigned)(hash_settings(o) & 0xffffffff));
}

/* ---- Trainings ------------------------------------------------------------------------------ */

/* Whether it is finished; takes its result. */
static bool find_result(const struct ecc_comparison *c, struct ecc_trial *trial)
{
    json_decref(trial->result);
    trial->result = ecc_json_load(ECC_IN_TRIALS(c, "runs", trial->name, "/" ECC_RUN_RESULT));
    if (!trial->result) return false;
    trial->weights = ecc_workroom_sum(ECC_IN_TRIALS(c, "runs", trial->name, "/" ECC_RUN_MODEL));
    return true;
}

void ecc_trial_init(struct ecc_trial *trial, const struct ecc_comparison *c,
                    struct ecc_train_options options)
{
    json_decref(trial->result);
    *trial = (struct ecc_trial){.options = options};
    ecc_trial_name(trial->name, &options);
    find_result(c, trial);
}

void ecc_trial_release(struct ecc_trial *trial)
{
    json_decref(trial->result);
    trial->result = NULL;
}

static void tell(const struct ecc_comparison *c, const struct ecc_trial *trial, double seconds)
{
    char time[32];
    if (trial->failure[0]) {
        ecc_watch_remark(c->options->watch, "      failed: %s", trial->failure);
    } else {
        ecc_watch_remark(c->options->watch, "      done in %s, error %.4f, eccentricity %.3f",
                         ecc_duration(time, seconds), ecc_get_number(trial->result, "error"),
                         ecc_get_number(trial->result, "eccentricity"));
    }
}

enum ecc_status ecc_trial_train(struct ecc_comparison *c, struct ecc_trial *trial,
                                struct ecc_error *error)
{
    const char *const run = ECC_IN_TRIALS(c, "runs", trial->name, "");
    const struct ecc_work work = {"compare", "trainings", c->done, c->total, NULL};
    struct ecc_error why = {0};
    c->done++;
    if (trial->result || c->options->report_only) return ECC_OK;
    ECC_TRY(ecc_watch_work(c->options->watch, &work, error));
    const bool resumes =
        access(ECC_IN_TRIALS(c, "runs", trial->name, "/" ECC_RUN_CONFIG), F_OK) == 0;
    const double start = ecc_seconds();
    ecc_watch_remark(c->options->watch, "%zu/%zu  %s%s", c->done, c->total, trial->name,
                     resumes ? " (continued)" : "");
    const enum ecc_status status =
        ecc_train_watched(run, &trial->options, resumes, c->options->watch, &why);
    if (status == ECC_INTERRUPTED) return ecc_fail(error, status, "%s", why.text);
    if (status != ECC_OK) {
        snprintf(trial->failure, sizeof trial->failure, "%.290s", why.text);
    } else if (!find_result(c, trial)) {
        snprintf(trial->failure, sizeof trial->failure, "its result cannot be read");
    }
    tell(c, trial, ecc_seconds() - start);
    return ECC_OK;
}

/* ---- Measurements --------------------------------------------------------------------------- */

/* Changes when the program or the weights that it is about change. */
static json_t *make_stamp(const struct ecc_trial *const *of, size_t count)
{
    json_t *const stamp = json_array();
    json_array_append_new(stamp, json_string(ECC_VERSION));
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(stamp, json_integer(of[i]->weights));
    }
    return stamp;
}

static bool files_are_there(const struct ecc_comparison *c, const json_t *result)
{
    const char *key;
    json_t *file;
    json_object_foreach(json_object_get(result, "files"), key, file)
    {
        const char *const name = json_string_value(file);
        if (!name || access(ECC_IN_TRIALS(c, "", name, ""), F_OK) != 0) return false;
    }
    return true;
}

/* A new reference to what was measured before, or NULL. */
static json_t *find_measured(const struct ecc_comparison *c, const json_t *stamp, const char *path)
{
    json_t *const stored = ecc_json_load(path);
    json_t *const result = json_object_get(stored, "result");
    const bool right = json_equal(json_object_get(stored, "stamp"), stamp) &&
                       json_is_object(result) && files_are_there(c, result);
    json_t *const found = right ? json_incref(result) : NULL;
    json_decref(stored);
    return found;
}

static enum ecc_status measure(const struct ecc_comparison *c, json_t *out,
                               const struct ecc_trial *const *of, size_t count,
                               const struct ecc_trial_step *step, struct ecc_error *error)
{
    struct ecc_model *models[2] = {NULL, NULL};
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; status == ECC_OK && i < count && i < 2; i++) {
        status = ecc_model_open(&models[i], ECC_IN_TRIALS(c, "runs", of[i]->name, ""), NULL, error);
    }
    if (status == ECC_OK) status = step->measure(c, out, models, of, error);
    for (size_t i = 0; i < 2; i++) ecc_model_close(models[i]);
    return status;
}

static enum ecc_status keep(const json_t *result, json_t *stamp, const char *path,
                            struct ecc_error *error)
{
    json_t *const json = json_object();
    json_object_set(json, "stamp", stamp);
    json_object_set(json, "result", (json_t *)result);
    const enum ecc_status status = ecc_workroom_write_json(json, 17, path, error);
    json_decref(json);
    return status;
}

enum ecc_status ecc_trial_measure(const struct ecc_comparison *c, json_t **json,
                                  const struct ecc_trial *const *of, size_t count,
                                  const struct ecc_trial_step *step, struct ecc_error *error)
{
    char name[ECC_TRIAL_NAME + 40];
    snprintf(name, sizeof name, "%s-%s", step->what, of[0]->name);
    const char *const path = ECC_IN_TRIALS(c, "steps", name, ".json");
    json_t *const stamp = make_stamp(of, count);
    struct ecc_error why = {0};
    *json = find_measured(c, stamp, path);
    enum ecc_status status = ECC_OK;
    if (!*json && !c->options->report_only) {
        *json = json_object();
        status = measure(c, *json, of, count, step, &why);
        if (status == ECC_OK) status = keep(*json, stamp, path, &why);
        if (status != ECC_OK) {
            json_decref(*json);
            *json = json_object();
            ecc_json_text(*json, "failure", why.text);
        }
    }
    json_decref(stamp);
    return status == ECC_INTERRUPTED ? ecc_fail(error, status, "%s", why.text) : ECC_OK;
}
