/* data_print.h: prints what `eccentric data info` found, as words or JSON. */
#ifndef ECC_CLI_DATA_PRINT_H
#define ECC_CLI_DATA_PRINT_H

#include "cli/output.h"
#include "data/look.h"
#include "data/source.h"
#include "eccentric_train.h"

enum { ECC_DATA_COLUMNS_SHOWN = 20 }; /* of the others there is a summary */

/* Items of the parts; of those to train on, `validation` are kept aside. */
struct ecc_data_parts {
    size_t train, validation, test;
};

/* How long a training with default settings would take; seconds 0: not known. */
struct ecc_data_times {
    struct ecc_train_estimate here, small; /* and, of large images, of ECC_DATA_SMALL pixels */
    struct ecc_error problem;              /* why it would fail, or empty */
};

enum { ECC_DATA_LARGE = 96, ECC_DATA_SMALL = 64 }; /* sides of images */

struct ecc_data_findings {
    const struct ecc_dataset *data;
    const struct ecc_data_info *info;
    struct ecc_data_parts parts;
    struct ecc_data_times times;
    const char *sheet;  /* the picture that was drawn, or NULL */
    bool without_label; /* as the user wants it */
};

/* Images that would be quicker if they were made smaller. */
bool ecc_data_is_large(const struct ecc_dataset *data);

void ecc_data_print(const struct ecc_data_findings *findings);
enum ecc_status ecc_data_print_json(const struct ecc_data_findings *findings,
                                    struct ecc_error *error);

/* The columns of a table as text or JSON (data_columns.c). */
void ecc_data_print_columns(const struct ecc_schema *schema);
json_t *ecc_data_columns_json(const struct ecc_schema *schema);

/* "no label" for a class below 0; without names, its number. */
const char *ecc_data_class_name(const struct ecc_dataset *data, int32_t class, char number[24]);

/* What may help, as a sentence; the next from `*at` = 0 on, or NULL. */
const char *ecc_data_hint(char out[200], const struct ecc_data_findings *findings, size_t *at);

#endif
