/*
 * server.h: the explorer as a web server (libmicrohttpd), on the loopback address by default.
 *
 * One thread does everything, one request after another.  It is the one that opened the models, so
 * there is one pool of OpenMP threads and nothing to lock.  A page has at most one decode request
 * in flight, so no queue builds up.
 *
 * On any address other than loopback, the path starts with a random token.  A request has no effect
 * beyond its reply, and no part of it reaches the file system: pages are embedded, and items are
 * chosen by number.
 */
#ifndef ECC_EXPLORE_SERVER_H
#define ECC_EXPLORE_SERVER_H

#include "explore/space.h"

struct ecc_server;

struct ecc_server_options {
    const char *address; /* numeric, such as 127.0.0.1 or ::1; NULL: 127.0.0.1 */
    size_t port;         /* 0: any free port */
    double patience; /* seconds that a request may take from its first to its last byte; 0: 60 */
    double rate;     /* requests per second from all clients, twice as many at once; 0: default */
    bool framed;     /* pages of this machine, such as notebooks, may show the page in a frame */
};

enum {
    ECC_SERVER_CONNECTIONS = 64, /* who has waited longest for a request makes room for others */
    ECC_SERVER_RATE = 2000,      /* requests per second by default */
};

/* Starts to listen.  The caller keeps the space, which must outlive the server. */
enum ecc_status ecc_server_create(struct ecc_server **server, struct ecc_space *space,
                                  const struct ecc_server_options *options,
                                  struct ecc_error *error);
void ecc_server_free(struct ecc_server *server);

/* "http://127.0.0.1:8320/", with the token if there is one. */
const char *ecc_server_url(const struct ecc_server *server);
size_t ecc_server_port(const struct ecc_server *server);

/* Whether a numeric address is a loopback address; fails if it is not an address. */
enum ecc_status ecc_server_check_address(const char *address, bool *loopback,
                                         struct ecc_error *error);

/* Serves until `stop`, called a few times a second, returns true. */
enum ecc_status ecc_server_run(struct ecc_server *server, bool (*stop)(void),
                               struct ecc_error *error);

#endif
