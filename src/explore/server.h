/*
 * server.h: the explorer as a web server (libmicrohttpd), on the loopback address unless told
 * otherwise.
 *
 * One thread does everything, one request after another: the one that opened the models, so that
 * there is one pool of OpenMP threads and nothing to lock.  A page keeps at most one request for a
 * decoded place on its way, so nothing queues up.
 *
 * On any other address than the loopback ones the path starts with a random token.  No request has
 * an effect beyond its reply, and no part of one ever reaches the file system: pages are embedded,
 * items go by number.
 */
#ifndef ECC_EXPLORE_SERVER_H
#define ECC_EXPLORE_SERVER_H

#include "explore/space.h"

struct ecc_server;

struct ecc_server_options {
    const char *address; /* in digits, such as 127.0.0.1 or ::1; NULL: 127.0.0.1 */
    size_t port;         /* 0: any that is free */
    double patience;     /* seconds that a request may take from first to last byte; 0: 60 */
    double rate; /* requests a second from all clients, twice as many at once; 0: the usual */
};

enum {
    ECC_SERVER_CONNECTIONS = 64,
    ECC_SERVER_RATE = 2000, /* requests a second, usually */
};

/* Listens; the space stays the caller's and must outlive the server. */
enum ecc_status ecc_server_create(struct ecc_server **server, struct ecc_space *space,
                                  const struct ecc_server_options *options,
                                  struct ecc_error *error);
void ecc_server_free(struct ecc_server *server);

/* "http://127.0.0.1:8320/", with the token where there is one. */
const char *ecc_server_url(const struct ecc_server *server);
size_t ecc_server_port(const struct ecc_server *server);

/* Whether an address in digits is a loopback one; fails where it is no address. */
enum ecc_status ecc_server_check_address(const char *address, bool *loopback,
                                         struct ecc_error *error);

/* Serves until `stop`, asked a few times a second, says so. */
enum ecc_status ecc_server_run(struct ecc_server *server, bool (*stop)(void),
                               struct ecc_error *error);

#endif
