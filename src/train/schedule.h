/* schedule.h: the learning rate at each step. */
#ifndef ECC_TRAIN_SCHEDULE_H
#define ECC_TRAIN_SCHEDULE_H

#include "eccentric_train.h"

struct ecc_schedule {
    enum ecc_schedule_kind kind;
    double rate;       /* the highest */
    double final_rate; /* of the cosine's end */
    uint64_t warmup;   /* steps of linear rise before it */
    uint64_t total;    /* steps in all */
};

/* The rate of step number `step`, from 1 to total. */
double ecc_schedule_rate(const struct ecc_schedule *schedule, uint64_t step);

#endif
