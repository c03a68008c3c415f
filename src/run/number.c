/* number.c: numbers as text that reads back as the same number. */
#include "run/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *ecc_format_number(char out[ECC_NUMBER_SIZE], double value)
{
    out[0] = '\0';
    for (int digits = 15; digits <= 17 && isfinite(value); digits++) {
        snprintf(out, ECC_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(out, NULL) == value) break;
    }
    return out;
}
