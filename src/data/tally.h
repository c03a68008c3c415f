/* tally.h: how often each of many texts occurs. */
#ifndef ECC_DATA_TALLY_H
#define ECC_DATA_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ecc_tally_entry {
    const char *text; /* the caller's; NULL: a free place */
    uint64_t hash;
    size_t count;
    size_t number; /* for the caller */
};

/* All zero is an empty one. */
struct ecc_tally {
    struct ecc_tally_entry *entries; /* [capacity], a power of two */
    size_t capacity, distinct;
};

/* Counts one more of this text, which must stay; its entry, valid until the next call, or NULL
 * without memory. */
struct ecc_tally_entry *ecc_tally_add(struct ecc_tally *tally, const char *text);
/* NULL if it never occurred. */
struct ecc_tally_entry *ecc_tally_find(const struct ecc_tally *tally, const char *text);
void ecc_tally_release(struct ecc_tally *tally);

/* All texts: [distinct], numbers by value and words by name; or by how often they occur, most
 * first.  The caller frees the list; NULL without memory. */
const char **ecc_tally_sorted(const struct ecc_tally *tally);
const char **ecc_tally_frequent(const struct ecc_tally *tally);

#endif
