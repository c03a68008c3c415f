/* status.h: how functions of the library report failure: a status, and one sentence for the user.
 */
#ifndef ECC_BASE_STATUS_H
#define ECC_BASE_STATUS_H

#include "eccentric.h"

/* Fills `error` (may be NULL) with a formatted sentence. */
void ecc_set_error(struct ecc_error *error, enum ecc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports errno, as in "cannot open 'x.npy': No such file or directory".  Returns whether it was
 * for lack of memory. */
bool ecc_set_error_errno(struct ecc_error *error, const char *operation, const char *path);

/* The same as an expression with the status as its value, for `return`.  Macros, so that compilers
 * and analysers see that a failure is never ECC_OK. */
#define ecc_fail(error, status, ...) (ecc_set_error((error), (status), __VA_ARGS__), (status))
#define ecc_fail_memory(error, what) ecc_fail((error), ECC_NO_MEMORY, "out of memory for %s", what)
#define ecc_fail_errno(error, operation, path)                                                     \
    (ecc_set_error_errno((error), (operation), (path)) ? ECC_NO_MEMORY : ECC_IO)

/* Returns from the caller when a call fails; for functions that hold nothing to release. */
#define ECC_TRY(call)                                                                              \
    do {                                                                                           \
        enum ecc_status ecc_try_status = (call);                                                   \
        if (ecc_try_status != ECC_OK) return ecc_try_status;                                       \
    } while (0)

#endif
