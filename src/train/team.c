/* team.c: the operations that several processes need to train together. */
#include "train/team.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKET = 1 << 23 }; /* floats that travel at a time, at most */

struct ecc_team ecc_team_alone(void)
{
    return (struct ecc_team){.rank = 0, .size = 1, .local = 1};
}

int ecc_team_rank(const struct ecc_team *team)
{
    return team ? team->rank : 0;
}

int ecc_team_size(const struct ecc_team *team)
{
    return team ? team->size : 1;
}

/* The link, for one call. */
static const struct ecc_team_link *begin(struct ecc_team *team)
{
    atomic_fetch_add_explicit(&team->calls, 1, memory_order_relaxed);
    return team->link;
}

static enum ecc_status check(const struct ecc_team *team, int code, const char *what,
                             struct ecc_error *error)
{
    if (code == 0) return ECC_OK;
    char text[ECC_TEAM_LINK_TEXT];
    team->link->describe(text, code);
    return ecc_fail(error, ECC_IO, "process %d of %d cannot %s: %s", team->rank, team->size, what,
                    text);
}

/* ---- Memory --------------------------------------------------------------------------------- */

static size_t slice_of(size_t count, size_t size)
{
    const size_t most = BUCKET / size > 0 ? BUCKET / size : 1, all = (count + size - 1) / size;
    return all < most ? all : most;
}

enum ecc_status ecc_team_reserve(struct ecc_team *team, size_t count, size_t bytes,
                                 struct ecc_error *error)
{
    const size_t size = (size_t)team->size, slice = slice_of(count, size);
    if (size == 1) return ECC_OK;
    if (slice > team->slice) {
        free(team->tail);
        team->slice = slice;
        team->tail = malloc(2 * size * slice * sizeof *team->tail);
        if (!team->tail) return ecc_fail_memory(error, "the gradients of a team");
        team->pieces = team->tail + size * slice;
    }
    if (bytes + sizeof(int64_t) > team->room_bytes) {
        free(team->room);
        team->room_bytes = bytes + sizeof(int64_t);
        team->room = malloc(size * team->room_bytes);
        if (!team->room) return ecc_fail_memory(error, "the latents of a team");
    }
    return ECC_OK;
}

void ecc_team_release(struct ecc_team *team)
{
    ecc_team_stop_sending(team);
    free(team->tail);
    free(team->room);
    team->tail = team->pieces = NULL;
    team->room = NULL;
    team->slice = team->room_bytes = 0;
}

/* ---- Means ---------------------------------------------------------------------------------- */

/* sum: [part] of the pieces: [size, part], in the order of the processes. */
static void add_pieces(float *mean, const float *pieces, size_t size, size_t part)
{
    for (size_t i = 0; i < part; i++) {
        double sum = 0;
        for (size_t k = 0; k < size; k++) sum += (double)pieces[k * part + i];
        mean[i] = (float)(sum / (double)size);
    }
}

/* x: [size, part] on each process.  Process k makes the mean of part k, then all get all parts. */
static enum ecc_status average_parts(struct ecc_team *team, float *x, size_t part,
                                     struct ecc_error *error)
{
    const size_t bytes = part * sizeof *x;
    ECC_TRY(check(team, begin(team)->exchange(team->state, team->pieces, x, bytes),
                  "exchange gradients with the others", error));
    add_pieces(x + (size_t)team->rank * part, team->pieces, (size_t)team->size, part);
    return ecc_team_collect(team, x, bytes, error);
}

enum ecc_status ecc_team_average(struct ecc_team *team, float *x, size_t count,
                                 struct ecc_error *error)
{
    const size_t size = (size_t)team->size;
    if (size == 1 || count == 0) return ECC_OK;
    ECC_TRY(ecc_team_reserve(team, count, 0, error));
    const size_t whole = size * team->slice;
    size_t at = 0;
    for (; at + whole <= count; at += whole) {
        ECC_TRY(average_parts(team, x + at, team->slice, error));
    }
    const size_t left = count - at, part = (left + size - 1) / size;
    if (left == 0) return ECC_OK;
    memcpy(team->tail, x + at, left * sizeof *x);
    memset(team->tail + left, 0, (size * part - left) * sizeof *x);
    ECC_TRY(average_parts(team, team->tail, part, error));
    memcpy(x + at, team->tail, left * sizeof *x);
    return ECC_OK;
}

/* ---- Messages ------------------------------------------------------------------------------- */

enum ecc_status ecc_team_collect(struct ecc_team *team, void *all, size_t bytes,
                                 struct ecc_error *error)
{
    if (team->size == 1) return ECC_OK;
    return check(team, begin(team)->gather(team->state, all, bytes), "gather from the others",
                 error);
}

enum ecc_status ecc_team_add(struct ecc_team *team, double *x, size_t count,
                             struct ecc_error *error)
{
    const size_t bytes = count * sizeof *x;
    if (team->size == 1) return ECC_OK;
    ECC_TRY(ecc_team_reserve(team, 0, bytes, error));
    memcpy(team->room + (size_t)team->rank * bytes, x, bytes);
    ECC_TRY(ecc_team_collect(team, team->room, bytes, error));
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (size_t k = 0; k < (size_t)team->size; k++) {
            sum += ((const double *)(const void *)team->room)[k * count + i];
        }
        x[i] = sum;
    }
    return ECC_OK;
}

enum ecc_status ecc_team_broadcast(struct ecc_team *team, void *data, size_t bytes,
                                   struct ecc_error *error)
{
    if (team->size == 1) return ECC_OK;
    return check(team, begin(team)->broadcast(team->state, data, bytes, 0),
                 "receive from process 0", error);
}

/* Process `failed` is the first that failed: its sentence goes to all. */
static enum ecc_status tell_all(struct ecc_team *team, enum ecc_status mine, int failed,
                                struct ecc_error *error)
{
    struct ecc_error theirs = {0};
    if (failed == team->rank && error) theirs = *error;
    ECC_TRY(check(team, begin(team)->broadcast(team->state, &theirs, sizeof theirs, failed),
                  "learn why another failed", error));
    team->agreed = true;
    if (mine != ECC_OK) return mine;
    return ecc_fail(error, theirs.status, "process %d of %d: %s", failed, team->size, theirs.text);
}

enum ecc_status ecc_team_gather(struct ecc_team *team, enum ecc_status mine, void *all,
                                size_t bytes, struct ecc_error *error)
{
    if (team->size == 1) return mine;
    ECC_TRY(ecc_team_reserve(team, 0, bytes, error));
    const size_t size = (size_t)team->size, stride = sizeof(int64_t) + bytes;
    const int64_t status = mine;
    char *const own = team->room + (size_t)team->rank * stride;
    memcpy(own, &status, sizeof status);
    if (bytes > 0) {
        memcpy(own + sizeof status, (char *)all + (size_t)team->rank * bytes, bytes);
    }
    ECC_TRY(ecc_team_collect(team, team->room, stride, error));
    for (size_t k = 0; k < size; k++) {
        int64_t theirs;
        memcpy(&theirs, team->room + k * stride, sizeof theirs);
        if (theirs != ECC_OK) return tell_all(team, mine, (int)k, error);
        if (bytes > 0) {
            memcpy((char *)all + k * bytes, team->room + k * stride + sizeof theirs, bytes);
        }
    }
    return ECC_OK;
}

enum ecc_status ecc_team_settle(struct ecc_team *team, enum ecc_status mine,
                                struct ecc_error *error)
{
    return ecc_team_gather(team, mine, NULL, 0, error);
}

enum ecc_status ecc_team_agree(struct ecc_team *team, int *value, struct ecc_error *error)
{
    if (team->size == 1) return ECC_OK;
    ECC_TRY(ecc_team_reserve(team, 0, sizeof *value, error));
    memcpy(team->room + (size_t)team->rank * sizeof *value, value, sizeof *value);
    ECC_TRY(ecc_team_collect(team, team->room, sizeof *value, error));
    for (size_t k = 0; k < (size_t)team->size; k++) {
        int theirs;
        memcpy(&theirs, team->room + k * sizeof theirs, sizeof theirs);
        if (theirs > *value) *value = theirs;
    }
    return ECC_OK;
}

void ecc_team_abort(struct ecc_team *team)
{
    if (!team || !team->link) return;
    ecc_team_guard_say(team, true);
    team->link->abort(team->state, 1);
}
