/*
 * bench_step.c: a training step (encode, decode, error, back, loss, Adam), encoding and decoding,
 * beside their floor: the convolutions of the same net alone, as bare oneDNN primitives in the
 * layouts that oneDNN chooses.  The two take turns in the same run, and each counts its best time.
 *
 * usage: bench_step [-p] NET BATCH [NET BATCH ...]   one line of JSON per measurement; -p: the
 * plans
 */
#include "base/clock.h"
#include "base/rng.h"
#include "eccentric.h"
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
    struct ecc_net_spec *spec;
    struct ecc_net *net;
    struct ecc_loss_plan *loss;
    struct ecc_dnn *dnn;
    struct bare bares[MAX_CONVS];
    size_t bare_count, n;
    float *x, *z, *dz, *y;
    uint64_t step;
    double bare_flops[2]; /* forward: encoder, decoder */
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
    bench->bare_flops[decoder] += layer->flops * (double)bench->n;
}

static void add_bares(struct bench *bench, const struct ecc_layer_spec *layers, size_t count,
                      bool decoder)
{
    for (size_t i = 0; i < count && bench->bare_count < MAX_CONVS; i++) {
        if (layers[i].kind != ECC_LAYER_CONV && layers[i].kind != ECC_LAYER_DECONV) continue;
        add_bare(bench, &layers[i], decoder);
    }
}

static void run_bare(struct bench *bench, int passes, bool encoder, bool decoder)
{
    for (int pass = 0; pass < passes; pass++) {
        for (size_t i = 0; i < bench->bare_count; i++) {
            struct bare *const bare = &bench->bares[i];
            if (!(bare->decoder ? decoder : encoder)) continue;
            if (pass == ECC_CONV_BACK_DATA && bare->first) continue;
            must(ecc_dnn_conv_run(bare->conv, (enum ecc_conv_pass)pass, bare->in, bare->weights,
                                  bare->out, bare->scratch, &error));
        }
    }
}

/* ---- What is measured ----------------------------------------------------------------------- */

static void bare_step(struct bench *bench)
{
    run_bare(bench, ECC_CONV_PASSES, true, true);
}

static void bare_encode(struct bench *bench)
{
    run_bare(bench, 1, true, false);
}

static void bare_decode(struct bench *bench)
{
    run_bare(bench, 1, false, true);
}

static void our_step(struct bench *bench)
{
    const size_t count = bench->n * bench->spec->latent;
    const float *z, *dz;
    double mean_squared;
    struct ecc_loss_value value;
    must(ecc_net_encode(bench->net, &z, bench->x, bench->n, true, &error));
    must(ecc_net_decode(bench->net, NULL, z, bench->n, true, &error));
    must(ecc_net_error(bench->net, &mean_squared, &error));
    must(ecc_net_decode_back(bench->net, &dz, &error));
    must(ecc_loss_plan_evaluate(bench->loss, &value, bench->dz, z, bench->n, &error));
    for (size_t i = 0; i < count; i++) bench->dz[i] = dz[i] + 1e-3F * bench->dz[i];
    must(ecc_net_encode_back(bench->net, bench->dz, &error));
    const struct ecc_adam adam = {1e-4, 1e-6, 0.9, 0.999, 1e-8, ++bench->step};
    must(ecc_net_update(bench->net, &adam, &error));
}

static void our_encode(struct bench *bench)
{
    const float *z;
    must(ecc_net_encode(bench->net, &z, bench->x, bench->n, false, &error));
}

static void our_decode(struct bench *bench)
{
    must(ecc_net_decode(bench->net, bench->y, bench->z, bench->n, false, &error));
}

static double once(void (*run)(struct bench *), struct bench *bench)
{
    const double start = ecc_seconds();
    run(bench);
    return ecc_seconds() - start;
}

/* Several runs of one, then of the other, and again: best of each. */
static void compare(struct bench *bench, const char *name, void (*ours)(struct bench *),
                    void (*bare)(struct bench *), double flops)
{
    double best[2] = {1e9, 1e9};
    once(ours, bench);
    once(bare, bench);
    const double estimate = once(bare, bench);
    const int repeats = estimate > 1 ? 1 : estimate > 0.1 ? 4 : 30;
    const int rounds = estimate > 1 ? 2 : ROUNDS;
    for (int i = 0; i < 2 * rounds * repeats; i++) {
        const int which = i / repeats % 2;
        const double taken = once(which ? bare : ours, bench);
        if (taken < best[which]) best[which] = taken;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(
        "{\"bench\": \"%s\", \"net\": \"%s\", \"batch\": %zu, \"threads\": %d, \"seconds\": %.6g, "
        "\"bare_convolutions\": %.6g, \"ratio\": %.4g, \"gflops\": %.4g, \"plan_bytes\": %zu, "
        "\"peak_bytes\": %ld}\n",
        name, bench->spec->name, bench->n, omp_get_max_threads(), best[0], best[1],
        best[0] / best[1], flops / best[0] * 1e-9, ecc_net_bytes(bench->net),
        usage.ru_maxrss * 1024L);
    fflush(stdout);
}

/* ---- One net -------------------------------------------------------------------------------- */

static void prepare(struct bench *bench, const char *net, bool training)
{
    const bool faces = strcmp(net, "paper-celeba") == 0;
    const struct ecc_item_shape shape = {faces ? 3 : 1, faces ? 64 : 28, faces ? 64 : 28};
    const struct ecc_net_options options = {bench->n, training, 0};
    const size_t latent = faces ? 64 : 8;
    must(ecc_net_spec_load(&bench->spec, net, shape, latent, latent, 1, &error));
    must(ecc_net_create(&bench->net, bench->spec, &options, &error));
    must(ecc_loss_plan_create(&bench->loss, bench->n, latent, NULL, &error));
    must(ecc_dnn_create(&bench->dnn, &error));
    bench->x = floats(bench->n * ecc_shape_size(shape));
    bench->y = floats(bench->n * ecc_shape_size(shape));
    bench->z = floats(bench->n * latent);
    bench->dz = floats(bench->n * latent);
}

static void finish(struct bench *bench)
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
    ecc_loss_plan_free(bench->loss);
    ecc_net_free(bench->net);
    ecc_net_spec_free(bench->spec);
    free(bench->x);
    free(bench->y);
    free(bench->z);
    free(bench->dz);
}

static void bench_net(const char *net, size_t n, bool plans)
{
    struct bench bench = {.n = n};
    prepare(&bench, net, true);
    if (plans) ecc_net_describe_plan(stderr, bench.net);
    add_bares(&bench, bench.spec->encoder, bench.spec->encoder_count, false);
    add_bares(&bench, bench.spec->decoder, bench.spec->decoder_count, true);
    compare(&bench, "step", our_step, bare_step, ecc_net_step_flops(bench.net));
    ecc_net_free(bench.net);
    must(ecc_net_create(&bench.net, bench.spec, &(struct ecc_net_options){n, false, 0}, &error));
    compare(&bench, "encode", our_encode, bare_encode, bench.bare_flops[0]);
    compare(&bench, "decode", our_decode, bare_decode, bench.bare_flops[1]);
    finish(&bench);
}

int main(int argc, char **argv)
{
    const bool plans = argc > 1 && strcmp(argv[1], "-p") == 0;
    for (int i = 1 + plans; i + 1 < argc; i += 2) {
        bench_net(argv[i], strtoul(argv[i + 1], NULL, 10), plans);
    }
    return 0;
}
