/* bench.c: `eccentric bench`: how fast this machine trains, encodes, decodes and takes the loss. */
#include "cli/bench.h"
#include "cli/shared.h"

#include <math.h>
#include <string.h>

struct bench_settings {
    struct ecc_common common;
    const char *net, *data;
    struct ecc_data_words words;
    size_t batch, latent, points;
    double seconds;
    bool quick, latent_given;
};

static void bench_defaults(void *settings)
{
    struct bench_settings *const s = settings;
    s->net = "paper-mnist";
    s->batch = 100;
    s->points = 8192;
    s->seconds = NAN;
}

#define TO(field) ECC_TO(bench_settings, field)

static const struct ecc_option bench_options[] = {
    {.name = "net",
     .kind = ECC_TEXT,
     TO(net),
     .value_name = "NAME|FILE",
     .help = "paper-mnist (default), paper-celeba, auto or a file (docs/nets.md)"},
    {.name = "batch",
     .kind = ECC_COUNT,
     TO(batch),
     .value_name = "N",
     .low = 2,
     .high = 1e6,
     .help = "images in a step or batch (default 100)"},
    {.name = "latent",
     .kind = ECC_COUNT,
     TO(latent),
     .value_name = "D",
     .low = 2,
     .high = 4096,
     .help = "dimensions of the latent space (default 8; for paper-celeba and the loss 64)"},
    {.name = "points",
     .kind = ECC_COUNT,
     TO(points),
     .value_name = "N",
     .low = 2,
     .high = 1e7,
     .help = "points of the loss (default 8192)"},
    {.name = "data",
     .kind = ECC_TEXT,
     TO(data),
     .value_name = "DATA",
     .help = "what the step loads (default 2000 glyphs; for paper-celeba random images)"},
    ECC_OPTIONS_DATA(bench_settings, words),
    {.name = "seconds",
     .kind = ECC_NUMBER,
     TO(seconds),
     .value_name = "S",
     .above_low = true,
     .high = 3600,
     .help = "repeat each measurement for S seconds and take the best (default 0.5)"},
    {.name = "quick", TO(quick), .help = "fewer and shorter measurements, for a first look"},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS_SAYING("use N threads, and measure with fewer, too (default: all)"),
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status bench_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count, (void)error;
    struct bench_settings *const s = settings;
    if (isnan(s->seconds)) s->seconds = s->quick ? 0.05 : 0.5;
    s->latent_given = s->latent > 0;
    if (!s->latent_given) s->latent = strcmp(s->net, "paper-celeba") == 0 ? 64 : 8;
    return ECC_OK;
}

/* ---- The command ---------------------------------------------------------------------------- */

static const char *const kind_words[] = {"step", "encode", "decode", "loss", NULL};

/* All when there are no words. */
static bool is_chosen(const struct ecc_bench_kind *kind, const char *const *words, size_t count)
{
    bool found = count == 0;
    for (size_t i = 0; i < count; i++) found |= strcmp(words[i], kind->name) == 0;
    return found;
}

static struct ecc_bench_result prepare(const struct ecc_bench *bench,
                                       const struct bench_settings *s,
                                       const struct ecc_bench_kind *kind)
{
    return (struct ecc_bench_result){
        .kind = kind,
        .net = s->net,
        .data = kind == &ecc_bench_kinds[0] ? bench->base.data_name : NULL,
        .main = {.threads = (size_t)ecc_threads((int)s->common.threads),
                 .batch = kind->has_net ? s->batch : s->points,
                 .latent = kind->has_net || s->latent_given ? s->latent : 64},
    };
}

static enum ecc_status measure_all(struct ecc_bench *bench, struct ecc_bench_result *results,
                                   size_t count, struct ecc_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const enum ecc_status status = ecc_bench_measure(bench, &results[i], error);
        if (status == ECC_INTERRUPTED) {
            return ecc_fail(error, ECC_INTERRUPTED, "interrupted after %zu of %zu measurements",
                            bench->measured, (size_t)bench->progress.total);
        }
        ECC_TRY(status);
    }
    return ECC_OK;
}

/* One benchmark is an object; several are an object that holds one under each name. */
static enum ecc_status report(struct ecc_bench_result *results, size_t count, bool json,
                              struct ecc_error *error)
{
    if (!json) {
        for (size_t i = 0; i < count; i++) ecc_bench_print(&results[i]);
        return ECC_OK;
    }
    if (count == 1) return ecc_json_print(ecc_bench_json(&results[0]), error);
    json_t *const all = json_object();
    for (size_t i = 0; i < count; i++) {
        json_object_set_new(all, results[i].kind->name, ecc_bench_json(&results[i]));
    }
    return ecc_json_print(all, error);
}

static enum ecc_status bench_in(const struct ecc_bench_place *place, const struct bench_settings *s,
                                const char *const *words, size_t word_count,
                                struct ecc_error *error)
{
    struct ecc_bench bench = {.seconds = s->seconds, .quick = s->quick};
    const struct ecc_data_options options = ecc_data_words_read(&s->words, 1);
    ECC_TRY(ecc_bench_case_init(&bench.base, place, s->net, s->data, &options, s->batch, error));
    bench.base.seed = s->common.seed;
    struct ecc_bench_result results[ECC_BENCH_KINDS];
    size_t count = 0, measurements = 0;
    for (size_t k = 0; k < ECC_BENCH_KINDS; k++) {
        if (!is_chosen(&ecc_bench_kinds[k], words, word_count)) continue;
        results[count] = prepare(&bench, s, &ecc_bench_kinds[k]);
        measurements += ecc_bench_count(&bench, &results[count++].main);
    }
    ecc_cli_progress(&bench.progress, &s->common, "bench", "measurements", measurements);
    const enum ecc_status status = measure_all(&bench, results, count, error);
    ecc_progress_end(&bench.progress, NULL);
    ECC_TRY(status);
    return report(results, count, s->common.json, error);
}

static enum ecc_status bench_run(void *settings, const char *const *operands, size_t operand_count,
                                 struct ecc_error *error)
{
    struct ecc_bench_place place;
    ecc_catch_interrupt(); /* from here on there is something to take away again */
    ECC_TRY(ecc_bench_place_init(&place, error));
    const enum ecc_status status = bench_in(&place, settings, operands, operand_count, error);
    ecc_bench_place_release(&place);
    return status;
}

const struct ecc_command ecc_command_bench = {
    .name = "bench",
    .operands = "[step|encode|decode|loss]...",
    .operand_max = ECC_BENCH_KINDS,
    .operand_words = kind_words,
    .summary = "how fast this machine trains, encodes, decodes and takes the loss",
    .description =
        "Times a whole training step (data loading included), encoding and decoding a batch, and "
        "the eccentric loss: the best of several runs, in seconds, images per second, GFLOP/s and "
        "as a share of what sgemm reaches on this machine; and how each changes with threads, "
        "batch and latent size.  Without a word: all four.  With --json one benchmark is an "
        "object; several are an object that holds one under each name.",
    .examples = "  eccentric bench --quick\n"
                "  eccentric bench step --net paper-celeba --batch 64 --seconds 10\n"
                "  eccentric bench loss --points 1000 --latent 64 --json\n",
    .options = bench_options,
    .settings_size = sizeof(struct bench_settings),
    .defaults = bench_defaults,
    .check = bench_check,
    .run = bench_run,
};
