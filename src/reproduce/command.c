/* command.c: the command that gave a result, as one would type it in the directory. */
#include "reproduce/store.h"
#include "base/text.h"
#include "reproduce/section.h"
#include "run/settings.h"

#include <stdlib.h>

/* `train` with every setting of a run that is not the default; false where its config lacks
 * some. */
static bool write_training(FILE *out, const struct ecc_task *task)
{
    struct ecc_train_options options;
    struct ecc_error ignored;
    char folder[ECC_TASK_NAME + 8];
    ecc_run_folder(folder, task);
    const struct ecc_config config = {.root = json_object_get(task->result, "config"),
                                      .path = folder};
    if (!config.root) return false;
    if (ecc_settings_restore(&options, &config, &ignored) != ECC_OK) return false;
    if (!options.data) return false;
    ecc_settings_command(out, &options, folder);
    return true;
}

/* As it was planned. */
static void write_words(FILE *out, const struct ecc_task *task)
{
    fputs("eccentric", out);
    for (size_t i = 0; i < json_array_size(task->words); i++) {
        fputc(' ', out);
        ecc_put_shell_word(out, json_string_value(json_array_get(task->words, i)));
    }
    if (task->training) fprintf(out, " --out runs/%s", task->name);
}

json_t *ecc_store_command(const struct ecc_task *task)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const out = open_memstream(&text, &size);
    if (!out) return NULL;
    if (!task->training || !task->result || !write_training(out, task)) write_words(out, task);
    json_t *const command = fclose(out) == 0 ? ecc_json_any(text) : NULL;
    free(text);
    return command;
}
