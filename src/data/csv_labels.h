/* csv_labels.h: turns the words or numbers of a label column into classes. */
#ifndef ECC_DATA_CSV_LABELS_H
#define ECC_DATA_CSV_LABELS_H

#include "data/csv.h"

/* Whether a cell means a missing value: empty, "?", "NA", "nan", ... */
bool ecc_csv_is_missing(const char *text);

/* Whether a column holds words, or few distinct whole numbers. */
bool ecc_csv_looks_like_labels(char *const *texts, size_t count);

/* texts: [csv->rows].  Fills labels and class names. */
enum ecc_status ecc_csv_make_classes(struct ecc_csv *csv, char *const *texts,
                                     struct ecc_error *error);

#endif
