/*
 * glyph_draw.c: one digit from its factors to pixels.
 *
 * Points are moved by openness, curl and tremor, joined by a Catmull-Rom spline and transformed to
 * pixels (balance, width, slant, rotation, shift).  Every short piece of the spline covers the
 * pixels near it: a pixel is as dark as the nearest piece makes it, with a ramp of a little over a
 * pixel for antialiasing.
 */
#include "base/rng.h"
#include "base/streams.h"
#include "data/glyph.h"

#include <math.h>
#include <string.h>

enum {
    PIECES = 6,   /* of a spline between two points */
    NORMALS = 96, /* random numbers per item */
    TREMOR = 16,  /* where those of the tremor start */
    MAX_PATH = ECC_GLYPH_POINTS * PIECES + 1,
};

static const float height = 19.0F; /* of a digit, in pixels; MNIST's have 20 with the pen's width */
static const float room = 25.0F;   /* the largest side of a digit with its pen */
static const float ramp = 1.15F;   /* pixels from ink to paper */
static const float tremor_size = 0.010F;

struct position {
    float x, y;
};

/* fminf and fmaxf handle NaN, which cannot occur here, and are function calls. */
static inline float least(float a, float b)
{
    return a < b ? a : b;
}

static inline float most(float a, float b)
{
    return a > b ? a : b;
}

struct path {
    size_t count;
    struct position at[MAX_PATH];
};

struct drawing {
    struct path paths[ECC_GLYPH_STROKES];
    float radius;
};

/* ---- Factors -------------------------------------------------------------------------------- */

/* Most people write within two and a half deviations. */
static float bounded(double normal)
{
    return (float)(normal < -2.5 ? -2.5 : normal > 2.5 ? 2.5 : normal);
}

void ecc_glyph_factors(int *digit, float factors[ECC_GLYPH_FACTORS], uint64_t seed, uint64_t index)
{
    double normal[ECC_GLYPH_FACTORS];
    *digit = (int)ecc_rng_below(seed, ECC_STREAM_GLYPH_DIGIT, 2 * index, ECC_GLYPH_CLASSES);
    ecc_rng_normal(normal, seed, ECC_STREAM_GLYPH_NORMAL, index * NORMALS, ECC_GLYPH_FACTORS);
    float z[ECC_GLYPH_FACTORS];
    for (int i = 0; i < ECC_GLYPH_FACTORS; i++) {
        z[i] = bounded(normal[i]);
    }
    factors[ECC_GLYPH_STYLE] =
        (float)ecc_rng_below(seed, ECC_STREAM_GLYPH_DIGIT, 2 * index + 1, ECC_GLYPH_STYLES);
    factors[ECC_GLYPH_SLANT] = 0.17F + 0.22F * z[ECC_GLYPH_SLANT];
    factors[ECC_GLYPH_WIDTH] = 1.1F + 0.17F * z[ECC_GLYPH_WIDTH];
    factors[ECC_GLYPH_THICKNESS] = 2.4F + 0.56F * z[ECC_GLYPH_THICKNESS];
    factors[ECC_GLYPH_ROTATION] = 5.0F * z[ECC_GLYPH_ROTATION];
    factors[ECC_GLYPH_SHIFT_X] = 0.7F * z[ECC_GLYPH_SHIFT_X];
    factors[ECC_GLYPH_SHIFT_Y] = 0.7F * z[ECC_GLYPH_SHIFT_Y];
    factors[ECC_GLYPH_OPENNESS] = z[ECC_GLYPH_OPENNESS];
    factors[ECC_GLYPH_CURL] = z[ECC_GLYPH_CURL];
    factors[ECC_GLYPH_BALANCE] = 0.10F * z[ECC_GLYPH_BALANCE];
}

/* ---- From points to paths ------------------------------------------------------------------- */

/* The spline between b and c at t in [0, 1]; a and d are their neighbours. */
static float catmull_rom(float a, float b, float c, float d, float t)
{
    const float t2 = t * t, t3 = t2 * t;
    return 0.5F *
           (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t2 + (3 * b - a - 3 * c + d) * t3);
}

static void spline(struct path *path, const struct position *point, size_t count)
{
    path->count = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        const struct position a = point[i ? i - 1 : 0], b = point[i], c = point[i + 1];
        const struct position d = point[i + 2 < count ? i + 2 : count - 1];
        for (int k = 0; k < PIECES; k++) {
            const float t = (float)k / PIECES;
            path->at[path->count++] = (struct position){catmull_rom(a.x, b.x, c.x, d.x, t),
                                                        catmull_rom(a.y, b.y, c.y, d.y, t)};
        }
    }
    if (count > 0) path->at[path->count++] = point[count - 1];
}

static void write_strokes(struct drawing *drawing, const struct ecc_glyph_shape *shape,
                          const float *factors, const double *tremor)
{
    const float open = factors[ECC_GLYPH_OPENNESS], curl = factors[ECC_GLYPH_CURL];
    for (size_t s = 0; s < ECC_GLYPH_STROKES; s++) {
        const struct ecc_glyph_stroke *const stroke = &shape->strokes[s];
        struct position point[ECC_GLYPH_POINTS];
        for (size_t i = 0; i < stroke->count; i++) {
            const struct ecc_glyph_point p = stroke->points[i];
            point[i].x = p.x + open * p.open_x + curl * p.curl_x + tremor_size * bounded(*tremor++);
            point[i].y = p.y + open * p.open_y + curl * p.curl_y + tremor_size * bounded(*tremor++);
        }
        spline(&drawing->paths[s], point, stroke->count);
    }
}

/* ---- From the unit box to pixels ------------------------------------------------------------ */

static struct position place(struct position p, const float *factors, float sine, float cosine)
{
    const float up = 0.5F - p.y;
    const float y = -up + factors[ECC_GLYPH_BALANCE] * (1 - 4 * up * up);
    const float x = p.x * factors[ECC_GLYPH_WIDTH] + factors[ECC_GLYPH_SLANT] * up;
    return (struct position){height * (x * cosine - y * sine), height * (x * sine + y * cosine)};
}

struct box {
    float left, right, top, bottom;
};

static struct box bounds(const struct drawing *drawing)
{
    struct box box = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t s = 0; s < ECC_GLYPH_STROKES; s++) {
        for (size_t i = 0; i < drawing->paths[s].count; i++) {
            const struct position p = drawing->paths[s].at[i];
            box.left = least(box.left, p.x), box.right = most(box.right, p.x);
            box.top = least(box.top, p.y), box.bottom = most(box.bottom, p.y);
        }
    }
    return box;
}

/* Centres the digit in the image and shifts it; makes it a little smaller if it would not fit. */
static void lay_out(struct drawing *drawing, const float *factors)
{
    const float angle = factors[ECC_GLYPH_ROTATION] * 0.017453293F;
    const float sine = sinf(angle), cosine = cosf(angle), middle = ECC_GLYPH_SIDE / 2.0F;
    for (size_t s = 0; s < ECC_GLYPH_STROKES; s++) {
        for (size_t i = 0; i < drawing->paths[s].count; i++) {
            struct position *const p = &drawing->paths[s].at[i];
            *p = place(*p, factors, sine, cosine);
        }
    }
    const struct box box = bounds(drawing);
    const float free_room = room - 2 * drawing->radius;
    const float extent = most(box.right - box.left, box.bottom - box.top);
    const float scale = extent > free_room ? free_room / extent : 1;
    const float centre_x = (box.left + box.right) / 2, centre_y = (box.top + box.bottom) / 2;
    for (size_t s = 0; s < ECC_GLYPH_STROKES; s++) {
        for (size_t i = 0; i < drawing->paths[s].count; i++) {
            struct position *const p = &drawing->paths[s].at[i];
            p->x = middle + factors[ECC_GLYPH_SHIFT_X] + scale * (p->x - centre_x);
            p->y = middle + factors[ECC_GLYPH_SHIFT_Y] + scale * (p->y - centre_y);
        }
    }
}

/* ---- Ink ------------------------------------------------------------------------------------ */

/* The pixel that holds this coordinate, or the nearest one. */
static int pixel_index(float at)
{
    const int index = (int)at;
    return index < 0 ? 0 : index > ECC_GLYPH_SIDE - 1 ? ECC_GLYPH_SIDE - 1 : index;
}

/* ink: [28, 28], 0 to 1: what the piece from a to b covers. */
static void ink_piece(float *ink, struct position a, struct position b, float radius)
{
    const float reach = radius + ramp;
    const int left = pixel_index(least(a.x, b.x) - reach),
              top = pixel_index(least(a.y, b.y) - reach);
    const int right = pixel_index(most(a.x, b.x) + reach);
    const int bottom = pixel_index(most(a.y, b.y) + reach);
    const float dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    const float inverse = square > 1e-12F ? 1 / square : 0;
    for (int row = top; row <= bottom; row++) {
        for (int column = left; column <= right; column++) {
            const float px = (float)column + 0.5F - a.x, py = (float)row + 0.5F - a.y;
            const float along = least(most((px * dx + py * dy) * inverse, 0), 1);
            const float ex = px - along * dx, ey = py - along * dy;
            const float cover = 0.5F + (radius - sqrtf(ex * ex + ey * ey)) / ramp;
            float *const pixel = &ink[row * ECC_GLYPH_SIDE + column];
            *pixel = most(*pixel, least(cover, 1));
        }
    }
}

/* The pen lifts at the end of a stroke: the last few pieces are a little thinner. */
static float pressure(size_t piece, size_t count)
{
    const size_t from_end = piece < count - 1 - piece ? piece : count - 1 - piece;
    return from_end >= 3 ? 1 : 0.82F + 0.06F * (float)from_end;
}

static void ink_path(float *ink, const struct path *path, float radius)
{
    for (size_t i = 0; i + 1 < path->count; i++) {
        ink_piece(ink, path->at[i], path->at[i + 1], radius * pressure(i, path->count - 1));
    }
}

void ecc_glyph_draw(uint8_t *pixels, int digit, const float factors[ECC_GLYPH_FACTORS],
                    uint64_t seed, uint64_t index)
{
    double tremor[NORMALS - TREMOR];
    ecc_rng_normal(tremor, seed, ECC_STREAM_GLYPH_NORMAL, index * NORMALS + TREMOR,
                   NORMALS - TREMOR);
    struct drawing drawing;
    float ink[ECC_GLYPH_SIDE * ECC_GLYPH_SIDE] = {0};
    const int style = factors[ECC_GLYPH_STYLE] > 0.5F;
    drawing.radius = factors[ECC_GLYPH_THICKNESS] / 2;
    write_strokes(&drawing, &ecc_glyph_shapes[digit][style], factors, tremor);
    lay_out(&drawing, factors);
    for (size_t s = 0; s < ECC_GLYPH_STROKES; s++) {
        ink_path(ink, &drawing.paths[s], drawing.radius);
    }
    for (size_t i = 0; i < ECC_GLYPH_SIDE * ECC_GLYPH_SIDE; i++) {
        pixels[i] = (uint8_t)(255 * ink[i] + 0.5F);
    }
}
