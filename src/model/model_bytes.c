/*
 * model_bytes.c: saves a model to one block of bytes, and opens it again.
 *
 * The block is a safetensors file: the net's tensors under their own names, the components as
 * float64 tensors "components.*", and in the metadata config.json as text.
 */
#include "base/text.h"
#include "model/components.h"
#include "run/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "a model in memory"
#define CONFIG_KEY "config"
#define FORMAT_KEY "format"
#define FORMAT "eccentric model 1"

enum { COMPONENT_TENSORS = 5 };

/* The components as tensors; none if they are not known. */
static size_t component_items(struct ecc_safetensors_item items[COMPONENT_TENSORS],
                              const struct ecc_components *c, const uint64_t *count)
{
    const size_t d = c->d;
    const struct ecc_safetensors_item all[COMPONENT_TENSORS] = {
        {ECC_COMPONENTS_PREFIX "mean", ECC_F8, 1, {d}, c->mean},
        {ECC_COMPONENTS_PREFIX "eigenvalues", ECC_F8, 1, {d}, c->eigenvalues},
        {ECC_COMPONENTS_PREFIX "axes", ECC_F8, 2, {d, d}, c->axes},
        {ECC_COMPONENTS_PREFIX "skewness", ECC_F8, 1, {d}, c->skewness},
        {ECC_COMPONENTS_PREFIX "count", ECC_U8, 1, {1}, count},
    };
    if (d == 0) return 0;
    memcpy(items, all, sizeof all);
    return COMPONENT_TENSORS;
}

static float *export_weights(const struct ecc_model *m)
{
    float *const flat = malloc((ecc_net_flat_size(m->net) + 1) * sizeof *flat);
    if (flat) ecc_net_export(m->net, flat);
    return flat;
}

enum ecc_status ecc_model_save_bytes(const struct ecc_model *m, unsigned char **bytes, size_t *size,
                                     struct ecc_error *error)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(m->net, &tensors);
    const uint64_t items_fitted = m->components.count;
    char *config;
    *bytes = NULL;
    ECC_TRY(ecc_config_encode(&m->run->config, &config, error));
    float *const flat = export_weights(m);
    struct ecc_safetensors_item *const items = calloc(count + COMPONENT_TENSORS, sizeof *items);
    enum ecc_status status = flat && items ? ECC_OK : ecc_fail_memory(error, "a model");
    if (status == ECC_OK) {
        const char *const metadata[] = {FORMAT_KEY, FORMAT, CONFIG_KEY, config, NULL};
        ecc_weights_items(items, tensors, count, flat);
        const size_t all = count + component_items(items + count, &m->components, &items_fitted);
        status = ecc_safetensors_encode(bytes, size, items, all, metadata, error);
    }
    free(items);
    free(flat);
    free(config);
    return status;
}

/* ---- Opening -------------------------------------------------------------------------------- */

static enum ecc_status read_doubles(double *out, const struct ecc_safetensors *file,
                                    const char *name, size_t rank, size_t d,
                                    struct ecc_error *error)
{
    const struct ecc_safetensors_item item = {name, ECC_F8, rank, {d, d}, NULL};
    ECC_TRY(ecc_safetensors_get_exactly(file, out, &item, error));
    for (size_t i = 0; i < (rank == 2 ? d * d : d); i++) {
        if (!isfinite(out[i])) {
            return ecc_fail(error, ECC_BAD_DATA, NAME ": '%s' has a number that is not finite",
                            name);
        }
    }
    return ECC_OK;
}

static enum ecc_status read_components(struct ecc_model *m, const struct ecc_safetensors *file,
                                       struct ecc_error *error)
{
    struct ecc_components *const c = &m->components;
    const struct ecc_safetensors_item count_item = {
        ECC_COMPONENTS_PREFIX "count", ECC_U8, 1, {1}, NULL};
    uint64_t count;
    if (!ecc_safetensors_find(file, ECC_COMPONENTS_PREFIX "mean")) return ECC_OK;
    ECC_TRY(ecc_components_init(c, m->d, error));
    ECC_TRY(read_doubles(c->mean, file, ECC_COMPONENTS_PREFIX "mean", 1, m->d, error));
    ECC_TRY(
        read_doubles(c->eigenvalues, file, ECC_COMPONENTS_PREFIX "eigenvalues", 1, m->d, error));
    ECC_TRY(read_doubles(c->axes, file, ECC_COMPONENTS_PREFIX "axes", 2, m->d, error));
    ECC_TRY(read_doubles(c->skewness, file, ECC_COMPONENTS_PREFIX "skewness", 1, m->d, error));
    ECC_TRY(ecc_safetensors_get_exactly(file, &count, &count_item, error));
    c->count = (size_t)count;
    ECC_TRY(ecc_components_check(c, NAME, error));
    ecc_components_describe(c);
    return ECC_OK;
}

/* Loading the weights takes the net's tensors, which take the config: so first make a model without
 * weights. */
static enum ecc_status open_file(struct ecc_model **model, const struct ecc_safetensors *file,
                                 const struct ecc_model_options *options, struct ecc_error *error)
{
    const char *const config = ecc_safetensors_metadata(file, CONFIG_KEY);
    const char *const format = ecc_safetensors_metadata(file, FORMAT_KEY);
    struct ecc_run *run;
    if (!config || !format || strcmp(format, FORMAT) != 0) {
        return ecc_fail(
            error, ECC_BAD_DATA,
            "these bytes are not a model saved by ecc_model_save_bytes: the settings are missing");
    }
    ECC_TRY(ecc_run_in_memory(&run, config, NAME, error));
    ECC_TRY(ecc_model_plan(model, run, options, error));
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors((*model)->net, &tensors);
    float *const flat = calloc(ecc_net_flat_size((*model)->net) + 1, sizeof *flat);
    enum ecc_status status = flat ? ecc_weights_take(flat, file, tensors, count, error)
                                  : ecc_fail_memory(error, "the weights");
    if (status == ECC_OK) ecc_model_take_weights(*model, flat);
    if (status == ECC_OK) status = read_components(*model, file, error);
    free(flat);
    return status;
}

enum ecc_status ecc_model_open_bytes(struct ecc_model **model, const unsigned char *bytes,
                                     size_t size, const struct ecc_model_options *options,
                                     struct ecc_error *error)
{
    struct ecc_safetensors *file;
    *model = NULL;
    ECC_TRY(ecc_safetensors_decode(&file, bytes, size, NAME, error));
    const enum ecc_status status = open_file(model, file, options, error);
    ecc_safetensors_free(file);
    if (status == ECC_OK) return ECC_OK;
    ecc_model_close(*model);
    *model = NULL;
    return status;
}

/* ---- Copies --------------------------------------------------------------------------------- */

enum ecc_status ecc_model_copy(struct ecc_model **copy, const struct ecc_model *m,
                               const struct ecc_model_options *options, struct ecc_error *error)
{
    struct ecc_run *run;
    *copy = NULL;
    float *const flat = export_weights(m);
    if (!flat) return ecc_fail_memory(error, "the weights");
    enum ecc_status status = ecc_run_copy(&run, m->run, error);
    if (status == ECC_OK) status = ecc_model_plan(copy, run, options, error);
    if (status == ECC_OK) {
        ecc_model_take_weights(*copy, flat);
        (*copy)->finished = m->finished;
        (*copy)->training = m->training;
        (*copy)->step = m->step;
        if (m->components.d > 0) {
            status = ecc_components_copy(&(*copy)->components, &m->components, error);
        }
    }
    free(flat);
    if (status == ECC_OK) return ECC_OK;
    ecc_model_close(*copy);
    *copy = NULL;
    return status;
}

static enum ecc_status fill_directory(const struct ecc_model *m, struct ecc_run *run,
                                      struct ecc_error *error)
{
    json_decref(run->config.root);
    run->config.root = json_incref(m->run->config.root);
    ECC_TRY(ecc_config_write(&run->config, error));
    ECC_TRY(ecc_weights_save(m->net, run->model, NULL, error));
    if (m->components.d == 0) return ECC_OK;
    char *const path = ecc_run_path(run, ECC_COMPONENTS_FILE);
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_components_write(&m->components, m->weight_sum, path, error);
    free(path);
    return status;
}

enum ecc_status ecc_model_save(const struct ecc_model *m, const char *directory,
                               struct ecc_error *error)
{
    struct ecc_run *run;
    ECC_TRY(ecc_run_create(&run, directory, false, error));
    const enum ecc_status status = fill_directory(m, run, error);
    if (status != ECC_OK) { /* nothing half-written stays */
        unlink(run->config.path);
        unlink(run->model);
        ecc_run_abandon(run);
    }
    ecc_run_close(run);
    return status;
}
