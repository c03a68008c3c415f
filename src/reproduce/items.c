/* items.c: the table of what can be reproduced, and what its entries share. */
#include "reproduce/items.h"
#include "reproduce/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
extern const struct ecc_item
    ecc_item_figure1,
    ecc_item_figure2,
    ecc_item_table2;

/* Adding an item: its own file, its entry declared above, a line here and its word below. */
const struct ecc_item *const ecc_items[] = {
    &ecc_item_figure1,
    &ecc_item_figure2,
    &ecc_item_table2,
    NULL,
};

const char *const ecc_repro_words[] = {
    "figure1", "figure2", "table2", "all", NULL,
};
/* clang-format on */

enum ecc_status ecc_item_draw(const struct ecc_repro *r, const struct ecc_figure *figure,
                              const char *name, struct ecc_error *error)
{
    static const char *const endings[] = {".png", ".svg"};
    for (size_t i = 0; i < 2; i++) {
        char *const path = ecc_store_path(r, "figures", name, endings[i]);
        if (!path) return ecc_fail_memory(error, "a path");
        const enum ecc_status status = ecc_figure_write(figure, path, error);
        free(path);
        ECC_TRY(status);
    }
    return ECC_OK;
}

bool ecc_run_done(const struct ecc_repro *r, int run)
{
    return run != ECC_NO_TASK && r->tasks[run].state == ECC_TASK_DONE && r->tasks[run].result;
}

double ecc_run_number(const struct ecc_repro *r, int run, const char *key)
{
    if (!ecc_run_done(r, run)) return (double)NAN;
    const json_t *const result = json_object_get(r->tasks[run].result, "result");
    const json_t *const value = json_object_get(result, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

struct ecc_setting ecc_eae(enum ecc_repro_set set, size_t latent, double lambda, double mu,
                           size_t seed)
{
    return (struct ecc_setting){.set = set,
                                .latent = latent,
                                .regularizer = "eccentric",
                                .lambda = lambda,
                                .mu = mu,
                                .seed = seed};
}

const char *ecc_set_title(const struct ecc_repro *r, enum ecc_repro_set set)
{
    if (set == ECC_FACES) return "CelebA";
    return strcmp(r->data[set].name, "glyphs") == 0 ? "built-in glyphs" : "MNIST";
}
