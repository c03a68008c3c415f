/* route_sample.c: GET api/sample: new places: float32 [n, d] amounts, then the n items there. */
#include "explore/route.h"

#include "latent/sampler.h"

/* no mixture: it would have to be fitted first, which takes too long for a request */
static const char *const from_names[] = {"gaussian", "normal", "sphere", NULL};

static enum ecc_status sample(struct ecc_space *space, struct ecc_reply *reply,
                              const struct ecc_request *request, struct ecc_error *error)
{
    size_t run, n = 1, seed = 1, from = 0;
    double truncation = 0;
    ECC_TRY(ecc_route_run(space, &run, request, error));
    ECC_TRY(ecc_request_count(request, &n, "n", 1, ECC_SPACE_MOST, error));
    ECC_TRY(ecc_request_count(request, &seed, "seed", 0, SIZE_MAX, error));
    ECC_TRY(ecc_request_choice(request, &from, "from", from_names, error));
    ECC_TRY(ecc_request_number(request, &truncation, "truncation", 0.1, 100, error));
    const struct ecc_sampler sampler = {.from = (enum ecc_sample_from)from,
                                        .components = &space->runs[run].components,
                                        .truncation = truncation,
                                        .radius = ecc_model_radius(space->runs[run].one),
                                        .seed = seed};
    const size_t numbers = n * space->d;
    ECC_TRY(ecc_reply_reserve(reply, 4 * numbers + n * ecc_space_item_bytes(space), ECC_TYPE_BYTES,
                              error));
    ECC_TRY(ecc_sampler_draw(&sampler, space->z, 0, n, error));
    ECC_TRY(ecc_space_amounts(space, run, space->z, space->z, n, error));
    ecc_put_f32(reply->bytes, space->z, numbers);
    ECC_TRY(ecc_space_decode(space, run, space->z, n, error));
    ecc_space_pack(space, reply->bytes + 4 * numbers, space->x, n);
    return ECC_OK;
}

const struct ecc_route ecc_route_sample = {.path = "api/sample",
                                           .needs_model = true,
                                           .names =
                                               ECC_NAMES("run", "n", "seed", "from", "truncation"),
                                           .run = sample};
