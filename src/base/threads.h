/* threads.h: how many threads a computation uses.  The process has one pool: OpenMP's. */
#ifndef ECC_BASE_THREADS_H
#define ECC_BASE_THREADS_H

enum { ECC_MAX_THREADS = 1024 };

/* The number for num_threads(): `requested`, or OpenMP's own choice for 0 and below; never more
 * than ECC_MAX_THREADS. */
int ecc_threads(int requested);

#endif
