/* test_inception.c: Inception-v3 against plain loops and PyTorch, with narrow random networks;
 * against another runtime with real weights, where they are; and files that are no such weights. */
#include "base/npy.h"
#include "score/features.h"
#include "score/inception.h"
#include "testing.h"

#include <unistd.h>

/* Narrow and not square, large enough for 3x4 pixels in the last block. */
enum { DIVIDE = 16, HEIGHT = 139, WIDTH = 171, FEATURES = 176 };

/* ---- Random weights ------------------------------------------------------------------------- */

/* A number from -1 to 1: a hash of (stream, index), as in tests/golden/inception_golden.py. */
static double noise(uint32_t stream, size_t index)
{
    uint32_t x = (uint32_t)index + stream * UINT32_C(0x9e3779b9);
    x = (x ^ x >> 16) * UINT32_C(0x7feb352d);
    x = (x ^ x >> 15) * UINT32_C(0x846ca68b);
    x ^= x >> 16;
    return x / 2147483648.0 - 1;
}

struct file {
    struct ecc_safetensors_item items[94 * 5 + 1];
    char names[94 * 5][64];
    size_t count;
};

static float *add_item(struct file *file, const char *name, size_t rank, const size_t *shape)
{
    struct ecc_safetensors_item *const item = &file->items[file->count];
    size_t size = 1;
    for (size_t k = 0; k < rank; k++) size *= item->shape[k] = shape[k];
    float *const data = malloc(size * sizeof *data);
    snprintf(file->names[file->count], sizeof file->names[0], "%s", name);
    item->name = file->names[file->count++];
    item->dtype = ECC_F4;
    item->rank = rank;
    item->data = data;
    return data;
}

static void add_vector(struct file *file, const char *name, size_t count, uint32_t stream,
                       double middle, double reach)
{
    float *const data = add_item(file, name, 1, &count);
    for (size_t i = 0; i < count; i++) data[i] = (float)(middle + reach * noise(stream, i));
}

static void add_kernel(struct file *file, const struct ecc_inception_op *op, bool keras)
{
    const struct ecc_conv_shape *const s = &op->shape;
    const size_t o = s->out.channels, i = s->in.channels, h = s->kernel[0], w = s->kernel[1];
    const size_t plain[] = {o, i, h, w}, theirs[] = {h, w, i, o};
    const double reach = sqrt(6.0 / (double)(i * h * w));
    char name[64];
    if (keras) {
        snprintf(name, sizeof name, "conv2d_%zu/kernel", op->number);
    } else {
        snprintf(name, sizeof name, "%s.conv.weight", op->name);
    }
    float *const data = add_item(file, name, 4, keras ? theirs : plain);
    for (size_t k = 0; k < o * i * h * w; k++) {
        const size_t column = k % (h * w), input = k / (h * w) % i, output = k / (h * w * i);
        const size_t at = keras ? (column * i + input) * o + output : k;
        data[at] = (float)(noise(8 * (uint32_t)op->number, k)) * (float)reach;
    }
}

/* gamma, beta, mean, variance: their names, middles and reaches. */
static void add_norm(struct file *file, const struct ecc_inception_op *op, bool keras, bool gamma)
{
    static const char *const names[2][4] = {
        {"weight", "bias", "running_mean", "running_var"},
        {"gamma", "beta", "moving_mean", "moving_variance"},
    };
    static const double middles[] = {1, 0, 0, 1}, reaches[] = {0.5, 0.2, 0.2, 0.5};
    for (uint32_t k = gamma ? 0 : 1; k < 4; k++) {
        char name[64];
        if (keras) {
            snprintf(name, sizeof name, "batch_normalization_%zu/%s", op->number, names[1][k]);
        } else {
            snprintf(name, sizeof name, "%s.bn.%s", op->name, names[0][k]);
        }
        add_vector(file, name, op->shape.out.channels, 8 * (uint32_t)op->number + 1 + k, middles[k],
                   reaches[k]);
    }
}

static struct ecc_inception_graph narrow_graph(enum ecc_inception_variant variant)
{
    struct ecc_inception_graph graph;
    check_ok(ecc_inception_graph_init(&graph, variant, HEIGHT, WIDTH, DIVIDE, &testing_error));
    assert_int_equal(graph.out.channels, FEATURES);
    assert_int_equal(graph.out.height, 3);
    assert_int_equal(graph.out.width, 4);
    return graph;
}

static struct file *make_file_for(const struct ecc_inception_graph *graph, bool gamma)
{
    struct file *const file = calloc(1, sizeof *file);
    const bool keras = graph->variant == ECC_INCEPTION_KERAS;
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->ops[i].kind != ECC_INFER_CONV) continue;
        add_kernel(file, &graph->ops[i], keras);
        add_norm(file, &graph->ops[i], keras, gamma);
    }
    return file;
}

static struct file *make_file(enum ecc_inception_variant variant, bool gamma)
{
    const struct ecc_inception_graph graph = narrow_graph(variant);
    return make_file_for(&graph, gamma);
}

/* Writes the file and frees it. */
static const char *write_file(struct file *file, const char *const *metadata)
{
    const char *const path = testing_path("inception.safetensors");
    check_ok(ecc_safetensors_write(path, file->items, file->count, metadata, &testing_error));
    for (size_t i = 0; i < file->count; i++) free((void *)file->items[i].data);
    free(file);
    return path;
}

static struct ecc_safetensors_item *item_of(struct file *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++) {
        if (strcmp(file->items[i].name, name) == 0) return &file->items[i];
    }
    fail_msg("no tensor %s", name);
    return NULL;
}

/* ---- The narrow network --------------------------------------------------------------------- */

static void fill_image(float *x)
{
    for (size_t i = 0; i < (size_t)3 * HEIGHT * WIDTH; i++) x[i] = (float)noise(0, i);
}

/* features: [FEATURES] of the image by the fast code. */
static void run_with(float *features, const struct ecc_inception_graph *graph,
                     const struct ecc_inception_weights *weights, int threads)
{
    struct ecc_inception *net;
    check_ok(ecc_inception_create(&net, graph, weights, threads, &testing_error));
    assert_false(ecc_inception_is_slow(net));
    for (int i = 0; i < 2; i++) { /* nothing is left of the first */
        fill_image(ecc_inception_input(net));
        check_ok(ecc_inception_run(net, features, &testing_error));
    }
    ecc_inception_free(net);
}

/* The same numbers for any number of threads. */
static void run_narrow(float *features, const struct ecc_inception_graph *graph,
                       const struct ecc_inception_weights *weights)
{
    float again[FEATURES];
    run_with(features, graph, weights, 1);
    run_with(again, graph, weights, 3);
    assert_memory_equal(again, features, sizeof again);
}

static void compare_with_reference(enum ecc_inception_variant variant, bool gamma)
{
    const struct ecc_inception_graph graph = narrow_graph(variant);
    struct ecc_inception_weights weights;
    check_ok(ecc_inception_weights_init(&weights, write_file(make_file(variant, gamma), NULL),
                                        &testing_error));
    assert_int_equal(weights.variant, variant);
    static float x[3 * HEIGHT * WIDTH], features[FEATURES];
    static double expected[FEATURES];
    fill_image(x);
    run_narrow(features, &graph, &weights);
    check_ok(ecc_inception_reference(expected, x, &graph, &weights, &testing_error));
    for (size_t i = 0; i < FEATURES; i++) {
        check_absolute((double)features[i], expected[i], 1e-4 * expected[i] + 1e-5, "a feature");
    }
    ecc_inception_weights_release(&weights);
}

static void agrees_with_plain_loops(void **state)
{
    (void)state;
    compare_with_reference(ECC_INCEPTION_FID, true);
    compare_with_reference(ECC_INCEPTION_KERAS, false);
}

static void read_golden(double *values, size_t count)
{
    char path[4096];
    const char *const end = strstr(__FILE__, "unit/test_inception.c");
    snprintf(path, sizeof path, "%.*sgolden/inception.txt", (int)(end - __FILE__), __FILE__);
    FILE *const file = fopen(path, "r");
    if (!file) fail_msg("cannot open %s", path);
    for (size_t i = 0; i < count; i++) {
        char word[64];
        assert_int_equal(fscanf(file, "%63s", word), 1);
        values[i] = strtod(word, NULL);
    }
    fclose(file);
}

static void agrees_with_pytorch(void **state)
{
    (void)state;
    static double expected[2][FEATURES];
    read_golden(expected[0], 2 * FEATURES);
    for (int k = 0; k < 2; k++) {
        const enum ecc_inception_variant variant = k ? ECC_INCEPTION_KERAS : ECC_INCEPTION_FID;
        const struct ecc_inception_graph graph = narrow_graph(variant);
        struct ecc_inception_weights weights;
        check_ok(ecc_inception_weights_init(&weights, write_file(make_file(variant, true), NULL),
                                            &testing_error));
        float features[FEATURES];
        run_narrow(features, &graph, &weights);
        for (size_t i = 0; i < FEATURES; i++) {
            check_absolute((double)features[i], expected[k][i], 1e-4 * expected[k][i] + 1e-5,
                           "a feature");
        }
        ecc_inception_weights_release(&weights);
    }
    assert_memory_not_equal(expected[0], expected[1], sizeof expected[0]);
}

static void has_the_size_of_inception(void **state)
{
    (void)state;
    struct ecc_inception_graph graph;
    check_ok(ecc_inception_graph_init(&graph, ECC_INCEPTION_FID, 299, 299, 1, &testing_error));
    size_t parameters = 0, convolutions = 0;
    for (size_t i = 0; i < graph.count; i++) {
        if (graph.ops[i].kind != ECC_INFER_CONV) continue;
        convolutions++;
        parameters += ecc_inception_kernel_size(&graph.ops[i]);
    }
    assert_int_equal(convolutions, 94);
    assert_int_equal(parameters, 21751136); /* of all kernels, as Keras counts them */
    assert_int_equal(graph.out.channels, 2048);
    assert_int_equal(graph.out.height, 8);
    check_relative(ecc_inception_flops(&graph), 11.42e9, 0.01, "operations of an image");
    check_fails(ecc_inception_graph_init(&graph, ECC_INCEPTION_FID, 299, 74, 1, &testing_error),
                ECC_BAD_ARGUMENT, "299x74, expected at least 75x75");
}

/* ---- Files that are no such weights --------------------------------------------------------- */

static enum ecc_status open_narrow(const char *path)
{
    struct ecc_inception_weights weights;
    const enum ecc_status status = ecc_inception_weights_init(&weights, path, &testing_error);
    if (status != ECC_OK) return status;
    const struct ecc_inception_graph graph = narrow_graph(weights.variant);
    struct ecc_inception *net;
    const enum ecc_status other = ecc_inception_create(&net, &graph, &weights, 1, &testing_error);
    ecc_inception_weights_release(&weights);
    ecc_inception_free(net);
    return other;
}

static void refuses_wrong_tensors(void **state)
{
    (void)state;
    struct file *file = make_file(ECC_INCEPTION_FID, true);
    strcpy(file->names[5 * 40], "another.name");
    check_fails(open_narrow(write_file(file, NULL)), ECC_BAD_DATA, "conv.weight': is missing");

    file = make_file(ECC_INCEPTION_FID, true);
    item_of(file, "Mixed_7c.branch_pool.bn.running_var")->shape[0] = 15;
    check_fails(open_narrow(write_file(file, NULL)), ECC_BAD_DATA,
                "tensor 'Mixed_7c.branch_pool.bn.running_var': has shape (15,), expected (16,)");

    file = make_file(ECC_INCEPTION_KERAS, false);
    ((float *)item_of(file, "batch_normalization_50/moving_variance")->data)[3] = -1;
    check_fails(
        open_narrow(write_file(file, NULL)), ECC_BAD_DATA,
        "convolution 50 (Mixed_6c.branch_pool) or its batch norm has a number that is not finite");
}

static void refuses_other_networks(void **state)
{
    (void)state;
    struct file *file = calloc(1, sizeof *file);
    add_vector(file, "encoder.1.weight", 4, 1, 0, 1);
    check_fails(open_narrow(write_file(file, NULL)), ECC_BAD_DATA,
                "is not an Inception-v3: expected");

    file = make_file(ECC_INCEPTION_FID, true);
    item_of(file, "Mixed_7c.branch_pool.bn.running_var")->shape[0] = 16;
    strcpy(file->names[file->count - 1], "AuxLogits.fc.weight");
    check_fails(open_narrow(write_file(file, NULL)), ECC_BAD_DATA, "torchvision's Inception-v3");

    static const char *const metadata[] = {"input", "[0, 255]", NULL};
    check_fails(open_narrow(write_file(make_file(ECC_INCEPTION_FID, true), metadata)), ECC_BAD_DATA,
                "its metadata says input '[0, 255]', expected [0, 1] or [-1, 1]");
}

static void knows_the_range_of_its_input(void **state)
{
    (void)state;
    static const char *const metadata[] = {"input", "[-1, 1]", NULL};
    struct ecc_inception_weights weights;
    check_ok(ecc_inception_weights_init(
        &weights, write_file(make_file(ECC_INCEPTION_KERAS, false), metadata), &testing_error));
    assert_true(weights.scale == 2 && weights.shift == -1);
    ecc_inception_weights_release(&weights);
    check_ok(ecc_inception_weights_init(
        &weights, write_file(make_file(ECC_INCEPTION_KERAS, false), NULL), &testing_error));
    assert_true(weights.scale == 1 && weights.shift == 0);
    ecc_inception_weights_release(&weights);
}

static enum ecc_status open_features(struct ecc_features **features, const char *weights,
                                     struct ecc_item_shape shape)
{
    const struct ecc_features_options options = {
        .weights = weights, .shape = shape, .batch = 3, .threads = 1};
    return ecc_features_open(features, "inception", &options, &testing_error);
}

static void says_what_is_missing(void **state)
{
    (void)state;
    struct ecc_features *features;
    const struct ecc_item_shape grey = {1, 28, 28}, table = {54, 1, 1};
    if (access("/usr/share/datasets/inception.safetensors", R_OK) == 0) skip();
    setenv("ECCENTRIC_DATA", testing_path("none"), 1);
    setenv("HOME", testing_path("nobody"), 1);
    check_fails(open_features(&features, NULL, grey), ECC_IO,
                "there is no inception.safetensors in $ECCENTRIC_DATA, ~/.local/share/eccentric");
    check_fails(open_features(&features, NULL, grey), ECC_IO,
                "with: scripts/inception_to_safetensors.py");
    check_fails(open_features(&features, testing_path("no.safetensors"), grey), ECC_IO,
                "No such file");
    check_fails(open_features(&features, NULL, table), ECC_BAD_ARGUMENT,
                "54x1x1, expected images with 1 or 3 channels");
    /* found where it is looked for, but too narrow */
    setenv("ECCENTRIC_DATA", testing_path(""), 1);
    write_file(make_file(ECC_INCEPTION_FID, true), NULL);
    check_fails(open_features(&features, NULL, grey), ECC_BAD_DATA,
                "'Conv2d_1a_3x3.conv.weight': has shape (16, 3, 3, 3), expected (32, 3, 3, 3)");
}

/* ---- Images --------------------------------------------------------------------------------- */

static void check_bilinear(const float *expected, const float *x, struct ecc_item_shape from,
                           size_t height, size_t width)
{
    struct ecc_bilinear bilinear;
    float y[3 * 15];
    check_ok(ecc_bilinear_init(&bilinear, from, height, width, &testing_error));
    ecc_bilinear_run(&bilinear, y, x, 2, -1, 1);
    ecc_bilinear_release(&bilinear);
    for (size_t i = 0; i < 3 * height * width; i++) {
        const size_t at = from.channels == 1 ? i % (height * width) : i;
        check_absolute((double)y[i], 2 * (double)expected[at] - 1, 1e-6, "a pixel");
    }
}

/* torch.nn.functional.interpolate(x, mode="bilinear", align_corners=False) */
static void resizes_like_pytorch(void **state)
{
    (void)state;
    static const float x[] = {0, 0.04F, 0.16F, 0.36F, 0.64F, 1};
    static const float larger[] = {0,      0.016F, 0.04F, 0.112F, 0.16F, 0.18F,  0.244F, 0.34F,
                                   0.484F, 0.58F,  0.36F, 0.472F, 0.64F, 0.856F, 1};
    static const float smaller[] = {0.22F, 0.52F};
    const struct ecc_item_shape grey = {1, 2, 3}, colour = {3, 1, 2};
    check_bilinear(larger, x, grey, 3, 5);
    check_bilinear(smaller, x, grey, 1, 2);
    check_bilinear(x, x, grey, 2, 3);
    check_bilinear(x, x, colour, 1, 2);
}

/* ---- The whole network ---------------------------------------------------------------------- */

/* Random weights of full width as Keras would name them, for pixels from -1 to 1. */
static void open_whole(struct ecc_inception_weights *weights, const char **path)
{
    static const char *const metadata[] = {"input", "[-1, 1]", NULL};
    struct ecc_inception_graph graph;
    check_ok(ecc_inception_graph_init(&graph, ECC_INCEPTION_KERAS, 75, 75, 1, &testing_error));
    *path = write_file(make_file_for(&graph, false), metadata);
    check_ok(ecc_inception_weights_init(weights, *path, &testing_error));
}

/* features: [2048] of pixels from 0 to 1, x: [3, side, side], by a network for images of `side`. */
static void run_whole(float *features, const struct ecc_inception_weights *weights, const float *x,
                      size_t side)
{
    struct ecc_inception_graph graph;
    struct ecc_inception *net;
    check_ok(ecc_inception_graph_init(&graph, ECC_INCEPTION_KERAS, side, side, 1, &testing_error));
    check_ok(ecc_inception_create(&net, &graph, weights, 1, &testing_error));
    assert_false(ecc_inception_is_slow(net));
    float *const input = ecc_inception_input(net);
    for (size_t i = 0; i < 3 * side * side; i++) input[i] = 2 * x[i] - 1;
    check_ok(ecc_inception_run(net, features, &testing_error));
    ecc_inception_free(net);
}

/* The smallest images, so that plain loops are done soon. */
static void compare_whole(const struct ecc_inception_weights *weights, const float *x)
{
    static float features[2048], scaled[3 * 75 * 75];
    static double expected[2048];
    struct ecc_inception_graph graph;
    check_ok(ecc_inception_graph_init(&graph, ECC_INCEPTION_KERAS, 75, 75, 1, &testing_error));
    for (size_t i = 0; i < sizeof scaled / sizeof *scaled; i++) scaled[i] = 2 * x[i] - 1;
    run_whole(features, weights, x, 75);
    check_ok(ecc_inception_reference(expected, scaled, &graph, weights, &testing_error));
    for (size_t i = 0; i < 2048; i++) {
        check_absolute((double)features[i], expected[i], 1e-3 * expected[i] + 1e-5, "a feature");
    }
}

/* The twin of agrees_with_another_runtime: the width of every layer by plain loops on small images,
 * and images of the usual size on the way that scores take. */
static void agrees_at_full_width(void **state)
{
    (void)state;
    enum { IMAGES = 4, PIXELS = 3 * 299 * 299 };
    const char *path;
    struct ecc_inception_weights weights;
    open_whole(&weights, &path);
    float *const x = malloc(IMAGES * PIXELS * sizeof *x);
    for (size_t i = 0; i < (size_t)IMAGES * PIXELS; i++) x[i] = (float)(noise(0, i) / 2 + 0.5);
    compare_whole(&weights, x);

    struct ecc_features *features;
    check_ok(open_features(&features, path, (struct ecc_item_shape){3, 299, 299}));
    assert_int_equal(features->size, 2048);
    assert_non_null(strstr(features->identity, "Keras layout, weights crc32 "));
    static float f[IMAGES * 2048], expected[2048];
    check_ok(ecc_features_extract(features, f, x, IMAGES, &testing_error));
    for (size_t i = 0; i < IMAGES; i += IMAGES - 1) { /* the first, and the last of two batches */
        run_whole(expected, &weights, x + i * PIXELS, 299);
        assert_memory_equal(f + i * 2048, expected, sizeof expected);
    }
    ecc_features_close(features);
    ecc_inception_weights_release(&weights);
    free(x);
}

/* ---- Real weights --------------------------------------------------------------------------  */

/* x: [4, 3, 299, 299] from 0 to 1; the file has uint8 [4, 299, 299, 3]. */
static float *read_golden_input(void)
{
    struct ecc_array array;
    check_ok(
        ecc_npy_read(&array, ECC_SHARED "/weights/inception_golden_input.npy", &testing_error));
    const uint8_t *const bytes = array.data;
    float *const x = malloc(array.count * sizeof *x);
    const size_t pixels = (size_t)299 * 299;
    for (size_t i = 0; i < array.count; i++) {
        const size_t channel = i % 3, pixel = i / 3 % pixels, image = i / 3 / pixels;
        x[(image * 3 + channel) * pixels + pixel] = (float)bytes[i] / 255;
    }
    ecc_array_release(&array);
    return x;
}

static void agrees_with_another_runtime(void **state)
{
    (void)state;
    static const char weights[] = ECC_SHARED "/weights/inception_v3_standin.safetensors";
    if (access(weights, R_OK) != 0) {
        print_message("skipped: %s is not there\n", weights);
        skip();
    }
    const struct ecc_item_shape shape = {3, 299, 299};
    struct ecc_features *features;
    check_ok(open_features(&features, weights, shape));
    assert_int_equal(features->size, 2048);
    assert_non_null(strstr(features->identity, "Keras layout, weights crc32 "));
    float *const x = read_golden_input(), *expected;
    size_t n, d;
    check_ok(ecc_npy_read_f32(&expected, &n, &d,
                              ECC_SHARED "/weights/inception_golden_features.npy", &testing_error));
    assert_int_equal(n, 4);
    static float f[4 * 2048];
    check_ok(ecc_features_extract(features, f, x, n, &testing_error));
    double error = 0, size = 0;
    for (size_t i = 0; i < n * d; i++) {
        const double off = (double)f[i] - (double)expected[i];
        check_absolute((double)f[i], (double)expected[i], 1e-3 * (double)expected[i] + 1e-5,
                       "a feature");
        error += off * off;
        size += (double)expected[i] * (double)expected[i];
    }
    check_absolute(sqrt(error / size), 0, 1e-5, "relative difference of all features");
    free(x);
    free(expected);
    ecc_features_close(features);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_plain_loops),   cmocka_unit_test(agrees_with_pytorch),
        cmocka_unit_test(has_the_size_of_inception), cmocka_unit_test(refuses_wrong_tensors),
        cmocka_unit_test(refuses_other_networks),    cmocka_unit_test(knows_the_range_of_its_input),
        cmocka_unit_test(says_what_is_missing),      cmocka_unit_test(resizes_like_pytorch),
        cmocka_unit_test(agrees_at_full_width),      cmocka_unit_test(agrees_with_another_runtime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
