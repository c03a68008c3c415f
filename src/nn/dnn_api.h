/* dnn_api.h: what differs between the C APIs of oneDNN 2 and 3, in four functions. */
#ifndef ECC_NN_DNN_API_H
#define ECC_NN_DNN_API_H

#include "nn/dnn.h"

#include <oneapi/dnnl/dnnl.h>

#if DNNL_VERSION_MAJOR >= 3
typedef const_dnnl_memory_desc_t ecc_desc;
struct ecc_desc_storage {
    dnnl_memory_desc_t desc;
};
#else
typedef const dnnl_memory_desc_t *ecc_desc;
struct ecc_desc_storage {
    dnnl_memory_desc_t desc;
};
#endif

/* Four dimensions of float in a layout of oneDNN's, or dnnl_format_tag_any. */
dnnl_status_t ecc_desc_init(struct ecc_desc_storage *storage, const dnnl_dims_t dims,
                            dnnl_format_tag_t tag);
void ecc_desc_release(struct ecc_desc_storage *storage);
ecc_desc ecc_desc_of(const struct ecc_desc_storage *storage);

/* Strides and blocks; false for a layout of another kind. */
bool ecc_desc_layout(struct ecc_layout *layout, ecc_desc desc);

/* The geometry of a convolution as oneDNN wants it. */
struct ecc_conv_dims {
    dnnl_dims_t in, weights, out, stride, before, after;
    bool transposed;
};

/* The best implementation of a pass for these layouts; `hint` is the forward one, NULL for it. */
dnnl_status_t ecc_conv_desc_create(dnnl_primitive_desc_t *result, dnnl_engine_t engine,
                                   enum ecc_conv_pass pass, bool training,
                                   const struct ecc_conv_dims *dims, ecc_desc in, ecc_desc weights,
                                   ecc_desc out, const_dnnl_primitive_attr_t attributes,
                                   const_dnnl_primitive_desc_t hint);

#endif
