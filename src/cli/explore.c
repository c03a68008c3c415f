/* explore.c: `eccentric explore`: a page that shows what the components mean. */
#include "base/text.h"
#include "base/threads.h"
#include "cli/latent.h"
#include "explore/server.h"

#include <signal.h>
#include <stdlib.h>

enum { USUAL_PORT = 8320, USUAL_ITEMS = 20000, ANY_PORT = 65536 };

struct explore_settings {
    struct ecc_common common;
    const char *data, *address;
    size_t port, items;
};

static void explore_defaults(void *settings)
{
    struct explore_settings *const s = settings;
    s->port = ANY_PORT;
    s->items = USUAL_ITEMS;
    s->address = "127.0.0.1";
}

static const struct ecc_option explore_options[] = {
    {"data", ECC_TEXT, ECC_TO(explore_settings, data), "DATA",
     "items to browse and map (default: the training part of the run's data)"},
    {"items", ECC_COUNT, ECC_TO(explore_settings, items), "N",
     "only the first N items (default 20000)", 1, 4e6},
    {"port", ECC_COUNT, ECC_TO(explore_settings, port), "N",
     "listen on port N; 0: any free port (default 8320, or any if that is taken)", 0, 65535},
    {"address", ECC_TEXT, ECC_TO(explore_settings, address), "A",
     "listen on this address, such as 0.0.0.0 (default 127.0.0.1: only this machine)"},
    ECC_OPTION_THREADS_SAYING(
        "use N threads (default: all to encode the items, then one fewer, for the browser)"),
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status explore_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    const struct explore_settings *const s = settings;
    bool loopback;
    return ecc_server_check_address(s->address, &loopback, error);
}

/* ---- Opening -------------------------------------------------------------------------------- */

/* Opens the items.  Without --data, it is not an error if the run's own data is gone. */
static enum ecc_status open_items(struct ecc_dataset **data, const struct ecc_model *model,
                                  const struct explore_settings *s, struct ecc_error *error)
{
    size_t items = s->items;
    const size_t trained_on = model->options.items;
    if (!s->data && trained_on && trained_on < items) items = trained_on;
    const enum ecc_status status = ecc_model_open_data(model, data, s->data, items, error);
    if (status == ECC_OK || s->data) return status;
    *data = NULL;
    if (!s->common.quiet) fprintf(stderr, "eccentric: no items to show: %s\n", error->text);
    return ECC_OK;
}

/* The same items for a second run, cropped, resized or scaled as its own data was. */
static enum ecc_status open_again(struct ecc_dataset **data, const struct ecc_model *model,
                                  const struct ecc_space *space, const struct explore_settings *s,
                                  struct ecc_error *error)
{
    const char *const what = s->data ? s->data : space->runs[0].one->options.data;
    *data = NULL;
    if (!space->data) return ECC_OK;
    ECC_TRY(ecc_model_open_data(model, data, what, space->count, error));
    const size_t count = (*data)->count;
    if (count == space->count) return ECC_OK;
    ecc_dataset_close(*data);
    *data = NULL;
    char name[ECC_PATH_SIZE];
    return ecc_fail(
        error, ECC_BAD_DATA,
        "%s has %zu items for the first run but %zu for the second: expected the same number",
        ecc_quote_path(name, what), space->count, count);
}

/* *z: [count, d] of the items, or NULL if there are none.  The caller frees *z. */
static enum ecc_status encode_items(float **z, struct ecc_model *model, struct ecc_dataset *data,
                                    const struct explore_settings *s, struct ecc_error *error)
{
    *z = NULL;
    if (!data) return ECC_OK;
    *z = malloc((data->count * model->d + 1) * sizeof **z);
    if (!*z) return ecc_fail_memory(error, "the latents");
    struct ecc_cli_watch report;
    ecc_cli_watch_start(&report, &s->common);
    const enum ecc_status status =
        ecc_model_encode_data(model, *z, data, NULL, data->count, &report.watch, error);
    ecc_cli_watch_end(&report);
    return status;
}

/* The browser draws at the same time: leave it a processor, or both would wait for each other. */
static int serving_threads(const struct ecc_common *common)
{
    const int all = ecc_threads((int)common->threads);
    return common->threads > 0 || all == 1 ? all : all - 1;
}

/* What they explain of the data stays unknown where the run's own data is gone. */
static enum ecc_status find_components(struct ecc_components *components, struct ecc_model *model,
                                       const struct ecc_stand_in *items,
                                       const struct ecc_watch *watch, struct ecc_error *error)
{
    enum ecc_status status = ecc_model_explained(model, components, NULL, watch, error);
    if (status == ECC_OK || status == ECC_INTERRUPTED) return status;
    ecc_components_release(components);
    return ecc_model_components_or_fit(model, components, items, watch, error);
}

static enum ecc_status add_encoded(struct ecc_space *space, struct ecc_model *model,
                                   struct ecc_dataset *data, const struct explore_settings *s,
                                   struct ecc_error *error)
{
    struct ecc_components components = {0};
    float *z;
    enum ecc_status status = encode_items(&z, model, data, s, error);
    if (status == ECC_OK) {
        const struct ecc_stand_in items = {s->data, z, space->count};
        struct ecc_cli_watch cli;
        ecc_cli_watch_start(&cli, &s->common);
        status = find_components(&components, model, &items, &cli.watch, error);
        ecc_cli_watch_end(&cli);
    }
    if (status == ECC_OK) {
        status = ecc_space_add(space, model, &components, z, serving_threads(&s->common), error);
    }
    ecc_components_release(&components);
    free(z);
    return status;
}

/* T2 and Q are good without their limits, which need the run's own data. */
static enum ecc_status find_limits(struct ecc_space *space, struct ecc_model *model,
                                   const struct explore_settings *s, struct ecc_error *error)
{
    struct ecc_cli_watch cli;
    if (!space->is_table || space->count == 0) return ECC_OK;
    ecc_cli_watch_start(&cli, &s->common);
    const enum ecc_status status = ecc_model_limits(model, &space->limits, NULL, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    if (status == ECC_OK || status == ECC_INTERRUPTED) return status;
    space->limits = (struct ecc_limits){0};
    return ECC_OK;
}

static enum ecc_status add_first(struct ecc_space **space, struct ecc_model *model,
                                 const struct explore_settings *s, struct ecc_error *error)
{
    struct ecc_dataset *data;
    ECC_TRY(open_items(&data, model, s, error));
    ECC_TRY(ecc_space_create(space, data, error));
    ECC_TRY(add_encoded(*space, model, data, s, error));
    return find_limits(*space, model, s, error);
}

static enum ecc_status add_second(struct ecc_space *space, struct ecc_model *model,
                                  const struct explore_settings *s, struct ecc_error *error)
{
    struct ecc_dataset *data;
    ECC_TRY(ecc_space_check(space, model, error));
    ECC_TRY(open_again(&data, model, space, s, error));
    const enum ecc_status status = add_encoded(space, model, data, s, error);
    ecc_dataset_close(data);
    return status;
}

/* A model planned for whole batches encodes the items and is then closed. */
static enum ecc_status add_run(struct ecc_space **space, const char *directory,
                               const struct explore_settings *s, struct ecc_error *error)
{
    struct ecc_model *model;
    ECC_TRY(ecc_cli_open(&model, directory, &s->common, error));
    const enum ecc_status status =
        *space ? add_second(*space, model, s, error) : add_first(space, model, s, error);
    ecc_model_close(model);
    return status;
}

/* ---- Serving -------------------------------------------------------------------------------- */

static enum ecc_status listen_somewhere(struct ecc_server **server, struct ecc_space *space,
                                        const struct explore_settings *s, struct ecc_error *error)
{
    struct ecc_server_options options = {.address = s->address, .port = s->port};
    if (s->port != ANY_PORT) return ecc_server_create(server, space, &options, error);
    options.port = USUAL_PORT;
    if (ecc_server_create(server, space, &options, error) == ECC_OK) return ECC_OK;
    options.port = 0;
    return ecc_server_create(server, space, &options, error);
}

static enum ecc_status announce(const struct ecc_server *server, const struct ecc_space *space,
                                const struct explore_settings *s, struct ecc_error *error)
{
    if (s->common.json) {
        json_t *const json = json_object();
        ecc_json_text(json, "url", ecc_server_url(server));
        ecc_json_count(json, "port", ecc_server_port(server));
        ecc_json_count(json, "items", space->count);
        ECC_TRY(ecc_json_print(json, error));
    } else {
        printf("%s\n", ecc_server_url(server));
    }
    if (fflush(stdout) != 0) return ecc_fail_errno(error, "write to", "standard output");
    if (!s->common.quiet)
        fprintf(stderr, "Open this address in a browser. Press Ctrl-C to stop.\n");
    return ECC_OK;
}

static enum ecc_status serve(struct ecc_space *space, const struct explore_settings *s,
                             struct ecc_error *error)
{
    struct ecc_server *server;
    ECC_TRY(listen_somewhere(&server, space, s, error));
    enum ecc_status status = announce(server, space, s, error);
    if (status == ECC_OK) status = ecc_server_run(server, ecc_interrupted, error);
    ecc_server_free(server);
    return status;
}

static enum ecc_status explore_run(void *settings, const char *const *operands, size_t count,
                                   struct ecc_error *error)
{
    const struct explore_settings *const s = settings;
    struct ecc_space *space = NULL;
    signal(SIGPIPE, SIG_IGN); /* keep running when a browser disconnects */
    ecc_catch_interrupt();
    enum ecc_status status = add_run(&space, operands[0], s, error);
    if (status == ECC_OK && count > 1) status = add_run(&space, operands[1], s, error);
    if (status == ECC_OK) status = ecc_space_finish(space, error);
    if (status == ECC_OK) status = serve(space, s, error);
    ecc_space_free(space);
    return status;
}

const struct ecc_command ecc_command_explore = {
    .name = "explore",
    .operands = "RUN [RUN2]",
    .operand_min = 1,
    .operand_max = 2,
    .summary = "show a run in the browser: components as sliders, a map of the items",
    .description =
        "Serves a web page that shows what the components of RUN mean: a slider for each, in "
        "standard deviations, with the decoded image or row; a map of the items; grids, samples "
        "and paths; what components say about labels; your own image, dropped on the page. With "
        "RUN2, which must have the same data and number of latents, the page shows the same item "
        "under both runs, with components aligned.\n\nTables are shown by their columns, in "
        "their own units: each slider with the columns that it changes most, the decoded row "
        "beside a row of the file, with its missing cells filled in, and the rows sorted by any "
        "column or by how unusual they are (T2 and Q, with their 95% and 99% limits).\n\nThe "
        "command prints the address "
        "and serves until Ctrl-C. Only this machine can connect unless you give --address; the "
        "printed address then contains a random token. For a remote machine: ssh -L "
        "8320:localhost:8320 SERVER.",
    .examples = "  eccentric explore run\n"
                "  eccentric explore run --data mnist:test --items 10000\n"
                "  eccentric explore wine-run --data wine.csv:all\n"
                "  eccentric explore run other-run\n"
                "  eccentric explore run --address 0.0.0.0 --port 8320\n",
    .options = explore_options,
    .settings_size = sizeof(struct explore_settings),
    .defaults = explore_defaults,
    .check = explore_check,
    .run = explore_run,
};
