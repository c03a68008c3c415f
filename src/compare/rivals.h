/*
 * rivals.h: the methods to compare, the weights to try for each, and the choice among them.
 */
#ifndef ECC_COMPARE_RIVALS_H
#define ECC_COMPARE_RIVALS_H

#include "regularizer/choice.h"

enum { ECC_RIVALS = 64, ECC_RIVAL_TEXT = 128, ECC_LAMBDAS = 15 };

struct ecc_rival {
    char text[ECC_RIVAL_TEXT]; /* as --regularizer takes it: "irmae:layers=4" */
    const struct ecc_regularizer *entry;
    double lambda; /* the usual one, or the one that was given */
    bool given;    /* NAME:lambda=L: nothing is to be chosen */
};

struct ecc_rivals {
    struct ecc_rival list[ECC_RIVALS];
    size_t count;
};

/* "eccentric,kl:lambda=1e-4,irmae:layers=4", or "all": every method of the table with its usual
 * options.  The same method twice is refused. */
enum ecc_status ecc_rivals_read(struct ecc_rivals *rivals, const char *words,
                                struct ecc_error *error);

/* How many weights to try: 1 where there is nothing to choose.  lambdas: [count], rising, evenly
 * spaced on a logarithmic scale over two decades around the usual one, which is among them if
 * `count` is odd. */
size_t ecc_rival_lambdas(double lambdas[ECC_LAMBDAS], const struct ecc_rival *rival, size_t count);

/* The index of the smallest score; of equal ones that whose lambda is the nearest to the usual one;
 * NaN is not a score.  `count` if there is none. */
size_t ecc_rival_choose(const double *scores, const double *lambdas, size_t count, double usual);

/* Which share of the long trainings' epochs a short one has. */
extern const double ecc_sweep_share;

/* How many epochs the long trainings can have, and short ones that share of them, when an epoch of
 * rival i takes seconds[i] and `shorts[i]` short and `longs` long trainings of it fit in `budget`
 * seconds.  Rounded down to two digits; at least 1. */
double ecc_rival_epochs(const double *seconds, const size_t *shorts, size_t count, size_t longs,
                        double budget);

#endif
