/*
 * team.h: the one seam where several processes would train together.
 *
 * With one process each call leaves its data as it is.  With more (MPI comes next), gradients and
 * batch-norm statistics are averaged, and the latents of all are gathered so that every process
 * sees the whole batch.
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

/* The latents of the whole team, [size * n, d], from this process's z: [n, d]; `all` may be z. */
const float *ecc_team_gather(const struct ecc_team *team, float *all, const float *z, size_t n,
                             size_t d);

#endif
