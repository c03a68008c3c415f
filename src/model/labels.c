/* labels.c: the labels of a data set, in the form that classifiers need. */
#include "model/labels.h"

#include "base/text.h"

#include <stdlib.h>

static void fill(struct ecc_labels *l, const struct ecc_dataset *data, const uint32_t *items)
{
    for (size_t t = 0; t < l->targets; t++) {
        l->classes[t] = l->attributes ? 2 : data->class_count;
        l->names[t] = l->attributes ? data->attribute_names[t] : NULL;
        for (size_t i = 0; i < l->n; i++) {
            const size_t item = items ? items[i] : i;
            l->values[t * l->n + i] = data->labels
                                          ? data->labels[item]
                                          : data->attributes[item * data->attribute_count + t];
        }
    }
}

/* Whether some target has more than one class. */
static bool varies(const struct ecc_labels *l)
{
    for (size_t t = 0; t < l->targets; t++) {
        for (size_t i = 1; i < l->n; i++) {
            if (l->values[t * l->n + i] != l->values[t * l->n]) return true;
        }
    }
    return false;
}

enum ecc_status ecc_labels_take(struct ecc_labels *l, const struct ecc_dataset *data,
                                const uint32_t *items, size_t count, struct ecc_error *error)
{
    char name[ECC_PATH_SIZE];
    *l = (struct ecc_labels){.n = count};
    if (!data->labels && data->attribute_count == 0) {
        return ecc_fail(error, ECC_BAD_DATA, "%s has no labels, expected a class for each item",
                        ecc_quote_path(name, data->name));
    }
    l->attributes = !data->labels;
    l->targets = l->attributes ? data->attribute_count : 1;
    ECC_TRY(ecc_labels_init(l, error));
    fill(l, data, items);
    return ECC_OK;
}

enum ecc_status ecc_labels_known(uint32_t **items, size_t *count, const struct ecc_dataset *data,
                                 struct ecc_error *error)
{
    size_t known = 0;
    for (size_t i = 0; data->labels && i < *count; i++) {
        known += data->labels[*items ? (*items)[i] : i] >= 0;
    }
    if (!data->labels || known == *count) return ECC_OK;
    if (known == 0) {
        char name[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "no item of %s has a label",
                        ecc_quote_path(name, data->name));
    }
    uint32_t *const list = malloc((known + 1) * sizeof *list);
    if (!list) return ecc_fail_memory(error, "the items with labels");
    size_t used = 0;
    for (size_t i = 0; i < *count; i++) {
        const uint32_t item = *items ? (*items)[i] : (uint32_t)i;
        if (data->labels[item] >= 0) list[used++] = item;
    }
    free(*items);
    *items = list;
    *count = known;
    return ECC_OK;
}

enum ecc_status ecc_labels_check(const struct ecc_labels *l, const struct ecc_dataset *data,
                                 struct ecc_error *error)
{
    char name[ECC_PATH_SIZE];
    if (varies(l)) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "all %zu items of %s have the same label, expected two classes or more", l->n,
                    ecc_quote_path(name, data->name));
}
