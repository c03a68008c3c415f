/* fuzz_labels.c: any bytes as a file of labels for a few items: text, and a .npy file. */
#include "data/item_labels.h"
#include "base/text.h"
#include "fuzz.h"

enum { ITEMS = 3 };

static void check(const uint8_t *bytes, size_t size, const char *name)
{
    struct ecc_dataset data = {.count = ITEMS};
    struct ecc_error error = {0};
    unsigned char *const copy = malloc(size + 1);
    require(copy);
    memcpy(copy, bytes, size);
    if (ecc_labels_from_bytes(&data, copy, size, name, &error) != ECC_OK) {
        check_sentence(&error);
    } else {
        require(data.labels || data.number_count == 1);
        for (size_t i = 0; data.labels && i < ITEMS; i++) {
            if (data.labels[i] == -1) continue; /* a missing one, in text */
            require(data.labels[i] >= 0 && (size_t)data.labels[i] < data.class_count);
            require(!data.class_names || data.class_names[data.labels[i]]);
        }
    }
    ecc_labels_remove(&data);
    free(data.numbers);
    ecc_free_texts(data.number_names, data.number_count);
    free(data.remark);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    check(bytes, size, "fuzz.txt");
    check(bytes, size, "fuzz.npy");
    return 0;
}
