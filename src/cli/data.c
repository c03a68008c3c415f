/* data.c: `eccentric data info`: what a data set contains, and what is unusual about it. */
#include "cli/data_print.h"
#include "cli/shared.h"
#include "data/look.h"
#include "data/source.h"
#include "figure/plot.h"
#include "run/stored.h"
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHEET_ITEMS = 100,
    TABLE_ROWS = 40, /* of a table's picture */
    TABLE_COLUMNS = 60,
};

struct data_settings {
    struct ecc_common common;
    struct ecc_data_words data;
    const char *out;
    int split;
};

static const struct ecc_option data_options[] = {
    {"split", ECC_CHOICE, ECC_TO(data_settings, split), NULL,
     "which part (default train); the same as DATA:test", .choices = ecc_split_names},
    ECC_OPTIONS_DATA(data_settings, data),
    {"out", ECC_TEXT, ECC_TO(data_settings, out), "SHEET.png",
     "draw examples to a .png, .svg or .pdf file", .writes = ECC_FORMAT_PICTURE},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status data_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    const struct data_settings *const s = settings;
    return s->out ? ecc_figure_check_path(s->out, error) : ECC_OK;
}

/* ---- The picture ---------------------------------------------------------------------------- */

/* Reads examples spread over the set into x: [count, channels, height, width]. */
static enum ecc_status read_spread(float *x, uint32_t *items, struct ecc_dataset *data,
                                   size_t count, struct ecc_error *error)
{
    for (size_t i = 0; i < count; i++) {
        items[i] = ecc_data_spread(data, i, count);
    }
    return ecc_dataset_read(data, x, items, count, error);
}

static enum ecc_status draw_images(struct ecc_dataset *data, const float *x, const uint32_t *items,
                                   size_t count, const char *path, struct ecc_error *error)
{
    const char *captions[SHEET_ITEMS];
    char numbers[SHEET_ITEMS][24];
    for (size_t i = 0; i < count && data->labels; i++) {
        captions[i] = ecc_data_class_name(data, data->labels[items[i]], numbers[i]);
    }
    struct ecc_plot plot;
    ecc_plot_start(&plot, data->name, 640, 640);
    plot.figure.caption = ecc_plot_text(&plot, "%zu of %zu items", count, data->count);
    /* a sheet shows one channel or three */
    const size_t channels = data->shape.channels == 3 ? 3 : 1;
    const size_t height = data->shape.height * data->shape.channels / channels;
    struct ecc_sheet *const sheet =
        ecc_plot_sheet(&plot, x, count, channels, height, data->shape.width);
    sheet->captions = data->labels ? captions : NULL;
    return ecc_plot_write(&plot, path, error);
}

static enum ecc_status draw_table(struct ecc_dataset *data, const float *x, size_t rows,
                                  const char *path, struct ecc_error *error)
{
    const size_t all = data->shape.channels, columns = all < TABLE_COLUMNS ? all : TABLE_COLUMNS;
    double values[TABLE_ROWS * TABLE_COLUMNS];
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            values[i * columns + j] = (double)x[i * all + j];
        }
    }
    struct ecc_plot plot;
    ecc_plot_start(&plot, data->name, 640, 640);
    plot.figure.caption = ecc_plot_text(&plot, "%zu of %zu rows, %zu of %zu columns", rows,
                                        data->count, columns, all);
    struct ecc_heat *const heat = ecc_plot_heat(&plot, NULL, values, rows, columns);
    heat->limit = 3;
    heat->row_label = "rows";
    heat->column_label = "columns";
    heat->scale_label = "deviations from the mean";
    return ecc_plot_write(&plot, path, error);
}

static enum ecc_status draw_examples(struct ecc_dataset *data, const char *path,
                                     struct ecc_error *error)
{
    const size_t most = data->is_table ? TABLE_ROWS : SHEET_ITEMS;
    const size_t count = data->count < most ? data->count : most;
    uint32_t items[SHEET_ITEMS];
    float *const x = calloc(count, ecc_shape_size(data->shape) * sizeof *x);
    if (!x) return ecc_fail_memory(error, "examples");
    enum ecc_status status = read_spread(x, items, data, count, error);
    if (status == ECC_OK) {
        status = data->is_table ? draw_table(data, x, count, path, error)
                                : draw_images(data, x, items, count, path, error);
    }
    free(x);
    return status;
}

/* ---- The command ---------------------------------------------------------------------------- */

static enum ecc_status open_data(struct ecc_dataset **data, const struct data_settings *s,
                                 const char *what, struct ecc_error *error)
{
    const struct ecc_data_options options = ecc_data_words_read(&s->data, s->common.seed);
    if (s->split < 0) return ecc_dataset_open(data, what, &options, error);
    const char *const split = ecc_split_names[s->split];
    char *const name = malloc(strlen(what) + strlen(split) + 2);
    if (!name) return ecc_fail_memory(error, "a name");
    sprintf(name, "%s:%s", what, split);
    const enum ecc_status status = ecc_dataset_open(data, name, &options, error);
    free(name);
    return status;
}

/* Rows of the parts.  A source that opens one part alone is asked for the other. */
static struct ecc_data_parts split_of(const struct ecc_dataset *data, const struct data_settings *s,
                                      const char *what)
{
    struct ecc_data_parts parts = {0};
    const struct ecc_train_options usual = ecc_train_defaults();
    for (size_t row = 0; data->test && row < data->source_rows; row++)
        parts.test += data->test[row];
    parts.train = data->source_rows - parts.test;
    if (!data->test) {
        const bool test = data->split == ECC_SPLIT_TEST;
        const struct ecc_data_options options = ecc_data_words_read(&s->data, s->common.seed);
        char *const name = ecc_data_part_name(what, test ? "train" : "test");
        struct ecc_dataset *other = NULL;
        struct ecc_error unused;
        if (!name || ecc_dataset_open(&other, name, &options, &unused) != ECC_OK) other = NULL;
        parts.train = test ? other ? other->source_rows : 0 : data->source_rows;
        parts.test = test ? data->source_rows : other ? other->source_rows : 0;
        ecc_dataset_close(other);
        free(name);
    }
    const size_t used = s->data.items && s->data.items < parts.train ? s->data.items : parts.train;
    parts.validation = ecc_run_aside(used, &usual);
    return parts;
}

/* Of images in files, also at a size that is usual. */
static struct ecc_data_times time_training(struct ecc_dataset *data, const struct data_settings *s,
                                           const char *what)
{
    struct ecc_data_times times = {0};
    struct ecc_train_options options = ecc_data_words_train(&s->data);
    struct ecc_error unused;
    if (data->split == ECC_SPLIT_TEST) return times;
    options.data = what;
    options.threads = s->common.threads;
    const enum ecc_status status =
        ecc_train_estimate_of(&times.here, data, &options, &times.problem);
    if (status != ECC_OK || s->data.size || !ecc_data_is_large(data) || !data->source->paths) {
        return times;
    }
    options.size = ECC_DATA_SMALL;
    if (ecc_train_estimate(&times.small, &options, &unused) != ECC_OK) times.small.seconds = 0;
    return times;
}

static enum ecc_status data_run(void *settings, const char *const *operands, size_t count,
                                struct ecc_error *error)
{
    (void)count;
    const struct data_settings *const s = settings;
    struct ecc_dataset *data;
    ECC_TRY(open_data(&data, s, operands[0], error));
    struct ecc_data_info found;
    enum ecc_status status = ecc_data_look(&found, data, error);
    if (status == ECC_OK && s->out) status = draw_examples(data, s->out, error);
    if (status == ECC_OK) {
        const struct ecc_data_findings findings = {data,
                                                   &found,
                                                   split_of(data, s, operands[0]),
                                                   time_training(data, s, operands[0]),
                                                   s->out,
                                                   s->data.label != NULL};
        if (s->common.json) {
            status = ecc_data_print_json(&findings, error);
        } else {
            ecc_data_print(&findings);
        }
    }
    ecc_data_info_release(&found);
    ecc_dataset_close(data);
    return status;
}

static void data_defaults(void *settings)
{
    struct data_settings *const s = settings;
    s->split = -1;
}

const struct ecc_command ecc_command_data_info = {
    .name = "data info",
    .operands = "DATA",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "describe a data set, and what is odd about it",
    .description =
        "Opens DATA as training would and reports items, sizes, labels, the range of values, and "
        "anything odd, and how long a training with default settings would take here. DATA is a "
        "directory of idx files (raw or gzipped), a folder of PNG, "
        "JPEG and WebP images (subfolders are labels, or train and test with such subfolders), "
        "CelebA, a "
        ".npy or .npz file, a table as text, or a name: glyphs, mnist, fashion-mnist, celeba. "
        "Names are searched in $ECCENTRIC_DATA, ~/.local/share/eccentric and /usr/share/datasets. "
        "DATA:train, DATA:test and DATA:all pick a part.",
    .examples = "  eccentric data info glyphs --out sheet.png\n"
                "  eccentric data info faces/ --crop 140 --size 64 --json\n"
                "  eccentric data info table.csv:all --label species\n",
    .options = data_options,
    .settings_size = sizeof(struct data_settings),
    .defaults = data_defaults,
    .check = data_check,
    .run = data_run,
};
