/* turns.c: trainings of one user that do not fit on the processors side by side take turns. */
#include "train/turns.h"

#include "base/clock.h"

#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Bytes of the file: who has locked the first one computes; who has locked the second one is the
 * next.  The kernel removes the locks of a process that ends, however it ends. */
enum { TURN, NEXT };

/* Seconds.  A turn of 50 ms loses little at its ends, where nobody computes for half a look. */
static const double turn_length = 0.05, look_interval = 0.0005;
/* A process that keeps its turn for longer is waited for only as long as it computes: it may have
 * long steps, on a busy machine.  One that was stopped, or waits for something else, is ignored
 * until it computes again. */
static const double patience = 1, most_patience = 15, ignored_for = 5;

static bool lock(const struct ecc_turns *t, int byte, short type)
{
    struct flock request = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)byte, .l_len = 1};
    return fcntl(t->file, F_SETLK, &request) == 0;
}

/* The process that has locked the byte; 0: none, -1: one that cannot be seen from here. */
static pid_t holder(const struct ecc_turns *t, int byte)
{
    struct flock request = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)byte, .l_len = 1};
    if (fcntl(t->file, F_GETLK, &request) != 0 || request.l_type == F_UNLCK) return 0;
    return request.l_pid > 0 ? request.l_pid : -1;
}

static double processor_time(pid_t process)
{
    clockid_t clock;
    struct timespec time;
    if (process <= 0 || clock_getcpuclockid(process, &clock) != 0) return 0;
    if (clock_gettime(clock, &time) != 0) return 0;
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Whether who has the turn has computed since the last call, or is another one than then. */
static bool holder_computes(struct ecc_turns *t)
{
    const pid_t process = holder(t, TURN);
    const double time = processor_time(process), least = 0.02;
    const bool computes = process != t->holder || time > t->holder_time + least;
    t->holder = process;
    t->holder_time = time;
    return computes;
}

static bool wait_for(const struct ecc_turns *t, int byte, double until)
{
    const struct timespec pause = {.tv_nsec = (long)(1e9 * look_interval)};
    while (!lock(t, byte, F_WRLCK)) {
        if (ecc_seconds() > until) return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* Waits for the byte as long as who has the turn computes. */
static bool wait_patiently(struct ecc_turns *t, int byte, double until)
{
    holder_computes(t);
    do {
        const double soon = ecc_seconds() + patience;
        if (wait_for(t, byte, soon < until ? soon : until)) return true;
    } while (ecc_seconds() < until && holder_computes(t));
    return false;
}

/* The file belongs to the user alone: others must not be able to keep a turn. */
static int open_file(void)
{
    const char *const own = getenv("XDG_RUNTIME_DIR");
    char path[4096];
    struct stat status;
    snprintf(path, sizeof path, "%s/eccentric-turns-%u", own && *own == '/' ? own : "/tmp",
             (unsigned)geteuid());
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (file < 0) return -1;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid()) {
        return file;
    }
    close(file);
    return -1;
}

void ecc_turns_init(struct ecc_turns *t, int threads)
{
    const bool two_fit = 2 * threads <= omp_get_num_procs();
    *t = (struct ecc_turns){.file = threads < 2 || two_fit ? -1 : open_file()};
}

void ecc_turns_release(struct ecc_turns *t)
{
    if (t->file >= 0) close(t->file);
    *t = (struct ecc_turns){.file = -1};
}

void ecc_turns_take(struct ecc_turns *t)
{
    if (t->file < 0) return;
    const double now = ecc_seconds();
    if (t->mine) {
        if (now - t->since < turn_length) return;
        t->since = now;
        if (!holder(t, NEXT)) return;
        lock(t, TURN, F_UNLCK);
        t->mine = false;
    }
    if (now < t->ignore_until) return;
    const bool still_idle = t->ignore_until > 0 && !holder_computes(t);
    const double patient_until = still_idle ? now : now + most_patience;
    if (wait_patiently(t, NEXT, patient_until)) {
        t->mine = wait_patiently(t, TURN, patient_until);
        lock(t, NEXT, F_UNLCK);
    }
    t->since = ecc_seconds();
    t->ignore_until = t->mine ? 0 : t->since + ignored_for;
}
