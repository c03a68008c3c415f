/* problems.c: everything that is wrong with a file in one message. */
#include "data/problems.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

enum { SHOWN = 5 };

void ecc_problems_add(struct ecc_problems *p, const char *format, ...)
{
    const size_t room = sizeof p->text - p->used;
    if (p->count++ >= SHOWN || p->listed + 1 < p->count) return;
    char *const start = p->text + p->used;
    const int between = p->used ? snprintf(start, room, "; ") : 0;
    va_list arguments;
    va_start(arguments, format);
    const int own = vsnprintf(start + between, room - (size_t)between, format, arguments);
    va_end(arguments);
    const size_t length = own < 0 ? room : (size_t)between + (size_t)own;
    if (own < 0 || (p->used && length >= room)) {
        *start = '\0'; /* one that does not fit is left out, and so are those after it */
        return;
    }
    p->used += length < room ? length : room - 1;
    p->listed++;
    ecc_utf8_repair(start);
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
    if (p->count > p->listed) snprintf(more, sizeof more, "; and %zu more", p->count - p->listed);
    return ecc_fail(error, ECC_BAD_DATA, "%s has %zu problems: %s%s; %s", shown, p->count, p->text,
                    more, remedy);
}
