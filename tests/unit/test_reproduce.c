/* test_reproduce.c: plans name and share trainings, time is divided, verdicts are fair. */
#include "testing.h"

#include "reproduce/methods.h"
#include "reproduce/schedule.h"
#include "reproduce/store.h"
#include "run/settings.h"

static bool never(void)
{
    return false;
}

/* As if MNIST were there and CelebA were not; nothing is read. */
static struct ecc_repro pretend(struct ecc_repro_options *options, enum ecc_repro_size size)
{
    *options = (struct ecc_repro_options){
        .out = "nowhere", .size = size, .minutes = 60, .jobs = 1, .interrupted = never};
    struct ecc_repro r = {.options = options};
    r.data[ECC_DIGITS] = (struct ecc_repro_data){.what = strdup("mnist"),
                                                 .name = "mnist",
                                                 .items = 60000,
                                                 .test_items = 10000,
                                                 .height = 28,
                                                 .width = 28,
                                                 .channels = 1};
    r.data[ECC_FACES].name = "celeba";
    return r;
}

static const char *word(const struct ecc_task *task, size_t i)
{
    return json_string_value(json_array_get(task->words, i));
}

static void test_names(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    char name[ECC_TASK_NAME];
    const struct ecc_setting eae = ecc_eae(ECC_DIGITS, 8, 1e-3, 1, 2);
    struct ecc_setting wae = eae, ae = eae;
    wae.regularizer = "mmd";
    wae.lambda = 0.1;
    ae.regularizer = "none";
    ecc_setting_name(name, &r, &eae);
    assert_string_equal(name, "mnist-d8-eccentric-lambda0.001-mu1-seed2");
    ecc_setting_name(name, &r, &wae);
    assert_string_equal(name, "mnist-d8-mmd-lambda0.1-seed2");
    options.size = ECC_SIZE_QUICK;
    ecc_setting_name(name, &r, &ae);
    assert_string_equal(name, "mnist-d8-none-seed2-quick");
    ecc_plan_release(&r);
}

static void test_runs_are_shared(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_QUICK);
    const struct ecc_setting a = ecc_eae(ECC_DIGITS, 8, 1e-3, 1, 1),
                             b = ecc_eae(ECC_DIGITS, 8, 1e-3, 2.5, 1),
                             faces = ecc_eae(ECC_FACES, 64, 1e-3, 1, 1);
    const int first = ecc_plan_run(&r, &a);
    assert_int_equal(ecc_plan_run(&r, &a), first);
    assert_int_not_equal(ecc_plan_run(&r, &b), first);
    assert_int_equal(ecc_plan_run(&r, &faces), ECC_NO_TASK); /* the data is missing */
    assert_int_equal(r.count, 2);
    assert_string_equal(word(&r.tasks[first], 0), "train");
    assert_string_equal(word(&r.tasks[first], 1), "mnist");
    const int missing = ECC_NO_TASK;
    assert_int_equal(ecc_plan_step_on(&r, "x", "grid", &missing, 1, "--json"), ECC_NO_TASK);
    const int step = ecc_plan_step_on(&r, "x", "grid", &first, 1, "--json");
    assert_int_equal(ecc_plan_step_on(&r, "x", "grid", &first, 1, "--json"), step);
    assert_int_equal(json_array_size(r.tasks[step].words), 3);
    assert_int_equal(r.tasks[step].need_count, 1);
    check_ok(ecc_plan_check(&r, &testing_error));
    ecc_plan_release(&r);
}

/* A word of the command that follows this option, or NULL. */
static const char *value_of(const struct ecc_task *task, const char *option)
{
    for (size_t i = 0; i + 1 < json_array_size(task->words); i++) {
        if (strcmp(word(task, i), option) == 0) return word(task, i + 1);
    }
    return NULL;
}

static void test_minutes_are_divided(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    for (size_t seed = 1; seed <= 3; seed++) {
        const struct ecc_setting s = ecc_eae(ECC_DIGITS, 4, 1e-3, 1, seed);
        ecc_plan_run(&r, &s);
    }
    r.tasks[0].state = ECC_TASK_DONE; /* one is there already */
    r.tasks[1].weight = 3;
    assert_true(ecc_schedule_fits(&r));
    check_ok(ecc_schedule(&r, false, &testing_error));
    assert_null(value_of(&r.tasks[0], "--minutes"));
    const double long_one = atof(value_of(&r.tasks[1], "--minutes"));
    const double short_one = atof(value_of(&r.tasks[2], "--minutes"));
    check_relative(long_one, 3 * short_one, 1e-3, "share by weight");
    assert_true(long_one + short_one < 60 && long_one + short_one > 50);
    options.minutes = 10;
    assert_false(ecc_schedule_fits(&r));
    ecc_plan_release(&r);
}

/* Every item plans something, or misses its data; all together share. */
static void test_items(void **state)
{
    (void)state;
    size_t words = 0, items = 0, last = 0;
    for (; ecc_items[items]; items++) {
        assert_string_equal(ecc_items[items]->name, ecc_repro_words[items]);
    }
    while (ecc_repro_words[words]) words++;
    assert_int_equal(words, items + 1);
    assert_true(items < sizeof((struct ecc_repro *)0)->chosen);
    for (size_t effort = 0; effort <= 3; effort++) {
        struct ecc_repro_options options;
        struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
        r.effort = effort;
        options.has_fid = true;
        for (size_t i = 0; i < items; i++) {
            ecc_items[i]->plan(&r);
            const size_t count = r.count;
            ecc_items[i]->plan(&r);
            assert_int_equal(r.count, count);
        }
        check_ok(ecc_plan_check(&r, &testing_error));
        assert_true(r.count >= last);
        last = r.count;
        ecc_plan_release(&r);
    }
}

static void check_judgement(double paper, double deviation, double ours, double own, size_t count,
                            enum ecc_better better, enum ecc_judgement expected)
{
    const struct ecc_paper_number p = {paper, deviation};
    const struct ecc_measured m = {ours, own, count};
    assert_int_equal(ecc_judge(p, m, 1, better), expected);
}

static void test_judgements(void **state)
{
    (void)state;
    check_judgement(2.0, 0.1, 2.2, NAN, 1, ECC_LOWER_IS_BETTER, ECC_AGREES);
    check_judgement(2.0, 0.1, 2.26, NAN, 1, ECC_LOWER_IS_BETTER, ECC_WORSE);
    check_judgement(2.0, 0.1, 2.26, 0.2, 3, ECC_LOWER_IS_BETTER, ECC_AGREES);
    check_judgement(2.0, 0.1, 1.7, 0, 3, ECC_LOWER_IS_BETTER, ECC_BETTER);
    check_judgement(2.0, 0.1, 1.7, 0, 3, ECC_HIGHER_IS_BETTER, ECC_WORSE);
    check_judgement(2.0, 0.1, 1.7, 0, 3, ECC_NEITHER_IS_BETTER, ECC_DIFFERS);
    check_judgement(2.0, NAN, 2.05, 0, 3, ECC_NEITHER_IS_BETTER, ECC_AGREES); /* its last digit */
    check_judgement(2.0, 0.1, NAN, NAN, 0, ECC_LOWER_IS_BETTER, ECC_NOT_DONE);
    check_judgement(NAN, NAN, 2, NAN, 1, ECC_LOWER_IS_BETTER, ECC_NOT_COMPARABLE);
    const double values[] = {1, 3};
    const struct ecc_measured m = ecc_measure(values, 2);
    check_absolute(m.mean, 2, 1e-15, "mean");
    check_relative(m.deviation, sqrt(2), 1e-12, "deviation over n - 1");
    char text[ECC_NUMBER_TEXT];
    assert_string_equal(ecc_measured_text(text, m, 1), "2.0 ± 1.4");
    assert_string_equal(ecc_measured_text(text, ecc_measure(values, 1), 2), "1.00");
    assert_string_equal(ecc_measured_text(text, ecc_measure(values, 0), 2), "–");
}

/* A finished training with this many items, epochs and width. */
static int finished(struct ecc_repro *r, size_t seed, double items, double epochs, double width)
{
    const struct ecc_setting s = ecc_eae(ECC_DIGITS, 8, 1e-3, 1, seed);
    const int run = ecc_plan_run(r, &s);
    r->tasks[run].state = ECC_TASK_DONE;
    r->tasks[run].result =
        json_pack("{s:{s:{s:s,s:f}},s:{s:f,s:f}}", "config", "net", "name", "paper-mnist", "width",
                  width, "result", "items", items, "epochs", epochs);
    assert_non_null(r->tasks[run].result);
    return run;
}

static void test_fairness(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    struct ecc_fairness good = {0}, small = {0}, other = {0};
    char text[900];
    ecc_fairness_run(&good, &r, finished(&r, 1, 60000, 20, 1), ECC_DIGITS);
    ecc_fairness_runs(&good, 1, 3);
    assert_int_equal(ecc_fair(&good, ECC_WORSE), ECC_WORSE);
    assert_string_equal(ecc_fairness_text(text, &good), "20 of 1000 epochs, 1 of 3 runs");
    ecc_fairness_run(&good, &r, finished(&r, 4, 55000, 85, 1), ECC_DIGITS);
    assert_int_equal(ecc_fair(&good, ECC_WORSE), ECC_WORSE);
    assert_string_equal(ecc_fairness_text(text, &good),
                        "20 to 85 of 1000 epochs, 1 of 3 runs, 55000 of 60000 items");
    char ruled[ECC_RULED_TEXT];
    assert_string_equal(ecc_ruled_text(ruled, "1 of 3 runs", "agrees: within %d%%", 5),
                        "agrees: within 5%; 1 of 3 runs");
    assert_string_equal(ecc_ruled_text(ruled, "", "agrees"), "agrees");
    const int reduced = finished(&r, 2, 6000, 1000, 0.5);
    ecc_fairness_run(&small, &r, reduced, ECC_DIGITS);
    ecc_fairness_run(&small, &r, reduced, ECC_DIGITS); /* said once */
    assert_int_equal(ecc_fair(&small, ECC_BETTER), ECC_NOT_COMPARABLE);
    assert_int_equal(ecc_fair(&small, ECC_NOT_DONE), ECC_NOT_DONE);
    assert_string_equal(ecc_fairness_text(text, &small),
                        "6000 of 60000 items, a net of 0.5 times the width");
    ecc_fairness_run(&other, &r, finished(&r, 3, 60000, 1000, 1), ECC_FACES);
    assert_string_equal(ecc_fairness_text(text, &other), "MNIST instead of CelebA");
    ecc_plan_release(&r);
}

/* The first row of Table 1, with this JSON as what align and fid printed. */
static struct ecc_method_row row_of(struct ecc_repro *r, const char *align, const char *fid)
{
    struct ecc_method_row row;
    ecc_method_take(&row, r, 0);
    assert_int_not_equal(row.align, ECC_NO_TASK);
    assert_int_not_equal(row.fid, ECC_NO_TASK);
    json_decref(r->tasks[row.align].result);
    json_decref(r->tasks[row.fid].result);
    r->tasks[row.align].result = json_loads(align, 0, NULL);
    r->tasks[row.fid].result = json_loads(fid, 0, NULL);
    ecc_method_take(&row, r, 0);
    return row;
}

/* Deviations are over n - 1 as all others; files that somebody damaged do no harm. */
static void test_method_rows(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    options.has_fid = true;
    r.effort = 3;
    ecc_methods_plan(&r);
    struct ecc_method_row row =
        row_of(&r,
               "{\"angle_raw\":42,\"angle_raw_deviation\":2,\"pairs\":["
               "{\"angle_raw\":40,\"angle_aligned\":9},"
               "{\"angle_raw\":44,\"angle_aligned\":null}]}",
               "{\"fid\":7,\"scores\":[{\"fid\":1},{\"fid\":3},{\"fid\":2},{\"fid\":2}]}");
    check_absolute(row.raw.mean, 42, 1e-12, "mean angle");
    check_relative(row.raw.deviation, sqrt(8), 1e-12, "its deviation");
    assert_int_equal(row.aligned.count, 1);
    assert_int_equal(row.score.count, 4);
    check_absolute(row.score.mean, 2, 1e-12, "mean score");
    row = row_of(&r, "{\"pairs\":7}", "{\"scores\":[],\"fid\":7}");
    assert_int_equal(row.raw.count, 0);
    check_absolute(row.score.mean, 7, 0, "one score");
#define TWO "{\"fid\":1},{\"fid\":1}"
    row = row_of(&r, "[]", "{\"scores\":[7," TWO "," TWO "," TWO "," TWO "],\"fid\":7}");
    assert_true(row.score.count > 0 && row.score.count < 8);
    check_absolute(row.score.mean, 1, 0, "no more than there is room for");
    ecc_plan_release(&r);
}

/* Scores by other features than the first row's are left out, and it is said. */
static void test_features(void **state)
{
    (void)state;
    struct ecc_method_row rows[4];
    const char *const by[] = {NULL, "inception-v3, FID network of 2015", "inception-v3, Keras",
                              "inception-v3, FID network of 2015"},
                      *first = NULL;
    json_t *const section = ecc_section_create("x", "X", "");
    for (size_t i = 0; i < 4; i++) {
        rows[i] = (struct ecc_method_row){
            .paper = &ecc_paper_table1[i], .score = {50, NAN, 1}, .features = by[i]};
        ecc_method_compare(&rows[i], &first, section);
        assert_int_equal(rows[i].score.count, i != 2);
    }
    assert_string_equal(first, by[1]);
    const json_t *const missing = json_object_get(section, "missing");
    assert_int_equal(json_array_size(missing), 1);
    assert_string_equal(json_string_value(json_array_get(missing, 0)),
                        "EAE, λ = 0.0003: its score is by other features and left out: "
                        "inception-v3, Keras");
    assert_true(ecc_features_published(by[1]));
    assert_false(ecc_features_published(by[2]));
    assert_false(ecc_features_published(NULL));
    json_decref(section);
}

/* Text that was cut in the middle of a character is still there. */
static void test_cut_text(void **state)
{
    (void)state;
    static const char cut[] = "caf\xc3\xa9 \xe2\x82", whole[] = "caf\xc3\xa9 ??";
    json_t *const section = ecc_section_create("x", "X", "");
    ecc_section_missing(section, "%s", cut);
    ecc_section_claim(section, "c", "1", "2", ECC_AGREES, cut);
    const json_t *const missing = json_array_get(json_object_get(section, "missing"), 0),
                        *const claim = json_array_get(json_object_get(section, "claims"), 0);
    assert_string_equal(json_string_value(missing), whole);
    assert_string_equal(json_string_value(json_object_get(claim, "why")), whole);
    json_decref(section);
}

/* What a command printed is not taken when it did not leave its files. */
static void test_failed_steps(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    const char *const printed = testing_path("printed.json");
    FILE *const file = fopen(printed, "w");
    assert_non_null(file);
    fputs("{}", file);
    fclose(file);
    const int step = ecc_plan_step(&r, "s", "data", "info", "x");
    ecc_plan_file(&r, step, "figures/nothing.png");
    check_fails(ecc_store_keep(&r, &r.tasks[step], printed, 1, &testing_error), ECC_BAD_DATA,
                "did not leave the files");
    assert_null(r.tasks[step].result);
    ecc_plan_release(&r);
}

/* The command of a finished training is written from its own config. */
static void test_commands(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    const int step = ecc_plan_step(&r, "s", "data", "info", "a b'c", "x,y:test");
    json_t *command = ecc_store_command(&r.tasks[step]);
    assert_string_equal(json_string_value(command), "eccentric data info 'a b'\\''c' x,y:test");
    json_decref(command);
    const struct ecc_setting s = ecc_eae(ECC_DIGITS, 8, 1e-3, 1, 1);
    const int run = ecc_plan_run(&r, &s);
    command = ecc_store_command(&r.tasks[run]);
    assert_string_equal(json_string_value(command),
                        "eccentric train mnist --net paper-mnist --batch 16 --lr 0.001 --schedule "
                        "constant --validation 0 --latent 8 --regularizer eccentric --lambda 0.001 "
                        "--mu 1 --seed 1 --out runs/mnist-d8-eccentric-lambda0.001-mu1-seed1");
    json_decref(command);
    struct ecc_train_options trained = ecc_train_defaults();
    struct ecc_config config;
    trained.data = "my mnist";
    trained.batch = 32;
    trained.minutes = 12.5;
    check_ok(ecc_config_init(&config, "config.json", &testing_error));
    ecc_settings_store(&trained, &config);
    r.tasks[run].result = json_pack("{s:O}", "config", config.root);
    ecc_config_release(&config);
    assert_non_null(r.tasks[run].result);
    command = ecc_store_command(&r.tasks[run]);
    assert_string_equal(json_string_value(command),
                        "eccentric train 'my mnist' --out "
                        "runs/mnist-d8-eccentric-lambda0.001-mu1-seed1 --batch 32 --minutes 12.5");
    json_decref(command);
    ecc_plan_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),       cmocka_unit_test(test_runs_are_shared),
        cmocka_unit_test(test_items),       cmocka_unit_test(test_minutes_are_divided),
        cmocka_unit_test(test_judgements),  cmocka_unit_test(test_fairness),
        cmocka_unit_test(test_commands),    cmocka_unit_test(test_failed_steps),
        cmocka_unit_test(test_method_rows), cmocka_unit_test(test_features),
        cmocka_unit_test(test_cut_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
