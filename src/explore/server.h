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

enum {
    ECC_SERVER_CONNECTIONS = 64, /* who has waited longest for a request makes room for others */
    ECC_SERVER_RATE = 2000,      /* requests per second by default */
};

/* Whether a numeric address is a loopback address; fails if it is not an address. */
enum ecc_status ecc_server_check_address(const char *address, bool *loopback,
                                         struct ecc_error *error);

#endif
