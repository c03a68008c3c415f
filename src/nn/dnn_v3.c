/* dnn_v3.c: the C API of oneDNN 3. */
#include "nn/dnn_api.h"

#if DNNL_VERSION_MAJOR >= 3

dnnl_status_t ecc_desc_init(struct ecc_desc_storage *storage, const dnnl_dims_t dims,
                            dnnl_format_tag_t tag)
{
    return dnnl_memory_desc_create_with_tag(&storage->desc, 4, dims, dnnl_f32, tag);
}

dnnl_status_t ecc_desc_init_vector(struct ecc_desc_storage *storage, size_t count)
{
    const dnnl_dims_t dims = {(dnnl_dim_t)count};
    return dnnl_memory_desc_create_with_tag(&storage->desc, 1, dims, dnnl_f32, dnnl_x);
}

void ecc_desc_release(struct ecc_desc_storage *storage)
{
    if (storage->desc) dnnl_memory_desc_destroy(storage->desc);
    storage->desc = NULL;
}

ecc_desc ecc_desc_of(const struct ecc_desc_storage *storage)
{
    return storage->desc;
}

static bool query(ecc_desc desc, dnnl_query_t what, void *result)
{
    return dnnl_memory_desc_query(desc, what, result) == dnnl_success;
}

bool ecc_desc_layout(struct ecc_layout *layout, ecc_desc desc)
{
    int rank, inner_count;
    const dnnl_dims_t *dims, *strides, *inner_sizes, *inner_dims;
    dnnl_format_kind_t kind;
    *layout = (struct ecc_layout){0};
    if (!query(desc, dnnl_query_format_kind, &kind) || kind != dnnl_blocked ||
        !query(desc, dnnl_query_ndims_s32, &rank) || rank > ECC_MAX_DIMS ||
        !query(desc, dnnl_query_dims, &dims) || !query(desc, dnnl_query_strides, &strides) ||
        !query(desc, dnnl_query_inner_nblks_s32, &inner_count) || inner_count > ECC_MAX_INNER ||
        !query(desc, dnnl_query_inner_blks, &inner_sizes) ||
        !query(desc, dnnl_query_inner_idxs, &inner_dims)) {
        return false;
    }
    layout->rank = (size_t)rank;
    layout->size = dnnl_memory_desc_get_size(desc) / sizeof(float);
    for (int k = 0; k < rank; k++) {
        layout->dims[k] = (size_t)(*dims)[k];
        layout->strides[k] = (size_t)(*strides)[k];
    }
    layout->inner_count = (size_t)inner_count;
    for (int i = 0; i < inner_count; i++) {
        layout->inner_dim[i] = (size_t)(*inner_dims)[i];
        layout->inner_size[i] = (size_t)(*inner_sizes)[i];
    }
    ecc_layout_pack_inner(layout);
    return true;
}

static const dnnl_dims_t no_dilation = {0, 0};

/* Its functions for convolutions and deconvolutions take the same. */
dnnl_status_t ecc_conv_desc_create(dnnl_primitive_desc_t *result, dnnl_engine_t engine,
                                   const struct ecc_conv_plan *p)
{
    const struct ecc_conv_dims *const d = p->dims;
    const bool transposed = d->transposed;
    const dnnl_alg_kind_t direct = transposed ? dnnl_deconvolution_direct : dnnl_convolution_direct;
    switch (p->pass) {
    case ECC_CONV_FORWARD:
        return (transposed ? dnnl_deconvolution_forward_primitive_desc_create
                           : dnnl_convolution_forward_primitive_desc_create)(
            result, engine, p->training ? dnnl_forward_training : dnnl_forward_inference, direct,
            p->in, p->weights, p->bias, p->out, d->stride, no_dilation, d->before, d->after,
            p->attributes);
    case ECC_CONV_BACK_DATA:
        return (transposed ? dnnl_deconvolution_backward_data_primitive_desc_create
                           : dnnl_convolution_backward_data_primitive_desc_create)(
            result, engine, direct, p->in, p->weights, p->out, d->stride, no_dilation, d->before,
            d->after, p->hint, p->attributes);
    default:
        return (transposed ? dnnl_deconvolution_backward_weights_primitive_desc_create
                           : dnnl_convolution_backward_weights_primitive_desc_create)(
            result, engine, direct, p->in, p->weights, NULL, p->out, d->stride, no_dilation,
            d->before, d->after, p->hint, p->attributes);
    }
}

dnnl_status_t ecc_pool_desc_create(dnnl_primitive_desc_t *result, dnnl_engine_t engine,
                                   dnnl_alg_kind_t kind, const struct ecc_conv_dims *dims,
                                   ecc_desc in, ecc_desc out,
                                   const_dnnl_primitive_attr_t attributes)
{
    const dnnl_dims_t window = {dims->weights[2], dims->weights[3]};
    return dnnl_pooling_forward_primitive_desc_create(result, engine, dnnl_forward_inference, kind,
                                                      in, out, dims->stride, window, no_dilation,
                                                      dims->before, dims->after, attributes);
}

dnnl_status_t ecc_append_relu(dnnl_post_ops_t operations)
{
    return dnnl_post_ops_append_eltwise(operations, dnnl_eltwise_relu, 0, 0);
}

#endif
