/* route.c: the table of routes. */
#include "explore/route.h"

#include <string.h>

/* clang-format off */
extern const struct ecc_route
    ecc_route_about,
    ecc_route_decode,
    ecc_route_export,
    ecc_route_sample,
    ecc_route_upload,
    ecc_route_items,
    ecc_route_names,
    ecc_route_place,
    ecc_route_column,
    ecc_route_labels,
    ecc_route_attribute,
    ecc_route_factor,
    ecc_route_number,
    ecc_route_word,
    ecc_route_cells,
    ecc_route_unusual,
    ecc_route_rows,
    ecc_route_targets;

/* To add a route: write its file, declare its entry above, and add a line here. */
const struct ecc_route *const ecc_routes[] = {
    &ecc_route_about,
    &ecc_route_decode,
    &ecc_route_export,
    &ecc_route_sample,
    &ecc_route_upload,
    &ecc_route_items,
    &ecc_route_names,
    &ecc_route_place,
    &ecc_route_column,
    &ecc_route_labels,
    &ecc_route_attribute,
    &ecc_route_factor,
    &ecc_route_number,
    &ecc_route_word,
    &ecc_route_cells,
    &ecc_route_unusual,
    &ecc_route_rows,
    &ecc_route_targets,
    NULL,
};
/* clang-format on */

const struct ecc_route *ecc_route_find(const char *path)
{
    for (const struct ecc_route *const *route = ecc_routes; *route; route++) {
        if (strcmp((*route)->path, path) == 0) return *route;
    }
    return NULL;
}

const struct ecc_asset *ecc_asset_find(const char *path)
{
    for (const struct ecc_asset *page = ecc_assets; page->path; page++) {
        if (strcmp(page->path, path) == 0) return page;
    }
    return NULL;
}

enum ecc_status ecc_route_answer(const struct ecc_route *route, struct ecc_space *space,
                                 struct ecc_reply *reply, const struct ecc_request *request,
                                 struct ecc_error *error)
{
    if (!route->needs_model || !space->latents) return route->run(space, reply, request, error);
    return ecc_fail(error, ECC_BAD_DATA, "latents without a model cannot be decoded or encoded");
}

enum ecc_status ecc_route_run(const struct ecc_space *space, size_t *run,
                              const struct ecc_request *request, struct ecc_error *error)
{
    *run = 0;
    return ecc_request_count(request, run, "run", 0, space->run_count - 1, error);
}

enum ecc_status ecc_route_needs_items(const struct ecc_space *space, struct ecc_error *error)
{
    if (space->count > 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "there are no items: the run's data was not found");
}
