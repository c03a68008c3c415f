/* testing.c: what the unit tests share. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "testing.h"

#include <ftw.h>
#include <unistd.h>

struct ecc_error testing_error;

void check_relative(double actual, double expected, double tolerance, const char *what)
{
    check_absolute(actual, expected, tolerance * fabs(expected), what);
}

void check_absolute(double actual, double expected, double tolerance, const char *what)
{
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg("%s: got %.15g, expected %.15g, off by %.3g where %.3g is allowed", what, actual,
                 expected, fabs(actual - expected), tolerance);
    }
}

void check_fails(enum ecc_status actual, enum ecc_status expected, const char *words)
{
    if (actual != expected) {
        fail_msg("status %d where %d was expected: %s", (int)actual, (int)expected,
                 testing_error.text);
    }
    if (!strstr(testing_error.text, words)) {
        fail_msg("the sentence lacks '%s': %s", words, testing_error.text);
    }
}

static char directory[64];

static int remove_entry(const char *path, const struct stat *information, int kind,
                        struct FTW *position)
{
    (void)information, (void)kind, (void)position;
    return remove(path);
}

static void remove_directory(void)
{
    nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *testing_path(const char *name)
{
    static char path[4][256];
    static unsigned next;
    if (!directory[0]) {
        strcpy(directory, "/tmp/eccentric-test-XXXXXX");
        if (!mkdtemp(directory)) fail_msg("cannot make a temporary directory");
        atexit(remove_directory);
    }
    char *result = path[next++ % 4];
    snprintf(result, sizeof path[0], "%s/%s", directory, name);
    return result;
}
