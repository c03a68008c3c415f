/* input.c: opens files to read them, and never waits for ever: a device may have no end, and a
 * named pipe no writer. */
#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { WRITER_SECONDS = 10 };

/* The pipes of a shell have no name, and had a writer. */
static bool is_named(int pipe)
{
    struct statfs system;
    return fstatfs(pipe, &system) != 0 || system.f_type != PIPEFS_MAGIC;
}

/* Whether there is something to read, or somebody who may still write it.  first: a byte that was
 * read on the way, or EOF. */
static bool has_writer(int pipe, int *first)
{
    struct pollfd wait = {.fd = pipe, .events = POLLIN};
    *first = EOF;
    if (poll(&wait, 1, WRITER_SECONDS * 1000) != 0) return true;
    unsigned char byte;
    const ssize_t got = read(pipe, &byte, 1); /* 0: no writer; with one it would have to wait */
    if (got == 1) *first = byte;
    return got == 1 || (got < 0 && errno == EAGAIN);
}

/* The descriptor, opened without waiting, becomes one that waits. */
static enum ecc_status check_kind(int file, int *first, const char *path, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    struct stat information;
    *first = EOF;
    if (fstat(file, &information) != 0) return ecc_fail_errno(error, "open", path);
    if (S_ISCHR(information.st_mode) || S_ISBLK(information.st_mode)) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is a device, expected a file",
                        ecc_quote_path(shown, path));
    }
    if (S_ISFIFO(information.st_mode) && is_named(file) && !has_writer(file, first)) {
        return ecc_fail(error, ECC_IO,
                        "%s is a pipe that nobody has written to for %d seconds; first start what "
                        "writes to it",
                        ecc_quote_path(shown, path), WRITER_SECONDS);
    }
    const int flags = fcntl(file, F_GETFL);
    if (flags >= 0 && fcntl(file, F_SETFL, flags & ~O_NONBLOCK) == 0) return ECC_OK;
    return ecc_fail_errno(error, "open", path);
}

enum ecc_status ecc_input_open(FILE **stream, const char *path, struct ecc_error *error)
{
    int first;
    *stream = NULL;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) return ecc_fail_errno(error, "open", path);
    enum ecc_status status = check_kind(file, &first, path, error);
    if (status == ECC_OK) {
        *stream = fdopen(file, "rb");
        if (!*stream) status = ecc_fail_errno(error, "open", path);
    }
    if (status != ECC_OK) {
        close(file);
    } else if (first != EOF) {
        ungetc(first, *stream);
    }
    return status;
}

/* ---- Whole files ----------------------------------------------------------------------------- */

static enum ecc_status too_large(const char *path, size_t most, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA, "%s is larger than %zu MB, which cannot be right",
                    ecc_quote_path(shown, path), most >> 20);
}

static enum ecc_status read_stream(unsigned char **bytes, size_t *size, FILE *stream,
                                   const char *path, size_t most, struct ecc_error *error)
{
    struct stat information;
    if (fstat(fileno(stream), &information) == 0 && S_ISREG(information.st_mode) &&
        (uintmax_t)information.st_size > most) {
        return too_large(path, most, error);
    }
    size_t capacity = 1 << 16, used = 0;
    unsigned char *buffer = malloc(capacity);
    while (buffer) {
        used += fread(buffer + used, 1, capacity - used, stream);
        if (used < capacity || used > most) break;
        unsigned char *larger = capacity <= SIZE_MAX / 2 ? realloc(buffer, capacity *= 2) : NULL;
        if (!larger) free(buffer);
        buffer = larger;
    }
    if (!buffer) return ecc_fail_memory(error, "a whole file");
    if (ferror(stream) || used > most) {
        free(buffer);
        return used > most ? too_large(path, most, error) : ecc_fail_errno(error, "read", path);
    }
    *bytes = buffer;
    *size = used;
    return ECC_OK;
}

enum ecc_status ecc_file_read_most(unsigned char **bytes, size_t *size, const char *path,
                                   size_t most, struct ecc_error *error)
{
    FILE *stream;
    ECC_TRY(ecc_input_open(&stream, path, error));
    const enum ecc_status status = read_stream(bytes, size, stream, path, most, error);
    fclose(stream);
    return status;
}

enum ecc_status ecc_file_read(unsigned char **bytes, size_t *size, const char *path,
                              struct ecc_error *error)
{
    return ecc_file_read_most(bytes, size, path, SIZE_MAX, error);
}
