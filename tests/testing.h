/* testing.h: what the unit tests share: cmocka, comparisons of floating-point results, random
 * latents. */
#ifndef ECC_TESTING_H
#define ECC_TESTING_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "eccentric.h"

/* Fails unless |actual - expected| <= tolerance * |expected|, or an absolute difference. */
void check_relative(double actual, double expected, double tolerance, const char *what);
void check_absolute(double actual, double expected, double tolerance, const char *what);

/* Fails, printing the sentence, unless the call succeeded. */
#define check_ok(call)                                                                             \
    do {                                                                                           \
        if ((call) != ECC_OK) fail_msg("%s: %s", #call, testing_error.text);                       \
    } while (0)

/* Fails unless the call returned this status with a sentence that contains these words. */
void check_fails(enum ecc_status actual, enum ecc_status expected, const char *words);

/* The error object that the macros look at; pass &testing_error to the function under test. */
extern struct ecc_error testing_error;

/* A temporary directory for this test program, removed at exit; and a path in it. */
const char *testing_path(const char *name);

#endif
