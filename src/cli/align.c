/* align.c: `eccentric align`: whether runs found the same components. */
#include "cli/latent.h"
#include "cli/print.h"
#include "eccentric_show.h"

#include <stdlib.h>

struct align_settings {
    struct ecc_common common;
    struct ecc_align_options options;
    const char *out;
};

/* clang-format off */
static const struct ecc_option align_options[] = {
    {"data", ECC_TEXT, ECC_TO(align_settings, options.data), "DATA",
     "items to compare by: the training part is used for matching, the test part for measuring "
     "(default: the first run's data)"},
    {"test", ECC_TEXT, ECC_TO(align_settings, options.test), "DATA",
     "measure on these items: all of DATA, or a part (default: those of the test part that no run was trained on)"},
    {"items", ECC_COUNT, ECC_TO(align_settings, options.items), "N",
     "only the first N items of each part", 2, 4e9},
    {"out", ECC_TEXT, ECC_TO(align_settings, out), "FIGURE",
     "draw the correlations before and after matching (.png, .svg or .pdf)",
     .writes = ECC_FORMAT_PICTURE},
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};
/* clang-format on */

/* Opens the runs; models: [count], NULL where a run is not open yet. */
static enum ecc_status open_runs(struct ecc_model **models, const char *const *runs, size_t count,
                                 const struct ecc_common *common, struct ecc_error *error)
{
    for (size_t i = 0; i < count; i++) ECC_TRY(ecc_cli_open(&models[i], runs[i], common, error));
    return ECC_OK;
}

static enum ecc_status align(struct ecc_runs_alignment *result, const char *const *runs,
                             size_t count, const struct align_settings *s, struct ecc_error *error)
{
    struct ecc_model **const models = calloc(count, sizeof *models);
    if (!models) return ecc_fail_memory(error, "the runs");
    struct ecc_cli_watch cli;
    ecc_cli_watch_start(&cli, &s->common);
    enum ecc_status status = open_runs(models, runs, count, &s->common, error);
    if (status == ECC_OK) {
        status = ecc_align_runs(result, models, count, &s->options, &cli.watch, error);
    }
    ecc_cli_watch_end(&cli);
    for (size_t i = 0; i < count; i++) ecc_model_close(models[i]);
    free(models);
    return status;
}

static enum ecc_status align_run(void *settings, const char *const *operands, size_t count,
                                 struct ecc_error *error)
{
    const struct align_settings *const s = settings;
    struct ecc_runs_alignment result = {0};
    enum ecc_status status = align(&result, operands, count, s, error);
    if (status == ECC_OK && s->out) status = ecc_draw_runs_alignment(&result, s->out, error);
    if (status == ECC_OK) {
        status = ecc_print_runs_alignment(&result, operands, s->common.json, error);
    }
    ecc_runs_alignment_release(&result);
    return status;
}

const struct ecc_command ecc_command_align = {
    .name = "align",
    .operands = "RUN RUN...",
    .operand_min = 2,
    .operand_max = 64,
    .summary = "check whether runs found the same components",
    .description =
        "Compares how runs encode the same items. For each pair of runs, components are matched "
        "one to one by their covariance over training items and flipped where it is negative. On "
        "test items, align then reports the mean angle between the two encodings: raw, after "
        "matching, and after the best rotation (90 degrees: nothing in common), and linear CKA. "
        "The verdict is \"same components\", \"same space, rotated\", \"mostly the "
        "same components\", \"some components the same\", \"related spaces, different components\" "
        "or "
        "\"different spaces\", with the components that have no partner: their correlation is "
        "below 0.7.",
    .examples = "  eccentric align run1 run2 run3 --data mnist --out alignment.png\n"
                "  eccentric align run1 run2 --json\n",
    .options = align_options,
    .settings_size = sizeof(struct align_settings),
    .run = align_run,
};
