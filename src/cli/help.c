/* help.c: help texts and the man page, from the tables that parse options; the command 'help'. */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

static const char tagline[] = "deep principal components for your data, on your own machine";

static void print_usage(const struct ecc_command *command)
{
    printf("eccentric %s%s%s", command->name, command->operands[0] ? " " : "", command->operands);
    for (const struct ecc_option *option = command->options; option->name; option++) {
        if (option->required) printf(" --%s %s", option->name, option->value_name);
    }
    printf(" [OPTIONS]\n");
}

void ecc_print_overview(void)
{
    printf("eccentric %s: %s\n\n", ecc_version(), tagline);
    printf("usage: eccentric COMMAND [OPTIONS]\n\n");
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        printf("  %-17s %s\n", (*entry)->name, (*entry)->summary);
    }
    printf("\n'eccentric COMMAND --help' explains one command.  Results go to standard output,\n"
           "progress and messages to standard error.  Exit codes: 0 success, 1 failure, 2 wrong "
           "usage.\n");
}

/* "--mu U" into a buffer; returns its length. */
static int option_words(char *out, size_t size, const struct ecc_option *option)
{
    if (option->kind == ECC_FLAG) return snprintf(out, size, "--%s", option->name);
    if (option->letter && option->kind != ECC_CHOICE) {
        return snprintf(out, size, "-%c, --%s %s", option->letter, option->name,
                        option->value_name);
    }
    if (option->kind != ECC_CHOICE) {
        return snprintf(out, size, "--%s %s", option->name, option->value_name);
    }
    int length = snprintf(out, size, "--%s ", option->name);
    for (int i = 0; option->choices[i] && (size_t)length < size; i++) {
        length +=
            snprintf(out + length, size - (size_t)length, "%s%s", i ? "|" : "", option->choices[i]);
    }
    return length;
}

/* Words of a text, wrapped at 78 columns with a hanging indent. */
static void print_wrapped(const char *text, int indent, int column)
{
    while (*text) {
        const int length = (int)strcspn(text, " \n");
        if (column > indent && column + 1 + length > 78) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        if (*text == '\n') {
            printf("\n%*s", indent, "");
            column = indent;
        }
        if (*text) text++;
    }
    putchar('\n');
}

void ecc_print_help(const struct ecc_command *command)
{
    printf("usage: ");
    print_usage(command);
    putchar('\n');
    print_wrapped(command->description, 0, 0);
    if (command->options->name) printf("\noptions:\n");
    for (const struct ecc_option *option = command->options; option->name; option++) {
        char words[100];
        const int length = option_words(words, sizeof words, option);
        printf("  %s", words);
        if (length > 23) {
            printf("\n%*s", 26, "");
        } else {
            printf("%*s", 24 - length, "");
        }
        print_wrapped(option->help, 26, 26);
    }
    if (command->examples) printf("\nexamples:\n%s", command->examples);
}

/* ---- The man page --------------------------------------------------------------------------- */

/* Text for troff: backslashes and dashes escaped, no line starting with a dot or quote. */
static void print_troff(const char *text)
{
    for (bool fresh = true; *text; text++) {
        if (fresh && (*text == '.' || *text == '\'')) printf("\\&");
        fresh = *text == '\n';
        if (*text == '\\') {
            printf("\\e");
        } else if (*text == '-') {
            printf("\\-");
        } else {
            putchar(*text);
        }
    }
    putchar('\n');
}

static void print_manual_command(const struct ecc_command *command)
{
    printf(".SS eccentric %s %s\n", command->name, command->operands);
    print_troff(command->description);
    for (const struct ecc_option *option = command->options; option->name; option++) {
        char words[100];
        option_words(words, sizeof words, option);
        printf(".TP\n.B ");
        print_troff(words);
        print_troff(option->help);
    }
    if (!command->examples) return;
    printf(".PP\nExamples:\n.PP\n.nf\n.RS\n");
    print_troff(command->examples);
    printf(".RE\n.fi\n");
}

/* The man page, in troff. */
static void print_manual(void)
{
    printf(".TH ECCENTRIC 1 \"\" \"eccentric %s\" \"User Commands\"\n", ecc_version());
    printf(".SH NAME\neccentric \\- %s\n", tagline);
    printf(".SH SYNOPSIS\n.B eccentric\nCOMMAND [OPTIONS]\n.SH DESCRIPTION\n");
    print_troff(
        "Trains autoencoders on images or tables and ranks, shows and compares the principal "
        "components of their latents.  The eccentric loss gives the latents their shape: "
        "they repel each other and are pulled to the origin, which spreads them over a "
        "sphere of radius sqrt(d) or, with a smaller weight, over an ellipsoid.\n"
        "Results go to standard output, progress and messages to standard error.");
    printf(".SH COMMANDS\n");
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        print_manual_command(*entry);
    }
    printf(".SH EXIT STATUS\n0 success, 1 failure, 2 wrong usage.\n.SH ENVIRONMENT\n");
    print_troff("OMP_NUM_THREADS limits the threads if --threads is not given.\n"
                "NO_COLOR turns off the colours of the progress bar.");
    printf(".SH SEE ALSO\n");
    print_troff("X. Li and A. Blair, \"Eccentric Regularization: Minimizing Hyperspherical Energy "
                "without explicit projection\", IJCNN 2022.");
}

/* ---- The command 'help' --------------------------------------------------------------------- */

struct help_settings {
    struct ecc_common common;
    bool man;
    int completion; /* which of ecc_shells, or -1 */
};

static const struct ecc_option help_options[] = {
    {"man", ECC_FLAG, ECC_TO(help_settings, man), NULL, "print the man page"},
    {"completion", ECC_CHOICE, ECC_TO(help_settings, completion), NULL,
     "print the completion script for a shell", .choices = ecc_shells},
    ECC_OPTION_END,
};

static void help_defaults(void *settings)
{
    ((struct help_settings *)settings)->completion = -1;
}

/* Whether `name`, one word or two, is a command or the first word of some. */
static bool names_command(const struct ecc_command *command, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(command->name, name, length) == 0 &&
           (command->name[length] == '\0' || command->name[length] == ' ');
}

static enum ecc_status help_run(void *settings, const char *const *operands, size_t count,
                                struct ecc_error *error)
{
    const struct help_settings *const help = settings;
    if (help->man) {
        print_manual();
        return ECC_OK;
    }
    if (help->completion >= 0) {
        ecc_print_completion(help->completion);
        return ECC_OK;
    }
    if (count == 0) {
        ecc_print_overview();
        return ECC_OK;
    }
    char name[80];
    snprintf(name, sizeof name, "%s%s%s", operands[0], count > 1 ? " " : "",
             count > 1 ? operands[1] : "");
    bool found = false;
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        if (!names_command(*entry, name)) continue;
        if (found) putchar('\n');
        ecc_print_help(*entry);
        found = true;
    }
    if (found) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "there is no command '%s'; 'eccentric help' lists them", name);
}

const struct ecc_command ecc_command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .operand_max = 2,
    .summary = "explain the commands",
    .description = "Lists the commands, or explains one of them.",
    .examples = "  eccentric help theory\n  eccentric help --man | man -l -\n"
                "  source <(eccentric help --completion bash)\n",
    .options = help_options,
    .settings_size = sizeof(struct help_settings),
    .defaults = help_defaults,
    .run = help_run,
};
