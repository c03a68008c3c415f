/* adam.c: the optimizer, as torch.optim.Adam with its L2 weight decay (no decoupling). */
#include "base/compiler.h"
#include "nn/plan.h"

#include <math.h>

struct rates {
    float decay, keep1, keep2; /* keep: 1 - beta */
    float beta2, step, root_correction, epsilon;
};

ECC_MULTIVERSION
static void update(float *restrict weight, float *restrict first, float *restrict second,
                   const float *restrict gradient, struct rates r, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float g = gradient[i] + r.decay * weight[i];
        first[i] += r.keep1 * (g - first[i]);
        second[i] = r.beta2 * second[i] + r.keep2 * g * g;
        weight[i] -= r.step * first[i] / (sqrtf(second[i]) / r.root_correction + r.epsilon);
    }
}

static enum ecc_status check_adam(const struct ecc_net *net, const struct ecc_adam *adam,
                                  struct ecc_error *error)
{
    if (!net->training) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "this net was planned for inference only");
    }
    if (adam->step < 1 || !(adam->rate >= 0) || !(adam->decay >= 0) || !(adam->beta1 >= 0) ||
        !(adam->beta1 < 1) || !(adam->beta2 >= 0) || !(adam->beta2 < 1) || !(adam->epsilon > 0)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "rate %g, decay %g, betas %g and %g, epsilon %g at step %llu, expected "
                        "none negative, betas below 1 and steps from 1",
                        adam->rate, adam->decay, adam->beta1, adam->beta2, adam->epsilon,
                        (unsigned long long)adam->step);
    }
    return ECC_OK;
}

void ecc_net_add_decay(struct ecc_net *net, double encoder, double decoder)
{
    for (size_t i = 0; i < net->tensor_count; i++) {
        const struct ecc_tensor *const tensor = &net->tensors[i];
        const double decay = tensor->name[0] == 'e' ? encoder : decoder;
        if (tensor->latent || tensor->rank < 2 || decay <= 0) continue;
        const struct ecc_binding *const binding = &net->bindings[i];
        const float *const weight = net->weights + binding->offset;
        float *const gradient = net->gradients + binding->offset;
        for (size_t k = 0; k < binding->layout.size; k++) gradient[k] += (float)decay * weight[k];
    }
}

enum ecc_status ecc_net_update(struct ecc_net *net, const struct ecc_adam *adam,
                               struct ecc_error *error)
{
    ECC_TRY(check_adam(net, adam, error));
    const double correction1 = 1 - pow(adam->beta1, (double)adam->step);
    const double correction2 = 1 - pow(adam->beta2, (double)adam->step);
    const struct rates rates = {.decay = (float)adam->decay,
                                .keep1 = (float)(1 - adam->beta1),
                                .keep2 = (float)(1 - adam->beta2),
                                .beta2 = (float)adam->beta2,
                                .step = (float)(adam->rate / correction1),
                                .root_correction = (float)sqrt(correction2),
                                .epsilon = (float)adam->epsilon};
    enum { CHUNK = 4096 };
    const size_t chunks = (net->adam_count + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static) num_threads(net->threads)
    for (size_t k = 0; k < chunks; k++) {
        const size_t at = k * CHUNK, left = net->adam_count - at;
        update(net->weights + at, net->first + at, net->second + at, net->gradients + at, rates,
               left < CHUNK ? left : CHUNK);
    }
    net->stale = true;
    return ECC_OK;
}
