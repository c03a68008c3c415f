/*
 * verdict.h: our number beside the paper's: does it agree, and may they be compared at all?
 *
 * Two numbers agree when they differ by at most two deviations, those of both together, and half of
 * the paper's last digit.  What would make the comparison unfair (other data, far fewer items,
 * another net, other features) makes it "not comparable"; what only makes it harder for us (fewer
 * epochs, fewer runs, some items kept aside) is said beside the verdict.
 */
#ifndef ECC_REPRODUCE_VERDICT_H
#define ECC_REPRODUCE_VERDICT_H

#include "reproduce/paper.h"
#include "reproduce/tasks.h"
#include "work/sayings.h"

enum ecc_judgement {
    ECC_AGREES = 0,
    ECC_BETTER,
    ECC_WORSE,
    ECC_DIFFERS, /* where there is no better or worse */
    ECC_NOT_COMPARABLE,
    ECC_NOT_DONE,
    ECC_JUDGEMENTS
};
extern const char *const ecc_judgement_names[ECC_JUDGEMENTS]; /* "agrees", "better", ... */

/* Of a claim in words. */
static inline enum ecc_judgement ecc_holds(bool holds)
{
    return holds ? ECC_AGREES : ECC_DIFFERS;
}

enum ecc_better { ECC_LOWER_IS_BETTER = 0, ECC_HIGHER_IS_BETTER, ECC_NEITHER_IS_BETTER };

/* Of `count` values; none: count 0 and mean NaN. */
struct ecc_measured {
    double mean, deviation;
    size_t count;
};
struct ecc_measured ecc_measure(const double *values, size_t count);

/* digits: how many the paper prints after the point. */
enum ecc_judgement ecc_judge(struct ecc_paper_number paper, struct ecc_measured ours, int digits,
                             enum ecc_better better);

/* ---- Whether it is fair --------------------------------------------------------------------- */

struct ecc_fairness {
    char stops[400];   /* why the numbers cannot be compared; empty: they can */
    char remarks[400]; /* what else is different */
    double epochs_low, epochs_high, epochs_paper; /* of the runs; 0 where as many as the paper's */
};

/* Adds a reason once. */
void ecc_fairness_stop(struct ecc_fairness *fairness, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ecc_fairness_remark(struct ecc_fairness *fairness, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* How finished trainings differ from the paper's on `paper_set`. */
void ecc_fairness_group(struct ecc_fairness *fairness, const struct ecc_repro *r,
                        const struct ecc_group *group, enum ecc_repro_set paper_set);
/* "1 of 3 runs". */
void ecc_fairness_runs(struct ecc_fairness *fairness, size_t ours, size_t paper);

/* The judgement, unless there is a reason not to judge. */
enum ecc_judgement ecc_fair(const struct ecc_fairness *fairness, enum ecc_judgement judgement);
/* Whether something holds between runs, unless some had twice the epochs of others or more. */
enum ecc_judgement ecc_between_runs(const struct ecc_fairness *fairness, bool holds);

/* ---- Words ---------------------------------------------------------------------------------- */

enum { ECC_NUMBER_TEXT = 64, ECC_WHY_TEXT = 900 };

/* All return out. */
/* "2.49 ± 0.05", without a deviation where there is only one value; "–" for none. */
const char *ecc_measured_text(char out[ECC_NUMBER_TEXT], struct ecc_measured value, int digits);
const char *ecc_paper_text(char out[ECC_NUMBER_TEXT], struct ecc_paper_number value, int digits);
/* The reasons and remarks in one line. */
const char *ecc_fairness_text(char out[ECC_WHY_TEXT], const struct ecc_fairness *fairness);

/* The same in arrays that live until the end of the block. */
#define ECC_OURS(value, digits) ecc_measured_text((char[ECC_NUMBER_TEXT]){0}, (value), (digits))
#define ECC_THEIRS(value, digits) ecc_paper_text((char[ECC_NUMBER_TEXT]){0}, (value), (digits))
#define ECC_WHY(fairness) ecc_fairness_text((char[ECC_WHY_TEXT]){0}, (fairness))
/* The rule of ecc_judge for a number that the paper prints without a deviation. */
#define ECC_RULE_ASSUMED "agrees: within two deviations, the paper's taken as %g"

#endif
