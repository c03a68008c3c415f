/* fid.c: `eccentric fid`: the distance between sets of images: FID and KID. */
#include "cli/fid.h"

#include "cli/latent.h"
#include "cli/processes.h"
#include "cli/shared.h"
#include "eccentric_show.h"
#include "evaluate/score.h"
#include "latent/sampler.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const yes_no[] = {"yes", "no", NULL};
enum { KID_YES = 0 };

static void fid_defaults(void *settings)
{
    ((struct ecc_fid_settings *)settings)->score = ecc_score_defaults();
}

#define TO(field) ECC_TO(ecc_fid_settings, field)

/* clang-format off */
static const struct ecc_option fid_options[] = {
    {"features", ECC_CHOICE, TO(features), NULL,
     "what images are compared by (default auto: the features of a statistics file if one is "
     "given, otherwise Inception for colour, or pca without its weights, and a classifier "
     "for grey)", .choices = ecc_score_feature_names},
    {"weights", ECC_TEXT, TO(score.weights), "FILE",
     "inception: the network's weights, safetensors (default: inception.safetensors where data is "
     "searched)"},
    {"test", ECC_TEXT, TO(test), "DATA",
     "the reference B, instead of the last operand: all images of DATA, or a part (DATA:test)"},
    {"train", ECC_TEXT, TO(score.train), "DATA",
     "classifier: the labelled images it learns from; pca: the images its axes are fitted to "
     "(default: the training part of B, of A, or of a run's own data)"},
    {"train-items", ECC_COUNT, TO(score.train_items), "N",
     "classifier, pca: only the first N of these images (default: all)", 1, 4e9},
    {"count", ECC_COUNT, TO(score.count), "N",
     "samples drawn from a run (default: as many as the other side has, at most "
     "10000)", 2, 1e9, .letter = 'n'},
    {"from", ECC_CHOICE, TO(from), NULL,
     "runs: where latents are drawn from, as for `sample` (default: the fitted "
     "Gaussian)", .choices = ecc_sample_names},
    ECC_OPTION_GAUSSIANS(ecc_fid_settings, score.gaussians),
    {"kid", ECC_CHOICE, TO(kid), NULL,
     "also compute KID (default yes; not possible for statistics files)", .choices = yes_no},
    {"save-statistics", ECC_TEXT, TO(score.save), "FILE.npz",
     "write mean and covariance of the last operand's features, in pytorch-fid's format",
     .writes = ECC_FORMAT_NPZ},
    {"out", ECC_TEXT, TO(out), "FIGURE.png",
     "draw the scores of the runs against their eccentricity (.png, .svg, .pdf)",
     .writes = ECC_FORMAT_PICTURE},
    {"csv", ECC_TEXT, TO(csv), "TABLE.csv", "also write the scores as a table",
     .writes = ECC_FORMAT_CSV},
    {"items", ECC_COUNT, TO(score.items), "N", "only the first N images of DATA", 2, 4e9},
    {"crop", ECC_COUNT, TO(score.crop), "N",
     "image folders: crop to the central N x N pixels (default: as the run did)", 1, 8192},
    {"size", ECC_COUNT, TO(score.size), "N",
     "image folders: resize to N x N pixels (default: as the run did)", 1, 8192},
    ECC_OPTION_RUN_DATA(ecc_fid_settings, score.run_data),
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};
/* clang-format on */

static bool same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static enum ecc_status fid_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    const struct ecc_fid_settings *const s = settings;
    const struct ecc_score_options *const o = &s->score;
    const bool single = operand_count < 2 && !s->test;
    if (single && !o->save) {
        return ecc_fail(
            error, ECC_BAD_ARGUMENT,
            "there is only one operand: expected two, or --test DATA, or --save-statistics");
    }
    if (single && (s->out || s->csv)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--out and --csv need scores, so give two operands");
    }
    if (o->gaussians > 0 && s->from != ECC_SAMPLE_MIXTURE) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--gaussians works only with --from mixture");
    }
    const bool given = s->features != ECC_FEATURES_AUTO;
    const bool learns = s->features == ECC_FEATURES_CLASSIFIER || s->features == ECC_FEATURES_PCA;
    if ((o->train || o->train_items) && given && !learns) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--train works only with --features classifier or pca");
    }
    if (o->weights && given && s->features != ECC_FEATURES_INCEPTION) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--weights works only with --features inception");
    }
    if (same(s->out, s->csv) || same(o->save, s->out) || same(o->save, s->csv)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "two outputs name the same file");
    }
    return ECC_OK;
}

/* An operand that is a file must not be overwritten. */
static enum ecc_status check_output(const char *output, const char *operand,
                                    struct ecc_error *error)
{
    struct stat a, b;
    char shown[ECC_PATH_SIZE];
    if (!output || stat(output, &a) != 0 || stat(operand, &b) != 0) return ECC_OK;
    if (a.st_dev != b.st_dev || a.st_ino != b.st_ino) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "%s is an operand and would be overwritten",
                    ecc_quote_path(shown, operand));
}

static enum ecc_status check_operands(const struct ecc_fid_settings *s, const char *const *operands,
                                      size_t count, struct ecc_error *error)
{
    bool has_run = false;
    for (size_t i = 0; i < count; i++) {
        ECC_TRY(check_output(s->score.save, operands[i], error));
        ECC_TRY(check_output(s->csv, operands[i], error));
        ECC_TRY(check_output(s->out, operands[i], error));
        has_run |= i + 1 < count && ecc_score_kind_of(operands[i]) == ECC_SCORE_RUN;
    }
    if (!s->out || has_run) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "--out draws scores against eccentricity: at least one operand must be a run");
}

static enum ecc_status score(struct ecc_score_table *table, const struct ecc_fid_settings *s,
                             const char *const *names, size_t count, struct ecc_error *error)
{
    struct ecc_score_options options = s->score;
    options.features = (enum ecc_score_features)s->features;
    options.from = (enum ecc_sample_from)s->from;
    options.kid = s->kid == KID_YES;
    options.components = s->out || s->csv;
    options.seed = s->common.seed;
    options.threads = (int)s->common.threads;
    options.team = ecc_processes();
    struct ecc_score_operand *const operands = calloc(count + 1, sizeof *operands);
    if (!operands) return ecc_fail_memory(error, "the operands");
    for (size_t i = 0; i < count; i++) operands[i].name = names[i];
    struct ecc_cli_watch cli;
    ecc_cli_watch_start(&cli, &s->common);
    const enum ecc_status status =
        ecc_score_images(table, operands, count, &options, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    free(operands);
    return status;
}

static enum ecc_status fid(const struct ecc_fid_settings *s, const char *const *operands,
                           size_t count, struct ecc_error *error)
{
    struct ecc_score_table table;
    ECC_TRY(check_operands(s, operands, count, error));
    ECC_TRY(score(&table, s, operands, count, error));
    const bool writes = ecc_team_rank(ecc_processes()) == 0;
    enum ecc_status status = ECC_OK;
    if (s->csv && writes) status = ecc_fid_write_csv(&table, s->csv, error);
    if (status == ECC_OK && s->out && writes) status = ecc_draw_scores(&table, s->out, error);
    if (status == ECC_OK) status = ecc_fid_print(&table, s, error);
    ecc_score_table_release(&table);
    return status;
}

static enum ecc_status fid_run(void *settings, const char *const *operands, size_t count,
                               struct ecc_error *error)
{
    const struct ecc_fid_settings *const s = settings;
    if (!s->test) return fid(s, operands, count, error);
    enum ecc_split split;
    const bool part = ecc_data_names_part(s->test, &split);
    char *const test = part ? strdup(s->test) : ecc_data_part_name(s->test, "all");
    const char **const all = malloc((count + 1) * sizeof *all);
    if (test && all) {
        memcpy(all, operands, count * sizeof *all);
        all[count] = test;
    }
    const enum ecc_status status =
        test && all ? fid(s, all, count + 1, error) : ecc_fail_memory(error, "the operands");
    free(test);
    free(all);
    return status;
}

const struct ecc_command ecc_command_fid = {
    .name = "fid",
    .operands = "A [A...] B",
    .operand_min = 1,
    .operand_max = 1000,
    .summary = "score images by Frechet distance (FID) and kernel distance (KID)",
    .description =
        "Compares the images of each A with those of B, the reference. FID is the Frechet "
        "distance between Gaussians fitted to features of the images, KID a kernel distance; 0 "
        "means the same distribution. A and B can be a run (samples are drawn from it), DATA, or "
        "an .npz file with `mu` and `sigma`, as written by pytorch-fid. Several runs give a table "
        "and, with --out, a picture of score against eccentricity.\n\nScores of different "
        "features cannot be compared, so the output and statistics files name the features. The "
        "classifier is trained once and kept in ~/.cache/eccentric ($XDG_CACHE_HOME).\n\nScores of "
        "colour images are comparable with published ones only by Inception-v3. Its weights are "
        "not part of this program: convert pytorch-fid's with scripts/inception_to_safetensors.py "
        "and give them with --weights. Without them, colour images are compared by up to 256 "
        "principal components of their pixels (pca). Such scores compare only with others along "
        "the same axes, which statistics files contain.\n\nmpirun -n P or srun before the command "
        "shares the images among P processes (docs/cluster.md).",
    .examples =
        "  eccentric fid run mnist:test\n"
        "  eccentric fid run-a run-b run-c mnist:test --out scores.png --csv scores.csv\n"
        "  eccentric fid run celeba:test --features inception --weights inception.safetensors\n"
        "  eccentric fid mnist:test --features pixels --save-statistics reference.npz\n"
        "  eccentric fid images/ reference.npz --json\n",
    .together = true,
    .options = fid_options,
    .settings_size = sizeof(struct ecc_fid_settings),
    .defaults = fid_defaults,
    .check = fid_check,
    .run = fid_run,
};
