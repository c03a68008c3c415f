/* workroom.c: a directory in which one process at a time trains runs and keeps what it measured. */
#include "work/workroom.h"
#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

static enum ecc_status make_folder(const char *out, const char *name, struct ecc_error *error)
{
    char *const path = ecc_path_join(out, name);
    const enum ecc_status status =
        path ? ecc_make_directory(path, error) : ecc_fail_memory(error, "a path");
    free(path);
    return status;
}

enum ecc_status ecc_workroom_open(int *lock, const char *out, const char *const *folders,
                                  struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    for (; *folders; folders++) ECC_TRY(make_folder(out, *folders, error));
    *lock = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0) return ecc_fail_errno(error, "open", out);
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return ECC_OK;
    close(*lock);
    *lock = -1;
    return ecc_fail(error, ECC_IO, "another process is at work in %s", ecc_quote_path(shown, out));
}

static size_t layout(size_t digits)
{
    return JSON_INDENT(1) | JSON_REAL_PRECISION(digits);
}

enum ecc_status ecc_workroom_write_json(const json_t *json, size_t digits, const char *path,
                                        struct ecc_error *error)
{
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, path, error));
    const bool written =
        json_dumpf(json, output.stream, layout(digits)) == 0 && fputc('\n', output.stream) != EOF;
    if (written) return ecc_output_commit(&output, error);
    ecc_output_discard(&output);
    return ecc_fail(error, ECC_IO, "cannot write %.300s", path);
}

enum ecc_status ecc_workroom_text(char **text, json_t *results, enum ecc_status status,
                                  struct ecc_error *error)
{
    *text = results ? json_dumps(results, layout(ECC_RESULTS_DIGITS)) : NULL;
    const bool failed = results && !*text;
    json_decref(results);
    return failed && status == ECC_OK ? ecc_fail_memory(error, "the results") : status;
}

uint32_t ecc_workroom_sum(const char *path)
{
    unsigned char *bytes;
    size_t size;
    struct ecc_error ignored;
    if (ecc_file_read(&bytes, &size, path, &ignored) != ECC_OK) return 0;
    const uint32_t sum = (uint32_t)crc32_z(0, bytes, size);
    free(bytes);
    return sum;
}
