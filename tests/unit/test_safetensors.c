/* test_safetensors.c: tensors written and read back, files as others write them, and every way in
 * which a file can be wrong. */
#include "base/file.h"
#include "run/safetensors.h"
#include "run/weights.h"
#include "testing.h"

static const float numbers[] = {1, -2, 3.5F, 4e-30F, 5, 6};

static const char *write_sample(void)
{
    static const char *const metadata[] = {"format", "pt", "note", "\"quoted\" \xc3\xa9", NULL};
    const struct ecc_safetensors_item items[] = {
        {"encoder.1.weight", ECC_F4, 2, {2, 3}, numbers},
        {"scalar", ECC_F4, 0, {0}, numbers + 2},
        {"empty", ECC_F4, 2, {0, 4}, NULL},
        {"bias", ECC_F4, 1, {3}, numbers + 3},
    };
    const char *const path = testing_path("sample.safetensors");
    check_ok(ecc_safetensors_write(path, items, 4, metadata, &testing_error));
    return path;
}

static void reads_what_it_wrote(void **state)
{
    (void)state;
    struct ecc_safetensors *file;
    check_ok(ecc_safetensors_read(&file, write_sample(), &testing_error));
    assert_int_equal(file->count, 4);
    assert_string_equal(ecc_safetensors_metadata(file, "note"), "\"quoted\" \xc3\xa9");
    assert_null(ecc_safetensors_metadata(file, "absent"));
    float out[6] = {0};
    const size_t matrix[] = {2, 3}, vector[] = {3}, nothing[] = {0, 4};
    check_ok(ecc_safetensors_get(file, out, "encoder.1.weight", 2, matrix, &testing_error));
    assert_memory_equal(out, numbers, sizeof numbers);
    check_ok(ecc_safetensors_get(file, out, "bias", 1, vector, &testing_error));
    assert_memory_equal(out, numbers + 3, 3 * sizeof *out);
    check_ok(ecc_safetensors_get(file, out, "scalar", 0, NULL, &testing_error));
    assert_true(out[0] == 3.5F);
    check_ok(ecc_safetensors_get(file, out, "empty", 2, nothing, &testing_error));
    check_fails(ecc_safetensors_get(file, out, "bias", 2, matrix, &testing_error), ECC_BAD_DATA,
                "tensor 'bias': has shape (3,), expected (2, 3)");
    check_fails(ecc_safetensors_get(file, out, "weight", 2, matrix, &testing_error), ECC_BAD_DATA,
                "sample.safetensors': tensor 'weight': is missing");
    ecc_safetensors_free(file);
}

static void refuses_to_write_nonsense(void **state)
{
    (void)state;
    const char *const path = testing_path("bad.safetensors");
    const struct ecc_safetensors_item twice[] = {{"a", ECC_F4, 1, {1}, numbers},
                                                 {"a", ECC_F4, 1, {1}, numbers}};
    check_fails(ecc_safetensors_write(path, twice, 2, NULL, &testing_error), ECC_BAD_ARGUMENT,
                "two of that name");
    const struct ecc_safetensors_item odd = {"\xff", ECC_F4, 1, {1}, numbers};
    check_fails(ecc_safetensors_write(path, &odd, 1, NULL, &testing_error), ECC_BAD_ARGUMENT,
                "UTF-8");
    const struct ecc_safetensors_item huge = {"a", ECC_F4, 2, {SIZE_MAX / 2, 4}, numbers};
    check_fails(ecc_safetensors_write(path, &huge, 1, NULL, &testing_error), ECC_BAD_ARGUMENT,
                "too large");
    const size_t limit = ECC_SAFETENSORS_MAX_HEADER;
    char *const text = calloc(limit + 1, 1);
    memset(text, 'x', limit);
    const char *const metadata[] = {"config", text, NULL};
    check_fails(ecc_safetensors_write(path, twice, 1, metadata, &testing_error), ECC_BAD_ARGUMENT,
                "more than 16 MB");
    text[0] = '\xff';
    text[100] = '\0';
    check_fails(ecc_safetensors_write(path, twice, 1, metadata, &testing_error), ECC_BAD_ARGUMENT,
                "metadata cannot be written: it is not UTF-8");
    free(text);
    const struct ecc_safetensors_item good = {"a", ECC_F4, 1, {1}, numbers};
    check_fails(
        ecc_safetensors_write(testing_path("no/such/place"), &good, 1, NULL, &testing_error),
        ECC_IO, "No such file");
    unsigned char *bytes;
    size_t size;
    check_fails(ecc_file_read(&bytes, &size, path, &testing_error), ECC_IO, "No such file");
}

/* Every type comes back bit for bit, aligned for those who map the file. */
static void keeps_every_type(void **state)
{
    (void)state;
    static const char *const types[ECC_DTYPE_COUNT] = {"F16", "F32", "F64", "I8",  "I16", "I32",
                                                       "I64", "U8",  "U16", "U32", "U64", "BOOL"};
    unsigned char in[24], out[24], *bytes; /* three numbers of up to eight bytes */
    for (size_t i = 0; i < sizeof in; i++) in[i] = (unsigned char)(0xff - i);
    struct ecc_safetensors_item items[ECC_DTYPE_COUNT];
    for (int i = 0; i < ECC_DTYPE_COUNT; i++) {
        items[i] = (struct ecc_safetensors_item){types[i], (enum ecc_dtype)i, 1, {3}, in};
    }
    size_t size;
    struct ecc_safetensors *file;
    check_ok(ecc_safetensors_encode(&bytes, &size, items, ECC_DTYPE_COUNT, NULL, &testing_error));
    check_ok(ecc_safetensors_decode(&file, bytes, size, "types", &testing_error));
    assert_int_equal(file->count, ECC_DTYPE_COUNT);
    for (int i = 0; i < ECC_DTYPE_COUNT; i++) {
        const size_t item_size = ecc_dtype_size(items[i].dtype);
        const struct ecc_safetensors_entry *const entry = ecc_safetensors_find(file, types[i]);
        assert_string_equal(entry->dtype, types[i]);
        assert_int_equal((size - file->data_size + entry->begin) % item_size, 0);
        check_ok(ecc_safetensors_get_exactly(file, out, &items[i], &testing_error));
        assert_memory_equal(out, in, 3 * item_size);
    }
    struct ecc_safetensors_item other = items[ECC_F8];
    other.dtype = ECC_U8;
    check_fails(ecc_safetensors_get_exactly(file, out, &other, &testing_error), ECC_BAD_DATA,
                "'types': tensor 'F64': has type F64, expected U64");
    other = items[ECC_F8];
    other.shape[0] = 2;
    check_fails(ecc_safetensors_get_exactly(file, out, &other, &testing_error), ECC_BAD_DATA,
                "tensor 'F64': has shape (3,), expected (2,)");
    ecc_safetensors_free(file);
    free(bytes);
}

/* The settings of a run are metadata of several kB: JSON inside a JSON text. */
static void keeps_long_metadata(void **state)
{
    (void)state;
    char *const text = calloc(1, 100000);
    for (size_t i = 0; i < 2000; i++) {
        sprintf(text + strlen(text), "{\"key\\%zu\": \"\t\n\x01 \xc3\xa9 /\"},\r\n", i);
    }
    const char *const metadata[] = {"config.json", text, "", "", NULL};
    const struct ecc_safetensors_item item = {"a", ECC_F4, 2, {3, 2}, numbers};
    unsigned char *bytes, *written;
    size_t size, written_size;
    struct ecc_safetensors *file;
    check_ok(ecc_safetensors_encode(&bytes, &size, &item, 1, metadata, &testing_error));
    check_ok(ecc_safetensors_decode(&file, bytes, size, "memory", &testing_error));
    assert_string_equal(ecc_safetensors_metadata(file, "config.json"), text);
    assert_string_equal(ecc_safetensors_metadata(file, ""), "");
    /* a file has the same bytes */
    const char *const path = testing_path("long.safetensors");
    check_ok(ecc_safetensors_write(path, &item, 1, metadata, &testing_error));
    check_ok(ecc_file_read(&written, &written_size, path, &testing_error));
    assert_int_equal(written_size, size);
    assert_memory_equal(written, bytes, size);
    ecc_safetensors_free(file);
    free(written);
    free(bytes);
    free(text);
}

/* Cut off anywhere, or with any byte changed: a sentence or a file, never a crash. */
static void survives_damage(void **state)
{
    (void)state;
    unsigned char *bytes;
    size_t size;
    check_ok(ecc_file_read(&bytes, &size, write_sample(), &testing_error));
    for (size_t length = 0; length < size; length++) {
        unsigned char *const part = malloc(length + 1); /* exact, for the sanitizer */
        struct ecc_safetensors *file;
        memcpy(part, bytes, length);
        check_fails(ecc_safetensors_decode(&file, part, length, "cut", &testing_error),
                    ECC_BAD_DATA, "'cut'");
        assert_null(file);
        free(part);
    }
    for (size_t at = 0; at < size; at++) {
        for (int flip = 1; flip < 256; flip *= 2) {
            struct ecc_safetensors *file;
            bytes[at] ^= (unsigned char)flip;
            if (ecc_safetensors_decode(&file, bytes, size, "flip", &testing_error) != ECC_OK) {
                assert_non_null(strstr(testing_error.text, "'flip'"));
            }
            ecc_safetensors_free(file);
            bytes[at] ^= (unsigned char)flip;
        }
    }
    free(bytes);
}

/* A file of this header and so many bytes of data, which count 0, 1, 2, ... */
static enum ecc_status decode(struct ecc_safetensors **file, const char *header, size_t data)
{
    const size_t length = strlen(header);
    unsigned char *const bytes = calloc(8 + length + data, 1);
    for (size_t i = 0; i < 8; i++) bytes[i] = (unsigned char)(length >> 8 * i);
    memcpy(bytes + 8, header, length);
    for (size_t i = 0; i < data; i++) bytes[8 + length + i] = (unsigned char)i;
    const enum ecc_status status =
        ecc_safetensors_decode(file, bytes, 8 + length + data, "x", &testing_error);
    free(bytes);
    return status;
}

static void refuses_what_is_odd(void **state)
{
    (void)state;
#define TENSOR(name, dtype, shape, offsets)                                                        \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"
    static const struct {
        const char *header, *words;
        size_t data;
    } cases[] = {
        {"[1]", "not a safetensors file", 0},
        {"{", "a header of 1 bytes", 0},
        {"{\"a\":", "not JSON", 4},
        {"{}", "4 bytes after its header, but its tensors have 0", 4},
        {"{\"a\":1}", "tensor 'a': expected \"dtype\"", 4},
        {"{" TENSOR("a", "F33", "[1]", "[0,4]") "}", "dtype is 'F33'", 4},
        {"{" TENSOR("a", "F32", "3", "[0,4]") "}", "no \"shape\"", 4},
        {"{" TENSOR("a", "F32", "[-1]", "[0,4]") "}", "that is not a size", 4},
        {"{" TENSOR("a", "F32", "[1.0]", "[0,4]") "}", "that is not a size", 4},
        {"{" TENSOR("a", "F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]") "}", "8 dimensions", 4},
        {"{" TENSOR("a", "F32", "[4294967296,4294967296]", "[0,4]") "}", "too large for any file",
         4},
        {"{" TENSOR("a", "F32", "[1]", "[0]") "}", "data_offsets", 4},
        {"{" TENSOR("a", "F32", "[1]", "[4,0]") "}", "bytes 4 to 0", 4},
        {"{" TENSOR("a", "F32", "[2]", "[0,8]") "}", "bytes 0 to 8, but the file has 4", 4},
        {"{" TENSOR("a", "F32", "[2]", "[0,4]") "}", "4 bytes for 2 numbers of type F32", 4},
        {"{" TENSOR("a", "F32", "[1]", "[4,8]") "}", "but the tensor before ends at 0", 8},
        {"{" TENSOR("a", "F32", "[2]", "[0,8]") "," TENSOR("b", "F32", "[1]", "[4,8]") "}",
         "tensor 'b': starts at byte 4, inside", 8},
        {"{" TENSOR("a", "F32", "[1]", "[0,4]") "," TENSOR("a", "F32", "[1]", "[0,4]") "}",
         "duplicate", 4},
        {"{\"__metadata__\":3}", "__metadata__", 0},
        {"{\"__metadata__\":{\"a\":3}}", "__metadata__", 0},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4],\"more\":1}}", "expected",
         4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ecc_safetensors *file;
        check_fails(decode(&file, cases[i].header, cases[i].data), ECC_BAD_DATA, cases[i].words);
        assert_null(file);
    }
}

static void reads_other_types(void **state)
{
    (void)state;
    struct ecc_safetensors *file;
    check_ok(decode(
        &file,
        "{" TENSOR("i", "I16", "[1]", "[4,6]") "," TENSOR("h", "F16", "[2]", "[0,4]") "," TENSOR(
            "b", "BF16", "[1]", "[6,8]") "," TENSOR("d", "F64", "[]", "[8,16]") "}   ",
        16));
    float out[2];
    const size_t one[] = {1}, two[] = {2};
    check_ok(ecc_safetensors_get(file, out, "h", 1, two, &testing_error));
    check_relative((double)out[0], 0x1p-24 * 256, 1e-7, "half 0x0100");
    check_ok(ecc_safetensors_get(file, out, "b", 1, one, &testing_error));
    const uint32_t bits = 0x07060000;
    assert_memory_equal(out, &bits, 4);
    check_ok(ecc_safetensors_get(file, out, "d", 0, NULL, &testing_error));
    check_fails(ecc_safetensors_get(file, out, "i", 1, one, &testing_error), ECC_BAD_DATA,
                "tensor 'i': has type I16, expected F32, F64, F16 or BF16");
    ecc_safetensors_free(file);
}

static void weights_of_a_net(void **state)
{
    (void)state;
    const struct ecc_tensor tensors[] = {
        {.name = "encoder.0.weight", .rank = 2, .shape = {2, 2}, .offset = 1, .count = 4},
        {.name = "encoder.0.bias", .rank = 1, .shape = {1}, .offset = 0, .count = 1},
    };
    const char *const path = testing_path("net.safetensors");
    float out[5];
    check_ok(ecc_weights_write(path, tensors, 2, numbers, NULL, &testing_error));
    check_ok(ecc_weights_read(out, tensors, 2, path, &testing_error));
    assert_memory_equal(out, numbers, sizeof out);
    check_fails(ecc_weights_read(out, tensors, 1, path, &testing_error), ECC_BAD_DATA,
                "tensor 'encoder.0.bias' does not belong to this net");
    struct ecc_tensor other[2];
    memcpy(other, tensors, sizeof other);
    other[0].shape[0] = 1;
    check_fails(ecc_weights_read(out, other, 2, path, &testing_error), ECC_BAD_DATA,
                "has shape (2, 2), expected (1, 2)");
    out[3] = NAN;
    check_ok(ecc_weights_write(path, tensors, 2, out, NULL, &testing_error));
    check_fails(ecc_weights_read(out, tensors, 2, path, &testing_error), ECC_BAD_DATA,
                "tensor 'encoder.0.weight': number 2 is NaN");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_wrote), cmocka_unit_test(refuses_to_write_nonsense),
        cmocka_unit_test(keeps_every_type),    cmocka_unit_test(keeps_long_metadata),
        cmocka_unit_test(survives_damage),     cmocka_unit_test(refuses_what_is_odd),
        cmocka_unit_test(reads_other_types),   cmocka_unit_test(weights_of_a_net),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
