/* command.c: the command that would train a run again, with what differs from the defaults. */
#include "train/command.h"
#include "base/text.h"
#include "run/number.h"

#include <inttypes.h>
#include <string.h>

static void put_value(FILE *out, const char *option, double value)
{
    char number[ECC_NUMBER_SIZE];
    fprintf(out, " --%s %s", option, ecc_format_number(number, value));
}

static void put_number(FILE *out, const char *option, double value, double normal)
{
    if (value != normal) put_value(out, option, value);
}

static void put_count(FILE *out, const char *option, uint64_t value, uint64_t normal)
{
    if (value != normal) fprintf(out, " --%s %" PRIu64, option, value);
}

static void put_text(FILE *out, const char *option, const char *value, const char *normal)
{
    if (!value || (normal && strcmp(value, normal) == 0)) return;
    fprintf(out, " --%s ", option);
    ecc_put_shell_word(out, value);
}

static void put_regularizer(FILE *out, const struct ecc_train_options *o,
                            const struct ecc_train_options *usual)
{
    put_text(out, "regularizer", o->regularizer, usual->regularizer);
    put_number(out, "lambda", o->lambda, usual->lambda);
    put_number(out, "mu", o->mu, usual->mu);
    if (o->m_rule == ECC_M_GIVEN) {
        put_value(out, "m", o->m);
    } else {
        put_text(out, "m", ecc_m_rule_names[o->m_rule], ecc_m_rule_names[usual->m_rule]);
    }
    put_text(out, "pairs", ecc_pairs_names[o->pairs], ecc_pairs_names[usual->pairs]);
    if (o->steer == ECC_STEER_ECCENTRICITY) put_value(out, "target-eccentricity", o->target);
    if (o->steer == ECC_STEER_LOSS) put_value(out, "target-loss", o->target);
}

void ecc_train_command(FILE *out, const struct ecc_train_options *o, const char *folder)
{
    const struct ecc_train_options usual = ecc_train_defaults();
    fputs("eccentric train ", out);
    ecc_put_shell_word(out, o->data);
    fputs(" --out ", out);
    ecc_put_shell_word(out, folder);
    put_count(out, "items", o->data_options.items, 0);
    put_count(out, "crop", o->data_options.crop, 0);
    put_count(out, "size", o->data_options.size, 0);
    put_text(out, "label", o->data_options.label, NULL);
    put_count(out, "validation", o->validation, usual.validation);
    put_text(out, "net", o->net, usual.net);
    put_number(out, "width", o->width, usual.width);
    if (o->direct) fputs(" --direct", out);
    put_count(out, "latent", o->latent, usual.latent);
    put_regularizer(out, o, &usual);
    put_count(out, "batch", o->batch, usual.batch);
    put_number(out, "lr", o->rate, usual.rate);
    put_text(out, "schedule", ecc_schedule_names[o->schedule], ecc_schedule_names[usual.schedule]);
    put_count(out, "warmup", o->warmup, usual.warmup);
    put_number(out, "average", o->average, usual.average);
    put_number(out, "decay", o->decay, usual.decay);
    if (o->minutes > 0) {
        put_value(out, "minutes", o->minutes);
    } else {
        put_number(out, "epochs", o->epochs, usual.epochs);
    }
    put_count(out, "seed", o->seed, usual.seed);
    put_count(out, "threads", o->threads, usual.threads);
}
