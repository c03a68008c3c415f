/*
 * store.h: what is in the directory already: measurements, finished and begun trainings.
 *
 * steps/NAME.json holds what was measured, the command that measures the same and a stamp of what
 * it was made from: the command, the program's version and the weights of the runs.  A score by
 * Inception also has the size and time of Inception's weights.  A measurement whose stamp is still
 * right, and whose files are there, is not made again.
 */
#ifndef ECC_REPRODUCE_STORE_H
#define ECC_REPRODUCE_STORE_H

#include "reproduce/tasks.h"

/* Makes the directory and its folders, and keeps other processes from working in it until *lock, a
 * file, is closed or this process ends. */
enum ecc_status ecc_store_open(int *lock, const struct ecc_repro *r, struct ecc_error *error);

/* "OUT/folder/nameending"; returns out.  The macro does it in an array that lives until the end of
 * the block.  That OUT is not too long is checked at the start. */
enum { ECC_STORE_PATH = 4096, ECC_STORE_OUT = ECC_STORE_PATH - 2 * ECC_TASK_NAME - 100 };
const char *ecc_store_path(char out[ECC_STORE_PATH], const struct ecc_repro *r, const char *folder,
                           const char *name, const char *ending);
#define ECC_IN_STORE(r, folder, name, ending)                                                      \
    ecc_store_path((char[ECC_STORE_PATH]){0}, (r), (folder), (name), (ending))

/* Looks for what is there: tasks that need not be done are marked so, trainings that were begun are
 * marked to be resumed. */
enum ecc_status ecc_store_look(struct ecc_repro *r, struct ecc_error *error);

/* Writes steps/NAME.json of a measurement that was made. */
enum ecc_status ecc_store_keep(const struct ecc_repro *r, const struct ecc_task *task,
                               struct ecc_error *error);
/* Takes what a finished training left into the task: its result and its own settings. */
enum ecc_status ecc_store_take(const struct ecc_repro *r, struct ecc_task *task,
                               struct ecc_error *error);

#endif
