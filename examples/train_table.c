/*
 * train_table.c: a table in memory: trained, evaluated, sampled from, saved, through the library
 * alone.
 *
 *   cc train_table.c $(pkg-config --cflags --libs eccentric_train) -lm -o train_table
 *   ./train_table [TABLE.csv]
 *
 * The table has three kinds of noisy curves, eight columns a row.  With a file name it is written
 * there, too: `eccentric train TABLE.csv` with the options below gives the same numbers.
 */
#include <eccentric_evaluate.h>
#include <eccentric_train.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 900, COLUMNS = 8, CLASSES = 3, SAMPLES = 3 };

static struct ecc_error error;

static void check(enum ecc_status status)
{
    if (status == ECC_OK) return;
    fprintf(stderr, "train_table: %s\n", error.text);
    exit(1);
}

/* x: [ROWS, COLUMNS], labels: [ROWS] */
static void draw_table(float *x, int32_t *labels)
{
    unsigned state = 1;
    for (int i = 0; i < ROWS; i++) {
        labels[i] = i % CLASSES;
        const double phase = i * 0.37;
        for (int k = 0; k < COLUMNS; k++) {
            state = state * 1664525u + 1013904223u;
            const double noise = (double)(state >> 8) / (1 << 24) - 0.5;
            const double curve = labels[i] == 0   ? sin(phase + k * 0.5)
                                 : labels[i] == 1 ? cos(phase) * k / COLUMNS
                                                  : (k - 3.5) * (k - 3.5) / 8 + sin(phase);
            x[i * COLUMNS + k] = (float)(curve + 1.5 * noise);
        }
    }
}

static void write_table(const char *path, const float *x, const int32_t *labels)
{
    FILE *const file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    for (int k = 0; k < COLUMNS; k++) fprintf(file, "c%d,", k);
    fprintf(file, "label\n");
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < COLUMNS; k++) fprintf(file, "%.17g,", (double)x[i * COLUMNS + k]);
        fprintf(file, "%d\n", labels[i]);
    }
    fclose(file);
}

/* A line now and then; returning false would stop the training. */
static bool on_step(void *context, const struct ecc_train_progress *now)
{
    (void)context;
    if (now->epoch_ended && now->step == now->total) {
        fprintf(stderr, "step %llu of %llu, error %.4f\n", (unsigned long long)now->step,
                (unsigned long long)now->total, now->error);
    }
    return true;
}

/* How well the nearest neighbours in latent space name the classes of the test part. */
static void classify(struct ecc_model *model)
{
    struct ecc_classification found;
    check(ecc_classify(&found, model, NULL, NULL, &error));
    const struct ecc_classify_row *const row = &found.rows[found.row_count - 1];
    printf("knn_error %.15g pca %.15g columns %.15g\n", row->error[ECC_VIEW_LATENTS],
           row->error[ECC_VIEW_PCA], row->error[ECC_VIEW_PIXELS]);
    ecc_classification_release(&found);
}

/* New rows, in the units of the table. */
static void sample(struct ecc_model *model, const struct ecc_components *components)
{
    const struct ecc_model_info info = ecc_model_describe(model);
    const struct ecc_sampler sampler = {.components = components, .seed = 1};
    float z[SAMPLES * 8], x[SAMPLES * COLUMNS];
    check(ecc_sampler_draw(&sampler, z, 0, SAMPLES, &error));
    check(ecc_model_decode(model, x, z, SAMPLES, &error));
    for (int i = 0; i < SAMPLES; i++) {
        printf("sample");
        for (int k = 0; k < COLUMNS; k++) {
            printf(" %.5f", (double)x[i * COLUMNS + k] * info.deviation[k] + info.mean[k]);
        }
        printf("\n");
    }
}

/* The whole model fits in a block of bytes. */
static void save_and_open(const struct ecc_model *model)
{
    unsigned char *bytes;
    size_t size;
    struct ecc_model *again;
    check(ecc_model_save_bytes(model, &bytes, &size, &error));
    check(ecc_model_open_bytes(&again, bytes, size, NULL, &error));
    fprintf(stderr, "the model is %zu bytes\n", size);
    ecc_model_close(again);
    free(bytes);
}

int main(int argc, char **argv)
{
    static float x[ROWS * COLUMNS];
    static int32_t labels[ROWS];
    draw_table(x, labels);
    if (argc > 1) write_table(argv[1], x, labels);

    const struct ecc_array_data table = {.x = x,
                                         .n = ROWS,
                                         .channels = 1,
                                         .height = 1,
                                         .width = COLUMNS,
                                         .is_table = true,
                                         .labels = labels};
    check(ecc_data_lend("curves", &table, &error));

    struct ecc_train_options options = ecc_train_defaults();
    options.data = "memory:curves";
    options.latent = 4;
    options.batch = 30;
    options.epochs = 10;
    options.threads = 1;
    const struct ecc_train_job job = {.on_step = on_step};
    struct ecc_train_result result;
    check(ecc_train(&result, &options, &job, &error));
    printf("items %zu error %.15g validation_error %.15g loss %.15g eccentricity %.15g\n",
           result.items, result.error, result.validation_error, result.loss,
           result.components.eccentricity);
    classify(result.model);
    sample(result.model, &result.components);
    save_and_open(result.model);
    ecc_train_result_release(&result);
    ecc_data_return("curves");
    return 0;
}
