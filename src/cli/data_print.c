/* data_print.c: prints what `eccentric data info` found, as words or JSON. */
#include "base/text.h"
#include "cli/data_print.h"
#include "data/columns.h"
#include "data/infer.h"

#include <math.h>
#include <string.h>

enum { SHOWN_CLASSES = 40, FAR_OUT = 20 };

const char *ecc_data_class_name(const struct ecc_dataset *data, int32_t class, char number[24])
{
    if (class < 0) return "no label";
    if (data->class_names) return data->class_names[class];
    snprintf(number, 24, "%d", class);
    return number;
}

bool ecc_data_is_large(const struct ecc_dataset *data)
{
    const struct ecc_item_shape s = data->shape;
    return !data->is_table && (s.height > ECC_DATA_LARGE || s.width > ECC_DATA_LARGE);
}

/* "up to 40 s", "up to 12 min", "up to 3.5 h": no more digits than an estimate has.  Patience
 * usually ends a training sooner. */
static const char *up_to(char out[40], double seconds)
{
    const double minutes = seconds / 60, hours = minutes / 60;
    if (seconds < 1) {
        snprintf(out, 40, "less than a second");
    } else if (seconds < 99.5) {
        snprintf(out, 40, "up to %.0f s", seconds < 15 ? ceil(seconds) : 5 * ceil(seconds / 5));
    } else if (minutes < 99.5) {
        snprintf(out, 40, "up to %.0f min", minutes < 15 ? ceil(minutes) : 5 * ceil(minutes / 5));
    } else {
        snprintf(out, 40, hours < 10 ? "up to %.1f h" : "up to %.0f h", hours);
    }
    return out;
}

/* ---- Hints ---------------------------------------------------------------------------------- */

static bool hint_size(char out[200], const struct ecc_data_findings *f)
{
    const struct ecc_item_shape s = f->data->shape;
    char time[40];
    if (!ecc_data_is_large(f->data)) return false;
    const int length =
        snprintf(out, 200, "images of %zu x %zu take long to train on: ", s.height, s.width);
    if (f->times.small.seconds > 0) {
        snprintf(out + length, 200 - (size_t)length, "try --size %d first, %s", ECC_DATA_SMALL,
                 up_to(time, f->times.small.seconds));
    } else {
        snprintf(out + length, 200 - (size_t)length, "try %s first",
                 f->data->source->paths ? "--size 64" : "smaller ones");
    }
    return true;
}

static bool hint_outliers(char out[200], const struct ecc_data_findings *f)
{
    const double most = fmax(-f->info->low, f->info->high);
    if (!f->data->is_table || !(most > FAR_OUT)) return false;
    snprintf(out, 200, "values up to %.0f deviations from the mean: --scaling robust limits them",
             most);
    return true;
}

/* A column of words could be the labels. */
static bool hint_label(char out[200], const struct ecc_data_findings *f)
{
    const struct ecc_schema *const schema = f->data->schema;
    struct ecc_name_list names = {0};
    if (f->without_label || !schema || f->data->labels || f->data->number_count > 0) return false;
    for (size_t i = 0; i < schema->count; i++) {
        const struct ecc_column *const c = &schema->columns[i];
        if (c->kind != ECC_COLUMN_CATEGORY || c->distinct > ECC_LEVELS_MAX) continue;
        ecc_name_list_add(&names, c->name);
    }
    if (names.count == 0) return false;
    snprintf(out, 200, "no column is used as labels: --label NAME chooses one, such as %.130s",
             ecc_name_list_text(&names));
    ecc_utf8_repair(out);
    return true;
}

const char *ecc_data_hint(char out[200], const struct ecc_data_findings *f, size_t *at)
{
    static bool (*const hints[])(char[200], const struct ecc_data_findings *) = {
        hint_size, hint_outliers, hint_label};
    while (*at < sizeof hints / sizeof *hints) {
        if (hints[(*at)++](out, f)) return out;
    }
    return NULL;
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

/* Of the longest of the shown names, within reason. */
static int class_width(const struct ecc_dataset *data)
{
    int width = 20;
    char number[24];
    for (size_t i = 0; i < data->class_count && i < SHOWN_CLASSES; i++) {
        const int own = ecc_cell_width(ecc_data_class_name(data, (int32_t)i, number));
        width = own > width ? own : width;
    }
    return width < 40 ? width : 40;
}

static void print_labels(const struct ecc_dataset *data, const struct ecc_data_info *found)
{
    if (!data->labels) {
        if (!data->attributes && data->number_count == 0) ecc_print("labels      none\n");
        return;
    }
    ecc_print("labels      %zu %s\n", data->class_count,
              data->class_count == 1 ? "class" : "classes");
    char number[24], cell[ECC_FIT_SIZE];
    const int width = class_width(data);
    for (size_t i = 0; i < data->class_count && i < SHOWN_CLASSES; i++) {
        const char *const name = ecc_data_class_name(data, (int32_t)i, number);
        ecc_print("              %s %zu\n", ecc_cell_fit(cell, name, width),
                  found->class_counts[i]);
    }
    if (data->class_count > SHOWN_CLASSES) {
        ecc_print("              and %zu more\n", data->class_count - SHOWN_CLASSES);
    }
}

/* What the list of columns shows is not said again. */
static void print_remarks(const struct ecc_dataset *data)
{
    const bool listed = data->schema && data->schema->count <= ECC_DATA_COLUMNS_SHOWN;
    for (const char *line = data->remark; line && *line;) {
        const size_t length = strcspn(line, "\n");
        const bool said = listed && strncmp(line, "left out (", 10) == 0;
        if (!said) ecc_print("remark      %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void print_shape(const struct ecc_dataset *data)
{
    const struct ecc_item_shape s = data->shape;
    if (data->schema) {
        ecc_data_print_columns(data->schema);
    } else if (data->is_table) {
        ecc_print("shape       %zu %s\n", s.channels, s.channels == 1 ? "column" : "columns");
    } else {
        ecc_print("shape       %zu x %zu x %zu (%s images)\n", s.channels, s.height, s.width,
                  s.channels == 1   ? "grey"
                  : s.channels == 3 ? "RGB"
                                    : "other");
    }
}

static void print_parts(const struct ecc_data_parts *parts, const struct ecc_dataset *data)
{
    ecc_print("split       ");
    if (parts->train) ecc_print("%zu to train on", parts->train);
    if (data->split == ECC_SPLIT_TRAIN && data->count < parts->train) {
        ecc_print(", here the first %zu", data->count);
    }
    if (parts->validation) ecc_print(" (%zu of them to validate)", parts->validation);
    if (parts->test) ecc_print("%s%zu to test", parts->train ? ", " : "", parts->test);
    if (data->split == ECC_SPLIT_ALL) ecc_print("; here all");
    ecc_print("\n");
}

static void print_numbers(const struct ecc_dataset *data)
{
    for (size_t i = 0; i < data->number_count; i++) {
        double low = INFINITY, high = -INFINITY;
        size_t known = 0;
        for (size_t k = 0; k < data->count; k++) {
            const double value = data->numbers[k * data->number_count + i];
            if (isnan(value)) continue;
            low = fmin(low, value);
            high = fmax(high, value);
            known++;
        }
        ecc_print("number      %s: ", data->number_names[i]);
        char from[ECC_PLAIN_SIZE], to[ECC_PLAIN_SIZE];
        if (known > 0) {
            ecc_print("%s to %s, ", ecc_plain_number(from, low, 6), ecc_plain_number(to, high, 6));
        }
        ecc_print("known of %zu\n", known);
    }
}

static void print_words(const struct ecc_dataset *data)
{
    for (size_t k = 0; k < data->word_count; k++) {
        const struct ecc_item_words *const words = &data->words[k];
        size_t known = 0;
        for (size_t i = 0; i < data->count; i++) known += words->of[i] != ECC_NO_LEVEL;
        ecc_print("words       %s: %zu different, known of %zu\n", words->name, words->level_count,
                  known);
    }
}

static void print_training(const struct ecc_data_times *times)
{
    const struct ecc_train_estimate *const e = &times->here;
    char time[40];
    if (times->problem.text[0]) ecc_print("training    not possible: %s\n", times->problem.text);
    if (!(e->seconds > 0)) return;
    ecc_print(
        "training    %s with default settings on %zu thread%s (at most %llu steps, %.0f epochs)\n",
        up_to(time, e->seconds), e->threads, ecc_s(e->threads), (unsigned long long)e->steps,
        e->epochs);
}

static void print_values(const struct ecc_data_findings *f)
{
    const bool table = f->data->is_table;
    ecc_print("values      %.4g to %.4g, mean %.4g%s", f->info->low, f->info->high, f->info->mean,
              table ? ", in deviations from the mean" : "");
    if (f->info->looked_at < f->data->count) ecc_print(" (of %zu items)", f->info->looked_at);
    ecc_print("\n");
}

static void print_factors(const struct ecc_dataset *data)
{
    if (data->factors) ecc_print("factors     %zu, mean and deviation\n", data->factor_count);
    for (size_t i = 0; data->factors && i < data->factor_count; i++) {
        double mean, deviation;
        factor_moments(&mean, &deviation, data, i);
        ecc_print("              %-20s %.4g  %.4g\n", data->factor_names[i], mean, deviation);
    }
}

void ecc_data_print(const struct ecc_data_findings *f)
{
    const struct ecc_dataset *const data = f->data;
    char hint[200];
    ecc_print("data        %s\n", data->name);
    ecc_print("source      %s: %s\n", data->source->name, data->source->summary);
    ecc_print("items       %zu\n", data->count);
    print_parts(&f->parts, data);
    print_shape(data);
    print_values(f);
    print_labels(data, f->info);
    print_numbers(data);
    print_words(data);
    if (data->attributes) ecc_print("attributes  %zu\n", data->attribute_count);
    for (size_t i = 0; data->attributes && i < data->attribute_count; i++) {
        char name[ECC_FIT_SIZE];
        ecc_print("              %s %5.1f%%\n", ecc_cell_fit(name, data->attribute_names[i], 20),
                  100 * attribute_share(data, i));
    }
    print_factors(data);
    print_training(&f->times);
    print_remarks(data);
    for (size_t at = 0; ecc_data_hint(hint, f, &at);) ecc_print("hint        %s\n", hint);
    if (f->sheet) ecc_print("sheet       %s\n", f->sheet);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *json_classes(const struct ecc_dataset *data, const struct ecc_data_info *found)
{
    json_t *const list = json_array();
    for (size_t i = 0; data->labels && i < data->class_count; i++) {
        char number[24];
        json_t *const entry = json_object();
        ecc_json_text(entry, "name", ecc_data_class_name(data, (int32_t)i, number));
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

static json_t *json_hints(const struct ecc_data_findings *f)
{
    json_t *const list = json_array();
    char hint[200];
    for (size_t at = 0; ecc_data_hint(hint, f, &at);)
        json_array_append_new(list, json_string(hint));
    return list;
}

static json_t *json_training(const struct ecc_train_estimate *e)
{
    json_t *const json = json_object();
    ecc_json_number(json, "seconds", e->seconds);
    ecc_json_count(json, "threads", e->threads);
    ecc_json_count(json, "batch", e->batch);
    ecc_json_count(json, "steps", e->steps);
    ecc_json_number(json, "epochs", e->epochs);
    return json;
}

static json_t *json_parts(const struct ecc_data_parts *parts)
{
    json_t *const json = json_object();
    ecc_json_count(json, "train", parts->train);
    ecc_json_count(json, "validation", parts->validation);
    ecc_json_count(json, "test", parts->test);
    return json;
}

enum ecc_status ecc_data_print_json(const struct ecc_data_findings *f, struct ecc_error *error)
{
    const struct ecc_dataset *const data = f->data;
    json_t *const json = json_object();
    ecc_json_text(json, "data", data->name);
    ecc_json_text(json, "source", data->source->name);
    ecc_json_count(json, "items", data->count);
    json_object_set_new(json, "split", json_parts(&f->parts));
    ecc_json_flag(json, "table", data->is_table);
    ecc_json_count(json, "channels", data->shape.channels);
    ecc_json_count(json, "height", data->shape.height);
    ecc_json_count(json, "width", data->shape.width);
    ecc_json_number(json, "low", f->info->low);
    ecc_json_number(json, "high", f->info->high);
    ecc_json_number(json, "mean", f->info->mean);
    ecc_json_count(json, "looked_at", f->info->looked_at);
    if (data->schema) json_object_set_new(json, "columns", ecc_data_columns_json(data->schema));
    json_object_set_new(json, "classes", json_classes(data, f->info));
    json_object_set_new(json, "attributes", json_attributes(data));
    json_object_set_new(json, "factors", json_factors(data));
    if (f->times.here.seconds > 0) {
        json_object_set_new(json, "training", json_training(&f->times.here));
    }
    json_object_set_new(json, "remarks", json_remarks(data));
    json_object_set_new(json, "hints", json_hints(f));
    if (f->sheet) ecc_json_text(json, "sheet", f->sheet);
    return ecc_json_print(json, error);
}
