/* arena.c: one block of memory, cut into aligned pieces and freed at once. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Large blocks start at a large page, where the system has them and gives them only on request:
 * tiles of wide layers are scattered over many small ones. */
enum { LARGE_PAGE = 1 << 21 };

static void *allocate(size_t bytes)
{
    if (bytes < 4 * (size_t)LARGE_PAGE) return aligned_alloc(ECC_ALIGNMENT, bytes);
    const size_t padded = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *const block = aligned_alloc(LARGE_PAGE, padded);
#ifdef MADV_HUGEPAGE
    if (block) (void)madvise(block, padded, MADV_HUGEPAGE);
#endif
    return block;
}

void *ecc_arena_cut(struct ecc_arena *arena, size_t count, size_t size)
{
    size_t bytes, padded;
    if (__builtin_mul_overflow(count, size, &bytes) ||
        __builtin_add_overflow(bytes, ECC_ALIGNMENT - 1, &padded)) {
        arena->overflow = true;
        return NULL;
    }
    padded -= padded % ECC_ALIGNMENT;
    const size_t start = arena->used;
    if (__builtin_add_overflow(start, padded, &arena->used)) {
        arena->overflow = true;
        return NULL;
    }
    return arena->base && arena->used <= arena->capacity ? arena->base + start : NULL;
}

enum ecc_status ecc_arena_reserve(struct ecc_arena *arena, const char *what,
                                  struct ecc_error *error)
{
    if (arena->overflow) return ecc_fail(error, ECC_NO_MEMORY, "%s is too large to address", what);
    const size_t bytes = arena->used ? arena->used : ECC_ALIGNMENT;
    arena->base = allocate(bytes);
    if (!arena->base) {
        return ecc_fail(error, ECC_NO_MEMORY, "out of memory: %s needs %.1f MB", what,
                        (double)bytes / 1e6);
    }
    memset(arena->base, 0, bytes);
    arena->capacity = bytes;
    arena->used = 0;
    return ECC_OK;
}

void ecc_arena_release(struct ecc_arena *arena)
{
    free(arena->base);
    *arena = (struct ecc_arena){0};
}
