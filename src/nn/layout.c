/* layout.c: where the numbers of images and weights are in memory. */
#include "nn/layout.h"

#include <string.h>

struct ecc_map ecc_map_of(struct ecc_item_shape shape, size_t block)
{
    struct ecc_map map = {.shape = shape, .block = block};
    map.blocks = (shape.channels + block - 1) / block;
    map.pixels = shape.height * shape.width;
    map.item = map.blocks * block * map.pixels;
    return map;
}

struct ecc_map ecc_map_plain(struct ecc_item_shape shape)
{
    const bool vector = shape.height == 1 && shape.width == 1;
    return ecc_map_of(shape, vector ? shape.channels : 1);
}

static void convert_item(float *y, const struct ecc_map *to, const float *x,
                         const struct ecc_map *from)
{
    const size_t count = from->shape.channels * from->pixels;
    size_t channel = 0, pixel = 0; /* in `to` */
    if (to->item > count) memset(y, 0, to->item * sizeof *y);
    for (size_t c = 0; c < from->shape.channels; c++) {
        const float *const start = x + ecc_map_offset(from, c, 0);
        for (size_t p = 0; p < from->pixels; p++) {
            y[ecc_map_offset(to, channel, pixel)] = start[p * from->block];
            if (++pixel == to->pixels) {
                pixel = 0;
                channel++;
            }
        }
    }
}

void ecc_map_convert(float *y, const struct ecc_map *to, const float *x, const struct ecc_map *from,
                     size_t n, int threads)
{
    const bool same = to->block == from->block && to->pixels == from->pixels;
    const bool plain = to->item == from->item && (to->block == 1 || to->pixels == 1) &&
                       (from->block == 1 || from->pixels == 1);
    if (same || plain) {
        memcpy(y, x, n * to->item * sizeof *y);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < n; i++) convert_item(y + i * to->item, to, x + i * from->item, from);
}

/* ---- Layouts -------------------------------------------------------------------------------- */

struct ecc_layout ecc_layout_vector(size_t count, size_t size)
{
    return (struct ecc_layout){.rank = 1, .dims = {count}, .strides = {1}, .size = size};
}

void ecc_layout_add_image(struct ecc_layout *layout, const struct ecc_map *map, size_t step)
{
    const size_t k = layout->rank, i = layout->inner_count;
    layout->dims[k] = map->shape.channels;
    layout->dims[k + 1] = map->shape.height;
    layout->dims[k + 2] = map->shape.width;
    layout->strides[k] = map->pixels * map->block * step;
    layout->strides[k + 1] = map->shape.width * map->block * step;
    layout->strides[k + 2] = map->block * step;
    layout->inner_dim[i] = k;
    layout->inner_size[i] = map->block;
    layout->inner_stride[i] = step;
    layout->rank += 3;
    layout->inner_count++;
}

void ecc_layout_add_phases(struct ecc_layout *layout, size_t stride, size_t phase)
{
    for (size_t k = 2; k < 4 && stride > 1; k++) {
        const size_t i = layout->inner_count++;
        layout->inner_dim[i] = k;
        layout->inner_size[i] = stride;
        layout->inner_stride[i] = k == 2 ? stride * phase : phase;
    }
}

void ecc_layout_pack_inner(struct ecc_layout *layout)
{
    size_t stride = 1;
    for (size_t i = layout->inner_count; i-- > 0;) {
        layout->inner_stride[i] = stride;
        stride *= layout->inner_size[i];
    }
}

void ecc_layout_swap(struct ecc_layout *layout, size_t a, size_t b)
{
    const size_t dim = layout->dims[a], stride = layout->strides[a];
    layout->dims[a] = layout->dims[b];
    layout->strides[a] = layout->strides[b];
    layout->dims[b] = dim;
    layout->strides[b] = stride;
    for (size_t i = 0; i < layout->inner_count; i++) {
        size_t *const inner = &layout->inner_dim[i];
        *inner = *inner == a ? b : *inner == b ? a : *inner;
    }
}

static size_t offset_of(const struct ecc_layout *layout, const size_t *index)
{
    size_t at[ECC_MAX_DIMS] = {0}, offset = 0;
    for (size_t k = 0; k < layout->rank; k++) at[k] = index[k];
    for (size_t i = layout->inner_count; i-- > 0;) {
        const size_t dim = layout->inner_dim[i], size = layout->inner_size[i];
        offset += at[dim] % size * layout->inner_stride[i];
        at[dim] /= size;
    }
    for (size_t k = 0; k < layout->rank; k++) offset += at[k] * layout->strides[k];
    return offset;
}

/*
 * A layout as rows: the last dimension of more than one number, which is a run of blocks, and the
 * index of the others.  Dimensions are independent of each other: the offset is a sum over them.
 */
struct rows {
    size_t count, length;        /* rows, and numbers in each */
    size_t last;                 /* the dimension */
    size_t block, stride, inner; /* numbers in a block, from block to block, within a block */
    bool simple;                 /* at most one level of blocks along the row */
};

static struct rows rows_of(const struct ecc_layout *layout)
{
    struct rows r = {.count = 1, .last = layout->rank ? layout->rank - 1 : 0};
    while (r.last > 0 && layout->dims[r.last] == 1) r.last--;
    for (size_t k = 0; k < r.last; k++) r.count *= layout->dims[k];
    r.length = layout->rank ? layout->dims[r.last] : 1;
    r.block = r.length;
    r.inner = layout->rank ? layout->strides[r.last] : 1;
    size_t levels = 0;
    for (size_t i = 0; i < layout->inner_count; i++) {
        if (layout->inner_dim[i] != r.last) continue;
        levels++;
        r.block = layout->inner_size[i];
        r.stride = layout->strides[r.last];
        r.inner = layout->inner_stride[i];
    }
    r.simple = levels <= 1;
    return r;
}

/* The index of the next row. */
static void advance(const struct ecc_layout *layout, size_t last, size_t *index)
{
    for (size_t k = last; k-- > 0;) {
        if (++index[k] < layout->dims[k]) return;
        index[k] = 0;
    }
}

/* Where number j of the row that starts at index[last] = 0 is, the slow way. */
static size_t place_of(const struct ecc_layout *layout, const struct rows *r, size_t *index,
                       size_t j)
{
    index[r->last] = j;
    const size_t offset = offset_of(layout, index);
    index[r->last] = 0;
    return offset;
}

void ecc_layout_gather(float *plain, const float *data, const struct ecc_layout *layout)
{
    size_t index[ECC_MAX_DIMS] = {0};
    const struct rows r = rows_of(layout);
    for (size_t i = 0; i < r.count; i++, plain += r.length, advance(layout, r.last, index)) {
        const float *const start = data + offset_of(layout, index);
        for (size_t j = 0; !r.simple && j < r.length; j++) {
            plain[j] = data[place_of(layout, &r, index, j)];
        }
        for (size_t j = 0, at = 0; r.simple && j < r.length; j += r.block, at += r.stride) {
            const size_t n = r.length - j < r.block ? r.length - j : r.block;
            for (size_t k = 0; k < n; k++) plain[j + k] = start[at + k * r.inner];
        }
    }
}

void ecc_layout_scatter(float *data, const float *plain, const struct ecc_layout *layout)
{
    size_t index[ECC_MAX_DIMS] = {0};
    const struct rows r = rows_of(layout);
    for (size_t i = 0; i < r.count; i++, plain += r.length, advance(layout, r.last, index)) {
        float *const start = data + offset_of(layout, index);
        for (size_t j = 0; !r.simple && j < r.length; j++) {
            data[place_of(layout, &r, index, j)] = plain[j];
        }
        for (size_t j = 0, at = 0; r.simple && j < r.length; j += r.block, at += r.stride) {
            const size_t n = r.length - j < r.block ? r.length - j : r.block;
            for (size_t k = 0; k < n; k++) start[at + k * r.inner] = plain[j + k];
        }
    }
}
