/*
 * team.h: the operations that several processes need to train together.
 *
 * With one process the calls change nothing.  With more (MPI comes next), they gather the latents
 * of all processes, so that the regularizer sees the whole batch, and average the gradients and the
 * running statistics of batch norm.
 */
#ifndef ECC_TRAIN_TEAM_H
#define ECC_TRAIN_TEAM_H

#include <stddef.h>

struct ecc_team {
    int rank, size; /* 0 and 1 for one process */
};

struct ecc_team ecc_team_alone(void);

/* Replaces x: [count] by its mean over the team: gradients, running statistics. */
void ecc_team_average(const struct ecc_team *team, float *x, size_t count);

/* all: [size, count].  This process has filled row `rank`; the others fill theirs. */
void ecc_team_gather(const struct ecc_team *team, float *all, size_t count);

#endif
