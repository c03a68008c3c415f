/* number.h: numbers as text that reads back as the same number. */
#ifndef ECC_RUN_NUMBER_H
#define ECC_RUN_NUMBER_H

enum { ECC_NUMBER_SIZE = 32 };

/* The shortest decimal of 15 to 17 digits that reads back as the same double, for JSON and CSV;
 * empty for NaN and infinity.  Returns out. */
const char *ecc_format_number(char out[ECC_NUMBER_SIZE], double value);

#endif
