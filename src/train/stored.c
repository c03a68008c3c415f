/* stored.c: what follows from a run's options and config alone: items and scaling. */
#include "train/stored.h"
#include "base/rng.h"

#include <stdlib.h>

/* Which items validate is drawn from the seed, on a stream of its own. */
#define STREAM_VALIDATION (UINT64_C(0x76616c) << 40)

void ecc_train_split(uint32_t *items, size_t *trained, size_t count,
                     const struct ecc_train_options *options)
{
    ecc_rng_permutation(items, count, options->seed, STREAM_VALIDATION);
    *trained = count - (options->validation < count / 5 ? options->validation : count / 5);
}

enum ecc_status ecc_train_scaling(struct ecc_scaling *scaling, const struct ecc_config *config,
                                  struct ecc_error *error)
{
    *scaling = (struct ecc_scaling){0};
    if (!ecc_config_has(config, "data.mean")) return ECC_OK;
    size_t columns;
    ECC_TRY(ecc_config_get_length(config, &columns, "data.mean", error));
    double *const mean = calloc(2 * columns + 1, sizeof *mean);
    if (!mean) return ecc_fail_memory(error, "the scaling of the table");
    enum ecc_status status = ecc_config_get_numbers(config, mean, "data.mean", columns, error);
    if (status == ECC_OK) {
        status = ecc_config_get_numbers(config, mean + columns, "data.deviation", columns, error);
    }
    if (status != ECC_OK) {
        free(mean);
        return status;
    }
    *scaling = (struct ecc_scaling){.columns = columns, .mean = mean, .deviation = mean + columns};
    return ECC_OK;
}
