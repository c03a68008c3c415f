/*
 * share.h: work that several processes do together, each its share of the pieces.
 *
 * All processes run the same program and end with the same results: a piece is computed by one of
 * them, and the others get what came out.  Pieces are the same however many processes there are,
 * so the results are, too, to the last bit on processors of the same kind.  What connects them is
 * not known here (train/team_share.c).
 */
#ifndef ECC_BASE_SHARE_H
#define ECC_BASE_SHARE_H

#include "base/status.h"

struct ecc_share {
    size_t rank, size;
    void *context;
    /* all: [size, bytes].  This process has filled part `rank`, or else failed with `mine` and its
     * error; if any failed, all do. */
    enum ecc_status (*gather)(void *context, enum ecc_status mine, void *all, size_t bytes,
                              struct ecc_error *error);
    /* data: [bytes] of process 0 goes to all. */
    enum ecc_status (*broadcast)(void *context, void *data, size_t bytes, struct ecc_error *error);
};

/* NULL is one process in all of these. */
static inline bool ecc_share_is_first(const struct ecc_share *share)
{
    return !share || share->rank == 0;
}

/* Work in pieces, in order. */
struct ecc_pieces {
    size_t count;
    size_t bytes; /* of the result of a piece */
    size_t most;  /* pieces that a process does in a row, at most; 0: as many as are practical */
    void *context;
    /* Called for the pieces of this process, in their order. */
    enum ecc_status (*compute)(void *context, void *result, size_t piece, struct ecc_error *error);
    /* Called on all processes for all pieces, in their order. */
    enum ecc_status (*take)(void *context, const void *result, size_t piece,
                            struct ecc_error *error);
};

/* If any process fails, all do. */
enum ecc_status ecc_share_pieces(const struct ecc_share *share, const struct ecc_pieces *pieces,
                                 struct ecc_error *error);
/* Whether this process computes the piece. */
bool ecc_share_owns(const struct ecc_share *share, const struct ecc_pieces *pieces, size_t piece);

/* If any process has failed with `mine`, all do. */
enum ecc_status ecc_share_settle(const struct ecc_share *share, enum ecc_status mine,
                                 struct ecc_error *error);
/* data: [bytes] of process 0 goes to all; if it has failed with `mine`, all do. */
enum ecc_status ecc_share_from_first(const struct ecc_share *share, enum ecc_status mine,
                                     void *data, size_t bytes, struct ecc_error *error);
/* Fails if a process has other facts: [bytes] than process 0; `what` they are, as in "other data".
 */
enum ecc_status ecc_share_compare(const struct ecc_share *share, const void *facts, size_t bytes,
                                  const char *what, struct ecc_error *error);

#endif
