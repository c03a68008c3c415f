/* slow_disk.c: to be preloaded: a disk that takes three seconds for each of the first two files. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int fsync(int file)
{
    static int slow = 2;
    const struct timespec three = {3, 0};
    if (slow-- > 0) nanosleep(&three, NULL);
    return (int)syscall(SYS_fsync, file);
}
