/* latent.c: what the commands that use a trained run share. */
#include "cli/latent.h"
#include "base/file.h"
#include "base/text.h"
#include "base/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool on_work(void *context, const struct ecc_work *work)
{
    struct ecc_cli_watch *const cli = context;
    if (cli->name[0] && (strcmp(cli->name, work->name) != 0 || work->done < cli->done)) {
        ecc_cli_watch_end(cli);
    }
    if (!cli->name[0]) {
        snprintf(cli->name, sizeof cli->name, "%s", work->name);
        ecc_cli_progress(&cli->progress, cli->common, cli->name, work->unit, work->total);
        if (work->done > 1) ecc_progress_skip(&cli->progress, work->done - 1); /* resumed */
    }
    cli->done = work->done;
    cli->progress.total = work->total;
    ecc_progress_update(&cli->progress, work->done, work->text);
    return !ecc_interrupted();
}

static void on_remark(void *context, const char *sentence)
{
    struct ecc_cli_watch *const cli = context;
    if (cli->name[0]) ecc_progress_clear(&cli->progress);
    if (!cli->common->quiet)
        ecc_print_to(stderr, "eccentric: %s%s\n", sentence, ecc_hint(sentence));
}

void ecc_cli_watch_start(struct ecc_cli_watch *cli, const struct ecc_common *common)
{
    ecc_catch_interrupt();
    *cli = (struct ecc_cli_watch){.common = common};
    cli->watch = (struct ecc_watch){on_work, on_remark, cli};
}

/* A line that stays. */
static void on_task(void *context, const char *sentence)
{
    struct ecc_cli_watch *const cli = context;
    if (cli->common->quiet) return;
    ecc_cli_watch_end(cli);
    ecc_print_to(stderr, "%s\n", sentence);
}

static bool on_work_of_task(void *context, const struct ecc_work *work)
{
    (void)context, (void)work;
    return !ecc_interrupted();
}

void ecc_cli_watch_tasks(struct ecc_cli_watch *cli, const struct ecc_common *common)
{
    ecc_cli_watch_start(cli, common);
    cli->watch.on_remark = on_task;
    if (!isatty(STDERR_FILENO)) cli->watch.on_work = on_work_of_task;
}

void ecc_cli_watch_end(struct ecc_cli_watch *cli)
{
    if (cli->name[0]) ecc_progress_end(&cli->progress, NULL);
    cli->name[0] = '\0';
}

enum ecc_status ecc_cli_open(struct ecc_model **model, const char *directory,
                             const struct ecc_common *common, struct ecc_error *error)
{
    const struct ecc_model_options options = {.threads = (int)common->threads};
    ECC_TRY(ecc_model_open(model, directory, &options, error));
    char text[ECC_UNFINISHED_TEXT];
    const char *const sentence = ecc_model_unfinished(text, *model);
    if (sentence && !common->quiet) {
        ecc_print_to(stderr, "eccentric: %s%s\n", sentence, ecc_hint(sentence));
    }
    return ECC_OK;
}

void ecc_cli_data_remarks(const struct ecc_dataset *data, const struct ecc_common *common)
{
    struct ecc_cli_watch cli = {.common = common};
    const struct ecc_watch watch = {.on_remark = on_remark, .context = &cli};
    ecc_dataset_tell(data, &watch);
}

enum ecc_status ecc_cli_components(struct ecc_components *components, struct ecc_model *model,
                                   const char *data, const struct ecc_common *common,
                                   struct ecc_error *error)
{
    struct ecc_cli_watch cli;
    ecc_cli_watch_start(&cli, common);
    const enum ecc_status status = ecc_model_components(model, components, data, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    return status;
}

enum ecc_status ecc_cli_explained(struct ecc_components *components, struct ecc_model *model,
                                  const char *data, const struct ecc_common *common,
                                  struct ecc_error *error)
{
    struct ecc_cli_watch cli;
    ecc_cli_watch_start(&cli, common);
    const enum ecc_status status = ecc_model_explained(model, components, data, &cli.watch, error);
    const bool gone = (status == ECC_IO || status == ECC_BAD_DATA) && components->d > 0 && !data;
    if (gone) {
        ecc_watch_remark(&cli.watch, "what they explain of the data is not known: %s", error->text);
    }
    ecc_cli_watch_end(&cli);
    return gone ? ECC_OK : status;
}

/* ---- Names and places ----------------------------------------------------------------------- */

enum ecc_status ecc_cli_path(char **path, const struct ecc_model *model, const char *out,
                             const char *name, struct ecc_error *error)
{
    *path = NULL;
    if (!out) ECC_TRY(ecc_make_directory(model->run->figures, error));
    *path = out ? strdup(out) : ecc_path_join(model->run->figures, name);
    return *path ? ECC_OK : ecc_fail_memory(error, "a path");
}
