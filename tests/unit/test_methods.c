/* Every regularizer of the table, with its usual options: gradients are derivatives, state is
 * listed, texts choose. */
#include "base/rng.h"
#include "regularizer/choice.h"
#include "testing.h"

#include <omp.h>

enum { N = 8, D = 4, MOST = 4096 };
static const uint64_t step = 6;

/* A plan with its tensors, as the net would hold them. */
struct method {
    struct ecc_regularizer_plan plan;
    size_t columns, tensors, sizes[ECC_LATENT_TENSORS];
    struct ecc_latent_tensor list[ECC_LATENT_TENSORS];
    float *values[ECC_LATENT_TENSORS], *gradients[ECC_LATENT_TENSORS];
};

static void method_init(struct method *m, const char *text)
{
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    check_ok(ecc_regularizer_read(&choice, text, &testing_error));
    *m = (struct method){.columns = ecc_regularizer_columns(choice.entry, D)};
    options.own_given = true;
    memcpy(options.own, choice.own, sizeof options.own);
    check_ok(ecc_regularizer_init(&m->plan, choice.entry, N, D, &options, &testing_error));
    m->tensors = ecc_regularizer_tensors(&m->plan, m->list);
    for (size_t i = 0; i < m->tensors; i++) {
        m->sizes[i] = m->list[i].shape[0] * (m->list[i].rank > 1 ? m->list[i].shape[1] : 1);
        m->values[i] = calloc(m->sizes[i], sizeof(float));
        m->gradients[i] = calloc(m->sizes[i], sizeof(float));
        ecc_rng_uniform_f32(m->values[i], 1, 2000 + i, 0, m->sizes[i]);
        for (size_t k = 0; k < m->sizes[i]; k++) {
            m->values[i][k] = (float)((2 * (double)m->values[i][k] - 1) * m->list[i].bound);
        }
    }
    ecc_regularizer_bind(&m->plan, m->values, m->gradients, m->tensors);
}

static void method_release(struct method *m)
{
    for (size_t i = 0; i < m->tensors; i++) {
        free(m->values[i]);
        free(m->gradients[i]);
    }
    ecc_regularizer_release(&m->plan);
}

/* The whole loss of a step, as training has it: sum of g.z for a fixed g, which stands for the
 * decoder, plus lambda times the value. */
static double whole_loss(struct method *m, const float *g, const float *outputs, double lambda)
{
    float z[N * D];
    struct ecc_regularizer_value value;
    double sum = 0;
    check_ok(ecc_regularizer_latents(&m->plan, z, outputs, N, step, &testing_error));
    check_ok(ecc_regularizer_evaluate(&m->plan, &value, NULL, outputs, N, step, &testing_error));
    for (size_t i = 0; i < N * D; i++) sum += (double)g[i] * (double)z[i];
    return sum + lambda * value.loss;
}

/* The fourth-order difference of the whole loss along one number. */
static double slope_of(struct method *m, float *x, float h, const float *g, const float *outputs,
                       double lambda)
{
    const float kept = *x;
    double slopes[2];
    for (int i = 0; i < 2; i++) {
        const float up = kept + (float)(i + 1) * h, down = kept - (float)(i + 1) * h;
        *x = up;
        const double above = whole_loss(m, g, outputs, lambda);
        *x = down;
        const double below = whole_loss(m, g, outputs, lambda);
        slopes[i] = (above - below) / ((double)up - (double)down);
    }
    *x = kept;
    return (4 * slopes[0] - slopes[1]) / 3;
}

/*
 * The loss is computed from float32 latents.  With steps of 2^-6 the slopes of all methods were
 * within 6e-6; rounding makes that 3e-5 to 5e-5 with 2^-9, and curvature 3e-4 (mhe) with 2^-4.  The
 * loss of swae has a kink wherever two items change places along a direction, which 2^-11 does not
 * reach here.
 */
static void check_derivatives(struct method *m, const float *analytic, float *x, size_t count,
                              const float *g, const float *outputs, double lambda)
{
    const float h = m->plan.entry == &ecc_regularizer_swae ? 0x1p-11F : 0x1p-6F;
    for (size_t i = 0; i < count; i++) {
        const double slope = slope_of(m, &x[i], h, g, outputs, lambda);
        check_absolute((double)analytic[i], slope, 3e-5 * (1 + fabs(slope)), m->plan.entry->name);
    }
}

static void check_method(const char *text, double lambda)
{
    struct method m;
    method_init(&m, text);
    const struct ecc_regularizer *const entry = m.plan.entry;
    float outputs[MOST], g[N * D], dout[MOST], z[N * D];
    const size_t count = N * m.columns;
    assert_true(count <= MOST);
    ecc_rng_normal_f32(outputs, 4, 1000, 0, count);
    ecc_rng_normal_f32(g, 5, 1000, 0, N * D);
    check_ok(ecc_regularizer_latents(&m.plan, z, outputs, N, step, &testing_error));
    check_ok(ecc_regularizer_evaluate(&m.plan, NULL, dout, outputs, N, step, &testing_error));
    ecc_regularizer_combine(&m.plan, dout, g, lambda, outputs, N, step);
    if (!entry->straight_through) {
        check_derivatives(&m, dout, outputs, count, g, outputs, lambda);
        for (size_t i = 0; i < m.tensors; i++) {
            if (!m.list[i].trained || entry->weight) continue;
            check_derivatives(&m, m.gradients[i], m.values[i], m.sizes[i], g, outputs, lambda);
        }
    }
    method_release(&m);
}

/* Central differences through drawing and value at once, for every entry of the table. */
static void gradient_is_the_derivative(void **state)
{
    (void)state;
    for (size_t e = 0; ecc_regularizers[e]; e++) check_method(ecc_regularizers[e]->name, 0.7);
}

/* The same with other options. */
static void gradient_with_other_options(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "irmae:layers=2",   "uae:sigma=0.5",    "nested:keep=0.5", "vicreg:variance=1",
        "dip:beside=3",     "sigreg:slices=40", "mhe:s=0",         "mhe:s=1",
        "mhe:s=1:half=yes", "mhe:half=yes",     "uniform:t=5",     "mmd:kernel=info",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) check_method(texts[i], 0.7);
}

/* Latents of analysis and of use are the same numbers, whatever the batch. */
static void means_do_not_depend_on_the_batch(void **state)
{
    (void)state;
    for (size_t e = 0; ecc_regularizers[e]; e++) {
        struct method m;
        method_init(&m, ecc_regularizers[e]->name);
        float outputs[MOST], all[N * D], one[D];
        ecc_rng_normal_f32(outputs, 4, 1000, 0, N * m.columns);
        ecc_regularizer_means(&m.plan, all, outputs, N);
        for (size_t i = 0; i < N; i++) {
            ecc_regularizer_means(&m.plan, one, outputs + i * m.columns, 1);
            assert_memory_equal(one, all + i * D, sizeof one);
        }
        method_release(&m);
    }
}

static void table_is_whole(void **state)
{
    (void)state;
    size_t count = 0;
    for (; ecc_regularizers[count]; count++) {
        const struct ecc_regularizer *const entry = ecc_regularizers[count];
        struct ecc_regularizer_choice choice;
        assert_ptr_equal(ecc_regularizer_find(entry->name), entry);
        assert_true(entry->summary && entry->n_min >= 1 && entry->d_min >= 1);
        assert_true((entry->latents != NULL) == (entry->pull_back != NULL));
        assert_true(!entry->tensors || entry->bind);
        assert_true(!entry->arrays || entry->reset);
        check_ok(ecc_regularizer_read(&choice, entry->name, &testing_error));
        for (size_t i = 0; entry->options && entry->options[i].name; i++) {
            const struct ecc_regularizer_option *const o = &entry->options[i];
            assert_true(i < ECC_REGULARIZER_OPTIONS && o->meaning);
            assert_true(o->words || (o->usual >= o->low && o->usual <= o->high));
            assert_true(choice.own[i] == o->usual);
        }
    }
    assert_null(ecc_regularizer_find("lasso"));
}

static void texts_choose(void **state)
{
    (void)state;
    struct ecc_regularizer_choice choice;
    struct ecc_error *const e = &testing_error;
    check_ok(ecc_regularizer_read(&choice, "irmae:layers=3", e));
    assert_true(choice.entry == &ecc_regularizer_irmae && choice.own[0] == 3);
    assert_true(ecc_regularizer_is("irmae:layers=3", "irmae"));
    assert_false(ecc_regularizer_is("irmae:layers=3", "irma"));
    check_fails(ecc_regularizer_read(&choice, "", e), ECC_BAD_ARGUMENT, "no regularizer ''");
    check_fails(ecc_regularizer_read(&choice, "irmae:", e), ECC_BAD_ARGUMENT, "no option ''");
    check_fails(ecc_regularizer_read(&choice, "irmae:layers", e), ECC_BAD_ARGUMENT, "is ''");
    check_fails(ecc_regularizer_read(&choice, "irmae:layers=nan", e), ECC_BAD_ARGUMENT, "'nan'");
    check_fails(ecc_regularizer_read(&choice, "irmae:layers=2.5", e), ECC_BAD_ARGUMENT, "whole");
    check_fails(ecc_regularizer_read(&choice, "irmae:layers=3x", e), ECC_BAD_ARGUMENT, "'3x'");
    check_fails(ecc_regularizer_read(&choice, "kl:a=1", e), ECC_BAD_ARGUMENT, "no options");
    char longest[300];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    check_fails(ecc_regularizer_read(&choice, longest, e), ECC_BAD_ARGUMENT, "too long");
}

enum { MANY = 200, WIDE = 24 };

/* Two steps of a plan of one thread, with as many threads set by the caller. */
static void two_steps(float *doutputs, const char *text, const float *outputs, int threads)
{
    struct ecc_regularizer_plan plan;
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_options options = ecc_regularizer_defaults();
    check_ok(ecc_regularizer_read(&choice, text, &testing_error));
    options.own_given = true;
    options.loss.threads = 1;
    memcpy(options.own, choice.own, sizeof options.own);
    check_ok(ecc_regularizer_init(&plan, choice.entry, MANY, WIDE, &options, &testing_error));
    omp_set_num_threads(threads);
    for (uint64_t i = 0; i < 2; i++) {
        const struct ecc_regularizer_learning how = {.step = i, .rate = 1};
        check_ok(ecc_regularizer_evaluate(&plan, NULL, doutputs, outputs, MANY, i, &testing_error));
        check_ok(ecc_regularizer_learn(&plan, outputs, MANY, &how, &testing_error));
    }
    assert_int_equal(omp_get_max_threads(), threads);
    ecc_regularizer_release(&plan);
}

/* BLAS shares its products among the threads that are set, and may then round otherwise. */
static void threads_of_the_caller_change_nothing(void **state)
{
    static float outputs[MANY * WIDE], one[MANY * WIDE], three[MANY * WIDE];
    static const char *const texts[] = {"wae-gan:width=96", "eccentric", "evenness", "cosine"};
    (void)state;
    const int before = omp_get_max_threads();
    ecc_rng_normal_f32(outputs, 1, 3000, 0, MANY * WIDE);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        two_steps(one, texts[i], outputs, 1);
        two_steps(three, texts[i], outputs, 3);
        assert_memory_equal(one, three, sizeof one);
    }
    omp_set_num_threads(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_is_the_derivative),
        cmocka_unit_test(gradient_with_other_options),
        cmocka_unit_test(means_do_not_depend_on_the_batch),
        cmocka_unit_test(threads_of_the_caller_change_nothing),
        cmocka_unit_test(table_is_whole),
        cmocka_unit_test(texts_choose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
