/*
 * team_mpirun.c: ends an mpirun that waits for a machine that cannot be reached.
 *
 * When all processes are to end, mpirun asks its helper on every machine to end those there, and
 * waits until TCP gives up if the network is lost: a quarter of an hour.  Two SIGTERM, as somebody
 * would send them by pressing Ctrl-C twice, end it.  srun is not touched: Slurm has its own ways.
 */
#include "train/team.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GRACE_MS = 1000, BETWEEN_MS = 500, MOST_ABOVE = 8, MOST_FILES = 4096 };

/* The name of a process and who started it; 0: not known. */
static pid_t look_at(pid_t pid, char name[32])
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t n = read(file, text, sizeof text - 1);
    close(file);
    text[n > 0 ? n : 0] = '\0';
    const char *const begin = strchr(text, '('), *const end = strrchr(text, ')');
    if (!begin || !end || strlen(end) < 4) return 0;
    snprintf(name, 32, "%.*s", (int)(end - begin - 1), begin + 1);
    return (pid_t)strtol(end + 4, NULL, 10); /* after the state, one letter */
}

/* Whether it is a part of an mpirun: of Open MPI 4, 5, or MPICH. */
static bool is_mpirun(const char *name)
{
    static const char *const begins[] = {"mpirun", "mpiexec", "orte", "prte", "hydra_"};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        if (strncmp(name, begins[i], strlen(begins[i])) == 0) return true;
    }
    return false;
}

/* The topmost mpirun above this process, or 0. */
static pid_t find_mpirun(void)
{
    char name[32], own[32];
    pid_t found = 0, pid = look_at(getpid(), own);
    for (int i = 0; i < MOST_ABOVE && pid > 1; i++) {
        const pid_t above = look_at(pid, name);
        if (!is_mpirun(name)) break;
        found = pid;
        pid = above;
    }
    return found;
}

/* In a process of its own, which the end of the others does not reach. */
static void insist(int mpirun)
{
    struct pollfd ended = {0, POLLIN, 0};
    setsid();
    dup2(mpirun, 0);
    for (int fd = 1; fd < MOST_FILES; fd++) close(fd); /* others notice an end by them */
    for (int i = 0, wait = GRACE_MS; i < 2; i++, wait = BETWEEN_MS) {
        if (poll(&ended, 1, wait) != 0) break;
        syscall(SYS_pidfd_send_signal, 0, SIGTERM, NULL, 0);
    }
    _exit(0);
}

void ecc_team_end_mpirun(void)
{
    const pid_t pid = find_mpirun();
    const int mpirun = pid ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
    if (mpirun < 0) return;
    if (fork() == 0) insist(mpirun);
    close(mpirun);
}
