/*
 * arena.h: one block of memory, cut into aligned pieces and freed at once.
 *
 * A planner runs its cuts twice: first against an empty arena, which only adds up the sizes, then
 * against one that was reserved with that size.  Steps that follow allocate nothing.
 */
#ifndef ECC_BASE_ARENA_H
#define ECC_BASE_ARENA_H

#include "base/status.h"

enum { ECC_ALIGNMENT = 64 }; /* a cache line, and the widest vector register */

struct ecc_arena {
    unsigned char *base; /* NULL while measuring */
    size_t used, capacity;
    bool overflow; /* a size could not be represented */
};

/* Cuts `count` items of `size` bytes.  While measuring, and past the capacity, returns NULL. */
void *ecc_arena_cut(struct ecc_arena *arena, size_t count, size_t size);

/* Allocates the memory that the cuts so far asked for, zeroed, and starts cutting again.  `what`
 * names it in messages. */
enum ecc_status ecc_arena_reserve(struct ecc_arena *arena, const char *what,
                                  struct ecc_error *error);
void ecc_arena_release(struct ecc_arena *arena);

#endif
