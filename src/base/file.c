/* file.c: whole files in, and files out that are either complete or not there at all. */
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum ecc_status read_stream(unsigned char **bytes, size_t *size, FILE *stream,
                                   const char *path, struct ecc_error *error)
{
    size_t capacity = 1 << 16, used = 0;
    unsigned char *buffer = malloc(capacity);
    while (buffer) {
        used += fread(buffer + used, 1, capacity - used, stream);
        if (used < capacity) break;
        unsigned char *larger = capacity <= SIZE_MAX / 2 ? realloc(buffer, capacity *= 2) : NULL;
        if (!larger) free(buffer);
        buffer = larger;
    }
    if (!buffer) return ecc_fail(error, ECC_NO_MEMORY, "out of memory while reading '%s'", path);
    if (ferror(stream)) {
        free(buffer);
        return ecc_fail_errno(error, "read", path);
    }
    *bytes = buffer;
    *size = used;
    return ECC_OK;
}

enum ecc_status ecc_file_read(unsigned char **bytes, size_t *size, const char *path,
                              struct ecc_error *error)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) return ecc_fail_errno(error, "open", path);
    const enum ecc_status status = read_stream(bytes, size, stream, path, error);
    fclose(stream);
    return status;
}

enum ecc_status ecc_make_directory(const char *path, struct ecc_error *error)
{
    char *partial = strdup(path);
    if (!partial) return ecc_fail_memory(error, "a path");
    enum ecc_status status = ECC_OK;
    for (char *slash = partial + 1; status == ECC_OK && *path; slash++) {
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
        status = ecc_fail(error, ECC_IO, "'%s' exists and is not a directory", path);
    }
    free(partial);
    return status;
}

char *ecc_path_join(const char *directory, const char *name)
{
    const size_t length = strlen(directory);
    const char *separator = length > 0 && directory[length - 1] == '/' ? "" : "/";
    char *path = malloc(length + strlen(name) + 2);
    if (path) sprintf(path, "%s%s%s", directory, separator, name);
    return path;
}

enum ecc_status ecc_output_open(struct ecc_output *output, const char *path,
                                struct ecc_error *error)
{
    *output = (struct ecc_output){0};
    output->path = strdup(path);
    output->temporary = malloc(strlen(path) + 32);
    if (!output->path || !output->temporary) {
        ecc_output_discard(output);
        return ecc_fail_memory(error, "a path");
    }
    sprintf(output->temporary, "%s.%ld.part", path, (long)getpid());
    output->stream = fopen(output->temporary, "wb");
    if (!output->stream) {
        const enum ecc_status status = ecc_fail_errno(error, "write", path);
        ecc_output_discard(output);
        return status;
    }
    return ECC_OK;
}

enum ecc_status ecc_output_commit(struct ecc_output *output, struct ecc_error *error)
{
    const bool broken = ferror(output->stream) != 0;
    const bool flushed = fclose(output->stream) == 0;
    output->stream = NULL;
    enum ecc_status status = ECC_OK;
    if (broken || !flushed || rename(output->temporary, output->path) != 0) {
        status = ecc_fail_errno(error, "write", output->path);
        remove(output->temporary);
    }
    ecc_output_discard(output);
    return status;
}

void ecc_output_discard(struct ecc_output *output)
{
    if (output->stream) {
        fclose(output->stream);
        remove(output->temporary);
    }
    free(output->path);
    free(output->temporary);
    *output = (struct ecc_output){0};
}
