/*
 * trainer.h: trains an autoencoder step by step, records metrics, and writes checkpoints from which
 * a run continues bit for bit.
 *
 * Everything that a step depends on is in the checkpoint or follows from (seed, step): batches,
 * random draws, rates.  So an interruption never changes the result.
 */
#ifndef ECC_TRAIN_TRAINER_H
#define ECC_TRAIN_TRAINER_H

#include "data/loader.h"
#include "nn/net.h"
#include "nn/spectral.h"
#include "regularizer/regularizer.h"
#include "run/checkpoint.h"
#include "run/events.h"
#include "run/metrics.h"
#include "run/run.h"
#include "run/settings.h"
#include "train/average.h"
#include "train/best.h"
#include "train/decoder_passes.h"
#include "train/moments.h"
#include "train/schedule.h"
#include "train/settle.h"
#include "train/steer.h"
#include "train/team.h"
#include "train/time_plan.h"

/* Sums since the last row of the metrics. */
struct ecc_train_sums {
    double steps, error, regularizer, entropy;
};

/* The second training, on all items. */
struct ecc_refit {
    uint64_t begun;       /* 0 or 1 */
    uint64_t from, total; /* the step after which it began; its last step */
    double epochs;        /* before it */
    uint64_t items;       /* that the best model was compared on before it, from those kept aside */
    struct ecc_train_comparison before;
};

struct ecc_trainer {
    struct ecc_train_options options;
    char *texts[ECC_SETTINGS_TEXTS]; /* what the options' text fields point to */
    struct ecc_run *run;
    struct ecc_team *team, alone; /* the one that trains together: given, or this one */
    struct ecc_dataset *data;
    struct ecc_net_spec *spec;
    struct ecc_net *net;
    struct ecc_regularizer_plan regularizer;
    struct ecc_decoder_passes passes; /* of a regularizer that needs them */
    struct ecc_spectral *spectral;    /* of one that normalises kernels, or NULL */
    struct ecc_loader *loader;

    uint32_t *items; /* [item_count] to train on; the rest is for validation */
    size_t item_count, validation_count;
    float *validation; /* [validation_count, c, h, w] */

    uint64_t step; /* steps done */
    size_t batches_per_epoch;
    struct ecc_schedule schedule;
    struct ecc_time_plan plan; /* of a time budget */
    struct ecc_steer steer;
    struct ecc_moments moments;
    struct ecc_average average; /* of the weights */
    bool showing; /* the net holds the averaged weights; its own are in average.work */
    struct ecc_best best;
    struct ecc_refit refit;
    uint64_t look_steps; /* between two looks at the validation items */
    struct ecc_train_sums sums;
    double seconds; /* of training in earlier processes */
    double began;   /* when this process began to train, on the clock */
    double started; /* likewise, or when the last checkpoint was written: `seconds` is of before */
    double eccentricity, trace;

    double loss_average; /* of the eccentric loss, over about the last hundred batches */

    /* Of the whole team: latents, the encoder's outputs and their gradient; and where the part of
     * this process starts in the last two. */
    float *z, *all_outputs, *all_doutputs; /* [size * batch, d], [size * batch, outputs] twice */
    float *outputs, *doutputs;
    /* Of several processes: dz, 0 for the items of the others; batch norm's statistics; notes. */
    float *all_dz, *all_statistics; /* [size * batch, d], [size, statistics] */
    struct ecc_team_note *notes;    /* [size] */
    bool shares_pairs;              /* each process evaluates some pairs of the whole batch */
    bool sends_beside;              /* the decoder's gradients travel while the encoder works */
    double clock;                   /* seconds of training at this step, as process 0 sees them */
    float *drawn;                   /* [batch, c, h, w], of black and white pixels; or NULL */
    double weight;                  /* of the regularizer in the last step */
    struct ecc_checkpoint *checkpoint;                 /* saves and loads fields above and these */
    float *saved_weights, *saved_first, *saved_second; /* the net's, and Adam's moments */
    uint64_t saved_total;                              /* options.total_steps */
    double checkpoint_at; /* when the last one was written, on the clock */
    struct ecc_metrics *metrics;
    struct ecc_events *events;
};

/* As ecc_train_estimate, of data that is open. */
enum ecc_status ecc_train_estimate_of(struct ecc_train_estimate *estimate, struct ecc_dataset *data,
                                      const struct ecc_train_options *options,
                                      struct ecc_error *error);

/* Starts training in a run that ecc_run_create made; writes config.json.  team: NULL for one
 * process; of several, all but the first have a run in memory. */
enum ecc_status ecc_trainer_start(struct ecc_trainer **trainer, struct ecc_run *run,
                                  const struct ecc_train_options *options, struct ecc_team *team,
                                  struct ecc_error *error);
/* Continues training a run from its checkpoint; *remark is a note for the user. */
enum ecc_status ecc_trainer_resume(struct ecc_trainer **trainer, struct ecc_run *run,
                                   struct ecc_team *team, struct ecc_error *remark,
                                   struct ecc_error *error);
/* Changes the total number of epochs of a resumed run; a finished run becomes unfinished.  A
 * constant rate continues as if this had been the plan from the start.  A cosine has already
 * decayed: the rate jumps to its value on the longer cosine. */
enum ecc_status ecc_trainer_extend(struct ecc_trainer *trainer, double epochs,
                                   struct ecc_error *error);
void ecc_trainer_free(struct ecc_trainer *trainer);

/* Does one step, and writes the metrics, validation and checkpoint that are due after it.  Fails
 * with ECC_NUMERIC if training diverged; the last good checkpoint stays. */
enum ecc_status ecc_trainer_step(struct ecc_trainer *trainer, struct ecc_train_progress *now,
                                 struct ecc_error *error);
bool ecc_trainer_done(const struct ecc_trainer *trainer);

/* Writes a checkpoint now. */
enum ecc_status ecc_trainer_save(struct ecc_trainer *trainer, struct ecc_error *error);

/*
 * Writes the last checkpoint, model.safetensors and the components.  The result covers all training
 * items and includes the components and the open model.  The caller releases it.
 */
enum ecc_status ecc_trainer_finish(struct ecc_trainer *trainer, struct ecc_train_result *result,
                                   struct ecc_error *error);

/* The result as JSON: for result.json and `train --json`. */
void ecc_train_result_store(const struct ecc_train_result *result, struct ecc_config *file);

/* Mean squared error of the model so far on x: [n, c, h, w], with running statistics; y: [n, c, h,
 * w] or NULL. */
enum ecc_status ecc_trainer_reconstruct(struct ecc_trainer *trainer, double *error_mean, float *y,
                                        const float *x, size_t n, struct ecc_error *error);

#endif
