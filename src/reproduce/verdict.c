/* verdict.c: our number beside the paper's: does it agree, and may they be compared at all? */
#include "reproduce/verdict.h"
#include "math/statistics.h"
#include "reproduce/section.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const ecc_judgement_names[ECC_JUDGEMENTS] = {
    "agrees", "better", "worse", "differs", "not comparable", "not done",
};

struct ecc_measured ecc_measure(const double *values, size_t count)
{
    struct ecc_measured m = {NAN, NAN, count};
    if (count > 0) ecc_mean_deviation(&m.mean, &m.deviation, values, count);
    /* of two or three runs the deviation over n would be far too small */
    if (count > 1) m.deviation *= sqrt((double)count / (double)(count - 1));
    return m;
}

enum ecc_judgement ecc_judge(struct ecc_paper_number paper, struct ecc_measured ours, int digits,
                             enum ecc_better better)
{
    if (ours.count == 0 || isnan(ours.mean)) return ECC_NOT_DONE;
    if (isnan(paper.mean)) return ECC_NOT_COMPARABLE;
    const double theirs = isnan(paper.deviation) ? 0 : paper.deviation;
    const double own = ours.count > 1 && !isnan(ours.deviation) ? ours.deviation : 0;
    const double slack = 2 * sqrt(theirs * theirs + own * own) + 0.5 * pow(10, -digits);
    const double more = ours.mean - paper.mean;
    if (fabs(more) <= slack * (1 + 1e-12)) return ECC_AGREES;
    if (better == ECC_NEITHER_IS_BETTER) return ECC_DIFFERS;
    return (more < 0) == (better == ECC_LOWER_IS_BETTER) ? ECC_BETTER : ECC_WORSE;
}

/* ---- Whether it is fair --------------------------------------------------------------------- */

/* Adds to a list of reasons, once each. */
static void add_reason(char *list, size_t size, const char *format, va_list values)
{
    char reason[160];
    vsnprintf(reason, sizeof reason, format, values);
    if (strstr(list, reason)) return;
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", reason);
}

void ecc_fairness_stop(struct ecc_fairness *fairness, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add_reason(fairness->stops, sizeof fairness->stops, format, values);
    va_end(values);
}

void ecc_fairness_remark(struct ecc_fairness *fairness, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add_reason(fairness->remarks, sizeof fairness->remarks, format, values);
    va_end(values);
}

/* What the paper trained on and with. */
static const struct {
    const char *name, *title, *net;
    size_t items;
    double epochs;
} papers[ECC_SETS] = {
    {"mnist", "MNIST", "paper-mnist", ECC_PAPER_MNIST_ITEMS, ECC_PAPER_MNIST_EPOCHS},
    {"celeba", "CelebA", "paper-celeba", ECC_PAPER_CELEBA_ITEMS, ECC_PAPER_CELEBA_EPOCHS},
};

static void add_run(struct ecc_fairness *f, const struct ecc_repro *r, const struct ecc_task *task,
                    enum ecc_repro_set paper_set)
{
    const enum ecc_repro_set set = task->variant.set;
    const double items = ecc_get_number(task->result, "items");
    const double width = task->options.width > 0 ? task->options.width : 1;
    const double epochs = ecc_get_number(task->result, "epochs");
    if (set != paper_set || strcmp(r->data[set].name, papers[set].name) != 0) {
        ecc_fairness_stop(f, "%s instead of %s", ecc_set_title(r, set), papers[paper_set].title);
    }
    /* some kept aside to validate on only make it harder */
    if (items < 0.8 * (double)papers[set].items) {
        ecc_fairness_stop(f, "%.0f of %zu items", items, papers[set].items);
    } else if (items < (double)papers[set].items) {
        ecc_fairness_remark(f, "%.0f of %zu items", items, papers[set].items);
    }
    if (strcmp(task->options.net, papers[set].net) != 0) ecc_fairness_stop(f, "another net");
    if (width != 1) ecc_fairness_stop(f, "a net of %g times the width", width);
    if (epochs >= 0.98 * papers[set].epochs) return;
    f->epochs_low = f->epochs_paper > 0 ? fmin(f->epochs_low, epochs) : epochs;
    f->epochs_high = fmax(f->epochs_high, epochs);
    f->epochs_paper = papers[set].epochs;
}

void ecc_fairness_group(struct ecc_fairness *fairness, const struct ecc_repro *r,
                        const struct ecc_group *group, enum ecc_repro_set paper_set)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct ecc_task *const task = &r->tasks[group->runs[i]];
        if (task->result) add_run(fairness, r, task, paper_set);
    }
}

void ecc_fairness_runs(struct ecc_fairness *fairness, size_t ours, size_t paper)
{
    if (ours < paper) ecc_fairness_remark(fairness, "%zu of %zu runs", ours, paper);
}

enum ecc_judgement ecc_between_runs(const struct ecc_fairness *f, bool holds)
{
    if (f->epochs_paper > 0 && f->epochs_high >= 2 * f->epochs_low) return ECC_NOT_COMPARABLE;
    return holds ? ECC_AGREES : ECC_DIFFERS;
}

enum ecc_judgement ecc_fair(const struct ecc_fairness *fairness, enum ecc_judgement judgement)
{
    return fairness->stops[0] && judgement != ECC_NOT_DONE ? ECC_NOT_COMPARABLE : judgement;
}

/* ---- Words ---------------------------------------------------------------------------------- */

const char *ecc_measured_text(char out[ECC_NUMBER_TEXT], struct ecc_measured value, int digits)
{
    if (value.count == 0 || isnan(value.mean)) {
        snprintf(out, ECC_NUMBER_TEXT, "–");
    } else if (value.count > 1 && !isnan(value.deviation)) {
        snprintf(out, ECC_NUMBER_TEXT, "%.*f ± %.*f", digits, value.mean, digits, value.deviation);
    } else {
        snprintf(out, ECC_NUMBER_TEXT, "%.*f", digits, value.mean);
    }
    return out;
}

const char *ecc_paper_text(char out[ECC_NUMBER_TEXT], struct ecc_paper_number value, int digits)
{
    const size_t count = isnan(value.deviation) ? 1 : 2; /* enough to show the deviation */
    return ecc_measured_text(out, (struct ecc_measured){value.mean, value.deviation, count},
                             digits);
}

const char *ecc_fairness_text(char out[ECC_WHY_TEXT], const struct ecc_fairness *fairness)
{
    const struct ecc_fairness *const f = fairness;
    char epochs[80] = "";
    if (f->epochs_paper > 0 && f->epochs_high < 1.05 * f->epochs_low) {
        snprintf(epochs, sizeof epochs, "%.3g of %.0f epochs", f->epochs_high, f->epochs_paper);
    } else if (f->epochs_paper > 0) {
        snprintf(epochs, sizeof epochs, "%.3g to %.3g of %.0f epochs", f->epochs_low,
                 f->epochs_high, f->epochs_paper);
    }
    const bool more = epochs[0] || f->remarks[0];
    snprintf(out, ECC_WHY_TEXT, "%s%s%s%s%s", f->stops, f->stops[0] && more ? "; " : "", epochs,
             epochs[0] && f->remarks[0] ? ", " : "", f->remarks);
    return out;
}
