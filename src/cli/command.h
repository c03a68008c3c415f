/*
 * command.h: a command of the program: a const entry with its name, options and function.
 *
 * The same tables parse the command line and generate the help, the man page and the shell
 * completion.  A command only parses, validates, calls the library and prints the result.
 */
#ifndef ECC_CLI_COMMAND_H
#define ECC_CLI_COMMAND_H

#include "base/place.h"
#include "base/terminal.h"

enum ecc_option_kind {
    ECC_FLAG = 0, /* bool */
    ECC_COUNT,    /* size_t */
    ECC_NUMBER,   /* double */
    ECC_TEXT,     /* const char * */
    ECC_CHOICE,   /* int: index into `choices` */
};

struct ecc_option {
    const char *name; /* without the dashes; NULL ends a table */
    enum ecc_option_kind kind;
    size_t offset;          /* of the field in the command's settings */
    const char *value_name; /* "U" in --mu U */
    const char *help;
    double low, high; /* the range of numbers; both 0: any */
    bool above_low;   /* `low` itself is not allowed */
    bool required;
    const char *const *choices; /* of ECC_CHOICE, ending in NULL */
    unsigned writes;            /* of ECC_TEXT: it names a result in one of these ecc_formats */
    char letter;                /* -n for --count, or 0 */
    const char *several;        /* the command that takes several numbers here, or NULL */
};

/* Every command's settings start with these. */
struct ecc_common {
    bool json, quiet;
    size_t threads, seed;
    uint64_t given; /* bit i: option i of the command's table was given */
};

/* The field of `struct type` that takes an option's value. */
#define ECC_TO(type, field) .offset = offsetof(struct type, field)

/* clang-format off */
/* Options that most commands share. */
#define ECC_OPTION_JSON                                                                            \
    {.name = "json", ECC_TO(ecc_common, json), .help = "print the results as JSON"}
#define ECC_OPTION_QUIET                                                                           \
    {.name = "quiet", ECC_TO(ecc_common, quiet), .help = "show no progress"}
#define ECC_OPTION_THREADS_SAYING(text)                                                            \
    {.name = "threads", .kind = ECC_COUNT, ECC_TO(ecc_common, threads), .value_name = "N",         \
     .low = 1, .high = 1024, .help = text}
#define ECC_OPTION_THREADS                                                                         \
    ECC_OPTION_THREADS_SAYING("use N threads (default: all; does not change the results)")
#define ECC_OPTION_SEED                                                                            \
    {.name = "seed", .kind = ECC_COUNT, ECC_TO(ecc_common, seed), .value_name = "K",               \
     .help = "seed of the random numbers (default 1)"}
#define ECC_OPTION_END                                                                             \
    {.name = NULL}
/* clang-format on */

struct ecc_command {
    const char *name;     /* one word or two: "loss", "theory radius" */
    const char *operands; /* as the usage shows them: "Z.npy" */
    size_t operand_min, operand_max;
    const char *const *operand_words; /* the operands allowed, ending in NULL; NULL: anything */
    const char *summary;              /* one line */
    const char *description;          /* a paragraph or two */
    const char *examples;             /* lines to try, each starting with "eccentric" */
    bool together;                    /* several processes can run it (processes.h) */
    const struct ecc_option *options;
    void (*prepare)(void); /* fills the options that are not constant; may be NULL */
    size_t settings_size;
    void (*defaults)(void *settings);
    /* Checks what the table of options cannot express; a failure is wrong usage.  May be NULL. */
    enum ecc_status (*check)(void *settings, size_t operand_count, struct ecc_error *error);
    enum ecc_status (*run)(void *settings, const char *const *operands, size_t operand_count,
                           struct ecc_error *error);
};

/* All commands, ending in NULL. */
extern const struct ecc_command *const ecc_commands[];

/* ---- parse.c -------------------------------------------------------------------------------- */

/* The words after the command's name, and what was found in them. */
struct ecc_words {
    int argc;
    char **argv;
    const char **operands; /* room for argc of them */
    size_t operand_count;
    bool help; /* --help was given */
};

/* Fills settings, and the operands of words.  Fails with a one-sentence message. */
enum ecc_status ecc_parse_words(const struct ecc_command *command, void *settings,
                                struct ecc_words *words, struct ecc_error *error);

/* The candidate closest to `word`, or NULL if none is close; for "did you mean". */
const char *ecc_closest(const char *word, const char *const *candidates, size_t count);

/* "1,2.5,4" as numbers.  The caller frees *values. */
enum ecc_status ecc_parse_numbers(double **values, size_t *count, const char *text,
                                  const char *option, struct ecc_error *error);

/* Sizes of the latent space, rising, at most `most`: "2,4,8" or "2..16", as --latent takes them. */
enum ecc_status ecc_parse_sizes(size_t *sizes, size_t *count, size_t most, const char *text,
                                struct ecc_error *error);

/* "paper", "exact" or a number, as --m takes it. */
enum ecc_status ecc_parse_m(enum ecc_m_rule *rule, double *m, const char *text,
                            struct ecc_error *error);

/* ---- places.c ------------------------------------------------------------------------------- */

/* Makes the directories that the results named by options need, before the work starts; fails if a
 * result could not be written. */
enum ecc_status ecc_places_prepare(const struct ecc_command *command, const void *settings,
                                   struct ecc_error *error);
/* After a failure: takes away the directories that were made and are still empty. */
void ecc_places_undo(const struct ecc_command *command, const void *settings);

/* Says that a failure of `run` is wrong usage, such as a format that the items of this run cannot
 * have: exit 2.  Returns the status. */
enum ecc_status ecc_wrong_usage(enum ecc_status status);
bool ecc_usage_was_wrong(void);

/* ---- help.c --------------------------------------------------------------------------------- */

void ecc_print_overview(void);
void ecc_print_help(const struct ecc_command *command);

/* ---- hint.c --------------------------------------------------------------------------------- */

/* The options that follow the advice at the end of a sentence, as in " (--size N)", or "". */
const char *ecc_hint(const char *sentence);

/* ---- completion.c --------------------------------------------------------------------------- */

/* The shells with a completion, ending in NULL; and prints that of one shell. */
extern const char *const ecc_shells[];
void ecc_print_completion(int shell);

#endif
