/* winograd_kernels.c: transforms of tiles, eight channels in a vector.  Sides and sizes are
 * constants wherever time counts. */
#include "nn/winograd_kernels.h"
#include "base/compiler.h"

enum { SIDE = ECC_WINOGRAD_SIDE, MOST_STEP = 2, MOST_BLOCK = 64 };

ECC_INLINE ecc_f8 zero8(void)
{
    return (ecc_f8){0, 0, 0, 0, 0, 0, 0, 0};
}

/* ---- One dimension -------------------------------------------------------------------------- */

/* w = B' d */
ECC_INLINE void transform_eight(ecc_f8 *w, const ecc_f8 *d)
{
    w[0] = (d[0] - d[6]) + (d[4] - d[2]) * 5.25F;
    w[7] = (d[7] - d[1]) + (d[3] - d[5]) * 5.25F;
    const ecc_f8 even1 = (d[2] + d[6]) - d[4] * 4.25F;
    const ecc_f8 odd1 = (d[1] + d[5]) - d[3] * 4.25F;
    w[1] = even1 + odd1;
    w[2] = even1 - odd1;
    const ecc_f8 even2 = d[6] + d[2] * 0.25F - d[4] * 1.25F;
    const ecc_f8 odd2 = d[1] * 0.5F - d[3] * 2.5F + d[5] * 2.0F;
    w[3] = even2 + odd2;
    w[4] = even2 - odd2;
    const ecc_f8 even3 = d[6] + d[2] * 4.0F - d[4] * 5.0F;
    const ecc_f8 odd3 = d[1] * 2.0F - d[3] * 2.5F + d[5] * 0.5F;
    w[5] = even3 + odd3;
    w[6] = even3 - odd3;
}

ECC_INLINE void transform_six(ecc_f8 *w, const ecc_f8 *d)
{
    w[0] = d[0] * 4.0F - d[2] * 5.0F + d[4];
    w[5] = d[1] * 4.0F - d[3] * 5.0F + d[5];
    const ecc_f8 even1 = d[4] - d[2] * 4.0F, odd1 = d[3] - d[1] * 4.0F;
    w[1] = even1 + odd1;
    w[2] = even1 - odd1;
    const ecc_f8 even2 = d[4] - d[2], odd2 = (d[3] - d[1]) * 2.0F;
    w[3] = even2 + odd2;
    w[4] = even2 - odd2;
}

ECC_INLINE void transform_input(ecc_f8 *w, const ecc_f8 *d, size_t side)
{
    if (side == 8) {
        transform_eight(w, d);
    } else {
        transform_six(w, d);
    }
}

/* y = B w: the transpose of the above. */
ECC_INLINE void transpose_eight(ecc_f8 *y, const ecc_f8 *w)
{
    const ecc_f8 s1 = w[1] + w[2], s2 = w[3] + w[4], s3 = w[5] + w[6];
    const ecc_f8 t1 = w[1] - w[2], t2 = w[3] - w[4], t3 = w[5] - w[6];
    y[0] = w[0];
    y[1] = (t1 - w[7]) + t2 * 0.5F + t3 * 2.0F;
    y[2] = s1 - w[0] * 5.25F + s2 * 0.25F + s3 * 4.0F;
    y[3] = w[7] * 5.25F - t1 * 4.25F - (t2 + t3) * 2.5F;
    y[4] = w[0] * 5.25F - s1 * 4.25F - s2 * 1.25F - s3 * 5.0F;
    y[5] = t1 - w[7] * 5.25F + t2 * 2.0F + t3 * 0.5F;
    y[6] = (s1 - w[0]) + (s2 + s3);
    y[7] = w[7];
}

ECC_INLINE void transpose_six(ecc_f8 *y, const ecc_f8 *w)
{
    const ecc_f8 s1 = w[1] + w[2], s2 = w[3] + w[4], t1 = w[1] - w[2], t2 = (w[3] - w[4]) * 2.0F;
    y[0] = w[0] * 4.0F;
    y[1] = (w[5] - t1) * 4.0F - t2;
    y[2] = w[0] * -5.0F - s1 * 4.0F - s2;
    y[3] = (t1 + t2) - w[5] * 5.0F;
    y[4] = w[0] + (s1 + s2);
    y[5] = w[5];
}

ECC_INLINE void transpose_input(ecc_f8 *y, const ecc_f8 *w, size_t side)
{
    if (side == 8) {
        transpose_eight(y, w);
    } else {
        transpose_six(y, w);
    }
}

/* w = A x: the polynomial with `count` coefficients x at the points; its head at infinity. */
ECC_INLINE void evaluate(ecc_f8 *w, const ecc_f8 *x, size_t side, size_t count)
{
    ecc_f8 even[3] = {x[0], x[0], x[0]}, odd[3] = {x[1], x[1] * 2.0F, x[1] * 0.5F};
    float power2 = 2, power3 = 0.5F;
    for (size_t i = 2; i < count; i++) {
        power2 *= 2.0F;
        power3 *= 0.5F;
        ecc_f8 *const half = i % 2 ? odd : even;
        half[0] += x[i];
        half[1] += x[i] * power2;
        half[2] += x[i] * power3;
    }
    w[0] = x[0];
    for (size_t k = 0; k < side / 2 - 1; k++) {
        w[1 + 2 * k] = even[k] + odd[k];
        w[2 + 2 * k] = even[k] - odd[k];
    }
    w[side - 1] = x[count - 1];
}

/* y = A' w: the transpose of the above. */
ECC_INLINE void collect(ecc_f8 *y, const ecc_f8 *w, size_t side, size_t count)
{
    ecc_f8 even[3] = {{0}}, odd[3] = {{0}};
    for (size_t k = 0; k < side / 2 - 1; k++) {
        even[k] = w[1 + 2 * k] + w[2 + 2 * k];
        odd[k] = w[1 + 2 * k] - w[2 + 2 * k];
    }
    y[0] = (w[0] + even[0]) + even[1];
    if (side == 8) y[0] += even[2];
    float power2 = 1, power3 = 1;
    for (size_t i = 1; i < count; i++) {
        power2 *= 2.0F;
        power3 *= 0.5F;
        const ecc_f8 *const half = i % 2 ? odd : even;
        y[i] = half[0] + half[1] * power2;
        if (side == 8) y[i] += half[2] * power3;
    }
    y[count - 1] += w[side - 1];
}

/* What makes G of A: G = scale A. */
ECC_INLINE const float *scale_of(size_t side)
{
    static const float eight[8] = {1,         -2.0F / 9,  -2.0F / 9,  1.0F / 90,
                                   1.0F / 90, 32.0F / 45, 32.0F / 45, 1};
    static const float six[6] = {0.25F, -1.0F / 6, -1.0F / 6, 1.0F / 24, 1.0F / 24, 1};
    return side == 8 ? eight : six;
}

/* ---- Tiles ---------------------------------------------------------------------------------- */

/* Where the pixels of a tile are.  If it is not all inside the image: its rows, those outside as
 * zeros, and the columns that are inside. */
struct view {
    bool inside;
    const float *at, *rows[SIDE];
    size_t row, column; /* floats to the next */
    size_t left, right;
};

/* The first of `size` pixels, `step` apart from `start` on, that is inside, and the end. */
ECC_INLINE void clip(size_t *from, size_t *to, ptrdiff_t start, ptrdiff_t step, size_t size,
                     size_t extent)
{
    *from = 0;
    *to = size;
    while (*from < size && start + (ptrdiff_t)*from * step < 0) ++*from;
    while (*to > *from && start + (ptrdiff_t)(*to - 1) * step >= (ptrdiff_t)extent) --*to;
}

ECC_INLINE void view_tile(struct view *view, const float *plane,
                          const struct ecc_winograd_tile *tile, size_t size)
{
    static const float zeros[SIDE * MOST_STEP * MOST_BLOCK];
    const ptrdiff_t height = (ptrdiff_t)tile->height, width = (ptrdiff_t)tile->width;
    const ptrdiff_t reach = (ptrdiff_t)(size - 1) * tile->step;
    view->column = (size_t)(tile->step * tile->block);
    view->row = (size_t)(tile->step * width * tile->block);
    view->at = plane + (tile->y * width + tile->x) * tile->block;
    view->inside =
        tile->y >= 0 && tile->x >= 0 && tile->y + reach < height && tile->x + reach < width;
    if (view->inside) return;
    clip(&view->left, &view->right, tile->x, tile->step, size, tile->width);
    for (size_t i = 0; i < size; i++) {
        const ptrdiff_t y = tile->y + (ptrdiff_t)i * tile->step;
        const bool inside = y >= 0 && y < height && view->right > view->left;
        /* the first column may be outside, and so its address, which is never used then */
        view->rows[i] = inside ? plane + (y * width + tile->x) * tile->block : zeros;
    }
}

/* Column j; false if it is outside. */
ECC_INLINE bool load_column(ecc_f8 *d, const struct view *view, size_t j, size_t size)
{
    if (view->inside) {
        const float *const at = view->at + j * view->column;
        for (size_t i = 0; i < size; i++) d[i] = ecc_load8(at + i * view->row);
        return true;
    }
    if (j < view->left || j >= view->right) return false;
    for (size_t i = 0; i < size; i++) d[i] = ecc_load8(view->rows[i] + j * view->column);
    return true;
}

ECC_INLINE void input_tile(float *v, size_t stride, const float *plane,
                           const struct ecc_winograd_tile *tile, size_t side)
{
    struct view view = {0};
    ecc_f8 half[SIDE][SIDE], d[SIDE], w[SIDE];
    view_tile(&view, plane, tile, side);
    for (size_t j = 0; j < side; j++) {
        if (!load_column(d, &view, j, side)) {
            for (size_t i = 0; i < side; i++) half[i][j] = zero8();
            continue;
        }
        transform_input(w, d, side);
        for (size_t i = 0; i < side; i++) half[i][j] = w[i];
    }
    for (size_t i = 0; i < side; i++) {
        transform_input(w, half[i], side);
        for (size_t j = 0; j < side; j++) ecc_store8(v + (i * side + j) * stride, w[j]);
    }
}

ECC_MULTIVERSION
void ecc_winograd_input(float *v, size_t stride, const float *plane,
                        const struct ecc_winograd_tile *tile, size_t side)
{
    if (side == 8) {
        input_tile(v, stride, plane, tile, 8);
    } else {
        input_tile(v, stride, plane, tile, 6);
    }
}

ECC_INLINE void evaluate_tile(float *v, size_t stride, const float *plane,
                              const struct ecc_winograd_tile *tile, size_t side, size_t size)
{
    struct view view = {0};
    ecc_f8 half[SIDE][SIDE], d[SIDE], w[SIDE];
    view_tile(&view, plane, tile, size);
    for (size_t j = 0; j < size; j++) {
        if (!load_column(d, &view, j, size)) {
            for (size_t i = 0; i < side; i++) half[i][j] = zero8();
            continue;
        }
        evaluate(w, d, side, size);
        for (size_t i = 0; i < side; i++) half[i][j] = w[i];
    }
    for (size_t i = 0; i < side; i++) {
        evaluate(w, half[i], side, size);
        for (size_t j = 0; j < side; j++) ecc_store8(v + (i * side + j) * stride, w[j]);
    }
}

ECC_INLINE void output_tile(float *plane, const struct ecc_winograd_tile *tile, const float *m,
                            size_t stride, size_t side, size_t size)
{
    ecc_f8 half[SIDE][SIDE], w[SIDE], y[SIDE];
    for (size_t j = 0; j < side; j++) {
        for (size_t i = 0; i < side; i++) w[i] = ecc_load8(m + (i * side + j) * stride);
        collect(y, w, side, size);
        for (size_t i = 0; i < size; i++) half[i][j] = y[i];
    }
    size_t top, bottom, left, right;
    clip(&top, &bottom, tile->y, tile->step, size, tile->height);
    clip(&left, &right, tile->x, tile->step, size, tile->width);
    const ptrdiff_t width = (ptrdiff_t)tile->width;
    for (size_t i = top; i < bottom; i++) {
        const ptrdiff_t row = tile->y + (ptrdiff_t)i * tile->step;
        float *const at = plane + (row * width + tile->x) * tile->block;
        collect(y, half[i], side, size);
        for (size_t j = 0; j < size; j++) {
            if (j >= left && j < right) {
                ecc_store8(at + (ptrdiff_t)j * tile->step * tile->block, y[j]);
            }
        }
    }
}

ECC_INLINE void spread_tile(float *plane, const struct ecc_winograd_tile *tile, const float *m,
                            size_t stride, struct ecc_winograd_overlap overlap, size_t side)
{
    ecc_f8 half[SIDE][SIDE], w[SIDE], y[SIDE];
    for (size_t j = 0; j < side; j++) {
        for (size_t i = 0; i < side; i++) w[i] = ecc_load8(m + (i * side + j) * stride);
        transpose_input(y, w, side);
        for (size_t i = 0; i < side; i++) half[i][j] = y[i];
    }
    size_t top, bottom, left, right;
    clip(&top, &bottom, tile->y, tile->step, side, tile->height);
    clip(&left, &right, tile->x, tile->step, side, tile->width);
    const ptrdiff_t width = (ptrdiff_t)tile->width;
    for (size_t i = top; i < bottom; i++) {
        const ptrdiff_t row = tile->y + (ptrdiff_t)i * tile->step;
        float *const at = plane + (row * width + tile->x) * tile->block;
        const size_t added = i < overlap.rows ? side : overlap.columns;
        transpose_input(y, half[i], side);
        for (size_t j = 0; j < side; j++) {
            if (j < left || j >= right) continue;
            float *const to = at + (ptrdiff_t)j * tile->step * tile->block;
            if (j < added) y[j] += ecc_load8(to);
            ecc_store8(to, y[j]);
        }
    }
}

ECC_MULTIVERSION
void ecc_winograd_spread(float *plane, const struct ecc_winograd_tile *tile, const float *m,
                         size_t stride, struct ecc_winograd_overlap overlap, size_t side)
{
    if (side == 8) {
        spread_tile(plane, tile, m, stride, overlap, 8);
    } else {
        spread_tile(plane, tile, m, stride, overlap, 6);
    }
}

/* Calls a function with the side and size of a tile, its last arguments, as constants. */
#define WITH_CONSTANT_SIZE(call, side, size, ...)                                                  \
    switch (8 * (side) + (size)) {                                                                 \
    case 8 * 8 + 4: call(__VA_ARGS__, 8, 4); break;                                                \
    case 8 * 8 + 5: call(__VA_ARGS__, 8, 5); break;                                                \
    case 8 * 8 + 6: call(__VA_ARGS__, 8, 6); break;                                                \
    case 8 * 8 + 7: call(__VA_ARGS__, 8, 7); break;                                                \
    case 6 * 8 + 2: call(__VA_ARGS__, 6, 2); break;                                                \
    case 6 * 8 + 3: call(__VA_ARGS__, 6, 3); break;                                                \
    case 6 * 8 + 4: call(__VA_ARGS__, 6, 4); break;                                                \
    default: call(__VA_ARGS__, 6, 5); break;                                                       \
    }

ECC_MULTIVERSION
void ecc_winograd_evaluate(float *v, size_t stride, const float *plane,
                           const struct ecc_winograd_tile *tile, size_t side, size_t size){
    WITH_CONSTANT_SIZE(evaluate_tile, side, size, v, stride, plane, tile)}

ECC_MULTIVERSION void ecc_winograd_output(float *plane, const struct ecc_winograd_tile *tile,
                                          const float *m, size_t stride, size_t side, size_t size){
    WITH_CONSTANT_SIZE(output_tile, side, size, plane, tile, m, stride)}

/* ---- Kernels -------------------------------------------------------------------------------- */

ECC_INLINE
    void kernel_tile(float *u, size_t stride, const float *w, size_t step, size_t side, size_t size)
{
    const size_t taps = side + 1 - size;
    const float *const scale = scale_of(side);
    ecc_f8 half[SIDE][SIDE] = {{{0}}}, g[SIDE] = {{0}}, e[SIDE];
    for (size_t j = 0; j < taps; j++) {
        for (size_t i = 0; i < taps; i++) {
            g[i] = ecc_load8(w + (i * taps + j) * step);
        }
        evaluate(e, g, side, taps);
        for (size_t i = 0; i < side; i++) half[i][j] = e[i] * scale[i];
    }
    for (size_t i = 0; i < side; i++) {
        evaluate(e, half[i], side, taps);
        for (size_t j = 0; j < side; j++) {
            ecc_store8(u + (i * side + j) * stride, e[j] * scale[j]);
        }
    }
}

ECC_MULTIVERSION
void ecc_winograd_kernel(float *u, size_t stride, const float *w, size_t step, size_t side,
                         size_t taps){
    WITH_CONSTANT_SIZE(kernel_tile, side, side + 1 - taps, u, stride, w, step)}

ECC_INLINE void kernel_back_tile(float *dw, size_t step, const float *m, size_t stride, size_t side,
                                 size_t size)
{
    const size_t taps = side + 1 - size;
    const float *const scale = scale_of(side);
    ecc_f8 half[SIDE][SIDE], e[SIDE], g[SIDE];
    for (size_t j = 0; j < side; j++) {
        for (size_t i = 0; i < side; i++) {
            e[i] = ecc_load8(m + (i * side + j) * stride) * scale[i];
        }
        collect(g, e, side, taps);
        for (size_t i = 0; i < taps; i++) half[i][j] = g[i] * scale[j];
    }
    for (size_t i = 0; i < taps; i++) {
        collect(g, half[i], side, taps);
        for (size_t j = 0; j < taps; j++) ecc_store8(dw + (i * taps + j) * step, g[j]);
    }
}

ECC_MULTIVERSION
void ecc_winograd_kernel_back(float *dw, size_t step, const float *m, size_t stride, size_t side,
                              size_t taps)
{
    WITH_CONSTANT_SIZE(kernel_back_tile, side, side + 1 - taps, dw, step, m, stride)
}
