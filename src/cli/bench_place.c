/* bench_place.c: what a benchmark's trainings load, and the directory that they live in. */
#include "base/file.h"
#include "base/npy.h"
#include "base/rng.h"
#include "cli/bench.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the user gives no data: items of glyphs, and batches of random images. */
enum { DRAWN_ITEMS = 2000, RANDOM_BATCHES = 8 };

/* ---- A directory ---------------------------------------------------------------------------- */

enum ecc_status ecc_bench_place_init(struct ecc_bench_place *place, struct ecc_error *error)
{
    const char *const parent = getenv("TMPDIR");
    *place = (struct ecc_bench_place){0};
    char *const path = ecc_path_join(parent && *parent ? parent : "/tmp", "eccentric-bench-XXXXXX");
    if (!path) return ecc_fail_memory(error, "a path");
    if (!mkdtemp(path)) {
        const enum ecc_status status = ecc_fail_errno(error, "make the directory", path);
        free(path);
        return status;
    }
    place->directory = path;
    place->run = ecc_path_join(path, "run");
    place->images = ecc_path_join(path, "images.npy");
    if (place->run && place->images) return ECC_OK;
    ecc_bench_place_release(place);
    return ecc_fail_memory(error, "a path");
}

/* A directory of files and empty directories. */
static void remove_directory(const char *path)
{
    DIR *const directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char *const inside = ecc_path_join(path, entry->d_name);
        if (inside && unlink(inside) != 0) rmdir(inside);
        free(inside);
    }
    if (directory) closedir(directory);
    rmdir(path);
}

void ecc_bench_place_release(struct ecc_bench_place *place)
{
    if (place->run) remove_directory(place->run);
    if (place->directory) remove_directory(place->directory);
    free(place->run);
    free(place->images);
    free(place->directory);
    *place = (struct ecc_bench_place){0};
}

/* ---- Data ----------------------------------------------------------------------------------- */

/* Images of bytes for a net that glyphs do not fit. */
static enum ecc_status write_random_images(const char *path, struct ecc_item_shape shape,
                                           size_t count, struct ecc_error *error)
{
    const size_t size = ecc_shape_size(shape);
    const size_t row_shape[] = {shape.channels, shape.height, shape.width};
    struct ecc_npy_writer writer;
    unsigned char *const image = malloc(size);
    if (!image) return ecc_fail_memory(error, "a random image");
    enum ecc_status status = ecc_npy_writer_open(&writer, path, ECC_U1, row_shape, 3, error);
    for (size_t i = 0; i < count && status == ECC_OK; i++) {
        for (size_t k = 0; k < size; k++) {
            image[k] = (unsigned char)ecc_rng_below(1, i, k, 256);
        }
        status = ecc_npy_writer_append(&writer, image, 1, error);
    }
    if (status == ECC_OK) status = ecc_npy_writer_commit(&writer, error);
    ecc_npy_writer_discard(&writer);
    free(image);
    return status;
}

static enum ecc_status find_shape(struct ecc_bench_case *at, struct ecc_error *error)
{
    struct ecc_dataset *data;
    ECC_TRY(ecc_dataset_open(&data, at->data, &at->data_options, error));
    at->shape = data->shape;
    ecc_dataset_close(data);
    return ECC_OK;
}

enum ecc_status ecc_bench_case_init(struct ecc_bench_case *at, const struct ecc_bench_place *place,
                                    const char *net, const char *data,
                                    const struct ecc_data_options *options, size_t batch,
                                    struct ecc_error *error)
{
    *at = (struct ecc_bench_case){.net = net,
                                  .data = data ? data : "glyphs",
                                  .data_options = *options,
                                  .shape = {1, 28, 28},
                                  .batch = batch,
                                  .seed = 1,
                                  .run = place->run};
    at->data_name = at->data;
    if (data) return find_shape(at, error);
    if (strcmp(net, "paper-celeba") != 0) {
        const size_t enough = 4 * batch > DRAWN_ITEMS ? 4 * batch : DRAWN_ITEMS;
        if (options->items == 0) at->data_options.items = enough;
        return ECC_OK;
    }
    at->data = place->images;
    at->data_name = "random images";
    at->shape = (struct ecc_item_shape){3, 64, 64};
    return write_random_images(place->images, at->shape, RANDOM_BATCHES * batch, error);
}
