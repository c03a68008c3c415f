/* classify_confusion.c: which classes are taken for which, and how often. */
#include "evaluate/classify.h"

#include <stdlib.h>

enum { CLASSES = 4096, PAIRS = 20 };

/* ---- The most frequent mistakes ------------------------------------------------------------- */

/* By class, then by what it was taken for. */
static int compare_classes(const void *a, const void *b)
{
    const struct ecc_confused_pair *const p = a, *const q = b;
    if (p->truth != q->truth) return p->truth < q->truth ? -1 : 1;
    return (p->taken_for > q->taken_for) - (p->taken_for < q->taken_for);
}

/* The most frequent first; ties in the order of the classes. */
static int compare_items(const void *a, const void *b)
{
    const struct ecc_confused_pair *const p = a, *const q = b;
    if (p->items != q->items) return p->items > q->items ? -1 : 1;
    return compare_classes(a, b);
}

/* pairs: one for each mistake; equal ones are joined.  Returns how many stay. */
static size_t join(struct ecc_confused_pair *pairs, size_t count)
{
    size_t kept = 0;
    qsort(pairs, count, sizeof *pairs, compare_classes);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare_classes(&pairs[kept - 1], &pairs[i]) == 0) {
            pairs[kept - 1].items++;
        } else {
            pairs[kept++] = pairs[i];
        }
    }
    return kept;
}

static void count_of(struct ecc_confused_pair *pairs, size_t count, const int32_t *truth, size_t n)
{
    for (size_t p = 0; p < count; p++) {
        for (size_t i = 0; i < n; i++) pairs[p].of += (size_t)truth[i] == pairs[p].truth;
    }
}

static enum ecc_status find_pairs(struct ecc_classification *r, const int32_t *truth,
                                  struct ecc_error *error)
{
    struct ecc_confused_pair *const pairs = malloc((r->test_items + 1) * sizeof *pairs);
    if (!pairs) return ecc_fail_memory(error, "the confusions");
    size_t count = 0;
    for (size_t i = 0; i < r->test_items; i++) {
        if (truth[i] == r->predicted[i]) continue;
        pairs[count++] =
            (struct ecc_confused_pair){(size_t)truth[i], (size_t)r->predicted[i], 1, 0};
    }
    count = join(pairs, count);
    qsort(pairs, count, sizeof *pairs, compare_items);
    r->pair_count = count < PAIRS ? count : PAIRS;
    count_of(pairs, r->pair_count, truth, r->test_items);
    struct ecc_confused_pair *const fewer = realloc(pairs, (PAIRS + 1) * sizeof *pairs);
    r->pairs = fewer ? fewer : pairs;
    return ECC_OK;
}

/* ---- The matrix ----------------------------------------------------------------------------- */

enum ecc_status ecc_classify_confusion(struct ecc_classify_work *w, struct ecc_error *error)
{
    struct ecc_classification *const r = w->result;
    const int32_t *const truth = w->test_labels.values;
    const size_t classes = r->name_count;
    if (r->attributes) return ECC_OK;
    ECC_TRY(find_pairs(r, truth, error));
    if (classes > CLASSES) return ECC_OK;
    r->confusion = calloc(classes * classes, sizeof *r->confusion);
    if (!r->confusion) return ecc_fail_memory(error, "the confusions");
    for (size_t i = 0; i < r->test_items; i++) {
        r->confusion[(size_t)truth[i] * classes + (size_t)r->predicted[i]]++;
    }
    return ECC_OK;
}
