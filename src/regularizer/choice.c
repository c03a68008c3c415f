/* choice.c: reads the text that chooses a regularizer and its options, and lists what there is. */
#include "regularizer/choice.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double usual_lambda = 1e-3;

void ecc_regularizer_usual(double own[ECC_REGULARIZER_OPTIONS], const struct ecc_regularizer *entry)
{
    memset(own, 0, ECC_REGULARIZER_OPTIONS * sizeof *own);
    for (size_t i = 0; entry->options && entry->options[i].name; i++) {
        own[i] = entry->options[i].usual;
    }
}

double ecc_regularizer_lambda(const struct ecc_regularizer *entry)
{
    return entry->lambda > 0 ? entry->lambda : usual_lambda;
}

bool ecc_regularizer_describe(struct ecc_regularizer_about *about, size_t i)
{
    size_t count = 0;
    while (ecc_regularizers[count]) {
        count++;
    }
    if (i >= count) return false;
    const struct ecc_regularizer *const entry = ecc_regularizers[i];
    *about = (struct ecc_regularizer_about){.name = entry->name,
                                            .summary = entry->summary,
                                            .options = entry->options,
                                            .no_lambda = entry->no_lambda,
                                            .lambda = ecc_regularizer_lambda(entry)};
    return true;
}

bool ecc_regularizer_is(const char *text, const char *name)
{
    const size_t length = strcspn(text, ":");
    return strlen(name) == length && strncmp(text, name, length) == 0;
}

struct ecc_regularizer_plan ecc_regularizer_chosen(const struct ecc_regularizer_choice *choice,
                                                   size_t d)
{
    struct ecc_regularizer_plan plan = {.entry = choice->entry, .d = d};
    memcpy(plan.own, choice->own, sizeof plan.own);
    return plan;
}

/* "a number from 0 to 2", "a whole number from 1 to 9", "off or on" */
static void expected(char *out, size_t size, const struct ecc_regularizer_option *option)
{
    size_t used = 0;
    if (!option->words) {
        snprintf(out, size, "a %snumber from %g to %g", option->whole ? "whole " : "", option->low,
                 option->high);
        return;
    }
    *out = '\0';
    for (size_t i = 0; option->words[i] && used < size; i++) {
        const char *const between = i == 0 ? "" : option->words[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", between, option->words[i]);
    }
}

static bool read_word(double *value, const struct ecc_regularizer_option *option, const char *text)
{
    for (size_t i = 0; option->words[i]; i++) {
        if (strcmp(option->words[i], text) != 0) continue;
        *value = (double)i;
        return true;
    }
    return false;
}

static bool read_number(double *value, const struct ecc_regularizer_option *option,
                        const char *text)
{
    char *end;
    const double number = strtod(text, &end);
    if (end == text || *end != '\0' || !(number >= option->low && number <= option->high)) {
        return false;
    }
    if (option->whole && number != floor(number)) return false;
    *value = number;
    return true;
}

static enum ecc_status fail_name(const char *word, struct ecc_error *error)
{
    char quoted[ECC_QUOTE_SIZE];
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "there is no regularizer %s: choose one from the list of methods",
                    ecc_quote(quoted, word, strlen(word)));
}

/* What a regularizer takes, for those who asked for something else. */
static enum ecc_status fail_option(const struct ecc_regularizer *entry, const char *word,
                                   struct ecc_error *error)
{
    char names[200] = "no options", quoted[ECC_QUOTE_SIZE];
    size_t used = 0;
    for (size_t i = 0; entry->options && entry->options[i].name && used < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 entry->options[i].name);
    }
    return ecc_fail(error, ECC_BAD_ARGUMENT, "regularizer %s has no option %s: it takes %s",
                    entry->name, ecc_quote(quoted, word, strlen(word)), names);
}

/* One "OPTION=VALUE"; the word is the caller's to change. */
static enum ecc_status read_option(struct ecc_regularizer_choice *choice, char *word,
                                   struct ecc_error *error)
{
    char *const equals = strchr(word, '=');
    if (equals) *equals = '\0';
    const struct ecc_regularizer_option *option = choice->entry->options;
    while (option && option->name && strcmp(option->name, word) != 0) option++;
    if (!option || !option->name) return fail_option(choice->entry, word, error);
    const char *const text = equals ? equals + 1 : "";
    double *const value = &choice->own[option - choice->entry->options];
    if (option->words ? read_word(value, option, text) : read_number(value, option, text)) {
        return ECC_OK;
    }
    char wanted[160], quoted[ECC_QUOTE_SIZE];
    expected(wanted, sizeof wanted, option);
    return ecc_fail(error, ECC_BAD_ARGUMENT, "option %s of regularizer %s (%s) is %s, expected %s",
                    option->name, choice->entry->name, option->meaning,
                    ecc_quote(quoted, text, strlen(text)), wanted);
}

enum ecc_status ecc_regularizer_read(struct ecc_regularizer_choice *choice, const char *text,
                                     struct ecc_error *error)
{
    char copy[256];
    *choice = (struct ecc_regularizer_choice){0};
    if (strlen(text) >= sizeof copy) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the name of the regularizer is too long");
    }
    memcpy(copy, text, strlen(text) + 1);
    char *next = copy, *word = strsep(&next, ":");
    choice->entry = ecc_regularizer_find(word);
    if (!choice->entry) {
        return fail_name(word, error);
    }
    ecc_regularizer_usual(choice->own, choice->entry);
    while ((word = strsep(&next, ":"))) ECC_TRY(read_option(choice, word, error));
    return ECC_OK;
}
