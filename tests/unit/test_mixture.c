/* test_mixture.c: EM for Gaussian mixtures: a known mixture is found, the likelihood never falls
 * and is what the plain formula says, BIC chooses the right number. */
#include "base/rng.h"
#include "latent/mixture.h"
#include "testing.h"

enum { N = 6000, D = 2, K = 3 };

static const double weights[K] = {0.5, 0.3, 0.2};
static const double means[K][D] = {{0, 0}, {6, 1}, {-3, 7}};
/* lower Cholesky factors */
static const double factors[K][D][D] = {
    {{1, 0}, {0.6, 0.5}}, {{0.5, 0}, {0, 1.5}}, {{2, 0}, {1, 1}}};

static float *make_data(void)
{
    float *const z = malloc(sizeof *z * N * D);
    double *const normal = malloc(sizeof *normal * N * D), *const choice =
                                                               malloc(sizeof *choice * N);
    ecc_rng_normal(normal, 5, 1, 0, (size_t)N * D);
    ecc_rng_uniform(choice, 5, 2, 0, N);
    for (size_t i = 0; i < N; i++) {
        const size_t c = choice[i] < 0.5 ? 0 : choice[i] < 0.8 ? 1 : 2;
        for (size_t j = 0; j < D; j++) {
            double value = means[c][j];
            for (size_t l = 0; l <= j; l++) value += factors[c][j][l] * normal[i * D + l];
            z[i * D + j] = (float)value;
        }
    }
    free(normal);
    free(choice);
    return z;
}

/* The log density of a point, directly from the formula, for d = 2. */
static double plain_log_density(const struct ecc_mixture *m, const float *z)
{
    double sum = 0;
    for (size_t c = 0; c < m->k; c++) {
        const double *const l = m->factors + c * 4, *const mean = m->means + c * 2;
        const double a = l[0] * l[0], b = l[0] * l[2], e = l[2] * l[2] + l[3] * l[3];
        const double det = a * e - b * b, x = (double)z[0] - mean[0], y = (double)z[1] - mean[1];
        const double square = (e * x * x - 2 * b * x * y + a * y * y) / det;
        sum += m->weights[c] * exp(-0.5 * square) / (2 * acos(-1) * sqrt(det));
    }
    return log(sum);
}

static void finds_a_known_mixture(void **state)
{
    (void)state;
    float *const z = make_data();
    struct ecc_mixture m;
    struct ecc_mixture_options options = ecc_mixture_defaults();
    options.k = K;
    options.tolerance = 1e-7;
    check_ok(ecc_mixture_fit(&m, z, N, D, &options, &testing_error));
    assert_true(m.converged);
    for (size_t c = 0; c < K; c++) { /* falling weights put them in order */
        check_absolute(m.weights[c], weights[c], 0.02, "weight");
        for (size_t j = 0; j < D; j++) {
            check_absolute(m.means[c * D + j], means[c][j], 0.15, "mean");
            for (size_t l = 0; l <= j; l++) {
                check_absolute(m.factors[(c * D + j) * D + l], factors[c][j][l], 0.15, "factor");
            }
        }
        assert_true(m.factors[c * D * D + 1] == 0);
    }
    double plain = 0, score;
    for (size_t i = 0; i < N; i++) plain += plain_log_density(&m, z + i * D) / N;
    check_absolute(m.log_likelihood, plain, 1e-10, "log-likelihood by the formula");
    check_ok(ecc_mixture_score(&m, &score, z, N, &testing_error));
    check_absolute(score, plain, 1e-10, "score");
    /* 3 x (2 + 3) + 2 parameters */
    check_relative(m.bic, 17 * log(N) - 2 * N * plain, 1e-12, "BIC");
    ecc_mixture_release(&m);
    free(z);
}

static bool never_falls(void *context, size_t k, size_t round, double log_likelihood)
{
    double *const before = context;
    (void)k;
    if (round > 1 && log_likelihood < *before - 1e-9) {
        fail_msg("round %zu: the log-likelihood fell from %.12f to %.12f", round, *before,
                 log_likelihood);
    }
    *before = log_likelihood;
    return true;
}

static void likelihood_never_falls(void **state)
{
    (void)state;
    float *const z = make_data();
    for (size_t k = 1; k <= 12; k += k < 4 ? 1 : 4) {
        struct ecc_mixture m;
        double before = 0;
        struct ecc_mixture_options options = ecc_mixture_defaults();
        options.k = k;
        options.floor = 1e-12; /* the floor is outside the mathematics */
        options.tolerance = 1e-6;
        options.on_round = never_falls;
        options.context = &before;
        check_ok(ecc_mixture_fit(&m, z, N, D, &options, &testing_error));
        ecc_mixture_release(&m);
    }
    free(z);
}

static void bic_chooses(void **state)
{
    (void)state;
    float *const z = make_data();
    struct ecc_mixture a, b;
    struct ecc_mixture_options options = ecc_mixture_defaults();
    options.starts = 2;
    check_ok(ecc_mixture_fit(&a, z, N, D, &options, &testing_error));
    assert_int_equal(a.k, K);
    check_ok(ecc_mixture_fit(&b, z, N, D, &options, &testing_error));
    assert_memory_equal(a.means, b.means, sizeof(double) * K * D); /* the same seed */
    ecc_mixture_release(&a);
    ecc_mixture_release(&b);
    options.items = 1000; /* of fewer items */
    check_ok(ecc_mixture_fit(&a, z, N, D, &options, &testing_error));
    assert_int_equal(a.k, K);
    ecc_mixture_release(&a);
    free(z);
}

static void hard_cases(void **state)
{
    (void)state;
    struct ecc_mixture m;
    struct ecc_mixture_options options = ecc_mixture_defaults();
    /* many identical points: the floor keeps the covariance from collapsing */
    float z[200 * 2];
    for (size_t i = 0; i < 200; i++) {
        z[2 * i] = i < 100 ? 1 : -1;
        z[2 * i + 1] = i < 100 ? 0 : 2;
    }
    options.k = 5;
    check_ok(ecc_mixture_fit(&m, z, 200, 2, &options, &testing_error));
    assert_true(isfinite(m.log_likelihood) && isfinite(m.bic));
    ecc_mixture_release(&m);
    for (size_t i = 0; i < 400; i++) z[i] = 3;
    const struct ecc_mixture_options empty = {.k = 1};
    check_fails(ecc_mixture_fit(&m, z, 200, 2, &empty, &testing_error), ECC_BAD_ARGUMENT,
                "up to 0 Gaussians, 0 rounds");
    check_fails(ecc_mixture_fit(&m, z, 200, 2, &options, &testing_error), ECC_BAD_DATA, "the same");
    check_fails(ecc_mixture_fit(&m, z, 2, 2, &options, &testing_error), ECC_BAD_DATA, "too few");
    options.items = 2; /* as few are drawn from the 200 */
    check_fails(ecc_mixture_fit(&m, z, 200, 2, &options, &testing_error), ECC_BAD_DATA, "too few");
    options.items = 0;
    z[7] = NAN;
    check_fails(ecc_mixture_fit(&m, z, 200, 2, &options, &testing_error), ECC_BAD_DATA, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_known_mixture),
        cmocka_unit_test(likelihood_never_falls),
        cmocka_unit_test(bic_chooses),
        cmocka_unit_test(hard_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
