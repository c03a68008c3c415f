/* likelihood.c: `eccentric likelihood`: how likely items are under the model of a run. */
#include "cli/latent.h"
#include "cli/print.h"
#include "model/seen.h"

struct likelihood_settings {
    struct ecc_common common;
    struct ecc_likelihood_options options;
};

/* clang-format off */
static const struct ecc_option likelihood_options[] = {
    {"samples", ECC_COUNT, ECC_TO(likelihood_settings, options.samples), "N",
     "samples of each item's posterior (default 500)", 1, 1e6},
    {"items", ECC_COUNT, ECC_TO(likelihood_settings, options.items), "N",
     "only the first N items", 1, 4e9},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};
/* clang-format on */

static void print_words(const struct ecc_likelihood *r)
{
    char words[ECC_SEEN_WORDS];
    ecc_print("%zu %s%s, %zu samples each, in nats per item\n", r->items,
              ecc_seen_words(words, &r->seen), r->binarized ? ", pixels drawn black or white" : "",
              r->samples);
    ecc_print("log-likelihood %10.2f ± %.2f  by importance sampling\n", r->log_likelihood,
              r->deviation);
    ecc_print("bound (ELBO)   %10.2f  reconstruction minus divergence\n", r->bound);
    ecc_print("reconstruction %10.2f  log-probability of the items given drawn latents\n",
              r->reconstruction);
    ecc_print("divergence     %10.2f  of the posterior from the prior\n", r->divergence);
}

static json_t *to_json(const struct ecc_likelihood *r, const char *run)
{
    json_t *const json = json_object();
    json_object_set_new(json, "run", json_string(run));
    ecc_json_count(json, "items", r->items);
    ecc_json_count(json, "samples", r->samples);
    json_object_set_new(json, "binarized", json_boolean(r->binarized));
    ecc_json_number(json, "log_likelihood", r->log_likelihood);
    ecc_json_number(json, "deviation", r->deviation);
    ecc_json_number(json, "elbo", r->bound);
    ecc_json_number(json, "reconstruction", r->reconstruction);
    ecc_json_number(json, "divergence", r->divergence);
    ecc_json_number(json, "seconds", r->seconds);
    return json;
}

static enum ecc_status likelihood_run(void *settings, const char *const *operands, size_t count,
                                      struct ecc_error *error)
{
    struct likelihood_settings *const s = settings;
    struct ecc_likelihood result = {0};
    struct ecc_model *model = NULL;
    struct ecc_cli_watch cli;
    if (count > 1) s->options.data = operands[1];
    s->options.threads = s->common.threads;
    s->options.seed = s->common.seed;
    ecc_cli_watch_start(&cli, &s->common);
    enum ecc_status status = ecc_cli_open(&model, operands[0], &s->common, error);
    if (status == ECC_OK) {
        status = ecc_likelihood_measure(&result, model, &s->options, &cli.watch, error);
    }
    ecc_cli_watch_end(&cli);
    ecc_model_close(model);
    if (status == ECC_OK && s->common.json) {
        status = ecc_json_print(to_json(&result, operands[0]), error);
    } else if (status == ECC_OK) {
        print_words(&result);
    }
    ecc_likelihood_release(&result);
    return status;
}

const struct ecc_command ecc_command_likelihood = {
    .name = "likelihood",
    .operands = "RUN [DATA]",
    .operand_min = 1,
    .operand_max = 2,
    .summary = "measure how likely items are under a variational autoencoder",
    .description =
        "Estimates the log-likelihood of items, in nats, by importance sampling from the "
        "encoder's posterior; and the bound that training maximizes, with its two parts. The items "
        "are the test items of the run's data, or all of DATA. The run must have been trained with "
        "--reconstruction bce and regularizer kl, vae or svae. If it was trained with --binarize, "
        "the items' pixels are drawn black or white, too, from --seed.",
    .examples = "  eccentric likelihood run\n"
                "  eccentric likelihood run mnist:test --samples 5000 --items 1000 --json\n",
    .options = likelihood_options,
    .settings_size = sizeof(struct likelihood_settings),
    .run = likelihood_run,
};
