/* fuzz_config.c: any bytes as the config.json of a run: the settings of its training, the columns
 * and the scaling of its table, and the rows that it was given. */
#include "data/schema.h"
#include "fuzz.h"
#include "run/config.h"
#include "run/stored.h"

static void check_schema(const struct ecc_schema *schema)
{
    size_t features = 0;
    for (size_t i = 0; schema && i < schema->count; i++) features += schema->columns[i].features;
    require(!schema || features == schema->features);
}

static void restore(const struct ecc_config *config)
{
    struct ecc_train_options options;
    struct ecc_scaling scaling;
    struct ecc_schema *schema = NULL;
    struct ecc_error error = {0};
    if (ecc_settings_restore(&options, config, &error) != ECC_OK) {
        check_sentence(&error);
    } else {
        error = (struct ecc_error){0};
        if (ecc_settings_check(&options, &error) != ECC_OK) check_sentence(&error);
    }
    error = (struct ecc_error){0};
    if (ecc_run_scaling(&scaling, config, &error) == ECC_OK) {
        ecc_run_scaling_release(&scaling);
    } else {
        check_sentence(&error);
    }
    error = (struct ecc_error){0};
    if (ecc_run_schema(&schema, config, &error) == ECC_OK) {
        check_schema(schema);
        ecc_schema_free(schema);
    } else {
        check_sentence(&error);
    }
    ecc_run_rows(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct ecc_config config;
    struct ecc_error error = {0};
    if (ecc_config_decode(&config, (const char *)bytes, size, "fuzz", &error) != ECC_OK) {
        check_sentence(&error);
        return 0;
    }
    restore(&config);
    ecc_config_release(&config);
    return 0;
}
