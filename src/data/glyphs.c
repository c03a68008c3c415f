/* glyphs.c: the built-in data set: 60,000 digits for training and 10,000 for testing, drawn from
 * strokes with known factors.  Nothing to download, and the true factors are known. */
#include "data/fingerprint.h"
#include "data/glyph.h"
#include "data/memory.h"

#include <stdlib.h>
#include <string.h>

enum { TRAIN = 60000, TEST = 10000, PIXELS = ECC_GLYPH_SIDE * ECC_GLYPH_SIDE };

static bool glyphs_accepts(const char *path, bool is_directory)
{
    (void)is_directory;
    return strcmp(path, "glyphs") == 0;
}

/* Draws items first .. first + count - 1 with all threads: each depends only on its number. */
static void draw_all(struct ecc_dataset *data, uint8_t *pixels, uint64_t seed, uint64_t first)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < data->count; i++) {
        int digit;
        float *const factors = data->factors + i * ECC_GLYPH_FACTORS;
        ecc_glyph_factors(&digit, factors, seed, first + i);
        ecc_glyph_draw(pixels + i * PIXELS, digit, factors, seed, first + i);
        data->labels[i] = digit;
    }
}

static enum ecc_status glyphs_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                   struct ecc_error *error)
{
    const size_t whole = request->split == ECC_SPLIT_TRAIN  ? TRAIN
                         : request->split == ECC_SPLIT_TEST ? TEST
                                                            : TRAIN + TEST;
    const size_t items = request->options->items;
    data->count = items && items < whole ? items : whole;
    request->narrowed = true;
    if (request->split == ECC_SPLIT_ALL) {
        ECC_TRY(ecc_data_mark_test(request, TRAIN, data->count, error));
    }
    data->shape = (struct ecc_item_shape){1, ECC_GLYPH_SIDE, ECC_GLYPH_SIDE};
    data->class_count = ECC_GLYPH_CLASSES;
    data->factor_count = ECC_GLYPH_FACTORS;
    data->factor_names = ecc_glyph_factor_names;
    data->labels = malloc(data->count * sizeof *data->labels);
    data->factors = malloc(data->count * ECC_GLYPH_FACTORS * sizeof *data->factors);
    uint8_t *const pixels = malloc(data->count * PIXELS);
    if (!data->labels || !data->factors || !pixels) {
        free(pixels);
        return ecc_fail_memory(error, "the glyphs");
    }
    draw_all(data, pixels, request->options->seed, request->split == ECC_SPLIT_TEST ? TRAIN : 0);
    return ecc_memory_keep(data, (struct ecc_memory){pixels, PIXELS, pixels, NULL}, error);
}

/* They follow from their seed. */
static uint64_t glyphs_fingerprint(const struct ecc_dataset *data,
                                   const struct ecc_data_request *request)
{
    struct ecc_hash hash;
    (void)data;
    ecc_hash_start(&hash);
    ecc_hash_add(&hash, "glyphs", 6);
    ecc_hash_add(&hash, &request->options->seed, sizeof request->options->seed);
    return ecc_hash_end(&hash);
}

const struct ecc_data_source ecc_source_glyphs = {
    .name = "glyphs",
    .summary = "digits drawn by the program, with known factors",
    .accepts = glyphs_accepts,
    .open = glyphs_open,
    .read = ecc_memory_read,
    .close = ecc_memory_close,
    .fingerprint = glyphs_fingerprint,
};
