/* test_model.c: a run that was just trained is opened for use: latents, decoding, data, items. */
#include "base/file.h"
#include "base/npy.h"
#include "base/rng.h"
#include "model/components.h"
#include "testing.h"
#include "train/trainer.h"

#include <sys/stat.h>
#include <unistd.h>

static const char *run_directory;

/* A few steps on glyphs, with or without the end that writes the model. */
static void train(const char *directory, const char *regularizer, bool finish)
{
    struct ecc_run *run;
    struct ecc_trainer *trainer;
    struct ecc_train_options options = ecc_train_defaults();
    options.data = "glyphs";
    options.items = 260;
    options.latent = 3;
    options.regularizer = regularizer;
    options.validation = 50;
    options.batch = 50;
    options.epochs = 1;
    options.net = "auto";
    options.threads = 1;
    check_ok(ecc_run_create(&run, directory, true, &testing_error));
    check_ok(ecc_trainer_start(&trainer, run, &options, NULL, &testing_error));
    while (!ecc_trainer_done(trainer)) {
        struct ecc_train_progress now;
        check_ok(ecc_trainer_step(trainer, &now, &testing_error));
    }
    if (finish) {
        struct ecc_train_result result;
        check_ok(ecc_trainer_finish(trainer, &result, &testing_error));
        ecc_train_result_release(&result);
    } else {
        check_ok(ecc_trainer_save(trainer, &testing_error));
    }
    ecc_trainer_free(trainer);
    ecc_run_close(run);
}

static int set_up(void **state)
{
    (void)state;
    run_directory = strdup(testing_path("run"));
    train(run_directory, "eccentric", true);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free((void *)(uintptr_t)run_directory);
    return 0;
}

/* What batch size and streaming do must not be seen in the results. */
static void test_encode_decode(void **state)
{
    (void)state;
    const struct ecc_model_options small = {.batch = 7, .threads = 1};
    struct ecc_model *a, *b;
    struct ecc_dataset *data;
    check_ok(ecc_model_open(&a, run_directory, NULL, &testing_error));
    check_ok(ecc_model_open(&b, run_directory, &small, &testing_error));
    assert_true(a->finished && a->d == 3 && a->size == 784 && a->weight_sum == b->weight_sum);
    check_ok(ecc_model_open_data(a, &data, "glyphs:test", 230, &testing_error));
    assert_int_equal(data->count, 230);
    float *const z = malloc(sizeof *z * 230 * 3), *const other = malloc(sizeof *z * 230 * 3);
    float *const x = malloc(sizeof *x * 230 * 784), *const y = malloc(sizeof *y * 230 * 784);
    uint32_t items[230];
    for (uint32_t i = 0; i < 230; i++) items[i] = i;
    check_ok(ecc_dataset_read(data, x, items, 230, &testing_error));
    check_ok(ecc_model_encode(a, z, x, 230, &testing_error));
    check_ok(ecc_model_encode_data(b, other, data, NULL, 230, NULL, &testing_error));
    for (size_t i = 0; i < 690; i++) {
        check_absolute((double)other[i], (double)z[i], 1e-4, "latent");
    }
    /* a list of items, out of order */
    const uint32_t list[] = {200, 3, 77};
    check_ok(ecc_model_encode_data(b, other, data, list, 3, NULL, &testing_error));
    for (size_t i = 0; i < 9; i++) {
        check_absolute((double)other[i], (double)z[list[i / 3] * 3 + i % 3], 1e-4, "listed latent");
    }
    check_ok(ecc_model_decode(a, x, z, 230, &testing_error));
    check_ok(ecc_model_decode(b, y, z, 230, &testing_error));
    for (size_t i = 0; i < 230 * 784; i++) {
        check_absolute((double)y[i], (double)x[i], 1e-4, "pixel");
    }
    free(z);
    free(other);
    free(x);
    free(y);
    ecc_dataset_close(data);
    ecc_model_close(a);
    ecc_model_close(b);
}

/* T2 and Q as they are defined, for any number of items; missing values count as the others do. */
static void test_measures(void **state)
{
    (void)state;
    enum { N = 23, D = 3, SIZE = 784 };
    const struct ecc_model_options small = {.batch = 7, .threads = 1};
    struct ecc_model *m;
    struct ecc_dataset *data;
    struct ecc_components c;
    static float x[N * SIZE], z[N * D], p[N * D], own_z[N * D], own_p[N * D], again[N * SIZE];
    double error[N], t2[N], q[N];
    uint32_t items[N];
    for (uint32_t i = 0; i < N; i++) items[i] = i;
    check_ok(ecc_model_open(&m, run_directory, &small, &testing_error));
    check_ok(ecc_model_components(m, &c, NULL, NULL, &testing_error));
    check_ok(ecc_model_open_data(m, &data, "glyphs:test", N, &testing_error));
    check_ok(ecc_dataset_read(data, x, items, N, &testing_error));
    const struct ecc_measures all = {z, p, error, t2, q};
    check_ok(ecc_model_measure(m, &all, x, N, &testing_error));
    check_ok(ecc_model_encode(m, own_z, x, N, &testing_error));
    check_ok(ecc_components_project(&c, own_p, own_z, N, &testing_error));
    check_ok(ecc_model_decode(m, again, own_z, N, &testing_error));
    assert_memory_equal(z, own_z, sizeof z);
    assert_memory_equal(p, own_p, sizeof p);
    for (size_t i = 0; i < N; i++) {
        double distance = 0, sum = 0;
        for (size_t k = 0; k < D; k++) {
            distance += pow((double)p[i * D + k], 2) / c.eigenvalues[k];
        }
        for (size_t j = 0; j < SIZE; j++) {
            sum += pow((double)x[i * SIZE + j] - (double)again[i * SIZE + j], 2);
        }
        check_relative(t2[i], distance, 1e-12, "T2");
        check_relative(q[i], sum, 1e-12, "Q");
        check_relative(error[i], sum / SIZE, 1e-12, "error");
    }
    double only[N];
    const struct ecc_measures some = {.t2 = only};
    check_ok(ecc_model_measure(m, &some, x, N, &testing_error));
    assert_memory_equal(only, t2, sizeof t2);

    struct ecc_limits limits, kept;
    check_ok(ecc_model_limits(m, &limits, NULL, NULL, &testing_error));
    check_ok(ecc_model_limits(m, &kept, NULL, NULL, &testing_error)); /* from the file */
    assert_memory_equal(&limits, &kept, sizeof limits);
    assert_int_equal(limits.items, 210);
    check_relative(limits.t2[0], 3.0 * 211 / 207 * 2.648219996732213, 1e-9, "F(3, 207) at 95%");
    check_relative(limits.t2[1], 3.0 * 211 / 207 * 3.87760760505545, 1e-9, "F(3, 207) at 99%");
    assert_true(limits.q[0] > 0 && limits.q[1] >= limits.q[0]);
    check_relative(ecc_limits_excess(&limits, 2 * limits.t2[1], limits.q[1]), 2, 1e-12, "excess");
    check_relative(ecc_limits_excess(&limits, 0, 3 * limits.q[1]), 3, 1e-12, "excess");
    ecc_components_release(&c);
    ecc_dataset_close(data);
    ecc_model_close(m);
}

static void test_public_view(void **state)
{
    (void)state;
    struct ecc_model *m;
    struct ecc_dataset *data;
    float *z, *listed = malloc(sizeof *listed * 30 * 3);
    int32_t *labels;
    size_t n;
    check_ok(ecc_model_open(&m, run_directory, NULL, &testing_error));
    const struct ecc_model_info info = ecc_model_describe(m);
    assert_true(info.latent == 3 && info.channels == 1 && info.height == 28 && info.width == 28);
    assert_true(info.size == 784 && info.finished && info.columns == 0 && !info.mean);
    assert_string_equal(info.data, "glyphs");
    check_ok(ecc_model_latents(m, &z, &labels, &n, "glyphs:test", 30, NULL, &testing_error));
    assert_int_equal(n, 30);
    check_ok(ecc_model_open_data(m, &data, "glyphs:test", 30, &testing_error));
    check_ok(ecc_model_encode_data(m, listed, data, NULL, 30, NULL, &testing_error));
    assert_memory_equal(z, listed, sizeof *z * 30 * 3);
    assert_memory_equal(labels, data->labels, 30 * sizeof *labels);
    free(z);
    free(labels);
    free(listed);
    ecc_dataset_close(data);
    check_ok(ecc_model_latents(m, &z, NULL, &n, NULL, 0, NULL, &testing_error));
    assert_int_equal(n, 260);
    free(z);
    check_fails(ecc_model_latents(m, &z, NULL, &n, "/nowhere/x.npy", 0, NULL, &testing_error),
                ECC_IO, "/nowhere/x.npy");
    assert_null(z);
    ecc_model_close(m);
}

static void test_training_items(void **state)
{
    (void)state;
    struct ecc_model *m;
    struct ecc_dataset *data;
    uint32_t *items;
    size_t count;
    check_ok(ecc_model_open(&m, run_directory, NULL, &testing_error));
    check_ok(ecc_model_open_data(m, &data, NULL, 0, &testing_error));
    assert_int_equal(data->count, 260);
    check_ok(ecc_model_training_items(m, &items, &count, data, &testing_error));
    assert_int_equal(count, 210);
    for (size_t i = 1; i < count; i++) assert_true(items[i] > items[i - 1] && items[i] < 260);
    free(items);
    ecc_dataset_close(data);
    ecc_model_close(m);
}

struct observed {
    size_t done;
    char remark[200];
};

static bool stop_at_once(void *context, const struct ecc_work *work)
{
    ((struct observed *)context)->done = work->done;
    return false;
}

static void keep_remark(void *context, const char *sentence)
{
    struct observed *const observed = context;
    snprintf(observed->remark, sizeof observed->remark, "%s", sentence);
}

static void test_components_are_kept(void **state)
{
    (void)state;
    struct ecc_model *m;
    struct ecc_components a, b;
    struct observed seen = {0};
    const struct ecc_watch watch = {stop_at_once, keep_remark, &seen};
    const struct ecc_watch patient = {NULL, keep_remark, &seen};
    check_ok(ecc_model_open(&m, run_directory, NULL, &testing_error));
    /* the training has left them there: nothing is encoded, so nothing stops it */
    check_ok(ecc_model_components(m, &a, NULL, &watch, &testing_error));
    assert_int_equal(a.count, 210);
    ecc_model_close(m);
    /* other weights: not used, silently; a broken file: not used, with a remark */
    check_ok(ecc_model_open(&m, run_directory, NULL, &testing_error));
    m->weight_sum ^= 1;
    check_fails(ecc_model_components(m, &b, NULL, &watch, &testing_error), ECC_INTERRUPTED,
                "100 of 210");
    assert_string_equal(seen.remark, "");
    m->weight_sum ^= 1;
    char *const path = ecc_run_path(m->run, ECC_COMPONENTS_FILE);
    FILE *const stream = fopen(path, "wb");
    assert_non_null(stream);
    fclose(stream);
    check_ok(ecc_model_components(m, &b, NULL, &patient, &testing_error));
    assert_non_null(strstr(seen.remark, "computing the components again"));
    for (size_t i = 0; i < 9; i++) assert_true(fabs(a.axes[i] - b.axes[i]) < 1e-4);
    /* one that cannot be read may be whole: it is not computed again, and not replaced */
    ecc_components_release(&b);
    ecc_model_close(m);
    check_ok(ecc_model_open(&m, run_directory, NULL, &testing_error));
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkdir(path, 0777), 0);
    check_fails(ecc_model_components(m, &b, NULL, &patient, &testing_error), ECC_IO,
                "Is a directory");
    assert_int_equal(rmdir(path), 0);
    check_ok(ecc_model_components(m, &b, NULL, &patient, &testing_error));
    free(path);
    ecc_components_release(&a);
    ecc_components_release(&b);
    ecc_model_close(m);
}

/* What a model makes of one item, there and back. */
static void check_same_model(struct ecc_model *a, struct ecc_model *b)
{
    float x[784], z[2][3], y[2][784];
    struct ecc_components c[2];
    for (size_t i = 0; i < 784; i++) x[i] = (float)(i % 7) / 7;
    check_ok(ecc_model_encode(a, z[0], x, 1, &testing_error));
    check_ok(ecc_model_encode(b, z[1], x, 1, &testing_error));
    assert_memory_equal(z[0], z[1], sizeof z[0]);
    check_ok(ecc_model_decode(a, y[0], z[0], 1, &testing_error));
    check_ok(ecc_model_decode(b, y[1], z[0], 1, &testing_error));
    assert_memory_equal(y[0], y[1], sizeof y[0]);
    check_ok(ecc_model_components(a, &c[0], NULL, NULL, &testing_error));
    check_ok(ecc_model_components(b, &c[1], NULL, NULL, &testing_error));
    assert_memory_equal(c[0].mean, c[1].mean, 3 * 8 * sizeof(double));
    assert_true(c[0].count == c[1].count && c[0].trace == c[1].trace);
    ecc_components_release(&c[0]);
    ecc_components_release(&c[1]);
}

static void test_bytes_and_copies(void **state)
{
    (void)state;
    struct ecc_model *m, *again;
    struct ecc_components c;
    unsigned char *bytes;
    size_t size;
    check_ok(ecc_model_open(&m, run_directory, NULL, &testing_error));
    check_ok(ecc_model_components(m, &c, NULL, NULL, &testing_error));
    ecc_components_release(&c);
    check_ok(ecc_model_save_bytes(m, &bytes, &size, &testing_error));
    check_ok(ecc_model_open_bytes(&again, bytes, size, NULL, &testing_error));
    check_same_model(m, again);
    /* from memory to a directory, which opens as any run does */
    const char *const directory = testing_path("saved");
    check_ok(ecc_model_save(again, directory, &testing_error));
    check_fails(ecc_model_save(again, directory, &testing_error), ECC_BAD_ARGUMENT, "already");
    ecc_model_close(again);
    check_ok(ecc_model_open(&again, directory, NULL, &testing_error));
    check_same_model(m, again);
    ecc_model_close(again);
    check_ok(ecc_model_copy(&again, m, &(struct ecc_model_options){.batch = 1}, &testing_error));
    assert_int_equal(again->batch, 1);
    assert_string_equal(again->run->directory, m->run->directory);
    ecc_model_close(again);
    /* damaged */
    for (size_t cut = 0; cut < size; cut += size / 50 + 1) {
        assert_true(ecc_model_open_bytes(&again, bytes, cut, NULL, &testing_error) != ECC_OK);
        assert_null(again);
    }
    free(bytes);
    ecc_model_close(m);
}

/* Bytes of a run's weights; the caller's to free. */
static unsigned char *weights_of(const char *directory, size_t *size)
{
    unsigned char *bytes;
    char path[600];
    snprintf(path, sizeof path, "%s/model.safetensors", directory);
    check_ok(ecc_file_read(&bytes, size, path, &testing_error));
    return bytes;
}

/* The weights of a run with settings of our own: the same latents, and a run again. */
static void test_weights_from_elsewhere(void **state)
{
    (void)state;
    struct ecc_model *m, *again;
    size_t size;
    float x[20 * 784], z[20 * 3], other[20 * 3];
    unsigned char *const weights = weights_of(run_directory, &size);
    struct ecc_train_options options = ecc_train_defaults();
    options.data = "glyphs";
    options.items = 260;
    options.latent = 3;
    options.regularizer = "none";
    options.net = "auto";
    check_ok(ecc_train_adopt(&again, &options, weights, size, &testing_error));
    check_ok(ecc_model_open(&m, run_directory, NULL, &testing_error));
    ecc_rng_uniform_f32(x, 1, 1, 0, sizeof x / sizeof *x);
    check_ok(ecc_model_encode(m, z, x, 20, &testing_error));
    check_ok(ecc_model_encode(again, other, x, 20, &testing_error));
    assert_memory_equal(z, other, sizeof z);
    ecc_model_close(m);
    const char *const directory = testing_path("adopted");
    check_ok(ecc_model_save(again, directory, &testing_error));
    ecc_model_close(again);
    struct ecc_components c;
    check_ok(ecc_model_open(&again, directory, NULL, &testing_error));
    check_ok(ecc_model_components(again, &c, NULL, NULL, &testing_error));
    assert_int_equal(c.count, 260); /* nothing was kept aside */
    ecc_components_release(&c);
    ecc_model_close(again);
    options.latent = 4;
    check_fails(ecc_train_adopt(&again, &options, weights, size, &testing_error), ECC_BAD_DATA,
                "expected (4, ");
    assert_null(again);
    check_fails(ecc_train_adopt(&again, &options, weights, size / 2, &testing_error), ECC_BAD_DATA,
                "a model trained elsewhere");
    options.data = NULL;
    check_fails(ecc_train_adopt(&again, &options, weights, size, &testing_error), ECC_BAD_ARGUMENT,
                "no data was given");
    free(weights);
}

static bool stop_at_step(void *context, const struct ecc_train_progress *now)
{
    return now->step < *(const uint64_t *)context;
}

/* A table in memory: trained with and without a directory, interrupted and resumed. */
/* A table's run whose config has other numbers than the net has columns, or ones that no table has:
 * decoding would write past the end of the items. */
static void check_wrong_scaling(const char *directory, const double *mean, const double *deviation,
                                size_t columns, const char *words)
{
    struct ecc_config config;
    struct ecc_model *model;
    char *const path = ecc_path_join(directory, "config.json");
    check_ok(ecc_config_read(&config, path, &testing_error));
    ecc_config_set_numbers(&config, "data.mean", mean, columns);
    ecc_config_set_numbers(&config, "data.deviation", deviation, columns);
    check_ok(ecc_config_write(&config, &testing_error));
    ecc_config_release(&config);
    free(path);
    check_fails(ecc_model_open(&model, directory, NULL, &testing_error), ECC_BAD_DATA, words);
}

static void test_training_in_memory(void **state)
{
    (void)state;
    enum { ROWS = 200, COLUMNS = 5 };
    static float x[ROWS * COLUMNS];
    static int32_t labels[ROWS];
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        x[i] = (float)sin((double)(i / COLUMNS) * (1 + (double)(i % COLUMNS)));
    }
    for (size_t i = 0; i < ROWS; i++) labels[i] = (int32_t)(i % 3);
    const struct ecc_array_data array = {.x = x,
                                         .n = ROWS,
                                         .channels = 1,
                                         .height = 1,
                                         .width = COLUMNS,
                                         .is_table = true,
                                         .labels = labels};
    struct ecc_train_options options = ecc_train_defaults();
    struct ecc_train_result in_memory, in_directory, resumed;
    options.data = "memory:waves";
    options.batch = 20;
    options.latent = 3;
    options.epochs = 3;
    options.threads = 1;
    check_fails(ecc_train(&in_memory, &options, NULL, &testing_error), ECC_IO, "memory:waves");
    check_ok(ecc_data_lend("waves", &array, &testing_error));
    check_ok(ecc_train(&in_memory, &options, NULL, &testing_error));
    assert_true(in_memory.items == 180 && in_memory.validation_items == 36); /* a refit */
    const char *const directory = strdup(testing_path("waves"));
    const char *const broken = strdup(testing_path("waves-broken"));
    struct ecc_train_job job = {.out = directory};
    check_ok(ecc_train(&in_directory, &options, &job, &testing_error));
    assert_true(in_memory.error == in_directory.error && in_memory.loss == in_directory.loss);
    /* stopped at step 5 and resumed: the same weights */
    uint64_t stop = 5;
    job = (struct ecc_train_job){.out = broken, .on_step = stop_at_step, .context = &stop};
    check_fails(ecc_train(&resumed, &options, &job, &testing_error), ECC_INTERRUPTED,
                "interrupted after step 5");
    assert_null(strstr(testing_error.text, "--")); /* programs have no options */
    /* without a directory, the model so far is kept for those who ask for it */
    struct ecc_train_job watched = {.on_step = stop_at_step, .context = &stop};
    struct ecc_train_result stopped;
    check_fails(ecc_train(&stopped, &options, &watched, &testing_error), ECC_INTERRUPTED, "step 5");
    assert_null(stopped.model);
    watched.keep_stopped = true;
    check_ok(ecc_train(&stopped, &options, &watched, &testing_error));
    assert_true(stopped.steps == 5 && stopped.components.d == 3 && isfinite(stopped.error));
    float z[3];
    check_ok(ecc_model_encode(stopped.model, z, x, 1, &testing_error));
    ecc_train_result_release(&stopped);
    job.on_step = NULL;
    static const double odd[] = {-1, NAN, INFINITY, 1e9};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        check_fails(ecc_train_resume(&resumed, odd[i], &job, &testing_error), ECC_BAD_ARGUMENT,
                    "train.epochs");
    }
    check_ok(ecc_train_resume(&resumed, 0, &job, &testing_error));
    size_t sizes[2];
    unsigned char *const a = weights_of(directory, &sizes[0]), *const b =
                                                                   weights_of(broken, &sizes[1]);
    assert_true(sizes[0] == sizes[1]);
    assert_memory_equal(a, b, sizes[0]);
    free(a);
    free(b);
    ecc_train_result_release(&in_memory);
    ecc_train_result_release(&in_directory);
    ecc_train_result_release(&resumed);
    ecc_data_return("waves");
    const double ones[20] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const double zeros[20] = {0}, gaps[20] = {NAN};
    check_wrong_scaling(directory, zeros, ones, 20, "data.mean");
    check_wrong_scaling(directory, zeros, zeros, array.width, "data.deviation");
    check_wrong_scaling(directory, gaps, ones, array.width, "data.mean");
    free((char *)directory);
    free((char *)broken);
}

/* Of the address space, in MiB; 0 where the system does not tell. */
static size_t peak_mebibytes(void)
{
    FILE *const stream = fopen("/proc/self/status", "r");
    char line[200];
    size_t kilobytes = 0;
    while (stream && kilobytes == 0 && fgets(line, sizeof line, stream)) {
        if (sscanf(line, "VmPeak: %zu", &kilobytes) != 1) kilobytes = 0;
    }
    if (stream) fclose(stream);
    return kilobytes / 1024;
}

/* A batch that is larger than the data is refused before memory is planned for it. */
static void test_batch_beyond_the_data(void **state)
{
    (void)state;
    static float x[30 * 64];
    const struct ecc_array_data images = {.x = x, .n = 30, .channels = 1, .height = 8, .width = 8};
    check_ok(ecc_data_lend("black", &images, &testing_error));
    struct ecc_train_options options = ecc_train_defaults();
    struct ecc_train_result result;
    options.data = "memory:black";
    options.batch = 1000000;
    const size_t before = peak_mebibytes();
    check_fails(ecc_train(&result, &options, NULL, &testing_error), ECC_BAD_DATA,
                "has 22 items to train on, expected at least one batch of 1000000");
    assert_in_range(peak_mebibytes() - before, 0, 500);
    ecc_data_return("black");
}

static void test_checkpoint_and_means(void **state)
{
    (void)state;
    struct ecc_model *m;
    float x[784] = {0}, z[3];
    const char *const directory = testing_path("kl");
    train(directory, "kl", false);
    check_ok(ecc_model_open(&m, directory, NULL, &testing_error));
    assert_true(!m->finished && m->step == 4 && m->spec->encoder_outputs == 6);
    check_ok(ecc_model_encode(m, z, x, 1, &testing_error));
    assert_true(isfinite(z[0]) && isfinite(z[1]) && isfinite(z[2]));
    ecc_model_close(m);
}

static void test_refusals(void **state)
{
    (void)state;
    struct ecc_model *m;
    struct ecc_dataset *data;
    check_fails(ecc_model_open(&m, testing_path("none"), NULL, &testing_error), ECC_BAD_DATA,
                "is not a run");
    check_ok(ecc_model_open(&m, run_directory, NULL, &testing_error));
    const size_t shape[] = {30, 8, 8};
    uint8_t pixels[30 * 64] = {0};
    const struct ecc_array small = {
        ECC_U1, 3, {shape[0], shape[1], shape[2]}, sizeof pixels, pixels};
    const char *const path = testing_path("small.npy");
    check_ok(ecc_npy_write(path, &small, &testing_error));
    check_fails(ecc_model_open_data(m, &data, path, 0, &testing_error), ECC_BAD_DATA,
                "images (1 x 8 x 8), but those of the run");
    check_fails(ecc_model_open_data(m, &data, "/nowhere/x.npy", 0, &testing_error), ECC_IO,
                "/nowhere/x.npy");
    ecc_model_close(m);
}

/* The squared error of x: [n, size] decoded from their first k components p: [n, d]. */
static double error_with(struct ecc_model *m, const struct ecc_components *c, const float *x,
                         const float *p, size_t n, size_t k)
{
    float *const z = malloc(n * m->d * sizeof *z), *const y = malloc(n * m->size * sizeof *y);
    double sum = 0;
    for (size_t i = 0; i < n * m->d; i++) z[i] = i % m->d < k ? p[i] : 0;
    check_ok(ecc_components_restore(c, z, z, n, &testing_error));
    check_ok(ecc_model_decode(m, y, z, n, &testing_error));
    for (size_t i = 0; i < n * m->size; i++) sum += pow((double)x[i] - (double)y[i], 2);
    free(z);
    free(y);
    return sum;
}

/* What components explain of the data, against the plain definition; it is in the file. */
static void test_explained(void **state)
{
    (void)state;
    struct ecc_model *m;
    struct ecc_components c, stored;
    struct ecc_dataset *data;
    uint32_t *items, sum;
    size_t n;
    check_ok(ecc_model_open(&m, run_directory, NULL, &testing_error));
    check_ok(ecc_model_open_data(m, &data, NULL, 0, &testing_error));
    check_ok(ecc_model_training_items(m, &items, &n, data, &testing_error));
    float *const x = malloc(n * m->size * sizeof *x), *const p = malloc(n * m->d * sizeof *p);
    check_ok(ecc_dataset_read(data, x, items, n, &testing_error));
    check_ok(ecc_model_encode(m, p, x, n, &testing_error));
    check_ok(ecc_model_explained(m, &c, NULL, NULL, &testing_error));
    check_ok(ecc_components_project(&c, p, p, n, &testing_error));
    double variance = 0;
    for (size_t j = 0; j < m->size; j++) {
        double mean = 0;
        for (size_t i = 0; i < n; i++) mean += (double)x[i * m->size + j] / (double)n;
        for (size_t i = 0; i < n; i++) variance += pow((double)x[i * m->size + j] - mean, 2);
    }
    double kept = c.of_mean;
    for (size_t k = 0; k <= m->d; k++) {
        check_absolute(kept, 1 - error_with(m, &c, x, p, n, k) / variance, 1e-5, "share kept");
        if (k < m->d) kept += c.of_data[k];
    }
    char path[400];
    snprintf(path, sizeof path, "%s/" ECC_COMPONENTS_FILE, run_directory);
    check_ok(ecc_components_read(&stored, &sum, path, &testing_error));
    assert_memory_equal(stored.of_data, c.of_data, m->d * sizeof *c.of_data);
    assert_true(stored.of_mean == c.of_mean);
    ecc_components_release(&stored);
    ecc_components_release(&c);
    free(x);
    free(p);
    free(items);
    ecc_dataset_close(data);
    ecc_model_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measures),           cmocka_unit_test(test_explained),
        cmocka_unit_test(test_encode_decode),      cmocka_unit_test(test_public_view),
        cmocka_unit_test(test_training_items),     cmocka_unit_test(test_components_are_kept),
        cmocka_unit_test(test_bytes_and_copies),   cmocka_unit_test(test_weights_from_elsewhere),
        cmocka_unit_test(test_training_in_memory), cmocka_unit_test(test_checkpoint_and_means),
        cmocka_unit_test(test_refusals),           cmocka_unit_test(test_batch_beyond_the_data),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
