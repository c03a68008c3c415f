/* share.c: work that several processes do together, each its share of the pieces. */
#include "base/share.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROW = 16,            /* pieces that a process does before the others hear of them, at most */
    TURNS = 8,           /* of a process, at least, so that all end at about the same time */
    MOST_ROOM = 1 << 26, /* bytes of what all do between two messages, unless a piece has more */
};

/* The pieces that a process does in a row; then comes the next process, then a message. */
static size_t row_of(const struct ecc_share *share, const struct ecc_pieces *p)
{
    const size_t size = share->size, most = p->most ? p->most : ROW;
    const size_t fair = p->count / (size * TURNS), room = MOST_ROOM / size / (p->bytes + 1);
    size_t row = fair < most ? fair : most;
    if (row > room) row = room;
    return row > 0 ? row : 1;
}

bool ecc_share_owns(const struct ecc_share *share, const struct ecc_pieces *p, size_t piece)
{
    return !share || piece / row_of(share, p) % share->size == share->rank;
}

static enum ecc_status alone(const struct ecc_pieces *p, struct ecc_error *error)
{
    void *const result = malloc(p->bytes + 1);
    enum ecc_status status = result ? ECC_OK : ecc_fail_memory(error, "a result");
    for (size_t i = 0; status == ECC_OK && i < p->count; i++) {
        status = p->compute(p->context, result, i, error);
        if (status == ECC_OK) status = p->take(p->context, result, i, error);
    }
    free(result);
    return status;
}

/* One turn of each process, from piece `first` on; all: [size, row, bytes].  A failure becomes
 * known to the others by the message, so that none of them waits for it. */
static enum ecc_status turn(const struct ecc_share *share, const struct ecc_pieces *p, char *all,
                            size_t first, size_t row, enum ecc_status mine, struct ecc_error *error)
{
    const size_t own = first + share->rank * row;
    char *const results = all + share->rank * row * p->bytes;
    for (size_t i = 0; mine == ECC_OK && i < row && own + i < p->count; i++) {
        mine = p->compute(p->context, results + i * p->bytes, own + i, error);
    }
    return share->gather(share->context, mine, all, row * p->bytes, error);
}

static enum ecc_status take_all(const struct ecc_pieces *p, const char *all, size_t first,
                                size_t count, struct ecc_error *error)
{
    for (size_t i = 0; i < count && first + i < p->count; i++) {
        ECC_TRY(p->take(p->context, all + i * p->bytes, first + i, error));
    }
    return ECC_OK;
}

enum ecc_status ecc_share_pieces(const struct ecc_share *share, const struct ecc_pieces *p,
                                 struct ecc_error *error)
{
    if (!share) return alone(p, error);
    const size_t row = row_of(share, p), each = share->size * row;
    char *const all = malloc(each * p->bytes + 1);
    enum ecc_status taken = all ? ECC_OK : ecc_fail_memory(error, "the results of all processes");
    enum ecc_status status = ecc_share_settle(share, taken, error);
    for (size_t first = 0; all && status == ECC_OK && first < p->count; first += each) {
        status = turn(share, p, all, first, row, taken, error);
        if (status == ECC_OK) taken = take_all(p, all, first, each, error);
    }
    free(all);
    return status == ECC_OK ? ecc_share_settle(share, taken, error) : status;
}

enum ecc_status ecc_share_settle(const struct ecc_share *share, enum ecc_status mine,
                                 struct ecc_error *error)
{
    return share ? share->gather(share->context, mine, NULL, 0, error) : mine;
}

enum ecc_status ecc_share_from_first(const struct ecc_share *share, enum ecc_status mine,
                                     void *data, size_t bytes, struct ecc_error *error)
{
    ECC_TRY(ecc_share_settle(share, mine, error));
    return share ? share->broadcast(share->context, data, bytes, error) : ECC_OK;
}

enum ecc_status ecc_share_compare(const struct ecc_share *share, const void *facts, size_t bytes,
                                  const char *what, struct ecc_error *error)
{
    if (!share) return ECC_OK;
    char *const all = malloc(share->size * bytes);
    enum ecc_status status = all ? ECC_OK : ecc_fail_memory(error, "the processes");
    status = ecc_share_settle(share, status, error);
    if (all && status == ECC_OK) {
        memcpy(all + share->rank * bytes, facts, bytes);
        status = share->gather(share->context, ECC_OK, all, bytes, error);
    }
    for (size_t k = 1; all && status == ECC_OK && k < share->size; k++) {
        if (memcmp(all, all + k * bytes, bytes) == 0) continue;
        status = ecc_fail(error, ECC_BAD_DATA, "process %zu of %zu has other %s than process 0", k,
                          share->size, what);
        break;
    }
    free(all);
    return status == ECC_BAD_DATA ? ecc_share_settle(share, status, error) : status;
}
