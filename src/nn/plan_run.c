/* plan_run.c: executes a planned net: forward, error, backward. */
#include "nn/enter.h"
#include "nn/plan.h"

#include <math.h>
#include <string.h>

/* ---- Forward -------------------------------------------------------------------------------- */

static enum ecc_status prepare_part(struct ecc_part *part, struct ecc_error *error)
{
    for (size_t i = 0; i < part->count; i++) {
        struct ecc_stage *const stage = &part->stages[i];
        if (!stage->linear || !stage->linear->prepare) continue;
        ECC_TRY(stage->linear->prepare(stage, error));
    }
    return ECC_OK;
}

static enum ecc_status prepare(struct ecc_net *net, struct ecc_error *error)
{
    if (!net->stale) return ECC_OK;
    ECC_TRY(prepare_part(&net->encoder, error));
    ECC_TRY(prepare_part(&net->decoder, error));
    net->stale = false;
    return ECC_OK;
}

static struct ecc_post_batch post_batch(const struct ecc_net *net, const struct ecc_stage *stage,
                                        size_t n)
{
    return (struct ecc_post_batch){&stage->out, n, net->partial, net->threads};
}

static enum ecc_status forward_stage(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                                     bool training, struct ecc_error *error)
{
    stage->summed = training && stage->post.norm && stage->linear && stage->linear->makes_sums;
    if (stage->linear) ECC_TRY(stage->linear->forward(net, stage, n, error));
    if (!ecc_post_needed(&stage->post)) return ECC_OK;
    const struct ecc_post_batch batch = post_batch(net, stage, n);
    if (stage->post.norm && training) {
        if (!stage->summed) ecc_post_sum(&batch, stage->u);
        ecc_post_statistics(&stage->post, &batch);
    } else {
        ecc_post_fold(&stage->post, &stage->out);
    }
    ecc_post_apply(&stage->post, &batch, stage->y, stage->u);
    return ECC_OK;
}

static enum ecc_status forward_part(struct ecc_net *net, struct ecc_part *part, size_t n,
                                    bool training, struct ecc_error *error)
{
    ECC_TRY(prepare(net, error));
    for (size_t i = 0; i < part->count; i++) {
        ECC_TRY(forward_stage(net, &part->stages[i], n, training, error));
    }
    return ECC_OK;
}

static enum ecc_status check_call(const struct ecc_net *net, size_t n, bool training,
                                  struct ecc_error *error)
{
    if (n < 1 || n > net->batch) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%zu items, expected 1 to %zu (as planned)", n,
                        net->batch);
    }
    if (training && !net->training) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "this net was planned for inference only");
    }
    if (training && n != net->batch) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%zu items to train with, expected a whole batch of %zu", n, net->batch);
    }
    return ECC_OK;
}

/* Missing numbers become 0, the mean of a standardised table, and are remembered. */
static void find_missing(struct ecc_net *net, size_t n)
{
    const size_t count = n * net->input_map.item;
    net->cells = count;
    for (size_t k = 0; net->present && k < count; k++) {
        net->present[k] = !isnan(net->input[k]);
        if (net->present[k]) continue;
        net->input[k] = 0;
        net->cells--;
    }
}

enum ecc_status ecc_net_encode(struct ecc_net *net, const float **z, const float *x, size_t n,
                               bool training, struct ecc_error *error)
{
    ECC_TRY(check_call(net, n, training, error));
    const struct ecc_entered before = ecc_enter(net->threads);
    const struct ecc_map plain = ecc_map_plain(net->spec->shape);
    ecc_map_convert(net->input, &net->input_map, x, &plain, n, net->threads);
    find_missing(net, n);
    const enum ecc_status status = forward_part(net, &net->encoder, n, training, error);
    ecc_leave(&before);
    const size_t count = net->encoder.count;
    *z = count ? net->encoder.stages[count - 1].y : net->input;
    net->encoded = n;
    net->encode_trained = training;
    return status;
}

static const float *decoded(const struct ecc_net *net)
{
    const size_t count = net->decoder.count;
    return count ? net->decoder.stages[count - 1].y : net->code;
}

enum ecc_status ecc_net_decode(struct ecc_net *net, float *y, const float *z, size_t n,
                               bool training, struct ecc_error *error)
{
    ECC_TRY(check_call(net, n, training, error));
    const struct ecc_entered before = ecc_enter(net->threads);
    memcpy(net->code, z, n * net->latent * sizeof *z);
    const enum ecc_status status = forward_part(net, &net->decoder, n, training, error);
    if (status == ECC_OK && y) {
        const struct ecc_map plain = ecc_map_plain(net->spec->target);
        ecc_map_convert(y, &plain, decoded(net), &net->output_map, n, net->threads);
    }
    ecc_leave(&before);
    net->decoded = n;
    net->decode_trained = training;
    net->has_error = false;
    return status;
}

enum ecc_status ecc_net_error(struct ecc_net *net, double *mean_squared, struct ecc_error *error)
{
    if (net->encoded == 0 || net->encoded != net->decoded) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%zu items were encoded and %zu decoded, expected the same items",
                        net->encoded, net->decoded);
    }
    const struct ecc_item_shape a = net->spec->shape, b = net->spec->target;
    if (a.channels != b.channels || a.height != b.height || a.width != b.width) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the output of this net is not an item, so it has no error");
    }
    float *const dy = net->training ? net->flow[0] : NULL;
    const bool gaps = net->present && net->cells < net->decoded * net->input_map.item;
    const struct ecc_error_pair pair = {
        .y = decoded(net),
        .x = net->input,
        .y_map = &net->output_map,
        .x_map = &net->input_map,
        .present = gaps ? net->present : NULL,
        .n = net->decoded,
        .cells = gaps ? net->cells : net->decoded * ecc_shape_size(a),
    };
    *mean_squared = ecc_squared_error(net->errors, dy, &pair, net->threads);
    net->has_error = net->training && net->decode_trained;
    return ECC_OK;
}

void ecc_net_item_errors(const struct ecc_net *net, double *errors)
{
    memcpy(errors, net->errors, net->decoded * sizeof *errors);
}

size_t ecc_net_cells(const struct ecc_net *net)
{
    return net->present ? net->cells : net->encoded * ecc_shape_size(net->spec->shape);
}

enum ecc_status ecc_net_output_gradient(struct ecc_net *net, const float *dy,
                                        struct ecc_error *error)
{
    if (!net->training || net->decoded == 0 || !net->decode_trained) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "there is no output to take a gradient of, expected a training pass first");
    }
    const struct ecc_map plain = ecc_map_plain(net->spec->target);
    ecc_map_convert(net->flow[0], &net->output_map, dy, &plain, net->decoded, net->threads);
    net->has_error = true;
    return ECC_OK;
}

/* ---- Backward ------------------------------------------------------------------------------- */

/* What reaches the input of the part through bypasses. */
static void add_bypasses(const struct ecc_net *net, const struct ecc_part *part, float *dx)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct ecc_stage *const stage = &part->stages[i];
        if (!stage->dsource) continue;
        const size_t count = net->batch * stage->layer->around;
        for (size_t k = 0; k < count; k++) dx[k] += stage->dsource[k];
    }
}

/* From dy in net->flow[0] to the gradient of the part's input, *dx, unless it is not needed. */
static enum ecc_status backward_part(struct ecc_net *net, struct ecc_part *part, float **dx,
                                     struct ecc_error *error)
{
    float *dy = net->flow[0], *other = net->flow[1];
    for (size_t i = part->count; i-- > 0;) {
        struct ecc_stage *const stage = &part->stages[i];
        if (ecc_post_needed(&stage->post)) {
            const struct ecc_post_batch batch = post_batch(net, stage, net->batch);
            ecc_post_backward(&stage->post, &batch, dy, stage->u, stage->y);
        }
        if (!stage->linear) continue;
        float *const wanted = stage->first ? NULL : other;
        ECC_TRY(stage->linear->backward(net, stage, wanted, dy, error));
        other = dy;
        dy = wanted;
    }
    if (dy) add_bypasses(net, part, dy);
    *dx = dy;
    return ECC_OK;
}

enum ecc_status ecc_net_decode_back(struct ecc_net *net, const float **dz, struct ecc_error *error)
{
    if (!net->has_error) {
        return ecc_fail(
            error, ECC_BAD_ARGUMENT,
            "there is nothing to propagate back, expected a training pass and its error "
            "first");
    }
    const struct ecc_entered before = ecc_enter(net->threads);
    float *dx;
    const enum ecc_status status = backward_part(net, &net->decoder, &dx, error);
    ecc_leave(&before);
    net->has_error = false;
    *dz = dx;
    return status;
}

enum ecc_status ecc_net_encode_back(struct ecc_net *net, const float *dz, struct ecc_error *error)
{
    if (!net->training || !net->encode_trained) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "there is nothing to propagate back, expected a training pass first");
    }
    const struct ecc_entered before = ecc_enter(net->threads);
    float *dx;
    memmove(net->flow[0], dz, net->batch * net->encoder_outputs * sizeof *dz);
    const enum ecc_status status = backward_part(net, &net->encoder, &dx, error);
    ecc_leave(&before);
    net->encode_trained = false;
    return status;
}
