/* data.c: `eccentric data info`: what a data set contains, and what is unusual about it. */
#include "base/rng.h"
#include "base/streams.h"
#include "cli/output.h"
#include "cli/shared.h"
#include "data/look.h"
#include "data/source.h"
#include "figure/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHEET_ITEMS = 100,
    TABLE_ROWS = 40, /* of a table's picture */
    TABLE_COLUMNS = 60,
    SHOWN_CLASSES = 40,
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
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status data_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    const struct data_settings *const s = settings;
    return s->out ? ecc_figure_check_path(s->out, error) : ECC_OK;
}

/* ---- Looking -------------------------------------------------------------------------------- */

static const char *class_name(const struct ecc_dataset *data, int32_t class, char number[24])
{
    if (class < 0) return "no label";
    if (data->class_names) return data->class_names[class];
    snprintf(number, 24, "%d", class);
    return number;
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
        captions[i] = class_name(data, data->labels[items[i]], numbers[i]);
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

/* ---- Words ---------------------------------------------------------------------------------- */

static double attribute_share(const struct ecc_dataset *data, size_t attribute)
{
    size_t set = 0;
    for (size_t i = 0; i < data->count; i++) {
        set += data->attributes[i * data->attribute_count + attribute];
    }
    return (double)set / (double)data->count;
}

static void factor_moments(double *mean, double *deviation, const struct ecc_dataset *data,
                           size_t factor)
{
    double sum = 0, square = 0;
    for (size_t i = 0; i < data->count; i++) {
        const double value = (double)data->factors[i * data->factor_count + factor];
        sum += value;
        square += value * value;
    }
    *mean = sum / (double)data->count;
    *deviation = sqrt(fmax(0, square / (double)data->count - *mean * *mean));
}

static void print_labels(const struct ecc_dataset *data, const struct ecc_data_info *found)
{
    if (!data->labels) {
        if (!data->attributes) printf("labels      none\n");
        return;
    }
    printf("labels      %zu classes\n", data->class_count);
    char number[24];
    for (size_t i = 0; i < data->class_count && i < SHOWN_CLASSES; i++) {
        printf("              %-20s %zu\n", class_name(data, (int32_t)i, number),
               found->class_counts[i]);
    }
    if (data->class_count > SHOWN_CLASSES) {
        printf("              and %zu more\n", data->class_count - SHOWN_CLASSES);
    }
}

static void print_remarks(const struct ecc_dataset *data)
{
    for (const char *line = data->remark; line && *line;) {
        const size_t length = strcspn(line, "\n");
        printf("remark      %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void print_findings(const struct ecc_dataset *data, const struct ecc_data_info *found)
{
    const struct ecc_item_shape shape = data->shape;
    printf("data        %s\n", data->name);
    printf("source      %s: %s\n", data->source->name, data->source->summary);
    printf("items       %zu\n", data->count);
    if (data->is_table) {
        printf("shape       %zu columns\n", shape.channels);
    } else {
        printf("shape       %zu x %zu x %zu (%s images)\n", shape.channels, shape.height,
               shape.width,
               shape.channels == 1   ? "grey"
               : shape.channels == 3 ? "RGB"
                                     : "other");
    }
    printf("values      %.4g to %.4g, mean %.4g%s", found->low, found->high, found->mean,
           data->is_table ? ", standardised" : "");
    if (found->looked_at < data->count) printf(" (of %zu items)", found->looked_at);
    printf("\n");
    print_labels(data, found);
    if (data->attributes) printf("attributes  %zu\n", data->attribute_count);
    for (size_t i = 0; data->attributes && i < data->attribute_count; i++) {
        printf("              %-20s %5.1f%%\n", data->attribute_names[i],
               100 * attribute_share(data, i));
    }
    if (data->factors) printf("factors     %zu, mean and deviation\n", data->factor_count);
    for (size_t i = 0; data->factors && i < data->factor_count; i++) {
        double mean, deviation;
        factor_moments(&mean, &deviation, data, i);
        printf("              %-20s %.4g  %.4g\n", data->factor_names[i], mean, deviation);
    }
    print_remarks(data);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *json_classes(const struct ecc_dataset *data, const struct ecc_data_info *found)
{
    json_t *const list = json_array();
    for (size_t i = 0; data->labels && i < data->class_count; i++) {
        char number[24];
        json_t *const entry = json_object();
        ecc_json_text(entry, "name", class_name(data, (int32_t)i, number));
        ecc_json_count(entry, "items", found->class_counts[i]);
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *json_attributes(const struct ecc_dataset *data)
{
    json_t *const list = json_array();
    for (size_t i = 0; data->attributes && i < data->attribute_count; i++) {
        json_t *const entry = json_object();
        ecc_json_text(entry, "name", data->attribute_names[i]);
        ecc_json_number(entry, "share", attribute_share(data, i));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *json_factors(const struct ecc_dataset *data)
{
    json_t *const list = json_array();
    for (size_t i = 0; data->factors && i < data->factor_count; i++) {
        json_t *const entry = json_object();
        double mean, deviation;
        factor_moments(&mean, &deviation, data, i);
        ecc_json_text(entry, "name", data->factor_names[i]);
        ecc_json_number(entry, "mean", mean);
        ecc_json_number(entry, "deviation", deviation);
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *json_remarks(const struct ecc_dataset *data)
{
    json_t *const list = json_array();
    for (const char *line = data->remark; line && *line;) {
        const size_t length = strcspn(line, "\n");
        json_array_append_new(list, json_stringn(line, length));
        line += length + (line[length] == '\n');
    }
    return list;
}

static enum ecc_status print_json(const struct ecc_dataset *data, const struct ecc_data_info *found,
                                  const char *sheet, struct ecc_error *error)
{
    json_t *const json = json_object();
    ecc_json_text(json, "data", data->name);
    ecc_json_text(json, "source", data->source->name);
    ecc_json_count(json, "items", data->count);
    ecc_json_flag(json, "table", data->is_table);
    ecc_json_count(json, "channels", data->shape.channels);
    ecc_json_count(json, "height", data->shape.height);
    ecc_json_count(json, "width", data->shape.width);
    ecc_json_number(json, "low", found->low);
    ecc_json_number(json, "high", found->high);
    ecc_json_number(json, "mean", found->mean);
    ecc_json_count(json, "looked_at", found->looked_at);
    json_object_set_new(json, "classes", json_classes(data, found));
    json_object_set_new(json, "attributes", json_attributes(data));
    json_object_set_new(json, "factors", json_factors(data));
    json_object_set_new(json, "remarks", json_remarks(data));
    if (sheet) ecc_json_text(json, "sheet", sheet);
    return ecc_json_print(json, error);
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
        if (s->common.json) {
            status = print_json(data, &found, s->out, error);
        } else {
            print_findings(data, &found);
            if (s->out) printf("sheet       %s\n", s->out);
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
        "anything odd. DATA is a directory of idx files (raw or gzipped), a folder of PNG, "
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
