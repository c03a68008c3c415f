/*
 * spec_builtin.c: the nets that come with the program, as text: the two pairs of the paper (its
 * appendix, "Network Architectures"), and `auto`, which fits items of any shape.
 */
#include "base/file.h"
#include "nn/spec.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows line by line; a failed write shows when it is closed. */
struct writer {
    FILE *stream;
    char *text;
    size_t size;
    double width;
};

static void line(struct writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void line(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(writer->stream, format, arguments);
    va_end(arguments);
    fputc('\n', writer->stream);
}

/* A published channel count at the width asked for, in multiples of eight, which fill vector
 * registers; with three or five channels a layer may take a hundred times as long. */
static size_t channels(const struct writer *writer, size_t published)
{
    if (writer->width == 1) return published;
    const double wanted = (double)published * writer->width;
    const double rounded = 8 * fmax(1, round(wanted / 8));
    return (size_t)fmin(rounded, 1 << 20);
}

static void norm_leaky(struct writer *writer)
{
    line(writer, "  batchnorm");
    line(writer, "  leakyrelu 0.1");
}

static void norm_relu(struct writer *writer)
{
    line(writer, "  batchnorm");
    line(writer, "  relu");
}

/* ---- The paper's ---------------------------------------------------------------------------- */

static void write_paper_mnist(struct writer *writer, struct ecc_item_shape shape)
{
    static const size_t down[][3] = {{16, 5, 1}, {24, 4, 2}, {32, 4, 1}, {48, 4, 2}};
    static const size_t up[][3] = {{48, 3, 1}, {32, 4, 2}, {24, 4, 1},
                                   {16, 4, 2}, {16, 5, 1}, {16, 1, 1}};
    (void)shape;
    line(writer, "encoder");
    line(writer, "  pad 2");
    for (size_t i = 0; i < sizeof down / sizeof down[0]; i++) {
        line(writer, "  conv %zu kernel %zu stride %zu", channels(writer, down[i][0]), down[i][1],
             down[i][2]);
        norm_leaky(writer);
    }
    line(writer, "  flatten");
    line(writer, "  dense %zu", channels(writer, 64));
    line(writer, "  dense latent");
    line(writer, "decoder");
    line(writer, "  reshape latent 1 1");
    for (size_t i = 0; i < sizeof up / sizeof up[0]; i++) {
        line(writer, "  deconv %zu kernel %zu stride %zu", channels(writer, up[i][0]), up[i][1],
             up[i][2]);
        norm_leaky(writer);
    }
    line(writer, "  deconv channels kernel 1");
    line(writer, "  sigmoid");
}

static void write_paper_celeba(struct writer *writer, struct ecc_item_shape shape)
{
    (void)shape;
    line(writer, "encoder");
    for (size_t i = 128; i <= 1024; i *= 2) {
        line(writer, "  conv %zu kernel 4 stride 2 padding 1", channels(writer, i));
        norm_relu(writer);
    }
    line(writer, "  flatten");
    line(writer, "  dense latent");
    line(writer, "decoder");
    const size_t widest = channels(writer, 1024);
    line(writer, "  dense %zu", 64 * widest);
    line(writer, "  reshape %zu 8 8", widest);
    for (size_t i = 512; i >= 128; i /= 2) {
        line(writer, "  deconv %zu kernel 4 stride 2 padding 1", channels(writer, i));
        norm_relu(writer);
    }
    line(writer, "  deconv channels kernel 1");
    line(writer, "  sigmoid");
}

/* ---- Any shape ------------------------------------------------------------------------------ */

/* How one side of an image is halved so that a deconvolution with the same numbers gives exactly
 * the old size back: kernel 4 for even sizes, 3 for odd ones.  Small sides stay as they are. */
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

enum { MAX_HALVINGS = 24, MOST_CHANNELS = 256 };

struct halvings {
    size_t count;
    struct halving rows[MAX_HALVINGS], columns[MAX_HALVINGS];
    size_t channels[MAX_HALVINGS];
};

static struct halvings plan_halvings(const struct writer *writer, struct ecc_item_shape shape)
{
    struct halvings plan = {0};
    size_t height = shape.height, width = shape.width;
    size_t published = height * width > 100 * 100 ? 16 : 32;
    do {
        const size_t i = plan.count++;
        plan.rows[i] = halve(height);
        plan.columns[i] = halve(width);
        plan.channels[i] = channels(writer, published);
        height = plan.rows[i].result;
        width = plan.columns[i].result;
        if (published < MOST_CHANNELS) published *= 2;
    } while ((height > 4 || width > 4) && plan.count < MAX_HALVINGS);
    return plan;
}

static void write_halving(struct writer *writer, const char *kind, size_t outputs,
                          const struct halvings *plan, size_t i)
{
    const struct halving a = plan->rows[i], b = plan->columns[i];
    line(writer, "  %s %zu kernel %zux%zu stride %zux%zu padding %zux%zu", kind, outputs, a.kernel,
         b.kernel, a.stride, b.stride, a.padding, b.padding);
    norm_leaky(writer);
}

static void write_auto_image(struct writer *writer, struct ecc_item_shape shape)
{
    const struct halvings plan = plan_halvings(writer, shape);
    const size_t last = plan.count - 1;
    line(writer, "encoder");
    for (size_t i = 0; i < plan.count; i++) {
        write_halving(writer, "conv", plan.channels[i], &plan, i);
    }
    line(writer, "  flatten");
    line(writer, "  dense latent");
    line(writer, "decoder");
    const size_t height = plan.rows[last].result, width = plan.columns[last].result;
    line(writer, "  dense %zu", plan.channels[last] * height * width);
    line(writer, "  reshape %zu %zu %zu", plan.channels[last], height, width);
    norm_leaky(writer);
    for (size_t i = plan.count; i-- > 0;) {
        const size_t outputs = i > 0 ? plan.channels[i - 1] : channels(writer, 16);
        write_halving(writer, "deconv", outputs, &plan, i);
    }
    line(writer, "  conv channels kernel 1");
    line(writer, "  sigmoid");
}

/* Columns of a table have mean 0 and deviation 1: no sigmoid at the end. */
static void write_auto_vector(struct writer *writer, struct ecc_item_shape shape)
{
    const size_t wanted = 4 * shape.channels;
    const size_t published = wanted < 64 ? 64 : wanted > 512 ? 512 : (wanted + 7) / 8 * 8;
    const size_t hidden[2] = {channels(writer, published), channels(writer, published / 2)};
    line(writer, "encoder");
    for (int i = 0; i < 2; i++) {
        line(writer, "  dense %zu", hidden[i]);
        norm_leaky(writer);
    }
    line(writer, "  dense latent");
    line(writer, "decoder");
    for (int i = 1; i >= 0; i--) {
        line(writer, "  dense %zu", hidden[i]);
        norm_leaky(writer);
    }
    line(writer, "  dense channels");
}

static void write_auto(struct writer *writer, struct ecc_item_shape shape)
{
    if (shape.height == 1 && shape.width == 1) {
        write_auto_vector(writer, shape);
    } else {
        write_auto_image(writer, shape);
    }
}

/* ---- By name -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*write)(struct writer *writer, struct ecc_item_shape shape);
    struct ecc_item_shape shape; /* the only one it fits; 0: any */
} nets[] = {
    {"paper-mnist", write_paper_mnist, {0, 28, 28}},
    {"paper-celeba", write_paper_celeba, {0, 64, 64}},
    {"auto", write_auto, {0, 0, 0}},
};

static enum ecc_status check_shape(const char *name, struct ecc_item_shape fits,
                                   struct ecc_item_shape shape, struct ecc_error *error)
{
    if (!fits.height || (fits.height == shape.height && fits.width == shape.width)) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "the net %s is for images of %zu x %zu, these items are %zu x %zu x %zu; the "
                    "net auto fits any shape",
                    name, fits.height, fits.width, shape.channels, shape.height, shape.width);
}

enum ecc_status ecc_net_builtin(char **text, const char *name, struct ecc_item_shape shape,
                                double width, struct ecc_error *error)
{
    *text = NULL;
    size_t i = 0;
    while (i < sizeof nets / sizeof nets[0] && strcmp(name, nets[i].name) != 0) i++;
    if (i == sizeof nets / sizeof nets[0]) return ECC_OK;
    if (!(width >= 1e-3 && width <= 1e3)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the width is %g, expected 0.001 to 1000", width);
    }
    ECC_TRY(check_shape(name, nets[i].shape, shape, error));
    struct writer writer = {.width = width};
    writer.stream = open_memstream(&writer.text, &writer.size);
    if (!writer.stream) return ecc_fail_memory(error, "the description of a net");
    line(&writer, "# %s", name);
    nets[i].write(&writer, shape);
    if (fclose(writer.stream) != 0) {
        free(writer.text);
        return ecc_fail_memory(error, "the description of a net");
    }
    *text = writer.text;
    return ECC_OK;
}
