/* measure.c: measurements of trained runs that several items share. */
#include "eccentric_show.h"

#include "base/file.h"
#include "reproduce/items.h"
#include "reproduce/store.h"

static enum ecc_status open_model(struct ecc_model **model, const struct ecc_repro *r, int run,
                                  struct ecc_error *error)
{
    return ecc_model_open(model, ECC_IN_STORE(r, "runs", r->tasks[run].name, ""), NULL, error);
}

enum ecc_status ecc_opened_open(struct ecc_opened *opened, const struct ecc_repro *r,
                                const struct ecc_task *task, struct ecc_error *error)
{
    *opened = (struct ecc_opened){0};
    ECC_TRY(open_model(&opened->model, r, task->step.runs.runs[0], error));
    return ecc_model_components(opened->model, &opened->components, NULL, r->options->watch, error);
}

void ecc_opened_close(struct ecc_opened *opened)
{
    ecc_components_release(&opened->components);
    ecc_model_close(opened->model);
}

enum ecc_status ecc_measure_picture(const struct ecc_repro *r, json_t *out, const char *file,
                                    ecc_draw_function *draw, void *context, struct ecc_error *error)
{
    static const char *const endings[] = {".png", ".svg"};
    json_t *const files = json_array();
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; i < 2 && status == ECC_OK; i++) {
        status = draw(context, ECC_IN_STORE(r, "", file, endings[i]), error);
        json_array_append_new(files, json_string(ECC_SAY("%.150s%s", file, endings[i])));
    }
    json_object_set_new(out, "files", files);
    return status;
}

/* ---- Alignment ------------------------------------------------------------------------------ */

static json_t *pair_json(const struct ecc_alignment *a)
{
    json_t *const pair = json_object(), *const partners = json_array();
    for (size_t k = 0; k < a->d; k++) {
        json_array_append_new(partners, json_integer((json_int_t)a->partner[k]));
    }
    ecc_json_number(pair, "angle_raw", a->angle_raw);
    ecc_json_number(pair, "angle_aligned", a->angle_aligned);
    json_object_set_new(pair, "partners", partners);
    ecc_json_numbers(pair, "correlations", a->correlation, a->d);
    ecc_json_matrix(pair, "before", a->before, a->d, a->d);
    ecc_json_matrix(pair, "after", a->after, a->d, a->d);
    return pair;
}

static enum ecc_status measure_alignment(const struct ecc_repro *r, const struct ecc_task *task,
                                         json_t *out, struct ecc_error *error)
{
    const struct ecc_group *const runs = &task->step.runs;
    const struct ecc_align_options options = {.items = task->step.number};
    struct ecc_model *models[ECC_GROUP] = {NULL};
    struct ecc_runs_alignment found = {0};
    json_t *const pairs = json_array();
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; status == ECC_OK && i < runs->count; i++) {
        status = open_model(&models[i], r, runs->runs[i], error);
    }
    if (status == ECC_OK) {
        status = ecc_align_runs(&found, models, runs->count, &options, r->options->watch, error);
    }
    for (size_t i = 0; status == ECC_OK && i < found.pair_count; i++) {
        json_array_append_new(pairs, pair_json(&found.pairs[i].alignment));
    }
    json_object_set_new(out, "pairs", pairs);
    ecc_runs_alignment_release(&found);
    for (size_t i = 0; i < ECC_GROUP; i++) ecc_model_close(models[i]);
    return status;
}

const json_t *ecc_ask_pairs(struct ecc_section *s, struct ecc_variant variant, size_t seeds)
{
    const size_t items = ecc_size_items(s->r, variant.set);
    const bool all = items == s->r->data[variant.set].items;
    const struct ecc_step step = {.measure = measure_alignment,
                                  .runs = ecc_ask_runs(s, variant, seeds),
                                  .command = "align",
                                  .words = all ? NULL : ECC_SAY("--items %zu", items),
                                  .number = all ? 0 : items,
                                  .guess = 5};
    if (step.runs.count < 2) return NULL;
    return json_object_get(ecc_ask_group(s, "align", variant, &step), "pairs");
}

/* ---- Classification ------------------------------------------------------------------------- */

static json_t *row_json(const struct ecc_classify_row *row, size_t views)
{
    static const char *const names[ECC_VIEWS] = {"error", "pca", "pixels"};
    static const char *const deviations[ECC_VIEWS] = {"deviation", "pca_deviation",
                                                      "pixels_deviation"};
    json_t *const json = json_object();
    ecc_json_number(json, "labels", (double)row->labels);
    ecc_json_number(json, "neighbours", (double)row->parameter);
    ecc_json_number(json, "majority", row->majority);
    ecc_json_numbers(json, "errors", row->errors[ECC_VIEW_LATENTS], row->repeats);
    for (size_t v = 0; v < views && v < ECC_VIEWS; v++) {
        ecc_json_number(json, names[v], row->error[v]);
        ecc_json_number(json, deviations[v], row->deviation[v]);
    }
    return json;
}

static json_t *stump_json(const struct ecc_stump *s)
{
    json_t *const json = json_object();
    ecc_json_number(json, "component", (double)s->component + 1);
    ecc_json_number(json, "majority", s->majority);
    ecc_json_number(json, "accuracy", s->accuracy);
    ecc_json_number(json, "gain", s->gain);
    return json;
}

enum ecc_status ecc_measure_classes(const struct ecc_repro *r, const struct ecc_task *task,
                                    json_t *out, const struct ecc_classify_options *options,
                                    struct ecc_error *error)
{
    struct ecc_model *model;
    struct ecc_classification c = {0};
    json_t *const rows = json_array(), *const stumps = json_object();
    json_object_set_new(out, "rows", rows);
    json_object_set_new(out, "stumps", stumps);
    ECC_TRY(open_model(&model, r, task->step.runs.runs[0], error));
    const enum ecc_status status = ecc_classify(&c, model, options, r->options->watch, error);
    for (size_t i = 0; status == ECC_OK && i < c.row_count; i++) {
        json_array_append_new(rows, row_json(&c.rows[i], c.view_count));
    }
    for (size_t i = 0; status == ECC_OK && c.stumps && i < c.name_count; i++) {
        json_object_set_new(stumps, c.names[i], stump_json(&c.stumps[i]));
    }
    ecc_classification_release(&c);
    ecc_model_close(model);
    return status;
}

static enum ecc_status measure_trees(const struct ecc_repro *r, const struct ecc_task *task,
                                     json_t *out, struct ecc_error *error)
{
    struct ecc_classify_options options = ecc_classify_defaults();
    options.method = ECC_CLASSIFY_TREE;
    options.baselines = false;
    return ecc_measure_classes(r, task, out, &options, error);
}

const json_t *ecc_ask_trees(struct ecc_section *s, int run)
{
    return ecc_ask_of(s, "tree",
                      &(struct ecc_step){.measure = measure_trees,
                                         .runs = ecc_group_of(run),
                                         .command = "classify",
                                         .words = "--method tree --depth 1,8 --baselines no",
                                         .guess = 20});
}

/* ---- Eigen-images --------------------------------------------------------------------------- */

struct images {
    struct ecc_opened run;
    size_t count;
};

static enum ecc_status draw_images(void *context, const char *path, struct ecc_error *error)
{
    struct images *const m = context;
    size_t list[64];
    for (size_t k = 0; k < m->count; k++) list[k] = k;
    return ecc_draw_pairs(m->run.model, &m->run.components, list, m->count, 2, path, error);
}

static enum ecc_status measure_images(const struct ecc_repro *r, const struct ecc_task *task,
                                      json_t *out, struct ecc_error *error)
{
    struct images m = {.count = task->step.number};
    const struct ecc_components *const c = &m.run.components;
    ECC_TRY(ecc_make_directory(ECC_IN_STORE(r, "figures", task->name, ""), error));
    enum ecc_status status = ecc_opened_open(&m.run, r, task, error);
    if (status == ECC_OK) {
        status = ecc_measure_picture(r, out, ECC_SAY("figures/%s/components", task->name),
                                     draw_images, &m, error);
        ecc_json_numbers(out, "eigenvalues", c->eigenvalues, c->d);
        ecc_json_numbers(out, "skewness", c->skewness, c->d);
    }
    ecc_opened_close(&m.run);
    return status;
}

void ecc_ask_images(struct ecc_section *s, const char *name, int run, size_t components,
                    const char *caption)
{
    const struct ecc_step step = {
        .name = name,
        .measure = measure_images,
        .runs = ecc_group_of(run),
        .command = "components",
        .words = ECC_SAY("--components p1-p%zu --out figures/%s", components, name),
        .number = components,
        .guess = 3};
    const json_t *const result = ecc_ask(s, &step);
    if (!result) return;
    ecc_section_figure(s, ECC_SAY("figures/%s/components", name), "%s", caption);
    json_t *const numbers = ecc_section_numbers(s, name);
    json_object_set(numbers, "eigenvalues", json_object_get(result, "eigenvalues"));
    json_object_set(numbers, "skewness", json_object_get(result, "skewness"));
}
