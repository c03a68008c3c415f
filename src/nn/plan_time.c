/* plan_time.c: how much of a training step's time each stage takes, by measurement. */
#include "base/clock.h"
#include "base/rng.h"
#include "nn/plan.h"

#include <stdlib.h>

static enum ecc_status step(struct ecc_net *net, const float *x, struct ecc_error *error)
{
    const float *z, *dz;
    double unused;
    net->stale = true;
    ECC_TRY(ecc_net_encode(net, &z, x, net->batch, true, error));
    /* only the time matters: of a regularizer's outputs the first are latents */
    ECC_TRY(ecc_net_decode(net, NULL, z, net->batch, true, error));
    ECC_TRY(ecc_net_error(net, &unused, error));
    ECC_TRY(ecc_net_decode_back(net, &dz, error));
    return ecc_net_encode_back(net, net->flow[1], error);
}

enum ecc_status ecc_net_time(struct ecc_net *net, double seconds, struct ecc_error *error)
{
    const size_t count = net->batch * ecc_shape_size(net->spec->shape);
    float *const x = malloc(count * sizeof *x);
    if (!x) return ecc_fail_memory(error, "a batch");
    ecc_rng_uniform_f32(x, 1, 0, 0, count);
    enum ecc_status status = step(net, x, error); /* the first also touches the memory */
    net->timed = true;
    const double until = ecc_seconds() + seconds;
    do {
        if (status == ECC_OK) status = step(net, x, error);
    } while (status == ECC_OK && ecc_seconds() < until);
    net->timed = false;
    free(x);
    return status;
}

static double part_seconds(const struct ecc_part *part)
{
    double sum = 0;
    for (size_t i = 0; i < part->count; i++) sum += part->stages[i].seconds;
    return sum;
}

double ecc_net_seconds(const struct ecc_net *net)
{
    return part_seconds(&net->encoder) + part_seconds(&net->decoder);
}
