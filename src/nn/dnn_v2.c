/* dnn_v2.c: the C API of oneDNN 2. */
#include "nn/dnn_api.h"

#if DNNL_VERSION_MAJOR == 2

dnnl_status_t ecc_desc_init(struct ecc_desc_storage *storage, const dnnl_dims_t dims,
                            dnnl_format_tag_t tag)
{
    return dnnl_memory_desc_init_by_tag(&storage->desc, 4, dims, dnnl_f32, tag);
}

dnnl_status_t ecc_desc_init_vector(struct ecc_desc_storage *storage, size_t count)
{
    const dnnl_dims_t dims = {(dnnl_dim_t)count};
    return dnnl_memory_desc_init_by_tag(&storage->desc, 1, dims, dnnl_f32, dnnl_x);
}

void ecc_desc_release(struct ecc_desc_storage *storage)
{
    (void)storage;
}

ecc_desc ecc_desc_of(const struct ecc_desc_storage *storage)
{
    return &storage->desc;
}

bool ecc_desc_layout(struct ecc_layout *layout, ecc_desc desc)
{
    *layout = (struct ecc_layout){.rank = (size_t)desc->ndims};
    if (desc->format_kind != dnnl_blocked || desc->ndims > ECC_MAX_DIMS) return false;
    const dnnl_blocking_desc_t *const blocking = &desc->format_desc.blocking;
    if (blocking->inner_nblks > ECC_MAX_INNER) return false;
    layout->size = dnnl_memory_desc_get_size(desc) / sizeof(float);
    for (int k = 0; k < desc->ndims; k++) {
        layout->dims[k] = (size_t)desc->dims[k];
        layout->strides[k] = (size_t)blocking->strides[k];
    }
    layout->inner_count = (size_t)blocking->inner_nblks;
    for (int i = 0; i < blocking->inner_nblks; i++) {
        layout->inner_dim[i] = (size_t)blocking->inner_idxs[i];
        layout->inner_size[i] = (size_t)blocking->inner_blks[i];
    }
    ecc_layout_pack_inner(layout);
    return true;
}

/* Its functions for convolutions and deconvolutions take the same. */
static dnnl_status_t describe(dnnl_convolution_desc_t *op, const struct ecc_conv_plan *p)
{
    const struct ecc_conv_dims *const d = p->dims;
    const bool transposed = d->transposed;
    const dnnl_alg_kind_t direct = transposed ? dnnl_deconvolution_direct : dnnl_convolution_direct;
    switch (p->pass) {
    case ECC_CONV_FORWARD:
        return (transposed ? dnnl_deconvolution_forward_desc_init
                           : dnnl_convolution_forward_desc_init)(
            op, p->training ? dnnl_forward_training : dnnl_forward_inference, direct, p->in,
            p->weights, p->bias, p->out, d->stride, d->before, d->after);
    case ECC_CONV_BACK_DATA:
        return (transposed ? dnnl_deconvolution_backward_data_desc_init
                           : dnnl_convolution_backward_data_desc_init)(
            op, direct, p->in, p->weights, p->out, d->stride, d->before, d->after);
    default:
        return (transposed ? dnnl_deconvolution_backward_weights_desc_init
                           : dnnl_convolution_backward_weights_desc_init)(
            op, direct, p->in, p->weights, NULL, p->out, d->stride, d->before, d->after);
    }
}

dnnl_status_t ecc_conv_desc_create(dnnl_primitive_desc_t *result, dnnl_engine_t engine,
                                   const struct ecc_conv_plan *plan)
{
    dnnl_convolution_desc_t op;
    const dnnl_status_t status = describe(&op, plan);
    if (status != dnnl_success) return status;
    return dnnl_primitive_desc_create(result, &op, plan->attributes, engine, plan->hint);
}

dnnl_status_t ecc_pool_desc_create(dnnl_primitive_desc_t *result, dnnl_engine_t engine,
                                   dnnl_alg_kind_t kind, const struct ecc_conv_dims *dims,
                                   ecc_desc in, ecc_desc out,
                                   const_dnnl_primitive_attr_t attributes)
{
    const dnnl_dims_t window = {dims->weights[2], dims->weights[3]};
    dnnl_pooling_desc_t op;
    const dnnl_status_t status =
        dnnl_pooling_forward_desc_init(&op, dnnl_forward_inference, kind, in, out, dims->stride,
                                       window, dims->before, dims->after);
    if (status != dnnl_success) return status;
    return dnnl_primitive_desc_create(result, &op, attributes, engine, NULL);
}

dnnl_status_t ecc_append_relu(dnnl_post_ops_t operations)
{
    return dnnl_post_ops_append_eltwise(operations, 1, dnnl_eltwise_relu, 0, 0);
}

#endif
