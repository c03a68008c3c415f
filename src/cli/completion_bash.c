/* completion_bash.c: the completion for bash. */
#include "cli/completion.h"

#include <stdio.h>

/* Where the second word of a name stands. */
static void print_groups(void)
{
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        const size_t length = ecc_first_word((*entry)->name);
        if ((*entry)->name[length] == '\0' || !ecc_opens_group(entry)) continue;
        printf("    1\\ %.*s) files=no words=\"", (int)length, (*entry)->name);
        ecc_print_second_words(entry);
        printf("\" ;;\n");
    }
}

static void print_candidates(const struct ecc_candidates *candidates)
{
    printf("files=%s words=\"%s\"", candidates->files ? "yes" : "no", candidates->words);
}

static void print_command(const struct ecc_command *command)
{
    const size_t length = ecc_first_word(command->name);
    printf("        %.*s\\ %s)\n            ", (int)length, command->name,
           command->name[length] ? command->name + length + 1 : "*");
    const struct ecc_candidates operands = ecc_operand_candidates(command);
    print_candidates(&operands);
    printf("\n            case $before in\n");
    for (const struct ecc_option *option = command->options; option->name; option++) {
        if (option->kind == ECC_FLAG) continue;
        printf("            --%s", option->name);
        if (option->letter) printf(" | -%c", option->letter);
        printf(") ");
        const struct ecc_candidates values = ecc_option_candidates(option);
        print_candidates(&values);
        printf(" ;;\n");
    }
    printf("            *) [[ $word != -* ]] || words=\"--help");
    for (const struct ecc_option *option = command->options; option->name; option++) {
        printf(" --%s", option->name);
    }
    printf("\" ;;\n            esac ;;\n");
}

static const char head[] =
    "# bash completion for eccentric, written by 'eccentric help --completion bash'\n"
    "_eccentric() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local words=\"\" files=yes name=1\n"
    "    # --option=value is three words here\n"
    "    if [[ $word == = ]]; then\n"
    "        word=\"\"\n"
    "    elif [[ $before == = ]]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    # the names of commands also follow 'help'\n"
    "    [[ ${COMP_WORDS[1]} != help || $COMP_CWORD == 1 || ${COMP_WORDS[2]} == -* ]] || name=2\n"
    "    case \"$((COMP_CWORD - name)) ${COMP_WORDS[name]}\" in\n"
    "    0\\ *) files=no words=\"";
static const char tail[] = "        esac ;;\n"
                           "    esac\n"
                           "    [[ $files == yes ]] || compopt +o default 2>/dev/null\n"
                           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                           "}\n"
                           "complete -o default -F _eccentric eccentric\n";

void ecc_print_bash(void)
{
    printf("%s", head);
    ecc_print_first_words();
    printf("\"\n        [[ $word != -* ]] || words=\"--help --version\" ;;\n");
    print_groups();
    printf("    *) case \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in\n");
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        print_command(*entry);
    }
    printf("%s", tail);
}
