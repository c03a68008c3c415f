/*
 * regularizer.h: what a regularizer is: value and gradient of a batch of latents, planned once.
 *
 * Each regularizer is one file that ends in a const entry, and one line of the table in table.c.
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

struct ecc_regularizer {
    const char *name;
    const char *summary; /* one line for help texts */

    /* Plans for batches of 2 to n_max latents of dimension d. */
    enum ecc_status (*create)(void **state, size_t n_max, size_t d,
                              const struct ecc_loss_options *options, struct ecc_error *error);
    /* z: [n, d]; dz: [n, d] is overwritten with the gradient, or NULL.  Allocates nothing. */
    enum ecc_status (*evaluate)(void *state, struct ecc_regularizer_value *value, float *dz,
                                const float *z, size_t n, struct ecc_error *error);
    void (*destroy)(void *state);
};

extern const struct ecc_regularizer ecc_regularizer_eccentric;

/* All of them, ending in NULL; and the one of a name, or NULL. */
extern const struct ecc_regularizer *const ecc_regularizers[];
const struct ecc_regularizer *ecc_regularizer_find(const char *name);

#endif
