/*
 * plan.h: a net as it is executed: stages, their buffers and their parameters.
 *
 * A stage is a linear layer (convolution, dense, or only a move of numbers), then batch norm or a
 * bias per channel, then an activation; each of the three may be missing.
 *     x --linear--> u --norm/bias, activation--> y = x of the next stage
 */
#ifndef ECC_NN_PLAN_H
#define ECC_NN_PLAN_H

#include "base/arena.h"
#include "nn/dnn.h"
#include "nn/net.h"
#include "nn/post.h"

#include <omp.h>

struct ecc_stage;

/* A way to compute a linear layer.  The planner takes the first in its table that accepts. */
struct ecc_linear {
    const char *name;
    /* Whether it can: stage->layer, view, in, padding and wish are set. */
    bool (*accepts)(const struct ecc_net *net, const struct ecc_stage *stage);
    /* Sets stage->out, and stage->in if it needs another layout; lays out the weights
     * (ecc_plan_weights). */
    enum ecc_status (*plan)(struct ecc_net *net, struct ecc_stage *stage, struct ecc_error *error);
    void (*cut)(struct ecc_stage *stage, struct ecc_arena *arena); /* own buffers; or NULL */
    /* After the master weights changed; or NULL. */
    enum ecc_status (*prepare)(struct ecc_stage *stage, struct ecc_error *error);
    enum ecc_status (*forward)(struct ecc_net *net, struct ecc_stage *stage, size_t n,
                               struct ecc_error *error);
    /* From du: gradient of the weights, and dx unless that is NULL. */
    enum ecc_status (*backward)(struct ecc_net *net, struct ecc_stage *stage, float *dx, float *du,
                                struct ecc_error *error);
    void (*destroy)(struct ecc_stage *stage); /* or NULL */
    /* Whether forward and backward compute items one after the other, and so call ecc_items_ready
     * before they read items and ecc_items_made after they wrote them (plan_run.c). */
    bool by_items;
    void (*describe)(const struct ecc_stage *stage, FILE *stream); /* or NULL */
};

extern const struct ecc_linear ecc_linear_bypass, ecc_linear_direct, ecc_linear_dense,
    ecc_linear_point, ecc_linear_winograd, ecc_linear_wide, ecc_linear_conv, ecc_linear_move;

/* The block of the output for kernels that need eights. */
size_t ecc_stage_block(const struct ecc_stage *stage);

/* What wide tiles would take, in the unit of tile_rates.h; infinite where they are not chosen. */
double ecc_linear_wide_time(const struct ecc_net *net, const struct ecc_stage *stage);

/* Where the numbers of a tensor are. */
struct ecc_binding {
    struct ecc_layout layout; /* dimensions in the order of the tensor's */
    size_t offset;            /* in net->weights, or in net->running for those not trained */
};

struct ecc_stage {
    const struct ecc_linear *linear;    /* NULL: u is x */
    const struct ecc_layer_spec *layer; /* the linear one, or NULL */
    void *state;                        /* of the linear layer */
    size_t padding[2];                  /* of the layer and of a pad before it */
    struct ecc_item_shape view; /* shape of the output: a reshape after dense is part of it */
    struct ecc_map in, out;
    size_t wish; /* channels in a block of the output that suit the next layer best; 0: none */
    bool first;  /* of the encoder: dx is not needed, and x can have any layout */

    size_t weight_tensor, bias_tensor, norm_tensor; /* indices of tensors, or SIZE_MAX */
    size_t weight_size;                             /* floats of the master weights */
    float *weight, *dweight;                        /* in the layout of the linear layer */
    float *bias, *dbias;                            /* dense: [out.item] */
    struct ecc_post post;

    float *x, *u, *y;    /* [batch, in.item], [batch, out.item] twice */
    double seconds;      /* of the steps that were timed */
    bool passing;        /* y is not kept but made again from u on the way back */
    const float *source; /* of a bypass: the input of the part, [batch, around] */
    float *dsource;      /* its gradient through the bypass, or NULL: not needed */
};

struct ecc_part {
    struct ecc_stage *stages;
    size_t count;
};

/*
 * What else is done with an item while a linear layer has it in the cache; NULL: nothing.
 *     forward   before: the batch norm and activation of the stage before it; after: this stage's
 *               sums for batch norm
 *     backward  before: du from dy, of this stage; after: the sums of gradients of the stage before
 *               it; again: that stage, if its y was not kept
 */
struct ecc_items {
    const struct ecc_stage *before, *after, *again;
    bool back;
    float *dy, *dx; /* on the way back: [batch, out.item] of this stage, [batch, in.item] */
    size_t n;
};

struct ecc_net {
    struct ecc_net_spec *spec; /* a copy of its own */
    struct ecc_dnn *dnn;
    struct ecc_arena arena;
    size_t batch, latent, encoder_outputs;
    struct ecc_item_shape shape;
    bool training, direct;
    int threads;
    struct ecc_part encoder, decoder;
    double step_flops;

    struct ecc_tensor *tensors;
    struct ecc_binding *bindings;
    size_t tensor_count, flat_size;

    struct ecc_latent_tensor *latent_tensors; /* a copy of its own */
    size_t latent_tensor_count;

    size_t weight_count, running_count; /* floats */
    size_t decoder_from, decoder_to;    /* the decoder's of the weights */
    size_t adam_count;                  /* the first of the weights: those that Adam trains */
    float *weights, *gradients, *first, *second; /* [weight_count] each; the last two are Adam's */
    float *running;                              /* [running_count] */
    float *room;                                 /* [largest tensor] */
    size_t scratch_size;                         /* bytes */
    void *scratch;
    float *partial;         /* [batch, channels] twice: sums of batch norm, item by item */
    double *errors;         /* [batch] squared errors, item by item */
    double *entropies;      /* [batch] cross-entropies, item by item */
    float *flow[2];         /* [batch, largest item]: gradients on their way back */
    float *passing;         /* [batch, largest item]: outputs that are not kept */
    size_t largest, widest; /* floats of the largest item; channels of the widest stage */
    struct ecc_map input_map, output_map; /* of the encoder's input, of the decoder's output */
    float *input, *code;                  /* [batch, input_map.item], [batch, latent] */
    uint8_t *present; /* of vectors: [batch, size], 0 where a number of the input is missing */
    size_t cells;     /* numbers of the last input that are not missing */

    struct ecc_norm_share share;     /* size 0: this process is alone */
    struct ecc_post_moments *shared; /* [share.size, widest], or NULL */

    bool timed;                          /* add to the seconds of the stages */
    struct ecc_items items;              /* of the stage that is being computed */
    bool stale;                          /* weights changed since the layers prepared theirs */
    size_t encoded, decoded;             /* items of the last calls; 0: none */
    bool encode_trained, decode_trained; /* whether those were training passes */
    bool has_error;                      /* flow[0] holds the gradient of the error */
};

/* Two batches in any layout whose difference is the error; present may be NULL: all are. */
struct ecc_error_pair {
    const float *y, *x;
    const struct ecc_map *y_map, *x_map;
    const uint8_t *present; /* [n, size] 0: this number of x is missing and does not count */
    size_t n, cells;        /* cells: numbers that count */
};

/* error.c: the mean of the squared differences; items: [n] is what each adds to the sum; and unless
 * dy is NULL the gradient, in the layout of y. */
double ecc_squared_error(double *items, float *dy, const struct ecc_error_pair *pair, int threads);

/* The mean of -x log y - (1-x) log(1-y), or a negative number if a number of x lies outside
 * [0, 1]; entropies: [n] is what each item adds to the sum.  dy is the gradient with respect to the
 * input of the sigmoid that made y: (y - x) / cells.  None may be missing. */
double ecc_cross_entropy(double *mean_squared, double *items, double *entropies, float *dy,
                         const struct ecc_error_pair *pair, int threads);

static inline size_t ecc_thread(void)
{
    return (size_t)omp_get_thread_num();
}

/* plan_run.c: for items from `first` to before `last`, each once and by the thread that computes
 * it; for layers that are computed by items. */
void ecc_items_ready(const struct ecc_net *net, size_t first, size_t last);
void ecc_items_made(const struct ecc_net *net, size_t first, size_t last);

/* norm_share.c: ecc_post_statistics and ecc_post_gradients of a batch that may be spread over
 * processes. */
enum ecc_status ecc_norm_statistics(struct ecc_net *net, struct ecc_post *post,
                                    const struct ecc_post_batch *batch, struct ecc_error *error);
enum ecc_status ecc_norm_gradients(struct ecc_net *net, struct ecc_post *post,
                                   const struct ecc_post_batch *batch, struct ecc_error *error);

/* plan_time.c: whether the stages have been timed, and then the seconds of all. */
double ecc_net_seconds(const struct ecc_net *net);

/* plan.c */
enum ecc_status ecc_plan_net(struct ecc_net *net, struct ecc_error *error);
/* Reserves room for a tensor's master copy and records its layout. */
void ecc_plan_weights(struct ecc_net *net, size_t tensor, const struct ecc_layout *layout);

/* tensors.c: names and shapes that follow from the spec; latent tensors are the last.  list->at is
 * the caller's to free. */
struct ecc_tensors {
    struct ecc_tensor *at;
    size_t count, flat_size;
};
enum ecc_status ecc_spec_tensors(struct ecc_tensors *list, const struct ecc_net_spec *spec,
                                 const struct ecc_latent_tensor *latent, size_t latent_count,
                                 struct ecc_error *error);
/* The first tensor of a layer, or SIZE_MAX. */
size_t ecc_spec_tensor_of(const struct ecc_net_spec *spec, bool decoder, size_t layer);
/* Initial values of a tensor: [count], in its own order. */
void ecc_tensor_draw(float *values, const struct ecc_tensor *tensors, size_t number, uint64_t seed);

#endif
