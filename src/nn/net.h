/*
 * net.h: an autoencoder, planned once for a batch size and then executed.
 *
 * The parts of a training step, in the order of their use:
 *     ecc_net_encode      x -> z                      (batch statistics when training)
 *     ecc_net_decode      z -> y, kept inside
 *     ecc_net_error       mean squared error of y and x, and its gradient, kept inside
 *     ecc_net_decode_back gradient of the latents dz
 *     ecc_net_encode_back from the gradient of the encoder's outputs
 *     ecc_net_gradients   the one block to be averaged over processes
 *     ecc_net_update      Adam
 * A net whose output is not an item has no such error: the caller gives the gradient of its own
 * loss with ecc_net_output_gradient.  None of these functions allocates.
 */
#ifndef ECC_NN_NET_H
#define ECC_NN_NET_H

#include "nn/spec.h"
#include "regularizer/latent_tensor.h"

struct ecc_net;

struct ecc_net_options {
    size_t batch;  /* items at once, at most */
    bool training; /* plan backward and Adam, too */
    int threads;   /* 0: as many as OpenMP would use */
    bool direct;   /* no Winograd tiles: slower, but with a tenth of the rounding errors */
    const struct ecc_latent_tensor
        *latent_tensors; /* [latent_tensor_count], kept with the weights */
    size_t latent_tensor_count;
};

/* All weights are 0 until ecc_net_initialize or ecc_net_import sets them. */
enum ecc_status ecc_net_create(struct ecc_net **net, const struct ecc_net_spec *spec,
                               const struct ecc_net_options *options, struct ecc_error *error);
void ecc_net_free(struct ecc_net *net);

/* ---- Parameters ----------------------------------------------------------------------------- */

/* The last word of the name of a bypass's tensor, [out, input of the part]. */
#define ECC_TENSOR_BYPASS "bypass"

/* A tensor of the model in PyTorch's layout and naming: "encoder.1.weight",
 * "decoder.2.running_mean"; a bypass is "encoder.7.bypass", numbers of the regularizer
 * "latent.codebook". */
struct ecc_tensor {
    char name[64];
    size_t rank, shape[4];
    size_t offset, count;                   /* in the flat array, in floats */
    bool trainable;                         /* false: running mean and variance */
    const struct ecc_latent_tensor *latent; /* of those: how they start; NULL: as PyTorch has it */
};

size_t ecc_net_tensors(const struct ecc_net *net, const struct ecc_tensor **tensors);
size_t ecc_net_flat_size(const struct ecc_net *net); /* floats of all tensors together */

void ecc_net_initialize(struct ecc_net *net, uint64_t seed); /* drawn as PyTorch does by default */
void ecc_net_export(const struct ecc_net *net, float *flat);
void ecc_net_import(struct ecc_net *net, const float *flat);

/* Adam's two moments, flat like the parameters, for checkpoints; exact, bit for bit. */
void ecc_net_export_adam(const struct ecc_net *net, float *first, float *second);
void ecc_net_import_adam(struct ecc_net *net, const float *first, const float *second);

/* The latent tensors where they are: values[i] and, when training, gradients[i] are those of the
 * i-th, in plain order, for as long as the net is there. */
void ecc_net_latent_tensors(struct ecc_net *net, float **values, float **gradients);

/* The gradients of the last step, flat like the parameters; zero for tensors that are not trained.
 */
void ecc_net_export_gradients(const struct ecc_net *net, float *flat);

/* ---- Execution; n is at most the planned batch, and equal to it when training ---------------- */

/* *z: [n, encoder_outputs], valid until the next call.  x: [n, c, h, w], plain layout. */
enum ecc_status ecc_net_encode(struct ecc_net *net, const float **z, const float *x, size_t n,
                               bool training, struct ecc_error *error);
/* z: [n, latent].  y: [n, c, h, w] of the spec's target in plain layout, or NULL when only the
 * error is wanted. */
enum ecc_status ecc_net_decode(struct ecc_net *net, float *y, const float *z, size_t n,
                               bool training, struct ecc_error *error);
/* Mean over items and pixels of (y - x)^2 for the x and y of the last two calls.  In a table, NaN
 * is a missing cell: 0 for the encoder, and left out of the mean. */
enum ecc_status ecc_net_error(struct ecc_net *net, double *mean_squared, struct ecc_error *error);
/* Instead of it: the mean of -x log y - (1-x) log(1-y), of a decoder that ends in a sigmoid, for
 * items between 0 and 1; its gradient is the one kept inside.  ecc_net_item_errors are still the
 * sums of squares. */
bool ecc_net_ends_in_sigmoid(const struct ecc_net *net);
enum ecc_status ecc_net_cross_entropy(struct ecc_net *net, double *entropy, double *mean_squared,
                                      struct ecc_error *error);
void ecc_net_item_entropies(const struct ecc_net *net, double *entropies); /* sums, [n] */
/* After it: the sum of squares of each item, [n], and how many numbers of x were not missing. */
void ecc_net_item_errors(const struct ecc_net *net, double *errors);
size_t ecc_net_cells(const struct ecc_net *net);
/* Instead of it: dy, the gradient of any loss with respect to the y of the last call, in plain
 * layout. */
enum ecc_status ecc_net_output_gradient(struct ecc_net *net, const float *dy,
                                        struct ecc_error *error);
/* *dz: [n, latent], gradient of the error or other loss, valid until the next call. */
enum ecc_status ecc_net_decode_back(struct ecc_net *net, const float **dz, struct ecc_error *error);
/* dz: [n, encoder_outputs], gradient of the whole loss. */
enum ecc_status ecc_net_encode_back(struct ecc_net *net, const float *dz, struct ecc_error *error);

/* All gradients, [*count] in the net's own order, for several processes to average. */
float *ecc_net_gradients(struct ecc_net *net, size_t *count);

/* Of these, the decoder's: complete after ecc_net_decode_back. */
float *ecc_net_decoder_gradients(struct ecc_net *net, size_t *count);
/* Before ecc_net_decode_back: the gradient of the error counts `factor` times. */
void ecc_net_weigh_error(struct ecc_net *net, double factor);

/* The running statistics of batch norm, [*count]. */
float *ecc_net_statistics(struct ecc_net *net, size_t *count);
/* They become those of batches of `size` processes.  all: [size, count], of each after a step that
 * all began with the same. */
void ecc_net_pool_statistics(struct ecc_net *net, const float *all, size_t size);

/* From now on, training passes normalise by the batches of several processes together.  NULL: by
 * its own again. */
struct ecc_norm_share {
    size_t rank, size;
    void *context;
    /* all: [size, bytes]; this process has filled part `rank`. */
    enum ecc_status (*collect)(void *context, void *all, size_t bytes, struct ecc_error *error);
};
enum ecc_status ecc_net_share_norms(struct ecc_net *net, const struct ecc_norm_share *share,
                                    struct ecc_error *error);

struct ecc_adam {
    double rate, decay, beta1, beta2, epsilon; /* decay: L2, added to the gradient */
    uint64_t step;                             /* from 1 */
};
/* Before it: L2 decay of the kernels of encoder and decoder (no biases, no batch norm), added to
 * the gradients: g += decay * w. */
void ecc_net_add_decay(struct ecc_net *net, double encoder, double decoder);
enum ecc_status ecc_net_update(struct ecc_net *net, const struct ecc_adam *adam,
                               struct ecc_error *error);

/* Work of one forward and backward pass in convolutions, deconvolutions and dense layers. */
double ecc_net_step_flops(const struct ecc_net *net);
size_t ecc_net_bytes(const struct ecc_net *net); /* of the plan's memory */

/* How each stage is computed: layouts and implementations. */
void ecc_net_describe_plan(FILE *stream, const struct ecc_net *net);

/* Times training steps on random numbers for some seconds, and at least one; describe_plan then
 * gives the share of each stage.  Leaves gradients and running statistics that mean nothing. */
enum ecc_status ecc_net_time(struct ecc_net *net, double seconds, struct ecc_error *error);

#endif
