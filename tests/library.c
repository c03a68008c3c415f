/*
 * library.c: what the commands do with a trained run, done through the installed libraries alone;
 * library.py compares the two.   usage: library RUN OTHER_RUN     (both trained on glyphs)
 *
 * Figures go to standard output as JSON, arrays of float32 to NAME.raw.
 */
#include <eccentric_model.h>

#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 230, SAMPLES = 20, CLASSES = 10, NEIGHBOURS = 5 };

static struct ecc_error error;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != ECC_OK) {                                                                    \
            fprintf(stderr, "%s: %s\n", #call, error.text);                                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void write_raw(const char *name, const float *values, size_t count)
{
    char path[40];
    snprintf(path, sizeof path, "%s.raw", name);
    FILE *const file = fopen(path, "wb");
    if (!file || fwrite(values, sizeof *values, count, file) != count || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

static void print_array(const char *name, const double *values, size_t count)
{
    printf("\"%s\": [", name);
    for (size_t i = 0; i < count; i++) printf("%s%.17g", i ? ", " : "", values[i]);
    printf("],\n");
}

/* A run, and one part of the data as it sees it. */
struct part {
    float *z, *p; /* [n, d] */
    int32_t *labels;
    size_t n;
};

struct run {
    struct ecc_model *model;
    struct ecc_components components;
    struct part train, test;
    size_t d;
};

static struct part encode(const struct run *run, const char *data)
{
    struct part part;
    CHECK(ecc_model_latents(run->model, &part.z, &part.labels, &part.n, data, ITEMS, NULL, &error));
    part.p = malloc(part.n * run->d * sizeof *part.p);
    if (!part.p) exit(1);
    CHECK(ecc_components_project(&run->components, part.p, part.z, part.n, &error));
    return part;
}

static void open_run(struct run *run, const char *directory)
{
    CHECK(ecc_model_open(&run->model, directory, NULL, &error));
    CHECK(ecc_model_components(run->model, &run->components, NULL, NULL, &error));
    run->d = ecc_model_describe(run->model).latent;
    run->train = encode(run, "glyphs:train");
    run->test = encode(run, "glyphs:test");
}

static void close_run(struct run *run)
{
    const struct part *const parts[] = {&run->train, &run->test};
    for (size_t i = 0; i < 2; i++) {
        free(parts[i]->z);
        free(parts[i]->p);
        free(parts[i]->labels);
    }
    ecc_components_release(&run->components);
    ecc_model_close(run->model);
}

/* ---- The commands ---------------------------------------------------------------------------- */

static void encode_decode(const struct run *run)
{
    const struct ecc_model_info info = ecc_model_describe(run->model);
    float *const x = malloc(ITEMS * info.size * sizeof *x);
    float *const back = malloc(ITEMS * info.latent * sizeof *back);
    if (!x || !back) exit(1);
    printf("\"shape\": [%zu, %zu, %zu], \"finished\": %d, \"data\": \"%s\",\n", info.channels,
           info.height, info.width, info.finished, info.data);
    write_raw("z", run->test.z, run->test.n * info.latent);
    write_raw("p", run->test.p, run->test.n * info.latent);
    CHECK(ecc_model_decode(run->model, x, run->test.z, run->test.n, &error));
    write_raw("x", x, run->test.n * info.size);
    CHECK(ecc_model_encode(run->model, back, x, run->test.n, &error));
    write_raw("again", back, run->test.n * info.latent);
    free(x);
    free(back);
}

static void components(const struct ecc_components *c)
{
    printf(
        "\"count\": %zu, \"trace\": %.17g, \"eccentricity\": %.17g, \"effective_rank\": %.17g,\n",
        c->count, c->trace, c->eccentricity, c->effective_rank);
    print_array("mean", c->mean, c->d);
    print_array("eigenvalues", c->eigenvalues, c->d);
    print_array("axes", c->axes, c->d * c->d);
    print_array("explained_variance", c->explained, c->d);
    print_array("skewness", c->skewness, c->d);
}

static void sample(const struct run *run)
{
    static const char *const names[] = {"gaussian", "normal", "sphere", "mixture"};
    float *const z = malloc(SAMPLES * run->d * sizeof *z);
    struct ecc_mixture mixture;
    struct ecc_mixture_options options = ecc_mixture_defaults();
    options.k = 2;
    options.seed = 3;
    CHECK(ecc_mixture_fit(&mixture, run->train.z, run->train.n, run->d, &options, &error));
    struct ecc_sampler sampler = {
        .d = run->d, .components = &run->components, .mixture = &mixture, .seed = 3};
    for (int from = 0; z && from < 4; from++) {
        sampler.from = (enum ecc_sample_from)from;
        CHECK(ecc_sampler_draw(&sampler, z, 0, SAMPLES, &error));
        write_raw(names[from], z, SAMPLES * run->d);
    }
    const size_t second = 1;
    sampler.from = ECC_SAMPLE_GAUSSIAN;
    sampler.list = &second;
    sampler.list_count = 1;
    sampler.truncation = 1;
    CHECK(ecc_sampler_draw(&sampler, z, 0, SAMPLES, &error));
    write_raw("second", z, SAMPLES * run->d);
    free(z);
    ecc_mixture_release(&mixture);
}

static void align(const struct run *a, const struct run *b)
{
    struct ecc_alignment l;
    CHECK(ecc_align(&l, a->train.p, b->train.p, a->train.n, a->test.p, b->test.p, a->test.n, a->d,
                    &error));
    printf("\"angle_raw\": %.17g, \"angle_aligned\": %.17g, \"angle_procrustes\": %.17g, "
           "\"cka\": %.17g,\n",
           l.angle_raw, l.angle_aligned, l.angle_procrustes, l.cka);
    print_array("signs", l.sign, l.d);
    print_array("correlations", l.correlation, l.d);
    ecc_alignment_release(&l);
}

static double share_wrong(const int32_t *predicted, const struct part *test)
{
    size_t wrong = 0;
    for (size_t i = 0; i < test->n; i++) wrong += predicted[i] != test->labels[i];
    return (double)wrong / (double)test->n;
}

static void classify(const struct run *run)
{
    const struct part *const train = &run->train, *const test = &run->test;
    int32_t predicted[ITEMS];
    struct ecc_tree tree;
    CHECK(ecc_knn_classify(predicted, test->z, test->n, train->z, train->labels, train->n, run->d,
                           CLASSES, NEIGHBOURS, &error));
    printf("\"knn_error\": %.17g,\n", share_wrong(predicted, test));
    CHECK(ecc_tree_fit(&tree, train->p, train->labels, train->n, run->d, CLASSES, 4, &error));
    ecc_tree_predict(&tree, predicted, test->p, test->n);
    printf("\"tree_error\": %.17g\n", share_wrong(predicted, test));
    ecc_tree_release(&tree);
}

int main(int argc, char **argv)
{
    struct run a, b;
    if (argc != 3) return 2;
    open_run(&a, argv[1]);
    open_run(&b, argv[2]);
    printf("{\"version\": \"%s\",\n", ecc_version());
    encode_decode(&a);
    components(&a.components);
    sample(&a);
    align(&a, &b);
    classify(&a);
    printf("}\n");
    close_run(&a);
    close_run(&b);
    return 0;
}
