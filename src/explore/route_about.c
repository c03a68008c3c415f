/* route_about.c: GET api/about: what there is to explore; GET api/targets: which components carry
 * which labels. */
#include "base/text.h"
#include "data/source.h"
#include "explore/route.h"
#include "model/seen.h"

static json_t *names(const char *const *list, size_t count)
{
    json_t *const array = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(array, ecc_json_string(list[i]));
    return array;
}

/* A run's own columns, and how it standardises their features. */
static json_t *about_table(const struct ecc_model *model)
{
    const struct ecc_scaling *const scaling = &model->scaling;
    if (scaling->columns == 0) return json_null();
    json_t *const json = json_object();
    json_object_set_new(json, "columns", ecc_about_columns(model));
    ecc_json_numbers(json, "mean", scaling->mean, scaling->columns);
    ecc_json_numbers(json, "deviation", scaling->deviation, scaling->columns);
    return json;
}

static void about_model(json_t *json, const struct ecc_model *m)
{
    ecc_json_text(json, "name", ecc_short_name(m->run->directory));
    ecc_json_flag(json, "finished", m->finished);
    ecc_json_flag(json, "training", m->training && !m->finished);
    ecc_json_count(json, "step", m->step);
    ecc_json_count(json, "steps", ecc_model_steps(m));
    ecc_json_text(json, "net", m->options.net);
    ecc_json_text(json, "regularizer", m->options.regularizer);
    ecc_json_number(json, "lambda", ecc_model_lambda(m));
}

static json_t *about_run(const struct ecc_space *s, const struct ecc_space_run *run)
{
    const struct ecc_components *const c = &run->components;
    json_t *const json = json_object();
    if (run->one) about_model(json, run->one);
    if (s->latents) ecc_json_text(json, "name", ecc_short_name(s->latents));
    ecc_json_flag(json, "decoder", run->one != NULL);
    ecc_json_count(json, "items", c->count);
    ecc_json_number(json, "trace", c->trace);
    ecc_json_number(json, "eccentricity", c->eccentricity);
    ecc_json_number(json, "effective_rank", c->effective_rank);
    ecc_json_numbers(json, "deviations", c->deviations, c->d);
    ecc_json_numbers(json, "explained", c->explained, c->d);
    json_t *const shares = json_array();
    for (size_t k = 0; k < c->d; k++) {
        json_array_append_new(shares, ecc_json_real(ecc_components_data_share(c, k)));
    }
    json_object_set_new(json, "explained_data", shares);
    json_object_set_new(json, "table", run->one ? about_table(run->one) : json_null());
    return json;
}

/* 95% and 99%, of T2 and Q. */
static json_t *about_limits(const struct ecc_limits *limits)
{
    if (limits->items == 0) return json_null();
    json_t *const json = json_object();
    ecc_json_numbers(json, "t2", limits->t2, 2);
    ecc_json_numbers(json, "q", limits->q, 2);
    return json;
}

/* Columns of words: their names, and the levels of each. */
static json_t *about_words(const struct ecc_dataset *data)
{
    json_t *const list = json_array();
    for (size_t k = 0; k < data->word_count; k++) {
        const struct ecc_item_words *const words = &data->words[k];
        json_t *const entry = json_object();
        ecc_json_text(entry, "name", words->name);
        json_object_set_new(entry, "levels",
                            names((const char *const *)words->levels, words->level_count));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *about_items(const struct ecc_space *s)
{
    const struct ecc_dataset *const data = s->data;
    if (!data) return json_null();
    json_t *const json = json_object();
    ecc_json_text(json, "name", ecc_short_name(data->name));
    ecc_json_count(json, "count", s->count);
    char words[ECC_SEEN_WORDS];
    ecc_json_text(json, "kind", s->latents ? "items" : ecc_seen_words(words, &s->seen));
    ecc_json_flag(json, "pictures", !s->pixels);
    size_t folder = 0;
    ecc_json_flag(json, "named", s->count > 0 && ecc_data_file(data, 0, &folder) != NULL);
    ecc_json_flag(json, "some", s->kept != NULL);
    ecc_json_count(json, "trained_on", s->seen.trained);
    ecc_json_flag(json, "labelled", data->labels != NULL);
    json_t *const classes = json_array();
    for (size_t c = 0; data->labels && c < data->class_count; c++) {
        json_array_append_new(classes, data->class_names ? ecc_json_string(data->class_names[c])
                                                         : json_sprintf("%zu", c));
    }
    json_object_set_new(json, "classes", classes);
    json_object_set_new(json, "attributes",
                        names((const char *const *)data->attribute_names, data->attribute_count));
    json_object_set_new(json, "factors", names(data->factor_names, data->factor_count));
    json_object_set_new(json, "numbers",
                        names((const char *const *)data->number_names, data->number_count));
    json_object_set_new(json, "words", about_words(data));
    json_object_set_new(json, "limits", about_limits(&s->limits));
    return json;
}

static json_t *about_alignment(const struct ecc_space *s)
{
    const struct ecc_alignment *const a = &s->alignment;
    if (!s->aligned) return json_null();
    json_t *const json = json_object(), *const partner = json_array();
    for (size_t k = 0; k < a->d; k++) {
        json_array_append_new(partner, json_integer((json_int_t)a->partner[k]));
    }
    json_object_set_new(json, "partner", partner);
    ecc_json_numbers(json, "sign", a->sign, a->d);
    ecc_json_numbers(json, "correlation", a->correlation, a->d);
    ecc_json_number(json, "angle_raw", a->angle_raw);
    ecc_json_number(json, "angle_aligned", a->angle_aligned);
    ecc_json_number(json, "angle_procrustes", a->angle_procrustes);
    ecc_json_text(json, "verdict", ecc_verdict_names[ecc_align_verdict(a)]);
    return json;
}

static enum ecc_status about(struct ecc_space *s, struct ecc_reply *reply,
                             const struct ecc_request *request, struct ecc_error *error)
{
    (void)request;
    json_t *const json = json_object(), *const runs = json_array();
    for (size_t r = 0; r < s->run_count; r++)
        json_array_append_new(runs, about_run(s, &s->runs[r]));
    ecc_json_text(json, "version", ecc_version());
    ecc_json_count(json, "d", s->d);
    ecc_json_count(json, "channels", s->shape.channels);
    ecc_json_count(json, "height", s->shape.height);
    ecc_json_count(json, "width", s->shape.width);
    json_object_set_new(json, "most", json_integer(ECC_SPACE_MOST));
    json_object_set_new(json, "runs", runs);
    json_object_set_new(json, "items", about_items(s));
    json_object_set_new(json, "alignment", about_alignment(s));
    ecc_json_count(json, "targets", s->targets.targets);
    return ecc_reply_json(reply, json, error);
}

const struct ecc_route ecc_route_about = {.path = "api/about", .run = about};

/* ---- Targets -------------------------------------------------------------------------------- */

static enum ecc_status targets(struct ecc_space *s, struct ecc_reply *reply,
                               const struct ecc_request *request, struct ecc_error *error)
{
    size_t r;
    ECC_TRY(ecc_route_run(s, &r, request, error));
    const struct ecc_space_run *const run = &s->runs[r];
    json_t *const list = json_array();
    for (size_t t = 0; t < s->targets.targets; t++) {
        json_t *const entry = json_object();
        size_t count = 0;
        for (size_t i = 0; i < s->count; i++) {
            count += s->targets.values[t * s->count + i] != 0;
        }
        ecc_json_text(entry, "name", s->targets.names[t]);
        ecc_json_count(entry, "count", count);
        ecc_json_numbers(entry, "gains", run->gains + t * s->d, s->d);
        ecc_json_numbers(entry, "inside", run->inside + t * s->d, s->d);
        ecc_json_numbers(entry, "beside", run->beside + t * s->d, s->d);
        json_array_append_new(list, entry);
    }
    return ecc_reply_json(reply, list, error);
}

const struct ecc_route ecc_route_targets = {
    .path = "api/targets", .names = ECC_NAMES("run"), .run = targets};
