/* processes.h: the program as one of several processes that mpirun or srun started. */
#ifndef ECC_CLI_PROCESSES_H
#define ECC_CLI_PROCESSES_H

#include "cli/command.h"
#include "eccentric_train.h"

/* The processes that run this command together, or NULL: this one is alone. */
struct ecc_team *ecc_processes(void);

/* Joins them, before the command's words are read.  All but the first are silent from then on, so
 * that each message comes once.  Fails if the command is not one for several processes. */
enum ecc_status ecc_processes_join(const struct ecc_command *command, struct ecc_error *error);

/* After the command failed and the first process has said why: ends the others, unless they know.
 * The sentence is that of this process. */
void ecc_processes_fail(const char *sentence);

/* Waits for the others. */
void ecc_processes_leave(void);

#endif
