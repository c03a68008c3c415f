/* test_reproduce.c: plans name and share trainings, time is divided, what is there is not made
 * again, verdicts are fair. */
#include "testing.h"

#include "reproduce/method_rows.h"
#include "reproduce/store.h"

#include <unistd.h>

/* As if MNIST were there and CelebA were not; nothing is read. */
static struct ecc_repro pretend(struct ecc_repro_options *options, enum ecc_repro_size size)
{
    *options = (struct ecc_repro_options){.out = "nowhere", .size = size, .minutes = 60};
    struct ecc_repro r = {.options = options, .planning = true};
    r.data[ECC_DIGITS] = (struct ecc_repro_data){.what = strdup("mnist"),
                                                 .test = strdup("mnist:test"),
                                                 .name = "mnist",
                                                 .items = 60000,
                                                 .test_items = 10000,
                                                 .height = 28,
                                                 .width = 28,
                                                 .channels = 1};
    r.data[ECC_FACES].name = "celeba";
    return r;
}

static void forget(struct ecc_repro *r)
{
    ecc_plan_clear(r);
    ecc_sets_release(r);
}

static void test_names(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    char name[ECC_TASK_NAME];
    const struct ecc_variant eae = ecc_eae(ECC_DIGITS, 8, 1e-3, 1, 2);
    struct ecc_variant wae = eae, ae = eae;
    wae.regularizer = "mmd";
    wae.lambda = 0.1;
    ae.regularizer = "none";
    ecc_variant_name(name, &r, &eae);
    assert_string_equal(name, "mnist-d8-eccentric-lambda0.001-mu1-seed2");
    ecc_variant_name(name, &r, &wae);
    assert_string_equal(name, "mnist-d8-mmd-lambda0.1-seed2");
    options.size = ECC_SIZE_QUICK;
    ecc_variant_name(name, &r, &ae);
    assert_string_equal(name, "mnist-d8-none-seed2-quick");
    forget(&r);
}

/* ---- Plans ---------------------------------------------------------------------------------- */

static enum ecc_status measure_seven(const struct ecc_repro *r, const struct ecc_task *task,
                                     json_t *out, struct ecc_error *error)
{
    (void)r, (void)task, (void)error;
    ecc_json_number(out, "seven", 7);
    return ECC_OK;
}

static void test_runs_are_shared(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_QUICK);
    struct ecc_section section = ecc_section_start(&r, "x", "X", "");
    const int first = ecc_ask_run(&section, ecc_eae(ECC_DIGITS, 8, 1e-3, 1, 1));
    assert_int_equal(ecc_ask_run(&section, ecc_eae(ECC_DIGITS, 8, 1e-3, 1, 1)), first);
    assert_int_not_equal(ecc_ask_run(&section, ecc_eae(ECC_DIGITS, 8, 1e-3, 2.5, 1)), first);
    /* the data is missing */
    assert_int_equal(ecc_ask_run(&section, ecc_eae(ECC_FACES, 64, 1e-3, 1, 1)), ECC_NO_TASK);
    assert_int_equal(r.count, 2);
    struct ecc_step step = {.name = "x", .measure = measure_seven, .command = "grid"};
    step.runs = ecc_group_of(ECC_NO_TASK);
    assert_null(ecc_ask(&section, &step));
    assert_int_equal(r.count, 2);
    step.runs = ecc_group_of(first);
    assert_null(ecc_ask(&section, &step));
    assert_null(ecc_ask(&section, &step));
    assert_int_equal(r.count, 3);
    assert_int_equal(r.tasks[2].step.runs.count, 1);
    /* for the report, what is not done is missing, and what was not planned is not */
    r.planning = false;
    assert_int_equal(ecc_ask_run(&section, ecc_eae(ECC_DIGITS, 8, 1e-3, 1, 1)), ECC_NO_TASK);
    assert_int_equal(ecc_ask_run(&section, ecc_eae(ECC_DIGITS, 8, 1e-3, 1, 2)), ECC_NO_TASK);
    assert_int_equal(json_array_size(json_object_get(section.json, "missing")), 1);
    r.tasks[first].result = json_object();
    r.tasks[first].state = ECC_TASK_DONE;
    assert_int_equal(ecc_ask_run(&section, ecc_eae(ECC_DIGITS, 8, 1e-3, 1, 1)), first);
    json_decref(section.json);
    forget(&r);
}

static void test_minutes_are_divided(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    ecc_ask_runs(&(struct ecc_section){.r = &r}, ecc_eae(ECC_DIGITS, 4, 1e-3, 1, 1), 3);
    r.tasks[0].state = ECC_TASK_DONE; /* one is there already */
    r.tasks[1].weight = 3;
    assert_true(ecc_schedule_fits(&r));
    check_ok(ecc_schedule(&r, &testing_error));
    assert_true(r.tasks[0].options.minutes == 0);
    const double long_one = r.tasks[1].options.minutes, short_one = r.tasks[2].options.minutes;
    check_relative(long_one, 3 * short_one, 1e-3, "share by weight");
    assert_true(long_one + short_one < 60 && long_one + short_one > 50);
    options.minutes = 10;
    assert_false(ecc_schedule_fits(&r));
    forget(&r);
}

static void plan_item(struct ecc_repro *r, const struct ecc_item *item)
{
    struct ecc_section section = ecc_section_start(r, item->name, item->title, item->about);
    item->make(&section);
    assert_false(r->out_of_memory);
    json_decref(section.json);
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
        for (size_t i = 0; i < items; i++) {
            plan_item(&r, ecc_items[i]);
            const size_t count = r.count;
            plan_item(&r, ecc_items[i]);
            assert_int_equal(r.count, count);
        }
        assert_true(r.count >= last);
        last = r.count;
        forget(&r);
    }
}

/* ---- What is there is not made again -------------------------------------------------------- */

static enum ecc_status measure_nothing(const struct ecc_repro *r, const struct ecc_task *task,
                                       json_t *out, struct ecc_error *error)
{
    (void)r, (void)task;
    ecc_json_number(out, "half", 0.5);
    return ecc_fail(error, ECC_NUMERIC, "it cannot be measured");
}

static enum ecc_status leave_file(void *context, const char *path, struct ecc_error *error)
{
    (void)context;
    FILE *const file = fopen(path, "w");
    if (!file) return ecc_fail_errno(error, "write", path);
    fclose(file);
    return ECC_OK;
}

static enum ecc_status measure_picture(const struct ecc_repro *r, const struct ecc_task *task,
                                       json_t *out, struct ecc_error *error)
{
    (void)task;
    return ecc_measure_picture(r, out, "figures/picture", leave_file, NULL, error);
}

static const struct ecc_step steps[] = {
    {.name = "bad", .measure = measure_nothing, .command = "bad"},
    {.name = "seven", .measure = measure_seven, .command = "seven", .words = "--of 7"},
    {.name = "picture", .measure = measure_picture, .command = "picture"},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

/* Plans the steps, looks for what is there and does the rest; returns what was there. */
static size_t do_steps(struct ecc_repro *r)
{
    size_t there = 0;
    ecc_plan_clear(r);
    r->planning = true;
    for (size_t i = 0; i < STEPS; i++) ecc_ask(&(struct ecc_section){.r = r}, &steps[i]);
    r->planning = false;
    check_ok(ecc_store_look(r, &testing_error));
    for (size_t i = 0; i < STEPS; i++) there += r->tasks[i].state == ECC_TASK_DONE;
    check_ok(ecc_execute(r, &testing_error));
    return there;
}

static void replace(const char *path, const char *from, const char *to)
{
    char text[4000] = "", *at;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    at = strstr(text, from);
    assert_non_null(at);
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(file);
}

static void test_not_made_again(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    char *const out = strdup(testing_path("store"));
    int lock, second;
    options.out = out;
    check_ok(ecc_store_open(&lock, &r, &testing_error));
    check_fails(ecc_store_open(&second, &r, &testing_error), ECC_IO, "another process is at work");
    /* one that fails does not keep the others from being done, and nothing of it is used */
    assert_int_equal(do_steps(&r), 0);
    assert_int_equal(r.tasks[0].state, ECC_TASK_FAILED);
    assert_null(r.tasks[0].result);
    assert_string_equal(r.tasks[0].failure, "it cannot be measured");
    assert_int_equal(r.tasks[1].state, ECC_TASK_DONE);
    assert_int_equal(r.tasks[2].state, ECC_TASK_DONE);
    assert_int_equal(do_steps(&r), 2);
    check_absolute(ecc_get_number(r.tasks[1].result, "seven"), 7, 0, "the number");
    /* a file that is gone, another command, another version */
    const char *const picture = ECC_IN_STORE(&r, "figures", "picture", ".svg");
    const char *const seven = ECC_IN_STORE(&r, "steps", "seven", ".json");
    assert_int_equal(unlink(picture), 0);
    assert_int_equal(do_steps(&r), 1);
    replace(seven, "seven --of 7 --json\",", "seven --of 8 --json\",");
    assert_int_equal(do_steps(&r), 2);
    replace(seven, "\"stamp\": [\n  \"" ECC_VERSION, "\"stamp\": [\n  \"0.0.0");
    assert_int_equal(do_steps(&r), 1);
    replace(seven, "{", "[");
    assert_int_equal(do_steps(&r), 1);
    close(lock);
    free(out);
    forget(&r);
}

/* ---- Verdicts ------------------------------------------------------------------------------- */

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
    assert_string_equal(ECC_OURS(m, 1), "2.0 ± 1.4");
    assert_string_equal(ECC_OURS(ecc_measure(values, 1), 2), "1.00");
    assert_string_equal(ECC_OURS(ecc_measure(values, 0), 2), "–");
}

/* A finished training with this many items, epochs and width. */
static struct ecc_group finished(struct ecc_repro *r, size_t seed, double items, double epochs,
                                 double width)
{
    r->planning = true;
    const int run =
        ecc_ask_run(&(struct ecc_section){.r = r}, ecc_eae(ECC_DIGITS, 8, 1e-3, 1, seed));
    r->tasks[run].state = ECC_TASK_DONE;
    r->tasks[run].options.width = width;
    r->tasks[run].result = json_pack("{s:f,s:f}", "items", items, "epochs", epochs);
    assert_non_null(r->tasks[run].result);
    return ecc_group_of(run);
}

/* What stands beside a claim: the rule, then what is different. */
static void check_why(const struct ecc_fairness *fairness, const char *rule, const char *expected)
{
    struct ecc_section section = ecc_section_start(NULL, "x", "X", "");
    section.fairness = *fairness;
    ecc_section_claim(&section, ECC_AGREES, rule, "c\t1\t2");
    const json_t *const claim = json_array_get(json_object_get(section.json, "claims"), 0);
    assert_string_equal(json_string_value(json_object_get(claim, "why")), expected);
    json_decref(section.json);
}

static void test_fairness(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    struct ecc_fairness good = {0}, small = {0}, other = {0};
    const struct ecc_group few = finished(&r, 1, 60000, 20, 1),
                           more = finished(&r, 4, 55000, 85, 1),
                           reduced = finished(&r, 2, 6000, 1000, 0.5),
                           full = finished(&r, 3, 60000, 1000, 1);
    ecc_fairness_group(&good, &r, &few, ECC_DIGITS);
    ecc_fairness_runs(&good, 1, 3);
    assert_int_equal(ecc_fair(&good, ECC_WORSE), ECC_WORSE);
    assert_string_equal(ECC_WHY(&good), "20 of 1000 epochs, 1 of 3 runs");
    check_why(&good, "agrees: within 5%", "agrees: within 5%; 20 of 1000 epochs, 1 of 3 runs");
    check_why(&good, NULL, "20 of 1000 epochs, 1 of 3 runs");
    assert_int_equal(ecc_between_runs(&good, true), ECC_AGREES);
    ecc_fairness_group(&good, &r, &more, ECC_DIGITS);
    assert_int_equal(ecc_fair(&good, ECC_WORSE), ECC_WORSE);
    assert_int_equal(ecc_between_runs(&good, true), ECC_NOT_COMPARABLE);
    assert_string_equal(ECC_WHY(&good),
                        "20 to 85 of 1000 epochs, 1 of 3 runs, 55000 of 60000 items");
    ecc_fairness_group(&small, &r, &reduced, ECC_DIGITS);
    ecc_fairness_group(&small, &r, &reduced, ECC_DIGITS); /* said once */
    assert_int_equal(ecc_fair(&small, ECC_BETTER), ECC_NOT_COMPARABLE);
    assert_int_equal(ecc_fair(&small, ECC_NOT_DONE), ECC_NOT_DONE);
    assert_string_equal(ECC_WHY(&small), "6000 of 60000 items, a net of 0.5 times the width");
    ecc_fairness_group(&other, &r, &full, ECC_FACES);
    assert_string_equal(ECC_WHY(&other), "MNIST instead of CelebA");
    struct ecc_fairness none = {0};
    check_why(&none, "agrees", "agrees");
    forget(&r);
}

/* The first row of Table 1, with this as what was measured. */
static struct ecc_method_row row_of(struct ecc_repro *r, const char *align, const char *fid)
{
    struct ecc_method_row row;
    struct ecc_section section = ecc_section_start(r, "x", "X", "");
    static const char *const names[] = {"align-4-mnist-d8-eccentric-lambda0.01-mu1",
                                        "fid-4-mnist-d8-eccentric-lambda0.01-mu1"};
    for (size_t i = 0; i < 2; i++) {
        const int task = ecc_plan_find(r, names[i]);
        assert_int_not_equal(task, ECC_NO_TASK);
        json_decref(r->tasks[task].result);
        r->tasks[task].result = json_loads(i ? fid : align, 0, NULL);
    }
    ecc_method_ask(&row, &section, 0);
    json_decref(section.json);
    return row;
}

/* Deviations are over n - 1 as all others; files that somebody damaged do no harm. */
static void test_method_rows(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    struct ecc_method_row row;
    r.effort = 3;
    ecc_method_ask(&row, &(struct ecc_section){.r = &r}, 0);
    r.planning = false;
    for (size_t i = 0; i < r.count; i++) {
        if (!r.tasks[i].step.measure) r.tasks[i].result = json_pack("{s:f}", "eccentricity", 0.5);
    }
    row = row_of(&r,
                 "{\"pairs\":[{\"angle_raw\":40,\"angle_aligned\":9},"
                 "{\"angle_raw\":44,\"angle_aligned\":null}]}",
                 "{\"scores\":[1,3,2,2],\"features\":\"f\"}");
    assert_int_equal(row.group.count, 4);
    check_absolute(row.eccentricity.mean, 0.5, 0, "eccentricity");
    check_absolute(row.raw.mean, 42, 1e-12, "mean angle");
    check_relative(row.raw.deviation, sqrt(8), 1e-12, "its deviation");
    assert_int_equal(row.aligned.count, 1);
    assert_int_equal(row.score.count, 4);
    check_absolute(row.score.mean, 2, 1e-12, "mean score");
    assert_string_equal(row.features, "f");
    row = row_of(&r, "{\"pairs\":7}", "{\"scores\":{}}");
    assert_int_equal(row.raw.count, 0);
    assert_int_equal(row.score.count, 0);
    row = row_of(&r, "[]", "{\"scores\":[\"x\",1,1,1,1,1,1,1,1,1]}");
    assert_true(row.score.count > 0 && row.score.count < 8);
    check_absolute(row.score.mean, 1, 0, "no more than there is room for");
    forget(&r);
}

/* Scores by other features than the first row's are left out, and it is said. */
static void test_features(void **state)
{
    (void)state;
    struct ecc_method_row rows[4];
    const char *const by[] = {NULL, "inception-v3, FID network of 2015", "inception-v3, Keras",
                              "inception-v3, FID network of 2015"},
                      *first = NULL;
    struct ecc_section section = ecc_section_start(NULL, "x", "X", "");
    for (size_t i = 0; i < 4; i++) {
        rows[i] = (struct ecc_method_row){
            .paper = &ecc_paper_table1[i], .score = {50, NAN, 1}, .features = by[i]};
        ecc_method_compare(&rows[i], &first, &section);
        assert_int_equal(rows[i].score.count, i != 2);
    }
    assert_string_equal(first, by[1]);
    const json_t *const missing = json_object_get(section.json, "missing");
    assert_int_equal(json_array_size(missing), 1);
    assert_string_equal(json_string_value(json_array_get(missing, 0)),
                        "EAE, λ = 0.0003: its score is by other features and left out: "
                        "inception-v3, Keras");
    assert_true(ecc_features_published(by[1]));
    assert_false(ecc_features_published(by[2]));
    assert_false(ecc_features_published(NULL));
    json_decref(section.json);
}

/* Text that was cut in the middle of a character is still there. */
static void test_cut_text(void **state)
{
    (void)state;
    static const char cut[] = "caf\xc3\xa9 \xe2\x82", whole[] = "caf\xc3\xa9 ??";
    struct ecc_section section = ecc_section_start(NULL, "x", "X", "");
    ecc_section_missing(&section, "%s", cut);
    ecc_section_claim(&section, ECC_AGREES, cut, "c\t1\t%s", cut);
    const json_t *const missing = json_array_get(json_object_get(section.json, "missing"), 0),
                        *const claim = json_array_get(json_object_get(section.json, "claims"), 0);
    assert_string_equal(json_string_value(missing), whole);
    assert_string_equal(json_string_value(json_object_get(claim, "paper")), "1");
    assert_string_equal(json_string_value(json_object_get(claim, "ours")), whole);
    assert_string_equal(json_string_value(json_object_get(claim, "why")), whole);
    json_decref(section.json);
}

static void check_command(const struct ecc_task *task, const char *expected)
{
    json_t *const command = ecc_plan_command(task);
    assert_string_equal(json_string_value(command), expected);
    json_decref(command);
}

static void test_commands(void **state)
{
    (void)state;
    struct ecc_repro_options options;
    struct ecc_repro r = pretend(&options, ECC_SIZE_MINUTES);
    const int run = ecc_ask_run(&(struct ecc_section){.r = &r}, ecc_eae(ECC_DIGITS, 8, 1e-3, 1, 1));
    struct ecc_step step = {.name = "s",
                            .measure = measure_seven,
                            .runs = ecc_group_of(run),
                            .command = "fid",
                            .words = "--kid no"};
    step.runs.data = "a b'c:test";
    ecc_ask(&(struct ecc_section){.r = &r}, &step);
    check_command(&r.tasks[1], "eccentric fid runs/mnist-d8-eccentric-lambda0.001-mu1-seed1 "
                               "'a b'\\''c:test' --kid no --json");
    check_command(&r.tasks[run],
                  "eccentric train mnist --out runs/mnist-d8-eccentric-lambda0.001-mu1-seed1 "
                  "--net paper-mnist --batch 16 --lr 0.001 --schedule constant --validation 0");
    /* of a finished training, what it was trained with */
    r.tasks[run].options = ecc_train_defaults();
    r.tasks[run].options.data = "my mnist";
    r.tasks[run].options.batch = 32;
    r.tasks[run].options.minutes = 12.5;
    check_command(&r.tasks[run],
                  "eccentric train 'my mnist' --out "
                  "runs/mnist-d8-eccentric-lambda0.001-mu1-seed1 --minutes 12.5 --batch 32");
    forget(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),          cmocka_unit_test(test_runs_are_shared),
        cmocka_unit_test(test_items),          cmocka_unit_test(test_minutes_are_divided),
        cmocka_unit_test(test_not_made_again), cmocka_unit_test(test_judgements),
        cmocka_unit_test(test_fairness),       cmocka_unit_test(test_commands),
        cmocka_unit_test(test_method_rows),    cmocka_unit_test(test_features),
        cmocka_unit_test(test_cut_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
