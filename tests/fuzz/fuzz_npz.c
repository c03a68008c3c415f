/* fuzz_npz.c: any bytes as a zip file; its members as arrays, and those as data sets. */
#include "data/array.h"
#include "data/npz.h"
#include "data/zip.h"
#include "fuzz.h"

extern const struct ecc_data_source ecc_source_npz;

/* Images and tables, with labels from the same array: most do not fit, which must be said. */
static void make_dataset(struct ecc_array *array)
{
    struct ecc_dataset *const data = calloc(1, sizeof *data);
    require(data != NULL);
    const struct ecc_data_options options = {0};
    struct ecc_data_request request = {.path = "fuzz.npz", .options = &options};
    struct ecc_error error = {0};
    data->source = &ecc_source_npz;
    if (array->rank > 0) data->count = array->shape[0];
    if (data->count > 0 && ecc_array_to_labels(data, array, "fuzz.npz", &error) != ECC_OK) {
        check_sentence(&error);
    }
    error = (struct ecc_error){0};
    if (ecc_array_to_dataset(data, array, "fuzz.npz", &request, &error) != ECC_OK) {
        check_sentence(&error);
    } else {
        const uint32_t row = (uint32_t)data->count - 1;
        float *const x = malloc(ecc_shape_size(data->shape) * sizeof *x);
        require(x != NULL);
        require(data->source->read(data, x, &row, 1, &error) == ECC_OK);
        free(x);
    }
    free(request.test);
    ecc_dataset_close(data);
}

static void extract(const struct ecc_zip *zip, const struct ecc_zip_member *member)
{
    unsigned char *bytes;
    struct ecc_error error = {0};
    if (ecc_zip_extract(&bytes, zip, member, ecc_npy_announced, &error) != ECC_OK) {
        check_sentence(&error);
        require(!bytes);
        return;
    }
    struct ecc_array array;
    if (ecc_npy_decode(&array, bytes, member->size, "fuzz.npz", &error) != ECC_OK) {
        check_sentence(&error);
    } else {
        make_dataset(&array);
    }
    free(bytes);
}

/* The whole file as data, whatever its arrays are called. */
static void open_all(const uint8_t *bytes, size_t size)
{
    struct ecc_dataset *const data = calloc(1, sizeof *data);
    require(data != NULL);
    const struct ecc_data_options options = {0};
    struct ecc_data_request request = {.path = "fuzz.npz", .options = &options};
    struct ecc_error error = {0};
    data->source = &ecc_source_npz;
    if (ecc_npz_open_bytes(data, bytes, size, &request, &error) != ECC_OK) {
        check_sentence(&error);
    } else {
        for (size_t i = 0; data->labels && i < data->count; i++) {
            require(data->labels[i] >= 0 && (size_t)data->labels[i] < data->class_count);
        }
    }
    free(request.test);
    ecc_dataset_close(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct ecc_zip zip;
    struct ecc_error error = {0};
    open_all(bytes, size);
    if (ecc_zip_open(&zip, bytes, size, "fuzz.npz", &error) != ECC_OK) {
        check_sentence(&error);
        return 0;
    }
    for (size_t i = 0; i < zip.count && i < 20; i++) {
        extract(&zip, &zip.members[i]);
    }
    ecc_zip_release(&zip);
    return 0;
}
