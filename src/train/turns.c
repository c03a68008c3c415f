/* turns.c: trainings of one user that do not fit on the processors side by side take turns. */
#include "train/turns.h"

#include "base/clock.h"

#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of the file: who has locked the first one computes; who has locked the second one is the
 * next.  The kernel removes the locks of a process that ends, however it ends. */
enum { TURN, NEXT };

/* Seconds.  A turn of 50 ms loses little at its ends, where nobody computes for half a look. */
static const double turn_length = 0.05, look_interval = 0.0005;
/* A process that was stopped, or whose steps take longer, keeps its turn: then both compute. */
static const double patience = 1, ignored_for = 20;

static bool lock(const struct ecc_turns *t, int byte, short type)
{
    struct flock request = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)byte, .l_len = 1};
    return fcntl(t->file, F_SETLK, &request) == 0;
}

static bool somebody_waits(const struct ecc_turns *t)
{
    struct flock request = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)NEXT, .l_len = 1};
    return fcntl(t->file, F_GETLK, &request) == 0 && request.l_type != F_UNLCK;
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
        if (!somebody_waits(t)) return;
        lock(t, TURN, F_UNLCK);
        t->mine = false;
    }
    if (now < t->ignore_until) return;
    if (wait_for(t, NEXT, now + patience)) {
        t->mine = wait_for(t, TURN, now + patience);
        lock(t, NEXT, F_UNLCK);
    }
    t->since = ecc_seconds();
    if (!t->mine) t->ignore_until = t->since + ignored_for;
}
