/* threads.c: how many threads a computation uses. */
#include "base/threads.h"

#include <omp.h>

int ecc_threads(int requested)
{
    const int threads = requested > 0 ? requested : omp_get_max_threads();
    return threads < ECC_MAX_THREADS ? threads : ECC_MAX_THREADS;
}
