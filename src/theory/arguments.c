/* arguments.c: the theory's checks of its arguments. */
#include "theory/arguments.h"

#include <math.h>

enum ecc_status ecc_theory_check_d(size_t d, struct ecc_error *error)
{
    if (d < 2) return ecc_fail(error, ECC_BAD_ARGUMENT, "d is %zu, expected at least 2", d);
    return ECC_OK;
}

enum ecc_status ecc_theory_check_d_mu(size_t d, double mu, struct ecc_error *error)
{
    ECC_TRY(ecc_theory_check_d(d, error));
    if (!(mu > 0.5) || isinf(mu)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "mu is %.10g, expected a number above 1/2", mu);
    }
    return ECC_OK;
}

enum ecc_status ecc_theory_check_positive(const char *name, double value, struct ecc_error *error)
{
    if (!(value > 0) || isinf(value)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s is %.10g, expected a positive number", name,
                        value);
    }
    return ECC_OK;
}
