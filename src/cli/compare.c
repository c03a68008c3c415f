/* compare.c: `eccentric compare`: methods that hold latents in shape, side by side on one's data.
 */
#include "compare/compare.h"
#include "cli/latent.h"
#include "cli/shared.h"
#include "compare/trials.h"
#include "work/sayings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZES = 16 };

struct compare_settings {
    struct ecc_common common;
    struct ecc_data_words data;
    const char *out, *methods, *latents, *net;
    double minutes, epochs, width, rate;
    size_t batch, seeds, lambdas, validation;
    bool plan, report;
};

static void compare_defaults(void *settings)
{
    struct compare_settings *const s = settings;
    const struct ecc_compare_options usual = ecc_compare_defaults();
    s->methods = usual.methods;
    s->latents = "8";
    s->net = usual.train.net;
    s->seeds = usual.seeds;
    s->lambdas = usual.lambdas;
    s->validation = usual.train.validation;
    s->rate = usual.train.rate;
    s->common.seed = 1;
}

#define TO(field) ECC_TO(compare_settings, field)

/* clang-format off */
static const struct ecc_option compare_options[] = {
    {"out", ECC_TEXT, TO(out), "DIR",
     "where to write everything: compare.html, compare.md, compare.csv, results.json, runs", .required = true},
    {"methods", ECC_TEXT, TO(methods), "LIST",
     "methods to compare, such as eccentric,kl,irmae:layers=4 (see eccentric methods), or all (the default); "
     "NAME:lambda=L takes this lambda instead of choosing one"},
    {"latent", ECC_TEXT, TO(latents), "8,64|2..4", "dimensions of the latent space, one or more sizes (default 8)"},
    {"minutes", ECC_NUMBER, TO(minutes), "M",
     "divide M minutes among the trainings: all get the same number of epochs, which a later call in DIR keeps", 0, 1e6,
     .above_low = true},
    {"epochs", ECC_NUMBER, TO(epochs), "N", "instead of --minutes: epochs of each long training", 0, 1e7,
     .above_low = true},
    {"seeds", ECC_COUNT, TO(seeds), "N", "long trainings of each method, with different seeds (default 2)", 1, 8},
    {"lambdas", ECC_COUNT, TO(lambdas), "N",
     "values of lambda to try for each method on validation items, in short trainings (default 5; 1: its usual one)", 1,
     15},
    {"net", ECC_TEXT, TO(net), "NAME|FILE", "the net of all methods: paper-mnist, paper-celeba, svae-mnist, two-stage (tables), auto (default) or a file"},
    {"width", ECC_NUMBER, TO(width), "W", "scales the channels of a built-in net", 0, 16},
    {"batch", ECC_COUNT, TO(batch), "N", "items per step (default: by the number of items)", 1, 1e6},
    {"lr", ECC_NUMBER, TO(rate), "R", "learning rate of Adam", 0, 100, .above_low = true},
    {"validation", ECC_COUNT, TO(validation), "N",
     "training items held out to choose by, at most a fifth (default 1000)", 1, 1e9},
    ECC_OPTIONS_DATA(compare_settings, data),
    {"plan", ECC_FLAG, TO(plan), NULL, "say how many trainings of how many epochs there would be, and stop"},
    {"report", ECC_FLAG, TO(report), NULL, "train and measure nothing: write the page of what is there"},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};
/* clang-format on */

static enum ecc_status compare_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    const struct compare_settings *const s = settings;
    size_t sizes[MOST_SIZES], count;
    (void)operand_count;
    ECC_TRY(ecc_parse_sizes(sizes, &count, MOST_SIZES, s->latents, error));
    ECC_TRY(ecc_compare_check(s->methods, error));
    if (s->minutes > 0 && s->epochs > 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--minutes and --epochs cannot be combined: choose one");
    }
    if (!(s->minutes > 0 || s->epochs > 0) && !s->report) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "how long is missing: expected --minutes M or --epochs N");
    }
    if (s->plan && s->report) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--plan and --report cannot be combined: choose one");
    }
    return ECC_OK;
}

static void print_section(const json_t *section)
{
    const json_t *const columns = json_object_get(section, "columns"), *const rows =
                                                                           json_object_get(section,
                                                                                           "rows");
    ecc_print("%.0f latent dimensions:\n\n%-24s %10s", ecc_get_number(section, "latent"), "method",
              "lambda");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        ecc_print("  %s", ecc_get_text(json_array_get(columns, i), "key"));
    }
    ecc_print("\n");
    for (size_t r = 0; r < json_array_size(rows); r++) {
        const json_t *const row = json_array_get(rows, r);
        const double lambda = ecc_get_number(row, "lambda");
        ecc_print("%-24s ", ecc_get_text(row, "method"));
        if (isnan(lambda)) {
            ecc_print("%10s", "");
        } else {
            ecc_print("%10g", lambda);
        }
        for (size_t i = 0; i < json_array_size(columns); i++) {
            const json_t *const column = json_array_get(columns, i);
            const char *const key = ecc_get_text(column, "key");
            const json_t *const value = json_object_get(json_object_get(row, "values"), key);
            const double mean = ecc_get_number(value, "mean");
            const int width = (int)strlen(key) + 1;
            if (isnan(mean)) {
                ecc_print(" %*s", width, "-");
            } else {
                ecc_print(" %*.*f", width, (int)ecc_get_number(column, "digits"),
                          mean * ecc_get_number(column, "scale"));
            }
        }
        ecc_print("\n");
    }
    ecc_print("\n");
}

static struct ecc_train_options train_of(const struct compare_settings *s, const char *data)
{
    struct ecc_train_options o = ecc_data_words_train(&s->data);
    o.data = data;
    o.net = s->net;
    o.width = s->width;
    o.batch = s->batch;
    o.rate = s->rate;
    o.validation = s->validation;
    o.seed = s->common.seed;
    o.threads = s->common.threads;
    return o;
}

static enum ecc_status compare_run(void *settings, const char *const *operands, size_t count,
                                   struct ecc_error *error)
{
    const struct compare_settings *const s = settings;
    struct ecc_cli_watch watch;
    size_t sizes[MOST_SIZES], size_count;
    (void)count;
    ECC_TRY(ecc_parse_sizes(sizes, &size_count, MOST_SIZES, s->latents, error));
    ecc_cli_watch_tasks(&watch, &s->common);
    const struct ecc_compare_options options = {
        .out = s->out,
        .methods = s->methods,
        .latents = sizes,
        .latent_count = size_count,
        .train = train_of(s, operands[0]),
        .minutes = s->minutes,
        .epochs = s->epochs,
        .seeds = s->seeds,
        .lambdas = s->lambdas,
        .plan_only = s->plan,
        .report_only = s->report,
        .watch = &watch.watch,
    };
    json_t *results;
    const enum ecc_status status = ecc_compare_methods(&results, &options, error);
    ecc_cli_watch_end(&watch);
    if (status == ECC_OK && results && s->common.json) return ecc_json_print(results, error);
    if (status == ECC_OK && results) {
        const json_t *const sections = json_object_get(results, "sections");
        for (size_t i = 0; i < json_array_size(sections); i++) {
            print_section(json_array_get(sections, i));
        }
        ecc_print("%s/compare.html\n", s->out);
    }
    json_decref(results);
    return status;
}

const struct ecc_command ecc_command_compare = {
    .name = "compare",
    .operands = "DATA",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "compare methods that hold latents in shape, on your data, on one page",
    .description =
        "Trains DATA with several methods: the same net, items, seeds and number of epochs for "
        "all. Lambda of each is chosen by short trainings on validation items: by the error of "
        "nearest neighbours if the data has classes, otherwise by the Frechet distance of samples. "
        "Then come the long trainings, and one page with one table: reconstruction, nearest "
        "neighbours with few and many labels, Frechet distance of samples, the shape of the "
        "latents, agreement between seeds, time; and samples, components and spectra side by "
        "side. Test items are only measured, never chosen by.\n\nCtrl-C loses nothing: the same "
        "command goes on. Runs are named by their settings, so a later call in DIR with more "
        "methods trains only those.",
    .examples =
        "  eccentric compare mnist --methods eccentric,kl,mmd --minutes 60 --out cmp\n"
        "  eccentric compare table.csv --latent 2,4 --epochs 200 --out cmp\n"
        "  eccentric compare glyphs --items 2000 --methods all --minutes 10 --plan --out cmp\n"
        "  eccentric compare mnist --methods eccentric:lambda=0.001,none --epochs 20 --out cmp\n",
    .options = compare_options,
    .settings_size = sizeof(struct compare_settings),
    .defaults = compare_defaults,
    .check = compare_check,
    .run = compare_run,
};
