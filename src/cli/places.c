/* places.c: the places that a command's options name for its results, ready before the work. */
#include "cli/command.h"

#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OPTIONS = 64 };

static size_t made[MOST_OPTIONS]; /* levels of directories, by option */

/* The path of an option that names a result and was given, else NULL. */
static const char *place_of(const struct ecc_command *command, const void *settings, size_t i)
{
    const struct ecc_option *const option = &command->options[i];
    const uint64_t given = ((const struct ecc_common *)settings)->given;
    if (!option->writes || !(given >> i & 1)) return NULL;
    return *(const char *const *)((const char *)settings + option->offset);
}

/* Whether a path leads to the pipe or device that standard output is. */
static bool is_standard_output(const char *path)
{
    struct stat place, out;
    return stat(path, &place) == 0 && fstat(STDOUT_FILENO, &out) == 0 && !S_ISREG(out.st_mode) &&
           place.st_dev == out.st_dev && place.st_ino == out.st_ino &&
           place.st_rdev == out.st_rdev && !isatty(STDOUT_FILENO);
}

enum ecc_status ecc_places_prepare(const struct ecc_command *command, const void *settings,
                                   struct ecc_error *error)
{
    for (size_t i = 0; i < MOST_OPTIONS && command->options[i].name; i++) {
        const char *const path = place_of(command, settings, i);
        const bool inside = command->options[i].writes == ECC_FORMAT_FOLDER;
        if (path) ECC_TRY(ecc_place_prepare(path, inside, &made[i], error));
        if (path && is_standard_output(path)) ecc_print_aside();
    }
    return ECC_OK;
}

void ecc_places_undo(const struct ecc_command *command, const void *settings)
{
    for (size_t i = 0; i < MOST_OPTIONS && command->options[i].name; i++) {
        const char *const path = place_of(command, settings, i);
        const bool inside = command->options[i].writes == ECC_FORMAT_FOLDER;
        if (path && made[i] > 0) ecc_place_undo(path, inside, made[i]);
    }
}

static bool usage_was_wrong;

enum ecc_status ecc_wrong_usage(enum ecc_status status)
{
    usage_was_wrong = status != ECC_OK;
    return status;
}

bool ecc_usage_was_wrong(void)
{
    return usage_was_wrong;
}
