/* image_sizes.c: the size of items that are cut and resized from images of one or many sizes. */
#include "data/image_sizes.h"

#include "base/text.h"

enum { USUAL_SIDE = 64, LARGE_SIDE = 128 };

size_t ecc_image_square(size_t crop, size_t size, size_t width, size_t height)
{
    if (crop) return crop;
    return size ? (width < height ? width : height) : 0;
}

static void item_shape(const struct ecc_image_sizes *s, struct ecc_item_shape *shape,
                       const struct ecc_image_info *info)
{
    const size_t side = s->size ? s->size : s->crop;
    shape->height = side ? side : info->height;
    shape->width = side ? side : info->width;
}

/* What to propose: as the nets like it, and no larger than the images. */
static size_t propose_side(const struct ecc_image_sizes *s)
{
    size_t side = USUAL_SIDE;
    for (size_t i = 0; i < s->list->count; i++) {
        const size_t width = s->infos[i].width, height = s->infos[i].height;
        while (side > 16 && (side > width || side > height)) side /= 2;
    }
    return side;
}

static enum ecc_status check_one(const struct ecc_image_sizes *s, size_t i,
                                 const struct ecc_item_shape *expected, struct ecc_error *error)
{
    const struct ecc_image_info *const info = &s->infos[i], *const first = &s->infos[0];
    struct ecc_item_shape shape = {0};
    char a[ECC_PATH_SIZE], b[ECC_PATH_SIZE];
    item_shape(s, &shape, info);
    if (shape.height != expected->height || shape.width != expected->width) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "images differ in size: %s is %zu x %zu, %s is %zu x %zu; use --size to "
                        "resize them, such as --size %zu",
                        ecc_quote_path(a, s->list->paths[0]), first->width, first->height,
                        ecc_quote_path(b, s->list->paths[i]), info->width, info->height,
                        propose_side(s));
    }
    if (s->crop > info->width || s->crop > info->height) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is %zu x %zu, smaller than the crop of %zu",
                        ecc_quote_path(a, s->list->paths[i]), info->width, info->height, s->crop);
    }
    return ECC_OK;
}

/* ---- Remarks -------------------------------------------------------------------------------- */

static size_t pixels(const struct ecc_image_info *info)
{
    return info->width * info->height;
}

/* What differs between the images. */
struct differences {
    const struct ecc_image_info *smallest, *largest;
    bool sizes, shapes; /* there are several sizes; some are not square */
    size_t grey, enlarged;
};

static struct differences compare(const struct ecc_image_sizes *s)
{
    struct differences d = {.smallest = s->infos, .largest = s->infos};
    for (size_t i = 0; i < s->list->count; i++) {
        const struct ecc_image_info *const info = &s->infos[i];
        if (pixels(info) < pixels(d.smallest)) d.smallest = info;
        if (pixels(info) > pixels(d.largest)) d.largest = info;
        d.sizes |= info->width != s->infos->width || info->height != s->infos->height;
        d.shapes |= info->width != info->height;
        d.grey += info->channels == 1;
        d.enlarged += ecc_image_square(s->crop, s->size, info->width, info->height) < s->size;
    }
    return d;
}

static void remark_on_cut(const struct ecc_image_sizes *s, const struct differences *d,
                          struct ecc_dataset *data)
{
    char how[80] = "";
    if (s->crop) snprintf(how, sizeof how, "the central %zu x %zu pixels are", s->crop, s->crop);
    if (!s->crop) snprintf(how, sizeof how, "the largest central square is");
    if (d->sizes) {
        ecc_data_remark(data,
                        "the images have different sizes, from %zu x %zu to %zu x %zu: of each, %s "
                        "used",
                        d->smallest->width, d->smallest->height, d->largest->width,
                        d->largest->height, how);
    } else if (d->shapes && !s->crop && s->size) {
        ecc_data_remark(data, "the images are %zu x %zu: of each, %s used", s->infos->width,
                        s->infos->height, how);
    }
    if (d->enlarged) {
        ecc_data_remark(data, "%zu of %zu image%s %s smaller than %zu x %zu and enlarged",
                        d->enlarged, s->list->count, ecc_s(s->list->count), ecc_is_are(d->enlarged),
                        s->size, s->size);
    }
}

static void remark_on_items(const struct ecc_image_sizes *s, const struct differences *d,
                            const struct ecc_item_shape *shape, struct ecc_dataset *data)
{
    const size_t area = shape->height * shape->width;
    if (shape->channels == 3 && d->grey) {
        ecc_data_remark(data, "%zu of %zu image%s %s grey and read as colour", d->grey,
                        s->list->count, ecc_s(s->list->count), ecc_is_are(d->grey));
    }
    if (!s->size && area > (size_t)LARGE_SIDE * LARGE_SIDE) {
        ecc_data_remark(data,
                        "the images are large, which takes long to train: with --size %d "
                        "they have %.0f times fewer pixels",
                        USUAL_SIDE, (double)area / (USUAL_SIDE * USUAL_SIDE));
    }
}

enum ecc_status ecc_image_sizes_check(const struct ecc_image_sizes *s, struct ecc_item_shape *shape,
                                      struct ecc_dataset *data, struct ecc_error *error)
{
    *shape = (struct ecc_item_shape){.channels = 1};
    item_shape(s, shape, &s->infos[0]);
    for (size_t i = 0; i < s->list->count; i++) {
        ECC_TRY(check_one(s, i, shape, error));
        if (s->infos[i].channels == 3) shape->channels = 3;
    }
    const struct differences d = compare(s);
    remark_on_cut(s, &d, data);
    remark_on_items(s, &d, shape, data);
    return ECC_OK;
}
