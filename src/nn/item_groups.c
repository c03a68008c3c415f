/* item_groups.c: gradients of weights that are computed item by item. */
#include "nn/item_groups.h"

#include <string.h>

enum { GROUPS = 16 };

size_t ecc_item_groups(size_t batch)
{
    return batch < GROUPS ? batch : GROUPS;
}

void ecc_item_groups_sum(const struct ecc_net *net, struct ecc_stage *stage, float *sums, float *dx,
                         const float *du, ecc_item_gradient *add)
{
    const size_t groups = ecc_item_groups(net->batch), count = stage->weight_size;
#pragma omp parallel for schedule(static) num_threads(net->threads)
    for (size_t g = 0; g < groups; g++) {
        float *const own = sums + g * count;
        memset(own, 0, count * sizeof *own);
        for (size_t i = g * net->batch / groups; i < (g + 1) * net->batch / groups; i++) {
            add(net, stage, own, dx, du, i);
        }
    }
    for (size_t k = 0; k < count; k++) {
        double sum = 0;
        for (size_t g = 0; g < groups; g++) sum += (double)sums[g * count + k];
        stage->dweight[k] = (float)sum;
    }
}
