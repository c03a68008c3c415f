/* test_wide.c: the passes by wide tiles against plain sums in double. */
#include "base/rng.h"
#include "nn/wide_passes.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A convolution from a big image to a small one; its weights are [small, big, kernel, kernel]. */
struct example {
    size_t big, small, height, width; /* channels; pixels of the big image */
    size_t kernel, stride, padding[2], items;
};

static const struct example examples[] = {
    {32, 48, 8, 8, 4, 2, {1, 1}, 3},    {40, 33, 12, 9, 4, 2, {1, 0}, 2},
    {128, 72, 16, 16, 4, 2, {1, 1}, 5}, {35, 70, 13, 11, 4, 2, {0, 1}, 2},
    {64, 64, 9, 14, 3, 1, {1, 1}, 2},   {36, 136, 7, 5, 3, 1, {0, 2}, 3},
    {32, 40, 11, 10, 5, 1, {2, 2}, 2},  {48, 32, 10, 12, 4, 1, {1, 3}, 2},
    {40, 32, 9, 11, 3, 2, {1, 1}, 3},   {32, 32, 12, 12, 5, 2, {2, 1}, 2},
    {64, 33, 4, 4, 4, 2, {1, 1}, 70},   {32, 32, 6, 6, 2, 2, {0, 0}, 2},
    {32, 32, 14, 13, 8, 2, {3, 3}, 2},  {32, 64, 66, 40, 4, 2, {1, 1}, 2},
    {32, 32, 15, 15, 6, 3, {2, 1}, 2},  {32, 32, 16, 17, 10, 2, {4, 4}, 1},
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static size_t out_of(size_t size, size_t kernel, size_t stride, size_t padding)
{
    return (size + 2 * padding - kernel) / stride + 1;
}

/* Images and weights in plain order, in double; the three results. */
struct plain {
    size_t big_item, small_item, weights;
    struct ecc_item_shape big_shape, small_shape;
    double *big, *small, *w, *big_out, *small_out, *dw;
};

static double *random_doubles(size_t count, uint64_t seed)
{
    double *const values = malloc(count * sizeof *values);
    float *const drawn = malloc(count * sizeof *drawn);
    ecc_rng_normal_f32(drawn, seed, 0, 0, count);
    for (size_t i = 0; i < count; i++) values[i] = (double)drawn[i];
    free(drawn);
    return values;
}

static void sum_plain(struct plain *p, const struct example *e, size_t item, size_t s, size_t b)
{
    const struct ecc_item_shape big = p->big_shape, small = p->small_shape;
    const size_t at = item * p->big_item + b * big.height * big.width;
    const size_t to = item * p->small_item + s * small.height * small.width;
    for (size_t o = 0; o < small.height * small.width; o++) {
        for (size_t k = 0; k < e->kernel * e->kernel; k++) {
            const size_t y = o / small.width * e->stride + k / e->kernel - e->padding[0];
            const size_t x = o % small.width * e->stride + k % e->kernel - e->padding[1];
            if (y >= big.height || x >= big.width) continue;
            const size_t pixel = at + y * big.width + x;
            const size_t tap = (s * e->big + b) * e->kernel * e->kernel + k;
            p->small_out[to + o] += p->big[pixel] * p->w[tap];
            p->big_out[pixel] += p->small[to + o] * p->w[tap];
            p->dw[tap] += p->big[pixel] * p->small[to + o];
        }
    }
}

static struct plain plain_of(const struct example *e)
{
    struct plain p = {.big_shape = {e->big, e->height, e->width}};
    p.small_shape =
        (struct ecc_item_shape){e->small, out_of(e->height, e->kernel, e->stride, e->padding[0]),
                                out_of(e->width, e->kernel, e->stride, e->padding[1])};
    p.big_item = ecc_shape_size(p.big_shape);
    p.small_item = ecc_shape_size(p.small_shape);
    p.weights = e->small * e->big * e->kernel * e->kernel;
    p.big = random_doubles(e->items * p.big_item, 1);
    p.small = random_doubles(e->items * p.small_item, 2);
    p.w = random_doubles(p.weights, 3);
    p.big_out = calloc(e->items * p.big_item, sizeof(double));
    p.small_out = calloc(e->items * p.small_item, sizeof(double));
    p.dw = calloc(p.weights, sizeof(double));
    for (size_t i = 0; i < e->items; i++) {
        for (size_t s = 0; s < e->small; s++) {
            for (size_t b = 0; b < e->big; b++) sum_plain(&p, e, i, s, b);
        }
    }
    return p;
}

static void free_plain(struct plain *p)
{
    free(p->big);
    free(p->small);
    free(p->w);
    free(p->big_out);
    free(p->small_out);
    free(p->dw);
}

/* ---- By tiles ------------------------------------------------------------------------------- */

static float *zeros(size_t count)
{
    float *const block = aligned_alloc(64, (count + 16) / 16 * 64);
    memset(block, 0, (count + 16) / 16 * 64);
    return block;
}

static void fill_image(float *to, const double *from, const struct ecc_map *map, size_t items)
{
    const size_t item = ecc_shape_size(map->shape);
    for (size_t i = 0; i < items * item; i++) {
        const size_t k = i % item;
        to[i / item * map->item + ecc_map_offset(map, k / map->pixels, k % map->pixels)] =
            (float)from[i];
    }
}

static double image_error(const float *image, const double *expected, const struct ecc_map *map,
                          size_t items)
{
    const size_t item = ecc_shape_size(map->shape);
    double off = 0, all = 0;
    for (size_t i = 0; i < items * item; i++) {
        const size_t k = i % item;
        const size_t at =
            i / item * map->item + ecc_map_offset(map, k / map->pixels, k % map->pixels);
        off += pow((double)image[at] - expected[i], 2);
        all += expected[i] * expected[i];
    }
    return sqrt(off / all);
}

/* Where a weight of the tensor [small, big, kernel, kernel] is. */
static size_t weight_at(const struct ecc_wide_shape *shape, size_t i)
{
    const size_t kernel = shape->request.kernel, stride = shape->request.stride;
    const size_t taps = shape->kernels->taps, x = i % kernel, y = i / kernel % kernel;
    const size_t big = i / (kernel * kernel) % shape->request.big.shape.channels;
    const size_t small = i / (kernel * kernel) / shape->request.big.shape.channels;
    const size_t phase = y % stride * stride + x % stride;
    const size_t row = ecc_wide_weight_row(shape),
                 chunk = phase * shape->small_chunks + small / row;
    return (((chunk * shape->big_width + big) * taps + y / stride) * taps + x / stride) * row +
           small % row;
}

/* What must be zero in the gradient: all that is no weight of the tensor. */
static double weight_error(const float *dw, const struct plain *p,
                           const struct ecc_wide_shape *shape)
{
    double off = 0, all = 0, others = 0;
    for (size_t i = 0; i < ecc_wide_weights(shape); i++) others += pow((double)dw[i], 2);
    for (size_t i = 0; i < p->weights; i++) {
        const double value = (double)dw[weight_at(shape, i)];
        off += pow(value - p->dw[i], 2);
        all += p->dw[i] * p->dw[i];
        others -= value * value;
    }
    return sqrt((off + fabs(others)) / all);
}

struct result {
    float *big_out, *small_out, *dw;
};

static struct result run_tiles(const struct ecc_wide_shape *shape, const struct plain *p)
{
    const struct ecc_wide_request *const r = &shape->request;
    const struct result result = {zeros(r->items * r->big.item), zeros(r->items * r->small.item),
                                  zeros(ecc_wide_weights(shape))};
    float *const big = zeros(r->items * r->big.item), *const small =
                                                          zeros(r->items * r->small.item);
    float *const w = zeros(ecc_wide_weights(shape)), *const room = zeros(ecc_wide_scratch(shape));
    memset(room, 0xff, ecc_wide_scratch(shape) * sizeof *room); /* NaN: not to be relied on */
    memset(result.big_out, 0xff, r->items * r->big.item * sizeof *big);
    fill_image(big, p->big, &r->big, r->items);
    fill_image(small, p->small, &r->small, r->items);
    for (size_t i = 0; i < p->weights; i++) w[weight_at(shape, i)] = (float)p->w[i];
    struct ecc_wide_run run = {.big = big,
                               .small = small,
                               .weights = w,
                               .small_out = result.small_out,
                               .dweights = result.dw,
                               .scratch = room,
                               .items = r->items};
    ecc_wide_run(shape, &run);
    run.small_out = run.dweights = NULL;
    run.big = NULL;
    run.big_out = result.big_out;
    ecc_wide_run(shape, &run);
    free(big);
    free(small);
    free(w);
    free(room);
    return result;
}

static void free_result(struct result *result)
{
    free(result->big_out);
    free(result->small_out);
    free(result->dw);
}

static struct ecc_wide_request request_of(const struct example *e, const struct plain *p,
                                          size_t block, int threads)
{
    return (struct ecc_wide_request){.big = ecc_map_of(p->big_shape, block),
                                     .small = ecc_map_of(p->small_shape, block),
                                     .kernel = e->kernel,
                                     .stride = e->stride,
                                     .padding = {e->padding[0], e->padding[1]},
                                     .items = e->items,
                                     .training = true,
                                     .threads = threads};
}

static void check_example(const struct example *e, size_t block, size_t slab)
{
    struct plain p = plain_of(e);
    static const size_t sides[] = {5, 6, 8};
    for (size_t i = 0; i < 3; i++) {
        const struct ecc_wide_request one = request_of(e, &p, block, 1),
                                      three = request_of(e, &p, block, 3);
        struct ecc_wide_shape shape, other;
        if (!ecc_wide_shape_of(&shape, &one, sides[i])) continue;
        assert_true(ecc_wide_shape_of(&other, &three, sides[i]));
        if (slab) shape.slab_items = other.slab_items = slab;
        if (slab) shape.group = other.group = 7;
        struct result a = run_tiles(&shape, &p), b = run_tiles(&other, &p);
        const double errors[] = {
            image_error(a.small_out, p.small_out, &shape.request.small, e->items),
            image_error(a.big_out, p.big_out, &shape.request.big, e->items),
            weight_error(a.dw, &p, &shape)};
        print_message(
            "%zu -> %zu channels, kernel %zu stride %zu, side %zu, blocks of %zu: %.1e %.1e %.1e\n",
            e->big, e->small, e->kernel, e->stride, sides[i], block, errors[0], errors[1],
            errors[2]);
        for (int k = 0; k < 3; k++) assert_true(errors[k] < 1e-5);
        assert_memory_equal(a.small_out, b.small_out, e->items * shape.request.small.item * 4);
        assert_memory_equal(a.big_out, b.big_out, e->items * shape.request.big.item * 4);
        assert_memory_equal(a.dw, b.dw, ecc_wide_weights(&shape) * 4);
        free_result(&a);
        free_result(&b);
    }
    free_plain(&p);
}

static void passes_agree_with_plain_sums(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        check_example(&examples[i], 8, 0);
        check_example(&examples[i], 16, 0);
    }
}

static void slabs_and_groups_change_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) check_example(&examples[i], i % 2 ? 8 : 16, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_agree_with_plain_sums),
        cmocka_unit_test(slabs_and_groups_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
