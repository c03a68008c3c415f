/* directory.c: the contents of a directory, sorted by name. */
#include "data/directory.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct ecc_entry *)a)->name, ((const struct ecc_entry *)b)->name);
}

static mode_t kind_of(const char *directory, const char *name)
{
    struct stat information = {0};
    char *const path = ecc_path_join(directory, name);
    if (!path || stat(path, &information) != 0) information.st_mode = 0;
    free(path);
    return information.st_mode;
}

bool ecc_file_exists(const char *directory, const char *name)
{
    return S_ISREG(kind_of(directory, name));
}

bool ecc_directory_exists(const char *directory, const char *name)
{
    return S_ISDIR(kind_of(directory, name));
}

/* Most file systems give the kind with the name, which saves a stat for each of 200,000 files. */
static void entry_kind(bool *is_file, bool *is_directory, const struct dirent *entry,
                       const char *path)
{
    if (entry->d_type == DT_REG || entry->d_type == DT_DIR) {
        *is_file = entry->d_type == DT_REG;
        *is_directory = entry->d_type == DT_DIR;
    } else {
        const mode_t mode = kind_of(path, entry->d_name);
        *is_file = S_ISREG(mode);
        *is_directory = S_ISDIR(mode);
    }
}

static bool append(struct ecc_directory *directory, size_t *capacity, const char *name,
                   bool is_directory)
{
    if (directory->count == *capacity) {
        const size_t larger = *capacity ? *capacity * 2 : 64;
        struct ecc_entry *const entries =
            realloc(directory->entries, larger * sizeof *directory->entries);
        if (!entries) return false;
        directory->entries = entries;
        *capacity = larger;
    }
    struct ecc_entry *const entry = &directory->entries[directory->count];
    entry->name = strdup(name);
    entry->is_directory = is_directory;
    if (entry->name) directory->count++;
    return entry->name != NULL;
}

static enum ecc_status read_entries(struct ecc_directory *directory, DIR *stream, const char *path,
                                    struct ecc_error *error)
{
    size_t capacity = 0;
    for (;;) {
        errno = 0;
        const struct dirent *const entry = readdir(stream);
        if (!entry) break;
        if (entry->d_name[0] == '.') continue;
        bool is_file, is_directory;
        entry_kind(&is_file, &is_directory, entry, path);
        if (!is_file && !is_directory) continue;
        if (!append(directory, &capacity, entry->d_name, is_directory)) {
            return ecc_fail_memory(error, "the list of a directory");
        }
    }
    if (errno != 0) return ecc_fail_errno(error, "read", path);
    return ECC_OK;
}

enum ecc_status ecc_directory_list(struct ecc_directory *directory, const char *path,
                                   struct ecc_error *error)
{
    *directory = (struct ecc_directory){0};
    DIR *const stream = opendir(path);
    if (!stream) return ecc_fail_errno(error, "open", path);
    const enum ecc_status status = read_entries(directory, stream, path, error);
    closedir(stream);
    if (status != ECC_OK) {
        ecc_directory_release(directory);
    } else if (directory->count > 1) {
        qsort(directory->entries, directory->count, sizeof *directory->entries, by_name);
    }
    return status;
}

void ecc_directory_release(struct ecc_directory *directory)
{
    for (size_t i = 0; i < directory->count; i++) {
        free(directory->entries[i].name);
    }
    free(directory->entries);
    *directory = (struct ecc_directory){0};
}
