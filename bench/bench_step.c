/*
 * bench_step.c: a training step as `eccentric train` does it (data loading included), encoding and
 * decoding, beside their floor: the convolutions of the same net alone, as bare oneDNN primitives
 * in the layouts that oneDNN chooses.  The two take turns in the same run; each counts its best.
 *
 * usage: bench_step [-p] NET[:WIDTH] BATCH [NET[:WIDTH] BATCH ...]   one line of JSON per
 * measurement; WIDTH scales the channels; -p: the plans, to standard error
 */
#include "base/clock.h"
#include "base/rng.h"
#include "evaluate/bench.h"
#include "nn/dnn.h"
#include "nn/net.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MAX_CONVS = 64, ROUNDS = 7 };

static struct ecc_error error;

static void must(enum ecc_status status)
{
    if (status == ECC_OK) return;
    fprintf(stderr, "bench_step: %s\n", error.text);
    exit(1);
}

static float *floats(size_t count)
{
    float *const block = aligned_alloc(64, (count * sizeof *block + 63) / 64 * 64);
    if (!block) {
        fprintf(stderr, "bench_step: out of memory\n");
        exit(1);
    }
    ecc_rng_uniform_f32(block, 1, 0, 0, count);
    return block;
}

/* ---- Bare convolutions ---------------------------------------------------------------------- */

struct bare {
    struct ecc_dnn_conv *conv;
    struct ecc_conv_info info;
    float *in, *out, *weights;
    void *scratch;
    bool decoder, first;
};

struct bench {
    const char *name; /* of the net, with its width */
    const struct ecc_bench_kind *kind;
    struct ecc_bench_case at;
    struct ecc_bench_cost cost;
    void *job;
    struct ecc_dnn *dnn;
    struct bare bares[MAX_CONVS];
    size_t bare_count, n;
};

static void add_bare(struct bench *bench, const struct ecc_layer_spec *layer, bool decoder)
{
    struct bare *const bare = &bench->bares[bench->bare_count];
    struct ecc_conv_shape shape = {.transposed = layer->kind == ECC_LAYER_DECONV,
                                   .n = bench->n,
                                   .in = layer->input,
                                   .out = layer->output};
    for (int k = 0; k < 2; k++) {
        shape.kernel[k] = layer->kernel[k];
        shape.stride[k] = layer->stride[k];
        shape.padding[k] = layer->padding[k];
    }
    bare->decoder = decoder;
    bare->first = bench->bare_count++ == 0;
    must(ecc_dnn_conv_create(&bare->conv, &bare->info, bench->dnn, &shape, 0, true, !bare->first,
                             &error));
    size_t most = 0;
    for (int pass = 0; pass < ECC_CONV_PASSES; pass++) {
        if (bare->info.weights[pass].size > most) most = bare->info.weights[pass].size;
    }
    const size_t item = bare->info.in.item, other = bare->info.weights_in.item;
    bare->in = floats(bench->n * (item > other ? item : other));
    bare->out = floats(bench->n * bare->info.out.item);
    bare->weights = floats(most);
    bare->scratch = floats(bare->info.scratch / sizeof(float) + 1);
}

static void add_bares(struct bench *bench, const struct ecc_layer_spec *layers, size_t count,
                      bool decoder)
{
    for (size_t i = 0; i < count && bench->bare_count < MAX_CONVS; i++) {
        if (layers[i].kind != ECC_LAYER_CONV && layers[i].kind != ECC_LAYER_DECONV) continue;
        add_bare(bench, &layers[i], decoder);
    }
}

/* The passes that the benchmark needs: all of them for a step, else forward through one half. */
static void run_bare(struct bench *bench)
{
    const bool step = strcmp(bench->kind->name, "step") == 0;
    const bool decode = strcmp(bench->kind->name, "decode") == 0;
    for (int pass = 0; pass < (step ? ECC_CONV_PASSES : 1); pass++) {
        for (size_t i = 0; i < bench->bare_count; i++) {
            struct bare *const bare = &bench->bares[i];
            if (!step && bare->decoder != decode) continue;
            if (pass == ECC_CONV_BACK_DATA && bare->first) continue;
            must(ecc_dnn_conv_run(bare->conv, (enum ecc_conv_pass)pass, bare->in, bare->weights,
                                  bare->out, bare->scratch, &error));
        }
    }
}

static void add_all_bares(struct bench *bench)
{
    struct ecc_net_spec *spec;
    const struct ecc_train_options *const o = &bench->at.train;
    must(ecc_net_spec_load(&spec, o->net, bench->at.shape, o->latent, o->latent, o->width, &error));
    must(ecc_dnn_create(&bench->dnn, &error));
    add_bares(bench, spec->encoder, spec->encoder_count, false);
    add_bares(bench, spec->decoder, spec->decoder_count, true);
    ecc_net_spec_free(spec);
}

static void free_bares(struct bench *bench)
{
    for (size_t i = 0; i < bench->bare_count; i++) {
        struct bare *const bare = &bench->bares[i];
        ecc_dnn_conv_free(bare->conv);
        free(bare->in);
        free(bare->out);
        free(bare->weights);
        free(bare->scratch);
    }
    ecc_dnn_free(bench->dnn);
}

/* ---- Taking turns --------------------------------------------------------------------------- */

static void run_ours(struct bench *bench)
{
    must(bench->kind->run(bench->job, &error));
}

static double once(void (*run)(struct bench *), struct bench *bench)
{
    const double start = ecc_seconds();
    run(bench);
    return ecc_seconds() - start;
}

/* Several runs of one, then of the other, and again: best of each. */
static void take_turns(struct bench *bench, double best[2])
{
    best[0] = best[1] = 1e9;
    once(run_bare, bench);
    const double estimate = once(run_bare, bench);
    const int repeats = estimate > 1 ? 1 : estimate > 0.1 ? 4 : 30;
    const int rounds = estimate > 1 ? 2 : ROUNDS;
    for (int i = 0; i < 2 * rounds * repeats; i++) {
        const int which = i / repeats % 2;
        const double taken = once(which ? run_bare : run_ours, bench);
        if (taken < best[which]) best[which] = taken;
    }
}

static long peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024L;
}

static void compare(struct bench *bench)
{
    double best[2];
    must(bench->kind->open(&bench->job, &bench->cost, &bench->at, &error));
    run_ours(bench);
    run_ours(bench);
    const long peak = peak_bytes(); /* the first time: before there are bare convolutions */
    if (bench->bare_count == 0) add_all_bares(bench);
    take_turns(bench, best);
    bench->kind->close(bench->job);
    printf(
        "{\"bench\": \"%s\", \"net\": \"%s\", \"batch\": %zu, \"threads\": %d, \"seconds\": %.6g, "
        "\"bare_convolutions\": %.6g, \"ratio\": %.4g, \"gflops\": %.4g, \"plan_bytes\": %zu, "
        "\"peak_bytes\": %ld}\n",
        bench->kind->name, bench->name, bench->n, omp_get_max_threads(), best[0], best[1],
        best[0] / best[1], bench->cost.flops / best[0] * 1e-9, bench->cost.bytes, peak);
    fflush(stdout);
}

/* ---- One net -------------------------------------------------------------------------------- */

static void describe_plan(const struct ecc_bench_case *at)
{
    struct ecc_net_spec *spec;
    struct ecc_net *net;
    const struct ecc_train_options *const o = &at->train;
    const struct ecc_net_options options = {o->batch, true, 0};
    must(ecc_net_spec_load(&spec, o->net, at->shape, o->latent, o->latent, o->width, &error));
    must(ecc_net_create(&net, spec, &options, &error));
    ecc_net_describe_plan(stderr, net);
    ecc_net_free(net);
    ecc_net_spec_free(spec);
}

/* word: NET or NET:WIDTH */
static void bench_net(const char *word, size_t n, bool plans)
{
    char net[256];
    const char *const colon = strchr(word, ':');
    snprintf(net, sizeof net, "%.*s", (int)strcspn(word, ":"), word);
    struct ecc_bench_options options = ecc_bench_defaults();
    struct bench bench = {.name = word, .n = n};
    options.train.net = net;
    options.train.batch = n;
    if (colon) options.train.width = strtod(colon + 1, NULL);
    options.train.latent = strcmp(net, "paper-celeba") == 0 ? 64 : 8;
    must(ecc_bench_case_init(&bench.at, &options.train, &error));
    if (plans) describe_plan(&bench.at);
    for (int k = 0; k < ECC_BENCH_KINDS; k++) {
        bench.kind = &ecc_bench_kinds[k];
        if (bench.kind->has_net) compare(&bench);
    }
    free_bares(&bench);
    ecc_bench_case_release(&bench.at);
}

int main(int argc, char **argv)
{
    const bool plans = argc > 1 && strcmp(argv[1], "-p") == 0;
    for (int i = 1 + plans; i + 1 < argc; i += 2) {
        bench_net(argv[i], strtoul(argv[i + 1], NULL, 10), plans);
    }
    return 0;
}
