/* status.h: how functions of the library fail: a status, and one sentence for a person. */
#ifndef ECC_BASE_STATUS_H
#define ECC_BASE_STATUS_H

#include "eccentric.h"

/* Fills `error` (may be NULL) with a formatted sentence and returns `status`. */
enum ecc_status ecc_fail(struct ecc_error *error, enum ecc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports that `what` could not be allocated. */
enum ecc_status ecc_fail_memory(struct ecc_error *error, const char *what);

/* Reports errno for an operation on a file: "cannot open 'x.npy': No such file or directory". */
enum ecc_status ecc_fail_errno(struct ecc_error *error, const char *operation, const char *path);

/* Returns from the caller when a call fails; for functions that hold nothing to release. */
#define ECC_TRY(call)                                                                              \
    do {                                                                                           \
        enum ecc_status ecc_try_status = (call);                                                   \
        if (ecc_try_status != ECC_OK) return ecc_try_status;                                       \
    } while (0)

#endif
