/*
 * team.h: the one seam where several processes would train together.
 *
 * With one process each call leaves its data as it is.  With more (MPI comes next), the latents of
 * all are gathered, so that the regularizer sees the whole batch, and gradients and running
 * statistics of batch norm are averaged.
 */
#ifndef ECC_TRAIN_TEAM_H
#define ECC_TRAIN_TEAM_H

#include <stddef.h>

struct ecc_team {
    int rank, size; /* 0 and 1 for one process */
};

struct ecc_team ecc_team_alone(void);

/* x: [count] becomes the mean over the team: gradients, running statistics. */
void ecc_team_average(const struct ecc_team *team, float *x, size_t count);

/* all: [size, count], of which this process has filled row `rank`; the others fill theirs. */
void ecc_team_gather(const struct ecc_team *team, float *all, size_t count);

#endif
