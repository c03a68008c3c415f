/* watch.c: progress and remarks on their way to the caller. */
#include "base/watch.h"

#include <stdarg.h>
#include <stdio.h>

enum ecc_status ecc_watch_work(const struct ecc_watch *watch, const struct ecc_work *work,
                               struct ecc_error *error)
{
    if (!watch || !watch->on_work || watch->on_work(watch->context, work)) return ECC_OK;
    if (work->total == 0) {
        return ecc_fail(error, ECC_INTERRUPTED, "%s interrupted after %zu %s", work->name,
                        work->done, work->unit);
    }
    return ecc_fail(error, ECC_INTERRUPTED, "%s interrupted after %zu of %zu %s", work->name,
                    work->done, work->total, work->unit);
}

void ecc_watch_remark(const struct ecc_watch *watch, const char *format, ...)
{
    char sentence[600];
    va_list arguments;
    if (!watch || !watch->on_remark) return;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    watch->on_remark(watch->context, sentence);
}
