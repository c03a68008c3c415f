/* route_decode.c: decodes places in latent space, for the page and as files. */
#include "explore/route.h"

#include "base/npy.h"
#include "data/image_file.h"
#include "show/item_output.h"

#include <stdlib.h>
#include <string.h>

enum { BODY = 1 << 22 };         /* 256 latents of 4,096 numbers */
static const float limit = 1000; /* deviations */

/* Decodes the places in the body: float32 [n, d] amounts, at most `most` of them. */
static enum ecc_status decode_body(struct ecc_space *space, size_t *n, size_t run, size_t most,
                                   const struct ecc_request *request, struct ecc_error *error)
{
    float *amounts;
    ECC_TRY(ecc_request_rows(request, &amounts, n, space->d, most, limit, error));
    const enum ecc_status status = ecc_space_decode(space, run, amounts, *n, error);
    free(amounts);
    return status;
}

/* ---- POST api/decode: float32 [n, d] amounts to n items ------------------------------------- */

static enum ecc_status decode(struct ecc_space *space, struct ecc_reply *reply,
                              const struct ecc_request *request, struct ecc_error *error)
{
    size_t run, n;
    ECC_TRY(ecc_route_run(space, &run, request, error));
    ECC_TRY(decode_body(space, &n, run, ECC_SPACE_MOST, request, error));
    ECC_TRY(ecc_reply_reserve(reply, n * ecc_space_item_bytes(space), ECC_TYPE_BYTES, error));
    ecc_space_pack(space, reply->bytes, space->x, n);
    return ECC_OK;
}

const struct ecc_route ecc_route_decode = {.path = "api/decode",
                                           .post = true,
                                           .needs_model = true,
                                           .names = ECC_NAMES("run"),
                                           .body_most = BODY,
                                           .run = decode};

/* ---- POST api/export: one place as a PNG file, its pixels or its latent as .npy ---------------
 */

static enum ecc_status reply_npy(struct ecc_reply *reply, enum ecc_dtype dtype, const void *values,
                                 const size_t *shape, size_t rank, struct ecc_error *error)
{
    unsigned char header[ECC_NPY_HEADER_SIZE];
    const size_t length = ecc_npy_format(header, dtype, rank, shape);
    size_t bytes = dtype == ECC_F8 ? 8 : 4;
    for (size_t i = 0; i < rank; i++) bytes *= shape[i];
    ECC_TRY(ecc_reply_reserve(reply, length + bytes, ECC_TYPE_BYTES, error));
    memcpy(reply->bytes, header, length);
    memcpy(reply->bytes + length, values, bytes);
    return ECC_OK;
}

/* The same as `eccentric decode` writes for one item. */
static enum ecc_status export_item(struct ecc_space *space, struct ecc_reply *reply, size_t run,
                                   struct ecc_error *error)
{
    const struct ecc_item_shape s = space->shape;
    if (!space->is_table) {
        const size_t grey[] = {1, s.height, s.width}, colour[] = {1, s.channels, s.height, s.width};
        return s.channels == 1 ? reply_npy(reply, ECC_F4, space->x, grey, 3, error)
                               : reply_npy(reply, ECC_F4, space->x, colour, 4, error);
    }
    const size_t row[] = {1, space->size};
    double *const values = malloc(space->size * sizeof *values);
    if (!values) return ecc_fail_memory(error, "a row");
    ecc_model_unscale(space->runs[run].one, values, space->x, 1);
    const enum ecc_status status = reply_npy(reply, ECC_F8, values, row, 2, error);
    free(values);
    return status;
}

static enum ecc_status export_png(struct ecc_space *space, struct ecc_reply *reply,
                                  struct ecc_error *error)
{
    if (space->is_table)
        return ecc_fail(error, ECC_BAD_ARGUMENT, "a row of a table cannot be saved as an image");
    *reply = (struct ecc_reply){.type = "image/png"};
    return ecc_image_encode(&reply->bytes, &reply->size, space->x, space->shape, error);
}

static const char *const kinds[] = {"png", "npy", "latent", NULL};

static enum ecc_status export_place(struct ecc_space *space, struct ecc_reply *reply,
                                    const struct ecc_request *request, struct ecc_error *error)
{
    size_t run, n, kind = 0;
    ECC_TRY(ecc_route_run(space, &run, request, error));
    ECC_TRY(ecc_request_choice(request, &kind, "as", kinds, error));
    ECC_TRY(decode_body(space, &n, run, 1, request, error));
    const size_t latent[] = {1, space->d};
    if (kind == 0) return export_png(space, reply, error);
    return kind == 1 ? export_item(space, reply, run, error)
                     : reply_npy(reply, ECC_F4, space->z, latent, 2, error);
}

const struct ecc_route ecc_route_export = {
    .path = "api/export",
    .post = true,
    .needs_model = true,
    .names = ECC_NAMES("run", "as"),
    .body_most = BODY,
    .run = export_place,
};
