/*
 * dates.h: dates and times as text, and as days since 1970-01-01 in the proleptic Gregorian
 * calendar.
 */
#ifndef ECC_DATA_DATES_H
#define ECC_DATA_DATES_H

#include "eccentric_model.h"

/* What the text of a date shows. */
struct ecc_date {
    char order;     /* the part that it starts with: 'Y', 'h' (a time alone), 'M' or 'D'; '?': the
                     * month or the day */
    double days;    /* read as `order` says; of '?' with the month first */
    double swapped; /* of '?': with the day first */
    bool timed;     /* it has a time of day */
};

/* 2024-12-31, 2024/12/31, 31.12.2024, 12/31/2024, 31/12/2024, 31-12-2024; also with a time, which
 * may have a fraction and a zone; 17:30 and 17:30:05 alone.  False for anything else. */
bool ecc_date_parse(struct ecc_date *date, const char *text);

/* A value of this column: "2024-12-31", or with column->decimals > 0 "2024-12-31 17:30:00"; of a
 * column of times "17:30:00". */
void ecc_date_write(char *text, size_t size, double days, const struct ecc_column *column);

#endif
