/*
 * seen.h: which items of a data set a run was trained on, and items that it was not trained on.
 *
 * A run keeps the fingerprint of its source and its choice of rows (run/stored.h).  Rows of the
 * same source are compared by number; another source counts as unseen, unless all its items occur
 * in the training data.  Runs without a fingerprint are judged by the names of the data.
 */
#ifndef ECC_MODEL_SEEN_H
#define ECC_MODEL_SEEN_H

#include "model/model.h"

enum { ECC_ITEM_UNSEEN = 0, ECC_ITEM_VALIDATION, ECC_ITEM_TRAINED };

/* marks: [count] of the dataset, one of the above, or NULL.  compare: also count the items of
 * another source whose contents occur in the training data, where that is cheap. */
enum ecc_status ecc_model_mark_seen(const struct ecc_model *model, uint8_t *marks,
                                    struct ecc_seen *seen, struct ecc_dataset *data, bool compare,
                                    struct ecc_error *error);

/* What is worth a remark: data that changed, rows that occur twice, items that were trained on. */
void ecc_seen_remark(const struct ecc_seen *seen, const struct ecc_dataset *data,
                     const struct ecc_watch *watch);

/* What to call the items: "test items", "validation items", "training items" or, of a mixture,
 * "items, 40 of them trained on,". */
enum { ECC_SEEN_WORDS = 64 };
const char *ecc_seen_words(char out[ECC_SEEN_WORDS], const struct ecc_seen *seen);

/* Opens DATA given to test a run: all its items, unless the name asks for a part. */
enum ecc_status ecc_model_open_test(const struct ecc_model *model, struct ecc_dataset **data,
                                    const char *what, size_t items, struct ecc_error *error);

/* Items to test a run by. */
struct ecc_test_items {
    struct ecc_dataset *data;
    uint32_t *items; /* [count] of the data; NULL: all */
    size_t count;
    struct ecc_seen seen; /* of the items listed */
};

struct ecc_test_request {
    const char *test; /* the DATA that was asked for: all its items are taken; or NULL: ... */
    const char *data; /* ... those of the test part of this, NULL: of the run's own data, that the
                       * run was not trained on; */
    size_t most;      /* only the first N; 0: all */
    bool validation;  /* if there are none, its validation items */
};

/* Finds them, with remarks.  If there are none, it fails with ECC_BAD_DATA and a sentence that says
 * what to do.  Released by the caller, also after a failure. */
enum ecc_status ecc_model_test_items(const struct ecc_model *model, struct ecc_test_items *found,
                                     const struct ecc_test_request *request,
                                     const struct ecc_watch *watch, struct ecc_error *error);
void ecc_test_items_release(struct ecc_test_items *items);

#endif
