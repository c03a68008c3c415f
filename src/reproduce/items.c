/* items.c: the table of what can be reproduced, and what its entries share. */
#include "reproduce/items.h"
#include "reproduce/store.h"

#include <math.h>

/* clang-format off */
extern const struct ecc_item
    ecc_item_figure1,
    ecc_item_figure2,
    ecc_item_figure3,
    ecc_item_table2,
    ecc_item_figure5,
    ecc_item_figure6,
    ecc_item_figure7,
    ecc_item_figure8,
    ecc_item_figure9,
    ecc_item_table1,
    ecc_item_figure10,
    ecc_item_table3,
    ecc_item_table4,
    ecc_item_claims;

/* Adding an item: its own file, its entry declared above, a line here and its word below. */
const struct ecc_item *const ecc_items[] = {
    &ecc_item_figure1,
    &ecc_item_figure2,
    &ecc_item_figure3,
    &ecc_item_table2,
    &ecc_item_figure5,
    &ecc_item_figure6,
    &ecc_item_figure7,
    &ecc_item_figure8,
    &ecc_item_figure9,
    &ecc_item_table1,
    &ecc_item_figure10,
    &ecc_item_table3,
    &ecc_item_table4,
    &ecc_item_claims,
    NULL,
};

const char *const ecc_repro_words[] = {
    "figure1", "figure2", "figure3", "table2", "figure5", "figure6", "figure7",
    "figure8", "figure9", "table1", "figure10", "table3", "table4", "claims",
    "all", NULL,
};
/* clang-format on */

struct ecc_variant ecc_eae(enum ecc_repro_set set, size_t latent, double lambda, double mu,
                           size_t seed)
{
    return (struct ecc_variant){set, latent, "eccentric", lambda, mu, seed};
}

struct ecc_measured ecc_group_number(const struct ecc_repro *r, const struct ecc_group *group,
                                     const char *key)
{
    double values[ECC_GROUP];
    size_t known = 0;
    for (size_t i = 0; i < group->count; i++) {
        values[known] = ecc_get_number(ecc_plan_result(r, group->runs[i]), key);
        if (!isnan(values[known])) known++;
    }
    return ecc_measure(values, known);
}

enum ecc_status ecc_item_draw(const struct ecc_repro *r, struct ecc_plot *plot, const char *name,
                              struct ecc_error *error)
{
    static const char *const endings[] = {".png", ".svg"};
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; i < 2 && status == ECC_OK; i++) {
        status = ecc_plot_draw(plot, ECC_IN_STORE(r, "figures", name, endings[i]), error);
    }
    ecc_plot_release(plot);
    return status;
}
