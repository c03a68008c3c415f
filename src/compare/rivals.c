/* rivals.c: the methods to compare, the weights to try for each, and the choice among them. */
#include "compare/rivals.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double ecc_sweep_share = 0.2;
static const double decades = 2; /* that the weights to try span */

/* ---- Reading -------------------------------------------------------------------------------- */

/* Takes ":lambda=L" out of the text, if it is there. */
static enum ecc_status take_lambda(struct ecc_rival *rival, struct ecc_error *error)
{
    static const char key[] = ":lambda=";
    char *const at = strstr(rival->text, key), number[40] = "";
    if (!at) return ECC_OK;
    char *const value = at + strlen(key);
    const size_t length = strcspn(value, ":");
    if (length < sizeof number) memcpy(number, value, length);
    if (!ecc_parse_double(number, &rival->lambda) ||
        !(rival->lambda >= 0 && rival->lambda <= 1e6)) {
        char quoted[ECC_QUOTE_SIZE];
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "lambda of a method is %s, expected a number from 0 to 1000000",
                        ecc_quote(quoted, value, length));
    }
    rival->given = true;
    memmove(at, value + length, strlen(value + length) + 1);
    return ECC_OK;
}

static enum ecc_status add_rival(struct ecc_rivals *rivals, const char *word, size_t length,
                                 struct ecc_error *error)
{
    struct ecc_regularizer_choice choice;
    struct ecc_rival rival = {.given = false};
    char quoted[ECC_QUOTE_SIZE];
    if (length == 0 || length >= ECC_RIVAL_TEXT || rivals->count == ECC_RIVALS) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the list of methods has %s, expected names with commas between them, at "
                        "most %d",
                        length == 0                ? "an empty name"
                        : length >= ECC_RIVAL_TEXT ? "a name that is too long"
                                                   : "too many names",
                        ECC_RIVALS);
    }
    memcpy(rival.text, word, length);
    ECC_TRY(take_lambda(&rival, error));
    ECC_TRY(ecc_regularizer_read(&choice, rival.text, error));
    rival.entry = choice.entry;
    if (rival.given && rival.entry->no_lambda) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "method %s has no lambda: leave :lambda= out",
                        rival.entry->name);
    }
    if (!rival.given) rival.lambda = ecc_regularizer_lambda(rival.entry);
    for (size_t i = 0; i < rivals->count; i++) {
        const struct ecc_rival *const other = &rivals->list[i];
        if (strcmp(other->text, rival.text) != 0) continue;
        if (other->given && rival.given && other->lambda != rival.lambda) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT, "method %s is named twice",
                        ecc_quote(quoted, rival.text, strlen(rival.text)));
    }
    rivals->list[rivals->count++] = rival;
    return ECC_OK;
}

enum ecc_status ecc_rivals_read(struct ecc_rivals *rivals, const char *words,
                                struct ecc_error *error)
{
    rivals->count = 0;
    if (strcmp(words, "all") == 0) {
        for (size_t i = 0; ecc_regularizers[i]; i++) {
            const char *const name = ecc_regularizers[i]->name;
            ECC_TRY(add_rival(rivals, name, strlen(name), error));
        }
        return ECC_OK;
    }
    for (const char *at = words;; at++) {
        const size_t length = strcspn(at, ",");
        ECC_TRY(add_rival(rivals, at, length, error));
        at += length;
        if (!*at) return ECC_OK;
    }
}

/* ---- Choosing ------------------------------------------------------------------------------- */

size_t ecc_rival_lambdas(double lambdas[ECC_LAMBDAS], const struct ecc_rival *rival, size_t count)
{
    const bool fixed = rival->given || rival->entry->no_lambda;
    if (count > ECC_LAMBDAS) count = ECC_LAMBDAS;
    if (fixed || count < 2) {
        lambdas[0] = rival->lambda;
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        const double exponent = decades * ((double)i / (double)(count - 1) - 0.5);
        char text[32];
        /* as few digits as name a run */
        snprintf(text, sizeof text, "%.3g", rival->lambda * pow(10, exponent));
        lambdas[i] = exponent == 0 ? rival->lambda : strtod(text, NULL);
    }
    return count;
}

static double distance(double lambda, double usual)
{
    return fabs(log(fmax(lambda, 1e-300) / fmax(usual, 1e-300)));
}

size_t ecc_rival_choose(const double *scores, const double *lambdas, size_t count, double usual)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        if (isnan(scores[i])) continue;
        const bool better = best == count || scores[i] < scores[best] ||
                            (scores[i] == scores[best] &&
                             distance(lambdas[i], usual) < distance(lambdas[best], usual));
        if (better) best = i;
    }
    return best;
}

/* ---- Time ----------------------------------------------------------------------------------- */

static double round_down(double value)
{
    if (!(value > 1)) return 1;
    const double unit = pow(10, floor(log10(value)) - 1);
    return fmax(1, floor(value / unit * (1 + 1e-12)) * unit);
}

double ecc_rival_epochs(const double *seconds, const size_t *shorts, size_t count, size_t longs,
                        double budget)
{
    double each = 0;
    for (size_t i = 0; i < count; i++) {
        each += seconds[i] * ((double)longs + ecc_sweep_share * (double)shorts[i]);
    }
    return round_down(each > 0 ? budget / each : 1);
}
