/* watch.h: how long-running work reports to its caller; struct ecc_watch is public. */
#ifndef ECC_BASE_WATCH_H
#define ECC_BASE_WATCH_H

#include "base/status.h"

/* Reports progress.  Fails with ECC_INTERRUPTED when the caller wants to stop.  watch may be NULL.
 */
enum ecc_status ecc_watch_work(const struct ecc_watch *watch, const struct ecc_work *work,
                               struct ecc_error *error);

/* Reports a sentence that is worth knowing and is not a failure. */
void ecc_watch_remark(const struct ecc_watch *watch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
