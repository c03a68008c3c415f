/* cells.c: cells of a table written as text. */
#include "data/cells.h"

#include <stdbool.h>
#include <string.h>

void ecc_cell_put(FILE *out, const char *text)
{
    const size_t length = strlen(text);
    const bool blanks = length > 0 && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1]));
    if (!blanks && text[strcspn(text, ",;\t\"\r\n")] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}
