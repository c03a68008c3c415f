/*
 * folder.c: a folder of PNG, JPEG and WebP images.  Subfolders are the labels; with subfolders
 * "train" and "test", those are the parts and their subfolders the labels.  Subfolders without
 * images count for nothing.  metadata.csv tells more of the images (metadata.h).
 */
#include "base/file.h"
#include "base/text.h"
#include "data/directory.h"
#include "data/few_names.h"
#include "data/fingerprint.h"
#include "data/image_file.h"
#include "data/images.h"
#include "data/item_labels.h"
#include "data/metadata.h"

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

/* What is being listed, and what was found and not looked at. */
struct listing {
    struct ecc_dataset *data;
    struct ecc_image_list list;
    struct ecc_few_names files, folders; /* left out */
};

static bool is_metadata(const struct ecc_entry *entry)
{
    return !entry->is_directory && strcmp(entry->name, ECC_METADATA_FILE) == 0;
}

static enum ecc_status add_files(struct listing *l, const char *path, int32_t mark,
                                 struct ecc_error *error)
{
    struct ecc_directory directory;
    ECC_TRY(ecc_directory_list(&directory, path, error));
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; i < directory.count && status == ECC_OK; i++) {
        const struct ecc_entry *const entry = &directory.entries[i];
        if (entry->is_directory) {
            ecc_few_names_add(&l->folders, entry->name);
        } else if (!is_metadata(entry)) {
            status = ecc_image_list_add(&l->list, ecc_path_join(path, entry->name), mark, error);
        }
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

static enum ecc_status add_class(struct listing *l, const char *path, const char *name,
                                 int32_t part, struct ecc_error *error)
{
    const int32_t class = class_number(l->data, name);
    char *const inner = ecc_path_join(path, name);
    const enum ecc_status status = class >= 0 && inner
                                       ? add_files(l, inner, (class + 1) | part, error)
                                       : ecc_fail_memory(error, "the list of images");
    free(inner);
    return status;
}

/* Whether one of the files from `first` on is an image, damaged or not.  Without memory nobody
 * knows: looking at all of them will tell. */
static bool has_image(const struct ecc_image_list *list, size_t first)
{
    struct ecc_error unused;
    for (size_t i = first; i < list->count; i++) {
        struct ecc_image_info info = {0};
        const enum ecc_status status = ecc_image_probe(&info, list->paths[i], &unused);
        if (info.format || status == ECC_NO_MEMORY) return true;
    }
    return false;
}

static void forget_from(struct ecc_image_list *list, size_t first)
{
    for (size_t i = first; i < list->count; i++) free(list->paths[i]);
    list->count = first;
}

/* Files of the subfolders, each marked by its class; or of the folder itself if they have no
 * images. */
static enum ecc_status add_folder(struct listing *l, const char *path, int32_t part,
                                  struct ecc_error *error)
{
    struct ecc_directory directory;
    ECC_TRY(ecc_directory_list(&directory, path, error));
    enum ecc_status status = ECC_OK;
    const size_t before = l->list.count;
    struct ecc_few_names files = l->files;
    size_t folders = 0;
    for (size_t i = 0; i < directory.count && status == ECC_OK; i++) {
        const struct ecc_entry *const entry = &directory.entries[i];
        if (entry->is_directory) {
            folders++;
            status = add_class(l, path, entry->name, part, error);
        } else if (!is_metadata(entry)) {
            ecc_few_names_add(&files, entry->name);
        }
    }
    ecc_directory_release(&directory);
    const bool beside = files.count > l->files.count; /* there is something beside the subfolders */
    if (status != ECC_OK || (folders > 0 && (!beside || has_image(&l->list, before)))) {
        l->files = files;
        return status;
    }
    forget_from(&l->list, before);
    return add_files(l, path, part, error);
}

static enum ecc_status add_part(struct listing *l, const char *path, const char *name, int32_t part,
                                struct ecc_error *error)
{
    char *const inner = ecc_path_join(path, name);
    if (!inner) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = add_folder(l, inner, part, error);
    free(inner);
    return status;
}

/* The parts, and what is beside them. */
static enum ecc_status add_parts(struct listing *l, const char *path, struct ecc_error *error)
{
    struct ecc_directory directory;
    ECC_TRY(add_part(l, path, "train", 0, error));
    ECC_TRY(add_part(l, path, "test", TEST_BIT, error));
    ECC_TRY(ecc_directory_list(&directory, path, error));
    for (size_t i = 0; i < directory.count; i++) {
        const struct ecc_entry *const entry = &directory.entries[i];
        const bool part = strcmp(entry->name, "train") == 0 || strcmp(entry->name, "test") == 0;
        if (part || is_metadata(entry)) continue;
        ecc_few_names_add(entry->is_directory ? &l->folders : &l->files, entry->name);
    }
    ecc_directory_release(&directory);
    return ECC_OK;
}

static void remark_on_left_out(struct listing *l)
{
    if (l->files.count) {
        ecc_data_remark(l->data, "%zu %s beside the subfolders %s left out: %s", l->files.count,
                        l->files.count == 1 ? "file" : "files",
                        l->files.count == 1 ? "was" : "were", ecc_few_names_end(&l->files));
    }
    if (l->folders.count) {
        ecc_data_remark(l->data, "%zu %s left out: %s", l->folders.count,
                        l->folders.count == 1 ? "folder was" : "folders were",
                        ecc_few_names_end(&l->folders));
    }
}

/* Takes the names of subfolders without images away. */
static enum ecc_status drop_empty_classes(struct ecc_dataset *data, struct ecc_error *error)
{
    int32_t *const numbers = calloc(data->class_count + 1, sizeof *numbers); /* new, + 1 */
    if (!numbers) return ecc_fail_memory(error, "the labels");
    for (size_t i = 0; i < data->count; i++) numbers[data->labels[i]] = 1;
    struct ecc_few_names empty = {0};
    size_t kept = 0;
    for (size_t c = 0; c < data->class_count; c++) {
        char *const name = data->class_names[c];
        if (numbers[c]) {
            data->class_names[kept++] = name;
            numbers[c] = (int32_t)kept;
            continue;
        }
        ecc_few_names_add(&empty, name);
        free(name);
    }
    data->class_count = kept;
    for (size_t i = 0; i < data->count; i++) data->labels[i] = numbers[data->labels[i]] - 1;
    free(numbers);
    if (empty.count) {
        ecc_data_remark(data, "%zu %s no images: %s", empty.count,
                        empty.count == 1 ? "subfolder has" : "subfolders have",
                        ecc_few_names_end(&empty));
    }
    return ECC_OK;
}

/* Unpacks the marks of the images that are left. */
static enum ecc_status fill_labels(struct ecc_dataset *data, struct ecc_data_request *request,
                                   bool has_parts, struct ecc_error *error)
{
    const struct ecc_image_list *const list = ecc_images_list(data);
    bool labelled = true;
    data->labels = calloc(list->count, sizeof *data->labels);
    if (has_parts) request->test = calloc(list->count, 1);
    if (!data->labels || (has_parts && !request->test)) return ecc_fail_memory(error, "the labels");
    for (size_t i = 0; i < list->count; i++) {
        if (has_parts) request->test[i] = (list->marks[i] & TEST_BIT) != 0;
        data->labels[i] = (list->marks[i] & ~TEST_BIT) - 1;
        labelled = labelled && data->labels[i] >= 0;
    }
    if (labelled) ECC_TRY(drop_empty_classes(data, error));
    if (labelled && data->class_count == 1) {
        char quoted[ECC_QUOTE_SIZE];
        const char *const name = data->class_names[0];
        ecc_data_remark(data, "all images are in one subfolder, %s, so there are no labels",
                        ecc_quote(quoted, name, strlen(name)));
    }
    if (!labelled || data->class_count == 1) ecc_labels_remove(data);
    return ECC_OK;
}

static enum ecc_status folder_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                   struct ecc_error *error)
{
    const struct ecc_data_options *const options = request->options;
    const char *const path = request->path;
    const bool has_parts =
        ecc_directory_exists(path, "train") && ecc_directory_exists(path, "test");
    struct listing l = {.data = data};
    const enum ecc_status status =
        has_parts ? add_parts(&l, path, error) : add_folder(&l, path, 0, error);
    if (status != ECC_OK) {
        ecc_image_list_release(&l.list);
        return status;
    }
    remark_on_left_out(&l);
    ECC_TRY(ecc_images_open(data, &l.list, options->crop, options->size, request, error));
    return fill_labels(data, request, has_parts, error);
}

const struct ecc_data_source ecc_source_folder = {
    .name = "folder",
    .summary = "a folder of PNG, JPEG and WebP images, with or without a subfolder for each class",
    .accepts = folder_accepts,
    .open = folder_open,
    .read = ecc_images_read,
    .close = ecc_images_close,
    .paths = ecc_images_paths,
    .fingerprint = ecc_fingerprint_images,
};
