/*
 * fail_memory.c: a library to preload: one allocation of a program fails.
 *
 * FAIL_AT=N     the Nth allocation fails, as it does when the system has no memory; 0: none
 * FAIL_ALSO=1   so do all that follow
 * FAIL_COUNT=FILE   at the end, how many allocations there were
 * FAIL_SITES=FILE   for each place that asked, known by who asks and by the two nearest callers in
 *                   the program, the number of its first allocation, a line each
 * FAIL_TRACE=FILE   where the failed one was asked for: addresses for addr2line
 *
 * Counts what malloc, calloc, realloc, aligned_alloc, memalign and posix_memalign are asked for: by
 * the program, by the libraries and by the C library itself, from the first instruction on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own, under the names that it keeps for this */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { DEEPEST = 64, SITES = 1 << 16 };

static atomic_long seen;
static _Thread_local bool inside; /* what is asked for to find out who asks does not count */
static uint64_t sites[SITES];     /* by hash, open addressing; 0: none */
static int sites_file = -1;
static struct range {
    uintptr_t start, end;
} program, self;          /* where they are in memory */
static long fail_at = -1; /* -1: the environment has not been read */
static bool also;
static const char *trace_file;

static void put(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) return;
    if (write(file, text, strlen(text)) < 0) _exit(125);
    close(file);
}

static void trace(void)
{
    void *addresses[32];
    if (!trace_file) return;
    inside = true;
    const int count = backtrace(addresses, 32);
    const int file = open(trace_file, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file >= 0) backtrace_symbols_fd(addresses, count, file);
    if (file >= 0) close(file);
    inside = false;
}

static bool is_in(const void *address, const struct range *range)
{
    return (uintptr_t)address >= range->start && (uintptr_t)address < range->end;
}

/* The first object is the program. */
static int find_ranges(struct dl_phdr_info *info, size_t size, void *unused)
{
    struct range range = {0, 0};
    (void)size;
    (void)unused;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (range.start == 0) range.start = start;
        range.end = start + info->dlpi_phdr[i].p_memsz;
    }
    if (program.end == 0) program = range;
    if (is_in(&self, &range)) self = range;
    return 0;
}

static void add(uint64_t *hash, const void *address)
{
    *hash = (*hash ^ (uint64_t)(uintptr_t)address) * 1099511628211U;
}

/* Before any constructor: getenv works with what the loader has left.  The first backtrace loads a
 * library. */
static void read_settings(void)
{
    void *unused[1];
    const char *const at = getenv("FAIL_AT"), *const list = getenv("FAIL_SITES");
    fail_at = at ? atol(at) : 0;
    also = getenv("FAIL_ALSO") != NULL;
    trace_file = getenv("FAIL_TRACE");
    inside = true;
    backtrace(unused, 1);
    if (list) dl_iterate_phdr(find_ranges, NULL);
    if (list) sites_file = open(list, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    inside = false;
}

/* Who asks, and the two nearest callers in the program. */
static uint64_t hash_of_site(void)
{
    void *callers[DEEPEST];
    inside = true;
    const int count = backtrace(callers, DEEPEST);
    inside = false;
    uint64_t hash = 14695981039346656037U;
    int i = 0;
    while (i < count && is_in(callers[i], &self)) i++;
    if (i < count) add(&hash, callers[i]);
    for (int own = 0; i < count && own < 2; i++) {
        if (!is_in(callers[i], &program)) continue;
        add(&hash, callers[i]);
        own++;
    }
    return hash | (hash == 0);
}

/* Threads may meet here: then a place is listed twice or, rarely, not at all. */
static bool is_new_site(void)
{
    const uint64_t hash = hash_of_site();
    size_t at = hash >> 48;
    for (size_t tries = 0; tries < SITES; tries++, at = (at + 1) % SITES) {
        if (sites[at] == hash) return false;
        if (sites[at] != 0) continue;
        sites[at] = hash;
        return true;
    }
    return false;
}

static void list_site(long number)
{
    char line[32];
    if (!is_new_site()) return;
    const int length = snprintf(line, sizeof line, "%ld\n", number);
    if (write(sites_file, line, (size_t)length) != length) _exit(125);
}

static bool fails(void)
{
    if (inside) return false;
    if (fail_at < 0) read_settings();
    const long number = atomic_fetch_add(&seen, 1) + 1;
    if (sites_file >= 0) list_site(number);
    if (fail_at == 0 || (number != fail_at && !(also && number > fail_at))) return false;
    if (number == fail_at) trace();
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails() ? NULL : __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (fails()) return ENOMEM;
    void *const found = __libc_memalign(alignment, size);
    if (!found) return ENOMEM;
    *block = found;
    return 0;
}

__attribute__((destructor)) static void tell(void)
{
    const char *const path = getenv("FAIL_COUNT");
    char text[32];
    if (!path) return;
    snprintf(text, sizeof text, "%ld\n", atomic_load(&seen));
    put(path, text);
}
