/* scatter.c: `eccentric scatter`: latents along two components, coloured by label (Figure 3). */
#include "base/npy.h"
#include "base/text.h"
#include "cli/latent.h"
#include "model/seen.h"
#include "show/plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scatter_settings {
    struct ecc_common common;
    const char *x, *y, *out, *points, *data, *attribute;
    size_t items, arrows;
    bool raw;
};

static void scatter_defaults(void *settings)
{
    ((struct scatter_settings *)settings)->arrows = 8;
}

static const struct ecc_option scatter_options[] = {
    {"out", ECC_TEXT, ECC_TO(scatter_settings, out), "PLOT.png",
     "the plot, .png, .svg or .pdf (default: RUN/figures/scatter.png)",
     .writes = ECC_FORMAT_PICTURE},
    {"points", ECC_TEXT, ECC_TO(scatter_settings, points), "FILE.npy",
     "also write the plotted points: one row x, y, class (-1: none) per item",
     .writes = ECC_FORMAT_NPY},
    {"x", ECC_TEXT, ECC_TO(scatter_settings, x), "p1",
     "component on the horizontal axis (default p1)"},
    {"y", ECC_TEXT, ECC_TO(scatter_settings, y), "p2",
     "component on the vertical axis (default p2)"},
    {"raw", ECC_FLAG, ECC_TO(scatter_settings, raw), NULL,
     "use the raw latent coordinates instead of components: p1 is the first"},
    {"arrows", ECC_COUNT, ECC_TO(scatter_settings, arrows), "N",
     "tables: draw arrows for the N columns that change most along the two components (default 8; "
     "0: none)",
     0, 100},
    {"attribute", ECC_TEXT, ECC_TO(scatter_settings, attribute), "NAME",
     "colour by this attribute instead of the label"},
    {"items", ECC_COUNT, ECC_TO(scatter_settings, items), "N", "only the first N items", 1, 4e9},
    ECC_OPTION_RUN_DATA(scatter_settings, data),
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

/* ---- Points --------------------------------------------------------------------------------- */

struct scatter {
    struct ecc_model *model;
    struct ecc_dataset *data;
    struct ecc_seen seen;
    struct ecc_components components; /* empty with --raw */
    struct ecc_meaning meaning;       /* of the two components, for arrows */
    size_t across, up;                /* from 0 */
    struct ecc_plane plane;
    double radius, radius_squares; /* sums over items, of the latents' distance from the origin */
    float *p;                      /* [batch, d] */
    char (*numbers)[24];
    const char **names;
    char x_label[48], y_label[48], caption[200];
};

static enum ecc_status take_batch(void *context, const float *z, size_t first, size_t n,
                                  struct ecc_error *error)
{
    struct scatter *const g = context;
    const size_t d = g->model->d;
    const float *from = z;
    if (g->components.d > 0) {
        ECC_TRY(ecc_components_project(&g->components, g->p, z, n, error));
        from = g->p;
    }
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        for (size_t k = 0; k < d; k++) squares += (double)z[i * d + k] * (double)z[i * d + k];
        g->radius += sqrt(squares);
        g->radius_squares += squares;
        g->plane.x[first + i] = (double)from[i * d + g->across];
        g->plane.y[first + i] = (double)from[i * d + g->up];
    }
    return ECC_OK;
}

static enum ecc_status make_room(struct scatter *g, struct ecc_error *error)
{
    const size_t n = g->data->count;
    g->plane.n = n;
    g->plane.x = malloc(n * sizeof *g->plane.x);
    g->plane.y = malloc(n * sizeof *g->plane.y);
    g->plane.category = malloc(n * sizeof *g->plane.category);
    g->p = malloc(g->model->batch * g->model->d * sizeof *g->p);
    if (g->plane.x && g->plane.y && g->plane.category && g->p) return ECC_OK;
    return ecc_fail_memory(error, "the points");
}

/* ---- Colours -------------------------------------------------------------------------------- */

static enum ecc_status colour_by_attribute(struct scatter *g, const char *name,
                                           struct ecc_error *error)
{
    const struct ecc_dataset *const data = g->data;
    size_t a = 0;
    while (a < data->attribute_count && strcmp(data->attribute_names[a], name) != 0) a++;
    if (a == data->attribute_count) {
        char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s has no attribute %s (it has %zu)",
                        ecc_quote_path(shown, data->name), ecc_quote(quoted, name, strlen(name)),
                        data->attribute_count);
    }
    g->names = calloc(2, sizeof *g->names);
    if (!g->names) return ecc_fail_memory(error, "the legend");
    g->names[0] = "others";
    g->names[1] = data->attribute_names[a];
    g->plane.category_count = 2;
    for (size_t i = 0; i < data->count; i++) {
        g->plane.category[i] = data->attributes[i * data->attribute_count + a];
    }
    return ECC_OK;
}

static enum ecc_status colour_by_label(struct scatter *g, struct ecc_error *error)
{
    const size_t count = g->data->class_count;
    g->names = calloc(count, sizeof *g->names);
    g->numbers = calloc(count, sizeof *g->numbers);
    if (!g->names || !g->numbers) return ecc_fail_memory(error, "the legend");
    for (size_t c = 0; c < count; c++) {
        snprintf(g->numbers[c], sizeof g->numbers[c], "%zu", c);
        g->names[c] = g->data->class_names ? g->data->class_names[c] : g->numbers[c];
    }
    g->plane.category_count = count;
    memcpy(g->plane.category, g->data->labels, g->data->count * sizeof *g->data->labels);
    return ECC_OK;
}

static enum ecc_status find_colours(struct scatter *g, const char *attribute,
                                    struct ecc_error *error)
{
    if (attribute) {
        ECC_TRY(colour_by_attribute(g, attribute, error));
    } else if (g->data->labels) {
        ECC_TRY(colour_by_label(g, error));
    } else {
        free(g->plane.category);
        g->plane.category = NULL;
    }
    g->plane.category_names = g->names;
    return ECC_OK;
}

/* ---- Results -------------------------------------------------------------------------------- */

/* Mean and deviation of each class along both axes. */
static json_t *json_classes(const struct ecc_plane *p)
{
    json_t *const list = json_array();
    for (size_t c = 0; p->category && c < p->category_count; c++) {
        double n = 0, x = 0, y = 0, xx = 0, yy = 0;
        for (size_t i = 0; i < p->n; i++) {
            if (p->category[i] != (int32_t)c) continue;
            n++;
            x += p->x[i];
            y += p->y[i];
            xx += p->x[i] * p->x[i];
            yy += p->y[i] * p->y[i];
        }
        json_t *const entry = json_object();
        const double mean[] = {x / n, y / n};
        const double deviation[] = {sqrt(fmax(0, xx / n - mean[0] * mean[0])),
                                    sqrt(fmax(0, yy / n - mean[1] * mean[1]))};
        ecc_json_text(entry, "name", p->category_names[c]);
        ecc_json_count(entry, "items", (size_t)n);
        ecc_json_numbers(entry, "mean", mean, 2);
        ecc_json_numbers(entry, "deviation", deviation, 2);
        json_array_append_new(list, entry);
    }
    return list;
}

static enum ecc_status report(const struct scatter *g, const char *path, bool as_json,
                              struct ecc_error *error)
{
    if (!as_json) {
        ecc_print("%zu latent%s in %s\n", g->plane.n, ecc_s(g->plane.n), path);
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_text(json, "run", g->model->run->directory);
    ecc_json_text(json, "data", g->data->name);
    ecc_json_text(json, "out", path);
    ecc_json_count(json, "items", g->plane.n);
    ecc_json_count(json, "items_trained_on", g->seen.trained);
    const double n = (double)g->plane.n, radius = g->radius / n;
    ecc_json_number(json, "radius", radius);
    ecc_json_number(json, "radius_deviation",
                    sqrt(fmax(0, g->radius_squares / n - radius * radius)));
    if (g->plane.circle > 0) {
        const double circle[] = {g->plane.circle_x, g->plane.circle_y, g->plane.circle};
        ecc_json_numbers(json, "circle", circle, 3);
    }
    json_object_set_new(json, "classes", json_classes(&g->plane));
    return ecc_json_print(json, error);
}

/* With two dimensions the sphere of Theorem 1 is a circle, around the latents' origin. */
static void place_circle(struct scatter *g)
{
    if (g->model->d != 2 || g->across == g->up) return;
    g->plane.circle = sqrt(2);
    const struct ecc_components *const c = &g->components;
    if (c->d == 0) return;
    g->plane.circle_x = g->plane.circle_y = 0;
    for (size_t j = 0; j < 2; j++) {
        g->plane.circle_x -= c->axes[g->across * 2 + j] * c->mean[j];
        g->plane.circle_y -= c->axes[g->up * 2 + j] * c->mean[j];
    }
}

static void write_words(struct scatter *g)
{
    const struct ecc_components *const c = &g->components;
    if (c->d > 0) {
        snprintf(g->x_label, sizeof g->x_label, "p%zu (%.1f%% of the latents)", g->across + 1,
                 100 * c->explained[g->across]);
        snprintf(g->y_label, sizeof g->y_label, "p%zu (%.1f%% of the latents)", g->up + 1,
                 100 * c->explained[g->up]);
    } else {
        snprintf(g->x_label, sizeof g->x_label, "z%zu", g->across + 1);
        snprintf(g->y_label, sizeof g->y_label, "z%zu", g->up + 1);
    }
    char words[ECC_SEEN_WORDS];
    snprintf(g->caption, sizeof g->caption, "%zu %s of %.100s", g->plane.n,
             ecc_seen_words(words, &g->seen), ecc_short_name(g->data->name));
    g->plane.x_label = g->x_label;
    g->plane.y_label = g->y_label;
    g->plane.title = c->d > 0 ? "Latents along two components" : "Latents";
    g->plane.caption = g->caption;
}

static enum ecc_status write_points(const struct scatter *g, const char *path,
                                    struct ecc_error *error)
{
    const struct ecc_plane *const p = &g->plane;
    float *const rows = malloc((3 * p->n + 1) * sizeof *rows);
    if (!rows) return ecc_fail_memory(error, "the points");
    for (size_t i = 0; i < p->n; i++) {
        rows[3 * i] = (float)p->x[i];
        rows[3 * i + 1] = (float)p->y[i];
        rows[3 * i + 2] = p->category ? (float)p->category[i] : -1;
    }
    const enum ecc_status status = ecc_npy_write_f32(path, rows, p->n, 3, error);
    free(rows);
    return status;
}

/* The columns of a table as arrows. */
static enum ecc_status find_arrows(struct scatter *g, size_t arrows, struct ecc_error *error)
{
    const size_t axes[] = {g->across, g->up};
    const struct ecc_meaning_options options = {.list = axes, .list_count = 2};
    const bool table = g->model->scaling.columns > 0;
    if (!table || arrows == 0 || g->components.d == 0 || g->across == g->up) return ECC_OK;
    ECC_TRY(ecc_model_meaning(&g->meaning, g->model, &g->components, &options, error));
    g->plane.meaning = &g->meaning;
    g->plane.arrows = arrows;
    return ECC_OK;
}

static enum ecc_status draw(struct scatter *g, const struct scatter_settings *s,
                            struct ecc_error *error)
{
    char *path;
    ECC_TRY(find_arrows(g, s->arrows, error));
    if (s->points) ECC_TRY(write_points(g, s->points, error));
    ECC_TRY(ecc_cli_path(&path, g->model, s->out, "scatter.png", error));
    write_words(g);
    place_circle(g);
    enum ecc_status status = ecc_draw_plane(&g->plane, path, error);
    if (status == ECC_OK) status = report(g, path, s->common.json, error);
    free(path);
    return status;
}

/* ---- The command ---------------------------------------------------------------------------- */

/* One component, or `normal` if none is named. */
static enum ecc_status read_axis(size_t *axis, const char *text, const char *option, size_t normal,
                                 size_t d, struct ecc_error *error)
{
    char fallback[24];
    size_t *list, count;
    snprintf(fallback, sizeof fallback, "p%zu", normal);
    ECC_TRY(ecc_components_parse(&list, &count, text ? text : fallback, d, error));
    *axis = list[0];
    free(list);
    if (count == 1) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "--%s is '%.40s', expected one component", option,
                    text);
}

static enum ecc_status scatter(struct scatter *g, const struct scatter_settings *s,
                               struct ecc_error *error)
{
    struct ecc_cli_watch watch;
    const size_t d = g->model->d;
    ECC_TRY(read_axis(&g->across, s->x, "x", 1, d, error));
    ECC_TRY(read_axis(&g->up, s->y, "y", d < 2 ? 1 : 2, d, error));
    ECC_TRY(ecc_model_mark_seen(g->model, NULL, &g->seen, g->data, false, error));
    ECC_TRY(make_room(g, error));
    ECC_TRY(find_colours(g, s->attribute, error));
    if (!s->raw) {
        ECC_TRY(ecc_cli_components(&g->components, g->model, s->data, &s->common, error));
    }
    ecc_cli_watch_start(&watch, &s->common);
    const enum ecc_status status = ecc_model_encode_stream(g->model, g->data, NULL, g->data->count,
                                                           take_batch, g, &watch.watch, error);
    ecc_cli_watch_end(&watch);
    ECC_TRY(status);
    return draw(g, s, error);
}

static enum ecc_status scatter_run(void *settings, const char *const *operands, size_t count,
                                   struct ecc_error *error)
{
    const struct scatter_settings *const s = settings;
    struct scatter g = {0};
    const char *const what = count > 1 ? operands[1] : s->data;
    ECC_TRY(ecc_cli_open(&g.model, operands[0], &s->common, error));
    enum ecc_status status = ecc_model_open_data(g.model, &g.data, what, s->items, error);
    if (status == ECC_OK && what) ecc_cli_data_remarks(g.data, &s->common);
    if (status == ECC_OK) status = scatter(&g, s, error);
    ecc_components_release(&g.components);
    ecc_meaning_release(&g.meaning);
    ecc_dataset_close(g.data);
    ecc_model_close(g.model);
    free(g.plane.x);
    free(g.plane.y);
    free(g.plane.category);
    free(g.p);
    free(g.names);
    free(g.numbers);
    return status;
}

const struct ecc_command ecc_command_scatter = {
    .name = "scatter",
    .operands = "RUN [DATA]",
    .operand_min = 1,
    .operand_max = 2,
    .summary = "plot items along two components, coloured by label",
    .description =
        "Plots the latents of DATA (default: the training part of the run's data) along two "
        "components, at the same scale in both directions. Points are coloured by label, if there "
        "are labels; from eleven classes on also by shape. Arrows show how the columns of a table "
        "change along the two components (a biplot); their lengths can be compared with each other "
        "only. For runs with two latent dimensions, the plot also shows the circle of "
        "radius sqrt(2). There is no limit on the number of points: .svg and .pdf files hold them "
        "as one image inside the axes.",
    .examples = "  eccentric scatter run mnist:test --out scatter.png\n"
                "  eccentric scatter run --raw --out latents.pdf\n"
                "  eccentric scatter faces-run --x p3 --y p7 --attribute Smiling\n",
    .options = scatter_options,
    .settings_size = sizeof(struct scatter_settings),
    .defaults = scatter_defaults,
    .run = scatter_run,
};
