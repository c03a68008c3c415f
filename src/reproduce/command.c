/* command.c: the command that gave a result, as one would type it in the directory. */
#include "reproduce/section.h"
#include "reproduce/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 16384 };

static void add_word(char *text, const char *word)
{
    const size_t used = strlen(text), left = LONGEST - used;
    const bool plain = *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_-+=./,:%@") == strlen(word);
    if (plain) {
        snprintf(text + used, left, " %s", word);
        return;
    }
    snprintf(text + used, left, " '");
    for (const char *c = word; *c; c++) {
        const size_t at = strlen(text);
        if (*c == '\'') {
            snprintf(text + at, LONGEST - at, "'\\''");
        } else {
            snprintf(text + at, LONGEST - at, "%c", *c);
        }
    }
    const size_t at = strlen(text);
    snprintf(text + at, LONGEST - at, "'");
}

static void add_number(char *text, const char *option, double value)
{
    char number[40];
    snprintf(number, sizeof number, "%.6g", value);
    add_word(text, option);
    add_word(text, number);
}

/* Options of `train` and where a run's config has them, with the value that needs no word. */
static const struct {
    const char *option, *section, *key;
    double usual;
} numbers[] = {
    {"--width", "net", "width", 1},       {"--items", "data", "items", 0},
    {"--batch", "train", "batch", 100},   {"--lr", "train", "rate", 0.003},
    {"--warmup", "train", "warmup", 100}, {"--average", "train", "average", 0.1},
    {"--decay", "train", "decay", 1e-6},  {"--validation", "data", "validation", 1000},
};

/* `train` with every setting of a run that is not the default. */
static void write_training(char *text, const struct ecc_task *task, const json_t *config)
{
    const json_t *const data = json_object_get(config, "data"),
                        *const net = json_object_get(config, "net"),
                        *const regularizer = json_object_get(config, "regularizer"),
                        *const train = json_object_get(config, "train");
    char folder[ECC_TASK_NAME + 8];
    ecc_run_folder(folder, task);
    const char *const words[] = {"train", json_string_value(json_object_get(data, "source")),
                                 "--out", folder,
                                 "--net", json_string_value(json_object_get(net, "name"))};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i]) add_word(text, words[i]);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const json_t *const section = json_object_get(config, numbers[i].section);
        const json_t *const value = json_object_get(section, numbers[i].key);
        if (!json_is_number(value) || json_number_value(value) == numbers[i].usual) continue;
        add_number(text, numbers[i].option, json_number_value(value));
    }
    const char *const schedule = json_string_value(json_object_get(train, "schedule"));
    if (schedule && strcmp(schedule, "cosine") != 0) {
        add_word(text, "--schedule");
        add_word(text, schedule);
    }
    add_number(text, "--latent", json_number_value(json_object_get(net, "latent")));
    add_word(text, "--regularizer");
    add_word(text, task->setting.regularizer);
    if (strcmp(task->setting.regularizer, "none") != 0) {
        add_number(text, "--lambda", json_number_value(json_object_get(regularizer, "lambda")));
    }
    if (strcmp(task->setting.regularizer, "eccentric") == 0) {
        add_number(text, "--mu", json_number_value(json_object_get(regularizer, "mu")));
    }
    add_number(text, "--seed", json_number_value(json_object_get(train, "seed")));
    const double minutes = json_number_value(json_object_get(train, "minutes"));
    add_number(text, minutes > 0 ? "--minutes" : "--epochs",
               minutes > 0 ? minutes : json_number_value(json_object_get(train, "epochs")));
}

json_t *ecc_store_command(const struct ecc_task *task)
{
    char *const text = calloc(1, LONGEST);
    if (!text) return NULL;
    strcpy(text, "eccentric");
    if (task->training && task->result) {
        write_training(text, task, json_object_get(task->result, "config"));
    } else {
        for (size_t i = 0; i < json_array_size(task->words); i++) {
            add_word(text, json_string_value(json_array_get(task->words, i)));
        }
    }
    json_t *const command = ecc_json_any(text);
    free(text);
    return command;
}
