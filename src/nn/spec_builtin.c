/*
 * spec_builtin.c: the nets that come with the program: the two of the paper (its appendix, "Network
 * Architectures"), that of the hyperspherical VAE, and `auto`, which fits items of any shape.
 *
 * Their text is in nets/.  What is left to do here is to choose the sizes of `auto`.
 */
#include "nn/spec.h"

#include <string.h>

static const char *text_of(const char *name)
{
    const struct ecc_net_text *at = ecc_net_texts;
    while (at->name && strcmp(at->name, name) != 0) at++;
    return at->text;
}

/* ---- Auto, for images ----------------------------------------------------------------------- */

/* How to halve one side of an image so that a deconvolution with the same numbers restores its
 * size: kernel 4 for even sizes, 3 for odd ones.  Small sides stay as they are. */
struct halving {
    size_t kernel, stride, padding, result;
};

static struct halving halve(size_t size)
{
    if (size == 1) return (struct halving){1, 1, 0, 1};
    if (size <= 4) return (struct halving){3, 1, 1, size};
    if (size % 2 == 0) return (struct halving){4, 2, 1, size / 2};
    return (struct halving){3, 2, 1, (size + 1) / 2};
}

enum { MAX_HALVINGS = 24, MOST_CHANNELS = 256, IMAGE_NAMES = 10 };

/* ky, kx: height and width of the kernel; s: stride, p: padding; rows, columns: the result. */
static const char *const image_names[IMAGE_NAMES] = {"inputs", "outputs", "ky", "kx",   "sy",
                                                     "sx",     "py",      "px", "rows", "columns"};

static size_t plan_halvings(size_t rows[][IMAGE_NAMES], struct ecc_item_shape shape, double width)
{
    size_t count = 0, published = shape.height * shape.width > 100 * 100 ? 16 : 32;
    size_t inputs = ecc_net_channels(16, width); /* at full size, before the last layer */
    do {
        const struct halving y = halve(shape.height), x = halve(shape.width);
        const size_t outputs = ecc_net_channels(published, width);
        const size_t row[IMAGE_NAMES] = {inputs,   outputs,   y.kernel,  x.kernel, y.stride,
                                         x.stride, y.padding, x.padding, y.result, x.result};
        memcpy(rows[count++], row, sizeof row);
        inputs = outputs;
        shape.height = y.result;
        shape.width = x.result;
        if (published < MOST_CHANNELS) published *= 2;
    } while ((shape.height > 4 || shape.width > 4) && count < MAX_HALVINGS);
    return count;
}

static enum ecc_status fill_image(char **text, struct ecc_item_shape shape, double width,
                                  struct ecc_error *error)
{
    size_t rows[MAX_HALVINGS][IMAGE_NAMES];
    const struct ecc_net_values values = {.names = image_names,
                                          .count = IMAGE_NAMES,
                                          .rows = rows[0],
                                          .row_count = plan_halvings(rows, shape, width)};
    return ecc_net_fill(text, text_of("auto-image"), "auto", width, &values, error);
}

/* ---- Auto, for tables ----------------------------------------------------------------------- */

static enum ecc_status fill_table(char **text, struct ecc_item_shape shape, double width,
                                  struct ecc_error *error)
{
    static const char *const names[] = {"wide", "narrow"};
    const size_t wanted = 4 * shape.channels;
    const size_t published = wanted < 64 ? 64 : wanted > 512 ? 512 : (wanted + 7) / 8 * 8;
    const size_t row[] = {ecc_net_channels(published, width),
                          ecc_net_channels(published / 2, width)};
    const struct ecc_net_values values = {.names = names, .count = 2, .rows = row, .row_count = 1};
    return ecc_net_fill(text, text_of("auto-table"), "auto", width, &values, error);
}

/* ---- By name -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t side; /* of the only images that it fits */
} papers[] = {{"paper-mnist", 28}, {"paper-celeba", 64}, {"svae-mnist", 28}, {"two-stage", 1}};

static enum ecc_status fill_paper(char **text, const char *name, size_t side,
                                  struct ecc_item_shape shape, double width,
                                  struct ecc_error *error)
{
    if (shape.height != side || shape.width != side) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the net %s is for images of %zu x %zu, these items are %zu x %zu x %zu; "
                        "the net auto fits any shape",
                        name, side, side, shape.channels, shape.height, shape.width);
    }
    return ecc_net_fill(text, text_of(name), name, width, NULL, error);
}

enum ecc_status ecc_net_builtin(char **text, const char *name, struct ecc_item_shape shape,
                                double width, struct ecc_error *error)
{
    *text = NULL;
    if (strcmp(name, "auto") == 0) {
        const bool table = shape.height == 1 && shape.width == 1;
        return (table ? fill_table : fill_image)(text, shape, width, error);
    }
    for (size_t i = 0; i < sizeof papers / sizeof papers[0]; i++) {
        if (strcmp(name, papers[i].name) != 0) continue;
        return fill_paper(text, name, papers[i].side, shape, width, error);
    }
    return ECC_OK;
}
