/* connection.c: closes slow connections, so that a client that sends its request or reads its reply
 * byte by byte cannot hold one forever. */
#include "base/clock.h"
#include "explore/server_internal.h"

#include <math.h>
#include <sys/socket.h>

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
    for (size_t i = 0; info && i < ECC_SERVER_CONNECTIONS; i++) {
        if (s->connections[i].used) continue;
        s->connections[i] = (struct ecc_connection){true, info->connect_fd, ecc_seconds()};
        *context = &s->connections[i];
        return;
    }
}

void ecc_connection_served(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct ecc_connection *const c = info ? info->socket_context : NULL;
    if (c) c->since = ecc_seconds();
}

/* MHD owns the socket: it notices that it is shut down, and cleans up. */
void ecc_connections_sweep(struct ecc_server *s, double now)
{
    for (size_t i = 0; i < ECC_SERVER_CONNECTIONS; i++) {
        struct ecc_connection *const c = &s->connections[i];
        if (!c->used || now - c->since < s->patience) continue;
        shutdown(c->socket, SHUT_RDWR);
        c->since = INFINITY;
    }
}
