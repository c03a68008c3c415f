/* settings_config.c: settings to config.json and back. */
#include "run/settings.h"

#include <math.h>
#include <string.h>

static void store(const struct ecc_train_setting *s, const void *at, struct ecc_config *config)
{
    switch (s->kind) {
    case ECC_SETTING_TEXT: {
        const char *const text = *(const char *const *)at;
        ecc_config_set_text(config, s->key, text ? text : "");
        return;
    }
    case ECC_SETTING_COUNT: ecc_config_set_u64(config, s->key, *(const size_t *)at); return;
    case ECC_SETTING_U64: ecc_config_set_u64(config, s->key, *(const uint64_t *)at); return;
    case ECC_SETTING_NUMBER:
        if (!isnan(*(const double *)at)) ecc_config_set_number(config, s->key, *(const double *)at);
        return;
    case ECC_SETTING_FLAG: ecc_config_set_flag(config, s->key, *(const bool *)at); return;
    case ECC_SETTING_CHOICE:
        ecc_config_set_text(config, s->key, s->choices[*(const int *)at]);
        return;
    }
}

void ecc_settings_store(const struct ecc_train_options *options, struct ecc_config *config)
{
    struct ecc_train_options copy = *options;
    for (size_t i = 0; i < ecc_setting_count; i++) {
        store(&ecc_settings[i], ecc_setting_at(&ecc_settings[i], &copy), config);
    }
}

/* ---- And back ------------------------------------------------------------------------------- */

static enum ecc_status restore_choice(const struct ecc_train_setting *s, int *at,
                                      const struct ecc_config *config, struct ecc_error *error)
{
    const char *text;
    ECC_TRY(ecc_config_get_text(config, &text, s->key, error));
    for (*at = 0; s->choices[*at]; ++*at) {
        if (strcmp(s->choices[*at], text) == 0) return ECC_OK;
    }
    return ecc_fail(error, ECC_BAD_DATA, "'%s': %s is '%s', which is not one of its values",
                    config->path, s->key, text);
}

/* Only the label and what came later may be empty: it then means that there is none. */
static enum ecc_status restore_text(const struct ecc_train_setting *s, const char **text,
                                    const struct ecc_config *config, struct ecc_error *error)
{
    ECC_TRY(ecc_config_get_text(config, text, s->key, error));
    if (**text != '\0') return ECC_OK;
    *text = NULL;
    if (s->later || strcmp(s->key, "data.label") == 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "'%s': %s is empty", config->path, s->key);
}

static enum ecc_status restore(const struct ecc_train_setting *s, void *at,
                               const struct ecc_config *config, struct ecc_error *error)
{
    if (s->later && !ecc_config_has(config, s->key)) return ECC_OK;
    switch (s->kind) {
    case ECC_SETTING_TEXT: return restore_text(s, at, config, error);
    case ECC_SETTING_COUNT: return ecc_config_get_size(config, at, s->key, error);
    case ECC_SETTING_U64: return ecc_config_get_u64(config, at, s->key, error);
    case ECC_SETTING_NUMBER: return ecc_config_get_number(config, at, s->key, error);
    case ECC_SETTING_FLAG: return ecc_config_get_flag(config, at, s->key, error);
    case ECC_SETTING_CHOICE: return restore_choice(s, at, config, error);
    }
    return ECC_OK;
}

/* Runs of version 0.1 name the steered quantity and its target apart. */
static enum ecc_status restore_old_target(struct ecc_train_options *options,
                                          const struct ecc_config *config, struct ecc_error *error)
{
    const char *steered;
    if (!ecc_config_has(config, "regularizer.steer")) return ECC_OK;
    ECC_TRY(ecc_config_get_text(config, &steered, "regularizer.steer", error));
    double *const target = strcmp(steered, "eccentricity") == 0 ? &options->target_eccentricity
                           : strcmp(steered, "loss") == 0       ? &options->target_loss
                                                                : NULL;
    return target ? ecc_config_get_number(config, target, "regularizer.target", error) : ECC_OK;
}

enum ecc_status ecc_settings_restore(struct ecc_train_options *options,
                                     const struct ecc_config *config, struct ecc_error *error)
{
    *options = ecc_train_defaults();
    options->average = 0; /* runs from before there was an average */
    for (size_t i = 0; i < ecc_setting_count; i++) {
        const struct ecc_train_setting *const s = &ecc_settings[i];
        ECC_TRY(restore(s, ecc_setting_at(s, options), config, error));
    }
    return restore_old_target(options, config, error);
}
