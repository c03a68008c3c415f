/* encoding.c: text of a file as UTF-8, whatever it was saved as. */
#include "data/encoding.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- What it is ----------------------------------------------------------------------------- */

enum wide { NARROW = 0, LITTLE, BIG };

/* UTF-16 by its mark, or because every other byte is 0 in most of the first characters. */
static enum wide find_wide(const unsigned char *bytes, size_t size)
{
    enum { LOOKED_AT = 4096 };
    if (size >= 2 && bytes[0] == 0xff && bytes[1] == 0xfe) return LITTLE;
    if (size >= 2 && bytes[0] == 0xfe && bytes[1] == 0xff) return BIG;
    const size_t pairs = (size < LOOKED_AT ? size : LOOKED_AT) / 2;
    size_t first = 0, second = 0;
    for (size_t i = 0; i < pairs; i++) {
        first += bytes[2 * i] == 0;
        second += bytes[2 * i + 1] == 0;
    }
    if (pairs < 2 || (first > 0) == (second > 0)) return NARROW;
    if (10 * second >= 7 * pairs) return LITTLE;
    return 10 * first >= 7 * pairs ? BIG : NARROW;
}

bool ecc_bytes_are_wide(const unsigned char *bytes, size_t size)
{
    return find_wide(bytes, size) != NARROW;
}

/* text[size] is 0, so that a character cut off at the end is seen. */
static bool is_utf8(const char *text, size_t size)
{
    const char *at = text, *const end = text + size;
    while (at < end) {
        uint64_t eight;
        while (end - at >= 8) { /* plain ASCII, eight bytes at a time */
            memcpy(&eight, at, 8);
            if (eight & UINT64_C(0x8080808080808080)) break;
            at += 8;
        }
        if (at >= end) break;
        const size_t length = ecc_utf8_length(at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

/* ---- To UTF-8 ------------------------------------------------------------------------------- */

/* Returns how many bytes it wrote, at most 4. */
static size_t put_character(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    const size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; c >>= 6) {
        out[i] = (char)(0x80 | (c & 0x3f));
    }
    out[0] = (char)(marks[length] | c);
    return length;
}

static uint32_t unit(const unsigned char *at, enum wide order)
{
    return order == LITTLE ? (uint32_t)(at[0] | at[1] << 8) : (uint32_t)(at[0] << 8 | at[1]);
}

static size_t from_wide(char *out, const unsigned char *bytes, size_t size, enum wide order)
{
    size_t used = 0;
    for (size_t i = 0; i + 1 < size; i += 2) {
        uint32_t c = unit(bytes + i, order);
        if (c == 0xfeff && i == 0) continue;
        if (c >= 0xd800 && c < 0xe000) { /* half of a pair */
            const uint32_t next = i + 3 < size ? unit(bytes + i + 2, order) : 0;
            const bool pair = c < 0xdc00 && next >= 0xdc00 && next < 0xe000;
            c = pair ? 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00) : 0xfffd;
            i += pair ? 2 : 0;
        }
        used += put_character(out + used, c);
    }
    return used;
}

static size_t from_windows(char *out, const unsigned char *bytes, size_t size)
{
    /* 0x80 to 0x9f; the rest is Latin-1, and that is the start of Unicode */
    static const uint16_t own[32] = {
        0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
        0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd, 0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178};
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        const uint32_t c = bytes[i];
        used += put_character(out + used, c >= 0x80 && c < 0xa0 ? own[c - 0x80] : c);
    }
    return used;
}

static enum ecc_status convert(struct ecc_plain_text *out, unsigned char *bytes, size_t size,
                               enum wide order, struct ecc_error *error)
{
    /* at most three bytes for two, or for one */
    const size_t room = order ? size / 2 * 3 + 1 : size <= SIZE_MAX / 3 - 1 ? size * 3 + 1 : 0;
    out->text = room ? malloc(room) : NULL;
    if (out->text) {
        out->encoding = order ? "UTF-16" : "Windows-1252";
        out->size =
            order ? from_wide(out->text, bytes, size, order) : from_windows(out->text, bytes, size);
        char *const smaller = realloc(out->text, out->size + 1);
        if (smaller) out->text = smaller;
    }
    free(bytes);
    return out->text ? ECC_OK : ecc_fail_memory(error, "the text of a table");
}

enum ecc_status ecc_plain_text_init(struct ecc_plain_text *out, unsigned char *bytes, size_t size,
                                    struct ecc_error *error)
{
    *out = (struct ecc_plain_text){0};
    const enum wide order = find_wide(bytes, size);
    if (order) return convert(out, bytes, size, order, error);
    char *const text = realloc(bytes, size + 1);
    if (!text) {
        free(bytes);
        return ecc_fail_memory(error, "the text of a table");
    }
    text[size] = '\0';
    if (!is_utf8(text, size)) {
        return convert(out, (unsigned char *)text, size, NARROW, error);
    }
    *out = (struct ecc_plain_text){.text = text, .size = size};
    return ECC_OK;
}
