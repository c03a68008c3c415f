/* classify_classes.c: the labels of both parts, and their classes matched by name. */
#include "base/text.h"
#include "base/watch.h"
#include "evaluate/classify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ---------------------------------------------------------------------------------- */

enum { NUMBER = 24 };

static const char *class_name(char number[NUMBER], const struct ecc_dataset *data, size_t class)
{
    if (data->class_names && class < data->class_count) return data->class_names[class];
    snprintf(number, NUMBER, "%zu", class);
    return number;
}

static enum ecc_status add_name(struct ecc_classification *r, const char *name,
                                struct ecc_error *error)
{
    char *const copy = strdup(name);
    if (!copy) return ecc_fail_memory(error, "the names of the classes");
    r->names[r->name_count++] = copy;
    return ECC_OK;
}

static bool is_at(const struct ecc_classification *r, size_t place, const char *name)
{
    const char *const there = r->names ? r->names[place] : NULL;
    return there && strcmp(there, name) == 0;
}

/* Where a name is, r->name_count if nowhere; most are at the place expected. */
static size_t find_name(const struct ecc_classification *r, const char *name, size_t expected)
{
    if (expected < r->name_count && is_at(r, expected, name)) return expected;
    size_t i = 0;
    while (i < r->name_count && !is_at(r, i, name)) i++;
    return i;
}

static enum ecc_status name_targets(struct ecc_classify_work *w, struct ecc_error *error)
{
    const struct ecc_labels *const labels = &w->train_labels;
    w->result->names = calloc(labels->targets + 1, sizeof *w->result->names);
    if (!w->result->names) return ecc_fail_memory(error, "the names of the attributes");
    for (size_t t = 0; t < labels->targets; t++) {
        ECC_TRY(add_name(w->result, labels->names[t], error));
    }
    return ECC_OK;
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* there: [classes] how many items each class has. */
static void count_classes(size_t *there, const struct ecc_labels *labels)
{
    for (size_t i = 0; i < labels->n; i++) there[labels->values[i]]++;
}

/* Whether the classes have no names but numbers. */
static bool is_numbered(const struct ecc_dataset *data)
{
    for (size_t c = 0; data->class_names && c < data->class_count; c++) {
        const char *const name = data->class_names[c];
        if (!*name || name[strspn(name, "0123456789")] || strlen(name) > 9) return false;
    }
    return true;
}

/* Classes that have only numbers are matched by number with classes that have names, unless their
 * numbers are such names. */
static bool match_by_number(const struct ecc_classify_work *w, const size_t *there)
{
    if (is_numbered(w->train) == is_numbered(w->test)) return false;
    for (size_t c = 0; c < w->test_labels.classes[0]; c++) {
        char number[NUMBER];
        const char *const name = class_name(number, w->test, c);
        if (there[c] > 0 && find_name(w->result, name, c) == w->result->name_count) return true;
    }
    return false;
}

/* Where the labelled items have the class with this number. */
static size_t find_number(const struct ecc_classify_work *w, const char *name, size_t class)
{
    char number[NUMBER];
    if (is_numbered(w->test)) {
        const size_t at = strtoul(name, NULL, 10);
        return at < w->train->class_count ? at : w->result->name_count;
    }
    snprintf(number, sizeof number, "%zu", class);
    return find_name(w->result, number, class);
}

/* place: [classes of the test items] each class in r->names; classes of test items only follow
 * those of the labelled items. */
static enum ecc_status find_places(struct ecc_classify_work *w, int32_t *place, const size_t *there,
                                   struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    const bool by_number = match_by_number(w, there);
    for (size_t c = 0; c < w->test_labels.classes[0]; c++) {
        char number[NUMBER];
        const char *const name = class_name(number, w->test, c);
        const size_t at = by_number ? find_number(w, name, c) : find_name(r, name, c);
        place[c] = (int32_t)at;
        if (at == r->name_count && there[c] > 0) ECC_TRY(add_name(r, name, error));
    }
    return ECC_OK;
}

/* Test items of classes that cannot be learned. */
static enum ecc_status check_common(const struct ecc_classify_work *w, const size_t *learned,
                                    struct ecc_error *error)
{
    const struct ecc_classification *const r = w->result;
    const char *unknown = "";
    char one[ECC_QUOTE_SIZE], other[ECC_QUOTE_SIZE];
    size_t count = 0;
    for (size_t i = 0; i < w->test_labels.n; i++) {
        const int32_t class = w->test_labels.values[i];
        if (learned[class] > 0) continue;
        if (count++ == 0) unknown = r->names[class];
    }
    if (count == w->test_labels.n) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "the test items have classes such as %s and the labelled items such as "
                        "%s, expected the same names",
                        ecc_quote_name(one, unknown),
                        ecc_quote_name(other, r->names[w->train_labels.values[0]]));
    }
    if (count > 0) {
        ecc_watch_remark(w->watch,
                         "%zu of %zu test items are of a class that no labelled item has, such as "
                         "%s: they count as errors",
                         count, w->test_labels.n, ecc_quote_name(one, unknown));
    }
    return ECC_OK;
}

/* Each data set numbers its classes by itself: the same class may have two numbers. */
static enum ecc_status match_classes(struct ecc_classify_work *w, size_t *counts, int32_t *place,
                                     struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    struct ecc_labels *const train = &w->train_labels, *const test = &w->test_labels;
    size_t *const learned = counts, *const there = counts + train->classes[0] + test->classes[0];
    for (size_t c = 0; c < train->classes[0]; c++) {
        char number[NUMBER];
        ECC_TRY(add_name(r, class_name(number, w->train, c), error));
    }
    count_classes(learned, train);
    count_classes(there, test);
    ECC_TRY(find_places(w, place, there, error));
    for (size_t i = 0; i < test->n; i++) test->values[i] = place[test->values[i]];
    train->classes[0] = test->classes[0] = r->name_count;
    return check_common(w, learned, error);
}

static enum ecc_status take_classes(struct ecc_classify_work *w, struct ecc_error *error)
{
    const size_t own = w->train->class_count, theirs = w->test->class_count;
    size_t *const counts = calloc(own + 2 * theirs + 1, sizeof *counts);
    int32_t *const place = calloc(theirs + 1, sizeof *place);
    w->train_labels.classes[0] = own;
    w->test_labels.classes[0] = theirs;
    w->result->names = calloc(own + theirs + 1, sizeof *w->result->names);
    const bool good = counts && place && w->result->names;
    const enum ecc_status status = good ? match_classes(w, counts, place, error)
                                        : ecc_fail_memory(error, "the names of the classes");
    free(counts);
    free(place);
    return status;
}

enum ecc_status ecc_classify_take_labels(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    ECC_TRY(ecc_labels_known(&w->train_items, &r->items, w->train, error));
    ECC_TRY(ecc_labels_known(&w->test_items, &r->test_items, w->test, error));
    ECC_TRY(ecc_labels_take(&w->train_labels, w->train, w->train_items, r->items, error));
    ECC_TRY(ecc_labels_check(&w->train_labels, w->train, error));
    ECC_TRY(ecc_labels_take(&w->test_labels, w->test, w->test_items, r->test_items, error));
    ECC_TRY(ecc_labels_match(&w->train_labels, &w->test_labels, error));
    r->attributes = w->train_labels.attributes;
    r->target_count = w->train_labels.targets;
    return r->attributes ? name_targets(w, error) : take_classes(w, error);
}
