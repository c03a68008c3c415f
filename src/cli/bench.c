/* bench.c: `eccentric bench`: how fast this machine trains, encodes, decodes and computes the
 * loss. */
#include "cli/latent.h"
#include "cli/shared.h"
#include "evaluate/bench.h"
#include "regularizer/choice.h"

#include <string.h>

struct bench_settings {
    struct ecc_common common;
    const char *net, *data, *regularizer;
    struct ecc_data_words words;
    size_t batch, latent, points;
    double seconds, width;
    bool quick;
};

static void bench_defaults(void *settings)
{
    struct bench_settings *const s = settings;
    const struct ecc_bench_options usual = ecc_bench_defaults();
    s->net = usual.train.net;
    s->regularizer = usual.train.regularizer;
    s->batch = usual.train.batch;
    s->points = usual.points;
    s->width = usual.train.width;
}

#define TO(field) ECC_TO(bench_settings, field)

static const struct ecc_option bench_options[] = {
    {"net", ECC_TEXT, TO(net), "NAME|FILE",
     "paper-mnist (default), paper-celeba, auto or a file (docs/nets.md)"},
    {"width", ECC_NUMBER, TO(width), "W", "scales the channels of a built-in net (default 1)", 0,
     16, .above_low = true},
    {"batch", ECC_COUNT, TO(batch), "N", "images per step or batch (default 100)", 2, 1e6},
    {"latent", ECC_COUNT, TO(latent), "D",
     "dimensions of the latent space (default 8; for paper-celeba and the loss 64)", 2, 4096},
    {"points", ECC_COUNT, TO(points), "N", "number of points for the loss (default 8192)", 2, 1e7},
    {"regularizer", ECC_TEXT, TO(regularizer), "NAME[:OPTION=V]",
     "another regularizer instead of the eccentric one, in a step and as the loss; its GFLOP/s "
     "count the same pairs"},
    {"data", ECC_TEXT, TO(data), "DATA",
     "data that the training step loads (default: 2000 glyphs; for paper-celeba, random images)"},
    ECC_OPTIONS_DATA(bench_settings, words),
    {"seconds", ECC_NUMBER, TO(seconds), "S",
     "repeat each measurement for S seconds and take the best (default "
     "0.5)",
     0, 3600, .above_low = true},
    {"quick", ECC_FLAG, TO(quick), NULL, "fewer and shorter measurements, for a first look"},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS_SAYING("use N threads, and also measure with fewer (default: all)"),
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status bench_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    const struct bench_settings *const s = settings;
    struct ecc_regularizer_choice choice;
    return ecc_regularizer_read(&choice, s->regularizer, error);
}

/* ---- The command ---------------------------------------------------------------------------- */

static const char *const kind_words[] = {"step", "encode", "decode", "loss", NULL};

/* ---- The report ----------------------------------------------------------------------------- */

static const char *const axis_names[ECC_BENCH_AXES] = {"threads", "batch", "latent"};

static double gflops(const struct ecc_bench_row *row)
{
    return 1e-9 * row->flops / row->seconds;
}

static double items_per_second(const struct ecc_bench_row *row)
{
    return (double)row->batch / row->seconds;
}

/* ---- Words ---------------------------------------------------------------------------------- */

static void print_axis(struct ecc_bench_result *result, enum ecc_bench_axis axis)
{
    const bool net = result->net, threads = axis == ECC_BENCH_THREADS;
    const char *const name = !net && axis == ECC_BENCH_BATCH ? "points" : axis_names[axis];
    ecc_print("\n  %8s %12s %12s %9s %8s%s\n", name, "ms", net ? "images/s" : "points/s", "GFLOP/s",
              "of peak", threads ? "  speed-up" : "");
    const double first = result->rows[axis][0].seconds;
    for (size_t i = 0; i < result->counts[axis]; i++) {
        struct ecc_bench_row *const row = &result->rows[axis][i];
        ecc_print("  %8zu %12.4g %12.0f %9.1f %7.0f%%", *ecc_bench_value(row, axis),
                  1e3 * row->seconds, items_per_second(row), gflops(row),
                  100 * gflops(row) / row->peak_gflops);
        if (threads) ecc_print(" %8.2fx", first / row->seconds);
        ecc_print("\n");
    }
}

static void print_result(struct ecc_bench_result *result)
{
    const struct ecc_bench_row *const row = &result->main;
    const struct ecc_bench_kind *const kind = &ecc_bench_kinds[result->what];
    const bool net = result->net;
    ecc_print("%s: one %s\n", kind->name, kind->shows);
    if (net) ecc_print("  net           %s\n", result->net);
    if (result->data) ecc_print("  data          %s\n", result->data);
    ecc_print("  %-13s %zu, latent size %zu, %zu thread%s\n", net ? "batch" : "points", row->batch,
              row->latent, row->threads, row->threads == 1 ? "" : "s");
    ecc_print("  time          %.4g ms, %.0f %s/s\n", 1e3 * row->seconds, items_per_second(row),
              net ? "images" : "points");
    ecc_print("  GFLOP/s       %.1f (%s)\n", gflops(row), kind->counted);
    ecc_print(
        "  of peak       %.0f%% of %.1f GFLOP/s, the speed of sgemm here with as many threads\n",
        100 * gflops(row) / row->peak_gflops, row->peak_gflops);
    ecc_print("  memory        %.1f MB planned once\n", 1e-6 * (double)row->bytes);
    for (int axis = 0; axis < ECC_BENCH_AXES; axis++) {
        print_axis(result, (enum ecc_bench_axis)axis);
    }
    ecc_print("\n");
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void set_row(json_t *json, const struct ecc_bench_row *row)
{
    ecc_json_count(json, "threads", row->threads);
    ecc_json_count(json, "batch", row->batch);
    ecc_json_count(json, "latent", row->latent);
    ecc_json_number(json, "seconds", row->seconds);
    ecc_json_number(json, "images_per_second", items_per_second(row));
    ecc_json_number(json, "gflops", gflops(row));
    ecc_json_number(json, "peak_gflops", row->peak_gflops);
    ecc_json_number(json, "peak_share", gflops(row) / row->peak_gflops);
    ecc_json_count(json, "bytes", row->bytes);
}

static json_t *result_json(struct ecc_bench_result *result)
{
    json_t *const json = json_object(), *const scaling = json_object();
    ecc_json_text(json, "bench", ecc_bench_kinds[result->what].name);
    if (result->net) ecc_json_text(json, "net", result->net);
    if (result->data) ecc_json_text(json, "data", result->data);
    set_row(json, &result->main);
    for (int axis = 0; axis < ECC_BENCH_AXES; axis++) {
        json_t *const list = json_array();
        for (size_t i = 0; i < result->counts[axis]; i++) {
            json_t *const row = json_object();
            set_row(row, &result->rows[axis][i]);
            json_array_append_new(list, row);
        }
        json_object_set_new(scaling, axis_names[axis], list);
    }
    json_object_set_new(json, "scaling", scaling);
    return json;
}

/* ---- The command ---------------------------------------------------------------------------- */

/* All of them if no names are given. */
static bool is_chosen(const struct ecc_bench_kind *kind, const char *const *words, size_t count)
{
    bool found = count == 0;
    for (size_t i = 0; i < count; i++) found |= strcmp(words[i], kind->name) == 0;
    return found;
}

/* One benchmark is an object; several are an object with one under each name. */
static enum ecc_status report(struct ecc_bench_result *results, size_t count, bool json,
                              struct ecc_error *error)
{
    if (!json) {
        for (size_t i = 0; i < count; i++) print_result(&results[i]);
        return ECC_OK;
    }
    if (count == 1) return ecc_json_print(result_json(&results[0]), error);
    json_t *const all = json_object();
    for (size_t i = 0; i < count; i++) {
        json_object_set_new(all, ecc_bench_kinds[results[i].what].name, result_json(&results[i]));
    }
    return ecc_json_print(all, error);
}

static struct ecc_bench_options options_of(const struct bench_settings *s)
{
    struct ecc_bench_options o = {.train = ecc_data_words_train(&s->words),
                                  .points = s->points,
                                  .seconds = s->seconds,
                                  .quick = s->quick};
    o.train.data = s->data;
    o.train.net = s->net;
    o.train.width = s->width;
    o.train.regularizer = s->regularizer;
    o.train.batch = s->batch;
    o.train.latent = s->latent;
    o.train.seed = s->common.seed;
    o.train.threads = s->common.threads;
    return o;
}

static enum ecc_status bench_run(void *settings, const char *const *operands, size_t operand_count,
                                 struct ecc_error *error)
{
    const struct bench_settings *const s = settings;
    const struct ecc_bench_options options = options_of(s);
    enum ecc_bench_what what[ECC_BENCH_KINDS];
    struct ecc_bench_result results[ECC_BENCH_KINDS];
    struct ecc_cli_watch cli;
    size_t count = 0;
    for (size_t k = 0; k < ECC_BENCH_KINDS; k++) {
        if (is_chosen(&ecc_bench_kinds[k], operands, operand_count)) {
            what[count++] = (enum ecc_bench_what)k;
        }
    }
    ecc_cli_watch_start(&cli, &s->common);
    const enum ecc_status status = ecc_bench(results, what, count, &options, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    return status == ECC_OK ? report(results, count, s->common.json, error) : status;
}

const struct ecc_command ecc_command_bench = {
    .name = "bench",
    .operands = "[step|encode|decode|loss]...",
    .operand_max = ECC_BENCH_KINDS,
    .operand_words = kind_words,
    .summary = "measure how fast this machine trains, encodes, decodes and computes the loss",
    .description =
        "Times a training step (data loading included), encoding and decoding of a batch, and the "
        "eccentric loss; all four by default. Reports the best of several runs in seconds, images "
        "per second, GFLOP/s and as a share of what sgemm reaches on this machine, and how each "
        "changes with threads, batch and latent size. With --json, one benchmark is an object; "
        "several are an object that holds one under each name.",
    .examples = "  eccentric bench --quick\n"
                "  eccentric bench step --net paper-celeba --batch 64 --seconds 10\n"
                "  eccentric bench loss --points 1000 --latent 64 --json\n"
                "  eccentric bench loss --regularizer mhe:half=yes --points 1000 --latent 64\n",
    .options = bench_options,
    .settings_size = sizeof(struct bench_settings),
    .defaults = bench_defaults,
    .check = bench_check,
    .run = bench_run,
};
