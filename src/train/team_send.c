/*
 * team_send.c: a mean over the team that is taken beside other work.
 *
 * MPI moves large messages only while someone waits for them, so a thread of its own waits.  While
 * it does, nobody else may call the team.
 */
#include "train/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct ecc_team_sender {
    pthread_t thread;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t changed;
    bool stop, busy;
    struct ecc_team *team;
    float *x;
    size_t count;
    enum ecc_status status;
    struct ecc_error error;
};

static void *send_on(void *argument)
{
    struct ecc_team_sender *const s = argument;
    pthread_mutex_lock(&s->lock);
    while (!s->stop) {
        if (!s->busy) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        pthread_mutex_unlock(&s->lock);
        const enum ecc_status status = ecc_team_average(s->team, s->x, s->count, &s->error);
        pthread_mutex_lock(&s->lock);
        s->status = status;
        s->busy = false;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* The caller's threads handle signals. */
static bool start_thread(struct ecc_team_sender *s)
{
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    const bool started = pthread_create(&s->thread, NULL, send_on, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

bool ecc_team_send_beside(struct ecc_team *team)
{
    if (team->sender) return true;
    if (team->size == 1 || !team->link->threads || !team->link->threads(team->state)) return false;
    struct ecc_team_sender *const s = calloc(1, sizeof *s);
    if (!s) return false;
    s->team = team;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    if (start_thread(s)) {
        team->sender = s;
        return true;
    }
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
    return false;
}

void ecc_team_begin_average(struct ecc_team *team, float *x, size_t count)
{
    struct ecc_team_sender *const s = team->sender;
    pthread_mutex_lock(&s->lock);
    s->x = x;
    s->count = count;
    s->busy = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

enum ecc_status ecc_team_end_average(struct ecc_team *team, struct ecc_error *error)
{
    struct ecc_team_sender *const s = team->sender;
    pthread_mutex_lock(&s->lock);
    while (s->busy) pthread_cond_wait(&s->changed, &s->lock);
    const enum ecc_status status = s->status;
    pthread_mutex_unlock(&s->lock);
    if (status != ECC_OK && error) *error = s->error;
    return status;
}

void ecc_team_stop_sending(struct ecc_team *team)
{
    struct ecc_team_sender *const s = team->sender;
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
    team->sender = NULL;
}
