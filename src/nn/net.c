/* net.c: an autoencoder: creation, parameters in and out. */
#include "base/threads.h"
#include "nn/plan.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static enum ecc_status check_options(const struct ecc_net_options *options, struct ecc_error *error)
{
    if (options->batch < 1 || options->batch > 1 << 20) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the batch is %zu, expected 1 to %d items",
                        options->batch, 1 << 20);
    }
    return ECC_OK;
}

static enum ecc_status create(struct ecc_net *net, const struct ecc_net_spec *spec,
                              const struct ecc_net_options *options, struct ecc_error *error)
{
    ECC_TRY(ecc_net_spec_copy(&net->spec, spec, error));
    if (options->latent_tensor_count > 0) {
        const size_t bytes = options->latent_tensor_count * sizeof *net->latent_tensors;
        net->latent_tensors = malloc(bytes);
        if (!net->latent_tensors) return ecc_fail_memory(error, "the tensors of a net");
        memcpy(net->latent_tensors, options->latent_tensors, bytes);
        net->latent_tensor_count = options->latent_tensor_count;
    }
    ECC_TRY(ecc_dnn_create(&net->dnn, error));
    return ecc_plan_net(net, error);
}

enum ecc_status ecc_net_create(struct ecc_net **result, const struct ecc_net_spec *spec,
                               const struct ecc_net_options *options, struct ecc_error *error)
{
    *result = NULL;
    ECC_TRY(check_options(options, error));
    struct ecc_net *const net = calloc(1, sizeof *net);
    if (!net) return ecc_fail_memory(error, "a net");
    net->batch = options->batch;
    net->training = options->training;
    net->direct = options->direct;
    net->threads = ecc_threads(options->threads);
    net->latent = spec->latent;
    net->encoder_outputs = spec->encoder_outputs;
    const int before = omp_get_max_threads();
    omp_set_num_threads(net->threads); /* plans are made for as many threads as OpenMP would use */
    const enum ecc_status status = create(net, spec, options, error);
    omp_set_num_threads(before);
    if (status != ECC_OK) {
        ecc_net_free(net);
        return status;
    }
    *result = net;
    return ECC_OK;
}

static void free_part(struct ecc_part *part)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct ecc_linear *const linear = part->stages[i].linear;
        if (linear && linear->destroy) linear->destroy(&part->stages[i]);
    }
    free(part->stages);
}

void ecc_net_free(struct ecc_net *net)
{
    if (!net) return;
    free_part(&net->encoder);
    free_part(&net->decoder);
    ecc_dnn_free(net->dnn);
    ecc_arena_release(&net->arena);
    ecc_net_spec_free(net->spec);
    free(net->latent_tensors);
    free(net->tensors);
    free(net->bindings);
    free(net->shared);
    free(net);
}

/* ---- Facts ---------------------------------------------------------------------------------- */

size_t ecc_net_bytes(const struct ecc_net *net)
{
    return net->arena.capacity;
}

double ecc_net_step_flops(const struct ecc_net *net)
{
    /* forward, back to the data, back to the weights; the gradient of an item is not needed */
    double first = 0;
    for (size_t i = 0; i < net->spec->encoder_count && first <= 0; i++) {
        first = net->spec->encoder[i].flops;
    }
    return (3 * ecc_net_spec_flops(net->spec) - first) * (double)net->batch;
}

static void describe_part(FILE *stream, const char *name, const struct ecc_part *part, double all)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct ecc_stage *const stage = &part->stages[i];
        fprintf(stream, "%s %zu: %s, blocks of %zu -> %zu channels", name, i,
                stage->linear ? stage->linear->name : "in place", stage->in.block,
                stage->out.block);
        if (stage->linear && stage->linear->describe) {
            fputs(", ", stream);
            stage->linear->describe(stage, stream);
        }
        if (all > 0) fprintf(stream, ": %.1f%%", 100 * stage->seconds / all);
        fputc('\n', stream);
    }
}

void ecc_net_describe_plan(FILE *stream, const struct ecc_net *net)
{
    const double all = ecc_net_seconds(net);
    describe_part(stream, "encoder", &net->encoder, all);
    describe_part(stream, "decoder", &net->decoder, all);
    fprintf(stream, "%.1f MB planned, %d threads\n", (double)net->arena.capacity / 1e6,
            net->threads);
}

/* ---- Parameters ----------------------------------------------------------------------------- */

size_t ecc_net_tensors(const struct ecc_net *net, const struct ecc_tensor **tensors)
{
    *tensors = net->tensors;
    return net->tensor_count;
}

size_t ecc_net_flat_size(const struct ecc_net *net)
{
    return net->flat_size;
}

/* Between flat tensors and the blocks that hold those trained and the others; NULL is left out. */
static void gather(const struct ecc_net *net, float *flat, const float *trained,
                   const float *running)
{
    for (size_t i = 0; i < net->tensor_count; i++) {
        const struct ecc_tensor *const tensor = &net->tensors[i];
        const struct ecc_binding *const binding = &net->bindings[i];
        const float *const block = tensor->trainable ? trained : running;
        if (block) {
            ecc_layout_gather(flat + tensor->offset, block + binding->offset, &binding->layout);
        } else {
            memset(flat + tensor->offset, 0, tensor->count * sizeof *flat);
        }
    }
}

static void scatter(const struct ecc_net *net, float *trained, float *running, const float *flat)
{
    for (size_t i = 0; i < net->tensor_count; i++) {
        const struct ecc_tensor *const tensor = &net->tensors[i];
        const struct ecc_binding *const binding = &net->bindings[i];
        float *const block = tensor->trainable ? trained : running;
        if (!block) continue;
        ecc_layout_scatter(block + binding->offset, flat + tensor->offset, &binding->layout);
    }
}

void ecc_net_export(const struct ecc_net *net, float *flat)
{
    gather(net, flat, net->weights, net->running);
}

void ecc_net_import(struct ecc_net *net, const float *flat)
{
    scatter(net, net->weights, net->running, flat);
    net->stale = true;
}

void ecc_net_initialize(struct ecc_net *net, uint64_t seed)
{
    for (size_t i = 0; i < net->tensor_count; i++) {
        const struct ecc_binding *const binding = &net->bindings[i];
        float *const block = net->tensors[i].trainable ? net->weights : net->running;
        ecc_tensor_draw(net->room, net->tensors, i, seed);
        ecc_layout_scatter(block + binding->offset, net->room, &binding->layout);
    }
    if (net->training) {
        memset(net->first, 0, net->weight_count * sizeof *net->first);
        memset(net->second, 0, net->weight_count * sizeof *net->second);
    }
    net->stale = true;
}

void ecc_net_export_adam(const struct ecc_net *net, float *first, float *second)
{
    gather(net, first, net->first, NULL);
    gather(net, second, net->second, NULL);
}

void ecc_net_import_adam(struct ecc_net *net, const float *first, const float *second)
{
    scatter(net, net->first, NULL, first);
    scatter(net, net->second, NULL, second);
}

void ecc_net_export_gradients(const struct ecc_net *net, float *flat)
{
    gather(net, flat, net->gradients, NULL);
}

void ecc_net_latent_tensors(struct ecc_net *net, float **values, float **gradients)
{
    const size_t first = net->tensor_count - net->latent_tensor_count;
    for (size_t i = 0; i < net->latent_tensor_count; i++) {
        const size_t offset = net->bindings[first + i].offset;
        values[i] = net->weights + offset;
        gradients[i] = net->gradients ? net->gradients + offset : NULL;
    }
}

float *ecc_net_gradients(struct ecc_net *net, size_t *count)
{
    *count = net->gradients ? net->weight_count : 0;
    return net->gradients;
}

float *ecc_net_decoder_gradients(struct ecc_net *net, size_t *count)
{
    *count = net->gradients ? net->decoder_to - net->decoder_from : 0;
    return net->gradients ? net->gradients + net->decoder_from : NULL;
}

float *ecc_net_statistics(struct ecc_net *net, size_t *count)
{
    *count = net->running_count;
    return net->running;
}
