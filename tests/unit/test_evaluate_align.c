/* test_evaluate_align.c: small runs aligned, beside plain computations on their latents. */
#include "eccentric_evaluate.h"
#include "eccentric_train.h"

#include "testing.h"

enum { ITEMS = 200, D = 3, RUNS = 3 };

static struct ecc_train_result trained[RUNS + 1]; /* the last one has another dimension */
static struct ecc_model *models[RUNS + 1];

static int set_up(void **state)
{
    (void)state;
    struct ecc_train_options options = ecc_train_defaults();
    const struct ecc_train_job job = {0};
    options.data = "glyphs";
    options.items = ITEMS;
    options.batch = 50;
    options.epochs = 2;
    for (size_t i = 0; i <= RUNS; i++) {
        options.latent = i < RUNS ? D : D + 1;
        options.seed = i + 1;
        check_ok(ecc_train(&trained[i], &options, &job, &testing_error));
        models[i] = trained[i].model;
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (size_t i = 0; i <= RUNS; i++) ecc_train_result_release(&trained[i]);
    return 0;
}

/* [ITEMS, D] of the test part, along the run's components */
static float *project(size_t run)
{
    float *z;
    size_t n;
    struct ecc_components c;
    check_ok(
        ecc_model_latents(models[run], &z, NULL, &n, "glyphs:test", ITEMS, NULL, &testing_error));
    check_ok(ecc_model_components(models[run], &c, NULL, NULL, &testing_error));
    check_ok(ecc_components_project(&c, z, z, n, &testing_error));
    ecc_components_release(&c);
    return z;
}

static double dot(const float *a, const float *b)
{
    double sum = 0;
    for (size_t k = 0; k < D; k++) sum += (double)a[k] * (double)b[k];
    return sum;
}

/* The mean angle in degrees between rows of a and b, with b's components as given. */
static double plain_angle(const float *a, const float *b, const size_t *partner, const double *sign)
{
    double sum = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        float turned[D];
        for (size_t k = 0; k < D; k++) {
            const size_t from = partner ? partner[k] : k;
            turned[k] = b[i * D + from] * (float)(sign ? sign[k] : 1);
        }
        const float *const row = a + i * D;
        const double cosine = dot(row, turned) / sqrt(dot(row, row) * dot(turned, turned));
        sum += acos(fmax(-1, fmin(1, cosine))) * 180 / acos(-1) / ITEMS;
    }
    return sum;
}

static double plain_correlation(const float *a, size_t j, const float *b, size_t k)
{
    double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        ma += (double)a[i * D + j] / ITEMS;
        mb += (double)b[i * D + k] / ITEMS;
    }
    for (size_t i = 0; i < ITEMS; i++) {
        const double x = (double)a[i * D + j] - ma, y = (double)b[i * D + k] - mb;
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return ab / sqrt(aa * bb);
}

static void check_pair(const struct ecc_run_pair *pair, float *const *p)
{
    const struct ecc_alignment *const l = &pair->alignment;
    const float *const a = p[pair->a], *const b = p[pair->b];
    check_absolute(l->angle_raw, plain_angle(a, b, NULL, NULL), 1e-3, "raw angle");
    check_absolute(l->angle_aligned, plain_angle(a, b, l->partner, l->sign), 1e-3, "aligned angle");
    for (size_t k = 0; k < D; k++) {
        const double r = plain_correlation(a, k, b, l->partner[k]);
        check_absolute(l->correlation[k], r * l->sign[k], 1e-5, "correlation with the partner");
    }
}

static void pairs_are_aligned(void **state)
{
    (void)state;
    const struct ecc_align_options options = {.items = ITEMS};
    struct ecc_runs_alignment r;
    float *p[RUNS];
    for (size_t i = 0; i < RUNS; i++) p[i] = project(i);
    check_ok(ecc_align_runs(&r, models, RUNS, &options, NULL, &testing_error));
    assert_int_equal(r.run_count, RUNS);
    assert_int_equal(r.latent, D);
    assert_int_equal(r.items, ITEMS);
    assert_int_equal(r.test_items, ITEMS);
    assert_int_equal(r.pair_count, 3);
    double raw = 0, least = 1, mean = 0;
    for (size_t i = 0; i < r.pair_count; i++) {
        check_pair(&r.pairs[i], p);
        assert_true(r.pairs[i].a < r.pairs[i].b);
        raw += r.pairs[i].alignment.angle_raw / 3;
        if (r.pairs[i].a != 0) continue;
        mean += r.pairs[i].alignment.correlation[0] / 2;
        least = fmin(least, r.pairs[i].alignment.correlation[0]);
    }
    check_absolute(r.raw.mean, raw, 1e-9, "mean of the raw angles");
    check_absolute(r.stability[0], mean, 1e-12, "stability");
    check_absolute(r.least[0], least, 0, "least correlation");
    for (size_t i = 0; i < RUNS; i++) {
        check_absolute(r.eccentricity[i], trained[i].components.eccentricity, 1e-12,
                       "eccentricity");
        free(p[i]);
    }
    ecc_runs_alignment_release(&r);
}

static void a_run_is_like_itself(void **state)
{
    (void)state;
    struct ecc_model *const twice[] = {models[0], models[0]};
    const struct ecc_align_options options = {.items = ITEMS};
    struct ecc_runs_alignment r;
    check_ok(ecc_align_runs(&r, twice, 2, &options, NULL, &testing_error));
    assert_string_equal(r.verdict, "same components");
    assert_string_equal(r.pairs[0].verdict, "same components");
    check_absolute(r.aligned.mean, 0, 1e-3, "angle");
    check_absolute(r.cka.mean, 1, 1e-9, "CKA");
    for (size_t k = 0; k < D; k++) {
        assert_int_equal(r.pairs[0].alignment.partner[k], k);
        check_absolute(r.least[k], 1, 1e-9, "correlation");
    }
    ecc_runs_alignment_release(&r);
}

static void what_cannot_be_aligned(void **state)
{
    (void)state;
    struct ecc_runs_alignment r;
    check_fails(ecc_align_runs(&r, models, 1, NULL, NULL, &testing_error), ECC_BAD_ARGUMENT,
                "two or more");
    ecc_runs_alignment_release(&r);
    check_fails(ecc_align_runs(&r, models, RUNS + 1, NULL, NULL, &testing_error), ECC_BAD_DATA,
                "latent dimensions");
    ecc_runs_alignment_release(&r);
    const struct ecc_align_options options = {.data = "nowhere.npy"};
    check_fails(ecc_align_runs(&r, models, 2, &options, NULL, &testing_error), ECC_IO,
                "nowhere.npy");
    ecc_runs_alignment_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_aligned),
        cmocka_unit_test(a_run_is_like_itself),
        cmocka_unit_test(what_cannot_be_aligned),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
