/* child.h: one command of this program as a process: started, watched, ended. */
#ifndef ECC_REPRODUCE_CHILD_H
#define ECC_REPRODUCE_CHILD_H

#include "reproduce/plan.h"

#include <sys/types.h>

struct ecc_child {
    pid_t pid; /* 0: none */
    int task;
    double started;
};

/* Starts the task's command in the directory; what it prints goes to work/NAME.out, what it says
 * to logs/NAME.log. */
enum ecc_status ecc_child_start(struct ecc_child *child, const struct ecc_repro *r, int task,
                                struct ecc_error *error);

/* Whether it has ended; then *failure (ECC_FAILURE_SIZE bytes) says why it failed, or is empty. */
bool ecc_child_ended(const struct ecc_child *child, const struct ecc_repro *r, char *failure);

/* The last line of its log, without control characters. */
void ecc_child_last_line(char *line, size_t size, const struct ecc_repro *r,
                         const struct ecc_task *task);

#endif
