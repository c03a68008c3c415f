/* names.c: names along the rows or columns of a grid. */
#include "figure/names.h"

#include <stdio.h>

static const double LONGEST = 140; /* points, then names are shortened */

static void name_at(cairo_t *cr, const struct ecc_names *names, size_t i, char *name)
{
    if (names->names) {
        ecc_text_fit(cr, ECC_TEXT_TICK, name, names->names[i], LONGEST);
    } else {
        snprintf(name, ECC_TEXT_BYTES, "%zu", i + 1);
    }
}

/* The widest name; of numbers, the last one. */
static double widest(cairo_t *cr, const struct ecc_names *names)
{
    char name[ECC_TEXT_BYTES];
    double width = 0;
    for (size_t i = names->names || names->count == 0 ? 0 : names->count - 1; i < names->count;
         i++) {
        name_at(cr, names, i, name);
        const double this_width = ecc_text_width(cr, ECC_TEXT_TICK, name);
        if (this_width > width) width = this_width;
    }
    return width;
}

/* Every how many rows or columns there is room for a name that takes `room` points. */
static size_t find_stride(const struct ecc_names *names, double room)
{
    static const size_t STEPS[] = {2, 5, 10};
    size_t stride = 1;
    for (size_t power = 1; stride < names->count; power *= 10) {
        for (size_t i = 0; i < 3; i++) {
            if ((double)stride * names->pitch >= room) return stride;
            stride = STEPS[i] * power;
        }
    }
    return stride;
}

/* Numbers are shown as 1, 10, 20, ...; names from the first. */
static bool is_shown(const struct ecc_names *names, size_t i, size_t stride)
{
    if (names->names || stride <= 2) return i % stride == 0;
    return i == 0 || (i + 1) % stride == 0;
}

static bool stand_upright(cairo_t *cr, const struct ecc_names *columns)
{
    return columns->names && widest(cr, columns) > columns->pitch - 3;
}

double ecc_names_width(cairo_t *cr, const struct ecc_names *rows)
{
    return widest(cr, rows);
}

double ecc_names_height(cairo_t *cr, const struct ecc_names *columns)
{
    return stand_upright(cr, columns) ? widest(cr, columns) : ecc_text_height(ECC_TEXT_TICK);
}

void ecc_names_draw_rows(cairo_t *cr, const struct ecc_names *rows, double x, double y)
{
    char name[ECC_TEXT_BYTES];
    const size_t stride = find_stride(rows, ecc_text_height(ECC_TEXT_TICK) + 1);
    for (size_t i = 0; i < rows->count; i++) {
        if (!is_shown(rows, i, stride)) continue;
        name_at(cr, rows, i, name);
        ecc_text_draw(cr, ECC_TEXT_TICK, x, y + (double)i * rows->pitch,
                      (struct ecc_anchor){1, 0.5}, false, name);
    }
}

void ecc_names_draw_columns(cairo_t *cr, const struct ecc_names *columns, double x, double y,
                            bool above)
{
    char name[ECC_TEXT_BYTES];
    const bool upright = stand_upright(cr, columns);
    const double room = upright ? ecc_text_height(ECC_TEXT_TICK) + 1 : widest(cr, columns) + 5;
    const size_t stride = find_stride(columns, room);
    const struct ecc_anchor level = {0.5, above ? 1 : 0}, turned = {above ? 0 : 1, 0.5};
    for (size_t i = 0; i < columns->count; i++) {
        if (!is_shown(columns, i, stride)) continue;
        name_at(cr, columns, i, name);
        ecc_text_draw(cr, ECC_TEXT_TICK, x + (double)i * columns->pitch, y,
                      upright ? turned : level, upright, name);
    }
}
