/* winograd_infer.c: convolution with bias and ReLU by tiles with few multiplications.  A few tiles
 * at a time stay in the second-level cache until they are finished. */
#include "nn/winograd_infer.h"

#include <omp.h>

/* As in linear_winograd.c: a line more between points, so that they do not share a cache set. */
enum { BLOCK = 8, TILES = 24, LINE = 16 };

/* ---- Planning ------------------------------------------------------------------------------- */

static size_t tile_stride(size_t channels)
{
    return channels * TILES + LINE;
}

static size_t weight_stride(const struct ecc_winograd_shape *shape)
{
    return shape->big * shape->small + LINE;
}

bool ecc_winograd_infer_plan(struct ecc_winograd_infer *plan, const struct ecc_conv_shape *s)
{
    *plan = (struct ecc_winograd_infer){0};
    if (!ecc_winograd_available() || s->kernel[0] != s->kernel[1] || s->stride[0] != 1 ||
        s->stride[1] != 1 || s->padding[0] != s->padding[1]) {
        return false;
    }
    const struct ecc_winograd_request request = {.big = ecc_map_of(s->in, BLOCK),
                                                 .small = ecc_map_of(s->out, BLOCK),
                                                 .kernel = s->kernel[0],
                                                 .stride = 1,
                                                 .padding = s->padding[0],
                                                 .items = 1,
                                                 .training = true};
    struct ecc_winograd_shape *const shape = &plan->shape;
    double time;
    if (!ecc_winograd_choose(shape, &time, &request)) return false;
    plan->weights = shape->points * weight_stride(shape);
    plan->scratch = shape->points * (tile_stride(shape->big) + tile_stride(shape->small));
    return true;
}

/* ---- Weights -------------------------------------------------------------------------------- */

void ecc_winograd_infer_weights(const struct ecc_winograd_infer *plan, float *weights,
                                const float *kernel, float *room)
{
    const struct ecc_winograd_shape *const shape = &plan->shape;
    const size_t inputs = shape->big, outputs = shape->small, taps = shape->taps * shape->taps;
    for (size_t o = 0; o < outputs; o++) { /* room: [inputs, taps, taps, outputs] */
        for (size_t i = 0; i < inputs * taps; i++) room[i * outputs + o] = *kernel++;
    }
    for (size_t i = 0; i < inputs; i++) {
        for (size_t o = 0; o < outputs; o += BLOCK) {
            ecc_winograd_kernel(weights + i * outputs + o, weight_stride(shape),
                                room + i * taps * outputs + o, outputs, shape->side, shape->taps);
        }
    }
}

/* ---- Running -------------------------------------------------------------------------------- */

static void read_tiles(float *v, const float *image, const struct ecc_winograd_shape *shape,
                       size_t first, size_t count)
{
    const struct ecc_winograd_side *const from = &shape->big_side;
    for (size_t t = 0; t < count; t++) {
        const struct ecc_winograd_place place = ecc_winograd_find(from, first + t);
        for (size_t block = 0; block < shape->big / BLOCK; block++) {
            struct ecc_winograd_tile tile;
            const float *const plane = image + ecc_winograd_locate(&tile, from, &place, block);
            ecc_winograd_input(v + t * shape->big + block * BLOCK, tile_stride(shape->big), plane,
                               &tile, shape->side);
        }
    }
}

/* Adds the bias to a tile's part of the plane, and cuts it off at zero. */
static void finish(float *plane, const struct ecc_winograd_tile *tile, size_t size,
                   const float *bias)
{
    const size_t top = (size_t)tile->y, left = (size_t)tile->x; /* outputs start inside */
    const size_t bottom = top + size < tile->height ? top + size : tile->height;
    const size_t right = left + size < tile->width ? left + size : tile->width;
    for (size_t y = top; y < bottom; y++) {
        float *const row = plane + y * tile->width * BLOCK;
        for (size_t x = left; x < right; x++) {
            for (size_t c = 0; c < BLOCK; c++) {
                const float value = row[x * BLOCK + c] + bias[c];
                row[x * BLOCK + c] = value > 0 ? value : 0;
            }
        }
    }
}

static void write_tiles(float *image, const float *m, const struct ecc_winograd_shape *shape,
                        const float *bias, size_t first, size_t count)
{
    const struct ecc_winograd_side *const to = &shape->small_side;
    for (size_t t = 0; t < count; t++) {
        const struct ecc_winograd_place place = ecc_winograd_find(to, first + t);
        for (size_t block = 0; block < shape->small / BLOCK; block++) {
            struct ecc_winograd_tile tile;
            float *const plane = image + ecc_winograd_locate(&tile, to, &place, block);
            ecc_winograd_output(plane, &tile, m + t * shape->small + block * BLOCK,
                                tile_stride(shape->small), shape->side, shape->size);
            finish(plane, &tile, shape->size, bias + block * BLOCK);
        }
    }
}

void ecc_winograd_infer_run(const struct ecc_winograd_infer *plan, float *out, const float *in,
                            const float *weights, const float *bias, float *scratch, int threads)
{
    const struct ecc_winograd_shape *const shape = &plan->shape;
    const size_t tiles = shape->big_side.tiles;
    struct ecc_winograd_product product = {.points = shape->points,
                                           .inputs = shape->big,
                                           .outputs = shape->small,
                                           .u_row = shape->small,
                                           .v_stride = tile_stride(shape->big),
                                           .u_stride = weight_stride(shape),
                                           .m_stride = tile_stride(shape->small)};
#pragma omp parallel for schedule(dynamic) firstprivate(product) num_threads(threads)
    for (size_t first = 0; first < tiles; first += TILES) {
        float *const v = scratch + (size_t)omp_get_thread_num() * plan->scratch;
        float *const m = v + shape->points * product.v_stride;
        const size_t count = tiles - first < TILES ? tiles - first : TILES;
        /* leftovers of an earlier run after the last tile are multiplied, too, then ignored */
        product.tiles = (count + 3) / 4 * 4;
        read_tiles(v, in, shape, first, count);
        ecc_winograd_multiply(m, v, weights, &product);
        write_tiles(out, m, shape, bias, first, count);
    }
}
