/* arguments.h: the theory's checks of its arguments. */
#ifndef ECC_THEORY_ARGUMENTS_H
#define ECC_THEORY_ARGUMENTS_H

#include "base/status.h"

/* d >= 2; and a finite mu > 1/2. */
enum ecc_status ecc_theory_check_d(size_t d, struct ecc_error *error);
enum ecc_status ecc_theory_check_d_mu(size_t d, double mu, struct ecc_error *error);

/* "step is -1, expected a positive number"; NaN and infinity fail, too. */
enum ecc_status ecc_theory_check_positive(const char *name, double value, struct ecc_error *error);

#endif
