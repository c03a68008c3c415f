/* test_train.c: the parts of training that need no network: rates, running covariance, steering,
 * and options on their way into config.json and back. */
#include "base/rng.h"
#include "testing.h"
#include "train/average.h"
#include "run/settings.h"
#include "train/schedule.h"
#include "train/steer.h"
#include "train/moments.h"

static void rates_rise_and_fall(void **state)
{
    (void)state;
    struct ecc_schedule s = {.kind = ECC_SCHEDULE_COSINE, .rate = 0.01, .warmup = 10, .total = 110};
    for (uint64_t step = 1; step <= 10; step++) {
        check_relative(ecc_schedule_rate(&s, step), 0.01 * (double)step / 11, 1e-12, "warm-up");
    }
    check_relative(ecc_schedule_rate(&s, 60), 0.005, 1e-12, "half of the cosine");
    check_absolute(ecc_schedule_rate(&s, 110), 0, 1e-15, "its end");
    for (uint64_t step = 11; step < 110; step++) {
        assert_true(ecc_schedule_rate(&s, step + 1) < ecc_schedule_rate(&s, step));
    }
    s.kind = ECC_SCHEDULE_CONSTANT;
    check_relative(ecc_schedule_rate(&s, 110), 0.01, 0, "constant");
    const struct ecc_schedule fall = {.kind = ECC_SCHEDULE_FALL,
                                      .rate = 0.01,
                                      .final_rate = 0.001,
                                      .fall = 0.2,
                                      .warmup = 10,
                                      .total = 110};
    check_relative(ecc_schedule_rate(&fall, 90), 0.01, 1e-12, "before the fall");
    check_relative(ecc_schedule_rate(&fall, 100), 0.0055, 1e-12, "half of the fall");
    check_relative(ecc_schedule_rate(&fall, 110), 0.001, 1e-12, "its end");
    s.total = 0; /* not yet known */
    s.kind = ECC_SCHEDULE_COSINE;
    check_relative(ecc_schedule_rate(&s, 50), 0.01, 0, "before the total is known");
}

/* The noise of finite windows is taken out: a sphere looks like one. */
static void covariance_over_many_batches(void **state)
{
    (void)state;
    static const double scales[] = {1, 1, 1, 1, 2, 1, 0.5, 1};
    for (int eccentric = 0; eccentric < 2; eccentric++) {
        struct ecc_moments moments;
        check_ok(ecc_moments_init(&moments, 8, 100, &testing_error));
        double trace = 0, eccentricity = 0, squares = 0, expected_trace = 0;
        for (size_t batch = 0; batch < 400; batch++) {
            float z[100 * 8];
            ecc_rng_normal_f32(z, 1, batch, 0, 800);
            for (size_t i = 0; i < 800; i++)
                z[i] = 3 + z[i] * (float)(eccentric ? scales[i % 8] : 1);
            ecc_moments_add(&moments, z, 100);
        }
        check_ok(ecc_moments_spectrum(&moments, &trace, &eccentricity, &testing_error));
        for (size_t k = 0; k < 8; k++) {
            const double variance = eccentric ? scales[k] * scales[k] : 1;
            expected_trace += variance;
            squares += variance * variance;
        }
        const double mean = expected_trace / 8, expected = sqrt(squares / 8 - mean * mean) / mean;
        check_relative(trace, expected_trace, 0.02, "trace");
        check_absolute(eccentricity, expected, 0.03, "eccentricity");
        /* what a checkpoint holds is all there is */
        double again_trace, again;
        struct ecc_moments copy;
        check_ok(ecc_moments_init(&copy, 8, 100, &testing_error));
        copy.weight = moments.weight;
        copy.weight_squares = moments.weight_squares;
        memcpy(copy.state, moments.state, (8 + 8 * 8) * sizeof *copy.state);
        check_ok(ecc_moments_spectrum(&copy, &again_trace, &again, &testing_error));
        assert_true(again == eccentricity && again_trace == trace);
        ecc_moments_release(&copy);
        ecc_moments_release(&moments);
    }
}

/* Weights that swing around what they look for: after a long way, their mean is nearer than they
 * are, and its age is the share that was asked for. */
static void weights_average_over_the_end(void **state)
{
    (void)state;
    const double share = 0.1;
    const size_t looks = 2000;
    struct ecc_average average;
    check_ok(ecc_average_init(&average, share, 2, &testing_error));
    for (size_t k = 1; k <= looks; k++) {
        float noise;
        ecc_rng_normal_f32(&noise, 1, k, 0, 1);
        const float weights[2] = {5 + noise, (float)k};
        ecc_average_add(&average, weights);
        if (k <= 10) assert_true(average.mean[1] == (float)k); /* the beginning is forgotten */
    }
    check_absolute((double)average.mean[0], 5, 0.2, "the middle of the swings");
    const double age = (double)looks - (double)average.mean[1];
    check_relative(age, share / (1 + share) * (double)looks, 0.01, "mean age");
    ecc_average_release(&average);
    check_ok(ecc_average_init(&average, 0, 2, &testing_error));
    assert_null(average.mean);
    ecc_average_release(&average);
}

/* A model of the latents: eccentricity falls with lambda, and follows it slowly. */
static void steering_finds_its_target(void **state)
{
    (void)state;
    static const double targets[] = {0.1, 0.3, 0.6};
    for (size_t i = 0; i < 3; i++) {
        struct ecc_steer steer;
        ecc_steer_init(&steer, ECC_STEER_ECCENTRICITY, targets[i], 0, 1e-3);
        double eccentricity = 0.25;
        for (int look = 0; look < 2000; look++) {
            const double settled = 0.7 / (1 + sqrt(steer.lambda / 1e-3));
            eccentricity += 0.03 * (settled - eccentricity);
            ecc_steer_observe(&steer, eccentricity);
            if (look > 600) check_relative(eccentricity, targets[i], 0.05, "eccentricity");
        }
        check_relative(eccentricity, targets[i], 0.02, "eccentricity at the end");
        assert_false(ecc_steer_stuck(&steer));
    }
    struct ecc_steer steer;
    ecc_steer_init(&steer, ECC_STEER_ECCENTRICITY, 0.9, 0, 1e-3); /* 0.7 is all that model has */
    for (int look = 0; look < 2000; look++) {
        ecc_steer_observe(&steer, 0.7 / (1 + sqrt(steer.lambda / 1e-3)));
    }
    assert_true(ecc_steer_stuck(&steer));
}

static void options_survive_the_config(void **state)
{
    (void)state;
    struct ecc_train_options before = ecc_train_defaults(), after;
    before.data = "mnist";
    before.lambda = 1.0 / 3;
    before.target_loss = -2.25;
    before.pairs = ECC_PAIRS_DISTINCT;
    before.m_rule = ECC_M_EXACT;
    before.seed = UINT64_C(0x7fffffffffffff01);
    before.tensorboard = true;
    struct ecc_config config;
    check_ok(ecc_config_init(&config, testing_path("config.json"), &testing_error));
    ecc_settings_store(&before, &config);
    check_ok(ecc_config_write(&config, &testing_error));
    ecc_config_release(&config);
    check_ok(ecc_config_read(&config, testing_path("config.json"), &testing_error));
    check_ok(ecc_settings_restore(&after, &config, &testing_error));
    assert_string_equal(after.data, "mnist");
    assert_null(after.label);
    assert_true(after.lambda == before.lambda && after.target_loss == before.target_loss);
    assert_true(isnan(after.target_eccentricity) && after.pairs == ECC_PAIRS_DISTINCT);
    assert_true(after.m_rule == ECC_M_EXACT && after.seed == before.seed && after.tensorboard);
    /* as version 0.1 wrote it */
    ecc_config_set_text(&config, "regularizer.steer", "eccentricity");
    ecc_config_set_number(&config, "regularizer.target", 0.25);
    check_ok(ecc_settings_restore(&after, &config, &testing_error));
    assert_true(after.target_eccentricity == 0.25);
    /* damaged: a text that must be there is empty */
    static const char *const needed[] = {"data.source", "net.name", "regularizer.name"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        ecc_config_set_text(&config, needed[i], "");
        check_fails(ecc_settings_restore(&after, &config, &testing_error), ECC_BAD_DATA, needed[i]);
        ecc_config_set_text(&config, needed[i], "eccentric");
    }
    ecc_config_release(&config);
}

/* The command of these options; the caller's to free. */
static char *command_of(const struct ecc_train_options *options, const char *folder)
{
    char *text;
    size_t size;
    FILE *const out = open_memstream(&text, &size);
    assert_non_null(out);
    ecc_settings_command(out, options, folder);
    fclose(out);
    return text;
}

static void commands_say_what_is_not_the_default(void **state)
{
    (void)state;
    struct ecc_train_options o = ecc_train_defaults();
    o.data = "glyphs";
    char *text = command_of(&o, "run");
    assert_string_equal(text, "eccentric train glyphs --out run");
    free(text);
    o.data = "it's";
    o.items = 9;
    o.crop = 140;
    o.size = 64;
    o.label = "a b";
    o.validation = 0;
    o.direct = true;
    o.mu = 1.0 / 3;
    o.m_rule = ECC_M_GIVEN;
    o.m = 7;
    o.pairs = ECC_PAIRS_DISTINCT;
    o.target_loss = -2.25;
    o.schedule = ECC_SCHEDULE_CONSTANT;
    o.average = 0;
    o.epochs = 1e6;
    o.seed = UINT64_MAX;
    text = command_of(&o, "a run");
    assert_string_equal(text,
                        "eccentric train 'it'\\''s' --out 'a run' --mu 0.3333333333333333 --pairs "
                        "distinct --target-loss -2.25 --epochs 1000000 --schedule constant "
                        "--average 0 --validation 0 --items 9 --crop 140 --size 64 --label 'a b' "
                        "--direct --seed 18446744073709551615 --m 7");
    free(text);
    o = ecc_train_defaults();
    o.data = "x";
    o.m_rule = ECC_M_EXACT;
    o.minutes = 0.5;
    text = command_of(&o, "run");
    assert_string_equal(text, "eccentric train x --out run --minutes 0.5 --m exact");
    free(text);
}

static void refuses_bad_options(void **state)
{
    (void)state;
    struct ecc_train_options o = ecc_train_defaults();
    check_ok(ecc_settings_check(&o, &testing_error));
    o.regularizer = "kll";
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "kll");
    o.regularizer = NULL;
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "no regularizer");
    o = ecc_train_defaults();
    o.net = NULL;
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "no net");
    o = ecc_train_defaults();
    *(int *)(void *)&o.schedule = 3;
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "train.schedule");
    o = ecc_train_defaults();
    o.warmup = UINT64_MAX;
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "from 0 to 1e+12");
    o = ecc_train_defaults();
    o.average = NAN;
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "train.average");
    o = ecc_train_defaults();
    o.beta2 = 1;
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "train.beta2");
    o = ecc_train_defaults();
    o.latent = 1;
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "latent");
    o = ecc_train_defaults();
    o.rate = NAN;
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "learning rate");
    o = ecc_train_defaults();
    o.target_eccentricity = 3;
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "eccentricity is 3");
    o.regularizer = "none";
    o.target_eccentricity = 0.5;
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "lambda");
    o.regularizer = "mmd";
    o.target_eccentricity = NAN;
    o.target_loss = 0.5;
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "eccentric loss");
    o.regularizer = "eccentric";
    o.latent = 8;
    o.target_loss = -3.2; /* the minimum is 8 (1 - 2 log 2) = -3.09, or so */
    check_fails(ecc_settings_check(&o, &testing_error), ECC_BAD_ARGUMENT, "target loss is -3.2");
    o.target_loss = -3;
    check_ok(ecc_settings_check(&o, &testing_error));
}

/* What other languages fill the options by. */
static void settings_have_names(void **state)
{
    (void)state;
    size_t count;
    const struct ecc_train_setting *const all = ecc_train_settings(&count);
    struct ecc_train_options o = ecc_train_defaults();
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        assert_true(all[i].key && all[i].meaning && all[i].offset < sizeof o);
        assert_true((all[i].kind == ECC_SETTING_CHOICE) == (all[i].choices != NULL));
        if (strcmp(all[i].key, "train.rate") != 0) continue;
        found = *(double *)((char *)&o + all[i].offset) == o.rate && all[i].low == 0;
    }
    assert_true(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_rise_and_fall),
        cmocka_unit_test(covariance_over_many_batches),
        cmocka_unit_test(weights_average_over_the_end),
        cmocka_unit_test(steering_finds_its_target),
        cmocka_unit_test(options_survive_the_config),
        cmocka_unit_test(commands_say_what_is_not_the_default),
        cmocka_unit_test(refuses_bad_options),
        cmocka_unit_test(settings_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
