/* metadata_apply.c: gives the columns of metadata to the items: labels, numbers, words, attributes,
 * parts. */
#include "data/metadata.h"

#include "base/hash.h"
#include "base/text.h"
#include "data/columns.h"
#include "data/few_names.h"
#include "data/fingerprint.h"
#include "data/item_labels.h"
#include "data/known.h"
#include "data/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct applying {
    const struct ecc_metadata *m;
    struct ecc_dataset *data;
    struct ecc_data_request *request;
    size_t label, split;                /* columns, or SIZE_MAX */
    double *values;                     /* [count] of the column at hand */
    struct ecc_few_names words, unused; /* columns: of words, not used, ... */
    struct ecc_few_names numbers, gaps; /* ... numbers, and attributes that are numbers for gaps */
};

/* ---- What a column is ----------------------------------------------------------------------- */

/* A word that means 1 or 0; -1: neither. */
static int yes_or_no(const char *cell)
{
    static const char *const words[][2] = {{"no", "yes"}, {"false", "true"}, {"n", "y"},
                                           {"f", "t"},    {"nein", "ja"},    {"non", "oui"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        for (int k = 0; k < 2; k++) {
            if (strcasecmp(cell, words[i][k]) == 0) return k;
        }
    }
    return -1;
}

/* Fills a->values with numbers, NaN where cells are missing; false if other cells are not. */
static bool read_numbers(struct applying *a, size_t column, char decimal)
{
    for (size_t i = 0; i < a->data->count; i++) {
        const char *const cell = ecc_metadata_of(a->m, i, column);
        a->values[i] = NAN;
        if (!ecc_cell_is_missing(cell) && !ecc_number_read(cell, decimal, &a->values[i])) {
            return false;
        }
    }
    return true;
}

/* The same with words such as yes and no as 1 and 0. */
static bool read_answers(struct applying *a, size_t column)
{
    for (size_t i = 0; i < a->data->count; i++) {
        const char *const cell = ecc_metadata_of(a->m, i, column);
        const int answer = yes_or_no(cell);
        a->values[i] = answer;
        if (answer < 0 && !ecc_cell_is_missing(cell)) return false;
        if (answer < 0) a->values[i] = NAN;
    }
    return true;
}

/* Whether all values are 0 and 1, or -1 and 1, as CelebA writes attributes; both must occur.
 * *gaps: they are, but for some that are missing. */
static bool are_attributes(const double *values, size_t n, bool *gaps)
{
    size_t ones = 0, zeros = 0, minus = 0, missing = 0;
    for (size_t i = 0; i < n; i++) {
        ones += values[i] == 1;
        zeros += values[i] == 0;
        minus += values[i] == -1;
        missing += isnan(values[i]);
    }
    const size_t others = minus > 0 ? minus : zeros;
    const bool are = ones > 0 && others > 0 && ones + others + missing == n;
    *gaps = are && missing > 0;
    return are;
}

static enum ecc_status add_values(struct applying *a, size_t column, struct ecc_error *error)
{
    const size_t n = a->data->count;
    const char *const name = ecc_metadata_column(a->m, column);
    bool gaps;
    if (!are_attributes(a->values, n, &gaps) || gaps) {
        ecc_few_names_add(gaps ? &a->gaps : &a->numbers, name);
        return ecc_known_add_number(a->data, name, a->values, error);
    }
    uint8_t *const flags = malloc(n + 1);
    if (!flags) return ecc_fail_memory(error, "attributes");
    for (size_t i = 0; i < n; i++) flags[i] = a->values[i] == 1;
    const enum ecc_status status = ecc_known_add_attribute(a->data, name, flags, error);
    free(flags);
    return status;
}

static bool is_empty(const struct applying *a, size_t column)
{
    for (size_t i = 0; i < a->data->count; i++) {
        if (!ecc_cell_is_missing(ecc_metadata_of(a->m, i, column))) return false;
    }
    return true;
}

/* *added is false if they are too many, or none occurs twice. */
static enum ecc_status add_words(struct applying *a, bool *added, size_t column,
                                 struct ecc_error *error)
{
    const size_t n = a->data->count;
    const char **const texts = malloc((n + 1) * sizeof *texts);
    if (!texts) return ecc_fail_memory(error, "the words of items");
    for (size_t i = 0; i < n; i++) texts[i] = ecc_metadata_of(a->m, i, column);
    const enum ecc_status status =
        ecc_known_add_words(a->data, added, ecc_metadata_column(a->m, column), texts, error);
    free(texts);
    return status;
}

static enum ecc_status add_column(struct applying *a, size_t column, struct ecc_error *error)
{
    if (!is_empty(a, column) &&
        (read_answers(a, column) || read_numbers(a, column, '.') || read_numbers(a, column, ','))) {
        return add_values(a, column, error);
    }
    bool added;
    ECC_TRY(add_words(a, &added, column, error));
    ecc_few_names_add(added ? &a->words : &a->unused, ecc_metadata_column(a->m, column));
    return ECC_OK;
}

/* ---- Labels --------------------------------------------------------------------------------- */

static enum ecc_status add_labels(struct applying *a, struct ecc_error *error)
{
    const size_t n = a->data->count;
    const bool had = a->data->labels;
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    const char *const name = ecc_metadata_column(a->m, a->label);
    const char **const texts = malloc((n + 1) * sizeof *texts);
    if (!texts) return ecc_fail_memory(error, "the labels");
    for (size_t i = 0; i < n; i++) texts[i] = ecc_metadata_of(a->m, i, a->label);
    const enum ecc_status status = ecc_labels_from_texts(a->data, texts, name, a->m->path, error);
    free(texts);
    ecc_quote(quoted, name, strlen(name));
    ecc_quote_path(shown, ecc_short_name(a->m->path));
    if (status == ECC_OK && had) {
        ecc_data_remark(a->data, "the labels are the column %s of %s, not the data's own", quoted,
                        shown);
    }
    return status;
}

/* The column that --label names, or one that is usually named so. */
static enum ecc_status find_label(struct applying *a, struct ecc_error *error)
{
    const char *const given = a->request->options->label;
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    struct ecc_few_names names = {0};
    a->label = SIZE_MAX;
    if (given && strcmp(given, "none") == 0) return ECC_OK;
    for (size_t i = 0; i < a->m->csv.columns; i++) {
        const char *const name = ecc_metadata_column(a->m, i);
        const bool fits = given ? strcasecmp(name, given) == 0 : ecc_csv_names_labels(name);
        if (i == a->m->key) continue;
        if (fits && a->label == SIZE_MAX) a->label = i;
        ecc_few_names_add(&names, name);
    }
    if (given && a->label != SIZE_MAX) a->request->label_used = true;
    if (!given || a->request->label_used || a->data->source->has_columns) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%s has no column %s for --label: it has %s",
                    ecc_quote_path(shown, a->m->path), ecc_quote(quoted, given, strlen(given)),
                    names.count ? ecc_few_names_end(&names) : "no others");
}

/* ---- Parts ---------------------------------------------------------------------------------- */

enum part { TRAIN, TEST, VALIDATION, NO_PART };

static enum part part_of(const char *cell)
{
    static const struct {
        const char *word;
        enum part part;
    } words[] = {{"train", TRAIN},           {"training", TRAIN}, {"test", TEST},
                 {"testing", TEST},          {"val", VALIDATION}, {"valid", VALIDATION},
                 {"validation", VALIDATION}, {"dev", VALIDATION}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(cell, words[i].word) == 0) return words[i].part;
    }
    return NO_PART;
}

/* A column named so, whose cells are all such words, with both train and test among them. */
static size_t find_split(const struct applying *a)
{
    static const char *const usual[] = {"split", "partition", "subset", "set", "part"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        for (size_t column = 0; column < a->m->csv.columns; column++) {
            size_t counts[4] = {0};
            if (strcasecmp(ecc_metadata_column(a->m, column), usual[i]) != 0) continue;
            for (size_t k = 0; k < a->data->count; k++) {
                const char *const cell = ecc_metadata_of(a->m, k, column);
                counts[*cell ? part_of(cell) : TRAIN]++;
            }
            if (counts[NO_PART] == 0 && counts[TRAIN] > 0 && counts[TEST] > 0) return column;
        }
    }
    return SIZE_MAX;
}

static enum ecc_status mark_parts(struct applying *a, struct ecc_error *error)
{
    const size_t n = a->data->count;
    size_t validation = 0;
    char quoted[ECC_QUOTE_SIZE], more[80] = "";
    const char *const name = ecc_metadata_column(a->m, a->split);
    uint8_t *const test = calloc(n + 1, 1);
    if (!test) return ecc_fail_memory(error, "the list of items");
    for (size_t i = 0; i < n; i++) {
        const enum part part = part_of(ecc_metadata_of(a->m, i, a->split));
        test[i] = part == TEST;
        validation += part == VALIDATION;
    }
    free(a->request->test);
    a->request->test = test;
    if (validation)
        snprintf(more, sizeof more, "; its %zu validation item%s count%s as training items",
                 validation, ecc_s(validation), validation == 1 ? "s" : "");
    ecc_data_remark(a->data, "the test part is that of the column %s%s",
                    ecc_quote(quoted, name, strlen(name)), more);
    struct ecc_hash hash; /* the parts are part of what the data is */
    ecc_hash_start(&hash);
    ecc_hash_add(&hash, &a->data->fingerprint, sizeof a->data->fingerprint);
    ecc_hash_add(&hash, test, n);
    if (a->data->fingerprint) a->data->fingerprint = ecc_hash_end(&hash);
    return ECC_OK;
}

/* ---- All ------------------------------------------------------------------------------------ */

static void remark_on_words(struct applying *a)
{
    char shown[ECC_PATH_SIZE];
    const char *const hint = a->request->options->label || a->label != SIZE_MAX
                                 ? ""
                                 : " (--label NAME makes one the labels)";
    if (a->words.count) {
        ecc_data_remark(a->data, "%zu %s of words %s known of the items%s: %s", a->words.count,
                        a->words.count == 1 ? "column" : "columns",
                        a->words.count == 1 ? "is" : "are", hint, ecc_few_names_end(&a->words));
    }
    if (a->unused.count) {
        ecc_data_remark(a->data,
                        "%zu %s of %s hold%s more than %d different words, or none twice, and %s "
                        "not used%s: %s",
                        a->unused.count, a->unused.count == 1 ? "column" : "columns",
                        ecc_quote_path(shown, ecc_short_name(a->m->path)),
                        a->unused.count == 1 ? "s" : "", ECC_LEVELS_MOST,
                        a->unused.count == 1 ? "is" : "are", a->words.count ? "" : hint,
                        ecc_few_names_end(&a->unused));
    }
}

static void remark_on_columns(struct applying *a)
{
    if (a->numbers.count) {
        ecc_data_remark(a->data, "%zu %s known of the items: %s", a->numbers.count,
                        a->numbers.count == 1 ? "number is" : "numbers are",
                        ecc_few_names_end(&a->numbers));
    }
    if (a->gaps.count) {
        ecc_data_remark(a->data, "with gaps, and so numbers (0 and 1) rather than attributes: %s",
                        ecc_few_names_end(&a->gaps));
    }
    remark_on_words(a);
}

static enum ecc_status apply(struct applying *a, struct ecc_error *error)
{
    ECC_TRY(find_label(a, error));
    const bool parts_are_open = a->request->test || a->request->narrowed;
    a->split = parts_are_open ? SIZE_MAX : find_split(a);
    if (a->label != SIZE_MAX) ECC_TRY(add_labels(a, error));
    if (a->split != SIZE_MAX) ECC_TRY(mark_parts(a, error));
    for (size_t i = 0; i < a->m->csv.columns; i++) {
        if (i == a->m->key || i == a->label || i == a->split) continue;
        ECC_TRY(add_column(a, i, error));
    }
    remark_on_columns(a);
    return ECC_OK;
}

enum ecc_status ecc_metadata_apply(const struct ecc_metadata *m, struct ecc_dataset *data,
                                   struct ecc_data_request *request, struct ecc_error *error)
{
    struct applying a = {.m = m, .data = data, .request = request};
    a.values = malloc((data->count + 1) * sizeof *a.values);
    if (!a.values) return ecc_fail_memory(error, "metadata");
    const enum ecc_status status = apply(&a, error);
    free(a.values);
    return status;
}
