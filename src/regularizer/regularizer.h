/*
 * regularizer.h: the interface of a regularizer: value and gradient of a batch of latents, planned
 * once.
 *
 * Each regularizer is a file that ends in a const entry, and a line of the table in list.c.
 *
 * An encoder gives outputs [n, outputs_per_latent * d].  For most regularizers they are the latents
 * z: [n, d] themselves; a VAE's are mean and log variance, from which latents are drawn.  A step of
 * training is the same for all of them:
 *     ecc_regularizer_latents   outputs -> z, for the decoder
 *     evaluate                  value, and its gradient with respect to the outputs
 *     ecc_regularizer_combine   lambda times that gradient plus what came back from the decoder
 * Random draws depend on (seed, step) and nothing else, so a resumed run draws the same.
 */
#ifndef ECC_REGULARIZER_REGULARIZER_H
#define ECC_REGULARIZER_REGULARIZER_H

#include "base/status.h"

enum { ECC_REGULARIZER_TERMS = 4 };

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
    struct ecc_loss_options loss; /* of the eccentric one; all use `threads` */
    uint64_t seed;                /* of the random draws */
};

struct ecc_regularizer_options ecc_regularizer_defaults(void);

struct ecc_regularizer {
    const char *name;
    const char *summary;       /* one line for help texts */
    size_t outputs_per_latent; /* 1, or 2: [mean, log variance] in each row */
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
};

extern const struct ecc_regularizer ecc_regularizer_eccentric, ecc_regularizer_none,
    ecc_regularizer_kl, ecc_regularizer_mmd;

/* All regularizers and their names, each list ending in NULL; and the one with this name, or NULL.
 */
extern const struct ecc_regularizer *const ecc_regularizers[];
extern const char *const ecc_regularizer_names[];
const struct ecc_regularizer *ecc_regularizer_find(const char *name);

/* One regularizer of the table with its plan, for training: create, then per step latents,
 * evaluate, combine. */
struct ecc_regularizer_plan {
    const struct ecc_regularizer *entry;
    void *state;
    size_t d;
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
/* z: [n, d], the latents that analysis uses: the outputs themselves, or the posterior means. */
void ecc_regularizer_means(const struct ecc_regularizer *entry, float *z, const float *outputs,
                           size_t n, size_t d);

#endif
