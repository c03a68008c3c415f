/* own_passes.c: the three passes of a convolution as products of columns and rows. */
#include "nn/own_columns.h"

#include <cblas.h>
#include <omp.h>
#include <string.h>

/* A chunk of a part at work: columns: [count, depth], rows: [count, channels] */
struct chunk {
    struct ecc_columns_part part;
    size_t count, depth, channels;
    float *columns, *rows;
    bool in_place; /* rows are those of the small images */
};

static struct chunk chunk_at(const struct ecc_columns *plan, const struct ecc_columns_data *data,
                             const struct ecc_columns_part *part, size_t line)
{
    const size_t columns = ecc_columns_size(plan), rows = ecc_columns_rows_size(plan);
    const size_t width = plan->small.shape.width;
    struct chunk c = {.part = ecc_columns_chunk(plan, part, line)};
    c.count = c.part.lines * width;
    c.depth = part->slices * plan->run;
    c.channels = part->blocks * plan->small.block;
    c.columns = data->scratch + (size_t)omp_get_thread_num() * (columns + rows);
    c.in_place = plan->small.blocks == 1;
    c.rows = c.in_place ? data->small + line * width * c.channels : c.columns + columns;
    return c;
}

/* Where share number i starts, if the threads share `count` things. */
static size_t share(const struct ecc_columns *plan, size_t i, size_t count)
{
    return i * count / plan->threads;
}

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

/* ---- Gather --------------------------------------------------------------------------------- */

/* One group of output channels of one chunk. */
static void gather_task(const struct ecc_columns *plan, const struct ecc_columns_data *data,
                        size_t chunk, size_t group)
{
    const size_t block = group * plan->group, left = plan->small.blocks - block;
    const struct ecc_columns_part part = {.lines = plan->lines,
                                          .slices = plan->slices,
                                          .block = block,
                                          .blocks = left < plan->group ? left : plan->group};
    const struct chunk c = chunk_at(plan, data, &part, chunk * plan->chunk);
    ecc_columns_read(c.columns, data->big, plan, &c.part);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)c.count, (int)c.channels,
                (int)c.depth, 1, c.columns, (int)c.depth, data->weights + block * plan->small.block,
                (int)plan->small.shape.channels, 0, c.rows, (int)c.channels);
    if (!c.in_place) ecc_columns_unpack(data->small, c.rows, plan, &c.part);
}

void ecc_columns_gather(const struct ecc_columns *plan, const struct ecc_columns_data *data)
{
    const size_t chunks = divide_up(plan->lines, plan->chunk);
    const size_t groups = divide_up(plan->small.blocks, plan->group);
#pragma omp parallel for schedule(static) num_threads((int)plan->threads)
    for (size_t i = 0; i < chunks * groups; i++) gather_task(plan, data, i / groups, i % groups);
}

/* ---- Spread --------------------------------------------------------------------------------- */

/* Windows overlap: threads share whole items or, if there are too few, blocks of channels. */
static struct ecc_columns_part spread_part(const struct ecc_columns *plan, size_t i)
{
    const bool by_items = plan->items >= plan->threads;
    const size_t height = plan->small.shape.height, taps = plan->kernel[0];
    const size_t count = by_items ? plan->items : plan->big.blocks;
    const size_t first = share(plan, i, count), shared = share(plan, i + 1, count) - first;
    struct ecc_columns_part part = {
        .lines = plan->lines, .slices = plan->slices, .blocks = plan->small.blocks};
    if (by_items) {
        part.line = first * height;
        part.lines = shared * height;
    } else {
        part.slice = first * taps;
        part.slices = shared * taps;
    }
    return part;
}

static void clear_part(const struct ecc_columns *plan, float *big,
                       const struct ecc_columns_part *part)
{
    const size_t plane = plan->big.pixels * plan->big.block;
    const size_t item = part->line / plan->small.shape.height;
    const size_t items = part->lines / plan->small.shape.height;
    const size_t block = part->slice / plan->kernel[0], blocks = part->slices / plan->kernel[0];
    for (size_t i = item; i < item + items; i++) {
        memset(big + i * plan->big.item + block * plane, 0, blocks * plane * sizeof *big);
    }
}

void ecc_columns_spread(const struct ecc_columns *plan, const struct ecc_columns_data *data)
{
    const size_t outputs = plan->small.shape.channels;
#pragma omp parallel for schedule(static) num_threads((int)plan->threads)
    for (size_t i = 0; i < plan->threads; i++) {
        const struct ecc_columns_part part = spread_part(plan, i);
        const float *const weights = data->weights + part.slice * plan->run * outputs;
        const size_t end = part.slices ? part.line + part.lines : 0;
        clear_part(plan, data->big, &part);
        for (size_t line = part.line; line < end; line += plan->chunk) {
            const struct chunk c = chunk_at(plan, data, &part, line);
            if (!c.in_place) ecc_columns_pack(c.rows, data->small, plan, &c.part);
            const struct ecc_product product = {
                .m = c.count, .n = c.depth, .k = outputs, .transpose_b = true};
            ecc_dnn_gemm(c.columns, c.rows, weights, &product, NULL);
            ecc_columns_add(data->big, c.columns, plan, &c.part);
        }
    }
}

/* ---- Weights -------------------------------------------------------------------------------- */

/* Threads share the slices: each adds up its own rows of the gradient. */
void ecc_columns_sum_weights(const struct ecc_columns *plan, const struct ecc_columns_data *data)
{
    const size_t outputs = plan->small.shape.channels;
#pragma omp parallel for schedule(static) num_threads((int)plan->threads)
    for (size_t i = 0; i < plan->threads; i++) {
        const size_t first = share(plan, i, plan->slices);
        const struct ecc_columns_part part = {.lines = plan->lines,
                                              .slice = first,
                                              .slices = share(plan, i + 1, plan->slices) - first,
                                              .blocks = plan->small.blocks};
        float *const sums = data->weights + first * plan->run * outputs;
        for (size_t line = 0; line < plan->lines && part.slices; line += plan->chunk) {
            const struct chunk c = chunk_at(plan, data, &part, line);
            if (!c.in_place) ecc_columns_pack(c.rows, data->small, plan, &c.part);
            ecc_columns_read(c.columns, data->big, plan, &c.part);
            const struct ecc_product product = {.m = c.depth,
                                                .n = outputs,
                                                .k = c.count,
                                                .transpose_a = true,
                                                .beta = line > 0 ? 1 : 0};
            ecc_dnn_gemm(sums, c.columns, c.rows, &product, NULL);
        }
    }
}
