/* own_columns.c: images to columns and rows, and back. */
#include "nn/own_columns.h"

#include <omp.h>
#include <string.h>

/* ---- Planning ------------------------------------------------------------------------------- */

/*
 * Columns of a chunk: 256 KB, but at least MIN_ROWS rows, since each product reads all weights.
 * Where that makes less than TASKS chunks, the output channels are shared, too, in groups of at
 * least MIN_GROUP.  None of this depends on the number of threads, and so no output does.
 */
enum { BLOCK = 8, CHUNK_FLOATS = 1 << 16, MIN_ROWS = 256, TASKS = 16, MIN_GROUP = 64 };

size_t ecc_columns_block(size_t channels)
{
    return channels % BLOCK == 0 ? BLOCK : channels;
}

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

static void plan_chunks(struct ecc_columns *plan)
{
    const struct ecc_map *const small = &plan->small;
    const size_t fitting = CHUNK_FLOATS / (plan->slices * plan->run);
    const size_t rows = fitting > MIN_ROWS ? fitting : MIN_ROWS;
    const size_t chunks = divide_up(plan->lines * small->shape.width, rows);
    plan->chunk = divide_up(plan->lines, chunks);
    const size_t least = divide_up(MIN_GROUP, small->block);
    const size_t wanted = divide_up(small->blocks, divide_up(TASKS, chunks));
    plan->group = wanted > least ? wanted : least;
    if (plan->group > small->blocks) plan->group = small->blocks;
}

struct ecc_columns ecc_columns_plan(const struct ecc_conv_shape *shape, size_t in_block,
                                    size_t out_block)
{
    const struct ecc_map in = ecc_map_of(shape->in, in_block);
    const struct ecc_map out = ecc_map_of(shape->out, out_block);
    struct ecc_columns plan = {.big = shape->transposed ? out : in,
                               .small = shape->transposed ? in : out,
                               .items = shape->n,
                               .threads = (size_t)omp_get_max_threads()};
    for (int k = 0; k < 2; k++) {
        plan.kernel[k] = shape->kernel[k];
        plan.stride[k] = shape->stride[k];
        plan.padding[k] = shape->padding[k];
    }
    plan.run = plan.kernel[1] * plan.big.block;
    plan.slices = plan.big.blocks * plan.kernel[0];
    plan.lines = shape->n * plan.small.shape.height;
    plan_chunks(&plan);
    return plan;
}

size_t ecc_columns_size(const struct ecc_columns *plan)
{
    return plan->chunk * plan->small.shape.width * plan->slices * plan->run;
}

size_t ecc_columns_rows_size(const struct ecc_columns *plan)
{
    return plan->chunk * plan->small.shape.width * plan->small.shape.channels;
}

size_t ecc_columns_scratch(const struct ecc_columns *plan)
{
    return plan->threads * (ecc_columns_size(plan) + ecc_columns_rows_size(plan)) * sizeof(float);
}

struct ecc_layout ecc_columns_weights(const struct ecc_columns *plan, bool transposed)
{
    const size_t small = plan->small.shape.channels, block = plan->big.block;
    struct ecc_layout layout = {
        .rank = 4,
        .dims = {small, plan->big.shape.channels, plan->kernel[0], plan->kernel[1]},
        .strides = {1, plan->kernel[0] * plan->run * small, plan->run * small, block * small},
        .inner_count = 1,
        .inner_dim = {1},
        .inner_size = {block},
        .inner_stride = {small},
        .size = plan->slices * plan->run * small};
    if (transposed) ecc_layout_swap(&layout, 0, 1);
    return layout;
}

struct ecc_columns_part ecc_columns_chunk(const struct ecc_columns *plan,
                                          const struct ecc_columns_part *part, size_t line)
{
    const size_t left = part->line + part->lines - line;
    struct ecc_columns_part chunk = *part;
    chunk.line = line;
    chunk.lines = left < plan->chunk ? left : plan->chunk;
    return chunk;
}

/* ---- Columns -------------------------------------------------------------------------------- */

/* A row of pixels of the big image in one block of channels, which a slice reads or changes for a
 * line; false where it lies outside. */
static bool find_row(size_t *offset, const struct ecc_columns *p, size_t line, size_t slice)
{
    const size_t item = line / p->small.shape.height, y = line % p->small.shape.height;
    const size_t block = slice / p->kernel[0], tap = slice % p->kernel[0];
    const size_t row = y * p->stride[0] + tap;
    if (row < p->padding[0] || row - p->padding[0] >= p->big.shape.height) return false;
    const size_t pixel = (row - p->padding[0]) * p->big.shape.width;
    *offset = item * p->big.item + (block * p->big.pixels + pixel) * p->big.block;
    return true;
}

/* What of a slice lies inside the image: floats from `from` to `to`, of which the first (inside or
 * not) is at `start` in its row. */
struct span {
    size_t from, to;
    ptrdiff_t start;
};

static struct span find_span(const struct ecc_columns *p, size_t x)
{
    const ptrdiff_t block = (ptrdiff_t)p->big.block, run = (ptrdiff_t)p->run;
    const ptrdiff_t width = (ptrdiff_t)p->big.shape.width * block;
    const ptrdiff_t start = ((ptrdiff_t)(x * p->stride[1]) - (ptrdiff_t)p->padding[1]) * block;
    const ptrdiff_t from = start < 0 ? -start : 0;
    const ptrdiff_t to = start + run > width ? width - start : run;
    if (from >= to) return (struct span){0, 0, start};
    return (struct span){(size_t)from, (size_t)to, start};
}

/* A slice of all windows of a line. */
static void read_slice(float *columns, const float *row, const struct ecc_columns *p, size_t depth)
{
    for (size_t x = 0; x < p->small.shape.width; x++, columns += depth) {
        const struct span span = find_span(p, x);
        if (span.from == 0 && span.to == p->run) {
            memcpy(columns, row + span.start, p->run * sizeof *columns);
            continue;
        }
        memset(columns, 0, p->run * sizeof *columns);
        for (size_t k = span.from; k < span.to; k++) columns[k] = row[span.start + (ptrdiff_t)k];
    }
}

static void clear_slice(float *columns, const struct ecc_columns *p, size_t depth)
{
    for (size_t x = 0; x < p->small.shape.width; x++) {
        memset(columns + x * depth, 0, p->run * sizeof *columns);
    }
}

static void add_slice(float *row, const float *columns, const struct ecc_columns *p, size_t depth)
{
    for (size_t x = 0; x < p->small.shape.width; x++, columns += depth) {
        const struct span span = find_span(p, x);
        float *const to = row + span.start;
        for (size_t k = span.from; k < span.to; k++) to[k] += columns[k];
    }
}

void ecc_columns_read(float *columns, const float *big, const struct ecc_columns *p,
                      const struct ecc_columns_part *part)
{
    const size_t depth = part->slices * p->run;
    for (size_t l = 0; l < part->lines; l++) {
        for (size_t i = 0; i < part->slices; i++) {
            float *const to = columns + l * p->small.shape.width * depth + i * p->run;
            size_t offset;
            if (find_row(&offset, p, part->line + l, part->slice + i)) {
                read_slice(to, big + offset, p, depth);
            } else {
                clear_slice(to, p, depth);
            }
        }
    }
}

void ecc_columns_add(float *big, const float *columns, const struct ecc_columns *p,
                     const struct ecc_columns_part *part)
{
    const size_t depth = part->slices * p->run;
    for (size_t l = 0; l < part->lines; l++) {
        for (size_t i = 0; i < part->slices; i++) {
            size_t offset;
            if (!find_row(&offset, p, part->line + l, part->slice + i)) continue;
            add_slice(big + offset, columns + l * p->small.shape.width * depth + i * p->run, p,
                      depth);
        }
    }
}

/* ---- Rows ----------------------------------------------------------------------------------- */

/* A line of a small image in one block of channels. */
static size_t line_offset(const struct ecc_columns *p, size_t line, size_t block)
{
    const struct ecc_map *const small = &p->small;
    const size_t item = line / small->shape.height, y = line % small->shape.height;
    return item * small->item + (block * small->pixels + y * small->shape.width) * small->block;
}

void ecc_columns_pack(float *rows, const float *small, const struct ecc_columns *p,
                      const struct ecc_columns_part *part)
{
    const size_t width = p->small.shape.width, block = p->small.block;
    const size_t channels = part->blocks * block;
    for (size_t l = 0; l < part->lines; l++) {
        for (size_t b = 0; b < part->blocks; b++) {
            const float *const from = small + line_offset(p, part->line + l, part->block + b);
            float *const to = rows + l * width * channels + b * block;
            for (size_t x = 0; x < width; x++) {
                memcpy(to + x * channels, from + x * block, block * sizeof *to);
            }
        }
    }
}

void ecc_columns_unpack(float *small, const float *rows, const struct ecc_columns *p,
                        const struct ecc_columns_part *part)
{
    const size_t width = p->small.shape.width, block = p->small.block;
    const size_t channels = part->blocks * block;
    for (size_t l = 0; l < part->lines; l++) {
        for (size_t b = 0; b < part->blocks; b++) {
            const float *const from = rows + l * width * channels + b * block;
            float *const to = small + line_offset(p, part->line + l, part->block + b);
            for (size_t x = 0; x < width; x++) {
                memcpy(to + x * block, from + x * channels, block * sizeof *to);
            }
        }
    }
}
