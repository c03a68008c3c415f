/*
 * celeba.c: CelebA: a directory with list_attr_celeba.txt, the images (there or in one of the usual
 * subfolders), and perhaps list_eval_partition.txt.
 *
 * Items are the images that exist and are listed, by name.  Test part: partition 2; without a
 * partition file the last tenth.  By default, faces are cut to the middle 140 of their 178 pixels'
 * width (70 if they are half size) and resized to 64, as in the paper.
 */
#include "base/file.h"
#include "base/text.h"
#include "data/celeba_list.h"
#include "data/directory.h"
#include "data/fingerprint.h"
#include "data/image_file.h"
#include "data/images.h"

#include <stdlib.h>
#include <string.h>

static const char *const attribute_file = "list_attr_celeba.txt";
static const char *const partition_file = "list_eval_partition.txt";

static bool celeba_accepts(const char *path, bool is_directory)
{
    return is_directory && ecc_file_exists(path, attribute_file);
}

/* Where the images are; the caller frees it. */
static char *image_directory(const char *path)
{
    static const char *const usual[] = {"img_align_celeba", "img", "images", "Img"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (ecc_directory_exists(path, usual[i])) return ecc_path_join(path, usual[i]);
    }
    return strdup(path);
}

static enum ecc_status read_beside(struct ecc_celeba_list *list, const char *directory,
                                   const char *name, struct ecc_error *error)
{
    char *const path = ecc_path_join(directory, name);
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = name == attribute_file
                                       ? ecc_celeba_read_attributes(list, path, error)
                                       : ecc_celeba_read_partition(list, path, error);
    free(path);
    return status;
}

/* ---- Which images --------------------------------------------------------------------------- */

/* Images that exist and are listed, marked by their row in the list. */
static enum ecc_status match(struct ecc_dataset *data, struct ecc_image_list *images,
                             const struct ecc_celeba_list *list, const char *path,
                             struct ecc_error *error)
{
    struct ecc_directory directory;
    ECC_TRY(ecc_directory_list(&directory, path, error));
    enum ecc_status status = ECC_OK;
    size_t unlisted = 0;
    for (size_t i = 0; i < directory.count && status == ECC_OK; i++) {
        const char *const name = directory.entries[i].name;
        if (directory.entries[i].is_directory || strcmp(name, attribute_file) == 0 ||
            strcmp(name, partition_file) == 0) {
            continue;
        }
        const struct ecc_celeba_row *const row = ecc_celeba_find(list, name);
        if (row) {
            status = ecc_image_list_add(images, ecc_path_join(path, name),
                                        (int32_t)(row - list->rows), error);
        } else {
            unlisted++;
        }
    }
    ecc_directory_release(&directory);
    if (unlisted) {
        ecc_data_remark(data, "left out: %zu file%s not in %s", unlisted, ecc_s(unlisted),
                        attribute_file);
    }
    if (status == ECC_OK && images->count == 0) {
        char shown[ECC_PATH_SIZE];
        status = ecc_fail(error, ECC_BAD_DATA, "%s has none of the images listed in %s",
                          ecc_quote_path(shown, path), attribute_file);
    }
    return status;
}

static void remark_on_list(struct ecc_dataset *data, const struct ecc_celeba_list *list)
{
    if (list->announced && list->announced != list->count) {
        ecc_data_remark(data, "the first line of %s announces %zu rows, but there are %zu",
                        attribute_file, list->announced, list->count);
    }
    if (data->count < list->count) {
        ecc_data_remark(data, "%zu of the %zu listed images %s here", data->count, list->count,
                        ecc_is_are(data->count));
    }
}

/* ---- What is known about them --------------------------------------------------------------- */

static enum ecc_status fill_attributes(struct ecc_dataset *data, const struct ecc_celeba_list *list,
                                       struct ecc_error *error)
{
    const size_t width = ECC_CELEBA_ATTRIBUTES;
    const struct ecc_image_list *const images = ecc_images_list(data);
    data->attributes = malloc(images->count * width);
    data->attribute_names = calloc(width, sizeof *data->attribute_names);
    if (!data->attributes || !data->attribute_names) return ecc_fail_memory(error, "attributes");
    data->attribute_count = width;
    for (size_t i = 0; i < images->count; i++) {
        memcpy(data->attributes + i * width, list->rows[images->marks[i]].attributes, width);
    }
    for (size_t i = 0; i < width; i++) {
        data->attribute_names[i] = strdup(list->attribute_names[i]);
        if (!data->attribute_names[i]) return ecc_fail_memory(error, "attributes");
    }
    return ECC_OK;
}

static enum ecc_status fill_test(struct ecc_dataset *data, struct ecc_data_request *request,
                                 struct ecc_error *error)
{
    const struct ecc_image_list *const images = ecc_images_list(data);
    request->test = calloc(images->count, 1);
    if (!request->test) return ecc_fail_memory(error, "the list of items");
    if (!ecc_file_exists(request->path, partition_file)) {
        const size_t tenth = images->count >= 20 ? images->count / 10 : images->count >= 2;
        memset(request->test + images->count - tenth, 1, tenth);
        return ECC_OK;
    }
    struct ecc_celeba_list partition;
    size_t unknown = 0;
    ECC_TRY(read_beside(&partition, request->path, partition_file, error));
    for (size_t i = 0; i < images->count; i++) {
        const char *const slash = strrchr(images->paths[i], '/');
        const struct ecc_celeba_row *const row =
            ecc_celeba_find(&partition, slash ? slash + 1 : images->paths[i]);
        request->test[i] = row && row->attributes[0] == 2;
        unknown += !row;
    }
    ecc_celeba_release(&partition);
    if (unknown) {
        ecc_data_remark(data, "%zu image%s not in %s: counted as training images", unknown,
                        ecc_s(unknown), partition_file);
    }
    return ECC_OK;
}

/* ---- Opening -------------------------------------------------------------------------------- */

/* 140 of 178 pixels, and in proportion for copies of another size. */
static size_t usual_crop(const struct ecc_image_list *images)
{
    for (size_t i = 0; i < images->count; i++) { /* the first that can be read */
        struct ecc_image_info info;
        if (ecc_image_probe(&info, images->paths[i], NULL) != ECC_OK || !info.format) continue;
        const size_t shorter = info.width < info.height ? info.width : info.height;
        return (shorter * 140 + 89) / 178;
    }
    return 1; /* opening them reports what is wrong */
}

static enum ecc_status open_images(struct ecc_dataset *data, struct ecc_data_request *request,
                                   const struct ecc_celeba_list *list, const char *path,
                                   struct ecc_error *error)
{
    struct ecc_image_list images = {0};
    size_t crop = request->options->crop;
    const size_t size = request->options->size ? request->options->size : 64;
    enum ecc_status status = match(data, &images, list, path, error);
    if (status == ECC_OK && crop == 0) crop = usual_crop(&images);
    if (status != ECC_OK) {
        ecc_image_list_release(&images);
        return status;
    }
    ECC_TRY(ecc_images_open(data, &images, crop, size, request, error));
    remark_on_list(data, list);
    ECC_TRY(fill_attributes(data, list, error));
    return fill_test(data, request, error);
}

static enum ecc_status celeba_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                   struct ecc_error *error)
{
    struct ecc_celeba_list list;
    ECC_TRY(read_beside(&list, request->path, attribute_file, error));
    char *const path = image_directory(request->path);
    const enum ecc_status status =
        path ? open_images(data, request, &list, path, error) : ecc_fail_memory(error, "a path");
    free(path);
    ecc_celeba_release(&list);
    return status;
}

const struct ecc_data_source ecc_source_celeba = {
    .name = "celeba",
    .summary = "CelebA: images and list_attr_celeba.txt",
    .accepts = celeba_accepts,
    .open = celeba_open,
    .read = ecc_images_read,
    .close = ecc_images_close,
    .paths = ecc_images_paths,
    .fingerprint = ecc_fingerprint_images,
};
