/*
 * run.h: a run directory: everything that belongs to one training and its model.
 *
 *     config.json        settings, resolved and complete
 *     model.safetensors  weights
 *     checkpoint         what is needed to resume the training (checkpoint.h)
 *     metrics.jsonl/csv  what was measured
 *     figures/           pictures
 */
#ifndef ECC_RUN_RUN_H
#define ECC_RUN_RUN_H

#include "run/config.h"

#define ECC_RUN_CONFIG "config.json"
#define ECC_RUN_MODEL "model.safetensors"
#define ECC_RUN_CHECKPOINT "checkpoint"
#define ECC_RUN_FIGURES "figures"
#define ECC_RUN_RESULT "result.json"

/* Paths are whole, for use with open; all may be read by anyone. */
struct ecc_run {
    char *directory;
    char *model, *checkpoint, *figures; /* paths, whether or not the files exist */
    struct ecc_config config;
    bool stored;     /* false: in memory only; directory is a name for messages */
    int lock;        /* file descriptor, or -1 */
    bool overwrites; /* an old run may be here; ecc_run_remove_old removes it */
};

/* Makes the directory (and its parents) with figures/ in it, and locks it for training.  The config
 * is not written yet and holds only what made the run.  Refuses a directory that holds a run unless
 * told to overwrite it, a path that is not a directory, and a run that another process is
 * training. */
enum ecc_status ecc_run_create(struct ecc_run **run, const char *directory, bool overwrite,
                               struct ecc_error *error);
/* Removes the files, except the figures, of the run that is being overwritten, if there is one.
 * Call it only after data and settings of the new run have been checked. */
enum ecc_status ecc_run_remove_old(struct ecc_run *run, struct ecc_error *error);
/* Opens a run to read it; the config must exist and have the right format. */
enum ecc_status ecc_run_open(struct ecc_run **run, const char *directory, struct ecc_error *error);
/* A run that is in memory only, as its config says: `stored` is false, and there are no paths.
 * config NULL: for a new training.  name: for messages, instead of a directory. */
enum ecc_status ecc_run_in_memory(struct ecc_run **run, const char *config, const char *name,
                                  struct ecc_error *error);
/* A second handle of the same run, to read. */
enum ecc_status ecc_run_copy(struct ecc_run **copy, const struct ecc_run *run,
                             struct ecc_error *error);
/* Opens a run to continue its training: as above, locked, left-over temporary files removed. */
enum ecc_status ecc_run_resume(struct ecc_run **run, const char *directory,
                               struct ecc_error *error);
/* Whether some process is training in this directory now. */
bool ecc_run_is_training(const char *directory);
/* Fails: there are no weights to use yet, and what to do. training: as above. */
enum ecc_status ecc_run_without_model(const struct ecc_run *run, bool training,
                                      struct ecc_error *error);
/* Makes a finished run unfinished: removes model and result, keeps the checkpoint. */
enum ecc_status ecc_run_unfinish(struct ecc_run *run, struct ecc_error *error);
/* Removes the directory of a run that never started: it has no config and is otherwise empty. */
void ecc_run_abandon(struct ecc_run *run);
void ecc_run_close(struct ecc_run *run);

/* "RUN/name", the caller's to free, or NULL. */
char *ecc_run_path(const struct ecc_run *run, const char *name);

#endif
