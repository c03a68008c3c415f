/* net_part.h: the weights of an encoder or decoder, with batch norm as a part of them. */
#ifndef ECC_EXPORT_NET_PART_H
#define ECC_EXPORT_NET_PART_H

#include "nn/net.h"

enum { ECC_PART_NAME = 40 };

struct ecc_net_part {
    const struct ecc_net *net;
    const struct ecc_net_spec *spec;
    const float *flat; /* the net's parameters (ecc_net_export) */
    bool decoder;      /* or the encoder */
};

/* The layers of the part. */
const struct ecc_layer_spec *ecc_part_layers(const struct ecc_net_part *part, size_t *count);

/* The tensor "encoder.3.weight" of layer 3, or NULL; its name is left in `name`. */
const float *ecc_part_tensor(const struct ecc_net_part *part, char name[ECC_PART_NAME],
                             size_t layer, const char *what);

/* Whether batch norm follows a convolution, a deconvolution or a dense layer: a factor and a shift
 * of its outputs, which weights and bias can take over. */
bool ecc_part_norm_after(const struct ecc_net_part *part, size_t layer);

/* Batch norm: x of channel c becomes x factor + shift. */
struct ecc_part_norm {
    const float *gamma, *beta, *mean, *variance; /* [channels] */
};
struct ecc_part_norm ecc_part_norm(const struct ecc_net_part *part, size_t layer);
double ecc_part_norm_factor(const struct ecc_part_norm *norm, size_t c);
double ecc_part_norm_shift(const struct ecc_part_norm *norm, size_t c);

/* Weight and bias of such a layer in PyTorch's order, with that batch norm or without it. */
struct ecc_folded {
    float *weight, *bias;
    size_t count, outputs; /* numbers of each */
};
enum ecc_status ecc_part_fold(const struct ecc_net_part *part, struct ecc_folded *folded,
                              size_t layer, bool with_norm, struct ecc_error *error);
void ecc_folded_release(struct ecc_folded *folded);

#endif
