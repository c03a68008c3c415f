/* inception.c: Inception-v3's 2048 features of images, resized to 299x299: what a Frechet Inception
 * score is made of. */
#include "base/threads.h"
#include "score/features.h"
#include "score/inception.h"

#include <stdlib.h>

struct state {
    struct ecc_inception *net;
    struct ecc_bilinear bilinear;
    float scale, shift;
    int threads;
};

static void describe(struct ecc_features *features, const struct ecc_inception_weights *weights)
{
    static const char *const names[] = {"FID network of 2015", "Keras layout"};
    snprintf(features->identity, sizeof features->identity,
             "inception-v3, %s, weights crc32 %08x, input %s, bilinear %dx%d without antialiasing",
             names[weights->variant], (unsigned)weights->checksum,
             weights->shift < 0 ? "[-1, 1]" : "[0, 1]", ECC_INCEPTION_SIDE, ECC_INCEPTION_SIDE);
}

static enum ecc_status open_with(struct ecc_features *features, struct state *state,
                                 const struct ecc_inception_weights *weights,
                                 struct ecc_error *error)
{
    struct ecc_inception_graph graph;
    ECC_TRY(ecc_inception_graph_init(&graph, weights->variant, ECC_INCEPTION_SIDE,
                                     ECC_INCEPTION_SIDE, 1, error));
    ECC_TRY(ecc_inception_create(&state->net, &graph, weights, state->threads, error));
    state->scale = weights->scale;
    state->shift = weights->shift;
    features->size = graph.out.channels;
    describe(features, weights);
    return ECC_OK;
}

static enum ecc_status inception_open(struct ecc_features *features,
                                      const struct ecc_features_options *options,
                                      struct ecc_error *error)
{
    struct state *const state = calloc(1, sizeof *state);
    if (!state) return ecc_fail_memory(error, "Inception-v3");
    features->state = state;
    state->threads = ecc_threads(options->threads);
    ECC_TRY(ecc_bilinear_init(&state->bilinear, features->shape, ECC_INCEPTION_SIDE,
                              ECC_INCEPTION_SIDE, error));
    char *found = NULL;
    if (!options->weights) ECC_TRY(ecc_inception_weights_find(&found, error));
    struct ecc_inception_weights weights;
    enum ecc_status status =
        ecc_inception_weights_init(&weights, found ? found : options->weights, error);
    free(found);
    if (status != ECC_OK) return status;
    status = open_with(features, state, &weights, error);
    ecc_inception_weights_release(&weights);
    return status;
}

static enum ecc_status inception_extract(struct ecc_features *features, float *f, const float *x,
                                         size_t n, struct ecc_error *error)
{
    struct state *const state = features->state;
    const size_t item = ecc_shape_size(features->shape);
    for (size_t i = 0; i < n; i++) {
        ecc_bilinear_run(&state->bilinear, ecc_inception_input(state->net), x + i * item,
                         state->scale, state->shift, state->threads);
        ECC_TRY(ecc_inception_run(state->net, f + i * features->size, error));
    }
    return ECC_OK;
}

static void inception_close(void *opaque)
{
    struct state *const state = opaque;
    ecc_inception_free(state->net);
    ecc_bilinear_release(&state->bilinear);
    free(state);
}

const struct ecc_features_kind ecc_features_inception = {
    .name = "inception",
    .open = inception_open,
    .extract = inception_extract,
    .close = inception_close,
};
