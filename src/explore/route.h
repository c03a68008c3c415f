/*
 * route.h: the routes of the server: a const entry for each path, and one line in the table of
 * route.c.
 *
 * A route reads its request and fills a reply.  It fails with ECC_BAD_ARGUMENT or ECC_BAD_DATA if
 * the client made a mistake (400); any other status is the server's fault (500, 503).  A route
 * never changes the reply to another request.
 */
#ifndef ECC_EXPLORE_ROUTE_H
#define ECC_EXPLORE_ROUTE_H

#include "explore/reply.h"
#include "explore/request.h"
#include "explore/space.h"

struct ecc_route {
    const char *path;         /* "api/decode" */
    bool post;                /* otherwise GET */
    bool needs_model;         /* it decodes or encodes: not of latents from elsewhere */
    const char *const *names; /* the parameters it takes, ending in NULL; NULL: none */
    size_t body_most;         /* bytes */
    enum ecc_status (*run)(struct ecc_space *space, struct ecc_reply *reply,
                           const struct ecc_request *request, struct ecc_error *error);
};

/* For `names`: ECC_NAMES("run", "k"). */
#define ECC_NAMES(...)                                                                             \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* NULL if there is none. */
const struct ecc_route *ecc_route_find(const char *path);
/* All of them, ending in NULL. */
extern const struct ecc_route *const ecc_routes[];

/* The run that the request asks for; 0 by default. */
enum ecc_status ecc_route_run(const struct ecc_space *space, size_t *run,
                              const struct ecc_request *request, struct ecc_error *error);
/* Columns of the items of a table, as api/about numbers them. */
size_t ecc_route_columns(const struct ecc_space *space);
/* Runs a route, unless it needs a model and there is none. */
enum ecc_status ecc_route_answer(const struct ecc_route *route, struct ecc_space *space,
                                 struct ecc_reply *reply, const struct ecc_request *request,
                                 struct ecc_error *error);
/* Fails if there are no items. */
enum ecc_status ecc_route_needs_items(const struct ecc_space *space, struct ecc_error *error);

/* The columns of a run's table: name, kind, features and what turns these into the column's own
 * unit. */
json_t *ecc_about_columns(const struct ecc_model *model);

/* An embedded file of the explorer's page.  The server serves no other files. */
struct ecc_asset {
    const char *path; /* "" for the page itself */
    const char *type;
    const unsigned char *bytes;
    size_t size;
};
extern const struct ecc_asset
    ecc_assets[]; /* ending in a path of NULL; made by cmake/embed.cmake */
const struct ecc_asset *ecc_asset_find(const char *path);

#endif
