/*
 * time_plan.h: how many steps fit into a time budget, decided again as the speed changes.
 *
 * A decision says: after this step, the last step is to be that one.  All decisions are in
 * config.json, and everything else follows from them, so a training that is resumed behind them
 * repeats them.
 */
#ifndef ECC_TRAIN_TIME_PLAN_H
#define ECC_TRAIN_TIME_PLAN_H

#include "run/config.h"
#include "train/schedule.h"

enum {
    ECC_PLAN_MOST = 256, /* decisions; then the last one holds */
    ECC_PLAN_AGAIN = 10, /* steps after a resume to know the speed again */
};

struct ecc_time_plan {
    size_t count;                                       /* of decisions */
    double steps[ECC_PLAN_MOST], totals[ECC_PLAN_MOST]; /* whole numbers */
    uint64_t look_at;                                   /* the step after which to look again */
    uint64_t seen_step;                                 /* at the last look ... */
    double seen_seconds;                                /* ... */
    double recent_steps, recent_seconds;                /* older ones count less */
};

/* Reads the decisions of a run, if there are any, and brings the schedule to where they put it
 * after `step`. */
enum ecc_status ecc_time_plan_restore(struct ecc_time_plan *plan, struct ecc_schedule *schedule,
                                      const struct ecc_config *config, uint64_t step,
                                      struct ecc_error *error);
void ecc_time_plan_store(const struct ecc_time_plan *plan, struct ecc_config *config);

/* After a step, `seconds` after the start: makes a new decision when one is due, and moves the
 * schedule's end.  Returns whether there is a decision that is to be stored. */
bool ecc_time_plan_observe(struct ecc_time_plan *plan, struct ecc_schedule *schedule, uint64_t step,
                           double seconds, double budget);

#endif
