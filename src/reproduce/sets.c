/* sets.c: where the paper's data sets are, and what stands in for one that is missing. */
#include "reproduce/sets.h"
#include "base/file.h"
#include "base/text.h"
#include "data/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct set {
    const char *name, *source;
} sets[ECC_SETS] = {{"mnist", "idx"}, {"celeba", "celeba"}};

static bool is_directory(const char *path)
{
    struct stat information;
    return path && stat(path, &information) == 0 && S_ISDIR(information.st_mode);
}

/* Whether this source would open the path. */
static bool is_of(const char *path, const char *source_name)
{
    for (const struct ecc_data_source *const *entry = ecc_data_sources; *entry; entry++) {
        if (strcmp((*entry)->name, source_name) == 0) return (*entry)->accepts(path, true);
    }
    return false;
}

/* directory/NAME, or the directory itself where it is such data; the caller's to free, or NULL. */
static char *find_in(const char *directory, const struct set *set)
{
    char *const inner = ecc_path_join(directory, set->name);
    char *found = NULL;
    if (is_directory(inner)) {
        found = realpath(inner, NULL);
    } else if (is_of(directory, set->source)) {
        found = realpath(directory, NULL);
    }
    free(inner);
    return found;
}

/* By name, where data is searched in general. */
static void find_named(struct ecc_repro_data *data, const struct set *set)
{
    char *path;
    enum ecc_split split;
    const struct ecc_data_source *source;
    struct ecc_error reason = {0};
    if (ecc_data_locate(&path, &split, &source, set->name, &reason) == ECC_OK) {
        free(path);
        data->what = strdup(set->name);
    } else {
        snprintf(data->missing, sizeof data->missing, "%.390s", reason.text);
    }
}

/* How many there are, and how large. */
static enum ecc_status measure(struct ecc_repro_data *data, struct ecc_error *error)
{
    static const char *const parts[] = {"train", "test"};
    size_t *const counts[] = {&data->items, &data->test_items};
    for (size_t i = 0; i < 2; i++) {
        struct ecc_dataset *items;
        char name[4200];
        ecc_data_part(name, sizeof name, data, parts[i]);
        ECC_TRY(ecc_dataset_open(&items, name, NULL, error));
        *counts[i] = items->count;
        data->channels = items->shape.channels;
        data->height = items->shape.height;
        data->width = items->shape.width;
        ecc_dataset_close(items);
    }
    return ECC_OK;
}

static enum ecc_status check_directory(const char *directory, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    bool any = false;
    for (size_t i = 0; i < ECC_SETS; i++) {
        char *const found = find_in(directory, &sets[i]);
        if (found) any = true;
        free(found);
    }
    if (any) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s holds neither mnist/ nor celeba/, expected a directory with one of them, "
                    "or the data itself",
                    ecc_quote_path(shown, directory));
}

enum ecc_status ecc_sets_find(struct ecc_repro *r, const char *directory, struct ecc_error *error)
{
    if (directory) ECC_TRY(check_directory(directory, error));
    for (size_t i = 0; i < ECC_SETS; i++) {
        struct ecc_repro_data *const data = &r->data[i];
        data->name = sets[i].name;
        if (directory) data->what = find_in(directory, &sets[i]);
        if (!data->what) find_named(data, &sets[i]);
        if (!data->what && i == ECC_DIGITS) {
            data->name = "glyphs";
            data->what = strdup("glyphs");
        }
        if (data->what && r->wanted[i]) ECC_TRY(measure(data, error));
    }
    if (r->data[ECC_DIGITS].what) return ECC_OK;
    return ecc_fail_memory(error, "the names of the data");
}
