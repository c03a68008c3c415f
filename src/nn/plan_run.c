/* plan_run.c: executes a planned net: forward, error, backward. */
#include "base/clock.h"
#include "nn/enter.h"
#include "nn/plan.h"

#include <math.h>
#include <string.h>

static double now(const struct ecc_net *net)
{
    return net->timed ? ecc_seconds() : 0;
}

/* ---- Weights -------------------------------------------------------------------------------- */

static enum ecc_status prepare_part(const struct ecc_net *net, struct ecc_part *part,
                                    struct ecc_error *error)
{
    for (size_t i = 0; i < part->count; i++) {
        struct ecc_stage *const stage = &part->stages[i];
        if (!stage->linear || !stage->linear->prepare) continue;
        const double start = now(net);
        ECC_TRY(stage->linear->prepare(stage, error));
        stage->seconds += now(net) - start;
    }
    return ECC_OK;
}

static enum ecc_status prepare(struct ecc_net *net, struct ecc_error *error)
{
    if (!net->stale) return ECC_OK;
    ECC_TRY(prepare_part(net, &net->encoder, error));
    ECC_TRY(prepare_part(net, &net->decoder, error));
    net->stale = false;
    return ECC_OK;
}

/* ---- Items ---------------------------------------------------------------------------------- */

static struct ecc_post_batch post_batch(const struct ecc_net *net, const struct ecc_stage *stage)
{
    return (struct ecc_post_batch){&stage->out, net->items.n, net->partial};
}

void ecc_items_ready(const struct ecc_net *net, size_t first, size_t last)
{
    const struct ecc_items *const items = &net->items;
    const struct ecc_stage *const applied = items->back ? items->again : items->before;
    for (size_t i = first; applied && i < last; i++) {
        const struct ecc_post_batch batch = post_batch(net, applied);
        ecc_post_apply(&applied->post, &batch, applied->y, applied->u, i);
    }
    const struct ecc_stage *const stage = items->before;
    for (size_t i = first; items->back && stage && i < last; i++) {
        const struct ecc_post_batch batch = post_batch(net, stage);
        ecc_post_back(&stage->post, &batch, items->dy, stage->u, i);
    }
}

void ecc_items_made(const struct ecc_net *net, size_t first, size_t last)
{
    const struct ecc_items *const items = &net->items;
    const struct ecc_stage *const stage = items->after;
    if (!stage) return;
    const struct ecc_post_batch batch = post_batch(net, stage);
    for (size_t i = first; i < last; i++) {
        if (items->back) {
            ecc_post_sum_back(&stage->post, &batch, items->dx, stage->u, stage->y, i);
        } else {
            ecc_post_sum(&batch, stage->u, i);
        }
    }
}

static void ready_all(struct ecc_net *net)
{
    if (!net->items.before) return;
#pragma omp parallel for schedule(static) num_threads(net->threads)
    for (size_t i = 0; i < net->items.n; i++) ecc_items_ready(net, i, i + 1);
    net->items.before = NULL;
}

static void made_all(struct ecc_net *net)
{
    if (!net->items.after) return;
#pragma omp parallel for schedule(static) num_threads(net->threads)
    for (size_t i = 0; i < net->items.n; i++) ecc_items_made(net, i, i + 1);
    net->items.after = NULL;
}

/* ---- Forward -------------------------------------------------------------------------------- */

/* net->items.before: the stage before it if its activation is still to be applied, then this one.
 */
static enum ecc_status forward_stage(struct ecc_net *net, struct ecc_stage *stage, bool training,
                                     struct ecc_error *error)
{
    struct ecc_post *const post = &stage->post;
    const bool by_items = stage->linear && stage->linear->by_items;
    if (!by_items) ready_all(net);
    net->items.after = training && post->norm ? stage : NULL;
    if (stage->linear) ECC_TRY(stage->linear->forward(net, stage, net->items.n, error));
    if (!by_items) made_all(net);
    net->items.before = net->items.after = NULL;
    if (!ecc_post_needed(post)) return ECC_OK;
    const struct ecc_post_batch batch = post_batch(net, stage);
    if (post->norm && training) {
        ECC_TRY(ecc_norm_statistics(net, post, &batch, error));
    } else {
        ecc_post_fold(post, &stage->out);
    }
    net->items.before = stage;
    return ECC_OK;
}

static enum ecc_status forward_part(struct ecc_net *net, struct ecc_part *part, size_t n,
                                    bool training, struct ecc_error *error)
{
    ECC_TRY(prepare(net, error));
    net->items = (struct ecc_items){.n = n};
    for (size_t i = 0; i < part->count; i++) {
        const double start = now(net);
        ECC_TRY(forward_stage(net, &part->stages[i], training, error));
        part->stages[i].seconds += now(net) - start;
    }
    ready_all(net);
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

/* What the last two calls left, to be compared. */
static enum ecc_status error_pair(struct ecc_net *net, struct ecc_error_pair *pair,
                                  struct ecc_error *error)
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
    const bool gaps = net->present && net->cells < net->decoded * net->input_map.item;
    *pair = (struct ecc_error_pair){
        .y = decoded(net),
        .x = net->input,
        .y_map = &net->output_map,
        .x_map = &net->input_map,
        .present = gaps ? net->present : NULL,
        .n = net->decoded,
        .cells = gaps ? net->cells : net->decoded * ecc_shape_size(a),
    };
    return ECC_OK;
}

/* Whether the gradient in flow[0] is that of the last sigmoid's input. */
static void leave_gradient(struct ecc_net *net, bool before_sigmoid)
{
    net->has_error = net->training && net->decode_trained;
    if (net->decoder.count == 0) return;
    net->decoder.stages[net->decoder.count - 1].post.before_sigmoid = before_sigmoid;
}

enum ecc_status ecc_net_error(struct ecc_net *net, double *mean_squared, struct ecc_error *error)
{
    struct ecc_error_pair pair;
    ECC_TRY(error_pair(net, &pair, error));
    float *const dy = net->training ? net->flow[0] : NULL;
    *mean_squared = ecc_squared_error(net->errors, dy, &pair, net->threads);
    leave_gradient(net, false);
    return ECC_OK;
}

bool ecc_net_ends_in_sigmoid(const struct ecc_net *net)
{
    return net->decoder.count > 0 && net->decoder.stages[net->decoder.count - 1].post.sigmoid;
}

enum ecc_status ecc_net_cross_entropy(struct ecc_net *net, double *entropy, double *mean_squared,
                                      struct ecc_error *error)
{
    struct ecc_error_pair pair;
    ECC_TRY(error_pair(net, &pair, error));
    if (!ecc_net_ends_in_sigmoid(net)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the cross-entropy needs a decoder that ends in a sigmoid, and that of "
                        "net %s does not",
                        net->spec->name);
    }
    float *const dy = net->training ? net->flow[0] : NULL;
    *entropy =
        ecc_cross_entropy(mean_squared, net->errors, net->entropies, dy, &pair, net->threads);
    if (*entropy < 0 || pair.present) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "the cross-entropy needs items whose numbers all lie between 0 and 1, as "
                        "pixels do, and some of these do not: use the squared error");
    }
    leave_gradient(net, true);
    return ECC_OK;
}

void ecc_net_item_entropies(const struct ecc_net *net, double *entropies)
{
    memcpy(entropies, net->entropies, net->decoded * sizeof *entropies);
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
    leave_gradient(net, false);
    return ECC_OK;
}

void ecc_net_weigh_error(struct ecc_net *net, double factor)
{
    const size_t count = net->decoded * net->output_map.item;
    for (size_t k = 0; k < count; k++) net->flow[0][k] *= (float)factor;
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

/* A stage from dy to dx (NULL: not needed).  The sums of its gradients are there if the stage after
 * it took them. */
static enum ecc_status backward_stage(struct ecc_net *net, struct ecc_stage *stage,
                                      struct ecc_stage *previous, float *dx, float *dy, bool summed,
                                      struct ecc_error *error)
{
    const bool by_items = stage->linear && stage->linear->by_items;
    net->items = (struct ecc_items){.back = true, .n = net->batch, .dy = dy, .dx = dy};
    if (ecc_post_needed(&stage->post)) {
        net->items.after = summed ? NULL : stage;
        made_all(net);
        const struct ecc_post_batch batch = post_batch(net, stage);
        ECC_TRY(ecc_norm_gradients(net, &stage->post, &batch, error));
        if (ecc_post_changes_gradient(&stage->post)) net->items.before = stage;
    }
    if (!by_items) ready_all(net);
    net->items.dx = dx;
    net->items.after = by_items && dx ? previous : NULL;
    net->items.again = previous && previous->passing ? previous : NULL;
    return stage->linear ? stage->linear->backward(net, stage, dx, dy, error) : ECC_OK;
}

/* From dy in net->flow[0] to the gradient of the part's input, *dx, unless it is not needed. */
static enum ecc_status backward_part(struct ecc_net *net, struct ecc_part *part, float **dx,
                                     struct ecc_error *error)
{
    float *dy = net->flow[0], *other = net->flow[1];
    bool summed = false;
    for (size_t i = part->count; i-- > 0;) {
        struct ecc_stage *const stage = &part->stages[i];
        struct ecc_stage *const previous =
            i > 0 && ecc_post_needed(&part->stages[i - 1].post) ? stage - 1 : NULL;
        float *const wanted = stage->first || !stage->linear ? NULL : other;
        const double start = now(net);
        ECC_TRY(backward_stage(net, stage, previous, wanted, dy, summed, error));
        stage->seconds += now(net) - start;
        summed = net->items.after != NULL;
        if (!stage->linear) continue;
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
    float *dx = NULL;
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
