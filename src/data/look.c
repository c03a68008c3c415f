/* look.c: what is in a data set: range of the values, items of each class, what is odd. */
#include "data/look.h"
#include "base/rng.h"
#include "base/streams.h"
#include "data/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT = 10000 }; /* items, at most */

/* Adds one item's values. */
static void look_at(struct ecc_data_info *found, const float *x, size_t size)
{
    float low = INFINITY, high = -INFINITY;
    double sum = 0;
    for (size_t i = 0; i < size; i++) {
        if (isnan(x[i])) continue; /* a missing cell counts as the mean */
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
        sum += (double)x[i];
    }
    found->low = fmin(found->low, (double)low);
    found->high = fmax(found->high, (double)high);
    found->mean += sum / (double)size;
    found->blank += size > 1 && low == high;
    found->looked_at++;
}

/* Item i of `count` that are spread over the set: anywhere in the i-th stretch, since sets may
 * alternate (MNIST's even and odd items come from different people). */
uint32_t ecc_data_spread(const struct ecc_dataset *data, size_t i, size_t count)
{
    const uint64_t first = (uint64_t)i * data->count / count;
    const uint64_t next = ((uint64_t)i + 1) * data->count / count;
    return (uint32_t)(first + ecc_rng_below(1, ECC_STREAM_PLAIN, i, next - first));
}

/* What is odd once the items are seen. */
static void remark_on_findings(struct ecc_dataset *data, const struct ecc_data_info *found)
{
    size_t empty = 0;
    for (size_t i = 0; data->labels && i < data->class_count; i++) {
        empty += found->class_counts[i] == 0;
    }
    if (empty) {
        ecc_data_remark(data, "%zu of %zu class%s %s no items here", empty, data->class_count,
                        data->class_count == 1 ? "" : "es", ecc_has_have(empty));
    }
    char damage[ECC_DAMAGE_TEXT];
    if (*ecc_dataset_damage(damage, data)) ecc_data_remark(data, "%s", damage);
    if (found->blank && !data->is_table) {
        ecc_data_remark(data, "%zu of the %zu image%s looked at %s of one colour", found->blank,
                        found->looked_at, ecc_s(found->looked_at), ecc_is_are(found->blank));
    }
}

enum ecc_status ecc_data_look(struct ecc_data_info *found, struct ecc_dataset *data,
                              struct ecc_error *error)
{
    const size_t size = ecc_shape_size(data->shape);
    *found = (struct ecc_data_info){.items = data->count,
                                    .channels = data->shape.channels,
                                    .height = data->shape.height,
                                    .width = data->shape.width,
                                    .is_table = data->is_table,
                                    .class_count = data->labels ? data->class_count : 0,
                                    .attribute_count = data->attribute_count,
                                    .low = INFINITY,
                                    .high = -INFINITY};
    float *const x = malloc(size * sizeof *x);
    found->class_counts = calloc(data->class_count + 1, sizeof *found->class_counts);
    enum ecc_status status = ECC_OK;
    if (!x || !found->class_counts) status = ecc_fail_memory(error, "looking at the data");
    const size_t count = data->count < LOOKED_AT ? data->count : LOOKED_AT;
    for (size_t i = 0; i < count && status == ECC_OK; i++) {
        const uint32_t item = ecc_data_spread(data, i, count);
        status = ecc_dataset_read(data, x, &item, 1, error);
        if (status == ECC_OK) look_at(found, x, size);
    }
    found->mean /= (double)count;
    if (fabs(found->mean) < 1e-6) found->mean = 0; /* rounding, in a standardised table */
    for (size_t i = 0; i < data->count && data->labels && status == ECC_OK; i++) {
        if (data->labels[i] >= 0) found->class_counts[data->labels[i]]++;
    }
    free(x);
    ECC_TRY(status);
    remark_on_findings(data, found);
    if (data->remark && !(found->remarks = strdup(data->remark))) {
        return ecc_fail_memory(error, "the remarks");
    }
    return ECC_OK;
}

void ecc_data_info_release(struct ecc_data_info *info)
{
    free(info->class_counts);
    free(info->remarks);
    *info = (struct ecc_data_info){0};
}

enum ecc_status ecc_data_describe(struct ecc_data_info *info, const char *what, size_t items,
                                  struct ecc_error *error)
{
    const struct ecc_data_options options = {.items = items, .seed = 1};
    struct ecc_dataset *data;
    *info = (struct ecc_data_info){0};
    ECC_TRY(ecc_dataset_open(&data, what, &options, error));
    const enum ecc_status status = ecc_data_look(info, data, error);
    ecc_dataset_close(data);
    if (status != ECC_OK) ecc_data_info_release(info);
    return status;
}
