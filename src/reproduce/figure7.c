/* figure7.c: Figure 7: eigen-faces of two runs, and whether they are the same. */
#include "reproduce/items.h"

enum { RUNS = 2, SHOWN = 10 };

/* How many of the first ten components have their partner at the same place or next to it. */
static void claim_neighbours(struct ecc_section *s, const json_t *pair)
{
    const json_t *const partners = json_object_get(pair, "partners");
    size_t close = 0;
    double correlation = 0;
    for (size_t k = 0; k < SHOWN; k++) {
        const double away = ecc_get_item(partners, k) - (double)k;
        close += away >= -1 && away <= 1;
        correlation += ecc_get_item(json_object_get(pair, "correlations"), k) / SHOWN;
    }
    ecc_section_claim(s, ecc_holds(close >= 8 && correlation > 0.5),
                      "agrees: 8 of 10, mean correlation above 0.5",
                      "The first ten components of two runs are very similar, some neighbours "
                      "mixed\tby eye\t%zu of 10 within one place, mean correlation %.2f",
                      close, correlation);
}

static void make(struct ecc_section *s)
{
    const struct ecc_variant v = ecc_eae(ECC_FACES, ecc_plan_latent(ECC_FACES), 1e-4, 1, 1);
    ecc_section_lacks(s, ECC_FACES);
    const struct ecc_group group = ecc_ask_runs(s, v, RUNS);
    for (size_t i = 0; i < group.count; i++) {
        const size_t seed = s->r->tasks[group.runs[i]].variant.seed;
        if (seed > RUNS) continue;
        ecc_ask_images(s, ECC_SAY("figure7-run%zu", seed), group.runs[i], SHOWN,
                       ECC_SAY("Run %zu: plus above, minus below", seed));
    }
    ecc_section_runs(s, &group, ECC_FACES);
    const json_t *const pairs = ecc_ask_pairs(s, v, ecc_plan_pair_seeds(s->r, ECC_GROUP));
    if (json_array_size(pairs) > 0) {
        claim_neighbours(s, json_array_get(pairs, 0));
    }
}

const struct ecc_item ecc_item_figure7 = {
    .name = "figure7",
    .title = "Figure 7: eigen-faces of two runs",
    .about = "The first ten components of two autoencoders trained independently on CelebA.",
    .faces = true,
    .make = make,
};
