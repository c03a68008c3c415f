/*
 * terminal.h: printf for terminals.  Text that comes from outside, such as labels, names of files
 * and columns, may hold characters that a terminal obeys: they could move the cursor, change its
 * title or type for the user.  Here every text that %s or %c brings in is harmless.
 *
 * Commands print with these functions only (scripts/include_order.sh checks it).
 */
#ifndef ECC_BASE_TERMINAL_H
#define ECC_BASE_TERMINAL_H

#include <stdio.h>

/* printf and fprintf, but in the texts of %s and %c control characters, line ends among them, and
 * bytes that are not UTF-8 become '?'.  The format itself is printed as it is.  Knows d, i, u, x,
 * c, s, e, f, g with flags, width and precision, and the lengths l, ll and z. */
void ecc_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void ecc_print_to(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* From now on ecc_print goes to standard error: a result is written to standard output itself. */
void ecc_print_aside(void);
/* Where ecc_print goes. */
FILE *ecc_print_stream(void);

/* Text of several lines: line ends and tabs stay, other control characters become '?'. */
void ecc_print_lines(FILE *stream, const char *text);

#endif
