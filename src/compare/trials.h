/*
 * trials.h: trainings and measurements of a comparison: named by their settings, found again, made
 * where they are not there.
 */
#ifndef ECC_COMPARE_TRIALS_H
#define ECC_COMPARE_TRIALS_H

#include "compare/compare.h"
#include "compare/rivals.h"

enum { ECC_TRIAL_NAME = 160, ECC_TRIAL_PATH = 4096, ECC_SEEDS = 8 };

/* What the data of all trainings is. */
struct ecc_subject {
    char *data, *test; /* as the trainings name it: an absolute path, "glyphs"; its test part */
    size_t items, test_items, height, width, channels;
    bool is_table, labelled; /* labelled: classes or attributes are known */
    char number[80];         /* a number known of each item, "price"; empty: there is none */
};

/* A training. */
struct ecc_trial {
    char name[ECC_TRIAL_NAME];
    struct ecc_train_options options;
    json_t *result; /* of a finished one; or NULL */
    uint32_t weights;
    char failure[300]; /* why it is not there; empty: it was not tried */
};

/* One method at one latent size. */
struct ecc_entrant {
    const struct ecc_rival *rival;
    size_t latent;
    double lambdas[ECC_LAMBDAS], scores[ECC_LAMBDAS];
    size_t lambda_count, chosen; /* chosen == lambda_count: not known yet */
    struct ecc_trial sweep[ECC_LAMBDAS], trials[ECC_SEEDS];
    json_t *measures[ECC_SEEDS]; /* of each training; or NULL */
    json_t *pair;                /* of the first two; or NULL */
    json_t *baselines;           /* of pixels and their ordinary components; or NULL */
};

struct ecc_comparison {
    const struct ecc_compare_options *options;
    struct ecc_rivals rivals;
    struct ecc_subject subject;
    double epochs, guess;         /* of each long training; seconds that are thought to be left */
    struct ecc_entrant *entrants; /* [latent_count * rivals.count] by latent size */
    size_t count;
    size_t done, total; /* trainings */
};

/* "OUT/folder/nameending"; returns out, an array that lives until the end of the block. */
const char *ecc_trial_path(char out[ECC_TRIAL_PATH], const struct ecc_comparison *c,
                           const char *folder, const char *name, const char *ending);
#define ECC_IN_TRIALS(c, folder, name, ending)                                                     \
    ecc_trial_path((char[ECC_TRIAL_PATH]){0}, (c), (folder), (name), (ending))

/* What all trainings share, with a method and its lambda. */
struct ecc_train_options ecc_trial_options(const struct ecc_comparison *c,
                                           const struct ecc_rival *rival, size_t latent,
                                           double lambda, double epochs, uint64_t seed);
/* Fills in options and name; the result if the training is there. */
void ecc_trial_init(struct ecc_trial *trial, const struct ecc_comparison *c,
                    struct ecc_train_options options);
void ecc_trial_release(struct ecc_trial *trial);
/* A name of settings: the method, what differs most, and a hash of all of them. */
void ecc_trial_name(char out[ECC_TRIAL_NAME], const struct ecc_train_options *options);

/* Trains it unless it is there.  Fails only when interrupted: what else is wrong is noted. */
enum ecc_status ecc_trial_train(struct ecc_comparison *c, struct ecc_trial *trial,
                                struct ecc_error *error);

/* What is measured of trainings: puts numbers into out. */
struct ecc_trial_step {
    const char *what; /* "knn" */
    enum ecc_status (*measure)(const struct ecc_comparison *c, json_t *out,
                               struct ecc_model *const *models, const struct ecc_trial *const *of,
                               struct ecc_error *error);
};
/* *json: what was measured of `count` finished trainings, now or before; NULL and a sentence in
 * `failure` where it cannot be.  Fails only when interrupted. */
enum ecc_status ecc_trial_measure(const struct ecc_comparison *c, json_t **json,
                                  const struct ecc_trial *const *of, size_t count,
                                  const struct ecc_trial_step *step, struct ecc_error *error);

/* judge.c: what is measured. */
extern const struct ecc_trial_step ecc_step_choice_classes, ecc_step_choice_samples,
    ecc_step_classes, ecc_step_baselines, ecc_step_frechet, ecc_step_codes, ecc_step_pair,
    ecc_step_shape;

/* compare_page.c, compare_text.c: results.json as a page and as text. */
enum ecc_status ecc_compare_html(FILE *out, const json_t *results, const struct ecc_comparison *c,
                                 struct ecc_error *error);
enum ecc_status ecc_compare_markdown(FILE *out, const json_t *results,
                                     const struct ecc_comparison *c, struct ecc_error *error);
enum ecc_status ecc_compare_csv(FILE *out, const json_t *results, const struct ecc_comparison *c,
                                struct ecc_error *error);

/* outcome.c: everything that is there, as JSON.  A new reference. */
json_t *ecc_compare_outcome(const struct ecc_comparison *c);
/* "2.31" of a number of the table, or "± 0.05", its deviation; "–" and "" where there is none.
 * Returns out. */
enum { ECC_CELL_TEXT = 80 };
const char *ecc_compare_cell(char out[ECC_CELL_TEXT], const json_t *column, const json_t *value,
                             bool deviation);

#endif
