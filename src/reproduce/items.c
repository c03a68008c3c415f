/* items.c: the table of what can be reproduced, and what its entries share. */
#include "reproduce/items.h"
#include "reproduce/store.h"

#include <math.h>

/* In the report's order.  Adding an item: its own file, and its name here. */
#define ITEMS(X)                                                                                   \
    X(figure1)                                                                                     \
    X(figure2)                                                                                     \
    X(figure3)                                                                                     \
    X(table2)                                                                                      \
    X(figure5)                                                                                     \
    X(figure6)                                                                                     \
    X(figure7)                                                                                     \
    X(figure8)                                                                                     \
    X(figure9)                                                                                     \
    X(table1)                                                                                      \
    X(figure10)                                                                                    \
    X(table3)                                                                                      \
    X(table4)                                                                                      \
    X(claims)

/* clang-format off */
#define DECLARE(name) extern const struct ecc_item ecc_item_##name;
#define ENTRY(name) &ecc_item_##name,
#define WORD(name) #name,
ITEMS(DECLARE)
const struct ecc_item *const ecc_items[] = {ITEMS(ENTRY) NULL};
const char *const ecc_repro_words[] = {ITEMS(WORD) "all", NULL};
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

void ecc_item_draw(struct ecc_section *s, struct ecc_plot *plot, const char *name)
{
    static const char *const endings[] = {".png", ".svg"};
    for (size_t i = 0; i < 2 && s->status == ECC_OK; i++) {
        s->status = ecc_plot_draw(plot, ECC_IN_STORE(s->r, "figures", name, endings[i]), &s->error);
    }
    ecc_plot_release(plot);
}
