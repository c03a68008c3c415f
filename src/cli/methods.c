/* methods.c: `eccentric methods`: the regularizers that there are, and the options of each. */
#include "cli/output.h"
#include "cli/shared.h"
#include "regularizer/choice.h"

#include <stdio.h>
#include <string.h>

struct methods_settings {
    struct ecc_common common;
};

static const struct ecc_option methods_options[] = {ECC_OPTION_JSON, ECC_OPTION_END};

static void usual_text(char *out, size_t size, const struct ecc_regularizer_option *option)
{
    if (option->words) {
        snprintf(out, size, "%s", option->words[(size_t)option->usual]);
    } else {
        snprintf(out, size, "%g", option->usual);
    }
}

static json_t *option_json(const struct ecc_regularizer_option *option)
{
    json_t *const json = json_object();
    char usual[40];
    usual_text(usual, sizeof usual, option);
    ecc_json_text(json, "name", option->name);
    ecc_json_text(json, "meaning", option->meaning);
    ecc_json_text(json, "default", usual);
    if (!option->words) {
        ecc_json_number(json, "low", option->low);
        ecc_json_number(json, "high", option->high);
        return json;
    }
    json_t *const words = json_array();
    for (size_t i = 0; option->words[i]; i++) {
        json_array_append_new(words, json_string(option->words[i]));
    }
    json_object_set_new(json, "values", words);
    return json;
}

static json_t *method_json(const struct ecc_regularizer_about *method)
{
    json_t *const json = json_object(), *const options = json_array();
    ecc_json_text(json, "name", method->name);
    ecc_json_text(json, "summary", method->summary);
    if (!method->no_lambda) ecc_json_number(json, "lambda", method->lambda);
    for (const struct ecc_regularizer_option *o = method->options; o && o->name; o++) {
        json_array_append_new(options, option_json(o));
    }
    json_object_set_new(json, "options", options);
    return json;
}

static void print_option(const struct ecc_regularizer_option *option)
{
    char usual[40];
    usual_text(usual, sizeof usual, option);
    ecc_print("  %-14s %s", option->name, option->meaning);
    if (option->words) {
        ecc_print(":");
        for (size_t i = 0; option->words[i]; i++) {
            ecc_print("%s %s", i ? "," : "", option->words[i]);
        }
    } else {
        ecc_print(": %g to %g", option->low, option->high);
    }
    ecc_print(" (default %s)\n", usual);
}

static void print_method(const struct ecc_regularizer_about *method)
{
    ecc_print("%s: %s\n", method->name, method->summary);
    if (method->no_lambda) {
        ecc_print("  lambda has no effect: nothing is added to the reconstruction error\n");
    } else {
        ecc_print("  --lambda       weight of its value (default %g)\n", method->lambda);
    }
    for (const struct ecc_regularizer_option *o = method->options; o && o->name; o++) {
        print_option(o);
    }
    if (!method->options) return;
    char usual[40];
    usual_text(usual, sizeof usual, method->options);
    ecc_print("for example: eccentric train DATA --regularizer %s:%s=%s --out RUN\n", method->name,
              method->options->name, usual);
}

static enum ecc_status show_all(bool as_json, struct ecc_error *error)
{
    json_t *const all = as_json ? json_array() : NULL;
    struct ecc_regularizer_about method;
    for (size_t i = 0; ecc_regularizer_describe(&method, i); i++) {
        if (as_json) {
            json_array_append_new(all, method_json(&method));
        } else {
            ecc_print("%-12s %s\n", method.name, method.summary);
        }
    }
    if (!as_json) return ECC_OK;
    json_t *const json = json_object();
    json_object_set_new(json, "methods", all);
    return ecc_json_print(json, error);
}

static enum ecc_status show_one(const char *text, bool as_json, struct ecc_error *error)
{
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_about method;
    ECC_TRY(ecc_regularizer_read(&choice, text, error));
    for (size_t i = 0; ecc_regularizer_describe(&method, i); i++) {
        if (strcmp(method.name, choice.entry->name) == 0) break;
    }
    if (as_json) return ecc_json_print(method_json(&method), error);
    print_method(&method);
    return ECC_OK;
}

static enum ecc_status methods_run(void *settings, const char *const *operands, size_t count,
                                   struct ecc_error *error)
{
    const struct methods_settings *const s = settings;
    if (count > 0) return show_one(operands[0], s->common.json, error);
    return show_all(s->common.json, error);
}

const struct ecc_command ecc_command_methods = {
    .name = "methods",
    .operands = "[NAME]",
    .operand_max = 1,
    .summary = "list the regularizers, or the options of one",
    .description =
        "Lists the methods that hold latents in shape, each for --regularizer of train, loss and "
        "compare. With a NAME, shows its options and their defaults, which are those of its "
        "authors. Options follow the name: mhe:s=2:half=yes.",
    .examples = "  eccentric methods\n"
                "  eccentric methods eccentric\n",
    .options = methods_options,
    .settings_size = sizeof(struct methods_settings),
    .run = methods_run,
};
