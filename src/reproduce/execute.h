/* execute.h: tasks done as processes of this very program, a few at a time. */
#ifndef ECC_REPRODUCE_EXECUTE_H
#define ECC_REPRODUCE_EXECUTE_H

#include "reproduce/plan.h"

/* Does all waiting tasks whose needs are met, in order.  One that fails is marked so and says why;
 * the others go on.  Fails only when interrupted, the running commands having saved, or when
 * nothing can be started at all. */
enum ecc_status ecc_execute(struct ecc_repro *r, struct ecc_error *error);

#endif
