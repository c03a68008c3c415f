/* run.c: a run directory: everything that belongs to one training and its model. */
#include "run/run.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/text.h"
#include "run/checkpoint.h"
#include "run/metrics_table.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* Files that training writes; overwriting a run removes them. */
static const char *const own_files[] = {
    ECC_RUN_CONFIG,  ECC_RUN_MODEL,    ECC_RUN_CHECKPOINT, "checkpoint.previous", ECC_METRICS_JSON,
    ECC_METRICS_CSV, "components.npz", "report.html",      ECC_RUN_RESULT,
};
static const char events_prefix[] = "events.out.tfevents.";

char *ecc_run_path(const struct ecc_run *run, const char *name)
{
    return ecc_path_join(run->directory, name);
}

void ecc_run_abandon(struct ecc_run *run)
{
    if (access(run->config.path, F_OK) == 0) return;
    /* rmdir only removes empty directories */
    rmdir(run->figures);
    rmdir(run->directory);
}

void ecc_run_close(struct ecc_run *run)
{
    if (!run) return;
    if (run->lock >= 0) close(run->lock);
    ecc_config_release(&run->config);
    free(run->directory);
    free(run->model);
    free(run->checkpoint);
    free(run->figures);
    free(run);
}

static enum ecc_status name_paths(struct ecc_run *run, struct ecc_error *error)
{
    run->model = ecc_run_path(run, ECC_RUN_MODEL);
    run->checkpoint = ecc_run_path(run, ECC_RUN_CHECKPOINT);
    run->figures = ecc_run_path(run, ECC_RUN_FIGURES);
    if (run->model && run->checkpoint && run->figures) return ECC_OK;
    return ecc_fail_memory(error, "a run");
}

static enum ecc_status prepare(struct ecc_run **result, const char *directory,
                               struct ecc_error *error)
{
    struct ecc_run *const run = calloc(1, sizeof *run);
    *result = run;
    if (!run) return ecc_fail_memory(error, "a run");
    run->lock = -1;
    run->stored = true;
    run->directory = strdup(directory);
    return run->directory ? name_paths(run, error) : ecc_fail_memory(error, "a run");
}

/* Closes the run if it could not be set up. */
static enum ecc_status finish(struct ecc_run **run, enum ecc_status status)
{
    if (status == ECC_OK) return ECC_OK;
    ecc_run_close(*run);
    *run = NULL;
    return status;
}

enum { LOCK_TRIES = 5 };

static enum ecc_status being_trained(const struct ecc_run *run, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_IO, "%s is being trained by another process",
                    ecc_quote_path(shown, run->directory));
}

/* Two processes must not train the same run.  The lock is on the directory itself, so that nothing
 * is left behind, and ends with the process.  File systems without locks are not protected. */
static enum ecc_status take_lock(struct ecc_run *run, struct ecc_error *error)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    run->lock = open(run->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (run->lock < 0) return ecc_fail_errno(error, "open", run->directory);
    /* those who ask whether the run is being trained hold a lock, too, for an instant */
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(run->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return ECC_OK;
        nanosleep(&moment, NULL);
    }
    return being_trained(run, error);
}

bool ecc_run_is_training(const char *directory)
{
    const int lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0) return false;
    const bool training = flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(lock);
    return training;
}

enum ecc_status ecc_run_without_model(const struct ecc_run *run, bool training,
                                      struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA, "%s has no model yet: %s",
                    ecc_quote_path(shown, run->directory),
                    training ? "its training has just begun; try again in a few seconds"
                             : "its training ended before the first checkpoint; resume the "
                               "training");
}

/* ---- Making --------------------------------------------------------------------------------- */

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* "checkpoint.0f31...e2.part" (base/file.c; of older versions with the number of the process): one
 * of our own files whose process ended while writing it. */
static bool is_left_over(const char *name)
{
    for (size_t i = 0; i < sizeof own_files / sizeof own_files[0]; i++) {
        if (!starts_with(name, own_files[i])) continue;
        const char *const rest = name + strlen(own_files[i]);
        const size_t digits = *rest == '.' ? strspn(rest + 1, "0123456789abcdef") : 0;
        if (digits > 0 && strcmp(rest + 1 + digits, ".part") == 0) return true;
    }
    return false;
}

/* The same of a picture: "curves.png.0f31...e2.part". */
static bool is_left_over_picture(const char *name)
{
    enum { DIGITS = 16 };
    static const char ending[] = ".part";
    const size_t tail = 1 + DIGITS + sizeof ending - 1, length = strlen(name);
    if (length <= tail || name[length - tail] != '.') return false;
    const char *const number = name + length - tail + 1;
    return strspn(number, "0123456789abcdef") == DIGITS && strcmp(number + DIGITS, ending) == 0;
}

static bool is_own(const char *name)
{
    for (size_t i = 0; i < sizeof own_files / sizeof own_files[0]; i++) {
        if (strcmp(name, own_files[i]) == 0) return true;
    }
    return starts_with(name, events_prefix);
}

static void clean_figures(const struct ecc_run *run)
{
    DIR *const directory = opendir(run->figures);
    if (!directory) return;
    const int inside = dirfd(directory);
    for (const struct dirent *entry; inside >= 0 && (entry = readdir(directory));) {
        if (is_left_over_picture(entry->d_name)) unlinkat(inside, entry->d_name, 0);
    }
    closedir(directory);
}

/* Removes left-over temporary files, and with `all` the run's own files, too. */
static enum ecc_status clean(const struct ecc_run *run, bool all, struct ecc_error *error)
{
    DIR *const directory = opendir(run->directory);
    if (!directory) return ecc_fail_errno(error, "open", run->directory);
    enum ecc_status status = ECC_OK;
    const int inside = dirfd(directory);
    for (const struct dirent *entry; status == ECC_OK && (entry = readdir(directory));) {
        if (!is_left_over(entry->d_name) && !(all && is_own(entry->d_name))) continue;
        if (inside < 0 || unlinkat(inside, entry->d_name, 0) != 0) {
            status = ecc_fail_errno(error, "remove a file in", run->directory);
        }
    }
    closedir(directory);
    clean_figures(run);
    return status;
}

static enum ecc_status refuse_old_run(const struct ecc_run *run, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    const bool trained = access(run->model, F_OK) == 0 || ecc_checkpoint_exists(run->checkpoint);
    if (!trained && access(run->config.path, F_OK) != 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "%s already holds a run: resume it, overwrite it, or choose another directory",
                    ecc_quote_path(shown, run->directory));
}

/* What made the run. */
static void describe_program(struct ecc_config *config)
{
    char machine[260];
    ecc_machine_name(machine, sizeof machine);
    ecc_config_set_u64(config, "format", ECC_CONFIG_FORMAT);
    ecc_config_set_text(config, "version", ECC_VERSION);
    ecc_config_set_text(config, "machine", machine);
}

static enum ecc_status fill_directory(struct ecc_run *run, bool overwrite, struct ecc_error *error)
{
    ECC_TRY(ecc_make_directory(run->directory, error));
    ECC_TRY(take_lock(run, error));
    char *const path = ecc_run_path(run, ECC_RUN_CONFIG);
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_config_init(&run->config, path, error);
    free(path);
    if (status != ECC_OK) return status;
    if (!overwrite) ECC_TRY(refuse_old_run(run, error));
    run->overwrites = overwrite;
    ECC_TRY(clean(run, false, error));
    describe_program(&run->config);
    return ecc_make_directory(run->figures, error);
}

enum ecc_status ecc_run_create(struct ecc_run **run, const char *directory, bool overwrite,
                               struct ecc_error *error)
{
    enum ecc_status status = prepare(run, directory, error);
    if (status == ECC_OK) status = fill_directory(*run, overwrite, error);
    return finish(run, status);
}

enum ecc_status ecc_run_remove_old(struct ecc_run *run, struct ecc_error *error)
{
    return run->overwrites ? clean(run, true, error) : ECC_OK;
}

enum ecc_status ecc_run_unfinish(struct ecc_run *run, struct ecc_error *error)
{
    static const char *const files[] = {ECC_RUN_RESULT, ECC_RUN_MODEL};
    const int directory = open(run->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return ecc_fail_errno(error, "open", run->directory);
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; status == ECC_OK && i < sizeof files / sizeof files[0]; i++) {
        if (unlinkat(directory, files[i], 0) == 0 || errno == ENOENT) continue;
        status = ecc_fail_errno(error, "remove a file in", run->directory);
    }
    if (fsync(directory) != 0 && status == ECC_OK && errno != EINVAL) {
        status = ecc_fail_errno(error, "write", run->directory);
    }
    close(directory);
    return status;
}

/* ---- Opening -------------------------------------------------------------------------------- */

static enum ecc_status check_format(const struct ecc_config *config, struct ecc_error *error)
{
    uint64_t format;
    ECC_TRY(ecc_config_get_u64(config, &format, "format", error));
    if (format == ECC_CONFIG_FORMAT) return ECC_OK;
    const char *version = "unknown";
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    if (ecc_config_get_text(config, &version, "version", NULL) != ECC_OK) version = "unknown";
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s: \"format\" is %llu, written by version %s; this program, %s, expects %d",
                    ecc_quote_path(shown, config->path), (unsigned long long)format,
                    ecc_quote(quoted, version, strlen(version)), ECC_VERSION, ECC_CONFIG_FORMAT);
}

static enum ecc_status read_config(struct ecc_run *run, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    ecc_quote_path(shown, run->directory);
    char *const path = ecc_run_path(run, ECC_RUN_CONFIG);
    if (!path) return ecc_fail_memory(error, "a path");
    enum ecc_status status = ECC_OK;
    if (access(path, F_OK) != 0) {
        const bool there = access(run->directory, F_OK) == 0;
        status =
            ecc_run_is_training(run->directory)
                ? ecc_run_without_model(run, true, error)
                : ecc_fail(error, ECC_BAD_DATA, "%s is not a run: %s", shown,
                           there ? "there is no " ECC_RUN_CONFIG " in it" : "it does not exist");
    }
    if (status == ECC_OK) status = ecc_config_read(&run->config, path, error);
    free(path);
    return status == ECC_OK ? check_format(&run->config, error) : status;
}

enum ecc_status ecc_run_open(struct ecc_run **run, const char *directory, struct ecc_error *error)
{
    enum ecc_status status = prepare(run, directory, error);
    if (status == ECC_OK) status = read_config(*run, error);
    return finish(run, status);
}

enum ecc_status ecc_run_in_memory(struct ecc_run **out, const char *config, const char *name,
                                  struct ecc_error *error)
{
    struct ecc_run *run = calloc(1, sizeof *run);
    if (!run) return ecc_fail_memory(error, "a run");
    run->lock = -1;
    run->directory = strdup(name);
    enum ecc_status status = run->directory ? ECC_OK : ecc_fail_memory(error, "a run");
    if (status == ECC_OK && config) {
        status = ecc_config_decode(&run->config, config, strlen(config), name, error);
        if (status == ECC_OK) status = check_format(&run->config, error);
    } else if (status == ECC_OK) {
        status = ecc_config_init(&run->config, name, error);
        if (status == ECC_OK) describe_program(&run->config);
    }
    *out = run;
    return finish(out, status);
}

enum ecc_status ecc_run_copy(struct ecc_run **copy, const struct ecc_run *run,
                             struct ecc_error *error)
{
    char *config;
    ECC_TRY(ecc_config_encode(&run->config, &config, error));
    enum ecc_status status = ecc_run_in_memory(copy, config, run->directory, error);
    free(config);
    ECC_TRY(status);
    if (!run->stored) return ECC_OK;
    (*copy)->stored = true;
    return finish(copy, name_paths(*copy, error));
}

enum ecc_status ecc_run_resume(struct ecc_run **run, const char *directory, struct ecc_error *error)
{
    enum ecc_status status = prepare(run, directory, error);
    if (status == ECC_OK && ecc_run_is_training(directory)) status = being_trained(*run, error);
    if (status == ECC_OK) status = read_config(*run, error);
    if (status == ECC_OK) status = take_lock(*run, error);
    if (status == ECC_OK) status = clean(*run, false, error);
    if (status == ECC_OK) status = ecc_make_directory((*run)->figures, error);
    return finish(run, status);
}
