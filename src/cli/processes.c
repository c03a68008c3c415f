/* processes.c: the program as one of several processes that mpirun or srun started. */
#include "base/terminal.h"
#include "cli/output.h"
#include "cli/processes.h"
#include "train/team.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static struct ecc_team *team;
static int loud = STDERR_FILENO; /* where a silent process can still be heard */

/* The first process speaks for all, and the launcher ends it when another has ended: these wait. */
enum { MOMENT = 1 };

struct ecc_team *ecc_processes(void)
{
    return team;
}

static void be_silent(void)
{
    loud = dup(STDERR_FILENO);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) {
        fclose(stdout); /* nothing else is left to try */
    }
}

/* Processes on one machine that the launcher has not bound to processors share them. */
static void share_threads(void)
{
    const int processors = omp_get_num_procs();
    const bool bound = processors < (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (bound || getenv("OMP_NUM_THREADS") || team->local < 2) return;
    const int share = processors / team->local;
    omp_set_num_threads(share > 0 ? share : 1);
}

/* From a thread that watches the others: what it says is the last of this process.  After Ctrl-C
 * the launcher may end all before they are done, in any order: that is no loss. */
static void on_loss(void *context, const char *sentence)
{
    const struct timespec moment = {.tv_nsec = 200000000}; /* for the launcher to pass it on */
    (void)context;
    if (ecc_interrupted()) nanosleep(&moment, NULL);
    dprintf(loud, "%seccentric: %s\n", isatty(loud) ? "\r\033[K" : "", sentence);
    nanosleep(&moment, NULL);
}

/* A team that is not watched works, too. */
static void watch(void)
{
    const struct ecc_watch last = {.on_remark = on_loss};
    struct ecc_error reason = {0};
    if (ecc_team_watch(team, &last, &reason) != ECC_OK) {
        ecc_print_to(stderr, "eccentric: %s\n", reason.text);
    }
}

enum ecc_status ecc_processes_join(const struct ecc_command *command, struct ecc_error *error)
{
    int rank;
    const int started = ecc_team_started(&rank);
    if (started < 2) return ECC_OK;
    enum ecc_status status = ECC_OK;
    if (!command->together) {
        status = ecc_fail(error, ECC_BAD_ARGUMENT,
                          "%d processes were started, but %s runs in one: start it without mpirun "
                          "or srun",
                          started, command->name);
    }
    if (status == ECC_OK) status = ecc_team_join(&team, error);
    if (rank > 0) be_silent();
    if (status != ECC_OK && rank > 0) sleep(MOMENT);
    if (status != ECC_OK) return status;
    share_threads();
    watch();
    return ECC_OK;
}

void ecc_processes_fail(const char *sentence)
{
    if (!team || team->agreed) return;
    ecc_team_guard_say(team, true);
    if (team->rank > 0) {
        sleep(MOMENT); /* the first may have failed by the same and say so itself */
        if (ecc_team_guard_speaks(team)) {
            dprintf(loud, "eccentric: process %d of %d: %s\n", team->rank, team->size, sentence);
        }
    }
    fflush(stderr);
    ecc_team_abort(team);
}

void ecc_processes_leave(void)
{
    fflush(stderr);
    fflush(stdout);
    ecc_team_leave(team);
    team = NULL;
}
