/* latent.h: what the commands that use a trained run share: opening it, its components, parts of
 * its data, progress, paths of pictures. */
#ifndef ECC_CLI_LATENT_H
#define ECC_CLI_LATENT_H

#include "base/text.h"
#include "cli/output.h"
#include "model/components.h"

/* clang-format off */
/* --data of commands that need the run's own training data: where it is now, if it was moved. */
#define ECC_OPTION_RUN_DATA(type, field)                                                           \
    {.name = "data", .kind = ECC_TEXT, ECC_TO(type, field), .value_name = "DATA",                  \
     .help = "where the run's training data is now, if it has moved"}

/* --gaussians of commands that may draw from a mixture. */
#define ECC_OPTION_GAUSSIANS(type, field)                                                          \
    {.name = "gaussians", .kind = ECC_COUNT, ECC_TO(type, field), .value_name = "K", .low = 1,     \
     .high = 1000, .help = "Gaussians in the mixture (default: chosen by BIC, up to 32)"}
/* clang-format on */

/* Progress and remarks of the library on standard error, and Ctrl-C. */
struct ecc_cli_watch {
    const struct ecc_common *common;
    char name[64];                /* of the work whose progress bar is shown; empty: none */
    size_t done;                  /* of it */
    struct ecc_progress progress; /* its bar */
    struct ecc_watch watch;       /* hand &watch to the library */
};

void ecc_cli_watch_start(struct ecc_cli_watch *cli, const struct ecc_common *common);
/* The same for work that consists of many pieces: a line stays for each that is remarked on, and
 * without a terminal their own progress is not shown. */
void ecc_cli_watch_tasks(struct ecc_cli_watch *cli, const struct ecc_common *common);
void ecc_cli_watch_end(struct ecc_cli_watch *cli);

/* Opens a run; prints a message on standard error if it is a checkpoint of unfinished training. */
enum ecc_status ecc_cli_open(struct ecc_model **model, const char *directory,
                             const struct ecc_common *common, struct ecc_error *error);

/* Says what is odd about the data, on standard error unless quiet. */
void ecc_cli_data_remarks(const struct ecc_dataset *data, const struct ecc_common *common);

/* Its components, with progress while they are computed, and remarks. */
enum ecc_status ecc_cli_components(struct ecc_components *components, struct ecc_model *model,
                                   const char *data, const struct ecc_common *common,
                                   struct ecc_error *error);

/* The same with what they explain of the data; if the data is gone and they are known, without,
 * with a remark. */
enum ecc_status ecc_cli_explained(struct ecc_components *components, struct ecc_model *model,
                                  const char *data, const struct ecc_common *common,
                                  struct ecc_error *error);

/* `out`, or RUN/figures/name if it is NULL.  The caller frees *path. */
enum ecc_status ecc_cli_path(char **path, const struct ecc_model *model, const char *out,
                             const char *name, struct ecc_error *error);

#endif
