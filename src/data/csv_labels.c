/* csv_labels.c: turns the words or numbers of a label column into classes. */
#include "data/csv_labels.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GUESS_CLASSES = 50 }; /* a column of more distinct numbers is hardly one of labels */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Numbers by value; "1" and "1.0" are different names of different classes, in a fixed order. */
static int by_value(const void *a, const void *b)
{
    double x = 0, y = 0;
    ecc_parse_double(*(char *const *)a, &x);
    ecc_parse_double(*(char *const *)b, &y);
    return x < y ? -1 : x > y ? 1 : by_text(a, b);
}

static bool all_numbers(char *const *texts, size_t count)
{
    double value;
    for (size_t i = 0; i < count; i++) {
        if (!ecc_parse_double(texts[i], &value)) return false;
    }
    return true;
}

/* Sorts them and removes duplicates; returns how many are left. */
static size_t distinct(char **texts, size_t count)
{
    const bool numbers = all_numbers(texts, count);
    qsort(texts, count, sizeof *texts, numbers ? by_value : by_text);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || strcmp(texts[kept - 1], texts[i]) != 0) texts[kept++] = texts[i];
    }
    return kept;
}

bool ecc_csv_looks_like_labels(char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double value;
        if (!ecc_parse_double(texts[i], &value)) {
            if (ecc_csv_is_missing(texts[i])) continue;
            return true; /* words can only be labels */
        }
        if (value != floor(value)) return false;
    }
    char **const copy = malloc((count ? count : 1) * sizeof *copy);
    if (!copy) return false;
    memcpy(copy, texts, count * sizeof *copy);
    const size_t classes = distinct(copy, count);
    free(copy);
    return classes <= GUESS_CLASSES && 2 * classes <= count;
}

bool ecc_csv_is_missing(const char *text)
{
    static const char *const words[] = {"", "?", "-", "na", "n/a", "nan", "null", "none", "nil"};
    char lower[8] = "";
    if (strlen(text) >= sizeof lower) return false;
    for (size_t i = 0; text[i]; i++) {
        lower[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 32) : text[i];
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(lower, words[i]) == 0) return true;
    }
    return false;
}

static enum ecc_status keep_names(struct ecc_csv *csv, char *const *classes, size_t count,
                                  struct ecc_error *error)
{
    csv->class_names = calloc(count ? count : 1, sizeof *csv->class_names);
    if (!csv->class_names) return ecc_fail_memory(error, "the names of classes");
    csv->class_count = count;
    for (size_t i = 0; i < count; i++) {
        csv->class_names[i] = strdup(classes[i]);
        if (!csv->class_names[i]) return ecc_fail_memory(error, "the names of classes");
    }
    return ECC_OK;
}

enum ecc_status ecc_csv_make_classes(struct ecc_csv *csv, char *const *texts,
                                     struct ecc_error *error)
{
    const size_t count = csv->rows;
    char **const classes = malloc((count ? count : 1) * sizeof *classes);
    csv->labels = malloc((count ? count : 1) * sizeof *csv->labels);
    if (!classes || !csv->labels) {
        free(classes);
        return ecc_fail_memory(error, "the labels");
    }
    memcpy(classes, texts, count * sizeof *classes);
    const size_t class_count = distinct(classes, count);
    const bool numbers = all_numbers(classes, class_count);
    for (size_t i = 0; i < count; i++) {
        char **const found =
            bsearch(&texts[i], classes, class_count, sizeof *classes, numbers ? by_value : by_text);
        csv->labels[i] = (int32_t)(found - classes);
    }
    const enum ecc_status status = keep_names(csv, classes, class_count, error);
    free(classes);
    return status;
}
