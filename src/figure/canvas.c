/*
 * canvas.c: the surface a figure is drawn on.
 *
 * A table lists the differences between PNG, SVG and PDF. All three are written to a temporary file
 * that gets its name only at the end, so that a failure leaves nothing behind.
 */
#include "figure/canvas.h"

#include "base/text.h"
#include "figure/lettering.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double PNG_DENSITY = 2, VECTOR_DENSITY = 4; /* pixels per point */

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned length)
{
    struct ecc_canvas *canvas = closure;
    if (fwrite(bytes, 1, length, canvas->output.stream) == length) return CAIRO_STATUS_SUCCESS;
    canvas->write_errno = errno;
    return CAIRO_STATUS_WRITE_ERROR;
}

/* ---- The formats --------------------------------------------------------------------------- */

struct ecc_canvas_format {
    const char *ending;
    bool vector;
    cairo_surface_t *(*create)(struct ecc_canvas *canvas, double width, double height,
                               const char *title);
    cairo_status_t (*finish)(struct ecc_canvas *canvas);
};

static cairo_surface_t *png_create(struct ecc_canvas *canvas, double width, double height,
                                   const char *title)
{
    (void)canvas, (void)title;
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width * PNG_DENSITY),
                                      (int)ceil(height * PNG_DENSITY));
}

static cairo_status_t png_finish(struct ecc_canvas *canvas)
{
    return cairo_surface_write_to_png_stream(canvas->surface, write_bytes, canvas);
}

static cairo_surface_t *svg_create(struct ecc_canvas *canvas, double width, double height,
                                   const char *title)
{
    (void)title;
    return cairo_svg_surface_create_for_stream(write_bytes, canvas, width, height);
}

static cairo_surface_t *pdf_create(struct ecc_canvas *canvas, double width, double height,
                                   const char *title)
{
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(write_bytes, canvas, width, height);
    /* Without a date the same figure is the same bytes. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "eccentric " ECC_VERSION);
    char cleaned[ECC_TEXT_BYTES];
    ecc_text_clean(cleaned, title);
    if (cleaned[0]) {
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, cleaned);
    }
    return surface;
}

static cairo_status_t vector_finish(struct ecc_canvas *canvas)
{
    cairo_surface_finish(canvas->surface);
    return cairo_surface_status(canvas->surface);
}

static const struct ecc_canvas_format FORMATS[] = {
    {".png", false, png_create, png_finish},
    {".svg", true, svg_create, vector_finish},
    {".pdf", true, pdf_create, vector_finish},
};

static const struct ecc_canvas_format *find_format(const char *path)
{
    if (!path) return NULL;
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof FORMATS / sizeof FORMATS[0]; i++) {
        const size_t ending = strlen(FORMATS[i].ending);
        if (length >= ending && strcasecmp(path + length - ending, FORMATS[i].ending) == 0) {
            return &FORMATS[i];
        }
    }
    return NULL;
}

enum ecc_status ecc_figure_check_path(const char *path, struct ecc_error *error)
{
    if (find_format(path)) return ECC_OK;
    char file[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "cannot draw %s: the name of a picture must end in .png, .svg or .pdf",
                    ecc_quote_path(file, path ? path : ""));
}

/* ---- Canvases ------------------------------------------------------------------------------ */

static enum ecc_status fail_cairo(const struct ecc_canvas *canvas, cairo_status_t status,
                                  struct ecc_error *error)
{
    if (status == CAIRO_STATUS_WRITE_ERROR && canvas->write_errno != 0) {
        errno = canvas->write_errno;
        return ecc_fail_errno(error, "write", canvas->output.path);
    }
    const bool memory = status == CAIRO_STATUS_NO_MEMORY;
    char file[ECC_PATH_SIZE];
    return ecc_fail(error, memory ? ECC_NO_MEMORY : ECC_IO, "cannot draw %s: cairo says: %s",
                    ecc_quote_path(file, canvas->output.path), cairo_status_to_string(status));
}

/* fontconfig crashes without memory, so there must be some before it is first asked for a font. */
static bool fonts_have_room(void)
{
    enum { FONT_BYTES = 32 << 20 };
    void *volatile room = malloc(FONT_BYTES); /* volatile: asked for, though never used */
    const bool there = room != NULL;
    free(room);
    return there;
}

enum ecc_status ecc_canvas_measuring(cairo_t **cr, struct ecc_error *error)
{
    if (!fonts_have_room()) return ecc_fail_memory(error, "the fonts of a picture");
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    *cr = cairo_create(surface);
    cairo_surface_destroy(surface);
    if (cairo_status(*cr) != CAIRO_STATUS_SUCCESS) {
        cairo_destroy(*cr);
        return ecc_fail_memory(error, "a picture");
    }
    ecc_text_prepare(*cr);
    return ECC_OK;
}

enum ecc_status ecc_canvas_measured(cairo_t *cr, struct ecc_error *error)
{
    const bool good = cairo_status(cr) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(cr);
    return good ? ECC_OK : ecc_fail_memory(error, "the texts of a picture");
}

enum ecc_status ecc_canvas_open(struct ecc_canvas *canvas, const char *path, double width,
                                double height, const char *title, struct ecc_error *error)
{
    *canvas = (struct ecc_canvas){0};
    ECC_TRY(ecc_figure_check_path(path, error));
    canvas->format = find_format(path);
    canvas->vector = canvas->format->vector;
    ECC_TRY(ecc_output_open(&canvas->output, path, error));
    canvas->surface = canvas->format->create(canvas, width, height, title);
    canvas->cr = cairo_create(canvas->surface);
    const cairo_status_t status = cairo_status(canvas->cr);
    if (status != CAIRO_STATUS_SUCCESS) {
        const enum ecc_status result = fail_cairo(canvas, status, error);
        ecc_canvas_discard(canvas);
        return result;
    }
    if (!canvas->vector) cairo_scale(canvas->cr, PNG_DENSITY, PNG_DENSITY);
    cairo_set_source_rgb(canvas->cr, 1, 1, 1);
    cairo_paint(canvas->cr);
    ecc_text_prepare(canvas->cr);
    return ECC_OK;
}

enum ecc_status ecc_canvas_commit(struct ecc_canvas *canvas, struct ecc_error *error)
{
    cairo_status_t drawn = cairo_status(canvas->cr);
    if (drawn == CAIRO_STATUS_SUCCESS) drawn = canvas->format->finish(canvas);
    const enum ecc_status status = drawn == CAIRO_STATUS_SUCCESS
                                       ? ecc_output_commit(&canvas->output, error)
                                       : fail_cairo(canvas, drawn, error);
    ecc_canvas_discard(canvas);
    return status;
}

void ecc_canvas_discard(struct ecc_canvas *canvas)
{
    /* The surface first: destroying an unfinished one still writes to the stream. */
    if (canvas->cr) cairo_destroy(canvas->cr);
    if (canvas->surface) cairo_surface_destroy(canvas->surface);
    ecc_output_discard(&canvas->output);
    *canvas = (struct ecc_canvas){0};
}

/* ---- Images -------------------------------------------------------------------------------- */

enum ecc_status ecc_raster_create(struct ecc_raster *raster, const struct ecc_canvas *canvas,
                                  double width, double height, bool transparent,
                                  struct ecc_error *error)
{
    const bool fine = canvas->vector && width * height < 2000 * 2000;
    raster->density = fine ? VECTOR_DENSITY : PNG_DENSITY;
    raster->width = (size_t)fmax(1, rint(width * raster->density));
    raster->height = (size_t)fmax(1, rint(height * raster->density));
    raster->surface =
        cairo_image_surface_create(transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24,
                                   (int)raster->width, (int)raster->height);
    const cairo_status_t status = cairo_surface_status(raster->surface);
    if (status != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(raster->surface);
        return fail_cairo(canvas, status, error);
    }
    cairo_surface_flush(raster->surface);
    unsigned char *bytes = cairo_image_surface_get_data(raster->surface);
    const size_t stride = (size_t)cairo_image_surface_get_stride(raster->surface);
    memset(bytes, transparent ? 0 : 0xFF, stride * raster->height);
    raster->pixels = (uint32_t *)(void *)bytes; /* cairo aligns rows to four bytes and more */
    raster->stride = stride / sizeof *raster->pixels;
    return ECC_OK;
}

void ecc_raster_paint(struct ecc_raster *raster, const struct ecc_canvas *canvas, double x,
                      double y)
{
    cairo_t *cr = canvas->cr;
    cairo_surface_mark_dirty(raster->surface);
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_scale(cr, 1 / raster->density, 1 / raster->density);
    cairo_set_source_surface(cr, raster->surface, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_paint(cr);
    cairo_restore(cr);
    cairo_surface_destroy(raster->surface);
    *raster = (struct ecc_raster){0};
}
