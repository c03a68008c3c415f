/* encode.c: `eccentric encode`: encodes items into a .npy file, any number of them. */
#include "base/clock.h"
#include "base/npy.h"
#include "cli/latent.h"

#include <stdlib.h>
#include <string.h>

struct encode_settings {
    struct ecc_common common;
    const char *out, *labels, *data;
    size_t items;
    bool components;
};

static const struct ecc_option encode_options[] = {
    {"out", ECC_TEXT, ECC_TO(encode_settings, out), "Z.npy",
     "where to write the latents: float32, one row per item", .required = true,
     .writes = ECC_FORMAT_NPY},
    {"components", ECC_FLAG, ECC_TO(encode_settings, components), NULL,
     "write coordinates along the run's principal components instead of raw latents"},
    {"labels", ECC_TEXT, ECC_TO(encode_settings, labels), "Y.npy",
     "also write the items' labels: int32", .writes = ECC_FORMAT_NPY},
    {"items", ECC_COUNT, ECC_TO(encode_settings, items), "N", "only the first N items", 1, 4e9},
    ECC_OPTION_RUN_DATA(encode_settings, data),
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

struct writing {
    struct ecc_npy_writer writer;
    const struct ecc_components *components; /* NULL: raw latents */
    float *p;                                /* [batch, d] */
};

static enum ecc_status take_batch(void *context, const float *z, size_t first, size_t n,
                                  struct ecc_error *error)
{
    (void)first;
    struct writing *const w = context;
    if (!w->components) return ecc_npy_writer_append(&w->writer, z, n, error);
    ECC_TRY(ecc_components_project(w->components, w->p, z, n, error));
    return ecc_npy_writer_append(&w->writer, w->p, n, error);
}

static enum ecc_status write_labels(const struct ecc_dataset *data, const char *path,
                                    struct ecc_error *error)
{
    const struct ecc_array array = {.dtype = ECC_I4,
                                    .rank = 1,
                                    .shape = {data->count},
                                    .count = data->count,
                                    .data = data->labels};
    return ecc_npy_write(path, &array, error);
}

static enum ecc_status stream(struct ecc_model *model, struct ecc_dataset *data, struct writing *w,
                              const struct encode_settings *s, struct ecc_error *error)
{
    struct ecc_cli_watch report;
    ECC_TRY(ecc_npy_writer_open(&w->writer, s->out, ECC_F4, &model->d, 1, error));
    ecc_cli_watch_start(&report, &s->common);
    enum ecc_status status = ecc_model_encode_stream(model, data, NULL, data->count, take_batch, w,
                                                     &report.watch, error);
    ecc_cli_watch_end(&report);
    if (status == ECC_OK) status = ecc_npy_writer_commit(&w->writer, error);
    ecc_npy_writer_discard(&w->writer);
    return status;
}

static enum ecc_status report(const struct ecc_model *model, const struct ecc_dataset *data,
                              const struct encode_settings *s, double seconds,
                              struct ecc_error *error)
{
    const double rate = (double)data->count / seconds;
    if (!s->common.json) {
        printf("%zu %s of size %zu in %s (%.1f s, %.0f items/s)\n", data->count,
               s->components ? "latents along components" : "latents", model->d, s->out, seconds,
               rate);
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_text(json, "run", model->run->directory);
    ecc_json_text(json, "data", data->name);
    ecc_json_text(json, "out", s->out);
    ecc_json_count(json, "items", data->count);
    ecc_json_count(json, "latent", model->d);
    ecc_json_flag(json, "components", s->components);
    ecc_json_number(json, "seconds", seconds);
    ecc_json_number(json, "images_per_second", rate);
    return ecc_json_print(json, error);
}

static enum ecc_status encode(struct ecc_model *model, struct ecc_dataset *data,
                              const struct encode_settings *s, struct ecc_error *error)
{
    struct ecc_components components = {0};
    struct writing w = {0};
    if (s->labels) ECC_TRY(ecc_check_has_labels(data, error));
    if (s->components) {
        ECC_TRY(ecc_cli_components(&components, model, s->data, &s->common, error));
        w.components = &components;
    }
    enum ecc_status status = ECC_OK;
    w.p = malloc(model->batch * model->d * sizeof *w.p);
    const double start = ecc_seconds();
    if (!w.p) status = ecc_fail_memory(error, "a batch of latents");
    if (status == ECC_OK) status = stream(model, data, &w, s, error);
    if (status == ECC_OK && s->labels) status = write_labels(data, s->labels, error);
    if (status == ECC_OK) status = report(model, data, s, ecc_seconds() - start, error);
    free(w.p);
    ecc_components_release(&components);
    return status;
}

static enum ecc_status encode_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    const struct encode_settings *const s = settings;
    (void)operand_count;
    if (!s->labels || strcmp(s->labels, s->out) != 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "--out and --labels name the same file");
}

static enum ecc_status encode_run(void *settings, const char *const *operands, size_t count,
                                  struct ecc_error *error)
{
    const struct encode_settings *const s = settings;
    struct ecc_model *model;
    struct ecc_dataset *data;
    ECC_TRY(ecc_cli_open(&model, operands[0], &s->common, error));
    const char *const what = count > 1 ? operands[1] : s->data;
    enum ecc_status status = ecc_model_open_data(model, &data, what, s->items, error);
    if (status == ECC_OK) {
        status = encode(model, data, s, error);
        ecc_dataset_close(data);
    }
    ecc_model_close(model);
    return status;
}

const struct ecc_command ecc_command_encode = {
    .name = "encode",
    .operands = "RUN [DATA]",
    .operand_min = 1,
    .operand_max = 2,
    .summary = "turn items into latents",
    .description =
        "Encodes DATA (default: the training part of the run's data) with the model of RUN and "
        "writes one latent per row, in the order of the data. Items are converted as in training. "
        "For a VAE the latents are the posterior means. The output is streamed: memory does not "
        "grow with the number of items.",
    .examples = "  eccentric encode run mnist:test --out z.npy --labels y.npy\n"
                "  eccentric encode run photos/ --components --out p.npy\n",
    .options = encode_options,
    .settings_size = sizeof(struct encode_settings),
    .check = encode_check,
    .run = encode_run,
};
