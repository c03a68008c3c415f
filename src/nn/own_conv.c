/*
 * own_conv.c: the convolutions and matrix products of dnn.h without oneDNN: columns (own_columns.h)
 * multiplied by BLAS.  All passes of a convolution use the same layout of the weights.
 */
#include "nn/own_columns.h"

#include <cblas.h>
#include <stdlib.h>

struct ecc_dnn {
    size_t block; /* of channels */
};

struct ecc_dnn_conv {
    struct ecc_columns plan;
    bool transposed;
};

enum ecc_status ecc_dnn_create(struct ecc_dnn **result, struct ecc_error *error)
{
    struct ecc_dnn *const dnn = *result = calloc(1, sizeof *dnn);
    if (!dnn) return ecc_fail_memory(error, "a net");
    dnn->block = 8;
    return ECC_OK;
}

void ecc_dnn_free(struct ecc_dnn *dnn)
{
    free(dnn);
}

size_t ecc_dnn_block(const struct ecc_dnn *dnn)
{
    return dnn->block;
}

/* ---- Planning ------------------------------------------------------------------------------- */

enum ecc_status ecc_dnn_conv_create(struct ecc_dnn_conv **result, struct ecc_conv_info *info,
                                    struct ecc_dnn *dnn, const struct ecc_conv_shape *shape,
                                    size_t in_block, bool training, bool back_data,
                                    struct ecc_error *error)
{
    (void)dnn;
    *info = (struct ecc_conv_info){0};
    struct ecc_dnn_conv *const conv = *result = calloc(1, sizeof *conv);
    if (!conv) return ecc_fail_memory(error, "a convolution");
    const size_t inputs = shape->in.channels, outputs = shape->out.channels;
    if (in_block == 0 || inputs % in_block != 0) in_block = ecc_columns_block(inputs);
    conv->plan = ecc_columns_plan(shape, in_block, ecc_columns_block(outputs));
    conv->transposed = shape->transposed;
    info->in = info->weights_in = shape->transposed ? conv->plan.small : conv->plan.big;
    info->out = shape->transposed ? conv->plan.big : conv->plan.small;
    for (int pass = 0; pass < ECC_CONV_PASSES; pass++) {
        const bool wanted =
            pass == ECC_CONV_FORWARD || (training && (pass == ECC_CONV_BACK_WEIGHTS || back_data));
        info->weights[pass] = ecc_columns_weights(&conv->plan, shape->transposed);
        if (wanted) info->implementation[pass] = "columns";
    }
    info->scratch = ecc_columns_scratch(&conv->plan);
    return ECC_OK;
}

void ecc_dnn_conv_free(struct ecc_dnn_conv *conv)
{
    free(conv);
}

bool ecc_dnn_conv_same(const struct ecc_dnn_conv *conv, enum ecc_conv_pass pass)
{
    (void)conv;
    (void)pass;
    return true;
}

enum ecc_status ecc_dnn_conv_reorder(struct ecc_dnn_conv *conv, enum ecc_conv_pass pass,
                                     float *weights, float *master, struct ecc_error *error)
{
    (void)conv;
    (void)pass;
    (void)weights;
    (void)master;
    (void)error;
    return ECC_OK; /* never needed: see ecc_dnn_conv_same */
}

/* ---- Running -------------------------------------------------------------------------------- */

enum ecc_status ecc_dnn_conv_run(struct ecc_dnn_conv *conv, enum ecc_conv_pass pass, float *in,
                                 float *weights, float *out, void *scratch, struct ecc_error *error)
{
    const struct ecc_columns_data data = {.big = conv->transposed ? out : in,
                                          .small = conv->transposed ? in : out,
                                          .weights = weights,
                                          .scratch = scratch};
    (void)error;
    if (pass == ECC_CONV_BACK_WEIGHTS) {
        ecc_columns_sum_weights(&conv->plan, &data);
    } else if ((pass == ECC_CONV_FORWARD) != conv->transposed) {
        ecc_columns_gather(&conv->plan, &data);
    } else {
        ecc_columns_spread(&conv->plan, &data);
    }
    return ECC_OK;
}

/* With one thread where several threads call it, with all threads elsewhere. */
enum ecc_status ecc_dnn_gemm(float *c, const float *a, const float *b, const struct ecc_product *p,
                             struct ecc_error *error)
{
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    (void)error;
    cblas_sgemm(CblasRowMajor, p->transpose_a ? CblasTrans : CblasNoTrans,
                p->transpose_b ? CblasTrans : CblasNoTrans, m, n, k, 1, a, p->transpose_a ? m : k,
                b, p->transpose_b ? k : n, p->beta, c, n);
    return ECC_OK;
}
