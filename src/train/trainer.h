/*
 * trainer.h: an autoencoder in training: one step after another, what they measured, and
 * checkpoints from which a run continues bit for bit.
 *
 * Everything that a step depends on is in the checkpoint or follows from (seed, step): batches,
 * random draws, rates.  So it makes no difference where a training was interrupted.
 */
#ifndef ECC_TRAIN_TRAINER_H
#define ECC_TRAIN_TRAINER_H

#include "data/loader.h"
#include "nn/net.h"
#include "regularizer/regularizer.h"
#include "run/checkpoint.h"
#include "run/events.h"
#include "run/metrics.h"
#include "run/run.h"
#include "train/average.h"
#include "train/moments.h"
#include "train/schedule.h"
#include "train/steer.h"
#include "run/settings.h"
#include "train/team.h"

/* Sums since the last row of the metrics. */
struct ecc_train_sums {
    double steps, error, regularizer;
};

struct ecc_trainer {
    struct ecc_train_options options;
    char *texts[4]; /* what the options' text fields point to */
    struct ecc_run *run;
    struct ecc_team team;
    struct ecc_dataset *data;
    struct ecc_net_spec *spec;
    struct ecc_net *net;
    struct ecc_regularizer_plan regularizer;
    struct ecc_loader *loader;

    uint32_t *items; /* [item_count] of the data that are trained on; the rest validates */
    size_t item_count, validation_count;
    float *validation; /* [validation_count, c, h, w] */

    uint64_t step; /* done */
    size_t batches_per_epoch;
    struct ecc_schedule schedule;
    struct ecc_steer steer;
    struct ecc_moments moments;
    struct ecc_average average; /* of the weights */
    bool showing;               /* the net holds the averaged model; its own are in average.work */
    struct ecc_train_sums sums;
    double seconds; /* of training before this process started */
    double started; /* on the clock, of this process */
    double eccentricity, trace;

    double loss_average; /* of the eccentric loss, over the last hundred batches or so */

    /* Of the whole team: latents, the encoder's outputs and their gradient; and where this
     * process's own start in the last two. */
    float *z, *all_outputs, *all_doutputs; /* [size * batch, d], [size * batch, outputs] twice */
    float *outputs, *doutputs;
    struct ecc_checkpoint *checkpoint; /* of fields above and of these, which it saves and loads */
    float *saved_weights, *saved_first, *saved_second; /* the net's, and Adam's moments */
    uint64_t saved_total;                              /* options.total_steps */
    double checkpoint_at;                              /* on the clock, of the last one */
    struct ecc_metrics *metrics;
    struct ecc_events *events;
};

/* Starts a new training in a run that ecc_run_create made; writes config.json. */
enum ecc_status ecc_trainer_start(struct ecc_trainer **trainer, struct ecc_run *run,
                                  const struct ecc_train_options *options, struct ecc_error *error);
/* Continues the training of a run from its checkpoint; *remark says what is worth knowing. */
enum ecc_status ecc_trainer_resume(struct ecc_trainer **trainer, struct ecc_run *run,
                                   struct ecc_error *remark, struct ecc_error *error);
/* Plans so many epochs in all for a resumed training; one that was finished is so no more.  A
 * constant rate goes on as if that had been planned from the start; a cosine, which saw its end
 * coming, jumps to where the longer one is. */
enum ecc_status ecc_trainer_extend(struct ecc_trainer *trainer, double epochs,
                                   struct ecc_error *error);
void ecc_trainer_free(struct ecc_trainer *trainer);

/* One step, with the rows of metrics, validation and checkpoints that are due after it.  Fails with
 * ECC_NUMERIC when the training has diverged; the last good checkpoint stays. */
enum ecc_status ecc_trainer_step(struct ecc_trainer *trainer, struct ecc_train_progress *now,
                                 struct ecc_error *error);
bool ecc_trainer_done(const struct ecc_trainer *trainer);

/* Writes a checkpoint now. */
enum ecc_status ecc_trainer_save(struct ecc_trainer *trainer, struct ecc_error *error);

/*
 * Last checkpoint and model.safetensors; the result over all items that were trained on, with its
 * components, which lie in the run, too, and with the open model.  The caller releases it.
 */
enum ecc_status ecc_trainer_finish(struct ecc_trainer *trainer, struct ecc_train_result *result,
                                   struct ecc_error *error);

/* As keys and values: result.json, and what `train --json` prints. */
void ecc_train_result_store(const struct ecc_train_result *result, struct ecc_config *file);

/* The model so far: mean squared error of x: [n, c, h, w] by running statistics; y: [n, c, h, w] or
 * NULL. */
enum ecc_status ecc_trainer_reconstruct(struct ecc_trainer *trainer, double *error_mean, float *y,
                                        const float *x, size_t n, struct ecc_error *error);

#endif
