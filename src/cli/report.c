/* report.c: `eccentric report`: a run as one page that can be mailed. */
#include "cli/report.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/latent.h"
#include "cli/shared.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct report_settings {
    struct ecc_common common;
    const char *out, *data;
    size_t items;
    int baselines; /* 0 yes, 1 no */
};

static const char *const baseline_names[] = {"yes", "no", NULL};

static const struct ecc_option report_options[] = {
    {.name = "out",
     .kind = ECC_TEXT,
     ECC_TO(report_settings, out),
     .value_name = "PAGE.html",
     .help = "the page (default: RUN/report.html)"},
    ECC_OPTION_RUN_DATA(report_settings, data),
    {.name = "items",
     .kind = ECC_COUNT,
     ECC_TO(report_settings, items),
     .value_name = "N",
     .low = 1,
     .high = 4e9,
     .help = "look at the first N items of each part only, and classify by those"},
    {.name = "baselines",
     .kind = ECC_CHOICE,
     ECC_TO(report_settings, baselines),
     .choices = baseline_names,
     .help = "also classify pixels and their ordinary principal components (default yes)"},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

struct report {
    const struct report_settings *settings;
    struct ecc_report page;
    struct ecc_classify classify;
    struct ecc_classify_settings classify_settings;
    char *path;               /* of the run, whole */
    size_t all_labels, depth; /* the one entry of their lists */
};

/* ---- What there is -------------------------------------------------------------------------- */

/* Data that is not there any more leaves a gap on the page; what the user asked for, and all other
 * trouble, is an error. */
static enum ecc_status tolerate(const struct report *r, enum ecc_status status,
                                struct ecc_error *gap, const struct ecc_error *error)
{
    const bool about_data = status == ECC_IO || status == ECC_BAD_DATA;
    if (status == ECC_OK || !about_data || r->settings->data) return status;
    *gap = *error;
    return ECC_OK;
}

/* Its last part, also of "." and "run/". */
static enum ecc_status name_run(struct report *r, const char *run, struct ecc_error *error)
{
    r->path = realpath(run, NULL);
    if (!r->path) return ecc_fail_errno(error, "find", run);
    r->page.name = ecc_short_name(r->path);
    return ECC_OK;
}

static enum ecc_status read_metrics(struct ecc_report *page, struct ecc_error *error)
{
    const enum ecc_status status =
        ecc_metrics_read(&page->metrics, page->model->run->directory, &page->no_metrics);
    if (status == ECC_NO_MEMORY) {
        *error = page->no_metrics;
        return status;
    }
    if (page->metrics.rows == 0 && !page->no_metrics.text[0]) {
        snprintf(page->no_metrics.text, sizeof page->no_metrics.text, "nothing was measured yet");
    }
    return ECC_OK;
}

/* result.json, which only finished trainings have. */
static enum ecc_status read_result(struct ecc_report *page, struct ecc_error *error)
{
    char *const path = ecc_run_path(page->model->run, "result.json");
    if (!path) return ecc_fail_memory(error, "a path");
    page->result = page->model->finished ? json_load_file(path, 0, NULL) : NULL;
    free(path);
    return ECC_OK;
}

/* The test part, which the training has not seen; where there is none, the training part. */
static enum ecc_status open_items(struct report *r, struct ecc_error *error)
{
    const struct report_settings *const s = r->settings;
    struct ecc_report *const page = &r->page;
    struct ecc_error no_test;
    char *const test = ecc_data_part_name(s->data ? s->data : page->model->options.data, "test");
    if (!test) return ecc_fail_memory(error, "a name");
    enum ecc_status status =
        ecc_model_open_data(page->model, &page->items, test, s->items, &no_test);
    page->unseen = status == ECC_OK;
    if (status != ECC_OK) {
        status = ecc_model_open_data(page->model, &page->items, s->data, s->items, error);
    }
    free(test);
    return tolerate(r, status, &page->no_items, error);
}

static enum ecc_status find_components(struct report *r, struct ecc_error *error)
{
    struct ecc_report *const page = &r->page;
    const enum ecc_status status = ecc_cli_components(
        &page->components, page->model, r->settings->data, &r->settings->common, error);
    return tolerate(r, status, &page->no_components, error);
}

/* ---- Classification ------------------------------------------------------------------------- */

static bool has_labels(const struct ecc_dataset *data)
{
    return data && (data->labels || data->attributes);
}

static enum ecc_status classify(struct report *r, struct ecc_error *error)
{
    struct ecc_report *const page = &r->page;
    const struct report_settings *const s = r->settings;
    if (!page->items) {
        page->no_classes = page->no_items;
        return ECC_OK;
    }
    if (!has_labels(page->items)) {
        snprintf(page->no_classes.text, sizeof page->no_classes.text,
                 "the data has no labels to classify by");
        return ECC_OK;
    }
    r->depth = 1;
    r->classify_settings = (struct ecc_classify_settings){.common = s->common,
                                                          .train = s->data,
                                                          .baselines = s->baselines,
                                                          .repeats = 1,
                                                          .items = s->items,
                                                          .label_counts = &r->all_labels,
                                                          .label_count_count = 1,
                                                          .depths = &r->depth,
                                                          .depth_count = 1};
    r->classify.settings = &r->classify_settings;
    const enum ecc_status status =
        ecc_cli_report_classes(&page->classes, &r->classify, page->model, error);
    if (status != ECC_IO && status != ECC_BAD_DATA) return status;
    page->no_classes = *error; /* such as one class only */
    return ECC_OK;
}

/* ---- The page ------------------------------------------------------------------------------- */

static enum ecc_status gather(struct report *r, struct ecc_error *error)
{
    struct ecc_report *const page = &r->page;
    const struct ecc_common *const common = &r->settings->common;
    page->seed = common->seed;
    ECC_TRY(read_metrics(page, error));
    ECC_TRY(read_result(page, error));
    ECC_TRY(find_components(r, error));
    ECC_TRY(open_items(r, error));
    ECC_TRY(classify(r, error));
    struct ecc_cli_watch watch;
    ecc_cli_watch_start(&watch, common);
    const enum ecc_status status = ecc_report_measure(page, &watch.watch, error);
    ecc_cli_watch_end(&watch);
    return status;
}

/* The file is opened first: that it cannot be written is known before the work. */
static enum ecc_status write_page(struct report *r, const char *path, struct ecc_error *error)
{
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, path, error));
    enum ecc_status status = gather(r, error);
    if (status == ECC_OK) status = ecc_report_write(output.stream, &r->page, error);
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
                {"classes", &page->no_classes}};
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        if (gaps[i].sentence->text[0]) {
            ecc_json_text(json, gaps[i].name, gaps[i].sentence->text);
        }
    }
    return json;
}

static enum ecc_status say(const struct report *r, const char *path, struct ecc_error *error)
{
    const struct ecc_report *const page = &r->page;
    struct stat information;
    const size_t bytes = stat(path, &information) == 0 ? (size_t)information.st_size : 0;
    json_t *const missing = missing_json(page);
    if (!r->settings->common.json) {
        const char *name, *before = "";
        json_t *sentence;
        json_object_foreach(missing, name, sentence)
        {
            const char *const text = json_string_value(sentence);
            const bool same = strcmp(text, before) == 0;
            fprintf(stderr, "eccentric: the page goes without %s%s%s\n", name,
                    same ? ", too" : ": ", same ? "" : text);
            before = text;
        }
        json_decref(missing);
        const bool large = bytes >= 1000000;
        printf("%s, %.*f %cB\n", path, large, (double)bytes / (large ? 1e6 : 1e3),
               large ? 'M' : 'k');
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_text(json, "run", page->model->run->directory);
    ecc_json_text(json, "out", path);
    ecc_json_count(json, "bytes", bytes);
    ecc_json_number(json, "error", page->error);
    ecc_json_number(json, "variance_kept", page->kept);
    json_object_set_new(json, "missing", missing);
    return ecc_json_print(json, error);
}

static enum ecc_status report(struct report *r, const char *run, struct ecc_error *error)
{
    const char *const out = r->settings->out;
    ECC_TRY(ecc_cli_open(&r->page.model, run, &r->settings->common, error));
    ECC_TRY(name_run(r, run, error));
    char *const path = out ? strdup(out) : ecc_run_path(r->page.model->run, "report.html");
    if (!path) return ecc_fail_memory(error, "a path");
    enum ecc_status status = write_page(r, path, error);
    if (status == ECC_OK) status = say(r, path, error);
    free(path);
    return status;
}

static enum ecc_status report_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    const struct report_settings *const s = settings;
    return s->out ? ecc_check_ending("out", s->out, ".html", error) : ECC_OK;
}

static enum ecc_status report_run(void *settings, const char *const *operands, size_t count,
                                  struct ecc_error *error)
{
    (void)count;
    struct report r = {.settings = settings};
    const enum ecc_status status = report(&r, operands[0], error);
    ecc_report_release(&r.page);
    ecc_cli_report_classes_release(&r.page.classes);
    ecc_classify_release(&r.classify);
    ecc_dataset_close(r.page.items);
    ecc_components_release(&r.page.components);
    ecc_metrics_table_release(&r.page.metrics);
    json_decref(r.page.result);
    ecc_model_close(r.page.model);
    free(r.path);
    return status;
}

const struct ecc_command ecc_command_report = {
    .name = "report",
    .operands = "RUN",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "a run as one page that can be mailed: curves, components, samples, scores",
    .description =
        "Writes one HTML file that holds everything worth knowing about a run: training curves, "
        "spectrum, what the components mean (images along them; for tables what they do to the "
        "columns), reconstructions of unseen items, samples, a map of the items, classification "
        "beside baselines, settings with the command that trains it again, time and machine.  It "
        "needs nothing else, no network and no script, is light or dark as the reader's screen is, "
        "and prints.\n"
        "Reconstructions, map and classification are of the test part of the run's data.  Where "
        "data is gone, or a training not finished, the page says so and shows the rest.  The same "
        "run, seed and threads give the same bytes.",
    .examples = "  eccentric report run\n"
                "  eccentric report run --out digits.html\n"
                "  eccentric report run --data /mnt/moved/mnist --baselines no\n",
    .options = report_options,
    .settings_size = sizeof(struct report_settings),
    .check = report_check,
    .run = report_run,
};
