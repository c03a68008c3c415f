/*
 * npy_header.c: the header of a .npy file, a Python dict literal in a small binary frame.
 *
 *   \x93NUMPY, version, length of the rest (2 bytes in version 1, 4 bytes since), then
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (60000, 8), }   and blanks, and a newline
 *
 * The parser is strict about what it reads (three keys, each once) and tolerant of how it is
 * written: any order of keys, any blanks, either kind of quotes, trailing commas, Python 2's 3L.
 */
#include "base/npy.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC = 6 };

static const bool big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

/* ---- The frame ------------------------------------------------------------------------------ */

static enum ecc_status check_magic(const unsigned char *bytes, size_t size, const char *name,
                                   struct ecc_error *error)
{
    char file[ECC_PATH_SIZE], found[ECC_QUOTE_SIZE];
    ecc_quote_path(file, name);
    if (size == 0) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is empty, expected a NumPy array (.npy)", file);
    }
    const size_t known = size < MAGIC ? size : MAGIC;
    if (memcmp(bytes, magic, known) != 0) {
        const bool zip = size >= 4 && memcmp(bytes, "PK\x03\x04", 4) == 0;
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s is not a NumPy array: it starts with %s, expected '\\x93NUMPY'%s", file,
                        ecc_quote(found, bytes, known),
                        zip ? " (an .npz or other zip archive?)" : "");
    }
    if (size < 10) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s ends after %zu bytes, inside the header of a NumPy array", file, size);
    }
    return ECC_OK;
}

/* Version 1 has two bytes of length, 2 and 3 have four; *start is where the dict starts. */
static enum ecc_status read_frame(size_t *start, size_t *length, const unsigned char *bytes,
                                  size_t size, const char *name, struct ecc_error *error)
{
    char file[ECC_PATH_SIZE];
    ecc_quote_path(file, name);
    ECC_TRY(check_magic(bytes, size, name, error));
    const unsigned major = bytes[6], minor = bytes[7];
    if (major < 1 || major > 3 || minor != 0) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s, byte 6: .npy version %u.%u, expected 1.0, 2.0 or 3.0", file, major,
                        minor);
    }
    *start = major == 1 ? 10 : 12;
    if (size < *start) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s ends after %zu bytes, inside the header of a NumPy array", file, size);
    }
    uint32_t dict = (uint32_t)bytes[8] | (uint32_t)bytes[9] << 8;
    if (major > 1) dict |= (uint32_t)bytes[10] << 16 | (uint32_t)bytes[11] << 24;
    if (dict > ECC_NPY_MAX_HEADER) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s, byte 8: a header of %" PRIu32 " bytes, expected at most %d", file,
                        dict, ECC_NPY_MAX_HEADER);
    }
    *length = dict;
    return ECC_OK;
}

enum ecc_status ecc_npy_header_length(size_t *length, const unsigned char *bytes, size_t size,
                                      const char *name, struct ecc_error *error)
{
    size_t start, dict;
    ECC_TRY(read_frame(&start, &dict, bytes, size, name, error));
    *length = start + dict;
    return ECC_OK;
}

/* ---- The dict: a parser over bytes[at .. end) ------------------------------------------------ */

struct parser {
    const unsigned char *bytes;
    size_t at, end; /* offsets in the file */
    const char *name;
    struct ecc_error *error;
    struct ecc_npy_header *header;
    bool text_allowed;
};

/* "'z.npy', byte 23: expected a comma, found 'x'". */
static enum ecc_status expected(struct parser *p, const char *what)
{
    char file[ECC_PATH_SIZE], found[ECC_QUOTE_SIZE];
    if (p->at >= p->end) {
        return ecc_fail(p->error, ECC_BAD_DATA, "%s, byte %zu: expected %s, but the header ends",
                        ecc_quote_path(file, p->name), p->at, what);
    }
    return ecc_fail(p->error, ECC_BAD_DATA, "%s, byte %zu: expected %s, found %s",
                    ecc_quote_path(file, p->name), p->at, what,
                    ecc_quote(found, p->bytes + p->at, p->end - p->at));
}

static void skip_blanks(struct parser *p)
{
    while (p->at < p->end && p->bytes[p->at] && strchr(" \t\r\n", p->bytes[p->at])) {
        p->at++;
    }
}

/* Takes this character, after blanks, if it comes next. */
static bool take(struct parser *p, char character)
{
    skip_blanks(p);
    if (p->at >= p->end || p->bytes[p->at] != (unsigned char)character) return false;
    p->at++;
    return true;
}

static bool is_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_word(unsigned char byte)
{
    return is_digit(byte) || byte == '_' || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z');
}

/* A string without escapes; *text points into the file. */
static enum ecc_status parse_string(struct parser *p, const char **text, size_t *length,
                                    const char *what)
{
    skip_blanks(p);
    const size_t start = p->at + 1;
    const unsigned char quote = p->at < p->end ? p->bytes[p->at] : 0;
    if (quote != '\'' && quote != '"') return expected(p, what);
    for (size_t i = start; i < p->end; i++) {
        if (p->bytes[i] == quote) {
            *text = (const char *)p->bytes + start;
            *length = i - start;
            p->at = i + 1;
            return ECC_OK;
        }
        if (p->bytes[i] < 0x20 || p->bytes[i] == '\\') break;
    }
    return expected(p, what);
}

/* A whole number of Python: digits without leading zeros, with an L after them in Python 2. */
static enum ecc_status parse_number(struct parser *p, size_t *number)
{
    skip_blanks(p);
    size_t i = p->at, value = 0;
    for (; i < p->end && is_digit(p->bytes[i]); i++) {
        if (__builtin_mul_overflow(value, (size_t)10, &value) ||
            __builtin_add_overflow(value, (size_t)(p->bytes[i] - '0'), &value)) {
            return expected(p, "a dimension that fits in 64 bits");
        }
    }
    const bool leading_zero = i > p->at + 1 && p->bytes[p->at] == '0';
    if (i == p->at || leading_zero) return expected(p, "a whole number in 'shape'");
    if (i < p->end && p->bytes[i] == 'L') i++;
    if (i < p->end && is_word(p->bytes[i])) return expected(p, "a whole number in 'shape'");
    p->at = i;
    *number = value;
    return ECC_OK;
}

/* ---- The three values ----------------------------------------------------------------------- */

/* Types that are not read, and what to do before saving them; the last is any other. */
static const struct refused {
    const char *codes, *kind, *remedy;
} refused[] = {
    {"O", "Python objects", "; before saving, use np.stack(x) or x.astype(float), y.astype(str)"},
    {"SaU", "text", "; text can only be labels or names"},
    {"c", "complex numbers", "; save their parts or np.abs(x)"},
    {"V[(", "structures", "; save the fields as columns"},
    {"Mm", "dates and times", "; save x.astype('i8')"},
    {"", "not supported", ""},
};

static enum ecc_status refuse_type(struct parser *p, size_t at, size_t length, char code)
{
    char file[ECC_PATH_SIZE], found[ECC_QUOTE_SIZE];
    const struct refused *r = refused;
    while (*r->codes && (code == '\0' || !strchr(r->codes, code))) r++;
    return ecc_fail(p->error, ECC_BAD_DATA,
                    "%s, byte %zu: items of type %s ('descr') are %s, expected f2, f4, f8, i1, i2, "
                    "i4, i8, u1, u2, u4, u8 or b1 with byte order < or >%s",
                    ecc_quote_path(file, p->name), at, ecc_quote(found, p->bytes + at, length),
                    r->kind, r->remedy);
}

/* "U5" or "S5": the number of characters; false if it is neither, or has none. */
static bool read_text_code(struct ecc_npy_header *header, const char *code, size_t length)
{
    const bool wide = length > 1 && code[0] == 'U', bytes = length > 1 && strchr("Sa", code[0]);
    size_t value = 0;
    for (size_t i = 1; i < length && (wide || bytes); i++) {
        if (!is_digit((unsigned char)code[i]) || value > SIZE_MAX / 100) return false;
        value = 10 * value + (size_t)(code[i] - '0');
    }
    if (value == 0) return false;
    header->dtype = wide ? ECC_U4 : ECC_U1;
    header->text = value;
    return true;
}

/* "<f4": byte order, kind, size.  "=" and nothing mean this machine's order. */
static enum ecc_status parse_descr(struct parser *p)
{
    skip_blanks(p);
    const size_t at = p->at;
    if (at < p->end && (p->bytes[at] == '[' || p->bytes[at] == '(')) {
        return refuse_type(p, at, p->end - at, '[');
    }
    const char *text;
    size_t length;
    ECC_TRY(parse_string(p, &text, &length, "the type of the items ('descr'), such as '<f4'"));
    char order = '=';
    size_t skip = 0;
    if (length > 0 && strchr("<>=|", text[0])) {
        order = text[0]; /* not the terminator, which strchr also finds: strings have none */
        skip = 1;
    }
    enum ecc_dtype *dtype = &p->header->dtype;
    if (!(p->text_allowed && read_text_code(p->header, text + skip, length - skip)) &&
        (!ecc_dtype_from_code(dtype, text + skip, length - skip) ||
         (order == '|' && ecc_dtype_size(*dtype) > 1))) {
        return refuse_type(p, at + 1, length, length > skip ? text[skip] : '\0');
    }
    p->header->swapped = ecc_dtype_size(*dtype) > 1 && order == (big_endian ? '<' : '>');
    return ECC_OK;
}

static enum ecc_status parse_order(struct parser *p)
{
    skip_blanks(p);
    const size_t left = p->end - p->at;
    const unsigned char *text = p->bytes + p->at;
    const bool yes = left > 4 && memcmp(text, "True", 4) == 0 && !is_word(text[4]);
    const bool no = left > 5 && memcmp(text, "False", 5) == 0 && !is_word(text[5]);
    if (!yes && !no) return expected(p, "True or False for 'fortran_order'");
    p->header->fortran = yes;
    p->at += yes ? 4 : 5;
    return ECC_OK;
}

/* (), (3,), (3, 4), (3, 4,); but (3) is not a tuple. */
static enum ecc_status parse_shape(struct parser *p)
{
    struct ecc_npy_header *header = p->header;
    header->rank = 0;
    if (!take(p, '(')) return expected(p, "a tuple such as (60000, 8) for 'shape'");
    bool comma = true;
    while (!take(p, ')')) {
        if (!comma) return expected(p, "a comma or ')' in 'shape'");
        if (header->rank == ECC_NPY_MAX_RANK) return expected(p, "at most 32 dimensions");
        ECC_TRY(parse_number(p, &header->shape[header->rank++]));
        comma = take(p, ',');
        if (!comma && header->rank == 1) return expected(p, "a comma in 'shape'");
    }
    return ECC_OK;
}

static const struct {
    const char *key;
    enum ecc_status (*parse)(struct parser *p);
} values[] = {
    {"descr", parse_descr},
    {"fortran_order", parse_order},
    {"shape", parse_shape},
};
enum { VALUES = sizeof values / sizeof values[0] };

/* One "key: value"; seen[] tells which keys have occurred. */
static enum ecc_status parse_entry(struct parser *p, bool seen[VALUES])
{
    static const char keys[] = "one of the keys 'descr', 'fortran_order' and 'shape', each once";
    const char *key = "";
    size_t length = 0, which = 0;
    skip_blanks(p);
    const size_t at = p->at;
    ECC_TRY(parse_string(p, &key, &length, keys));
    while (which < VALUES &&
           (strlen(values[which].key) != length || memcmp(values[which].key, key, length) != 0)) {
        which++;
    }
    if (which == VALUES || seen[which]) {
        p->at = at;
        return expected(p, keys);
    }
    seen[which] = true;
    if (!take(p, ':')) return expected(p, "a colon after the key");
    return values[which].parse(p);
}

static enum ecc_status parse_dict(struct parser *p)
{
    bool seen[VALUES] = {false}, comma = true;
    char file[ECC_PATH_SIZE];
    if (!take(p, '{')) return expected(p, "a header that starts with '{'");
    while (!take(p, '}')) {
        if (!comma) return expected(p, "a comma or '}' in the header");
        ECC_TRY(parse_entry(p, seen));
        comma = take(p, ',');
    }
    skip_blanks(p);
    if (p->at < p->end) return expected(p, "nothing but blanks after the header's '}'");
    for (size_t i = 0; i < VALUES; i++) {
        if (!seen[i]) {
            return ecc_fail(p->error, ECC_BAD_DATA, "%s: the header lacks the key '%s'",
                            ecc_quote_path(file, p->name), values[i].key);
        }
    }
    return ECC_OK;
}

/* The characters of text as another dimension, which is never scattered. */
static enum ecc_status add_characters(struct ecc_npy_header *header, const char *name,
                                      struct ecc_error *error)
{
    char file[ECC_PATH_SIZE], shape[ECC_SHAPE_TEXT];
    if (header->rank < 2) header->fortran = false;
    if (header->rank < ECC_NPY_MAX_RANK && !header->fortran) {
        header->shape[header->rank++] = header->text;
        return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_DATA, "%s: text of shape %s%s cannot be read",
                    ecc_quote_path(file, name), ecc_shape_text(shape, header->shape, header->rank),
                    header->fortran ? " in Fortran order" : "");
}

/* Dimensions of 0 count as 1 here, so that no product of some of them can overflow either. */
static enum ecc_status measure(struct ecc_npy_header *header, const char *name,
                               struct ecc_error *error)
{
    char file[ECC_PATH_SIZE], shape[ECC_SHAPE_TEXT];
    size_t bytes = ecc_dtype_size(header->dtype);
    bool empty = false;
    for (size_t i = 0; i < header->rank; i++) {
        empty |= header->shape[i] == 0;
        const size_t length = header->shape[i] ? header->shape[i] : 1;
        /* Half the address space: differences of pointers and file offsets are signed. */
        if (__builtin_mul_overflow(bytes, length, &bytes) || bytes > SIZE_MAX / 2) {
            return ecc_fail(error, ECC_BAD_DATA, "%s: shape %s of %s is too large to address",
                            ecc_quote_path(file, name),
                            ecc_shape_text(shape, header->shape, header->rank),
                            ecc_dtype_name(header->dtype));
        }
    }
    header->bytes = empty ? 0 : bytes;
    header->count = header->bytes / ecc_dtype_size(header->dtype);
    if (header->rank < 2) header->fortran = false;
    return ECC_OK;
}

static enum ecc_status parse(struct ecc_npy_header *header, bool text_allowed,
                             const unsigned char *bytes, size_t size, const char *name,
                             struct ecc_error *error)
{
    char file[ECC_PATH_SIZE];
    size_t start, length;
    *header = (struct ecc_npy_header){0};
    ECC_TRY(read_frame(&start, &length, bytes, size, name, error));
    if (size - start < length) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s ends after %zu bytes, inside its header of %zu bytes",
                        ecc_quote_path(file, name), size, start + length);
    }
    struct parser p = {bytes, start, start + length, name, error, header, text_allowed};
    ECC_TRY(parse_dict(&p));
    header->offset = start + length;
    if (header->text) ECC_TRY(add_characters(header, name, error));
    return measure(header, name, error);
}

enum ecc_status ecc_npy_parse(struct ecc_npy_header *header, const unsigned char *bytes,
                              size_t size, const char *name, struct ecc_error *error)
{
    return parse(header, false, bytes, size, name, error);
}

enum ecc_status ecc_npy_parse_any(struct ecc_npy_header *header, const unsigned char *bytes,
                                  size_t size, const char *name, struct ecc_error *error)
{
    return parse(header, true, bytes, size, name, error);
}

size_t ecc_npy_announced(const unsigned char *head, size_t size)
{
    struct ecc_npy_header header;
    size_t total;
    if (ecc_npy_parse_any(&header, head, size, "", NULL) != ECC_OK) return 0;
    return __builtin_add_overflow(header.offset, header.bytes, &total) ? 0 : total;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static size_t format(unsigned char out[ECC_NPY_HEADER_SIZE], const char *type, size_t rank,
                     const size_t *shape)
{
    char *dict = (char *)out + 10;
    int used = sprintf(dict, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
    int spare = 0; /* room for the first dimension to grow to 20 digits: see the stream writer */
    for (size_t i = 0; i < rank; i++) {
        const int digits = sprintf(dict + used, "%zu", shape[i]);
        if (i == 0) spare = 20 - digits;
        used += digits;
        if (rank == 1 || i + 1 < rank) used += sprintf(dict + used, rank == 1 ? "," : ", ");
    }
    used += sprintf(dict + used, "), }");
    const size_t least = 10 + (size_t)(used + spare) + 1, total = (least + 63) / 64 * 64;
    memcpy(out, magic, MAGIC);
    out[6] = 1, out[7] = 0;
    out[8] = (unsigned char)((total - 10) & 255), out[9] = (unsigned char)((total - 10) >> 8);
    memset(dict + used, ' ', total - 10 - (size_t)used - 1);
    out[total - 1] = '\n';
    return total;
}

size_t ecc_npy_format(unsigned char out[ECC_NPY_HEADER_SIZE], enum ecc_dtype dtype, size_t rank,
                      const size_t *shape)
{
    char type[8];
    const char order = ecc_dtype_size(dtype) == 1 ? '|' : big_endian ? '>' : '<';
    snprintf(type, sizeof type, "%c%s", order, ecc_dtype_code(dtype));
    return format(out, type, rank, shape);
}

size_t ecc_npy_format_texts(unsigned char out[ECC_NPY_HEADER_SIZE], size_t width, size_t count)
{
    char type[32];
    snprintf(type, sizeof type, "%cU%zu", big_endian ? '>' : '<', width);
    return format(out, type, 1, &count);
}

const char *ecc_shape_text(char out[ECC_SHAPE_TEXT], const size_t *shape, size_t rank)
{
    size_t used = 1;
    strcpy(out, "(");
    for (size_t i = 0; i < rank; i++) {
        if (used + 32 > ECC_SHAPE_TEXT) {
            strcpy(out + used, "...)");
            return out;
        }
        const char *after = rank == 1 ? "," : i + 1 < rank ? ", " : "";
        used += (size_t)sprintf(out + used, "%zu%s", shape[i], after);
    }
    strcpy(out + used, ")");
    return out;
}
