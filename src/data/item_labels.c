/* item_labels.c: the classes of items, or a number to predict, from words and numbers. */
#include "data/item_labels.h"

#include "base/text.h"
#include "data/array.h"
#include "data/infer.h"
#include "data/known.h"
#include "data/numbers.h"
#include "data/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ecc_labels_remove(struct ecc_dataset *data)
{
    free(data->labels);
    ecc_free_texts(data->class_names, data->class_count);
    data->labels = NULL;
    data->class_names = NULL;
    data->class_count = 0;
}

bool ecc_labels_name(struct ecc_dataset *data, const char *const *names, size_t count)
{
    if (!data->labels || count < data->class_count || count > ECC_MAX_CLASSES) return false;
    char **const copy = calloc(count + 1, sizeof *copy);
    bool complete = copy;
    for (size_t i = 0; complete && i < count; i++) {
        copy[i] = strdup(names[i]);
        complete = copy[i];
    }
    if (!complete) {
        ecc_free_texts(copy, count);
        return false;
    }
    ecc_free_texts(data->class_names, data->class_count);
    data->class_names = copy;
    data->class_count = count;
    return true;
}

/* ---- Words ---------------------------------------------------------------------------------- */

static enum ecc_status too_many(const char *name, size_t count, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA, "%s has %zu different labels, expected at most %d",
                    ecc_quote_path(shown, name), count, ECC_MAX_CLASSES);
}

/* classes: [tally->distinct] sorted; labels: [n] their places, -1: not among them. */
static void number_classes(int32_t *labels, struct ecc_tally *tally, const char *const *classes,
                           const char *const *texts, size_t n)
{
    for (size_t i = 0; i < tally->distinct; i++) ecc_tally_find(tally, classes[i])->number = i;
    for (size_t i = 0; i < n; i++) {
        const struct ecc_tally_entry *const entry = ecc_tally_find(tally, texts[i]);
        labels[i] = entry ? (int32_t)entry->number : -1;
    }
}

static enum ecc_status classify(struct ecc_dataset *data, struct ecc_tally *tally,
                                const char *const *texts, const char *name, struct ecc_error *error)
{
    if (tally->distinct > ECC_MAX_CLASSES) return too_many(name, tally->distinct, error);
    const char **const classes = ecc_tally_sorted(tally);
    ecc_labels_remove(data);
    data->labels = malloc((data->count + 1) * sizeof *data->labels);
    bool good = classes && data->labels;
    if (good) {
        number_classes(data->labels, tally, classes, texts, data->count);
        good = ecc_labels_name(data, classes, tally->distinct);
    }
    free(classes);
    return good ? ECC_OK : ecc_fail_memory(error, "the labels");
}

/* Numbers are sorted by value, words by name; gaps: texts that mean a missing value have none. */
static enum ecc_status words_to_classes(struct ecc_dataset *data, const char *const *texts,
                                        bool gaps, const char *name, struct ecc_error *error)
{
    struct ecc_tally tally = {0};
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; i < data->count && status == ECC_OK; i++) {
        if (gaps && ecc_cell_is_missing(texts[i])) continue;
        if (!ecc_tally_add(&tally, texts[i])) status = ecc_fail_memory(error, "the labels");
    }
    if (status == ECC_OK) status = classify(data, &tally, texts, name, error);
    ecc_tally_release(&tally);
    return status;
}

/* ---- Numbers -------------------------------------------------------------------------------- */

/* What numbers may be as labels. */
enum meaning { NOT_LABELS, CLASS_NUMBERS, CLASS_NAMES, TARGET };

struct numbers_seen {
    double low, high;
    bool infinite, whole;
    size_t known, distinct;
};

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* values: [n], NaN: missing. */
static enum ecc_status see_numbers(struct numbers_seen *seen, const double *values, size_t n,
                                   struct ecc_error *error)
{
    double *const sorted = malloc((n + 1) * sizeof *sorted);
    if (!sorted) return ecc_fail_memory(error, "the labels");
    *seen = (struct numbers_seen){.low = INFINITY, .high = -INFINITY, .whole = true};
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i])) continue;
        sorted[seen->known++] = values[i];
        seen->infinite = seen->infinite || isinf(values[i]);
        seen->whole = seen->whole && values[i] == floor(values[i]);
        seen->low = fmin(seen->low, values[i]);
        seen->high = fmax(seen->high, values[i]);
    }
    qsort(sorted, seen->known, sizeof *sorted, compare_numbers);
    for (size_t i = 0; i < seen->known; i++) {
        seen->distinct += i == 0 || sorted[i] != sorted[i - 1];
    }
    free(sorted);
    return ECC_OK;
}

/* As in a text table, many different numbers are not classes, unless they count from 0 or 1. */
static bool are_classes(const struct numbers_seen *seen)
{
    const size_t distinct = seen->distinct;
    const bool few = distinct <= ECC_CLASSES_OF_NUMBERS ||
                     (distinct <= ECC_CLASSES_GUESSED && 2 * distinct <= seen->known);
    const bool counts = (seen->low == 0 || seen->low == 1) &&
                        seen->high - seen->low + 1 == (double)distinct && distinct < seen->known;
    return seen->whole && (few || counts);
}

static enum meaning meaning_of(const struct numbers_seen *seen, size_t n)
{
    const double high = seen->high;
    if (seen->infinite) return NOT_LABELS;
    if (seen->known < n || !are_classes(seen)) return TARGET;
    return seen->low >= 0 && high < ECC_MAX_CLASSES && high < 10 * (double)(n + 10) ? CLASS_NUMBERS
                                                                                    : CLASS_NAMES;
}

static enum ecc_status numbers_to_names(struct ecc_dataset *data, const double *values,
                                        const char *name, struct ecc_error *error)
{
    char **const texts = calloc(data->count + 1, sizeof *texts);
    bool complete = texts;
    for (size_t i = 0; complete && i < data->count; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.17g", values[i]);
        texts[i] = strdup(text);
        complete = texts[i];
    }
    const enum ecc_status status =
        complete ? words_to_classes(data, (const char *const *)texts, false, name, error)
                 : ecc_fail_memory(error, "the labels");
    ecc_free_texts(texts, data->count);
    return status;
}

static enum ecc_status numbers_to_classes(struct ecc_dataset *data, const double *values,
                                          struct ecc_error *error)
{
    ecc_labels_remove(data);
    data->labels = malloc((data->count + 1) * sizeof *data->labels);
    if (!data->labels) return ecc_fail_memory(error, "the labels");
    for (size_t i = 0; i < data->count; i++) {
        data->labels[i] = (int32_t)values[i];
        if ((size_t)values[i] >= data->class_count) data->class_count = (size_t)values[i] + 1;
    }
    return ECC_OK;
}

static enum ecc_status numbers_to_labels(struct ecc_dataset *data, const double *values,
                                         const char *key, const char *name, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    struct numbers_seen seen;
    ECC_TRY(see_numbers(&seen, values, data->count, error));
    if (seen.known == 0) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has no labels: all are missing; --label none does without",
                        ecc_quote_path(shown, name));
    }
    switch (meaning_of(&seen, data->count)) {
    case CLASS_NUMBERS: return numbers_to_classes(data, values, error);
    case CLASS_NAMES: return numbers_to_names(data, values, name, error);
    case TARGET:
        ecc_data_remark(data, "%s holds %s: not classes, but a number to predict, '%s'",
                        ecc_quote_path(shown, name),
                        seen.whole && seen.known == data->count ? "many different numbers"
                                                                : "numbers with fractions or gaps",
                        key);
        return ecc_known_add_number(data, key, values, error);
    default:
        return ecc_fail(error, ECC_BAD_DATA, "%s has a label that is infinite",
                        ecc_quote_path(shown, name));
    }
}

enum ecc_status ecc_labels_close_gaps(struct ecc_dataset *data, struct ecc_error *error)
{
    if (!data->labels || data->class_names) return ECC_OK;
    double *const values = malloc((data->count + 1) * sizeof *values);
    uint8_t *const there = calloc(data->class_count + 1, 1);
    const bool good = values && there;
    for (size_t i = 0; good && i < data->count; i++) {
        values[i] = data->labels[i];
        there[data->labels[i]] = 1;
    }
    const bool gaps = good && memchr(there, 0, data->class_count) != NULL;
    const enum ecc_status status = !good  ? ecc_fail_memory(error, "the labels")
                                   : gaps ? numbers_to_names(data, values, data->name, error)
                                          : ECC_OK;
    free(values);
    free(there);
    return status;
}

/* ---- One for each item ---------------------------------------------------------------------- */

/* values: [n, columns]; in place to [n], the place of the 1 in each row; false if there is not
 * exactly one and 0 elsewhere. */
static bool from_one_hot(double *values, size_t n, size_t columns)
{
    for (size_t i = 0; i < n; i++) {
        size_t place = columns;
        for (size_t j = 0; j < columns; j++) {
            const double value = values[i * columns + j];
            if (value == 0) continue;
            if (value != 1 || place < columns) return false;
            place = j;
        }
        if (place == columns) return false;
        values[i] = (double)place;
    }
    return true;
}

static enum ecc_status wrong_shape(const struct ecc_dataset *data, const struct ecc_array *array,
                                   const char *name, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], shape[ECC_SHAPE_TEXT];
    return ecc_fail(
        error, ECC_BAD_DATA, "%s has shape %s, expected one label for each of %zu items",
        ecc_quote_path(shown, name), ecc_shape_text(shape, array->shape, array->rank), data->count);
}

static enum ecc_status from_numbers(struct ecc_dataset *data, const struct ecc_array *array,
                                    const char *key, const char *name, struct ecc_error *error)
{
    double *const values = array->count <= SIZE_MAX / sizeof *values - 1
                               ? malloc((array->count + 1) * sizeof *values)
                               : NULL;
    if (!values) return ecc_fail_memory(error, "the labels");
    ecc_to_f64(values, array->data, array->dtype, array->count);
    const size_t columns = data->count ? array->count / data->count : 1;
    const enum ecc_status status = columns == 1 || from_one_hot(values, data->count, columns)
                                       ? numbers_to_labels(data, values, key, name, error)
                                       : wrong_shape(data, array, name, error);
    free(values);
    return status;
}

enum ecc_status ecc_labels_from_array(struct ecc_dataset *data, const struct ecc_npy_any *labels,
                                      const char *key, const char *name, struct ecc_error *error)
{
    const struct ecc_array *const a = &labels->array;
    const bool flat = a->rank == 1 || (a->rank == 2 && a->shape[1] == 1);
    if (a->rank < 1 || a->rank > 2 || a->shape[0] != data->count || (labels->texts && !flat)) {
        return wrong_shape(data, a, name, error);
    }
    if (labels->texts) {
        return words_to_classes(data, (const char *const *)labels->texts, false, name, error);
    }
    return from_numbers(data, a, key, name, error);
}

enum ecc_status ecc_labels_from_texts(struct ecc_dataset *data, const char *const *texts,
                                      const char *key, const char *name, struct ecc_error *error)
{
    double *const values = malloc((data->count + 1) * sizeof *values);
    if (!values) return ecc_fail_memory(error, "the labels");
    bool numbers = true;
    for (size_t i = 0; i < data->count && numbers; i++) {
        values[i] = NAN;
        if (!ecc_cell_is_missing(texts[i])) numbers = ecc_number_read(texts[i], '.', &values[i]);
    }
    struct numbers_seen seen = {0};
    enum ecc_status status = numbers ? see_numbers(&seen, values, data->count, error) : ECC_OK;
    if (status == ECC_OK) {
        status = numbers && seen.known > 0 && !are_classes(&seen)
                     ? numbers_to_labels(data, values, key, name, error)
                     : words_to_classes(data, texts, true, name, error);
    }
    free(values);
    return status;
}
