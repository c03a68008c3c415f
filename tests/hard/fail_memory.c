/*
 * fail_memory.c: a library to preload: one allocation of a program fails.
 *
 * FAIL_AT=N     the Nth allocation fails, as it does when the system has no memory; 0: none
 * FAIL_ALSO=1   so do all that follow
 * FAIL_COUNT=FILE   at the end, how many allocations there were
 * FAIL_TRACE=FILE   where the failed one was asked for: addresses for addr2line
 *
 * Counts what malloc, calloc, realloc, aligned_alloc, memalign and posix_memalign are asked for: by
 * the program, by the libraries and by the C library itself, from the first instruction on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own, under the names that it keeps for this */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long seen;
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
    static _Thread_local bool inside;
    void *addresses[32];
    if (!trace_file || inside) return;
    inside = true;
    const int count = backtrace(addresses, 32);
    const int file = open(trace_file, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file >= 0) backtrace_symbols_fd(addresses, count, file);
    if (file >= 0) close(file);
    inside = false;
}

/* Before any constructor: getenv works with what the loader has left. */
static void read_settings(void)
{
    const char *const at = getenv("FAIL_AT");
    fail_at = at ? atol(at) : 0;
    also = getenv("FAIL_ALSO") != NULL;
    trace_file = getenv("FAIL_TRACE");
}

static bool fails(void)
{
    if (fail_at < 0) read_settings();
    const long number = atomic_fetch_add(&seen, 1) + 1;
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
