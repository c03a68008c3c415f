/* metrics_table.h: the rows of metrics.jsonl as a table, and the table as CSV. */
#ifndef ECC_RUN_METRICS_TABLE_H
#define ECC_RUN_METRICS_TABLE_H

#include "run/metrics.h"

#define ECC_METRICS_JSON "metrics.jsonl"
#define ECC_METRICS_CSV "metrics.csv"

/* The number of bytes that are whole lines with steps up to `step`. */
size_t ecc_metrics_lines_until(const char *bytes, size_t size, uint64_t step);

/* The rows in the bytes of a file; `name` is for messages. */
enum ecc_status ecc_metrics_decode(struct ecc_metrics_table *table, const char *bytes, size_t size,
                                   const char *name, struct ecc_error *error);
enum ecc_status ecc_metrics_table_write(const struct ecc_metrics_table *table, const char *path,
                                        struct ecc_error *error);

#endif
