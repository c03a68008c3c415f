/* dnn_infer.c: layers for inference by oneDNN: convolution with bias and ReLU in one, and pooling.
 */
#include "nn/dnn.h"
#include "nn/dnn_api.h"

#include <errno.h>
#include <stdlib.h>

enum { IN, OUT, SCRATCH, WEIGHTS, BIAS, ROLES };

struct ecc_dnn_infer {
    struct ecc_dnn *dnn;
    enum ecc_infer_kind kind;
    dnnl_primitive_desc_t desc;
    dnnl_primitive_t primitive;
    dnnl_memory_t memories[ROLES];
};

static int roles_of(enum ecc_infer_kind kind)
{
    return kind == ECC_INFER_CONV ? ROLES : WEIGHTS;
}

/* ---- Planning ------------------------------------------------------------------------------- */

/* Rows and columns that no window reaches need no negative padding. */
static struct ecc_conv_dims dims_of(const struct ecc_conv_shape *shape)
{
    struct ecc_conv_dims dims = ecc_dnn_dims(shape);
    for (int k = 0; k < 2; k++) {
        if (dims.after[k] < 0) dims.after[k] = 0;
    }
    return dims;
}

static dnnl_status_t with_relu(dnnl_primitive_attr_t *attributes)
{
    dnnl_post_ops_t operations;
    dnnl_status_t status = dnnl_post_ops_create(&operations);
    if (status != dnnl_success) return status;
    status = ecc_append_relu(operations);
    if (status == dnnl_success) status = dnnl_primitive_attr_create(attributes);
    if (status == dnnl_success) {
        status = dnnl_primitive_attr_set_scratchpad_mode(*attributes, dnnl_scratchpad_mode_user);
    }
    if (status == dnnl_success) status = dnnl_primitive_attr_set_post_ops(*attributes, operations);
    dnnl_post_ops_destroy(operations);
    return status;
}

static dnnl_status_t describe_conv(struct ecc_dnn_infer *infer, const struct ecc_conv_dims *dims,
                                   ecc_desc in, ecc_desc out)
{
    struct ecc_desc_storage weights = {0}, bias = {0};
    dnnl_primitive_attr_t attributes = NULL;
    dnnl_status_t status = ecc_desc_init(&weights, dims->weights, dnnl_format_tag_any);
    if (status == dnnl_success) status = ecc_desc_init_vector(&bias, (size_t)dims->out[1]);
    if (status == dnnl_success) status = with_relu(&attributes);
    if (status == dnnl_success) {
        const struct ecc_conv_plan plan = {.pass = ECC_CONV_FORWARD,
                                           .dims = dims,
                                           .in = in,
                                           .weights = ecc_desc_of(&weights),
                                           .bias = ecc_desc_of(&bias),
                                           .out = out,
                                           .attributes = attributes};
        status = ecc_conv_desc_create(&infer->desc, infer->dnn->engine, &plan);
    }
    if (attributes) dnnl_primitive_attr_destroy(attributes);
    ecc_desc_release(&weights);
    ecc_desc_release(&bias);
    return status;
}

static dnnl_status_t describe(struct ecc_dnn_infer *infer, const struct ecc_conv_shape *shape,
                              size_t in_block, size_t out_block)
{
    const struct ecc_conv_dims dims = dims_of(shape);
    struct ecc_desc_storage in = {0}, out = {0};
    errno = 0;
    dnnl_status_t status = ecc_desc_init(&in, dims.in, ecc_dnn_tag(in_block, dims.in[1]));
    if (status == dnnl_success) {
        status = ecc_desc_init(&out, dims.out, ecc_dnn_tag(out_block, dims.out[1]));
    }
    if (status == dnnl_success && infer->kind == ECC_INFER_CONV) {
        status = describe_conv(infer, &dims, ecc_desc_of(&in), ecc_desc_of(&out));
    } else if (status == dnnl_success) {
        status = ecc_pool_desc_create(
            &infer->desc, infer->dnn->engine,
            infer->kind == ECC_INFER_MAX ? dnnl_pooling_max : dnnl_pooling_avg_exclude_padding,
            &dims, ecc_desc_of(&in), ecc_desc_of(&out), infer->dnn->attributes);
    }
    ecc_desc_release(&in);
    ecc_desc_release(&out);
    return ecc_dnn_noticed(status);
}

static ecc_desc desc_of(const struct ecc_dnn_infer *infer, int role)
{
    static const dnnl_query_t queries[ROLES] = {
        [IN] = dnnl_query_src_md,
        [OUT] = dnnl_query_dst_md,
        [SCRATCH] = dnnl_query_scratchpad_md,
        [WEIGHTS] = dnnl_query_weights_md,
        [BIAS] = dnnl_query_weights_md,
    };
    return dnnl_primitive_desc_query_md(infer->desc, queries[role], role == BIAS);
}

static dnnl_status_t realise(struct ecc_dnn_infer *infer, struct ecc_infer_info *info)
{
    info->implementation = ecc_dnn_implementation(infer->desc, &info->slow);
    info->scratch = dnnl_memory_desc_get_size(desc_of(infer, SCRATCH));
    if (infer->kind == ECC_INFER_CONV &&
        !ecc_desc_layout(&info->weights, desc_of(infer, WEIGHTS))) {
        return dnnl_unimplemented;
    }
    dnnl_status_t status = dnnl_primitive_create(&infer->primitive, infer->desc);
    for (int i = 0; i < roles_of(infer->kind) && status == dnnl_success; i++) {
        status = dnnl_memory_create(&infer->memories[i], desc_of(infer, i), infer->dnn->engine,
                                    DNNL_MEMORY_NONE);
    }
    return status;
}

enum ecc_status ecc_dnn_infer_create(struct ecc_dnn_infer **result, struct ecc_infer_info *info,
                                     struct ecc_dnn *dnn, enum ecc_infer_kind kind,
                                     const struct ecc_conv_shape *shape, size_t in_block,
                                     size_t out_block, struct ecc_error *error)
{
    *result = NULL;
    *info = (struct ecc_infer_info){0};
    struct ecc_dnn_infer *const infer = calloc(1, sizeof *infer);
    if (!infer) return ecc_fail_memory(error, "a layer");
    infer->dnn = dnn;
    infer->kind = kind;
    dnnl_status_t status = describe(infer, shape, in_block, out_block);
    if (status == dnnl_success) status = realise(infer, info);
    if (status != dnnl_success) {
        ecc_dnn_infer_free(infer);
        return ecc_dnn_check(status, kind == ECC_INFER_CONV ? "a convolution" : "a pool", error);
    }
    *result = infer;
    return ECC_OK;
}

void ecc_dnn_infer_free(struct ecc_dnn_infer *infer)
{
    if (!infer) return;
    for (int i = 0; i < ROLES; i++) {
        if (infer->memories[i]) dnnl_memory_destroy(infer->memories[i]);
    }
    if (infer->primitive) dnnl_primitive_destroy(infer->primitive);
    if (infer->desc) dnnl_primitive_desc_destroy(infer->desc);
    free(infer);
}

/* ---- Running -------------------------------------------------------------------------------- */

enum ecc_status ecc_dnn_infer_run(struct ecc_dnn_infer *infer, float *out, float *in,
                                  float *weights, float *bias, void *scratch,
                                  struct ecc_error *error)
{
    static const int arguments_of[ROLES] = {DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_SCRATCHPAD,
                                            DNNL_ARG_WEIGHTS, DNNL_ARG_BIAS};
    void *const data[ROLES] = {in, out, scratch, weights, bias};
    dnnl_exec_arg_t arguments[ROLES];
    const int count = roles_of(infer->kind);
    for (int i = 0; i < count; i++) {
        arguments[i] = (dnnl_exec_arg_t){arguments_of[i], infer->memories[i]};
        const dnnl_status_t status = dnnl_memory_set_data_handle(infer->memories[i], data[i]);
        if (status != dnnl_success) return ecc_dnn_check(status, "a buffer", error);
    }
    return ecc_dnn_check(
        dnnl_primitive_execute(infer->primitive, infer->dnn->stream, count, arguments),
        "to run a layer", error);
}
