/* decode.c: `eccentric decode`: decodes latents from a file, any number of them. */
#include "base/clock.h"
#include "base/text.h"
#include "cli/latent.h"
#include "model/latent_input.h"
#include "show/item_output.h"

#include <stdlib.h>

struct decode_settings {
    struct ecc_common common;
    const char *out, *data;
    size_t columns;
    bool components;
};

static const struct ecc_option decode_options[] = {
    {"out", ECC_TEXT, ECC_TO(decode_settings, out), "DIR|SHEET.png|X.npy",
     "a folder of PNG files, a sheet (.png, .svg, .pdf), a moving picture (.apng), .npy, .npz (x, "
     "z), or .csv for tables",
     .required = true, .writes = ECC_ITEM_FORMATS},
    {"components", ECC_FLAG, ECC_TO(decode_settings, components), NULL,
     ".npy: the rows are coordinates along the run's principal components, not raw latents; .csv "
     "and "
     ".npz files say so themselves"},
    {"columns", ECC_COUNT, ECC_TO(decode_settings, columns), "N",
     "images per row of the sheet (default: about square)", 1, ECC_SHEET_MOST},
    ECC_OPTION_RUN_DATA(decode_settings, data),
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

/* Decodes batch after batch from the file to the output. */
static enum ecc_status stream(struct ecc_model *model, struct ecc_latent_input *input,
                              struct ecc_item_output *output, const struct ecc_components *c,
                              const struct ecc_common *common, float *memory,
                              struct ecc_error *error)
{
    float *const z = memory, *const x = memory + model->batch * model->d;
    struct ecc_progress progress;
    ecc_catch_interrupt();
    ecc_cli_progress(&progress, common, "decode", "items", input->rows);
    enum ecc_status status = ECC_OK;
    for (size_t done = 0, n; status == ECC_OK && done < input->rows; done += n) {
        n = 0;
        status = ecc_latent_input_read(input, z, &n, model->batch, error);
        if (status == ECC_OK && c) status = ecc_components_restore(c, z, z, n, error);
        if (status == ECC_OK) status = ecc_model_decode(model, x, z, n, error);
        if (status == ECC_OK) status = ecc_item_output_add(output, x, z, n, error);
        if (status == ECC_OK && ecc_interrupted()) {
            status = ecc_fail(error, ECC_INTERRUPTED, "interrupted after %zu of %zu latents",
                              done + n, input->rows);
        }
        ecc_progress_update(&progress, done + n, NULL);
    }
    ecc_progress_end(&progress, NULL);
    return status;
}

static enum ecc_status report(const struct ecc_model *model, size_t rows,
                              const struct decode_settings *s, double seconds,
                              struct ecc_error *error)
{
    if (!s->common.json) {
        ecc_print("%zu item%s in %s (%.1f s, %.0f items/s)\n", rows, ecc_s(rows), s->out, seconds,
                  (double)rows / seconds);
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_text(json, "run", model->run->directory);
    ecc_json_text(json, "out", s->out);
    ecc_json_count(json, "items", rows);
    ecc_json_number(json, "seconds", seconds);
    ecc_json_number(json, "images_per_second", (double)rows / seconds);
    return ecc_json_print(json, error);
}

static enum ecc_status decode(struct ecc_model *model, struct ecc_latent_input *input,
                              const struct decode_settings *s, struct ecc_error *error)
{
    const struct ecc_output_words words = {.columns = s->columns};
    struct ecc_components components = {0};
    struct ecc_item_output *output = NULL;
    ECC_TRY(ecc_wrong_usage(ecc_item_output_check(s->out, model, error)));
    const bool along = input->named ? input->components : s->components;
    const double start = ecc_seconds();
    enum ecc_status status = ECC_OK;
    float *const memory = malloc(model->batch * (model->d + model->size) * sizeof *memory);
    if (!memory) status = ecc_fail_memory(error, "a batch of items");
    if (status == ECC_OK) {
        status = ecc_item_output_create(&output, s->out, model, input->rows, &words, error);
    }
    if (status == ECC_OK && along) {
        status = ecc_cli_components(&components, model, s->data, &s->common, error);
    }
    if (status == ECC_OK) {
        status =
            stream(model, input, output, along ? &components : NULL, &s->common, memory, error);
    }
    if (status == ECC_OK) status = ecc_item_output_finish(output, error);
    if (status == ECC_OK) status = report(model, input->rows, s, ecc_seconds() - start, error);
    ecc_item_output_free(output);
    ecc_components_release(&components);
    free(memory);
    return status;
}

static enum ecc_status decode_run(void *settings, const char *const *operands, size_t count,
                                  struct ecc_error *error)
{
    (void)count;
    const struct decode_settings *const s = settings;
    struct ecc_model *model;
    struct ecc_latent_input input;
    ECC_TRY(ecc_cli_open(&model, operands[0], &s->common, error));
    enum ecc_status status = ecc_latent_input_open(&input, operands[1], model->d, error);
    if (status == ECC_OK) {
        status = decode(model, &input, s, error);
        ecc_latent_input_close(&input);
    }
    ecc_model_close(model);
    return status;
}

const struct ecc_command ecc_command_decode = {
    .name = "decode",
    .operands = "RUN Z.csv|Z.npz|Z.npy",
    .operand_min = 2,
    .operand_max = 2,
    .summary = "turn latents into images or rows of a table",
    .description =
        "Decodes latents, one per row, with the model of RUN: a .npy array, or a file that "
        "`eccentric "
        "encode` wrote, in which p1, p2, ... (along the components) or z1, z2, ... (raw) are found "
        "by name. The ending of --out sets the format: .csv is a table in its own units, with its "
        "own columns; .npy is an array of pixels from 0 to 1, or of a table's numbers; .npz has "
        "that "
        "as x, the latents as z, and a table's feature_names; .png, .svg or .pdf is one sheet of "
        "images, anything else is a folder of PNG files.",
    .examples = "  eccentric decode run z.npy --out sheet.png\n"
                "  eccentric decode run p.npy --components --out images/\n"
                "  eccentric decode wine-run z.csv --out wines.csv\n",
    .options = decode_options,
    .settings_size = sizeof(struct decode_settings),
    .run = decode_run,
};
