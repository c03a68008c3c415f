/* file.h: whole files in, and files out that are either complete or not there at all. */
#ifndef ECC_BASE_FILE_H
#define ECC_BASE_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Opens a file to read it.  A device, which might never end, is refused; and so is a named pipe
 * that nobody writes to within a few seconds. */
enum ecc_status ecc_input_open(FILE **stream, const char *path, struct ecc_error *error);

/* Reads a whole file.  The caller frees *bytes. */
enum ecc_status ecc_file_read(unsigned char **bytes, size_t *size, const char *path,
                              struct ecc_error *error);
/* The same; fails at once if it is larger than `most` bytes. */
enum ecc_status ecc_file_read_most(unsigned char **bytes, size_t *size, const char *path,
                                   size_t most, struct ecc_error *error);

/* Makes a directory and its parents; one that exists is fine. */
enum ecc_status ecc_make_directory(const char *path, struct ecc_error *error);

/* "dir/name" ("name" for an empty directory), or NULL without memory.  The caller frees it. */
char *ecc_path_join(const char *directory, const char *name);

/* Whether a path is this directory or lies inside it; the end of the path need not exist yet. */
bool ecc_path_is_inside(const char *path, const char *directory);

/*
 * A file that appears under its name only when it is whole: written without a name, or where the
 * file system has no such files under another one beside it, then renamed.
 *   ecc_output_open(&out, path, error); fwrite(..., out.stream); ecc_output_commit(&out, error);
 * On any failure call ecc_output_discard instead; it is harmless after a commit.  Links are
 * followed; what exists and is not a regular file (/dev/stdout, a pipe) is written directly, and a
 * link to nothing is refused.
 */
struct ecc_output {
    FILE *stream;
    char *path;      /* as the caller gave it, for messages */
    char *target;    /* where it leads to; NULL when written directly */
    char *temporary; /* renamed to the target by a commit; NULL when written directly */
    bool named;      /* it is there under that name; until then nothing is left if we are killed */
    bool keeps_mode; /* the target exists, and this is its mode */
    mode_t mode;
    bool counted; /* as being written (activity.h) */
};

enum ecc_status ecc_output_open(struct ecc_output *output, const char *path,
                                struct ecc_error *error);
enum ecc_status ecc_output_commit(struct ecc_output *output, struct ecc_error *error);
/* The same, and on return the file is on the disk under its name, even if the power fails. */
enum ecc_status ecc_output_commit_durably(struct ecc_output *output, struct ecc_error *error);
/* The first half of that: what was written so far is on the disk, but not yet under its name. */
enum ecc_status ecc_output_sync(struct ecc_output *output, struct ecc_error *error);
void ecc_output_discard(struct ecc_output *output);

#endif
