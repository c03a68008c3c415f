/* fuzz_safetensors.c: any bytes as a safetensors file; what was accepted is read, tensor by tensor.
 */
#include "fuzz.h"
#include "run/safetensors.h"

/* Tensors lie one after another; each gives its numbers, or a sentence. */
static void check_tensors(const struct ecc_safetensors *file)
{
    size_t end = 0;
    for (size_t i = 0; i < file->count; i++) {
        const struct ecc_safetensors_entry *const entry = &file->entries[i];
        require(entry->begin == end && entry->end <= file->data_size);
        end = entry->end;
        float *const out = malloc((entry->count + 1) * sizeof *out);
        struct ecc_error error = {0};
        const enum ecc_status status =
            ecc_safetensors_get(file, out, entry->name, entry->rank, entry->shape, &error);
        if (status != ECC_OK) check_sentence(&error);
        free(out);
    }
    require(end == file->data_size);
}

static void check_bytes(const uint8_t *bytes, size_t size)
{
    struct ecc_safetensors *file;
    struct ecc_error error = {0};
    if (ecc_safetensors_decode(&file, bytes, size, "fuzz.safetensors", &error) != ECC_OK) {
        check_sentence(&error);
        require(!file);
        return;
    }
    check_tensors(file);
    require(!ecc_safetensors_find(file, "\n"));
    ecc_safetensors_metadata(file, "format");
    ecc_safetensors_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    check_bytes(bytes, size);
    /* the same with a length that fits: up to the last brace, or all */
    if (size < 10) return 0;
    uint8_t *const fitted = malloc(size);
    memcpy(fitted, bytes, size);
    size_t length = size - 8;
    while (length > 2 && fitted[8 + length - 1] != '}') length--;
    for (size_t i = 0; i < 8; i++) fitted[i] = (uint8_t)((uint64_t)length >> 8 * i);
    check_bytes(fitted, size);
    free(fitted);
    return 0;
}
