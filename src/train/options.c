/* options.c: everything that decides how a training goes, and its way into config.json and back. */
#include "train/options.h"
#include "regularizer/regularizer.h"

#include <math.h>
#include <string.h>

const char *const ecc_schedule_names[] = {"constant", "cosine", NULL};
const char *const ecc_steer_names[] = {"none", "eccentricity", "loss", NULL};
const char *const ecc_pairs_names[] = {"published", "distinct", NULL};
const char *const ecc_m_rule_names[] = {"paper", "exact", "given", NULL};

struct ecc_train_options ecc_train_defaults(void)
{
    return (struct ecc_train_options){
        .validation = 1000,
        .net = "auto",
        .width = 1,
        .latent = 8,
        .regularizer = "eccentric",
        .lambda = 1e-3,
        .mu = 1,
        .batch = 100,
        .rate = 3e-3,
        .decay = 1e-6,
        .beta1 = 0.9,
        .beta2 = 0.999,
        .epsilon = 1e-8,
        .schedule = ECC_SCHEDULE_COSINE,
        .warmup = 100,
        .average = 0.1,
        .epochs = 20,
        .seed = 1,
        .checkpoint_seconds = 30,
    };
}

void ecc_train_preset_paper(struct ecc_train_options *options)
{
    options->rate = 1e-4;
    options->decay = 1e-6;
    options->schedule = ECC_SCHEDULE_CONSTANT;
    options->warmup = 0;
    options->average = 0;
    options->batch = 100;
    options->lambda = 1e-3;
    options->mu = 1;
    options->epochs = 1000;
    options->validation = 0;
}

/* ---- Checks --------------------------------------------------------------------------------- */

static enum ecc_status check_number(const char *name, double value, double low, double high,
                                    struct ecc_error *error)
{
    if (value >= low && value <= high) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "%s is %g, expected a number from %g to %g", name,
                    value, low, high);
}

enum ecc_status ecc_train_steer_floor(double *floor, const struct ecc_train_options *o,
                                      struct ecc_error *error)
{
    *floor = 0;
    if (o->steer != ECC_STEER_LOSS) return ECC_OK;
    double m, rho, gain, unused;
    ECC_TRY(ecc_theory_m(&m, o->latent, o->mu, o->m_rule, o->m, error));
    ECC_TRY(ecc_theory_radius(&rho, o->latent, o->mu, m, error));
    ECC_TRY(ecc_theory_sphere_loss(floor, o->latent, o->mu, m, rho, error));
    ECC_TRY(ecc_theory_escape(&gain, &unused, o->latent, o->mu, m, error));
    if (o->target > *floor) return ECC_OK;
    if (gain > 0) { /* the sphere is not the minimum, and nobody knows how deep that lies */
        *floor = o->target - fabs(o->target);
        return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "the target loss is %g, expected above %g, the minimum for latent size %zu and "
                    "mu %g",
                    o->target, *floor, o->latent, o->mu);
}

static enum ecc_status check_steering(const struct ecc_train_options *o, struct ecc_error *error)
{
    if (o->steer == ECC_STEER_NONE) return ECC_OK;
    if (strcmp(o->regularizer, "none") == 0 || o->lambda == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "a target steers lambda, which regularizer none and lambda 0 do not have");
    }
    if (o->steer == ECC_STEER_ECCENTRICITY) {
        const double most = sqrt((double)o->latent - 1);
        if (o->target > 0 && o->target < most) return ECC_OK;
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the target eccentricity is %g, expected above 0 and below %g, which one "
                        "direction alone has with latent size %zu",
                        o->target, most, o->latent);
    }
    if (strcmp(o->regularizer, "eccentric") != 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "a target loss is about the eccentric loss, not about regularizer %s",
                        o->regularizer);
    }
    ECC_TRY(check_number("the target loss", o->target, -1e6, 1e6, error));
    double floor;
    return ecc_train_steer_floor(&floor, o, error);
}

enum ecc_status ecc_train_check(const struct ecc_train_options *o, struct ecc_error *error)
{
    const struct ecc_regularizer *const regularizer = ecc_regularizer_find(o->regularizer);
    if (!regularizer) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "there is no regularizer '%s'", o->regularizer);
    }
    ECC_TRY(check_number("the latent size", (double)o->latent, (double)regularizer->d_min, 4096,
                         error));
    ECC_TRY(
        check_number("the batch size", (double)o->batch, (double)regularizer->n_min, 1e6, error));
    ECC_TRY(check_number("lambda", o->lambda, 0, 1e6, error));
    ECC_TRY(check_number("the learning rate", o->rate, 1e-12, 100, error));
    ECC_TRY(check_number("the final learning rate", o->final_rate, 0, o->rate, error));
    ECC_TRY(check_number("the weight decay", o->decay, 0, 1, error));
    ECC_TRY(check_number("the share of averaged weights", o->average, 0, 1, error));
    ECC_TRY(check_number("the epochs", o->epochs, 0, 1e7, error));
    ECC_TRY(check_number("the minutes", o->minutes, 0, 1e6, error));
    ECC_TRY(check_number("the width", o->width, 0.01, 16, error));
    ECC_TRY(check_number("the number of threads", (double)o->threads, 0, 1024, error));
    return check_steering(o, error);
}

/* ---- config.json ---------------------------------------------------------------------------- */

/* One line per field serves both directions. */
enum field_kind { TEXT, SIZE, U64, NUMBER, FLAG, CHOICE };

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset;
    const char *const *names; /* of CHOICE */
};

#define FIELD(key, kind, member)                                                                   \
    {                                                                                              \
        key, kind, offsetof(struct ecc_train_options, member), NULL                                \
    }
#define CHOICE_FIELD(key, member, names)                                                           \
    {                                                                                              \
        key, CHOICE, offsetof(struct ecc_train_options, member), names                             \
    }

/* Later ones stand at the end: runs from before them go without. */
static const struct field fields[] = {
    FIELD("data.source", TEXT, data),
    FIELD("data.items", SIZE, data_options.items),
    FIELD("data.crop", SIZE, data_options.crop),
    FIELD("data.size", SIZE, data_options.size),
    FIELD("data.label", TEXT, data_options.label),
    FIELD("data.seed", U64, data_options.seed),
    FIELD("data.validation", SIZE, validation),
    FIELD("net.name", TEXT, net),
    FIELD("net.width", NUMBER, width),
    FIELD("net.latent", SIZE, latent),
    FIELD("regularizer.name", TEXT, regularizer),
    FIELD("regularizer.lambda", NUMBER, lambda),
    FIELD("regularizer.mu", NUMBER, mu),
    CHOICE_FIELD("regularizer.m_rule", m_rule, ecc_m_rule_names),
    FIELD("regularizer.m", NUMBER, m),
    CHOICE_FIELD("regularizer.pairs", pairs, ecc_pairs_names),
    CHOICE_FIELD("regularizer.steer", steer, ecc_steer_names),
    FIELD("regularizer.target", NUMBER, target),
    FIELD("train.batch", SIZE, batch),
    FIELD("train.rate", NUMBER, rate),
    FIELD("train.final_rate", NUMBER, final_rate),
    FIELD("train.decay", NUMBER, decay),
    FIELD("train.beta1", NUMBER, beta1),
    FIELD("train.beta2", NUMBER, beta2),
    FIELD("train.epsilon", NUMBER, epsilon),
    CHOICE_FIELD("train.schedule", schedule, ecc_schedule_names),
    FIELD("train.warmup", U64, warmup),
    FIELD("train.epochs", NUMBER, epochs),
    FIELD("train.minutes", NUMBER, minutes),
    FIELD("train.total_steps", U64, total_steps),
    FIELD("train.seed", U64, seed),
    FIELD("train.threads", SIZE, threads),
    FIELD("train.tensorboard", FLAG, tensorboard),
    FIELD("train.checkpoint_seconds", NUMBER, checkpoint_seconds),
    FIELD("net.direct", FLAG, direct),
    FIELD("train.average", NUMBER, average),
};
enum { FIELDS = sizeof fields / sizeof fields[0], LATER_FIELDS = 2 };

void ecc_train_options_store(const struct ecc_train_options *options, struct ecc_config *config)
{
    for (size_t i = 0; i < FIELDS; i++) {
        const struct field *const f = &fields[i];
        const void *const at = (const char *)options + f->offset;
        switch (f->kind) {
        case TEXT: {
            const char *const text = *(const char *const *)at;
            ecc_config_set_text(config, f->key, text ? text : "");
            break;
        }
        case SIZE: ecc_config_set_u64(config, f->key, *(const size_t *)at); break;
        case U64: ecc_config_set_u64(config, f->key, *(const uint64_t *)at); break;
        case NUMBER: ecc_config_set_number(config, f->key, *(const double *)at); break;
        case FLAG: ecc_config_set_flag(config, f->key, *(const bool *)at); break;
        case CHOICE: ecc_config_set_text(config, f->key, f->names[*(const int *)at]); break;
        }
    }
}

static enum ecc_status restore_choice(int *at, const struct field *f,
                                      const struct ecc_config *config, struct ecc_error *error)
{
    const char *text;
    ECC_TRY(ecc_config_get_text(config, &text, f->key, error));
    for (*at = 0; f->names[*at]; ++*at) {
        if (strcmp(f->names[*at], text) == 0) return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_DATA, "'%s': %s is '%s', which is none of its values",
                    config->path, f->key, text);
}

static enum ecc_status restore_field(void *at, const struct field *f,
                                     const struct ecc_config *config, struct ecc_error *error)
{
    switch (f->kind) {
    case TEXT: {
        const char **const text = at;
        ECC_TRY(ecc_config_get_text(config, text, f->key, error));
        if (**text == '\0') *text = NULL;
        return ECC_OK;
    }
    case SIZE: return ecc_config_get_size(config, at, f->key, error);
    case U64: return ecc_config_get_u64(config, at, f->key, error);
    case NUMBER: return ecc_config_get_number(config, at, f->key, error);
    case FLAG: return ecc_config_get_flag(config, at, f->key, error);
    case CHOICE: return restore_choice(at, f, config, error);
    }
    return ECC_OK;
}

enum ecc_status ecc_train_options_restore(struct ecc_train_options *options,
                                          const struct ecc_config *config, struct ecc_error *error)
{
    *options = ecc_train_defaults();
    options->average = 0;
    for (size_t i = 0; i < FIELDS; i++) {
        if (i >= FIELDS - LATER_FIELDS && !ecc_config_has(config, fields[i].key)) continue;
        ECC_TRY(restore_field((char *)options + fields[i].offset, &fields[i], config, error));
    }
    return ECC_OK;
}
