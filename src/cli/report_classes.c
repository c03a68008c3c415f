/* report_classes.c: what `eccentric report` takes from `eccentric classify`: errors, confusions and
 * stumps, as the page wants them. */
#include "cli/report.h"

#include <math.h>
#include <stdlib.h>

/* Stumps by falling gain. */
static enum ecc_status take_stumps(struct ecc_report_classes *to, const struct ecc_classify *c,
                                   struct ecc_error *error)
{
    size_t *const rank = ecc_classify_rank(c);
    to->stumps = calloc(c->stump_count + 1, sizeof *to->stumps);
    if (!rank || !to->stumps) {
        free(rank);
        return ecc_fail_memory(error, "the stumps");
    }
    to->stump_count = c->stump_count;
    for (size_t i = 0; i < c->stump_count; i++) {
        const struct ecc_cli_stump *const s = &c->stumps[rank[i]];
        to->stumps[i] = (struct ecc_report_stump){.name = s->name,
                                                  .component = s->component,
                                                  .gain = s->gain,
                                                  .majority = s->majority,
                                                  .accuracy = s->accuracy};
    }
    free(rank);
    return ECC_OK;
}

/* The attribute that the first two components tell most about. */
static size_t best_in_plane(const struct ecc_classify *c)
{
    const size_t d = c->views[ECC_VIEW_LATENTS].d;
    size_t best = 0;
    double most = -1;
    for (size_t t = 0; t < c->stump_count; t++) {
        for (size_t k = 0; k < d && k < 2; k++) {
            const double gain = fabs(c->stump_gains[t * d + k]);
            if (gain <= most) continue;
            most = gain;
            best = t;
        }
    }
    return best;
}

static enum ecc_status confuse(struct ecc_report_classes *to, const struct ecc_classify *c,
                               struct ecc_error *error)
{
    const size_t classes = c->test_labels.classes[0];
    to->class_count = classes;
    to->class_names = (const char *const *)c->binary_names;
    to->confusion = calloc(classes * classes, sizeof *to->confusion);
    if (!to->confusion) return ecc_fail_memory(error, "the confusions");
    for (size_t i = 0; i < c->test_n; i++) {
        to->confusion[(size_t)c->test_labels.values[i] * classes + (size_t)c->predicted[i]] += 1;
    }
    return ECC_OK;
}

static enum ecc_status take(struct ecc_report_classes *to, const struct ecc_classify *c,
                            struct ecc_error *error)
{
    const struct ecc_cli_row *const row = &c->rows[c->row_count - 1];
    *to = (struct ecc_report_classes){
        .attributes = c->test_labels.attributes,
        .train_n = c->train_n,
        .test_n = c->test_n,
        .neighbours = row->parameter,
        .majority = row->majority,
        .latents = row->error[ECC_VIEW_LATENTS],
        .pca = row->error[ECC_VIEW_PCA],
        .pixels = row->error[ECC_VIEW_PIXELS],
        .pixels_name = c->views[ECC_VIEW_PIXELS].name,
        .pixels_n = c->views[ECC_VIEW_PIXELS].train_n,
        .pixels_tests = c->views[ECC_VIEW_PIXELS].test_n,
        .target_count = c->test_labels.targets,
        .target_names = c->test_labels.names,
        .target_errors = c->target_errors[ECC_VIEW_LATENTS],
        .target_majority = c->target_majority,
        .plane_attribute = best_in_plane(c),
    };
    ECC_TRY(take_stumps(to, c, error));
    if (!to->attributes) ECC_TRY(confuse(to, c, error));
    to->there = true;
    return ECC_OK;
}

static enum ecc_status classify(struct ecc_report_classes *to, struct ecc_classify *c,
                                struct ecc_error *error)
{
    ECC_TRY(ecc_classify_open(c, c->model->run->directory, error));
    ECC_TRY(ecc_classify_evaluate(c, error));
    ECC_TRY(ecc_classify_turn(c, error));
    ECC_TRY(ecc_classify_stumps(c, error));
    return take(to, c, error);
}

enum ecc_status ecc_cli_report_classes(struct ecc_report_classes *to, struct ecc_classify *c,
                                       struct ecc_model *model, struct ecc_error *error)
{
    c->model = model;
    const enum ecc_status status = classify(to, c, error);
    c->model = NULL; /* it stays the caller's */
    return status;
}

void ecc_cli_report_classes_release(struct ecc_report_classes *classes)
{
    free(classes->stumps);
    free(classes->confusion);
}
