/*
 * library.c: what the commands do with a trained run, done through the installed libraries alone;
 * library.py compares the two.   usage: library RUN OTHER_RUN NEW_RUN VAE ONNX
 * RUN and OTHER_RUN were trained on glyphs, NEW_RUN is made as RUN was, VAE is another, and ONNX is
 * the directory of RUN's export.
 *
 * Figures go to standard output as JSON, arrays of float32 to NAME.raw.
 */
#include <eccentric_evaluate.h>
#include <eccentric_train.h>

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

/* ---- Commands that are one call -------------------------------------------------------------- */

static void train(const char *out)
{
    struct ecc_train_options options = ecc_train_defaults();
    options.data = "glyphs";
    options.items = 400;
    options.batch = 50;
    options.epochs = 2;
    options.latent = 3;
    options.threads = 1;
    const struct ecc_train_job job = {.out = out};
    struct ecc_train_result result;
    CHECK(ecc_train(&result, &options, &job, &error));
    printf("\"train\": {\"error\": %.17g, \"validation_error\": %.17g, \"loss\": %.17g, "
           "\"trace\": %.17g},\n",
           result.error, result.validation_error, result.loss, result.components.trace);
    ecc_train_result_release(&result);
}

static void evaluate(struct ecc_model *a, struct ecc_model *b)
{
    struct ecc_classify_options options = ecc_classify_defaults();
    struct ecc_classification found;
    struct ecc_runs_alignment aligned;
    struct ecc_score_table scores;
    struct ecc_model *const both[] = {a, b};
    options.items = ITEMS;
    options.neighbours = NEIGHBOURS;
    CHECK(ecc_classify(&found, a, &options, NULL, &error));
    printf("\"classify\": [%.17g, %.17g, %.17g],\n", found.rows[0].error[0], found.rows[0].error[1],
           found.rows[0].error[2]);
    ecc_classification_release(&found);
    CHECK(ecc_align_runs(&aligned, both, 2, &(struct ecc_align_options){.items = ITEMS}, NULL,
                         &error));
    printf("\"align\": [%.17g, %.17g],\n", aligned.raw.mean, aligned.aligned.mean);
    ecc_runs_alignment_release(&aligned);
    struct ecc_score_options score = ecc_score_defaults();
    const struct ecc_score_operand operands[] = {{.model = a}, {.name = "glyphs:test"}};
    score.features = ECC_FEATURES_PIXELS;
    score.items = ITEMS;
    CHECK(ecc_score_images(&scores, operands, 2, &score, NULL, &error));
    printf("\"fid\": [%.17g, %.17g],\n", scores.scores[0].frechet.distance,
           scores.scores[0].kid.value);
    ecc_score_table_release(&scores);
}

static void sizes(void)
{
    struct ecc_train_options options = ecc_train_defaults();
    struct ecc_dims found;
    options.data = "glyphs";
    options.items = 300;
    options.epochs = 1;
    options.seed = 1;
    options.threads = 1;
    CHECK(ecc_dims_measure(&found, &options, (const size_t[]){2, 3}, 2, NULL, &error));
    printf("\"dims\": [%zu, %.17g, %.17g, %.17g],\n", found.recommended, found.rows[0].error,
           found.rows[1].error, found.rows[1].pca_error);
    ecc_dims_release(&found);
}

/* Of a variational autoencoder, which is trained for it. */
static void likelihood(const char *out)
{
    struct ecc_train_options options = ecc_train_defaults();
    options.data = "glyphs";
    options.items = 300;
    options.batch = 50;
    options.epochs = 1;
    options.latent = 2;
    options.threads = 1;
    options.regularizer = "kl";
    options.reconstruction = ECC_RECONSTRUCTION_BCE;
    const struct ecc_train_job job = {.out = out};
    struct ecc_train_result result;
    struct ecc_model *model;
    struct ecc_likelihood found;
    CHECK(ecc_train(&result, &options, &job, &error));
    ecc_train_result_release(&result);
    CHECK(ecc_model_open(&model, out, NULL, &error));
    CHECK(ecc_likelihood_measure(
        &found, model, &(struct ecc_likelihood_options){.items = 40, .samples = 20}, NULL, &error));
    printf("\"likelihood\": [%.17g, %.17g, %.17g],\n", found.log_likelihood, found.bound,
           found.divergence);
    ecc_likelihood_release(&found);
    ecc_model_close(model);
}

static void describe_and_simulate(void)
{
    struct ecc_data_info info;
    struct ecc_simulation_options options = ecc_simulation_defaults();
    struct ecc_simulation simulation;
    struct ecc_loss_value loss;
    double radius, m, percent, mu;
    CHECK(ecc_data_describe(&info, "glyphs:test", ITEMS, &error));
    printf("\"data_info\": [%zu, %zu, %.17g, %.17g],\n", info.items, info.class_count, info.high,
           info.mean);
    ecc_data_info_release(&info);
    options.points = 60;
    options.dim = 3;
    options.seed = 1;
    CHECK(ecc_simulation_run(&simulation, &options, NULL, &error));
    printf("\"simulate\": [%.17g, %.17g, %zu],\n", simulation.loss, simulation.trace,
           simulation.steps);
    CHECK(ecc_loss(&loss, NULL, simulation.points, simulation.n, simulation.d, NULL, &error));
    write_raw("points", simulation.points, simulation.n * simulation.d);
    printf("\"loss\": [%.17g, %.17g],\n", loss.loss, loss.attraction);
    ecc_simulation_release(&simulation);
    m = ecc_theory_m_paper(5, 1.5);
    CHECK(ecc_theory_radius(&radius, 5, 1.5, m, &error));
    CHECK(ecc_theory_m_for_radius(&m, 5, 1.5, 2, &error));
    CHECK(ecc_theory_accuracy(&percent, &mu, 12, 0.01, &error));
    const double m64 = ecc_theory_m_paper(64, 1);
    printf("\"theory\": [%.17g, %.17g, %.17g, %.17g],\n", radius, m, percent,
           ecc_theory_force(16, 1, m64));
}

static void methods(void)
{
    struct ecc_regularizer_about method;
    printf("\"methods\": [");
    for (size_t i = 0; ecc_regularizer_describe(&method, i); i++) {
        size_t options = 0;
        while (method.options && method.options[options].name) {
            options++;
        }
        printf("%s[\"%s\", \"%s\", %zu, %.17g]", i ? ", " : "", method.name, method.summary,
               options, method.no_lambda ? 0 : method.lambda);
    }
    printf("],\n");
}

int main(int argc, char **argv)
{
    struct run a, b;
    if (argc != 6) return 2;
    open_run(&a, argv[1]);
    open_run(&b, argv[2]);
    printf("{\"version\": \"%s\",\n", ecc_version());
    encode_decode(&a);
    components(&a.components);
    sample(&a);
    align(&a, &b);
    train(argv[3]);
    evaluate(a.model, b.model);
    sizes();
    likelihood(argv[4]);
    CHECK(ecc_model_export_onnx(a.model, &a.components, argv[5], NULL, &error));
    describe_and_simulate();
    methods();
    classify(&a);
    printf("}\n");
    close_run(&a);
    close_run(&b);
    return 0;
}
