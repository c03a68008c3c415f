/* test_items.c: finds items to test a run by: those that it was not trained on. */
#include "model/seen.h"

#include "base/text.h"
#include "base/watch.h"

#include <stdlib.h>
#include <string.h>

void ecc_test_items_release(struct ecc_test_items *found)
{
    ecc_dataset_close(found->data);
    free(found->items);
    *found = (struct ecc_test_items){0};
}

/* Keeps the items with this mark, at most `most` of them. */
static enum ecc_status keep(struct ecc_test_items *found, const uint8_t *marks, uint8_t mark,
                            size_t most, struct ecc_error *error)
{
    const size_t count = found->data->count;
    found->items = malloc((count + 1) * sizeof *found->items);
    if (!found->items) return ecc_fail_memory(error, "the test items");
    for (size_t i = 0; i < count && found->count < (most ? most : SIZE_MAX); i++) {
        if (marks[i] == mark) found->items[found->count++] = (uint32_t)i;
    }
    struct ecc_seen *const seen = &found->seen;
    seen->answer = ECC_SEEN_NONE;
    seen->items = found->count;
    seen->trained = 0;
    seen->validation = mark == ECC_ITEM_VALIDATION ? found->count : 0;
    return ECC_OK;
}

/* Opens `what` and keeps its items with this mark. */
static enum ecc_status keep_from(const struct ecc_model *m, struct ecc_test_items *found,
                                 const char *what, uint8_t mark, size_t most,
                                 struct ecc_error *error)
{
    ECC_TRY(ecc_model_open_data(m, &found->data, what, 0, error));
    uint8_t *const marks = malloc(found->data->count + 1);
    if (!marks) return ecc_fail_memory(error, "the test items");
    enum ecc_status status = ecc_model_mark_seen(m, marks, &found->seen, found->data, true, error);
    if (status == ECC_OK) status = keep(found, marks, mark, most, error);
    free(marks);
    return status;
}

enum ecc_status ecc_model_open_test(const struct ecc_model *m, struct ecc_dataset **data,
                                    const char *what, size_t items, struct ecc_error *error)
{
    enum ecc_split split;
    if (ecc_data_names_part(what, &split)) return ecc_model_open_data(m, data, what, items, error);
    char *const whole = ecc_data_part_name(what, "all");
    if (!whole) return ecc_fail_memory(error, "a name");
    const enum ecc_status status = ecc_model_open_data(m, data, whole, items, error);
    free(whole);
    return status;
}

/* All items of the data that was asked for. */
static enum ecc_status take_given(const struct ecc_model *m, struct ecc_test_items *found,
                                  const struct ecc_test_request *request, struct ecc_error *error)
{
    ECC_TRY(ecc_model_open_test(m, &found->data, request->test, request->most, error));
    found->count = found->data->count;
    return ecc_model_mark_seen(m, NULL, &found->seen, found->data, true, error);
}

static enum ecc_status take_part(const struct ecc_model *m, struct ecc_test_items *found,
                                 const struct ecc_test_request *request, struct ecc_error *error)
{
    char *const name = ecc_data_part_name(request->data ? request->data : m->options.data, "test");
    if (!name) return ecc_fail_memory(error, "a name");
    const enum ecc_status status = keep_from(m, found, name, ECC_ITEM_UNSEEN, request->most, error);
    free(name);
    return status;
}

/* Only among the rows that the run was given: other parts have none. */
static enum ecc_status take_validation(const struct ecc_model *m, struct ecc_test_items *found,
                                       const struct ecc_test_request *request,
                                       struct ecc_error *error)
{
    ecc_test_items_release(found);
    return keep_from(m, found, request->data, ECC_ITEM_VALIDATION, request->most, error);
}

enum ecc_status ecc_model_test_items(const struct ecc_model *m, struct ecc_test_items *found,
                                     const struct ecc_test_request *request,
                                     const struct ecc_watch *watch, struct ecc_error *error)
{
    char run[ECC_PATH_SIZE];
    *found = (struct ecc_test_items){0};
    if (request->test) {
        ECC_TRY(take_given(m, found, request, error));
        ecc_seen_remark(&found->seen, found->data, watch);
        return ECC_OK;
    }
    ECC_TRY(take_part(m, found, request, error));
    ecc_seen_remark(&found->seen, found->data, watch);
    if (found->count > 0) return ECC_OK;
    ecc_quote_path(run, m->run->directory);
    if (request->validation) ECC_TRY(take_validation(m, found, request, error));
    if (found->count > 0) {
        ecc_watch_remark(watch,
                         "%s was trained on its test part, too: using its %zu validation item%s; "
                         "name other test data",
                         run, found->count, ecc_s(found->count));
        return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s was trained on all items of its data, so none are left to test it: name "
                    "other test data",
                    run);
}
