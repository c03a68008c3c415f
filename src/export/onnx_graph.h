/*
 * onnx_graph.h: a graph of ONNX operators, written node by node.
 *
 * Values have names.  Most graphs are a chain, so that the graph remembers its last value: a node
 * without a name for its output makes a new one, which is then the last.
 */
#ifndef ECC_EXPORT_ONNX_GRAPH_H
#define ECC_EXPORT_ONNX_GRAPH_H

#include "base/protobuf.h"

enum { ECC_ONNX_RANK = 4, ECC_ONNX_NAME = 40 };

struct ecc_onnx_graph {
    struct ecc_protobuf model;
    size_t begun, made;       /* of the graph inside the model; numbers given to values */
    char last[ECC_ONNX_NAME]; /* the value that the chain has reached */
};

/* An attribute: whole numbers, or with count 0 a float. */
struct ecc_onnx_attribute {
    const char *name;
    size_t count;
    bool one; /* a number, not a list of them */
    int64_t ints[ECC_ONNX_RANK];
    float number;
};

void ecc_onnx_begin(struct ecc_onnx_graph *graph, const char *name);

/* Inputs and outputs of the graph: floats [n, dims...], with n left open.  An input is then the
 * last value. */
void ecc_onnx_input(struct ecc_onnx_graph *graph, const char *name, const size_t *dims,
                    size_t rank);
void ecc_onnx_output(struct ecc_onnx_graph *graph, const char *name, const size_t *dims,
                     size_t rank);

/* Constants. */
void ecc_onnx_floats(struct ecc_onnx_graph *graph, const char *name, const float *values,
                     const size_t *dims, size_t rank);
void ecc_onnx_ints(struct ecc_onnx_graph *graph, const char *name, const int64_t *values,
                   size_t count);

/* A node with the last value and up to four others, ending in NULL, as its inputs. */
struct ecc_onnx_node {
    const char *type;      /* of the operator, such as "Gemm" */
    const char *first;     /* instead of the last value, or NULL */
    const char *others[5]; /* ending in NULL */
    const char *output;    /* or NULL: a new name */
    const struct ecc_onnx_attribute *attributes;
    size_t attribute_count;
};
void ecc_onnx_add(struct ecc_onnx_graph *graph, const struct ecc_onnx_node *node);

/* Ends the graph; then what the model says of itself. */
void ecc_onnx_end(struct ecc_onnx_graph *graph);
void ecc_onnx_say(struct ecc_onnx_graph *graph, const char *key, const char *value);

#endif
