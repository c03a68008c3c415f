/*
 * activity.h: whether this process does anything, however slowly.
 *
 * It does if it takes processor time, wants some (a thread is ready to run, on a machine that is
 * busy), reads or writes, or waits for its own memory to come back from the disk.  One that only
 * waits, for a file that does not come or for a lock, does nothing.  So does one that waits for a
 * slow disk to take what it has written, which is another matter: it says so.
 */
#ifndef ECC_BASE_ACTIVITY_H
#define ECC_BASE_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

struct ecc_activity {
    uint64_t deeds; /* grows with each look that found something done */
    double processor;
    uint64_t bytes, faults;
    uint64_t read_here; /* by looking: does not count */
};

/* What was done since the last look, by all threads but the calling one, always the same. */
void ecc_activity_look(struct ecc_activity *activity);

/* Between a call with true and one with false, the process writes: a file is open for it, or on its
 * way to the disk. */
void ecc_activity_write(bool begins);
bool ecc_activity_writes(void);

#endif
