/* store.c: what is in the directory already: results of steps, finished and begun trainings. */
#include "reproduce/store.h"
#include "base/file.h"
#include "base/text.h"
#include "run/run.h"
#include "score/inception.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const folders[] = {"figures", "runs", "steps", "logs", "work"};

char *ecc_store_path(const struct ecc_repro *r, const char *folder, const char *name,
                     const char *ending)
{
    char file[ECC_TASK_NAME + 64];
    snprintf(file, sizeof file, "%s%s%s%s", folder, *folder ? "/" : "", name, ending);
    return ecc_path_join(r->options->out, file);
}

enum ecc_status ecc_store_prepare(const struct ecc_repro *r, struct ecc_error *error)
{
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char *const path = ecc_store_path(r, "", folders[i], "");
        if (!path) return ecc_fail_memory(error, "a path");
        const enum ecc_status status = ecc_make_directory(path, error);
        free(path);
        ECC_TRY(status);
    }
    return ECC_OK;
}

enum ecc_status ecc_store_lock(int *lock, const struct ecc_repro *r, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    *lock = open(r->options->out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0) return ecc_fail_errno(error, "open", r->options->out);
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return ECC_OK;
    close(*lock);
    *lock = -1;
    return ecc_fail(error, ECC_IO, "another process is at work in %s",
                    ecc_quote_path(shown, r->options->out));
}

enum ecc_status ecc_store_write_json(const json_t *json, const char *path, struct ecc_error *error)
{
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, path, error));
    const bool written =
        json_dumpf(json, output.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0 &&
        fputc('\n', output.stream) != EOF;
    if (written) return ecc_output_commit(&output, error);
    ecc_output_discard(&output);
    return ecc_fail(error, ECC_IO, "cannot write %.300s", path);
}

static bool file_exists(const struct ecc_repro *r, const char *folder, const char *name,
                        const char *ending)
{
    char *const path = ecc_store_path(r, folder, name, ending);
    const bool exists = path && access(path, F_OK) == 0;
    free(path);
    return exists;
}

static json_t *load(const struct ecc_repro *r, const char *folder, const char *name,
                    const char *ending)
{
    char *const path = ecc_store_path(r, folder, name, ending);
    json_t *const json = path ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL) : NULL;
    free(path);
    return json;
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* Appends to a text that stays within its size. */
static void append(char *text, size_t size, const char *more)
{
    const size_t used = strlen(text);
    if (used < size) snprintf(text + used, size - used, "%s", more);
}

/* " | 123 bytes of 1700000000.000000000" of a file that is there; else nothing. */
static void stamp_file(char *stamp, size_t size, const char *path)
{
    struct stat information;
    char text[100];
    if (!path || stat(path, &information) != 0) return;
    snprintf(text, sizeof text, " | %lld bytes of %lld.%09ld", (long long)information.st_size,
             (long long)information.st_mtim.tv_sec, information.st_mtim.tv_nsec);
    append(stamp, size, text);
}

/* Changes when the command, the program or the weights that it is about change. */
static void make_stamp(char *stamp, size_t size, const struct ecc_repro *r,
                       const struct ecc_task *task)
{
    snprintf(stamp, size, "%s", ECC_VERSION);
    for (size_t i = 0; i < json_array_size(task->words); i++) {
        append(stamp, size, " ");
        append(stamp, size, json_string_value(json_array_get(task->words, i)));
    }
    for (size_t i = 0; i < task->need_count; i++) {
        const struct ecc_task *const need = &r->tasks[task->needs[i]];
        if (!need->training) continue;
        char *const path = ecc_store_path(r, "runs", need->name, "/" ECC_RUN_MODEL);
        stamp_file(stamp, size, path);
        free(path);
    }
}

enum { JUDGE = 100 };

/* Which weights of Inception a score is by; empty for other commands, and where there are none. */
static void stamp_judge(char judge[JUDGE], const struct ecc_task *task)
{
    bool inception = false;
    char *path = NULL;
    struct ecc_error ignored = {0};
    judge[0] = '\0';
    for (size_t i = 0; i < json_array_size(task->words); i++) {
        const char *const word = json_string_value(json_array_get(task->words, i));
        inception = inception || (word && strcmp(word, "inception") == 0);
    }
    if (!inception || ecc_inception_weights_find(&path, &ignored) != ECC_OK) return;
    stamp_file(judge, JUDGE, path);
    free(path);
}

/* A score stays when its judge is no longer there, or was not noted. */
static bool same_judge(const json_t *stored, const struct ecc_task *task)
{
    char judge[JUDGE];
    const char *const old = json_string_value(json_object_get(stored, "judge"));
    stamp_judge(judge, task);
    return !old || !judge[0] || strcmp(old, judge) == 0;
}

enum { STAMP = 16384 };

static bool needs_are_done(const struct ecc_repro *r, const struct ecc_task *task)
{
    for (size_t i = 0; i < task->need_count; i++) {
        if (r->tasks[task->needs[i]].state != ECC_TASK_DONE) return false;
    }
    return true;
}

static bool files_are_there(const struct ecc_repro *r, const struct ecc_task *task)
{
    for (size_t i = 0; i < json_array_size(task->files); i++) {
        if (!file_exists(r, "", json_string_value(json_array_get(task->files, i)), "")) {
            return false;
        }
    }
    return true;
}

/* Whether its result is there and still right. */
static bool look_for_step(struct ecc_repro *r, struct ecc_task *task)
{
    char stamp[STAMP];
    if (!needs_are_done(r, task) || !files_are_there(r, task)) return false;
    json_t *const stored = load(r, "steps", task->name, ".json");
    const char *const old = json_string_value(json_object_get(stored, "stamp"));
    make_stamp(stamp, sizeof stamp, r, task);
    const bool right = old && strcmp(old, stamp) == 0 && same_judge(stored, task);
    if (right) {
        task->result = json_incref(json_object_get(stored, "result"));
        task->seconds = json_number_value(json_object_get(stored, "seconds"));
    }
    json_decref(stored);
    return right;
}

/* Writes steps/NAME.json. */
static enum ecc_status write_step(const struct ecc_repro *r, const struct ecc_task *task,
                                  double seconds, struct ecc_error *error)
{
    char stamp[STAMP], judge[JUDGE];
    make_stamp(stamp, sizeof stamp, r, task);
    stamp_judge(judge, task);
    json_t *const json = json_object();
    json_object_set_new(json, "command", ecc_store_command(task));
    json_object_set_new(json, "stamp", json_string(stamp));
    if (judge[0]) json_object_set_new(json, "judge", json_string(judge));
    json_object_set_new(json, "seconds", json_real(seconds));
    json_object_set(json, "result", task->result);
    char *const path = ecc_store_path(r, "steps", task->name, ".json");
    const enum ecc_status status =
        path ? ecc_store_write_json(json, path, error) : ecc_fail_memory(error, "a path");
    free(path);
    json_decref(json);
    return status;
}

static enum ecc_status keep_step(const struct ecc_repro *r, struct ecc_task *task,
                                 const char *printed, double seconds, struct ecc_error *error)
{
    json_error_t where;
    task->result = json_load_file(printed, 0, &where);
    if (!task->result) {
        return ecc_fail(error, ECC_BAD_DATA, "what it printed is no JSON: %.100s", where.text);
    }
    const enum ecc_status status =
        files_are_there(r, task)
            ? write_step(r, task, seconds, error)
            : ecc_fail(error, ECC_BAD_DATA, "it did not leave the files it should have");
    if (status == ECC_OK) return ECC_OK;
    json_decref(task->result); /* no report is to use what a failed command printed */
    task->result = NULL;
    return status;
}

/* ---- Trainings ------------------------------------------------------------------------------ */

static const json_t *config_at(const json_t *config, const char *section, const char *key)
{
    return json_object_get(json_object_get(config, section), key);
}

static bool number_is(const json_t *config, const char *section, const char *key, double wanted)
{
    const double value = json_number_value(config_at(config, section, key));
    return fabs(value - wanted) <= 1e-9 * fabs(wanted);
}

/* Whether a run was trained on data that is called otherwise.  A directory may have any name, so
 * only those that stand for a known set tell. */
static bool is_other_data(const json_t *config, const char *name)
{
    static const char *const known[] = {"mnist", "celeba", "glyphs"};
    const char *const source = json_string_value(config_at(config, "data", "source"));
    const char *const last = source ? ecc_short_name(source) : "";
    const size_t length = strcspn(last, "/:");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i]) != length || strncmp(last, known[i], length) != 0) continue;
        return strcmp(known[i], name) != 0;
    }
    return false;
}

/* A run of this name that was made with other settings would spoil every table it is in; with
 * another's seed it would be the same run twice. */
static enum ecc_status check_settings(const struct ecc_repro *r, const struct ecc_task *task,
                                      const json_t *config, struct ecc_error *error)
{
    const struct ecc_setting *const s = &task->setting;
    const char *const regularizer = json_string_value(config_at(config, "regularizer", "name"));
    const char *wrong = NULL;
    if (!regularizer || strcmp(regularizer, s->regularizer) != 0) {
        wrong = "its regularizer";
    } else if (!number_is(config, "net", "latent", (double)s->latent)) {
        wrong = "its latent size";
    } else if (strcmp(regularizer, "none") != 0 &&
               !number_is(config, "regularizer", "lambda", s->lambda)) {
        wrong = "its lambda";
    } else if (strcmp(regularizer, "eccentric") == 0 &&
               !number_is(config, "regularizer", "mu", s->mu)) {
        wrong = "its mu";
    } else if (!number_is(config, "train", "seed", (double)s->seed)) {
        wrong = "its seed";
    } else if (is_other_data(config, r->data[s->set].name)) {
        wrong = "its data";
    }
    if (!wrong) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "runs/%s is not what its name says: %s is another; move it away", task->name,
                    wrong);
}

static enum ecc_status take_training(struct ecc_repro *r, struct ecc_task *task,
                                     struct ecc_error *error)
{
    json_t *const config = load(r, "runs", task->name, "/" ECC_RUN_CONFIG);
    json_t *const result = load(r, "runs", task->name, "/result.json");
    enum ecc_status status =
        config && result ? check_settings(r, task, config, error)
                         : ecc_fail(error, ECC_BAD_DATA, "runs/%s cannot be read", task->name);
    if (status == ECC_OK) {
        task->result = json_object();
        json_object_set(task->result, "config", config);
        json_object_set(task->result, "result", result);
        task->seconds = json_number_value(json_object_get(result, "seconds"));
    }
    json_decref(config);
    json_decref(result);
    return status;
}

/* ---- All ------------------------------------------------------------------------------------ */

enum ecc_status ecc_store_look(struct ecc_repro *r, struct ecc_error *error)
{
    for (size_t i = 0; i < r->count; i++) {
        struct ecc_task *const task = &r->tasks[i];
        if (task->state != ECC_TASK_WAITING) continue;
        if (!task->training) {
            if (look_for_step(r, task)) task->state = ECC_TASK_DONE;
        } else if (file_exists(r, "runs", task->name, "/result.json")) {
            ECC_TRY(take_training(r, task, error));
            task->state = ECC_TASK_DONE;
        } else {
            task->resumes = file_exists(r, "runs", task->name, "/" ECC_RUN_CONFIG);
        }
    }
    return ECC_OK;
}

enum ecc_status ecc_store_keep(struct ecc_repro *r, struct ecc_task *task, const char *printed,
                               double seconds, struct ecc_error *error)
{
    task->seconds = seconds;
    return task->training ? take_training(r, task, error)
                          : keep_step(r, task, printed, seconds, error);
}
