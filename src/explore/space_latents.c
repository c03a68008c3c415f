/* space_latents.c: a space of latents from elsewhere, without a model. */
#include "explore/space_latents.h"

#include "base/npy.h"
#include "base/text.h"
#include "base/watch.h"
#include "data/array_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FOLDER_SIDE = 64 }; /* pixels that images of a folder are resized to: they may differ */

/* ---- Latents -------------------------------------------------------------------------------- */

static enum ecc_status check_latents(const float *z, size_t n, size_t d, const char *path,
                                     struct ecc_error *error)
{
    char file[ECC_PATH_SIZE];
    if (n < 2 || d < 1) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has %zu row%s of %zu number%s, expected at least two rows of at least "
                        "one number",
                        ecc_quote_path(file, path), n, ecc_s(n), d, ecc_s(d));
    }
    for (size_t i = 0; i < n * d; i++) {
        if (isfinite(z[i])) continue;
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s: row %zu, column %zu is not a finite number (counted from 0)",
                        ecc_quote_path(file, path), i / d, i % d);
    }
    return ECC_OK;
}

static enum ecc_status read_latents(float **z, size_t *n, size_t *d, const char *path,
                                    struct ecc_error *error)
{
    ECC_TRY(ecc_npy_read_f32(z, n, d, path, error));
    const enum ecc_status status = check_latents(*z, *n, *d, path, error);
    if (status == ECC_OK) return ECC_OK;
    free(*z);
    *z = NULL;
    return status;
}

/* ---- Items ---------------------------------------------------------------------------------- */

/* All of the images, unless the name says which part. */
static enum ecc_status open_images(struct ecc_dataset **data, const struct ecc_latents_request *r,
                                   struct ecc_error *error)
{
    struct stat status;
    enum ecc_split unused;
    const char *const colon = strrchr(r->images, ':');
    const bool part = colon && ecc_split_parse(&unused, colon + 1);
    const bool folder = stat(r->images, &status) == 0 && S_ISDIR(status.st_mode);
    const struct ecc_data_options options = {.metadata = r->metadata,
                                             .size = folder ? FOLDER_SIDE : 0};
    char *const what = part ? strdup(r->images) : ecc_data_part_name(r->images, "all");
    if (!what) return ecc_fail_memory(error, "a name");
    const enum ecc_status opened = ecc_dataset_open(data, what, &options, error);
    free(what);
    return opened;
}

/* Without images, each item is one pixel, which nobody sees; what is known of it counts. */
static enum ecc_status open_blank(struct ecc_dataset **data, float **pixels,
                                  const struct ecc_latents_request *r, size_t n,
                                  struct ecc_error *error)
{
    *pixels = calloc(n, sizeof **pixels);
    if (!*pixels) return ecc_fail_memory(error, "the items");
    const struct ecc_array_data array = {
        .x = *pixels, .n = n, .channels = 1, .height = 1, .width = 1, .name = r->latents};
    const struct ecc_data_options options = {.metadata = r->metadata};
    return ecc_dataset_from_array(data, &array, ECC_SPLIT_ALL, &options, error);
}

static enum ecc_status check_images(const struct ecc_dataset *data,
                                    const struct ecc_latents_request *r, size_t n,
                                    struct ecc_error *error)
{
    char images[ECC_PATH_SIZE], latents[ECC_PATH_SIZE];
    ecc_quote_path(images, r->images);
    if (data->is_table) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s is a table, expected images; a table goes with --metadata", images);
    }
    if (data->shape.channels != 1 && data->shape.channels != 3) {
        return ecc_fail(error, ECC_BAD_DATA, "%s has images of %zu channels, expected 1 or 3",
                        images, data->shape.channels);
    }
    if (data->count == n) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s has %zu images, but %s has %zu rows: expected one for each", images,
                    data->count, ecc_quote_path(latents, r->latents), n);
}

static enum ecc_status open_data(struct ecc_dataset **data, float **pixels,
                                 const struct ecc_latents_request *r, size_t n,
                                 struct ecc_error *error)
{
    *data = NULL;
    *pixels = NULL;
    if (!r->images) return open_blank(data, pixels, r, n, error);
    ECC_TRY(open_images(data, r, error));
    const enum ecc_status status = check_images(*data, r, n, error);
    if (status == ECC_OK) return ECC_OK;
    ecc_dataset_close(*data);
    *data = NULL;
    return status;
}

/* ---- The space ------------------------------------------------------------------------------ */

/* z: [s->count, d] then has those that are kept. */
static enum ecc_status keep_some(struct ecc_space *s, float *z, size_t d, size_t items,
                                 struct ecc_error *error)
{
    ECC_TRY(ecc_space_thin(s->data, &s->kept, items, error));
    s->count = s->data->count;
    for (size_t i = 0; s->kept && i < s->count; i++) {
        memmove(z + i * d, z + s->kept[i] * d, d * sizeof *z);
    }
    return ECC_OK;
}

static enum ecc_status fill(struct ecc_space *s, const struct ecc_latents_request *r, float *z,
                            size_t d, struct ecc_error *error)
{
    struct ecc_space_run *const run = &s->runs[0];
    ECC_TRY(ecc_components_fit(&run->components, z, s->count, d, error));
    ECC_TRY(keep_some(s, z, d, ecc_space_room(s->data, r->items, r->pixels), error));
    s->d = d;
    s->shape = s->data->shape;
    s->size = s->shape.channels * s->shape.height * s->shape.width;
    s->latents = strdup(r->latents);
    s->x = malloc(ECC_SPACE_MOST * s->size * sizeof *s->x);
    run->amounts = malloc((s->count * d + 1) * sizeof *run->amounts);
    if (!s->latents || !s->x || !run->amounts) return ecc_fail_memory(error, "the items");
    s->run_count = 1;
    ECC_TRY(ecc_space_amounts(s, 0, run->amounts, z, s->count, error));
    return ecc_space_finish(s, error);
}

enum ecc_status ecc_space_open_latents(struct ecc_space **space,
                                       const struct ecc_latents_request *request,
                                       const struct ecc_watch *watch, struct ecc_error *error)
{
    struct ecc_dataset *data = NULL;
    float *z, *pixels = NULL;
    size_t n, d;
    *space = NULL;
    ECC_TRY(read_latents(&z, &n, &d, request->latents, error));
    enum ecc_status status = open_data(&data, &pixels, request, n, error);
    if (status == ECC_OK) {
        ecc_dataset_tell(data, watch);
        status = ecc_space_create(space, data, error);
    }
    if (*space) {
        (*space)->pixels = pixels;
        pixels = NULL;
        status = fill(*space, request, z, d, error);
    }
    free(z);
    free(pixels);
    if (status == ECC_OK) return ECC_OK;
    ecc_space_free(*space);
    *space = NULL;
    return status;
}
