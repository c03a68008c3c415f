/* fuzz_checkpoint.c: any bytes as a checkpoint, as they are and with a prelude and checksum that
 * fit, so that what lies behind them is reached. */
#include "fuzz.h"
#include "run/checkpoint_file.h"

/* Every array can be asked for by its name, and by no other type or length. */
static void check_arrays(const struct ecc_checkpoint *checkpoint)
{
    for (size_t i = 0; i < checkpoint->count; i++) {
        const struct ecc_checkpoint_head *const head = &checkpoint->arrays[i].head;
        const size_t count = (size_t)head->count;
        const float *view;
        struct ecc_error error = {0};
        const bool is_f32 = head->kind == ECC_CHECKPOINT_F32;
        require(ecc_checkpoint_has(checkpoint, head->name));
        const enum ecc_status status =
            ecc_checkpoint_view_f32(checkpoint, &view, head->name, count, &error);
        require((status == ECC_OK) == is_f32);
        if (!is_f32) check_sentence(&error);
        require(ecc_checkpoint_view_f32(checkpoint, &view, head->name, count + 1, NULL) != ECC_OK);
    }
}

static void check_bytes(const uint8_t *bytes, size_t size)
{
    struct ecc_checkpoint *checkpoint;
    struct ecc_error error = {0};
    if (ecc_checkpoint_decode(&checkpoint, bytes, size, "fuzz", &error) != ECC_OK) {
        check_sentence(&error);
        require(!checkpoint);
        return;
    }
    check_arrays(checkpoint);
    ecc_checkpoint_free(checkpoint);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    check_bytes(bytes, size);
    size = size / 8 * 8;
    struct ecc_checkpoint_prelude prelude;
    if (size < sizeof prelude + 8) return 0;
    uint8_t *const fitted = malloc(size);
    memcpy(fitted, bytes, size);
    memcpy(&prelude, fitted, sizeof prelude);
    memcpy(prelude.magic, ECC_CHECKPOINT_MAGIC, sizeof prelude.magic);
    prelude.version = ECC_CHECKPOINT_VERSION;
    prelude.size = size;
    memcpy(fitted, &prelude, sizeof prelude);
    const uint64_t sum = ecc_checkpoint_sum(0, fitted, size - 8);
    memcpy(fitted + size - 8, &sum, sizeof sum);
    check_bytes(fitted, size);
    free(fitted);
    return 0;
}
