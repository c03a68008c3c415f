/* test_head.c: the classifier of two hidden layers: its loss against a plain double reference, its
 * gradient against central differences of it, and what it learns. */
#include "base/rng.h"
#include "latent/mlp_head.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>

enum { N = 7, D = 3, WIDTH = 5, TARGETS = 2, ITEMS = 400 };

/* Two targets, of three and of two classes. */
static struct ecc_labels make_labels(size_t n)
{
    struct ecc_labels labels = {.n = n, .targets = TARGETS};
    struct ecc_error error;
    assert_int_equal(ecc_labels_init(&labels, &error), ECC_OK);
    labels.classes[0] = 3;
    labels.classes[1] = 2;
    for (size_t i = 0; i < n; i++) {
        labels.values[i] = (int32_t)(i % 3);
        labels.values[n + i] = (int32_t)(i / 2 % 2);
    }
    return labels;
}

/* out: [b] */
static void layer(double *out, const double *in, const double *w, const double *bias, size_t a,
                  size_t b)
{
    for (size_t k = 0; k < b; k++) {
        out[k] = bias ? bias[k] : 0;
        for (size_t j = 0; j < a; j++) out[k] += w[k * a + j] * in[j];
    }
}

/* The mean loss, in plain loops. */
static double reference(const double *w, const struct ecc_head *h, const float *x,
                        const uint32_t *rows, size_t n)
{
    const double *const b1 = w + WIDTH * D, *const w2 = b1 + WIDTH, *const b2 = w2 + WIDTH * WIDTH,
                        *const w3 = b2 + WIDTH;
    double loss = 0;
    for (size_t i = 0; i < n; i++) {
        double in[D], h1[WIDTH], h2[WIDTH], y[5];
        for (size_t j = 0; j < D; j++) in[j] = x[i * D + j];
        layer(h1, in, w, b1, D, WIDTH);
        for (size_t k = 0; k < WIDTH; k++) h1[k] = fmax(0, h1[k]) * (double)h->mask[i * WIDTH + k];
        layer(h2, h1, w2, b2, WIDTH, WIDTH);
        for (size_t k = 0; k < WIDTH; k++) {
            h2[k] = fmax(0, h2[k]) * (double)h->mask[(h->batch + i) * WIDTH + k];
        }
        layer(y, h2, w3, NULL, WIDTH, 5);
        for (size_t t = 0, at = 0; t < TARGETS; at += h->labels->classes[t++]) {
            double sum = 0;
            for (size_t k = 0; k < h->labels->classes[t]; k++) sum += exp(y[at + k]);
            loss += log(sum) - y[at + (size_t)h->labels->values[t * h->labels->n + rows[i]]];
        }
    }
    return loss / (double)n;
}

static void gradient_is_the_derivative(void **state)
{
    struct ecc_labels labels = make_labels(2 * N);
    struct ecc_head_options options = ecc_head_defaults();
    struct ecc_head head;
    struct ecc_error error;
    float x[N * D];
    uint32_t rows[N];
    (void)state;
    options.width = WIDTH;
    options.batch = N + 1;
    assert_int_equal(ecc_head_init(&head, &labels, D, &options, &error), ECC_OK);
    ecc_rng_normal_f32(x, 3, 0, 0, N * D);
    for (size_t i = 0; i < N; i++) rows[i] = (uint32_t)(2 * i);
    for (size_t i = 0; i < 2 * head.batch * WIDTH; i++) head.mask[i] = i % 4 == 0 ? 0 : 2;
    double *const w = calloc(head.count, sizeof *w);
    assert_non_null(w);
    for (size_t i = 0; i < head.count; i++) w[i] = head.weights[i];
    ecc_head_forward(&head, x, N, true);
    const double loss = ecc_head_back(&head, x, rows, N);
    assert_true(fabs(loss - reference(w, &head, x, rows, N)) < 1e-6);
    for (size_t i = 0; i < head.count; i++) {
        const double step = 1e-6, before = w[i];
        w[i] = before + step;
        const double high = reference(w, &head, x, rows, N);
        w[i] = before - step;
        const double low = reference(w, &head, x, rows, N);
        w[i] = before;
        assert_true(fabs((high - low) / (2 * step) - (double)head.gradient[i]) < 2e-5);
    }
    free(w);
    ecc_head_release(&head);
    ecc_labels_release(&labels);
}

/* Exclusive or of two signs, which no line tells. */
static void make_task(float *x, struct ecc_labels *labels, uint64_t stream)
{
    struct ecc_error error;
    *labels = (struct ecc_labels){.n = ITEMS, .targets = 1};
    assert_int_equal(ecc_labels_init(labels, &error), ECC_OK);
    labels->classes[0] = 2;
    ecc_rng_normal_f32(x, 1, stream, 0, 2 * ITEMS);
    for (size_t i = 0; i < ITEMS; i++) labels->values[i] = (x[2 * i] > 0) != (x[2 * i + 1] > 0);
}

static void it_learns(void **state)
{
    static float x[2 * ITEMS], test[2 * ITEMS];
    static int32_t predicted[ITEMS], again[ITEMS];
    struct ecc_labels labels, truth;
    struct ecc_head_options options = ecc_head_defaults();
    struct ecc_error error;
    size_t epochs = 0;
    (void)state;
    make_task(x, &labels, 1);
    make_task(test, &truth, 2);
    options.epochs = 60;
    const struct ecc_labelled train = {x, ITEMS, 2, &labels};
    assert_int_equal(ecc_head_predict(predicted, &epochs, &train, test, ITEMS, &options, &error),
                     ECC_OK);
    assert_true(ecc_labels_error(&truth, 0, predicted) < 0.08);
    /* a multiple of ten, chosen without test items: others give the same number */
    assert_true(epochs >= 10 && epochs <= 60 && epochs % 10 == 0);
    size_t same = 0;
    assert_int_equal(ecc_head_predict(again, &same, &train, test, 10, &options, &error), ECC_OK);
    assert_int_equal(same, epochs);
    for (size_t i = 0; i < 10; i++) assert_int_equal(again[i], predicted[i]);
    /* too few items to keep some aside */
    const struct ecc_labelled few = {x, 20, 2, &labels};
    options.epochs = 7;
    assert_int_equal(ecc_head_predict(again, &epochs, &few, test, 10, &options, &error), ECC_OK);
    assert_int_equal(epochs, 7);
    options.epochs = 0;
    assert_int_equal(ecc_head_predict(again, &epochs, &few, test, 10, &options, &error),
                     ECC_BAD_ARGUMENT);
    ecc_labels_release(&labels);
    ecc_labels_release(&truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_is_the_derivative),
        cmocka_unit_test(it_learns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
