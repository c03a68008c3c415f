/*
 * team.h: the operations that several processes need to train together.
 *
 * Each process trains on its share of every batch.  The regularizer sees the latents of the whole
 * batch, the gradients are averaged, and what is decided is decided together.  With one process the
 * calls change nothing.  With more, all processes make the same calls in the same order; a plugin
 * moves the bytes (team_link.h).
 *
 * Sums are taken here, in the order of the processes, so that all hold the same bytes, whatever
 * the plugin does to move them.
 */
#ifndef ECC_TRAIN_TEAM_H
#define ECC_TRAIN_TEAM_H

#include "base/share.h"
#include "train/team_link.h"

#include "eccentric_train.h"

#include <stdatomic.h>

struct ecc_team {
    int rank, size; /* 0 and 1 for one process */
    int local;      /* how many of them are on this machine */
    const struct ecc_team_link *link;
    void *state;          /* the link's */
    bool agreed;          /* what failed last is known to all processes */
    size_t slice;         /* floats that one process sums at a time */
    float *tail, *pieces; /* [size, slice]: a part that is not whole; slices of all processes */
    char *room;           /* [size, room_bytes]: a gather with the processes' statuses */
    size_t room_bytes;
    struct ecc_team_sender *sender; /* of means that are taken beside other work, or NULL */
    void *library;                  /* from dlopen, or NULL */
    _Atomic uint64_t calls;         /* of the link that were begun: all processes make the same */
    atomic_bool steps;              /* of a training are made, each about as long as the last */
    struct ecc_team_guard *guard;   /* that watches the others, or NULL */
    struct ecc_share share;         /* ecc_team_share */
};

/* How many processes mpirun, srun or the like have started, by the environment they leave; and
 * which of them this is. */
int ecc_team_started(int *rank);
/* The MPI that finds them, "openmpi" or "mpich"; NULL: nothing has started this process. */
const char *ecc_team_family(void);

struct ecc_team ecc_team_alone(void);

/* Room for averages of up to `count` floats and gathers of up to `bytes` from each process: nothing
 * is allocated later.  May be called again. */
enum ecc_status ecc_team_reserve(struct ecc_team *team, size_t count, size_t bytes,
                                 struct ecc_error *error);
void ecc_team_release(struct ecc_team *team);

/* Replaces x: [count] by its mean over the team: gradients. */
enum ecc_status ecc_team_average(struct ecc_team *team, float *x, size_t count,
                                 struct ecc_error *error);

/* team_send.c: the same beside other work, if the link can do that: `begin` returns at once, `end`
 * waits; between them nobody calls the team. */
bool ecc_team_send_beside(struct ecc_team *team);
void ecc_team_begin_average(struct ecc_team *team, float *x, size_t count);
enum ecc_status ecc_team_end_average(struct ecc_team *team, struct ecc_error *error);
void ecc_team_stop_sending(struct ecc_team *team);

/* all: [size, bytes].  This process has filled part `rank`, or else failed with `mine` and its
 * error; the others likewise.  If any failed, all fail: with the sentence of the first of them, and
 * its number where this process did not. */
enum ecc_status ecc_team_gather(struct ecc_team *team, enum ecc_status mine, void *all,
                                size_t bytes, struct ecc_error *error);
/* The same without anything to gather. */
enum ecc_status ecc_team_settle(struct ecc_team *team, enum ecc_status mine,
                                struct ecc_error *error);
/* Without statuses: for sums within a pass. */
enum ecc_status ecc_team_collect(struct ecc_team *team, void *all, size_t bytes,
                                 struct ecc_error *error);

/* x: [count] becomes its sum over the team. */
enum ecc_status ecc_team_add(struct ecc_team *team, double *x, size_t count,
                             struct ecc_error *error);

/* data: [bytes] of process 0 goes to all. */
enum ecc_status ecc_team_broadcast(struct ecc_team *team, void *data, size_t bytes,
                                   struct ecc_error *error);
/* *value becomes the largest of all processes. */
enum ecc_status ecc_team_agree(struct ecc_team *team, int *value, struct ecc_error *error);

/* team_share.c: the team for work that is no training; NULL: one process.  Lives as long as it. */
const struct ecc_share *ecc_team_share(struct ecc_team *team);

/* team_guard.c: tells the others that this process has come to its end, or fails: all end then. */
void ecc_team_guard_say(struct ecc_team *team, bool failed);
/* Afterwards, when others may have failed, too: whether this one is to say why. */
bool ecc_team_guard_speaks(struct ecc_team *team);
void ecc_team_guard_stop(struct ecc_team *team);

/* team_mpirun.c: in a few seconds, if it has not ended by then, the mpirun that started this
 * process. */
void ecc_team_end_mpirun(void);

#endif
