/* outcome_columns.c: the columns of a comparison's table: which there are, what they say, the best
 * of each. */
#include "compare/outcome.h"
#include "work/sayings.h"

#include <math.h>
#include <string.h>

static json_t *new_column(const char *key, const char *title, const char *about, const char *better,
                          int digits)
{
    json_t *const column = json_object();
    ecc_json_text(column, "key", key);
    ecc_json_text(column, "title", title);
    ecc_json_text(column, "about", about);
    ecc_json_text(column, "better", better);
    ecc_json_count(column, "digits", (size_t)digits);
    ecc_json_number(column, "scale", 1);
    ecc_json_text(column, "unit", "");
    return column;
}

static void add_label_columns(json_t *columns, const struct ecc_comparison *c,
                              const struct ecc_entrant *const *entrants, size_t count)
{
    const json_t *rows = NULL;
    for (size_t i = 0; i < count && !rows; i++) rows = ecc_outcome_label_rows(entrants[i]);
    for (size_t r = 0; r < json_array_size(rows); r++) {
        const json_t *const row = json_array_get(rows, r);
        const double labels = ecc_get_number(row, "labels");
        const size_t k = (size_t)ecc_get_number(row, "neighbours");
        char key[40];
        const char *const about =
            ECC_SAY("share of test items that a vote of the %zu nearest of %.0f labelled latents "
                    "gets wrong%s",
                    k, labels, labels < (double)c->subject.items ? ", mean of ten draws" : "");
        json_t *const column =
            new_column(ecc_outcome_label_key(key, row), ECC_SAY("KNN error, %.0f labels", labels),
                       about, "low", 2);
        ecc_json_number(column, "scale", 100);
        ecc_json_text(column, "unit", "%");
        json_array_append_new(columns, column);
    }
}

/* What the Frechet distance is by; "" where it is by different things. */
static const char *features_of(const struct ecc_entrant *const *entrants, size_t count)
{
    const char *features = NULL;
    for (size_t e = 0; e < count; e++) {
        for (size_t i = 0; i < ECC_SEEDS; i++) {
            const json_t *const found = json_object_get(entrants[e]->measures[i], "frechet");
            const char *const own = ecc_get_text(found, "features");
            if (!*own) continue;
            if (features && strcmp(features, own) != 0) return "";
            features = own;
        }
    }
    return features;
}

static void left_out(json_t *section, const char *text)
{
    json_array_append_new(json_object_get(section, "left_out"), ecc_json_any(text));
}

static void add_frechet(json_t *section, const struct ecc_entrant *const *entrants, size_t count)
{
    const char *const features = features_of(entrants, count);
    if (features && !*features) {
        left_out(section, "The Frechet distance is left out: the methods were measured by "
                          "different features.");
    } else if (features) {
        json_array_append_new(
            json_object_get(section, "columns"),
            new_column("frechet", "Frechet distance",
                       ECC_SAY("between samples (fitted Gaussian; sphere for svae and "
                               "sphere) and test items, by %.110s",
                               features),
                       "low", 3));
    }
}

/* Only where some method has codes. */
static void add_codes(json_t *columns, const struct ecc_entrant *const *entrants, size_t count)
{
    size_t with = 0;
    for (size_t i = 0; i < count; i++) with += entrants[i]->rival->entry->codes != NULL;
    if (with == 0) return;
    json_array_append_new(columns,
                          new_column("codes_used", "codes used",
                                     "different codes that the test items use: entries of the "
                                     "codebook (vq), whole latents (fsq)",
                                     "", 0));
}

static void add_angles(json_t *section, size_t seeds)
{
    json_t *const columns = json_object_get(section, "columns");
    if (seeds < 2) {
        left_out(section, "Angles between seeds are left out: they need two trainings of each "
                          "method.");
        return;
    }
    json_t *const raw =
        new_column("raw", "angle, raw",
                   "between the latents of two seeds, in degrees: 90 is nothing in common", "", 1);
    json_t *const aligned = new_column(
        "aligned", "angle, aligned",
        "the same after the components of one seed were matched with those of the other", "low", 1);
    ecc_json_text(raw, "unit", "°");
    ecc_json_text(aligned, "unit", "°");
    json_array_append_new(columns, raw);
    json_array_append_new(columns, aligned);
}

static void add_columns(json_t *section, const struct ecc_comparison *c,
                        const struct ecc_entrant *const *entrants, size_t count)
{
    json_t *const columns = json_object_get(section, "columns");
    const struct ecc_subject *const s = &c->subject;
    json_array_append_new(columns, new_column("error", "test error",
                                              "mean squared reconstruction error of the test items",
                                              "low", 5));
    if (s->labelled) add_label_columns(columns, c, entrants, count);
    if (!s->labelled) left_out(section, "KNN errors are left out: the data has no classes.");
    if (s->number[0]) {
        json_array_append_new(
            columns, new_column("r2", ECC_SAY("R² of %.60s", s->number),
                                "how well the mean of the nearest neighbours predicts it: 1 is "
                                "perfect, 0 is no better than the mean",
                                "high", 3));
    }
    add_frechet(section, entrants, count);
    json_array_append_new(columns, new_column("eccentricity", "eccentricity",
                                              "of the latents' covariance: 0 is a sphere", "", 3));
    json_array_append_new(columns, new_column("trace", "trace",
                                              "total variance of the latents; d on the sphere of "
                                              "radius √d",
                                              "", 2));
    json_array_append_new(columns,
                          new_column("rank", "effective rank",
                                     "how many dimensions carry the variance, from 1 to d", "", 2));
    add_codes(columns, entrants, count);
    add_angles(section, c->options->seeds);
    json_t *const seconds = new_column("seconds", "seconds", "of one training", "low", 1);
    json_array_append_new(columns, seconds);
}

/* The number of a row in a column, or NULL: baselines do not compete. */
static json_t *competing(const json_t *row, const char *key)
{
    if (json_is_true(json_object_get(row, "baseline"))) return NULL;
    return json_object_get(json_object_get(row, "values"), key);
}

/* Marks the best of each column among the methods, where two or more have it; and those that look
 * the same. */
static void mark_best(const json_t *section, const json_t *column)
{
    const json_t *const rows = json_object_get(section, "rows");
    const char *const key = ecc_get_text(column, "key"), *const better =
                                                             ecc_get_text(column, "better");
    const double sign = strcmp(better, "high") == 0 ? -1 : 1;
    const json_t *best = NULL;
    size_t count = 0;
    for (size_t i = 0; *better && i < json_array_size(rows); i++) {
        const json_t *const value = competing(json_array_get(rows, i), key);
        if (!value) continue;
        count++;
        if (!best || sign * ecc_get_number(value, "mean") < sign * ecc_get_number(best, "mean")) {
            best = value;
        }
    }
    char most[ECC_CELL_TEXT], text[ECC_CELL_TEXT];
    ecc_compare_cell(most, column, best, false);
    for (size_t i = 0; count > 1 && i < json_array_size(rows); i++) {
        json_t *const value = competing(json_array_get(rows, i), key);
        if (!value || strcmp(ecc_compare_cell(text, column, value, false), most) != 0) continue;
        ecc_json_flag(value, "best", true);
    }
}

const char *ecc_compare_cell(char out[ECC_CELL_TEXT], const json_t *column, const json_t *value,
                             bool deviation)
{
    const int digits = (int)ecc_get_number(column, "digits");
    const double number = ecc_get_number(value, deviation ? "deviation" : "mean");
    const char *const unit = ecc_get_text(column, "unit");
    *out = '\0';
    if (deviation && (isnan(number) || digits == 0)) return out;
    if (isnan(number)) {
        snprintf(out, ECC_CELL_TEXT, "–");
    } else {
        snprintf(out, ECC_CELL_TEXT, "%s%.*f%s%s", deviation ? "± " : "", digits,
                 ecc_get_number(column, "scale") * number,
                 !deviation && strcmp(unit, "%") == 0 ? " " : "", deviation ? "" : unit);
    }
    return out;
}

void ecc_outcome_columns(json_t *section, const struct ecc_comparison *c,
                         const struct ecc_entrant *const *entrants, size_t count)
{
    add_columns(section, c, entrants, count);
    const json_t *const columns = json_object_get(section, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        mark_best(section, json_array_get(columns, i));
    }
}
