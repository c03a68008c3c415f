/*
 * start.c: what must be settled before the libraries start, which they do before main.
 *
 * OpenBLAS takes a buffer for each thread when it is loaded, and another one for each thread that
 * calls it.  If the system gives it none, it asks again, for ever.  So where memory is limited, as
 * by ulimit -v, we first look whether there is enough, and take the buffers while nothing else
 * needs memory: OpenBLAS never gives them back.
 *
 * C++ libraries, such as oneDNN, end the program by abort if they get no memory where they do not
 * expect it; some already while they are loaded.  And oneDNN writes to what it did not get from
 * posix_memalign.  jansson leaves out of an object what it got no memory for, and hardly anybody
 * asks whether it did: a page or a result would lack something without a word.  Now all of them end
 * the program with a sentence and exit code 1.  Files are written so that nothing half-done is left
 * (base/file.h).
 */
#define _GNU_SOURCE /* sched_getaffinity, RTLD_DEFAULT */
#include "cli/start.h"

#include <dlfcn.h>
#include <jansson.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    BUFFER = 128 << 20, /* bytes; the largest that OpenBLAS uses on any processor */
    PLENTY = 8,         /* more of them than OpenBLAS needs: memory is no question */
    MOST = 512,         /* buffers that are looked for */
};

#define NEEDS "the linear algebra of this system (OpenBLAS) needs 128 MB of address space"

static bool limited; /* memory may become too little for OpenBLAS */

/* Whether the system would give that many buffers now. */
static bool there_are(size_t buffers)
{
    static void *found[MOST];
    size_t count = 0;
    if (buffers > MOST) buffers = MOST;
    for (; count < buffers; count++) {
        found[count] =
            mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (found[count] == MAP_FAILED) break;
    }
    for (size_t i = 0; i < count; i++) munmap(found[i], BUFFER);
    return count == buffers;
}

static void end(const char *sentence)
{
    if (write(STDERR_FILENO, sentence, strlen(sentence)) < 0) _exit(1);
    _exit(1);
}

static void no_memory(void)
{
    end("eccentric: out of memory in a library\n");
}

/* Sanitizers start before everything else, too, and map terabytes. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#ifndef SANITIZED

/* The number in a setting such as OMP_NUM_THREADS=4; 0: not set. */
static size_t number_of(char **environment, const char *name)
{
    const size_t length = strlen(name);
    for (; *environment; environment++) {
        if (strncmp(*environment, name, length) != 0 || (*environment)[length] != '=') continue;
        size_t number = 0;
        for (const char *at = *environment + length + 1; *at >= '0' && *at <= '9'; at++) {
            if (number < MOST) number = 10 * number + (size_t)(*at - '0');
        }
        return number;
    }
    return 0;
}

/* As OpenBLAS counts them when it is loaded. */
static size_t threads_of(char **environment)
{
    static const char *const names[] = {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS",
                                        "OMP_NUM_THREADS"};
    cpu_set_t set;
    const size_t processors =
        sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
    size_t threads = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && threads == 0; i++) {
        threads = number_of(environment, names[i]);
    }
    return threads > 0 && threads < processors ? threads : processors;
}

/* The one that libraries find before the C library's; ours use aligned_alloc, which may fail. */
__attribute__((visibility("default"))) int posix_memalign(void **block, size_t alignment,
                                                          size_t size)
{
    const size_t whole = (size + alignment - 1) / alignment * alignment;
    void *const found = whole >= size ? aligned_alloc(alignment, whole) : NULL;
    if (!found && size > 0) no_memory();
    *block = found;
    return 0;
}

/* std::set_new_handler, where a library brings C++ along */
typedef void (*handler)(void);
extern handler set_new_handler(handler) __asm__("_ZSt15set_new_handlerPFvvE") __attribute__((weak));

/* The C library has not started either: only what needs none of it.  The program starts itself
 * again with another setting (main.c), so this runs twice. */
static void before_libraries(int argc, char **argv, char **environment)
{
    (void)argc;
    (void)argv;
    if (set_new_handler) set_new_handler(no_memory);
    const size_t threads = threads_of(environment);
    if (there_are(2 * threads + PLENTY)) return;
    limited = true;
    if (there_are(threads)) return;
    end(threads == 1 ? "eccentric: not enough memory to start: " NEEDS
                       "; raise the limit (ulimit -v)\n"
                     : "eccentric: not enough memory to start: " NEEDS
                       " for each thread; raise the limit (ulimit -v), or use fewer threads "
                       "(OMP_NUM_THREADS=1)\n");
}

__attribute__((section(".preinit_array"),
               used)) static void (*const first)(int, char **, char **) = before_libraries;

#endif

static void *memory_for_json(size_t size)
{
    void *const found = malloc(size);
    if (!found && size > 0) no_memory();
    return found;
}

enum ecc_status ecc_start_memory(int threads, struct ecc_error *error)
{
    void *(*take)(int);
    void (*give)(void *);
    void *buffers[MOST];
    json_set_alloc_funcs(memory_for_json, free);
    if (!limited) return ECC_OK;
    const size_t count = threads < MOST ? (size_t)threads : MOST;
    if (!there_are(count)) {
        return count == 1
                   ? ecc_fail(error, ECC_NO_MEMORY,
                              "not enough memory: " NEEDS " more; raise the limit (ulimit -v)")
                   : ecc_fail(error, ECC_NO_MEMORY,
                              "not enough memory: " NEEDS
                              " for each of %zu threads; raise the limit (ulimit -v), or use fewer "
                              "(OMP_NUM_THREADS=1)",
                              count);
    }
    *(void **)&take = dlsym(RTLD_DEFAULT, "blas_memory_alloc");
    *(void **)&give = dlsym(RTLD_DEFAULT, "blas_memory_free");
    for (size_t i = 0; take && give && i < count; i++) buffers[i] = take(0);
    for (size_t i = 0; take && give && i < count; i++) give(buffers[i]);
    return ECC_OK;
}
