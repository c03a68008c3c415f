/* store.c: what is in the directory already: measurements, finished and begun trainings. */
#include "reproduce/store.h"
#include "base/text.h"
#include "reproduce/section.h"
#include "run/json.h"
#include "run/run.h"
#include "run/settings.h"
#include "score/inception.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *ecc_store_path(char out[ECC_STORE_PATH], const struct ecc_repro *r, const char *folder,
                           const char *name, const char *ending)
{
    snprintf(out, ECC_STORE_PATH, "%s/%s%s%s%s", r->options->out, folder, *folder ? "/" : "", name,
             ending);
    return out;
}

enum ecc_status ecc_store_open(int *lock, const struct ecc_repro *r, struct ecc_error *error)
{
    static const char *const folders[] = {"figures", "runs", "steps", NULL};
    return ecc_workroom_open(lock, r->options->out, folders, error);
}

static bool file_exists(const struct ecc_repro *r, const char *folder, const char *name,
                        const char *ending)
{
    return access(ECC_IN_STORE(r, folder, name, ending), F_OK) == 0;
}

static json_t *load(const struct ecc_repro *r, const char *folder, const char *name,
                    const char *ending)
{
    return ecc_json_load(ECC_IN_STORE(r, folder, name, ending));
}

/* ---- Measurements --------------------------------------------------------------------------- */

/* Changes when the command, the program or the weights that it is about change. */
static json_t *make_stamp(const struct ecc_repro *r, const struct ecc_task *task)
{
    json_t *const stamp = json_array();
    json_array_append_new(stamp, json_string(ECC_VERSION));
    json_array_append_new(stamp, ecc_json_any(task->command));
    for (size_t i = 0; i < task->step.runs.count; i++) {
        json_array_append_new(stamp, json_integer(r->tasks[task->step.runs.runs[i]].weights));
    }
    return stamp;
}

/* Which weights of Inception a score is by: their size and time.  NULL for other measurements, and
 * where there are none. */
static json_t *find_judge(const struct ecc_task *task)
{
    char *path = NULL;
    struct ecc_error ignored;
    struct stat file;
    json_t *judge = NULL;
    if (!task->step.inception || ecc_inception_weights_find(&path, &ignored) != ECC_OK) return NULL;
    if (stat(path, &file) == 0) {
        judge = json_pack("[I,I,I]", (json_int_t)file.st_size, (json_int_t)file.st_mtim.tv_sec,
                          (json_int_t)file.st_mtim.tv_nsec);
    }
    free(path);
    return judge;
}

static bool files_are_there(const struct ecc_repro *r, const json_t *result)
{
    const json_t *const files = json_object_get(result, "files");
    for (size_t i = 0; i < json_array_size(files); i++) {
        const char *const file = json_string_value(json_array_get(files, i));
        if (!file || !file_exists(r, "", file, "")) return false;
    }
    return true;
}

/* A score stays when its judge is no longer there, or was not noted. */
static bool is_right(const struct ecc_repro *r, const struct ecc_task *task, const json_t *stored)
{
    json_t *const stamp = make_stamp(r, task), *const judge = find_judge(task);
    const json_t *const old = json_object_get(stored, "judge");
    const bool right = json_equal(json_object_get(stored, "stamp"), stamp) &&
                       (!old || !judge || json_equal(old, judge)) &&
                       json_is_object(json_object_get(stored, "result")) &&
                       files_are_there(r, json_object_get(stored, "result"));
    json_decref(stamp);
    json_decref(judge);
    return right;
}

static void look_for_measurement(const struct ecc_repro *r, struct ecc_task *task)
{
    for (size_t i = 0; i < task->step.runs.count; i++) {
        if (r->tasks[task->step.runs.runs[i]].state != ECC_TASK_DONE) return;
    }
    json_t *const stored = load(r, "steps", task->name, ".json");
    if (stored && is_right(r, task, stored)) {
        task->state = ECC_TASK_DONE;
        task->result = json_incref(json_object_get(stored, "result"));
        task->seconds = json_number_value(json_object_get(stored, "seconds"));
    }
    json_decref(stored);
}

enum ecc_status ecc_store_keep(const struct ecc_repro *r, const struct ecc_task *task,
                               struct ecc_error *error)
{
    json_t *const json = json_object(), *const judge = find_judge(task);
    json_object_set_new(json, "command", ecc_plan_command(task));
    json_object_set_new(json, "stamp", make_stamp(r, task));
    if (judge) json_object_set_new(json, "judge", judge);
    json_object_set_new(json, "seconds", json_real(task->seconds));
    json_object_set(json, "result", task->result);
    const enum ecc_status status =
        ecc_workroom_write_json(json, 17, ECC_IN_STORE(r, "steps", task->name, ".json"), error);
    json_decref(json);
    return status;
}

/* ---- Trainings ------------------------------------------------------------------------------ */

/* Whether a run was trained on data that is called otherwise.  A directory may have any name, so
 * only those that stand for a known set tell. */
static bool is_other_data(const char *source, const char *name)
{
    static const char *const known[] = {"mnist", "celeba", "glyphs"};
    const char *const last = ecc_short_name(source);
    const size_t length = strcspn(last, "/:");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i]) != length || strncmp(last, known[i], length) != 0) continue;
        return strcmp(known[i], name) != 0;
    }
    return false;
}

static bool differ(double a, double b)
{
    return fabs(a - b) > 1e-9 * fabs(b);
}

/* A run of this name that was made with other settings would spoil every table it is in; with
 * another's seed it would be the same run twice. */
static enum ecc_status check_settings(const struct ecc_repro *r, const struct ecc_task *task,
                                      const struct ecc_train_options *o, struct ecc_error *error)
{
    const struct ecc_variant *const v = &task->variant;
    const char *wrong = NULL;
    if (strcmp(o->regularizer, v->regularizer) != 0) {
        wrong = "another regularizer";
    } else if (o->latent != v->latent) {
        wrong = "another latent size";
    } else if (strcmp(o->regularizer, "none") != 0 && differ(o->lambda, v->lambda)) {
        wrong = "another lambda";
    } else if (strcmp(o->regularizer, "eccentric") == 0 && differ(o->mu, v->mu)) {
        wrong = "another mu";
    } else if (o->seed != v->seed) {
        wrong = "another seed";
    } else if (o->data && is_other_data(o->data, r->data[v->set].name)) {
        wrong = "other data";
    }
    if (!wrong) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "runs/%s is not what its name says: it has %s; move it away", task->name,
                    wrong);
}

/* Its settings are then its own, so that what is told of it is true whoever trained it. */
static enum ecc_status take_settings(const struct ecc_repro *r, struct ecc_task *task,
                                     struct ecc_error *error)
{
    struct ecc_train_options options;
    const struct ecc_config config = {.root = task->config, .path = task->name};
    ECC_TRY(ecc_settings_restore(&options, &config, error));
    ECC_TRY(check_settings(r, task, &options, error));
    if (!options.data) options.data = task->options.data;
    task->options = options;
    return ECC_OK;
}

enum ecc_status ecc_store_take(const struct ecc_repro *r, struct ecc_task *task,
                               struct ecc_error *error)
{
    json_decref(task->config);
    task->config = load(r, "runs", task->name, "/" ECC_RUN_CONFIG);
    json_t *const result = load(r, "runs", task->name, "/" ECC_RUN_RESULT);
    const enum ecc_status status =
        task->config && result
            ? take_settings(r, task, error)
            : ecc_fail(error, ECC_BAD_DATA, "runs/%s cannot be read", task->name);
    if (status != ECC_OK) {
        json_decref(result);
        return status;
    }
    task->state = ECC_TASK_DONE;
    task->result = result;
    /* 0 where it cannot be read, which measuring will tell */
    task->weights = ecc_workroom_sum(ECC_IN_STORE(r, "runs", task->name, "/" ECC_RUN_MODEL));
    task->seconds = json_number_value(json_object_get(result, "seconds"));
    return ECC_OK;
}

enum ecc_status ecc_store_look(struct ecc_repro *r, struct ecc_error *error)
{
    for (size_t i = 0; i < r->count; i++) {
        struct ecc_task *const task = &r->tasks[i];
        if (task->step.measure) {
            look_for_measurement(r, task);
        } else if (file_exists(r, "runs", task->name, "/" ECC_RUN_RESULT)) {
            ECC_TRY(ecc_store_take(r, task, error));
        } else {
            task->resumes = file_exists(r, "runs", task->name, "/" ECC_RUN_CONFIG);
        }
    }
    return ECC_OK;
}
