/* completion.c: the candidates for completion, for any shell. */
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

const char *const ecc_shells[] = {"bash", "zsh", "fish", NULL};

void ecc_print_completion(int shell)
{
    static void (*const printers[])(void) = {ecc_print_bash, ecc_print_zsh, ecc_print_fish};
    printers[shell]();
}

static void add_word(struct ecc_candidates *candidates, const char *word, size_t length)
{
    const size_t used = strlen(candidates->words);
    snprintf(candidates->words + used, sizeof candidates->words - used, "%s%.*s", used ? " " : "",
             (int)length, word);
}

static void add_words(struct ecc_candidates *candidates, const char *const *words)
{
    for (size_t i = 0; words && words[i]; i++) add_word(candidates, words[i], strlen(words[i]));
}

/* "paper|exact|NUMBER" offers its words in small letters. */
static void add_alternatives(struct ecc_candidates *candidates, const char *value_name)
{
    for (const char *word = value_name; *word; word += *word == '|') {
        const size_t length = strcspn(word, "|");
        const bool literal = strspn(word, "abcdefghijklmnopqrstuvwxyz-") >= length;
        if (literal) add_word(candidates, word, length);
        word += length;
    }
}

struct ecc_candidates ecc_option_candidates(const struct ecc_option *option)
{
    const bool text = option->kind == ECC_TEXT;
    struct ecc_candidates candidates = {"", text && !strstr(option->value_name, "NUMBER")};
    if (option->kind == ECC_CHOICE) add_words(&candidates, option->choices);
    if (text) add_alternatives(&candidates, option->value_name);
    return candidates;
}

struct ecc_candidates ecc_operand_candidates(const struct ecc_command *command)
{
    const bool help = strcmp(command->name, "help") == 0; /* takes names of commands */
    struct ecc_candidates candidates = {"", command->operand_max > 0 && !command->operand_words &&
                                                !help};
    add_words(&candidates, command->operand_words);
    return candidates;
}

size_t ecc_first_word(const char *name)
{
    return strcspn(name, " ");
}

bool ecc_opens_group(const struct ecc_command *const *entry)
{
    const size_t length = ecc_first_word((*entry)->name);
    for (const struct ecc_command *const *other = ecc_commands; other != entry; other++) {
        if (ecc_first_word((*other)->name) == length &&
            strncmp((*other)->name, (*entry)->name, length) == 0) {
            return false;
        }
    }
    return true;
}

void ecc_print_first_words(void)
{
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        if (!ecc_opens_group(entry)) continue;
        printf("%s%.*s", entry == ecc_commands ? "" : " ", (int)ecc_first_word((*entry)->name),
               (*entry)->name);
    }
}

void ecc_print_second_words(const struct ecc_command *const *opens)
{
    const size_t length = ecc_first_word((*opens)->name) + 1;
    for (const struct ecc_command *const *other = opens; *other; other++) {
        if (strncmp((*other)->name, (*opens)->name, length) != 0) continue;
        printf("%s%s", other == opens ? "" : " ", (*other)->name + length);
    }
}

void ecc_print_brief(const char *text, const char *special, const char *quote)
{
    const char *const parenthesis = strstr(text, " (");
    const size_t most = parenthesis ? (size_t)(parenthesis - text) : strlen(text);
    for (size_t i = 0; i < most && text[i] != ';' && text[i] != '\n'; i++) {
        if (text[i] == '\'') {
            printf("%s", quote);
        } else {
            printf("%s%c", strchr(special, text[i]) ? "\\" : "", text[i]);
        }
    }
}
