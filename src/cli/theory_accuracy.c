/* theory_accuracy.c: `eccentric theory accuracy`: how close the paper's M brings the radius to
 * sqrt(d) (Figure 1), and the three claims the paper makes of it. */
#include "base/clock.h"
#include "cli/latent.h"
#include "show/theory_figures.h"

struct accuracy_settings {
    struct ecc_common common;
    size_t from, to;
    double step;
    const char *out, *csv;
};

static void accuracy_defaults(void *settings)
{
    struct accuracy_settings *const s = settings;
    s->from = 2;
    s->to = 300;
    s->step = 0.01;
}

static const struct ecc_option accuracy_options[] = {
    {"from", ECC_COUNT, ECC_TO(accuracy_settings, from), "D", "first dimension (default 2)", 2,
     1e5},
    {"to", ECC_COUNT, ECC_TO(accuracy_settings, to), "D", "last dimension (default 300)", 2, 1e5},
    {"step", ECC_NUMBER, ECC_TO(accuracy_settings, step), "S",
     "mu goes from 1 to 2d+1 in steps of S (default 0.01)", 1e-6, 1},
    {"out", ECC_TEXT, ECC_TO(accuracy_settings, out), "FILE", "draw the curve (.png, .svg or .pdf)",
     .writes = ECC_FORMAT_PICTURE},
    {"csv", ECC_TEXT, ECC_TO(accuracy_settings, csv), "FILE", "write the curve as a table",
     .writes = ECC_FORMAT_CSV},
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

/* A claim can be judged if its dimension and some larger ones were computed. */
static const char *verdict(const struct ecc_accuracy_curve *a, const struct ecc_accuracy_claim *c)
{
    const size_t first = ecc_accuracy_holds_from(a, c->percent);
    if ((size_t)a->dim[0] > c->dim || (size_t)a->dim[a->count - 1] < c->dim)
        return "these dimensions do not cover it";
    return first > 0 && first <= c->dim ? "it holds" : "it fails";
}

static void report_text(const struct ecc_accuracy_curve *a, double seconds)
{
    ecc_print("%8s %22s %10s\n", "d", "largest difference, %", "at mu");
    static const size_t shown[] = {2, 3, 4, 8, 11, 12, 16, 37, 38, 64, 116, 117, 128, 256, 300};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        if (shown[i] < (size_t)a->dim[0] || shown[i] > (size_t)a->dim[a->count - 1]) continue;
        const size_t at = shown[i] - (size_t)a->dim[0];
        ecc_print("%8zu %22.6g %10.2f\n", shown[i], a->percent[at], a->worst_mu[at]);
    }
    for (size_t c = 0; c < ECC_ACCURACY_CLAIMS; c++) {
        const struct ecc_accuracy_claim *const claim = &ecc_accuracy_claims[c];
        const size_t first = ecc_accuracy_holds_from(a, claim->percent);
        ecc_print("the paper's claim, within %g%% from d = %zu on: %s", claim->percent, claim->dim,
                  verdict(a, claim));
        if (first > (size_t)a->dim[0]) ecc_print(", from d = %zu on", first);
        ecc_print("\n");
    }
    ecc_print("%zu dimensions in %.1f s\n", a->count, seconds);
}

static enum ecc_status report_json(const struct ecc_accuracy_curve *a, double seconds,
                                   struct ecc_error *error)
{
    json_t *const json = json_object(), *const list = json_array();
    ecc_json_numbers(json, "dim", a->dim, a->count);
    ecc_json_numbers(json, "percent", a->percent, a->count);
    ecc_json_numbers(json, "worst_mu", a->worst_mu, a->count);
    for (size_t c = 0; c < ECC_ACCURACY_CLAIMS; c++) {
        json_t *const claim = json_object();
        ecc_json_number(claim, "percent", ecc_accuracy_claims[c].percent);
        ecc_json_count(claim, "dim_paper", ecc_accuracy_claims[c].dim);
        ecc_json_count(claim, "dim", ecc_accuracy_holds_from(a, ecc_accuracy_claims[c].percent));
        ecc_json_text(claim, "verdict", verdict(a, &ecc_accuracy_claims[c]));
        json_array_append_new(list, claim);
    }
    json_object_set_new(json, "claims", list);
    ecc_json_number(json, "seconds", seconds);
    return ecc_json_print(json, error);
}

static enum ecc_status report(const struct ecc_accuracy_curve *a, double seconds,
                              const struct accuracy_settings *s, struct ecc_error *error)
{
    if (s->out) ECC_TRY(ecc_draw_accuracy(a, s->out, error));
    if (s->csv) {
        static const char *const names[] = {"dim", "percent", "worst_mu"};
        const double *const columns[] = {a->dim, a->percent, a->worst_mu};
        ECC_TRY(ecc_csv_write(s->csv, names, columns, 3, a->count, error));
    }
    if (s->common.json) return report_json(a, seconds, error);
    report_text(a, seconds);
    return ECC_OK;
}

static enum ecc_status accuracy_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    const struct accuracy_settings *const s = settings;
    if (s->from > s->to) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--from is %zu, expected at most --to, %zu",
                        s->from, s->to);
    }
    if (2 * (double)s->to / s->step > 1e9) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--step is %g, too small for d = %zu: expected at most 1e9 values of mu",
                        s->step, s->to);
    }
    return ECC_OK;
}

static enum ecc_status accuracy_run(void *settings, const char *const *operands, size_t count,
                                    struct ecc_error *error)
{
    (void)operands, (void)count;
    const struct accuracy_settings *const s = settings;
    struct ecc_cli_watch watch;
    struct ecc_accuracy_curve curve;
    const double start = ecc_seconds();
    ecc_cli_watch_start(&watch, &s->common);
    enum ecc_status status = ecc_accuracy_curve_compute(
        &curve, s->from, s->to, s->step, (int)s->common.threads, &watch.watch, error);
    ecc_cli_watch_end(&watch);
    if (status == ECC_OK) status = report(&curve, ecc_seconds() - start, s, error);
    ecc_accuracy_curve_release(&curve);
    return status;
}

const struct ecc_command ecc_command_theory_accuracy = {
    .name = "theory accuracy",
    .operands = "",
    .summary = "check how close the paper's M brings the radius to sqrt(d) (Figure 1)",
    .description =
        "For each dimension, computes the largest difference between the stationary radius and "
        "sqrt(d) over mu from 1 to 2d+1, in percent, with the paper's closed form for M. Also "
        "checks the three claims that the paper makes about it.",
    .examples = "  eccentric theory accuracy --out figure1.png --csv figure1.csv\n",
    .options = accuracy_options,
    .settings_size = sizeof(struct accuracy_settings),
    .defaults = accuracy_defaults,
    .check = accuracy_check,
    .run = accuracy_run,
};
