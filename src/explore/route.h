/*
 * route.h: what the server answers: a const entry for each path, and one line of the table in
 * route.c.
 *
 * A route reads its request and fills a reply.  It fails with ECC_BAD_ARGUMENT or ECC_BAD_DATA for
 * what the client did wrong (400), anything else is the server's (500, 503).  Nothing that it does
 * changes what another request would get.
 */
#ifndef ECC_EXPLORE_ROUTE_H
#define ECC_EXPLORE_ROUTE_H

#include "explore/reply.h"
#include "explore/request.h"
#include "explore/space.h"

struct ecc_route {
    const char *path;         /* "api/decode" */
    bool post;                /* else GET */
    const char *const *names; /* that may be given, ending in NULL; NULL: none */
    size_t body_most;         /* bytes */
    enum ecc_status (*run)(struct ecc_space *space, struct ecc_reply *reply,
                           const struct ecc_request *request, struct ecc_error *error);
};

/* NULL where there is none. */
const struct ecc_route *ecc_route_find(const char *path);
/* All of them, ending in NULL. */
extern const struct ecc_route *const ecc_routes[];

/* Which run is asked for: 0 unless told. */
enum ecc_status ecc_route_run(const struct ecc_space *space, size_t *run,
                              const struct ecc_request *request, struct ecc_error *error);
/* That there are items. */
enum ecc_status ecc_route_needs_items(const struct ecc_space *space, struct ecc_error *error);

/* A page of the explorer, embedded: the whole of what files are served. */
struct ecc_asset {
    const char *path; /* "" for the first one */
    const char *type;
    const unsigned char *bytes;
    size_t size;
};
extern const struct ecc_asset
    ecc_assets[]; /* ending in a path of NULL; made by cmake/embed.cmake */
const struct ecc_asset *ecc_asset_find(const char *path);

#endif
