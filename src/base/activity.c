/* activity.c: whether this process does anything, by what the kernel counts of it. */
#include "base/activity.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TEXT = 1024 };
static const double LEAST = 0.002; /* seconds: below are threads that only look around */

static size_t read_text(struct ecc_activity *a, char text[TEXT], const char *path)
{
    text[0] = '\0';
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t n = read(file, text, TEXT - 1);
    close(file);
    if (n <= 0) return 0;
    text[n] = '\0';
    a->read_here += (uint64_t)n;
    return (size_t)n;
}

static double seconds(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The number after a name, or 0. */
static uint64_t number(const char *text, const char *name)
{
    const char *const at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* Read and written, from files, pipes and disks. */
static uint64_t bytes_moved(struct ecc_activity *a)
{
    char text[TEXT];
    const uint64_t here = a->read_here;
    if (read_text(a, text, "/proc/self/io") == 0) return 0;
    return number(text, "rchar: ") - here + number(text, "wchar: ") +
           number(text, "\nread_bytes: ") + number(text, "\nwrite_bytes: ");
}

/* The letter after the name in brackets. */
static bool runs(struct ecc_activity *a, long thread)
{
    char path[64], text[TEXT];
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", thread);
    if (read_text(a, text, path) == 0) return false;
    const char *const bracket = strrchr(text, ')');
    return bracket && strncmp(bracket, ") R", 3) == 0;
}

/* A thread that is ready to run, but may not have had its turn. */
static bool any_runs(struct ecc_activity *a)
{
    const long own = syscall(SYS_gettid);
    DIR *const threads = opendir("/proc/self/task");
    const struct dirent *entry;
    bool found = false;
    if (!threads) return true; /* nothing is known: it may do something */
    while (!found && (entry = readdir(threads))) {
        const long thread = strtol(entry->d_name, NULL, 10);
        if (thread > 0 && thread != own) found = runs(a, thread);
    }
    closedir(threads);
    return found;
}

static atomic_int writing; /* files */

void ecc_activity_write(bool begins)
{
    atomic_fetch_add(&writing, begins ? 1 : -1);
}

bool ecc_activity_writes(void)
{
    return atomic_load(&writing) > 0;
}

void ecc_activity_look(struct ecc_activity *a)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    const double processor = seconds(CLOCK_PROCESS_CPUTIME_ID) - seconds(CLOCK_THREAD_CPUTIME_ID);
    const uint64_t bytes = bytes_moved(a), faults = (uint64_t)usage.ru_majflt;
    const bool moved = bytes != a->bytes || faults != a->faults;
    if (moved || processor - a->processor > LEAST || any_runs(a)) a->deeds++;
    a->processor = processor;
    a->bytes = bytes;
    a->faults = faults;
}
