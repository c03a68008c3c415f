/* problems.c: everything that is wrong with a file in one message. */
#include "data/problems.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

enum { SHOWN = 5 };

void ecc_problems_add(struct ecc_problems *p, const char *format, ...)
{
    if (p->count++ >= SHOWN || p->used + 3 >= sizeof p->text) return;
    if (p->used) p->used += (size_t)snprintf(p->text + p->used, sizeof p->text - p->used, "; ");
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(p->text + p->used, sizeof p->text - p->used, format, arguments);
    va_end(arguments);
    if (length > 0) p->used += (size_t)length;
    if (p->used >= sizeof p->text) p->used = sizeof p->text - 1;
}

enum ecc_status ecc_problems_report(const struct ecc_problems *p, const char *path,
                                    const char *remedy, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], more[60] = "";
    if (p->count == 0) return ECC_OK;
    ecc_quote_path(shown, path);
    if (p->count == 1) {
        return ecc_fail(error, ECC_BAD_DATA, "%s, %s; %s", shown, p->text, remedy);
    }
    if (p->count > SHOWN) snprintf(more, sizeof more, "; and %zu more", p->count - SHOWN);
    return ecc_fail(error, ECC_BAD_DATA, "%s has %zu problems: %s%s; %s", shown, p->count, p->text,
                    more, remedy);
}
