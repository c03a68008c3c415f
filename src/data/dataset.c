/* dataset.c: opens any source, keeps the requested part, and reads items. */
#include "base/rng.h"
#include "base/streams.h"
#include "base/text.h"
#include "base/watch.h"
#include "data/array_data.h"
#include "data/known.h"
#include "data/source.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t ecc_shape_size(struct ecc_item_shape shape)
{
    return shape.channels * shape.height * shape.width;
}

const char *const ecc_decimal_names[] = {"auto", "point", "comma", NULL};
const char *const ecc_scaler_names[] = {"standard", "robust", NULL};

void ecc_fill_missing(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = isnan(x[i]) ? 0 : x[i];
}

void ecc_data_remark(struct ecc_dataset *data, const char *format, ...)
{
    char line[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    ecc_hide_controls(line); /* names in it have no lines of their own */
    const size_t used = data->remark ? strlen(data->remark) : 0;
    char *const longer = realloc(data->remark, used + strlen(line) + 2);
    if (!longer) return;
    sprintf(longer + used, "%s%s", used ? "\n" : "", line);
    data->remark = longer;
}

void ecc_dataset_tell(const struct ecc_dataset *data, const struct ecc_watch *watch)
{
    for (const char *line = data->remark; line && *line;) {
        const size_t length = strcspn(line, "\n");
        ecc_watch_remark(watch, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* ---- The part that was asked for ------------------------------------------------------------ */

uint8_t *ecc_data_draw_test(size_t count)
{
    const uint64_t seed = 0x7e57;
    uint8_t *const test = calloc(count ? count : 1, 1);
    uint32_t *const order = malloc((count ? count : 1) * sizeof *order);
    if (!test || !order) {
        free(test);
        free(order);
        return NULL;
    }
    ecc_rng_permutation(order, count, seed, ECC_STREAM_PLAIN);
    const size_t tenth = count >= 20 ? count / 10 : count >= 2;
    for (size_t i = 0; i < tenth; i++) {
        test[order[i]] = 1;
    }
    free(order);
    return test;
}

enum ecc_status ecc_data_mark_test(struct ecc_data_request *request, size_t train_rows, size_t rows,
                                   struct ecc_error *error)
{
    request->test = calloc(rows ? rows : 1, 1);
    if (!request->test) return ecc_fail_memory(error, "the list of items");
    if (train_rows < rows) memset(request->test + train_rows, 1, rows - train_rows);
    return ECC_OK;
}

/* Which rows are the items, in their order; data->count becomes the number of items. */
static enum ecc_status select_rows(struct ecc_dataset *data, const struct ecc_data_request *request,
                                   struct ecc_error *error)
{
    const size_t limit = request->options->items ? request->options->items : SIZE_MAX;
    data->rows = malloc((data->count ? data->count : 1) * sizeof *data->rows);
    if (!data->rows) return ecc_fail_memory(error, "the list of items");
    size_t used = 0;
    for (size_t row = 0; row < data->count && used < limit; row++) {
        const bool wanted = request->split == ECC_SPLIT_ALL || request->narrowed ||
                            request->test[row] == (request->split == ECC_SPLIT_TEST);
        if (wanted) data->rows[used++] = (uint32_t)row;
    }
    data->count = used;
    if (used > 0) return ECC_OK;
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA, "%s has no items in its %s part",
                    ecc_quote_path(shown, request->path),
                    request->split == ECC_SPLIT_TEST ? "test" : "training");
}

/* Moves what belongs to each item to the item's new place; rows ascend, so nothing is overwritten.
 */
static void compact(void *column, const struct ecc_dataset *data, size_t bytes)
{
    unsigned char *const base = column;
    for (size_t i = 0; base && i < data->count; i++) {
        if (data->rows[i] != i) memcpy(base + i * bytes, base + data->rows[i] * bytes, bytes);
    }
}

static enum ecc_status keep_part(struct ecc_dataset *data, struct ecc_data_request *request,
                                 struct ecc_error *error)
{
    if (data->count > UINT32_MAX) {
        return ecc_fail(error, ECC_BAD_DATA, "%zu items are too many, expected at most 4294967295",
                        data->count);
    }
    if (!request->test && !request->narrowed) {
        request->test = ecc_data_draw_test(data->count);
        if (!request->test) return ecc_fail_memory(error, "the list of items");
    }
    data->source_rows = data->count;
    ECC_TRY(select_rows(data, request, error));
    data->test = request->test;
    request->test = NULL;
    compact(data->labels, data, sizeof *data->labels);
    compact(data->attributes, data, data->attribute_count);
    compact(data->numbers, data, data->number_count * sizeof *data->numbers);
    for (size_t k = 0; k < data->word_count; k++) compact(data->words[k].of, data, 1);
    compact(data->factors, data, data->factor_count * sizeof *data->factors);
    return ECC_OK;
}

/* ---- Opening and closing -------------------------------------------------------------------- */

void ecc_dataset_close(struct ecc_dataset *data)
{
    if (!data) return;
    if (data->state) data->source->close(data->state);
    free(data->rows);
    free(data->test);
    free(data->name);
    free(data->labels);
    ecc_free_texts(data->class_names, data->class_count);
    free(data->attributes);
    ecc_free_texts(data->attribute_names, data->attribute_count);
    free(data->numbers);
    ecc_free_texts(data->number_names, data->number_count);
    ecc_known_release_words(data);
    free(data->factors);
    ecc_scaling_release(&data->scaling);
    ecc_schema_free(data->schema);
    free(data->remark);
    pthread_mutex_destroy(&data->lock);
    free(data);
}

static enum ecc_status open_part(struct ecc_dataset *data, const char *what,
                                 struct ecc_data_request *request, struct ecc_error *error)
{
    data->name = strdup(what);
    if (!data->name) return ecc_fail_memory(error, "a name");
    data->split = request->split;
    data->limit = request->options->items;
    uint64_t (*const fingerprint)(const struct ecc_dataset *, const struct ecc_data_request *) =
        data->source->fingerprint; /* `open` may choose another way to read */
    ECC_TRY(data->source->open(data, request, error));
    if (fingerprint) data->fingerprint = fingerprint(data, request);
    ECC_TRY(ecc_known_read(data, request, error));
    ecc_remark_on_unused(data, request);
    return keep_part(data, request, error);
}

enum ecc_status ecc_dataset_open_request(struct ecc_dataset **out,
                                         const struct ecc_data_source *source, const char *what,
                                         struct ecc_data_request *request,
                                         const struct ecc_data_options *options,
                                         struct ecc_error *error)
{
    static const struct ecc_data_options none = {0};
    request->options = options ? options : &none;
    *out = NULL;
    struct ecc_dataset *const data = calloc(1, sizeof *data);
    if (!data) return ecc_fail_memory(error, "a data set");
    pthread_mutex_init(&data->lock, NULL);
    data->source = source;
    const enum ecc_status status = open_part(data, what, request, error);
    request->options = NULL;
    free(request->test);
    request->test = NULL;
    if (status != ECC_OK) {
        ecc_dataset_close(data);
        return status;
    }
    *out = data;
    return ECC_OK;
}

enum ecc_status ecc_dataset_open(struct ecc_dataset **out, const char *what,
                                 const struct ecc_data_options *options, struct ecc_error *error)
{
    struct ecc_data_request request = {0};
    const struct ecc_data_source *source;
    char *path;
    *out = NULL;
    if (ecc_data_is_lent(what)) return ecc_dataset_open_lent(out, what, options, error);
    ECC_TRY(ecc_data_locate(&path, &request.split, &source, what, error));
    request.path = path;
    const enum ecc_status status =
        ecc_dataset_open_request(out, source, what, &request, options, error);
    free(path);
    return status;
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* Rows are looked up a few at a time, so that reading allocates nothing. */
enum ecc_status ecc_dataset_read(struct ecc_dataset *data, float *x, const uint32_t *items,
                                 size_t n, struct ecc_error *error)
{
    enum { CHUNK = 256 };
    uint32_t rows[CHUNK];
    const size_t size = ecc_shape_size(data->shape);
    enum ecc_status status = ECC_OK;
    pthread_mutex_lock(&data->lock);
    for (size_t first = 0; first < n && status == ECC_OK; first += CHUNK) {
        const size_t count = n - first < CHUNK ? n - first : CHUNK;
        for (size_t i = 0; i < count && status == ECC_OK; i++) {
            const uint32_t item = items[first + i];
            if (item >= data->count) {
                status = ecc_fail(error, ECC_BAD_ARGUMENT, "item %u does not exist: %s has %zu",
                                  item, data->name, data->count);
            } else {
                rows[i] = data->rows[item];
            }
        }
        if (status == ECC_OK) {
            status = data->source->read(data, x + first * size, rows, count, error);
        }
    }
    pthread_mutex_unlock(&data->lock);
    return status;
}

const char *ecc_dataset_damage(char out[ECC_DAMAGE_TEXT], struct ecc_dataset *data)
{
    pthread_mutex_lock(&data->lock);
    struct ecc_few_names damaged = data->damaged;
    pthread_mutex_unlock(&data->lock);
    *out = '\0';
    if (damaged.count == 0) return out;
    const bool one = damaged.count == 1;
    snprintf(out, ECC_DAMAGE_TEXT,
             "%zu %s damaged inside and %s read as far as possible, with grey in place of the rest "
             "(--strict stops instead): %s",
             damaged.count, one ? "image is" : "images are", one ? "was" : "were",
             ecc_few_names_end(&damaged));
    return out;
}
