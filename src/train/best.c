/* best.c: the weights with the smallest error on the validation items so far. */
#include "train/best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum ecc_status ecc_best_init(struct ecc_best *b, size_t items, size_t size,
                              struct ecc_error *error)
{
    *b = (struct ecc_best){.items = items, .error = INFINITY, .first_error = NAN};
    if (items == 0) return ECC_OK;
    b->size = size;
    b->first = calloc(items, sizeof *b->first);
    b->now = calloc(items, sizeof *b->now);
    b->weights = calloc(size + 1, sizeof *b->weights);
    return b->first && b->now && b->weights ? ECC_OK : ecc_fail_memory(error, "the best weights");
}

void ecc_best_release(struct ecc_best *b)
{
    free(b->first);
    free(b->now);
    free(b->weights);
    *b = (struct ecc_best){0};
}

enum { FEW = 5 }; /* items from which on their spread says something */

/* Whether the items' errors have fallen since the start by more than their spread explains. */
static bool surely_better(const struct ecc_best *b)
{
    if (b->items < FEW) return false;
    double sum = 0, squares = 0;
    const double n = (double)b->items;
    for (size_t i = 0; i < b->items; i++) {
        const double fall = b->first[i] - b->now[i];
        sum += fall;
        squares += fall * fall;
    }
    const double mean = sum / n, variance = fmax(0, squares / n - mean * mean);
    return mean > sqrt(variance / fmax(1, n - 1));
}

bool ecc_best_look(struct ecc_best *b, double error, uint64_t step)
{
    if (step == 0) {
        b->first_error = error;
        memcpy(b->first, b->now, b->items * sizeof *b->first);
    } else if (!(error < b->error) || (!isnan(b->first_error) && !surely_better(b))) {
        return false;
    }
    b->error = error;
    b->step = step;
    return true;
}
