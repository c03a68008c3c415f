/* completion_zsh.c: the completion for zsh, with descriptions. */
#include "cli/completion.h"

#include <stdio.h>

static void print_brief(const char *text)
{
    ecc_print_brief(text, "\\[]:", "'\\''");
}

/* 'train:train an autoencoder', or for a group its second words. */
static void print_names(void)
{
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        const size_t length = ecc_first_word((*entry)->name);
        if (!ecc_opens_group(entry)) continue;
        printf("            '%.*s:", (int)length, (*entry)->name);
        if ((*entry)->name[length]) {
            ecc_print_second_words(entry);
        } else {
            print_brief((*entry)->summary);
        }
        printf("'\n");
    }
}

static void print_groups(void)
{
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        const size_t length = ecc_first_word((*entry)->name);
        if ((*entry)->name[length] == '\0' || !ecc_opens_group(entry)) continue;
        printf("    3\\ %.*s) compadd -- ", (int)length, (*entry)->name);
        ecc_print_second_words(entry);
        printf(" ;;\n");
    }
}

/* An action of _arguments. */
static void print_candidates(const struct ecc_candidates *candidates)
{
    if (!candidates->words[0]) {
        printf("%s", candidates->files ? "_files" : " ");
    } else if (candidates->files) {
        printf(" _eccentric_either %s", candidates->words);
    } else {
        printf("(%s)", candidates->words);
    }
}

static void print_option(const struct ecc_option *option)
{
    const bool flag = option->kind == ECC_FLAG;
    const struct ecc_candidates values = ecc_option_candidates(option);
    const char letter[] = {'-', option->letter, '\0'};
    for (int k = option->letter ? 0 : 1; k < 2; k++) {
        printf(" \\\n            '%s%s%s[", k ? "--" : letter, k ? option->name : "",
               k && !flag ? "=" : "");
        print_brief(option->help);
        printf("]");
        if (!flag) {
            printf(":%s:", option->name);
            print_candidates(&values);
        }
        printf("'");
    }
}

static void print_command(const struct ecc_command *command)
{
    const size_t length = ecc_first_word(command->name);
    const bool two = command->name[length] != '\0';
    printf("        %.*s\\ %s)\n", (int)length, command->name,
           two ? command->name + length + 1 : "*");
    printf("            shift %d words\n            (( CURRENT -= %d ))\n", two ? 2 : 1,
           two ? 2 : 1);
    printf("            _arguments '--help[tell all about this command]'");
    for (const struct ecc_option *option = command->options; option->name; option++) {
        print_option(option);
    }
    const struct ecc_candidates operands = ecc_operand_candidates(command);
    if (operands.files || operands.words[0]) {
        printf(" \\\n            '*:%s:", command->operands);
        print_candidates(&operands);
        printf("'");
    }
    printf(" ;;\n");
}

static const char head[] =
    "#compdef eccentric\n"
    "# zsh completion for eccentric, written by 'eccentric help --completion zsh'\n"
    "_eccentric_either() {\n"
    "    compadd -- \"$@\"\n"
    "    _files\n"
    "}\n"
    "_eccentric() {\n"
    "    local -a names\n"
    "    # the names of commands also follow 'help'\n"
    "    if [[ $words[2] == help && $CURRENT -gt 2 && $words[3] != -* ]]; then\n"
    "        shift words\n"
    "        (( CURRENT -= 1 ))\n"
    "    fi\n"
    "    case \"$CURRENT $words[2]\" in\n"
    "    2\\ -*) compadd -- --help --version ;;\n"
    "    2\\ *)\n"
    "        names=(\n";

void ecc_print_zsh(void)
{
    printf("%s", head);
    print_names();
    printf("        )\n        _describe -t commands command names ;;\n");
    print_groups();
    printf("    *) case \"$words[2] $words[3]\" in\n");
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        print_command(*entry);
    }
    printf("        esac ;;\n    esac\n}\n_eccentric \"$@\"\n");
}
