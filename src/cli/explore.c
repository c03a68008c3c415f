/* explore.c: `eccentric explore`: a page that shows what the components mean. */
#include "base/text.h"
#include "cli/latent.h"
#include "cli/latents_option.h"
#include "explore/server.h"

#include <signal.h>
#include <stdlib.h>

enum { USUAL_PORT = 8320, USUAL_ITEMS = 20000, ANY_PORT = 65536 };

struct explore_settings {
    struct ecc_common common;
    const char *data, *address;
    struct ecc_latents_request elsewhere; /* items, also of a run: 0 is not given */
    size_t port;
    bool embed;
};

static void explore_defaults(void *settings)
{
    struct explore_settings *const s = settings;
    s->port = ANY_PORT;
    s->address = "127.0.0.1";
}

static const struct ecc_option explore_options[] = {
    {"data", ECC_TEXT, ECC_TO(explore_settings, data), "DATA",
     "items to browse and map (default: the training part of the run's data)"},
    {"items", ECC_COUNT, ECC_TO(explore_settings, elsewhere.items), "N",
     "only the first N items (default 20000; of --latents all, or N of them, by class)", 1, 4e6},
    ECC_OPTIONS_LATENTS(explore_settings, elsewhere),
    {"port", ECC_COUNT, ECC_TO(explore_settings, port), "N",
     "listen on port N; 0: any free port (default 8320, or any if that is taken)", 0, 65535},
    {"address", ECC_TEXT, ECC_TO(explore_settings, address), "A",
     "listen on this address, such as 0.0.0.0 (default 127.0.0.1: only this machine)"},
    {"embed", ECC_FLAG, ECC_TO(explore_settings, embed), NULL,
     "let pages of this machine, such as notebooks, show the page in a frame"},
    ECC_OPTION_THREADS_SAYING(
        "use N threads (default: all to encode the items, then one fewer, for the browser)"),
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status explore_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    const struct explore_settings *const s = settings;
    bool loopback;
    ECC_TRY(ecc_cli_check_latents(&s->elsewhere, operand_count, s->data, "explore", error));
    return ecc_server_check_address(s->address, &loopback, error);
}

/* ---- Serving -------------------------------------------------------------------------------- */

static enum ecc_status listen_somewhere(struct ecc_server **server, struct ecc_space *space,
                                        const struct explore_settings *s, struct ecc_error *error)
{
    struct ecc_server_options options = {
        .address = s->address, .port = s->port, .framed = s->embed};
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
        ecc_print("%s\n", ecc_server_url(server));
    }
    if (fflush(stdout) != 0) return ecc_fail_errno(error, "write to", "standard output");
    if (!s->common.quiet)
        ecc_print_to(stderr, "Open this address in a browser. Press Ctrl-C to stop.\n");
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
    const size_t items = s->elsewhere.items;
    const struct ecc_space_request request = {.runs = operands,
                                              .run_count = count,
                                              .data = s->data,
                                              .items = items ? items : USUAL_ITEMS,
                                              .elsewhere = s->elsewhere,
                                              .threads = (int)s->common.threads};
    struct ecc_cli_watch cli;
    ecc_cli_watch_start(&cli, &s->common);
    enum ecc_status status = ecc_space_open(&space, &request, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    if (status == ECC_OK) status = serve(space, s, error);
    ecc_space_free(space);
    return status;
}

const struct ecc_command ecc_command_explore = {
    .name = "explore",
    .operands = "RUN [RUN2]",
    .operand_min = 0,
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
        "column or by how unusual they are (T2 and Q, with their 95% and 99% limits).\n\nOn the "
        "map, a box or a lasso selects items: their mean, their spectrum, what separates them from "
        "the others, their ids as CSV. With --latents, it maps embeddings from anywhere; what "
        "needs "
        "a decoder is then left out.\n\nThe "
        "command prints the address "
        "and serves until Ctrl-C. Only this machine can connect unless you give --address; the "
        "printed address then contains a random token. For a remote machine: ssh -L "
        "8320:localhost:8320 SERVER.",
    .examples = "  eccentric explore run\n"
                "  eccentric explore run --data mnist:test --items 10000\n"
                "  eccentric explore wine-run --data wine.csv:all\n"
                "  eccentric explore run other-run\n"
                "  eccentric explore --latents z.npy --images photos/ --metadata photos.csv\n"
                "  eccentric explore run --address 0.0.0.0 --port 8320\n",
    .options = explore_options,
    .settings_size = sizeof(struct explore_settings),
    .defaults = explore_defaults,
    .check = explore_check,
    .run = explore_run,
};
