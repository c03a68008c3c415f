/*
 * dnn.c: convolutions and matrix products by oneDNN.
 *
 * For a layout without a fast kernel oneDNN silently uses its reference implementation, which is
 * hundreds of times slower.  A plan therefore looks at the names of the implementations, and tries
 * the layout that oneDNN prefers, and others, when it finds that one.
 */
#include "nn/dnn.h"
#include "nn/dnn_api.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct pass {
    dnnl_primitive_desc_t desc;
    dnnl_primitive_t primitive;
    dnnl_memory_t in, weights, out, scratch;
    dnnl_primitive_t reorder; /* from the master weights; NULL: the same layout */
    dnnl_memory_t master;
};

struct ecc_dnn_conv {
    struct ecc_dnn *dnn;
    struct ecc_conv_dims dims;
    struct pass passes[ECC_CONV_PASSES];
    bool training, back_data;
};

dnnl_status_t ecc_dnn_noticed(dnnl_status_t status)
{
    return errno == ENOMEM ? dnnl_out_of_memory : status;
}

enum ecc_status ecc_dnn_check(dnnl_status_t status, const char *what, struct ecc_error *error)
{
    if (status == dnnl_success) return ECC_OK;
    if (status == dnnl_out_of_memory) return ecc_fail_memory(error, what);
    return ecc_fail(error, ECC_BAD_DATA, "oneDNN refuses %s (status %d)", what, (int)status);
}

/* ---- Engine --------------------------------------------------------------------------------- */

/* The channels in a block that oneDNN prefers here; 1 where it knows no blocks.  Without memory it
 * knows nothing, which must not be taken for that: another layout gives other weights. */
static enum ecc_status find_block(struct ecc_dnn *dnn, struct ecc_error *error)
{
    const struct ecc_conv_shape shape = {
        .n = 2, .in = {64, 16, 16}, .out = {64, 14, 14}, .kernel = {3, 3}, .stride = {1, 1}};
    struct ecc_dnn_conv *conv;
    struct ecc_conv_info info;
    dnn->block = 1;
    const enum ecc_status status =
        ecc_dnn_conv_create(&conv, &info, dnn, &shape, 0, true, true, error);
    if (status != ECC_OK) return status == ECC_NO_MEMORY ? status : ECC_OK;
    ecc_dnn_conv_free(conv);
    if (info.out.block != 64) dnn->block = info.out.block;
    return ECC_OK;
}

enum ecc_status ecc_dnn_create(struct ecc_dnn **result, struct ecc_error *error)
{
    *result = NULL;
    struct ecc_dnn *const dnn = calloc(1, sizeof *dnn);
    if (!dnn) return ecc_fail_memory(error, "oneDNN");
    dnnl_status_t status = dnnl_engine_create(&dnn->engine, dnnl_cpu, 0);
    if (status == dnnl_success) {
        status = dnnl_stream_create(&dnn->stream, dnn->engine, dnnl_stream_default_flags);
    }
    if (status == dnnl_success) status = dnnl_primitive_attr_create(&dnn->attributes);
    if (status == dnnl_success) {
        status =
            dnnl_primitive_attr_set_scratchpad_mode(dnn->attributes, dnnl_scratchpad_mode_user);
    }
    if (status != dnnl_success) {
        ecc_dnn_free(dnn);
        return ecc_dnn_check(status, "an engine", error);
    }
    const enum ecc_status found = find_block(dnn, error);
    if (found != ECC_OK) {
        ecc_dnn_free(dnn);
        return found;
    }
    *result = dnn;
    return ECC_OK;
}

void ecc_dnn_free(struct ecc_dnn *dnn)
{
    if (!dnn) return;
    if (dnn->attributes) dnnl_primitive_attr_destroy(dnn->attributes);
    if (dnn->stream) dnnl_stream_destroy(dnn->stream);
    if (dnn->engine) dnnl_engine_destroy(dnn->engine);
    free(dnn);
}

size_t ecc_dnn_block(const struct ecc_dnn *dnn)
{
    return dnn->block;
}

/* ---- Choosing implementations --------------------------------------------------------------- */

struct ecc_conv_dims ecc_dnn_dims(const struct ecc_conv_shape *s)
{
    struct ecc_conv_dims dims = {.transposed = s->transposed};
    const size_t in[] = {s->n, s->in.channels, s->in.height, s->in.width};
    const size_t out[] = {s->n, s->out.channels, s->out.height, s->out.width};
    for (int k = 0; k < 4; k++) {
        dims.in[k] = (dnnl_dim_t)in[k];
        dims.out[k] = (dnnl_dim_t)out[k];
    }
    dims.weights[0] = dims.out[1];
    dims.weights[1] = dims.in[1];
    for (int k = 0; k < 2; k++) {
        /* a transposed convolution goes from its output to its input */
        const dnnl_dim_t large = s->transposed ? dims.out[2 + k] : dims.in[2 + k];
        const dnnl_dim_t small = s->transposed ? dims.in[2 + k] : dims.out[2 + k];
        dims.weights[2 + k] = (dnnl_dim_t)s->kernel[k];
        dims.stride[k] = (dnnl_dim_t)s->stride[k];
        dims.before[k] = (dnnl_dim_t)s->padding[k];
        dims.after[k] = (small - 1) * dims.stride[k] + dims.weights[2 + k] - large - dims.before[k];
    }
    return dims;
}

dnnl_format_tag_t ecc_dnn_tag(size_t block, dnnl_dim_t channels)
{
    if (block == 0) return dnnl_format_tag_any;
    if (block == 1) return dnnl_nchw;
    if (block == (size_t)channels && block != 8 && block != 16) return dnnl_nhwc;
    return block == 4 ? dnnl_nChw4c : block == 8 ? dnnl_nChw8c : block == 16 ? dnnl_nChw16c : 0;
}

/* The channels in a block of this layout of images; 0 for a layout that we do not know. */
static size_t block_of(ecc_desc desc)
{
    struct ecc_layout layout;
    if (!ecc_desc_layout(&layout, desc)) return 0;
    const size_t channels = layout.dims[1];
    const size_t pixels = layout.dims[2] * layout.dims[3];
    if (layout.inner_count == 0) {
        if (channels == 1 || (layout.strides[1] == pixels && pixels > 1)) return 1;
        return layout.strides[1] == 1 ? channels : 0;
    }
    return layout.inner_count == 1 && layout.inner_dim[0] == 1 ? layout.inner_size[0] : 0;
}

static const dnnl_query_t queries[ECC_CONV_PASSES][3] = {
    [ECC_CONV_FORWARD] = {dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md},
    [ECC_CONV_BACK_DATA] = {dnnl_query_diff_src_md, dnnl_query_weights_md, dnnl_query_diff_dst_md},
    [ECC_CONV_BACK_WEIGHTS] = {dnnl_query_src_md, dnnl_query_diff_weights_md,
                               dnnl_query_diff_dst_md},
};

static ecc_desc pass_desc(const struct ecc_dnn_conv *conv, enum ecc_conv_pass pass, int which)
{
    return dnnl_primitive_desc_query_md(conv->passes[pass].desc, queries[pass][which], 0);
}

static dnnl_status_t describe_pass(struct ecc_dnn_conv *conv, enum ecc_conv_pass pass,
                                   size_t in_block, size_t out_block)
{
    struct ecc_conv_dims *const dims = &conv->dims;
    struct ecc_desc_storage in = {0}, weights = {0}, out = {0};
    dnnl_status_t status = ecc_desc_init(&in, dims->in, ecc_dnn_tag(in_block, dims->in[1]));
    if (status == dnnl_success) {
        status = ecc_desc_init(&weights, dims->weights, dnnl_format_tag_any);
    }
    if (status == dnnl_success) {
        status = ecc_desc_init(&out, dims->out, ecc_dnn_tag(out_block, dims->out[1]));
    }
    if (status == dnnl_success) {
        const struct ecc_conv_plan plan = {.pass = pass,
                                           .training = conv->training,
                                           .dims = dims,
                                           .in = ecc_desc_of(&in),
                                           .weights = ecc_desc_of(&weights),
                                           .out = ecc_desc_of(&out),
                                           .attributes = conv->dnn->attributes,
                                           .hint = pass == ECC_CONV_FORWARD ? NULL
                                                                            : conv->passes[0].desc};
        errno = 0;
        status = ecc_dnn_noticed(
            ecc_conv_desc_create(&conv->passes[pass].desc, conv->dnn->engine, &plan));
    }
    ecc_desc_release(&in);
    ecc_desc_release(&weights);
    ecc_desc_release(&out);
    return status;
}

static bool wanted(const struct ecc_dnn_conv *conv, int pass)
{
    return pass == ECC_CONV_FORWARD ||
           (conv->training && (pass != ECC_CONV_BACK_DATA || conv->back_data));
}

static void forget(struct ecc_dnn_conv *conv)
{
    for (int pass = 0; pass < ECC_CONV_PASSES; pass++) {
        if (conv->passes[pass].desc) dnnl_primitive_desc_destroy(conv->passes[pass].desc);
        conv->passes[pass].desc = NULL;
    }
}

const char *ecc_dnn_implementation(const_dnnl_primitive_desc_t desc, bool *slow)
{
    const char *name = "";
    dnnl_primitive_desc_query(desc, dnnl_query_impl_info_str, 0, (void *)&name);
    *slow = strstr(name, "ref") != NULL;
    return name;
}

static bool is_slow(const struct ecc_dnn_conv *conv, int pass)
{
    bool slow;
    ecc_dnn_implementation(conv->passes[pass].desc, &slow);
    return slow;
}

/* The gradient of the weights; with few channels it may need its input in blocks where forward
 * needs it plain. */
static dnnl_status_t describe_weights(struct ecc_dnn_conv *conv, struct ecc_conv_info *info)
{
    const size_t candidates[] = {info->in.block, 8, 16};
    struct pass *const pass = &conv->passes[ECC_CONV_BACK_WEIGHTS];
    dnnl_status_t status = dnnl_unimplemented;
    for (int i = 0; i < 4; i++) {
        const size_t block = candidates[i % 3]; /* finally the first again, fast or not */
        if (pass->desc) dnnl_primitive_desc_destroy(pass->desc);
        pass->desc = NULL;
        status = describe_pass(conv, ECC_CONV_BACK_WEIGHTS, block, info->out.block);
        info->weights_in = ecc_map_of(info->in.shape, block);
        if (status == dnnl_success && !is_slow(conv, ECC_CONV_BACK_WEIGHTS)) break;
        if (status == dnnl_out_of_memory) break;
    }
    return status;
}

static dnnl_status_t describe_other(struct ecc_dnn_conv *conv, struct ecc_conv_info *info, int pass)
{
    if (pass == ECC_CONV_BACK_WEIGHTS) return describe_weights(conv, info);
    return describe_pass(conv, ECC_CONV_BACK_DATA, info->in.block, info->out.block);
}

/* Describes all passes for a layout of the input; oneDNN chooses that of the output. */
static dnnl_status_t describe(struct ecc_dnn_conv *conv, struct ecc_conv_info *info,
                              const struct ecc_conv_shape *shape, size_t in_block)
{
    dnnl_status_t status = describe_pass(conv, ECC_CONV_FORWARD, in_block, 0);
    if (status != dnnl_success) return status;
    const size_t in = block_of(pass_desc(conv, ECC_CONV_FORWARD, 0));
    const size_t out = block_of(pass_desc(conv, ECC_CONV_FORWARD, 2));
    if (in == 0 || out == 0) return dnnl_unimplemented;
    *info =
        (struct ecc_conv_info){.in = ecc_map_of(shape->in, in), .out = ecc_map_of(shape->out, out)};
    info->weights_in = info->in;
    for (int pass = 0; pass < ECC_CONV_PASSES; pass++) {
        if (!wanted(conv, pass)) continue;
        if (pass > 0) status = describe_other(conv, info, pass);
        if (status != dnnl_success) return status;
        bool slow;
        info->implementation[pass] = ecc_dnn_implementation(conv->passes[pass].desc, &slow);
        if (slow) info->slow = true;
        if (!ecc_desc_layout(&info->weights[pass], pass_desc(conv, (enum ecc_conv_pass)pass, 1))) {
            return dnnl_unimplemented;
        }
    }
    return dnnl_success;
}

/* Tries the given layout, then the one that oneDNN prefers, then blocks.  Takes the first that is
 * fast, or else the first that works.  Fails without memory instead of trying another. */
static enum ecc_status choose(struct ecc_dnn_conv *conv, struct ecc_conv_info *info,
                              const struct ecc_conv_shape *shape, size_t in_block,
                              struct ecc_error *error)
{
    const size_t candidates[] = {in_block, 0, 8, 16, 1};
    enum { COUNT = sizeof candidates / sizeof candidates[0] };
    size_t usable = COUNT;
    for (size_t i = 0; i < COUNT; i++) {
        const dnnl_status_t status = describe(conv, info, shape, candidates[i]);
        if (status == dnnl_success && !info->slow) return ECC_OK;
        if (status == dnnl_success && usable == COUNT) usable = i;
        forget(conv);
        if (status == dnnl_out_of_memory) return ecc_dnn_check(status, "a convolution", error);
    }
    if (usable == COUNT) {
        return ecc_dnn_check(dnnl_unimplemented,
                             shape->transposed ? "a deconvolution" : "a convolution", error);
    }
    return ecc_dnn_check(describe(conv, info, shape, candidates[usable]), "a convolution", error);
}

/* ---- Primitives ----------------------------------------------------------------------------- */

static dnnl_status_t make_memory(dnnl_memory_t *memory, struct ecc_dnn *dnn, ecc_desc desc)
{
    return dnnl_memory_create(memory, desc, dnn->engine, DNNL_MEMORY_NONE);
}

static dnnl_status_t make_reorder(struct ecc_dnn_conv *conv, enum ecc_conv_pass pass)
{
    struct pass *const p = &conv->passes[pass];
    const ecc_desc from = pass_desc(conv, ECC_CONV_BACK_WEIGHTS, 1);
    const ecc_desc to = pass_desc(conv, pass, 1);
    if (dnnl_memory_desc_equal(from, to)) return dnnl_success;
    dnnl_primitive_desc_t desc;
    dnnl_status_t status = dnnl_reorder_primitive_desc_create(&desc, from, conv->dnn->engine, to,
                                                              conv->dnn->engine, NULL);
    if (status != dnnl_success) return status;
    status = dnnl_primitive_create(&p->reorder, desc);
    dnnl_primitive_desc_destroy(desc);
    if (status == dnnl_success) status = make_memory(&p->master, conv->dnn, from);
    return status;
}

static dnnl_status_t make_pass(struct ecc_dnn_conv *conv, struct ecc_conv_info *info,
                               enum ecc_conv_pass pass)
{
    struct pass *const p = &conv->passes[pass];
    const ecc_desc scratch = dnnl_primitive_desc_query_md(p->desc, dnnl_query_scratchpad_md, 0);
    const size_t bytes = dnnl_memory_desc_get_size(scratch);
    if (bytes > info->scratch) info->scratch = bytes;
    dnnl_status_t status = dnnl_primitive_create(&p->primitive, p->desc);
    if (status == dnnl_success) status = make_memory(&p->in, conv->dnn, pass_desc(conv, pass, 0));
    if (status == dnnl_success) {
        status = make_memory(&p->weights, conv->dnn, pass_desc(conv, pass, 1));
    }
    if (status == dnnl_success) status = make_memory(&p->out, conv->dnn, pass_desc(conv, pass, 2));
    if (status == dnnl_success) status = make_memory(&p->scratch, conv->dnn, scratch);
    if (status == dnnl_success && conv->training && pass != ECC_CONV_BACK_WEIGHTS) {
        status = make_reorder(conv, pass);
    }
    return status;
}

enum ecc_status ecc_dnn_conv_create(struct ecc_dnn_conv **result, struct ecc_conv_info *info,
                                    struct ecc_dnn *dnn, const struct ecc_conv_shape *shape,
                                    size_t in_block, bool training, bool back_data,
                                    struct ecc_error *error)
{
    *result = NULL;
    *info = (struct ecc_conv_info){0};
    struct ecc_dnn_conv *const conv = calloc(1, sizeof *conv);
    if (!conv) return ecc_fail_memory(error, "a convolution");
    conv->dnn = dnn;
    conv->training = training;
    conv->back_data = back_data;
    conv->dims = ecc_dnn_dims(shape);
    enum ecc_status status = choose(conv, info, shape, in_block, error);
    for (int pass = 0; pass < ECC_CONV_PASSES && status == ECC_OK; pass++) {
        if (!wanted(conv, pass)) {
            info->weights[pass] = info->weights[ECC_CONV_FORWARD];
            continue;
        }
        status =
            ecc_dnn_check(make_pass(conv, info, (enum ecc_conv_pass)pass), "a convolution", error);
    }
    if (status != ECC_OK) {
        ecc_dnn_conv_free(conv);
        return status;
    }
    *result = conv;
    return ECC_OK;
}

void ecc_dnn_conv_free(struct ecc_dnn_conv *conv)
{
    if (!conv) return;
    for (int pass = 0; pass < ECC_CONV_PASSES; pass++) {
        struct pass *const p = &conv->passes[pass];
        dnnl_memory_t memories[] = {p->in, p->weights, p->out, p->scratch, p->master};
        for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++) {
            if (memories[i]) dnnl_memory_destroy(memories[i]);
        }
        if (p->primitive) dnnl_primitive_destroy(p->primitive);
        if (p->reorder) dnnl_primitive_destroy(p->reorder);
    }
    forget(conv);
    free(conv);
}

/* ---- Running -------------------------------------------------------------------------------- */

enum ecc_status ecc_dnn_conv_run(struct ecc_dnn_conv *conv, enum ecc_conv_pass pass, float *in,
                                 float *weights, float *out, void *scratch, struct ecc_error *error)
{
    static const int roles[ECC_CONV_PASSES][3] = {
        [ECC_CONV_FORWARD] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
        [ECC_CONV_BACK_DATA] = {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
        [ECC_CONV_BACK_WEIGHTS] = {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST},
    };
    struct pass *const p = &conv->passes[pass];
    const dnnl_exec_arg_t arguments[] = {{roles[pass][0], p->in},
                                         {roles[pass][1], p->weights},
                                         {roles[pass][2], p->out},
                                         {DNNL_ARG_SCRATCHPAD, p->scratch}};
    void *const data[] = {in, weights, out, scratch};
    for (int i = 0; i < 4; i++) {
        const dnnl_status_t status = dnnl_memory_set_data_handle(arguments[i].memory, data[i]);
        if (status != dnnl_success) return ecc_dnn_check(status, "a buffer", error);
    }
    return ecc_dnn_check(dnnl_primitive_execute(p->primitive, conv->dnn->stream, 4, arguments),
                         "to run a convolution", error);
}

bool ecc_dnn_conv_same(const struct ecc_dnn_conv *conv, enum ecc_conv_pass pass)
{
    return conv->passes[pass].reorder == NULL;
}

enum ecc_status ecc_dnn_conv_reorder(struct ecc_dnn_conv *conv, enum ecc_conv_pass pass,
                                     float *weights, float *master, struct ecc_error *error)
{
    struct pass *const p = &conv->passes[pass];
    dnnl_memory_set_data_handle(p->weights, weights);
    dnnl_memory_set_data_handle(p->master, master);
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, p->master}, {DNNL_ARG_TO, p->weights}};
    return ecc_dnn_check(dnnl_primitive_execute(p->reorder, conv->dnn->stream, 2, arguments),
                         "to reorder weights", error);
}

enum ecc_status ecc_dnn_gemm(float *c, const float *a, const float *b, const struct ecc_product *p,
                             struct ecc_error *error)
{
    const dnnl_dim_t m = (dnnl_dim_t)p->m, n = (dnnl_dim_t)p->n, k = (dnnl_dim_t)p->k;
    return ecc_dnn_check(dnnl_sgemm(p->transpose_a ? 'T' : 'N', p->transpose_b ? 'T' : 'N', m, n, k,
                                    1, a, p->transpose_a ? m : k, b, p->transpose_b ? k : n,
                                    p->beta, c, n),
                         "a matrix product", error);
}
