/* trainer_internal.h: what the files of the trainer share. */
#ifndef ECC_TRAIN_TRAINER_INTERNAL_H
#define ECC_TRAIN_TRAINER_INTERNAL_H

#include "train/trainer.h"

/* Writes config.json; called again when the number of steps is known. */
enum ecc_status ecc_trainer_write_config(struct ecc_trainer *trainer, struct ecc_error *error);

/* Lists everything that a step depends on, to save and restore. */
enum ecc_status ecc_trainer_make_checkpoint(struct ecc_trainer *trainer, struct ecc_error *error);

/* Fills it from the checkpoint of the run. */
enum ecc_status ecc_trainer_restore(struct ecc_trainer *trainer, struct ecc_error *remark,
                                    struct ecc_error *error);

/* Fails with a message: what diverged at this step, and where the last good state is. */
enum ecc_status ecc_trainer_diverged(const struct ecc_trainer *trainer, const char *what,
                                     double value, uint64_t step, struct ecc_error *error);

/* After a step: adds the weights to their average. */
void ecc_trainer_average(struct ecc_trainer *trainer);

enum { ECC_AVERAGE_BATCHES = 32 }; /* to measure the statistics of batch norm on */

/* Makes the net hold the averaged model, if there is one, until the next step or checkpoint hides
 * it again. */
enum ecc_status ecc_trainer_show_average(struct ecc_trainer *trainer, struct ecc_error *error);
void ecc_trainer_hide_average(struct ecc_trainer *trainer);

/* Looks at the validation items: the mean squared error of the model so far, its whole loss where
 * that decides (NaN where it does not), and whether it is the best. */
enum ecc_status ecc_trainer_validate(struct ecc_trainer *trainer, double *error_mean, double *loss,
                                     struct ecc_error *error);
/* Puts the best weights in place, if there are any. */
void ecc_trainer_show_best(struct ecc_trainer *trainer);

/* The last step to be done, as far as it is known; 0: not yet. */
uint64_t ecc_trainer_total(const struct ecc_trainer *trainer);
/* Passes through the items so far. */
double ecc_trainer_epochs(const struct ecc_trainer *trainer);
/* Steps since the start, or since the start of the second training. */
static inline uint64_t ecc_trainer_own_step(const struct ecc_trainer *trainer)
{
    return trainer->step - trainer->refit.from;
}

/* refit.c: whether a second training follows the first. */
bool ecc_trainer_refit_due(const struct ecc_trainer *trainer);
/* Begins it. */
enum ecc_status ecc_trainer_refit(struct ecc_trainer *trainer, struct ecc_error *error);
/* Makes the validation items items to train on; the loader is not started. */
enum ecc_status ecc_trainer_join_items(struct ecc_trainer *trainer, struct ecc_error *error);

/* The first weights: PCA's solution where the net can hold it, which is then the first to be the
 * best. */
enum ecc_status ecc_trainer_start_weights(struct ecc_trainer *trainer, struct ecc_error *error);

/* linear_start.c: whether the net has linear paths around its encoder and decoder. */
bool ecc_trainer_has_linear_paths(const struct ecc_trainer *trainer);
/* PCA of the same size, of the items that are trained on (of large data, some of them). */
enum ecc_status ecc_trainer_fit_pca(struct ecc_trainer *trainer, struct ecc_pca *pca,
                                    struct ecc_error *error);
/* Makes the net be that PCA. */
enum ecc_status ecc_trainer_start_linear(struct ecc_trainer *trainer, const struct ecc_pca *pca,
                                         struct ecc_error *error);

/* Compares the model in place with PCA of the same size on the validation items. */
enum ecc_status ecc_trainer_compare_aside(struct ecc_trainer *trainer,
                                          struct ecc_train_comparison *comparison,
                                          struct ecc_error *error);
/* The same on unseen items: those of the test part, or else the validation items. */
enum ecc_status ecc_trainer_compare(struct ecc_trainer *trainer, struct ecc_train_result *result,
                                    struct ecc_error *error);

/* trainer_pixels.c: whether items and net fit a training on pixels; room for their draws. */
enum ecc_status ecc_trainer_prepare_pixels(struct ecc_trainer *trainer, struct ecc_error *error);
/* The batch x as this step is trained on it: x itself, or drawn black or white. */
const float *ecc_trainer_pixels(struct ecc_trainer *trainer, const float *x);
/* What the reconstruction is trained by, of the net's last two calls: the squared error or, with
 * the squared error beside it, the cross-entropy (else 0). */
enum ecc_status ecc_trainer_error(struct ecc_trainer *trainer, double *mean_squared,
                                  double *entropy, struct ecc_error *error);
/* The whole loss of the validation items, NaN unless trained by the cross-entropy. */
enum ecc_status ecc_trainer_validation_loss(struct ecc_trainer *trainer, double *loss,
                                            struct ecc_error *error);

/* trainer_team.c: with one process, each of these changes nothing and returns `mine`, if given.
 * Room for what the processes tell each other, after net and buffers are there. */
enum ecc_status ecc_trainer_prepare_team(struct ecc_trainer *trainer, struct ecc_error *error);
/* Fails if any process did, or found other data than the first. */
enum ecc_status ecc_trainer_compare_team(struct ecc_trainer *trainer, enum ecc_status mine,
                                         struct ecc_error *error);
/* All get the weights, or everything in the checkpoint's arrays, of the first process. */
enum ecc_status ecc_trainer_share_weights(struct ecc_trainer *trainer, struct ecc_error *error);
enum ecc_status ecc_trainer_share_state(struct ecc_trainer *trainer, struct ecc_error *error);
/* Batch norm over the whole batch, where it was asked for; off: for passes that are not a step. */
enum ecc_status ecc_trainer_share_norms(struct ecc_trainer *trainer, bool on,
                                        struct ecc_error *error);
/* Before the way back: the errors become those of the whole batch.  Fails if any process did with
 * `mine`; `evaluated` is for the next call. */
enum ecc_status ecc_trainer_share_errors(struct ecc_trainer *trainer, enum ecc_status mine,
                                         enum ecc_status *evaluated, double *mean_squared,
                                         double *entropy, struct ecc_error *error);
/* Fails if the regularizer failed anywhere. */
enum ecc_status ecc_trainer_settle_evaluation(struct ecc_trainer *trainer, enum ecc_status mine,
                                              struct ecc_error *error);
/* dz of the own items as rows of the whole batch, whose other rows are 0. */
const float *ecc_trainer_spread(struct ecc_trainer *trainer, const float *dz);
/* The decoder's gradients are complete: they may begin to travel.  Until the next call, nothing
 * else is told. */
void ecc_trainer_send_decoder(struct ecc_trainer *trainer);
/* Gradients, and the running statistics of batch norm. */
enum ecc_status ecc_trainer_average_gradients(struct ecc_trainer *trainer, struct ecc_error *error);
/* What the first process found counts. */
enum ecc_status ecc_trainer_share_validation(struct ecc_trainer *trainer, double *error_mean,
                                             double *loss, struct ecc_error *error);
/* Items of the whole batch. */
static inline size_t ecc_trainer_whole_batch(const struct ecc_trainer *trainer)
{
    return trainer->options.batch * (size_t)trainer->team->size;
}

/* Seconds of training so far, in earlier processes and this one. */
double ecc_trainer_seconds(const struct ecc_trainer *trainer);

#endif
