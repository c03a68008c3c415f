/* test_net_golden.c: ten training steps from the same weights and batches as in PyTorch.  The
 * values are written by tests/golden/make_golden.py. */
#include "base/rng.h"
#include "nn/net.h"
#include "testing.h"

/* A file of tests/golden/, found from where this file is. */
static const char *golden_path(const char *name, const char *ending)
{
    static char path[1000];
    const char *const end = strstr(__FILE__, "unit/test_net_golden.c");
    assert_non_null(end);
    snprintf(path, sizeof path, "%.*sgolden/%s.%s", (int)(end - __FILE__), __FILE__, name, ending);
    return path;
}

struct golden {
    FILE *file;
    char name[20];
    struct ecc_item_shape shape;
    size_t latent, batch;
    unsigned long long seed;
    double rate, decay, lambda;
    bool direct;
};

/*
 * Winograd's tiles round ten times more than direct sums.  That is 1e-6 of a layer's output, but it
 * decides on which side of zero some inputs of leaky ReLUs fall, and Adam makes whole steps of the
 * smallest gradients: so the two part company sooner than direct sums in float and double do.
 */
static double allowed(const struct golden *g, double direct, double tiles)
{
    return g->direct ? direct : tiles;
}

static struct golden open_golden(const char *name)
{
    struct golden g = {.file = fopen(golden_path(name, "txt"), "r")};
    assert_non_null(g.file);
    assert_int_equal(fscanf(g.file, "#%*[^\n] case %19s %zu %zu %zu %zu %zu %llu %lf %lf %lf",
                            g.name, &g.shape.channels, &g.shape.height, &g.shape.width, &g.latent,
                            &g.batch, &g.seed, &g.rate, &g.decay, &g.lambda),
                     10);
    return g;
}

/* Plane waves of random direction, length and phase, as the script makes them. */
static void fill_waves(float *x, const struct golden *g, size_t step)
{
    for (size_t i = 0; i < g->batch; i++) {
        float u[3];
        ecc_rng_uniform_f32(u, g->seed, step, 3 * i, 3);
        const double a = 2 * (double)u[0] - 1, b = 2 * (double)u[1] - 1, c = 2 * (double)u[2] - 1;
        for (size_t k = 0; k < g->shape.channels * g->shape.height; k++) {
            const double row = (double)(k % g->shape.height), plane = (double)(k / g->shape.height);
            for (size_t w = 0; w < g->shape.width; w++) {
                *x++ = (float)(0.5 + 0.5 * sin(plane + 0.6 * a * row + 0.6 * b * (double)w +
                                               3.14159265358979323846 * c));
            }
        }
    }
}

/* One step as the training loop does it; the errors and losses must agree on the way. */
static void golden_step(struct golden *g, struct ecc_net *net, float *x, float *dz, size_t step)
{
    size_t number;
    double expected_error, expected_loss, error;
    assert_int_equal(fscanf(g->file, " step %zu %lf %lf", &number, &expected_error, &expected_loss),
                     3);
    assert_int_equal(number, step);
    fill_waves(x, g, step);
    const float *z, *dz_error;
    struct ecc_loss_value value;
    check_ok(ecc_net_encode(net, &z, x, g->batch, true, &testing_error));
    check_ok(ecc_net_decode(net, NULL, z, g->batch, true, &testing_error));
    check_ok(ecc_net_error(net, &error, &testing_error));
    check_ok(ecc_net_decode_back(net, &dz_error, &testing_error));
    check_ok(ecc_loss(&value, dz, z, g->batch, g->latent, NULL, &testing_error));
    check_relative(error, expected_error, 1e-4, "error");
    check_absolute(value.loss, expected_loss, 1e-4 * fmax(1, fabs(expected_loss)), "loss");
    for (size_t i = 0; i < g->batch * g->latent; i++) {
        dz[i] = dz_error[i] + (float)g->lambda * dz[i];
    }
    check_ok(ecc_net_encode_back(net, dz, &testing_error));
    const struct ecc_adam adam = {g->rate, g->decay, 0.9, 0.999, 1e-8, step};
    check_ok(ecc_net_update(net, &adam, &testing_error));
}

static const struct ecc_tensor *find_tensor(const struct ecc_net *net, const char *name)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(net, &tensors);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(tensors[i].name, name) == 0) return &tensors[i];
    }
    fail_msg("no tensor %s", name);
    return NULL;
}

/* A bias whose effect batch norm takes away has a gradient of rounding errors alone, which Adam
 * blows up to steps of its rate: no two implementations agree on it, and nothing depends on it but
 * the running mean, which follows it. */
static bool is_cancelled(const struct ecc_net_spec *spec, const char *name)
{
    char part[20], role[20];
    size_t layer;
    assert_int_equal(sscanf(name, "%19[^.].%zu.%19s", part, &layer, role), 3);
    const bool decoder = strcmp(part, "decoder") == 0;
    const struct ecc_layer_spec *const layers = decoder ? spec->decoder : spec->encoder;
    const size_t count = decoder ? spec->decoder_count : spec->encoder_count;
    if (strcmp(role, "running_mean") == 0) return true;
    return strcmp(role, "bias") == 0 && layer + 1 < count &&
           layers[layer + 1].kind == ECC_LAYER_BATCHNORM;
}

static void compare_values(struct golden *g, const struct ecc_net_spec *spec,
                           const struct ecc_net *net)
{
    float *const flat = malloc(ecc_net_flat_size(net) * sizeof *flat);
    char kind[20], name[64];
    size_t compared = 0;
    ecc_net_export(net, flat);
    while (fscanf(g->file, " %19s %63s", kind, name) == 2) {
        const struct ecc_tensor *const tensor = find_tensor(net, name);
        size_t place = 0;
        double expected, actual = 0;
        if (strcmp(kind, "value") == 0) {
            assert_int_equal(fscanf(g->file, "%zu %lf", &place, &expected), 2);
            assert_true(place < tensor->count);
            actual = (double)flat[tensor->offset + place];
        } else {
            assert_int_equal(fscanf(g->file, "%lf", &expected), 1);
            for (size_t k = 0; k < tensor->count; k++) {
                actual += (double)flat[tensor->offset + k] * (double)flat[tensor->offset + k];
            }
            actual = sqrt(actual);
        }
        if (is_cancelled(spec, name)) continue;
        /* ten steps move a weight by 1e-4 at most: agreement must be much closer than that */
        check_absolute(actual, expected, allowed(g, 5e-6, 2e-5) * fmax(1, fabs(expected)), name);
        compared++;
    }
    assert_true(compared > 50);
    free(flat);
}

static void agree_by(const char *name, bool direct)
{
    struct golden g = open_golden(name);
    g.direct = direct;
    struct ecc_net_spec *spec;
    struct ecc_net *net;
    const struct ecc_net_options options = {g.batch, true, 0, direct};
    check_ok(ecc_net_spec_load(&spec, golden_path(name, "net"), g.shape, g.latent, g.latent, 1,
                               &testing_error));
    check_ok(ecc_net_create(&net, spec, &options, &testing_error));
    ecc_net_initialize(net, g.seed);
    float *const x = malloc(g.batch * ecc_shape_size(g.shape) * sizeof *x);
    float *const dz = malloc(g.batch * g.latent * sizeof *dz);
    for (size_t step = 1; step <= 10; step++) golden_step(&g, net, x, dz, step);
    compare_values(&g, spec, net);
    fclose(g.file);
    free(x);
    free(dz);
    ecc_net_free(net);
    ecc_net_spec_free(spec);
}

static void agree(const char *name)
{
    agree_by(name, true);
    agree_by(name, false);
}

static void ten_steps_of_mnist(void **state)
{
    (void)state;
    agree("mnist");
}

static void ten_steps_of_celeba(void **state)
{
    (void)state;
    agree("celeba");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_steps_of_mnist),
        cmocka_unit_test(ten_steps_of_celeba),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
