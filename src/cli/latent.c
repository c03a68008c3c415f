/* latent.c: what the commands that use a trained run share. */
#include "cli/latent.h"
#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool on_work(void *context, const struct ecc_work *work)
{
    struct ecc_cli_watch *const cli = context;
    if (cli->name && (strcmp(cli->name, work->name) != 0 || work->done < cli->done)) {
        ecc_cli_watch_end(cli);
    }
    if (!cli->name) {
        ecc_cli_progress(&cli->progress, cli->common, work->name, work->unit, work->total);
        cli->name = work->name;
    }
    cli->done = work->done;
    cli->progress.total = work->total;
    ecc_progress_update(&cli->progress, work->done, work->text);
    return !ecc_interrupted();
}

static void on_remark(void *context, const char *sentence)
{
    const struct ecc_cli_watch *const cli = context;
    if (!cli->common->quiet) fprintf(stderr, "eccentric: %s\n", sentence);
}

void ecc_cli_watch_start(struct ecc_cli_watch *cli, const struct ecc_common *common)
{
    ecc_catch_interrupt();
    *cli = (struct ecc_cli_watch){.common = common};
    cli->watch = (struct ecc_watch){on_work, on_remark, cli};
}

void ecc_cli_watch_end(struct ecc_cli_watch *cli)
{
    if (cli->name) ecc_progress_end(&cli->progress, NULL);
    cli->name = NULL;
}

enum ecc_status ecc_cli_open(struct ecc_model **model, const char *directory,
                             const struct ecc_common *common, struct ecc_error *error)
{
    const struct ecc_model_options options = {.threads = (int)common->threads};
    ECC_TRY(ecc_model_open(model, directory, &options, error));
    if (!(*model)->finished && !common->quiet) {
        char shown[ECC_PATH_SIZE];
        fprintf(stderr, "eccentric: %s is not finished; used as it was after step %llu\n",
                ecc_quote_path(shown, directory), (unsigned long long)(*model)->step);
    }
    return ECC_OK;
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

enum ecc_status ecc_cli_components_or_fit(struct ecc_components *components,
                                          struct ecc_model *model, const char *given,
                                          const float *z, size_t n, const struct ecc_common *common,
                                          struct ecc_error *error)
{
    const enum ecc_status status = ecc_cli_components(components, model, NULL, common, error);
    const bool unreadable = status == ECC_IO || status == ECC_BAD_DATA;
    if (!given || !unreadable) return status;
    if (!common->quiet) {
        fprintf(stderr, "eccentric: components of %s are those of %s: %s\n", model->run->directory,
                given, error->text);
    }
    return ecc_components_fit(components, z, n, model->d, error);
}

/* ---- Mixtures ------------------------------------------------------------------------------- */

struct fitting {
    struct ecc_progress progress;
    size_t rounds;
};

static bool on_round(void *context, size_t k, size_t round, double log_likelihood)
{
    struct fitting *const f = context;
    char text[80];
    snprintf(text, sizeof text, "%zu Gaussians, round %zu, log-likelihood %.4f", k, round,
             log_likelihood);
    ecc_progress_update(&f->progress, ++f->rounds, text);
    return !ecc_interrupted();
}

enum ecc_status ecc_cli_mixture(struct ecc_mixture *mixture, struct ecc_model *model,
                                const char *data, const struct ecc_mixture_options *given,
                                const struct ecc_common *common, struct ecc_error *error)
{
    struct ecc_cli_watch report;
    struct fitting fitting = {0};
    float *z;
    size_t n;
    ecc_cli_watch_start(&report, common);
    enum ecc_status status = ecc_model_training_latents(model, &z, &n, data, &report.watch, error);
    ecc_cli_watch_end(&report);
    ECC_TRY(status);
    struct ecc_mixture_options options = *given;
    options.seed = common->seed;
    options.on_round = on_round;
    options.context = &fitting;
    ecc_cli_progress(&fitting.progress, common, "mixture", "rounds", 0);
    status = ecc_mixture_fit(mixture, z, n, model->d, &options, error);
    ecc_progress_end(&fitting.progress, NULL);
    free(z);
    return status;
}

/* ---- Names and places ----------------------------------------------------------------------- */

char *ecc_part_name(const char *what, const char *split)
{
    static const char *const splits[] = {":train", ":test", ":all"};
    size_t length = strlen(what);
    for (size_t i = 0; i < 3; i++) {
        const size_t ending = strlen(splits[i]);
        if (length > ending && strcmp(what + length - ending, splits[i]) == 0) {
            length -= ending;
            break;
        }
    }
    char *const name = malloc(length + strlen(split) + 2);
    if (name) sprintf(name, "%.*s:%s", (int)length, what, split);
    return name;
}

enum ecc_status ecc_cli_path(char **path, const struct ecc_model *model, const char *out,
                             const char *name, struct ecc_error *error)
{
    *path = NULL;
    if (!out) ECC_TRY(ecc_make_directory(model->run->figures, error));
    *path = out ? strdup(out) : ecc_path_join(model->run->figures, name);
    return *path ? ECC_OK : ecc_fail_memory(error, "a path");
}
