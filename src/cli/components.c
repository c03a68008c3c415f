/* components.c: `eccentric components`: the deep principal components of one run or several. */
#include "eccentric_show.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/latent.h"
#include "model/product.h"
#include "show/item_output.h"
#include "show/meaning_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 64,  /* components in pictures by default */
    COLUMNS = 6, /* of a table, named with a component */
};

struct components_settings {
    struct ecc_common common;
    const char *out, *list, *data;
    size_t strip, stability;
    double deviations;
    int format;
};

static const char *const format_names[] = {"png", "svg", "pdf", NULL};

static const struct ecc_option components_options[] = {
    {"out", ECC_TEXT, ECC_TO(components_settings, out), "DIR",
     "where to write pictures, and meaning.csv of a table (default: RUN/figures)",
     .writes = ECC_FORMAT_FOLDER},
    {"format", ECC_CHOICE, ECC_TO(components_settings, format), NULL,
     "format of the pictures (default png)", .choices = format_names},
    {"components", ECC_TEXT, ECC_TO(components_settings, list), "p1,p3-p5",
     "which components to draw (default: the first 64)"},
    {"deviations", ECC_NUMBER, ECC_TO(components_settings, deviations), "K",
     "how far to go from the mean, in standard deviations (default 2; tables: 1)", 0, 100,
     .above_low = true},
    {"strip", ECC_COUNT, ECC_TO(components_settings, strip), "N",
     "images: also draw N steps along each component", 2, 101},
    {"stability", ECC_COUNT, ECC_TO(components_settings, stability), "N",
     "train the run again until there are N, for at most 3,000 steps each with other seeds, and "
     "say how far its components come out again",
     2, 20},
    ECC_OPTION_RUN_DATA(components_settings, data),
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

/* One run and its results; the meaning only for tables. */
struct entry {
    struct ecc_model *model;
    struct ecc_components components;
    size_t *list, list_count;
    double *singular_values; /* [latent] of irmae's product, else NULL */
    struct ecc_meaning meaning;
    struct ecc_runs_alignment again; /* run_count 0: not asked for */
    char *pictures[4];
    size_t picture_count;
};

static void release_entry(struct entry *e)
{
    ecc_model_close(e->model);
    ecc_components_release(&e->components);
    free(e->list);
    free(e->singular_values);
    ecc_meaning_release(&e->meaning);
    ecc_runs_alignment_release(&e->again);
    for (size_t i = 0; i < e->picture_count; i++) free(e->pictures[i]);
}

/* ---- Pictures ------------------------------------------------------------------------------- */

/* "DIR/name.png", with the number of the run if several runs share a folder; ending: NULL, or
 * another than that of pictures. */
static enum ecc_status result_path(char **path, struct entry *e,
                                   const struct components_settings *s, const char *name,
                                   const char *ending, size_t number, struct ecc_error *error)
{
    char file[64];
    const char *const folder = s->out ? s->out : e->model->run->figures;
    const char *const format = ending ? ending : format_names[s->format];
    if (s->out && number > 0) {
        snprintf(file, sizeof file, "%s-%zu.%s", name, number, format);
    } else {
        snprintf(file, sizeof file, "%s.%s", name, format);
    }
    ECC_TRY(ecc_make_directory(folder, error));
    *path = ecc_path_join(folder, file);
    if (!*path) return ecc_fail_memory(error, "a path");
    e->pictures[e->picture_count++] = *path;
    return ECC_OK;
}

static enum ecc_status draw_table(struct entry *e, const struct components_settings *s,
                                  size_t number, struct ecc_error *error)
{
    char *path;
    const struct ecc_meaning_options options = {e->list, e->list_count, s->deviations};
    ECC_TRY(ecc_model_meaning(&e->meaning, e->model, &e->components, &options, error));
    ECC_TRY(result_path(&path, e, s, "meaning", NULL, number, error));
    ECC_TRY(ecc_draw_meaning(&e->meaning, path, error));
    ECC_TRY(result_path(&path, e, s, "meaning", "csv", number, error));
    return ecc_write_meaning(&e->meaning, path, error);
}

static enum ecc_status draw_images(struct entry *e, const struct components_settings *s,
                                   size_t number, struct ecc_error *error)
{
    char *path;
    const double deviations = s->deviations > 0 ? s->deviations : 2;
    ECC_TRY(result_path(&path, e, s, "components", NULL, number, error));
    ECC_TRY(
        ecc_draw_pairs(e->model, &e->components, e->list, e->list_count, deviations, path, error));
    if (s->strip == 0) return ECC_OK;
    ECC_TRY(result_path(&path, e, s, "strips", NULL, number, error));
    return ecc_draw_strips(e->model, &e->components, e->list, e->list_count, s->strip, deviations,
                           path, error);
}

static enum ecc_status draw_spectrum(struct entry *entries, size_t count,
                                     const struct components_settings *s, struct ecc_error *error)
{
    char *path;
    struct ecc_components *const all = calloc(count, sizeof *all);
    const char **const names = calloc(count, sizeof *names);
    enum ecc_status status = all && names ? ECC_OK : ecc_fail_memory(error, "the spectrum");
    if (status == ECC_OK) status = result_path(&path, &entries[0], s, "spectrum", NULL, 0, error);
    for (size_t i = 0; i < count && status == ECC_OK; i++) {
        all[i] = entries[i].components;
        names[i] = ecc_short_name(entries[i].model->run->directory);
    }
    if (status == ECC_OK) status = ecc_draw_spectrum(all, names, count, path, error);
    free(all);
    free(names);
    return status;
}

/* ---- Reports -------------------------------------------------------------------------------- */

/* What each component means, a line each. */
static void print_meaning(const struct ecc_meaning *m)
{
    if (m->count == 0) return;
    ecc_print("\nwhat the columns do along each component, for +%g deviation%s:\n", m->deviations,
              m->deviations == 1 ? "" : "s");
    for (size_t l = 0; l < m->count; l++) {
        char name[24], words[1000];
        snprintf(name, sizeof name, "p%zu", m->components[l] + 1);
        ecc_print("%-4s %s\n", name, ecc_meaning_words(words, sizeof words, m, l, COLUMNS));
    }
}

/* Whether other seeds find the same components. */
static void print_stability(const struct ecc_runs_alignment *a)
{
    if (a->run_count == 0) return;
    ecc_print("\ncorrelation of each component with its partner in %zu more training%s:\n",
              a->run_count - 1, ecc_s(a->run_count - 1));
    for (size_t k = 0; k < a->latent; k++) {
        ecc_print("p%-3zu %6.2f  (lowest %.2f)\n", k + 1, a->stability[k], a->least[k]);
    }
    ecc_print("overall: %s\n", a->verdict);
}

/* A component that is symmetric has no sign of its own. */
static void print_signs(const struct ecc_components *c)
{
    size_t count = 0;
    const double noise = 2 * sqrt(6 / fmax(1, (double)c->count));
    for (size_t k = 0; k < c->d; k++) {
        if (fabs(c->skewness[k]) >= noise) continue;
        ecc_print(count++ ? ", p%zu" : "\nthe sign is arbitrary, the skewness being near 0: p%zu",
                  k + 1);
    }
    if (count) ecc_print("\n");
}

/* A share and the sum with those before it; dashes where they are not known. */
static void print_share(double share, double *sum)
{
    *sum += share;
    if (isnan(share)) {
        ecc_print(" %9s %11s", "-", "-");
    } else {
        ecc_print(" %8.2f%% %10.1f%%", 100 * share, 100 * *sum);
    }
}

static void print_table(const struct ecc_components *c)
{
    double latents = 0, data = 0;
    ecc_print("%54s %21s\n", "variance of the latents", "of the data");
    ecc_print("component  eigenvalue  deviation     share  cumulative     share  cumulative  "
              "skewness\n");
    for (size_t k = 0; k < c->d; k++) {
        char name[24];
        snprintf(name, sizeof name, "p%zu", k + 1);
        ecc_print("%-9s %11.5f %10.4f", name, c->eigenvalues[k], c->deviations[k]);
        print_share(c->explained[k], &latents);
        print_share(ecc_components_data_share(c, k), &data);
        ecc_print(" %9.3f\n", c->skewness[k]);
    }
}

static void print_singular_values(const struct entry *e)
{
    if (!e->singular_values) return;
    ecc_print("\nsingular values of the product of the linear layers:");
    for (size_t k = 0; k < e->components.d; k++) {
        ecc_print(k % 10 ? "  %.4g" : "\n%.4g", e->singular_values[k]);
    }
    ecc_print("\n");
}

static void print_words(const struct entry *e)
{
    const struct ecc_components *const c = &e->components;
    ecc_print("%s: %zu latents of size %zu\n", e->model->run->directory, c->count, c->d);
    if (ecc_components_vary(c)) {
        ecc_print("eccentricity %.4f, trace %.4f, effective rank %.2f\n\n", c->eccentricity,
                  c->trace, c->effective_rank);
    } else {
        ecc_print("all latents are the same: the eccentricity is not defined\n\n");
    }
    print_table(c);
    print_signs(c);
    print_singular_values(e);
    print_meaning(&e->meaning);
    print_stability(&e->again);
    for (size_t i = 0; i < e->picture_count; i++) {
        ecc_print(i ? "%s\n" : "\n%s\n", e->pictures[i]);
    }
    ecc_print("\n");
}

/* The columns by falling change of one component. */
static json_t *json_changes(const struct ecc_meaning *m, size_t l)
{
    static const char *const UNITS[] = {"own", "days", "percentage points"};
    json_t *const list = json_array();
    for (size_t i = 0; i < m->column_count; i++) {
        const size_t column = m->ranking[l * m->column_count + i];
        const size_t at = l * m->column_count + column;
        json_t *const entry = json_object();
        ecc_json_text(entry, "column", m->columns[column].name);
        ecc_json_number(entry, "change", m->change[at]);
        ecc_json_text(entry, "unit", UNITS[m->columns[column].unit]);
        ecc_json_number(entry, "standardised", m->standard[at]);
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *json_meaning(const struct ecc_meaning *m)
{
    json_t *const list = json_array();
    for (size_t l = 0; l < m->count; l++) {
        char name[24], words[1000];
        json_t *const entry = json_object();
        snprintf(name, sizeof name, "p%zu", m->components[l] + 1);
        ecc_json_text(entry, "component", name);
        ecc_json_number(entry, "deviations", m->deviations);
        ecc_json_text(entry, "words", ecc_meaning_words(words, sizeof words, m, l, COLUMNS));
        json_object_set_new(entry, "changes", json_changes(m, l));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *json_entry(const struct entry *e)
{
    const struct ecc_components *const c = &e->components;
    json_t *const json = json_object();
    ecc_json_text(json, "run", e->model->run->directory);
    ecc_json_count(json, "items", c->count);
    ecc_json_count(json, "latent", c->d);
    ecc_json_number(json, "eccentricity", c->eccentricity);
    ecc_json_number(json, "trace", c->trace);
    ecc_json_number(json, "effective_rank", c->effective_rank);
    ecc_json_numbers(json, "eigenvalues", c->eigenvalues, c->d);
    ecc_json_numbers(json, "explained_variance", c->explained, c->d);
    ecc_json_numbers(json, "explained_data_variance", c->of_data, c->d);
    ecc_json_number(json, "explained_data_by_mean", c->of_mean);
    ecc_json_numbers(json, "skewness", c->skewness, c->d);
    ecc_json_numbers(json, "mean", c->mean, c->d);
    ecc_json_matrix(json, "components", c->axes, c->d, c->d);
    if (e->singular_values) {
        ecc_json_numbers(json, "singular_values", e->singular_values, c->d);
    }
    if (e->meaning.count > 0) json_object_set_new(json, "meaning", json_meaning(&e->meaning));
    if (e->again.run_count > 0) {
        ecc_json_numbers(json, "stability", e->again.stability, c->d);
        ecc_json_text(json, "stability_verdict", e->again.verdict);
    }
    json_t *const pictures = json_array();
    for (size_t i = 0; i < e->picture_count; i++) {
        json_array_append_new(pictures, json_string(e->pictures[i]));
    }
    json_object_set_new(json, "pictures", pictures);
    return json;
}

/* One run is an object, several are a list of them. */
static enum ecc_status report(const struct entry *entries, size_t count, bool as_json,
                              struct ecc_error *error)
{
    if (!as_json) {
        for (size_t i = 0; i < count; i++) print_words(&entries[i]);
        return ECC_OK;
    }
    if (count == 1) return ecc_json_print(json_entry(&entries[0]), error);
    json_t *const list = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(list, json_entry(&entries[i]));
    return ecc_json_print(list, error);
}

/* ---- The command ---------------------------------------------------------------------------- */

static enum ecc_status choose_components(struct entry *e, const char *text, struct ecc_error *error)
{
    char all[48];
    const size_t d = e->model->d;
    snprintf(all, sizeof all, "p1-p%zu", d < SHOWN ? d : (size_t)SHOWN);
    return ecc_components_parse(&e->list, &e->list_count, text ? text : all, d, error);
}

static enum ecc_status open_entry(struct entry *e, const char *directory,
                                  const struct components_settings *s, struct ecc_error *error)
{
    ECC_TRY(ecc_cli_open(&e->model, directory, &s->common, error));
    ECC_TRY(choose_components(e, s->list, error));
    ECC_TRY(ecc_model_singular_values(e->model, &e->singular_values, error));
    return ecc_cli_explained(&e->components, e->model, s->data, &s->common, error);
}

static enum ecc_status train_again(struct entry *e, const struct components_settings *s,
                                   struct ecc_error *error)
{
    const struct ecc_stability_options options = {
        .runs = s->stability, .threads = s->common.threads, .data = s->data};
    struct ecc_cli_watch cli;
    if (s->stability == 0) return ECC_OK;
    ecc_cli_watch_start(&cli, &s->common);
    const enum ecc_status status =
        ecc_stability_measure(&e->again, e->model, &options, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    return status;
}

static enum ecc_status draw_entry(struct entry *e, const struct components_settings *s,
                                  size_t number, struct ecc_error *error)
{
    if (e->model->scaling.columns > 0) return draw_table(e, s, number, error);
    if (ecc_model_drawable(e->model)) return draw_images(e, s, number, error);
    return ECC_OK;
}

static enum ecc_status components_run(void *settings, const char *const *operands, size_t count,
                                      struct ecc_error *error)
{
    const struct components_settings *const s = settings;
    struct entry *const entries = calloc(count, sizeof *entries);
    if (!entries) return ecc_fail_memory(error, "the runs");
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; i < count && status == ECC_OK; i++) {
        status = open_entry(&entries[i], operands[i], s, error);
    }
    if (status == ECC_OK) status = draw_spectrum(entries, count, s, error);
    for (size_t i = 0; i < count && status == ECC_OK; i++) {
        status = draw_entry(&entries[i], s, count > 1 ? i + 1 : 0, error);
        if (status == ECC_OK) status = train_again(&entries[i], s, error);
    }
    if (status == ECC_OK) status = report(entries, count, s->common.json, error);
    for (size_t i = 0; i < count; i++) release_entry(&entries[i]);
    free(entries);
    return status;
}

const struct ecc_command ecc_command_components = {
    .name = "components",
    .operands = "RUN [RUN...]",
    .operand_min = 1,
    .operand_max = 1000,
    .summary = "list and draw the principal components of a run",
    .description =
        "Prints the principal components of the run's training latents (without validation items) "
        "and keeps them in RUN/components.npz until the weights change. Draws the spectrum and, "
        "for images, the mean plus and minus some deviations along each component. For tables, "
        "says what each component means: the columns that change most along it, in their own "
        "units, as a heat map, and all of them in meaning.csv. Changes of categories are in "
        "percentage points (pp) of the share of a level. Several runs share one picture of their "
        "spectra.\n\nShares of the latents' variance say how much the latents vary along a "
        "component; "
        "shares of the data's variance how much better the reconstructions of the training items "
        "(up to 5000) become when it is added to those before it, the others at their mean; the "
        "decoded mean alone starts at 0 or below.\n\nThe sign of a component is "
        "chosen so that the latents' third moment along it "
        "is positive. If its skewness is near 0, the sign is arbitrary.",
    .examples = "  eccentric components run\n"
                "  eccentric components run --strip 9 --deviations 3 --out pictures\n"
                "  eccentric components run --stability 3\n"
                "  eccentric components run-1 run-2 run-3 --out comparison --json\n",
    .options = components_options,
    .settings_size = sizeof(struct components_settings),
    .run = components_run,
};
