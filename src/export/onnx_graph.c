/*
 * onnx_graph.c: a graph of ONNX operators, written node by node.
 *
 * Of ONNX's messages we write:
 *     Model     { ir_version = 1; producer_name = 2; producer_version = 3; Graph = 7; OperatorSet =
 * 8; repeated Entry metadata = 14; } Graph     { repeated Node = 1; name = 2; repeated Tensor = 5;
 * repeated Value input = 11, output = 12; } Node      { repeated input = 1, output = 2; name = 3;
 * operator = 4; repeated Attribute = 5; } Attribute { name = 1; float = 2; int = 3; repeated ints =
 * 8; type = 20; } Tensor    { repeated dims = 1; type = 2; name = 8; bytes = 9; } Value     { name
 * = 1; Type { Tensor { element = 1; Shape { repeated Dim { size = 1; name = 2; } = 1; } = 2; } = 1;
 * } = 2; }
 */
#include "export/onnx_graph.h"

#include <eccentric.h>

#include <stdio.h>
#include <string.h>

enum { IR_VERSION = 8, OPERATORS = 17 };    /* of ONNX 1.12; every later one reads them */
enum { FLOAT = 1, INT64 = 7 };              /* types of tensors */
enum { A_FLOAT = 1, AN_INT = 2, INTS = 7 }; /* and of attributes */

void ecc_onnx_begin(struct ecc_onnx_graph *g, const char *name)
{
    *g = (struct ecc_onnx_graph){.begun = 0};
    struct ecc_protobuf *const p = &g->model;
    ecc_protobuf_int(p, 1, IR_VERSION);
    ecc_protobuf_text(p, 2, "eccentric");
    ecc_protobuf_text(p, 3, ECC_VERSION);
    const size_t operators = ecc_protobuf_begin(p, 8);
    ecc_protobuf_text(p, 1, "");
    ecc_protobuf_int(p, 2, OPERATORS);
    ecc_protobuf_end(p, operators);
    g->begun = ecc_protobuf_begin(p, 7);
    ecc_protobuf_text(p, 2, name);
}

void ecc_onnx_end(struct ecc_onnx_graph *g)
{
    ecc_protobuf_end(&g->model, g->begun);
}

void ecc_onnx_say(struct ecc_onnx_graph *g, const char *key, const char *value)
{
    const size_t entry = ecc_protobuf_begin(&g->model, 14);
    ecc_protobuf_text(&g->model, 1, key);
    ecc_protobuf_text(&g->model, 2, value);
    ecc_protobuf_end(&g->model, entry);
}

/* ---- Inputs and outputs --------------------------------------------------------------------- */

static void put_shape(struct ecc_protobuf *p, const size_t *dims, size_t rank)
{
    const size_t shape = ecc_protobuf_begin(p, 2);
    for (size_t i = 0; i <= rank; i++) {
        const size_t dim = ecc_protobuf_begin(p, 1);
        if (i == 0) {
            ecc_protobuf_text(p, 2, "n");
        } else {
            ecc_protobuf_int(p, 1, (int64_t)dims[i - 1]);
        }
        ecc_protobuf_end(p, dim);
    }
    ecc_protobuf_end(p, shape);
}

static void put_value(struct ecc_protobuf *p, unsigned field, const char *name, const size_t *dims,
                      size_t rank)
{
    const size_t value = ecc_protobuf_begin(p, field);
    ecc_protobuf_text(p, 1, name);
    const size_t type = ecc_protobuf_begin(p, 2), tensor = ecc_protobuf_begin(p, 1);
    ecc_protobuf_int(p, 1, FLOAT);
    put_shape(p, dims, rank);
    ecc_protobuf_end(p, tensor);
    ecc_protobuf_end(p, type);
    ecc_protobuf_end(p, value);
}

void ecc_onnx_input(struct ecc_onnx_graph *g, const char *name, const size_t *dims, size_t rank)
{
    put_value(&g->model, 11, name, dims, rank);
    snprintf(g->last, sizeof g->last, "%s", name);
}

void ecc_onnx_output(struct ecc_onnx_graph *g, const char *name, const size_t *dims, size_t rank)
{
    put_value(&g->model, 12, name, dims, rank);
}

/* ---- Constants ------------------------------------------------------------------------------ */

static void put_tensor(struct ecc_protobuf *p, const char *name, int type, const size_t *dims,
                       size_t rank, const void *bytes, size_t size)
{
    const size_t tensor = ecc_protobuf_begin(p, 5);
    for (size_t i = 0; i < rank; i++) ecc_protobuf_int(p, 1, (int64_t)dims[i]);
    ecc_protobuf_int(p, 2, type);
    ecc_protobuf_text(p, 8, name);
    ecc_protobuf_bytes(p, 9, bytes, size); /* little-endian, as our processors have them */
    ecc_protobuf_end(p, tensor);
}

void ecc_onnx_floats(struct ecc_onnx_graph *g, const char *name, const float *values,
                     const size_t *dims, size_t rank)
{
    size_t count = 1;
    for (size_t i = 0; i < rank; i++) count *= dims[i];
    put_tensor(&g->model, name, FLOAT, dims, rank, values, count * sizeof *values);
}

void ecc_onnx_ints(struct ecc_onnx_graph *g, const char *name, const int64_t *values, size_t count)
{
    put_tensor(&g->model, name, INT64, &count, 1, values, count * sizeof *values);
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

static void put_attribute(struct ecc_protobuf *p, const struct ecc_onnx_attribute *a)
{
    const size_t attribute = ecc_protobuf_begin(p, 5);
    ecc_protobuf_text(p, 1, a->name);
    if (a->count == 0) ecc_protobuf_float(p, 2, a->number);
    for (size_t i = 0; i < a->count; i++) ecc_protobuf_int(p, a->one ? 3 : 8, a->ints[i]);
    ecc_protobuf_int(p, 20, a->count == 0 ? A_FLOAT : a->one ? AN_INT : INTS);
    ecc_protobuf_end(p, attribute);
}

void ecc_onnx_add(struct ecc_onnx_graph *g, const struct ecc_onnx_node *n)
{
    struct ecc_protobuf *const p = &g->model;
    char made[ECC_ONNX_NAME];
    snprintf(made, sizeof made, "%.30s%zu", n->type, ++g->made);
    const size_t node = ecc_protobuf_begin(p, 1);
    ecc_protobuf_text(p, 1, n->first ? n->first : g->last);
    for (size_t i = 0; n->others[i]; i++) ecc_protobuf_text(p, 1, n->others[i]);
    ecc_protobuf_text(p, 2, n->output ? n->output : made);
    ecc_protobuf_text(p, 3, made);
    ecc_protobuf_text(p, 4, n->type);
    for (size_t i = 0; i < n->attribute_count; i++) put_attribute(p, &n->attributes[i]);
    ecc_protobuf_end(p, node);
    snprintf(g->last, sizeof g->last, "%s", n->output ? n->output : made);
}
