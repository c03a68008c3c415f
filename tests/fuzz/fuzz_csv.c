/* fuzz_csv.c: any bytes as a table of text, with each way to find its labels; and again with the
 * schema that was found. */
#include "data/csv_values.h"
#include "data/memory.h"
#include "fuzz.h"

#include <math.h>

static const uint8_t *given;
static size_t given_size;

static enum ecc_status open_given(struct ecc_dataset *data, struct ecc_data_request *request,
                                  struct ecc_error *error)
{
    unsigned char *const copy = malloc(given_size + 1);
    require(copy != NULL);
    if (given_size) memcpy(copy, given, given_size);
    return ecc_csv_open_bytes(data, copy, given_size, request, error);
}

static const struct ecc_data_source source = {
    .name = "fuzz", .open = open_given, .read = ecc_memory_read, .close = ecc_memory_close};

static void check_column(const struct ecc_column *c, const float *x)
{
    char text[80];
    require(c->name != NULL && (c->kind == ECC_COLUMN_LEFT_OUT) == (c->reason != NULL));
    require(c->features == 0 || (isfinite(c->mean) && c->deviation > 0));
    for (size_t i = 0; c->kind == ECC_COLUMN_CATEGORY && i < c->level_count; i++) {
        require(c->levels[i] && c->shares[i] > 0 && c->shares[i] < 1);
    }
    for (size_t i = 0; i < c->features; i++) require(!isinf(x[c->first + i]));
    ecc_schema_cell(text, sizeof text, c, x);
    require(strlen(text) < sizeof text);
}

static void check_table(struct ecc_dataset *data)
{
    const size_t size = ecc_shape_size(data->shape);
    struct ecc_error error;
    require(data->count > 0 && size > 0 && data->schema && data->schema->features == size);
    require(data->scaling.columns == size);
    float *const x = malloc(size * sizeof *x);
    for (uint32_t item = 0; item < data->count && item < 100; item++) {
        require(ecc_dataset_read(data, x, &item, 1, &error) == ECC_OK);
        for (size_t i = 0; i < data->schema->count; i++) check_column(&data->schema->columns[i], x);
    }
    free(x);
    for (size_t i = 0; data->labels && i < data->count; i++) {
        require(data->labels[i] >= -1 && data->labels[i] < (int32_t)data->class_count);
    }
    for (size_t i = 0; i < data->class_count; i++) require(data->class_names[i] != NULL);
}

static struct ecc_dataset *open_as(const struct ecc_data_options *options, enum ecc_split split)
{
    struct ecc_dataset *data;
    struct ecc_error error = {0};
    struct ecc_data_request request = {.path = "fuzz.csv", .split = split};
    if (ecc_dataset_open_request(&data, &source, "fuzz.csv", &request, options, &error) == ECC_OK) {
        check_table(data);
        return data;
    }
    check_sentence(&error);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct ecc_data_options options[] = {
        {.label = NULL},
        {.label = "none", .scaler = ECC_SCALER_ROBUST},
        {.label = "class", .columns = "a,b", .decimal = ECC_DECIMAL_COMMA},
        {.label = "2", .drop = "\"a\",3", .decimal = ECC_DECIMAL_POINT},
        {.label = "first"}};
    given = bytes;
    given_size = size;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct ecc_dataset *const data = open_as(&options[i], ECC_SPLIT_ALL);
        if (!data) continue;
        struct ecc_data_options again = options[i];
        again.schema = data->schema;
        struct ecc_dataset *const same = open_as(&again, ECC_SPLIT_ALL);
        require(same && same->count == data->count); /* a table fits its own schema */
        ecc_dataset_close(same);
        ecc_dataset_close(data);
        ecc_dataset_close(open_as(&options[i], ECC_SPLIT_TRAIN));
    }
    return 0;
}
