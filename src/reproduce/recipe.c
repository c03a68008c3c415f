/* recipe.c: how each size trains on each set: the one place to change when a better recipe is
 * found (docs/recipes.md). */
#include "reproduce/plan.h"

/* epochs 0: as many as fit.  The paper's own settings hold all its items, so nothing is kept to
 * validate on: recipes are chosen beforehand, on items that are no test items. */
static const struct ecc_recipe recipes[] = {
    {ECC_SIZE_QUICK, ECC_DIGITS, 6, 10000, "--width 0.5 --batch 50 --lr 0.002 --validation 0",
     "10,000 items, half the channels, 6 epochs"},
    {ECC_SIZE_QUICK, ECC_FACES, 4, 3000,
     "--net paper-celeba --width 0.0625 --batch 50 --lr 0.002 --validation 0",
     "3,000 faces, a sixteenth of the channels, 4 epochs"},
    {ECC_SIZE_MINUTES, ECC_DIGITS, 0, 0, "--batch 16 --lr 0.001 --schedule constant --validation 0",
     "batch 16, rate 0.001 constant, averaged weights; in two dimensions batch 100 and rate 0.003 "
     "along a cosine",
     "--validation 0"},
    {ECC_SIZE_MINUTES, ECC_FACES, 0, 0,
     "--net paper-celeba --width 0.25 --batch 64 --lr 0.001 --schedule cosine --validation 0",
     "a quarter of the channels, batch 64, rate 0.001 along a cosine, averaged weights"},
    {ECC_SIZE_PAPER, ECC_DIGITS, 1000, 0, "--preset paper",
     "the paper's: batch 100, rate 0.0001 constant, 1000 epochs"},
    {ECC_SIZE_PAPER, ECC_FACES, 100, 0, "--preset paper --net paper-celeba",
     "the paper's: batch 100, rate 0.0001 constant, 100 epochs"},
};

const struct ecc_recipe *ecc_recipe_find(enum ecc_repro_size size, enum ecc_repro_set set)
{
    size_t i = 0;
    while (recipes[i].size != size || recipes[i].set != set) i++;
    return &recipes[i];
}
