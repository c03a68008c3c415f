/* average.c: the mean of the weights over the last part of training. */
#include "train/average.h"

#include <math.h>
#include <stdlib.h>

enum ecc_status ecc_average_init(struct ecc_average *a, double share, size_t size,
                                 struct ecc_error *error)
{
    *a = (struct ecc_average){.share = share, .size = size};
    a->work = calloc(size, sizeof *a->work);
    if (share > 0) a->mean = calloc(size, sizeof *a->mean);
    return a->work && (a->mean || share <= 0)
               ? ECC_OK
               : ecc_fail_memory(error, "the average of the weights");
}

void ecc_average_release(struct ecc_average *a)
{
    free(a->mean);
    free(a->work);
    *a = (struct ecc_average){0};
}

void ecc_average_add(struct ecc_average *a, const float *weights)
{
    a->looks++;
    const float part = (float)fmin(1, 1 / (a->share * (double)a->looks));
    for (size_t i = 0; i < a->size; i++) a->mean[i] += part * (weights[i] - a->mean[i]);
}
