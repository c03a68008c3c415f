/* reproduce.c: `eccentric reproduce`: reproduces the paper's figures, tables and claims. */
#include "reproduce/reproduce.h"
#include "cli/latent.h"
#include "work/sayings.h"

#include <stdio.h>

struct reproduce_settings {
    struct ecc_common common;
    const char *out, *data;
    bool quick, plan, measure, report;
    double minutes;
    int preset, on;
    size_t runs;
};

static const char *const preset_names[] = {"ours", "paper", NULL};
static const char *const on_names[] = {"auto", "mnist", "celeba", NULL};

#define TO(field) ECC_TO(reproduce_settings, field)

static const struct ecc_option reproduce_options[] = {
    {"out", ECC_TEXT, TO(out), "DIR",
     "where to write everything: report.html, report.md, results.json, figures, "
     "runs",
     .required = true},
    {"quick", ECC_FLAG, TO(quick), NULL,
     "small data, networks and trainings, to see that it works (the default; all in under 15 "
     "minutes on two cores)"},
    {"minutes", ECC_NUMBER, TO(minutes), "M",
     "the best that fits: divide M minutes among the trainings still to be "
     "done",
     0, 1e6, .above_low = true},
    {"preset", ECC_CHOICE, TO(preset), NULL,
     "paper: the paper's own settings and epochs, which take days", .choices = preset_names},
    {"data", ECC_TEXT, TO(data), "DIR",
     "a directory that contains mnist/ and celeba/ (default: where data is always searched)"},
    {"on", ECC_CHOICE, TO(on), NULL,
     "data for Table 1 and Figures 5, 8, 9 and 10 (default auto: celeba if present, digits with "
     "--quick)",
     .choices = on_names},
    {"runs", ECC_COUNT, TO(runs), "N",
     "runs per setting, at most as many as in the paper (default: as many as fit; two where runs "
     "are compared)",
     1, 4},
    ECC_OPTION_THREADS_SAYING("use N threads (default: all)"),
    {"plan", ECC_FLAG, TO(plan), NULL,
     "print the commands and the time they need, and stop (without --minutes, a short training "
     "measures the speed first)"},
    {"measure", ECC_FLAG, TO(measure), NULL, "train nothing: measure and report existing runs"},
    {"report", ECC_FLAG, TO(report), NULL, "train and measure nothing: report existing results"},
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status reproduce_check(void *settings, size_t operand_count,
                                       struct ecc_error *error)
{
    (void)operand_count;
    const struct reproduce_settings *const s = settings;
    if (s->quick + (s->minutes > 0) + (s->preset == 1) > 1) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--quick, --minutes and --preset paper cannot be combined: choose one");
    }
    if (s->measure && s->report) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--report measures nothing: it cannot be combined with --measure");
    }
    if (s->plan && s->report) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--plan and --report cannot be combined: choose one");
    }
    return ECC_OK;
}

static void print_plan(const json_t *plan)
{
    size_t i;
    json_t *task;
    json_array_foreach(plan, i, task)
    {
        char time[32];
        const bool done = json_is_true(json_object_get(task, "done"));
        ecc_print("# %s: %s\n%s\n", ecc_get_text(task, "name"),
                  done ? "already there" : ecc_duration(time, ecc_get_number(task, "seconds")),
                  ecc_get_text(task, "command"));
    }
}

/* How many claims got which verdict, and where to read more. */
static void print_words(const json_t *results, const char *directory)
{
    json_t *const verdicts = json_object_get(results, "verdicts");
    const char *name;
    json_t *count;
    json_object_foreach(verdicts, name, count)
    {
        if (json_integer_value(count) > 0) {
            ecc_print("%-16s %4d\n", name, (int)json_integer_value(count));
        }
    }
    ecc_print("%s/report.html\n", directory);
}

static enum ecc_status reproduce_run(void *settings, const char *const *operands, size_t count,
                                     struct ecc_error *error)
{
    const struct reproduce_settings *const s = settings;
    struct ecc_cli_watch watch;
    ecc_cli_watch_tasks(&watch, &s->common);
    const struct ecc_repro_options options = {
        .out = s->out,
        .data = s->data,
        .items = operands,
        .item_count = count,
        .size = s->preset == 1   ? ECC_SIZE_PAPER
                : s->minutes > 0 ? ECC_SIZE_MINUTES
                                 : ECC_SIZE_QUICK,
        .on = (enum ecc_repro_on)s->on,
        .minutes = s->minutes,
        .runs = s->runs,
        .plan_only = s->plan,
        .measure_only = s->measure,
        .report_only = s->report,
        .watch = &watch.watch,
    };
    json_t *results;
    const enum ecc_status status = ecc_reproduce_items(&results, &options, error);
    ecc_cli_watch_end(&watch);
    if (status == ECC_OK && s->common.json) return ecc_json_print(results, error);
    if (status == ECC_OK && s->plan) print_plan(json_object_get(results, "plan"));
    if (status == ECC_OK && !s->plan) print_words(results, s->out);
    json_decref(results);
    return status;
}

const struct ecc_command ecc_command_reproduce = {
    .name = "reproduce",
    .operands = "figure1-3|figure5-10|table1-4|claims|all",
    .operand_min = 1,
    .operand_max = 32,
    .operand_words = ecc_repro_words,
    .summary = "repeat the paper's figures, tables and claims, with its numbers beside ours",
    .description =
        "Trains, measures and draws what the figures and tables of the paper need, and reports "
        "the paper's numbers beside ours with a verdict on each claim: agrees (within two "
        "deviations), better, worse, differs, or not comparable and why. Name one or more of "
        "figure1, figure2, figure3, figure5 to figure10, table1 to table4, claims (those made in "
        "prose), or all.\n\nFor every number the report names the command that gives it. Results "
        "that already exist are kept, so the same command continues after Ctrl-C, and a run made "
        "for one table serves the others. A finished run that you put into DIR/runs under its "
        "name is used as it is. If data is missing, the report says so and the rest is done.",
    .examples = "  eccentric reproduce all --out repro\n"
                "  eccentric reproduce table2 figure3 --minutes 240 --runs 1 --out repro\n"
                "  eccentric reproduce table1 --on mnist --minutes 600 --out repro\n"
                "  eccentric reproduce all --preset paper --plan --out repro\n"
                "  eccentric reproduce all --report --minutes 600 --out repro\n",
    .options = reproduce_options,
    .settings_size = sizeof(struct reproduce_settings),
    .check = reproduce_check,
    .run = reproduce_run,
};
