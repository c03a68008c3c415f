/* tiles.c: images side by side in one picture, with gaps that take the page's colour. */
#include "data/image_file.h"
#include "report/part.h"

#include <stdlib.h>

enum { SHARP = 40 }; /* images up to this width keep sharp pixels when enlarged */

/* Copies one image of [channels, height, width] to its place on the sheet and extends its edge into
 * half of the gap, so that no line shows where the page's own gap is not exactly above it. */
static void place(float *sheet, struct ecc_item_shape whole, const float *x,
                  struct ecc_item_shape shape, size_t row, size_t column, size_t gap)
{
    const size_t before = gap / 2, after = gap - before;
    const size_t top = row > before ? row - before : 0,
                 left = column > before ? column - before : 0;
    for (size_t i = top; i < row + shape.height + after && i < whole.height; i++) {
        const size_t own = i < row ? 0 : i - row;
        const size_t from_row = own < shape.height ? own : shape.height - 1;
        for (size_t j = left; j < column + shape.width + after && j < whole.width; j++) {
            const size_t across = j < column ? 0 : j - column;
            const size_t from =
                from_row * shape.width + (across < shape.width ? across : shape.width - 1);
            for (size_t c = 0; c < shape.channels; c++) {
                sheet[(c * whole.height + i) * whole.width + j] =
                    x[c * shape.height * shape.width + from];
            }
        }
    }
}

enum ecc_status ecc_report_sheet(FILE *out, const struct ecc_model *model, const float *x,
                                 size_t count, size_t columns, const char *alt,
                                 struct ecc_error *error)
{
    const struct ecc_item_shape s = model->shape;
    const size_t gap = s.width / 28 + 1, rows = (count + columns - 1) / columns;
    const size_t across = s.width + gap, down = s.height + gap; /* from one image to the next */
    const struct ecc_item_shape whole = {s.channels, rows * down - gap, columns * across - gap};
    const size_t size = ecc_shape_size(whole);
    float *const sheet = malloc((size + 1) * sizeof *sheet);
    if (!sheet) return ecc_fail_memory(error, "a sheet of images");
    for (size_t i = 0; i < size; i++) sheet[i] = 0.5f;
    for (size_t i = 0; i < count; i++) {
        place(sheet, whole, x + i * ecc_shape_size(s), s, i / columns * down, i % columns * across,
              gap);
    }
    unsigned char *file;
    size_t bytes;
    const enum ecc_status status = ecc_image_encode(&file, &bytes, sheet, whole, error);
    free(sheet);
    ECC_TRY(status);
    /* the style draws the gaps over those of the picture */
    fprintf(out, "<span class=\"tiles%s\" style=\"--w:%.4f%%;--h:%.4f%%;--u:%.4f;--v:%.4f\">",
            s.width <= SHARP ? " sharp" : "", 100.0 * (double)across / (double)whole.width,
            100.0 * (double)down / (double)whole.height, (double)s.width / (double)across,
            (double)s.height / (double)down);
    ecc_html_png(out, file, bytes, 1, alt);
    fputs("</span>", out);
    free(file);
    return ECC_OK;
}
