/*
 * turns.h: trainings of one user that do not fit on the processors side by side take turns.
 *
 * The threads of a training meet after every small piece of work.  When another training has taken
 * one thread's processor, the others wait for it there, and both trainings crawl.  So each has all
 * processors for a moment, and then lets the other go on.  The results are the same.
 */
#ifndef ECC_TRAIN_TURNS_H
#define ECC_TRAIN_TURNS_H

#include <stdbool.h>
#include <sys/types.h>

struct ecc_turns {
    int file;            /* whose locks say whose turn it is; -1: no turns are taken */
    bool mine;           /* it is our turn ... */
    double since;        /* ... since then, on the clock */
    double ignore_until; /* somebody keeps the turn without computing: go on without; or 0 */
    pid_t holder;        /* whom we waited for ... */
    double holder_time;  /* ... and the processor time it had taken by then */
};

/* For a training with this many threads.  Whatever prevents turns is no failure. */
void ecc_turns_init(struct ecc_turns *turns, int threads);
void ecc_turns_release(struct ecc_turns *turns);

/* Before each step: waits until it is our turn, or as long as who has it computes. */
void ecc_turns_take(struct ecc_turns *turns);

#endif
