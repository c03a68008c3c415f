/* classify_items.c: the items that a classifier learns from, and the items that test it. */
#include "base/text.h"
#include "data/fingerprint.h"
#include "evaluate/classify.h"
#include "model/seen.h"

#include <stdlib.h>

/* The items of w->train with a mark; *list: [*count]. */
static enum ecc_status list_items(const struct ecc_classify_work *w, uint32_t **list, size_t *count,
                                  const uint8_t *marks, uint8_t mark, struct ecc_error *error)
{
    *list = malloc((w->train->count + 1) * sizeof **list);
    *count = 0;
    if (!*list) return ecc_fail_memory(error, "the validation items");
    for (size_t i = 0; i < w->train->count; i++) {
        if (marks[i] == mark) (*list)[(*count)++] = (uint32_t)i;
    }
    return ECC_OK;
}

/* Validation: learns from the items that the run was trained on and tests on those it kept aside.
 */
static enum ecc_status split_validation(struct ecc_classify_work *w, const uint8_t *marks,
                                        struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    char name[ECC_PATH_SIZE];
    w->test = w->train;
    r->validation = true;
    ECC_TRY(list_items(w, &w->train_items, &r->items, marks, ECC_ITEM_TRAINED, error));
    ECC_TRY(list_items(w, &w->test_items, &r->test_items, marks, ECC_ITEM_VALIDATION, error));
    const size_t most = w->options->items ? w->options->items : SIZE_MAX;
    if (r->items > most) r->items = most;
    if (r->test_items > most) r->test_items = most;
    r->seen = (struct ecc_seen){.items = r->test_items, .validation = r->test_items};
    if (r->test_items > 0) return ECC_OK;
    return ecc_fail(
        error, ECC_BAD_DATA,
        "the run %s has no validation items: expected a run trained with validation items",
        ecc_quote_path(name, w->model->run->directory));
}

static enum ecc_status use_validation(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_seen unused;
    uint8_t *const marks = malloc(w->train->count + 1);
    if (!marks) return ecc_fail_memory(error, "the validation items");
    enum ecc_status status = ecc_model_mark_seen(w->model, marks, &unused, w->train, false, error);
    if (status == ECC_OK) status = split_validation(w, marks, error);
    free(marks);
    return status;
}

/* Items that are their own neighbours would be classified too well. */
static enum ecc_status refuse_common(const struct ecc_classify_work *w, struct ecc_error *error)
{
    const struct ecc_row_choice labelled = ecc_dataset_choice(w->train);
    size_t common = 0;
    if (!w->train->fingerprint || w->train->fingerprint != w->test->fingerprint) return ECC_OK;
    size_t *const places = malloc((w->test->count + 1) * sizeof *places);
    if (!places) return ecc_fail_memory(error, "the test items");
    ecc_dataset_places(w->test, places, &labelled);
    for (size_t i = 0; i < w->result->test_items; i++) {
        common += places[w->test_items ? w->test_items[i] : i] != SIZE_MAX;
    }
    free(places);
    if (common == 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "%zu of the %zu item%s to classify %s among the labelled items: name other "
                    "test data, or other labelled items",
                    common, w->result->test_items, ecc_s(w->result->test_items),
                    ecc_is_are(common));
}

static enum ecc_status open_train(struct ecc_classify_work *w, size_t items,
                                  struct ecc_error *error)
{
    ecc_dataset_close(w->train);
    w->train = NULL;
    return ecc_model_open_data(w->model, &w->train, w->options->train, items, error);
}

static enum ecc_status open_parts(struct ecc_classify_work *w, struct ecc_error *error)
{
    const struct ecc_classify_options *const o = w->options;
    ECC_TRY(open_train(w, o->validation ? 0 : o->items, error));
    if (o->validation) return use_validation(w, error);
    const struct ecc_test_request request = {
        .test = o->test, .data = o->train, .most = o->items, .validation = true};
    struct ecc_test_items found;
    const enum ecc_status status =
        ecc_model_test_items(w->model, &found, &request, w->watch, error);
    const bool validation = !o->test && found.seen.validation > 0;
    if (status != ECC_OK || validation) ecc_test_items_release(&found);
    ECC_TRY(status);
    if (validation) {
        ECC_TRY(open_train(w, w->model->options.items, error));
        return use_validation(w, error);
    }
    w->test = found.data;
    w->test_items = found.items;
    if (o->test) ecc_dataset_tell(w->test, w->watch);
    w->result->items = w->train->count;
    w->result->test_items = found.count;
    w->result->seen = found.seen;
    return refuse_common(w, error);
}

static enum ecc_status take_numbers(struct ecc_classify_work *w, struct ecc_error *error)
{
    const struct ecc_classification *const r = w->result;
    const char *const target = w->options->target;
    const struct ecc_quantities_choice one = {target ? &target : NULL, target ? 1 : 0};
    ECC_TRY(ecc_quantities_take(&w->train_numbers, w->train, w->train_items, r->items, one, error));
    const struct ecc_quantities_choice same = {(const char *const *)w->train_numbers.names,
                                               w->train_numbers.count};
    return ecc_quantities_take(&w->test_numbers, w->test, w->test_items, r->test_items, same,
                               error);
}

enum ecc_status ecc_classify_open_items(struct ecc_classify_work *w, struct ecc_error *error)
{
    ECC_TRY(open_parts(w, error));
    const bool labelled = w->train->labels || w->train->attribute_count > 0;
    /* without anything to predict, the labels are what is missing */
    w->has_classes = !w->options->target && (labelled || w->train->number_count == 0);
    if (w->has_classes) ECC_TRY(ecc_classify_take_labels(w, error));
    return take_numbers(w, error);
}
