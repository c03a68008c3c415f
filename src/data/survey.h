/* survey.h: what the cells of each column of a text table look like, before their kinds are known.
 */
#ifndef ECC_DATA_SURVEY_H
#define ECC_DATA_SURVEY_H

#include "data/csv.h"
#include "data/numbers.h"
#include "data/source.h"

/* Of one column: cells of each shape (numbers.h), where a word may also be a date. */
struct ecc_column_survey {
    size_t shapes[ECC_CELL_SHAPES];
    size_t dates; /* of the words: dates or times, by what they start with: */
    size_t years, days, months, either, times;
    bool timed;       /* a date has a time */
    int decimals;     /* most digits after a decimal sign */
    const char *seen; /* a cell of the training rows that is there, or NULL */
    bool varies;      /* another of them differs from it */
    size_t gaps;      /* missing cells of the training rows */
};

struct ecc_survey {
    struct ecc_column_survey *columns; /* [csv->columns] */
    char decimal;                      /* of the file: '.' or ',' */
};

/* Whether a row counts for what is fitted, which must not know the test part. */
static inline bool ecc_row_is_fitted(const struct ecc_data_request *request, size_t row)
{
    return request->split == ECC_SPLIT_ALL || !request->test[row];
}

/* request->test is set.  A remark says how numbers were read where that is not certain. */
enum ecc_status ecc_survey_init(struct ecc_survey *survey, struct ecc_dataset *data,
                                const struct ecc_csv *csv, const struct ecc_data_request *request,
                                struct ecc_error *error);
void ecc_survey_release(struct ecc_survey *survey);

/* The decimal sign of a column: its own where its cells show it, else the file's. */
char ecc_survey_decimal(const struct ecc_survey *survey, size_t column,
                        const struct ecc_data_options *options);
/* Cells that are numbers with this decimal sign. */
size_t ecc_survey_numbers(const struct ecc_column_survey *column, char decimal);

#endif
