/* columns.h: columns of a table by what the user calls them: a name, a number, a list. */
#ifndef ECC_DATA_COLUMNS_H
#define ECC_DATA_COLUMNS_H

#include "data/csv.h"

/* The column of this name, in any case of its letters if none has it exactly, or of this number
 * from 1; SIZE_MAX: there is none. */
size_t ecc_columns_find(char *const *names, size_t count, const char *word);

/* Marks the columns of a list such as `a,"b, c",4`.  option: for messages, such as "columns".
 * Fails, with the closest names, if there is no such column. */
enum ecc_status ecc_columns_mark(bool *marks, const struct ecc_csv *csv, const char *list,
                                 const char *option, const char *path, struct ecc_error *error);

/* Fails because there is no such column, naming the closest ones. */
enum ecc_status ecc_columns_unknown(const struct ecc_csv *csv, const char *word, const char *option,
                                    const char *path, struct ecc_error *error);

/* "a, b, c and 12 more" of names that a list collects. */
struct ecc_name_list {
    size_t count, listed, used;
    char text[260];
};
void ecc_name_list_add(struct ecc_name_list *list, const char *name);
void ecc_name_list_count(struct ecc_name_list *list, const char *name, size_t count); /* "a (3)" */
const char *ecc_name_list_text(struct ecc_name_list *list);

#endif
