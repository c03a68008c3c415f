/*
 * folder.c: a folder of PNG, JPEG and WebP images.  Subfolders are the labels; with subfolders
 * "train" and "test", those are the parts and their subfolders the labels.
 */
#include "base/file.h"
#include "data/directory.h"
#include "data/fingerprint.h"
#include "data/images.h"

#include <stdlib.h>
#include <string.h>

/* The mark of an image in the list holds its class + 1 (0 for none) and whether it belongs to the
 * test part. */
enum { TEST_BIT = 1 << 30 };

static bool folder_accepts(const char *path, bool is_directory)
{
    (void)path;
    return is_directory;
}

static enum ecc_status add_files(struct ecc_image_list *list, const char *path, int32_t mark,
                                 struct ecc_error *error)
{
    struct ecc_directory directory;
    ECC_TRY(ecc_directory_list(&directory, path, error));
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; i < directory.count && status == ECC_OK; i++) {
        if (directory.entries[i].is_directory) continue;
        status =
            ecc_image_list_add(list, ecc_path_join(path, directory.entries[i].name), mark, error);
    }
    ecc_directory_release(&directory);
    return status;
}

/* The number of a class, which is added if it is new; -1 without memory. */
static int32_t class_number(struct ecc_dataset *data, const char *name)
{
    for (size_t i = 0; i < data->class_count; i++) {
        if (strcmp(data->class_names[i], name) == 0) return (int32_t)i;
    }
    char **const names = realloc(data->class_names, (data->class_count + 1) * sizeof *names);
    if (!names) return -1;
    data->class_names = names;
    names[data->class_count] = strdup(name);
    return names[data->class_count] ? (int32_t)data->class_count++ : -1;
}

static enum ecc_status add_class(struct ecc_dataset *data, struct ecc_image_list *list,
                                 const char *path, const char *name, int32_t part,
                                 struct ecc_error *error)
{
    const int32_t class = class_number(data, name);
    char *const inner = ecc_path_join(path, name);
    const enum ecc_status status = class >= 0 && inner
                                       ? add_files(list, inner, (class + 1) | part, error)
                                       : ecc_fail_memory(error, "the list of images");
    free(inner);
    return status;
}

/* Files of the subfolders, each marked by its class; or of the folder itself if it has none. */
static enum ecc_status add_folder(struct ecc_dataset *data, struct ecc_image_list *list,
                                  const char *path, int32_t part, struct ecc_error *error)
{
    struct ecc_directory directory;
    ECC_TRY(ecc_directory_list(&directory, path, error));
    enum ecc_status status = ECC_OK;
    size_t folders = 0;
    for (size_t i = 0; i < directory.count && status == ECC_OK; i++) {
        const struct ecc_entry *const entry = &directory.entries[i];
        if (!entry->is_directory) continue;
        folders++;
        status = add_class(data, list, path, entry->name, part, error);
    }
    if (status == ECC_OK && folders == 0) {
        status = add_files(list, path, part, error);
    } else if (folders < directory.count) {
        ecc_data_remark(data, "%zu files beside the subfolders were left out",
                        directory.count - folders);
    }
    ecc_directory_release(&directory);
    return status;
}

static enum ecc_status add_part(struct ecc_dataset *data, struct ecc_image_list *list,
                                const char *path, const char *name, int32_t part,
                                struct ecc_error *error)
{
    char *const inner = ecc_path_join(path, name);
    if (!inner) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = add_folder(data, list, inner, part, error);
    free(inner);
    return status;
}

/* Unpacks the marks of the images that are left. */
static enum ecc_status fill_labels(struct ecc_dataset *data, struct ecc_data_request *request,
                                   bool has_parts, struct ecc_error *error)
{
    const struct ecc_image_list *const list = ecc_images_list(data);
    bool labelled = true;
    data->labels = malloc(list->count * sizeof *data->labels);
    if (has_parts) request->test = calloc(list->count, 1);
    if (!data->labels || (has_parts && !request->test)) return ecc_fail_memory(error, "the labels");
    for (size_t i = 0; i < list->count; i++) {
        if (has_parts) request->test[i] = (list->marks[i] & TEST_BIT) != 0;
        data->labels[i] = (list->marks[i] & ~TEST_BIT) - 1;
        labelled = labelled && data->labels[i] >= 0;
    }
    if (!labelled) {
        free(data->labels);
        data->labels = NULL;
    }
    return ECC_OK;
}

static enum ecc_status folder_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                   struct ecc_error *error)
{
    const struct ecc_data_options *const options = request->options;
    const char *const path = request->path;
    const bool has_parts =
        ecc_directory_exists(path, "train") && ecc_directory_exists(path, "test");
    struct ecc_image_list list = {0};
    enum ecc_status status;
    if (has_parts) {
        status = add_part(data, &list, path, "train", 0, error);
        if (status == ECC_OK) status = add_part(data, &list, path, "test", TEST_BIT, error);
    } else {
        status = add_folder(data, &list, path, 0, error);
    }
    if (status != ECC_OK) {
        ecc_image_list_release(&list);
        return status;
    }
    ECC_TRY(ecc_images_open(data, &list, options->crop, options->size, request, error));
    return fill_labels(data, request, has_parts, error);
}

const struct ecc_data_source ecc_source_folder = {
    .name = "folder",
    .summary = "a folder of PNG, JPEG and WebP images, with or without a subfolder for each class",
    .accepts = folder_accepts,
    .open = folder_open,
    .read = ecc_images_read,
    .close = ecc_images_close,
    .fingerprint = ecc_fingerprint_images,
};
