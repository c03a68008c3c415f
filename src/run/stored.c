/* stored.c: what follows from a run's options and config alone: items and scaling. */
#include "run/stored.h"
#include "base/rng.h"
#include "base/streams.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

void ecc_run_split(uint32_t *items, size_t *trained, size_t count,
                   const struct ecc_train_options *options)
{
    ecc_rng_permutation(items, count, options->seed, ECC_STREAM_VALIDATION);
    *trained = count - (options->validation < count / 5 ? options->validation : count / 5);
}

/* As table.c makes them: all finite, and every deviation above 0. */
static enum ecc_status check_scaling(const struct ecc_scaling *scaling,
                                     const struct ecc_config *config, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    for (size_t j = 0; j < scaling->columns; j++) {
        const double mean = scaling->mean[j], deviation = scaling->deviation[j];
        if (isfinite(mean) && isfinite(deviation) && deviation > 0) continue;
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s: column %zu has %g in \"data.mean\" and %g in \"data.deviation\", "
                        "expected numbers, the second above 0",
                        ecc_quote_path(shown, config->path), j, mean, deviation);
    }
    return ECC_OK;
}

static enum ecc_status read_scaling(struct ecc_scaling *scaling, const struct ecc_config *config,
                                    struct ecc_error *error)
{
    const size_t columns = scaling->columns;
    scaling->mean = calloc(columns + 1, sizeof *scaling->mean);
    scaling->deviation = calloc(columns + 1, sizeof *scaling->deviation);
    if (!scaling->mean || !scaling->deviation) return ecc_fail_memory(error, "a table's scaling");
    ECC_TRY(ecc_config_get_numbers(config, scaling->mean, "data.mean", columns, error));
    ECC_TRY(ecc_config_get_numbers(config, scaling->deviation, "data.deviation", columns, error));
    ECC_TRY(check_scaling(scaling, config, error));
    if (!ecc_config_has(config, "data.columns")) return ECC_OK;
    const char **const names = calloc(columns + 1, sizeof *names);
    scaling->names = (char **)names;
    if (!names) return ecc_fail_memory(error, "the names of columns");
    return ecc_config_get_texts(config, names, "data.columns", columns, error);
}

enum ecc_status ecc_run_scaling(struct ecc_scaling *scaling, const struct ecc_config *config,
                                struct ecc_error *error)
{
    *scaling = (struct ecc_scaling){0};
    if (!ecc_config_has(config, "data.mean")) return ECC_OK;
    ECC_TRY(ecc_config_get_length(config, &scaling->columns, "data.mean", error));
    const enum ecc_status status = read_scaling(scaling, config, error);
    if (status != ECC_OK) ecc_run_scaling_release(scaling);
    return status;
}

void ecc_run_scaling_release(struct ecc_scaling *scaling)
{
    free(scaling->mean);
    free(scaling->deviation);
    free(scaling->names);
    *scaling = (struct ecc_scaling){0};
}
