/*
 * store.h: what is in the directory already: results of steps, finished and begun trainings.
 *
 * steps/NAME.json holds a step's command, what it printed and a stamp of what it was made from: the
 * command, the program's version and the weights of the runs it looked at; of a score by
 * Inception also the size and time of Inception's weights.  A step whose stamp is still right, and
 * whose files are there, is not done again.
 */
#ifndef ECC_REPRODUCE_STORE_H
#define ECC_REPRODUCE_STORE_H

#include "reproduce/plan.h"

#include <stdio.h>

/* Makes the directory and its folders. */
enum ecc_status ecc_store_prepare(const struct ecc_repro *r, struct ecc_error *error);

/* Keeps other processes from working in the directory until *lock, a file, is closed or this one
 * ends. */
enum ecc_status ecc_store_lock(int *lock, const struct ecc_repro *r, struct ecc_error *error);

/* "OUT/folder/nameending", the caller's to free, or NULL. */
char *ecc_store_path(const struct ecc_repro *r, const char *folder, const char *name,
                     const char *ending);

/* Looks for what is there: tasks that need not be done are marked so, trainings that were begun are
 * marked to be resumed. */
enum ecc_status ecc_store_look(struct ecc_repro *r, struct ecc_error *error);

/* Takes what a step printed into steps/NAME.json, or what a training left; and into the task. */
enum ecc_status ecc_store_keep(struct ecc_repro *r, struct ecc_task *task, const char *printed,
                               double seconds, struct ecc_error *error);

/* Complete or not there. */
enum ecc_status ecc_store_write_json(const json_t *json, const char *path, struct ecc_error *error);

/* The command as one would type it in the directory; of a finished training from its own config, so
 * that it is true whoever trained it.  A new reference, or NULL. */
json_t *ecc_store_command(const struct ecc_task *task);

#endif
