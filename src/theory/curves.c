/* curves.c: the curves of the paper's Figures 1 and 2. */
#include "theory/curves.h"
#include "base/threads.h"
#include "base/watch.h"

#include <math.h>
#include <stdlib.h>

/* ---- Figure 1 ------------------------------------------------------------------------------- */

const struct ecc_accuracy_claim ecc_accuracy_claims[ECC_ACCURACY_CLAIMS] = {
    {0.1, 12}, {0.01, 38}, {0.001, 117}};

static enum ecc_status compute(struct ecc_accuracy_curve *c, double step, int threads,
                               const struct ecc_watch *watch, struct ecc_error *error)
{
    enum ecc_status status = ECC_OK;
    struct ecc_work work = {.name = "accuracy", .unit = "dimensions", .total = c->count};
    /* the work grows with d squared: starting with the largest keeps all threads busy to the end */
#pragma omp parallel for schedule(dynamic) num_threads(ecc_threads(threads))
    for (size_t i = 0; i < c->count; i++) {
        const size_t at = c->count - 1 - i;
        struct ecc_error own = {0};
        bool go_on;
#pragma omp critical
        go_on = status == ECC_OK;
        if (!go_on) continue;
        const enum ecc_status outcome =
            ecc_theory_accuracy(&c->percent[at], &c->worst_mu[at], (size_t)c->dim[at], step, &own);
#pragma omp critical
        {
            work.done++;
            if (outcome != ECC_OK) {
                status = ecc_fail(error, outcome, "%s", own.text);
            } else if (status == ECC_OK) {
                status = ecc_watch_work(watch, &work, error);
            }
        }
    }
    return status;
}

enum ecc_status ecc_accuracy_curve_compute(struct ecc_accuracy_curve *curve, size_t from, size_t to,
                                           double step, int threads, const struct ecc_watch *watch,
                                           struct ecc_error *error)
{
    const size_t count = to - from + 1;
    *curve = (struct ecc_accuracy_curve){.count = count, .dim = calloc(3 * count, sizeof(double))};
    if (!curve->dim) return ecc_fail_memory(error, "the curve");
    curve->percent = curve->dim + count;
    curve->worst_mu = curve->dim + 2 * count;
    for (size_t i = 0; i < count; i++) curve->dim[i] = (double)(from + i);
    return compute(curve, step, threads, watch, error);
}

void ecc_accuracy_curve_release(struct ecc_accuracy_curve *curve)
{
    free(curve->dim);
    *curve = (struct ecc_accuracy_curve){0};
}

size_t ecc_accuracy_holds_from(const struct ecc_accuracy_curve *curve, double percent)
{
    size_t first = 0;
    for (size_t i = curve->count; i > 0 && curve->percent[i - 1] <= percent; i--) {
        first = (size_t)curve->dim[i - 1];
    }
    return first;
}

/* ---- Figure 2 ------------------------------------------------------------------------------- */

enum ecc_status ecc_force_curves_compute(struct ecc_force_curves *curves, enum ecc_m_rule rule,
                                         double given_m, double farthest, struct ecc_error *error)
{
    const double end = farthest > 0 ? farthest : 2 * sqrt((double)curves->dim);
    for (size_t i = 0; i < ECC_FORCE_SAMPLES; i++) {
        curves->distance[i] = end * (double)i / (ECC_FORCE_SAMPLES - 1);
    }
    for (size_t c = 0; c < curves->count; c++) {
        const double mu = curves->mu[c];
        double *const m = &curves->m[c];
        ECC_TRY(ecc_theory_m(m, curves->dim, mu, rule, given_m, error));
        curves->peak_distance[c] = sqrt(*m);
        curves->peak_force[c] = ecc_theory_force(curves->peak_distance[c], mu, *m);
        for (size_t i = 0; i < ECC_FORCE_SAMPLES; i++) {
            curves->force[c][i] = ecc_theory_force(curves->distance[i], mu, *m);
        }
    }
    return ECC_OK;
}
