/* route_upload.c: POST api/upload: encodes a PNG, JPEG or WebP file: its amounts in all runs,
 * float32 [runs, d], then the item as the first run prepares it. */
#include "explore/route.h"

#include "data/convert.h"

/* space->x: the image, cropped and resized as the run's own data was. */
static enum ecc_status convert(struct ecc_space *space, size_t r, bool invert,
                               const struct ecc_request *request, struct ecc_error *error)
{
    const struct ecc_space_run *const run = &space->runs[r];
    const struct ecc_convert convert = {.shape = space->shape,
                                        .crop = run->one->options.crop,
                                        .faces = run->faces,
                                        .invert = invert};
    const struct ecc_image_file file = {request->body, request->body_size, "your image"};
    return ecc_convert_image(&convert, space->x, &file, error);
}

static enum ecc_status upload(struct ecc_space *space, struct ecc_reply *reply,
                              const struct ecc_request *request, struct ecc_error *error)
{
    const size_t numbers = space->run_count * space->d;
    size_t invert = 0;
    if (space->is_table)
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "this run was trained on a table: it cannot encode an image");
    ECC_TRY(ecc_request_count(request, &invert, "invert", 0, 1, error));
    ECC_TRY(
        ecc_reply_reserve(reply, 4 * numbers + ecc_space_item_bytes(space), ECC_TYPE_BYTES, error));
    for (size_t r = 0; r < space->run_count; r++) {
        ECC_TRY(convert(space, r, invert == 1, request, error));
        if (r == 0) ecc_space_pack(space, reply->bytes + 4 * numbers, space->x, 1);
        ECC_TRY(ecc_model_encode(space->runs[r].one, space->z, space->x, 1, error));
        ECC_TRY(ecc_space_amounts(space, r, space->z, space->z, 1, error));
        ecc_put_f32(reply->bytes + 4 * r * space->d, space->z, space->d);
    }
    return ECC_OK;
}

const struct ecc_route ecc_route_upload = {.path = "api/upload",
                                           .post = true,
                                           .needs_model = true,
                                           .names = ECC_NAMES("invert"),
                                           .body_most = 1 << 24,
                                           .run = upload};
