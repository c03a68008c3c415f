/* place.c: where a result goes: its format by its name, and whether it can be written there. */
#include "base/place.h"
#include "base/file.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Formats -------------------------------------------------------------------------------- */

/* In the order in which they are listed. */
static const struct {
    enum ecc_format format;
    const char *ending;
} FORMATS[] = {
    {ECC_FORMAT_CSV, ".csv"},   {ECC_FORMAT_NPY, ".npy"},   {ECC_FORMAT_NPZ, ".npz"},
    {ECC_FORMAT_PNG, ".png"},   {ECC_FORMAT_SVG, ".svg"},   {ECC_FORMAT_PDF, ".pdf"},
    {ECC_FORMAT_HTML, ".html"}, {ECC_FORMAT_APNG, ".apng"},
};

enum { FORMAT_COUNT = sizeof FORMATS / sizeof FORMATS[0] };

/* Whether a name ends like that of a file, as in a.jpg, a.cvs or a.h5: never meant as a folder.
 * run.3 and faces.d8 may be. */
static bool ends_like_a_file(const char *path)
{
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    const char *const dot = strrchr(name, '.');
    if (!dot || dot == name || !isalpha((unsigned char)dot[1])) return false;
    for (const char *at = dot + 1; *at; at++) {
        if (!isalnum((unsigned char)*at)) return false;
    }
    return isalpha((unsigned char)dot[2]) || ecc_ends_in_any_case(path, ".h5");
}

enum ecc_format ecc_format_of(const char *path)
{
    const size_t length = strlen(path);
    if (length > 0 && path[length - 1] == '/') return ECC_FORMAT_FOLDER;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (ecc_ends_in_any_case(path, FORMATS[i].ending)) return FORMATS[i].format;
    }
    return ends_like_a_file(path) ? ECC_FORMAT_OTHER : ECC_FORMAT_FOLDER;
}

const char *ecc_format_words(char out[ECC_FORMAT_WORDS], unsigned formats)
{
    const char *words[FORMAT_COUNT + 1];
    size_t count = 0, length = 0;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (formats & FORMATS[i].format) words[count++] = FORMATS[i].ending;
    }
    if (formats & ECC_FORMAT_FOLDER) words[count++] = "a folder";
    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *const before = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        length +=
            (size_t)snprintf(out + length, ECC_FORMAT_WORDS - length, "%s%s", before, words[i]);
    }
    return out;
}

enum ecc_status ecc_format_check(const char *option, const char *path, unsigned formats,
                                 struct ecc_error *error)
{
    if (*path && ecc_format_of(path) & formats) return ECC_OK;
    char shown[ECC_PATH_SIZE], words[ECC_FORMAT_WORDS];
    return ecc_fail(error, ECC_BAD_ARGUMENT, "--%s is %s, expected %s%s", option,
                    ecc_quote_path(shown, path),
                    formats & ECC_FORMAT_FOLDER ? "" : "a name that ends in ",
                    ecc_format_words(words, formats));
}

/* ---- Places --------------------------------------------------------------------------------- */

/* The directory that a path lies in; NULL without memory.  The caller frees it. */
static char *directory_of(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    while (length > 0 && path[length - 1] != '/') length--;
    while (length > 1 && path[length - 1] == '/') length--;
    return length == 0 ? strdup(".") : strndup(path, length);
}

/* Fails if no file can be made in a directory.  path: for the message. */
static enum ecc_status try_directory(const char *directory, const char *path,
                                     struct ecc_error *error)
{
    char *const probe = ecc_path_join(directory, ".eccentric.XXXXXX");
    if (!probe) return ecc_fail_memory(error, "a path");
    const int file = mkstemp(probe); /* a name that nobody knows, never through a link */
    const enum ecc_status status = file < 0 ? ecc_fail_errno(error, "write", path) : ECC_OK;
    if (file >= 0) close(file);
    if (file >= 0) unlink(probe);
    free(probe);
    return status;
}

/* Where the result will be made: the folder itself, or the directory of a file. */
static char *place_of(const char *path, bool inside)
{
    return inside ? strdup(path) : directory_of(path);
}

/* How many levels of a directory do not exist yet; `directory` is cut. */
static size_t count_missing(char *directory)
{
    size_t missing = 0;
    for (char *slash; access(directory, F_OK) != 0; missing++) {
        size_t length = strlen(directory);
        while (length > 1 && directory[length - 1] == '/') directory[--length] = '\0';
        slash = strrchr(directory, '/');
        if (!slash || slash == directory) return missing + 1;
        *slash = '\0';
    }
    return missing;
}

static enum ecc_status make(const char *path, bool inside, size_t *made, struct ecc_error *error)
{
    char *const directory = place_of(path, inside), *const cut = place_of(path, inside);
    enum ecc_status status = directory && cut ? ECC_OK : ecc_fail_memory(error, "a path");
    if (status == ECC_OK) {
        *made = count_missing(cut);
        status = ecc_make_directory(directory, error);
    }
    if (status == ECC_OK) status = try_directory(directory, path, error);
    free(directory);
    free(cut);
    return status;
}

enum ecc_status ecc_place_prepare(const char *path, bool inside, size_t *made,
                                  struct ecc_error *error)
{
    struct stat information;
    size_t levels = 0;
    const bool exists = stat(path, &information) == 0;
    if (made) *made = 0;
    if (exists && S_ISDIR(information.st_mode) && ecc_format_of(path) != ECC_FORMAT_FOLDER) {
        errno = EISDIR;
        return ecc_fail_errno(error, "write", path);
    }
    /* a pipe or a device such as /dev/stdout is written directly */
    if (exists && !S_ISDIR(information.st_mode) && !S_ISREG(information.st_mode)) return ECC_OK;
    const enum ecc_status status = make(path, inside, &levels, error);
    if (made) *made = levels;
    return status;
}

void ecc_place_undo(const char *path, bool inside, size_t made)
{
    char *directory = place_of(path, inside);
    for (; directory && made > 0 && rmdir(directory) == 0; made--) {
        char *const above = directory_of(directory);
        free(directory);
        directory = above;
    }
    free(directory);
}
