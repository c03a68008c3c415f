/* completion_fish.c: the completion for fish, with descriptions. */
#include "cli/completion.h"

#include <stdio.h>

static void print_description(const char *text)
{
    printf(" -d '");
    ecc_print_brief(text, "\\", "\\'");
    printf("'\n");
}

/* The words of names, the first ones and, within a group, the second ones. */
static void print_names(void)
{
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        const char *const name = (*entry)->name;
        const size_t length = ecc_first_word(name);
        if (ecc_opens_group(entry)) {
            printf("complete -c eccentric -n __eccentric_next -f -a %.*s", (int)length, name);
            if (name[length] == '\0') {
                print_description((*entry)->summary);
            } else {
                printf(" -d '");
                ecc_print_second_words(entry);
                printf("'\n");
            }
        }
        if (name[length]) {
            printf("complete -c eccentric -n '__eccentric_next %.*s' -f -a %s", (int)length, name,
                   name + length + 1);
            print_description((*entry)->summary);
        }
    }
}

static void print_option(const struct ecc_command *command, const struct ecc_option *option)
{
    const struct ecc_candidates values = ecc_option_candidates(option);
    printf("complete -c eccentric -n '__eccentric_command %s' -l %s", command->name, option->name);
    if (option->letter) printf(" -s %c", option->letter);
    if (option->kind != ECC_FLAG) printf(values.files ? " -r -F" : " -x");
    if (values.words[0]) printf(" -a '%s'", values.words);
    print_description(option->help);
}

static void print_command(const struct ecc_command *command)
{
    const struct ecc_candidates operands = ecc_operand_candidates(command);
    printf("complete -c eccentric -n '__eccentric_command %s' -l help", command->name);
    print_description("tell all about this command");
    if (!operands.files) {
        printf("complete -c eccentric -n '__eccentric_command %s' -f", command->name);
        if (operands.words[0]) printf(" -a '%s'", operands.words);
        putchar('\n');
    }
    for (const struct ecc_option *option = command->options; option->name; option++) {
        print_option(command, option);
    }
}

static const char head[] =
    "# fish completion for eccentric, written by 'eccentric help --completion fish'\n"
    "function __eccentric_command -d 'whether this is a line of the command of that name'\n"
    "    set -l words (commandline -opc)\n"
    "    set -e words[1]\n"
    "    set -l length (count $argv)\n"
    "    test (count $words) -ge $length\n"
    "    and test \"$words[1..$length]\" = \"$argv\"\n"
    "end\n"
    "function __eccentric_next -d 'whether a name goes on after these words; help takes names, "
    "too'\n"
    "    set -l words (commandline -opc)\n"
    "    set -e words[1]\n"
    "    test \"$words[1]\" = help\n"
    "    and set -e words[1]\n"
    "    test \"$words\" = \"$argv\"\n"
    "end\n"
    "complete -c eccentric -n __eccentric_next -l help -d 'list the commands'\n"
    "complete -c eccentric -n __eccentric_next -l version -d 'print the version'\n";

void ecc_print_fish(void)
{
    printf("%s", head);
    print_names();
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        print_command(*entry);
    }
}
