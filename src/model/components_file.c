/* components_file.c: components.npz of a run: valid for the weights it was computed from. */
#include "base/text.h"
#include "base/watch.h"
#include "data/archive.h"
#include "model/components.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum ecc_status ecc_components_write(const struct ecc_components *c, uint32_t weight_sum,
                                     const char *path, struct ecc_error *error)
{
    const size_t d = c->d;
    const uint64_t count = c->count;
    const struct ecc_archive_item items[] = {
        {"mean", ECC_F8, 1, {d}, c->mean},
        {"eigenvalues", ECC_F8, 1, {d}, c->eigenvalues},
        {"components", ECC_F8, 2, {d, d}, c->axes},
        {"explained_variance", ECC_F8, 1, {d}, c->explained},
        {"explained_data_variance", ECC_F8, 1, {d}, c->of_data},
        {"explained_data_by_mean", ECC_F8, 0, {0}, &c->of_mean},
        {"skewness", ECC_F8, 1, {d}, c->skewness},
        {"eccentricity", ECC_F8, 0, {0}, &c->eccentricity},
        {"trace", ECC_F8, 0, {0}, &c->trace},
        {"effective_rank", ECC_F8, 0, {0}, &c->effective_rank},
        {"count", ECC_U8, 0, {0}, &count},
        {"weights", ECC_U4, 0, {0}, &weight_sum},
    };
    return ecc_archive_write(path, items, sizeof items / sizeof items[0], error);
}

/* ---- Reading -------------------------------------------------------------------------------- */

static enum ecc_status bad(const char *name, const char *what, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA, "%s: %s", ecc_quote_path(shown, name), what);
}

enum ecc_status ecc_components_check(const struct ecc_components *c, const char *name,
                                     struct ecc_error *error)
{
    const size_t d = c->d;
    if (c->count == 0) return bad(name, "the components were computed from 0 items", error);
    for (size_t i = 0; i < d * (d + 5); i++) {
        if (!isfinite(c->mean[i])) return bad(name, "a number is not finite", error);
    }
    for (size_t k = 0; k < d; k++) {
        double square = 0;
        for (size_t j = 0; j < d; j++) square += c->axes[k * d + j] * c->axes[k * d + j];
        if (fabs(square - 1) > 1e-6) return bad(name, "an axis is not of length 1", error);
        if (c->eigenvalues[k] < 0 || (k > 0 && c->eigenvalues[k] > c->eigenvalues[k - 1])) {
            return bad(name, "the eigenvalues are not in falling order", error);
        }
    }
    return ECC_OK;
}

static enum ecc_status read_numbers(struct ecc_components *c, uint32_t *weight_sum,
                                    const struct ecc_archive *file, struct ecc_error *error)
{
    const size_t d = c->d;
    double count, sum;
    ECC_TRY(ecc_archive_get_f64(file, c->mean, "mean", d, error));
    ECC_TRY(ecc_archive_get_f64(file, c->eigenvalues, "eigenvalues", d, error));
    ECC_TRY(ecc_archive_get_f64(file, c->axes, "components", d * d, error));
    ECC_TRY(ecc_archive_get_f64(file, c->skewness, "skewness", d, error));
    ECC_TRY(ecc_archive_get_f64(file, &count, "count", 1, error));
    ECC_TRY(ecc_archive_get_f64(file, &sum, "weights", 1, error));
    if (!(count >= 1 && count < 1e15))
        return bad(file->path, "'count' is not a number of items", error);
    if (!(sum >= 0 && sum <= UINT32_MAX))
        return bad(file->path, "'weights' is not a checksum", error);
    /* older files lack it */
    if (ecc_archive_get_f64(file, c->of_data, "explained_data_variance", d, NULL) != ECC_OK ||
        ecc_archive_get_f64(file, &c->of_mean, "explained_data_by_mean", 1, NULL) != ECC_OK) {
        for (size_t k = 0; k < d; k++) c->of_data[k] = (double)NAN;
    }
    c->count = (size_t)count;
    *weight_sum = (uint32_t)sum;
    ECC_TRY(ecc_components_check(c, file->path, error));
    ecc_components_describe(c);
    return ECC_OK;
}

enum ecc_status ecc_components_read(struct ecc_components *c, uint32_t *weight_sum,
                                    const char *path, struct ecc_error *error)
{
    struct ecc_archive file;
    struct ecc_array mean;
    *c = (struct ecc_components){0};
    ECC_TRY(ecc_archive_open(&file, path, error));
    enum ecc_status status = ecc_archive_get(&file, &mean, "mean", error);
    if (status == ECC_OK) {
        const size_t d = mean.count;
        ecc_array_release(&mean);
        status = ecc_components_init(c, d, error);
        if (status == ECC_OK) status = read_numbers(c, weight_sum, &file, error);
    }
    ecc_archive_close(&file);
    if (status != ECC_OK) ecc_components_release(c);
    return status;
}

/* ---- Of a run ------------------------------------------------------------------------------- */

/* d is 0 if the file is missing, damaged or belongs to other weights.  What cannot be read for
 * another reason may be whole: then computing again would replace it for nothing. */
static enum ecc_status read_file(struct ecc_components *c, const struct ecc_model *model,
                                 const char *path, const struct ecc_watch *watch,
                                 struct ecc_error *error)
{
    struct ecc_error reason;
    uint32_t sum;
    *c = (struct ecc_components){0};
    if (access(path, F_OK) != 0) return ECC_OK;
    const enum ecc_status status = ecc_components_read(c, &sum, path, &reason);
    if (status == ECC_BAD_DATA) {
        ecc_watch_remark(watch, "computing the components again: %s", reason.text);
        return ECC_OK;
    }
    if (status != ECC_OK) return ecc_fail(error, status, "%s", reason.text);
    if (sum == model->weight_sum && c->d == model->d) return ECC_OK;
    ecc_components_release(c);
    *c = (struct ecc_components){0};
    return ECC_OK;
}

/* Those of the first process go to all; d is 0 if it has none. */
static enum ecc_status share_components(struct ecc_components *c, const struct ecc_model *model,
                                        struct ecc_error *error)
{
    const size_t d = model->d;
    uint64_t facts[2] = {c->d > 0, c->count};
    double of_mean = c->of_mean;
    if (!model->share) return ECC_OK;
    if (!ecc_share_is_first(model->share)) ecc_components_release(c);
    ECC_TRY(ecc_share_from_first(model->share, ECC_OK, facts, sizeof facts, error));
    if (!facts[0]) return ECC_OK;
    enum ecc_status status = c->d > 0 ? ECC_OK : ecc_components_init(c, d, error);
    status = ecc_share_from_first(model->share, status, &of_mean, sizeof of_mean, error);
    if (status == ECC_OK) {
        status = model->share->broadcast(model->share->context, c->mean,
                                         d * (d + 6) * sizeof *c->mean, error);
    }
    if (status == ECC_OK) {
        c->count = (size_t)facts[1];
        c->of_mean = of_mean;
        ecc_components_describe(c);
    }
    return status;
}

static enum ecc_status compute(struct ecc_components *c, struct ecc_model *model, const char *what,
                               const struct ecc_watch *watch, struct ecc_error *error)
{
    float *z;
    size_t n;
    ECC_TRY(ecc_model_training_latents(model, &z, &n, what, watch, error));
    enum ecc_status status = ecc_components_fit(c, z, n, model->d, error);
    free(z);
    status = ecc_share_settle(model->share, status, error);
    /* other processors may round otherwise */
    return status == ECC_OK ? share_components(c, model, error) : status;
}

/* Reads them from the file, or computes and stores them; computes them for a run in memory. */
static enum ecc_status find_components(struct ecc_components *c, struct ecc_model *model,
                                       const char *what, const struct ecc_watch *watch,
                                       struct ecc_error *error)
{
    if (!model->run->stored) return compute(c, model, what, watch, error);
    char *const path = ecc_run_path(model->run, ECC_COMPONENTS_FILE);
    if (!path) return ecc_fail_memory(error, "a path");
    enum ecc_status status =
        ecc_share_settle(model->share, read_file(c, model, path, watch, error), error);
    if (status == ECC_OK) status = share_components(c, model, error);
    if (status == ECC_OK && c->d == 0) {
        struct ecc_error reason;
        status = compute(c, model, what, watch, error);
        /* a read-only run works, too */
        if (status == ECC_OK && ecc_share_is_first(model->share) &&
            ecc_components_write(c, model->weight_sum, path, &reason) != ECC_OK) {
            ecc_watch_remark(watch, "the components were not saved: %s", reason.text);
        }
    }
    free(path);
    return status;
}

enum ecc_status ecc_model_components(struct ecc_model *model, struct ecc_components *c,
                                     const char *what, const struct ecc_watch *watch,
                                     struct ecc_error *error)
{
    *c = (struct ecc_components){0};
    if (model->components.d == 0) {
        ECC_TRY(find_components(&model->components, model, what, watch, error));
    }
    return ecc_components_copy(c, &model->components, error);
}

enum ecc_status ecc_model_components_or_fit(struct ecc_model *model, struct ecc_components *c,
                                            const struct ecc_stand_in *given,
                                            const struct ecc_watch *watch, struct ecc_error *error)
{
    struct ecc_error reason;
    const enum ecc_status status = ecc_model_components(model, c, NULL, watch, &reason);
    if (status == ECC_OK) return ECC_OK;
    const bool unreadable = status == ECC_IO || status == ECC_BAD_DATA;
    if (!given->data || !unreadable) return ecc_fail(error, status, "%s", reason.text);
    ecc_watch_remark(watch, "using components of %s for %s: %s", given->data, model->run->directory,
                     reason.text);
    return ecc_components_fit(c, given->z, given->n, model->d, error);
}
