/* RAE's two changes to the decoder: the gradient of the penalty against differences of its value,
 * and spectral normalisation against a plain reference. */
#include "base/rng.h"
#include "nn/spectral.h"
#include "regularizer/choice.h"
#include "testing.h"
#include "train/decoder_passes.h"

enum { N = 8, D = 3, MOST = 4000 };

struct tiny {
    struct ecc_net_spec *spec;
    struct ecc_net *net;
    size_t flat, size;
};

static const char *const smooth = "encoder\n dense 5\n sigmoid\n dense latent\n"
                                  "decoder\n dense 8\n batchnorm\n sigmoid\n dense channels\n"
                                  " sigmoid\n";
static const char *const pictures =
    "encoder\n conv 4 kernel 3\n batchnorm\n sigmoid\n flatten\n dense latent\n"
    "decoder\n dense 32\n reshape 8 2 2\n deconv 5 kernel 3 stride 2\n sigmoid\n"
    " conv channels kernel 2\n sigmoid\n";

static void tiny_init(struct tiny *t, const char *text, struct ecc_item_shape shape)
{
    const struct ecc_net_options options = {.batch = N, .training = true, .threads = 1};
    check_ok(ecc_net_spec_parse(&t->spec, text, "tiny", shape, D, D, &testing_error));
    check_ok(ecc_net_create(&t->net, t->spec, &options, &testing_error));
    ecc_net_initialize(t->net, 3);
    t->flat = ecc_net_flat_size(t->net);
    t->size = ecc_shape_size(shape);
    assert_true(t->flat <= MOST);
}

static void tiny_release(struct tiny *t)
{
    ecc_net_free(t->net);
    ecc_net_spec_free(t->spec);
}

/* ---- The penalty ---------------------------------------------------------------------------- */

struct bench {
    struct tiny tiny;
    struct ecc_decoder_passes passes;
    struct ecc_regularizer_plan plan;
    float flat[MOST], z[N * D], x[N * 64];
};

/* The value of the penalty for these weights and latents; the gradients of a step that has no other
 * loss, flat and of z. */
static double penalty(struct bench *b, float *gradients, float *dz)
{
    const struct ecc_tensor *tensors;
    const float *encoded, *back;
    double value, error, difference = 0;
    float before[MOST], zero[N * 64] = {0};
    struct ecc_net *const net = b->tiny.net;
    ecc_net_import(net, b->flat);
    check_ok(ecc_net_encode(net, &encoded, b->x, N, true, &testing_error));
    check_ok(ecc_net_decode(net, NULL, b->z, N, true, &testing_error));
    check_ok(ecc_net_error(net, &error, &testing_error));
    check_ok(ecc_net_output_gradient(net, zero, &testing_error));
    check_ok(ecc_net_decode_back(net, &back, &testing_error));
    ecc_net_export(net, before);
    check_ok(
        ecc_decoder_passes_penalize(&b->passes, &value, &back, b->z, &b->plan, &testing_error));
    memcpy(dz, back, N * D * sizeof *dz);
    ecc_net_export_gradients(net, gradients);
    float after[MOST];
    ecc_net_export(net, after);
    const size_t count = ecc_net_tensors(net, &tensors);
    for (size_t i = 0; i < count; i++) { /* running statistics, too */
        for (size_t k = 0; k < tensors[i].count; k++) {
            difference +=
                fabs((double)after[tensors[i].offset + k] - (double)before[tensors[i].offset + k]);
        }
    }
    assert_true(difference == 0);
    return value;
}

static void compare(const float *analytic, const double *slopes, size_t count, const char *what)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(slopes[i]));
    assert_true(largest > 0);
    for (size_t i = 0; i < count; i++) {
        check_absolute((double)analytic[i], slopes[i], 0.01 * largest, what);
    }
}

static void penalty_has_its_gradient(const char *text, struct ecc_item_shape shape)
{
    struct bench b;
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    const struct ecc_tensor *tensors;
    float gradients[MOST], unused[MOST], dz[N * D], moved[N * D];
    double slopes[MOST];
    tiny_init(&b.tiny, text, shape);
    check_ok(ecc_regularizer_read(&choice, "rae-gp:weight=1", &testing_error));
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    check_ok(ecc_regularizer_init(&b.plan, choice.entry, N, D, &options, &testing_error));
    check_ok(ecc_decoder_passes_init(&b.passes, b.tiny.net, N, D, b.tiny.size, &testing_error));
    ecc_net_export(b.tiny.net, b.flat);
    ecc_rng_normal_f32(b.z, 5, 1000, 0, N * D);
    ecc_rng_uniform_f32(b.x, 6, 1000, 0, N * b.tiny.size);
    assert_true(penalty(&b, gradients, dz) > 0);
    const double h = 0x1p-7;
    for (size_t i = 0; i < N * D; i++) {
        const float kept = b.z[i];
        b.z[i] = kept + (float)h;
        const double above = penalty(&b, unused, moved);
        b.z[i] = kept - (float)h;
        slopes[i] = (above - penalty(&b, unused, moved)) / (2 * h);
        b.z[i] = kept;
    }
    compare(dz, slopes, N * D, "latent");
    const size_t count = ecc_net_tensors(b.tiny.net, &tensors);
    for (size_t t = 0; t < count; t++) {
        if (strncmp(tensors[t].name, "decoder.", 8) != 0 || !tensors[t].trainable) continue;
        if (strcmp(text, smooth) == 0 && strcmp(tensors[t].name, "decoder.0.bias") == 0) {
            continue; /* batch norm takes it out */
        }
        for (size_t k = 0; k < tensors[t].count; k++) {
            float *const w = b.flat + tensors[t].offset + k;
            const float kept = *w;
            *w = kept + (float)h;
            const double above = penalty(&b, unused, moved);
            *w = kept - (float)h;
            slopes[k] = (above - penalty(&b, unused, moved)) / (2 * h);
            *w = kept;
        }
        compare(gradients + tensors[t].offset, slopes, tensors[t].count, tensors[t].name);
    }
    ecc_decoder_passes_release(&b.passes);
    ecc_regularizer_release(&b.plan);
    tiny_release(&b.tiny);
}

static void gradient_penalty(void **state)
{
    (void)state;
    penalty_has_its_gradient(smooth, (struct ecc_item_shape){6, 1, 1});
    penalty_has_its_gradient(pictures, (struct ecc_item_shape){1, 4, 4});
}

/* ---- Spectral normalisation ----------------------------------------------------------------- */

/* One kernel as a plain matrix with its own Adam, in double. */
struct plain {
    size_t rows, columns;
    double w[MOST], first[MOST], second[MOST], u[64], v[512], sigma;
};

static void iterate(struct plain *p)
{
    double norm = 0;
    for (size_t c = 0; c < p->columns; c++) {
        p->v[c] = 0;
        for (size_t r = 0; r < p->rows; r++) p->v[c] += p->w[r * p->columns + c] * p->u[r];
        norm += p->v[c] * p->v[c];
    }
    for (size_t c = 0; c < p->columns; c++) p->v[c] /= sqrt(norm);
    p->sigma = 0;
    for (size_t r = 0; r < p->rows; r++) {
        p->u[r] = 0;
        for (size_t c = 0; c < p->columns; c++) p->u[r] += p->w[r * p->columns + c] * p->v[c];
        p->sigma += p->u[r] * p->u[r];
    }
    p->sigma = sqrt(p->sigma);
    for (size_t r = 0; r < p->rows; r++) p->u[r] /= p->sigma;
}

/* The kernel's own gradient, from that of the normalised one. */
static void step_plain(struct plain *p, const float *g, const struct ecc_adam *adam)
{
    double along = 0;
    for (size_t i = 0; i < p->rows * p->columns; i++) along += (double)g[i] * p->w[i] / p->sigma;
    for (size_t i = 0; i < p->rows * p->columns; i++) {
        const double dw =
            ((double)g[i] - along * p->u[i / p->columns] * p->v[i % p->columns]) / p->sigma;
        p->first[i] += (1 - adam->beta1) * (dw - p->first[i]);
        p->second[i] += (1 - adam->beta2) * (dw * dw - p->second[i]);
        p->w[i] -=
            adam->rate * p->first[i] / (1 - pow(adam->beta1, (double)adam->step)) /
            (sqrt(p->second[i] / (1 - pow(adam->beta2, (double)adam->step))) + adam->epsilon);
    }
    iterate(p);
}

static const struct ecc_tensor *tensor_named(const struct ecc_net *net, const char *name)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(net, &tensors);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(tensors[i].name, name) == 0) return &tensors[i];
    }
    fail_msg("no tensor %s", name);
    return NULL;
}

static void train_step(struct tiny *t, const float *x)
{
    const float *z, *dz;
    double error;
    check_ok(ecc_net_encode(t->net, &z, x, N, true, &testing_error));
    float kept[N * D];
    memcpy(kept, z, sizeof kept);
    check_ok(ecc_net_decode(t->net, NULL, kept, N, true, &testing_error));
    check_ok(ecc_net_error(t->net, &error, &testing_error));
    check_ok(ecc_net_decode_back(t->net, &dz, &testing_error));
    memcpy(kept, dz, sizeof kept);
    check_ok(ecc_net_encode_back(t->net, kept, &testing_error));
}

/* Follows one kernel of the net by the definition; `at`: where its vectors are in the state. */
static void kernel_follows(const char *name)
{
    struct tiny t;
    struct ecc_spectral *s;
    struct plain p = {0};
    float x[N * 64], flat[MOST], gradients[MOST];
    tiny_init(&t, pictures, (struct ecc_item_shape){1, 4, 4});
    ecc_rng_uniform_f32(x, 6, 1000, 0, N * t.size);
    check_ok(ecc_spectral_create(&s, t.net, &testing_error));
    const struct ecc_tensor *const tensor = tensor_named(t.net, name), *tensors;
    const size_t count = ecc_net_tensors(t.net, &tensors);
    size_t at = 0, state_count;
    for (size_t i = 0; i < count && &tensors[i] != tensor; i++) {
        if (tensors[i].rank < 2) continue;
        at += 1 + tensors[i].shape[0] + tensors[i].count / tensors[i].shape[0];
    }
    p.rows = tensor->shape[0];
    p.columns = tensor->count / p.rows;
    ecc_net_export(t.net, flat);
    ecc_spectral_start(s, 1);
    const float *const state = ecc_spectral_state(s, &state_count);
    for (size_t i = 0; i < tensor->count; i++) p.w[i] = (double)flat[tensor->offset + i];
    /* the vector before the first iteration is not kept: any that leads to this v and sigma will
     * do, so the reference begins with those that the first iteration left */
    p.sigma = (double)state[at];
    for (size_t r = 0; r < p.rows; r++) p.u[r] = (double)state[at + 1 + r];
    for (size_t c = 0; c < p.columns; c++) p.v[c] = (double)state[at + 1 + p.rows + c];
    for (uint64_t step = 1; step <= 40; step++) {
        const struct ecc_adam adam = {
            .rate = 1e-2, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-4, .step = step};
        train_step(&t, x);
        ecc_net_export_gradients(t.net, gradients);
        check_ok(ecc_spectral_update(s, &adam, &testing_error));
        step_plain(&p, gradients + tensor->offset, &adam);
    }
    ecc_net_export(t.net, flat);
    check_relative((double)state[at], p.sigma, 1e-4, name);
    for (size_t i = 0; i < tensor->count; i++) {
        check_absolute((double)flat[tensor->offset + i], p.w[i] / p.sigma, 1e-4, name);
    }
    /* left alone, the iteration finds the largest singular value: it is 1 */
    for (uint64_t step = 41; step <= 300; step++) {
        const struct ecc_adam still = {.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-4, .step = step};
        train_step(&t, x);
        check_ok(ecc_spectral_update(s, &still, &testing_error));
    }
    ecc_net_export(t.net, flat);
    for (size_t i = 0; i < tensor->count; i++) p.w[i] = (double)flat[tensor->offset + i];
    for (size_t i = 0; i < 500; i++) iterate(&p);
    check_absolute(p.sigma, 1, 0.01, name);
    ecc_spectral_free(s);
    tiny_release(&t);
}

static void spectral_normalisation(void **state)
{
    (void)state;
    const char *const kernels[] = {"encoder.0.weight", "encoder.4.weight", "decoder.0.weight",
                                   "decoder.2.weight", "decoder.4.weight"};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) kernel_follows(kernels[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_penalty),
        cmocka_unit_test(spectral_normalisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
