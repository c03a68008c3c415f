/*
 * dnn.h: what nets are made of: convolutions and their transposes, forward and backward, in layouts
 * that are chosen when they are planned; convolutions with bias and ReLU, and pooling, for networks
 * that are only used, not trained; and matrix products.
 *
 * There are two implementations, of which a build contains one: dnn*.c on oneDNN, and own_*.c on
 * BLAS alone (-DECC_ONEDNN=OFF).  Both use as many threads as OpenMP would.  oneDNN 2 and 3 have
 * different C APIs; the differences are in dnn_v2.c and dnn_v3.c, behind dnn_api.h.
 */
#ifndef ECC_NN_DNN_H
#define ECC_NN_DNN_H

#include "nn/layout.h"

struct ecc_dnn; /* what an implementation needs once: of oneDNN, an engine and its stream */

enum ecc_status ecc_dnn_create(struct ecc_dnn **dnn, struct ecc_error *error);
void ecc_dnn_free(struct ecc_dnn *dnn);
size_t ecc_dnn_block(const struct ecc_dnn *dnn); /* channels in a block that it prefers here */

/* ---- Convolutions --------------------------------------------------------------------------- */

struct ecc_conv_shape {
    bool transposed; /* a deconvolution */
    size_t n;
    struct ecc_item_shape in, out;
    size_t kernel[2], stride[2], padding[2]; /* padding: before height and width */
};

enum ecc_conv_pass { ECC_CONV_FORWARD, ECC_CONV_BACK_DATA, ECC_CONV_BACK_WEIGHTS, ECC_CONV_PASSES };

struct ecc_dnn_conv;

/* What the plan has chosen. */
struct ecc_conv_info {
    struct ecc_map in, out;
    struct ecc_map weights_in; /* the input for ECC_CONV_BACK_WEIGHTS; mostly the same as `in` */
    struct ecc_layout weights[ECC_CONV_PASSES]; /* [outputs, inputs, height, width] each */
    const char *implementation[ECC_CONV_PASSES];
    size_t scratch; /* bytes that a run needs */
    bool slow;      /* only a reference implementation exists */
};

/*
 * Plans a convolution for input with blocks of in_block channels (0: any that is fast).  If there
 * is no fast implementation for that layout, the plan uses another one: the caller finds it in
 * *info and converts.  The master weights, which training changes, have the layout of
 * ECC_CONV_BACK_WEIGHTS; without training all three layouts are the same.  back_data false leaves
 * that pass out.
 */
enum ecc_status ecc_dnn_conv_create(struct ecc_dnn_conv **conv, struct ecc_conv_info *info,
                                    struct ecc_dnn *dnn, const struct ecc_conv_shape *shape,
                                    size_t in_block, bool training, bool back_data,
                                    struct ecc_error *error);
void ecc_dnn_conv_free(struct ecc_dnn_conv *conv);

/* Runs a pass.  Forward writes out, back data writes in, back weights writes weights. */
enum ecc_status ecc_dnn_conv_run(struct ecc_dnn_conv *conv, enum ecc_conv_pass pass, float *in,
                                 float *weights, float *out, void *scratch,
                                 struct ecc_error *error);

/* Converts the master weights to the layout of a pass; not needed where ..._same is true. */
enum ecc_status ecc_dnn_conv_reorder(struct ecc_dnn_conv *conv, enum ecc_conv_pass pass,
                                     float *weights, float *master, struct ecc_error *error);
bool ecc_dnn_conv_same(const struct ecc_dnn_conv *conv, enum ecc_conv_pass pass);

/* ---- Layers for inference only -------------------------------------------------------------- */

/* A convolution with bias and ReLU; the maximum of a window; its mean, without the padding. */
enum ecc_infer_kind { ECC_INFER_CONV, ECC_INFER_MAX, ECC_INFER_MEAN };

struct ecc_dnn_infer;

struct ecc_infer_info {
    struct ecc_layout weights; /* [outputs, inputs, height, width]; of a convolution */
    const char *implementation;
    size_t scratch; /* bytes that a run needs */
    bool slow;      /* only a reference implementation exists */
};

/* Plans a layer for images with blocks of in_block and out_block channels; the same for a pool. */
enum ecc_status ecc_dnn_infer_create(struct ecc_dnn_infer **infer, struct ecc_infer_info *info,
                                     struct ecc_dnn *dnn, enum ecc_infer_kind kind,
                                     const struct ecc_conv_shape *shape, size_t in_block,
                                     size_t out_block, struct ecc_error *error);
void ecc_dnn_infer_free(struct ecc_dnn_infer *infer);

/* weights in info.weights, bias: [outputs]; both NULL for a pool. */
enum ecc_status ecc_dnn_infer_run(struct ecc_dnn_infer *infer, float *out, float *in,
                                  float *weights, float *bias, void *scratch,
                                  struct ecc_error *error);

/* ---- Matrices, row-major -------------------------------------------------------------------- */

struct ecc_product {
    size_t m, n, k;
    bool transpose_a, transpose_b;
    float beta;
};

/* c: [m, n] = a * b + beta * c, with a: [m, k] (or its transpose [k, m]), b: [k, n] ([n, k]). */
enum ecc_status ecc_dnn_gemm(float *c, const float *a, const float *b,
                             const struct ecc_product *product, struct ecc_error *error);

#endif
