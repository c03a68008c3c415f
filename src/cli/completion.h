/* completion.h: what the completions for all shells share.  Everything comes from the tables that
 * parse the command line.  Each shell is one file and one line in the table of completion.c. */
#ifndef ECC_CLI_COMPLETION_H
#define ECC_CLI_COMPLETION_H

#include "cli/command.h"

/* The candidates for a value or an operand: words, separated by blanks, and file names. */
struct ecc_candidates {
    char words[1000];
    bool files;
};

struct ecc_candidates ecc_option_candidates(const struct ecc_option *option);
struct ecc_candidates ecc_operand_candidates(const struct ecc_command *command);

/* The length of the first word of a name; a name of two words belongs to a group. */
size_t ecc_first_word(const char *name);
/* Whether an entry is the first in the table with its first word. */
bool ecc_opens_group(const struct ecc_command *const *entry);

/* The first words of all names, or the second words of a group, separated by blanks. */
void ecc_print_first_words(void);
void ecc_print_second_words(const struct ecc_command *const *opens);

/* Prints the beginning of a text, up to a parenthesis or semicolon, for a place between single
 * quotes: a quote as `quote`, and a backslash before each of `special`. */
void ecc_print_brief(const char *text, const char *special, const char *quote);

void ecc_print_bash(void);
void ecc_print_zsh(void);
void ecc_print_fish(void);

#endif
