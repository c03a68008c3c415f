/* sample.c: `eccentric sample`: new items from a latent space, and paths between items. */
#include "base/npy.h"
#include "base/text.h"
#include "cli/latent.h"
#include "cli/sample.h"
#include "evaluate/two_stage.h"
#include "show/item_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BY_THE_RUN = -1 }; /* nothing was asked for */

static void sample_defaults(void *settings)
{
    struct ecc_sample_settings *const s = settings;
    s->mixture = ecc_mixture_defaults();
    s->from = BY_THE_RUN;
}

#define TO(field) ECC_TO(ecc_sample_settings, field)

static const struct ecc_option sample_options[] = {
    {"out", ECC_TEXT, TO(out), "DIR|SHEET.png|X.npy",
     "a folder of PNG files, a sheet (.png, .svg, .pdf), a moving picture (.apng), .npy, .npz (x, "
     "z), or .csv for tables",
     .required = true, .writes = ECC_ITEM_FORMATS},
    {"count", ECC_COUNT, TO(count), "N",
     "number of samples (default 100); with --path, --sweep and --tour, steps from one place to "
     "the next "
     "(default 12)",
     1, 1e9, .letter = 'n'},
    {"from", ECC_CHOICE, TO(from), NULL,
     "where latents are drawn from: the Gaussian fitted to the training latents, the standard "
     "normal, the sphere (of the run's own radius for svae and sphere, else sqrt(d)), a mixture "
     "of Gaussians fitted to the training latents, or a second VAE that is trained on them once "
     "and kept in RUN/two-stage (default: sphere for runs of svae and sphere, else gaussian)",
     .choices = ecc_sample_names},
    ECC_OPTION_GAUSSIANS(ecc_sample_settings, mixture.k),
    {"steps", ECC_COUNT, TO(steps), "N", "of the training of that second VAE (default 3000)", 1,
     1e9},
    {"components", ECC_TEXT, TO(list), "p1,p3-p5",
     "vary only these components; the others stay at the mean"},
    {"truncation", ECC_NUMBER, TO(truncation), "T",
     "redraw latents beyond T deviations: more typical, less varied", 0.01, 100},
    {"path", ECC_TEXT, TO(path), "A,B,...",
     "go from item A of DATA to item B, and so on, instead of drawing latents (the first item is "
     "0)"},
    {"sweep", ECC_TEXT, TO(sweep), "p1,p3-p5",
     "go along these components, one after the other, three deviations to each side of the mean, "
     "instead of drawing latents; a film with --out x.apng"},
    {"tour", ECC_TEXT, TO(tour), "p1,p2",
     "go around the map of two components, two deviations from the mean, and with more of them "
     "around the map of the first and each other, instead of drawing latents; a film without an "
     "end with --out x.apng"},
    {"spherical", ECC_FLAG, TO(spherical), NULL,
     "with --path: turn around the mean instead of going straight"},
    {"columns", ECC_COUNT, TO(columns), "N",
     "images per row of the sheet (default: about square; with --path, one row from each item to "
     "the next)",
     1, ECC_SHEET_MOST},
    {"latents", ECC_TEXT, TO(latents), "Z.npy", "also write the latents", .writes = ECC_FORMAT_NPY},
    ECC_OPTION_RUN_DATA(ecc_sample_settings, data),
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status sample_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    const struct ecc_sample_settings *const s = settings;
    const char *const way = s->path ? "path" : s->sweep ? "sweep" : s->tour ? "tour" : NULL;
    if (way && (s->from > 0 || s->truncation > 0 || s->list)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--%s draws nothing at random: it cannot be combined with --from, "
                        "--truncation and --components",
                        way);
    }
    if ((s->path != NULL) + (s->sweep != NULL) + (s->tour != NULL) > 1) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--%s cannot be combined with --%s", way,
                        s->path && s->sweep ? "sweep" : "tour");
    }
    if (!s->path && (operand_count > 1 || s->spherical)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s works only with --path",
                        s->spherical ? "--spherical" : "DATA");
    }
    if (s->mixture.k > 0 && s->from != ECC_SAMPLE_MIXTURE) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--gaussians works only with --from mixture");
    }
    if (s->steps > 0 && s->from != ECC_SAMPLE_TWO_STAGE) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--steps works only with --from two-stage");
    }
    if ((s->truncation > 0 || s->list) && s->from == ECC_SAMPLE_TWO_STAGE) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--from two-stage cannot be combined with --truncation and --components");
    }
    if (s->truncation > 0 && s->from == ECC_SAMPLE_SPHERE) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--truncation cannot be combined with --from sphere: all its points have "
                        "the same radius");
    }
    if (s->latents && strcmp(s->latents, s->out) == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--out and --latents name the same file");
    }
    return ECC_OK;
}

/* ---- Distributions --------------------------------------------------------------------- */

/* Fills latents first .. first + n - 1, from the sampler or along the path. */
static enum ecc_status make_latents(const struct ecc_sampling *g, float *z, size_t first, size_t n,
                                    struct ecc_error *error)
{
    if (!g->stations) return ecc_sampler_draw(&g->sampler, z, first, n, error);
    const size_t d = g->components.d;
    for (size_t i = 0; i < n; i++) {
        const size_t leg = (first + i) / g->steps, step = (first + i) % g->steps;
        const double t = g->steps > 1 ? (double)step / (double)(g->steps - 1) : 0;
        ecc_interpolate(z + i * d, g->stations + leg * d, g->stations + (leg + 1) * d,
                        g->components.mean, d, t, g->spherical);
    }
    return ECC_OK;
}

/* ---- Output --------------------------------------------------------------------------------- */

static enum ecc_status stream(struct ecc_sampling *g, struct ecc_item_output *output,
                              struct ecc_npy_writer *latents, float *memory,
                              const struct ecc_common *common, struct ecc_error *error)
{
    struct ecc_model *const m = g->model;
    float *const z = memory, *const x = memory + m->batch * m->d;
    struct ecc_progress progress;
    ecc_catch_interrupt();
    ecc_cli_progress(&progress, common, "sample", "items", g->count);
    enum ecc_status status = ECC_OK;
    for (size_t done = 0; status == ECC_OK && done < g->count; done += m->batch) {
        const size_t n = g->count - done < m->batch ? g->count - done : m->batch;
        status = make_latents(g, z, done, n, error);
        if (status == ECC_OK && latents) status = ecc_npy_writer_append(latents, z, n, error);
        if (status == ECC_OK) status = ecc_model_decode(m, x, z, n, error);
        if (status == ECC_OK) status = ecc_item_output_add(output, x, z, n, error);
        if (status == ECC_OK && ecc_interrupted()) {
            status = ecc_fail(error, ECC_INTERRUPTED, "interrupted after %zu of %zu items",
                              done + n, g->count);
        }
        ecc_progress_update(&progress, done + n, NULL);
    }
    ecc_progress_end(&progress, NULL);
    return status;
}

static enum ecc_status write_all(struct ecc_sampling *g, const struct ecc_sample_settings *s,
                                 struct ecc_item_output *output, struct ecc_error *error)
{
    struct ecc_npy_writer latents = {0};
    const struct ecc_model *const m = g->model;
    float *const memory = malloc(m->batch * (m->d + m->size) * sizeof *memory);
    enum ecc_status status = memory ? ECC_OK : ecc_fail_memory(error, "a batch of items");
    if (status == ECC_OK && s->latents) {
        status = ecc_npy_writer_open_rows(&latents, s->latents, ECC_F4, g->count, &m->d, 1, error);
    }
    if (status == ECC_OK) {
        status = stream(g, output, s->latents ? &latents : NULL, memory, &s->common, error);
    }
    if (status == ECC_OK) status = ecc_item_output_finish(output, error);
    if (status == ECC_OK && s->latents) status = ecc_npy_writer_commit(&latents, error);
    ecc_npy_writer_discard(&latents);
    free(memory);
    return status;
}

static void title_of(char title[120], const struct ecc_sampling *g,
                     const struct ecc_sample_settings *s)
{
    if (g->stations) {
        snprintf(title, 120,
                 s->sweep  ? "Along components"
                 : s->tour ? "Around the map"
                           : "Paths between items");
    } else if (g->sampler.from == ECC_SAMPLE_MIXTURE) {
        snprintf(title, 120, "Samples from a mixture of %zu Gaussians", g->mixture.k);
    } else {
        snprintf(title, 120, "Samples from %s", ecc_sample_words[g->sampler.from]);
    }
}

static void caption_of(char caption[200], const struct ecc_sampling *g,
                       const struct ecc_sample_settings *s)
{
    const char *const run = ecc_short_name(g->model->run->directory);
    int length = snprintf(caption, 200, "%.60s", run);
    if (s->sweep || s->tour) return;
    if (g->stations) {
        snprintf(caption + length, 200 - (size_t)length, ", %s",
                 s->spherical ? "on arcs around the mean" : "along straight lines");
        return;
    }
    length += snprintf(caption + length, 200 - (size_t)length, ", seed %zu", s->common.seed);
    if (s->list) {
        length += snprintf(caption + length, 200 - (size_t)length, ", along %.40s", s->list);
    }
    if (s->truncation > 0) {
        snprintf(caption + length, 200 - (size_t)length, ", within %g deviations", s->truncation);
    }
}

static enum ecc_status report(const struct ecc_sampling *g, const struct ecc_sample_settings *s,
                              struct ecc_error *error)
{
    const bool mixed = g->sampler.from == ECC_SAMPLE_MIXTURE;
    if (!s->common.json) {
        if (mixed) {
            ecc_print("mixture of %zu Gaussian%s, log-likelihood %.4f, BIC %.1f\n", g->mixture.k,
                      ecc_s(g->mixture.k), g->mixture.log_likelihood, g->mixture.bic);
        }
        ecc_print("%zu item%s in %s\n", g->count, ecc_s(g->count), s->out);
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_text(json, "run", g->model->run->directory);
    ecc_json_text(json, "out", s->out);
    ecc_json_count(json, "items", g->count);
    ecc_json_text(json, "from",
                  s->sweep      ? "sweep"
                  : s->tour     ? "tour"
                  : g->stations ? "path"
                                : ecc_sample_names[g->sampler.from]);
    ecc_json_count(json, "seed", s->common.seed);
    if (mixed) {
        ecc_json_count(json, "gaussians", g->mixture.k);
        ecc_json_number(json, "log_likelihood", g->mixture.log_likelihood);
        ecc_json_number(json, "bic", g->mixture.bic);
        ecc_json_flag(json, "converged", g->mixture.converged);
    }
    return ecc_json_print(json, error);
}

/* ---- The command ---------------------------------------------------------------------------- */

/* Latents that lie on a sphere were to be uniform there. */
static enum ecc_status choose_source(struct ecc_sampling *g, const struct ecc_sample_settings *s,
                                     struct ecc_error *error)
{
    const enum ecc_sample_from usual = ecc_model_sampler(g->model, NULL, 0).from;
    g->sampler.from = s->from != BY_THE_RUN ? (enum ecc_sample_from)s->from : usual;
    if (s->from != BY_THE_RUN || usual != ECC_SAMPLE_SPHERE || s->truncation <= 0 || s->path) {
        return ECC_OK;
    }
    return ecc_wrong_usage(ecc_fail(error, ECC_BAD_ARGUMENT,
                                    "the latents of this run are drawn from a sphere, which "
                                    "--truncation does not change: add --from gaussian"));
}

/* Loads the components if they are needed: computing them takes the run's training data. */
static enum ecc_status find_components(struct ecc_sampling *g, const struct ecc_sample_settings *s,
                                       struct ecc_error *error)
{
    if (s->path || s->sweep || s->tour || s->list || g->sampler.from == ECC_SAMPLE_GAUSSIAN) {
        return ecc_cli_components(&g->components, g->model, s->data, &s->common, error);
    }
    return ECC_OK;
}

static enum ecc_status fit_mixture(struct ecc_sampling *g, const struct ecc_sample_settings *s,
                                   struct ecc_error *error)
{
    struct ecc_mixture_options options = s->mixture;
    struct ecc_cli_watch cli;
    options.seed = s->common.seed;
    ecc_cli_watch_start(&cli, &s->common);
    const enum ecc_status status =
        ecc_model_mixture(g->model, &g->mixture, s->data, &options, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    return status;
}

static enum ecc_status train_second(struct ecc_sampling *g, const struct ecc_sample_settings *s,
                                    struct ecc_error *error)
{
    const struct ecc_two_stage_options options = {
        .data = s->data, .steps = s->steps, .threads = (size_t)s->common.threads};
    struct ecc_cli_watch cli;
    ecc_cli_watch_start(&cli, &s->common);
    const enum ecc_status status =
        ecc_two_stage_open(&g->two_stage, g->model, &options, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    g->sampler.draw = ecc_two_stage_draw;
    g->sampler.context = g->two_stage;
    return status;
}

static enum ecc_status prepare(struct ecc_sampling *g, const struct ecc_sample_settings *s,
                               const char *what, struct ecc_error *error)
{
    g->count = s->count ? s->count : 100;
    if (s->list) {
        ECC_TRY(
            ecc_components_parse(&g->list, &g->sampler.list_count, s->list, g->model->d, error));
    }
    ECC_TRY(choose_source(g, s, error));
    ECC_TRY(find_components(g, s, error));
    if (s->path) return ecc_sample_path(g, s, what, error);
    if (s->sweep || s->tour) return ecc_sample_sweep(g, s, error);
    g->sampler.d = g->model->d;
    g->sampler.components = g->components.d > 0 ? &g->components : NULL;
    g->sampler.mixture = &g->mixture;
    g->sampler.list = g->list;
    g->sampler.truncation = s->truncation;
    g->sampler.radius = ecc_model_radius(g->model);
    g->sampler.seed = s->common.seed;
    if (s->from == ECC_SAMPLE_TWO_STAGE) return train_second(g, s, error);
    return s->from == ECC_SAMPLE_MIXTURE ? fit_mixture(g, s, error) : ECC_OK;
}

static enum ecc_status sample(struct ecc_sampling *g, const struct ecc_sample_settings *s,
                              const char *what, struct ecc_error *error)
{
    struct ecc_item_output *output;
    char title[120], caption[200];
    ECC_TRY(ecc_wrong_usage(ecc_item_output_check(s->out, g->model, error)));
    ECC_TRY(prepare(g, s, what, error));
    title_of(title, g, s);
    caption_of(caption, g, s);
    const struct ecc_output_words words = {.title = title,
                                           .caption = caption,
                                           .columns = s->columns    ? s->columns
                                                      : g->stations ? g->steps
                                                                    : 0,
                                           .row_names = s->columns ? NULL : g->row_names};
    ECC_TRY(ecc_item_output_create(&output, s->out, g->model, g->count, &words, error));
    enum ecc_status status = write_all(g, s, output, error);
    ecc_item_output_free(output);
    return status == ECC_OK ? report(g, s, error) : status;
}

static enum ecc_status sample_run(void *settings, const char *const *operands, size_t count,
                                  struct ecc_error *error)
{
    const struct ecc_sample_settings *const s = settings;
    struct ecc_sampling g = {0};
    ECC_TRY(ecc_cli_open(&g.model, operands[0], &s->common, error));
    const enum ecc_status status = sample(&g, s, count > 1 ? operands[1] : NULL, error);
    ecc_components_release(&g.components);
    ecc_mixture_release(&g.mixture);
    ecc_two_stage_close(g.two_stage);
    ecc_model_close(g.model);
    free(g.list);
    free(g.stations);
    free(g.row_names);
    free(g.row_texts);
    return status;
}

const struct ecc_command ecc_command_sample = {
    .name = "sample",
    .operands = "RUN [DATA]",
    .operand_min = 1,
    .operand_max = 2,
    .summary = "draw new items, or a path between items",
    .description =
        "Draws latents and decodes them to new items. Latent i depends only on the seed and on i, "
        "so the same command gives the same items, and a longer list begins with the shorter one. "
        "With --path, goes from item to item of DATA (default: the training part of the run's "
        "data) through the latent space. The ending of --out sets the format: .npy, .npz "
        "(items x, latents z), a sheet (.png, .svg, .pdf), .csv for tables, or a folder of images.",
    .examples =
        "  eccentric sample run -n 100 --out sheet.png\n"
        "  eccentric sample run -n 10000 --from mixture --seed 7 --out samples.npy\n"
        "  eccentric sample run --components p1-p3 --truncation 1.5 --out images/\n"
        "  eccentric sample run --tour p1-p3 --out tour.apng\n"
        "  eccentric sample run mnist:test --path 3,18,61 -n 12 --spherical --out path.png\n",
    .options = sample_options,
    .settings_size = sizeof(struct ecc_sample_settings),
    .defaults = sample_defaults,
    .check = sample_check,
    .run = sample_run,
};
