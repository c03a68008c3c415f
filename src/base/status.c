/* status.c: error sentences, and the version of the library. */
#include "base/status.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum ecc_status ecc_fail(struct ecc_error *error, enum ecc_status status, const char *format, ...)
{
    if (error) {
        error->status = status;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

enum ecc_status ecc_fail_memory(struct ecc_error *error, const char *what)
{
    return ecc_fail(error, ECC_NO_MEMORY, "out of memory for %s", what);
}

enum ecc_status ecc_fail_errno(struct ecc_error *error, const char *operation, const char *path)
{
    const char *reason = strerror(errno);
    char file[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_IO, "cannot %s %s: %s", operation, ecc_quote_path(file, path),
                    reason);
}

const char *ecc_version(void)
{
    return ECC_VERSION;
}
