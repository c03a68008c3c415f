/* schedule.h: the learning rate at each step. */
#ifndef ECC_TRAIN_SCHEDULE_H
#define ECC_TRAIN_SCHEDULE_H

#include "eccentric_train.h"

struct ecc_schedule {
    enum ecc_schedule_kind kind;
    double rate;       /* the highest */
    double final_rate; /* at the end of the cosine or fall */
    double fall;       /* the last share of it in which a fall falls */
    uint64_t warmup;   /* steps of linear rise before it */
    uint64_t total;    /* number of steps; 0: not known yet */

    /* Where the schedule was when the total was changed last; otherwise 0, at the end of the rise.
     */
    uint64_t from;
    double from_done;
};

/* The rate at `step`, from 1 to total. */
double ecc_schedule_rate(const struct ecc_schedule *schedule, uint64_t step);
/* The part of the schedule that is behind, 0 to 1. */
double ecc_schedule_done(const struct ecc_schedule *schedule, uint64_t step);

#endif
