/*
 * spec.h: the description of an autoencoder as text, and what follows from it: shapes, parameters,
 * work.
 *
 *     # one layer a line; a comment goes to the end of its line
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
 *
 * Layers: conv and deconv OUTPUTS kernel K [stride S] [padding P], dense OUTPUTS, batchnorm,
 * leakyrelu SLOPE, relu, sigmoid, flatten, reshape CHANNELS HEIGHT WIDTH, pad P, bypass (adds a
 * linear map of the input of the encoder or decoder; both must be vectors).  K, S and P are a
 * number, or two for height and width: 4x3.  Sizes may be words: `latent` (what the encoder gives
 * or the decoder takes), and `channels`, `height`, `width` and `size` of an item.  In a file, a
 * channel count in braces, {16}, is scaled by the width that the caller asks for.
 */
#ifndef ECC_NN_SPEC_H
#define ECC_NN_SPEC_H

#include "data/dataset.h"

#include <stdio.h>

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
    ECC_LAYER_BYPASS,
};

struct ecc_layer_spec {
    enum ecc_layer_kind kind;
    size_t line;                         /* of the text, for messages */
    size_t outputs;                      /* channels of conv, deconv and dense */
    size_t kernel[2], stride[2];         /* height, width */
    size_t padding[2];                   /* on every side; of conv, deconv and pad */
    double slope;                        /* of leaky relu; relu has 0 */
    size_t around;                       /* of bypass: the size of the part's input */
    struct ecc_item_shape input, output; /* dense, flatten: [channels, 1, 1] */
    size_t parameters;                   /* weights and biases */
    double flops;                        /* forward, per item */
};

struct ecc_net_spec {
    char *name, *text;            /* text: with nothing left in braces */
    struct ecc_item_shape shape;  /* of an item */
    struct ecc_item_shape target; /* output of the decoder: an item, except for classifiers */
    size_t latent;                /* d */
    size_t encoder_outputs;       /* d, or 2d for a VAE */
    struct ecc_layer_spec *encoder, *decoder;
    size_t encoder_count, decoder_count;
};

/*
 * From the name of a built-in net (paper-mnist, paper-celeba, svae-mnist, two-stage, auto) or a
 * file.  `width` scales the channel counts in braces (1: as published).  Shapes are worked out and
 * checked for items of `shape`; the decoder must give back that shape.  Errors name file, line and
 * reason.
 */
enum ecc_status ecc_net_spec_load(struct ecc_net_spec **spec, const char *name_or_path,
                                  struct ecc_item_shape shape, size_t latent,
                                  size_t encoder_outputs, double width, struct ecc_error *error);
enum ecc_status ecc_net_spec_parse(struct ecc_net_spec **spec, const char *text, const char *name,
                                   struct ecc_item_shape shape, size_t latent,
                                   size_t encoder_outputs, struct ecc_error *error);
/* The same for a decoder whose output is not an item, such as one number per class:
 * [classes, 1, 1].  Such a net is trained with ecc_net_output_gradient. */
enum ecc_status ecc_net_spec_parse_to(struct ecc_net_spec **spec, const char *text,
                                      const char *name, struct ecc_item_shape shape, size_t latent,
                                      size_t encoder_outputs, struct ecc_item_shape target,
                                      struct ecc_error *error);
enum ecc_status ecc_net_spec_copy(struct ecc_net_spec **copy, const struct ecc_net_spec *spec,
                                  struct ecc_error *error);
void ecc_net_spec_free(struct ecc_net_spec *spec);

/* The table of layers: shapes, parameters and work per item. */
void ecc_net_spec_describe(FILE *stream, const struct ecc_net_spec *spec);

size_t ecc_net_spec_parameters(const struct ecc_net_spec *spec);
double ecc_net_spec_flops(const struct ecc_net_spec *spec); /* forward, per item */

const char *ecc_layer_name(enum ecc_layer_kind kind); /* "conv", "leakyrelu", ... */

/* ---- Shared by the files of the spec -------------------------------------------------------- */

/* The files of nets/, embedded by cmake/embed_text.cmake; the last has no name. */
struct ecc_net_text {
    const char *name, *text;
};
extern const struct ecc_net_text ecc_net_texts[];

/* What names in braces stand for. */
struct ecc_net_values {
    const char *const *names; /* [count] */
    size_t count, row_count;
    const size_t *rows; /* [row_count, count]: one row for each repetition of an `each` block */
};

/* A channel count at a width other than 1: a multiple of eight, which fills vector registers; with
 * three or five channels a layer may take a hundred times as long. */
size_t ecc_net_channels(size_t published, double width);

/* The text with everything in braces replaced; *filled is the caller's to free.  values: those of
 * a built-in net, or NULL. */
enum ecc_status ecc_net_fill(char **filled, const char *text, const char *name, double width,
                             const struct ecc_net_values *values, struct ecc_error *error);

/* The filled text of a built-in net in *text (the caller's to free), or NULL for another name. */
enum ecc_status ecc_net_builtin(char **text, const char *name, struct ecc_item_shape shape,
                                double width, struct ecc_error *error);

/* Works out shapes, parameters and flops of all layers, and checks that they fit. */
enum ecc_status ecc_net_spec_shapes(struct ecc_net_spec *spec, struct ecc_error *error);

#endif
