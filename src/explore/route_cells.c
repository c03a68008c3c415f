/* route_cells.c: of the items of a table: one column in its own unit, how unusual each is,
 * and where it is in its file. */
#include "explore/route.h"

/* Reads a block of items into space->x, at most `left`. */
static enum ecc_status read_block(struct ecc_space *space, size_t *n, size_t first, size_t left,
                                  struct ecc_error *error)
{
    uint32_t list[ECC_SPACE_MOST];
    *n = left < ECC_SPACE_MOST ? left : ECC_SPACE_MOST;
    for (size_t i = 0; i < *n; i++) list[i] = (uint32_t)(first + i);
    if (ecc_dataset_read(space->data, space->x, list, *n, error) == ECC_OK) return ECC_OK;
    return ecc_fail(error, ECC_IO, "the items can no longer be read");
}

static enum ecc_status needs_table(const struct ecc_space *space, struct ecc_error *error)
{
    ECC_TRY(ecc_route_needs_items(space, error));
    if (space->is_table) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "the items are images: expected a table");
}

/* ---- GET api/cells: one column of all items in its own unit, float32 [count] ------------------
 */

/* A column as api/about numbers them.  Of arrays and runs of 0.1 there is only the scaling. */
static struct ecc_column find_column(const struct ecc_model *model, size_t k)
{
    const struct ecc_schema *const schema = ecc_model_schema(model);
    for (size_t c = 0; schema && c < schema->count; c++) {
        if (schema->columns[c].features > 0 && k-- == 0) return schema->columns[c];
    }
    if (schema) return (struct ecc_column){0};
    return (struct ecc_column){.first = k,
                               .features = 1,
                               .mean = model->scaling.mean[k],
                               .deviation = model->scaling.deviation[k]};
}

size_t ecc_route_columns(const struct ecc_space *space)
{
    const struct ecc_model *const model = space->runs[0].one;
    const struct ecc_schema *const schema = ecc_model_schema(model);
    size_t count = 0;
    for (size_t c = 0; schema && c < schema->count; c++) count += schema->columns[c].features > 0;
    return schema ? count : model->scaling.columns;
}

static enum ecc_status cells(struct ecc_space *space, struct ecc_reply *reply,
                             const struct ecc_request *request, struct ecc_error *error)
{
    const struct ecc_model *const model = space->runs[0].one;
    size_t k = 0;
    ECC_TRY(needs_table(space, error));
    ECC_TRY(ecc_request_count(request, &k, "k", 0, ecc_route_columns(space) - 1, error));
    ECC_TRY(ecc_reply_reserve(reply, 4 * space->count, ECC_TYPE_BYTES, error));
    const struct ecc_column column = find_column(model, k);
    for (size_t first = 0, n; first < space->count; first += n) {
        ECC_TRY(read_block(space, &n, first, space->count - first, error));
        for (size_t i = 0; i < n; i++) {
            const float value = (float)ecc_schema_value(&column, space->x + i * space->size);
            ecc_put_f32(reply->bytes + 4 * (first + i), &value, 1);
        }
    }
    return ECC_OK;
}

const struct ecc_route ecc_route_cells = {
    .path = "api/cells", .names = ECC_NAMES("k"), .run = cells};

/* ---- GET api/unusual: T2 and Q of items first, first + 1, ..., float32 [2, n], as `encode` writes
 * them.  n is as many as take some milliseconds, so that other requests need not wait. --------- */

enum { UNUSUAL_WORK = 1 << 17, UNUSUAL_MOST = 2048, UNUSUAL_LEAST = 16 };

static size_t unusual_count(const struct ecc_space *space, size_t first)
{
    size_t n = UNUSUAL_WORK / space->size;
    if (n < UNUSUAL_LEAST) n = UNUSUAL_LEAST;
    if (n > UNUSUAL_MOST) n = UNUSUAL_MOST;
    return n < space->count - first ? n : space->count - first;
}

static float t2(const struct ecc_space *space, size_t item)
{
    const float *const p = space->runs[0].amounts + item * space->d;
    double sum = 0;
    for (size_t k = 0; k < space->d; k++) sum += (double)p[k] * (double)p[k];
    return (float)sum;
}

static enum ecc_status unusual(struct ecc_space *space, struct ecc_reply *reply,
                               const struct ecc_request *request, struct ecc_error *error)
{
    double q[ECC_SPACE_MOST];
    const struct ecc_measures measures = {.q = q};
    size_t first = 0;
    ECC_TRY(needs_table(space, error));
    ECC_TRY(ecc_request_count(request, &first, "first", 0, space->count - 1, error));
    const size_t count = unusual_count(space, first);
    ECC_TRY(ecc_reply_reserve(reply, 8 * count, ECC_TYPE_BYTES, error));
    for (size_t at = 0, n; at < count; at += n) {
        ECC_TRY(read_block(space, &n, first + at, count - at, error));
        ECC_TRY(ecc_model_measure(space->runs[0].some, &measures, space->x, n, error));
        for (size_t i = 0; i < n; i++) {
            const float both[] = {t2(space, first + at + i), (float)q[i]};
            ecc_put_f32(reply->bytes + 4 * (at + i), &both[0], 1);
            ecc_put_f32(reply->bytes + 4 * (count + at + i), &both[1], 1);
        }
    }
    return ECC_OK;
}

const struct ecc_route ecc_route_unusual = {
    .path = "api/unusual", .names = ECC_NAMES("first"), .run = unusual};

/* ---- GET api/rows: the row of each item in its file, from 1; of some of all images, the number of
 * each, from 0: uint32 [count] --- */

static enum ecc_status rows(struct ecc_space *space, struct ecc_reply *reply,
                            const struct ecc_request *request, struct ecc_error *error)
{
    (void)request;
    if (!space->kept) ECC_TRY(needs_table(space, error));
    ECC_TRY(ecc_reply_reserve(reply, 4 * space->count, ECC_TYPE_BYTES, error));
    for (size_t i = 0; i < space->count; i++) {
        const int32_t row = (int32_t)(space->is_table ? space->data->rows[i] + 1 : space->kept[i]);
        ecc_put_i32(reply->bytes + 4 * i, &row, 1);
    }
    return ECC_OK;
}

const struct ecc_route ecc_route_rows = {.path = "api/rows", .run = rows};
