/* latents_option.h: the options of latents from elsewhere, which explore and export share. */
#ifndef ECC_CLI_LATENTS_OPTION_H
#define ECC_CLI_LATENTS_OPTION_H

#include "cli/shared.h"
#include "eccentric_pages.h"

/* The fields of `field`, a struct ecc_latents_request in the settings of `type`. */
/* clang-format off */
#define ECC_OPTIONS_LATENTS(type, field)                                                              \
    {"latents", ECC_TEXT, ECC_TO(type, field.latents), "Z.npy",                                       \
     "instead of RUN: latents or other embeddings from anywhere, [n, d]; nothing is decoded"},        \
    {"images", ECC_TEXT, ECC_TO(type, field.images), "DATA",                                          \
     "--latents: an image for each row, a folder or X.npy"},                                          \
    {"metadata", ECC_TEXT, ECC_TO(type, field.metadata), "FILE",                                      \
     "--latents: a text table with a line for each row: labels, numbers, attributes"}
/* clang-format on */

/* Either runs or latents, and of each only what belongs to it; data: --data, or NULL. */
enum ecc_status ecc_cli_check_latents(const struct ecc_latents_request *latents, size_t runs,
                                      const char *data, const char *command,
                                      struct ecc_error *error);

#endif
