/* quantities.h: quantities, numbers known of items, such as an age or a price: what there is to
 * learn and to predict. */
#ifndef ECC_LATENT_QUANTITIES_H
#define ECC_LATENT_QUANTITIES_H

#include "base/status.h"

struct ecc_quantities {
    size_t n, count;
    double *values; /* [count, n]; NaN: not known */
    char **names;   /* [count], borrowed, or NULL */
};

/* Allocates the values for `n` and `count`. */
enum ecc_status ecc_quantities_init(struct ecc_quantities *known, struct ecc_error *error);
void ecc_quantities_release(struct ecc_quantities *known);

/* Those of some rows: [count]. */
enum ecc_status ecc_quantities_copy(struct ecc_quantities *known, const struct ecc_quantities *from,
                                    const uint32_t *rows, size_t count, struct ecc_error *error);

/* How many of n values are known. */
size_t ecc_quantities_count(const double *values, size_t n);
/* Whether the same of two lists of values are known. */
bool ecc_quantities_alike(const double *a, const double *b, size_t n);

/* The known values and their points: *to: [known, d] (x itself if all are known, else a copy *own
 * that the caller frees). */
enum ecc_status ecc_quantities_points(const float **to, float **own, const float *x,
                                      const double *values, size_t n, size_t d,
                                      struct ecc_error *error);

#endif
