/*
 * bench_inception.c: features of Inception-v3 with random weights, images of 299x299 in memory,
 * resized (which then changes nothing) and put through the network as `eccentric fid` does it.
 *
 * usage: bench_inception [-p] BATCH   one line of JSON, the best of several batches; -p: the plan
 * of each layer, to standard error
 */
#include "base/clock.h"
#include "base/rng.h"
#include "score/inception.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TENSORS = 94 * 5, SIDE = ECC_INCEPTION_SIDE };

static struct ecc_error error;
static char directory[] = "/tmp/eccentric-bench-XXXXXX", path[64];

static void take_away(void)
{
    unlink(path);
    rmdir(directory);
}

static void must(enum ecc_status status)
{
    if (status == ECC_OK) return;
    fprintf(stderr, "bench_inception: %s\n", error.text);
    exit(1);
}

static float *floats(size_t count)
{
    float *const block = malloc(count * sizeof *block);
    if (block) return block;
    fprintf(stderr, "bench_inception: out of memory\n");
    exit(1);
}

/* ---- Random weights ------------------------------------------------------------------------- */

struct file {
    struct ecc_safetensors_item items[TENSORS];
    char names[TENSORS][64];
    size_t count;
};

static float *add(struct file *file, const char *name, const char *ending)
{
    struct ecc_safetensors_item *const item = &file->items[file->count];
    snprintf(file->names[file->count], sizeof file->names[0], "%s%s", name, ending);
    item->name = file->names[file->count++];
    item->dtype = ECC_F4;
    size_t size = 1;
    for (size_t k = 0; k < item->rank; k++) size *= item->shape[k];
    float *const data = floats(size);
    item->data = data;
    return data;
}

static void add_unit(struct file *file, const struct ecc_inception_op *op)
{
    static const char *const endings[] = {".bn.weight", ".bn.bias", ".bn.running_mean",
                                          ".bn.running_var"};
    const struct ecc_conv_shape *const s = &op->shape;
    const size_t outputs = s->out.channels, size = ecc_inception_kernel_size(op);
    file->items[file->count] = (struct ecc_safetensors_item){
        .rank = 4, .shape = {outputs, s->in.channels, s->kernel[0], s->kernel[1]}};
    float *const kernel = add(file, op->name, ".conv.weight");
    ecc_rng_normal_f32(kernel, 1, op->number, 0, size);
    const float scale = sqrtf(2 * (float)outputs / (float)size);
    for (size_t i = 0; i < size; i++) kernel[i] *= scale;
    for (int k = 0; k < 4; k++) {
        file->items[file->count] = (struct ecc_safetensors_item){.rank = 1, .shape = {outputs}};
        float *const vector = add(file, op->name, endings[k]);
        for (size_t i = 0; i < outputs; i++) vector[i] = k == 0 || k == 3;
    }
}

static void make_weights(const struct ecc_inception_graph *graph)
{
    struct file *const file = calloc(1, sizeof *file);
    if (!file || !mkdtemp(directory)) {
        fprintf(stderr, "bench_inception: no temporary directory, or out of memory\n");
        exit(1);
    }
    atexit(take_away);
    snprintf(path, sizeof path, "%s/random.safetensors", directory);
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->ops[i].kind == ECC_INFER_CONV) add_unit(file, &graph->ops[i]);
    }
    must(ecc_safetensors_write(path, file->items, file->count, NULL, &error));
    for (size_t i = 0; i < file->count; i++) free((void *)file->items[i].data);
    free(file);
}

/* ---- Measuring ------------------------------------------------------------------------------ */

struct bench {
    struct ecc_inception *net;
    struct ecc_bilinear bilinear;
    float *x, *f; /* [batch, 3, SIDE, SIDE], [batch, features] */
    size_t batch, features;
};

static double once(struct bench *bench)
{
    const size_t item = (size_t)3 * SIDE * SIDE;
    const double start = ecc_seconds();
    for (size_t i = 0; i < bench->batch; i++) {
        ecc_bilinear_run(&bench->bilinear, ecc_inception_input(bench->net), bench->x + i * item, 2,
                         -1, omp_get_max_threads());
        must(ecc_inception_run(bench->net, bench->f + i * bench->features, &error));
    }
    return ecc_seconds() - start;
}

/* Best of as many as fit into five seconds, at least two after the first. */
static double best_of(struct bench *bench)
{
    once(bench);
    double best = INFINITY;
    const double until = ecc_seconds() + 5;
    for (int i = 0; i < 2 || ecc_seconds() < until; i++) {
        const double taken = once(bench);
        if (taken < best) best = taken;
    }
    return best;
}

int main(int argc, char **argv)
{
    const bool plan = argc > 1 && strcmp(argv[1], "-p") == 0;
    struct bench bench = {.batch = argc > 1 + plan ? strtoul(argv[1 + plan], NULL, 10) : 0};
    if (bench.batch == 0) {
        fprintf(stderr, "usage: bench_inception [-p] BATCH\n");
        return 2;
    }
    struct ecc_inception_graph graph;
    struct ecc_inception_weights weights;
    must(ecc_inception_graph_init(&graph, ECC_INCEPTION_FID, SIDE, SIDE, 1, &error));
    make_weights(&graph);
    must(ecc_inception_weights_init(&weights, path, &error));
    must(ecc_inception_create(&bench.net, &graph, &weights, 0, &error));
    ecc_inception_weights_release(&weights);
    must(ecc_bilinear_init(&bench.bilinear, graph.in, SIDE, SIDE, &error));
    bench.features = graph.out.channels;
    bench.x = floats(bench.batch * 3 * SIDE * SIDE);
    bench.f = floats(bench.batch * bench.features);
    ecc_rng_uniform_f32(bench.x, 1, 0, 0, bench.batch * 3 * SIDE * SIDE);
    if (plan) ecc_inception_describe(stderr, bench.net);
    const double seconds = best_of(&bench), n = (double)bench.batch;
    printf("{\"bench\": \"features\", \"net\": \"inception\", \"batch\": %zu, \"side\": %d, "
           "\"threads\": %d, \"seconds\": %.6g, \"images_per_second\": %.4g, \"gflops\": %.4g}\n",
           bench.batch, SIDE, omp_get_max_threads(), seconds, n / seconds,
           n * ecc_inception_flops(&graph) / seconds * 1e-9);
    ecc_inception_free(bench.net);
    ecc_bilinear_release(&bench.bilinear);
    free(bench.x);
    free(bench.f);
    return 0;
}
