/* file.c: paths, and files out that are either complete or not there at all. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "base/file.h"
#include "base/activity.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum ecc_status ecc_make_directory(const char *path, struct ecc_error *error)
{
    char *partial = strdup(path);
    if (!partial) return ecc_fail_memory(error, "a path");
    enum ecc_status status = ECC_OK;
    for (char *slash = partial + (*path == '/'); status == ECC_OK; slash++) {
        slash = strchr(slash, '/');
        if (slash) *slash = '\0';
        if (mkdir(partial, 0777) != 0 && errno != EEXIST) {
            status = ecc_fail_errno(error, "make directory", partial);
        }
        if (!slash) break;
        *slash = '/';
    }
    struct stat information;
    if (status == ECC_OK && (stat(path, &information) != 0 || !S_ISDIR(information.st_mode))) {
        char shown[ECC_PATH_SIZE];
        status = ecc_fail(error, ECC_IO, "%s exists and is not a directory",
                          ecc_quote_path(shown, path));
    }
    free(partial);
    return status;
}

char *ecc_path_join(const char *directory, const char *name)
{
    const size_t length = strlen(directory);
    const char *separator = length == 0 || directory[length - 1] == '/' ? "" : "/";
    char *path = malloc(length + strlen(name) + 2);
    if (path) sprintf(path, "%s%s%s", directory, separator, name);
    return path;
}

/* The real path of the longest beginning of `path` that exists. */
static char *real_beginning(const char *path)
{
    char *const partial = strdup(path);
    char *whole = NULL;
    for (char *slash; partial && !(whole = realpath(partial, NULL));) {
        slash = strrchr(partial, '/');
        if (!slash || slash == partial) break;
        *slash = '\0';
    }
    free(partial);
    if (whole) return whole;
    return realpath(*path == '/' ? "/" : ".", NULL);
}

bool ecc_path_is_inside(const char *path, const char *directory)
{
    char *const inner = real_beginning(path), *const outer = realpath(directory, NULL);
    const size_t length = outer ? strlen(outer) : 0;
    const bool inside = inner && outer && strncmp(inner, outer, length) == 0 &&
                        (inner[length] == '\0' || inner[length] == '/' || length == 1);
    free(inner);
    free(outer);
    return inside;
}

/* Where to write: beside the file that `path` leads to, following links.  What exists and is not a
 * regular file, such as /dev/stdout, must not be replaced, so it is written directly.  Nor must a
 * link that leads to nothing, such as /dev/stdout when that is closed. */
static enum ecc_status choose_target(struct ecc_output *output, const char *path,
                                     struct ecc_error *error)
{
    struct stat information;
    const bool exists = stat(path, &information) == 0;
    if (exists && S_ISDIR(information.st_mode)) {
        errno = EISDIR;
        return ecc_fail_errno(error, "write", path);
    }
    struct stat link;
    if (!exists && lstat(path, &link) == 0) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_IO,
                        "cannot write %s: it is a link to something that does not exist, expected "
                        "a file or a new name",
                        ecc_quote_path(shown, path));
    }
    output->path = strdup(path);
    if (!output->path) return ecc_fail_memory(error, "a path");
    if (exists && !S_ISREG(information.st_mode)) return ECC_OK;
    output->keeps_mode = exists;
    output->mode = exists ? information.st_mode & 07777 : 0;
    output->target = exists ? realpath(path, NULL) : strdup(path);
    output->temporary = output->target ? malloc(strlen(output->target) + 32) : NULL;
    if (!output->temporary) return ecc_fail_memory(error, "a path");
    *output->temporary = '\0'; /* it gets its name later */
    return ECC_OK;
}

/* "DIRECTORY/" of a path, or "."; NULL without memory.  The caller frees it. */
static char *directory_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

/* A name that nobody can guess, so that nothing waits under it. */
static bool draw_name(struct ecc_output *output)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) < 0) return false;
    sprintf(output->temporary, "%s.%016llx.part", output->target, (unsigned long long)number);
    return true;
}

enum { NAMES = 8 }; /* that are tried */

/* -1 where the file system has no files without a name, or the system no way to give them one. */
static int open_nameless(const struct ecc_output *output, mode_t mode)
{
    char *const directory = directory_of(output->target);
    int file = -1;
    if (directory && access("/proc/self/fd", X_OK) == 0) {
        file = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    }
    free(directory);
    return file;
}

/* Never through a link. */
static int open_named(struct ecc_output *output, mode_t mode)
{
    int file = -1;
    for (int i = 0; file < 0 && i < NAMES; i++) {
        if (!draw_name(output)) return -1;
        file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (file < 0 && errno != EEXIST) return -1;
    }
    output->named = file >= 0;
    return file;
}

static bool give_name(struct ecc_output *output)
{
    char self[40];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(output->stream));
    for (int i = 0; !output->named && i < NAMES; i++) {
        if (!draw_name(output)) return false;
        output->named = linkat(AT_FDCWD, self, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW) == 0;
        if (!output->named && errno != EEXIST) return false;
    }
    return output->named;
}

/* A file that is replaced keeps its mode. */
static FILE *open_temporary(struct ecc_output *output)
{
    const mode_t mode = output->keeps_mode ? output->mode & 0600 : 0666;
    int file = open_nameless(output, mode);
    if (file < 0) file = open_named(output, mode);
    if (file < 0) return NULL;
    FILE *const stream =
        output->keeps_mode && fchmod(file, output->mode) != 0 ? NULL : fdopen(file, "wb");
    if (!stream) {
        const int reason = errno;
        close(file);
        if (output->named) remove(output->temporary);
        errno = reason;
    }
    return stream;
}

enum ecc_status ecc_output_open(struct ecc_output *output, const char *path,
                                struct ecc_error *error)
{
    *output = (struct ecc_output){0};
    enum ecc_status status = choose_target(output, path, error);
    if (status == ECC_OK) {
        output->stream = output->temporary ? open_temporary(output) : fopen(path, "wb");
        if (!output->stream) status = ecc_fail_errno(error, "write", path);
    }
    output->counted = status == ECC_OK;
    if (output->counted) ecc_activity_write(true);
    if (status != ECC_OK) ecc_output_discard(output);
    return status;
}

enum ecc_status ecc_output_commit(struct ecc_output *output, struct ecc_error *error)
{
    bool good = fflush(output->stream) == 0 && ferror(output->stream) == 0;
    if (good && output->temporary) good = output->named || give_name(output);
    int reason = errno;
    if (fclose(output->stream) != 0 && good) {
        good = false;
        reason = errno;
    }
    output->stream = NULL;
    if (good && output->temporary && rename(output->temporary, output->target) != 0) {
        good = false;
        reason = errno;
    }
    enum ecc_status status = ECC_OK;
    if (!good) {
        errno = reason;
        status = ecc_fail_errno(error, "write", output->path);
        if (output->named) remove(output->temporary);
    }
    ecc_output_discard(output);
    return status;
}

enum ecc_status ecc_output_sync(struct ecc_output *output, struct ecc_error *error)
{
    const bool flushed = fflush(output->stream) == 0 && !ferror(output->stream);
    /* only a regular file can be synced, not a pipe or /dev/stdout */
    if (flushed && (!output->temporary || fsync(fileno(output->stream)) == 0)) return ECC_OK;
    return ecc_fail_errno(error, "write", output->path);
}

/* Syncs the directory of `path`, so that renames in it are on the disk. */
static enum ecc_status sync_directory_of(const char *path, struct ecc_error *error)
{
    char *const directory = directory_of(path);
    if (!directory) return ecc_fail_memory(error, "a path");
    const int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* some file systems cannot sync directories: then there is nothing to do */
    ecc_activity_write(true);
    const bool synced = descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL);
    ecc_activity_write(false);
    const enum ecc_status status = synced ? ECC_OK : ecc_fail_errno(error, "write", directory);
    if (descriptor >= 0) close(descriptor);
    free(directory);
    return status;
}

enum ecc_status ecc_output_commit_durably(struct ecc_output *output, struct ecc_error *error)
{
    enum ecc_status status = ecc_output_sync(output, error);
    if (status != ECC_OK) {
        ecc_output_discard(output);
        return status;
    }
    /* ecc_output_commit clears the target */
    char *const target = output->target ? strdup(output->target) : NULL;
    if (output->target && !target) {
        ecc_output_discard(output);
        return ecc_fail_memory(error, "a path");
    }
    status = ecc_output_commit(output, error);
    if (status == ECC_OK && target) status = sync_directory_of(target, error);
    free(target);
    return status;
}

void ecc_output_discard(struct ecc_output *output)
{
    if (output->stream) {
        fclose(output->stream);
        if (output->named) remove(output->temporary);
    }
    if (output->counted) ecc_activity_write(false);
    free(output->path);
    free(output->target);
    free(output->temporary);
    *output = (struct ecc_output){0};
}
