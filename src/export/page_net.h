/* page_net.h: an encoder or decoder as the block of bytes that wasm/net.c runs. */
#ifndef ECC_EXPORT_PAGE_NET_H
#define ECC_EXPORT_PAGE_NET_H

#include "model/model.h"

extern const char *const ecc_weight_format_names[]; /* "float32", "float16", "int8", "auto", NULL */

/*
 * The decoder: amounts along the components, in deviations, to an item; or the encoder: an item to
 * amounts.  Items are images [height, width, channels] or rows of a table, standardised.  The
 * format is not "auto".  *bytes is the caller's to free.
 */
enum ecc_status ecc_page_net(unsigned char **bytes, size_t *size, const struct ecc_model *model,
                             const struct ecc_components *components, bool decoder,
                             enum ecc_weight_format format, struct ecc_error *error);

#endif
