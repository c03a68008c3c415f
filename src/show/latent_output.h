/*
 * latent_output.h: writes the latents of items, batch by batch, to a file.  The name decides the
 * format:
 *
 *     z.npy  float32 [n, d]
 *     z.csv  a row for each item: its number from 1, its file (of images in a folder), its label,
 *            p1 ... pd (or z1 ... zd), error, T2 and Q, as struct ecc_measures has them
 *     z.npz  the same as arrays: row, file, label, class_names, p, z, error, T2, Q
 *
 * The file appears under its name only when it is complete.  Of several processes that share the
 * model, all measure and the first writes.
 */
#ifndef ECC_SHOW_LATENT_OUTPUT_H
#define ECC_SHOW_LATENT_OUTPUT_H

#include "base/place.h"
#include "model/model.h"

enum { ECC_LATENT_FORMATS = ECC_FORMAT_CSV | ECC_FORMAT_NPY | ECC_FORMAT_NPZ };

struct ecc_latent_output;

/* components: coordinates along them, or raw latents; .npz files have both.  Those of the model
 * must be known (ecc_model_components) unless raw latents go to a .npy file. */
enum ecc_status ecc_latent_output_create(struct ecc_latent_output **output, const char *path,
                                         struct ecc_model *model, const struct ecc_dataset *data,
                                         bool components, struct ecc_error *error);
/* All items of the data. */
enum ecc_status ecc_latent_output_add(struct ecc_latent_output *output, struct ecc_dataset *data,
                                      const struct ecc_watch *watch, struct ecc_error *error);
enum ecc_status ecc_latent_output_finish(struct ecc_latent_output *output, struct ecc_error *error);
/* Takes away what was not finished. */
void ecc_latent_output_free(struct ecc_latent_output *output);

/* What was measured of all items so far, T2 and Q: [*n] each, or NULL in a .npy file. */
void ecc_latent_output_measured(const struct ecc_latent_output *output, const double **t2,
                                const double **q, size_t *n);

#endif
