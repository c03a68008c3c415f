/*
 * connection.c: who may stay connected.  A client that sends its request or reads its reply byte by
 * byte cannot hold a connection for ever; one that has not sent an acceptable request yet, a
 * stranger, has seconds, and makes room when others come.  So places are never all taken by clients
 * that only wait.
 */
#include "base/clock.h"
#include "explore/server_internal.h"

#include <math.h>
#include <sys/socket.h>

enum { PLACES = ECC_SERVER_CONNECTIONS + ECC_SERVER_LEAVING };

/* MHD owns the socket: it notices that it is shut down, and cleans up. */
static void close_soon(struct ecc_connection *c)
{
    shutdown(c->socket, SHUT_RDWR);
    c->since = INFINITY;
}

/* Who goes first when room is needed. */
enum rank { STAYS, BUSY, IDLE, STRANGER };

static enum rank rank_of(const struct ecc_server *s, const struct ecc_connection *c, double now)
{
    if (!c->used || isinf(c->since)) return STAYS;
    if (!c->known) return STRANGER;
    if (!c->busy) return IDLE;
    return now - c->since < s->stranger_patience ? STAYS : BUSY;
}

/* Before a newcomer is counted: of too many strangers the oldest goes, or if all places are taken,
 * who has waited longest. */
static void make_room(struct ecc_server *s, double now)
{
    struct ecc_connection *first = NULL;
    enum rank highest = STAYS;
    size_t strangers = 0, all = 0;
    for (size_t i = 0; i < PLACES; i++) {
        struct ecc_connection *const c = &s->connections[i];
        const enum rank rank = rank_of(s, c, now);
        all += c->used && !isinf(c->since);
        strangers += rank == STRANGER;
        if (rank == STAYS || rank < highest) continue;
        if (first && rank == highest && c->since >= first->since) continue;
        highest = rank;
        first = c;
    }
    if (first && (strangers >= ECC_SERVER_STRANGERS || all >= ECC_SERVER_CONNECTIONS)) {
        close_soon(first);
    }
}

void ecc_connection_notify(void *server, struct MHD_Connection *connection, void **context,
                           enum MHD_ConnectionNotificationCode code)
{
    struct ecc_server *const s = server;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*context) *(struct ecc_connection *)*context = (struct ecc_connection){0};
        *context = NULL;
        return;
    }
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    make_room(s, ecc_seconds());
    for (size_t i = 0; info && i < PLACES; i++) {
        if (s->connections[i].used) continue;
        s->connections[i] = (struct ecc_connection){
            .used = true, .socket = info->connect_fd, .since = ecc_seconds()};
        *context = &s->connections[i];
        return;
    }
}

static struct ecc_connection *of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

void ecc_connection_accepted(struct MHD_Connection *connection)
{
    struct ecc_connection *const c = of(connection);
    if (c) c->known = c->busy = true;
}

void ecc_connection_served(struct MHD_Connection *connection)
{
    struct ecc_connection *const c = of(connection);
    if (!c) return;
    c->busy = false;
    if (!isinf(c->since)) c->since = ecc_seconds();
}

void ecc_connections_sweep(struct ecc_server *s, double now)
{
    for (size_t i = 0; i < PLACES; i++) {
        struct ecc_connection *const c = &s->connections[i];
        const double patience = c->known ? s->patience : s->stranger_patience;
        if (c->used && now - c->since >= patience) close_soon(c);
    }
}
