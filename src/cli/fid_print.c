/* fid_print.c: the scores of `eccentric fid` in words, as JSON and as a table. */
#include "base/file.h"
#include "base/text.h"
#include "cli/fid.h"
#include "cli/output.h"
#include "latent/sampler.h"

#include <math.h>
#include <string.h>

/* ---- Words ---------------------------------------------------------------------------------- */

static const char *features_words(const struct ecc_score_table *t)
{
    return t->identity[0] ? t->identity : "unknown: the statistics do not say";
}

static void print_items(const char *title, size_t items, const char *name, const char *drawn_from)
{
    ecc_print("%-9s", title);
    if (items) ecc_print("%zu %s of ", items, drawn_from ? "samples" : "images");
    ecc_print("%s%s%s%s", name, drawn_from ? " (from " : "", drawn_from ? drawn_from : "",
              drawn_from ? ")" : "");
}

/* Says so if a run was trained on these images: the score is then of memory, too. */
static void print_reference(const struct ecc_score_table *t)
{
    print_items("B", t->reference_items, t->reference,
                t->reference_kind == ECC_SCORE_RUN ? ecc_sample_words[t->from] : NULL);
    size_t most = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (t->scores[i].seen.trained > most) most = t->scores[i].seen.trained;
    }
    const char *const who = t->count == 1 ? "A was" : "runs were";
    if (most == t->reference_items && most > 0) ecc_print(", which %s trained on", who);
    if (most < t->reference_items && most > 0) ecc_print(", %zu of which %s trained on", most, who);
    ecc_print("\n");
}

static void print_one(const struct ecc_score_table *t)
{
    const struct ecc_score *const s = &t->scores[0];
    ecc_print("FID      %.4f", s->frechet.distance);
    ecc_print("   (means %.4f, covariances %.4f)\n", s->frechet.mean, s->frechet.spread);
    if (s->has_kid) {
        ecc_print("KID      %.6f ± %.6f   (%zu subsets of %zu)\n", s->kid.value, s->kid.error,
                  s->kid.subsets, s->kid.subset);
    }
    print_items("A", s->items, s->name,
                s->kind == ECC_SCORE_RUN ? ecc_sample_words[t->from] : NULL);
    ecc_print("\n");
    print_reference(t);
    ecc_print("features %s\n", features_words(t));
}

/* A number, or a dash if there is none. */
static void print_cell(int width, int digits, double value)
{
    if (isnan(value)) {
        ecc_print(" %*s", width, "-");
    } else {
        ecc_print(" %*.*g", width, digits, value);
    }
}

static void print_table(const struct ecc_score_table *t)
{
    int width = 4;
    for (size_t i = 0; i < t->count; i++) {
        const int length = (int)strlen(ecc_short_name(t->scores[i].name));
        if (length > width) width = length < 40 ? length : 40;
    }
    print_reference(t);
    ecc_print("features %s\n", features_words(t));
    ecc_print("samples  from %s\n\n", ecc_sample_words[t->from]);
    ecc_print("%-*s %11s %10s %10s %8s  %-12s %8s %13s\n", width, "A", "FID", "KID", "±", "items",
              "regularizer", "lambda", "eccentricity");
    for (size_t i = 0; i < t->count; i++) {
        const struct ecc_score *const s = &t->scores[i];
        ecc_print("%-*.*s %11.4f", width, width, ecc_short_name(s->name), s->frechet.distance);
        print_cell(10, 4, s->has_kid ? s->kid.value : (double)NAN);
        print_cell(9, 2, s->has_kid ? s->kid.error : (double)NAN);
        ecc_print(" %8zu  %-12s", s->items, s->kind == ECC_SCORE_RUN ? s->regularizer : "-");
        print_cell(8, 4, s->lambda);
        print_cell(13, 4, s->eccentricity);
        ecc_print("\n");
    }
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void add_score(json_t *json, const struct ecc_score *s)
{
    ecc_json_text(json, "a", s->name);
    ecc_json_count(json, "items_a", s->items);
    ecc_json_number(json, "fid", s->frechet.distance);
    ecc_json_number(json, "fid_means", s->frechet.mean);
    ecc_json_number(json, "fid_covariances", s->frechet.spread);
    if (s->has_kid) {
        ecc_json_number(json, "kid", s->kid.value);
        ecc_json_number(json, "kid_error", s->kid.error);
        ecc_json_number(json, "kid_deviation", s->kid.deviation);
        ecc_json_count(json, "kid_subset", s->kid.subset);
    }
    if (s->warning[0]) ecc_json_text(json, "warning", s->warning);
    if (s->kind != ECC_SCORE_RUN) return;
    ecc_json_count(json, "items_b_trained_on", s->seen.trained);
    ecc_json_text(json, "regularizer", s->regularizer);
    ecc_json_count(json, "latent", s->latent);
    ecc_json_number(json, "lambda", s->lambda);
    ecc_json_number(json, "eccentricity", s->eccentricity);
    ecc_json_number(json, "trace", s->trace);
}

static enum ecc_status print_json(const struct ecc_score_table *t,
                                  const struct ecc_fid_settings *settings, struct ecc_error *error)
{
    json_t *const json = json_object();
    ecc_json_text(json, "b", t->reference);
    ecc_json_count(json, "items_b", t->reference_items);
    ecc_json_text(json, "features", t->identity);
    ecc_json_count(json, "feature_count", t->feature_count);
    if (t->accuracy > 0) ecc_json_number(json, "accuracy", t->accuracy);
    ecc_json_text(json, "from", ecc_sample_names[t->from]);
    ecc_json_count(json, "seed", settings->common.seed);
    if (settings->score.save) ecc_json_text(json, "statistics", settings->score.save);
    if (t->count == 1) add_score(json, &t->scores[0]);
    json_t *const list = t->count > 1 ? json_array() : NULL;
    for (size_t i = 0; list && i < t->count; i++) {
        json_t *const entry = json_object();
        add_score(entry, &t->scores[i]);
        json_array_append_new(list, entry);
    }
    if (list) json_object_set_new(json, "scores", list);
    return ecc_json_print(json, error);
}

enum ecc_status ecc_fid_print(const struct ecc_score_table *t, const struct ecc_fid_settings *s,
                              struct ecc_error *error)
{
    if (s->common.json) return print_json(t, s, error);
    if (t->count == 1) print_one(t);
    if (t->count > 1) print_table(t);
    if (s->score.save) {
        ecc_print("%zu features of %zu items in %s\n", t->feature_count, t->reference_items,
                  s->score.save);
        if (t->count == 0) ecc_print("features %s\n", features_words(t));
    }
    if (s->out) ecc_print("%s\n", s->out);
    if (s->csv) ecc_print("%s\n", s->csv);
    return ECC_OK;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void put_text(FILE *stream, const char *text)
{
    putc('"', stream);
    for (; *text; text++) {
        if (*text == '"') putc('"', stream);
        putc(*text, stream);
    }
    putc('"', stream);
}

/* Empty if there is none. */
static void put_number(FILE *stream, double value)
{
    putc(',', stream);
    if (isfinite(value)) fprintf(stream, "%.9g", value);
}

enum ecc_status ecc_fid_write_csv(const struct ecc_score_table *t, const char *path,
                                  struct ecc_error *error)
{
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, path, error));
    FILE *const f = output.stream;
    fputs("a,regularizer,lambda,eccentricity,trace,fid,kid,kid_error,items,b,features\n", f);
    for (size_t i = 0; i < t->count; i++) {
        const struct ecc_score *const s = &t->scores[i];
        put_text(f, s->name);
        fprintf(f, ",%s", s->regularizer);
        put_number(f, s->lambda);
        put_number(f, s->eccentricity);
        put_number(f, s->trace);
        put_number(f, s->frechet.distance);
        put_number(f, s->has_kid ? s->kid.value : (double)NAN);
        put_number(f, s->has_kid ? s->kid.error : (double)NAN);
        fprintf(f, ",%zu,", s->items);
        put_text(f, t->reference);
        putc(',', f);
        put_text(f, t->identity);
        putc('\n', f);
    }
    const enum ecc_status status = ecc_output_commit(&output, error);
    ecc_output_discard(&output);
    return status;
}
