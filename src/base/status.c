/* status.c: error sentences, and the version of the library. */
#include "base/status.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ecc_set_error(struct ecc_error *error, enum ecc_status status, const char *format, ...)
{
    if (!error) return;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    ecc_hide_controls(error->text); /* names in it reach terminals, and may be cut in two */
}

bool ecc_set_error_errno(struct ecc_error *error, const char *operation, const char *path)
{
    const bool memory = errno == ENOMEM;
    const char *const reason = strerror(errno);
    char quoted[ECC_PATH_SIZE];
    ecc_set_error(error, memory ? ECC_NO_MEMORY : ECC_IO, "cannot %s %s: %s", operation,
                  ecc_quote_path(quoted, path), reason);
    return memory;
}

const char *ecc_version(void)
{
    return ECC_VERSION;
}
