/* fuzz_metadata.c: any text as metadata of a few images, and of a few rows of a table. */
#include "base/text.h"
#include "data/metadata.h"
#include "fuzz.h"

enum { ITEMS = 4 };

static const char *const files[ITEMS] = {"dir/a.png", "dir/b/c.jpg", "dir/b/d.jpg", "dir/e/c.jpg"};

static void check_known(const struct ecc_dataset *data)
{
    for (size_t i = 0; data->labels && i < ITEMS; i++) {
        require(data->labels[i] >= -1 && data->labels[i] < (int32_t)data->class_count);
    }
    for (size_t i = 0; i < ITEMS * data->attribute_count; i++) require(data->attributes[i] <= 1);
    for (size_t i = 0; i < data->number_count; i++) require(data->number_names[i]);
}

/* The caller releases the metadata. */
static enum ecc_status use(struct ecc_metadata *metadata, struct ecc_dataset *data,
                           struct ecc_data_request *request, bool images, struct ecc_error *error)
{
    bool found = true;
    ECC_TRY(images ? ecc_metadata_match(metadata, &found, data, (char *const *)files, "dir", error)
                   : ecc_metadata_order(metadata, data, error));
    return found ? ecc_metadata_apply(metadata, data, request, error) : ECC_OK;
}

static void check(const uint8_t *bytes, size_t size, bool images)
{
    const struct ecc_data_options options = {0};
    struct ecc_data_request request = {.path = "dir", .options = &options};
    struct ecc_dataset *const data = calloc(1, sizeof *data);
    struct ecc_metadata metadata;
    struct ecc_error error = {0};
    char *const text = malloc(size + 1);
    require(data && text);
    memcpy(text, bytes, size);
    data->count = ITEMS;
    enum ecc_status status = ecc_metadata_parse(&metadata, text, size, "fuzz.csv", &error);
    if (status == ECC_OK) status = use(&metadata, data, &request, images, &error);
    if (status != ECC_OK) check_sentence(&error);
    if (status == ECC_OK) check_known(data);
    ecc_metadata_release(&metadata);
    free(request.test);
    pthread_mutex_init(&data->lock, NULL);
    ecc_dataset_close(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (memchr(bytes, 0, size)) return 0; /* refused before (formats.h) */
    check(bytes, size, true);
    check(bytes, size, false);
    return 0;
}
