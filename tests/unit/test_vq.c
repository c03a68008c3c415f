/* The codebook: value and gradients against plain double loops, sonnet's averages step by step,
 * restarts, bad options. */
#include "base/rng.h"
#include "evaluate/code_use.h"
#include "regularizer/choice.h"
#include "testing.h"

enum { N = 12, D = 6, CODES = 5, STEPS = 30 };

struct quantizer {
    struct ecc_regularizer_plan plan;
    size_t dim;
    float codebook[64 * D], gradient[64 * D], outputs[N * D];
    float weight[D * D], bias[D], dweight[D * D], dbias[D]; /* of simvq */
};

static void quantizer_init(struct quantizer *q, const char *text)
{
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    struct ecc_latent_tensor list[ECC_LATENT_TENSORS];
    float *values[] = {q->codebook, q->weight, q->bias};
    float *gradients[] = {q->gradient, q->dweight, q->dbias};
    check_ok(ecc_regularizer_read(&choice, text, &testing_error));
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    check_ok(ecc_regularizer_init(&q->plan, choice.entry, N, D, &options, &testing_error));
    const size_t count = ecc_regularizer_tensors(&q->plan, list);
    assert_int_equal(count, strstr(text, "simvq") ? 3 : 1);
    q->dim = list[0].shape[1];
    ecc_rng_normal_f32(q->codebook, 1, 1000, 0, list[0].shape[0] * q->dim);
    ecc_rng_normal_f32(q->outputs, 2, 1000, 0, N * D);
    ecc_rng_normal_f32(q->weight, 3, 1000, 0, q->dim * q->dim);
    ecc_rng_normal_f32(q->bias, 4, 1000, 0, q->dim);
    ecc_regularizer_bind(&q->plan, values, gradients, count);
}

/* The code nearest to group g, and the squared distance. */
static size_t nearest(const float *codebook, const float *x, size_t codes, size_t dim,
                      double *distance)
{
    size_t best = 0;
    *distance = INFINITY;
    for (size_t k = 0; k < codes; k++) {
        double sum = 0;
        for (size_t j = 0; j < dim; j++) {
            sum += pow((double)x[j] - (double)codebook[k * dim + j], 2);
        }
        if (sum >= *distance) continue;
        *distance = sum;
        best = k;
    }
    return best;
}

static void value_and_gradients_agree_with_a_plain_loop(void **state)
{
    (void)state;
    struct quantizer q;
    quantizer_init(&q, "vq:codes=5:dim=3:beta=0.5:update=gradient");
    struct ecc_regularizer_value value;
    float dout[N * D], dz[N * D], z[N * D], means[N * D];
    double sum = 0, dcodes[CODES * D] = {0}, uses[CODES] = {0}, entropy = 0, used = 0;
    const double lambda = 0.3;
    ecc_rng_normal_f32(dz, 3, 1000, 0, N * D);
    check_ok(ecc_regularizer_latents(&q.plan, z, q.outputs, N, 0, &testing_error));
    ecc_regularizer_means(&q.plan, means, q.outputs, N);
    assert_memory_equal(z, means, sizeof z);
    assert_true(ecc_regularizer_weight(&q.plan, lambda, 1, 1, 0) == lambda);
    check_ok(ecc_regularizer_evaluate(&q.plan, &value, dout, q.outputs, N, 0, &testing_error));
    ecc_regularizer_combine(&q.plan, dout, dz, lambda, q.outputs, N, 0);
    for (size_t g = 0; g < N * 2; g++) {
        const float *const x = q.outputs + g * 3;
        double distance;
        const size_t k = nearest(q.codebook, x, CODES, 3, &distance);
        sum += distance;
        uses[k]++;
        for (size_t j = 0; j < 3; j++) {
            const double difference = (double)x[j] - (double)q.codebook[k * 3 + j];
            assert_true(z[g * 3 + j] == q.codebook[k * 3 + j]);
            dcodes[k * 3 + j] -= lambda * 2 * difference / (N * D);
            check_absolute((double)dout[g * 3 + j],
                           (double)dz[g * 3 + j] + lambda * 0.5 * 2 * difference / (N * D), 1e-6,
                           "straight through");
        }
    }
    for (size_t k = 0; k < CODES; k++) {
        const double p = uses[k] / (N * 2);
        entropy -= p * log(p + 1e-10);
        used += p > 0;
    }
    check_relative(value.loss, 1.5 * sum / (N * D), 1e-6, "value");
    check_relative(value.terms[1].value, exp(entropy), 1e-9, "perplexity");
    assert_true(value.terms[2].value == used);
    for (size_t i = 0; i < CODES * 3; i++) {
        check_absolute((double)q.gradient[i], dcodes[i], 1e-6, "codebook");
    }
    ecc_regularizer_release(&q.plan);
}

/* The mean over all numbers of (e - x)^2, with the codebook as it is. */
static double distance_of(struct quantizer *q)
{
    float z[N * D];
    double sum = 0;
    check_ok(ecc_regularizer_latents(&q->plan, z, q->outputs, N, 0, &testing_error));
    for (size_t i = 0; i < N * D; i++) {
        sum += ((double)z[i] - (double)q->outputs[i]) * ((double)z[i] - (double)q->outputs[i]);
    }
    return sum / (N * D);
}

/* Codes are W f + b of vectors with variance 1 / dim; gradients against differences. */
static void one_linear_layer_moves_all_codes(void **state)
{
    (void)state;
    struct quantizer q, one;
    struct ecc_regularizer_value value;
    float dout[N * D], dz[N * D] = {0};
    const double lambda = 0.3, h = 1e-3;
    quantizer_init(&one, "vq:codes=64:dim=3:update=simvq");
    for (size_t i = 0; i < 9; i++) one.weight[i] = i % 4 == 0;
    memset(one.bias, 0, sizeof one.bias);
    distance_of(&one); /* its codebook is f itself now */
    double square = 0;
    for (size_t i = 0; i < 64 * 3; i++) square += (double)one.codebook[i] * (double)one.codebook[i];
    check_absolute(square / (64 * 3), 1.0 / 3, 0.1, "variance of the vectors");
    quantizer_init(&q, "vq:codes=64:dim=3:update=simvq");
    check_ok(ecc_regularizer_evaluate(&q.plan, &value, dout, q.outputs, N, 0, &testing_error));
    check_relative(value.loss, 1.25 * distance_of(&q), 1e-6, "value");
    for (size_t k = 0; k < 64; k++) {
        for (size_t a = 0; a < 3; a++) {
            double e = (double)q.bias[a];
            for (size_t b = 0; b < 3; b++) {
                e += (double)q.weight[a * 3 + b] * (double)one.codebook[k * 3 + b];
            }
            check_absolute((double)q.codebook[k * 3 + a], e, 1e-6, "W f + b");
        }
    }
    ecc_regularizer_weight(&q.plan, lambda, 1, 1, 0);
    ecc_regularizer_combine(&q.plan, dout, dz, lambda, q.outputs, N, 0);
    for (size_t i = 0; i < 9 + 3; i++) {
        float *const x = i < 9 ? &q.weight[i] : &q.bias[i - 9];
        const double found = i < 9 ? (double)q.dweight[i] : (double)q.dbias[i - 9];
        const float kept = *x;
        *x = (float)((double)kept + h);
        const double above = distance_of(&q);
        *x = (float)((double)kept - h);
        const double below = distance_of(&q);
        *x = kept;
        check_absolute(found, lambda * (above - below) / (2 * h), 3e-4, "projection");
    }
    ecc_regularizer_release(&q.plan);
    ecc_regularizer_release(&one.plan);
}

/* The formula as published: hidden and corrected averages of counts and sums, smoothed counts. */
static void averages_are_those_of_sonnet(void **state)
{
    (void)state;
    struct quantizer q;
    quantizer_init(&q, "vq:codes=5:decay=0.9");
    assert_int_equal(q.dim, 2);
    double counts[CODES] = {0}, sums[CODES * 2] = {0};
    for (uint64_t step = 0; step < STEPS; step++) {
        double uses[CODES] = {0}, fresh[CODES * 2] = {0}, all = 0, distance;
        ecc_rng_normal_f32(q.outputs, 7, 1000 + step, 0, N * D);
        for (size_t g = 0; g < N * 3; g++) {
            const size_t k = nearest(q.codebook, q.outputs + 2 * g, CODES, 2, &distance);
            uses[k]++;
            for (size_t j = 0; j < 2; j++) fresh[2 * k + j] += (double)q.outputs[2 * g + j];
        }
        const struct ecc_regularizer_learning how = {.step = step, .rate = 1};
        check_ok(ecc_regularizer_learn(&q.plan, q.outputs, N, &how, &testing_error));
        const double correction = 1 - pow(0.9, (double)step + 1);
        for (size_t k = 0; k < CODES; k++) {
            counts[k] -= (counts[k] - uses[k]) * (1 - 0.9);
            all += counts[k] / correction;
        }
        for (size_t i = 0; i < CODES * 2; i++) {
            sums[i] -= (sums[i] - fresh[i]) * (1 - 0.9);
            const double n = (counts[i / 2] / correction + 1e-5) / (all + CODES * 1e-5) * all;
            check_absolute((double)q.codebook[i], sums[i] / correction / n, 1e-5, "code");
        }
    }
    struct ecc_regularizer_array list[ECC_REGULARIZER_ARRAYS];
    assert_int_equal(q.plan.entry->arrays(q.plan.state, list), 2);
    for (size_t k = 0; k < CODES; k++) {
        check_absolute((double)list[0].data[k], counts[k], 1e-4, "count");
    }
    q.plan.entry->reset(q.plan.state);
    for (size_t i = 0; i < list[1].count; i++) assert_true(list[1].data[i] == 0);
    ecc_regularizer_release(&q.plan);
}

/* Codes far from everything come back to the outputs, and all are in use then. */
static void dead_codes_restart(void **state)
{
    (void)state;
    for (int by_gradient = 0; by_gradient < 2; by_gradient++) {
        struct quantizer q;
        quantizer_init(&q, by_gradient ? "vq:codes=5:restart=0.1:update=gradient"
                                       : "vq:codes=5:restart=0.1");
        for (size_t i = 0; i < 4 * q.dim; i++) q.codebook[i] = 1000;
        const struct ecc_regularizer_learning how = {.step = 0, .rate = 1};
        check_ok(ecc_regularizer_learn(&q.plan, q.outputs, N, &how, &testing_error));
        for (size_t k = 0; k < 4; k++) {
            double least;
            nearest(q.outputs, q.codebook + k * q.dim, N * D / q.dim, q.dim, &least);
            assert_true(least == 0);
        }
        ecc_regularizer_release(&q.plan);
    }
}

/* Against a comparison of all with all; zeros have two signs. */
static void different_codes_are_counted(void **state)
{
    (void)state;
    for (size_t dim = 1; dim <= 3; dim++) {
        float x[3 * 200];
        for (size_t n = 0; n <= 200; n += 40) {
            size_t expected = 0, count;
            ecc_rng_uniform_f32(x, n, dim, 0, n * dim);
            for (size_t i = 0; i < n * dim; i++) x[i] = rintf(4 * x[i] - 2);
            for (size_t i = 0; i < n; i++) {
                bool before = false;
                for (size_t j = 0; j < i; j++) {
                    bool same = true;
                    for (size_t k = 0; k < dim; k++) {
                        same = same && x[i * dim + k] == x[j * dim + k];
                    }
                    before = before || same;
                }
                expected += !before;
            }
            check_ok(ecc_count_different(&count, x, n, dim, &testing_error));
            assert_int_equal(count, expected);
        }
    }
}

static void bad_options(void **state)
{
    (void)state;
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_plan plan;
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    struct ecc_error *const e = &testing_error;
    check_fails(ecc_regularizer_read(&choice, "vq:codes=1", e), ECC_BAD_ARGUMENT, "2 to 65536");
    check_fails(ecc_regularizer_read(&choice, "vq:update=both", e), ECC_BAD_ARGUMENT,
                "averages, gradient or simvq");
    check_fails(ecc_regularizer_read(&choice, "vq:decay=1", e), ECC_BAD_ARGUMENT, "decay");
    check_ok(ecc_regularizer_read(&choice, "vq:dim=4", e));
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    check_fails(ecc_regularizer_init(&plan, choice.entry, N, D, &options, e), ECC_BAD_ARGUMENT,
                "cannot be divided into groups of 4");
    check_ok(ecc_regularizer_read(&choice, "vq:restart=0.1:update=simvq", e));
    memcpy(options.own, choice.own, sizeof options.own);
    check_fails(ecc_regularizer_init(&plan, choice.entry, N, D, &options, e), ECC_BAD_ARGUMENT,
                "leave restart out");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_and_gradients_agree_with_a_plain_loop),
        cmocka_unit_test(one_linear_layer_moves_all_codes),
        cmocka_unit_test(averages_are_those_of_sonnet),
        cmocka_unit_test(dead_codes_restart),
        cmocka_unit_test(different_codes_are_counted),
        cmocka_unit_test(bad_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
