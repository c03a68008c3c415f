/*
 * page_check.h: how far the pictures of a one-file page are from the model's own: the net of the
 * page (wasm/net.c), compiled natively, beside the model that it was made from.
 */
#ifndef ECC_EXPLORE_PAGE_CHECK_H
#define ECC_EXPLORE_PAGE_CHECK_H

#include "explore/space.h"

/* Adds what is found for a run's decoder, [size] bytes of ecc_page_net, at the places of items. */
enum ecc_status ecc_page_check(struct ecc_page_error *found, struct ecc_space *space, size_t run,
                               const unsigned char *bytes, size_t size, struct ecc_error *error);

/* Adds what is found for the first run's encoder, with items. */
enum ecc_status ecc_page_check_encoder(struct ecc_page_error *found, struct ecc_space *space,
                                       const unsigned char *bytes, size_t size,
                                       struct ecc_error *error);

/* Frees the nets that net_load has made. */
void ecc_page_nets_release(void);

#endif
