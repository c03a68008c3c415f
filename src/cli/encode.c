/* encode.c: `eccentric encode`: encodes items, any number of them, and says how unusual they are.
 */
#include "base/clock.h"
#include "base/npy.h"
#include "base/text.h"
#include "cli/latent.h"
#include "cli/processes.h"
#include "data/source.h"
#include "show/latent_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct encode_settings {
    struct ecc_common common;
    const char *out, *impute, *labels, *data;
    size_t items;
    bool components, raw;
};

static const struct ecc_option encode_options[] = {
    {"out", ECC_TEXT, ECC_TO(encode_settings, out), "Z.csv|Z.npz|Z.npy",
     "the latents: .csv or .npz, with labels, errors and how unusual each item is, or .npy, alone; "
     "for a picture of them: eccentric scatter",
     .writes = ECC_LATENT_FORMATS},
    {"impute", ECC_TEXT, ECC_TO(encode_settings, impute), "FILLED.csv",
     "tables: the table again, with its missing cells filled by the decoder",
     .writes = ECC_FORMAT_CSV},
    {"components", ECC_FLAG, ECC_TO(encode_settings, components), NULL,
     ".npy: write coordinates along the run's principal components, not raw latents"},
    {"raw", ECC_FLAG, ECC_TO(encode_settings, raw), NULL,
     ".csv: write raw latents, not coordinates along the components"},
    {"labels", ECC_TEXT, ECC_TO(encode_settings, labels), "Y.npy",
     "also write the items' labels: int32", .writes = ECC_FORMAT_NPY},
    {"items", ECC_COUNT, ECC_TO(encode_settings, items), "N", "only the first N items", 1, 4e9},
    ECC_OPTION_RUN_DATA(encode_settings, data),
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

/* What is open while items are encoded. */
struct encoding {
    struct ecc_model *model;
    struct ecc_dataset *data;
    const struct encode_settings *settings;
    bool along;               /* the components are written */
    struct ecc_limits limits; /* items is 0: not asked for, or not known */
    double seconds;
    size_t filled; /* cells, with --impute */
};

/* ---- What is unusual ------------------------------------------------------------------------ */

enum { SHOWN = 5 }; /* the most unusual rows */

struct unusual {
    size_t above[2][2]; /* items above the limits: T2 or Q, 95% or 99% */
    size_t worst[SHOWN], worst_count;
};

/* Keeps the items farthest above their 99% limits, the farthest first. */
static void keep_worst(struct unusual *u, double *excess, size_t item, double value)
{
    size_t at = u->worst_count < SHOWN ? u->worst_count++ : SHOWN;
    for (; at > 0 && excess[at - 1] < value; at--) {
        if (at == SHOWN) continue;
        excess[at] = excess[at - 1];
        u->worst[at] = u->worst[at - 1];
    }
    if (at == SHOWN) return;
    excess[at] = value;
    u->worst[at] = item;
}

static void find_unusual(struct unusual *u, const struct encoding *e,
                         const struct ecc_latent_output *output)
{
    const double *t2, *q;
    double excess[SHOWN];
    size_t n;
    *u = (struct unusual){0};
    ecc_latent_output_measured(output, &t2, &q, &n);
    for (size_t i = 0; e->limits.items > 0 && i < n; i++) {
        for (size_t level = 0; level < 2; level++) {
            u->above[0][level] += t2[i] > e->limits.t2[level];
            u->above[1][level] += q[i] > e->limits.q[level];
        }
        const double farthest = ecc_limits_excess(&e->limits, t2[i], q[i]);
        if (farthest > 1) keep_worst(u, excess, i, farthest);
    }
}

static void print_unusual(const struct encoding *e, const struct unusual *u)
{
    static const char *const names[] = {"T2", "Q"};
    const double *const limits[] = {e->limits.t2, e->limits.q};
    for (size_t i = 0; i < 2; i++) {
        if (isnan(limits[i][1])) continue; /* few items, or all given back exactly */
        ecc_print("%-3s 95%% limit %.4g: %zu above, 99%% limit %.4g: %zu above\n", names[i],
                  limits[i][0], u->above[i][0], limits[i][1], u->above[i][1]);
    }
    if (u->worst_count > 0) ecc_print("most unusual: row%s", u->worst_count > 1 ? "s" : "");
    size_t folder = 0;
    for (size_t i = 0; i < u->worst_count; i++) {
        const char *const file = ecc_data_file(e->data, u->worst[i], &folder);
        ecc_print("%s %zu", i ? "," : "", (size_t)e->data->rows[u->worst[i]] + 1);
        char shown[ECC_PATH_SIZE];
        if (file) ecc_print(" (%s)", ecc_quote_path(shown, file));
    }
    if (u->worst_count > 0) ecc_print("\n");
}

static void json_unusual(json_t *json, const struct encoding *e, const struct unusual *u)
{
    static const char *const names[] = {"T2", "Q"};
    const double *const limits[] = {e->limits.t2, e->limits.q};
    for (size_t i = 0; i < 2; i++) {
        json_t *const part = json_object();
        ecc_json_numbers(part, "limits", limits[i], 2);
        ecc_json_count(part, "above_95", u->above[i][0]);
        ecc_json_count(part, "above_99", u->above[i][1]);
        if (i == 0) ecc_json_numbers(part, "training_share_above", e->limits.t2_above, 2);
        json_object_set_new(json, names[i], part);
    }
    json_t *const rows = json_array();
    for (size_t i = 0; i < u->worst_count; i++) {
        json_array_append_new(rows, json_integer((json_int_t)e->data->rows[u->worst[i]] + 1));
    }
    json_object_set_new(json, "most_unusual", rows);
}

static void print_words(const struct encoding *e, const struct unusual *unusual)
{
    const struct encode_settings *const s = e->settings;
    if (s->out) {
        ecc_print("%zu %s of size %zu in %s (%.1f s, %.0f items/s)\n", e->data->count,
                  e->data->count == 1 ? e->along ? "latent along components" : "latent"
                  : e->along          ? "latents along components"
                                      : "latents",
                  e->model->d, s->out, e->seconds, (double)e->data->count / e->seconds);
    }
    if (e->limits.items > 0) print_unusual(e, unusual);
    if (s->impute) {
        ecc_print("%zu missing cell%s of %zu row%s filled in %s\n", e->filled, ecc_s(e->filled),
                  e->data->count, ecc_s(e->data->count), s->impute);
    }
}

static enum ecc_status report(const struct encoding *e, const struct ecc_latent_output *output,
                              struct ecc_error *error)
{
    const struct encode_settings *const s = e->settings;
    struct unusual unusual = {0};
    if (output) find_unusual(&unusual, e, output);
    if (!s->common.json) {
        print_words(e, &unusual);
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_text(json, "run", e->model->run->directory);
    ecc_json_text(json, "data", e->data->name);
    if (s->out) ecc_json_text(json, "out", s->out);
    ecc_json_count(json, "items", e->data->count);
    ecc_json_count(json, "latent", e->model->d);
    ecc_json_flag(json, "components", e->along);
    if (e->limits.items > 0) json_unusual(json, e, &unusual);
    if (s->impute) ecc_json_text(json, "imputed", s->impute);
    if (s->impute) ecc_json_count(json, "cells_filled", e->filled);
    if (s->out) ecc_json_number(json, "seconds", e->seconds);
    if (s->out) ecc_json_number(json, "images_per_second", (double)e->data->count / e->seconds);
    return ecc_json_print(json, error);
}

/* ---- Encoding ------------------------------------------------------------------------------- */

static enum ecc_status write_labels(const struct ecc_dataset *data, const char *path,
                                    struct ecc_error *error)
{
    const struct ecc_array array = {.dtype = ECC_I4,
                                    .rank = 1,
                                    .shape = {data->count},
                                    .count = data->count,
                                    .data = data->labels};
    return ecc_npy_write(path, &array, error);
}

/* The components, and the limits where they can be found: T2 and Q are good without them. */
static enum ecc_status find_limits(struct encoding *e, struct ecc_cli_watch *cli,
                                   struct ecc_error *error)
{
    const struct encode_settings *const s = e->settings;
    const bool bare = s->out && ecc_format_of(s->out) == ECC_FORMAT_NPY;
    struct ecc_components components; /* the model keeps them */
    if (!s->out || (bare && !s->components)) return ECC_OK;
    ECC_TRY(ecc_model_components(e->model, &components, s->data, &cli->watch, error));
    ecc_components_release(&components);
    if (bare) return ECC_OK;
    struct ecc_error reason = {0};
    const enum ecc_status status =
        ecc_model_limits(e->model, &e->limits, s->data, &cli->watch, &reason);
    if (status != ECC_IO && status != ECC_BAD_DATA) {
        return status == ECC_OK ? ECC_OK : ecc_fail(error, status, "%s", reason.text);
    }
    e->limits = (struct ecc_limits){0};
    if (!s->common.quiet)
        ecc_print_to(stderr, "eccentric: no limits of T2 and Q: %s\n", reason.text);
    return ECC_OK;
}

static enum ecc_status write_latents(struct encoding *e, struct ecc_latent_output **output,
                                     struct ecc_cli_watch *cli, struct ecc_error *error)
{
    const struct encode_settings *const s = e->settings;
    ECC_TRY(find_limits(e, cli, error));
    if (!s->out) return ECC_OK;
    ECC_TRY(ecc_latent_output_create(output, s->out, e->model, e->data, e->along, error));
    const double start = ecc_seconds();
    ECC_TRY(ecc_latent_output_add(*output, e->data, &cli->watch, error));
    e->seconds = ecc_seconds() - start;
    return ecc_latent_output_finish(*output, error);
}

static enum ecc_status encode(struct encoding *e, struct ecc_error *error)
{
    const struct encode_settings *const s = e->settings;
    struct ecc_latent_output *output = NULL;
    struct ecc_cli_watch cli;
    if (s->labels) ECC_TRY(ecc_check_has_labels(e->data, error));
    ecc_cli_watch_start(&cli, &s->common);
    enum ecc_status status = write_latents(e, &output, &cli, error);
    if (status == ECC_OK && s->impute) {
        status = ecc_model_impute_data(e->model, &e->filled, e->data, s->impute, &cli.watch, error);
    }
    ecc_cli_watch_end(&cli);
    if (status == ECC_OK && s->labels && ecc_share_is_first(e->model->share)) {
        status = write_labels(e->data, s->labels, error);
    }
    if (status == ECC_OK) status = report(e, output, error);
    ecc_latent_output_free(output);
    return status;
}

/* ---- The command ---------------------------------------------------------------------------- */

static bool same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static enum ecc_status encode_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    const struct encode_settings *const s = settings;
    (void)operand_count;
    if (s->raw && s->components) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--raw and --components exclude each other");
    }
    if (!s->out && !s->impute) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "encode needs --out Z.csv|Z.npz|Z.npy, or --impute FILLED.csv");
    }
    if (same(s->out, s->labels) || same(s->out, s->impute)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--out and --%s name the same file",
                        same(s->out, s->labels) ? "labels" : "impute");
    }
    return ECC_OK;
}

/* Opens DATA: a table whole, unless a part of it is named. */
static enum ecc_status open_data(struct encoding *e, const char *what, struct ecc_error *error)
{
    const size_t items = e->settings->items;
    enum ecc_split unused;
    const char *const colon = what ? strrchr(what, ':') : NULL;
    const bool part = colon && ecc_split_parse(&unused, colon + 1);
    if (e->model->scaling.columns == 0 || part) {
        return ecc_model_open_data(e->model, &e->data, what, items, error);
    }
    char *const whole = ecc_data_part_name(what ? what : e->model->options.data, "all");
    if (!whole) return ecc_fail_memory(error, "a name");
    const enum ecc_status status = ecc_model_open_data(e->model, &e->data, whole, items, error);
    free(whole);
    return status;
}

static enum ecc_status encode_run(void *settings, const char *const *operands, size_t count,
                                  struct ecc_error *error)
{
    const struct encode_settings *const s = settings;
    const bool table = s->out && ecc_format_of(s->out) == ECC_FORMAT_CSV;
    struct encoding e = {.settings = s, .along = s->components || (table && !s->raw)};
    ECC_TRY(ecc_cli_open(&e.model, operands[0], &s->common, error));
    ecc_team_use(ecc_processes(), e.model);
    enum ecc_status status = open_data(&e, count > 1 ? operands[1] : s->data, error);
    if (status == ECC_OK) {
        if (count > 1 || s->data) ecc_cli_data_remarks(e.data, &s->common);
        status = encode(&e, error);
        ecc_dataset_close(e.data);
    }
    ecc_model_close(e.model);
    return status;
}

const struct ecc_command ecc_command_encode = {
    .name = "encode",
    .operands = "RUN [DATA]",
    .operand_min = 1,
    .operand_max = 2,
    .summary = "turn items into latents, and find unusual ones",
    .description =
        "Encodes DATA (default: the run's data) with the model of RUN and writes one latent per "
        "row, in the order of the data. Of images the training part is taken, of tables all rows; "
        "DATA:test, DATA:train and DATA:all choose. Items are converted as in training. For a VAE "
        "the latents are the posterior means.\n\nA .csv or .npz file also has each item's mean "
        "squared error of reconstruction and two distances from the training items, as in "
        "chemometrics: T2, the squared Mahalanobis distance in the components, and Q, the squared "
        "residual (in standardised columns, or pixels). Items above their 99% limits are unusual. "
        "The limit of T2 is that of Hotelling's T2 for new items, that of Q the quantile of the "
        "training items.\n\nMissing cells of a table count as the column's mean when a row is "
        "encoded, and not at all in its error. --impute writes the table with these cells filled "
        "by what the decoder makes of the rest of the row; all other cells stay as they are in the "
        "file.\n\nmpirun -n P or srun before the command shares the items among P processes "
        "(docs/cluster.md).",
    .examples = "  eccentric encode wine-run wine.csv --out z.csv\n"
                "  eccentric encode survey-run survey.csv --impute filled.csv\n"
                "  eccentric encode run mnist:test --out z.npy --labels y.npy\n"
                "  eccentric encode run photos/ --out z.npz\n",
    .together = true,
    .options = encode_options,
    .settings_size = sizeof(struct encode_settings),
    .check = encode_check,
    .run = encode_run,
};
