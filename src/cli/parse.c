/* parse.c: parses the command line into a command's settings, by its table of options. */
#include "cli/command.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Did you mean --------------------------------------------------------------------------- */

enum { LONGEST_WORD = 40 };

/* Insertions, deletions and replacements between two words. */
static size_t edit_distance(const char *a, const char *b)
{
    const size_t rows = strlen(a), columns = strlen(b);
    if (rows > LONGEST_WORD || columns > LONGEST_WORD) return SIZE_MAX; /* too long to compare */
    size_t row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= columns; j++) row[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            const size_t shorter = row[j - 1] < row[j] ? row[j - 1] : row[j];
            diagonal = row[j];
            row[j] = replaced < shorter + 1 ? replaced : shorter + 1;
        }
    }
    return row[columns];
}

const char *ecc_closest(const char *word, const char *const *candidates, size_t count)
{
    const char *closest = NULL;
    /* more changes are not helpful; two swapped letters are two changes */
    const size_t length = strlen(word);
    size_t nearest = length / 3 + (length < 4 ? 1 : 2);
    for (size_t i = 0; i < count; i++) {
        const size_t distance = edit_distance(word, candidates[i]);
        if (distance < nearest) {
            nearest = distance;
            closest = candidates[i];
        }
    }
    return closest;
}

enum { LARGEST_SIZE = 4096 }; /* of a latent space */

/* ---- Values --------------------------------------------------------------------------------- */

static enum ecc_status check_range(const struct ecc_option *option, double value, const char *text,
                                   struct ecc_error *error)
{
    if (option->low == 0 && option->high == 0) return ECC_OK;
    const bool low_enough = option->above_low ? value > option->low : value >= option->low;
    const char *const from = option->above_low ? "above" : "at least";
    if (option->high <= option->low) { /* no upper limit */
        if (low_enough) return ECC_OK;
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--%s is %.40s, expected a number %s %g",
                        option->name, text, from, option->low);
    }
    if (low_enough && value <= option->high) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "--%s is %.40s, expected a number %s %g and at most %.15g", option->name, text,
                    from, option->low, option->high);
}

/* text is NULL if the option is the last word. */
static enum ecc_status parse_choice(const struct ecc_option *option, int *field, const char *text,
                                    struct ecc_error *error)
{
    char list[200] = "";
    for (int i = 0; option->choices[i]; i++) {
        if (text && strcmp(option->choices[i], text) == 0) {
            *field = i;
            return ECC_OK;
        }
        if (i > 0) strncat(list, ", ", sizeof list - strlen(list) - 1);
        strncat(list, option->choices[i], sizeof list - strlen(list) - 1);
    }
    if (!text) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--%s needs a value, one of: %s", option->name,
                        list);
    }
    char quoted[ECC_QUOTE_SIZE];
    return ecc_fail(error, ECC_BAD_ARGUMENT, "--%s is %s, expected one of: %s", option->name,
                    ecc_quote(quoted, text, strlen(text)), list);
}

static enum ecc_status parse_value(const struct ecc_option *option, void *settings,
                                   const char *text, struct ecc_error *error)
{
    void *const field = (char *)settings + option->offset;
    char quoted[ECC_QUOTE_SIZE];
    switch (option->kind) {
    case ECC_FLAG: *(bool *)field = true; return ECC_OK;
    case ECC_TEXT:
        *(const char **)field = text;
        return option->writes ? ecc_format_check(option->name, text, option->writes, error)
                              : ECC_OK;
    case ECC_CHOICE: return parse_choice(option, field, text, error);
    case ECC_COUNT:
        if (ecc_parse_size(text, field)) {
            return check_range(option, (double)*(size_t *)field, text, error);
        }
        break;
    case ECC_NUMBER:
        if (ecc_parse_double(text, field)) {
            return check_range(option, *(double *)field, text, error);
        }
        break;
    }
    const char *const kind = option->kind == ECC_COUNT ? "whole " : "";
    ecc_quote(quoted, text, strlen(text));
    /* "2..16" or "2,4,8" */
    if (option->several && *text && text[strspn(text, "0123456789.,")] == '\0') {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--%s is %s, expected one %snumber; for several: %s --%s %.40s",
                        option->name, quoted, kind, option->several, option->name, text);
    }
    return ecc_fail(error, ECC_BAD_ARGUMENT, "--%s is %s, expected a %snumber", option->name,
                    quoted, kind);
}

enum ecc_status ecc_parse_numbers(double **values, size_t *count, const char *text,
                                  const char *option, struct ecc_error *error)
{
    *values = malloc((strlen(text) / 2 + 1) * sizeof **values);
    *count = 0;
    if (!*values) return ecc_fail_memory(error, "a list of numbers");
    for (const char *word = text;; word++) {
        char copy[64], quoted[ECC_QUOTE_SIZE];
        const size_t length = strcspn(word, ",");
        snprintf(copy, sizeof copy, "%.*s", (int)(length < 63 ? length : 63), word);
        if (length > 63 || !ecc_parse_double(copy, &(*values)[*count])) {
            free(*values);
            *values = NULL;
            return ecc_fail(error, ECC_BAD_ARGUMENT,
                            "--%s has %s in its list, expected numbers such as 1,2.5,4", option,
                            ecc_quote(quoted, word, length));
        }
        ++*count;
        word += length;
        if (*word == '\0') return ECC_OK;
    }
}

/* A size of a list that ends at the next comma; false if it is not one, or not above the last. */
static bool next_size(size_t *size, const char **at, size_t last)
{
    char word[8] = "";
    const size_t length = strcspn(*at, ",");
    if (length < sizeof word) memcpy(word, *at, length);
    if (!ecc_parse_size(word, size) || *size <= last || *size > LARGEST_SIZE) return false;
    *at += length;
    return true;
}

enum ecc_status ecc_parse_sizes(size_t *sizes, size_t *count, size_t most, const char *text,
                                struct ecc_error *error)
{
    char more, quoted[ECC_QUOTE_SIZE];
    size_t low, high;
    *count = 0;
    if (sscanf(text, "%4zu..%4zu%c", &low, &high, &more) == 2 && low >= 1 && low <= high &&
        high <= LARGEST_SIZE && high - low < most) {
        for (size_t d = low; d <= high; d++) sizes[(*count)++] = d;
        return ECC_OK;
    }
    for (const char *at = text; *count < most; at++) {
        if (!next_size(&sizes[*count], &at, *count > 0 ? sizes[*count - 1] : 0)) break;
        ++*count;
        if (*at == '\0') return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "--latent is %s, expected rising sizes from 1 to %d such as 2,4,8 or 2..16, at "
                    "most %zu",
                    ecc_quote(quoted, text, strlen(text)), LARGEST_SIZE, most);
}

enum ecc_status ecc_parse_m(enum ecc_m_rule *rule, double *m, const char *text,
                            struct ecc_error *error)
{
    *m = 0;
    *rule = strcmp(text, "paper") == 0   ? ECC_M_PAPER
            : strcmp(text, "exact") == 0 ? ECC_M_EXACT
                                         : ECC_M_GIVEN;
    if (*rule != ECC_M_GIVEN || (ecc_parse_double(text, m) && *m > 0)) return ECC_OK;
    char quoted[ECC_QUOTE_SIZE];
    return ecc_fail(error, ECC_BAD_ARGUMENT, "--m is %s, expected paper, exact or a number above 0",
                    ecc_quote(quoted, text, strlen(text)));
}

/* ---- Words ---------------------------------------------------------------------------------- */

static const struct ecc_option *find_option(const struct ecc_command *command, const char *name,
                                            size_t length)
{
    for (const struct ecc_option *option = command->options; option->name; option++) {
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) {
            return option;
        }
    }
    return NULL;
}

static const struct ecc_option *find_letter(const struct ecc_command *command, char letter)
{
    const struct ecc_option *option = command->options;
    while (option->name && (letter == '\0' || option->letter != letter)) option++;
    return option->name ? option : NULL;
}

static enum ecc_status unknown_option(const struct ecc_command *command, const char *word,
                                      struct ecc_error *error)
{
    const char *names[64];
    size_t count = 0;
    for (const struct ecc_option *option = command->options; option->name && count < 64; option++) {
        names[count++] = option->name;
    }
    const size_t length = strcspn(word, "=");
    char bare[LONGEST_WORD + 1];
    snprintf(bare, sizeof bare, "%.*s", (int)(length < LONGEST_WORD ? length : LONGEST_WORD), word);
    const char *const closest = ecc_closest(bare + strspn(bare, "-"), names, count);
    char quoted[ECC_QUOTE_SIZE];
    return ecc_fail(error, ECC_BAD_ARGUMENT, "%s has no option %s%s%s%s", command->name,
                    ecc_quote(quoted, word, length), closest ? "; did you mean --" : "",
                    closest ? closest : "", closest ? "?" : "");
}

/* One option at words->argv[*at], with its value in the same word or the next.  *seen collects a
 * bit for each option of the table. */
static enum ecc_status parse_option(const struct ecc_command *command, void *settings,
                                    uint64_t *seen, const struct ecc_words *words, int *at,
                                    struct ecc_error *error)
{
    const char *const word = words->argv[*at];
    const size_t dashes = strspn(word, "-"), length = strcspn(word + dashes, "=");
    const struct ecc_option *const option =
        dashes == 2                  ? find_option(command, word + dashes, length)
        : dashes == 1 && length == 1 ? find_letter(command, word[1])
                                     : NULL;
    if (!option) return unknown_option(command, word, error);
    const char *value = word[dashes + length] == '=' ? word + dashes + length + 1 : NULL;
    if (option->kind == ECC_FLAG && value) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--%s takes no value", option->name);
    }
    if (option->kind != ECC_FLAG && !value) {
        if (*at + 1 >= words->argc) {
            if (option->kind == ECC_CHOICE) return parse_choice(option, NULL, NULL, error);
            return ecc_fail(error, ECC_BAD_ARGUMENT, "--%s needs a value: --%s %s", option->name,
                            option->name, option->value_name);
        }
        value = words->argv[++*at];
    }
    *seen |= UINT64_C(1) << (option - command->options);
    return parse_value(option, settings, value, error);
}

static enum ecc_status check_required(const struct ecc_command *command, uint64_t seen,
                                      struct ecc_error *error)
{
    for (const struct ecc_option *option = command->options; option->name; option++) {
        if (option->required && !(seen >> (option - command->options) & 1)) {
            return ecc_fail(error, ECC_BAD_ARGUMENT, "%s needs --%s %s (%s)", command->name,
                            option->name, option->value_name, option->help);
        }
    }
    return ECC_OK;
}

/* Checks operands that must be words of the command. */
static enum ecc_status check_operand_words(const struct ecc_command *command, size_t count,
                                           const char *const *operands, struct ecc_error *error)
{
    const char *const *const words = command->operand_words;
    for (size_t i = 0; words && i < count; i++) {
        size_t w = 0;
        while (words[w] && strcmp(words[w], operands[i]) != 0) w++;
        if (words[w]) continue;
        char quoted[ECC_QUOTE_SIZE];
        const char *const closest = ecc_closest(operands[i], words, w);
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s: unknown operand %s, expected %s%s%s%s",
                        command->name, ecc_quote(quoted, operands[i], strlen(operands[i])),
                        command->operands, closest ? "; did you mean " : "", closest ? closest : "",
                        closest ? "?" : "");
    }
    return ECC_OK;
}

static enum ecc_status check_operands(const struct ecc_command *command, size_t count,
                                      const char *const *operands, struct ecc_error *error)
{
    if (count < command->operand_min) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s needs %s", command->name, command->operands);
    }
    if (count > command->operand_max) {
        const char *const word = operands[command->operand_max];
        char quoted[ECC_QUOTE_SIZE];
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s does not take %s%s%s", command->name,
                        ecc_quote(quoted, word, strlen(word)),
                        command->operand_max ? " after " : "",
                        command->operand_max ? command->operands : "");
    }
    return check_operand_words(command, count, operands, error);
}

enum ecc_status ecc_parse_words(const struct ecc_command *command, void *settings,
                                struct ecc_words *words, struct ecc_error *error)
{
    bool only_operands = false;
    uint64_t seen = 0;
    for (int at = 0; at < words->argc; at++) {
        const char *const word = words->argv[at];
        if (only_operands || word[0] != '-' || word[1] == '\0') {
            words->operands[words->operand_count++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            words->help = true;
            return ECC_OK;
        } else {
            ECC_TRY(parse_option(command, settings, &seen, words, &at, error));
        }
    }
    ECC_TRY(check_operands(command, words->operand_count, words->operands, error));
    ((struct ecc_common *)settings)->given = seen;
    return check_required(command, seen, error);
}
