/* report.c: `eccentric report`: a run as one self-contained page. */
#include "base/file.h"
#include "base/text.h"
#include "cli/latent.h"
#include "cli/shared.h"
#include "report/page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct report_settings {
    struct ecc_common common;
    struct ecc_report_options options;
    const char *out;
    int baselines;
};

static const char *const baseline_names[] = {"yes", "no", NULL};
enum { BASELINES_YES = 0 };

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

/* Opens the file first, to fail before the work if it cannot be written. */
static enum ecc_status write_page(struct ecc_report *page, const char *path,
                                  struct ecc_model *model, const struct report_settings *s,
                                  struct ecc_error *error)
{
    struct ecc_report_options options = s->options;
    struct ecc_output output;
    struct ecc_cli_watch cli;
    options.baselines = s->baselines == BASELINES_YES;
    options.seed = s->common.seed;
    ECC_TRY(ecc_output_open(&output, path, error));
    ecc_cli_watch_start(&cli, &s->common);
    enum ecc_status status = ecc_report_gather(page, model, &options, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    if (status == ECC_OK) status = ecc_report_write(output.stream, page, error);
    if (status == ECC_OK) status = ecc_output_commit(&output, error);
    ecc_output_discard(&output);
    return status;
}

static json_t *missing_json(const struct ecc_report *page)
{
    json_t *const json = json_object();
    const struct {
        const char *name;
        const struct ecc_error *sentence;
    } gaps[] = {{"training", &page->no_metrics},
                {"components", &page->no_components},
                {"items", &page->no_items},
                {"unseen items", &page->no_unseen},
                {"classes", &page->no_classes}};
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        if (gaps[i].sentence->text[0]) {
            ecc_json_text(json, gaps[i].name, gaps[i].sentence->text);
        }
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

static enum ecc_status say(const struct ecc_report *page, const char *path, bool in_json,
                           struct ecc_error *error)
{
    struct stat information;
    const size_t bytes = stat(path, &information) == 0 ? (size_t)information.st_size : 0;
    json_t *const missing = missing_json(page);
    if (!in_json) {
        print_words(missing, path, bytes);
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_text(json, "run", page->model->run->directory);
    ecc_json_text(json, "out", path);
    ecc_json_count(json, "bytes", bytes);
    ecc_json_number(json, "error", page->error);
    ecc_json_number(json, "variance_kept", page->kept);
    char words[ECC_SEEN_WORDS];
    if (page->items.data) {
        ecc_json_text(json, "items", ecc_seen_words(words, &page->items.seen));
        ecc_json_count(json, "items_trained_on", page->items.seen.trained);
    }
    json_object_set_new(json, "missing", missing);
    return ecc_json_print(json, error);
}

static enum ecc_status report_run(void *settings, const char *const *operands, size_t count,
                                  struct ecc_error *error)
{
    (void)count;
    const struct report_settings *const s = settings;
    struct ecc_model *model;
    struct ecc_report page = {0};
    ECC_TRY(ecc_cli_open(&model, operands[0], &s->common, error));
    char *const path = s->out ? strdup(s->out) : ecc_run_path(model->run, "report.html");
    enum ecc_status status =
        path ? write_page(&page, path, model, s, error) : ecc_fail_memory(error, "a path");
    if (status == ECC_OK) status = say(&page, path, s->common.json, error);
    free(path);
    ecc_report_release(&page);
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
