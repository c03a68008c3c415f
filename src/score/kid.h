/*
 * kid.h: the kernel distance KID (Binkowski and others, 2018): the unbiased estimate of the squared
 * maximum mean discrepancy between two sets of features, kernel (x.y / d + 1)^3.
 *
 * As torch-fidelity and clean-fid have it: the mean over 100 random subsets of 1000 items each.  It
 * needs the features themselves; a random sample of at most ECC_KID_SAMPLE is kept.
 */
#ifndef ECC_SCORE_KID_H
#define ECC_SCORE_KID_H

#include "eccentric_evaluate.h"

#include "base/status.h"

enum {
    ECC_KID_SAMPLE = 10000, /* items kept of each side */
    ECC_KID_SUBSETS = 100,
    ECC_KID_SUBSET = 1000, /* items in a subset; or half of those kept, if that is less */
    ECC_KID_LEAST = 4,     /* items of each side */
};

/* A random sample of rows that arrive one by one; each has the same chance (reservoir sampling). */
struct ecc_reservoir {
    size_t size;     /* numbers in a row */
    size_t most;     /* rows that are kept */
    size_t count;    /* rows that arrived */
    size_t capacity; /* rows there is memory for */
    uint64_t seed;
    float *rows; /* [min(count, most), size] */
};

void ecc_reservoir_init(struct ecc_reservoir *reservoir, size_t size, size_t most, uint64_t seed);
void ecc_reservoir_release(struct ecc_reservoir *reservoir);
/* f: [n, size] */
enum ecc_status ecc_reservoir_add(struct ecc_reservoir *reservoir, const float *f, size_t n,
                                  struct ecc_error *error);
size_t ecc_reservoir_kept(const struct ecc_reservoir *reservoir);

#endif
