/* text_cell.c: text and numbers in the columns of a terminal: characters of Chinese and the like
 * take two, combining marks none. */
#include "base/text.h"

#include <math.h>
#include <string.h>

uint32_t ecc_utf8_code(const char *text, size_t length)
{
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const unsigned char *const at = (const unsigned char *)text;
    uint32_t code = at[0] & masks[length];
    for (size_t i = 1; i < length; i++) code = code << 6 | (at[i] & 0x3fU);
    return code;
}

struct range {
    uint32_t first, last;
};

static bool is_in(uint32_t code, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (code >= ranges[i].first && code <= ranges[i].last) return true;
    }
    return false;
}

/* The large blocks of East Asian Width W and F, and of combining marks and marks without width. */
static int width_of_code(uint32_t code)
{
    static const struct range wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                                        {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                                        {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                                        {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd}};
    static const struct range none[] = {{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd},
                                        {0x064b, 0x065f}, {0x1ab0, 0x1aff}, {0x200b, 0x200f},
                                        {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    if (is_in(code, none, sizeof none / sizeof none[0])) return 0;
    return is_in(code, wide, sizeof wide / sizeof wide[0]) ? 2 : 1;
}

/* The character at the start of text: its width; *length: in bytes; *odd: shown as '?'. */
static int next_width(const char *text, size_t *length, bool *odd)
{
    *length = ecc_harmless_length(text, strnlen(text, 4));
    *odd = *length == 0;
    if (*odd) *length = 1;
    return *odd ? 1 : width_of_code(ecc_utf8_code(text, *length));
}

int ecc_cell_width(const char *text)
{
    int width = 0;
    size_t length;
    bool odd;
    for (; *text; text += length) width += next_width(text, &length, &odd);
    return width;
}

/* As much of text as fits in `width` columns and `room` bytes; *shown: its columns.  Returns its
 * bytes. */
static size_t put_start(char *out, const char *text, int width, size_t room, int *shown)
{
    size_t used = 0, length;
    bool odd;
    *shown = 0;
    for (; *text; text += length) {
        const int own = next_width(text, &length, &odd);
        const size_t bytes = odd ? 1 : length;
        if (*shown + own > width || used + bytes > room) break;
        if (odd) {
            out[used] = '?';
        } else {
            memcpy(out + used, text, length);
        }
        used += bytes;
        *shown += own;
    }
    return used;
}

const char *ecc_cell_fit(char out[ECC_FIT_SIZE], const char *text, int width)
{
    const int columns = width < 0 ? -width : width,
              most = columns < ECC_FIT_MOST ? columns : ECC_FIT_MOST;
    const bool cut = ecc_cell_width(text) > most && most > 3;
    char start[ECC_FIT_SIZE];
    int shown;
    size_t used =
        put_start(start, text, cut ? most - 3 : most, ECC_FIT_SIZE - ECC_FIT_MOST - 4, &shown);
    if (cut) {
        memcpy(start + used, "...", 3);
        used += 3;
        shown += 3;
    }
    start[used] = '\0';
    const int spare = most - shown;
    snprintf(out, ECC_FIT_SIZE, "%*s%s%*s", width < 0 ? spare : 0, "", start, width < 0 ? 0 : spare,
             "");
    return out;
}

const char *ecc_plain_number(char out[ECC_PLAIN_SIZE], double value, int digits)
{
    const bool large = fabs(value) >= pow(10, digits) && fabs(value) < 1e12;
    if (large) {
        snprintf(out, ECC_PLAIN_SIZE, "%.0f", value);
    } else {
        snprintf(out, ECC_PLAIN_SIZE, "%.*g", digits, value);
    }
    return out;
}
