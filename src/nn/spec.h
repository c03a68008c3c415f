/*
 * spec.h: the description of an autoencoder as text, and what follows from it: shapes, parameters,
 * work.
 *
 *     # paper-mnist
 *     encoder
 *       pad 2
 *       conv 16 kernel 5
 *       batchnorm
 *       leakyrelu 0.1
 *       ...
 *       flatten
 *       dense 64
 *       dense latent
 *     decoder
 *       reshape latent 1 1
 *       deconv 48 kernel 3
 *       ...
 *       sigmoid
 */
#ifndef ECC_NN_SPEC_H
#define ECC_NN_SPEC_H

#include "data/dataset.h"

enum ecc_layer_kind {
    ECC_LAYER_CONV,
    ECC_LAYER_DECONV,
    ECC_LAYER_DENSE,
    ECC_LAYER_BATCHNORM,
    ECC_LAYER_LEAKY_RELU,
    ECC_LAYER_RELU,
    ECC_LAYER_SIGMOID,
    ECC_LAYER_FLATTEN,
    ECC_LAYER_RESHAPE,
    ECC_LAYER_PAD,
};

struct ecc_layer_spec {
    enum ecc_layer_kind kind;
    size_t line; /* of the text, for messages */
    size_t outputs, kernel, stride, padding;
    double slope;                      /* of leaky relu */
    struct ecc_item_shape input, output;
    size_t parameters;                 /* weights and biases */
    double flops;                      /* forward, per item */
};

struct ecc_net_spec {
    char *name, *text;
    struct ecc_item_shape shape; /* of an item */
    size_t latent;               /* d */
    size_t encoder_outputs;      /* d, or 2d for a VAE */
    struct ecc_layer_spec *encoder, *decoder;
    size_t encoder_count, decoder_count;
};

/*
 * From the name of a built-in net (paper-mnist, paper-celeba, auto) or a file.  `width` scales the
 * channel counts of the built-in ones (1: as published).  Shapes are worked out and checked for items
 * of `shape`; the decoder must give back that shape.  Errors name file, line and reason.
 */
enum ecc_status ecc_net_spec_load(struct ecc_net_spec **spec, const char *name_or_path,
                                  struct ecc_item_shape shape, size_t latent,
                                  size_t encoder_outputs, double width, struct ecc_error *error);
enum ecc_status ecc_net_spec_parse(struct ecc_net_spec **spec, const char *text, const char *name,
                                   struct ecc_item_shape shape, size_t latent,
                                   size_t encoder_outputs, struct ecc_error *error);
void ecc_net_spec_free(struct ecc_net_spec *spec);

#endif
