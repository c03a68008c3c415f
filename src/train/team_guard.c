/*
 * team_guard.c: a thread that notices when another process of the team hangs or dies.
 *
 * MPI waits for ever for a process that does not come.  So every process tells process 0 how it is,
 * by lines of its own (team_line.h), and process 0 tells them; who hangs is decided by process 0,
 * or, if that is the one, by the others (team_pulse.h).  Then one of them says so, and all end.
 */
#include "base/activity.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/watch.h"
#include "train/team_line.h"

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    STRANGERS = 16,  /* that have called and not said who they are */
    LAST_RESORT = 2, /* seconds for MPI to end this process */
};
static const double TICK = 0.25, HANG = 6, STALL = 600;
static const double NEXT = 1.25; /* seconds until the next process speaks, if it still can */

struct ecc_team_guard {
    struct ecc_team *team;
    struct ecc_watch last; /* who hears what this process has to say last */
    struct ecc_team_patience patience;
    pthread_t thread;
    bool running;
    int listener; /* of process 0, until all have called; else -1 */
    int bell[2];  /* a pipe: to wake the thread */

    pthread_mutex_t lock;     /* of what is sent and the three below */
    struct ecc_team_beat own; /* as it was sent last */
    int32_t speaker;          /* 1 + the process that says why all end; 0: nobody */
    bool leaving, all;        /* all: nobody will call any more */
    atomic_bool stop;

    struct ecc_activity activity;
    double ticked;
    bool closed;                   /* a line has */
    struct ecc_team_pulse *pulses; /* [size]: process 0 knows all, the others process 0 */
    struct ecc_team_line *lines;   /* [size + STRANGERS]: to the processes; then strangers */
    struct pollfd *polled;         /* [size + STRANGERS + 2] */
};

/* ---- Sending -------------------------------------------------------------------------------- */

static void send_to_all(struct ecc_team_guard *g)
{
    struct ecc_team *const team = g->team;
    pthread_mutex_lock(&g->lock);
    g->own.calls = atomic_load(&team->calls);
    g->own.steps = atomic_load(&team->steps);
    g->own.writes = ecc_activity_writes();
    g->own.leaving = g->leaving;
    g->own.speaker = g->speaker;
    for (int k = 0; k < team->size; k++) ecc_team_line_send(&g->lines[k], &g->own);
    pthread_mutex_unlock(&g->lock);
}

/* ---- Receiving ------------------------------------------------------------------------------ */

/* Of several that fail, process 0 says which one speaks: the first it heard of. */
static void learn_speaker(struct ecc_team_guard *g, int32_t speaker)
{
    const bool decides = g->team->rank == 0;
    pthread_mutex_lock(&g->lock);
    const bool news = speaker && (!decides || !g->speaker);
    if (news) g->speaker = speaker;
    pthread_mutex_unlock(&g->lock);
    if (news && decides) send_to_all(g);
}

static void hear(struct ecc_team_guard *g, int rank)
{
    struct ecc_team_beat beat;
    bool closed = false;
    while (ecc_team_line_receive(&g->lines[rank], &beat, &closed)) {
        ecc_team_pulse_hear(&g->pulses[rank], &beat);
        learn_speaker(g, beat.speaker);
    }
    if (!closed) return;
    pthread_mutex_lock(&g->lock);
    ecc_team_line_close(&g->lines[rank]);
    pthread_mutex_unlock(&g->lock);
    g->pulses[rank].closed = g->closed = true;
}

/* A stranger that says the number of the team gets its place. */
static void meet(struct ecc_team_guard *g, struct ecc_team_line *stranger)
{
    struct ecc_team_beat beat;
    bool closed;
    const bool spoke = ecc_team_line_receive(stranger, &beat, &closed);
    if (!spoke && !closed) return;
    const bool right = spoke && beat.team == g->own.team && beat.rank > 0 &&
                       beat.rank < g->team->size && g->lines[beat.rank].fd < 0;
    if (!right) {
        ecc_team_line_close(stranger);
        return;
    }
    pthread_mutex_lock(&g->lock);
    g->lines[beat.rank] = *stranger;
    ecc_team_line_send(&g->lines[beat.rank], &g->own);
    pthread_mutex_unlock(&g->lock);
    *stranger = (struct ecc_team_line){.fd = -1};
    ecc_team_pulse_hear(&g->pulses[beat.rank], &beat);
}

static void let_in(struct ecc_team_guard *g)
{
    struct ecc_team_line *const strangers = g->lines + g->team->size;
    const int fd = ecc_team_accept(g->listener);
    if (fd < 0) return;
    size_t free = 0;
    while (free < STRANGERS && strangers[free].fd >= 0) free++;
    if (free == STRANGERS) ecc_team_line_close(&strangers[free = 0]);
    strangers[free] = (struct ecc_team_line){.fd = fd};
}

/* Nobody else is expected. */
static void shut_door(struct ecc_team_guard *g)
{
    pthread_mutex_lock(&g->lock);
    const bool all = g->all;
    pthread_mutex_unlock(&g->lock);
    if (!all || g->listener < 0) return;
    close(g->listener);
    g->listener = -1;
    for (int i = 0; i < STRANGERS; i++) ecc_team_line_close(&g->lines[g->team->size + i]);
}

static void wait_for_news(struct ecc_team_guard *g)
{
    const int size = g->team->size, count = size + STRANGERS;
    const double left = g->ticked + TICK - ecc_seconds();
    for (int i = 0; i < count; i++) g->polled[i] = (struct pollfd){g->lines[i].fd, POLLIN, 0};
    g->polled[count] = (struct pollfd){g->listener, POLLIN, 0};
    g->polled[count + 1] = (struct pollfd){g->bell[0], POLLIN, 0};
    if (poll(g->polled, (nfds_t)count + 2, left > 0 ? (int)(1000 * left) + 1 : 0) <= 0) return;
    for (int i = 0; i < size; i++) {
        if (g->polled[i].revents) hear(g, i);
    }
    for (int i = size; i < count; i++) {
        if (g->polled[i].revents) meet(g, &g->lines[i]);
    }
    if (g->polled[count].revents) let_in(g);
}

/* ---- Judging -------------------------------------------------------------------------------- */

/* Says so and ends all: by MPI, or if that hangs itself by a signal.  In its last call of MPI a
 * process ends by itself, and the launcher ends the others. */
static void end_all(struct ecc_team_guard *g, int rank, const char *why)
{
    pthread_mutex_lock(&g->lock);
    const bool known = g->speaker != 0, leaving = g->leaving;
    if (!known) g->speaker = g->team->rank + 1;
    pthread_mutex_unlock(&g->lock);
    if (known) return;
    send_to_all(g);
    if (!g->pulses[rank].closed && g->team->local < g->team->size) ecc_team_end_mpirun();
    ecc_watch_remark(&g->last, "process %d of %d %s", rank, g->team->size, why);
    signal(SIGALRM, SIG_DFL);
    alarm(LAST_RESORT);
    if (leaving) _exit(1);
    g->team->link->abort(g->team->state, 1);
    alarm(0);
}

static void judge(struct ecc_team_guard *g)
{
    char why[ECC_TEAM_WHY];
    const int lost = ecc_team_judge(why, g->pulses, g->team->size, &g->patience);
    if (lost >= 0) end_all(g, lost, why);
}

/* A pause of this process is not the others' silence. */
static void tick(struct ecc_team_guard *g, double passed)
{
    const double seconds = fmin(passed, 2 * TICK);
    const int size = g->team->size;
    ecc_activity_look(&g->activity);
    pthread_mutex_lock(&g->lock);
    g->own.deeds = g->activity.deeds;
    pthread_mutex_unlock(&g->lock);
    send_to_all(g);
    pthread_mutex_lock(&g->lock);
    const struct ecc_team_beat own = g->own; /* both threads send, and write to it */
    pthread_mutex_unlock(&g->lock);
    for (int k = 0; k < size; k++) ecc_team_pulse_wait(&g->pulses[k], seconds);
    if (g->team->rank == 0) ecc_team_pulse_hear(&g->pulses[0], &own);
    judge(g);
}

static void *watch_on(void *argument)
{
    struct ecc_team_guard *const g = argument;
    g->ticked = ecc_seconds();
    ecc_activity_look(&g->activity);
    while (!atomic_load(&g->stop)) {
        wait_for_news(g);
        if (g->closed) judge(g); /* at once: a launcher that sees it, too, may end this process */
        shut_door(g);
        const double now = ecc_seconds();
        if (now - g->ticked < TICK) continue;
        tick(g, now - g->ticked);
        g->ticked = now;
    }
    return NULL;
}

/* ---- The start and the end ------------------------------------------------------------------ */

static void free_guard(struct ecc_team_guard *g)
{
    if (!g) return;
    for (int i = 0; g->lines && i < g->team->size + STRANGERS; i++) {
        ecc_team_line_close(&g->lines[i]);
    }
    if (g->listener >= 0) close(g->listener);
    if (g->bell[0] >= 0) close(g->bell[0]);
    if (g->bell[1] >= 0) close(g->bell[1]);
    pthread_mutex_destroy(&g->lock);
    free(g->lines);
    free(g->pulses);
    free(g->polled);
    free(g);
}

static struct ecc_team_guard *new_guard(struct ecc_team *team)
{
    struct ecc_team_guard *const g = calloc(1, sizeof *g);
    const size_t count = (size_t)team->size + STRANGERS;
    if (!g) return NULL;
    g->team = team;
    g->listener = g->bell[0] = g->bell[1] = -1;
    g->own.rank = team->rank;
    pthread_mutex_init(&g->lock, NULL);
    g->lines = calloc(count, sizeof *g->lines);
    g->pulses = calloc((size_t)team->size, sizeof *g->pulses);
    g->polled = calloc(count + 2, sizeof *g->polled);
    for (size_t i = 0; g->lines && i < count; i++) g->lines[i].fd = -1;
    if (g->lines && g->pulses && g->polled && pipe(g->bell) == 0) return g;
    free_guard(g);
    return NULL;
}

/* Signals are for the caller's threads. */
static bool start_thread(struct ecc_team_guard *g)
{
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    g->running = pthread_create(&g->thread, NULL, watch_on, g) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return g->running;
}

/* A number of seconds in the environment, or what is usual. */
static double limit(const char *name, double usual)
{
    const char *const given = getenv(name);
    double value;
    return given && ecc_parse_double(given, &value) && value >= 0 ? value : usual;
}

/* Process 0 listens before it says where; count is 0 if it cannot. */
static void open_door(struct ecc_team_guard *g, struct ecc_team_contact *contact)
{
    const struct ecc_team *const team = g->team;
    *contact = (struct ecc_team_contact){.hang = limit("ECCENTRIC_HANG", HANG),
                                         .stall = limit("ECCENTRIC_STALL", STALL)};
    if (getrandom(&contact->team, sizeof contact->team, 0) != (ssize_t)sizeof contact->team) {
        contact->team = (uint64_t)getpid();
    }
    g->own.team = contact->team;
    g->patience = (struct ecc_team_patience){contact->hang, contact->stall, 0};
    if (contact->hang > 0) g->listener = ecc_team_listen(contact, team->local == team->size);
    if (g->listener < 0 || !start_thread(g)) contact->count = 0;
}

/* The later the number, the later it speaks of process 0. */
static bool call_first(struct ecc_team_guard *g, const struct ecc_team_contact *contact)
{
    const int before = g->team->rank - 1;
    struct ecc_team_beat theirs;
    g->own.team = contact->team;
    g->patience =
        (struct ecc_team_patience){contact->hang, contact->stall, NEXT * (before < 2 ? before : 2)};
    if (!ecc_team_call(&g->lines[0], contact, &g->own, &theirs)) return false;
    ecc_team_pulse_hear(&g->pulses[0], &theirs);
    return start_thread(g);
}

/* Who could not be reached; all processes know. */
static enum ecc_status settle(struct ecc_team *team, bool reached, struct ecc_error *error)
{
    int *const all = calloc((size_t)team->size, sizeof *all);
    if (!all) return ecc_fail_memory(error, "a team");
    all[team->rank] = reached;
    enum ecc_status status = ecc_team_collect(team, all, sizeof *all, error);
    for (int k = 0; status == ECC_OK && k < team->size; k++) {
        if (all[k]) continue;
        status = ecc_fail(error, ECC_IO,
                          "process %d of %d cannot %s by TCP: if %s hangs, the others wait for it "
                          "until somebody ends them",
                          k, team->size, k == 0 ? "be reached" : "reach process 0",
                          k == 0 ? "a process" : "it");
    }
    free(all);
    return status;
}

enum ecc_status ecc_team_watch(struct ecc_team *team, const struct ecc_watch *last,
                               struct ecc_error *error)
{
    struct ecc_team_contact contact = {0};
    if (!team || team->size == 1 || team->guard) return ECC_OK;
    struct ecc_team_guard *const g = new_guard(team);
    if (g) {
        if (last) g->last = *last;
        if (team->rank == 0) open_door(g, &contact);
    }
    enum ecc_status status = ecc_team_broadcast(team, &contact, sizeof contact, error);
    bool reached = g && contact.count > 0;
    if (status == ECC_OK && reached && team->rank > 0) reached = call_first(g, &contact);
    if (status == ECC_OK && contact.hang > 0) status = settle(team, reached, error);
    team->guard = g;
    if (!g || !g->running) {
        ecc_team_guard_stop(team);
        return status;
    }
    pthread_mutex_lock(&g->lock);
    g->all = true;
    pthread_mutex_unlock(&g->lock);
    return status;
}

void ecc_team_guard_say(struct ecc_team *team, bool failed)
{
    struct ecc_team_guard *const g = team->guard;
    if (!g) return;
    pthread_mutex_lock(&g->lock);
    if (failed && (team->rank == 0 || !g->speaker)) g->speaker = team->rank + 1;
    g->leaving |= !failed;
    pthread_mutex_unlock(&g->lock);
    send_to_all(g);
}

bool ecc_team_guard_speaks(struct ecc_team *team)
{
    struct ecc_team_guard *const g = team->guard;
    if (!g) return true;
    pthread_mutex_lock(&g->lock);
    const bool speaks = g->speaker == team->rank + 1;
    pthread_mutex_unlock(&g->lock);
    return speaks;
}

void ecc_team_guard_stop(struct ecc_team *team)
{
    struct ecc_team_guard *const g = team->guard;
    if (!g) return;
    if (g->running) {
        ecc_team_guard_say(team, false);
        atomic_store(&g->stop, true);
        const ssize_t rung = write(g->bell[1], "", 1);
        (void)rung; /* else it takes a tick */
        pthread_join(g->thread, NULL);
    }
    free_guard(g);
    team->guard = NULL;
}
