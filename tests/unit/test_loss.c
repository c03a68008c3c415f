/* test_loss.c: the eccentric loss against its long-double reference, against central differences,
 * against its symmetries, and at its edges. */
#include "base/rng.h"
#include "method/eccentric.h"
#include "regularizer/log_sum.h"
#include "regularizer/pair_sums.h"
#include "regularizer/regularizer.h"
#include "testing.h"

#include <omp.h>

static float *normal_points(size_t n, size_t d, uint64_t seed)
{
    float *const z = malloc(n * d * sizeof *z);
    assert_non_null(z);
    ecc_rng_normal_f32(z, seed, 0, 0, n * d);
    return z;
}

static struct ecc_loss_options options_with(double mu, enum ecc_pairs pairs)
{
    struct ecc_loss_options options = ecc_loss_defaults();
    options.mu = mu;
    options.pairs = pairs;
    return options;
}

/*
 * Fast against reference.  The accuracy: the value to 1e-6 relative, the gradient to 1e-5 of the
 * norm of its attractive part.  Far from the origin the attraction outweighs everything, so the
 * repulsion alone must be as accurate: its gradient to 1e-5 of its own norm, apart from rounding
 * the sum to float.
 */
static void compare(const float *z, size_t n, size_t d, const struct ecc_loss_options *options,
                    const char *what)
{
    float *const dz = malloc(n * d * sizeof *dz);
    long double *const expected = malloc(n * d * sizeof *expected);
    struct ecc_loss_value value;
    check_ok(ecc_loss(&value, dz, z, n, d, options, &testing_error));
    long double push_value;
    const long double loss =
        ecc_loss_reference(expected, &push_value, z, n, d, options->mu, value.m, options->pairs);
    const long double items = n - (options->pairs == ECC_PAIRS_PUBLISHED);
    long double error = 0, whole = 0, attraction = 0, repulsion = 0, squares = 0;
    for (size_t i = 0; i < n * d; i++) {
        const long double pull = 2 * z[i] / items, push = pull - expected[i];
        error += (dz[i] - expected[i]) * (dz[i] - expected[i]);
        whole += expected[i] * expected[i];
        attraction += pull * pull;
        repulsion += push * push;
        squares += (long double)z[i] * z[i];
    }
    check_relative(value.loss, (double)loss, 1e-6, what);
    check_relative(value.attraction, (double)(squares / items), 1e-9, what);
    check_relative(value.repulsion, (double)push_value, 1e-6, what);
    check_absolute((double)sqrtl(error), 0, 1e-5 * (double)sqrtl(attraction), what);
    check_absolute((double)sqrtl(error), 0,
                   1e-5 * (double)sqrtl(repulsion) + 1e-7 * (double)sqrtl(whole), what);
    free(dz);
    free(expected);
}

static void agrees_with_reference(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{2, 2},    {3, 5},     {100, 8},  {257, 2},
                                      {100, 13}, {300, 16},  {300, 17}, {256, 64},
                                      {513, 31}, {1000, 64}, {64, 512}, {20, 4096}};
    static const double mus[] = {0.5001, 0.51, 0.6, 1, 2.5, 16.5, 64.5};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const size_t n = sizes[s][0], d = sizes[s][1];
        float *const z = normal_points(n, d, s);
        for (size_t m = 0; m < sizeof mus / sizeof mus[0]; m++) {
            char what[80];
            snprintf(what, sizeof what, "n %zu, d %zu, mu %g", n, d, mus[m]);
            const struct ecc_loss_options options =
                options_with(mus[m], (s + m) % 2 ? ECC_PAIRS_DISTINCT : ECC_PAIRS_PUBLISHED);
            compare(z, n, d, &options, what);
        }
        free(z);
    }
}

/* Where the Gram product alone would lose all digits. */
static void agrees_far_from_the_origin(void **state)
{
    (void)state;
    const struct ecc_loss_options options = options_with(1, ECC_PAIRS_PUBLISHED);
    static const size_t dims[] = {2, 8, 17, 40, 64};
    for (size_t s = 0; s < 5; s++) {
        const size_t n = 300, d = dims[s];
        for (double offset = 10; offset < 2e4; offset *= 10) {
            float *const z = normal_points(n, d, s);
            /* the same offset for every item: one cloud, far away */
            for (size_t i = 0; i < n * d; i++) z[i] += (float)(i % d % 3 ? offset : -2 * offset);
            char what[80];
            snprintf(what, sizeof what, "d %zu, offset %g", d, offset);
            compare(z, n, d, &options, what);
            free(z);
        }
    }
}

/* Tight clusters far apart: centring does not help, and pairs within a cluster are near. */
static void agrees_in_clusters(void **state)
{
    (void)state;
    static const double mus[] = {1, 20, 1000};
    for (size_t d = 2; d <= 32; d *= 2) {
        for (size_t m = 0; m < 3; m++) {
            const size_t n = 400;
            float *const z = normal_points(n, d, d);
            for (size_t i = 0; i < n; i++) {
                for (size_t k = 0; k < d; k++) {
                    const float cluster = (float)((i % 4) * 3 % (k + 2)) * 30;
                    z[i * d + k] = 0.02F * z[i * d + k] + cluster;
                }
            }
            const struct ecc_loss_options options = options_with(mus[m], ECC_PAIRS_DISTINCT);
            char what[80];
            snprintf(what, sizeof what, "clusters, d %zu, mu %g", d, mus[m]);
            compare(z, n, d, &options, what);
            free(z);
        }
    }
}

/* From latents that almost coincide to enormous ones. */
static void agrees_at_every_scale(void **state)
{
    (void)state;
    const struct ecc_loss_options options = options_with(1.5, ECC_PAIRS_PUBLISHED);
    for (size_t d = 3; d <= 24; d *= 8) {
        for (double scale = 1e-24; scale < 1e18; scale *= 100) {
            float *const z = normal_points(270, d, d);
            for (size_t i = 0; i < 270 * d; i++) z[i] *= (float)scale;
            char what[80];
            snprintf(what, sizeof what, "d %zu, scale %g", d, scale);
            compare(z, 270, d, &options, what);
            free(z);
        }
    }
}

static void coincident_points(void **state)
{
    (void)state;
    const struct ecc_loss_options options = options_with(1, ECC_PAIRS_PUBLISHED);
    for (size_t d = 4; d <= 32; d *= 8) {
        float *const z = normal_points(300, d, 5);
        for (size_t i = 150; i < 300; i++) memcpy(z + i * d, z + (i % 7) * d, d * sizeof *z);
        compare(z, 300, d, &options, "seven points stand on each other");
        for (size_t i = 1; i < 300; i++) memcpy(z + i * d, z, d * sizeof *z);
        compare(z, 300, d, &options, "all points in one place");
        memset(z, 0, 300 * d * sizeof *z);
        float dz[300 * 32];
        struct ecc_loss_value value;
        check_ok(ecc_loss(&value, dz, z, 300, d, &options, &testing_error));
        check_absolute(value.loss, 0, 0, "all points at the origin");
        for (size_t i = 0; i < 300 * d; i++) check_absolute((double)dz[i], 0, 0, "no force there");
        free(z);
    }
}

/* 1000 places with 100 items each: the value follows from the distinct places alone, and the
 * gradient is checked at some items. */
static void hundred_thousand_items(void **state)
{
    (void)state;
    const size_t places = 1000, copies = 100, n = places * copies, d = 3;
    float *const few = normal_points(places, d, 3), *const z = malloc(n * d * sizeof *z);
    for (size_t i = 0; i < n; i++) memcpy(z + i * d, few + i % places * d, d * sizeof *z);
    float *const dz = malloc(n * d * sizeof *dz);
    struct ecc_loss_value all, one;
    check_ok(ecc_loss(&all, dz, z, n, d, NULL, &testing_error));
    check_ok(ecc_loss(&one, NULL, few, places, d, NULL, &testing_error));
    /* repulsion is a mean over n(n-1) ordered pairs; of n^2, a share 1/places has distance 0 */
    const double pairs = (double)n * ((double)n - 1), few_pairs = (double)places * (places - 1.0);
    check_relative(all.repulsion, one.repulsion * few_pairs * copies * copies / pairs, 1e-6,
                   "repulsion of copies");
    long double expected[3];
    for (size_t i = 0; i < n; i += 33333) {
        ecc_loss_reference_item(expected, z, i, n, d, 1, all.m, ECC_PAIRS_PUBLISHED);
        for (size_t k = 0; k < d; k++) {
            check_absolute((double)dz[i * d + k], (double)expected[k], 2e-5 / (double)n,
                           "gradient");
        }
    }
    free(few);
    free(z);
    free(dz);
}

/* Many tiles of the matrix products, at some items. */
static void many_tiles_by_products(void **state)
{
    (void)state;
    const size_t n = 9001, d = 24;
    float *const z = normal_points(n, d, 8), *const dz = malloc(n * d * sizeof *dz);
    for (size_t i = 0; i < n; i += 3) z[i * d] += 40; /* and a cluster far off */
    struct ecc_loss_value value;
    check_ok(ecc_loss(&value, dz, z, n, d, NULL, &testing_error));
    long double expected[24];
    for (size_t i = 0; i < n; i += 777) {
        ecc_loss_reference_item(expected, z, i, n, d, 1, value.m, ECC_PAIRS_PUBLISHED);
        for (size_t k = 0; k < d; k++) {
            check_absolute((double)dz[i * d + k], (double)expected[k], 1e-5 / (double)n,
                           "gradient");
        }
    }
    free(z);
    free(dz);
}

/* One item far away moves the centre, so that all others are near pairs. */
static void agrees_with_an_outlier(void **state)
{
    (void)state;
    for (double far = 1e2; far < 1e8; far *= 100) {
        const size_t n = 300, d = 20;
        float *const z = normal_points(n, d, 3);
        z[7 * d + 3] = (float)far;
        const struct ecc_loss_options options = options_with(1, ECC_PAIRS_PUBLISHED);
        char what[80];
        snprintf(what, sizeof what, "outlier at %g", far);
        compare(z, n, d, &options, what);
        free(z);
    }
}

/* Central differences of the reference value against the fast gradient. */
static void gradient_is_the_derivative(void **state)
{
    (void)state;
    const size_t n = 12, d = 5;
    const double step = 1.0 / 1024; /* exact in float next to these latents */
    const struct ecc_loss_options options = options_with(1.7, ECC_PAIRS_PUBLISHED);
    float *const z = normal_points(n, d, 11), dz[12 * 5];
    struct ecc_loss_value value;
    for (size_t i = 0; i < n * d; i++) z[i] = roundf(z[i] * 1024) / 1024;
    check_ok(ecc_loss(&value, dz, z, n, d, &options, &testing_error));
    for (size_t i = 0; i < n * d; i++) {
        const float centre = z[i];
        z[i] = centre + (float)step;
        const long double up = ecc_loss_reference(NULL, NULL, z, n, d, 1.7, value.m, options.pairs);
        z[i] = centre - (float)step;
        const long double down =
            ecc_loss_reference(NULL, NULL, z, n, d, 1.7, value.m, options.pairs);
        z[i] = centre;
        check_absolute((double)dz[i], (double)((up - down) / (2 * step)), 1e-6, "derivative");
    }
    free(z);
}

/* Gram-Schmidt on random columns: a random rotation (or reflection) of R^d. */
static void random_rotation(double *q, size_t d, uint64_t seed)
{
    ecc_rng_normal(q, seed, 1, 0, d * d);
    for (size_t r = 0; r < d; r++) {
        for (size_t other = 0; other <= r; other++) {
            double product = 0;
            for (size_t k = 0; k < d; k++) product += q[r * d + k] * q[other * d + k];
            for (size_t k = 0; k < d; k++) {
                if (other < r)
                    q[r * d + k] -= product * q[other * d + k];
                else
                    q[r * d + k] /= sqrt(product);
            }
        }
    }
}

static void invariant_under_rotation(void **state)
{
    (void)state;
    for (size_t d = 2; d <= 40; d += 19) {
        const size_t n = 300;
        float *const z = normal_points(n, d, d), *const turned = malloc(n * d * sizeof *turned);
        float *const dz = malloc(n * d * sizeof *dz), *const dt = malloc(n * d * sizeof *dt);
        double *const q = malloc(d * d * sizeof *q);
        random_rotation(q, d, d);
        for (size_t i = 0; i < n * d; i++) {
            double sum = 0;
            for (size_t k = 0; k < d; k++) sum += q[i % d * d + k] * (double)z[i / d * d + k];
            turned[i] = (float)sum;
        }
        struct ecc_loss_value a, b;
        check_ok(ecc_loss(&a, dz, z, n, d, NULL, &testing_error));
        check_ok(ecc_loss(&b, dt, turned, n, d, NULL, &testing_error));
        check_relative(b.loss, a.loss, 1e-6, "rotated");
        for (size_t i = 0; i < n * d; i++) { /* the gradient rotates with them */
            double sum = 0;
            for (size_t k = 0; k < d; k++) sum += q[i % d * d + k] * (double)dz[i / d * d + k];
            check_absolute((double)dt[i], sum, 1e-6 / (double)n * 10, "rotated gradient");
        }
        free(z), free(turned), free(dz), free(dt), free(q);
    }
}

static void invariant_under_permutation(void **state)
{
    (void)state;
    for (size_t d = 3; d <= 33; d += 30) {
        const size_t n = 777;
        float *const z = normal_points(n, d, d), *const mixed = malloc(n * d * sizeof *mixed);
        uint32_t *const order = malloc(n * sizeof *order);
        ecc_rng_permutation(order, n, 1, 1);
        for (size_t i = 0; i < n; i++) memcpy(mixed + i * d, z + order[i] * d, d * sizeof *z);
        struct ecc_loss_value a, b;
        check_ok(ecc_loss(&a, NULL, z, n, d, NULL, &testing_error));
        check_ok(ecc_loss(&b, NULL, mixed, n, d, NULL, &testing_error));
        check_relative(b.loss, a.loss, 1e-9, "permuted");
        free(z), free(mixed), free(order);
    }
}

static void same_bytes_for_any_thread_count(void **state)
{
    (void)state;
    for (size_t d = 5; d <= 35; d += 30) {
        const size_t n = 1900;
        float *const z = normal_points(n, d, 9), *const first = malloc(n * d * sizeof *first);
        float *const dz = malloc(n * d * sizeof *dz);
        double loss = 0;
        for (int threads = 1; threads <= 5; threads++) {
            struct ecc_loss_options options = ecc_loss_defaults();
            options.threads = threads;
            struct ecc_loss_value value;
            check_ok(ecc_loss(&value, dz, z, n, d, &options, &testing_error));
            if (threads == 1) {
                memcpy(first, dz, n * d * sizeof *dz);
                loss = value.loss;
            }
            assert_memory_equal(dz, first, n * d * sizeof *dz);
            assert_true(value.loss == loss);
        }
        free(z), free(first), free(dz);
    }
}

/* Sums over pairs and gradient, by a law. */
static struct ecc_pair_totals totals_by(const struct ecc_pair_law *law, float *dz, const float *z,
                                        size_t n, size_t d)
{
    struct ecc_pair_sums *pairs;
    struct ecc_pair_totals totals;
    check_ok(ecc_pair_sums_create(&pairs, n, d, law, ECC_ALL_DIFFERENT, 1, &testing_error));
    check_ok(ecc_pair_sums_evaluate(pairs, &totals, dz, z, n, 2.5, &testing_error));
    ecc_pair_sums_gradient(pairs, dz, z, n, 0.02, 0.0004);
    ecc_pair_sums_free(pairs);
    return totals;
}

/* Processors with AVX-512 have a kernel of its own for some d and this law, not for a copy. */
static void same_bytes_in_registers(void **state)
{
    (void)state;
    const struct ecc_pair_law copy = ecc_law_log;
    const size_t sizes[] = {2, 7, 8, 9, 100, 256, 257, 600};
    for (size_t at = 0; at < sizeof sizes / sizeof *sizes; at++) {
        for (size_t d = 2; d <= 8; d *= 2) {
            const size_t n = sizes[at], bytes = n * d * sizeof(float);
            float *const z = normal_points(n, d, n), *const dz = malloc(bytes);
            float *const expected = malloc(bytes);
            if (n == 100) z[0] = 1e9F; /* a logarithm is due often */
            const struct ecc_pair_totals general = totals_by(&copy, expected, z, n, d);
            assert_true(totals_by(&ecc_law_log, dz, z, n, d).terms == general.terms);
            assert_memory_equal(dz, expected, bytes);
            free(z), free(dz), free(expected);
        }
    }
}

static void plan_serves_smaller_batches(void **state)
{
    (void)state;
    const size_t d = 20;
    float *const z = normal_points(900, d, 2), *const dz = malloc(900 * d * sizeof *dz);
    float *const fresh = malloc(900 * d * sizeof *fresh);
    struct ecc_loss_plan *plan;
    check_ok(ecc_loss_plan_create(&plan, 900, d, NULL, &testing_error));
    static const size_t batches[] = {900, 2, 300, 899, 256, 900};
    for (size_t b = 0; b < 6; b++) {
        struct ecc_loss_value planned, once;
        const size_t n = batches[b];
        check_ok(ecc_loss_plan_evaluate(plan, &planned, dz, z, n, &testing_error));
        check_ok(ecc_loss(&once, fresh, z, n, d, NULL, &testing_error));
        assert_true(planned.loss == once.loss);
        assert_memory_equal(dz, fresh, n * d * sizeof *dz);
    }
    check_fails(ecc_loss_plan_evaluate(plan, NULL, dz, z, 901, &testing_error), ECC_BAD_ARGUMENT,
                "n is 901");
    check_fails(ecc_loss_plan_evaluate(plan, NULL, dz, z, 1, &testing_error), ECC_BAD_ARGUMENT,
                "n is 1");
    ecc_loss_plan_free(plan);
    free(z), free(dz), free(fresh);
}

static void extra_memory_is_small(void **state)
{
    (void)state;
    struct ecc_loss_options options = ecc_loss_defaults();
    options.threads = 2;
    struct ecc_loss_plan *plan;
    check_ok(ecc_loss_plan_create(&plan, 8192, 64, &options, &testing_error));
    assert_true(ecc_loss_plan_bytes(plan) < 16000000);
    ecc_loss_plan_free(plan);
}

static void three_choices_of_m(void **state)
{
    (void)state;
    const size_t n = 100, d = 2;
    float *const z = normal_points(n, d, 4);
    struct ecc_loss_options options = options_with(5, ECC_PAIRS_PUBLISHED);
    struct ecc_loss_value value;
    check_ok(ecc_loss(&value, NULL, z, n, d, &options, &testing_error));
    check_relative(value.m, 2 * 2 * (1 + 1 / (2.0 * 5 * 1)) / 9, 1e-15, "the paper's M");
    options.m_rule = ECC_M_GIVEN;
    options.m = 3.25;
    check_ok(ecc_loss(&value, NULL, z, n, d, &options, &testing_error));
    check_relative(value.m, 3.25, 0, "given M");
    check_relative(value.loss,
                   (double)ecc_loss_reference(NULL, NULL, z, n, d, 5, 3.25, options.pairs), 1e-6,
                   "loss with given M");
    options.m_rule = ECC_M_EXACT;
    check_ok(ecc_loss(&value, NULL, z, n, d, &options, &testing_error));
    double rho;
    check_ok(ecc_theory_radius(&rho, d, 5, value.m, &testing_error));
    check_relative(rho, sqrt(2.0), 1e-10, "radius of the exact M");
    free(z);
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    float z[64] = {0};
    struct ecc_loss_options options = ecc_loss_defaults();
    struct ecc_error *const e = &testing_error;
    check_fails(ecc_loss(NULL, NULL, z, 1, 4, NULL, e), ECC_BAD_ARGUMENT, "at least 2 items");
    check_fails(ecc_loss(NULL, NULL, z, 0, 4, NULL, e), ECC_BAD_ARGUMENT, "n is 0");
    check_fails(ecc_loss(NULL, NULL, z, 4, 1, NULL, e), ECC_BAD_ARGUMENT, "at least 2 dimensions");
    for (double mu = 0.5; mu > -2; mu -= 0.7) {
        options.mu = mu;
        check_fails(ecc_loss(NULL, NULL, z, 4, 4, &options, e), ECC_BAD_ARGUMENT, "mu");
    }
    options.mu = NAN;
    check_fails(ecc_loss(NULL, NULL, z, 4, 4, &options, e), ECC_BAD_ARGUMENT, "mu");
    options = ecc_loss_defaults();
    options.m_rule = ECC_M_GIVEN;
    check_fails(ecc_loss(NULL, NULL, z, 4, 4, &options, e), ECC_BAD_ARGUMENT, "M");
    options.m = 1e31;
    check_fails(ecc_loss(NULL, NULL, z, 4, 4, &options, e), ECC_BAD_ARGUMENT, "M is 1e+31");
    options.m = 1e-31;
    check_fails(ecc_loss(NULL, NULL, z, 4, 4, &options, e), ECC_BAD_ARGUMENT, "M is 1e-31");
    for (size_t n = SIZE_MAX; n > SIZE_MAX / 100; n /= 2) {
        check_fails(ecc_loss(NULL, NULL, z, n, 3, NULL, e), ECC_NO_MEMORY, "memory");
        check_fails(ecc_loss(NULL, NULL, z, n, 64, NULL, e), ECC_NO_MEMORY, "memory");
    }
    check_fails(ecc_loss(NULL, z, z, 4, 4, NULL, e), ECC_BAD_ARGUMENT, "overlap");
    z[6] = NAN;
    check_fails(ecc_loss(NULL, NULL, z, 4, 4, NULL, e), ECC_BAD_DATA, "z[1, 2] is NaN");
    check_fails(ecc_loss(NULL, NULL, z, 2, 32, NULL, e), ECC_BAD_DATA, "z[0, 6] is NaN");
    z[6] = -INFINITY;
    check_fails(ecc_loss(NULL, NULL, z, 4, 4, NULL, e), ECC_BAD_DATA, "z[1, 2] is infinite");
    z[6] = 3e38F;
    check_fails(ecc_loss(NULL, NULL, z, 4, 4, NULL, e), ECC_BAD_DATA, "too far");
    check_fails(ecc_loss(NULL, NULL, z, 2, 32, NULL, e), ECC_BAD_DATA, "too far");
}

static void table_finds_it(void **state)
{
    (void)state;
    const struct ecc_regularizer *const entry = ecc_regularizer_find("eccentric");
    assert_non_null(entry);
    assert_null(ecc_regularizer_find("eccentrik"));
    float *const z = normal_points(50, 6, 1), dz[300], direct[300];
    struct ecc_regularizer_value value;
    struct ecc_loss_value expected;
    void *plan;
    check_ok(entry->create(&plan, 50, 6, NULL, &testing_error));
    check_ok(entry->evaluate(plan, &value, dz, z, 50, 0, &testing_error));
    check_ok(ecc_loss(&expected, direct, z, 50, 6, NULL, &testing_error));
    assert_true(value.loss == expected.loss);
    assert_memory_equal(dz, direct, sizeof dz);
    entry->destroy(plan);
    free(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_reference),
        cmocka_unit_test(agrees_far_from_the_origin),
        cmocka_unit_test(agrees_in_clusters),
        cmocka_unit_test(agrees_at_every_scale),
        cmocka_unit_test(coincident_points),
        cmocka_unit_test(hundred_thousand_items),
        cmocka_unit_test(many_tiles_by_products),
        cmocka_unit_test(agrees_with_an_outlier),
        cmocka_unit_test(gradient_is_the_derivative),
        cmocka_unit_test(invariant_under_rotation),
        cmocka_unit_test(invariant_under_permutation),
        cmocka_unit_test(same_bytes_for_any_thread_count),
        cmocka_unit_test(same_bytes_in_registers),
        cmocka_unit_test(plan_serves_smaller_batches),
        cmocka_unit_test(extra_memory_is_small),
        cmocka_unit_test(three_choices_of_m),
        cmocka_unit_test(refuses_what_it_cannot_do),
        cmocka_unit_test(table_finds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
