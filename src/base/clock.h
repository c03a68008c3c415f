/* clock.h: seconds that only go forward. */
#ifndef ECC_BASE_CLOCK_H
#define ECC_BASE_CLOCK_H

#include <time.h>

/* Seconds since some fixed moment; only differences mean anything. */
static inline double ecc_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
