/*
 * shared.h: options that several commands share: those of the loss and of DATA.
 *
 * A command keeps a struct below in its settings, lists the macro in its table of options, and
 * turns the given values into the library's options in its `check` or `run`.
 */
#ifndef ECC_CLI_SHARED_H
#define ECC_CLI_SHARED_H

#include "cli/command.h"
#include "data/dataset.h"
#include "run/settings.h" /* ecc_pairs_names */

/* ---- The loss: --mu, --m, --pairs ----------------------------------------------------------- */

struct ecc_loss_words {
    double mu;     /* 1 by default */
    const char *m; /* "paper" by default, "exact" or a number */
    int pairs;     /* of ecc_pairs_names */
};

struct ecc_loss_words ecc_loss_words_defaults(void);

/* Turns the words into options; a bad --m is wrong usage. threads: as in ecc_common. */
enum ecc_status ecc_loss_words_read(struct ecc_loss_options *options,
                                    const struct ecc_loss_words *words, size_t threads,
                                    struct ecc_error *error);

/* clang-format off */
#define ECC_OPTION_M(type, field)                                                                  \
    {.name = "m", .kind = ECC_TEXT, ECC_TO(type, field), .value_name = "paper|exact|NUMBER",       \
     .help = "the constant M: the paper's closed form (default), the one whose radius is "         \
             "exactly sqrt(d), or a number"}

/* field: the struct ecc_loss_words in struct type. */
#define ECC_OPTIONS_LOSS(type, field)                                                              \
    {.name = "mu", .kind = ECC_NUMBER, ECC_TO(type, field.mu), .value_name = "U", .low = 0.5,      \
     .above_low = true, .help = "strength of the repulsion, above 1/2 (default 1)"},               \
    ECC_OPTION_M(type, field.m),                                                                   \
    {.name = "pairs", .kind = ECC_CHOICE, ECC_TO(type, field.pairs), .choices = ecc_pairs_names,   \
     .help = "pairs that count: all, as in the published code (default), or only those with "      \
             "i != j, as in the definition"}
/* clang-format on */

/* ---- DATA: --items, --crop, --size, --label, --columns, ... --------------------------------- */

struct ecc_data_words {
    size_t items, crop, size;                               /* 0 if not given */
    const char *label, *labels, *metadata, *columns, *drop; /* NULL if not given */
    bool strict;
    int decimal, scaler; /* of ecc_decimal_names, ecc_scaler_names */
};

/* Options for ecc_dataset_open. seed: for generated data. */
struct ecc_data_options ecc_data_words_read(const struct ecc_data_words *words, uint64_t seed);
/* The same words as options of a training, which start from their defaults. */
struct ecc_train_options ecc_data_words_train(const struct ecc_data_words *words);

/* clang-format off */
/* field: the struct ecc_data_words in struct type. */
#define ECC_OPTIONS_DATA(type, field)                                                              \
    {.name = "items", .kind = ECC_COUNT, ECC_TO(type, field.items), .value_name = "N", .low = 1,   \
     .high = 4e9, .help = "only the first N items"},                                               \
    {.name = "crop", .kind = ECC_COUNT, ECC_TO(type, field.crop), .value_name = "N", .low = 1,     \
     .high = 8192, .help = "image folders: crop to the central N x N pixels"},                     \
    {.name = "size", .kind = ECC_COUNT, ECC_TO(type, field.size), .value_name = "N", .low = 1,     \
     .high = 8192, .help = "image folders: resize to N x N pixels"},                               \
    {.name = "labels", .kind = ECC_TEXT, ECC_TO(type, field.labels), .value_name = "FILE",         \
     .help = "a label for each item: a .npy file, or text with one a line"},                       \
    {.name = "metadata", .kind = ECC_TEXT, ECC_TO(type, field.metadata), .value_name = "FILE",     \
     .help = "a table with a row for each item: labels, numbers, attributes"},                     \
    {.name = "strict", .kind = ECC_FLAG, ECC_TO(type, field.strict),                               \
     .help = "image folders: stop at an image that cannot be read, instead of leaving it out"},    \
    {.name = "label", .kind = ECC_TEXT, ECC_TO(type, field.label),                                 \
     .value_name = "NAME|NUMBER|first|last|none",                                                  \
     .help = "text tables: the column with the labels (default: detected)"},                       \
    {.name = "columns", .kind = ECC_TEXT, ECC_TO(type, field.columns), .value_name = "LIST",       \
     .help = "text tables: use only these columns, such as age,\"net income\""},                   \
    {.name = "drop", .kind = ECC_TEXT, ECC_TO(type, field.drop), .value_name = "LIST",             \
     .help = "text tables: leave these columns out"},                                              \
    {.name = "decimal", .kind = ECC_CHOICE, ECC_TO(type, field.decimal),                           \
     .choices = ecc_decimal_names, .help = "text tables: the decimal sign (default auto)"},        \
    {.name = "scaling", .kind = ECC_CHOICE, ECC_TO(type, field.scaler),                            \
     .choices = ecc_scaler_names,                                                                  \
     .help = "tables: by mean and deviation (default), or, against outliers, by median and "       \
             "interquartile range"}
/* clang-format on */

#endif
