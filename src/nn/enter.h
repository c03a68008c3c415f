/* enter.h: what holds while a net computes: its number of threads, and that no signal comes. */
#ifndef ECC_NN_ENTER_H
#define ECC_NN_ENTER_H

#include <signal.h>

/* What it was before. */
struct ecc_entered {
    int threads;
    sigset_t blocked;
};

/* Around every use of oneDNN.  Signals that arrive in between are handled by other threads of the
 * program, or at the end. */
struct ecc_entered ecc_enter(int threads);
void ecc_leave(const struct ecc_entered *before);

#endif
