/* test_net.c: the reference nets against central differences, the fast nets against the reference,
 * training against inference, and whatever sizes a person might ask for. */
#include "base/rng.h"
#include "nn/net.h"
#include "nn/reference.h"
#include "testing.h"

#include <omp.h>

/* A net to be tested: its text, items and batch. */
struct example {
    const char *name, *text; /* text NULL: a built-in net */
    struct ecc_item_shape shape;
    size_t latent, n;
    bool gaps; /* every third number is missing */
};

/* One small net for each kind of layer, in the odd sizes where layouts go wrong, and whole ones. */
static const struct example examples[] = {
    {"dense", "encoder\n dense latent\ndecoder\n dense channels\n", {7, 1, 1}, 3, 5},
    {"bypass",
     "encoder\n dense 6\n batchnorm\n leakyrelu 0.1\n dense latent\n bypass\n"
     "decoder\n dense 6\n relu\n dense channels\n bypass\n",
     {7, 1, 1},
     3,
     5},
    {"bypasses first, twice and before an activation",
     "encoder\n bypass\n dense latent\n bypass\n batchnorm\n"
     "decoder\n bypass\n dense channels\n bypass\n sigmoid\n bypass\n",
     {4, 1, 1},
     2,
     6},
    {"missing cells",
     "encoder\n dense 6\n batchnorm\n leakyrelu 0.1\n dense latent\n bypass\n"
     "decoder\n dense 6\n relu\n dense channels\n bypass\n",
     {7, 1, 1},
     3,
     5,
     .gaps = true},
    {"conv",
     "encoder\n conv 8 kernel 3\n flatten\n dense latent\n"
     "decoder\n dense size\n reshape channels height width\n",
     {3, 6, 5},
     4,
     4},
    {"conv of one channel",
     "encoder\n conv 16 kernel 5 padding 2\n leakyrelu 0.1\n flatten\n dense latent\n"
     "decoder\n dense size\n reshape channels height width\n sigmoid\n",
     {1, 8, 8},
     4,
     4},
    {"five channels",
     "encoder\n conv 5 kernel 3 stride 2 padding 1\n batchnorm\n relu\n conv 6 kernel 2\n"
     " leakyrelu 0.2\n flatten\n dense latent\n"
     "decoder\n dense 20\n reshape 5 2 2\n batchnorm\n relu\n deconv 5 kernel 3 padding 1 stride "
     "2\n"
     " sigmoid\n deconv channels kernel 4 stride 2 padding 1\n",
     {5, 6, 6},
     3,
     6},
    {"one pixel",
     "encoder\n conv 4 kernel 1\n batchnorm\n leakyrelu 0.1\n dense latent\n"
     "decoder\n deconv 8 kernel 1\n batchnorm\n relu\n conv channels kernel 1\n sigmoid\n",
     {2, 1, 1},
     3,
     7},
    {"three by three",
     "encoder\n conv 8 kernel 3 padding 1\n batchnorm\n leakyrelu 0.1\n conv 16 kernel 3\n"
     " batchnorm\n relu\n flatten\n dense latent\n"
     "decoder\n reshape latent 1 1\n deconv 16 kernel 3\n batchnorm\n leakyrelu 0.1\n"
     " deconv channels kernel 1\n sigmoid\n",
     {1, 3, 3},
     2,
     5},
    {"deconv",
     "encoder\n flatten\n dense latent\n"
     "decoder\n reshape 8 2 2\n deconv 16 kernel 4 stride 2\n batchnorm\n leakyrelu 0.1\n"
     " deconv 8 kernel 3\n relu\n conv channels kernel 1\n",
     {3, 8, 8},
     32,
     4},
    {"oblong",
     "encoder\n conv 8 kernel 4x3 stride 2x1 padding 1x0\n batchnorm\n relu\n flatten\n dense "
     "latent\n"
     "decoder\n dense 96\n reshape 8 4 3\n deconv 8 kernel 4x3 stride 2x1 padding 1x0\n batchnorm\n"
     " leakyrelu 0.3\n conv 2 kernel 1\n sigmoid\n",
     {2, 8, 5},
     3,
     3},
    {"pads and odd orders",
     "encoder\n pad 1x2\n leakyrelu 0.5\n pad 1\n conv 8 kernel 3\n relu\n batchnorm\n sigmoid\n"
     " flatten\n batchnorm\n relu\n dense 9\n sigmoid\n dense latent\n"
     "decoder\n batchnorm\n dense 16\n leakyrelu 0.1\n reshape 4 2 2\n pad 1\n batchnorm\n"
     " conv channels kernel 1\n",
     {3, 4, 4},
     5,
     6},
    {"twelve channels",
     "encoder\n conv 12 kernel 3 padding 1\n batchnorm\n leakyrelu 0.1\n"
     " conv 20 kernel 3 stride 2\n batchnorm\n relu\n flatten\n dense latent\n"
     "decoder\n dense 180\n reshape 20 3 3\n deconv 12 kernel 3 stride 2\n batchnorm\n relu\n"
     " deconv channels kernel 1\n sigmoid\n",
     {3, 7, 7},
     4,
     5},
    {"one channel, no direct way",
     "encoder\n conv 12 kernel 3 padding 1\n batchnorm\n leakyrelu 0.1\n conv 1 kernel 3\n relu\n"
     " conv 16 kernel 3 stride 2\n flatten\n dense latent\n"
     "decoder\n dense 9\n reshape 1 3 3\n deconv 2 kernel 3 stride 2\n relu\n"
     " deconv 72 kernel 1\n batchnorm\n relu\n deconv channels kernel 3 padding 1\n",
     {1, 7, 7},
     4,
     5},
    {"direct, three channels and odd sizes",
     "encoder\n pad 1x0\n conv 24 kernel 7x6 padding 2x3 stride 1x2\n batchnorm\n leakyrelu 0.1\n"
     " flatten\n dense latent\n"
     "decoder\n dense size\n reshape channels height width\n sigmoid\n",
     {3, 9, 11},
     4,
     21},
    {"auto", NULL, {1, 9, 6}, 4, 5},
    {"auto", NULL, {3, 5, 5}, 2, 4},
    {"auto", NULL, {13, 1, 1}, 4, 16},
    {"auto", NULL, {1, 1, 12}, 3, 8},
    {"channels that fill no vector, by tiles and pixels",
     "encoder\n conv 10 kernel 3 padding 1\n batchnorm\n sigmoid\n"
     " conv 20 kernel 4 stride 2 padding 1\n batchnorm\n sigmoid\n conv 12 kernel 1\n"
     " batchnorm\n sigmoid\n flatten\n dense latent\n"
     "decoder\n dense 980\n reshape 20 7 7\n batchnorm\n sigmoid\n"
     " deconv 10 kernel 4 stride 2 padding 1\n batchnorm\n sigmoid\n conv 5 kernel 1\n"
     " batchnorm\n sigmoid\n deconv channels kernel 1\n sigmoid\n",
     {1, 14, 14},
     3,
     7},
    {"channels that fill no vector, wide and direct",
     "encoder\n conv 42 kernel 3 padding 1\n batchnorm\n sigmoid\n"
     " conv 50 kernel 4 stride 2 padding 1\n batchnorm\n sigmoid\n"
     " conv 5 kernel 7 stride 3 padding 3\n sigmoid\n flatten\n dense latent\n"
     "decoder\n dense 147\n reshape 3 7 7\n batchnorm\n sigmoid\n"
     " conv 33 kernel 3 padding 1\n batchnorm\n sigmoid\n deconv 50 kernel 4 stride 2 padding 1\n"
     " batchnorm\n sigmoid\n deconv channels kernel 1\n sigmoid\n",
     {3, 14, 14},
     3,
     4},
    {"tiles, two and three taps",
     "encoder\n conv 8 kernel 3 padding 1\n batchnorm\n sigmoid\n"
     " conv 16 kernel 3 padding 1\n batchnorm\n sigmoid\n conv 24 kernel 2\n batchnorm\n"
     " sigmoid\n flatten\n dense latent\n"
     "decoder\n dense 1344\n reshape 8 12 14\n batchnorm\n sigmoid\n"
     " deconv 8 kernel 2\n batchnorm\n sigmoid\n deconv 40 kernel 3 padding 1\n"
     " batchnorm\n sigmoid\n deconv channels kernel 1\n sigmoid\n",
     {1, 13, 15},
     3,
     5},
    {"tiles, four and five taps",
     "encoder\n conv 16 kernel 3 padding 1\n batchnorm\n sigmoid\n"
     " conv 8 kernel 5 padding 2\n batchnorm\n sigmoid\n conv 32 kernel 4 padding 3\n batchnorm\n"
     " sigmoid\n flatten\n dense latent\n"
     "decoder\n dense 864\n reshape 8 12 9\n batchnorm\n sigmoid\n"
     " deconv 48 kernel 4 padding 1\n batchnorm\n sigmoid\n deconv 16 kernel 5\n"
     " batchnorm\n sigmoid\n deconv channels kernel 1\n sigmoid\n",
     {3, 17, 14},
     3,
     4},
    {"tiles, stride two",
     "encoder\n conv 8 kernel 3 padding 1\n batchnorm\n sigmoid\n"
     " conv 16 kernel 4 stride 2 padding 1\n batchnorm\n sigmoid\n flatten\n"
     " dense latent\n"
     "decoder\n dense 1144\n reshape 8 13 11\n batchnorm\n sigmoid\n"
     " deconv 8 kernel 4 stride 2 padding 1\n batchnorm\n sigmoid\n"
     " conv 8 kernel 8 stride 2 padding 2\n batchnorm\n sigmoid\n"
     " deconv 8 kernel 6 stride 2 padding 3\n sigmoid\n deconv channels kernel 1\n sigmoid\n",
     {1, 22, 18},
     3,
     4},
    {"many channels, stride two",
     "encoder\n conv 64 kernel 3 padding 1\n batchnorm\n sigmoid\n"
     " conv 72 kernel 4 stride 2 padding 1\n batchnorm\n sigmoid\n"
     " conv 64 kernel 3 padding 1\n batchnorm\n sigmoid\n flatten\n dense latent\n"
     "decoder\n dense 4096\n reshape 64 8 8\n batchnorm\n sigmoid\n"
     " deconv 64 kernel 4 stride 2 padding 1\n batchnorm\n sigmoid\n"
     " deconv channels kernel 1\n sigmoid\n",
     {1, 16, 16},
     3,
     16},
    {"paper-mnist", NULL, {1, 28, 28}, 8, 3},
};
/* The last are too large for central differences.  Those with tiles are smooth: one ReLU whose
 * input falls on the other side of zero would be a larger error than any that they look for. */
enum { LARGE = 7 };
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static struct ecc_net_spec *spec_of(const struct example *example)
{
    struct ecc_net_spec *spec;
    if (example->text) {
        check_ok(ecc_net_spec_parse(&spec, example->text, example->name, example->shape,
                                    example->latent, example->latent, &testing_error));
    } else {
        check_ok(ecc_net_spec_load(&spec, example->name, example->shape, example->latent,
                                   example->latent, 1, &testing_error));
    }
    return spec;
}

static struct ecc_net *net_of(const struct ecc_net_spec *spec, size_t batch, bool training,
                              int threads)
{
    struct ecc_net *net;
    const struct ecc_net_options options = {batch, training, threads};
    check_ok(ecc_net_create(&net, spec, &options, &testing_error));
    ecc_net_initialize(net, 7);
    return net;
}

/* Parameters as trained ones might be: batch norm far from its first values. */
static float *random_parameters(struct ecc_net *net)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(net, &tensors), size = ecc_net_flat_size(net);
    float *const flat = malloc((size + 1) * sizeof *flat), *const noise = malloc(size * 4 + 4);
    ecc_net_export(net, flat);
    ecc_rng_uniform_f32(noise, 11, 0, 0, size);
    for (size_t i = 0; i < count; i++) {
        const bool norm = tensors[i].rank == 1 && !strstr(tensors[i].name, "bias");
        const bool around = strstr(tensors[i].name, ECC_TENSOR_BYPASS);
        const bool bias = tensors[i].rank == 1 && strstr(tensors[i].name, "bias");
        for (size_t k = tensors[i].offset; k < tensors[i].offset + tensors[i].count; k++) {
            if (norm) flat[k] = 0.5F + noise[k];
            if (bias || around) flat[k] = noise[k] - 0.5F;
        }
    }
    ecc_net_import(net, flat);
    free(noise);
    return flat;
}

static void to_double(double *out, const float *in, size_t count)
{
    for (size_t i = 0; i < count; i++) out[i] = (double)in[i];
}

static struct ecc_reference *reference_of(const struct ecc_net_spec *spec, const float *flat,
                                          size_t n)
{
    struct ecc_reference *reference;
    check_ok(ecc_reference_create(&reference, spec, n, &testing_error));
    to_double(reference->flat, flat, reference->flat_size);
    return reference;
}

/* |a - b| relative to |b|, both as whole vectors. */
static double distance(const float *a, const double *b, size_t count)
{
    double off = 0, norm = 1e-30;
    for (size_t i = 0; i < count; i++) {
        off += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
        norm += b[i] * b[i];
    }
    return sqrt(off / norm);
}

/* A batch and a gradient of the latents that comes from elsewhere. */
struct batch {
    size_t n, size, latent;
    float *x, *extra, *dz;
    double *x64, *dz64;
};

static struct batch make_batch(const struct example *example, uint64_t seed)
{
    struct batch b = {.n = example->n, .latent = example->latent};
    b.size = example->n * ecc_shape_size(example->shape);
    b.x = malloc(b.size * sizeof *b.x);
    b.x64 = malloc(b.size * sizeof *b.x64);
    b.extra = malloc(b.n * b.latent * sizeof *b.extra);
    b.dz = malloc(b.n * b.latent * sizeof *b.dz);
    b.dz64 = malloc(b.n * b.latent * sizeof *b.dz64);
    ecc_rng_uniform_f32(b.x, seed, 1, 0, b.size);
    ecc_rng_normal_f32(b.extra, seed, 2, 0, b.n * b.latent);
    for (size_t i = 0; i < b.n * b.latent; i++) b.extra[i] *= 0.01F;
    for (size_t i = 0; example->gaps && i < b.size; i += 3) b.x[i] = NAN;
    to_double(b.x64, b.x, b.size);
    return b;
}

static void free_batch(struct batch *b)
{
    free(b->x);
    free(b->x64);
    free(b->extra);
    free(b->dz);
    free(b->dz64);
}

/* ---- The reference against central differences ---------------------------------------------- */

/* Mean squared error plus sum(z * extra), whose gradient by z is extra. */
static double reference_loss(struct ecc_reference *r, const struct batch *b)
{
    ecc_reference_encode(r, b->x64, true);
    ecc_reference_decode(r, r->z, true);
    double loss = ecc_reference_error(r, b->x64);
    for (size_t i = 0; i < b->n * b->latent; i++) loss += r->z[i] * (double)b->extra[i];
    return loss;
}

static void reference_back(struct ecc_reference *r, struct batch *b)
{
    ecc_reference_decode_back(r);
    for (size_t i = 0; i < b->n * b->latent; i++) b->dz64[i] = r->dz[i] + (double)b->extra[i];
    ecc_reference_encode_back(r, b->dz64);
}

static void check_differences(const struct example *example)
{
    struct ecc_net_spec *const spec = spec_of(example);
    struct ecc_net *const net = net_of(spec, example->n, true, 1);
    float *const flat = random_parameters(net);
    struct ecc_reference *const r = reference_of(spec, flat, example->n);
    struct batch b = make_batch(example, 3);
    reference_loss(r, &b);
    reference_back(r, &b);
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(net, &tensors);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; tensors[i].trainable && k < 6; k++) {
            const size_t at = tensors[i].offset + ecc_rng_below(5, i, k, tensors[i].count);
            const double kept = r->flat[at], h = 1e-5;
            r->flat[at] = kept + h;
            const double above = reference_loss(r, &b);
            r->flat[at] = kept - h;
            const double below = reference_loss(r, &b);
            r->flat[at] = kept;
            check_absolute(r->gradient[at], (above - below) / (2 * h),
                           1e-7 + 1e-4 * fabs(r->gradient[at]), tensors[i].name);
        }
    }
    free_batch(&b);
    ecc_reference_free(r);
    free(flat);
    ecc_net_free(net);
    ecc_net_spec_free(spec);
}

static void reference_agrees_with_differences(void **state)
{
    (void)state;
    for (size_t i = 0; i + LARGE < EXAMPLES; i++) check_differences(&examples[i]);
}

/* ---- Fast against reference ----------------------------------------------------------------- */

static double net_step(struct ecc_net *net, struct batch *b)
{
    const float *z, *dz;
    double error;
    check_ok(ecc_net_encode(net, &z, b->x, b->n, true, &testing_error));
    check_ok(ecc_net_decode(net, NULL, z, b->n, true, &testing_error));
    check_ok(ecc_net_error(net, &error, &testing_error));
    check_ok(ecc_net_decode_back(net, &dz, &testing_error));
    for (size_t i = 0; i < b->n * b->latent; i++) b->dz[i] = dz[i] + b->extra[i];
    check_ok(ecc_net_encode_back(net, b->dz, &testing_error));
    return error;
}

/* Every tensor's gradient; those of biases that batch norm cancels are zero but for rounding. */
static void compare_gradients(struct ecc_net *net, const struct ecc_reference *r, const char *name)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(net, &tensors);
    float *const flat = malloc((ecc_net_flat_size(net) + 1) * sizeof *flat);
    ecc_net_export_gradients(net, flat);
    for (size_t i = 0; i < count; i++) {
        const struct ecc_tensor *const t = &tensors[i];
        char what[200];
        snprintf(what, sizeof what, "%s: gradient of %s", name, t->name);
        double norm = 0;
        for (size_t k = 0; k < t->count; k++) norm += fabs(r->gradient[t->offset + k]);
        if (norm < 1e-9 * (double)t->count) {
            for (size_t k = 0; k < t->count; k++) {
                check_absolute((double)flat[t->offset + k], 0, 1e-6, what);
            }
        } else {
            check_absolute(distance(flat + t->offset, r->gradient + t->offset, t->count), 0, 2e-4,
                           what);
        }
    }
    free(flat);
}

static void compare_running(struct ecc_net *net, const struct ecc_reference *r, const char *name)
{
    float *const flat = malloc((ecc_net_flat_size(net) + 1) * sizeof *flat);
    ecc_net_export(net, flat);
    check_absolute(distance(flat, r->flat, r->flat_size), 0, 1e-6, name);
    free(flat);
}

static void compare_nets(const struct example *example, int threads)
{
    struct ecc_net_spec *const spec = spec_of(example);
    struct ecc_net *const net = net_of(spec, example->n, true, threads);
    float *const flat = random_parameters(net), *const y = malloc(4 * example->n * 4096);
    struct ecc_reference *const r = reference_of(spec, flat, example->n);
    struct batch b = make_batch(example, 5);
    const double expected = reference_loss(r, &b);
    reference_back(r, &b);
    const double error = net_step(net, &b);
    double extra = 0;
    for (size_t i = 0; i < b.n * b.latent; i++) extra += r->z[i] * (double)b.extra[i];
    check_relative(error, expected - extra, 1e-5, example->name);
    const float *z;
    compare_gradients(net, r, example->name);
    compare_running(net, r, example->name);
    /* inference, with the statistics that the step left, and fewer items than planned */
    ecc_reference_encode(r, b.x64, false);
    ecc_reference_decode(r, r->z, false);
    for (size_t n = 1; n <= b.n; n += b.n - 1) {
        check_ok(ecc_net_encode(net, &z, b.x, n, false, &testing_error));
        check_absolute(distance(z, r->z, n * b.latent), 0, 1e-5, example->name);
        check_ok(ecc_net_decode(net, y, z, n, false, &testing_error));
        check_absolute(distance(y, r->y, b.size / b.n * n), 0, 1e-5, example->name);
    }
    free_batch(&b);
    ecc_reference_free(r);
    free(flat);
    free(y);
    ecc_net_free(net);
    ecc_net_spec_free(spec);
}

static void net_agrees_with_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        compare_nets(&examples[i], 1);
        compare_nets(&examples[i], 2);
    }
}

/* The gradient of the same error, computed outside and handed in. */
static void output_gradient_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i + LARGE < EXAMPLES; i++) {
        struct ecc_net_spec *const spec = spec_of(&examples[i]);
        struct ecc_net *const net = net_of(spec, examples[i].n, true, 1);
        free(random_parameters(net));
        struct batch b = make_batch(&examples[i], 9);
        const size_t size = ecc_net_flat_size(net);
        float *const y = malloc(b.size * sizeof *y), *const flat = malloc(2 * size * sizeof *flat);
        const float *z, *dz;
        net_step(net, &b);
        ecc_net_export_gradients(net, flat);
        check_ok(ecc_net_encode(net, &z, b.x, b.n, true, &testing_error));
        check_ok(ecc_net_decode(net, y, z, b.n, true, &testing_error));
        for (size_t k = 0; k < b.size; k++) {
            y[k] = isnan(b.x[k]) ? 0 : 2 * (y[k] - b.x[k]) / (float)ecc_net_cells(net);
        }
        check_ok(ecc_net_output_gradient(net, y, &testing_error));
        check_ok(ecc_net_decode_back(net, &dz, &testing_error));
        for (size_t k = 0; k < b.n * b.latent; k++) b.dz[k] = dz[k] + b.extra[k];
        check_ok(ecc_net_encode_back(net, b.dz, &testing_error));
        ecc_net_export_gradients(net, flat + size);
        double largest = 0; /* of sums whose terms cancel, this is the measure of rounding errors */
        for (size_t k = 0; k < size; k++) largest = fmax(largest, fabs((double)flat[k]));
        for (size_t k = 0; k < size; k++) {
            check_absolute((double)flat[size + k], (double)flat[k], 1e-5 * largest,
                           examples[i].name);
        }
        check_fails(ecc_net_decode_back(net, &dz, &testing_error), ECC_BAD_ARGUMENT,
                    "propagate back");
        check_ok(ecc_net_decode(net, y, z, b.n, false, &testing_error));
        check_fails(ecc_net_output_gradient(net, y, &testing_error), ECC_BAD_ARGUMENT, "training");
        free(y);
        free(flat);
        free_batch(&b);
        ecc_net_free(net);
        ecc_net_spec_free(spec);
    }
}

/* Value of the cross-entropy by its definition; its gradient against the one that goes through the
 * sigmoid, handed in from outside. */
static void check_entropy(const struct example *example)
{
    struct ecc_net_spec *const spec = spec_of(example);
    struct ecc_net *const net = net_of(spec, example->n, true, 1);
    free(random_parameters(net));
    struct batch b = make_batch(example, 9);
    const size_t size = ecc_net_flat_size(net);
    float *const y = malloc(b.size * sizeof *y), *const flat = malloc(2 * size * sizeof *flat);
    double entropy, squared, sum = 0, squares = 0, items[64], largest = 0, of_items = 0;
    const float *z, *dz;
    for (size_t k = 0; k < b.size; k += 2) b.x[k] = b.x[k] < 0.5F; /* black and white, too */
    for (int way = 0; way < 2; way++) {
        check_ok(ecc_net_encode(net, &z, b.x, b.n, true, &testing_error));
        check_ok(ecc_net_decode(net, y, z, b.n, true, &testing_error));
        if (way == 0) {
            check_ok(ecc_net_cross_entropy(net, &entropy, &squared, &testing_error));
            ecc_net_item_entropies(net, items);
        }
        for (size_t k = 0; k < b.size; k++) {
            const double p = (double)y[k], x = (double)b.x[k], off = p - x;
            if (way == 0) sum -= x * log(p) + (1 - x) * log(1 - p);
            if (way == 0) squares += off * off;
            y[k] = (float)(off / (p * (1 - p)) / (double)b.size);
        }
        if (way == 1) check_ok(ecc_net_output_gradient(net, y, &testing_error));
        check_ok(ecc_net_decode_back(net, &dz, &testing_error));
        check_ok(ecc_net_encode_back(net, dz, &testing_error));
        ecc_net_export_gradients(net, flat + (size_t)way * size);
    }
    for (size_t i = 0; i < b.n; i++) of_items += items[i];
    check_relative(entropy, sum / (double)b.size, 2e-6, "cross-entropy");
    check_relative(of_items, sum, 2e-6, "of the items");
    check_relative(squared, squares / (double)b.size, 1e-5, "its squared error");
    for (size_t k = 0; k < size; k++) largest = fmax(largest, fabs((double)flat[k]));
    for (size_t k = 0; k < size; k++) {
        check_absolute((double)flat[k], (double)flat[size + k], 2e-5 * largest, example->name);
    }
    b.x[3] = 1.5F;
    check_ok(ecc_net_encode(net, &z, b.x, b.n, true, &testing_error));
    check_ok(ecc_net_decode(net, NULL, z, b.n, true, &testing_error));
    check_fails(ecc_net_cross_entropy(net, &entropy, &squared, &testing_error), ECC_BAD_DATA,
                "between 0 and 1");
    free(y);
    free(flat);
    free_batch(&b);
    ecc_net_free(net);
    ecc_net_spec_free(spec);
}

static void cross_entropy_agrees(void **state)
{
    (void)state;
    size_t checked = 0;
    for (size_t i = 0; i + LARGE < EXAMPLES; i++) {
        struct ecc_net_spec *const spec = spec_of(&examples[i]);
        struct ecc_net *const net = net_of(spec, examples[i].n, true, 1);
        const bool fits = ecc_net_ends_in_sigmoid(net) && !examples[i].gaps;
        ecc_net_free(net);
        ecc_net_spec_free(spec);
        if (!fits) continue;
        check_entropy(&examples[i]);
        checked++;
    }
    assert_true(checked >= 2);
}

/* ---- Properties ----------------------------------------------------------------------------- */

static void inference_plan_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        struct ecc_net_spec *const spec = spec_of(&examples[i]);
        struct ecc_net *const training = net_of(spec, examples[i].n, true, 2);
        struct ecc_net *const inference = net_of(spec, examples[i].n, false, 2);
        float *const flat = random_parameters(training);
        ecc_net_import(inference, flat);
        struct batch b = make_batch(&examples[i], 6);
        const float *z[2];
        float *const y = malloc(2 * b.size * sizeof *y);
        check_ok(ecc_net_encode(training, &z[0], b.x, b.n, false, &testing_error));
        check_ok(ecc_net_encode(inference, &z[1], b.x, b.n, false, &testing_error));
        check_ok(ecc_net_decode(training, y, z[0], b.n, false, &testing_error));
        check_ok(ecc_net_decode(inference, y + b.size, z[1], b.n, false, &testing_error));
        for (size_t k = 0; k < b.size; k++) {
            check_absolute((double)y[k], (double)y[b.size + k], 1e-5, examples[i].name);
        }
        free(y);
        free(flat);
        free_batch(&b);
        ecc_net_free(training);
        ecc_net_free(inference);
        ecc_net_spec_free(spec);
    }
}

/* What goes in comes out, bit for bit: parameters and Adam's moments. */
static void parameters_return(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        struct ecc_net_spec *const spec = spec_of(&examples[i]);
        struct ecc_net *const net = net_of(spec, examples[i].n, true, 1);
        const size_t size = ecc_net_flat_size(net), bytes = size * sizeof(float);
        const struct ecc_tensor *tensors;
        const size_t count = ecc_net_tensors(net, &tensors);
        float *const in = malloc(bytes + 4), *const out = malloc(bytes + 4);
        float *const second = malloc(bytes + 4);
        ecc_rng_normal_f32(in, 1, 0, 0, size);
        ecc_net_import(net, in);
        ecc_net_export(net, out);
        assert_memory_equal(in, out, bytes);
        for (size_t t = 0; t < count; t++) {
            if (!tensors[t].trainable) memset(in + tensors[t].offset, 0, 4 * tensors[t].count);
        }
        ecc_net_import_adam(net, in, in);
        ecc_net_export_adam(net, out, second);
        assert_memory_equal(in, out, bytes);
        assert_memory_equal(in, second, bytes);
        free(in);
        free(out);
        free(second);
        ecc_net_free(net);
        ecc_net_spec_free(spec);
    }
}

/* Trains for a few steps and returns the parameters. */
static float *train(const struct example *example, int threads, size_t steps)
{
    struct ecc_net_spec *const spec = spec_of(example);
    struct ecc_net *const net = net_of(spec, example->n, true, threads);
    for (size_t step = 1; step <= steps; step++) {
        struct batch b = make_batch(example, step);
        net_step(net, &b);
        const struct ecc_adam adam = {1e-3, 1e-6, 0.9, 0.999, 1e-8, step};
        check_ok(ecc_net_update(net, &adam, &testing_error));
        free_batch(&b);
    }
    float *const flat = malloc((ecc_net_flat_size(net) + 1) * sizeof *flat);
    ecc_net_export(net, flat);
    ecc_net_free(net);
    ecc_net_spec_free(spec);
    return flat;
}

static void same_bits_again(void **state)
{
    (void)state;
    for (size_t i = EXAMPLES - 5; i < EXAMPLES; i++) {
        struct ecc_net_spec *const spec = spec_of(&examples[i]);
        float *const a = train(&examples[i], 2, 3), *const b = train(&examples[i], 2, 3);
        assert_memory_equal(a, b, ecc_net_spec_parameters(spec) * sizeof *a);
        free(a);
        free(b);
        ecc_net_spec_free(spec);
    }
}

/* Adam against its definition in double, on gradients that we give. */
static void adam_is_adam(void **state)
{
    (void)state;
    struct ecc_net_spec *const spec = spec_of(&examples[0]);
    struct ecc_net *const net = net_of(spec, 5, true, 1);
    size_t count;
    float *const gradients = ecc_net_gradients(net, &count);
    const size_t size = ecc_net_flat_size(net);
    float *const flat = malloc(size * 4), *const g = malloc(size * 4);
    double *const w = malloc(size * 8), *const m = calloc(size, 8), *const v = calloc(size, 8);
    ecc_net_export(net, flat);
    to_double(w, flat, size);
    for (uint64_t step = 1; step <= 20; step++) {
        ecc_rng_normal_f32(gradients, 9, step, 0, count);
        ecc_net_export_gradients(net, g);
        const struct ecc_adam adam = {1e-2, 0.1, 0.9, 0.999, 1e-8, step};
        check_ok(ecc_net_update(net, &adam, &testing_error));
        for (size_t i = 0; i < size; i++) {
            const double d = (double)g[i] + 0.1 * w[i];
            m[i] = 0.9 * m[i] + 0.1 * d;
            v[i] = 0.999 * v[i] + 0.001 * d * d;
            w[i] -= 1e-2 / (1 - pow(0.9, (double)step)) * m[i] /
                    (sqrt(v[i] / (1 - pow(0.999, (double)step))) + 1e-8);
        }
    }
    ecc_net_export(net, flat);
    for (size_t i = 0; i < size; i++) check_absolute((double)flat[i], w[i], 2e-5, "weight");
    free(flat);
    free(g);
    free(w);
    free(m);
    free(v);
    ecc_net_free(net);
    ecc_net_spec_free(spec);
}

/* ---- Bad calls ------------------------------------------------------------------------------ */

static void bad_calls_are_refused(void **state)
{
    (void)state;
    struct ecc_net_spec *const spec = spec_of(&examples[0]);
    struct ecc_net *net;
    check_fails(ecc_net_create(&net, spec, &(struct ecc_net_options){0, true, 1}, &testing_error),
                ECC_BAD_ARGUMENT, "expected 1 to");
    net = net_of(spec, 4, false, 1);
    const float x[4 * 7] = {0}, *z;
    const struct ecc_adam adam = {1e-3, 0, 0.9, 0.999, 1e-8, 1};
    double error;
    check_fails(ecc_net_encode(net, &z, x, 5, false, &testing_error), ECC_BAD_ARGUMENT, "1 to 4");
    check_fails(ecc_net_encode(net, &z, x, 4, true, &testing_error), ECC_BAD_ARGUMENT, "inference");
    check_fails(ecc_net_error(net, &error, &testing_error), ECC_BAD_ARGUMENT, "0 items");
    check_fails(ecc_net_decode_back(net, &z, &testing_error), ECC_BAD_ARGUMENT,
                "nothing to propagate");
    check_fails(ecc_net_encode_back(net, x, &testing_error), ECC_BAD_ARGUMENT,
                "nothing to propagate");
    check_fails(ecc_net_update(net, &adam, &testing_error), ECC_BAD_ARGUMENT, "inference");
    ecc_net_free(net);
    net = net_of(spec, 4, true, 1);
    check_fails(ecc_net_encode(net, &z, x, 3, true, &testing_error), ECC_BAD_ARGUMENT,
                "batch of 4");
    const struct ecc_adam zero = {1e-3, 0, 0.9, 0.999, 1e-8, 0};
    check_fails(ecc_net_update(net, &zero, &testing_error), ECC_BAD_ARGUMENT, "steps from 1");
    ecc_net_free(net);
    ecc_net_spec_free(spec);
}

/* One layer between a dense one and the output. */
static bool is_slow(const char *kind, const size_t *channels, size_t kernel, size_t stride)
{
    const size_t side = 9, padding = kernel > 2 ? 1 : 0;
    const bool deconv = strcmp(kind, "deconv") == 0;
    const size_t out = deconv ? (side - 1) * stride + kernel - 2 * padding
                              : (side + 2 * padding - kernel) / stride + 1;
    char text[300];
    snprintf(text, sizeof text,
             "encoder\n flatten\n dense latent\ndecoder\n dense %zu\n reshape %zu %zu %zu\n relu\n"
             " %s %zu kernel %zu stride %zu padding %zu\n relu\n",
             channels[0] * side * side, channels[0], side, side, kind, channels[1], kernel, stride,
             padding);
    struct ecc_net_spec *spec;
    struct ecc_net *net;
    const struct ecc_net_options options = {.batch = 2, .training = true, .threads = 1};
    check_ok(ecc_net_spec_parse(&spec, text, kind, (struct ecc_item_shape){channels[1], out, out},
                                2, 2, &testing_error));
    check_ok(ecc_net_create(&net, spec, &options, &testing_error));
    char *plan;
    size_t size;
    FILE *const stream = open_memstream(&plan, &size);
    assert_non_null(stream);
    ecc_net_describe_plan(stream, net);
    assert_int_equal(fclose(stream), 0);
    const bool slow = strstr(plan, "no faster") != NULL;
    if (slow) print_message("%s", plan);
    free(plan);
    ecc_net_free(net);
    ecc_net_spec_free(spec);
    return slow;
}

static void no_size_is_slow(void **state)
{
    static const size_t channels[] = {1, 3, 5, 10, 20, 33, 50, 100};
    static const size_t kernels[][2] = {{1, 1}, {2, 2}, {3, 1}, {3, 2}, {4, 2}, {5, 3}, {7, 2}};
    enum { CHANNELS = sizeof channels / sizeof channels[0] };
    (void)state;
    size_t slow = 0;
    for (size_t i = 0; i < CHANNELS * CHANNELS; i++) {
        const size_t pair[] = {channels[i / CHANNELS], channels[i % CHANNELS]};
        for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
            slow += is_slow("conv", pair, kernels[k][0], kernels[k][1]);
            slow += is_slow("deconv", pair, kernels[k][0], kernels[k][1]);
        }
    }
    assert_int_equal(slow, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_agrees_with_differences),
        cmocka_unit_test(net_agrees_with_reference),
        cmocka_unit_test(output_gradient_agrees),
        cmocka_unit_test(cross_entropy_agrees),
        cmocka_unit_test(inference_plan_agrees),
        cmocka_unit_test(parameters_return),
        cmocka_unit_test(same_bits_again),
        cmocka_unit_test(adam_is_adam),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(no_size_is_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
