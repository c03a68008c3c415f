/* test_npy.c: .npy files of every type, order and version; and every way in which they can be
 * wrong. */
#include "testing.h"

#include "base/npy.h"

#include <sys/stat.h>
#include <unistd.h>

/* ---- Files made by hand --------------------------------------------------------------------- */

struct made {
    unsigned char bytes[70000];
    size_t size;
};

/* A header of this version around this dict, as it stands. */
static void make_header(struct made *file, unsigned version, const char *dict, size_t length)
{
    memcpy(file->bytes, "\x93NUMPY", 6);
    file->bytes[6] = (unsigned char)version;
    file->bytes[7] = 0;
    const size_t start = version == 1 ? 10 : 12;
    for (size_t i = 8; i < start; i++) {
        file->bytes[i] = (unsigned char)(length >> (8 * (i - 8)));
    }
    memcpy(file->bytes + start, dict, length);
    file->size = start + length;
}

static void add_bytes(struct made *file, const void *bytes, size_t size)
{
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static const char *save(const struct made *file, const char *name)
{
    const char *path = testing_path(name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(file->bytes, 1, file->size, stream), file->size);
    assert_int_equal(fclose(stream), 0);
    return path;
}

/* ---- Every type, byte order, storage order, version ------------------------------------------ */

static const bool big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

/* Item number `value` of a type, in native byte order. */
static void put_item(unsigned char *out, enum ecc_dtype dtype, int value)
{
    static const uint16_t halves[6] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500}; /* 0 .. 5 */
    const float f4 = (float)value;
    const double f8 = value;
    const uint64_t whole = (uint64_t)value;
    const size_t size = ecc_dtype_size(dtype);
    if (dtype == ECC_F2) {
        memcpy(out, &halves[value], 2);
    } else if (dtype == ECC_F4) {
        memcpy(out, &f4, 4);
    } else if (dtype == ECC_F8) {
        memcpy(out, &f8, 8);
    } else {
        memcpy(out, (const unsigned char *)&whole + (big_endian ? 8 - size : 0), size);
    }
}

/* The array [[0, 1, 2], [3, 4, 5]]. */
static void make_array(struct made *file, unsigned version, enum ecc_dtype dtype, bool swapped,
                       bool fortran)
{
    const size_t size = ecc_dtype_size(dtype);
    char dict[200];
    snprintf(dict, sizeof dict, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (2, 3), }\n",
             size == 1              ? '|'
             : swapped ^ big_endian ? '>'
                                    : '<',
             ecc_dtype_code(dtype), fortran ? "True" : "False");
    make_header(file, version, dict, strlen(dict));
    for (int i = 0; i < 6; i++) {
        const int value = fortran ? i % 2 * 3 + i / 2 : i;
        unsigned char item[8];
        put_item(item, dtype, dtype == ECC_B1 ? value % 2 : value);
        if (swapped) ecc_swap_bytes(item, size, 1);
        add_bytes(file, item, size);
    }
}

static void check_array(const struct made *file, enum ecc_dtype dtype)
{
    struct ecc_array array, again;
    check_ok(ecc_npy_decode(&array, file->bytes, file->size, "memory", &testing_error));
    assert_true(array.dtype == dtype && array.rank == 2 && array.count == 6);
    assert_true(array.shape[0] == 2 && array.shape[1] == 3);
    for (int i = 0; i < 6; i++) {
        unsigned char item[8];
        put_item(item, dtype, dtype == ECC_B1 ? i % 2 : i);
        const size_t size = ecc_dtype_size(dtype);
        assert_memory_equal((unsigned char *)array.data + (size_t)i * size, item, size);
    }
    check_ok(ecc_npy_read(&again, save(file, "array.npy"), &testing_error));
    assert_memory_equal(array.data, again.data, 6 * ecc_dtype_size(dtype));
    ecc_array_release(&again);
    ecc_array_release(&array);
}

static void check_floats(const struct made *file, enum ecc_dtype dtype)
{
    float *z;
    size_t n, d;
    check_ok(ecc_npy_read_f32(&z, &n, &d, save(file, "floats.npy"), &testing_error));
    assert_true(n == 2 && d == 3);
    for (int i = 0; i < 6; i++) {
        assert_true(z[i] == (float)(dtype == ECC_B1 ? i % 2 : i));
    }
    free(z);
}

static void reads_every_type_and_order(void **state)
{
    (void)state;
    static struct made file;
    for (int type = 0; type < ECC_DTYPE_COUNT; type++) {
        for (unsigned variant = 0; variant < 12; variant++) {
            const enum ecc_dtype dtype = (enum ecc_dtype)type;
            make_array(&file, 1 + variant / 4, dtype, variant & 1, variant & 2);
            check_array(&file, dtype);
            check_floats(&file, dtype);
        }
    }
}

static void writes_what_it_reads(void **state)
{
    (void)state;
    static struct made file;
    for (int type = 0; type < ECC_DTYPE_COUNT; type++) {
        struct ecc_array array, again;
        make_array(&file, 1, (enum ecc_dtype)type, false, false);
        check_ok(ecc_npy_decode(&array, file.bytes, file.size, "memory", &testing_error));
        const char *path = testing_path("written.npy");
        check_ok(ecc_npy_write(path, &array, &testing_error));
        check_ok(ecc_npy_read(&again, path, &testing_error));
        assert_true(again.dtype == array.dtype && again.rank == 2);
        assert_memory_equal(again.shape, array.shape, sizeof array.shape);
        assert_memory_equal(again.data, array.data, 6 * ecc_dtype_size(array.dtype));
        ecc_array_release(&array);
        ecc_array_release(&again);
    }
}

static void converts_extreme_numbers(void **state)
{
    (void)state;
    const uint16_t halves[] = {0x8000, 0x0001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x7c00, 0xfc00};
    const float expected[] = {-0.0F, 0x1p-24F, 0x3ffp-24F, 0x1p-14F,
                              65504, -65504,   INFINITY,   -INFINITY};
    float out[8];
    ecc_to_f32(out, halves, ECC_F2, 8);
    assert_memory_equal(out, expected, sizeof out);
    ecc_to_f32(out, &(uint16_t){0x7e00}, ECC_F2, 1);
    assert_true(isnan(out[0]));
    const int64_t wide[] = {INT64_MIN, INT64_MAX, -1};
    double f64[3];
    ecc_to_f64(f64, wide, ECC_I8, 3);
    assert_true(f64[0] == -0x1p63 && f64[1] == 0x1p63 && f64[2] == -1);
    ecc_to_f64(f64, &(uint64_t){UINT64_MAX}, ECC_U8, 1);
    assert_true(f64[0] == 0x1p64);
    ecc_to_f64(f64, &(int8_t){-128}, ECC_I1, 1);
    assert_true(f64[0] == -128);
}

/* Column-major in three dimensions: item (i, j, k) is at i + 2 (j + 3 k). */
static void fortran_order_in_three_dimensions(void **state)
{
    (void)state;
    static struct made file;
    const char dict[] = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4)}";
    make_header(&file, 1, dict, strlen(dict));
    for (unsigned char i = 0; i < 24; i++) {
        add_bytes(&file, &i, 1);
    }
    struct ecc_array array;
    check_ok(ecc_npy_decode(&array, file.bytes, file.size, "memory", &testing_error));
    for (unsigned i = 0; i < 24; i++) {
        const unsigned a = i / 12, b = i / 4 % 3, c = i % 4;
        assert_int_equal(((unsigned char *)array.data)[i], a + 2 * (b + 3 * c));
    }
    ecc_array_release(&array);
}

/* ---- Spellings of the header ----------------------------------------------------------------- */

static void tolerates_spellings(void **state)
{
    (void)state;
    static const char *const dicts[] = {
        "{'descr':'<f4','fortran_order':False,'shape':(2,3)}",
        "  {\n\t\"shape\" : ( 2L , 3 , ) , \"descr\" : \"<f4\" , \"fortran_order\" : False , }  \n",
        "{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4'}\r\n",
        "{'shape': (2L, 3L), 'fortran_order': False, 'descr': \"<f4\"}",
    };
    static struct made file;
    for (size_t i = 0; i < sizeof dicts / sizeof dicts[0]; i++) {
        struct ecc_npy_header header;
        make_header(&file, 1, dicts[i], strlen(dicts[i]));
        check_ok(ecc_npy_parse(&header, file.bytes, file.size, "memory", &testing_error));
        assert_true(header.dtype == ECC_F4 && header.swapped == big_endian && header.rank == 2);
        assert_true(header.shape[0] == 2 && header.shape[1] == 3 && header.bytes == 24);
        assert_int_equal(header.offset, file.size);
    }
}

static void native_byte_order_has_two_names(void **state)
{
    (void)state;
    static struct made file;
    static const char *const types[] = {"=f8", "f8"};
    for (size_t i = 0; i < 2; i++) {
        char dict[100];
        struct ecc_npy_header header;
        snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': True, 'shape': (3,)}",
                 types[i]);
        make_header(&file, 2, dict, strlen(dict));
        check_ok(ecc_npy_parse(&header, file.bytes, file.size, "memory", &testing_error));
        assert_true(header.dtype == ECC_F8 && !header.swapped && !header.fortran);
    }
}

static void a_long_header_is_read(void **state)
{
    (void)state;
    static struct made file;
    static char dict[66000];
    memset(dict, ' ', sizeof dict);
    memcpy(dict, "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), ", 56);
    dict[sizeof dict - 1] = '}';
    make_header(&file, 2, dict, sizeof dict);
    add_bytes(&file, "x", 1);
    struct ecc_array array;
    check_ok(ecc_npy_read(&array, save(&file, "long.npy"), &testing_error));
    assert_int_equal(*(char *)array.data, 'x');
    ecc_array_release(&array);
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void text_is_read_where_it_is_allowed(void **state)
{
    (void)state;
    static struct made file;
    static const char *const dict = "{'descr': '<U3', 'fortran_order': False, 'shape': (2, 1)}";
    static const uint32_t characters[] = {'a', 0xe9, 0x1f600, 0x9b5a, 0, 0};
    make_header(&file, 1, dict, strlen(dict));
    add_bytes(&file, characters, sizeof characters);
    struct ecc_npy_any any;
    check_ok(ecc_npy_decode_any(&any, file.bytes, file.size, "memory", &testing_error));
    assert_true(any.array.count == 2 && any.array.rank == 2 && any.array.shape[1] == 1);
    assert_string_equal(any.texts[0], "a\xc3\xa9\xf0\x9f\x98\x80");
    assert_string_equal(any.texts[1], "\xe9\xad\x9a");
    ecc_npy_any_release(&any);
    struct ecc_array array;
    check_fails(ecc_npy_decode(&array, file.bytes, file.size, "memory", &testing_error),
                ECC_BAD_DATA, "are text");
    for (size_t size = 0; size < file.size; size++) { /* cut off */
        check_fails(ecc_npy_decode_any(&any, file.bytes, size, "memory", &testing_error),
                    ECC_BAD_DATA, "'memory'");
    }
    static const char *const bytes_dict = "{'descr': 'S2', 'fortran_order': False, 'shape': (3,)}";
    make_header(&file, 1, bytes_dict, strlen(bytes_dict));
    add_bytes(&file, "ab\xff\0\0\0", 6); /* not UTF-8: '?' */
    check_ok(ecc_npy_decode_any(&any, file.bytes, file.size, "memory", &testing_error));
    assert_string_equal(any.texts[0], "ab");
    assert_string_equal(any.texts[1], "?");
    assert_string_equal(any.texts[2], "");
    ecc_npy_any_release(&any);
}

static void texts_are_written(void **state)
{
    (void)state;
    static const char *const texts[] = {"a\xc3\xa9\xf0\x9f\x98\x80", "", "\xe9\xad\x9a", "x\xff"};
    for (size_t count = 0; count <= 4; count++) {
        static struct made file;
        uint32_t *characters;
        size_t width;
        struct ecc_npy_any any;
        check_ok(ecc_npy_from_texts(&characters, &width, texts, count, &testing_error));
        assert_int_equal(width, count ? 3 : 1);
        file.size = ecc_npy_format_texts(file.bytes, width, count);
        add_bytes(&file, characters, count * width * sizeof *characters);
        free(characters);
        check_ok(ecc_npy_decode_any(&any, file.bytes, file.size, "memory", &testing_error));
        assert_true(any.array.count == count && any.array.rank == 1);
        for (size_t i = 0; i < count; i++) {
            assert_string_equal(any.texts[i], i == 3 ? "x\xef\xbf\xbd" : texts[i]);
        }
        ecc_npy_any_release(&any);
    }
}

static void odd_text_is_refused(void **state)
{
    (void)state;
    static struct made file;
    static const char *const dicts[] = {
        "{'descr': '<U0', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<U', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<U-3', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<U99999999999999999999', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<U4611686018427387904', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<U3', 'fortran_order': True, 'shape': (2, 2)}",
    };
    for (size_t i = 0; i < sizeof dicts / sizeof *dicts; i++) {
        struct ecc_npy_any any;
        make_header(&file, 1, dicts[i], strlen(dicts[i]));
        assert_int_equal(ecc_npy_decode_any(&any, file.bytes, file.size, "memory", &testing_error),
                         ECC_BAD_DATA);
        assert_null(any.texts);
    }
}

/* ---- What is refused ------------------------------------------------------------------------ */

static const struct {
    const char *dict, *words;
} refused[] = {
    {"", "but the header ends"},
    {"   \n", "but the header ends"},
    {"'descr'", "starts with '{', found ''descr''"},
    {"{", "one of the keys"},
    {"{}", "lacks the key 'descr'"},
    {"{'descr': '<f4', 'fortran_order': False}", "lacks the key 'shape'"},
    {"{'descr': '<f4', 'shape': (2, 3)}", "lacks the key 'fortran_order'"},
    {"{'descr': '<f4', 'descr': '<f4', 'shape': (2, 3)}", "byte 27: expected one of the keys"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'colour': 1}", "found ''colour'"},
    {"{descr: '<f4'}", "byte 11: expected one of the keys"},
    {"{'descr' '<f4'}", "a colon after the key"},
    {"{'descr': '<f4' 'shape': (1,)}", "a comma or '}'"},
    {"{'descr': '<f4', , 'shape': (1,)}", "one of the keys"},
    {"{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}", "'<f4, ' ('descr')"},
    {"{'descr': '<f4\n', 'fortran_order': False, 'shape': (1,)}", "the type of the items"},
    {"{'descr': 4, 'fortran_order': False, 'shape': (1,)}", "the type of the items"},
    {"{'descr': '', 'fortran_order': False, 'shape': (1,)}", "items of type ''"},
    {"{'descr': '<', 'fortran_order': False, 'shape': (1,)}", "items of type '<'"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "'|O' ('descr') are Python objects"},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "are complex numbers"},
    {"{'descr': '<U7', 'fortran_order': False, 'shape': (1,)}", "are text"},
    {"{'descr': '|S3', 'fortran_order': False, 'shape': (1,)}", "are text"},
    {"{'descr': '|V8', 'fortran_order': False, 'shape': (1,)}", "are structures"},
    {"{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (1,)}", "dates and times"},
    {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "are structures"},
    {"{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (1,)}", "are structures"},
    {"{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", "expected f2, f4, f8, i1"},
    {"{'descr': '|f4', 'fortran_order': False, 'shape': (1,)}", "byte order < or >"},
    {"{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "True or False"},
    {"{'descr': '<f4', 'fortran_order': Falsehood, 'shape': (1,)}", "True or False"},
    {"{'descr': '<f4', 'fortran_order': Tru", "True or False"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': [1]}", "a tuple such as"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': 3}", "a tuple such as"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", "a comma in 'shape'"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", "a whole number"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}", "a comma in 'shape'"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4 5)}", "a comma or ')'"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4", "but the header ends"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}", "a whole number"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3.5,)}", "a comma in 'shape'"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3e5,)}", "a whole number"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (03,)}", "a whole number"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (None,)}", "a whole number"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "64 bits"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "too large"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}", "too large"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296)}", "too large"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} import os", "nothing but blanks"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': "
     "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
     "at most 32 dimensions"},
};

static void refuses_malformed_headers(void **state)
{
    (void)state;
    static struct made file;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        for (unsigned version = 1; version <= 3; version += 2) {
            struct ecc_npy_header header;
            if (version == 3 && strstr(refused[i].words, "byte ")) continue; /* offsets differ */
            make_header(&file, version, refused[i].dict, strlen(refused[i].dict));
            check_fails(ecc_npy_parse(&header, file.bytes, file.size, "dir/z.npy", &testing_error),
                        ECC_BAD_DATA, refused[i].words);
            assert_memory_equal(testing_error.text, "'dir/z.npy'", 11);
        }
    }
}

/* Every beginning of a valid file is refused, with a sentence; nothing is read past its end. */
static void refuses_every_beginning_of_a_file(void **state)
{
    (void)state;
    static struct made file;
    make_array(&file, 2, ECC_F4, false, false);
    for (size_t size = 0; size < file.size; size++) {
        struct ecc_array array;
        unsigned char *part = malloc(size ? size : 1); /* its own block, for the sanitizer */
        assert_non_null(part);
        memcpy(part, file.bytes, size);
        testing_error.text[0] = '\0';
        check_fails(ecc_npy_decode(&array, part, size, "z.npy", &testing_error), ECC_BAD_DATA,
                    "'z.npy'");
        assert_null(array.data);
        free(part);
    }
}

static void refuses_other_frames(void **state)
{
    (void)state;
    static struct made file;
    struct ecc_npy_header header;
    static const struct {
        const char *bytes;
        size_t size;
        const char *words;
    } frames[] = {
        {"", 0, "is empty"},
        {"PK\x03\x04 zip archive", 15, "(an .npz or other zip archive?)"},
        {"\x1f\x8b\x08\0\0\0\0\0\0\0\0\0", 12, "starts with '\\x1f\\x8b\\x08\\x00"},
        {"\x93NUMPX\1\0\1\0{}", 12, "is not a NumPy array"},
        {"\x93NUM", 4, "ends after 4 bytes"},
        {"\x93NUMPY\4\0\1\0\0\0{", 13, "version 4.0, expected 1.0, 2.0 or 3.0"},
        {"\x93NUMPY\1\1\1\0{", 11, "version 1.1"},
        {"\x93NUMPY\2\0\1\0", 10, "ends after 10 bytes"},
        {"\x93NUMPY\2\0\xff\xff\xff\xff", 12, "a header of 4294967295 bytes, expected at most"},
        {"\x93NUMPY\1\0\xff\xff{}", 12, "inside its header of 65545 bytes"},
    };
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        memcpy(file.bytes, frames[i].bytes, frames[i].size);
        check_fails(ecc_npy_parse(&header, file.bytes, frames[i].size, "z.npy", &testing_error),
                    ECC_BAD_DATA, frames[i].words);
    }
}

/* With odd bytes and long names, a message is still complete and printable. */
static void messages_stay_readable(void **state)
{
    (void)state;
    static struct made file;
    static char dict[5000], name[2000];
    struct ecc_npy_header header;
    memset(dict, 'x', sizeof dict);
    memcpy(dict, "{'descr': '\x80 \xff", 14);
    dict[4999] = '\'';
    memset(name, 'n', sizeof name - 1);
    name[1900] = '\033';
    make_header(&file, 3, dict, sizeof dict);
    check_fails(ecc_npy_parse(&header, file.bytes, file.size, name, &testing_error), ECC_BAD_DATA,
                "\\x80 \\xff");
    assert_true(strstr(testing_error.text, "...'") && strstr(testing_error.text, "byte order"));
    assert_true(strlen(testing_error.text) < sizeof testing_error.text - 1);
    for (const char *c = testing_error.text; *c; c++) {
        assert_true(*c >= 0x20 && *c < 0x7f);
    }
}

static void refuses_files_that_are_too_short(void **state)
{
    (void)state;
    static struct made file;
    make_array(&file, 1, ECC_F8, false, false);
    file.size -= 5;
    struct ecc_array array;
    const char *path = save(&file, "short.npy");
    check_fails(ecc_npy_read(&array, path, &testing_error), ECC_BAD_DATA,
                "shape (2, 3) of float64 needs 48 bytes after the header, but only 43 are there");
    float *z;
    size_t n, d;
    check_fails(ecc_npy_read_f32(&z, &n, &d, path, &testing_error), ECC_BAD_DATA, "too short");

    /* A header that announces far more than the file holds is refused before any memory is
     * allocated. */
    const char dict[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 1000)}";
    make_header(&file, 1, dict, strlen(dict));
    check_fails(ecc_npy_read(&array, save(&file, "short.npy"), &testing_error), ECC_BAD_DATA,
                "but only 0 are there");
}

static void refuses_what_is_no_file(void **state)
{
    (void)state;
    struct ecc_array array;
    check_fails(ecc_npy_read(&array, testing_path("missing.npy"), &testing_error), ECC_IO,
                "No such file");
    const char *directory = testing_path("folder.npy");
    assert_int_equal(mkdir(directory, 0777), 0);
    check_fails(ecc_npy_read(&array, directory, &testing_error), ECC_IO,
                "is a directory, expected a NumPy array");
    check_fails(ecc_npy_read(&array, "/dev/null", &testing_error), ECC_BAD_DATA, "is a device");
}

static void expects_two_dimensions(void **state)
{
    (void)state;
    float *z;
    size_t n, d;
    struct ecc_array array = {.dtype = ECC_F4, .rank = 3, .shape = {3, 4, 5}, .count = 60};
    array.data = calloc(60, 4);
    const char *path = testing_path("cube.npy");
    check_ok(ecc_npy_write(path, &array, &testing_error));
    check_fails(ecc_npy_read_f32(&z, &n, &d, path, &testing_error), ECC_BAD_DATA,
                "cube.npy' has shape (3, 4, 5), expected two dimensions [n, d]");
    array.rank = 1;
    check_ok(ecc_npy_write(path, &array, &testing_error));
    check_fails(ecc_npy_read_f32(&z, &n, &d, path, &testing_error), ECC_BAD_DATA, "shape (3,)");
    array.rank = 0;
    check_ok(ecc_npy_write(path, &array, &testing_error));
    check_fails(ecc_npy_read_f32(&z, &n, &d, path, &testing_error), ECC_BAD_DATA, "single number");
    ecc_array_release(&array);
}

/* ---- Corners -------------------------------------------------------------------------------- */

static void a_single_number_and_no_rows(void **state)
{
    (void)state;
    struct ecc_array array = {.dtype = ECC_F8, .count = 1}, again;
    array.data = malloc(8);
    assert_non_null(array.data);
    memcpy(array.data, &(double){2.5}, 8);
    const char *path = testing_path("corner.npy");
    check_ok(ecc_npy_write(path, &array, &testing_error));
    check_ok(ecc_npy_read(&again, path, &testing_error));
    assert_true(again.rank == 0 && again.count == 1);
    assert_memory_equal(again.data, array.data, 8);
    ecc_array_release(&again);
    ecc_array_release(&array);

    float *z;
    size_t n, d;
    check_ok(ecc_npy_write_f32(path, NULL, 0, 7, &testing_error));
    check_ok(ecc_npy_read_f32(&z, &n, &d, path, &testing_error));
    assert_true(n == 0 && d == 7 && z);
    free(z);
}

static void bytes_after_the_array_are_ignored(void **state)
{
    (void)state;
    static struct made file;
    make_array(&file, 1, ECC_I2, true, true);
    add_bytes(&file, "and more", 8);
    check_array(&file, ECC_I2);
}

static void headers_are_aligned(void **state)
{
    (void)state;
    size_t shape[ECC_NPY_MAX_RANK];
    for (size_t rank = 0; rank <= ECC_NPY_MAX_RANK; rank++) {
        unsigned char bytes[ECC_NPY_HEADER_SIZE];
        struct ecc_npy_header header;
        for (size_t i = 0; i < rank; i++) {
            shape[i] = i == 7 ? 1000000007 : i == 9 ? 123456789 : 1;
        }
        const size_t length = ecc_npy_format(bytes, ECC_I4, rank, shape);
        assert_true(length % 64 == 0 && length <= sizeof bytes && bytes[length - 1] == '\n');
        check_ok(ecc_npy_parse(&header, bytes, length, "memory", &testing_error));
        assert_true(header.rank == rank && header.dtype == ECC_I4 && header.offset == length);
        assert_memory_equal(header.shape, shape, rank * sizeof shape[0]);
    }
    for (size_t i = 0; i < ECC_NPY_MAX_RANK; i++) {
        shape[i] = SIZE_MAX; /* nothing real, but it must fit */
    }
    unsigned char bytes[ECC_NPY_HEADER_SIZE];
    assert_true(ecc_npy_format(bytes, ECC_I4, ECC_NPY_MAX_RANK, shape) <= sizeof bytes);
}

/* ---- Streams -------------------------------------------------------------------------------- */

enum { ROWS = 3001, WIDTH = 11 };

/* Rows r: (11 r, 11 r + 1, ...) written in batches of uneven size. */
static const char *write_stream(const char *name)
{
    const char *path = testing_path(name);
    struct ecc_npy_writer writer;
    check_ok(ecc_npy_writer_open(&writer, path, ECC_F8, (size_t[]){WIDTH}, 1, &testing_error));
    static double batch[512 * WIDTH];
    for (size_t row = 0, count = 1; row < ROWS; row += count, count = count * 2 % 509) {
        if (count > ROWS - row) count = ROWS - row;
        for (size_t i = 0; i < count * WIDTH; i++) {
            batch[i] = (double)(row * WIDTH + i);
        }
        check_ok(ecc_npy_writer_append(&writer, batch, count, &testing_error));
        assert_int_not_equal(access(path, F_OK), 0); /* not there before the commit */
    }
    check_ok(ecc_npy_writer_commit(&writer, &testing_error));
    ecc_npy_writer_discard(&writer); /* harmless */
    return path;
}

static void streams_rows(void **state)
{
    (void)state;
    struct ecc_npy_reader reader;
    check_ok(ecc_npy_reader_open(&reader, write_stream("stream.npy"), &testing_error));
    assert_true(reader.rows == ROWS && reader.row_items == WIDTH);
    static float batch[700 * WIDTH];
    size_t row = 0, got = 1;
    for (; got > 0; row += got) {
        check_ok(ecc_npy_reader_read(&reader, batch, &got, 700, &testing_error));
        for (size_t i = 0; i < got * WIDTH; i++) {
            assert_true(batch[i] == (float)(row * WIDTH + i));
        }
    }
    assert_int_equal(row, ROWS);
    check_ok(ecc_npy_reader_seek(&reader, 1234, &testing_error));
    check_ok(ecc_npy_reader_read(&reader, batch, &got, 2, &testing_error));
    assert_true(got == 2 && batch[0] == 1234 * WIDTH && batch[WIDTH] == 1235 * WIDTH);
    check_fails(ecc_npy_reader_seek(&reader, ROWS + 1, &testing_error), ECC_BAD_ARGUMENT, "row ");
    ecc_npy_reader_close(&reader);
    ecc_npy_reader_close(&reader); /* harmless */
}

static void streams_columns_too(void **state)
{
    (void)state;
    static struct made file;
    struct ecc_npy_reader reader;
    float row[3];
    size_t got;
    make_array(&file, 1, ECC_U2, true, true);
    check_ok(ecc_npy_reader_open(&reader, save(&file, "columns.npy"), &testing_error));
    for (int k = 0; k < 2; k++) {
        check_ok(ecc_npy_reader_seek(&reader, 1, &testing_error));
        check_ok(ecc_npy_reader_read(&reader, row, &got, 5, &testing_error));
        assert_true(got == 1 && row[0] == 3 && row[1] == 4 && row[2] == 5);
    }
    ecc_npy_reader_close(&reader);
}

/* A pipe has no size: only its end shows that the header announced too much. */
static void reads_pipes(void **state)
{
    (void)state;
    static struct made file;
    for (int fortran = 0; fortran < 2; fortran++) {
        for (int missing = 0; missing < 2; missing++) {
            make_array(&file, 1, ECC_F8, false, fortran);
            char path[32];
            int ends[2];
            float *z;
            size_t n, d;
            assert_int_equal(pipe(ends), 0);
            const ssize_t size = (ssize_t)file.size - missing;
            assert_true(write(ends[1], file.bytes, (size_t)size) == size);
            close(ends[1]);
            snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
            const enum ecc_status status = ecc_npy_read_f32(&z, &n, &d, path, &testing_error);
            if (missing) {
                check_fails(status, ECC_BAD_DATA,
                            fortran ? "only 47" : "ends in row 1, expected 2");
            } else {
                check_ok(status);
                assert_true(n == 2 && d == 3 && z[5] == 5);
                free(z);
            }
            close(ends[0]);
        }
    }
}

/* The header of a known number of rows is right from the start. */
static void rows_go_through_a_pipe(void **state)
{
    (void)state;
    int ends[2];
    char path[40];
    struct ecc_npy_writer writer;
    struct ecc_array array;
    unsigned char bytes[400];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    check_ok(ecc_npy_writer_open_rows(&writer, path, ECC_F4, 3, (size_t[]){2}, 1, &testing_error));
    check_ok(ecc_npy_writer_append(&writer, (float[]){1, 2}, 1, &testing_error));
    check_ok(ecc_npy_writer_append(&writer, (float[]){3, 4, 5, 6}, 2, &testing_error));
    check_ok(ecc_npy_writer_commit(&writer, &testing_error));
    close(ends[1]);
    const ssize_t size = read(ends[0], bytes, sizeof bytes);
    close(ends[0]);
    check_ok(ecc_npy_decode(&array, bytes, (size_t)size, "pipe", &testing_error));
    assert_true(array.rank == 2 && array.shape[0] == 3 && array.shape[1] == 2);
    assert_true(((float *)array.data)[5] == 6);
    ecc_array_release(&array);
}

static void a_discarded_file_leaves_nothing(void **state)
{
    (void)state;
    struct ecc_npy_writer writer;
    const char *path = testing_path("discarded.npy");
    check_ok(ecc_npy_writer_open(&writer, path, ECC_F4, NULL, 0, &testing_error));
    check_ok(ecc_npy_writer_append(&writer, (float[]){1, 2, 3}, 3, &testing_error));
    char *temporary = strdup(writer.output.temporary);
    const bool named = writer.output.named;
    assert_true((access(temporary, F_OK) == 0) == named);
    ecc_npy_writer_discard(&writer);
    assert_int_not_equal(access(temporary, F_OK), 0);
    assert_int_not_equal(access(path, F_OK), 0);
    free(temporary);
}

static void reports_disks_that_are_full(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) skip();
    float *z = calloc(1 << 16, sizeof *z);
    assert_non_null(z);
    check_fails(ecc_npy_write_f32("/dev/full", z, 1 << 8, 1 << 8, &testing_error), ECC_IO,
                "cannot write '/dev/full': No space left");
    check_fails(ecc_npy_write_f32("/dev/full", z, 1, 1, &testing_error), ECC_IO, "No space left");
    check_fails(ecc_npy_write_f32("/nowhere/z.npy", z, 1, 1, &testing_error), ECC_IO,
                "cannot write '/nowhere/z.npy': No such file");
    free(z);
}

static void refuses_rows_beyond_addressing(void **state)
{
    (void)state;
    struct ecc_npy_writer writer;
    const size_t shape[] = {SIZE_MAX / 2, 3};
    check_fails(
        ecc_npy_writer_open(&writer, testing_path("huge.npy"), ECC_F4, shape, 2, &testing_error),
        ECC_BAD_ARGUMENT, "too large");
    check_fails(ecc_npy_write_f64(testing_path("huge.npy"), NULL, SIZE_MAX / 4, 3, &testing_error),
                ECC_BAD_ARGUMENT, "too many");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_type_and_order),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(converts_extreme_numbers),
        cmocka_unit_test(fortran_order_in_three_dimensions),
        cmocka_unit_test(tolerates_spellings),
        cmocka_unit_test(native_byte_order_has_two_names),
        cmocka_unit_test(text_is_read_where_it_is_allowed),
        cmocka_unit_test(texts_are_written),
        cmocka_unit_test(odd_text_is_refused),
        cmocka_unit_test(a_long_header_is_read),
        cmocka_unit_test(refuses_malformed_headers),
        cmocka_unit_test(refuses_every_beginning_of_a_file),
        cmocka_unit_test(refuses_other_frames),
        cmocka_unit_test(messages_stay_readable),
        cmocka_unit_test(refuses_files_that_are_too_short),
        cmocka_unit_test(refuses_what_is_no_file),
        cmocka_unit_test(expects_two_dimensions),
        cmocka_unit_test(a_single_number_and_no_rows),
        cmocka_unit_test(bytes_after_the_array_are_ignored),
        cmocka_unit_test(headers_are_aligned),
        cmocka_unit_test(streams_rows),
        cmocka_unit_test(streams_columns_too),
        cmocka_unit_test(reads_pipes),
        cmocka_unit_test(rows_go_through_a_pipe),
        cmocka_unit_test(a_discarded_file_leaves_nothing),
        cmocka_unit_test(reports_disks_that_are_full),
        cmocka_unit_test(refuses_rows_beyond_addressing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
