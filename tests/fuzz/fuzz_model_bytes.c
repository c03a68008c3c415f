/* fuzz_model_bytes.c: any bytes as a model; one that opens encodes, decodes and is saved again. */
#include "fuzz.h"

#include <eccentric_model.h>

enum { MOST_FLOATS = 1 << 16 };

static void check_use(struct ecc_model *model)
{
    const struct ecc_model_info info = ecc_model_describe(model);
    require(info.latent > 0 && info.size == info.channels * info.height * info.width);
    if (info.size > MOST_FLOATS) return;
    float *const x = calloc(info.size, sizeof *x), *const z = calloc(info.latent, sizeof *z);
    struct ecc_error error = {0};
    if (ecc_model_encode(model, z, x, 1, &error) != ECC_OK) check_sentence(&error);
    if (ecc_model_decode(model, x, z, 1, &error) != ECC_OK) check_sentence(&error);
    free(x);
    free(z);
}

static void check_again(const struct ecc_model *model, const struct ecc_model_options *options)
{
    unsigned char *bytes;
    size_t size;
    struct ecc_model *again;
    require(ecc_model_save_bytes(model, &bytes, &size, NULL) == ECC_OK);
    require(ecc_model_open_bytes(&again, bytes, size, options, NULL) == ECC_OK);
    ecc_model_close(again);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const struct ecc_model_options options = {.batch = 1, .threads = 1};
    struct ecc_model *model;
    struct ecc_error error = {0};
    if (ecc_model_open_bytes(&model, bytes, size, &options, &error) != ECC_OK) {
        check_sentence(&error);
        require(!model);
        return 0;
    }
    check_use(model);
    check_again(model, &options);
    ecc_model_close(model);
    return 0;
}
