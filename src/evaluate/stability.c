/*
 * stability.c: whether a run's components come out again: trains it with other seeds and aligns.
 */
#include "evaluate/retrain.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHORT_STEPS = 3000 }; /* of each training beside the run's own, at most */

static struct ecc_train_options settings_of(const struct ecc_model *model, size_t number,
                                            size_t threads)
{
    struct ecc_train_options o = model->options;
    o.seed += number;
    o.minutes = 0;
    o.threads = threads ? threads : o.threads;
    if (o.total_steps > SHORT_STEPS) o.total_steps = SHORT_STEPS;
    return o;
}

enum ecc_status ecc_stability_measure(struct ecc_runs_alignment *result, struct ecc_model *model,
                                      const struct ecc_stability_options *options,
                                      const struct ecc_watch *watch, struct ecc_error *error)
{
    const size_t count = options->runs;
    *result = (struct ecc_runs_alignment){0};
    if (count < 2) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "stability of %zu runs, expected two or more",
                        count);
    }
    struct ecc_train_result *const others = calloc(count, sizeof *others);
    struct ecc_model **const models = calloc(count, sizeof *models);
    enum ecc_status status =
        others && models ? ECC_OK : ecc_fail_memory(error, "the runs to compare");
    if (models) models[0] = model;
    for (size_t i = 1; status == ECC_OK && i < count; i++) {
        struct ecc_train_options o = settings_of(model, i, options->threads);
        char name[40];
        if (options->data) o.data = options->data;
        snprintf(name, sizeof name, "train %zu of %zu", i, count - 1);
        status = ecc_retrain(&others[i], &o, name, watch, error);
        if (status == ECC_OK) models[i] = others[i].model;
    }
    if (status == ECC_OK) {
        const struct ecc_align_options align = {.data = options->data};
        status = ecc_align_runs(result, models, count, &align, watch, error);
    }
    for (size_t i = 1; others && i < count; i++) ecc_train_result_release(&others[i]);
    free(others);
    free(models);
    return status;
}
