/*
 * team_pulse.h: what one process knows of another, and when that means that the other hangs.
 *
 * Every process tells twice a second or more often how it is (a beat).  It hangs if it
 *   - is not heard at all: stopped, or its machine or network is lost;
 *   - does nothing while others wait for it: blocked, as by a file that does not come;
 *   - takes part in a training and is busy a hundred times as long as any step of its own took.
 * A process that is only slow takes processor time or moves bytes, and is left alone, as is one
 * that writes to a slow disk, which may take as long as a hundred steps.
 */
#ifndef ECC_TRAIN_TEAM_PULSE_H
#define ECC_TRAIN_TEAM_PULSE_H

#include "train/team.h"

struct ecc_team_beat {
    uint64_t team;  /* its number: random */
    uint64_t calls; /* messages of the team that it has begun; others wait for who has fewer */
    uint64_t deeds; /* changes when it does anything (base/activity.h) */
    int32_t rank;
    int32_t speaker; /* 1 + the process that says why all end now; 0: nobody does */
    uint8_t steps;   /* it trains */
    uint8_t writes;  /* it has a file to write */
    uint8_t leaving; /* it has come to its end, and its line may close */
    uint8_t unused[5];
};

struct ecc_team_pulse {
    struct ecc_team_beat last;
    bool known;          /* it has been heard of */
    bool closed;         /* its line has */
    double silent;       /* seconds since it was heard */
    double idle;         /* since it did something */
    double stuck;        /* since it began a message */
    double since_closed; /* since its line closed */
    double longest;      /* between two messages in a training */
};

struct ecc_team_patience {
    double hang;  /* seconds that a process may be silent or idle */
    double stall; /* that one may write, or be busy, at least */
    double delay; /* so that of several that notice, one speaks first */
};

void ecc_team_pulse_hear(struct ecc_team_pulse *pulse, const struct ecc_team_beat *beat);
void ecc_team_pulse_wait(struct ecc_team_pulse *pulse, double seconds);

/* The first of the processes, pulses: [size], that hangs or is gone, and why, in words; -1: none.
 * Those that are not known are not judged. */
enum { ECC_TEAM_WHY = 200 };
int ecc_team_judge(char why[ECC_TEAM_WHY], const struct ecc_team_pulse *pulses, int size,
                   const struct ecc_team_patience *patience);

#endif
