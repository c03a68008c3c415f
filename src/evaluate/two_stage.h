/*
 * two_stage.h: a second VAE on the latents of a run, to draw new latents from (Dai & Wipf, 2019).
 *
 * It is a run of its own in RUN/two-stage, trained on the latents of the training items when it is
 * first asked for, and used again for as long as the weights of RUN are the same.
 */
#ifndef ECC_EVALUATE_TWO_STAGE_H
#define ECC_EVALUATE_TWO_STAGE_H

#include "model/model.h"

enum { ECC_TWO_STAGE_STEPS = 3000 }; /* by default */

struct ecc_two_stage;

struct ecc_two_stage_options {
    const char *data; /* the new place of the run's data if it was moved, or NULL */
    size_t steps;     /* of a training; 0: ECC_TWO_STAGE_STEPS */
    size_t threads;
};

enum ecc_status ecc_two_stage_open(struct ecc_two_stage **two, struct ecc_model *model,
                                   const struct ecc_two_stage_options *options,
                                   const struct ecc_watch *watch, struct ecc_error *error);
void ecc_two_stage_close(struct ecc_two_stage *two);

/* For ecc_sampler.draw; context: a struct ecc_two_stage. */
enum ecc_status ecc_two_stage_draw(void *context, float *z, uint64_t seed, uint64_t first, size_t n,
                                   struct ecc_error *error);

#endif
