/* decoder_passes.c: more passes through the decoder within a step, for penalties that need them. */
#include "train/decoder_passes.h"

#include <stdlib.h>
#include <string.h>

enum ecc_status ecc_decoder_passes_init(struct ecc_decoder_passes *passes, struct ecc_net *net,
                                        size_t n, size_t latent, size_t size,
                                        struct ecc_error *error)
{
    size_t gradients, statistics;
    ecc_net_gradients(net, &gradients);
    ecc_net_statistics(net, &statistics);
    *passes = (struct ecc_decoder_passes){.net = net, .n = n, .latent = latent, .size = size};
    passes->memory = calloc(gradients + statistics + n * (size + latent), sizeof *passes->memory);
    if (!passes->memory) return ecc_fail_memory(error, "passes through the decoder");
    passes->gradients = passes->memory;
    passes->statistics = passes->gradients + gradients;
    passes->y = passes->statistics + statistics;
    passes->dz = passes->y + n * size;
    return ECC_OK;
}

void ecc_decoder_passes_release(struct ecc_decoder_passes *passes)
{
    free(passes->memory);
    *passes = (struct ecc_decoder_passes){0};
}

/* As ecc_regularizer_decoder has it; the sum of gradients grows in passes->gradients. */
static enum ecc_status squares(void *context, float *g, const float *z, size_t n, double factor,
                               struct ecc_error *error)
{
    struct ecc_decoder_passes *const p = context;
    const float *dz;
    ECC_TRY(ecc_net_decode(p->net, p->y, z, n, true, error));
    for (size_t i = 0; i < n * p->size; i++) p->y[i] *= 2;
    ECC_TRY(ecc_net_output_gradient(p->net, p->y, error));
    ECC_TRY(ecc_net_decode_back(p->net, &dz, error));
    memcpy(g, dz, n * p->latent * sizeof *g);
    if (factor == 0) return ECC_OK;
    size_t count;
    const float *const gradients = ecc_net_gradients(p->net, &count);
    for (size_t i = 0; i < count; i++) p->gradients[i] += (float)factor * gradients[i];
    return ECC_OK;
}

enum ecc_status ecc_decoder_passes_penalize(struct ecc_decoder_passes *p, double *value,
                                            const float **dz, const float *z,
                                            struct ecc_regularizer_plan *regularizer,
                                            struct ecc_error *error)
{
    size_t gradient_count, statistic_count;
    float *const gradients = ecc_net_gradients(p->net, &gradient_count);
    float *const statistics = ecc_net_statistics(p->net, &statistic_count);
    memcpy(p->gradients, gradients, gradient_count * sizeof *gradients);
    if (statistic_count > 0) {
        memcpy(p->statistics, statistics, statistic_count * sizeof *statistics);
    }
    memcpy(p->dz, *dz, p->n * p->latent * sizeof *p->dz);
    const struct ecc_regularizer_decoder decoder = {.context = p, .squares = squares};
    ECC_TRY(
        regularizer->entry->penalty(regularizer->state, value, p->dz, z, p->n, &decoder, error));
    memcpy(gradients, p->gradients, gradient_count * sizeof *gradients);
    if (statistic_count > 0) {
        memcpy(statistics, p->statistics, statistic_count * sizeof *statistics);
    }
    *dz = p->dz;
    return ECC_OK;
}
