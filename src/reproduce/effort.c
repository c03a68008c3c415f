/* effort.c: how many rows and how many runs of a setting a size can afford. */
#include "reproduce/plan.h"

/* From the least to the paper's own. */
static const struct effort {
    bool all_rows;      /* of Table 1 and Figure 5, or a few */
    size_t seeds, pair; /* runs of a setting; where two are needed to compare */
} efforts[] = {{false, 1, 2}, {true, 1, 2}, {true, 2, 3}, {true, 4, 4}};

enum ecc_repro_set ecc_plan_set(const struct ecc_repro *r)
{
    const bool there = r->data[ECC_FACES].what != NULL;
    switch (r->options->on) {
    case ECC_ON_MNIST: return ECC_DIGITS;
    case ECC_ON_CELEBA: return ECC_FACES;
    case ECC_ON_AUTO: break;
    }
    return there && r->options->size != ECC_SIZE_QUICK ? ECC_FACES : ECC_DIGITS;
}

size_t ecc_plan_latent(enum ecc_repro_set set)
{
    return set == ECC_FACES ? 64 : 8;
}

bool ecc_plan_all_rows(const struct ecc_repro *r)
{
    return efforts[r->effort].all_rows;
}

bool ecc_plan_no_training(const struct ecc_repro *r)
{
    return r->options->report_only || r->options->measure_only;
}

/* --runs; without training, whatever is there. */
static size_t given_runs(const struct ecc_repro *r)
{
    return ecc_plan_no_training(r) ? 0 : r->options->runs;
}

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t ecc_plan_seeds(const struct ecc_repro *r, size_t paper)
{
    return at_most(given_runs(r) > 0 ? given_runs(r) : efforts[r->effort].seeds, paper);
}

size_t ecc_plan_pair_seeds(const struct ecc_repro *r, size_t paper)
{
    const size_t runs = given_runs(r);
    return at_most(runs > 2 ? runs : runs > 0 ? 2 : efforts[r->effort].pair, paper);
}
