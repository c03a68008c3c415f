/*
 * metrics.h: what training measures, row by row, in metrics.jsonl and metrics.csv.
 *
 * A row is a step and named numbers.  The JSON lines are the record; the CSV holds the same rows
 * with columns in the order of first appearance, and is rewritten when a row has a new name (so
 * give all names in the first row).  Numbers that are not finite are null, or an empty cell.
 * After a resume, rows beyond the checkpoint's step are cut off, so none appears twice.
 */
#ifndef ECC_RUN_METRICS_H
#define ECC_RUN_METRICS_H

#include "base/status.h"

struct ecc_metric {
    const char *name; /* letters, digits, '_', '.', '/', '-' */
    double value;
};

struct ecc_metrics;

/* Starts with empty files: for a new run, or one resumed before its first checkpoint. */
enum ecc_status ecc_metrics_create(struct ecc_metrics **metrics, const char *directory,
                                   struct ecc_error *error);
/* Continues after `step`: rows of later steps, and a last line that is not whole, are cut off. */
enum ecc_status ecc_metrics_resume(struct ecc_metrics **metrics, const char *directory,
                                   uint64_t step, struct ecc_error *error);
/* Steps must not decrease from one row to the next.  On return the operating system has the row. */
enum ecc_status ecc_metrics_append(struct ecc_metrics *metrics, uint64_t step,
                                   const struct ecc_metric *row, size_t count,
                                   struct ecc_error *error);
/* Makes the rows so far durable; called before each checkpoint. */
enum ecc_status ecc_metrics_sync(struct ecc_metrics *metrics, struct ecc_error *error);
void ecc_metrics_close(struct ecc_metrics *metrics);

/* All rows of a run, for reports; NaN where a row has no value.  Column 0 is "step".  Release with
 * ecc_metrics_table_release. */
struct ecc_metrics_table {
    size_t rows, columns;
    char **names;   /* [columns] */
    double *values; /* [rows, columns] */
};
enum ecc_status ecc_metrics_read(struct ecc_metrics_table *table, const char *directory,
                                 struct ecc_error *error);
void ecc_metrics_table_release(struct ecc_metrics_table *table);

/* One column over epochs, without the rows that have no value.  x, y: [rows].  Returns the number
 * of points. */
size_t ecc_metrics_curve(double *x, double *y, const struct ecc_metrics_table *table,
                         const char *name);
/* The same for the rows of the first training, or of the second one, on all items, where there is
 * one. */
size_t ecc_metrics_curve_of(double *x, double *y, const struct ecc_metrics_table *table,
                            const char *name, bool refit);
#define ECC_METRICS_REFIT "refit" /* the column that is 1 in rows of the second training */

#endif
