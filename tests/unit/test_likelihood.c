/* test_likelihood.c: the likelihood of items against an integral over all latents, for models small
 * enough. */
#include "base/rng.h"
#include "base/streams.h"
#include "data/binarize.h"
#include "eccentric_evaluate.h"
#include "eccentric_train.h"
#include "evaluate/posterior.h"
#include "model/model.h"
#include "method/kl.h"
#include "testing.h"

enum { ITEMS = 6, POINTS = 4000 };

static struct ecc_train_result trained(const char *regularizer, size_t latent, bool binarize)
{
    struct ecc_train_options options = ecc_train_defaults();
    struct ecc_train_result result;
    options.data = "glyphs";
    options.items = 300;
    options.validation = 50;
    options.net = "svae-mnist";
    options.width = 0.1;
    options.latent = latent;
    options.regularizer = regularizer;
    options.lambda = 1.0 / 784;
    options.reconstruction = ECC_RECONSTRUCTION_BCE;
    options.binarize = binarize;
    options.batch = 25;
    options.epochs = 12;
    options.threads = 1;
    check_ok(ecc_train(&result, &options, NULL, &testing_error));
    return result;
}

/* log p(x|z) by the decoder's probabilities, in double. */
static double log_probability(const float *y, const float *x, size_t size)
{
    double sum = 0;
    for (size_t k = 0; k < size; k++) {
        const double p = fmin(fmax((double)y[k], 1e-30), 1 - 1e-9), t = (double)x[k];
        sum += t * log(p) + (1 - t) * log1p(-p);
    }
    return sum;
}

/* log p(x): for a normal prior in one dimension by the trapezoid rule on [-16, 16], for the uniform
 * one by that rule on the circle. */
static double integrate(struct ecc_model *model, const float *x, bool circle)
{
    const double pi = acos(-1);
    const size_t size = model->size, d = circle ? 2 : 1;
    float *const z = malloc(POINTS * d * sizeof *z), *const y = malloc(POINTS * size * sizeof *y);
    double logs[POINTS], most = -INFINITY, sum = 0;
    for (size_t i = 0; i < POINTS; i++) {
        const double at = ((double)i + 0.5) / POINTS;
        z[i * d] = (float)(circle ? cos(2 * pi * at) : 32 * at - 16);
        if (circle) z[i * d + 1] = (float)sin(2 * pi * at);
    }
    check_ok(ecc_model_decode(model, y, z, POINTS, &testing_error));
    for (size_t i = 0; i < POINTS; i++) {
        const double prior = circle ? 1 : 32 / sqrt(2 * pi) * exp(-0.5 * pow((double)z[i], 2));
        logs[i] = log_probability(y + i * size, x, size) + log(prior / POINTS);
        most = fmax(most, logs[i]);
    }
    for (size_t i = 0; i < POINTS; i++) sum += exp(logs[i] - most);
    free(z);
    free(y);
    return most + log(sum);
}

/* One broad posterior for all items, and a decoder whose pixels depend little on the latents: then
 * few samples are enough to be exact.  A short training's own posteriors are narrow and beside the
 * true ones. */
static void broaden(struct ecc_model *model, bool circle)
{
    static const float normal[] = {0.3F, 2.5F}, sphere[] = {1, 0.5F, -1};
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(model->net, &tensors);
    float *const flat = malloc(ecc_net_flat_size(model->net) * sizeof *flat);
    size_t last = 0;
    ecc_net_export(model->net, flat);
    for (size_t i = 0; i < count; i++) {
        if (tensors[i].name[0] == 'e') last = i;
    }
    assert_int_equal(tensors[last].count, circle ? 3 : 2);
    memset(flat + tensors[last - 1].offset, 0, tensors[last - 1].count * sizeof *flat);
    memcpy(flat + tensors[last].offset, circle ? sphere : normal,
           tensors[last].count * sizeof *flat);
    const struct ecc_tensor *const weight = &tensors[count - 2];
    for (size_t k = 0; k < weight->count; k++) flat[weight->offset + k] *= 0.1F;
    ecc_net_import(model->net, flat);
    free(flat);
}

static void check_against_integral(const char *regularizer, size_t latent, bool binarize)
{
    struct ecc_train_result run = trained(regularizer, latent, binarize);
    struct ecc_likelihood_options options = {.items = ITEMS, .samples = 200000, .threads = 1};
    struct ecc_likelihood a, b;
    struct ecc_dataset *data;
    broaden(run.model, latent == 2);
    check_ok(ecc_likelihood_measure(&a, run.model, &options, NULL, &testing_error));
    assert_true(a.items == ITEMS && a.samples == 200000 && a.binarized == binarize);
    check_ok(ecc_model_open_data(run.model, &data, "glyphs:test", ITEMS, &testing_error));
    float *const x = malloc(ITEMS * run.model->size * sizeof *x);
    uint32_t items[ITEMS];
    /* estimates with other seeds scatter by 0.06 and by 0.02 around the exact value */
    const double near = latent == 1 ? 0.25 : 0.08;
    double mean = 0;
    for (size_t i = 0; i < ITEMS; i++) items[i] = (uint32_t)i;
    check_ok(ecc_dataset_read(data, x, items, ITEMS, &testing_error));
    if (binarize) ecc_binarize(x, x, ITEMS * run.model->size, 1, ECC_STREAM_BINARY_TEST, 0);
    for (size_t i = 0; i < ITEMS; i++) {
        const double exact = integrate(run.model, x + i * run.model->size, latent == 2);
        check_absolute(a.each[i], exact, near, "log p(x) of an item");
        mean += exact / ITEMS;
    }
    check_absolute(a.log_likelihood, mean, near / 2, "log p(x)");
    assert_true(a.bound < a.log_likelihood && a.divergence > 0 && a.deviation > 0);
    check_absolute(a.bound, a.reconstruction - a.divergence, 1e-9, "bound");
    check_ok(ecc_likelihood_measure(&b, run.model, &options, NULL, &testing_error));
    assert_true(a.log_likelihood == b.log_likelihood); /* the same draws again */
    ecc_likelihood_release(&a);
    ecc_likelihood_release(&b);
    free(x);
    ecc_dataset_close(data);
    ecc_train_result_release(&run);
}

static void agrees_with_the_integral(void **state)
{
    (void)state;
    check_against_integral("kl", 1, true);
    check_against_integral("vae:warmup=50", 1, false);
    check_against_integral("svae", 2, true);
    check_against_integral("svae:distribution=power", 2, false);
}

/* Samples have the densities that they claim: the mean of prior / posterior is 1, and that of
 * log posterior - log prior the divergence. */
static void samples_have_their_densities(void **state)
{
    (void)state;
    enum { COUNT = 100000, D = 4 };
    static const char *const texts[] = {"kl", "svae", "svae:distribution=power"};
    static const float outputs[] = {0.3F, -0.2F, 0.1F, 0.2F, -0.3F, -0.1F, -0.4F, -0.2F};
    struct ecc_posterior_samples s = {.count = COUNT, .d = D};
    s.z = malloc(COUNT * D * sizeof *s.z);
    s.log_ratio = malloc(COUNT * sizeof *s.log_ratio);
    s.room = malloc((2 * D + COUNT * D) * sizeof *s.room);
    for (size_t i = 0; i < 3; i++) {
        struct ecc_regularizer_choice choice;
        check_ok(ecc_regularizer_read(&choice, texts[i], &testing_error));
        const double divergence = ecc_posterior_draw(&s, ecc_posterior_of(&choice), outputs, 5, 77);
        double mean = 0, logs = 0;
        for (size_t k = 0; k < COUNT; k++) {
            mean += exp(s.log_ratio[k]) / COUNT;
            logs -= s.log_ratio[k] / COUNT;
        }
        check_absolute(mean, 1, 0.02, texts[i]);
        check_absolute(logs, divergence, 0.01, texts[i]);
    }
    check_absolute(ecc_posterior_draw(&s, ECC_POSTERIOR_NORMAL, outputs, 5, 77),
                   ecc_kl_reference(NULL, outputs, 1, D), 1e-12, "KL");
    free(s.z);
    free(s.log_ratio);
    free(s.room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_integral),
        cmocka_unit_test(samples_have_their_densities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
