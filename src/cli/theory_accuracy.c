/* theory_accuracy.c: `eccentric theory accuracy`: how close the paper's M brings the radius to
 * sqrt(d) (Figure 1), and the three claims the paper makes of it. */
#include "base/clock.h"
#include "base/threads.h"
#include "cli/output.h"
#include "figure/figure.h"

#include <stdlib.h>

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
    {.name = "from",
     .kind = ECC_COUNT,
     ECC_TO(accuracy_settings, from),
     .value_name = "D",
     .low = 2,
     .high = 1e5,
     .help = "first dimension (default 2)"},
    {.name = "to",
     .kind = ECC_COUNT,
     ECC_TO(accuracy_settings, to),
     .value_name = "D",
     .low = 2,
     .high = 1e5,
     .help = "last dimension (default 300)"},
    {.name = "step",
     .kind = ECC_NUMBER,
     ECC_TO(accuracy_settings, step),
     .value_name = "S",
     .low = 1e-6,
     .high = 1,
     .help = "mu goes from 1 to 2d+1 in steps of S (default 0.01)"},
    {.name = "out",
     .kind = ECC_TEXT,
     ECC_TO(accuracy_settings, out),
     .value_name = "FILE",
     .help = "draw the curve (.png, .svg or .pdf)"},
    {.name = "csv",
     .kind = ECC_TEXT,
     ECC_TO(accuracy_settings, csv),
     .value_name = "FILE",
     .help = "write the curve as a table"},
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

/* "Within `percent` of sqrt(d) for all d >= dim": the claims of the paper's Section 2. */
static const struct {
    double percent;
    size_t dim;
} claims[] = {{0.1, 12}, {0.01, 38}, {0.001, 117}};
enum { CLAIMS = sizeof claims / sizeof claims[0] };

/* One entry for each dimension: [count]. */
struct accuracy {
    size_t count;
    double *dim, *percent, *worst_mu;
    double seconds;
};

/* The smallest dimension from which on all are within the claim, or 0 if the last one is not. */
static size_t holds_from(const struct accuracy *a, double percent)
{
    size_t first = 0;
    for (size_t i = a->count; i > 0 && a->percent[i - 1] <= percent; i--) {
        first = (size_t)a->dim[i - 1];
    }
    return first;
}

/* A claim can be judged when its dimension and some beyond are among those computed. */
static const char *verdict(const struct accuracy *a, size_t claim)
{
    const size_t first = holds_from(a, claims[claim].percent), dim = claims[claim].dim;
    if ((size_t)a->dim[0] > dim || (size_t)a->dim[a->count - 1] < dim)
        return "not among these dimensions";
    return first > 0 && first <= dim ? "it holds" : "it fails";
}

static enum ecc_status compute(struct accuracy *a, const struct accuracy_settings *s,
                               struct ecc_error *error)
{
    struct ecc_progress progress;
    ecc_cli_progress(&progress, &s->common, "accuracy", "dimensions", a->count);
    enum ecc_status status = ECC_OK;
    size_t done = 0;
    const double start = ecc_seconds();
    /* the work grows with d squared: the largest first keeps the threads even to the end */
#pragma omp parallel for schedule(dynamic) num_threads(ecc_threads((int)s->common.threads))
    for (size_t i = 0; i < a->count; i++) {
        const size_t at = a->count - 1 - i;
        struct ecc_error own = {0};
        const enum ecc_status outcome = ecc_theory_accuracy(&a->percent[at], &a->worst_mu[at],
                                                            (size_t)a->dim[at], s->step, &own);
#pragma omp critical
        {
            if (outcome != ECC_OK) status = ecc_fail(error, outcome, "%s", own.text);
            ecc_progress_update(&progress, ++done, NULL);
        }
    }
    ecc_progress_end(&progress, NULL);
    a->seconds = ecc_seconds() - start;
    return status;
}

static enum ecc_status draw(const struct accuracy *a, const char *path, struct ecc_error *error)
{
    const struct ecc_series series = {.x = a->dim, .y = a->percent, .n = a->count, .size = 1.6};
    struct ecc_rule rules[2 * CLAIMS];
    static const char *const labels[CLAIMS] = {"0.1% from d = 12", "0.01% from d = 38",
                                               "0.001% from d = 117"};
    size_t shown = 0;
    for (size_t c = 0; c < CLAIMS; c++) {
        if ((double)claims[c].dim > a->dim[a->count - 1]) continue;
        rules[shown++] = (struct ecc_rule){.at = claims[c].percent, .label = labels[c]};
        rules[shown++] = (struct ecc_rule){.at = (double)claims[c].dim, .vertical = true};
    }
    const struct ecc_panel panel = {
        .chart = {.x = {.label = "latent dimension d", .whole = true},
                  .y = {.label = "|ρ − √d| / √d  in percent", .logarithmic = true},
                  .series = &series,
                  .series_count = 1,
                  .rules = rules,
                  .rule_count = shown},
    };
    const struct ecc_figure figure = {
        .title = "Largest difference between the radius ρ and √d",
        .caption = "the paper's M; maximum over μ from 1 to 2d + 1; lines: the paper's claims",
        .panels = &panel,
        .panel_count = 1,
        .panel_width = 460,
        .panel_height = 320};
    return ecc_figure_write(&figure, path, error);
}

static void report_text(const struct accuracy *a)
{
    printf("%8s %22s %10s\n", "d", "largest difference, %", "at mu");
    static const size_t shown[] = {2, 3, 4, 8, 11, 12, 16, 37, 38, 64, 116, 117, 128, 256, 300};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        if (shown[i] < (size_t)a->dim[0] || shown[i] > (size_t)a->dim[a->count - 1]) continue;
        const size_t at = shown[i] - (size_t)a->dim[0];
        printf("%8zu %22.6g %10.2f\n", shown[i], a->percent[at], a->worst_mu[at]);
    }
    for (size_t c = 0; c < CLAIMS; c++) {
        const size_t first = holds_from(a, claims[c].percent);
        printf("within %g%% from d = %zu on, says the paper: %s", claims[c].percent, claims[c].dim,
               verdict(a, c));
        if (first > (size_t)a->dim[0]) printf(", from d = %zu on", first);
        putchar('\n');
    }
    printf("%zu dimensions in %.1f s\n", a->count, a->seconds);
}

static enum ecc_status report_json(const struct accuracy *a, struct ecc_error *error)
{
    json_t *const json = json_object(), *const list = json_array();
    ecc_json_numbers(json, "dim", a->dim, a->count);
    ecc_json_numbers(json, "percent", a->percent, a->count);
    ecc_json_numbers(json, "worst_mu", a->worst_mu, a->count);
    for (size_t c = 0; c < CLAIMS; c++) {
        json_t *const claim = json_object();
        ecc_json_number(claim, "percent", claims[c].percent);
        ecc_json_count(claim, "dim_paper", claims[c].dim);
        ecc_json_count(claim, "dim", holds_from(a, claims[c].percent));
        ecc_json_text(claim, "verdict", verdict(a, c));
        json_array_append_new(list, claim);
    }
    json_object_set_new(json, "claims", list);
    ecc_json_number(json, "seconds", a->seconds);
    return ecc_json_print(json, error);
}

static enum ecc_status accuracy_of(struct accuracy *a, const struct accuracy_settings *s,
                                   struct ecc_error *error)
{
    ECC_TRY(compute(a, s, error));
    if (s->out) ECC_TRY(draw(a, s->out, error));
    if (s->csv) {
        static const char *const names[] = {"dim", "percent", "worst_mu"};
        const double *const columns[] = {a->dim, a->percent, a->worst_mu};
        ECC_TRY(ecc_csv_write(s->csv, names, columns, 3, a->count, error));
    }
    if (s->common.json) return report_json(a, error);
    report_text(a);
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
    return s->out ? ecc_figure_check_path(s->out, error) : ECC_OK;
}

static enum ecc_status accuracy_run(void *settings, const char *const *operands, size_t count,
                                    struct ecc_error *error)
{
    (void)operands, (void)count;
    const struct accuracy_settings *const s = settings;
    struct accuracy a = {.count = s->to - s->from + 1};
    double *const memory = calloc(3 * a.count, sizeof *memory);
    if (!memory) return ecc_fail_memory(error, "the curve");
    a.dim = memory;
    a.percent = memory + a.count;
    a.worst_mu = memory + 2 * a.count;
    for (size_t i = 0; i < a.count; i++) a.dim[i] = (double)(s->from + i);
    const enum ecc_status status = accuracy_of(&a, s, error);
    free(memory);
    return status;
}

const struct ecc_command ecc_command_theory_accuracy = {
    .name = "theory accuracy",
    .operands = "",
    .summary = "how close the paper's M brings the radius to sqrt(d) (Figure 1)",
    .description =
        "For each dimension, the largest difference between the stationary radius and sqrt(d) over "
        "mu from 1 to 2d+1, with the paper's closed form for M, in percent; and whether the three "
        "claims the paper makes of it hold.",
    .examples = "  eccentric theory accuracy --out figure1.png --csv figure1.csv\n",
    .options = accuracy_options,
    .settings_size = sizeof(struct accuracy_settings),
    .defaults = accuracy_defaults,
    .check = accuracy_check,
    .run = accuracy_run,
};
