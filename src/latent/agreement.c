/* agreement.c: how well predicted classes and numbers agree with the true ones. */
#include "latent/labelled.h"

#include <math.h>
#include <stdlib.h>

/* How often a class is the truth, the prediction, and both. */
struct tally {
    size_t truth, predicted, both;
};

static void judge(struct ecc_agreement *a, const struct tally *tallies, size_t n, size_t classes)
{
    double right = 0, recall = 0, f1 = 0, true_classes = 0, any_classes = 0;
    for (size_t c = 0; c < classes; c++) {
        const struct tally t = tallies[c];
        right += (double)t.both;
        if (t.truth > 0) {
            recall += (double)t.both / (double)t.truth;
            true_classes++;
        }
        if (t.truth + t.predicted > 0) {
            f1 += 2 * (double)t.both / (double)(t.truth + t.predicted);
            any_classes++;
        }
    }
    a->error = ((double)n - right) / (double)n;
    a->balanced = 1 - recall / true_classes;
    a->f1 = f1 / any_classes;
}

enum ecc_status ecc_agreement_of(struct ecc_agreement *a, const int32_t *truth,
                                 const int32_t *predicted, size_t n, size_t classes,
                                 struct ecc_error *error)
{
    *a = (struct ecc_agreement){0};
    if (n == 0) return ecc_fail(error, ECC_BAD_ARGUMENT, "there are no items, expected 1 or more");
    ECC_TRY(ecc_labels_in_range(truth, n, classes, error));
    ECC_TRY(ecc_labels_in_range(predicted, n, classes, error));
    struct tally *const tallies = calloc(classes, sizeof *tallies);
    if (!tallies) return ecc_fail_memory(error, "the counts of the classes");
    for (size_t i = 0; i < n; i++) {
        tallies[truth[i]].truth++;
        tallies[predicted[i]].predicted++;
        tallies[truth[i]].both += truth[i] == predicted[i];
    }
    judge(a, tallies, n, classes);
    free(tallies);
    return ECC_OK;
}

struct ecc_fit ecc_fit_of(const double *truth, const double *predicted, size_t n)
{
    double mean = 0, squares = 0, absolute = 0, total = 0;
    for (size_t i = 0; i < n; i++) mean += truth[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        const double miss = truth[i] - predicted[i], away = truth[i] - mean;
        squares += miss * miss;
        absolute += fabs(miss);
        total += away * away;
    }
    if (n == 0) return (struct ecc_fit){(double)NAN, (double)NAN, (double)NAN};
    return (struct ecc_fit){.r2 = total > 0 ? 1 - squares / total : (double)NAN,
                            .mae = absolute / (double)n,
                            .rmse = sqrt(squares / (double)n)};
}
