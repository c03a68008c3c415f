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
    bool known; /* a request on it was accepted: with the token, if there is one */
    bool busy;  /* a request is being received or answered */
    int socket;
    double since;
};

enum {
    /* connections that have not sent a whole, acceptable request yet: of more, the oldest go */
    ECC_SERVER_STRANGERS = 16,
    /* beyond ECC_SERVER_CONNECTIONS, until those that had to go are gone */
    ECC_SERVER_LEAVING = 32,
    /* from one address, unless all share one */
    ECC_SERVER_PER_ADDRESS = 32,
};

struct ecc_server {
    struct ecc_space *space;
    struct MHD_Daemon *daemon;
    bool loopback, framed;
    size_t port;
    char token[ECC_TOKEN_SIZE]; /* empty: no token */
    char own_name[256];
    char url[512];
    struct ecc_rate rate;
    size_t pending;                     /* bytes reserved for bodies */
    double patience, stranger_patience; /* seconds */
    struct ecc_connection connections[ECC_SERVER_CONNECTIONS + ECC_SERVER_LEAVING];
};

/* For MHD: a client has connected or disconnected. */
void ecc_connection_notify(void *server, struct MHD_Connection *connection, void **context,
                           enum MHD_ConnectionNotificationCode code);
/* The headers of a request on it have been accepted; a request on it has been completed. */
void ecc_connection_accepted(struct MHD_Connection *connection);
void ecc_connection_served(struct MHD_Connection *connection);
/* Closes those that have been waiting for longer than the server's patience: seconds for the first
 * request, more for later ones. */
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
