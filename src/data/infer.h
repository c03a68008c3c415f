/* infer.h: what each column of a text table is: a number, a date, a category, the label, an id. */
#ifndef ECC_DATA_INFER_H
#define ECC_DATA_INFER_H

#include "data/survey.h"

enum {
    ECC_LEVELS_MAX = 20,         /* of a category; rarer levels than these have no feature */
    ECC_CLASSES_GUESSED = 50,    /* a column of more different values is not taken for labels */
    ECC_CLASSES_OF_NUMBERS = 20, /* fractions with more different values are a target */
};

/* Everything that is known of the table. */
struct ecc_table_view {
    const struct ecc_csv *csv;
    const struct ecc_survey *survey;
    const struct ecc_data_request *request;
    struct ecc_dataset *data; /* for remarks */
};

/* The schema of the table, without what is fitted (mean, shares, ...). */
enum ecc_status ecc_infer_schema(struct ecc_schema **schema, const struct ecc_table_view *view,
                                 struct ecc_error *error);

/* As runs of version 0.1 read tables: every column but the label is a number. */
enum ecc_status ecc_infer_numbers(struct ecc_schema **schema, const struct ecc_table_view *view,
                                  const struct ecc_scaling *scaling, struct ecc_error *error);

/* The column of the labels, SIZE_MAX: none; its kind, label or target; *guessed: neither the caller
 * nor its name says so. */
struct ecc_label_choice {
    size_t column;
    enum ecc_column_kind kind;
    bool guessed;
};
enum ecc_status ecc_infer_label(struct ecc_label_choice *choice, const struct ecc_table_view *view,
                                struct ecc_error *error);

/* Counts the cells of a column that are there; only of the fitted rows, or of all. */
struct ecc_tally;
enum ecc_status ecc_infer_count(struct ecc_tally *tally, const struct ecc_table_view *view,
                                size_t column, bool fitted_only, struct ecc_error *error);

/* Whether the column holds an id: whole numbers that count the rows, or, by its name, unique ones.
 */
enum ecc_status ecc_infer_id(bool *is_id, const struct ecc_table_view *view, size_t column,
                             struct ecc_error *error);

#endif
