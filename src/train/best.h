/*
 * best.h: the weights with the smallest error on the validation items so far.
 *
 * Small data is fitted soon and then learnt by heart.  The best weights seen are kept, and training
 * ends when nothing better has come for a while.  Where it starts from PCA's solution, that is kept
 * unless something else is better by more than chance: with a few validation items the best of many
 * looks is luck, and fewer than five decide nothing.
 */
#ifndef ECC_TRAIN_BEST_H
#define ECC_TRAIN_BEST_H

#include "base/status.h"

struct ecc_best {
    size_t items, size;
    double *first, *now; /* [items] error of each validation item: at the start, at this look */
    float *weights;      /* [size] of the best */
    double error;        /* its mean error; infinite: none yet */
    double first_error;  /* at the start of a training from PCA's solution; NaN: another start */
    uint64_t step;       /* when that was */
};

/* items 0: nothing is kept. */
enum ecc_status ecc_best_init(struct ecc_best *best, size_t items, size_t size,
                              struct ecc_error *error);
void ecc_best_release(struct ecc_best *best);

/* After best->now was filled at `step` for a model with this mean error: whether it is the best,
 * and the caller must put its weights into best->weights. */
bool ecc_best_look(struct ecc_best *best, double error, uint64_t step);

#endif
