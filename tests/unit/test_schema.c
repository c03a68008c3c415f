/* test_schema.c: the columns of a table: values to features and back, dates, config.json. */
#include "testing.h"

#include "data/dates.h"
#include "data/schema.h"
#include "run/stored.h"

/* number, category of three levels, date with a time, left out, label */
static struct ecc_schema *make(void)
{
    static const char *const levels[] = {"blue", "green", "red"};
    static const double shares[] = {0.5, 0.2, 0.3};
    struct ecc_schema *const schema = ecc_schema_create(5);
    struct ecc_column *const c = schema->columns;
    c[0] = (struct ecc_column){.kind = ECC_COLUMN_NUMBER,
                               .mean = 10,
                               .deviation = 2,
                               .decimals = 2,
                               .clip = 4,
                               .low = 3,
                               .high = 17};
    c[1] = (struct ecc_column){
        .kind = ECC_COLUMN_CATEGORY, .deviation = sqrt(0.62), .gaps = 2, .distinct = 3};
    c[2] = (struct ecc_column){
        .kind = ECC_COLUMN_DATE, .mean = 19000, .deviation = 100, .decimals = 1, .date_order = 'D'};
    c[3] = (struct ecc_column){.kind = ECC_COLUMN_LEFT_OUT, .reason = strdup("constant")};
    c[4] = (struct ecc_column){.kind = ECC_COLUMN_LABEL};
    static const char *const names[] = {"size", "colour", "when", "unit", "class"};
    for (size_t i = 0; i < 5; i++) c[i].name = strdup(names[i]);
    for (size_t k = 1; k <= 4; k += 3) {
        c[k].levels = calloc(3, sizeof *c[k].levels);
        c[k].level_count = 3;
        for (size_t i = 0; i < 3; i++) c[k].levels[i] = strdup(levels[i]);
    }
    c[1].shares = malloc(sizeof shares);
    memcpy(c[1].shares, shares, sizeof shares);
    ecc_schema_number(schema);
    return schema;
}

static void test_features(void **state)
{
    (void)state;
    struct ecc_schema *const schema = make();
    const struct ecc_column *const c = schema->columns;
    assert_true(schema->features == 5 && c[1].first == 1 && c[1].features == 3 && c[2].first == 4);
    float x[5];
    char text[40];
    ecc_schema_put(&c[0], x, 13);
    ecc_schema_put_level(&c[1], x, 1);
    ecc_schema_put(&c[2], x, 19050.25);
    check_absolute((double)x[0], 1.5, 1e-6, "a number");
    check_absolute((double)x[1], -0.5 / sqrt(0.62), 1e-6, "another level");
    check_absolute((double)x[2], 0.8 / sqrt(0.62), 1e-6, "its level");
    assert_string_equal(ecc_schema_cell(text, sizeof text, &c[0], x), "13.00");
    assert_string_equal(ecc_schema_cell(text, sizeof text, &c[1], x), "green");
    assert_string_equal(ecc_schema_cell(text, sizeof text, &c[2], x), "2022-02-27 06:00:00");
    assert_string_equal(ecc_schema_cell(text, sizeof text, &c[3], x), "");
    assert_string_equal(ecc_schema_cell(text, 4, &c[1], x), "gre");
    check_absolute(ecc_schema_value(&c[0], x), 13, 1e-5, "a number back");
    assert_true(ecc_schema_value(&c[1], x) == 1 && isnan(ecc_schema_value(&c[4], x)));
    ecc_schema_put(&c[0], x, 1e9); /* clipped */
    assert_true(x[0] == 4);
    for (size_t i = 0; i < 3; i++) ecc_schema_put_missing(&c[i], x);
    for (size_t i = 0; i < 5; i++) assert_true(isnan(x[i]));
    assert_string_equal(ecc_schema_cell(text, sizeof text, &c[1], x), "");
    for (size_t i = 0; i < 5; i++) x[i] = 0; /* the mean: the most frequent level */
    assert_string_equal(ecc_schema_cell(text, sizeof text, &c[1], x), "blue");
    x[0] = -5.0003F; /* -0.0006 is written as 0 */
    assert_string_equal(ecc_schema_cell(text, sizeof text, &c[0], x), "0.00");
    assert_true(ecc_schema_level(&c[1], "red") == 2 && ecc_schema_level(&c[1], "pink") == SIZE_MAX);
    ecc_schema_free(schema);
}

static void test_scaling(void **state)
{
    (void)state;
    struct ecc_schema *const schema = make();
    struct ecc_scaling scaling;
    check_ok(ecc_schema_scaling(&scaling, schema, &testing_error));
    assert_true(scaling.columns == 5 && scaling.mean[0] == 10 && scaling.mean[2] == 0.2);
    assert_string_equal(scaling.names[0], "size");
    assert_string_equal(scaling.names[3], "colour=red");
    ecc_scaling_release(&scaling);
    ecc_schema_free(schema);
}

/* To config.json and back gives the same. */
static void test_config(void **state)
{
    (void)state;
    struct ecc_schema *const first = make(), *const schema = ecc_schema_copy(first), *back;
    ecc_schema_free(first);
    struct ecc_config config, read;
    char *text, *again;
    check_ok(ecc_config_init(&config, "config.json", &testing_error));
    ecc_run_schema_store(schema, &config);
    check_ok(ecc_config_encode(&config, &text, &testing_error));
    check_ok(ecc_config_decode(&read, text, strlen(text), "config.json", &testing_error));
    check_ok(ecc_run_schema(&back, &read, &testing_error));
    assert_true(back->count == 5 && back->features == 5);
    assert_string_equal(back->columns[3].reason, "constant");
    assert_true(back->columns[2].date_order == 'D' && back->columns[0].clip == 4);
    ecc_run_schema_store(back, &read);
    check_ok(ecc_config_encode(&read, &again, &testing_error));
    assert_string_equal(text, again);
    free(text);
    free(again);
    ecc_schema_free(back);
    ecc_schema_free(schema);
    ecc_config_release(&read);
    ecc_config_release(&config);
}

static void check_refused(const char *json, const char *words)
{
    struct ecc_config config;
    struct ecc_schema *schema;
    check_ok(ecc_config_decode(&config, json, strlen(json), "c.json", &testing_error));
    check_fails(ecc_run_schema(&schema, &config, &testing_error), ECC_BAD_DATA, words);
    assert_null(schema);
    ecc_config_release(&config);
}

static void test_damaged(void **state)
{
    (void)state;
    check_refused("{\"data\": {\"table\": 3}}", "is not a list");
    check_refused("{\"data\": {\"table\": [3]}}", "column 1 of \"data.table\" has no kind");
    check_refused("{\"data\": {\"table\": [{\"kind\": \"number\"}]}}", "has no name");
    check_refused("{\"data\": {\"table\": [{\"kind\": \"number\", \"name\": \"a\"}]}}",
                  "deviation above 0");
    check_refused("{\"data\": {\"table\": [{\"kind\": \"category\", \"name\": \"a\", "
                  "\"deviation\": 1, \"levels\": [\"x\"]}]}}",
                  "no levels with shares");
    check_refused("{\"data\": {\"table\": [{\"kind\": \"category\", \"name\": \"a\", "
                  "\"deviation\": 1, \"levels\": [\"x\", 3], \"shares\": [1, 0]}]}}",
                  "a level that is not text");
    check_refused("{\"data\": {\"table\": [{\"kind\": \"category\", \"name\": \"a\", "
                  "\"deviation\": 1, \"levels\": [\"x\", \"y\"], \"shares\": [1]}]}}",
                  "a share that is not");
    check_refused("{\"data\": {\"table\": [{\"kind\": \"category\", \"name\": \"a\", "
                  "\"deviation\": 1, \"levels\": [\"x\"], \"shares\": [2]}]}}",
                  "a share that is not");
    check_refused("{\"data\": {\"table\": [{\"kind\": \"category\", \"name\": \"a\", "
                  "\"deviation\": 1, \"levels\": [], \"shares\": []}]}}",
                  "no levels with shares");
    check_refused("{\"data\": {\"table\": [{\"kind\": \"colour\", \"name\": \"a\"}]}}",
                  "has no kind");
}

static struct ecc_config decode(const char *json)
{
    struct ecc_config config;
    check_ok(ecc_config_decode(&config, json, strlen(json), "c.json", &testing_error));
    return config;
}

/* Which rows a run was trained on: anything odd counts as not known. */
static void test_rows(void **state)
{
    (void)state;
    static const struct {
        const char *inside;
        bool known;
    } rows[] = {
        {"\"fingerprint\": \"0123456789abcdef\", \"split\": \"test\", \"rows\": 5", true},
        {"\"fingerprint\": \"0123456789abcdef\", \"split\": \"all\", \"rows\": 5, \"train_rows\": "
         "4",
         true},
        {"\"fingerprint\": \"0123456789abcdef\", \"split\": \"all\", \"rows\": 5", false},
        {"\"fingerprint\": \"0123456789abcdef\", \"split\": \"tset\", \"rows\": 5", false},
        {"\"fingerprint\": \"0123456789abcdef\", \"split\": 1, \"rows\": 5", false},
        {"\"fingerprint\": \"0123456789abcdef\", \"split\": \"test\", \"rows\": -1", false},
        {"\"fingerprint\": \"0123456789abcdef\", \"split\": \"test\"", false},
        {"\"fingerprint\": \"0123456789abcdef\", \"split\": \"test\", \"rows\": 4294967296", false},
        {"\"fingerprint\": \"0123456789ABCDEF\", \"split\": \"test\", \"rows\": 5", false},
        {"\"fingerprint\": \"0123456789abcde\", \"split\": \"test\", \"rows\": 5", false},
        {"\"fingerprint\": \"0123456789abcdef0\", \"split\": \"test\", \"rows\": 5", false},
        {"\"fingerprint\": 12, \"split\": \"test\", \"rows\": 5", false},
        {"\"split\": \"test\", \"rows\": 5", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char json[300];
        snprintf(json, sizeof json, "{\"data\": {%s}}", rows[i].inside);
        struct ecc_config config = decode(json);
        const struct ecc_run_rows found = ecc_run_rows(&config);
        assert_true(found.fingerprint == (rows[i].known ? 0x0123456789abcdefU : 0));
        assert_int_equal(found.choice.count, rows[i].known ? 5 : 0);
        ecc_config_release(&config);
    }
}

static void test_damaged_scaling(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"\"deviation\": [1]", "a list of 2"},
        {"\"deviation\": [1, 0]", "column 1 has 2 in \"data.mean\" and 0"},
        {"\"deviation\": [-1, 1]", "column 0 has 1"},
        {"\"deviation\": [1, null]", "column 1 has 2"},
        {"\"deviation\": [1, \"a\"]", "a list of numbers"},
        {"\"deviation\": [1, 1], \"clip\": \"a\"", "a number"},
        {"\"deviation\": [1, 1], \"columns\": [\"a\"]", "a list of 2"},
        {"\"deviation\": [1, 1], \"columns\": [\"a\", 3]", "a list of texts"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char json[300];
        struct ecc_scaling scaling;
        snprintf(json, sizeof json, "{\"data\": {\"mean\": [1, 2], %s}}", wrong[i][0]);
        struct ecc_config config = decode(json);
        check_fails(ecc_run_scaling(&scaling, &config, &testing_error), ECC_BAD_DATA, wrong[i][1]);
        assert_true(scaling.columns == 0 && !scaling.mean && !scaling.names);
        ecc_config_release(&config);
    }
}

static void check_date(const char *text, char order, double days)
{
    struct ecc_date date;
    assert_true(ecc_date_parse(&date, text));
    assert_int_equal(date.order, order);
    check_absolute(date.days, days, 1e-9, text);
}

static void test_dates(void **state)
{
    (void)state;
    struct ecc_date date;
    check_date("1970-01-01", 'Y', 0);
    check_date("2000-03-01", 'Y', 11017);
    check_date("1969-12-31", 'Y', -1);
    check_date("2024/02/29", 'Y', 19782);
    check_date("29.2.2024", 'D', 19782);
    check_date("02/29/2024", 'M', 19782);
    check_date("29/02/2024", 'D', 19782);
    check_date("1.2.24", 'D', 19754);
    check_date("2/1/24", '?', 19754);
    assert_true(ecc_date_parse(&date, "2/1/24") && date.swapped == 19724);
    check_date("2024-02-29T12:00:00Z", 'Y', 19782.5);
    check_date("2024-02-29 12:00:00.5+02:00", 'Y', 19782.5 - 2 / 24.0 + 0.5 / 86400);
    check_date("2024-02-29 12:00", 'Y', 19782.5);
    check_date("06:00", 'h', 0.25);
    check_date("18:00:00", 'h', 0.75);
    check_date("1.2.69", 'D', -334); /* as POSIX reads two digits */
    check_date("1.2.68", 'D', 35825);
    check_date("31-12-24", 'D', 20088);
    check_date("12/31/24", 'M', 20088);
    check_date("06:00:00,5Z", 'h', 0.25 + 0.5 / 86400);
    check_date("06:00+0130", 'h', 0.25 - 1.5 / 24);
    check_date("06:00 -02", 'h', 0.25 + 2 / 24.0);
    check_date("2024-02-29T12:00-05:30", 'Y', 19782.5 + 5.5 / 24);
    static const char *const wrong[] = {
        "12:00+2",    "12:00+xx",   "12:00+15:00",     "12:00+02:7",  "12:00+02:75",  "12:60",
        "12:00:61",   "12:00:0",    "12:00:00z",       "1-2-3456789", "123-4-5",      "12-13-2024x",
        "13/13/2024", "1.13.2024",  "2024-1-234",      "2024-02-29T", "2024-02-29T1", "1a2",
        "",           "2023-02-29", "2024-13-01",      "32.1.2024",   "1-2",          "1.2",
        "1/2/3",      "12345",      "2024-01-01x",     "25:00:00",    "2024-01-01 ",  "1.2.2024.3",
        "2024-01/02", "12:3",       "2024-01-01 12:0", "29.2.2023",   "0.5.2024",     "1:2:3:4"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (ecc_date_parse(&date, wrong[i])) fail_msg("'%s' was read as a date", wrong[i]);
    }
    /* every day of 800 years, there and back */
    struct ecc_column column = {.kind = ECC_COLUMN_DATE, .date_order = 'Y'};
    for (int sign = -1; sign < 2; sign += 2) { /* beyond the calendar: its first or last day */
        char text[40];
        ecc_date_write(text, sizeof text, sign * 1e9, &column);
        assert_string_equal(text, sign < 0 ? "0000-01-01" : "9999-12-31");
    }
    for (long day = -146097; day < 146097; day++) {
        char text[40];
        ecc_date_write(text, sizeof text, (double)day, &column);
        assert_true(ecc_date_parse(&date, text) && date.days == (double)day);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features),        cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_config),          cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_dates),           cmocka_unit_test(test_rows),
        cmocka_unit_test(test_damaged_scaling),
    };
    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
