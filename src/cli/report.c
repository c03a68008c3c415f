/* report.c: `eccentric report`: a run as one self-contained page. */
#include "eccentric_pages.h"

#include "base/text.h"
#include "cli/latent.h"
#include "cli/shared.h"
#include "model/seen.h"

#include <stdlib.h>
#include <string.h>

struct report_settings {
    struct ecc_common common;
    struct ecc_report_options options;
    const char *out;
    int baselines;
};

static const char *const baseline_names[] = {"yes", "no", NULL};
enum { BASELINES_NO = 1 };

/* clang-format off */
static const struct ecc_option report_options[] = {
    {"out", ECC_TEXT, ECC_TO(report_settings, out), "PAGE.html",
     "the file to write (default: RUN/report.html)", .writes = ECC_FORMAT_HTML},
    ECC_OPTION_RUN_DATA(report_settings, options.data),
    {"test", ECC_TEXT, ECC_TO(report_settings, options.test), "DATA",
     "items to measure, show and classify: all of DATA, or a part (default: those of the test part of the run's data that "
     "it was not trained on)"},
    {"items", ECC_COUNT, ECC_TO(report_settings, options.items), "N",
     "use only the first N items of each part", 1, 4e9},
    {"baselines", ECC_CHOICE, ECC_TO(report_settings, baselines), NULL,
     "also classify pixels and their ordinary principal components (default "
     "yes)", .choices = baseline_names},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};
/* clang-format on */

static json_t *missing_json(const struct ecc_report_result *found)
{
    json_t *const json = json_object();
    for (size_t i = 0; i < found->gap_count; i++) {
        ecc_json_text(json, found->gaps[i].what, found->gaps[i].why.text);
    }
    return json;
}

static void print_words(json_t *missing, const char *path, size_t bytes)
{
    const char *name, *before = "";
    json_t *sentence;
    json_object_foreach(missing, name, sentence)
    {
        const char *const text = json_string_value(sentence);
        const bool same = strcmp(text, before) == 0;
        ecc_print_to(stderr, "eccentric: the page leaves out %s%s%s%s\n", name,
                     same ? ", too" : ": ", same ? "" : text, same ? "" : ecc_hint(text));
        before = text;
    }
    json_decref(missing);
    const bool large = bytes >= 1000000;
    ecc_print("%s, %.*f %cB\n", path, large, (double)bytes / (large ? 1e6 : 1e3),
              large ? 'M' : 'k');
}

static enum ecc_status say(const struct ecc_report_result *found, const char *run, const char *path,
                           bool in_json, struct ecc_error *error)
{
    json_t *const missing = missing_json(found);
    if (!in_json) {
        print_words(missing, path, found->bytes);
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_text(json, "run", run);
    ecc_json_text(json, "out", path);
    ecc_json_count(json, "bytes", found->bytes);
    ecc_json_number(json, "error", found->error);
    ecc_json_number(json, "variance_kept", found->kept);
    char words[ECC_SEEN_WORDS];
    if (found->has_items) {
        ecc_json_text(json, "items", ecc_seen_words(words, &found->seen));
        ecc_json_count(json, "items_trained_on", found->seen.trained);
    }
    json_object_set_new(json, "missing", missing);
    return ecc_json_print(json, error);
}

static enum ecc_status report_run(void *settings, const char *const *operands, size_t count,
                                  struct ecc_error *error)
{
    (void)count;
    const struct report_settings *const s = settings;
    struct ecc_report_options options = s->options;
    struct ecc_report_result found;
    struct ecc_model *model;
    struct ecc_cli_watch cli;
    options.seed = s->common.seed;
    options.no_baselines = s->baselines == BASELINES_NO;
    ECC_TRY(ecc_cli_open(&model, operands[0], &s->common, error));
    char *const path = s->out ? strdup(s->out) : ecc_run_path(model->run, "report.html");
    ecc_cli_watch_start(&cli, &s->common);
    enum ecc_status status = path ? ecc_report_run(&found, model, path, &options, &cli.watch, error)
                                  : ecc_fail_memory(error, "a path");
    ecc_cli_watch_end(&cli);
    if (status == ECC_OK) status = say(&found, operands[0], path, s->common.json, error);
    free(path);
    ecc_model_close(model);
    return status;
}

const struct ecc_command ecc_command_report = {
    .name = "report",
    .operands = "RUN",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "write a run as one HTML file: curves, components, samples, scores",
    .description =
        "Writes one HTML file with everything about a run: training curves, spectrum, what the "
        "components mean, reconstructions, samples, a map of the items, classification beside "
        "baselines, settings and the command that trains the run again, time and machine. The "
        "file needs no network and no script, follows the reader's light or dark mode, and can be "
        "printed.\n\nReconstructions, map and classification use items that the run was not "
        "trained "
        "on: those of the test part of its data, else its validation items. If there are none, the "
        "page says so and shows training items; --test DATA names others. If the data is gone or "
        "the training is not finished, the page says so and shows the "
        "rest. The same run, seed and number of threads give the same bytes.",
    .examples = "  eccentric report run\n"
                "  eccentric report run --out digits.html\n"
                "  eccentric report run --data /mnt/moved/mnist --baselines no\n",
    .options = report_options,
    .settings_size = sizeof(struct report_settings),
    .run = report_run,
};
