/* size.c: how each size trains on each set, and how many runs of a setting it can afford: the one
 * place to change when a better recipe is found (docs/recipes.md). */
#include "reproduce/tasks.h"

#include <string.h>

/* ---- Recipes -------------------------------------------------------------------------------- */

/* No recipe keeps items to validate on, as the paper did not: recipes are chosen beforehand, on
 * items that are not test items. */
static const struct recipe {
    enum ecc_repro_size size;
    enum ecc_repro_set set;
    bool plane;    /* for two latent dimensions; comes before the others */
    bool paper;    /* rate, batch and schedule are the paper's */
    size_t items;  /* at most; 0: all */
    double epochs; /* 0: as many as fit */
    double width;
    size_t batch;
    double rate;
    enum ecc_schedule_kind schedule;
    const char *about;
} recipes[] = {
    {ECC_SIZE_QUICK, ECC_DIGITS, false, false, 10000, 6, 0.5, 50, 0.002, ECC_SCHEDULE_COSINE,
     "10,000 items, half the channels, 6 epochs"},
    {ECC_SIZE_QUICK, ECC_FACES, false, false, 3000, 4, 0.0625, 50, 0.002, ECC_SCHEDULE_COSINE,
     "3,000 faces, a sixteenth of the channels, 4 epochs"},
    {ECC_SIZE_MINUTES, ECC_DIGITS, true, false, 0, 0, 1, 100, 0.003, ECC_SCHEDULE_COSINE, ""},
    {ECC_SIZE_MINUTES, ECC_DIGITS, false, false, 0, 0, 1, 16, 0.001, ECC_SCHEDULE_CONSTANT,
     "batch 16, constant rate 0.001, averaged weights; in two dimensions batch 100 and rate 0.003 "
     "along a cosine"},
    {ECC_SIZE_MINUTES, ECC_FACES, false, false, 0, 0, 0.25, 64, 0.001, ECC_SCHEDULE_COSINE,
     "a quarter of the channels, batch 64, rate 0.001 along a cosine, averaged weights"},
    {ECC_SIZE_PAPER, ECC_DIGITS, false, true, 0, 1000,
     .about = "the paper's: batch 100, constant "
              "rate 0.0001, 1000 epochs"},
    {ECC_SIZE_PAPER, ECC_FACES, false, true, 0, 100,
     .about = "the paper's: batch 100, constant "
              "rate 0.0001, 100 epochs"},
};

static const struct recipe *find_recipe(enum ecc_repro_size size, enum ecc_repro_set set,
                                        size_t latent)
{
    const struct recipe *recipe = recipes;
    while (recipe->size != size || recipe->set != set || (recipe->plane && latent != 2)) recipe++;
    return recipe;
}

const char *ecc_size_about(enum ecc_repro_size size, enum ecc_repro_set set)
{
    return find_recipe(size, set, 0)->about;
}

size_t ecc_size_items(const struct ecc_repro *r, enum ecc_repro_set set)
{
    const size_t most = find_recipe(r->options->size, set, 0)->items, there = r->data[set].items;
    return most > 0 && most < there ? most : there;
}

/* Only items of MNIST's size suit its net. */
static const char *net_of(const struct ecc_repro *r, enum ecc_repro_set set)
{
    const struct ecc_repro_data *const data = &r->data[set];
    if (set == ECC_FACES) return "paper-celeba";
    return data->height == 28 && data->width == 28 && data->channels == 1 ? "paper-mnist" : "auto";
}

struct ecc_train_options ecc_size_options(const struct ecc_repro *r, struct ecc_variant s)
{
    const struct recipe *const recipe = find_recipe(r->options->size, s.set, s.latent);
    struct ecc_train_options o = ecc_train_defaults();
    if (recipe->paper) {
        ecc_train_preset_paper(&o);
    } else {
        o.width = recipe->width == 1 ? 0 : recipe->width; /* 0: as published */
        o.batch = recipe->batch;
        o.rate = recipe->rate;
        o.schedule = recipe->schedule;
    }
    o.data = r->data[s.set].what;
    o.validation = 0;
    if (ecc_size_items(r, s.set) < r->data[s.set].items) o.items = recipe->items;
    if (recipe->epochs > 0) o.epochs = recipe->epochs;
    o.net = net_of(r, s.set);
    o.latent = s.latent;
    o.regularizer = s.regularizer;
    if (strcmp(s.regularizer, "none") != 0) o.lambda = s.lambda;
    if (strcmp(s.regularizer, "eccentric") == 0) o.mu = s.mu;
    o.seed = s.seed;
    return o;
}

/* ---- Rows and runs -------------------------------------------------------------------------- */

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

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --runs; without training, whatever is there. */
static size_t given_runs(const struct ecc_repro *r)
{
    return ecc_plan_no_training(r) ? 0 : r->options->runs;
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
