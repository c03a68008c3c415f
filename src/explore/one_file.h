/*
 * one_file.h: the explorer as one HTML file that needs no server (docs/export.md).
 *
 * The page is that of the server.  Instead of asking a server it asks web/inside.js, which has: the
 * answers that never change, recorded here by the server's own routes; the items; and the nets, as
 * bytes for wasm/net.c.
 */
#ifndef ECC_EXPLORE_ONE_FILE_H
#define ECC_EXPLORE_ONE_FILE_H

#include "explore/page_check.h"
#include "explore/space.h"
#include "export/page_net.h"

/* Where its bytes are: as they are in the page, after packing; and what the weights cost. */
struct ecc_one_file_sizes {
    size_t all, page, nets, items, answers;
    double packed; /* bytes of the file for each byte of nets, items and answers */
    struct ecc_page_error error;
};

enum ecc_status ecc_one_file_write(struct ecc_space *space, const char *path,
                                   enum ecc_weight_format format, struct ecc_one_file_sizes *sizes,
                                   const struct ecc_watch *watch, struct ecc_error *error);

#endif
