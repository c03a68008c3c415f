/* fuzz_image.c: any bytes as a PNG, JPEG or WebP file, decoded as grey and as colour, and resized.
 */
#include "data/image_file.h"
#include "data/resize.h"
#include "fuzz.h"

enum { MAX_PIXELS = 1 << 18, SIDE = 9 };

static void resize(const struct ecc_image *image)
{
    const size_t from = image->width < image->height ? image->width : image->height;
    uint8_t out[3 * SIDE * SIDE];
    struct ecc_resize plan;
    require(ecc_resize_init(&plan, from, SIDE, image->channels, NULL) == ECC_OK);
    ecc_resize_run(&plan, out, image->pixels, image->width * image->channels);
    ecc_resize_release(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct ecc_image_info info;
    struct ecc_error error = {0};
    struct ecc_image_file file = {bytes, size, "fuzz.png"};
    const enum ecc_status probed = ecc_image_probe_bytes(&info, &file, &error);
    if (probed != ECC_OK) check_sentence(&error);
    if (probed == ECC_OK && info.width * info.height > MAX_PIXELS) return 0; /* slow, not wrong */
    for (int way = 0; way < 4; way++) {
        const size_t channels = way & 1 ? 3 : 1;
        struct ecc_image image;
        file.mend = way & 2;
        error = (struct ecc_error){0};
        if (ecc_image_decode(&image, &file, channels, &error) != ECC_OK) {
            check_sentence(&error);
            require(!image.pixels && (probed != ECC_OK || !info.format || !file.mend));
            continue;
        }
        require(image.width == info.width && image.height == info.height);
        resize(&image);
        free(image.pixels);
    }
    return 0;
}
