/* tiles.c: images side by side in one picture, with gaps that take the page's colour; the legend of
 * a chart. */
#include "show/tiles.h"
#include "data/image_file.h"
#include "show/html.h"

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

/* Where images of a sheet are: the sheet, and from one image to the next. */
struct layout {
    struct ecc_item_shape whole;
    size_t gap, across, down;
};

static struct layout lay_out(struct ecc_item_shape s, size_t count, size_t columns)
{
    const size_t gap = s.width / 28 + 1, rows = (count + columns - 1) / columns;
    const size_t across = s.width + gap, down = s.height + gap;
    return (struct layout){
        {s.channels, rows * down - gap, columns * across - gap}, gap, across, down};
}

enum ecc_status ecc_tiles_encode(unsigned char **file, size_t *bytes, const float *x,
                                 struct ecc_item_shape s, size_t count, size_t columns,
                                 struct ecc_error *error)
{
    const struct layout l = lay_out(s, count, columns);
    const size_t size = ecc_shape_size(l.whole);
    float *const sheet = malloc((size + 1) * sizeof *sheet);
    if (!sheet) return ecc_fail_memory(error, "a sheet of images");
    for (size_t i = 0; i < size; i++) sheet[i] = 0.5f;
    for (size_t i = 0; i < count; i++) {
        place(sheet, l.whole, x + i * ecc_shape_size(s), s, i / columns * l.down,
              i % columns * l.across, l.gap);
    }
    const enum ecc_status status = ecc_image_encode(file, bytes, sheet, l.whole, error);
    free(sheet);
    return status;
}

void ecc_html_tiles_file(FILE *out, const unsigned char *file, size_t bytes,
                         struct ecc_item_shape s, size_t count, size_t columns, const char *alt)
{
    const struct layout l = lay_out(s, count, columns);
    /* the style draws the gaps over those of the picture */
    fprintf(out, "<span class=\"tiles%s\" style=\"--w:%.4f%%;--h:%.4f%%;--u:%.4f;--v:%.4f\">",
            s.width <= SHARP ? " sharp" : "", 100.0 * (double)l.across / (double)l.whole.width,
            100.0 * (double)l.down / (double)l.whole.height, (double)s.width / (double)l.across,
            (double)s.height / (double)l.down);
    ecc_html_png(out, file, bytes, 1, alt);
    fputs("</span>", out);
}

enum ecc_status ecc_html_tiles(FILE *out, const float *x, struct ecc_item_shape shape, size_t count,
                               size_t columns, const char *alt, struct ecc_error *error)
{
    unsigned char *file;
    size_t bytes;
    ECC_TRY(ecc_tiles_encode(&file, &bytes, x, shape, count, columns, error));
    ecc_html_tiles_file(out, file, bytes, shape, count, columns, alt);
    free(file);
    return ECC_OK;
}

void ecc_html_legend(FILE *out, const struct ecc_chart *chart)
{
    enum { MOST = ECC_CATEGORY_MARKS, COLOURS = 10 };
    const size_t count = chart->category_names ? chart->category_count : chart->series_count;
    fputs("<ul class=\"legend\">", out);
    for (size_t i = 0; i < count && i < MOST; i++) {
        fprintf(out, "<li><i class=\"k%zu s%zu\"></i>", i % COLOURS, i / COLOURS);
        ecc_html_text(out,
                      chart->category_names ? chart->category_names[i] : chart->series[i].name);
        fputs("</li>", out);
    }
    if (count > MOST) fprintf(out, "<li><i class=\"none\"></i>%zu more</li>", count - MOST);
    fputs("</ul>\n", out);
}
