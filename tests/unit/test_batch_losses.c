/* test_batch_losses.c: losses on a batch of latents against their plain definitions in double,
 * their gradients against differences of those, threads, steps and latents at the edge. */
#include "base/rng.h"
#include "math/lapack.h"
#include "math/statistics.h"
#include "regularizer/choice.h"
#include "method/mmd.h"
#include "method/plain.h"
#include "method/sigreg.h"
#include "method/swae.h"
#include "testing.h"

static const uint64_t seed = 5, step = 11;

/* ---- The plain definitions ------------------------------------------------------------------ */

typedef double plain_loss(const double *z, size_t n, size_t d);

static double plain_vicreg(const double *z, size_t n, size_t d)
{
    return ecc_plain_vicreg(z, n, d, 12.5, 1);
}

static double plain_vicreg_other(const double *z, size_t n, size_t d)
{
    return ecc_plain_vicreg(z, n, d, 2, 3);
}

static double plain_dip(const double *z, size_t n, size_t d)
{
    return ecc_plain_dip(z, n, d, 1, 10);
}

static double plain_evenness(const double *z, size_t n, size_t d)
{
    double *const c = calloc(d * d, sizeof *c), *const values = malloc(d * sizeof *values);
    for (size_t k = 0; k < d; k++) {
        for (size_t l = 0; l < d; l++) {
            double sum = 0, k_sum = 0, l_sum = 0;
            for (size_t i = 0; i < n; i++) {
                sum += z[i * d + k] * z[i * d + l];
                k_sum += z[i * d + k];
                l_sum += z[i * d + l];
            }
            c[k * d + l] = sum - k_sum * l_sum / (double)n;
        }
    }
    check_ok(ecc_eigen_symmetric(values, NULL, c, d, &testing_error));
    const double loss = ecc_plain_evenness(values, d);
    free(c), free(values);
    return loss;
}

static double plain_sigreg(const double *z, size_t n, size_t d)
{
    float *const directions = malloc(20 * d * sizeof *directions);
    ecc_sigreg_directions(directions, 20, d, seed, step);
    const double loss = ecc_plain_sigreg(z, n, d, directions, 20);
    free(directions);
    return loss;
}

static double plain_swae(const double *z, size_t n, size_t d)
{
    float *const directions = malloc(50 * d * sizeof *directions);
    float *const prior = malloc(n * d * sizeof *prior);
    double *const scratch = malloc(2 * n * sizeof *scratch);
    ecc_swae_directions(directions, 50, d, seed, step);
    ecc_swae_prior(prior, n, d, seed, step);
    const double loss = ecc_plain_swae(z, n, d, directions, 50, prior, scratch);
    free(directions), free(prior), free(scratch);
    return loss;
}

#define PLAIN_MHE(name, s, half)                                                                   \
    static double name(const double *z, size_t n, size_t d)                                        \
    {                                                                                              \
        return ecc_plain_mhe(z, n, d, s, half);                                                    \
    }
PLAIN_MHE(plain_mhe0, 0, false)
PLAIN_MHE(plain_mhe1, 1, false)
PLAIN_MHE(plain_mhe2, 2, false)
PLAIN_MHE(plain_half0, 0, true)
PLAIN_MHE(plain_half1, 1, true)
PLAIN_MHE(plain_half2, 2, true)

static double plain_uniform(const double *z, size_t n, size_t d)
{
    return ecc_plain_uniform(z, n, d, 2);
}

static double plain_uniform_sharp(const double *z, size_t n, size_t d)
{
    return ecc_plain_uniform(z, n, d, 15);
}

static double plain_info(const double *z, size_t n, size_t d)
{
    float *const prior = malloc(n * d * sizeof *prior);
    ecc_mmd_prior(prior, n, d, seed, step);
    const double loss = ecc_plain_info(z, prior, n, d);
    free(prior);
    return loss;
}

static const struct subject {
    const char *text;
    plain_loss *plain;
    size_t d_min;
} subjects[] = {
    {"vicreg", plain_vicreg, 1},
    {"vicreg:variance=2:covariance=3", plain_vicreg_other, 1},
    {"dip", plain_dip, 1},
    {"cosine", ecc_plain_cosine, 2},
    {"evenness", plain_evenness, 2},
    {"sigreg:slices=20", plain_sigreg, 1},
    {"swae", plain_swae, 1},
    {"mhe", plain_mhe2, 2},
    {"mhe:s=0", plain_mhe0, 2},
    {"mhe:s=1", plain_mhe1, 2},
    {"mhe:s=0:half=yes", plain_half0, 2},
    {"mhe:s=1:half=yes", plain_half1, 2},
    {"mhe:half=yes", plain_half2, 2},
    {"uniform", plain_uniform, 2},
    {"uniform:t=15", plain_uniform_sharp, 2},
    {"cwae", ecc_plain_cwae, 2},
    {"mmd:kernel=info", plain_info, 1},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

/* ---- One evaluation ------------------------------------------------------------------------- */

static enum ecc_status evaluate(struct ecc_regularizer_value *value, float *dz, const float *z,
                                size_t n, size_t d, const char *text, uint64_t at, int threads)
{
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    struct ecc_regularizer_plan plan;
    check_ok(ecc_regularizer_read(&choice, text, &testing_error));
    options.seed = seed;
    options.loss.threads = threads;
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    check_ok(ecc_regularizer_init(&plan, choice.entry, n + 3, d, &options, &testing_error));
    const enum ecc_status status =
        ecc_regularizer_evaluate(&plan, value, dz, z, n, at, &testing_error);
    ecc_regularizer_release(&plan);
    return status;
}

static void draw(float *z, size_t n, size_t d, uint64_t number, double scale, double shift)
{
    ecc_rng_normal_f32(z, number, 1000, 0, n * d);
    for (size_t i = 0; i < n * d; i++) z[i] = (float)(scale * (double)z[i] + shift);
}

/* Fourth-order differences of the plain loss.  *bend: by how much its slopes on both sides differ,
 * which is small but for kinks: of vicreg where a deviation is 1, of swae where two items change
 * places. */
static double slope(double *bend, plain_loss *plain, double *z, size_t at, size_t n, size_t d,
                    double h)
{
    const double kept = z[at];
    double f[5];
    for (int i = 0; i < 5; i++) {
        z[at] = kept + h * (i - 2);
        f[i] = plain(z, n, d);
    }
    z[at] = kept;
    *bend = fabs(f[4] - 2 * f[2] + f[0]) / (2 * h);
    return (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h);
}

/* ---- Tests ---------------------------------------------------------------------------------- */

static void compare(const struct subject *s, size_t n, size_t d, double scale, double shift)
{
    char what[100];
    snprintf(what, sizeof what, "%s, n %zu, d %zu, scale %g", s->text, n, d, scale);
    float *const z = malloc(n * d * sizeof *z), *const dz = malloc(n * d * sizeof *dz);
    double *const exact = malloc(n * d * sizeof *exact);
    struct ecc_regularizer_value value;
    draw(z, n, d, n + d, scale, shift);
    for (size_t i = 0; i < n * d; i++) exact[i] = (double)z[i];
    check_ok(evaluate(&value, dz, z, n, d, s->text, step, 1));
    const double expected = s->plain(exact, n, d);
    check_absolute(value.loss, expected, 4e-6 * (1 + fabs(expected)), what);
    double largest = 0;
    for (size_t i = 0; i < n * d; i++) largest = fmax(largest, fabs((double)dz[i]));
    const size_t probes = n * d < 40 ? n * d : 40;
    for (size_t p = 0; p < probes; p++) {
        size_t at = p * (n * d) / probes, tries = 0;
        double bend, expected_slope;
        while (expected_slope = slope(&bend, s->plain, exact, at, n, d, 1e-6 * scale),
               bend > 1e-5 * largest + 1e-9) {
            at = (at + 1) % (n * d); /* at a kink there is no slope: the next place */
            if (++tries > 10) fail_msg("%s: kinks wherever one looks", what);
        }
        check_absolute((double)dz[at], expected_slope, 2e-5 * largest + 1e-9, what);
    }
    free(z), free(dz), free(exact);
}

static void agrees_with_plain_definition(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{2, 2}, {3, 4}, {9, 3}, {17, 8}, {33, 17}, {130, 5}};
    static const double scales[] = {0.05, 1, 3};
    for (size_t i = 0; i < SUBJECTS; i++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            for (size_t c = 0; c < 3; c++) {
                const size_t n = sizes[s][0], d = sizes[s][1];
                /* without two directions that vary, the gradient of a logarithm of 0 */
                if (subjects[i].plain == plain_evenness && n <= d) continue;
                if (d >= subjects[i].d_min) compare(&subjects[i], n, d, scales[c], 0.3);
            }
        }
    }
}

static void same_bytes_for_any_thread_count(void **state)
{
    (void)state;
    const size_t n = 500, d = 48;
    float *const z = malloc(n * d * sizeof *z), *const one = malloc(n * d * sizeof *z),
                 *const many = malloc(n * d * sizeof *z);
    draw(z, n, d, 2, 1, 0);
    for (size_t i = 0; i < SUBJECTS; i++) {
        struct ecc_regularizer_value first, value;
        check_ok(evaluate(&first, one, z, n, d, subjects[i].text, step, 1));
        for (int threads = 2; threads <= 4; threads++) {
            check_ok(evaluate(&value, many, z, n, d, subjects[i].text, step, threads));
            assert_true(value.loss == first.loss);
            assert_memory_equal(one, many, n * d * sizeof *one);
        }
        check_ok(evaluate(&value, NULL, z, n, d, subjects[i].text, step, 2));
        assert_true(value.loss == first.loss);
    }
    free(z), free(one), free(many);
}

/* A plan that has seen other batches gives what a fresh one gives; draws depend on the step. */
static void depends_on_the_step_alone(void **state)
{
    (void)state;
    enum { n = 40, d = 9 };
    float z[n * d], fresh[n * d], used[n * d];
    draw(z, n, d, 3, 1, 0);
    for (size_t i = 0; i < SUBJECTS; i++) {
        struct ecc_regularizer_choice choice;
        struct ecc_regularizer_options options = ecc_regularizer_defaults();
        struct ecc_regularizer_plan plan;
        struct ecc_regularizer_value a, b;
        check_ok(ecc_regularizer_read(&choice, subjects[i].text, &testing_error));
        options.seed = seed;
        options.own_given = true;
        memcpy(options.own, choice.own, sizeof options.own);
        check_ok(ecc_regularizer_init(&plan, choice.entry, n, d, &options, &testing_error));
        for (uint64_t t = 0; t < 3; t++) {
            const size_t count = n - 13 * (size_t)(t % 2);
            check_ok(ecc_regularizer_evaluate(&plan, &a, used, z, count, t, &testing_error));
            check_ok(evaluate(&b, fresh, z, count, d, subjects[i].text, t, 1));
            assert_true(a.loss == b.loss);
            assert_memory_equal(used, fresh, count * d * sizeof *used);
        }
        ecc_regularizer_release(&plan);
    }
}

/* All latents the same, all zero, in pairs, far away: finite, or a sentence. */
static void latents_at_the_edge(void **state)
{
    (void)state;
    enum { n = 24, d = 8 };
    for (size_t i = 0; i < SUBJECTS; i++) {
        for (int kind = 0; kind < 6; kind++) {
            float z[n * d], dz[n * d];
            struct ecc_regularizer_value value;
            draw(z, n, d, 4, 1, 0);
            for (size_t k = 0; k < (size_t)n * d; k++) {
                if (kind == 0) z[k] = 0;
                if (kind == 1) z[k] = 2.5F;
                if (kind == 2 && k >= n * d / 2) z[k] = z[k - n * d / 2];
                if (kind == 3) z[k] *= 1e8F;
                if (kind == 4) z[k] *= 1e-30F;
                if (kind == 5 && k < d) z[k] = 1e6F;
            }
            check_ok(evaluate(&value, dz, z, n, d, subjects[i].text, step, 1));
            assert_true(isfinite(value.loss));
            for (size_t k = 0; k < (size_t)n * d; k++) {
                if (!isfinite(dz[k])) fail_msg("%s, kind %d: not finite", subjects[i].text, kind);
            }
        }
    }
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    enum { n = 6, d = 4 };
    for (size_t i = 0; i < SUBJECTS; i++) {
        float z[n * d], dz[n * d];
        draw(z, n, d, 4, 1, 0);
        check_fails(evaluate(NULL, dz, z, 1, d, subjects[i].text, step, 1), ECC_BAD_ARGUMENT,
                    "n is 1, expected 2 to 4");
        z[9] = -INFINITY;
        check_fails(evaluate(NULL, dz, z, n, d, subjects[i].text, step, 1), ECC_BAD_DATA,
                    "z[2, 1] is infinite");
        z[9] = 1e20F;
        check_fails(evaluate(NULL, dz, z, n, d, subjects[i].text, step, 1), ECC_BAD_DATA,
                    "the latents reach 1e+20");
    }
}

/* Nobody beats a normal sample at 1.0525; latents of another shape or scale cost more. */
static void sigreg_knows_the_normal(void **state)
{
    (void)state;
    enum { n = 200, d = 4, trials = 60 };
    double sum = 0, narrow = 0, shifted = 0;
    for (uint64_t trial = 0; trial < trials; trial++) {
        float z[n * d];
        struct ecc_regularizer_value value;
        draw(z, n, d, 100 + trial, 1, 0);
        check_ok(evaluate(&value, NULL, z, n, d, "sigreg:slices=64", trial, 1));
        sum += value.loss / trials;
        draw(z, n, d, 100 + trial, 0.7, 0);
        check_ok(evaluate(&value, NULL, z, n, d, "sigreg:slices=64", trial, 1));
        narrow += value.loss / trials;
        draw(z, n, d, 100 + trial, 1, 0.5);
        check_ok(evaluate(&value, NULL, z, n, d, "sigreg:slices=64", trial, 1));
        shifted += value.loss / trials;
    }
    check_absolute(sum, 1.0525, 0.08, "a normal sample");
    assert_true(narrow > 3 && shifted > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_plain_definition),
        cmocka_unit_test(same_bytes_for_any_thread_count),
        cmocka_unit_test(depends_on_the_step_alone),
        cmocka_unit_test(latents_at_the_edge),
        cmocka_unit_test(refuses_what_it_cannot_do),
        cmocka_unit_test(sigreg_knows_the_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
