/* dnn_api.h: a few functions that hide the differences between the C APIs of oneDNN 2 and 3. */
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

/* Four dimensions of float in one of oneDNN's layouts, or dnnl_format_tag_any. */
dnnl_status_t ecc_desc_init(struct ecc_desc_storage *storage, const dnnl_dims_t dims,
                            dnnl_format_tag_t tag);
dnnl_status_t ecc_desc_init_vector(struct ecc_desc_storage *storage, size_t count);
void ecc_desc_release(struct ecc_desc_storage *storage);
ecc_desc ecc_desc_of(const struct ecc_desc_storage *storage);

/* Strides and blocks; false for a layout of another kind. */
bool ecc_desc_layout(struct ecc_layout *layout, ecc_desc desc);

/* The geometry of a convolution in oneDNN's terms. */
struct ecc_conv_dims {
    dnnl_dims_t in, weights, out, stride, before, after;
    bool transposed;
};

/* A pass that is to be planned. */
struct ecc_conv_plan {
    enum ecc_conv_pass pass;
    bool training;
    const struct ecc_conv_dims *dims;
    ecc_desc in, weights, out;
    ecc_desc bias; /* NULL, or for forward a vector */
    const_dnnl_primitive_attr_t attributes;
    const_dnnl_primitive_desc_t hint; /* of the forward pass, for the others */
};

/* The best implementation for these layouts. */
dnnl_status_t ecc_conv_desc_create(dnnl_primitive_desc_t *result, dnnl_engine_t engine,
                                   const struct ecc_conv_plan *plan);

/* Forward; the size of the window is that of the weights. */
dnnl_status_t ecc_pool_desc_create(dnnl_primitive_desc_t *result, dnnl_engine_t engine,
                                   dnnl_alg_kind_t kind, const struct ecc_conv_dims *dims,
                                   ecc_desc in, ecc_desc out,
                                   const_dnnl_primitive_attr_t attributes);
dnnl_status_t ecc_append_relu(dnnl_post_ops_t operations);

/* ---- What dnn.c and dnn_infer.c share ------------------------------------------------------- */

struct ecc_dnn {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_attr_t attributes; /* the scratchpad is ours */
    size_t block;
};

struct ecc_conv_dims ecc_dnn_dims(const struct ecc_conv_shape *shape);
/* The layout of images with blocks of that many channels; 0: any. */
dnnl_format_tag_t ecc_dnn_tag(size_t block, dnnl_dim_t channels);
/* oneDNN takes an implementation that gets no memory for one that does not exist, and goes on to a
 * slower one with other rounding.  errno, 0 before, tells: out of memory, or else the status. */
dnnl_status_t ecc_dnn_noticed(dnnl_status_t status);
enum ecc_status ecc_dnn_check(dnnl_status_t status, const char *what, struct ecc_error *error);
/* Its name, such as "jit:avx2", and whether it is the slow one. */
const char *ecc_dnn_implementation(const_dnnl_primitive_desc_t desc, bool *slow);

#endif
