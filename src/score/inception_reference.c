/* inception_reference.c: Inception-v3 in double, with plain loops and batch norm as it is: what the
 * fast one is tested against. */
#include "score/inception.h"

#include <math.h>
#include <stdlib.h>

struct reference {
    double *buffers[ECC_INCEPTION_BUFFERS]; /* [channels, height, width] */
    struct ecc_inception_unit *unit;
};

/* A window's numbers over which `visit` goes: those inside the image. */
struct window {
    size_t top, left, bottom, right; /* bottom and right are past the end */
    size_t row, column;              /* of the kernel, where it begins */
};

static struct window window_at(const struct ecc_conv_shape *s, size_t y, size_t x)
{
    const size_t at[2] = {y * s->stride[0], x * s->stride[1]};
    const size_t extent[2] = {s->in.height, s->in.width};
    size_t first[2], end[2], skipped[2];
    for (int k = 0; k < 2; k++) {
        skipped[k] = at[k] < s->padding[k] ? s->padding[k] - at[k] : 0;
        first[k] = at[k] + skipped[k] - s->padding[k];
        end[k] = at[k] + s->kernel[k] - s->padding[k];
        if (end[k] > extent[k]) end[k] = extent[k];
    }
    return (struct window){first[0], first[1], end[0], end[1], skipped[0], skipped[1]};
}

static double convolve(const struct ecc_conv_shape *s, const double *in, const float *kernel,
                       const struct window *w)
{
    double sum = 0;
    for (size_t c = 0; c < s->in.channels; c++) {
        for (size_t y = w->top; y < w->bottom; y++) {
            for (size_t x = w->left; x < w->right; x++) {
                const size_t row = y - w->top + w->row, column = x - w->left + w->column;
                sum += in[(c * s->in.height + y) * s->in.width + x] *
                       (double)kernel[(c * s->kernel[0] + row) * s->kernel[1] + column];
            }
        }
    }
    return sum;
}

static double pool(const struct ecc_conv_shape *s, const double *plane, const struct window *w,
                   bool largest)
{
    double sum = 0, most = -INFINITY;
    for (size_t y = w->top; y < w->bottom; y++) {
        for (size_t x = w->left; x < w->right; x++) {
            const double value = plane[y * s->in.width + x];
            sum += value;
            if (value > most) most = value;
        }
    }
    const size_t count = (w->bottom - w->top) * (w->right - w->left);
    return largest ? most : sum / (double)count;
}

static double norm_and_relu(const struct ecc_inception_unit *unit, size_t c, double value)
{
    const double deviation = sqrt((double)unit->variance[c] + ECC_INCEPTION_EPSILON);
    const double normal = (value - (double)unit->mean[c]) / deviation;
    const double result = (double)unit->gamma[c] * normal + (double)unit->beta[c];
    return result > 0 ? result : 0;
}

static void run_op(const struct reference *r, const struct ecc_inception_op *op)
{
    const struct ecc_conv_shape *const s = &op->shape;
    const size_t size = s->in.channels * s->kernel[0] * s->kernel[1];
    const double *const in = r->buffers[op->from];
    double *out = r->buffers[op->to] + op->channel * s->out.height * s->out.width;
    for (size_t c = 0; c < s->out.channels; c++) {
        for (size_t y = 0; y < s->out.height; y++) {
            for (size_t x = 0; x < s->out.width; x++) {
                const struct window w = window_at(s, y, x);
                if (op->kind == ECC_INFER_CONV) {
                    const double sum = convolve(s, in, r->unit->kernel + c * size, &w);
                    *out++ = norm_and_relu(r->unit, c, sum);
                } else {
                    *out++ =
                        pool(s, in + c * s->in.height * s->in.width, &w, op->kind == ECC_INFER_MAX);
                }
            }
        }
    }
}

static enum ecc_status run(struct reference *r, const float *x,
                           const struct ecc_inception_graph *graph,
                           const struct ecc_inception_weights *weights, struct ecc_error *error)
{
    r->unit = ecc_inception_unit_create(graph);
    if (!r->unit) return ecc_fail_memory(error, "a reference");
    for (size_t i = 0; i < ECC_INCEPTION_BUFFERS; i++) {
        r->buffers[i] = calloc(graph->floats[i], sizeof *r->buffers[i]);
        if (!r->buffers[i]) return ecc_fail_memory(error, "a reference");
    }
    const size_t count = ecc_shape_size(graph->in);
    for (size_t i = 0; i < count; i++) r->buffers[graph->ops[0].from][i] = (double)x[i];
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->ops[i].kind == ECC_INFER_CONV) {
            ECC_TRY(ecc_inception_weights_get(weights, r->unit, &graph->ops[i], error));
        }
        run_op(r, &graph->ops[i]);
    }
    return ECC_OK;
}

enum ecc_status ecc_inception_reference(double *features, const float *x,
                                        const struct ecc_inception_graph *graph,
                                        const struct ecc_inception_weights *weights,
                                        struct ecc_error *error)
{
    struct reference reference = {0};
    const enum ecc_status status = run(&reference, x, graph, weights, error);
    const size_t pixels = graph->out.height * graph->out.width;
    for (size_t c = 0; c < graph->out.channels && status == ECC_OK; c++) {
        const double *const plane = reference.buffers[graph->output] + c * pixels;
        double sum = 0;
        for (size_t p = 0; p < pixels; p++) sum += plane[p];
        features[c] = sum / (double)pixels;
    }
    for (size_t i = 0; i < ECC_INCEPTION_BUFFERS; i++) free(reference.buffers[i]);
    ecc_inception_unit_free(reference.unit);
    return status;
}
