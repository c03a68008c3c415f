/* slow_disk.c: to be preloaded: a disk that takes two seconds for each of the first files. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int fsync(int file)
{
    static int slow = 3;
    const struct timespec two = {2, 0};
    if (slow-- > 0) nanosleep(&two, NULL);
    return (int)syscall(SYS_fsync, file);
}
