/*
 * inception_graph.c: the layers of Inception-v3 (Szegedy et al., "Rethinking the Inception
 * architecture for computer vision", 2015) as tables, and their sizes and buffers.
 *
 * A block reads its input, writes its output, one branch after the other, each behind the channels
 * of those before it, and has two places for what is in between.  Names are those of torchvision
 * and pytorch-fid; convolutions stand in the order in which Keras numbers them.
 */
#include "score/inception.h"

#include <stdio.h>

enum place { IN, OUT, A, B };
enum { CONV = ECC_INFER_CONV, MAX = ECC_INFER_MAX, MEAN = ECC_INFER_MEAN };
enum { OWN = 1 << 20 }; /* channels: a number of the block's own */

struct row {
    int kind;
    enum place from, to;
    size_t channels, kernel[2], stride;
    bool padded; /* so that the size stays */
    const char *name;
};

static const struct row stem[] = {
    {CONV, IN, A, 32, {3, 3}, 2, false, "Conv2d_1a_3x3"},
    {CONV, A, B, 32, {3, 3}, 1, false, "Conv2d_2a_3x3"},
    {CONV, B, A, 64, {3, 3}, 1, true, "Conv2d_2b_3x3"},
    {MAX, A, B, 0, {3, 3}, 2, false, NULL},
    {CONV, B, A, 80, {1, 1}, 1, true, "Conv2d_3b_1x1"},
    {CONV, A, B, 192, {3, 3}, 1, false, "Conv2d_4a_3x3"},
    {MAX, B, OUT, 0, {3, 3}, 2, false, NULL},
    {0},
};

static const struct row block_a[] = {
    {CONV, IN, OUT, 64, {1, 1}, 1, true, "branch1x1"},
    {CONV, IN, A, 48, {1, 1}, 1, true, "branch5x5_1"},
    {CONV, A, OUT, 64, {5, 5}, 1, true, "branch5x5_2"},
    {CONV, IN, A, 64, {1, 1}, 1, true, "branch3x3dbl_1"},
    {CONV, A, B, 96, {3, 3}, 1, true, "branch3x3dbl_2"},
    {CONV, B, OUT, 96, {3, 3}, 1, true, "branch3x3dbl_3"},
    {MEAN, IN, A, 0, {3, 3}, 1, true, NULL},
    {CONV, A, OUT, OWN, {1, 1}, 1, true, "branch_pool"},
    {0},
};

static const struct row block_b[] = {
    {CONV, IN, OUT, 384, {3, 3}, 2, false, "branch3x3"},
    {CONV, IN, A, 64, {1, 1}, 1, true, "branch3x3dbl_1"},
    {CONV, A, B, 96, {3, 3}, 1, true, "branch3x3dbl_2"},
    {CONV, B, OUT, 96, {3, 3}, 2, false, "branch3x3dbl_3"},
    {MAX, IN, OUT, 0, {3, 3}, 2, false, NULL},
    {0},
};

static const struct row block_c[] = {
    {CONV, IN, OUT, 192, {1, 1}, 1, true, "branch1x1"},
    {CONV, IN, A, OWN, {1, 1}, 1, true, "branch7x7_1"},
    {CONV, A, B, OWN, {1, 7}, 1, true, "branch7x7_2"},
    {CONV, B, OUT, 192, {7, 1}, 1, true, "branch7x7_3"},
    {CONV, IN, A, OWN, {1, 1}, 1, true, "branch7x7dbl_1"},
    {CONV, A, B, OWN, {7, 1}, 1, true, "branch7x7dbl_2"},
    {CONV, B, A, OWN, {1, 7}, 1, true, "branch7x7dbl_3"},
    {CONV, A, B, OWN, {7, 1}, 1, true, "branch7x7dbl_4"},
    {CONV, B, OUT, 192, {1, 7}, 1, true, "branch7x7dbl_5"},
    {MEAN, IN, A, 0, {3, 3}, 1, true, NULL},
    {CONV, A, OUT, 192, {1, 1}, 1, true, "branch_pool"},
    {0},
};

static const struct row block_d[] = {
    {CONV, IN, A, 192, {1, 1}, 1, true, "branch3x3_1"},
    {CONV, A, OUT, 320, {3, 3}, 2, false, "branch3x3_2"},
    {CONV, IN, A, 192, {1, 1}, 1, true, "branch7x7x3_1"},
    {CONV, A, B, 192, {1, 7}, 1, true, "branch7x7x3_2"},
    {CONV, B, A, 192, {7, 1}, 1, true, "branch7x7x3_3"},
    {CONV, A, OUT, 192, {3, 3}, 2, false, "branch7x7x3_4"},
    {MAX, IN, OUT, 0, {3, 3}, 2, false, NULL},
    {0},
};

static const struct row block_e[] = {
    {CONV, IN, OUT, 320, {1, 1}, 1, true, "branch1x1"},
    {CONV, IN, A, 384, {1, 1}, 1, true, "branch3x3_1"},
    {CONV, A, OUT, 384, {1, 3}, 1, true, "branch3x3_2a"},
    {CONV, A, OUT, 384, {3, 1}, 1, true, "branch3x3_2b"},
    {CONV, IN, A, 448, {1, 1}, 1, true, "branch3x3dbl_1"},
    {CONV, A, B, 384, {3, 3}, 1, true, "branch3x3dbl_2"},
    {CONV, B, OUT, 384, {1, 3}, 1, true, "branch3x3dbl_3a"},
    {CONV, B, OUT, 384, {3, 1}, 1, true, "branch3x3dbl_3b"},
    {MEAN, IN, A, 0, {3, 3}, 1, true, NULL},
    {CONV, A, OUT, 192, {1, 1}, 1, true, "branch_pool"},
    {0},
};

static const struct block {
    const char *name;
    const struct row *rows;
    size_t own;
    bool max_in_fid; /* pools by the largest in the FID network of 2015 */
} blocks[] = {
    {NULL, stem, 0, false},
    {"Mixed_5b", block_a, 32, false},
    {"Mixed_5c", block_a, 64, false},
    {"Mixed_5d", block_a, 64, false},
    {"Mixed_6a", block_b, 0, false},
    {"Mixed_6b", block_c, 128, false},
    {"Mixed_6c", block_c, 160, false},
    {"Mixed_6d", block_c, 160, false},
    {"Mixed_6e", block_c, 192, false},
    {"Mixed_7a", block_d, 0, false},
    {"Mixed_7b", block_e, 0, false},
    {"Mixed_7c", block_e, 0, true},
};

/* ---- From tables to sizes ------------------------------------------------------------------- */

struct builder {
    struct ecc_inception_graph *graph;
    size_t divide, convolutions;
    size_t buffer[4];               /* of each place */
    struct ecc_item_shape shape[4]; /* of what is there; OUT: so far */
};

static size_t scaled(const struct builder *builder, size_t channels)
{
    if (builder->divide == 1) return channels;
    return (channels / builder->divide + 15) / 16 * 16;
}

static size_t extent(size_t in, size_t kernel, size_t stride, size_t padding)
{
    return (in + 2 * padding - kernel) / stride + 1;
}

static void fill_shape(const struct builder *builder, struct ecc_conv_shape *shape,
                       const struct row *row, const struct block *block)
{
    const size_t channels = row->channels == OWN ? block->own : row->channels;
    *shape = (struct ecc_conv_shape){.n = 1, .in = builder->shape[row->from]};
    for (int k = 0; k < 2; k++) {
        shape->kernel[k] = row->kernel[k];
        shape->stride[k] = row->stride;
        shape->padding[k] = row->padded ? row->kernel[k] / 2 : 0;
    }
    shape->out.channels = channels ? scaled(builder, channels) : shape->in.channels;
    shape->out.height = extent(shape->in.height, shape->kernel[0], row->stride, shape->padding[0]);
    shape->out.width = extent(shape->in.width, shape->kernel[1], row->stride, shape->padding[1]);
}

static void name_op(struct builder *builder, struct ecc_inception_op *op, const struct row *row,
                    const struct block *block)
{
    if (!row->name) return;
    op->number = ++builder->convolutions;
    snprintf(op->name, sizeof op->name, "%s%s%s", block->name ? block->name : "",
             block->name ? "." : "", row->name);
}

static void add_op(struct builder *builder, const struct row *row, const struct block *block)
{
    struct ecc_inception_graph *const graph = builder->graph;
    struct ecc_inception_op *const op = &graph->ops[graph->count++];
    const bool largest = block->max_in_fid && graph->variant == ECC_INCEPTION_FID;
    op->kind = (enum ecc_infer_kind)(row->kind == MEAN && largest ? MAX : row->kind);
    op->from = builder->buffer[row->from];
    op->to = builder->buffer[row->to];
    fill_shape(builder, &op->shape, row, block);
    name_op(builder, op, row, block);
    struct ecc_item_shape *const target = &builder->shape[row->to];
    if (row->to == OUT) op->channel = target->channels;
    *target = op->shape.out;
    target->channels += op->channel;
    const size_t floats = ecc_shape_size(*target);
    if (floats > graph->floats[op->to]) graph->floats[op->to] = floats;
}

static void add_block(struct builder *builder, const struct block *block)
{
    builder->shape[OUT] = (struct ecc_item_shape){0};
    for (const struct row *row = block->rows; row->stride; row++) add_op(builder, row, block);
    const size_t output = builder->buffer[OUT];
    builder->buffer[OUT] = builder->buffer[IN];
    builder->buffer[IN] = output;
    builder->shape[IN] = builder->shape[OUT];
}

enum ecc_status ecc_inception_graph_init(struct ecc_inception_graph *graph,
                                         enum ecc_inception_variant variant, size_t height,
                                         size_t width, size_t divide, struct ecc_error *error)
{
    if (height < ECC_INCEPTION_MIN_SIDE || width < ECC_INCEPTION_MIN_SIDE || divide == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "Inception-v3 for images of %zux%zu, expected at least %dx%d", height,
                        width, ECC_INCEPTION_MIN_SIDE, ECC_INCEPTION_MIN_SIDE);
    }
    *graph = (struct ecc_inception_graph){.variant = variant, .in = {3, height, width}};
    struct builder builder = {.graph = graph, .divide = divide, .buffer = {IN, OUT, A, B}};
    builder.shape[IN] = graph->in;
    graph->floats[IN] = ecc_shape_size(graph->in);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) add_block(&builder, &blocks[i]);
    graph->out = builder.shape[IN];
    graph->output = builder.buffer[IN];
    return ECC_OK;
}

double ecc_inception_flops(const struct ecc_inception_graph *graph)
{
    double flops = 0;
    for (size_t i = 0; i < graph->count; i++) {
        const struct ecc_inception_op *const op = &graph->ops[i];
        if (op->kind != ECC_INFER_CONV) continue;
        flops += 2.0 * (double)ecc_inception_kernel_size(op) *
                 (double)(op->shape.out.height * op->shape.out.width);
    }
    return flops;
}
