/* source.c: the table of sources, and how "mnist:test" becomes a path and a part. */
#include "data/source.h"
#include "data/array_data.h"

#include "base/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

extern const struct ecc_data_source ecc_source_glyphs, ecc_source_idx, ecc_source_celeba,
    ecc_source_folder, ecc_source_npz, ecc_source_npy, ecc_source_csv;

/* Adding a source: its own file, its entry declared above, and a line here.  The general ones come
 * last: any directory is a folder of images, and any other file a text table. */
const struct ecc_data_source *const ecc_data_sources[] = {
    &ecc_source_glyphs, &ecc_source_idx,    &ecc_source_celeba, &ecc_source_npz,
    &ecc_source_npy,    &ecc_source_folder, &ecc_source_csv,    NULL,
};

/* ---- Names ---------------------------------------------------------------------------------- */

static const struct named {
    const char *name, *how_to_get;
} named_sets[] = {
    {"mnist", "get it with: scripts/get_data.sh mnist"},
    {"fashion-mnist", "get it with: scripts/get_data.sh fashion-mnist"},
    {"celeba", "put its images and list_attr_celeba.txt there yourself (mmlab.ie.cuhk.edu.hk, for "
               "research only)"},
};

static const struct named *find_named(const char *name)
{
    for (size_t i = 0; i < sizeof named_sets / sizeof *named_sets; i++) {
        if (strcmp(named_sets[i].name, name) == 0) return &named_sets[i];
    }
    return NULL;
}

/* directory/middle/name where that is a directory, else NULL. */
static char *existing_directory(const char *directory, const char *middle, const char *name)
{
    char *const between = ecc_path_join(directory, middle);
    char *path = between ? ecc_path_join(between, name) : NULL;
    free(between);
    struct stat information;
    if (path && (stat(path, &information) != 0 || !S_ISDIR(information.st_mode))) {
        free(path);
        path = NULL;
    }
    return path;
}

static enum ecc_status search_named(char **path, const struct named *set, struct ecc_error *error)
{
    const char *const ours = getenv("ECCENTRIC_DATA"), *const home = getenv("HOME");
    *path = NULL;
    if (ours && *ours) *path = existing_directory(ours, "", set->name);
    if (!*path && home) *path = existing_directory(home, ".local/share/eccentric", set->name);
    if (!*path) *path = existing_directory("/usr/share/datasets", "", set->name);
    if (*path) return ECC_OK;
    return ecc_fail(error, ECC_IO,
                    "there is no directory %s in $ECCENTRIC_DATA%s, ~/.local/share/eccentric or "
                    "/usr/share/datasets; %s",
                    set->name, ours && *ours ? "" : " (not set)", set->how_to_get);
}

/* ---- Splits --------------------------------------------------------------------------------- */

const char *const ecc_split_names[] = {"train", "test", "all", NULL};

bool ecc_split_parse(enum ecc_split *split, const char *word)
{
    for (int i = 0; ecc_split_names[i]; i++) {
        if (strcmp(word, ecc_split_names[i]) != 0) continue;
        *split = (enum ecc_split)i;
        return true;
    }
    return false;
}

static bool exists(const char *path)
{
    struct stat information;
    return stat(path, &information) == 0;
}

/* Cuts ":test" off a copy of the request.  A path that exists as it is keeps its colons. */
static enum ecc_status split_off(char *what, enum ecc_split *split, struct ecc_error *error)
{
    *split = ECC_SPLIT_TRAIN;
    char *const colon = strrchr(what, ':');
    if (!colon || exists(what)) return ECC_OK;
    if (ecc_split_parse(split, colon + 1)) {
        *colon = '\0';
        return ECC_OK;
    }
    *colon = '\0';
    const bool meant = find_named(what) || exists(what) || strcmp(what, "glyphs") == 0;
    *colon = ':';
    if (!meant) return ECC_OK;
    char quoted[ECC_QUOTE_SIZE];
    return ecc_fail(error, ECC_BAD_ARGUMENT, "the split is %s, expected train, test or all",
                    ecc_quote(quoted, colon + 1, strlen(colon + 1)));
}

/* ---- From words to a path and its source ---------------------------------------------------- */

static enum ecc_status find_source(const struct ecc_data_source **source, const char *path,
                                   struct ecc_error *error)
{
    struct stat information = {0};
    const bool there = stat(path, &information) == 0;
    const bool built_in = ecc_source_glyphs.accepts(path, false);
    if (!there && !built_in) {
        return ecc_fail_errno(error, "open", path);
    }
    for (const struct ecc_data_source *const *entry = ecc_data_sources; *entry; entry++) {
        if (!(*entry)->accepts(path, there && S_ISDIR(information.st_mode))) continue;
        *source = *entry;
        return ECC_OK;
    }
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA,
                    "cannot read %s as data: expected a directory of idx files or images, or a "
                    "file: .npy, .npz or a text table",
                    ecc_quote_path(shown, path));
}

char *ecc_data_absolute(const char *what)
{
    char *const word = strdup(what);
    struct ecc_error unused;
    enum ecc_split split;
    if (ecc_data_is_lent(what)) return word;
    if (!word || split_off(word, &split, &unused) != ECC_OK || find_named(word)) {
        free(word);
        return strdup(what);
    }
    char *const path = realpath(word, NULL); /* NULL for glyphs, and for what does not exist */
    const char *const ending = what + strlen(word);
    char *const all = path ? malloc(strlen(path) + strlen(ending) + 1) : NULL;
    if (all) {
        strcpy(all, path);
        strcat(all, ending);
    }
    free(path);
    free(word);
    return all ? all : strdup(what);
}

enum ecc_status ecc_data_locate(char **path, enum ecc_split *split,
                                const struct ecc_data_source **source, const char *what,
                                struct ecc_error *error)
{
    *path = NULL;
    char *word = strdup(what);
    if (!word) return ecc_fail_memory(error, "a path");
    enum ecc_status status = split_off(word, split, error);
    const struct named *const set = status == ECC_OK ? find_named(word) : NULL;
    if (set) {
        free(word);
        word = NULL;
        status = search_named(&word, set, error);
    }
    if (status == ECC_OK) status = find_source(source, word, error);
    if (status != ECC_OK) {
        free(word);
        return status;
    }
    *path = word;
    return ECC_OK;
}

bool ecc_data_of_faces(const char *what)
{
    char *path;
    enum ecc_split split;
    const struct ecc_data_source *source;
    struct ecc_error unused;
    if (ecc_data_locate(&path, &split, &source, what, &unused) == ECC_OK) {
        free(path);
        return source == &ecc_source_celeba;
    }
    const char *const name = ecc_short_name(what);
    return strstr(name, "celeba") || strstr(name, "CelebA");
}

enum ecc_status ecc_data_refuse_run_inside(const char *out, const char *what,
                                           struct ecc_error *error)
{
    char *path, run[ECC_PATH_SIZE], folder[ECC_PATH_SIZE];
    enum ecc_split split;
    const struct ecc_data_source *source;
    if (ecc_data_is_lent(what)) return ECC_OK;
    ECC_TRY(ecc_data_locate(&path, &split, &source, what, error));
    enum ecc_status status = ECC_OK;
    if (source == &ecc_source_folder && ecc_path_is_inside(out, path)) {
        status = ecc_fail(error, ECC_BAD_ARGUMENT,
                          "the run %s would be inside its own data, the images of %s: choose a "
                          "directory elsewhere",
                          ecc_quote_path(run, out), ecc_quote_path(folder, path));
    }
    free(path);
    return status;
}

bool ecc_data_names_part(const char *what, enum ecc_split *split)
{
    const char *const colon = strrchr(what, ':');
    *split = ECC_SPLIT_TRAIN;
    return colon > what && ecc_split_parse(split, colon + 1);
}

char *ecc_data_part_name(const char *what, const char *split)
{
    enum ecc_split unused;
    const bool has_split = ecc_data_names_part(what, &unused);
    const size_t length = has_split ? (size_t)(strrchr(what, ':') - what) : strlen(what);
    char *const name = malloc(length + strlen(split) + 2);
    if (name) sprintf(name, "%.*s:%s", (int)length, what, split);
    return name;
}

/* "/data/mnist:all"; NULL without memory. */
static char *whole_name(const char *what)
{
    char *const path = ecc_data_absolute(what);
    char *const name = path ? ecc_data_part_name(path, "all") : NULL;
    free(path);
    return name;
}

bool ecc_data_is_same(const char *a, const char *b)
{
    char *const x = whole_name(a), *const y = whole_name(b);
    const bool same = x && y && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

/* ---- Names of files ------------------------------------------------------------------------- */

/* Characters up to the last slash that all paths have in common. */
static size_t common_folder(char *const *paths, const uint32_t *rows, size_t count)
{
    const char *const first = paths[rows[0]];
    const char *const slash = strrchr(first, '/');
    size_t length = slash ? (size_t)(slash - first) + 1 : 0;
    for (size_t i = 1; i < count; i++) {
        while (length > 0 && strncmp(first, paths[rows[i]], length) != 0) {
            do length--;
            while (length > 0 && first[length - 1] != '/');
        }
    }
    return length;
}

const char *ecc_data_file(const struct ecc_dataset *data, size_t item, size_t *folder)
{
    char *const *const paths = data->source->paths ? data->source->paths(data) : NULL;
    if (!paths || item >= data->count) return NULL;
    if (*folder == 0) *folder = common_folder(paths, data->rows, data->count);
    return paths[data->rows[item]] + *folder;
}
