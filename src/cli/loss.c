/* loss.c: `eccentric loss`: the loss of any latents, and its gradient. */
#include "base/clock.h"
#include "base/npy.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/shared.h"
#include "regularizer/choice.h"

#include <stdlib.h>
#include <string.h>

struct loss_settings {
    struct ecc_common common;
    struct ecc_loss_words loss;
    const char *gradient, *regularizer;

    /* set by loss_check */
    struct ecc_regularizer_choice choice;
    struct ecc_regularizer_options options;
};

static void loss_defaults(void *settings)
{
    struct loss_settings *const s = settings;
    s->loss = ecc_loss_words_defaults();
    s->regularizer = "eccentric";
    s->common.seed = 1;
}

static const struct ecc_option loss_options[] = {
    ECC_OPTIONS_LOSS(loss_settings, loss),
    {"gradient", ECC_TEXT, ECC_TO(loss_settings, gradient), "G.npy",
     "write the gradient: float32, same shape as Z", .writes = ECC_FORMAT_NPY},
    {"regularizer", ECC_TEXT, ECC_TO(loss_settings, regularizer), "NAME[:OPTION=VALUE]",
     "which loss (default eccentric), as eccentric methods lists them; for kl, each row of Z is "
     "[mean, log variance]"},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status loss_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    struct loss_settings *const s = settings;
    ECC_TRY(ecc_regularizer_read(&s->choice, s->regularizer, error));
    s->options.seed = s->common.seed;
    s->options.own_given = true;
    memcpy(s->options.own, s->choice.own, sizeof s->options.own);
    return ecc_loss_words_read(&s->options.loss, &s->loss, s->common.threads, error);
}

/* Prints settings of the eccentric loss only if it is used. */
static bool is_eccentric(const struct loss_settings *s)
{
    return s->choice.entry == &ecc_regularizer_eccentric;
}

static enum ecc_status loss_report(const struct ecc_regularizer_value *value,
                                   const struct loss_settings *s, size_t n, size_t d,
                                   double seconds, struct ecc_error *error)
{
    if (!s->common.json) {
        char mu[40] = "";
        if (is_eccentric(s)) snprintf(mu, sizeof mu, ", mu %g", s->loss.mu);
        ecc_print("loss        %.9g   (%zu item%s, %zu dimension%s%s)\n", value->loss, n, ecc_s(n),
                  d, ecc_s(d), mu);
        for (size_t i = 0; i < value->term_count; i++) {
            ecc_print("%-11s %.9g\n", value->terms[i].name, value->terms[i].value);
        }
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_number(json, "loss", value->loss);
    for (size_t i = 0; i < value->term_count; i++) {
        ecc_json_number(json, value->terms[i].name, value->terms[i].value);
    }
    if (is_eccentric(s)) {
        ecc_json_number(json, "mu", s->loss.mu);
        ecc_json_text(json, "pairs", ecc_pairs_names[s->loss.pairs]);
    } else {
        ecc_json_text(json, "regularizer", s->regularizer);
    }
    ecc_json_count(json, "n", n);
    ecc_json_count(json, "d", d);
    ecc_json_number(json, "seconds", seconds);
    return ecc_json_print(json, error);
}

/* outputs: [n, columns]: latents, or the parameters of their distribution. */
static enum ecc_status loss_of(const struct loss_settings *s, const float *outputs, size_t n,
                               size_t columns, struct ecc_error *error)
{
    const struct ecc_regularizer *const entry = s->choice.entry;
    if (columns <= entry->outputs_more ||
        (columns - entry->outputs_more) % entry->outputs_per_latent != 0) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%zu column%s, expected %s: what an encoder gives for regularizer %s",
                        columns, ecc_s(columns),
                        entry->outputs_per_latent > 1 ? "an even number" : "more", entry->name);
    }
    if (entry->tensors) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "regularizer %s has numbers that are trained with a net, so latents alone "
                        "have no value",
                        entry->name);
    }
    const size_t d = (columns - entry->outputs_more) / entry->outputs_per_latent;
    struct ecc_regularizer_plan plan;
    ECC_TRY(ecc_regularizer_init(&plan, entry, n, d, &s->options, error));
    float *const dz = s->gradient ? malloc(n * columns * sizeof *dz) : NULL;
    enum ecc_status status = ECC_OK;
    if (s->gradient && !dz) status = ecc_fail_memory(error, "the gradient");
    struct ecc_regularizer_value value;
    const double start = ecc_seconds();
    if (status == ECC_OK) {
        status = ecc_regularizer_evaluate(&plan, &value, dz, outputs, n, 0, error);
    }
    const double seconds = ecc_seconds() - start;
    if (status == ECC_OK && dz) status = ecc_npy_write_f32(s->gradient, dz, n, columns, error);
    if (status == ECC_OK) status = loss_report(&value, s, n, d, seconds, error);
    free(dz);
    ecc_regularizer_release(&plan);
    return status;
}

static enum ecc_status loss_run(void *settings, const char *const *operands, size_t count,
                                struct ecc_error *error)
{
    (void)count;
    float *z;
    size_t n, d;
    ECC_TRY(ecc_npy_read_f32(&z, &n, &d, operands[0], error));
    struct ecc_error inner = {0};
    const enum ecc_status status = loss_of(settings, z, n, d, &inner);
    free(z);
    if (status == ECC_OK) return ECC_OK;
    /* name the file of the latents in errors about them, but not in errors of writing */
    const bool about_latents = status == ECC_BAD_DATA || status == ECC_BAD_ARGUMENT;
    return ecc_fail(error, status, "%s%s%s", about_latents ? operands[0] : "",
                    about_latents ? ": " : "", inner.text);
}

const struct ecc_command ecc_command_loss = {
    .name = "loss",
    .operands = "Z.npy",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "compute the eccentric loss of any latents, and its gradient",
    .description =
        "Computes the eccentric loss of the latents in Z.npy, an [n, d] array of any numeric "
        "type. Latents repel each other and are pulled to the origin; the loss is smallest when "
        "they are spread over a sphere of radius sqrt(d). Never holds an n x n matrix in memory.",
    .examples = "  eccentric loss z.npy --mu 1 --json --gradient g.npy\n",
    .options = loss_options,
    .settings_size = sizeof(struct loss_settings),
    .defaults = loss_defaults,
    .check = loss_check,
    .run = loss_run,
};
