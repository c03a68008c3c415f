/*
 * regularizer.h: the interface of a regularizer: what holds the latents of a batch in shape,
 * planned once.
 *
 * Each regularizer is a file of method/ that ends in a const entry, and a line of the table below.
 *
 * An encoder gives outputs [n, columns].  For most regularizers they are the latents z: [n, d]
 * themselves; a VAE's are mean and log variance, from which latents are drawn; others normalise,
 * quantise or multiply them.  A step of training is the same for all of them:
 *     ecc_regularizer_latents   outputs -> z, for the decoder
 *     ecc_regularizer_weight    lambda of this step, where the method decides it
 *     evaluate                  value, and its gradient with respect to the outputs
 *     ecc_regularizer_combine   lambda times that gradient plus what came back from the decoder
 *     ecc_regularizer_learn     what the method itself learns from the batch
 * Random draws depend on (seed, step) and nothing else, so a resumed run draws the same.
 *
 * Only `create`, `evaluate` and `destroy` must be there.  A regularizer may also have options of
 * its own (choice.h), numbers that lie beside the weights of the net (`tensors`), and a state that
 * only training needs (`arrays`).
 */
#ifndef ECC_REGULARIZER_REGULARIZER_H
#define ECC_REGULARIZER_REGULARIZER_H

#include "base/status.h"
#include "regularizer/latent_tensor.h"

enum {
    ECC_REGULARIZER_TERMS = 4,
    ECC_REGULARIZER_OPTIONS = 8, /* of one regularizer, at most */
    ECC_REGULARIZER_ARRAYS = 32,
};

/* The value of a batch, and the named parts it is made of, for reports. */
struct ecc_regularizer_value {
    double loss;
    size_t term_count;
    struct {
        const char *name;
        double value;
    } terms[ECC_REGULARIZER_TERMS];
};

struct ecc_regularizer_options {
    struct ecc_loss_options loss;        /* of the eccentric one; all use `threads` */
    uint64_t seed;                       /* of the random draws */
    bool own_given;                      /* false: the usual ones */
    double own[ECC_REGULARIZER_OPTIONS]; /* values of the regularizer's own options */
};

struct ecc_regularizer_options ecc_regularizer_defaults(void);

/* Numbers that a resumed training needs, besides those that `tensors` lists. */
struct ecc_regularizer_array {
    const char *name;
    float *data;
    size_t count;
};

/* What `learn` may want to know. */
struct ecc_regularizer_learning {
    uint64_t step; /* steps done before this one */
    double rate;   /* Adam's rate in this step, as a share of the highest */
};

/* The decoder, for those who need more than one pass through it. */
struct ecc_regularizer_decoder {
    void *context;
    /* g: [n, d], the gradient of the sum of squares of what the decoder makes of z: [n, d], with
     * statistics of the batch.  `factor` times its gradient with respect to the decoder's weights
     * is added to the gradients of the step. */
    enum ecc_status (*squares)(void *context, float *g, const float *z, size_t n, double factor,
                               struct ecc_error *error);
};

/* A number that a trained model has to tell. */
struct ecc_regularizer_figure {
    const char *name; /* for people: "learned noise of the decoder (deviation)" */
    double value;
};

struct ecc_regularizer {
    const char *name;
    const char *summary;                          /* one line for help texts */
    const struct ecc_regularizer_option *options; /* or NULL: none */
    double lambda;             /* the usual weight; 0: that of the eccentric loss */
    bool straight_through;     /* pull_back is not the derivative of latents, on purpose */
    bool directions;           /* the value does not depend on the lengths of the latents */
    bool no_lambda;            /* it adds nothing to the loss, so lambda has no effect */
    size_t outputs_per_latent; /* 1, or 2: [mean, log variance] in each row */
    size_t outputs_more;       /* numbers in each row besides those */
    size_t n_min, d_min;       /* the smallest batch and dimension */

    /* Plans for batches of n_min to n_max latents of dimension d; options may be NULL. */
    enum ecc_status (*create)(void **state, size_t n_max, size_t d,
                              const struct ecc_regularizer_options *options,
                              struct ecc_error *error);
    /* outputs: [n, outputs_per_latent * d]; doutputs, of the same shape, is overwritten with the
     * gradient, or NULL.  Allocates nothing. */
    enum ecc_status (*evaluate)(void *state, struct ecc_regularizer_value *value, float *doutputs,
                                const float *outputs, size_t n, uint64_t step,
                                struct ecc_error *error);
    /* NULL where the outputs are the latents.  z: [n, d]. */
    enum ecc_status (*latents)(void *state, float *z, const float *outputs, size_t n, uint64_t step,
                               struct ecc_error *error);
    /* NULL where the outputs are the latents.  Adds to doutputs the gradient that follows from dz:
     * [n, d], that of the drawn latents.  (outputs, n, step) are those of `latents`. */
    void (*pull_back)(void *state, float *doutputs, const float *dz, const float *outputs, size_t n,
                      uint64_t step);
    void (*destroy)(void *state);

    /* ---- Each of these may be NULL ---- */

    /* What `create` cannot know: whether d and the options fit each other. */
    enum ecc_status (*check)(size_t d, const double *own, struct ecc_error *error);
    /* z: [n, d], what analysis uses; without it the first d numbers of each row.  values: as bound.
     */
    void (*means)(float *z, const float *outputs, size_t n, size_t d, const double *own,
                  float *const *values);
    /* Where `means` is a linear map: that map, [d, d], with z = product x.  false: no memory. */
    bool (*product)(float *product, size_t d, const double *own, float *const *values);
    /* The numbers it keeps with the weights of the net: in checkpoints, averages and the model. */
    size_t (*tensors)(struct ecc_latent_tensor list[ECC_LATENT_TENSORS], size_t d,
                      const double *own);
    /* Where they are, and where the gradients of those go that Adam trains: set by pull_back or
     * weight, in each step. */
    void (*bind)(void *state, float *const *values, float *const *gradients);
    /* Lambda of this step, after the squared error of the batch is known; size: numbers of an item;
     * step: steps done before this one, in this training. */
    double (*weight)(void *state, double lambda, double error, size_t size, uint64_t step);
    /* After the gradients of a step, before the weights change. */
    enum ecc_status (*learn)(void *state, const float *outputs, size_t n,
                             const struct ecc_regularizer_learning *how, struct ecc_error *error);
    /* A penalty that takes more passes through the decoder: its gradient is added to dz: [n, d];
     * *value is its share of the loss. */
    enum ecc_status (*penalty)(void *state, double *value, float *dz, const float *z, size_t n,
                               const struct ecc_regularizer_decoder *decoder,
                               struct ecc_error *error);
    /* Its own state, for checkpoints; and back to what `create` left, for a second training. */
    size_t (*arrays)(void *state, struct ecc_regularizer_array list[ECC_REGULARIZER_ARRAYS]);
    void (*reset)(void *state);
    /* Where latents are codes: *dim latents in a row make one, and there are *count of them. */
    void (*codes)(size_t *dim, double *count, size_t d, const double *own);
    /* What it has learned, as at most ECC_REGULARIZER_TERMS numbers; values: as bound. */
    size_t (*figures)(struct ecc_regularizer_figure list[ECC_REGULARIZER_TERMS], const double *own,
                      float *const *values);
    /* Where all latents lie on a sphere around 0: its radius.  Samples come from there. */
    double (*radius)(size_t d);
    /* L2 decay of the encoder's and of the decoder's kernels, added to the gradient. */
    void (*decay)(double *encoder, double *decoder, const double *own);
    /* Whether the kernels of the net are divided by their largest singular values. */
    bool (*normalizes)(const double *own);
};

/* The table: a new regularizer is a file of its own and a line here. */
/* clang-format off */
#define ECC_REGULARIZERS(entry) \
    entry(eccentric) \
    entry(none) \
    entry(kl) \
    entry(vae) \
    entry(svae) \
    entry(mmd) \
    entry(cwae) \
    entry(swae) \
    entry(sigreg) \
    entry(rae) \
    entry(rae_gp) \
    entry(rae_sn) \
    entry(uae) \
    entry(sphere) \
    entry(mhe) \
    entry(uniform) \
    entry(cosine) \
    entry(evenness) \
    entry(vicreg) \
    entry(dip) \
    entry(irmae) \
    entry(nested) \
    entry(vq) \
    entry(fsq) \
    entry(wae_gan)
/* clang-format on */
#define ECC_REGULARIZER_DECLARE(name) extern const struct ecc_regularizer ecc_regularizer_##name;
ECC_REGULARIZERS(ECC_REGULARIZER_DECLARE)

/* All of them, ending in NULL; and the one with this name, or NULL. */
extern const struct ecc_regularizer *const ecc_regularizers[];
const struct ecc_regularizer *ecc_regularizer_find(const char *name);

/* One regularizer of the table with its plan, for training: create, then per step latents,
 * evaluate, combine. */
struct ecc_regularizer_plan {
    const struct ecc_regularizer *entry;
    void *state;
    size_t d;
    int threads; /* of its matrix products, whatever the caller's number is; 0: the caller's */
    double own[ECC_REGULARIZER_OPTIONS];
    float *values[ECC_LATENT_TENSORS]; /* as bound */
};

enum ecc_status ecc_regularizer_init(struct ecc_regularizer_plan *plan,
                                     const struct ecc_regularizer *entry, size_t n_max, size_t d,
                                     const struct ecc_regularizer_options *options,
                                     struct ecc_error *error);
void ecc_regularizer_release(struct ecc_regularizer_plan *plan);

/* z: [n, d], the latents that the decoder gets; random ones are drawn again at each step. */
enum ecc_status ecc_regularizer_latents(struct ecc_regularizer_plan *plan, float *z,
                                        const float *outputs, size_t n, uint64_t step,
                                        struct ecc_error *error);
/* As the entry's `evaluate`; value and doutputs may be NULL. */
enum ecc_status ecc_regularizer_evaluate(struct ecc_regularizer_plan *plan,
                                         struct ecc_regularizer_value *value, float *doutputs,
                                         const float *outputs, size_t n, uint64_t step,
                                         struct ecc_error *error);
/* doutputs holds the gradient that `evaluate` left and becomes the gradient of the whole loss:
 * lambda * doutputs plus dz: [n, d] from the decoder, propagated back through the drawing. */
void ecc_regularizer_combine(struct ecc_regularizer_plan *plan, float *doutputs, const float *dz,
                             double lambda, const float *outputs, size_t n, uint64_t step);
/* z: [n, d], the latents that analysis uses: the outputs themselves, the posterior means, ... */
void ecc_regularizer_means(const struct ecc_regularizer_plan *plan, float *z, const float *outputs,
                           size_t n);

/* As the entry's `tensors`; returns how many. */
size_t ecc_regularizer_tensors(const struct ecc_regularizer_plan *plan,
                               struct ecc_latent_tensor list[ECC_LATENT_TENSORS]);
/* Where the numbers of `tensors` are: [count] each; gradients may be NULL, for use only. */
void ecc_regularizer_bind(struct ecc_regularizer_plan *plan, float *const *values,
                          float *const *gradients, size_t count);
double ecc_regularizer_weight(struct ecc_regularizer_plan *plan, double lambda, double error,
                              size_t size, uint64_t step);
enum ecc_status ecc_regularizer_learn(struct ecc_regularizer_plan *plan, const float *outputs,
                                      size_t n, const struct ecc_regularizer_learning *how,
                                      struct ecc_error *error);

/* Numbers in a row of the encoder's outputs for d latents. */
size_t ecc_regularizer_columns(const struct ecc_regularizer *entry, size_t d);

#endif
