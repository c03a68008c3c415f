/* trainer_step.c: one step of training, and what is due after it. */
#include "base/clock.h"
#include "train/trainer_internal.h"

#include <math.h>
#include <string.h>

enum {
    ROW_STEPS = 50,       /* between two rows of the metrics, besides the ends of epochs */
    PATIENT_LOOKS = 5,    /* at the validation items, at least, before patience ends */
    FIRST_CHECKPOINT = 2, /* seconds */
};

/* Pixels lie between 0 and 1 and tables have deviation 1: an error above this limit means
 * divergence.  A latent's share of a regularizer is of the order of 1. */
static const double error_limit = 1e4, regularizer_limit = 1e6;

/* What the regularizer itself learns from a batch, and the decay that it asks for. */
static enum ecc_status teach(struct ecc_trainer *t, uint64_t own, struct ecc_error *error)
{
    const struct ecc_regularizer *const entry = t->regularizer.entry;
    const struct ecc_regularizer_learning how = {
        .step = own, .rate = ecc_schedule_rate(&t->schedule, own + 1) / t->options.rate};
    if (entry->decay) {
        double encoder = 0, decoder = 0;
        entry->decay(&encoder, &decoder, t->regularizer.own);
        ecc_net_add_decay(t->net, encoder, decoder);
    }
    return ecc_regularizer_learn(&t->regularizer, t->all_outputs, ecc_trainer_whole_batch(t), &how,
                                 error);
}

/* Adds what a penalty with more passes through the decoder contributes to the gradients. */
static enum ecc_status penalize(struct ecc_trainer *t, const float **dz, struct ecc_error *error)
{
    double penalty;
    const float *const z = t->z + (size_t)t->team->rank * t->options.batch * t->options.latent;
    ECC_TRY(ecc_decoder_passes_penalize(&t->passes, &penalty, dz, z, &t->regularizer, error));
    if (penalty <= error_limit) return ECC_OK;
    return ecc_trainer_diverged(t, "the penalty", penalty, t->step + 1, error);
}

/* What a batch gave on the way forward. */
struct forward {
    double reconstruction, entropy; /* mean errors */
    struct ecc_regularizer_value value;
};

/* The regularizer of the whole batch, and its gradient. */
static enum ecc_status evaluate(struct ecc_trainer *t, struct ecc_regularizer_value *value,
                                struct ecc_error *error)
{
    ECC_TRY(ecc_regularizer_evaluate(&t->regularizer, value, t->all_doutputs, t->all_outputs,
                                     ecc_trainer_whole_batch(t), t->step, error));
    if (fabs(value->loss) <= regularizer_limit * (double)t->options.latent) return ECC_OK;
    return ecc_trainer_diverged(t, "the regularizer", value->loss, t->step + 1, error);
}

/* From the latents of the whole batch to the error of this process's items. */
static enum ecc_status decode(struct ecc_trainer *t, struct forward *f, struct ecc_error *error)
{
    const size_t n = t->options.batch, before = (size_t)t->team->rank * n * t->options.latent;
    ECC_TRY(ecc_regularizer_latents(&t->regularizer, t->z, t->all_outputs,
                                    ecc_trainer_whole_batch(t), t->step, error));
    ECC_TRY(ecc_net_decode(t->net, NULL, t->z + before, n, true, error));
    return ecc_trainer_error(t, &f->reconstruction, &f->entropy, error);
}

/* Errors and the value of the regularizer are those of the whole batch. */
static enum ecc_status forward(struct ecc_trainer *t, struct forward *f, const float *x,
                               struct ecc_error *error)
{
    const size_t n = t->options.batch, outputs = t->spec->encoder_outputs;
    const float *encoded;
    enum ecc_status status = ecc_net_encode(t->net, &encoded, x, n, true, error);
    if (status == ECC_OK) memcpy(t->outputs, encoded, n * outputs * sizeof *t->outputs);
    ECC_TRY(
        ecc_team_gather(t->team, status, t->all_outputs, n * outputs * sizeof *t->outputs, error));
    status = decode(t, f, error);
    struct ecc_error why = {0};
    enum ecc_status evaluated = ECC_OK;
    if (status == ECC_OK && f->reconstruction <= error_limit && !t->shares_pairs) {
        evaluated = evaluate(t, &f->value, &why);
    }
    ECC_TRY(
        ecc_trainer_share_errors(t, status, &evaluated, &f->reconstruction, &f->entropy, error));
    if (!(f->reconstruction <= error_limit)) { /* or NaN */
        t->team->agreed = true;
        return ecc_trainer_diverged(t, "the reconstruction error", f->reconstruction, t->step + 1,
                                    error);
    }
    if (t->shares_pairs) return evaluate(t, &f->value, error); /* the same for all */
    if (evaluated != ECC_OK && error) *error = why;
    return ecc_trainer_settle_evaluation(t, evaluated, error);
}

static enum ecc_status backward(struct ecc_trainer *t, const struct forward *f,
                                struct ecc_error *error)
{
    const float *dz;
    t->weight = ecc_regularizer_weight(&t->regularizer, t->steer.lambda, f->reconstruction,
                                       ecc_shape_size(t->data->shape), ecc_trainer_own_step(t));
    ECC_TRY(ecc_net_decode_back(t->net, &dz, error));
    if (t->regularizer.entry->penalty) ECC_TRY(penalize(t, &dz, error));
    ecc_trainer_send_decoder(t);
    /* each process has the gradient of its own items' mean error, and of the whole batch's
     * regularizer: their mean over the processes would make the latter too small */
    const double lambda = t->weight * t->team->size;
    ecc_regularizer_combine(&t->regularizer, t->all_doutputs, ecc_trainer_spread(t, dz), lambda,
                            t->all_outputs, ecc_trainer_whole_batch(t), t->step);
    ECC_TRY(ecc_net_encode_back(t->net, t->doutputs, error));
    return ecc_trainer_average_gradients(t, error);
}

/* Forward, backward and update for one batch. */
static enum ecc_status compute(struct ecc_trainer *t, struct forward *f, const float *x,
                               struct ecc_error *error)
{
    const uint64_t own = ecc_trainer_own_step(t);
    ECC_TRY(forward(t, f, x, error));
    ECC_TRY(backward(t, f, error));
    ECC_TRY(teach(t, own, error));
    const struct ecc_adam adam = {.rate = ecc_schedule_rate(&t->schedule, own + 1),
                                  .decay = t->options.decay,
                                  .beta1 = t->options.beta1,
                                  .beta2 = t->options.beta2,
                                  .epsilon = t->options.epsilon,
                                  .step = own + 1};
    return t->spectral ? ecc_spectral_update(t->spectral, &adam, error)
                       : ecc_net_update(t->net, &adam, error);
}

/* The eccentric loss without the bias of published pairs: the value that larger batches would
 * give. */
static double eccentric_loss(const struct ecc_trainer *t, const struct ecc_regularizer_value *value)
{
    double loss = value->loss;
    if (t->options.pairs == ECC_PAIRS_PUBLISHED) {
        for (size_t i = 0; i < value->term_count; i++) {
            if (strcmp(value->terms[i].name, "attraction") == 0) {
                loss -= value->terms[i].value / (double)ecc_trainer_whole_batch(t);
            }
        }
    }
    return loss;
}

/* Updates the running covariance, and lambda if it is steered. */
static enum ecc_status observe(struct ecc_trainer *t, const struct ecc_regularizer_value *value,
                               struct ecc_error *error)
{
    const size_t n = ecc_trainer_whole_batch(t);
    const uint64_t own = ecc_trainer_own_step(t);
    ecc_regularizer_means(&t->regularizer, t->z, t->all_outputs, n);
    ecc_moments_add(&t->moments, t->z, n);
    t->loss_average += (eccentric_loss(t, value) - t->loss_average) / fmin(100, (double)own + 1);
    if ((t->step + 1) % ECC_STEER_STEPS != 0) return ECC_OK;
    ECC_TRY(ecc_moments_spectrum(&t->moments, &t->trace, &t->eccentricity, error));
    if (own < ECC_STEER_AFTER) return ECC_OK;
    ecc_steer_observe(&t->steer,
                      t->steer.kind == ECC_STEER_LOSS ? t->loss_average : t->eccentricity);
    return ECC_OK;
}

/* Keeps to a time budget: decisions about the number of steps go to config.json. */
static enum ecc_status keep_to_budget(struct ecc_trainer *t, struct ecc_error *error)
{
    const double seconds = t->team->size > 1 ? t->clock : ecc_trainer_seconds(t);
    const bool decided =
        ecc_time_plan_observe(&t->plan, &t->schedule, t->step, seconds, 60 * t->options.minutes);
    t->options.total_steps = t->schedule.total;
    return decided ? ecc_trainer_write_config(t, error) : ECC_OK;
}

/* The weight of the regularizer: what the method made of it, or else what it is now. */
static double shown_lambda(const struct ecc_trainer *t)
{
    return t->regularizer.entry->weight ? t->weight : t->steer.lambda;
}

static enum ecc_status append_row(struct ecc_trainer *t, struct ecc_error *error)
{
    const bool look = t->step % t->look_steps == 0 || ecc_trainer_done(t);
    double validation = NAN, loss = NAN;
    if (look && t->validation_count > 0) {
        ECC_TRY(ecc_trainer_validate(t, &validation, &loss, error));
    }
    const double seconds = ecc_trainer_seconds(t), steps = fmax(1, t->sums.steps);
    struct ecc_metric row[13] = {
        {"epoch", ecc_trainer_epochs(t)},
        {"seconds", seconds},
        {"images_per_second", (double)t->step * (double)ecc_trainer_whole_batch(t) / seconds},
        {"error", t->sums.error / steps},
        {"validation_error", validation},
        {"regularizer", t->sums.regularizer / steps},
        {"lambda", shown_lambda(t)},
        {"rate", ecc_schedule_rate(&t->schedule, ecc_trainer_own_step(t))},
        {"eccentricity", t->eccentricity},
        {"trace", t->trace},
    };
    size_t count = 10;
    if (t->options.keep == ECC_KEEP_REFIT) {
        row[count++] = (struct ecc_metric){ECC_METRICS_REFIT, (double)t->refit.begun};
    }
    if (t->options.reconstruction == ECC_RECONSTRUCTION_BCE) {
        row[count++] = (struct ecc_metric){"cross_entropy", t->sums.entropy / steps};
        row[count++] = (struct ecc_metric){"validation_loss", loss};
    }
    t->sums = (struct ecc_train_sums){0};
    if (t->metrics) ECC_TRY(ecc_metrics_append(t->metrics, t->step, row, count, error));
    return t->events ? ecc_events_append(t->events, t->step, row, count, error) : ECC_OK;
}

/* The first after a second or two, so that other commands can use the model so far, then at
 * intervals that double until they are as long as asked for. */
static bool checkpoint_is_due(const struct ecc_trainer *t)
{
    if (!t->run->stored) return false;
    const double wait = fmax(FIRST_CHECKPOINT, t->checkpoint_at - t->began);
    return ecc_seconds() - t->checkpoint_at >= fmin(wait, t->options.checkpoint_seconds);
}

enum ecc_status ecc_trainer_step(struct ecc_trainer *t, struct ecc_train_progress *now,
                                 struct ecc_error *error)
{
    const float *x;
    const uint32_t *items;
    struct forward f = {0};
    ecc_trainer_hide_average(t);
    ECC_TRY(ecc_team_settle(t->team, ecc_loader_next(t->loader, &x, &items, error), error));
    ECC_TRY(compute(t, &f, ecc_trainer_pixels(t, x), error));
    ECC_TRY(observe(t, &f.value, error));
    t->step++;
    ecc_trainer_average(t);
    t->sums.steps++;
    t->sums.error += f.reconstruction;
    t->sums.regularizer += f.value.loss;
    t->sums.entropy += f.entropy;
    if (t->options.minutes > 0) ECC_TRY(keep_to_budget(t, error));
    *now = (struct ecc_train_progress){
        .step = t->step,
        .total = ecc_trainer_total(t),
        .epoch = ecc_trainer_epochs(t),
        .epoch_ended = ecc_trainer_own_step(t) % t->batches_per_epoch == 0,
        .seconds = ecc_trainer_seconds(t),
        .error = t->sums.error / t->sums.steps,
        .regularizer = t->sums.regularizer / t->sums.steps,
        .lambda = shown_lambda(t),
        .rate = ecc_schedule_rate(&t->schedule, ecc_trainer_own_step(t)),
        .eccentricity = t->eccentricity,
        .trace = t->trace,
        .latent = t->options.latent,
        .channels = t->data->shape.channels,
        .height = t->data->shape.height,
        .width = t->data->shape.width,
        .trainer = t,
    };
    if (t->step % ROW_STEPS == 0 || t->step % t->look_steps == 0 || ecc_trainer_done(t)) {
        ECC_TRY(append_row(t, error));
    }
    if (ecc_trainer_done(t) && ecc_trainer_refit_due(t)) ECC_TRY(ecc_trainer_refit(t, error));
    now->ended = ecc_trainer_done(t);
    return checkpoint_is_due(t) ? ecc_trainer_save(t, error) : ECC_OK;
}

/* Nothing better has come for as long as the patience lasts. */
static bool out_of_patience(const struct ecc_trainer *t)
{
    const double share = t->options.patience * (double)t->options.total_steps;
    const double least = PATIENT_LOOKS * (double)t->look_steps;
    if (t->best.items == 0 || share <= 0 || !isfinite(t->best.error)) return false;
    return (double)(t->step - t->best.step) >= fmax(share, least);
}

uint64_t ecc_trainer_total(const struct ecc_trainer *t)
{
    return t->refit.begun ? t->refit.total : t->options.total_steps;
}

double ecc_trainer_epochs(const struct ecc_trainer *t)
{
    return t->refit.epochs + (double)ecc_trainer_own_step(t) / (double)t->batches_per_epoch;
}

/* Of the training that is under way, the first or the second. */
bool ecc_trainer_done(const struct ecc_trainer *t)
{
    const uint64_t total = ecc_trainer_total(t);
    return total > 0 && (t->step >= total || out_of_patience(t));
}
