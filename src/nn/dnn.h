/*
 * dnn.h: all that this program wants of oneDNN: convolutions and their transposes, forward and
 * backward, in layouts that are chosen when they are planned; convolutions with bias and ReLU, and
 * pooling, for networks that are only used; and matrix products.
 *
 * oneDNN 2 and 3 have different C APIs; what differs is in dnn_v2.c and dnn_v3.c behind dnn_api.h.
 */
#ifndef ECC_NN_DNN_H
#define ECC_NN_DNN_H

#include "nn/layout.h"

struct ecc_dnn; /* an engine and its stream */

enum ecc_status ecc_dnn_create(struct ecc_dnn **dnn, struct ecc_error *error);
void ecc_dnn_free(struct ecc_dnn *dnn);
size_t ecc_dnn_block(const struct ecc_dnn *dnn); /* the block of channels that it likes here */

/* ---- Convolutions --------------------------------------------------------------------------- */

struct ecc_conv_shape {
    bool transposed; /* a deconvolution */
    size_t n;
    struct ecc_item_shape in, out;
    size_t kernel[2], stride[2], padding[2]; /* padding: before height and width */
};

enum ecc_conv_pass { ECC_CONV_FORWARD, ECC_CONV_BACK_DATA, ECC_CONV_BACK_WEIGHTS, ECC_CONV_PASSES };

struct ecc_dnn_conv;

/* What was chosen. */
struct ecc_conv_info {
    struct ecc_map in, out;
    struct ecc_map weights_in; /* the input as ECC_CONV_BACK_WEIGHTS wants it; mostly like `in` */
    struct ecc_layout weights[ECC_CONV_PASSES]; /* [outputs, inputs, height, width] each */
    const char *implementation[ECC_CONV_PASSES];
    size_t scratch; /* bytes that a run needs for itself */
    bool slow;      /* the reference implementation: nothing better is there */
};

/*
 * Plans a convolution for input with blocks of in_block channels (0: whatever is fast).  Where that
 * layout has no fast implementation, another is chosen: the caller finds it in *info and converts.
 * The weights that training changes are those of ECC_CONV_BACK_WEIGHTS; without training all
 * three are the same.  back_data false leaves that pass out.
 */
enum ecc_status ecc_dnn_conv_create(struct ecc_dnn_conv **conv, struct ecc_conv_info *info,
                                    struct ecc_dnn *dnn, const struct ecc_conv_shape *shape,
                                    size_t in_block, bool training, bool back_data,
                                    struct ecc_error *error);
void ecc_dnn_conv_free(struct ecc_dnn_conv *conv);

/* Runs a pass: the last written is out, in, weights for forward, back data, back weights. */
enum ecc_status ecc_dnn_conv_run(struct ecc_dnn_conv *conv, enum ecc_conv_pass pass, float *in,
                                 float *weights, float *out, void *scratch,
                                 struct ecc_error *error);

/* Brings the master weights into the layout of a pass; needless where ..._same says so. */
enum ecc_status ecc_dnn_conv_reorder(struct ecc_dnn_conv *conv, enum ecc_conv_pass pass,
                                     float *weights, float *master, struct ecc_error *error);
bool ecc_dnn_conv_same(const struct ecc_dnn_conv *conv, enum ecc_conv_pass pass);

/* ---- Layers that are only used -------------------------------------------------------------- */

/* A convolution with bias and ReLU; the largest, and the mean without the padding, of a window. */
enum ecc_infer_kind { ECC_INFER_CONV, ECC_INFER_MAX, ECC_INFER_MEAN };

struct ecc_dnn_infer;

struct ecc_infer_info {
    struct ecc_layout weights; /* [outputs, inputs, height, width]; of a convolution */
    const char *implementation;
    size_t scratch; /* bytes that a run needs for itself */
    bool slow;      /* the reference implementation */
};

/* Plans a layer for images with such blocks of channels, which a pool does not change. */
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

/* c: [m, n] = a * b + beta * c, with a: [m, k] (or its transpose [k, m]), b: [k, n] ([n, k]). */
enum ecc_status ecc_dnn_gemm(float *c, const float *a, bool transpose_a, const float *b,
                             bool transpose_b, float beta, size_t m, size_t n, size_t k,
                             struct ecc_error *error);

#endif
