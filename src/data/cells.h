/* cells.h: cells of a table written as text. */
#ifndef ECC_DATA_CELLS_H
#define ECC_DATA_CELLS_H

#include <stdio.h>

/* Writes a cell, in quotes where it needs them: with a comma, a semicolon, a quote, a line end, or
 * blanks around it. */
void ecc_cell_put(FILE *out, const char *text);

#endif
