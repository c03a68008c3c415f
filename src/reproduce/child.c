/*
 * child.c: one command of this program as a process: started, watched, ended.
 *
 * A process of its own, so that a crash is contained, memory is returned, and every result has its
 * command.  fork rather than posix_spawn, because the child asks to be told when its parent dies: a
 * training then saves and ends, even if the parent was killed with -9, and can be resumed.
 */
#include "reproduce/child.h"
#include "base/clock.h"
#include "reproduce/store.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { CANNOT_START = 127, PROGRAM = 4096 };

/* What a child needs, made before the fork: nothing is allocated after it. */
struct start {
    char program[PROGRAM];
    char **words; /* [.. + 1], ending in NULL */
    char *printed, *log;
    const char *directory;
    pid_t parent;
};

static void release_start(struct start *s)
{
    free(s->words);
    free(s->printed);
    free(s->log);
}

/* The words of the command; a training that was begun before goes on instead. */
static enum ecc_status prepare(struct start *s, const struct ecc_repro *r,
                               const struct ecc_task *task, char *folder, struct ecc_error *error)
{
    const size_t count = json_array_size(task->words);
    const ssize_t length = readlink("/proc/self/exe", s->program, PROGRAM - 1);
    if (length <= 0) return ecc_fail_errno(error, "find this program at", "/proc/self/exe");
    s->program[length] = '\0';
    s->words = calloc(count + 8, sizeof *s->words);
    s->printed = ecc_store_path(r, "work", task->name, ".out");
    s->log = ecc_store_path(r, "logs", task->name, ".log");
    if (!s->words || !s->printed || !s->log) return ecc_fail_memory(error, "a command");
    static char resume[] = "--resume", train[] = "train", out[] = "--out", json[] = "--json";
    size_t n = 0;
    s->words[n++] = s->program;
    if (task->resumes) {
        s->words[n++] = train;
        s->words[n++] = resume;
        s->words[n++] = folder;
    } else {
        for (size_t i = 0; i < count; i++) {
            /* exec takes words that it does not change */
            s->words[n++] = (char *)json_string_value(json_array_get(task->words, i));
        }
        if (task->training) {
            s->words[n++] = out;
            s->words[n++] = folder;
        }
    }
    if (task->training) s->words[n++] = json;
    s->directory = r->options->out;
    s->parent = getpid();
    return ECC_OK;
}

/* In the child: files in their places, then the program. */
static void become(const struct start *s)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != s->parent) _exit(CANNOT_START); /* it died before that */
#endif
    const int empty = open("/dev/null", O_RDONLY);
    const int printed = open(s->printed, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int log = open(s->log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (empty < 0 || printed < 0 || log < 0) _exit(CANNOT_START);
    if (dup2(empty, 0) < 0 || dup2(printed, 1) < 0 || dup2(log, 2) < 0) _exit(CANNOT_START);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    if (chdir(s->directory) == 0) execv(s->program, s->words);
    _exit(CANNOT_START);
}

enum ecc_status ecc_child_start(struct ecc_child *child, const struct ecc_repro *r, int task,
                                struct ecc_error *error)
{
    struct start s = {0};
    char folder[ECC_TASK_NAME + 8];
    ecc_run_folder(folder, &r->tasks[task]);
    enum ecc_status status = prepare(&s, r, &r->tasks[task], folder, error);
    *child = (struct ecc_child){.task = task, .started = ecc_seconds()};
    if (status == ECC_OK) {
        child->pid = fork();
        if (child->pid == 0) become(&s);
        if (child->pid < 0) {
            child->pid = 0;
            status = ecc_fail_errno(error, "start", s.program);
        }
    }
    release_start(&s);
    return status;
}

/* ---- Its end -------------------------------------------------------------------------------- */

void ecc_child_last_line(char *line, size_t size, const struct ecc_repro *r,
                         const struct ecc_task *task)
{
    char *const path = ecc_store_path(r, "logs", task->name, ".log");
    FILE *const log = path ? fopen(path, "rb") : NULL;
    char end[1024];
    size_t count = 0;
    free(path);
    line[0] = '\0';
    if (!log) return;
    if (fseek(log, 1 - (long)sizeof end, SEEK_END) != 0) rewind(log);
    count = fread(end, 1, sizeof end - 1, log);
    fclose(log);
    while (count > 0 && (end[count - 1] == '\n' || end[count - 1] == '\r')) count--;
    end[count] = '\0';
    char *start = end + count;
    while (start > end && start[-1] != '\n' && start[-1] != '\r') start--;
    snprintf(line, size, "%s", start);
    for (char *c = line; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = ' ';
    }
}

bool ecc_child_ended(const struct ecc_child *child, const struct ecc_repro *r, char *failure)
{
    int how;
    const pid_t ended = waitpid(child->pid, &how, WNOHANG);
    failure[0] = '\0';
    if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
    if (ended < 0) {
        snprintf(failure, ECC_FAILURE_SIZE, "its process is gone");
    } else if (WIFSIGNALED(how)) {
        snprintf(failure, ECC_FAILURE_SIZE, "ended by signal %d (%s)", WTERMSIG(how),
                 strsignal(WTERMSIG(how)));
    } else if (WEXITSTATUS(how) == CANNOT_START) {
        snprintf(failure, ECC_FAILURE_SIZE, "it could not be started");
    } else if (WEXITSTATUS(how) != 0) {
        static const char prefix[] = "eccentric: ";
        char line[ECC_FAILURE_SIZE];
        ecc_child_last_line(line, sizeof line, r, &r->tasks[child->task]);
        const bool named = strncmp(line, prefix, strlen(prefix)) == 0;
        snprintf(failure, ECC_FAILURE_SIZE, "%s", line + (named ? strlen(prefix) : 0));
        if (!failure[0]) snprintf(failure, ECC_FAILURE_SIZE, "exit %d", WEXITSTATUS(how));
    }
    return true;
}
