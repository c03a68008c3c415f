/* seen.c: tells which items of a data set a run was trained on. */
#include "model/seen.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/watch.h"
#include "data/images.h"
#include "run/stored.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The same source ------------------------------------------------------------------------ */

/* Whether the data is where the run's own was, whatever part of it. */
static bool same_name(const struct ecc_model *m, const struct ecc_dataset *data)
{
    char *const name = ecc_data_absolute(data->name);
    char *const ours = ecc_data_part_name(m->options.data, "all");
    char *const theirs = name ? ecc_data_part_name(name, "all") : NULL;
    const bool same = ours && theirs && strcmp(ours, theirs) == 0;
    free(name);
    free(ours);
    free(theirs);
    return same;
}

/* For runs that do not say which rows they were given; a number of rows that is not known becomes
 * SIZE_MAX. */
static struct ecc_row_choice choice_by_name(const struct ecc_model *m,
                                            const struct ecc_dataset *data)
{
    struct ecc_row_choice choice = ecc_dataset_choice(data);
    enum ecc_split split;
    ecc_data_names_part(m->options.data, &split);
    const size_t train = choice.train_rows, all = data->source_rows, items = m->options.items;
    const size_t rows[] = {
        [ECC_SPLIT_TRAIN] = train, [ECC_SPLIT_TEST] = all - train, [ECC_SPLIT_ALL] = all};
    const bool same = split == data->split && items == data->limit;
    const size_t there = data->test ? rows[split] : SIZE_MAX;
    choice.split = split;
    choice.count = same ? data->count : items && items < there ? items : there;
    return choice;
}

/* aside: [count] of the rows that the run was given, 1 for those kept for validation; NULL without
 * memory. */
static uint8_t *find_aside(const struct ecc_model *m, size_t count)
{
    uint8_t *const aside = calloc(count + 1, sizeof *aside);
    uint32_t *const items = malloc((count + 1) * sizeof *items);
    if (aside && items) {
        size_t trained;
        ecc_run_split(items, &trained, count, &m->options);
        for (size_t i = trained; i < count; i++) aside[items[i]] = 1;
        free(items);
        return aside;
    }
    free(items);
    free(aside);
    return NULL;
}

static enum ecc_status mark_rows(const struct ecc_model *m, uint8_t *marks,
                                 const struct ecc_dataset *data,
                                 const struct ecc_row_choice *choice, struct ecc_error *error)
{
    const bool counted = choice->count != SIZE_MAX;
    size_t *const places = malloc((data->count + 1) * sizeof *places);
    uint8_t *const aside = find_aside(m, counted ? choice->count : 0);
    if (places && aside) {
        ecc_dataset_places(data, places, choice);
        for (size_t i = 0; i < data->count; i++) {
            marks[i] = places[i] == SIZE_MAX         ? ECC_ITEM_UNSEEN
                       : counted && aside[places[i]] ? ECC_ITEM_VALIDATION
                                                     : ECC_ITEM_TRAINED;
        }
    }
    const enum ecc_status status =
        places && aside ? ECC_OK : ecc_fail_memory(error, "the items of a run");
    free(places);
    free(aside);
    return status;
}

/* ---- Another source: the same contents ------------------------------------------------------ */

enum { COMPARED = 200000, CHUNK = 64 };
static const double compared_values = 3e8; /* about a second to read and hash */

/* Decoding image files takes too long. */
static bool is_cheap(const struct ecc_dataset *data)
{
    const double values = (double)data->count * (double)ecc_shape_size(data->shape);
    return data->count <= COMPARED && values <= compared_values &&
           data->source->read != ecc_images_read;
}

static int compare_hashes(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Equal numbers have equal bits: there is one zero, and one missing cell. */
static uint64_t hash_item(float *x, size_t size)
{
    for (size_t j = 0; j < size; j++) x[j] = isnan(x[j]) ? (float)NAN : x[j] + 0.0F;
    return ecc_hash_of(x, size * sizeof *x);
}

/* hashes: [n] of the items of a list (NULL: items 0 .. n - 1). */
static enum ecc_status hash_items(uint64_t *hashes, struct ecc_dataset *data, const uint32_t *items,
                                  size_t n, struct ecc_error *error)
{
    const size_t size = ecc_shape_size(data->shape);
    float *const x = malloc(CHUNK * size * sizeof *x);
    enum ecc_status status = x ? ECC_OK : ecc_fail_memory(error, "some items");
    for (size_t i = 0; status == ECC_OK && i < n; i += CHUNK) {
        const size_t count = n - i < CHUNK ? n - i : CHUNK;
        uint32_t some[CHUNK];
        for (size_t k = 0; k < count; k++) some[k] = items ? items[i + k] : (uint32_t)(i + k);
        status = ecc_dataset_read(data, x, some, count, error);
        for (size_t k = 0; status == ECC_OK && k < count; k++) {
            hashes[i + k] = hash_item(x + k * size, size);
        }
    }
    free(x);
    return status;
}

/* Counts items of `data` that occur among the items of `own` that were trained on. */
static enum ecc_status count_twins(const struct ecc_model *m, size_t *twins,
                                   struct ecc_dataset *data, struct ecc_dataset *own,
                                   struct ecc_error *error)
{
    uint32_t *items;
    size_t n;
    ECC_TRY(ecc_model_training_items(m, &items, &n, own, error));
    uint64_t *const ours = malloc((n + data->count + 1) * sizeof *ours);
    uint64_t *const theirs = ours ? ours + n : NULL;
    enum ecc_status status = ours ? ECC_OK : ecc_fail_memory(error, "a comparison of items");
    if (status == ECC_OK) status = hash_items(ours, own, items, n, error);
    if (status == ECC_OK) status = hash_items(theirs, data, NULL, data->count, error);
    if (status == ECC_OK) qsort(ours, n, sizeof *ours, compare_hashes);
    for (size_t i = 0; status == ECC_OK && i < data->count; i++) {
        *twins += bsearch(&theirs[i], ours, n, sizeof *ours, compare_hashes) != NULL;
    }
    free(ours);
    free(items);
    return status;
}

/* Training data that is gone, or has changed, cannot be compared with. */
static enum ecc_status compare_contents(const struct ecc_model *m, size_t *twins,
                                        struct ecc_dataset *data, uint64_t fingerprint,
                                        struct ecc_error *error)
{
    struct ecc_dataset *own;
    if (!is_cheap(data) || ecc_model_open_data(m, &own, NULL, 0, NULL) != ECC_OK) return ECC_OK;
    const bool same = fingerprint == 0 || own->fingerprint == fingerprint;
    const enum ecc_status status =
        same && is_cheap(own) ? count_twins(m, twins, data, own, error) : ECC_OK;
    ecc_dataset_close(own);
    return status;
}

/* ---- Marks ---------------------------------------------------------------------------------- */

static void sum_up(struct ecc_seen *seen, const uint8_t *marks, size_t count)
{
    seen->items = count;
    for (size_t i = 0; i < count; i++) {
        seen->trained += marks[i] == ECC_ITEM_TRAINED;
        seen->validation += marks[i] == ECC_ITEM_VALIDATION;
    }
    seen->answer = seen->trained == 0       ? ECC_SEEN_NONE
                   : seen->trained == count ? ECC_SEEN_ALL
                                            : ECC_SEEN_SOME;
}

static enum ecc_status find_marks(const struct ecc_model *m, uint8_t *marks, struct ecc_seen *seen,
                                  struct ecc_dataset *data, bool compare, struct ecc_error *error)
{
    const struct ecc_run_rows rows = ecc_run_rows(&m->run->config);
    const bool known = rows.fingerprint && data->fingerprint;
    const bool same = known && rows.fingerprint == data->fingerprint;
    if (same) return mark_rows(m, marks, data, &rows.choice, error);
    if (same_name(m, data)) {
        const struct ecc_row_choice choice = choice_by_name(m, data);
        seen->changed = known;
        seen->by_name = true;
        return mark_rows(m, marks, data, &choice, error);
    }
    memset(marks, ECC_ITEM_UNSEEN, data->count);
    if (compare) ECC_TRY(compare_contents(m, &seen->twins, data, rows.fingerprint, error));
    if (seen->twins == data->count) memset(marks, ECC_ITEM_TRAINED, data->count);
    return ECC_OK;
}

enum ecc_status ecc_model_mark_seen(const struct ecc_model *m, uint8_t *marks,
                                    struct ecc_seen *seen, struct ecc_dataset *data, bool compare,
                                    struct ecc_error *error)
{
    *seen = (struct ecc_seen){0};
    uint8_t *const own = marks ? NULL : malloc(data->count + 1);
    uint8_t *const used = marks ? marks : own;
    enum ecc_status status = used ? ECC_OK : ecc_fail_memory(error, "the items of a run");
    if (status == ECC_OK) status = find_marks(m, used, seen, data, compare, error);
    if (status == ECC_OK) sum_up(seen, used, data->count);
    free(own);
    return status;
}

enum ecc_status ecc_model_seen(struct ecc_model *m, struct ecc_seen *seen, const char *what,
                               size_t items, struct ecc_error *error)
{
    struct ecc_dataset *data;
    *seen = (struct ecc_seen){0};
    ECC_TRY(ecc_model_open_data(m, &data, what, items, error));
    const enum ecc_status status = ecc_model_mark_seen(m, NULL, seen, data, true, error);
    ecc_dataset_close(data);
    return status;
}

/* ---- Words ---------------------------------------------------------------------------------- */

/* Its last part, without ":all", which nobody needs to read. */
static const char *plain_name(char shown[ECC_PATH_SIZE], const struct ecc_dataset *data)
{
    const char *const name = ecc_short_name(data->name);
    const size_t length = strlen(name) - (ecc_ends_in(name, ":all") ? strlen(":all") : 0);
    char plain[ECC_PATH_SIZE];
    snprintf(plain, sizeof plain, "%.*s", (int)length, name);
    return ecc_quote_path(shown, plain);
}

void ecc_seen_remark(const struct ecc_seen *seen, const struct ecc_dataset *data,
                     const struct ecc_watch *watch)
{
    char shown[ECC_PATH_SIZE], some[32] = "all";
    const char *const kind = data->is_table ? "rows" : "images";
    plain_name(shown, data);
    if (seen->changed) {
        ecc_watch_remark(watch,
                         "%s changed since the run was trained, so it is not certain which of its "
                         "%s the run was trained on",
                         shown, kind);
    }
    if (seen->trained > 0 && seen->trained < seen->items) {
        snprintf(some, sizeof some, "%zu of", seen->trained);
    }
    if (seen->trained > 0) {
        ecc_watch_remark(watch, "the run was trained on %s %zu %s of %s", some, seen->items, kind,
                         shown);
    } else if (seen->twins > 0) {
        ecc_watch_remark(watch, "%zu of %zu %s of %s also occur in the training data", seen->twins,
                         seen->items, kind, shown);
    }
}

const char *ecc_seen_words(char out[ECC_SEEN_WORDS], const struct ecc_seen *seen)
{
    if (seen->answer == ECC_SEEN_SOME) {
        snprintf(out, ECC_SEEN_WORDS, "items, %zu of them trained on,", seen->trained);
    } else {
        snprintf(out, ECC_SEEN_WORDS, "%s items",
                 seen->answer == ECC_SEEN_ALL                         ? "training"
                 : seen->items > 0 && seen->validation == seen->items ? "validation"
                                                                      : "test");
    }
    return out;
}
