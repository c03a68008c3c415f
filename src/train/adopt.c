/* adopt.c: a net that was trained elsewhere becomes a model of ours. */
#include "base/text.h"
#include "eccentric_train.h"
#include "model/model.h"
#include "run/stored.h"
#include "run/weights.h"
#include "train/settle.h"

#include <stdlib.h>

#define NAME "a model trained elsewhere"

/* A run in memory whose config is as complete as that of a training. */
static enum ecc_status describe(struct ecc_run *run, struct ecc_train_options *o,
                                const struct ecc_dataset *data, struct ecc_error *error)
{
    struct ecc_net_spec *spec;
    ecc_settings_settle(o, data, data->count, 1);
    ECC_TRY(ecc_net_spec_load(&spec, o->net, data->shape, o->latent, ecc_settings_outputs(o),
                              ecc_net_width(o), error));
    ecc_settings_store(o, &run->config);
    ecc_config_set_text(&run->config, "net.text", spec->text);
    ecc_run_data_store(&run->config, data);
    ecc_net_spec_free(spec);
    return run->config.failed ? ecc_fail_memory(error, "the settings") : ECC_OK;
}

static enum ecc_status make_run(struct ecc_run **run, const struct ecc_train_options *options,
                                struct ecc_error *error)
{
    struct ecc_train_options o = *options;
    struct ecc_dataset *data = NULL;
    char *texts[ECC_SETTINGS_TEXTS] = {0};
    o.validation = 0; /* nothing is known about items that were kept aside */
    o.keep = ECC_KEEP_LAST;
    ECC_TRY(ecc_run_in_memory(run, NULL, NAME, error));
    enum ecc_status status = ecc_settings_own_texts(&o, texts, error);
    if (status == ECC_OK) {
        const struct ecc_data_options how = ecc_settings_data(&o);
        status = ecc_dataset_open(&data, o.data, &how, error);
    }
    if (status == ECC_OK) status = describe(*run, &o, data, error);
    if (data) ecc_dataset_close(data);
    for (size_t i = 0; i < ECC_SETTINGS_TEXTS; i++) free(texts[i]);
    if (status != ECC_OK) ecc_run_close(*run);
    return status;
}

static enum ecc_status take_weights(struct ecc_model *m, const unsigned char *weights, size_t size,
                                    struct ecc_error *error)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(m->net, &tensors);
    struct ecc_safetensors *file;
    ECC_TRY(ecc_safetensors_decode(&file, weights, size, NAME, error));
    float *const flat = calloc(ecc_net_flat_size(m->net) + 1, sizeof *flat);
    const enum ecc_status status = flat ? ecc_weights_take(flat, file, tensors, count, error)
                                        : ecc_fail_memory(error, "the weights");
    if (status == ECC_OK) ecc_model_take_weights(m, flat);
    free(flat);
    ecc_safetensors_free(file);
    return status;
}

enum ecc_status ecc_train_adopt(struct ecc_model **model, const struct ecc_train_options *options,
                                const unsigned char *weights, size_t size, struct ecc_error *error)
{
    struct ecc_run *run;
    *model = NULL;
    if (!options->data) return ecc_fail(error, ECC_BAD_ARGUMENT, "no data was given");
    ECC_TRY(ecc_settings_check(options, error));
    ECC_TRY(make_run(&run, options, error));
    ECC_TRY(ecc_model_plan(model, run, NULL, error));
    const enum ecc_status status = take_weights(*model, weights, size, error);
    if (status == ECC_OK) return ECC_OK;
    ecc_model_close(*model);
    *model = NULL;
    return status;
}
