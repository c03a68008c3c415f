/*
 * metrics.h: what training measures, row by row, in metrics.jsonl and metrics.csv.
 *
 * A row is a step and named numbers.  The JSON lines are the record; the CSV holds the same rows
 * under columns in the order of first appearance, and is rewritten when a row brings a new name
 * (so give the first row all of them).  Numbers that are not finite are null, or an empty cell.
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

/* Starts anew in a run directory: a new run, or one resumed before its first checkpoint. */
enum ecc_status ecc_metrics_create(struct ecc_metrics **metrics, const char *directory,
                                   struct ecc_error *error);
/* Continues after `step`: rows of later steps, and a last line that is not whole, are cut off. */
enum ecc_status ecc_metrics_resume(struct ecc_metrics **metrics, const char *directory,
                                   uint64_t step, struct ecc_error *error);
/* Steps never fall from one row to the next.  The row is with the operating system on return. */
enum ecc_status ecc_metrics_append(struct ecc_metrics *metrics, uint64_t step,
                                   const struct ecc_metric *row, size_t count,
                                   struct ecc_error *error);
/* Rows so far reach the disk: before each checkpoint. */
enum ecc_status ecc_metrics_sync(struct ecc_metrics *metrics, struct ecc_error *error);
void ecc_metrics_close(struct ecc_metrics *metrics);

/* All rows of a run, for reports: *columns names and values: [*rows, *columns], NaN where a row has
 * none; column 0 is "step".  Release with ecc_metrics_table_release. */
struct ecc_metrics_table {
    size_t rows, columns;
    char **names;   /* [columns] */
    double *values; /* [rows, columns] */
};
enum ecc_status ecc_metrics_read(struct ecc_metrics_table *table, const char *directory,
                                 struct ecc_error *error);
void ecc_metrics_table_release(struct ecc_metrics_table *table);

/* One column against epochs; rows without a value are left out.  x, y: [rows]; how many it gave. */
size_t ecc_metrics_curve(double *x, double *y, const struct ecc_metrics_table *table,
                         const char *name);

#endif
