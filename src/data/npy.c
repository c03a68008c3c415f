/* npy.c: an array in a .npy file, plain or gzipped, as a data set. */
#include "base/npy.h"

#include "data/array.h"
#include "data/inflate.h"
#include "data/memory.h"

#include <stdlib.h>
#include <string.h>

/* By its ending: a truncated file must be called one, not taken for something else. */
static bool npy_accepts(const char *path, bool is_directory)
{
    const size_t length = strlen(path);
    return !is_directory && ((length > 4 && strcmp(path + length - 4, ".npy") == 0) ||
                             (length > 7 && strcmp(path + length - 7, ".npy.gz") == 0));
}

static enum ecc_status npy_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                struct ecc_error *error)
{
    struct ecc_array array;
    const char *const path = request->path;
    if (strcmp(path + strlen(path) - 3, ".gz") != 0) {
        ECC_TRY(ecc_npy_read(&array, path, error));
    } else {
        unsigned char *bytes;
        size_t size;
        ECC_TRY(ecc_inflate_file(&bytes, &size, path, error));
        const enum ecc_status status = ecc_npy_decode(&array, bytes, size, path, error);
        free(bytes);
        if (status != ECC_OK) return status;
    }
    return ecc_array_to_dataset(data, &array, path, request, error);
}

const struct ecc_data_source ecc_source_npy = {
    .name = "npy",
    .summary = "an array in a .npy file",
    .accepts = npy_accepts,
    .open = npy_open,
    .read = ecc_memory_read,
    .close = ecc_memory_close,
};
