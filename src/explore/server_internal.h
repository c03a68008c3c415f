/* server_internal.h: what the files of the server share. */
#ifndef ECC_EXPLORE_SERVER_INTERNAL_H
#define ECC_EXPLORE_SERVER_INTERNAL_H

#include "explore/request.h"
#include "explore/server.h"

#include <microhttpd.h>

enum {
    ECC_TOKEN_SIZE = 33,          /* 32 characters and the final 0 */
    ECC_SERVER_PENDING = 1 << 26, /* bytes of bodies in flight, from all clients */
};

/* A connection, and the time since which no request on it has been completed. */
struct ecc_connection {
    bool used;
    int socket;
    double since;
};

struct ecc_server {
    struct ecc_space *space;
    struct MHD_Daemon *daemon;
    bool loopback;
    size_t port;
    char token[ECC_TOKEN_SIZE]; /* empty: no token */
    char own_name[256];
    char url[512];
    struct ecc_rate rate;
    size_t pending; /* bytes reserved for bodies */
    double patience;
    struct ecc_connection connections[ECC_SERVER_CONNECTIONS];
};

/* For MHD: a client has connected or disconnected. */
void ecc_connection_notify(void *server, struct MHD_Connection *connection, void **context,
                           enum MHD_ConnectionNotificationCode code);
/* A request on it has been completed. */
void ecc_connection_served(struct MHD_Connection *connection);
/* Closes those that have been waiting for longer than the server's patience. */
void ecc_connections_sweep(struct ecc_server *server, double now);

/* For MHD: the request line has arrived; a part of the request, or all of it, has arrived; the
 * request is over. */
void *ecc_exchange_begin(void *server, const char *target, struct MHD_Connection *connection);
enum MHD_Result ecc_exchange_answer(void *server, struct MHD_Connection *connection,
                                    const char *url, const char *method, const char *version,
                                    const char *data, size_t *size, void **exchange);
void ecc_exchange_end(void *server, struct MHD_Connection *connection, void **exchange,
                      enum MHD_RequestTerminationCode code);

#endif
