/* trainer_result.c: measures the model with its running statistics: for validation, and at the
 * end. */
#include "model/components.h"
#include "run/stored.h"
#include "run/weights.h"
#include "train/trainer_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum ecc_status ecc_trainer_reconstruct(struct ecc_trainer *t, double *error_mean, float *y,
                                        const float *x, size_t n, struct ecc_error *error)
{
    const size_t batch = t->options.batch, size = ecc_shape_size(t->data->shape);
    double sum = 0, cells = 0;
    ECC_TRY(ecc_trainer_show_average(t, error));
    for (size_t i = 0; i < n; i += batch) {
        const size_t count = n - i < batch ? n - i : batch;
        const float *outputs;
        double part;
        ECC_TRY(ecc_net_encode(t->net, &outputs, x + i * size, count, false, error));
        ecc_regularizer_means(&t->regularizer, t->z, outputs, count);
        ECC_TRY(ecc_net_decode(t->net, y ? y + i * size : NULL, t->z, count, false, error));
        ECC_TRY(ecc_net_error(t->net, &part, error));
        sum += part * (double)ecc_net_cells(t->net);
        cells += (double)ecc_net_cells(t->net);
    }
    *error_mean = sum / fmax(1, cells);
    return ECC_OK;
}

/* Squared errors of the validation items, each its mean over cells, go to best.now. */
static enum ecc_status item_errors(struct ecc_trainer *t, double *error_mean,
                                   struct ecc_error *error)
{
    const size_t batch = t->options.batch, size = ecc_shape_size(t->data->shape);
    double sum = 0, cells = 0;
    for (size_t i = 0; i < t->validation_count; i += batch) {
        const size_t left = t->validation_count - i, count = left < batch ? left : batch;
        double part;
        ECC_TRY(ecc_trainer_reconstruct(t, &part, NULL, t->validation + i * size, count, error));
        const double here = (double)ecc_net_cells(t->net);
        if (t->best.now) ecc_net_item_errors(t->net, t->best.now + i);
        sum += part * here;
        cells += here;
    }
    *error_mean = sum / fmax(1, cells);
    return ECC_OK;
}

enum ecc_status ecc_trainer_validate(struct ecc_trainer *t, double *error_mean, double *loss,
                                     struct ecc_error *error)
{
    ECC_TRY(ecc_trainer_show_average(t, error));
    ECC_TRY(item_errors(t, error_mean, error));
    ECC_TRY(ecc_trainer_validation_loss(t, loss, error));
    ECC_TRY(ecc_trainer_share_validation(t, error_mean, loss, error));
    if (t->best.items == 0) return ECC_OK;
    const double decides = isnan(*loss) ? *error_mean : *loss;
    if (ecc_best_look(&t->best, decides, t->step)) ecc_net_export(t->net, t->best.weights);
    return ECC_OK;
}

void ecc_trainer_show_best(struct ecc_trainer *t)
{
    if (t->best.items == 0 || !isfinite(t->best.error)) return;
    if (!t->showing) ecc_net_export(t->net, t->average.work);
    ecc_net_import(t->net, t->best.weights);
    t->showing = true;
}

/* Latents of all training items, z: [item_count, d], and their reconstruction error. */
static enum ecc_status encode_all(struct ecc_trainer *t, float *z, float *x, double *error_mean,
                                  struct ecc_error *error)
{
    const size_t batch = t->options.batch, d = t->options.latent;
    double sum = 0;
    for (size_t i = 0; i < t->item_count; i += batch) {
        const size_t count = t->item_count - i < batch ? t->item_count - i : batch;
        double part;
        ECC_TRY(ecc_dataset_read(t->data, x, t->items + i, count, error));
        ECC_TRY(ecc_trainer_reconstruct(t, &part, NULL, x, count, error));
        for (size_t k = 0; k < count * d; k++) z[i * d + k] = t->z[k];
        sum += part * (double)count;
    }
    *error_mean = sum / (double)t->item_count;
    return ECC_OK;
}

/* The eccentric loss of z: [n, d]; NaN for d = 1, where it is not defined. */
static enum ecc_status measure_loss(const struct ecc_trainer *t, double *loss, const float *z,
                                    struct ecc_error *error)
{
    const struct ecc_loss_options options = ecc_settings_loss(&t->options);
    const size_t most = 65536; /* the time is quadratic */
    const size_t n = t->item_count < most ? t->item_count : most;
    struct ecc_loss_value value;
    *loss = NAN;
    if (t->options.latent < 2) return ECC_OK;
    ECC_TRY(ecc_loss(&value, NULL, z, n, t->options.latent, &options, error));
    *loss = value.loss;
    return ECC_OK;
}

/* Everything that needs a pass through all training items. */
static enum ecc_status measure_items(struct ecc_trainer *t, struct ecc_train_result *r,
                                     struct ecc_error *error)
{
    float *const z = malloc(t->item_count * t->options.latent * sizeof *z);
    float *const x = malloc(t->options.batch * ecc_shape_size(t->data->shape) * sizeof *x);
    enum ecc_status status = z && x ? ECC_OK : ecc_fail_memory(error, "the latents of all items");
    if (status == ECC_OK) status = encode_all(t, z, x, &r->error, error);
    if (status == ECC_OK) status = measure_loss(t, &r->loss, z, error);
    if (status == ECC_OK) {
        status = ecc_components_fit(&r->components, z, t->item_count, t->options.latent, error);
    }
    free(z);
    free(x);
    return status;
}

static void judge_target(const struct ecc_trainer *t, struct ecc_train_result *r)
{
    r->target = r->reached = NAN;
    if (t->steer.kind == ECC_STEER_NONE) return;
    r->target = t->steer.target;
    r->reached = t->steer.kind == ECC_STEER_LOSS ? r->loss : r->components.eccentricity;
    r->target_met = fabs(ecc_steer_error(&t->steer, r->reached)) <= 0.05;
}

/* Why the target was not met. */
static void explain_target(const struct ecc_trainer *t, struct ecc_train_result *r)
{
    if (t->steer.kind == ECC_STEER_NONE || r->target_met) return;
    const bool high = ecc_steer_error(&t->steer, r->reached) > 0;
    const int length =
        snprintf(r->remark, sizeof r->remark,
                 "the target %s %g was not reached: it is %.4g over all items, with lambda %.3g; ",
                 t->steer.kind == ECC_STEER_LOSS ? "loss" : "eccentricity", r->target, r->reached,
                 r->lambda);
    const size_t rest = sizeof r->remark - (size_t)length;
    if (ecc_steer_stuck(&t->steer)) {
        snprintf(r->remark + length, rest,
                 "a %s lambda has no further effect, so the target is out of reach for this data "
                 "and net",
                 high ? "higher" : "lower");
    } else {
        snprintf(r->remark + length, rest,
                 "lambda was still %s when training ended: train longer, or start from a %s "
                 "lambda",
                 high ? "rising" : "falling", high ? "larger" : "smaller");
    }
}

/* ---- What the run directory keeps
 * ----------------------------------------------------------------- */

/* The model in memory, open, with its components. */
static enum ecc_status open_model(struct ecc_trainer *t, struct ecc_train_result *r,
                                  const float *flat, struct ecc_error *error)
{
    const struct ecc_model_options options = {.threads = (int)t->options.threads};
    struct ecc_run *run;
    ECC_TRY(ecc_run_copy(&run, t->run, error));
    ECC_TRY(ecc_model_plan(&r->model, run, &options, error));
    ecc_model_take_weights(r->model, flat);
    return ecc_components_copy(&r->model->components, &r->components, error);
}

static enum ecc_status write_components(const struct ecc_train_result *r, struct ecc_error *error)
{
    char *const path = ecc_run_path(r->model->run, ECC_COMPONENTS_FILE);
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status =
        ecc_components_write(&r->components, r->model->weight_sum, path, error);
    free(path);
    return status;
}

static enum ecc_status write_result(const struct ecc_train_result *r, struct ecc_error *error)
{
    struct ecc_config file;
    char *const path = ecc_run_path(r->model->run, ECC_RUN_RESULT);
    if (!path) return ecc_fail_memory(error, "a path");
    enum ecc_status status = ecc_config_init(&file, path, error);
    free(path);
    ECC_TRY(status);
    ecc_train_result_store(r, &file);
    status = ecc_config_write(&file, error);
    ecc_config_release(&file);
    return status;
}

static void store_unseen(const struct ecc_train_comparison *c, struct ecc_config *file)
{
    if (!c->items_are) return;
    ecc_config_set_text(file, "unseen.part", c->items_are);
    ecc_config_set_u64(file, "unseen.items", c->items);
    ecc_config_set_number(file, "unseen.error", c->error);
    ecc_config_set_number(file, "unseen.explained", 1 - c->error / c->variance);
    ecc_config_set_number(file, "unseen.pca_error", c->pca_error);
    ecc_config_set_number(file, "unseen.pca_explained", 1 - c->pca_error / c->variance);
}

void ecc_train_result_store(const struct ecc_train_result *r, struct ecc_config *file)
{
    const struct ecc_train_options *const o = &r->model->options;
    ecc_config_set_text(file, "run", r->model->run->directory);
    ecc_config_set_text(file, "data", o->data);
    ecc_config_set_u64(file, "items", r->items);
    ecc_config_set_u64(file, "latent", o->latent);
    ecc_config_set_text(file, "regularizer", o->regularizer);
    ecc_config_set_u64(file, "steps", r->steps);
    ecc_config_set_number(file, "epochs", r->epochs);
    ecc_config_set_number(file, "seconds", r->seconds);
    ecc_config_set_number(file, "images_per_second", r->items_per_second);
    ecc_config_set_number(file, "error", r->error);
    ecc_config_set_number(file, "validation_error", r->validation_error);
    ecc_config_set_u64(file, "best_step", r->best_step);
    if (r->refit) ecc_config_set_flag(file, "refit", true);
    store_unseen(&r->unseen, file);
    ecc_config_set_number(file, "loss", r->loss);
    ecc_config_set_number(file, "lambda", r->lambda);
    ecc_config_set_number(file, "eccentricity", r->components.eccentricity);
    ecc_config_set_number(file, "trace", r->components.trace);
    ecc_config_set_numbers(file, "eigenvalues", r->components.eigenvalues, r->components.d);
    if (isnan(r->target)) return;
    ecc_config_set_number(file, "target", r->target);
    ecc_config_set_number(file, "reached", r->reached);
    ecc_config_set_flag(file, "target_met", r->target_met);
}

/* ---- The end -------------------------------------------------------------------------------- */

static enum ecc_status keep(struct ecc_trainer *t, struct ecc_train_result *r,
                            struct ecc_error *error)
{
    float *const flat = malloc((ecc_net_flat_size(t->net) + 1) * sizeof *flat);
    if (!flat) return ecc_fail_memory(error, "the weights");
    ecc_net_export(t->net, flat);
    const enum ecc_status status = open_model(t, r, flat, error);
    free(flat);
    ECC_TRY(status);
    if (!t->run->stored) return ECC_OK;
    ECC_TRY(ecc_components_explain(r->model, t->data, NULL, error));
    ecc_components_release(&r->components);
    ECC_TRY(ecc_components_copy(&r->components, &r->model->components, error));
    ECC_TRY(write_components(r, error));
    return write_result(r, error);
}

enum ecc_status ecc_trainer_finish(struct ecc_trainer *t, struct ecc_train_result *r,
                                   struct ecc_error *error)
{
    *r = (struct ecc_train_result){.steps = t->step,
                                   .items = t->item_count,
                                   .validation_items = ecc_run_aside(t->data->count, &t->options),
                                   .lambda = t->steer.lambda,
                                   .validation_error = NAN};
    if (t->run->stored) ECC_TRY(ecc_trainer_save(t, error));
    ECC_TRY(ecc_trainer_show_average(t, error));
    ecc_trainer_show_best(t);
    r->refit = t->refit.begun;
    r->best_step = t->best.items > 0 || r->refit ? t->best.step : t->step;
    r->started_from_pca = ecc_trainer_has_linear_paths(t);
    if (t->run->stored) ECC_TRY(ecc_weights_save(t->net, t->run->model, NULL, error));
    r->seconds = ecc_trainer_seconds(t);
    r->epochs = ecc_trainer_epochs(t);
    r->items_per_second = (double)t->step * (double)ecc_trainer_whole_batch(t) / r->seconds;
    ECC_TRY(measure_items(t, r, error));
    if (r->refit) {
        const bool squared = t->options.reconstruction == ECC_RECONSTRUCTION_MSE;
        r->validation_error = squared ? t->best.error : t->refit.before.error;
    }
    if (t->validation_count > 0) {
        ECC_TRY(ecc_trainer_reconstruct(t, &r->validation_error, NULL, t->validation,
                                        t->validation_count, error));
    }
    ECC_TRY(ecc_trainer_compare(t, r, error));
    judge_target(t, r);
    explain_target(t, r);
    return keep(t, r, error);
}

void ecc_train_result_release(struct ecc_train_result *r)
{
    ecc_components_release(&r->components);
    ecc_model_close(r->model);
    *r = (struct ecc_train_result){0};
}
