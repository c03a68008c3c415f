/* settings_check.c: settings within their ranges, and fit for each other. */
#include "regularizer/choice.h"
#include "run/settings.h"

#include <math.h>
#include <string.h>

/* Enums come from other programs, too. */
static enum ecc_status check_choice(const struct ecc_train_setting *s,
                                    const struct ecc_train_options *options,
                                    struct ecc_error *error)
{
    const int value = *(const int *)(const void *)((const char *)options + s->offset);
    int count = 0;
    while (s->choices[count]) count++;
    if (value >= 0 && value < count) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "%s (%s) is %d, expected 0 to %d", s->key, s->meaning,
                    value, count - 1);
}

/* Of one setting; the message names it as config.json does. */
static enum ecc_status check_range(const struct ecc_train_setting *s,
                                   const struct ecc_train_options *options, struct ecc_error *error)
{
    const void *const at = (const char *)options + s->offset;
    const double value = s->kind == ECC_SETTING_COUNT    ? (double)*(const size_t *)at
                         : s->kind == ECC_SETTING_U64    ? (double)*(const uint64_t *)at
                         : s->kind == ECC_SETTING_NUMBER ? *(const double *)at
                                                         : (double)NAN;
    if (s->kind == ECC_SETTING_CHOICE) return check_choice(s, options, error);
    if (s->low == 0 && s->high == 0) return ECC_OK;
    if (isnan(value) && s->kind == ECC_SETTING_NUMBER && !s->may_be_nan) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s (%s) is not a number", s->key, s->meaning);
    }
    if (isnan(value)) return ECC_OK;
    if (value <= s->high && (s->above_low ? value > s->low : value >= s->low)) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "%s (%s) is %g, expected a number %s %g %s %g", s->key,
                    s->meaning, value, s->above_low ? "above" : "from", s->low,
                    s->above_low ? "and at most" : "to", s->high);
}

/* ---- Targets -------------------------------------------------------------------------------- */

enum ecc_status ecc_settings_target_floor(double *floor, const struct ecc_train_options *o,
                                          struct ecc_error *error)
{
    *floor = 0;
    if (isnan(o->target_loss)) return ECC_OK;
    double m, rho, gain, unused;
    ECC_TRY(ecc_theory_m(&m, o->latent, o->mu, o->m_rule, o->m, error));
    ECC_TRY(ecc_theory_radius(&rho, o->latent, o->mu, m, error));
    ECC_TRY(ecc_theory_sphere_loss(floor, o->latent, o->mu, m, rho, error));
    ECC_TRY(ecc_theory_escape(&gain, &unused, o->latent, o->mu, m, error));
    if (o->target_loss > *floor) return ECC_OK;
    if (gain > 0) { /* the sphere is not the minimum, and nobody knows how deep that lies */
        *floor = o->target_loss - fabs(o->target_loss);
        return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "the target loss is %g, expected above %g, the minimum for latent size %zu and "
                    "mu %g",
                    o->target_loss, *floor, o->latent, o->mu);
}

static enum ecc_status check_targets(const struct ecc_train_options *o,
                                     const struct ecc_regularizer *regularizer,
                                     struct ecc_error *error)
{
    const bool eccentricity = !isnan(o->target_eccentricity), loss = !isnan(o->target_loss);
    if (!eccentricity && !loss) return ECC_OK;
    if (eccentricity && loss) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "a target eccentricity and a target loss cannot both be met: give one");
    }
    if (regularizer->no_lambda || o->lambda == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "a target steers lambda, which regularizer %s and lambda 0 do not have",
                        regularizer->no_lambda ? regularizer->name : "none");
    }
    const double most = sqrt((double)o->latent - 1);
    if (eccentricity && !(o->target_eccentricity < most)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the target eccentricity is %g, expected above 0 and below %g, which one "
                        "direction alone has with latent size %zu",
                        o->target_eccentricity, most, o->latent);
    }
    if (loss && regularizer != &ecc_regularizer_eccentric) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "a target loss is about the eccentric loss, not about regularizer %s",
                        regularizer->name);
    }
    double floor;
    return ecc_settings_target_floor(&floor, o, error);
}

/* ---- All ------------------------------------------------------------------------------------ */

enum ecc_status ecc_settings_check(const struct ecc_train_options *o, struct ecc_error *error)
{
    if (!o->net || !o->regularizer) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "there is no %s", o->net ? "regularizer" : "net");
    }
    struct ecc_regularizer_choice choice;
    ECC_TRY(ecc_regularizer_read(&choice, o->regularizer, error));
    const struct ecc_regularizer *const regularizer = choice.entry;
    for (size_t i = 0; i < ecc_setting_count; i++) {
        ECC_TRY(check_range(&ecc_settings[i], o, error));
    }
    if (o->final_rate > o->rate) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the final learning rate is %g, expected at most the learning rate, %g",
                        o->final_rate, o->rate);
    }
    if (o->keep == ECC_KEEP_REFIT && o->minutes > 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "a time budget leaves no time to train again on all items: keep the best "
                        "model, or set the number of epochs");
    }
    if (o->latent < regularizer->d_min || (o->batch > 0 && o->batch < regularizer->n_min)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "regularizer %s needs a latent size of at least %zu and batches of at "
                        "least %zu, and they are %zu and %zu",
                        regularizer->name, regularizer->d_min, regularizer->n_min, o->latent,
                        o->batch);
    }
    if (o->reconstruction == ECC_RECONSTRUCTION_BCE && ecc_vae_learns_noise(&choice)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "gamma=learned is about the noise of a squared error, and reconstruction "
                        "bce has none");
    }
    if (regularizer->check) ECC_TRY(regularizer->check(o->latent, choice.own, error));
    return check_targets(o, regularizer, error);
}
