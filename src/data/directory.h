/* directory.h: the contents of a directory, sorted by name. */
#ifndef ECC_DATA_DIRECTORY_H
#define ECC_DATA_DIRECTORY_H

#include "base/status.h"

struct ecc_entry {
    char *name;
    bool is_directory;
};

struct ecc_directory {
    struct ecc_entry *entries; /* [count], sorted by name byte by byte */
    size_t count;
};

/* Regular files and directories, links followed; hidden ones are left out. */
enum ecc_status ecc_directory_list(struct ecc_directory *directory, const char *path,
                                   struct ecc_error *error);
void ecc_directory_release(struct ecc_directory *directory);

/* Whether directory/name exists and is a regular file or directory. */
bool ecc_file_exists(const char *directory, const char *name);
bool ecc_directory_exists(const char *directory, const char *name);

#endif
