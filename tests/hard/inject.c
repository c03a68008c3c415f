/*
 * inject.c: runs a command in which one system call goes wrong.
 *
 * usage: inject ACTION CALLS N COUNT_FILE COMMAND [WORDS]
 *   CALLS   a list such as write,fsync,rename, or all
 *   ACTION  EIO, ENOSPC, EINTR, EDQUOT, EMFILE, ENOMEM: the Nth of these calls fails with that
 * error; STICKY-ENOSPC and the like: so do all that follow; short: it writes half of what it
 * should; kill: the command is killed before it N       from 1; 0: nothing goes wrong How many such
 * calls there were is written to COUNT_FILE.  The exit code is that of the command, 128 + N for
 * signal N.
 *
 * The kernel stops the command only at these calls (seccomp), so that it runs at nearly its usual
 * speed.  Writes to standard error are left alone.  Linux on x86-64.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __x86_64__
int main(void)
{
    fprintf(stderr, "inject: only for x86-64\n");
    return 77;
}
#else

static const struct {
    const char *name;
    long number;
} calls[] = {
    {"write", SYS_write},        {"write", SYS_pwrite64},    {"write", SYS_writev},
    {"fsync", SYS_fsync},        {"fsync", SYS_fdatasync},   {"rename", SYS_rename},
    {"rename", SYS_renameat},    {"rename", SYS_renameat2},  {"link", SYS_link},
    {"link", SYS_linkat},        {"unlink", SYS_unlink},     {"unlink", SYS_unlinkat},
    {"truncate", SYS_ftruncate}, {"truncate", SYS_truncate}, {"mkdir", SYS_mkdir},
    {"mkdir", SYS_mkdirat},      {"chmod", SYS_fchmod},      {"read", SYS_read},
    {"read", SYS_pread64},       {"open", SYS_openat},
};
enum { CALLS = sizeof calls / sizeof calls[0] };

static const struct {
    const char *name;
    int error;
} errors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EINTR", EINTR},  {"EDQUOT", EDQUOT},
              {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}, {"EACCES", EACCES}};

struct action {
    int error; /* 0: none */
    bool sticky, shorten, kill;
};

static void die(const char *why)
{
    fprintf(stderr, "inject: %s: %s\n", why, strerror(errno));
    exit(125);
}

static struct action read_action(const char *text)
{
    struct action action = {.shorten = strcmp(text, "short") == 0,
                            .kill = strcmp(text, "kill") == 0};
    if (strncmp(text, "STICKY-", 7) == 0) {
        action.sticky = true;
        text += 7;
    }
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (strcmp(text, errors[i].name) == 0) action.error = errors[i].error;
    }
    if (!action.error && !action.shorten && !action.kill) {
        fprintf(stderr, "inject: unknown action %s\n", text);
        exit(125);
    }
    return action;
}

/* Whether a name is in a list with commas; "all": every call that changes files. */
static bool listed(const char *list, const char *name)
{
    if (strcmp(list, "all") == 0) return strcmp(name, "read") != 0 && strcmp(name, "open") != 0;
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length) {
        const bool starts = at == list || at[-1] == ',';
        if (starts && (at[length] == '\0' || at[length] == ',')) return true;
    }
    return false;
}

/* The kernel stops at these calls, and at no others. */
static void stop_at(const char *list)
{
    struct sock_filter filter[2 * CALLS + 2];
    unsigned short count = 0;
    filter[count++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < CALLS; i++) {
        if (!listed(list, calls[i].name)) continue;
        filter[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                       (unsigned)calls[i].number, 0, 1);
        filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {.len = count, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        die("seccomp");
    }
}

static void start(const char *list, char **command)
{
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) die("ptrace");
    raise(SIGSTOP); /* until the parent has its options */
    stop_at(list);
    execvp(command[0], command);
    die(command[0]);
}

/* Standard error has to tell what went wrong; reads of what is no file, and opening to read, are no
 * concern of ours. */
static bool is_exempt(const struct user_regs_struct *regs)
{
    const long number = (long)regs->orig_rax;
    const bool writes = number == SYS_write || number == SYS_pwrite64 || number == SYS_writev;
    return writes && regs->rdi == STDERR_FILENO;
}

/* The call that this thread is about to make goes wrong. */
static void disturb(pid_t thread, struct user_regs_struct *regs, const struct action *action)
{
    if (action->shorten) {
        const long number = (long)regs->orig_rax;
        if (number == SYS_write || number == SYS_pwrite64) regs->rdx = (regs->rdx + 1) / 2;
        if (number == SYS_writev && regs->rdx > 1) regs->rdx /= 2;
    } else {
        regs->orig_rax = (unsigned long long)-1; /* not made */
        regs->rax = (unsigned long long)-action->error;
    }
    if (ptrace(PTRACE_SETREGS, thread, NULL, regs) != 0) die("set registers");
}

struct watch {
    pid_t child;
    long at, seen;
    struct action action;
};

static void on_call(struct watch *w, pid_t thread)
{
    struct user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &regs) != 0) return; /* it is gone */
    if (is_exempt(&regs)) return;
    w->seen++;
    if (w->at == 0 || w->seen < w->at || (w->seen > w->at && !w->action.sticky)) return;
    if (w->action.kill) {
        kill(w->child, SIGKILL);
    } else {
        disturb(thread, &regs, &w->action);
    }
}

/* Until the command has ended; returns how. */
static int follow(struct watch *w)
{
    int status, result = 0;
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
        if (thread <= 0) continue;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == w->child) result = status;
            continue;
        }
        int signal_number = WSTOPSIG(status);
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) on_call(w, thread);
        if (signal_number == SIGTRAP || status >> 16 != 0 || signal_number == SIGSTOP) {
            signal_number = 0;
        }
        ptrace(PTRACE_CONT, thread, NULL, (void *)(long)signal_number);
    }
    return result;
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: inject ACTION CALLS N COUNT_FILE COMMAND [WORDS]\n");
        return 125;
    }
    struct watch w = {.action = read_action(argv[1]), .at = atol(argv[3])};
    w.child = fork();
    if (w.child < 0) die("fork");
    if (w.child == 0) start(argv[2], argv + 5);
    int status;
    if (waitpid(w.child, &status, 0) != w.child || !WIFSTOPPED(status)) die("start");
    const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                         PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, w.child, NULL, (void *)options) != 0) die("ptrace");
    ptrace(PTRACE_CONT, w.child, NULL, NULL);
    status = follow(&w);
    FILE *const count = fopen(argv[4], "w");
    if (!count || fprintf(count, "%ld\n", w.seen) < 0 || fclose(count) != 0) die(argv[4]);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
#endif
