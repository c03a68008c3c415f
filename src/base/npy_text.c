/* npy_text.c: NumPy's arrays of text: characters of fixed width, filled up with zeros. */
#include "base/npy.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 4 }; /* of a character in UTF-8 */

/* What is not a character becomes U+FFFD. */
static size_t put_utf8(char *out, uint32_t c)
{
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = 0xfffd;
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    const size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(first[length] | c);
    return length;
}

/* One item: [width] characters, of which those at the end may be 0; NULL without memory. */
static char *make_text(const unsigned char *item, enum ecc_dtype dtype, size_t width)
{
    const size_t size = ecc_dtype_size(dtype);
    while (width > 0) {
        static const unsigned char zero[4] = {0};
        if (memcmp(item + (width - 1) * size, zero, size) != 0) break;
        width--;
    }
    char *const text = malloc(width * (dtype == ECC_U4 ? MOST_BYTES : 1) + 1);
    size_t used = 0;
    for (size_t i = 0; text && i < width; i++) {
        uint32_t c = item[i];
        if (dtype == ECC_U4) memcpy(&c, item + i * size, sizeof c);
        if (c == 0) c = ' ';
        used += dtype == ECC_U4 ? put_utf8(text + used, c) : (size_t)(text[used] = (char)c, 1);
    }
    if (!text) return NULL;
    text[used] = '\0';
    if (dtype != ECC_U4) ecc_utf8_repair(text);
    return text;
}

enum ecc_status ecc_npy_make_texts(struct ecc_npy_any *any, struct ecc_error *error)
{
    struct ecc_array *const a = &any->array;
    const size_t width = a->shape[--a->rank], item = width * ecc_dtype_size(a->dtype);
    a->count /= width;
    any->texts = calloc(a->count + 1, sizeof *any->texts);
    bool complete = any->texts;
    for (size_t i = 0; complete && i < a->count; i++) {
        any->texts[i] = make_text((const unsigned char *)a->data + i * item, a->dtype, width);
        complete = any->texts[i];
    }
    free(a->data);
    a->data = NULL;
    return complete ? ECC_OK : ecc_fail_memory(error, "an array of text");
}

void ecc_npy_any_release(struct ecc_npy_any *any)
{
    ecc_free_texts(any->texts, any->array.count);
    ecc_array_release(&any->array);
    *any = (struct ecc_npy_any){0};
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* The next character of UTF-8 text, which is not empty; a byte that is not UTF-8 becomes U+FFFD. */
static uint32_t next_character(const char **text)
{
    const unsigned char *const at = (const unsigned char *)*text;
    const size_t length = ecc_utf8_length(*text);
    *text += length ? length : 1;
    if (length == 0) return 0xfffd;
    uint32_t c = length == 1 ? at[0] : at[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) c = c << 6 | (at[i] & 0x3fu);
    return c;
}

enum ecc_status ecc_npy_from_texts(uint32_t **characters, size_t *width, const char *const *texts,
                                   size_t count, struct ecc_error *error)
{
    *width = 1; /* NumPy has no texts of width 0 */
    for (size_t i = 0; i < count; i++) {
        size_t length = 0;
        for (const char *at = texts[i]; *at; length++) next_character(&at);
        if (length > *width) *width = length;
    }
    *characters = count < SIZE_MAX / sizeof **characters / *width - 1
                      ? calloc(count * *width + 1, sizeof **characters)
                      : NULL;
    if (!*characters) return ecc_fail_memory(error, "an array of text");
    for (size_t i = 0; i < count; i++) {
        uint32_t *out = *characters + i * *width;
        for (const char *at = texts[i]; *at;) *out++ = next_character(&at);
    }
    return ECC_OK;
}
