/*
 * fuzz_run.c: a run directory of which one file is any bytes: opened and used.
 *
 * The first byte is the file; the others are those of a small run of tests/old.  The directory is
 * made once, in memory where the system has that.
 */
#include "base/file.h"
#include "fuzz.h"
#include "model/model.h"
#include "run/metrics.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const files[] = {"config.json",        "model.safetensors", "components.npz",
                                    "metrics.jsonl",      "result.json",       "checkpoint",
                                    "checkpoint.previous"};
enum { FILES = sizeof files / sizeof files[0] };

static char directory[200];
static unsigned char *contents[FILES]; /* NULL: the run has no such file */
static size_t sizes[FILES];

static void path_of(char path[300], size_t file)
{
    snprintf(path, 300, "%s/%s", directory, files[file]);
}

static void put(size_t file, const unsigned char *bytes, size_t size)
{
    char path[300];
    path_of(path, file);
    FILE *const stream = bytes ? fopen(path, "wb") : NULL;
    if (!bytes) unlink(path);
    require(!bytes || (stream && fwrite(bytes, 1, size, stream) == size && fclose(stream) == 0));
}

static void remove_all(void)
{
    char path[300];
    for (size_t i = 0; i < FILES; i++) {
        path_of(path, i);
        unlink(path);
    }
    rmdir(directory);
}

static void make_run(void)
{
    snprintf(directory, sizeof directory, "%s/ecc-fuzz-run-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    require(mkdtemp(directory) != NULL);
    atexit(remove_all);
    for (size_t i = 0; i < FILES; i++) {
        char *const path = ecc_path_join(ECC_FUZZ_RUN, files[i]);
        struct ecc_error unused;
        if (ecc_file_read(&contents[i], &sizes[i], path, &unused) != ECC_OK) contents[i] = NULL;
        put(i, contents[i], sizes[i]);
        free(path);
    }
}

/* A row, there and back. */
static void use(struct ecc_model *model)
{
    struct ecc_error error = {0};
    float *const x = calloc(model->size + 1, sizeof *x), *const z = calloc(model->d + 1, sizeof *z);
    struct ecc_components components = {0};
    require(x && z);
    if (ecc_model_encode(model, z, x, 1, &error) != ECC_OK) check_sentence(&error);
    error = (struct ecc_error){0};
    if (ecc_model_decode(model, x, z, 1, &error) != ECC_OK) check_sentence(&error);
    error = (struct ecc_error){0};
    if (ecc_model_components(model, &components, NULL, NULL, &error) != ECC_OK) {
        check_sentence(&error);
    }
    ecc_components_release(&components);
    free(x);
    free(z);
}

static void look(void)
{
    struct ecc_model *model;
    struct ecc_metrics_table table;
    struct ecc_error error = {0};
    const struct ecc_model_options options = {.threads = 1};
    if (ecc_model_open(&model, directory, &options, &error) == ECC_OK) {
        use(model);
        ecc_model_close(model);
    } else {
        check_sentence(&error);
    }
    error = (struct ecc_error){0};
    if (ecc_metrics_read(&table, directory, &error) == ECC_OK) {
        ecc_metrics_table_release(&table);
    } else {
        check_sentence(&error);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!directory[0]) make_run();
    if (size == 0) return 0;
    const size_t file = bytes[0] % FILES;
    put(file, bytes + 1, size - 1);
    look();
    put(file, contents[file], sizes[file]);
    return 0;
}
