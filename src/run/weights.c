/* weights.c: all tensors of a net, as its flat array, to and from a safetensors file. */
#include "run/weights.h"
#include "base/text.h"
#include "run/safetensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ecc_weights_items(struct ecc_safetensors_item *items, const struct ecc_tensor *tensors,
                       size_t count, const float *flat)
{
    for (size_t i = 0; i < count; i++) {
        items[i] = (struct ecc_safetensors_item){.name = tensors[i].name,
                                                 .dtype = ECC_F4,
                                                 .rank = tensors[i].rank,
                                                 .data = flat + tensors[i].offset};
        memcpy(items[i].shape, tensors[i].shape, sizeof tensors[i].shape);
    }
}

enum ecc_status ecc_weights_write(const char *path, const struct ecc_tensor *tensors, size_t count,
                                  const float *flat, const char *const *metadata,
                                  struct ecc_error *error)
{
    struct ecc_safetensors_item *const items = calloc(count + 1, sizeof *items);
    if (!items) return ecc_fail_memory(error, "the names of tensors");
    ecc_weights_items(items, tensors, count, flat);
    const enum ecc_status status = ecc_safetensors_write(path, items, count, metadata, error);
    free(items);
    return status;
}

static enum ecc_status check_finite(const float *data, const struct ecc_tensor *tensor,
                                    const char *path, struct ecc_error *error)
{
    for (size_t i = 0; i < tensor->count; i++) {
        if (isfinite(data[i])) continue;
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s: tensor '%s': number %zu is %s, expected finite",
                        ecc_quote_path(shown, path), tensor->name, i,
                        isnan(data[i]) ? "NaN" : "infinite");
    }
    return ECC_OK;
}

/* A tensor that this net does not have means that the file belongs to another net. */
static enum ecc_status check_strangers(const struct ecc_safetensors *file,
                                       const struct ecc_tensor *tensors, size_t count,
                                       struct ecc_error *error)
{
    for (size_t e = 0; e < file->count; e++) {
        const char *const name = file->entries[e].name;
        size_t i = 0;
        while (i < count && strcmp(tensors[i].name, name) != 0) i++;
        if (i < count || ecc_ends_in(name, ".num_batches_tracked")) continue;
        if (strncmp(name, ECC_COMPONENTS_PREFIX, strlen(ECC_COMPONENTS_PREFIX)) == 0) continue;
        char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s: tensor %s does not belong to this net",
                        ecc_quote_path(shown, file->name), ecc_quote(quoted, name, strlen(name)));
    }
    return ECC_OK;
}

enum ecc_status ecc_weights_take(float *flat, const struct ecc_safetensors *file,
                                 const struct ecc_tensor *tensors, size_t count,
                                 struct ecc_error *error)
{
    ECC_TRY(check_strangers(file, tensors, count, error));
    for (size_t i = 0; i < count; i++) {
        float *const out = flat + tensors[i].offset;
        ECC_TRY(ecc_safetensors_get(file, out, tensors[i].name, tensors[i].rank, tensors[i].shape,
                                    error));
        ECC_TRY(check_finite(out, &tensors[i], file->name, error));
    }
    return ECC_OK;
}

enum ecc_status ecc_weights_read(float *flat, const struct ecc_tensor *tensors, size_t count,
                                 const char *path, struct ecc_error *error)
{
    struct ecc_safetensors *file;
    ECC_TRY(ecc_safetensors_read(&file, path, error));
    const enum ecc_status status = ecc_weights_take(flat, file, tensors, count, error);
    ecc_safetensors_free(file);
    return status;
}

enum ecc_status ecc_weights_save(const struct ecc_net *net, const char *path,
                                 const char *const *metadata, struct ecc_error *error)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(net, &tensors);
    float *const flat = malloc((ecc_net_flat_size(net) + 1) * sizeof *flat);
    if (!flat) return ecc_fail_memory(error, "the weights");
    ecc_net_export(net, flat);
    const enum ecc_status status = ecc_weights_write(path, tensors, count, flat, metadata, error);
    free(flat);
    return status;
}
