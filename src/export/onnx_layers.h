/* onnx_layers.h: the layers of a net as ONNX operators. */
#ifndef ECC_EXPORT_ONNX_LAYERS_H
#define ECC_EXPORT_ONNX_LAYERS_H

#include "export/net_part.h"
#include "export/onnx_graph.h"

struct ecc_onnx_part {
    struct ecc_net_part of;
    bool keep_norms; /* batch norm as a layer of its own, not inside the one before it */
};

/* From the last value of the graph, [n, ...] of the part's input, to its output.  Vectors are
 * [n, size], images [n, c, h, w]. */
enum ecc_status ecc_onnx_layers(struct ecc_onnx_graph *graph, const struct ecc_onnx_part *part,
                                struct ecc_error *error);

/* Dimensions after n: 3 of an image, 1 of a vector, which has neither height nor width. */
size_t ecc_onnx_dims(size_t dims[3], struct ecc_item_shape shape);

#endif
