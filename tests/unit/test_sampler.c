/* test_sampler.c: new latents have the right moments and depend on (seed, number) alone; paths and
 * walks go where they should. */
#include "base/rng.h"
#include "latent/sampler.h"
#include "latent/walk.h"
#include "testing.h"

enum { N = 20000, D = 3 };

/* Components of latents with mean (1, 2, 3) and deviations near 2, 1, 0.5 along turned axes. */
static struct ecc_components fitted;

static int set_up(void **state)
{
    (void)state;
    static float z[4000 * D];
    static double u[4000 * D];
    ecc_rng_normal(u, 9, 1, 0, (size_t)4000 * D);
    for (size_t i = 0; i < 4000; i++) {
        const double a = 2 * u[i * D], b = u[i * D + 1], c = 0.5 * u[i * D + 2];
        z[i * D] = (float)(1 + 0.8 * a - 0.6 * b);
        z[i * D + 1] = (float)(2 + 0.6 * a + 0.8 * b);
        z[i * D + 2] = (float)(3 + c);
    }
    check_ok(ecc_components_fit(&fitted, z, 4000, D, &testing_error));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ecc_components_release(&fitted);
    return 0;
}

static void check_moments(const struct ecc_sampler *s, const struct ecc_components *expected)
{
    float *const z = malloc(sizeof *z * N * D);
    struct ecc_components found;
    check_ok(ecc_sampler_draw(s, z, 0, N, &testing_error));
    check_ok(ecc_components_fit(&found, z, N, D, &testing_error));
    for (size_t j = 0; j < D; j++) {
        check_absolute(found.mean[j], expected->mean[j], 0.05, "mean");
        check_absolute(found.eigenvalues[j], expected->eigenvalues[j],
                       0.05 * expected->eigenvalues[0], "eigenvalue");
    }
    ecc_components_release(&found);
    free(z);
}

static void moments(void **state)
{
    (void)state;
    struct ecc_sampler s = {.from = ECC_SAMPLE_GAUSSIAN, .components = &fitted, .seed = 3};
    check_moments(&s, &fitted);
    double zero[D] = {0}, ones[D] = {1, 1, 1};
    const struct ecc_components standard = {.d = D, .mean = zero, .eigenvalues = ones};
    s.from = ECC_SAMPLE_NORMAL;
    check_moments(&s, &standard);
    s.from = ECC_SAMPLE_SPHERE; /* covariance 1 as well, and all at radius sqrt(d) */
    check_moments(&s, &standard);
    float z[100 * D];
    check_ok(ecc_sampler_draw(&s, z, 0, 100, &testing_error));
    for (size_t i = 0; i < 100; i++) {
        double square = 0;
        for (size_t j = 0; j < D; j++) square += (double)z[i * D + j] * (double)z[i * D + j];
        check_relative(square, D, 1e-5, "squared radius");
    }
    float unit[100 * D];
    s.radius = 1;
    check_ok(ecc_sampler_draw(&s, unit, 0, 100, &testing_error));
    for (size_t i = 0; i < (size_t)100 * D; i++) {
        check_absolute((double)unit[i], (double)z[i] / sqrt(D), 1e-6, "on the unit sphere");
    }
}

static void mixtures(void **state)
{
    (void)state;
    /* two Gaussians, 3/4 and 1/4, at -1 and 3 along the first axis */
    double weights[] = {0.75, 0.25}, means[] = {-1, 0, 0, 3, 0, 0};
    double factors[] = {.1, 0, 0, 0, .1, 0, 0, 0, .1, .2, 0, 0, 0, .2, 0, 0, 0, .2};
    const struct ecc_mixture mixture = {
        .k = 2, .d = D, .weights = weights, .means = means, .factors = factors};
    const struct ecc_sampler s = {
        .from = ECC_SAMPLE_MIXTURE, .components = &fitted, .mixture = &mixture, .seed = 3};
    float *const z = malloc(sizeof *z * N * D);
    check_ok(ecc_sampler_draw(&s, z, 0, N, &testing_error));
    double left = 0, spread = 0;
    for (size_t i = 0; i < N; i++) {
        if (z[i * D] > 1) continue;
        left++;
        spread += ((double)z[i * D] + 1) * ((double)z[i * D] + 1);
    }
    check_absolute(left / N, 0.75, 0.01, "share of the first Gaussian");
    check_absolute(sqrt(spread / left), 0.1, 0.005, "its deviation");
    free(z);
}

static void parts_are_the_whole(void **state)
{
    (void)state;
    for (int from = 0; from < 3; from++) {
        const struct ecc_sampler s = {.from = (enum ecc_sample_from)from,
                                      .components = &fitted,
                                      .truncation = from < 2 ? 1.5 : 0,
                                      .seed = 7};
        float whole[20 * D], part[5 * D], other[20 * D];
        check_ok(ecc_sampler_draw(&s, whole, 0, 20, &testing_error));
        check_ok(ecc_sampler_draw(&s, part, 11, 5, &testing_error));
        assert_memory_equal(whole + 11 * D, part, sizeof part);
        struct ecc_sampler reseeded = s;
        reseeded.seed = 8;
        check_ok(ecc_sampler_draw(&reseeded, other, 0, 20, &testing_error));
        assert_memory_not_equal(whole, other, sizeof whole);
    }
}

static void truncation_and_components(void **state)
{
    (void)state;
    const size_t list[] = {1};
    struct ecc_sampler s = {
        .from = ECC_SAMPLE_GAUSSIAN, .components = &fitted, .truncation = 0.5, .seed = 1};
    float z[1000 * D], p[1000 * D];
    check_ok(ecc_sampler_draw(&s, z, 0, 1000, &testing_error));
    check_ok(ecc_components_project(&fitted, p, z, 1000, &testing_error));
    for (size_t i = 0; i < 1000 * D; i++) {
        assert_true(fabs((double)p[i]) <= 0.5 * fitted.deviations[i % D] + 1e-5);
    }
    s.truncation = 0;
    s.list = list;
    s.list_count = 1;
    check_ok(ecc_sampler_draw(&s, z, 0, 1000, &testing_error));
    check_ok(ecc_components_project(&fitted, p, z, 1000, &testing_error));
    double square = 0;
    for (size_t i = 0; i < 1000; i++) {
        check_absolute((double)p[i * D], 0, 1e-5, "a component that is not listed");
        check_absolute((double)p[i * D + 2], 0, 1e-5, "a component that is not listed");
        square += (double)p[i * D + 1] * (double)p[i * D + 1];
    }
    check_relative(square / 1000, fitted.eigenvalues[1], 0.15, "variance of the listed one");
}

static void refusals(void **state)
{
    (void)state;
    const size_t beyond = D;
    const struct ecc_mixture flat = {.k = 1, .d = D - 1};
    const struct {
        struct ecc_sampler sampler;
        const char *words;
    } bad[] = {
        {{.d = D}, "needs components"},
        {{.from = ECC_SAMPLE_NORMAL, .d = D, .list = &beyond, .list_count = 1}, "needs components"},
        {{.from = ECC_SAMPLE_MIXTURE, .components = &fitted}, "needs a mixture"},
        {{.from = ECC_SAMPLE_NORMAL}, "needs the size"},
        {{.d = D + 1, .components = &fitted}, "size 4 has components of another"},
        {{.from = ECC_SAMPLE_MIXTURE, .d = D, .mixture = &flat}, "size 3 has a mixture of another"},
        {{.from = ECC_SAMPLE_SPHERE, .d = D, .truncation = 1}, "sphere"},
        {{.components = &fitted, .truncation = 1e-9},
         "is 1e-09 deviations, expected at least 0.001"},
        {{.components = &fitted, .truncation = NAN}, "is nan"},
        {{.from = (enum ecc_sample_from)9, .d = D}, "9 is not a sampler"},
        {{.from = ECC_SAMPLE_TWO_STAGE, .d = D}, "needs a second VAE"},
        {{.components = &fitted, .list = &beyond, .list_count = 1},
         "component 3 does not exist: there are 3"},
    };
    float z[D];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_fails(ecc_sampler_draw(&bad[i].sampler, z, 0, 1, &testing_error), ECC_BAD_ARGUMENT,
                    bad[i].words);
    }
    const struct ecc_sampler alone = {.from = ECC_SAMPLE_SPHERE, .d = D};
    check_ok(ecc_sampler_draw(&alone, z, 0, 1, &testing_error));
}

static void paths(void **state)
{
    (void)state;
    const double mean[] = {1, 1};
    const float a[] = {3, 1}, b[] = {1, 5}; /* at distance 2 and 4, at a right angle */
    float z[2];
    for (int spherical = 0; spherical < 2; spherical++) {
        ecc_interpolate(z, a, b, mean, 2, 0, spherical);
        assert_memory_equal(z, a, sizeof z);
        ecc_interpolate(z, a, b, mean, 2, 1, spherical);
        check_absolute((double)z[0], 1, 1e-6, "end");
        check_absolute((double)z[1], 5, 1e-6, "end");
    }
    ecc_interpolate(z, a, b, mean, 2, 0.5, false);
    check_absolute((double)z[0], 2, 1e-6, "middle of the line");
    check_absolute((double)z[1], 3, 1e-6, "middle of the line");
    ecc_interpolate(z, a, b, mean, 2, 0.5, true); /* half the angle, distance 3 */
    check_absolute((double)z[0], 1 + 3 / sqrt(2), 1e-6, "middle of the arc");
    check_absolute((double)z[1], 1 + 3 / sqrt(2), 1e-6, "middle of the arc");
    const float opposite[] = {-3, 1};
    ecc_interpolate(z, a, opposite, mean, 2, 0.5, true); /* no plane to turn in: the line */
    check_absolute((double)z[0], 0, 1e-6, "middle of opposite ends");
    ecc_interpolate(z, a, a, mean, 2, 0.3, true);
    assert_memory_equal(z, a, sizeof z);
}

static void walks(void **state)
{
    (void)state;
    const size_t x[] = {2}, y[] = {0, 1};
    const struct ecc_walk_grid grid = {x, y, 1, 2, 1.5};
    float z[8 * D], p[8 * D];
    check_ok(ecc_walk_grid(&fitted, z, &grid, &testing_error));
    check_ok(ecc_components_project(&fitted, p, z, 8, &testing_error));
    for (size_t row = 0; row < 4; row++) {
        for (size_t column = 0; column < 2; column++) {
            const float *const at = p + (row * 2 + column) * D;
            const double signs[] = {row >= 2 ? 1.5 : -1.5, row % 2 ? 1.5 : -1.5,
                                    column ? 1.5 : -1.5};
            for (size_t k = 0; k < D; k++) {
                check_absolute((double)at[k] / fitted.deviations[k], signs[k], 1e-4, "deviations");
            }
        }
    }
    ecc_walk_strip(&fitted, z, 1, 5, 2);
    check_ok(ecc_components_project(&fitted, p, z, 5, &testing_error));
    for (size_t s = 0; s < 5; s++) {
        check_absolute((double)p[s * D + 1] / fitted.deviations[1], (double)s - 2, 1e-4, "step");
        check_absolute((double)p[s * D], 0, 1e-5, "other component");
    }
}

static void grids_that_are_none(void **state)
{
    (void)state;
    const size_t x[ECC_WALK_MOST + 1] = {2}, twice[] = {1, 2}, beyond[] = {D};
    const struct {
        struct ecc_walk_grid grid;
        const char *says;
    } bad[] = {
        {{x, twice, 1, 2, 1}, "component p3 is named for both the columns and the rows"},
        {{x, beyond, 1, 1, 1}, "component p4, but there are only 3"},
        {{x, twice, ECC_WALK_MOST + 1, 0, 1}, "13 components make a grid of 2^13 images"},
        {{x, twice, SIZE_MAX, 2, 1}, "expected at most 12"},
    };
    float z[8 * D];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_fails(ecc_walk_grid(&fitted, z, &bad[i].grid, &testing_error), ECC_BAD_ARGUMENT,
                    bad[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments),
        cmocka_unit_test(mixtures),
        cmocka_unit_test(parts_are_the_whole),
        cmocka_unit_test(truncation_and_components),
        cmocka_unit_test(refusals),
        cmocka_unit_test(paths),
        cmocka_unit_test(walks),
        cmocka_unit_test(grids_that_are_none),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
