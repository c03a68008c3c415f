/* figure6.c: Figure 6: paired eigen-digits for each dimension. */
#include "reproduce/items.h"

static void make(struct ecc_section *s)
{
    ecc_section_lacks(s, ECC_DIGITS);
    for (size_t i = 0; i < ECC_PAPER_DIMS; i++) {
        const size_t d = ecc_paper_dims[i];
        ecc_ask_images(
            s, ECC_SAY("figure6-d%zu", d), ecc_ask_run(s, ecc_eae(ECC_DIGITS, d, 1e-3, 1, 1)), d,
            ECC_SAY("%s, d = %zu: plus above, minus below", ecc_set_title(s->r, ECC_DIGITS), d));
    }
    ecc_section_text(s,
                     "The paper shows these pictures without a number to compare.  The sign of a "
                     "component is such that the third moment of the training latents along it is "
                     "positive.");
}

const struct ecc_item ecc_item_figure6 = {
    .name = "figure6",
    .title = "Figure 6: eigen-digits",
    .about = "What the mean digit becomes two deviations along each principal component of the "
             "latents, to either side.",
    .digits = true,
    .make = make,
};
