/* command.h: the command that would train a run again, as one would type it. */
#ifndef ECC_TRAIN_COMMAND_H
#define ECC_TRAIN_COMMAND_H

#include "train/options.h"

#include <stdio.h>

/* "eccentric train DATA --out FOLDER ...", with every option that is not the default and changes
 * what comes out, quoted for a shell; no newline.  options->data is not NULL. */
void ecc_train_command(FILE *out, const struct ecc_train_options *options, const char *folder);

#endif
