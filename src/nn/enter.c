/*
 * enter.c: what holds while a net computes: its number of threads, and that no signal comes.
 *
 * A handler's frame is written below the stack pointer, and matrix products of oneDNN before 3.11.2
 * let that point into a block of the heap (github.com/uxlfoundation/oneDNN/issues/4845): a signal
 * in such a product overwrites what lies before the block.  So no thread that computes takes one.
 */
#include "nn/enter.h"

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* All but those that a thread sends to itself by a fault: they cannot wait. */
static void block_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) sigdelset(&set, faults[i]);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

/* OpenMP's other threads do nothing but compute, so they never need a signal.  Those that it starts
 * from now on inherit the mask; those that it has may be of any time. */
static void block_in_team(int threads)
{
    static _Thread_local bool blocked;
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() > 0 && !blocked) {
        block_signals(NULL);
        blocked = true;
    }
}

struct ecc_entered ecc_enter(int threads)
{
    struct ecc_entered before = {.threads = omp_get_max_threads()};
    /* oneDNN and BLAS take their number of threads from OpenMP */
    if (before.threads != threads) omp_set_num_threads(threads);
    block_signals(&before.blocked);
    if (threads > 1) block_in_team(threads);
    return before;
}

void ecc_leave(const struct ecc_entered *before)
{
    pthread_sigmask(SIG_SETMASK, &before->blocked, NULL);
    if (before->threads != omp_get_max_threads()) omp_set_num_threads(before->threads);
}
