/* model.c: opens a run: plans its net for inference and loads its weights. */
#include "model/model.h"
#include "base/text.h"
#include "model/product.h"
#include "regularizer/choice.h"
#include "run/checkpoint.h"
#include "run/metrics.h"
#include "run/stored.h"
#include "run/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static enum ecc_status load_spec(struct ecc_model *m, struct ecc_error *error)
{
    const struct ecc_config *const config = &m->run->config;
    const char *text;
    ECC_TRY(ecc_config_get_size(config, &m->shape.channels, "data.channels", error));
    ECC_TRY(ecc_config_get_size(config, &m->shape.height, "data.height", error));
    ECC_TRY(ecc_config_get_size(config, &m->shape.width, "data.width", error));
    ECC_TRY(ecc_config_get_text(config, &text, "net.text", error));
    m->size = ecc_shape_size(m->shape);
    m->d = m->options.latent;
    return ecc_net_spec_parse(&m->spec, text, m->options.net, m->shape, m->d,
                              ecc_settings_outputs(&m->options), error);
}

/* ---- Weights -------------------------------------------------------------------------------- */

static enum ecc_status read_checkpoint(struct ecc_model *m, float *flat, struct ecc_error *error)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(m->net, &tensors);
    struct ecc_checkpoint *checkpoint;
    ECC_TRY(ecc_checkpoint_create(&checkpoint, error));
    enum ecc_status status =
        ecc_checkpoint_add_tensors(checkpoint, ECC_CHECKPOINT_WEIGHTS, tensors, count, flat, error);
    if (status == ECC_OK) {
        status = ecc_checkpoint_add(checkpoint, ECC_CHECKPOINT_STEP, ECC_I8, &m->step, 1, error);
    }
    if (status == ECC_OK) {
        status = ecc_checkpoint_load(checkpoint, NULL, m->run->checkpoint, error);
    }
    ecc_checkpoint_free(checkpoint);
    return status;
}

static enum ecc_status read_weights(struct ecc_model *m, float *flat, struct ecc_error *error)
{
    if (access(m->run->model, F_OK) == 0) {
        const struct ecc_tensor *tensors;
        const size_t count = ecc_net_tensors(m->net, &tensors);
        m->finished = true;
        return ecc_weights_read(flat, tensors, count, m->run->model, error);
    }
    if (ecc_checkpoint_exists(m->run->checkpoint)) {
        return read_checkpoint(m, flat, error);
    }
    return ecc_run_without_model(m->run, m->training, error);
}

void ecc_model_take_weights(struct ecc_model *m, const float *flat)
{
    ecc_net_import(m->net, flat);
    const size_t bytes = ecc_net_flat_size(m->net) * sizeof *flat;
    m->weight_sum = (uint32_t)crc32_z(0, (const unsigned char *)flat, bytes);
    m->finished = true;
    ecc_model_fold(m);
}

static enum ecc_status load_weights(struct ecc_model *m, struct ecc_error *error)
{
    float *const flat = calloc(ecc_net_flat_size(m->net) + 1, sizeof *flat);
    if (!flat) return ecc_fail_memory(error, "the weights");
    const enum ecc_status status = read_weights(m, flat, error);
    const bool finished = m->finished;
    if (status == ECC_OK) ecc_model_take_weights(m, flat);
    m->finished = finished;
    free(flat);
    return status;
}

/* ---- Opening and closing -------------------------------------------------------------------- */

static enum ecc_status check_columns(const struct ecc_model *m, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    const size_t columns = m->scaling.columns, size = ecc_shape_size(m->shape);
    if (m->schema && (m->schema->features != size || columns == 0)) {
        return ecc_fail(error, ECC_BAD_DATA, "%s: \"data.table\" has %zu features, expected %zu",
                        ecc_quote_path(shown, m->run->config.path), m->schema->features, size);
    }
    if (columns == 0 || columns == size) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%s: \"data.mean\" has %zu columns, expected %zu",
                    ecc_quote_path(shown, m->run->config.path), columns, size);
}

/* The net, and in it the numbers that the regularizer needs to make latents of its outputs. */
static enum ecc_status plan_net(struct ecc_model *m, int threads, struct ecc_error *error)
{
    struct ecc_regularizer_choice choice;
    struct ecc_latent_tensor list[ECC_LATENT_TENSORS];
    float *values[ECC_LATENT_TENSORS], *gradients[ECC_LATENT_TENSORS];
    ECC_TRY(ecc_regularizer_read(&choice, m->options.regularizer, error));
    m->regularizer = ecc_regularizer_chosen(&choice, m->d);
    const size_t count = ecc_regularizer_tensors(&m->regularizer, list);
    const struct ecc_net_options options = {.batch = m->batch,
                                            .direct = m->options.direct,
                                            .threads = threads,
                                            .latent_tensors = list,
                                            .latent_tensor_count = count};
    ECC_TRY(ecc_net_create(&m->net, m->spec, &options, error));
    ecc_net_latent_tensors(m->net, values, gradients);
    ecc_regularizer_bind(&m->regularizer, values, NULL, count);
    return ECC_OK;
}

/* Sets up everything but the weights from the config. */
static enum ecc_status plan(struct ecc_model *m, const struct ecc_model_options *options,
                            struct ecc_error *error)
{
    ECC_TRY(ecc_settings_restore(&m->options, &m->run->config, error));
    ECC_TRY(ecc_settings_check(&m->options, error));
    ECC_TRY(ecc_run_scaling(&m->scaling, &m->run->config, error));
    ECC_TRY(ecc_run_schema(&m->schema, &m->run->config, error));
    ECC_TRY(load_spec(m, error));
    ECC_TRY(check_columns(m, error));
    m->batch = options && options->batch ? options->batch : ECC_MODEL_BATCH;
    return plan_net(m, options ? options->threads : 0, error);
}

enum ecc_status ecc_model_plan(struct ecc_model **model, struct ecc_run *run,
                               const struct ecc_model_options *options, struct ecc_error *error)
{
    struct ecc_model *const m = *model = calloc(1, sizeof *m);
    if (!m) {
        ecc_run_close(run);
        return ecc_fail_memory(error, "a model");
    }
    m->run = run;
    const enum ecc_status status = plan(m, options, error);
    if (status == ECC_OK) return ECC_OK;
    ecc_model_close(m);
    *model = NULL;
    return status;
}

enum ecc_status ecc_model_open(struct ecc_model **model, const char *directory,
                               const struct ecc_model_options *options, struct ecc_error *error)
{
    struct ecc_run *run;
    *model = NULL;
    /* before the weights are looked for: a training that ends now leaves a finished model */
    const bool training = ecc_run_is_training(directory);
    ECC_TRY(ecc_run_open(&run, directory, error));
    ECC_TRY(ecc_model_plan(model, run, options, error));
    (*model)->training = training;
    const enum ecc_status status = load_weights(*model, error);
    if (status == ECC_OK) return ECC_OK;
    ecc_model_close(*model);
    *model = NULL;
    return status;
}

void ecc_model_close(struct ecc_model *m)
{
    if (!m) return;
    ecc_net_free(m->net);
    free(m->product);
    ecc_net_spec_free(m->spec);
    ecc_run_scaling_release(&m->scaling);
    ecc_schema_free(m->schema);
    ecc_components_release(&m->components);
    ecc_run_close(m->run);
    free(m);
}

uint64_t ecc_model_steps(const struct ecc_model *m)
{
    return m->step <= m->options.total_steps ? m->options.total_steps : 0;
}

struct ecc_model_info ecc_model_describe(const struct ecc_model *m)
{
    return (struct ecc_model_info){
        .latent = m->d,
        .channels = m->shape.channels,
        .height = m->shape.height,
        .width = m->shape.width,
        .size = m->size,
        .finished = m->finished,
        .training = m->training && !m->finished,
        .step = m->step,
        .steps = ecc_model_steps(m),
        .data = m->options.data,
        .columns = m->scaling.columns,
        .mean = m->scaling.mean,
        .deviation = m->scaling.deviation,
        .clip = m->scaling.clip,
        .column_names = (const char *const *)m->scaling.names,
    };
}

const char *ecc_model_unfinished(char out[ECC_UNFINISHED_TEXT], const struct ecc_model *m)
{
    char shown[ECC_PATH_SIZE], of[32] = "";
    if (m->finished) return NULL;
    ecc_quote_path(shown, m->run->directory);
    if (ecc_model_steps(m) > 0) {
        snprintf(of, sizeof of, " of %llu", (unsigned long long)ecc_model_steps(m));
    }
    snprintf(out, ECC_UNFINISHED_TEXT, "%s is %s: using its checkpoint of step %llu%s%s", shown,
             m->training ? "still being trained" : "not finished", (unsigned long long)m->step, of,
             m->training ? "" : "; to finish it, resume the training");
    return out;
}

const struct ecc_schema *ecc_model_schema(const struct ecc_model *m)
{
    return m->schema;
}

/* ---- Use ------------------------------------------------------------------------------------ */

enum ecc_status ecc_model_encode(struct ecc_model *m, float *z, const float *x, size_t n,
                                 struct ecc_error *error)
{
    for (size_t i = 0; i < n; i += m->batch) {
        const size_t count = n - i < m->batch ? n - i : m->batch;
        const float *outputs;
        ECC_TRY(ecc_net_encode(m->net, &outputs, x + i * m->size, count, false, error));
        if (m->product) {
            ecc_model_apply_product(m, z + i * m->d, outputs, count);
        } else {
            ecc_regularizer_means(&m->regularizer, z + i * m->d, outputs, count);
        }
    }
    return ECC_OK;
}

enum ecc_status ecc_model_decode(struct ecc_model *m, float *x, const float *z, size_t n,
                                 struct ecc_error *error)
{
    for (size_t i = 0; i < n; i += m->batch) {
        const size_t count = n - i < m->batch ? n - i : m->batch;
        ECC_TRY(ecc_net_decode(m->net, x + i * m->size, z + i * m->d, count, false, error));
    }
    return ECC_OK;
}

double ecc_model_radius(const struct ecc_model *m)
{
    const struct ecc_regularizer *const entry = m->regularizer.entry;
    return entry->radius ? entry->radius(m->d) : 0;
}

struct ecc_sampler ecc_model_sampler(const struct ecc_model *m,
                                     const struct ecc_components *components, uint64_t seed)
{
    const double radius = ecc_model_radius(m);
    return (struct ecc_sampler){.from = radius > 0 ? ECC_SAMPLE_SPHERE : ECC_SAMPLE_GAUSSIAN,
                                .d = m->d,
                                .components = components,
                                .radius = radius,
                                .seed = seed};
}

double ecc_model_lambda(const struct ecc_model *m)
{
    struct ecc_metrics_table table;
    double lambda = m->options.lambda;
    const bool steered = !isnan(m->options.target_eccentricity) || !isnan(m->options.target_loss);
    if (!steered && !m->regularizer.entry->weight) return lambda;
    if (!m->run->stored) return lambda;
    if (ecc_metrics_read(&table, m->run->directory, NULL) != ECC_OK) return lambda;
    double *const x = malloc(2 * (table.rows + 1) * sizeof *x);
    const size_t n = x ? ecc_metrics_curve(x, x + table.rows, &table, "lambda") : 0;
    if (n > 0) lambda = x[table.rows + n - 1];
    free(x);
    ecc_metrics_table_release(&table);
    return lambda;
}
