/* The discriminator: logits against plain double loops, gradients against central differences of
 * those, Adam against its definition; and that it learns to tell two clouds apart. */
#include "base/rng.h"
#include "regularizer/choice.h"
#include "regularizer/critic.h"
#include "testing.h"

enum { N = 5, IN = 3, WIDTH = 7, LAYERS = 2, COUNT = 7 * 4 + 7 * 8 + 8 };

static struct ecc_critic *make(double deviation)
{
    struct ecc_critic *critic;
    const struct ecc_critic_options options = {.inputs = IN,
                                               .layers = LAYERS,
                                               .width = WIDTH,
                                               .batch = 2 * N,
                                               .deviation = deviation,
                                               .seed = 3,
                                               .stream = 5};
    check_ok(ecc_critic_create(&critic, &options, &testing_error));
    assert_int_equal(ecc_critic_state(critic).count, COUNT);
    return critic;
}

/* w: the block as the header describes it. */
static double logit(const double *w, const double *x)
{
    double values[WIDTH], next[WIDTH];
    memcpy(values, x, IN * sizeof *x);
    size_t in = IN;
    for (size_t l = 0; l <= LAYERS; l++) {
        const size_t out = l == LAYERS ? 1 : WIDTH;
        for (size_t o = 0; o < out; o++) {
            next[o] = w[in * out + o];
            for (size_t i = 0; i < in; i++) next[o] += w[o * in + i] * values[i];
            if (l < LAYERS) next[o] = fmax(0, next[o]);
        }
        w += (in + 1) * out;
        memcpy(values, next, out * sizeof *next);
        in = out;
    }
    return values[0];
}

/* sum of g_i logit_i */
static double weighted(const double *w, const double *x, const float *g)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++) sum += (double)g[i] * logit(w, x + i * IN);
    return sum;
}

static void check_slopes(const float *analytic, double *at, size_t count, const double *w,
                         const double *x, const float *g)
{
    const double h = 1e-6;
    for (size_t i = 0; i < count; i++) {
        const double kept = at[i];
        at[i] = kept + h;
        const double above = weighted(w, x, g);
        at[i] = kept - h;
        const double below = weighted(w, x, g);
        at[i] = kept;
        check_absolute((double)analytic[i], (above - below) / (2 * h), 1e-5, "slope");
    }
}

static void gradients_are_derivatives(void **state)
{
    (void)state;
    struct ecc_critic *const critic = make(0.7);
    const struct ecc_critic_state s = ecc_critic_state(critic);
    float x[N * IN], g[N], logits[N], dx[N * IN];
    double wide[N * IN], w[COUNT];
    ecc_rng_normal_f32(x, 1, 1000, 0, N * IN);
    ecc_rng_normal_f32(g, 2, 1000, 0, N);
    ecc_rng_normal_f32(s.weights + WIDTH * IN, 4, 1000, 0, WIDTH); /* biases that are not 0 */
    for (size_t i = 0; i < N * IN; i++) wide[i] = (double)x[i];
    for (size_t i = 0; i < COUNT; i++) w[i] = (double)s.weights[i];
    ecc_critic_forward(critic, logits, x, N);
    for (size_t i = 0; i < N; i++) {
        check_absolute((double)logits[i], logit(w, wide + i * IN), 1e-5, "logit");
    }
    ecc_critic_backward(critic, dx, g, x, N, true);
    check_slopes(dx, wide, N * IN, w, wide, g);
    check_slopes(s.gradients, w, COUNT, w, wide, g);
    ecc_critic_free(critic);
}

static void adam_is_adam(void **state)
{
    (void)state;
    struct ecc_critic *const critic = make(0.1);
    const struct ecc_critic_state s = ecc_critic_state(critic);
    double w = (double)s.weights[9], first = 0, second = 0;
    for (uint64_t step = 1; step <= 5; step++) {
        const double g = 1.0 / (double)step - 0.4;
        for (size_t i = 0; i < COUNT; i++) s.gradients[i] = (float)g;
        const struct ecc_critic_adam adam = {1e-2, 0.5, 0.999, 1e-8, step};
        ecc_critic_update(critic, &adam);
        first = 0.5 * first + 0.5 * g;
        second = 0.999 * second + 0.001 * g * g;
        w -= 1e-2 * (first / (1 - pow(0.5, (double)step))) /
             (sqrt(second / (1 - pow(0.999, (double)step))) + 1e-8);
    }
    check_absolute((double)s.weights[9], w, 1e-6, "weight");
    ecc_critic_reset(critic);
    assert_true(s.first[9] == 0 && s.second[9] == 0);
    ecc_critic_free(critic);
}

/* Latents far from the prior become easy to tell, and their gradient leads back to it. */
static void discriminator_learns(void **state)
{
    (void)state;
    enum { ROWS = 64, D = 2 };
    const char *const texts[] = {"wae-gan:width=32:layers=2:rate=0.01",
                                 "wae-gan:width=32:layers=2:rate=0.01:trick=yes"};
    for (size_t t = 0; t < 2; t++) {
        struct ecc_regularizer_choice choice;
        struct ecc_regularizer_options options = ecc_regularizer_defaults();
        struct ecc_regularizer_plan plan;
        struct ecc_regularizer_value before, after;
        float z[ROWS * D], dz[ROWS * D];
        check_ok(ecc_regularizer_read(&choice, texts[t], &testing_error));
        options.own_given = true;
        memcpy(options.own, choice.own, sizeof options.own);
        check_ok(ecc_regularizer_init(&plan, choice.entry, ROWS, D, &options, &testing_error));
        ecc_rng_normal_f32(z, 8, 1000, 0, ROWS * D);
        for (size_t i = 0; i < ROWS * D; i++) z[i] = 0.3F * z[i] + 3;
        check_ok(ecc_regularizer_evaluate(&plan, &before, NULL, z, ROWS, 0, &testing_error));
        for (uint64_t step = 0; step < 300; step++) {
            const struct ecc_regularizer_learning how = {.step = step, .rate = 1};
            check_ok(ecc_regularizer_learn(&plan, z, ROWS, &how, &testing_error));
        }
        check_ok(ecc_regularizer_evaluate(&plan, &after, dz, z, ROWS, 0, &testing_error));
        assert_true(after.loss > 5);
        if (t == 0) assert_true(fabs(before.loss - log(2)) < 0.01);
        double pull = 0;
        for (size_t i = 0; i < ROWS * D; i++) pull += (double)dz[i];
        assert_true(pull > 0);
        for (size_t i = 0; i < 8; i++) { /* gradient of the trained one, by central differences */
            struct ecc_regularizer_value up, down;
            const float kept = z[i];
            z[i] = kept + 0x1p-8F;
            check_ok(ecc_regularizer_evaluate(&plan, &up, NULL, z, ROWS, 0, &testing_error));
            z[i] = kept - 0x1p-8F;
            check_ok(ecc_regularizer_evaluate(&plan, &down, NULL, z, ROWS, 0, &testing_error));
            z[i] = kept;
            check_absolute((double)dz[i], (up.loss - down.loss) * 0x1p7, 2e-3, "trained");
        }
        ecc_regularizer_release(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_derivatives),
        cmocka_unit_test(adam_is_adam),
        cmocka_unit_test(discriminator_learns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
