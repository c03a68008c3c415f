/* classify.h: what `eccentric classify` measures, shared between its files. */
#ifndef ECC_CLI_CLASSIFY_H
#define ECC_CLI_CLASSIFY_H

#include "cli/output.h"
#include "model/labels.h"
#include "model/model.h"

enum ecc_cli_method { ECC_CLASSIFY_KNN = 0, ECC_CLASSIFY_TREE };
enum { ECC_VIEWS = 3, ECC_VIEW_LATENTS = 0, ECC_VIEW_PCA = 1, ECC_VIEW_PIXELS = 2 };

struct ecc_classify_settings {
    struct ecc_common common;
    const char *train, *test, *out, *labels, *depth;
    int method, subset, baselines; /* baselines: 0 yes, 1 no */
    size_t neighbours, repeats, items;
    bool validation;

    /* found by the check */
    size_t *label_counts; /* [label_count_count], 0 for all; the last one decides the summary */
    size_t label_count_count;
    size_t *depths; /* SIZE_MAX for full */
    size_t depth_count;
};

/* The same items seen in one way: as latents, ordinary components or pixels. */
struct ecc_view {
    const char *name;
    float *train, *test; /* [train_n, d], [test_n, d] */
    size_t d, train_n, test_n;
    const struct ecc_labels *train_labels, *test_labels;
    struct ecc_labels own[2]; /* of a view that holds only some of the items */
};

/* One line of the table: so many labelled items, so many neighbours or such a depth. */
struct ecc_cli_row {
    size_t labels, repeats;
    size_t parameter; /* neighbours or depth */
    double majority;
    double error[ECC_VIEWS], deviation[ECC_VIEWS]; /* over repeats; NaN where there is no view */
    double *errors[ECC_VIEWS];                     /* [repeats] */
};

/* The best split of one target by one component, on the whole training part. */
struct ecc_cli_stump {
    const char *name;
    size_t component;
    double gain, threshold;
    double majority, accuracy; /* right answers among the test items, without and with it */
};

struct ecc_classify {
    const struct ecc_classify_settings *settings;
    struct ecc_model *model;
    struct ecc_components components;
    struct ecc_dataset *train, *test; /* the same one when validating */
    uint32_t *train_items, *test_items;
    size_t train_n, test_n;
    struct ecc_labels train_labels, test_labels;
    struct ecc_view views[ECC_VIEWS];
    size_t view_count;

    struct ecc_cli_row *rows;
    size_t row_count;
    double *target_errors[ECC_VIEWS]; /* [targets] of the last row */
    double *target_majority;          /* [targets] error of the majority class */
    int32_t *predicted;               /* [targets, test_n] of the last row, by latents */

    struct ecc_labels binary[2];  /* train and test: attributes, or each class against the rest */
    char **binary_names;          /* where classes have none */
    struct ecc_cli_stump *stumps; /* [stump_count], in the order of the targets; trees only */
    size_t stump_count;
    double *stump_gains; /* [stump_count, d] signed: above 0 where large values speak for it */
    double seconds;
};

/* ---- classify_data.c ------------------------------------------------------------------------ */

/* Opens the run, unless c->model is there, and the data, encodes it, and prepares the baselines. */
enum ecc_status ecc_classify_open(struct ecc_classify *c, const char *run, struct ecc_error *error);
void ecc_classify_release(struct ecc_classify *c);
/* Turns the latents to the run's principal components, which stumps look at one at a time. */
enum ecc_status ecc_classify_turn(struct ecc_classify *c, struct ecc_error *error);

/* ---- classify_evaluate.c, classify_stumps.c, classify_report.c, classify_draw.c ---------------
 */

enum ecc_status ecc_classify_evaluate(struct ecc_classify *c, struct ecc_error *error);
enum ecc_status ecc_classify_stumps(struct ecc_classify *c, struct ecc_error *error);
enum ecc_status ecc_classify_report(const struct ecc_classify *c, struct ecc_error *error);
/* Stumps by falling gain, as numbers of c->stumps; the caller's to free, or NULL. */
size_t *ecc_classify_rank(const struct ecc_classify *c);
enum ecc_status ecc_classify_draw(const struct ecc_classify *c, const char *path,
                                  struct ecc_error *error);

#endif
