/*
 * choice.h: a regularizer with options of its own, chosen by a text such as "mhe:s=2:half=yes".
 */
#ifndef ECC_REGULARIZER_CHOICE_H
#define ECC_REGULARIZER_CHOICE_H

#include "regularizer/regularizer.h"

struct ecc_regularizer_choice {
    const struct ecc_regularizer *entry;
    double own[ECC_REGULARIZER_OPTIONS]; /* in the order of entry->options */
};

/* "NAME", or "NAME:OPTION=VALUE:..."; options that are not named have their usual values. */
enum ecc_status ecc_regularizer_read(struct ecc_regularizer_choice *choice, const char *text,
                                     struct ecc_error *error);

/* The usual values of all options. */
void ecc_regularizer_usual(double own[ECC_REGULARIZER_OPTIONS],
                           const struct ecc_regularizer *entry);

/* Whether the text chooses the regularizer with this name. */
bool ecc_regularizer_is(const char *text, const char *name);

/* Whether it is `vae` with gamma=learned: lambda then follows from the squared error. */
bool ecc_vae_learns_noise(const struct ecc_regularizer_choice *choice);

/* Lambda unless somebody asks for another. */
double ecc_regularizer_lambda(const struct ecc_regularizer *entry);

/* Bound to nothing and without a state: for `means`, and to know what the net is to hold. */
struct ecc_regularizer_plan ecc_regularizer_chosen(const struct ecc_regularizer_choice *choice,
                                                   size_t d);

#endif
