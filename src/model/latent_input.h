/*
 * latent_input.h: latents from a file, to be decoded.
 *
 *     z.npy  [n, d], read as a stream
 *     z.npz  the array z: [n, d] of raw latents, or p: [n, d] along the components
 *     z.csv  columns p1 ... pd (along the components) or z1 ... zd (raw), found by their names; the
 *            others, such as a label, are not looked at
 *
 * That is what `eccentric encode` writes.
 */
#ifndef ECC_MODEL_LATENT_INPUT_H
#define ECC_MODEL_LATENT_INPUT_H

#include "base/npy.h"

struct ecc_latent_input {
    size_t rows, d;
    bool named;      /* the file says itself what its numbers are: */
    bool components; /* coordinates along the components, or raw latents */
    size_t row;      /* the next one to read */

    char *path;
    struct ecc_npy_reader stream; /* of a .npy */
    float *values;                /* [rows, d] of the others */
};

/* d: numbers of a latent.  Fails, saying what is in the file instead, if it has other numbers. */
enum ecc_status ecc_latent_input_open(struct ecc_latent_input *input, const char *path, size_t d,
                                      struct ecc_error *error);
/* The next rows, at most `most`, to z: [most, d]; *got of them.  Fails where a number is not
 * finite.
 */
enum ecc_status ecc_latent_input_read(struct ecc_latent_input *input, float *z, size_t *got,
                                      size_t most, struct ecc_error *error);
void ecc_latent_input_close(struct ecc_latent_input *input);

#endif
