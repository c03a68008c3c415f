/* sets.c: where the paper's data sets are, and what stands in for one that is missing. */
#include "base/file.h"
#include "base/text.h"
#include "data/source.h"
#include "reproduce/tasks.h"

#include <stdlib.h>
#include <string.h>

static const struct set {
    const char *name, *source;
} sets[ECC_SETS] = {{"mnist", "idx"}, {"celeba", "celeba"}};

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
    char *found = inner ? realpath(inner, NULL) : NULL;
    free(inner);
    if (!found && is_of(directory, set->source)) found = realpath(directory, NULL);
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

static char *part_of(const char *what, const char *part)
{
    char *const name = malloc(strlen(what) + strlen(part) + 2);
    if (name) sprintf(name, "%s:%s", what, part);
    return name;
}

static enum ecc_status open_part(struct ecc_repro_data *data, size_t *count, const char *name,
                                 struct ecc_error *error)
{
    struct ecc_dataset *items;
    ECC_TRY(ecc_dataset_open(&items, name, NULL, error));
    *count = items->count;
    data->channels = items->shape.channels;
    data->height = items->shape.height;
    data->width = items->shape.width;
    ecc_dataset_close(items);
    return ECC_OK;
}

/* How many there are, and how large. */
static enum ecc_status look_at(struct ecc_repro_data *data, struct ecc_error *error)
{
    char *const train = part_of(data->what, "train");
    data->test = part_of(data->what, "test");
    enum ecc_status status = train && data->test ? ECC_OK : ecc_fail_memory(error, "a name");
    if (status == ECC_OK) status = open_part(data, &data->items, train, error);
    if (status == ECC_OK) status = open_part(data, &data->test_items, data->test, error);
    free(train);
    return status;
}

enum ecc_status ecc_sets_find(struct ecc_repro *r, const char *directory, struct ecc_error *error)
{
    bool any = false;
    for (size_t i = 0; i < ECC_SETS; i++) {
        struct ecc_repro_data *const data = &r->data[i];
        data->name = sets[i].name;
        if (directory) data->what = find_in(directory, &sets[i]);
        any = any || data->what;
    }
    if (directory && !any) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s holds neither mnist/ nor celeba/, expected a directory with one of "
                        "them, or the data itself",
                        ecc_quote_path(shown, directory));
    }
    for (size_t i = 0; i < ECC_SETS; i++) {
        struct ecc_repro_data *const data = &r->data[i];
        if (!data->what) find_named(data, &sets[i]);
        if (!data->what && i == ECC_DIGITS) {
            data->name = "glyphs";
            data->what = strdup("glyphs");
            if (!data->what) return ecc_fail_memory(error, "a name");
        }
        if (data->what && r->wanted[i]) ECC_TRY(look_at(data, error));
    }
    return ECC_OK;
}

void ecc_sets_release(struct ecc_repro *r)
{
    for (size_t i = 0; i < ECC_SETS; i++) {
        free(r->data[i].what);
        free(r->data[i].test);
    }
}
