/*
 * plan.c: from the layers of a spec to stages, their layouts and one block of memory.
 *
 * Layers are read from first to last.  Each stage takes the layout of the stage before it; if it
 * cannot, a move is inserted.
 */
#include "nn/plan.h"
#include "base/processor.h"

#include <stdint.h>
#include <stdlib.h>

/* In this order; the last accepts everything. */
static const struct ecc_linear *const linears[] = {
    &ecc_linear_bypass,   &ecc_linear_dense, &ecc_linear_direct, &ecc_linear_point,
    &ecc_linear_winograd, &ecc_linear_wide,  &ecc_linear_conv,   &ecc_linear_move};

void ecc_plan_weights(struct ecc_net *net, size_t tensor, const struct ecc_layout *layout)
{
    size_t *const total = net->tensors[tensor].trainable ? &net->weight_count : &net->running_count;
    net->bindings[tensor] = (struct ecc_binding){.layout = *layout, .offset = *total};
    const size_t line = ECC_ALIGNMENT / sizeof(float);
    *total += (layout->size + line - 1) / line * line;
}

/* ---- Stages --------------------------------------------------------------------------------- */

/* The planner's position in the layers of a part. */
struct cursor {
    const struct ecc_layer_spec *layers;
    size_t count, at;
    bool decoder;
    struct ecc_part *part;
    struct ecc_map map; /* of the last stage's output */
    bool started;
};

static bool next_is(const struct cursor *cursor, enum ecc_layer_kind kind)
{
    return cursor->at < cursor->count && cursor->layers[cursor->at].kind == kind;
}

static struct ecc_stage new_stage(const struct cursor *cursor)
{
    struct ecc_stage stage = {.in = cursor->map, .out = cursor->map, .view = cursor->map.shape};
    stage.weight_tensor = stage.bias_tensor = stage.norm_tensor = SIZE_MAX;
    stage.post.slope = 1;
    stage.first = !cursor->decoder && !cursor->started;
    return stage;
}

static enum ecc_status append(struct cursor *cursor, const struct ecc_stage *stage,
                              struct ecc_error *error)
{
    struct ecc_part *const part = cursor->part;
    struct ecc_stage *const grown = realloc(part->stages, (part->count + 1) * sizeof *grown);
    if (!grown) return ecc_fail_memory(error, "the stages of a net");
    part->stages = grown;
    grown[part->count++] = *stage;
    cursor->map = stage->out;
    cursor->started = true;
    return ECC_OK;
}

/* A stage that only changes the layout or shape of the last output. */
static enum ecc_status append_move(struct cursor *cursor, struct ecc_map to,
                                   struct ecc_error *error)
{
    struct ecc_stage stage = new_stage(cursor);
    stage.linear = &ecc_linear_move;
    stage.out = to;
    return append(cursor, &stage, error);
}

/* Reads the linear layer of a stage, and the layers around it that it can include. */
static void read_linear(struct cursor *cursor, struct ecc_stage *stage,
                        const struct ecc_net_spec *spec)
{
    const struct ecc_layer_spec *layer = &cursor->layers[cursor->at];
    if (layer->kind == ECC_LAYER_BATCHNORM || layer->kind == ECC_LAYER_LEAKY_RELU ||
        layer->kind == ECC_LAYER_RELU || layer->kind == ECC_LAYER_SIGMOID) {
        return;
    }
    const struct ecc_layer_spec *const after = layer + 1;
    const bool more = cursor->at + 1 < cursor->count;
    if (more && layer->kind == ECC_LAYER_PAD && after->kind == ECC_LAYER_CONV) {
        for (int k = 0; k < 2; k++) stage->padding[k] += layer->padding[k];
        layer = after;
        cursor->at++;
    } else if (more && layer->kind == ECC_LAYER_FLATTEN && after->kind == ECC_LAYER_DENSE) {
        layer = after;
        cursor->at++;
    }
    stage->layer = layer;
    stage->view = layer->output;
    for (int k = 0; k < 2; k++) stage->padding[k] += layer->padding[k];
    stage->weight_tensor = ecc_spec_tensor_of(spec, cursor->decoder, cursor->at);
    stage->bias_tensor = stage->weight_tensor + 1;
    cursor->at++;
    if (layer->kind == ECC_LAYER_DENSE && next_is(cursor, ECC_LAYER_RESHAPE)) {
        stage->view = cursor->layers[cursor->at++].output;
    }
}

static bool has_weights(const struct ecc_stage *stage)
{
    const struct ecc_layer_spec *const layer = stage->layer;
    return layer && (layer->kind == ECC_LAYER_CONV || layer->kind == ECC_LAYER_DECONV ||
                     layer->kind == ECC_LAYER_DENSE);
}

static bool is_bypass(const struct ecc_stage *stage)
{
    return stage->layer && stage->layer->kind == ECC_LAYER_BYPASS;
}

static void read_post(struct cursor *cursor, struct ecc_stage *stage,
                      const struct ecc_net_spec *spec)
{
    struct ecc_post *const post = &stage->post;
    const struct ecc_layer_spec *const layer = stage->layer;
    post->has_bias = layer && (layer->kind == ECC_LAYER_CONV || layer->kind == ECC_LAYER_DECONV);
    if (next_is(cursor, ECC_LAYER_BATCHNORM)) {
        post->norm = true;
        stage->norm_tensor = ecc_spec_tensor_of(spec, cursor->decoder, cursor->at++);
    }
    if (next_is(cursor, ECC_LAYER_LEAKY_RELU) || next_is(cursor, ECC_LAYER_RELU)) {
        post->slope = (float)cursor->layers[cursor->at++].slope;
    } else if (next_is(cursor, ECC_LAYER_SIGMOID)) {
        post->sigmoid = true;
        cursor->at++;
    }
}

/* Lays out the parameters of batch norm and of a bias per channel. */
static void plan_post(struct ecc_net *net, struct ecc_stage *stage)
{
    const struct ecc_layout layout =
        ecc_layout_vector(stage->out.shape.channels, ecc_map_channels(&stage->out));
    if (stage->post.has_bias) ecc_plan_weights(net, stage->bias_tensor, &layout);
    for (size_t k = 0; stage->post.norm && k < 4; k++) {
        ecc_plan_weights(net, stage->norm_tensor + k, &layout);
    }
}

/* Whether a reshape or flatten leaves every number where it is. */
static bool is_idle(const struct ecc_stage *stage)
{
    const struct ecc_layer_spec *const layer = stage->layer;
    if (!layer || (layer->kind != ECC_LAYER_FLATTEN && layer->kind != ECC_LAYER_RESHAPE)) {
        return false;
    }
    const struct ecc_map to = ecc_map_plain(stage->view);
    return stage->in.item == to.item && (stage->in.pixels == 1 || stage->in.block == 1);
}

static const struct ecc_linear *find_linear(const struct ecc_net *net,
                                            const struct ecc_stage *stage)
{
    size_t i = 0;
    while (!linears[i]->accepts(net, stage)) i++;
    return linears[i];
}

/*
 * The block in which the next layer takes its input best: eights, which may need filling, or wider
 * ones that need none; 0 if it does not matter.
 * Small tiles take eights.  oneDNN's convolutions, and wide tiles, compute with wide vectors only
 * if their input has wide blocks; 1 x 1 kernels gain nothing by it, and would fill up most of an
 * output with few channels.
 */
static size_t next_block(const struct ecc_net *net, struct cursor after,
                         const struct ecc_stage *stage)
{
    const size_t preferred = ecc_dnn_block(net->dnn);
    const size_t narrow = preferred < ECC_BLOCK ? preferred : ECC_BLOCK;
    if (after.at >= after.count) return 0;
    after.map = ecc_map_of(stage->view, narrow);
    after.started = true;
    struct ecc_stage next = new_stage(&after);
    read_linear(&after, &next, net->spec);
    if (!next.layer) return 0;
    const struct ecc_linear *const linear = find_linear(net, &next);
    if (linear == &ecc_linear_move || linear == &ecc_linear_dense) return 0;
    if (stage->view.channels % preferred != 0) return narrow;
    const bool point = next.layer->kernel[0] == 1 && next.layer->kernel[1] == 1;
    const bool wide = linear == &ecc_linear_wide && ecc_processor_vectors() == ECC_VECTORS_AVX512;
    return wide || (linear == &ecc_linear_conv && !point) ? preferred : narrow;
}

size_t ecc_stage_block(const struct ecc_stage *stage)
{
    return stage->wish > ECC_BLOCK ? stage->wish : ECC_BLOCK;
}

static enum ecc_status plan_linear(struct ecc_net *net, struct cursor *cursor,
                                   struct ecc_stage *stage, struct ecc_error *error)
{
    if (!stage->layer) return ECC_OK;
    if (is_idle(stage)) {
        stage->layer = NULL;
        stage->in = stage->out = ecc_map_plain(stage->view);
        return ECC_OK;
    }
    stage->wish = next_block(net, *cursor, stage);
    stage->linear = find_linear(net, stage);
    ECC_TRY(stage->linear->plan(net, stage, error));
    const bool same = stage->in.block == cursor->map.block ||
                      (stage->in.pixels == 1 && stage->in.item == cursor->map.item);
    if (same || stage->first) return ECC_OK;
    return append_move(cursor, stage->in, error);
}

static enum ecc_status plan_stage(struct ecc_net *net, struct cursor *cursor,
                                  struct ecc_error *error)
{
    struct ecc_stage stage = new_stage(cursor);
    read_linear(cursor, &stage, net->spec);
    read_post(cursor, &stage, net->spec);
    enum ecc_status status = plan_linear(net, cursor, &stage, error);
    if (status == ECC_OK) {
        plan_post(net, &stage);
        if (!stage.linear && !ecc_post_needed(&stage.post)) {
            cursor->map = stage.out; /* only another view of the same numbers */
            return ECC_OK;
        }
        status = append(cursor, &stage, error);
    }
    if (status != ECC_OK && stage.linear && stage.linear->destroy) stage.linear->destroy(&stage);
    return status;
}

static enum ecc_status plan_part(struct ecc_net *net, struct cursor *cursor,
                                 struct ecc_error *error)
{
    while (cursor->at < cursor->count) ECC_TRY(plan_stage(net, cursor, error));
    return ECC_OK;
}

/* ---- Memory --------------------------------------------------------------------------------- */

static void cut_stage(struct ecc_net *net, struct ecc_stage *stage)
{
    struct ecc_arena *const arena = &net->arena;
    struct ecc_post *const post = &stage->post;
    const size_t channels = ecc_map_channels(&stage->out);
    if (ecc_post_needed(post)) {
        post->scale = ecc_arena_cut(arena, channels, sizeof(float));
        post->shift = ecc_arena_cut(arena, channels, sizeof(float));
    }
    if (post->norm) {
        post->mean = ecc_arena_cut(arena, channels, sizeof(float));
        post->inverse = ecc_arena_cut(arena, channels, sizeof(float));
    }
    if (stage->linear && stage->linear->cut) stage->linear->cut(stage, arena);
    if (stage->linear) {
        stage->u = ecc_arena_cut(arena, net->batch, stage->out.item * sizeof(float));
    } else {
        stage->u = stage->x;
    }
    /* inference does not need the input of an activation */
    const bool apart = ecc_post_needed(post) && (net->training || !stage->linear);
    if (!apart) {
        stage->y = stage->u;
    } else if (stage->passing) {
        stage->y = net->passing;
    } else {
        stage->y = ecc_arena_cut(arena, net->batch, stage->out.item * sizeof(float));
    }
}

static float *at(float *block, const struct ecc_net *net, size_t tensor)
{
    return block ? block + net->bindings[tensor].offset : NULL;
}

static void bind_stage(struct ecc_net *net, struct ecc_stage *stage)
{
    struct ecc_post *const post = &stage->post;
    if (is_bypass(stage)) {
        stage->weight = at(net->weights, net, stage->weight_tensor);
        stage->dweight = at(net->gradients, net, stage->weight_tensor);
    }
    if (has_weights(stage)) {
        stage->weight = at(net->weights, net, stage->weight_tensor);
        stage->dweight = at(net->gradients, net, stage->weight_tensor);
        float **const bias = post->has_bias ? &post->bias : &stage->bias;
        float **const dbias = post->has_bias ? &post->dbias : &stage->dbias;
        *bias = at(net->weights, net, stage->bias_tensor);
        *dbias = at(net->gradients, net, stage->bias_tensor);
    }
    if (post->norm) {
        post->gamma = at(net->weights, net, stage->norm_tensor);
        post->dgamma = at(net->gradients, net, stage->norm_tensor);
        post->beta = at(net->weights, net, stage->norm_tensor + 1);
        post->dbeta = at(net->gradients, net, stage->norm_tensor + 1);
        post->running_mean = at(net->running, net, stage->norm_tensor + 2);
        post->running_variance = at(net->running, net, stage->norm_tensor + 3);
    }
}

/* Only the decoder's input needs a gradient. */
static void cut_bypass(struct ecc_net *net, struct ecc_stage *stage, const float *source)
{
    stage->source = source;
    if (!net->training || source != net->code) return;
    stage->dsource = ecc_arena_cut(&net->arena, net->batch, stage->layer->around * sizeof(float));
}

/* Where the next stage goes item by item, it is faster to make y again than to write and read all
 * of it. */
static bool is_passing(const struct ecc_net *net, const struct ecc_part *part, size_t i)
{
    const struct ecc_stage *const stage = &part->stages[i], *const next = stage + 1;
    return net->training && i + 1 < part->count && next->linear && next->linear->by_items &&
           stage->linear && ecc_post_needed(&stage->post) && !stage->post.sigmoid;
}

static void cut_part(struct ecc_net *net, struct ecc_part *part, float *input)
{
    const float *const source = input;
    for (size_t i = 0; i < part->count; i++) {
        part->stages[i].passing = is_passing(net, part, i);
        part->stages[i].x = input;
        if (is_bypass(&part->stages[i])) cut_bypass(net, &part->stages[i], source);
        cut_stage(net, &part->stages[i]);
        bind_stage(net, &part->stages[i]);
        input = part->stages[i].y;
    }
}

static void cut_memory(struct ecc_net *net)
{
    struct ecc_arena *const arena = &net->arena;
    const size_t n = net->batch;
    net->weights = ecc_arena_cut(arena, net->weight_count, sizeof(float));
    net->running = ecc_arena_cut(arena, net->running_count, sizeof(float));
    if (net->training) {
        net->gradients = ecc_arena_cut(arena, net->weight_count, sizeof(float));
        net->first = ecc_arena_cut(arena, net->weight_count, sizeof(float));
        net->second = ecc_arena_cut(arena, net->weight_count, sizeof(float));
        for (int k = 0; k < 2; k++) {
            net->flow[k] = ecc_arena_cut(arena, n, net->largest * sizeof(float));
        }
        net->passing = ecc_arena_cut(arena, n, net->largest * sizeof(float));
        net->partial = ecc_arena_cut(arena, 2 * n, net->widest * sizeof(float));
    }
    size_t most = 1;
    for (size_t i = 0; i < net->tensor_count; i++) {
        if (net->tensors[i].count > most) most = net->tensors[i].count;
    }
    net->room = ecc_arena_cut(arena, most, sizeof(float));
    net->errors = ecc_arena_cut(arena, n, sizeof(double));
    net->entropies = ecc_arena_cut(arena, n, sizeof(double));
    net->scratch = ecc_arena_cut(arena, net->scratch_size, 1);
    net->input = ecc_arena_cut(arena, n, net->input_map.item * sizeof(float));
    net->code = ecc_arena_cut(arena, n, net->latent * sizeof(float));
    if (net->input_map.pixels == 1) net->present = ecc_arena_cut(arena, n, net->input_map.item);
    cut_part(net, &net->encoder, net->input);
    cut_part(net, &net->decoder, net->code);
}

static void measure_part(struct ecc_net *net, const struct ecc_part *part)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct ecc_stage *const stage = &part->stages[i];
        const size_t channels = ecc_map_channels(&stage->out);
        if (stage->in.item > net->largest) net->largest = stage->in.item;
        if (stage->out.item > net->largest) net->largest = stage->out.item;
        if (channels > net->widest) net->widest = channels;
    }
}

/* ---- The whole net -------------------------------------------------------------------------- */

static enum ecc_status plan_encoder(struct ecc_net *net, struct ecc_error *error)
{
    const struct ecc_net_spec *const spec = net->spec;
    struct cursor cursor = {.layers = spec->encoder,
                            .count = spec->encoder_count,
                            .part = &net->encoder,
                            .map = ecc_map_plain(spec->shape)};
    ECC_TRY(plan_part(net, &cursor, error));
    const struct ecc_map end = ecc_map_plain(cursor.map.shape);
    if (cursor.map.item != end.item) ECC_TRY(append_move(&cursor, end, error));
    net->input_map = net->encoder.count ? net->encoder.stages[0].in : end;
    return ECC_OK;
}

static enum ecc_status plan_decoder(struct ecc_net *net, struct ecc_error *error)
{
    const struct ecc_net_spec *const spec = net->spec;
    struct cursor cursor = {.layers = spec->decoder,
                            .count = spec->decoder_count,
                            .decoder = true,
                            .part = &net->decoder,
                            .map = ecc_map_plain((struct ecc_item_shape){spec->latent, 1, 1})};
    ECC_TRY(plan_part(net, &cursor, error));
    net->output_map = cursor.map;
    return ECC_OK;
}

/* Room for the latent tensors that Adam trains, or for the others. */
static void plan_latent(struct ecc_net *net, bool trained)
{
    for (size_t i = 0; i < net->tensor_count; i++) {
        const struct ecc_tensor *const tensor = &net->tensors[i];
        if (!tensor->latent || tensor->latent->trained != trained) continue;
        struct ecc_layout layout = ecc_layout_vector(tensor->shape[0], tensor->count);
        if (tensor->rank == 2) {
            layout.rank = 2;
            layout.dims[1] = tensor->shape[1];
            layout.strides[0] = tensor->shape[1];
            layout.strides[1] = 1;
        }
        ecc_plan_weights(net, i, &layout);
    }
}

enum ecc_status ecc_plan_net(struct ecc_net *net, struct ecc_error *error)
{
    struct ecc_tensors list;
    ECC_TRY(
        ecc_spec_tensors(&list, net->spec, net->latent_tensors, net->latent_tensor_count, error));
    net->tensors = list.at;
    net->tensor_count = list.count;
    net->flat_size = list.flat_size;
    net->bindings = calloc(net->tensor_count + 1, sizeof *net->bindings);
    if (!net->bindings) return ecc_fail_memory(error, "the tensors of a net");
    ECC_TRY(plan_encoder(net, error));
    net->decoder_from = net->weight_count;
    ECC_TRY(plan_decoder(net, error));
    net->decoder_to = net->weight_count;
    plan_latent(net, true);
    net->adam_count = net->weight_count;
    plan_latent(net, false);
    net->largest = net->widest = 1;
    measure_part(net, &net->encoder);
    measure_part(net, &net->decoder);
    cut_memory(net);
    ECC_TRY(ecc_arena_reserve(&net->arena, "the plan of a net", error));
    cut_memory(net);
    return ECC_OK;
}
