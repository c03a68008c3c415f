/* fid.c: `eccentric fid`: how far images are from others: the Frechet distance and KID. */
#include "cli/fid.h"
#include "cli/shared.h"
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const yes_no[] = {"yes", "no", NULL};
enum { KID_YES = 0 };

static void fid_defaults(void *settings)
{
    ((struct ecc_fid_settings *)settings)->mixture = ecc_mixture_defaults();
}

#define TO(field) ECC_TO(ecc_fid_settings, field)

static const struct ecc_option fid_options[] = {
    {.name = "features",
     .kind = ECC_CHOICE,
     TO(features),
     .choices = ecc_fid_feature_names,
     .help =
         "what images are judged by (default auto: Inception for colour, a classifier for grey, "
         "and what a statistics file says)"},
    {.name = "weights",
     .kind = ECC_TEXT,
     TO(weights),
     .value_name = "FILE",
     .help =
         "inception: the network's weights, safetensors (default: where they are usually kept)"},
    {.name = "train",
     .kind = ECC_TEXT,
     TO(train),
     .value_name = "DATA",
     .help = "classifier: the labelled images it learns from (default: the training part of B, or "
             "of A, or a run's own data)"},
    {.name = "train-items",
     .kind = ECC_COUNT,
     TO(train_items),
     .value_name = "N",
     .low = 1,
     .high = 4e9,
     .help = "classifier: the first N of them only (default: all)"},
    {.name = "count",
     .letter = 'n',
     .kind = ECC_COUNT,
     TO(count),
     .value_name = "N",
     .low = 2,
     .high = 1e9,
     .help = "samples of a run (default: as many as the other side has, at most 10000)"},
    {.name = "from",
     .kind = ECC_CHOICE,
     TO(from),
     .choices = ecc_sample_names,
     .help = "runs: what is drawn from, as for `sample` (default: the fitted Gaussian)"},
    ECC_OPTION_GAUSSIANS(ecc_fid_settings, mixture.k),
    {.name = "kid",
     .kind = ECC_CHOICE,
     TO(kid),
     .choices = yes_no,
     .help = "the kernel distance beside it (default yes; statistics files have none)"},
    {.name = "save-statistics",
     .kind = ECC_TEXT,
     TO(save),
     .value_name = "FILE.npz",
     .help = "write mean and covariance of the last operand's features, as pytorch-fid reads them"},
    {.name = "out",
     .kind = ECC_TEXT,
     TO(out),
     .value_name = "FIGURE.png",
     .help = "draw the scores of the runs against their eccentricity (.png, .svg, .pdf)"},
    {.name = "csv",
     .kind = ECC_TEXT,
     TO(csv),
     .value_name = "TABLE.csv",
     .help = "write the scores as a table, too"},
    {.name = "items",
     .kind = ECC_COUNT,
     TO(items),
     .value_name = "N",
     .low = 2,
     .high = 4e9,
     .help = "only the first N images of data"},
    {.name = "crop",
     .kind = ECC_COUNT,
     TO(crop),
     .value_name = "N",
     .low = 1,
     .high = 8192,
     .help = "image folders: cut out the middle, N x N pixels (default: as the run did)"},
    {.name = "size",
     .kind = ECC_COUNT,
     TO(size),
     .value_name = "N",
     .low = 1,
     .high = 8192,
     .help = "image folders: resize to N x N pixels (default: as the run did)"},
    ECC_OPTION_RUN_DATA(ecc_fid_settings, run_data),
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status fid_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    const struct ecc_fid_settings *const s = settings;
    if (operand_count < 2 && !s->save) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "one operand has no score, expected two, or --save-statistics");
    }
    if (operand_count < 2 && (s->out || s->csv)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--out and --csv are for scores");
    }
    if (s->mixture.k > 0 && s->from != ECC_SAMPLE_MIXTURE) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--gaussians is for --from mixture");
    }
    const bool other = s->features != ECC_FID_AUTO;
    if ((s->train || s->train_items) && other && s->features != ECC_FID_CLASSIFIER) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--train is for --features classifier");
    }
    if (s->weights && other && s->features != ECC_FID_INCEPTION) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--weights is for --features inception");
    }
    if ((s->out && s->csv && strcmp(s->out, s->csv) == 0) ||
        (s->save &&
         ((s->out && strcmp(s->save, s->out) == 0) || (s->csv && strcmp(s->save, s->csv) == 0)))) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "two outputs name the same file");
    }
    if (s->csv) ECC_TRY(ecc_check_ending("csv", s->csv, ".csv", error));
    if (s->save) ECC_TRY(ecc_check_ending("save-statistics", s->save, ".npz", error));
    return s->out ? ecc_figure_check_path(s->out, error) : ECC_OK;
}

/* ---- Scores --------------------------------------------------------------------------------- */

/* --count, or as many as the other side has. */
static size_t sample_count(const struct ecc_scoring *g, const struct ecc_fid_side *other)
{
    const size_t there = ecc_fid_side_count(other);
    if (g->settings->count) return g->settings->count;
    return there > 0 && there < ECC_FID_SAMPLES ? there : ECC_FID_SAMPLES;
}

/* Says, where it is so, that there are too few items for their covariance. */
static void warn(struct ecc_fid_score *score, const struct ecc_fid_side *a,
                 const struct ecc_fid_side *b, const struct ecc_common *common)
{
    const struct ecc_statistics *const s = &a->statistics, *const t = &b->statistics;
    const bool few_a = s->count && s->count <= s->size, few_b = t->count && t->count <= t->size;
    if (!few_a && !few_b) return;
    snprintf(score->warning, sizeof score->warning,
             "%.60s has %zu items for %zu features: the FID of so few is too large",
             ecc_short_name(few_a ? a->name : b->name), few_a ? s->count : t->count, s->size);
    if (!common->quiet) fprintf(stderr, "eccentric: %s\n", score->warning);
}

static void describe_run(struct ecc_fid_score *score, const struct ecc_fid_side *side)
{
    const struct ecc_model *const m = side->model;
    score->eccentricity = score->trace = score->lambda = NAN;
    if (!m) return;
    snprintf(score->regularizer, sizeof score->regularizer, "%s", m->options.regularizer);
    score->lambda = strcmp(m->options.regularizer, "none") == 0 ? 0 : ecc_model_lambda(m);
    score->latent = m->d;
    if (side->components.count == 0) return;
    score->eccentricity = side->components.eccentricity;
    score->trace = side->components.trace;
}

/* Of files: that all can be compared, as far as they say; what one says holds for the whole table.
 */
static enum ecc_status compare_identities(struct ecc_scoring *g, const struct ecc_fid_side *a,
                                          const struct ecc_fid_side *b, struct ecc_error *error)
{
    const struct ecc_common *const common = &g->settings->common;
    const struct ecc_statistics *const s = &a->statistics, *const t = &b->statistics;
    if (!g->identity[0]) memcpy(g->identity, s->identity, sizeof g->identity);
    ECC_TRY(ecc_fid_check_identity(s, a->name, g->identity, t->size, common, error));
    return ecc_fid_check_identity(t, b->name, g->identity, s->size, common, error);
}

static enum ecc_status compare(struct ecc_scoring *g, struct ecc_fid_score *score,
                               const struct ecc_fid_side *a, const struct ecc_fid_side *b,
                               struct ecc_error *error)
{
    const struct ecc_fid_settings *const s = g->settings;
    *score = (struct ecc_fid_score){.name = a->name, .kind = a->kind, .items = a->statistics.count};
    describe_run(score, a);
    if (!g->features) ECC_TRY(compare_identities(g, a, b, error));
    warn(score, a, b, &s->common);
    ECC_TRY(ecc_frechet_distance(&score->frechet, &a->statistics, &b->statistics, error));
    score->has_kid = s->kid == KID_YES &&
                     ecc_reservoir_kept(&a->collector.sample) >= ECC_KID_LEAST &&
                     ecc_reservoir_kept(&b->collector.sample) >= ECC_KID_LEAST;
    if (!score->has_kid) return ECC_OK;
    return ecc_collector_kid(&score->kid, &a->collector, &b->collector, s->common.seed, error);
}

/* One operand after another, each let go before the next. */
static enum ecc_status score_all(struct ecc_scoring *g, struct ecc_error *error)
{
    const struct ecc_fid_settings *const s = g->settings;
    struct ecc_fid_side *const b = ecc_fid_reference(g);
    const struct ecc_model *const guide = g->guide ? g->guide->model : NULL;
    ECC_TRY(ecc_fid_side_open(b, guide, s, error));
    if (g->count > 1) ECC_TRY(ecc_fid_side_open(&g->sides[0], guide, s, error));
    /* other samples than those of A, so that a run against itself shows what chance does */
    ECC_TRY(ecc_fid_side_collect(b, g->features, sample_count(g, &g->sides[0]), s->common.seed + 1,
                                 s, error));
    if (!g->features) memcpy(g->identity, b->statistics.identity, sizeof g->identity);
    if (s->save) ECC_TRY(ecc_statistics_write(&b->statistics, s->save, error));
    for (size_t i = 0; i + 1 < g->count; i++) {
        struct ecc_fid_side *const a = &g->sides[i];
        ECC_TRY(ecc_fid_side_open(a, guide, s, error));
        ECC_TRY(ecc_fid_side_collect(a, g->features, sample_count(g, b), s->common.seed, s, error));
        ECC_TRY(compare(g, &g->scores[i], a, b, error));
        if (a != g->guide) ecc_fid_side_release(a);
    }
    return ECC_OK;
}

/* ---- The command ---------------------------------------------------------------------------- */

static enum ecc_status report(const struct ecc_scoring *g, struct ecc_error *error)
{
    const struct ecc_fid_settings *const s = g->settings;
    const struct ecc_fid_side *const b = ecc_fid_reference(g);
    const struct ecc_fid_report r = {.settings = s,
                                     .scores = g->scores,
                                     .count = g->count - 1,
                                     .reference = b->name,
                                     .reference_kind = b->kind,
                                     .reference_items = b->statistics.count,
                                     .identity = g->features ? g->features->identity : g->identity,
                                     .feature_count = b->statistics.size,
                                     .accuracy = g->features ? g->features->accuracy : 0};
    if (s->csv) ECC_TRY(ecc_fid_write_csv(&r, s->csv, error));
    if (s->out) ECC_TRY(ecc_fid_draw(&r, s->out, error));
    return ecc_fid_print(&r, error);
}

/* An operand that is a file must not be written over. */
static enum ecc_status check_outputs(const struct ecc_scoring *g, struct ecc_error *error)
{
    const char *const outputs[] = {g->settings->save, g->settings->csv, g->settings->out};
    for (size_t k = 0; k < g->count * 3; k++) {
        struct stat a, b;
        const char *const output = outputs[k % 3], *const operand = g->sides[k / 3].name;
        char shown[ECC_PATH_SIZE];
        if (!output || stat(output, &a) != 0 || stat(operand, &b) != 0) continue;
        if (a.st_dev != b.st_dev || a.st_ino != b.st_ino) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s would be written over, and it is an operand",
                        ecc_quote_path(shown, operand));
    }
    return ECC_OK;
}

static enum ecc_status fid_run(void *settings, const char *const *operands, size_t count,
                               struct ecc_error *error)
{
    struct ecc_scoring g = {.settings = settings, .count = count};
    g.sides = calloc(count, sizeof *g.sides);
    g.scores = calloc(count, sizeof *g.scores);
    enum ecc_status status = g.sides && g.scores ? ECC_OK : ecc_fail_memory(error, "the operands");
    for (size_t i = 0; status == ECC_OK && i < count; i++) {
        g.sides[i] =
            (struct ecc_fid_side){.name = operands[i], .kind = ecc_fid_kind_of(operands[i])};
    }
    if (status == ECC_OK) status = check_outputs(&g, error);
    if (status == ECC_OK) status = ecc_fid_prepare(&g, error);
    if (status == ECC_OK) status = score_all(&g, error);
    if (status == ECC_OK) status = report(&g, error);
    for (size_t i = 0; g.sides && i < count; i++) ecc_fid_side_release(&g.sides[i]);
    ecc_features_close(g.features);
    free(g.sides);
    free(g.scores);
    return status;
}

const struct ecc_command ecc_command_fid = {
    .name = "fid",
    .operands = "A [A...] B",
    .operand_min = 1,
    .operand_max = 1000,
    .summary = "how far images are from others: Frechet distance (FID) and KID",
    .description =
        "Compares the features of the images of each A with those of B, the reference, by the "
        "Frechet distance of two Gaussians and by the kernel distance KID; 0 is the same.  Each is "
        "a run (of which samples are decoded), data as everywhere, or an .npz with `mu` and "
        "`sigma`, as pytorch-fid writes it.  Scores of different features cannot be compared: the "
        "output says which they are, and statistics files of this program keep it.  The classifier "
        "is trained once and kept in ~/.cache/eccentric ($XDG_CACHE_HOME).  Several runs make a "
        "table, and with --out a picture of score against eccentricity.",
    .examples =
        "  eccentric fid run mnist:test\n"
        "  eccentric fid run-a run-b run-c mnist:test --out scores.png --csv scores.csv\n"
        "  eccentric fid run celeba:test --features inception --weights inception.safetensors\n"
        "  eccentric fid mnist:test --features pixels --save-statistics reference.npz\n"
        "  eccentric fid images/ reference.npz --json\n",
    .options = fid_options,
    .settings_size = sizeof(struct ecc_fid_settings),
    .defaults = fid_defaults,
    .check = fid_check,
    .run = fid_run,
};
