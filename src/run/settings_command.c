/* settings_command.c: the command that would train a run again, with what differs from the
 * defaults. */
#include "base/text.h"
#include "run/number.h"
#include "run/settings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put_number(FILE *out, const char *flag, double value)
{
    char number[ECC_NUMBER_SIZE];
    fprintf(out, " --%s %s", flag, ecc_format_number(number, value));
}

static void put_text(FILE *out, const char *flag, const char *value)
{
    fprintf(out, " --%s ", flag);
    ecc_put_shell_word(out, value);
}

/* at, usual: the field, and the field of the defaults. */
static void put_setting(FILE *out, const struct ecc_train_setting *s, const void *at,
                        const void *usual)
{
    switch (s->kind) {
    case ECC_SETTING_TEXT: {
        const char *const text = *(const char *const *)at, *const plain =
                                                               *(const char *const *)usual;
        if (text && (!plain || strcmp(text, plain) != 0)) put_text(out, s->flag, text);
        return;
    }
    case ECC_SETTING_COUNT:
        if (*(const size_t *)at == *(const size_t *)usual) return;
        fprintf(out, " --%s %zu", s->flag, *(const size_t *)at);
        return;
    case ECC_SETTING_U64:
        if (*(const uint64_t *)at == *(const uint64_t *)usual) return;
        fprintf(out, " --%s %" PRIu64, s->flag, *(const uint64_t *)at);
        return;
    case ECC_SETTING_NUMBER:
        if (isnan(*(const double *)at) || *(const double *)at == *(const double *)usual) return;
        put_number(out, s->flag, *(const double *)at);
        return;
    case ECC_SETTING_FLAG:
        if (*(const bool *)at) fprintf(out, " --%s", s->flag);
        return;
    case ECC_SETTING_CHOICE:
        if (*(const int *)at == *(const int *)usual) return;
        put_text(out, s->flag, s->choices[*(const int *)at]);
        return;
    }
}

void ecc_settings_command(FILE *out, const struct ecc_train_options *options, const char *folder)
{
    struct ecc_train_options usual = ecc_train_defaults(), o = *options;
    if (o.minutes > 0) o.epochs = usual.epochs;
    fputs("eccentric train ", out);
    ecc_put_shell_word(out, o.data);
    fputs(" --out ", out);
    ecc_put_shell_word(out, folder);
    for (size_t i = 0; i < ecc_setting_count; i++) {
        const struct ecc_train_setting *const s = &ecc_settings[i];
        if (!s->flag || s->quiet) continue;
        put_setting(out, s, ecc_setting_at(s, &o), ecc_setting_at(s, &usual));
    }
    if (o.m_rule == ECC_M_GIVEN) put_number(out, "m", o.m);
    if (o.m_rule == ECC_M_EXACT) put_text(out, "m", ecc_m_rule_names[o.m_rule]);
}
