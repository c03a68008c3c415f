/* stored.c: what follows from a run's options and config alone: items and scaling. */
#include "run/stored.h"
#include "base/rng.h"
#include "base/streams.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t ecc_run_aside(size_t count, const struct ecc_train_options *options)
{
    return options->validation < count / 5 ? options->validation : count / 5;
}

void ecc_run_split(uint32_t *items, size_t *trained, size_t count,
                   const struct ecc_train_options *options)
{
    ecc_rng_permutation(items, count, options->seed, ECC_STREAM_VALIDATION);
    *trained = count;
    if (options->keep != ECC_KEEP_REFIT) *trained -= ecc_run_aside(count, options);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

void ecc_run_rows_store(struct ecc_config *config, const struct ecc_dataset *data)
{
    const struct ecc_row_choice choice = ecc_dataset_choice(data);
    char text[24];
    if (data->fingerprint == 0) return;
    snprintf(text, sizeof text, "%016" PRIx64, data->fingerprint);
    ecc_config_set_text(config, "data.fingerprint", text);
    ecc_config_set_text(config, "data.split", ecc_split_names[choice.split]);
    ecc_config_set_u64(config, "data.rows", choice.count);
    if (choice.split == ECC_SPLIT_ALL) {
        ecc_config_set_u64(config, "data.train_rows", choice.train_rows);
    }
}

static bool parse_fingerprint(uint64_t *value, const char *text)
{
    char *end;
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return false;
    *value = strtoull(text, &end, 16);
    return true;
}

struct ecc_run_rows ecc_run_rows(const struct ecc_config *config)
{
    const struct ecc_run_rows unknown = {0};
    struct ecc_run_rows rows = {0};
    struct ecc_row_choice *const choice = &rows.choice;
    const char *fingerprint, *split;
    if (!ecc_config_has(config, "data.fingerprint") ||
        ecc_config_get_text(config, &fingerprint, "data.fingerprint", NULL) != ECC_OK ||
        ecc_config_get_text(config, &split, "data.split", NULL) != ECC_OK ||
        ecc_config_get_size(config, &choice->count, "data.rows", NULL) != ECC_OK ||
        !parse_fingerprint(&rows.fingerprint, fingerprint) ||
        !ecc_split_parse(&choice->split, split) || choice->count > UINT32_MAX) {
        return unknown;
    }
    if (choice->split == ECC_SPLIT_ALL &&
        ecc_config_get_size(config, &choice->train_rows, "data.train_rows", NULL) != ECC_OK) {
        return unknown;
    }
    return rows;
}

/* ---- Scaling -------------------------------------------------------------------------------- */

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
    if (ecc_config_has(config, "data.clip")) {
        ECC_TRY(ecc_config_get_number(config, &scaling->clip, "data.clip", error));
    }
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

/* ---- All of it ------------------------------------------------------------------------------ */

void ecc_run_data_store(struct ecc_config *config, const struct ecc_dataset *data)
{
    const struct ecc_scaling *const scaling = &data->scaling;
    ecc_config_set_u64(config, "data.channels", data->shape.channels);
    ecc_config_set_u64(config, "data.height", data->shape.height);
    ecc_config_set_u64(config, "data.width", data->shape.width);
    ecc_run_rows_store(config, data);
    if (data->schema) ecc_run_schema_store(data->schema, config);
    if (scaling->columns == 0) return;
    ecc_config_set_numbers(config, "data.mean", scaling->mean, scaling->columns);
    ecc_config_set_numbers(config, "data.deviation", scaling->deviation, scaling->columns);
    if (scaling->clip > 0) ecc_config_set_number(config, "data.clip", scaling->clip);
    if (scaling->names) {
        ecc_config_set_texts(config, "data.columns", scaling->names, scaling->columns);
    }
}
