/*
 * own_allocations.c: a library to preload: counts what a program's own code asks of malloc, calloc,
 * realloc, aligned_alloc and posix_memalign.  What other libraries ask for does not count, except
 * those whose names begin with libeccentric; nor what they get through the posix_memalign of
 * the program (src/cli/start.c).
 *
 * OWN_ALLOCATIONS=FILE   each process appends a line with its number at its end
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
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

struct caller {
    uintptr_t address;
    bool is_own;
};

static atomic_long own;

static bool is_ours(const char *object)
{
    const char *const slash = strrchr(object, '/');
    return *object == '\0' || strncmp(slash ? slash + 1 : object, "libeccentric", 12) == 0;
}

/* The program itself has no name here. */
static int look(struct dl_phdr_info *info, size_t size, void *context)
{
    struct caller *const c = context;
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type != PT_LOAD || c->address < start) continue;
        if (c->address < start + info->dlpi_phdr[i].p_memsz) c->is_own = is_ours(info->dlpi_name);
    }
    return c->is_own;
}

/* For libraries: a short function of the program that calls aligned_alloc. */
static bool is_lent(uintptr_t address)
{
    static uintptr_t lender;
    if (!lender) lender = (uintptr_t)dlsym(RTLD_DEFAULT, "posix_memalign");
    return address > lender && address < lender + 256;
}

static void count(const void *address)
{
    struct caller caller = {(uintptr_t)address, false};
    dl_iterate_phdr(look, &caller);
    if (caller.is_own && !is_lent(caller.address)) atomic_fetch_add(&own, 1);
}

#define COUNT() count(__builtin_return_address(0))

void *malloc(size_t size)
{
    COUNT();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    COUNT();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size)
{
    COUNT();
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    COUNT();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    COUNT();
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

__attribute__((destructor)) static void tell(void)
{
    const char *const path = getenv("OWN_ALLOCATIONS");
    char line[32];
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (file < 0) return;
    const int length = snprintf(line, sizeof line, "%ld\n", atomic_load(&own));
    if (write(file, line, (size_t)length) != length) _exit(125);
    close(file);
}
