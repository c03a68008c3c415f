/* test_svae.c: the hyperspherical VAE: Bessel functions, divergences, draws, gradients. */
#include "base/rng.h"
#include "math/bessel.h"
#include "regularizer/choice.h"
#include "regularizer/spherical.h"
#include "method/svae.h"
#include "testing.h"

#include <float.h>

/* By mpmath, 40 digits. */
static void bessel_functions(void **state)
{
    (void)state;
    static const double cases[][4] = {
        {0.0, 0.01, 0.0049999375010416488, 2.4999843751736089e-5},
        {0.0, 1.0, 0.44638996589653451, 0.23591435850717865},
        {0.5, 1000.0, 0.999, 995.62718382730426},
        {0.0, 300000.0, 0.99999833333194444, 299992.77529300664},
        {1.0, 1000000.0, 0.999998500000375, 999992.17330581281},
        {1.5, 2.0, 0.36110665020670828, 0.094831145661342802},
        {20.0, 30.0, 0.52369129204352015, 20.842811854923251},
        {63.0, 1.7, 0.013278944129353275, -211.23672087524809},
        {63.0, 5000.0, 0.98737938772729759, 4994.4255554288744},
        {200.0, 0.5, 0.0012437791799398979, -1140.4905484713493},
        {2047.0, 1.0, 0.00024414061045518846, -14983.198509920576},
        {2047.0, 4000.0, 0.61148885338760835, 3481.7246657941374},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double log_i;
        const double ratio = ecc_bessel_ratio(&log_i, cases[i][0], cases[i][1]);
        check_relative(ratio, cases[i][2], 1e-13, "ratio");
        check_relative(ecc_bessel_ratio(NULL, cases[i][0], cases[i][1]), ratio, 1e-15, "alone");
        check_absolute(log_i, cases[i][3], 2e-11 + 1e-13 * fabs(cases[i][3]), "log I");
    }
    static const double gammas[][3] = {
        {0.5, -1.9635100260214235, 4.9348022005446793},
        {1, -0.57721566490153286, 1.6449340668482264},
        {3.25, 1.016990911068179, 0.35979829030957988},
        {50, 3.9019896734278922, 0.020201333226697126},
        {1e5, 11.512920464961895, 1.0000050000166667e-5},
    };
    for (size_t i = 0; i < sizeof gammas / sizeof gammas[0]; i++) {
        check_relative(ecc_digamma(gammas[i][0]), gammas[i][1], 1e-12, "digamma");
        check_relative(ecc_trigamma(gammas[i][0]), gammas[i][2], 1e-12, "trigamma");
    }
}

/* m, kappa, A, divergence, its derivative. */
static void divergences(void **state)
{
    (void)state;
    static const double cases[][5] = {
        {3, 1, .3130352855, .15159592, .27593834},     {5, 2, .3611066502, .34269928, .29477737},
        {11, 10, .6049226768, 2.43834453, .29145878},  {41, 30, .5310122316, 6.7500326, .30029104},
        {128, 1.7, .0132789441, .01128612, .01327433},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct ecc_spherical s = ecc_spherical_of(false, (size_t)cases[i][0], cases[i][1]);
        check_absolute(s.mean, cases[i][2], 1e-10, "A");
        check_absolute(s.kl, cases[i][3], 1e-7, "KL");
        check_absolute(s.slope, cases[i][4], 1e-8, "dKL");
    }
    static const double powers[][4] = {
        {3, 1, 0.19314718056, 0.25},
        {5, 2, 0.303972804326, 0.205},
        {11, 10, 1.56311604891, 0.176674049125},
        {128, 1.7, 0.0112100634424, 0.013014129713},
    };
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        const struct ecc_spherical s = ecc_spherical_of(true, (size_t)powers[i][0], powers[i][1]);
        check_absolute(s.kl, powers[i][2], 1e-11, "power KL");
        check_absolute(s.slope, powers[i][3], 1e-11, "power dKL");
    }
}

/* Also where the Bessel functions themselves leave the range of floats, and of doubles. */
static void slopes_are_derivatives(void **state)
{
    (void)state;
    static const size_t sizes[] = {2, 3, 5, 11, 65, 128, 1024};
    static const double kappas[] = {1.01, 1.7, 30, 1000, 2e5};
    for (size_t i = 0; i < 2 * 7 * 5; i++) {
        const bool power = i % 2;
        const size_t m = sizes[i / 2 % 7];
        const double kappa = kappas[i / 14], h = 1e-4 * kappa;
        const struct ecc_spherical s = ecc_spherical_of(power, m, kappa);
        const double slope =
            (ecc_spherical_of(power, m, kappa + h).kl - ecc_spherical_of(power, m, kappa - h).kl) /
            (2 * h);
        assert_true(isfinite(s.kl) && s.kl > 0 && s.slope > 0);
        check_absolute(s.slope, slope, 1e-6 * slope + 1e-9 / h + 1e-14 * kappa, "dKL");
    }
}

enum { DRAWS = 200000 };

/* Draws 1 - w; the means of w and of its derivative. */
static void simulate(double *mean, double *path, double *implicit, bool power, size_t m,
                     double kappa, const struct ecc_quadrature *rule)
{
    const struct ecc_spherical s = ecc_spherical_of(power, m, kappa);
    *mean = *path = *implicit = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        double tangent[128], along;
        if (power) ecc_rng_normal(tangent, 3, 1, i * (m - 1), m - 1);
        const struct ecc_spherical_source source = {
            .seed = 3,
            .height = 2,
            .gamma = 5,
            .item = i,
            .squares = power ? ecc_svae_normalize(tangent, m - 1) : 0};
        const double gap = ecc_spherical_draw(&s, &along, &source);
        assert_true(gap >= 0 && gap <= 2);
        *mean += (1 - gap) / DRAWS;
        *path += along / DRAWS;
        *implicit += ecc_spherical_implicit(&s, rule, gap) / DRAWS;
    }
}

/* Within five standard deviations of the theory; the published gradient is off by as much as is
 * known of it: 0.1277 instead of 0.1474 at m = 5, kappa = 2. */
static void draws_and_their_gradients(void **state)
{
    (void)state;
    struct ecc_quadrature rule;
    check_ok(ecc_quadrature_jacobi_init(&rule, 40, 0, 0, &testing_error));
    static const double cases[][2] = {{2, 1.5}, {3, 2},   {3, 300},  {4, 1.1},
                                      {5, 2},   {11, 10}, {11, 900}, {128, 40}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const bool power = i % 2;
        const size_t m = (size_t)cases[i / 2][0];
        const double kappa = cases[i / 2][1], rest = (double)m - 1;
        const struct ecc_spherical s = ecc_spherical_of(power, m, kappa);
        const double a = power ? kappa / (kappa + rest) : s.mean;
        const double slope =
            power ? rest / ((kappa + rest) * (kappa + rest)) : 1 - a * a - rest * a / kappa;
        double mean, path, implicit;
        simulate(&mean, &path, &implicit, power, m, kappa, &rule);
        const double spread = sqrt(power ? 1 - a * a : slope); /* Var w = A' */
        check_absolute(mean, a, 5 * spread / sqrt(DRAWS), "mean cosine");
        check_absolute(implicit, slope, 8e-3 * slope, "implicit gradient");
        if (power) continue;
        if (m == 3) check_absolute(path, slope, 8e-3 * slope, "path for m = 3");
        if (m == 5) check_absolute(path, 0.1277, 4e-4, "published gradient");
    }
    ecc_quadrature_release(&rule);
}

/* For m = 3 the implicit derivative is that of the inverse, draw by draw. */
static void implicit_is_exact(void **state)
{
    (void)state;
    struct ecc_quadrature rule;
    check_ok(ecc_quadrature_jacobi_init(&rule, 40, 0, 0, &testing_error));
    static const double kappas[] = {1.05, 3, 40, 2000, 1e6};
    for (size_t c = 0; c < 5; c++) {
        const struct ecc_spherical s = ecc_spherical_of(false, 3, kappas[c]);
        for (uint64_t i = 0; i < 200; i++) {
            const struct ecc_spherical_source source = {.seed = 9, .height = 2, .item = i};
            double path;
            const double gap = ecc_spherical_draw(&s, &path, &source);
            check_absolute(ecc_spherical_implicit(&s, &rule, gap), path,
                           1e-8 * (fabs(path) + gap / kappas[c]), "implicit");
        }
    }
    ecc_quadrature_release(&rule);
}

enum { N = 6 };

/* sum g.z as a function of the directions, by central differences; of kappa for m = 3, where the
 * draw is differentiable. */
static void check_plan(const char *text, size_t m)
{
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    struct ecc_regularizer_plan plan;
    float outputs[N * 9], g[N * 8], z[N * 8], dout[N * 9];
    assert_true(m <= 8);
    check_ok(ecc_regularizer_read(&choice, text, &testing_error));
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    check_ok(ecc_regularizer_init(&plan, choice.entry, N, m, &options, &testing_error));
    ecc_rng_normal_f32(outputs, 4, 1000, 0, N * (m + 1));
    ecc_rng_normal_f32(g, 5, 1000, 0, N * m);
    check_ok(ecc_regularizer_latents(&plan, z, outputs, N, 7, &testing_error));
    check_ok(ecc_regularizer_evaluate(&plan, NULL, dout, outputs, N, 7, &testing_error));
    ecc_regularizer_combine(&plan, dout, g, 0, outputs, N, 7);
    for (size_t i = 0; i < N; i++) {
        double norm = 0;
        for (size_t k = 0; k < m; k++) norm += (double)z[i * m + k] * (double)z[i * m + k];
        check_absolute(norm, 1, 1e-6, "on the sphere");
    }
    for (size_t i = 0; i < N * (m + 1); i++) {
        if (i % (m + 1) == m && m != 3) continue;
        const float kept = outputs[i], up = kept + 0x1p-8F, down = kept - 0x1p-8F;
        double slope = 0;
        for (int side = -1; side <= 1; side += 2) {
            outputs[i] = side > 0 ? up : down;
            check_ok(ecc_regularizer_latents(&plan, z, outputs, N, 7, &testing_error));
            for (size_t k = 0; k < N * m; k++) slope += side * (double)g[k] * (double)z[k];
        }
        outputs[i] = kept;
        slope /= (double)up - (double)down;
        check_absolute((double)dout[i], slope, 1e-3 * (1 + fabs(slope)), text);
    }
    ecc_regularizer_release(&plan);
}

static void gradients_of_latents(void **state)
{
    (void)state;
    static const size_t sizes[] = {2, 3, 4, 8};
    for (size_t i = 0; i < 4; i++) {
        check_plan("svae", sizes[i]);
        check_plan("svae:gradient=published", sizes[i]);
        if (sizes[i] != 3) check_plan("svae:distribution=power", sizes[i]);
    }
}

/* Draws of an item depend on (seed, step, item), not on the batch. */
static void draws_depend_on_the_item(void **state)
{
    (void)state;
    struct ecc_regularizer_plan plan;
    float outputs[N * 6], z[N * 5], fewer[N * 5], other[N * 5];
    check_ok(ecc_regularizer_init(&plan, &ecc_regularizer_svae, N, 5, NULL, &testing_error));
    ecc_rng_normal_f32(outputs, 4, 1000, 0, N * 6);
    check_ok(ecc_regularizer_latents(&plan, z, outputs, N, 7, &testing_error));
    check_ok(ecc_regularizer_latents(&plan, other, outputs, N, 8, &testing_error));
    check_ok(ecc_regularizer_latents(&plan, fewer, outputs, 2, 7, &testing_error));
    assert_memory_equal(fewer, z, 2 * 5 * sizeof *z);
    assert_memory_not_equal(other, z, 5 * sizeof *z);
    ecc_regularizer_release(&plan);
}

/* A wild encoder: value and gradients stay finite. */
static void extremes(void **state)
{
    (void)state;
    enum { M = 128 };
    static const float wild[] = {-1e30F, -100, 0, 50, 1e5F, 2e6F, 1e30F};
    float outputs[7 * (M + 1)], z[7 * M], dout[7 * (M + 1)];
    struct ecc_regularizer_plan plan;
    struct ecc_regularizer_value value;
    for (size_t power = 0; power < 2; power++) {
        struct ecc_regularizer_options options = ecc_regularizer_defaults();
        options.own_given = true;
        options.own[0] = (double)power;
        check_ok(
            ecc_regularizer_init(&plan, &ecc_regularizer_svae, 7, M, &options, &testing_error));
        ecc_rng_normal_f32(outputs, 4, 1000, 0, 7 * (M + 1));
        memset(outputs, 0, M * sizeof *outputs); /* no direction at all */
        for (size_t i = 0; i < 7; i++) outputs[i * (M + 1) + M] = wild[i];
        check_ok(ecc_regularizer_latents(&plan, z, outputs, 7, 1, &testing_error));
        check_ok(ecc_regularizer_evaluate(&plan, &value, dout, outputs, 7, 1, &testing_error));
        ecc_regularizer_combine(&plan, dout, z, 1, outputs, 7, 1);
        assert_true(isfinite(value.loss));
        for (size_t i = M + 1; i < 7 * (M + 1); i++) assert_true(isfinite(dout[i]));
        outputs[3] = NAN;
        check_fails(ecc_regularizer_latents(&plan, z, outputs, 7, 1, &testing_error), ECC_BAD_DATA,
                    "[direction, concentration]");
        ecc_regularizer_release(&plan);
    }
}

static void options_and_warmup(void **state)
{
    (void)state;
    struct ecc_regularizer_choice choice;
    struct ecc_error *const e = &testing_error;
    check_fails(ecc_regularizer_read(&choice, "svae:distribution=normal", e), ECC_BAD_ARGUMENT,
                "vmf or power");
    check_fails(ecc_regularizer_read(&choice, "svae:kappa=1", e), ECC_BAD_ARGUMENT,
                "distribution, gradient, warmup");
    check_ok(ecc_regularizer_read(&choice, "svae:distribution=power:gradient=published", e));
    check_fails(choice.entry->check(3, choice.own, e), ECC_BAD_ARGUMENT, "gradient=exact");
    check_ok(ecc_regularizer_read(&choice, "svae:warmup=10", e));
    check_fails(choice.entry->check(1, choice.own, e), ECC_BAD_ARGUMENT, "at least 2");
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    struct ecc_regularizer_plan plan;
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    check_ok(ecc_regularizer_init(&plan, choice.entry, N, 4, &options, e));
    assert_true(ecc_regularizer_weight(&plan, 2, 1, 9, 0) == 0);
    assert_true(ecc_regularizer_weight(&plan, 2, 1, 9, 5) == 1);
    assert_true(ecc_regularizer_weight(&plan, 2, 1, 9, 50) == 2);
    ecc_regularizer_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bessel_functions),         cmocka_unit_test(divergences),
        cmocka_unit_test(slopes_are_derivatives),   cmocka_unit_test(draws_and_their_gradients),
        cmocka_unit_test(implicit_is_exact),        cmocka_unit_test(gradients_of_latents),
        cmocka_unit_test(draws_depend_on_the_item), cmocka_unit_test(extremes),
        cmocka_unit_test(options_and_warmup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
