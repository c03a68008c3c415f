/* labels.c: the labels of a data set, in the form that classifiers need. */
#include "model/labels.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- Numbers -------------------------------------------------------------------------------- */

/* "'age', 'price'", as far as it fits. */
static const char *list_names(char *out, size_t size, const struct ecc_dataset *data)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t j = 0; j < data->number_count && used + 1 < size; j++) {
        const int written = snprintf(out + used, size - used, "%s'%.40s'", j > 0 ? ", " : "",
                                     data->number_names[j]);
        used += written > 0 ? (size_t)written : 0;
    }
    return out;
}

static enum ecc_status find_number(const struct ecc_dataset *data, const char *wanted, size_t *at,
                                   struct ecc_error *error)
{
    char name[ECC_PATH_SIZE], list[200];
    for (*at = 0; *at < data->number_count; ++*at) {
        if (strcmp(data->number_names[*at], wanted) == 0) return ECC_OK;
    }
    if (data->number_count == 0) {
        return ecc_fail(error, ECC_BAD_DATA, "%s has no numbers to predict, such as '%.80s'",
                        ecc_quote_path(name, data->name), wanted);
    }
    return ecc_fail(error, ECC_BAD_DATA, "%s has no number '%.80s' to predict, but %s",
                    ecc_quote_path(name, data->name), wanted, list_names(list, sizeof list, data));
}

enum ecc_status ecc_quantities_take(struct ecc_quantities *k, const struct ecc_dataset *data,
                                    const uint32_t *items, size_t n,
                                    struct ecc_quantities_choice choice, struct ecc_error *error)
{
    *k = (struct ecc_quantities){.n = n, .count = choice.names ? choice.count : data->number_count};
    k->names = calloc(k->count + 1, sizeof *k->names);
    enum ecc_status status =
        k->names ? ecc_quantities_init(k, error) : ecc_fail_memory(error, "the names of numbers");
    for (size_t j = 0; status == ECC_OK && j < k->count; j++) {
        size_t at = j;
        if (choice.names) status = find_number(data, choice.names[j], &at, error);
        if (status != ECC_OK) break;
        k->names[j] = data->number_names[at];
        for (size_t i = 0; i < n; i++) {
            k->values[j * n + i] = data->numbers[(items ? items[i] : i) * data->number_count + at];
        }
    }
    if (status != ECC_OK) ecc_quantities_release(k);
    return status;
}
