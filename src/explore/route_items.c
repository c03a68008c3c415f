/* route_items.c: the items, and their places in latent space. */
#include "explore/route.h"

#include "data/source.h"

#include <stdlib.h>
#include <string.h>

/* ---- POST api/items: uint32 [n] numbers to n items ------------------------------------------- */

static enum ecc_status items(struct ecc_space *space, struct ecc_reply *reply,
                             const struct ecc_request *request, struct ecc_error *error)
{
    uint32_t *list;
    size_t n;
    ECC_TRY(ecc_route_needs_items(space, error));
    ECC_TRY(ecc_request_items(request, &list, &n, space->count, ECC_SPACE_MOST, error));
    const enum ecc_status status = ecc_dataset_read(space->data, space->x, list, n, error);
    free(list);
    /* if the file is gone, it is not the client's mistake */
    if (status != ECC_OK) return ecc_fail(error, ECC_IO, "the items can no longer be read");
    ECC_TRY(ecc_reply_reserve(reply, n * ecc_space_item_bytes(space), ECC_TYPE_BYTES, error));
    ecc_space_pack(space, reply->bytes, space->x, n);
    return ECC_OK;
}

const struct ecc_route ecc_route_items = {
    .path = "api/items", .post = true, .body_most = 4 * ECC_SPACE_MOST, .run = items};

/* ---- GET api/place: an item's amounts in all runs, float32 [runs, d] --------------------------
 */

static enum ecc_status place(struct ecc_space *space, struct ecc_reply *reply,
                             const struct ecc_request *request, struct ecc_error *error)
{
    size_t item = 0;
    ECC_TRY(ecc_route_needs_items(space, error));
    ECC_TRY(ecc_request_count(request, &item, "item", 0, space->count - 1, error));
    ECC_TRY(ecc_reply_reserve(reply, 4 * space->run_count * space->d, ECC_TYPE_BYTES, error));
    for (size_t r = 0; r < space->run_count; r++) {
        ecc_put_f32(reply->bytes + 4 * r * space->d, space->runs[r].amounts + item * space->d,
                    space->d);
    }
    return ECC_OK;
}

const struct ecc_route ecc_route_place = {
    .path = "api/place", .names = ECC_NAMES("item"), .run = place};

/* One number of each item, from rows of `stride` of them: float32 [count]. */
static enum ecc_status reply_column(struct ecc_reply *reply, const float *first, size_t stride,
                                    size_t count, struct ecc_error *error)
{
    ECC_TRY(ecc_reply_reserve(reply, 4 * count, ECC_TYPE_BYTES, error));
    for (size_t i = 0; i < count; i++) ecc_put_f32(reply->bytes + 4 * i, first + i * stride, 1);
    return ECC_OK;
}

/* ---- GET api/column: all items along one component, float32 [count] -------------------------- */

static enum ecc_status column(struct ecc_space *space, struct ecc_reply *reply,
                              const struct ecc_request *request, struct ecc_error *error)
{
    size_t run, k = 0;
    ECC_TRY(ecc_route_needs_items(space, error));
    ECC_TRY(ecc_route_run(space, &run, request, error));
    ECC_TRY(ecc_request_count(request, &k, "k", 0, space->d - 1, error));
    return reply_column(reply, space->runs[run].amounts + k, space->d, space->count, error);
}

const struct ecc_route ecc_route_column = {
    .path = "api/column", .names = ECC_NAMES("run", "k"), .run = column};

/* ---- GET api/labels: int32 [count]; api/attribute, api/word: uint8 [count]; api/factor,
 * api/number: float32 [count] */

static enum ecc_status labels(struct ecc_space *space, struct ecc_reply *reply,
                              const struct ecc_request *request, struct ecc_error *error)
{
    (void)request;
    ECC_TRY(ecc_route_needs_items(space, error));
    if (!space->data->labels) return ecc_fail(error, ECC_BAD_DATA, "the items have no labels");
    ECC_TRY(ecc_reply_reserve(reply, 4 * space->count, ECC_TYPE_BYTES, error));
    ecc_put_i32(reply->bytes, space->data->labels, space->count);
    return ECC_OK;
}

const struct ecc_route ecc_route_labels = {.path = "api/labels", .run = labels};

/* The index of the attribute, factor, number or column of words that the request asks for. */
static enum ecc_status which(const struct ecc_space *space, size_t *k, size_t count,
                             const struct ecc_request *request, struct ecc_error *error)
{
    *k = 0;
    ECC_TRY(ecc_route_needs_items(space, error));
    if (count == 0)
        return ecc_fail(error, ECC_BAD_DATA,
                        "the items have no attributes, factors, numbers or words of this kind");
    return ecc_request_count(request, k, "k", 0, count - 1, error);
}

static enum ecc_status attribute(struct ecc_space *space, struct ecc_reply *reply,
                                 const struct ecc_request *request, struct ecc_error *error)
{
    const size_t count = space->data ? space->data->attribute_count : 0;
    size_t k;
    ECC_TRY(which(space, &k, count, request, error));
    ECC_TRY(ecc_reply_reserve(reply, space->count, ECC_TYPE_BYTES, error));
    for (size_t i = 0; i < space->count; i++) {
        reply->bytes[i] = space->data->attributes[i * count + k];
    }
    return ECC_OK;
}

const struct ecc_route ecc_route_attribute = {
    .path = "api/attribute", .names = ECC_NAMES("k"), .run = attribute};

static enum ecc_status factor(struct ecc_space *space, struct ecc_reply *reply,
                              const struct ecc_request *request, struct ecc_error *error)
{
    const size_t count = space->data ? space->data->factor_count : 0;
    size_t k;
    ECC_TRY(which(space, &k, count, request, error));
    return reply_column(reply, space->data->factors + k, count, space->count, error);
}

const struct ecc_route ecc_route_factor = {
    .path = "api/factor", .names = ECC_NAMES("k"), .run = factor};

/* What is known of the items beside their features, such as a price; NaN: not known. */
static enum ecc_status number(struct ecc_space *space, struct ecc_reply *reply,
                              const struct ecc_request *request, struct ecc_error *error)
{
    const size_t count = space->data ? space->data->number_count : 0;
    size_t k;
    ECC_TRY(which(space, &k, count, request, error));
    ECC_TRY(ecc_reply_reserve(reply, 4 * space->count, ECC_TYPE_BYTES, error));
    for (size_t i = 0; i < space->count; i++) {
        const float value = (float)space->data->numbers[i * count + k];
        ecc_put_f32(reply->bytes + 4 * i, &value, 1);
    }
    return ECC_OK;
}

const struct ecc_route ecc_route_number = {
    .path = "api/number", .names = ECC_NAMES("k"), .run = number};

/* The level of each item in a column of words; 255: not known. */
static enum ecc_status word(struct ecc_space *space, struct ecc_reply *reply,
                            const struct ecc_request *request, struct ecc_error *error)
{
    size_t k;
    ECC_TRY(which(space, &k, space->data ? space->data->word_count : 0, request, error));
    ECC_TRY(ecc_reply_reserve(reply, space->count, ECC_TYPE_BYTES, error));
    memcpy(reply->bytes, space->data->words[k].of, space->count);
    return ECC_OK;
}

const struct ecc_route ecc_route_word = {.path = "api/word", .names = ECC_NAMES("k"), .run = word};

/* ---- GET api/names: the files of the items below their folder, a line each ------------------- */

static enum ecc_status file_names(struct ecc_space *space, struct ecc_reply *reply,
                                  const struct ecc_request *request, struct ecc_error *error)
{
    (void)request;
    size_t folder = 0, size = 0;
    ECC_TRY(ecc_route_needs_items(space, error));
    if (!ecc_data_file(space->data, 0, &folder)) {
        return ecc_fail(error, ECC_BAD_DATA, "the items are not files: they have no names");
    }
    for (size_t i = 0; i < space->count; i++) {
        size += strlen(ecc_data_file(space->data, i, &folder)) + 1;
    }
    ECC_TRY(ecc_reply_reserve(reply, size, ECC_TYPE_BYTES, error));
    unsigned char *to = reply->bytes;
    for (size_t i = 0; i < space->count; i++) {
        for (const char *c = ecc_data_file(space->data, i, &folder); *c; c++) {
            *to++ = *c == '\n' ? ' ' : (unsigned char)*c;
        }
        *to++ = '\n';
    }
    return ECC_OK;
}

const struct ecc_route ecc_route_names = {.path = "api/names", .run = file_names};
