/*
 * outcome.c: what came of a comparison, as JSON that the page, the text and the table are written
 * from.
 *
 *     {"title": ..., "about": [...], "criterion": ..., "sections": [{"latent": 8,
 *      "columns": [{"key": "error", "title": ..., "about": ..., "better": "low", "digits": 5,
 *                   "scale": 1, "unit": ""}],
 *      "rows": [{"method": "kl", "lambda": 0.001, "values": {"error": {"mean": ..., "deviation":
 * ..., "count": 2, "best": true}}, "sweep": [...], "runs": [...], "notes": [...]}], "left_out":
 * [...]}]}
 */
#include "base/machine.h"
#include "base/text.h"
#include "compare/outcome.h"
#include "math/statistics.h"
#include "run/settings.h"
#include "work/sayings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Numbers -------------------------------------------------------------------------------- */

/* Adds the numbers of a row: the mean over its trainings. */
static void put_value(json_t *row, const char *key, const double *values, size_t count)
{
    double kept[ECC_SEEDS], mean, deviation;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i])) kept[n++] = values[i];
    }
    if (n == 0) return;
    ecc_mean_deviation(&mean, &deviation, kept, n);
    json_t *const json = json_object();
    ecc_json_number(json, "mean", mean);
    if (n > 1) ecc_json_number(json, "deviation", deviation);
    ecc_json_count(json, "count", n);
    json_object_set_new(json_object_get(row, "values"), key, json);
}

static void put_one(json_t *row, const char *key, double value)
{
    put_value(row, key, &value, 1);
}

/* A number of each training of an entrant, by where it is: NULL for result.json. */
static void put_each(json_t *row, const struct ecc_entrant *e, const char *key, const char *part,
                     const char *field)
{
    double values[ECC_SEEDS];
    for (size_t i = 0; i < ECC_SEEDS; i++) {
        const json_t *const from =
            part ? json_object_get(e->measures[i], part) : e->trials[i].result;
        values[i] = ecc_get_number(from, field);
    }
    put_value(row, key, values, ECC_SEEDS);
}

static void put_test_error(json_t *row, const struct ecc_entrant *e)
{
    double values[ECC_SEEDS];
    for (size_t i = 0; i < ECC_SEEDS; i++) {
        values[i] = ecc_get_number(json_object_get(e->trials[i].result, "unseen"), "error");
    }
    put_value(row, "error", values, ECC_SEEDS);
}

const json_t *ecc_outcome_label_rows(const struct ecc_entrant *e)
{
    for (size_t i = 0; i < ECC_SEEDS; i++) {
        const json_t *const rows =
            json_object_get(json_object_get(e->measures[i], "classes"), "rows");
        if (json_array_size(rows) > 0) return rows;
    }
    return NULL;
}

const char *ecc_outcome_label_key(char out[40], const json_t *row)
{
    snprintf(out, 40, "knn_%.0f", ecc_get_number(row, "labels"));
    return out;
}

static void put_classes(json_t *row, const struct ecc_entrant *e)
{
    const json_t *const rows = ecc_outcome_label_rows(e);
    for (size_t r = 0; r < json_array_size(rows); r++) {
        double values[ECC_SEEDS];
        char key[40];
        for (size_t i = 0; i < ECC_SEEDS; i++) {
            const json_t *const own =
                json_object_get(json_object_get(e->measures[i], "classes"), "rows");
            values[i] = ecc_get_number(json_array_get(own, r), "error");
        }
        put_value(row, ecc_outcome_label_key(key, json_array_get(rows, r)), values, ECC_SEEDS);
    }
    double r2[ECC_SEEDS];
    for (size_t i = 0; i < ECC_SEEDS; i++) {
        r2[i] = ecc_get_number(
            json_object_get(json_object_get(e->measures[i], "classes"), "number"), "r2");
    }
    put_value(row, "r2", r2, ECC_SEEDS);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

static json_t *new_row(const char *method)
{
    json_t *const row = json_object();
    ecc_json_text(row, "method", method);
    json_object_set_new(row, "values", json_object());
    json_object_set_new(row, "notes", json_array());
    return row;
}

static void note(json_t *row, const char *text)
{
    json_array_append_new(json_object_get(row, "notes"), ecc_json_any(text));
}

static void put_sweep(json_t *row, const struct ecc_entrant *e)
{
    json_t *const list = json_array();
    for (size_t i = 0; e->lambda_count > 1 && i < e->lambda_count; i++) {
        json_t *const json = json_object();
        ecc_json_number(json, "lambda", e->lambdas[i]);
        ecc_json_number(json, "score", e->scores[i]);
        if (i == e->chosen) ecc_json_flag(json, "chosen", true);
        ecc_json_text(json, "run", e->sweep[i].name);
        if (e->sweep[i].failure[0]) ecc_json_text(json, "failure", e->sweep[i].failure);
        json_array_append_new(list, json);
    }
    json_object_set_new(row, "sweep", list);
}

static json_t *command_of(const struct ecc_trial *trial)
{
    char *text = NULL;
    size_t size;
    FILE *const out = open_memstream(&text, &size);
    if (!out) return NULL;
    char folder[ECC_TRIAL_NAME + 8];
    snprintf(folder, sizeof folder, "runs/%s", trial->name);
    ecc_settings_command(out, &trial->options, folder);
    fclose(out);
    json_t *const command = text ? ecc_json_any(text) : NULL;
    free(text);
    return command;
}

static void put_runs(json_t *row, const struct ecc_entrant *e, size_t seeds)
{
    json_t *const runs = json_array();
    size_t there = 0;
    for (size_t i = 0; i < seeds && e->chosen < e->lambda_count; i++) {
        const struct ecc_trial *const trial = &e->trials[i];
        there += trial->result != NULL;
        if (trial->failure[0]) note(row, ECC_SAY("seed %zu failed: %.150s", i + 1, trial->failure));
        if (!trial->result) continue;
        json_t *const run = json_object();
        ecc_json_text(run, "name", trial->name);
        json_object_set_new(run, "command", command_of(trial));
        json_array_append_new(runs, run);
    }
    json_object_set_new(row, "runs", runs);
    if (there < seeds) note(row, ECC_SAY("%zu of %zu trainings are there", there, seeds));
}

/* What could not be measured, once. */
static void put_failures(json_t *row, const struct ecc_entrant *e)
{
    const char *key;
    json_t *part;
    json_object_foreach(e->measures[0], key, part)
    {
        const char *const failure = ecc_get_text(part, "failure");
        if (*failure) note(row, ECC_SAY("%s: %.170s", key, failure));
    }
    const char *const failure = ecc_get_text(e->pair, "failure");
    if (*failure) note(row, ECC_SAY("angles: %.170s", failure));
}

/* Codes that the items use; and, as a note, of how many. */
static void put_codes(json_t *row, const struct ecc_entrant *e)
{
    const json_t *const first = json_object_get(e->measures[0], "codes");
    const double codes = ecc_get_number(first, "codes");
    put_each(row, e, "codes_used", "codes", "used");
    if (isnan(codes)) return;
    ecc_json_number(row, "codes", codes);
    note(row, ECC_SAY("%.0f test items use %.0f of %.10g codes (seed 1)",
                      ecc_get_number(first, "items"), ecc_get_number(first, "used"), codes));
}

static json_t *entrant_row(const struct ecc_entrant *e, size_t seeds)
{
    json_t *const row = new_row(e->rival->text);
    ecc_json_text(row, "summary", e->rival->entry->summary);
    if (e->chosen < e->lambda_count && !e->rival->entry->no_lambda) {
        ecc_json_number(row, "lambda", e->lambdas[e->chosen]);
    }
    put_test_error(row, e);
    put_classes(row, e);
    put_each(row, e, "frechet", "frechet", "distance");
    put_each(row, e, "eccentricity", "shape", "eccentricity");
    put_each(row, e, "trace", "shape", "trace");
    put_each(row, e, "rank", "shape", "rank");
    put_codes(row, e);
    put_one(row, "raw", ecc_get_number(e->pair, "raw"));
    put_one(row, "aligned", ecc_get_number(e->pair, "aligned"));
    put_each(row, e, "seconds", NULL, "seconds");
    json_object_set(row, "shape", json_object_get(e->measures[0], "shape"));
    put_sweep(row, e);
    if (e->lambda_count > 2 && (e->chosen == 0 || e->chosen + 1 == e->lambda_count)) {
        note(row, ECC_SAY("the best lambda is the %s that was tried, so a %s one may be better",
                          e->chosen == 0 ? "smallest" : "largest",
                          e->chosen == 0 ? "smaller" : "larger"));
    }
    put_runs(row, e, seeds);
    put_failures(row, e);
    return row;
}

/* PCA of as many dimensions, and the pixels or columns themselves, where they were measured. */
static void add_baselines(json_t *rows, const struct ecc_entrant *e, bool is_table)
{
    static const char *const keys[] = {"pca", "pixels"};
    const json_t *const found = json_object_get(e->baselines, "rows");
    for (size_t k = 0; k < 2; k++) {
        json_t *const row = new_row(k == 0 ? "PCA" : is_table ? "columns" : "pixels");
        ecc_json_flag(row, "baseline", true);
        if (k == 0) {
            const json_t *const unseen = json_object_get(e->trials[0].result, "unseen");
            put_one(row, "error", ecc_get_number(unseen, "pca_error"));
            put_one(row, "r2", ecc_get_number(json_object_get(e->baselines, "number"), "pca"));
        }
        for (size_t i = 0; i < json_array_size(found); i++) {
            char key[40];
            const json_t *const from = json_array_get(found, i);
            put_one(row, ecc_outcome_label_key(key, from), ecc_get_number(from, keys[k]));
        }
        if (json_object_size(json_object_get(row, "values")) > 0) json_array_append(rows, row);
        json_decref(row);
    }
}

/* ---- All ------------------------------------------------------------------------------------ */

static json_t *make_section(const struct ecc_comparison *c, size_t latent, struct ecc_error *error)
{
    const struct ecc_entrant *entrants[ECC_RIVALS];
    size_t count = 0;
    json_t *const section =
        json_pack("{s:i,s:[],s:[],s:[]}", "latent", (int)latent, "columns", "rows", "left_out");
    json_t *const rows = json_object_get(section, "rows");
    (void)error;
    for (size_t i = 0; i < c->count; i++) {
        const struct ecc_entrant *const e = &c->entrants[i];
        if (e->latent == latent && count < ECC_RIVALS) entrants[count++] = e;
    }
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(rows, entrant_row(entrants[i], c->options->seeds));
    }
    if (count > 0) add_baselines(rows, entrants[0], c->subject.is_table);
    ecc_outcome_columns(section, c, entrants, count);
    return section;
}

static void put_about(json_t *results, const struct ecc_comparison *c)
{
    const struct ecc_subject *const s = &c->subject;
    const size_t lambdas = c->options->lambdas;
    const double shorter = fmin(c->epochs, fmax(1, ecc_sweep_share * c->epochs));
    char text[700];
    snprintf(text, sizeof text,
             "All methods train the same net on the same %zu items with the same seeds, for the "
             "same number of epochs (%g), and keep the weights that reconstruct validation items "
             "best. Numbers "
             "are means over %zu training%s, with the deviation between them; they come from test "
             "items, which nothing was trained on or chosen by.",
             s->items, c->epochs, c->options->seeds, ecc_s(c->options->seeds));
    ecc_json_text(results, "about", text);
    snprintf(text, sizeof text,
             "The same net, items, seeds and number of epochs for all; measured on test items. %zu "
             "training items, %g epoch%s, %zu seed%s for each method.",
             s->items, c->epochs, c->epochs == 1 ? "" : "s", c->options->seeds,
             ecc_s(c->options->seeds));
    ecc_json_text(results, "brief", text);
    const char *const by =
        s->labelled
            ? "the smallest error of the nearest neighbours on validation items. That is what "
              "the latents are for when classes are known, and, unlike the reconstruction "
              "error, it does not always prefer the weakest regularizer"
            : "the smallest Frechet distance between samples and validation items, by their "
              "principal components. It falls when reconstructions get better and when the "
              "latents fill a shape that can be sampled; the reconstruction error alone would "
              "always prefer the weakest regularizer";
    if (lambdas > 1) {
        snprintf(text, sizeof text,
                 "Lambda was chosen for each method among %zu values around its usual one, "
                 "from a tenth to ten times of it, after short trainings of %g epoch%s: %s.",
                 lambdas, shorter, shorter == 1 ? "" : "s", by);
    } else {
        snprintf(text, sizeof text, "Lambda is the usual one of each method: nothing was chosen.");
    }
    ecc_json_text(results, "criterion", text);
    ecc_json_text(results, "score", s->labelled ? "error" : "distance");
}

json_t *ecc_compare_outcome(const struct ecc_comparison *c)
{
    json_t *const results = json_object(), *const sections = json_array();
    char machine[200], date[40] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    ecc_machine_name(machine, sizeof machine);
    ecc_json_text(results, "program", "eccentric " ECC_VERSION);
    ecc_json_text(results, "made", date);
    json_object_set_new(results, "machine", ecc_json_any(machine));
    ecc_json_text(results, "data", c->options->train.data);
    ecc_json_number(results, "epochs", c->epochs);
    ecc_json_count(results, "seeds", c->options->seeds);
    put_about(results, c);
    for (size_t i = 0; i < c->options->latent_count; i++) {
        json_array_append_new(sections, make_section(c, c->options->latents[i], NULL));
    }
    json_object_set_new(results, "sections", sections);
    return results;
}
