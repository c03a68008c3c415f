/* route_about.c: GET api/about: what there is to explore; GET api/targets: what labels say about
 * components. */
#include "base/text.h"
#include "explore/route.h"

/* What is no UTF-8 becomes a question mark, all of it, so that a name can never spoil the rest. */
static json_t *text(const char *value)
{
    json_t *const string = json_string(value);
    return string ? string : json_string("?");
}

static json_t *names(char *const *list, size_t count)
{
    json_t *const array = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(array, text(list[i]));
    return array;
}

/* A run's own columns, and how it standardises them. */
static json_t *about_table(const struct ecc_scaling *scaling)
{
    if (scaling->columns == 0) return json_null();
    json_t *const json = json_object(), *const columns = json_array();
    for (size_t c = 0; c < scaling->columns; c++) {
        json_array_append_new(columns, scaling->names ? text(scaling->names[c])
                                                      : json_sprintf("column %zu", c + 1));
    }
    json_object_set_new(json, "columns", columns);
    json_object_set_new(json, "mean", ecc_json_reals(scaling->mean, scaling->columns));
    json_object_set_new(json, "deviation", ecc_json_reals(scaling->deviation, scaling->columns));
    return json;
}

static json_t *about_run(const struct ecc_space_run *run)
{
    const struct ecc_model *const m = run->one;
    const struct ecc_components *const c = &run->components;
    json_t *const json = json_object();
    json_object_set_new(json, "name", text(ecc_short_name(m->run->directory)));
    json_object_set_new(json, "finished", json_boolean(m->finished));
    json_object_set_new(json, "step", json_integer((json_int_t)m->step));
    json_object_set_new(json, "net", text(m->options.net));
    json_object_set_new(json, "regularizer", text(m->options.regularizer));
    json_object_set_new(json, "lambda", ecc_json_real(ecc_model_lambda(m)));
    json_object_set_new(json, "items", json_integer((json_int_t)c->count));
    json_object_set_new(json, "trace", ecc_json_real(c->trace));
    json_object_set_new(json, "eccentricity", ecc_json_real(c->eccentricity));
    json_object_set_new(json, "effective_rank", ecc_json_real(c->effective_rank));
    json_object_set_new(json, "deviations", ecc_json_reals(c->deviations, c->d));
    json_object_set_new(json, "explained", ecc_json_reals(c->explained, c->d));
    json_object_set_new(json, "table", about_table(&m->scaling));
    return json;
}

static json_t *about_items(const struct ecc_space *s)
{
    const struct ecc_dataset *const data = s->data;
    if (!data) return json_null();
    json_t *const json = json_object();
    json_object_set_new(json, "name", text(ecc_short_name(data->name)));
    json_object_set_new(json, "count", json_integer((json_int_t)s->count));
    json_object_set_new(json, "labelled", json_boolean(data->labels != NULL));
    json_t *const classes = json_array();
    for (size_t c = 0; data->labels && c < data->class_count; c++) {
        json_array_append_new(classes, data->class_names ? text(data->class_names[c])
                                                         : json_sprintf("%zu", c));
    }
    json_object_set_new(json, "classes", classes);
    json_object_set_new(json, "attributes", names(data->attribute_names, data->attribute_count));
    json_t *const factors = json_array();
    for (size_t f = 0; f < data->factor_count; f++) {
        json_array_append_new(factors, text(data->factor_names[f]));
    }
    json_object_set_new(json, "factors", factors);
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
    json_object_set_new(json, "sign", ecc_json_reals(a->sign, a->d));
    json_object_set_new(json, "correlation", ecc_json_reals(a->correlation, a->d));
    json_object_set_new(json, "angle_raw", ecc_json_real(a->angle_raw));
    json_object_set_new(json, "angle_aligned", ecc_json_real(a->angle_aligned));
    json_object_set_new(json, "angle_procrustes", ecc_json_real(a->angle_procrustes));
    json_object_set_new(
        json, "verdict",
        text(ecc_verdict_names[ecc_align_verdict(a->angle_aligned, a->angle_procrustes)]));
    return json;
}

static enum ecc_status about(struct ecc_space *s, struct ecc_reply *reply,
                             const struct ecc_request *request, struct ecc_error *error)
{
    (void)request;
    json_t *const json = json_object(), *const runs = json_array();
    for (size_t r = 0; r < s->run_count; r++) json_array_append_new(runs, about_run(&s->runs[r]));
    json_object_set_new(json, "version", text(ecc_version()));
    json_object_set_new(json, "d", json_integer((json_int_t)s->d));
    json_object_set_new(json, "channels", json_integer((json_int_t)s->shape.channels));
    json_object_set_new(json, "height", json_integer((json_int_t)s->shape.height));
    json_object_set_new(json, "width", json_integer((json_int_t)s->shape.width));
    json_object_set_new(json, "most", json_integer(ECC_SPACE_MOST));
    json_object_set_new(json, "runs", runs);
    json_object_set_new(json, "items", about_items(s));
    json_object_set_new(json, "alignment", about_alignment(s));
    json_object_set_new(json, "targets", json_integer((json_int_t)s->targets.targets));
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
        json_object_set_new(entry, "name", text(s->targets.names[t]));
        json_object_set_new(entry, "count", json_integer((json_int_t)count));
        json_object_set_new(entry, "gains", ecc_json_reals(run->gains + t * s->d, s->d));
        json_object_set_new(entry, "inside", ecc_json_reals(run->inside + t * s->d, s->d));
        json_object_set_new(entry, "beside", ecc_json_reals(run->beside + t * s->d, s->d));
        json_array_append_new(list, entry);
    }
    return ecc_reply_json(reply, list, error);
}

static const char *const target_names[] = {"run", NULL};

const struct ecc_route ecc_route_targets = {
    .path = "api/targets", .names = target_names, .run = targets};
