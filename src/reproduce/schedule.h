/* schedule.h: how long each training may take, how many there are, and how long all will take. */
#ifndef ECC_REPRODUCE_SCHEDULE_H
#define ECC_REPRODUCE_SCHEDULE_H

#include "reproduce/plan.h"

/* Whether so many trainings fit into the time, for choosing the effort; true for other sizes. */
bool ecc_schedule_fits(const struct ecc_repro *r);

/* Gives every waiting training its time, and a guess of it: from the minutes there are, or from a
 * short measured training on each set (`measure`). */
enum ecc_status ecc_schedule(struct ecc_repro *r, bool measure, struct ecc_error *error);

#endif
