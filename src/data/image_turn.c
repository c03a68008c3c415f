/* image_turn.c: turns and flips photos as their EXIF orientation says. */
#include "data/image_file.h"

#include <stdlib.h>
#include <string.h>

/* The pixel that is shown at (y, x) is stored at (y, x), or at (x, y) if `transposed`; its row,
 * then, counted from the end if `up`, its column if `left`. */
static const struct turn {
    bool transposed, up, left;
} turns[9] = {
    [2] = {.left = true},
    [3] = {.up = true, .left = true},
    [4] = {.up = true},
    [5] = {.transposed = true},
    [6] = {.transposed = true, .up = true},
    [7] = {.transposed = true, .up = true, .left = true},
    [8] = {.transposed = true, .left = true},
};

static void copy_turned(struct ecc_image *to, const struct ecc_image *from, struct turn turn)
{
    const size_t channels = from->channels;
    uint8_t *out = to->pixels;
    for (size_t y = 0; y < to->height; y++) {
        for (size_t x = 0; x < to->width; x++, out += channels) {
            const size_t i = turn.transposed ? x : y, j = turn.transposed ? y : x;
            const size_t row = turn.up ? from->height - 1 - i : i;
            const size_t column = turn.left ? from->width - 1 - j : j;
            memcpy(out, from->pixels + (row * from->width + column) * channels, channels);
        }
    }
}

enum ecc_status ecc_image_turn(struct ecc_image *image, int orientation, struct ecc_error *error)
{
    if (orientation < 2 || orientation > 8) return ECC_OK;
    const struct turn turn = turns[orientation];
    struct ecc_image turned = *image;
    turned.width = turn.transposed ? image->height : image->width;
    turned.height = turn.transposed ? image->width : image->height;
    turned.pixels = malloc(image->width * image->height * image->channels);
    if (!turned.pixels) return ecc_fail_memory(error, "an image");
    copy_turned(&turned, image, turn);
    free(image->pixels);
    *image = turned;
    return ECC_OK;
}
