/* fid.h: what the two files of `eccentric fid` share. */
#ifndef ECC_CLI_FID_H
#define ECC_CLI_FID_H

#include "eccentric_evaluate.h"

#include "cli/command.h"

struct ecc_fid_settings {
    struct ecc_common common;
    struct ecc_score_options score;
    int features, from, kid; /* as given; copied to `score` later */
    const char *out, *csv, *test;
};

/* fid_print.c: prints as words or JSON, and writes a table to a file. */
enum ecc_status ecc_fid_print(const struct ecc_score_table *table,
                              const struct ecc_fid_settings *settings, struct ecc_error *error);
enum ecc_status ecc_fid_write_csv(const struct ecc_score_table *table, const char *path,
                                  struct ecc_error *error);

#endif
