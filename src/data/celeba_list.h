/* celeba_list.h: CelebA's list_attr_celeba.txt and list_eval_partition.txt. */
#ifndef ECC_DATA_CELEBA_LIST_H
#define ECC_DATA_CELEBA_LIST_H

#include "base/status.h"

enum { ECC_CELEBA_ATTRIBUTES = 40 };

struct ecc_celeba_row {
    char *name; /* of the image; inside the list's text */
    uint8_t attributes[ECC_CELEBA_ATTRIBUTES];
    size_t order; /* in the file: qsort is not stable */
};

struct ecc_celeba_list {
    char *text;
    struct ecc_celeba_row *rows; /* [count], by name */
    size_t count, capacity;
    char *attribute_names[ECC_CELEBA_ATTRIBUTES]; /* inside the text */
    size_t announced; /* the number of rows according to the first line; it may be wrong */
};

/* Attributes: 1 becomes 1, -1 and 0 become 0. */
enum ecc_status ecc_celeba_read_attributes(struct ecc_celeba_list *list, const char *path,
                                           struct ecc_error *error);
/* Partition: attributes[0] of a row is 0, 1 or 2 for training, validation and test. */
enum ecc_status ecc_celeba_read_partition(struct ecc_celeba_list *list, const char *path,
                                          struct ecc_error *error);
void ecc_celeba_release(struct ecc_celeba_list *list);

/* The row of an image, or NULL. */
const struct ecc_celeba_row *ecc_celeba_find(const struct ecc_celeba_list *list, const char *name);

#endif
