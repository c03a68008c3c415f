/*
 * onnx.c: a model as two ONNX files.
 *
 * encoder.onnx: x -> z, p; decoder.onnx: p -> x.  x are items as their file has them, z the raw
 * latents, p the components in deviations.
 */
#include "base/file.h"
#include "export/onnx_layers.h"
#include "latent/principal.h"
#include "model/model.h"
#include "run/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct job {
    struct ecc_model *model;
    const struct ecc_components *components;
    const struct ecc_onnx_options *options;
    struct ecc_onnx_graph graph;
    float *room; /* [size or d * d + d, whichever is larger] for constants */
};

static struct ecc_onnx_part part_of(const struct job *job, const float *flat, bool decoder)
{
    return (struct ecc_onnx_part){.of = {job->model->net, job->model->spec, flat, decoder},
                                  .keep_norms = job->options && job->options->keep_norms};
}

/* An operator of the last value and a constant: [count]. */
static void apply(struct job *job, const char *type, const char *name, const float *values,
                  size_t count)
{
    ecc_onnx_floats(&job->graph, name, values, &count, 1);
    ecc_onnx_add(&job->graph, &(struct ecc_onnx_node){.type = type, .others = {name}});
}

/* ---- Tables --------------------------------------------------------------------------------- */

/* limits: [columns], where standardised numbers end; false: nowhere. */
static bool find_limits(const struct job *job, float *limits)
{
    const struct ecc_model *const m = job->model;
    const double clip = m->schema ? 0 : m->scaling.clip;
    bool any = clip > 0;
    for (size_t j = 0; j < m->size; j++) limits[j] = clip > 0 ? (float)clip : 3e38F;
    for (size_t c = 0; m->schema && c < m->schema->count; c++) {
        const struct ecc_column *const column = &m->schema->columns[c];
        for (size_t j = 0; column->clip > 0 && j < column->features; j++) {
            limits[column->first + j] = (float)column->clip;
            any = true;
        }
    }
    return any;
}

/* Cells in their own units become an item: standardised, missing ones at their mean. */
static void put_scaling(struct job *job)
{
    const struct ecc_model *const m = job->model;
    struct ecc_onnx_graph *const g = &job->graph;
    char scaled[ECC_ONNX_NAME];
    for (size_t j = 0; j < m->size; j++) job->room[j] = (float)m->scaling.mean[j];
    apply(job, "Sub", "mean", job->room, m->size);
    for (size_t j = 0; j < m->size; j++) job->room[j] = (float)m->scaling.deviation[j];
    apply(job, "Div", "deviation", job->room, m->size);
    memcpy(scaled, g->last, sizeof scaled);
    ecc_onnx_floats(g, "zero", &(float){0}, &(size_t){1}, 1);
    ecc_onnx_add(g, &(struct ecc_onnx_node){.type = "IsNaN"});
    ecc_onnx_add(g, &(struct ecc_onnx_node){.type = "Where", .others = {"zero", scaled}});
    if (!find_limits(job, job->room)) return;
    apply(job, "Min", "highest", job->room, m->size);
    for (size_t j = 0; j < m->size; j++) job->room[j] = -job->room[j];
    apply(job, "Max", "lowest", job->room, m->size);
}

static void put_unscaling(struct job *job)
{
    const struct ecc_model *const m = job->model;
    for (size_t j = 0; j < m->size; j++) job->room[j] = (float)m->scaling.deviation[j];
    apply(job, "Mul", "deviation", job->room, m->size);
    for (size_t j = 0; j < m->size; j++) job->room[j] = (float)m->scaling.mean[j];
    apply(job, "Add", "mean", job->room, m->size);
}

/* ---- Latents -------------------------------------------------------------------------------- */

/* z = last matrix: [d, d] + vector: [d]; the vector follows the matrix in job->room. */
static void put_linear(struct job *job, const char *matrix, const char *vector, const char *output)
{
    const size_t d = job->model->d, dims[2] = {d, d};
    ecc_onnx_floats(&job->graph, matrix, job->room, dims, 2);
    ecc_onnx_floats(&job->graph, vector, job->room + d * d, dims, 1);
    ecc_onnx_add(&job->graph, &(struct ecc_onnx_node){
                                  .type = "Gemm", .others = {matrix, vector}, .output = output});
}

/* The first d of the encoder's outputs. */
static void put_first(struct job *job)
{
    struct ecc_onnx_graph *const g = &job->graph;
    const int64_t from = 0, to = (int64_t)job->model->d, axis = 1;
    ecc_onnx_ints(g, "first", &from, 1);
    ecc_onnx_ints(g, "last", &to, 1);
    ecc_onnx_ints(g, "axis", &axis, 1);
    ecc_onnx_add(g, &(struct ecc_onnx_node){.type = "Slice", .others = {"first", "last", "axis"}});
}

/* To the sphere of this radius. */
static void put_projection(struct job *job, double radius)
{
    struct ecc_onnx_graph *const g = &job->graph;
    const struct ecc_onnx_attribute axes = {.name = "axes", .count = 1, .ints = {1}};
    const float tiny = 1e-12F, length = (float)radius;
    char norm[ECC_ONNX_NAME], outputs[ECC_ONNX_NAME];
    memcpy(outputs, g->last, sizeof outputs);
    ecc_onnx_add(g, &(struct ecc_onnx_node){
                        .type = "ReduceSumSquare", .attributes = &axes, .attribute_count = 1});
    apply(job, "Add", "tiny", &tiny, 1);
    ecc_onnx_add(g, &(struct ecc_onnx_node){.type = "Sqrt"});
    memcpy(norm, g->last, sizeof norm);
    ecc_onnx_add(g, &(struct ecc_onnx_node){.type = "Div", .first = outputs, .others = {norm}});
    apply(job, "Mul", "radius", &length, 1);
}

/* The encoder's outputs become latents, as analysis uses them (struct ecc_regularizer, means). */
static void put_latents(struct job *job)
{
    const struct ecc_model *const m = job->model;
    const size_t d = m->d;
    if (m->spec->encoder_outputs > d) put_first(job);
    if (m->product) {
        for (size_t i = 0; i < d * d; i++) job->room[i] = m->product[i % d * d + i / d];
        memset(job->room + d * d, 0, d * sizeof *job->room);
        put_linear(job, "product", "none", NULL);
    } else if (ecc_model_radius(m) > 0) {
        put_projection(job, ecc_model_radius(m));
    }
    ecc_onnx_add(&job->graph, &(struct ecc_onnx_node){.type = "Identity", .output = "z"});
}

/* p = (z - mean) axes' / deviations; a component that hardly varies, beside the first, stays at 0:
 * its numbers would be rounding errors. */
static void put_components(struct job *job)
{
    const struct ecc_components *const c = job->components;
    const size_t d = c->d;
    for (size_t j = 0; j < d; j++) job->room[j] = (float)c->mean[j];
    apply(job, "Sub", "mean of z", job->room, d);
    for (size_t k = 0; k < d; k++) {
        const bool varies = ecc_component_varies(c, k);
        for (size_t j = 0; j < d; j++) {
            const double axis = c->axes[k * d + j];
            job->room[j * d + k] = varies ? (float)(axis / c->deviations[k]) : 0;
        }
        job->room[d * d + k] = 0;
    }
    put_linear(job, "axes", "no shift", "p");
}

/* z = mean + (p deviations) axes */
static void put_gaussian(struct job *job)
{
    const struct ecc_components *const c = job->components;
    const size_t d = c->d;
    for (size_t i = 0; i < d * d; i++) job->room[i] = (float)(c->deviations[i / d] * c->axes[i]);
    for (size_t j = 0; j < d; j++) job->room[d * d + j] = (float)c->mean[j];
    put_linear(job, "axes", "mean of z", NULL);
}

/* ---- What a file says of itself ------------------------------------------------------------- */

static void say_json(struct ecc_onnx_graph *g, const char *key, json_t *json)
{
    char *const text = json_dumps(json, JSON_COMPACT);
    if (text) ecc_onnx_say(g, key, text);
    if (!text) g->model.failed = true;
    free(text);
    json_decref(json);
}

static void say_all(struct job *job, const char *input, const char *output)
{
    const struct ecc_model *const m = job->model;
    struct ecc_onnx_graph *const g = &job->graph;
    char text[40];
    ecc_onnx_say(g, "eccentric", ECC_VERSION);
    snprintf(text, sizeof text, "%08x", (unsigned)m->weight_sum);
    ecc_onnx_say(g, "weights", text);
    ecc_onnx_say(g, "regularizer", m->regularizer.entry->name);
    ecc_onnx_say(g, "input", input);
    ecc_onnx_say(g, "output", output);
    say_json(g, "explained", ecc_json_reals(job->components->explained, m->d));
    if (!m->scaling.names) return;
    json_t *const names = json_array();
    for (size_t j = 0; j < m->scaling.columns; j++) {
        json_array_append_new(names, ecc_json_string(m->scaling.names[j]));
    }
    say_json(g, "columns", names);
}

/* ---- Files ---------------------------------------------------------------------------------- */

static enum ecc_status write_file(struct job *job, const char *directory, const char *name,
                                  struct ecc_error *error)
{
    struct ecc_output output = {0};
    if (job->graph.model.failed) return ecc_fail_memory(error, "an ONNX file");
    char *const path = ecc_path_join(directory, name);
    if (!path) return ecc_fail_memory(error, "a path");
    enum ecc_status status = ecc_output_open(&output, path, error);
    if (status == ECC_OK) {
        fwrite(job->graph.model.bytes, 1, job->graph.model.size, output.stream);
        status = ecc_output_commit(&output, error);
    }
    ecc_output_discard(&output);
    free(path);
    return status;
}

static enum ecc_status make_encoder(struct job *job, const float *flat, struct ecc_error *error)
{
    const struct ecc_model *const m = job->model;
    const struct ecc_onnx_part part = part_of(job, flat, false);
    const bool table = m->scaling.columns > 0;
    size_t dims[3];
    ecc_onnx_begin(&job->graph, "encoder");
    ecc_onnx_input(&job->graph, "x", dims, ecc_onnx_dims(dims, m->shape));
    ecc_onnx_output(&job->graph, "z", &m->d, 1);
    ecc_onnx_output(&job->graph, "p", &m->d, 1);
    if (table) put_scaling(job);
    ECC_TRY(ecc_onnx_layers(&job->graph, &part, error));
    put_latents(job);
    put_components(job);
    ecc_onnx_end(&job->graph);
    say_all(job,
            table ? "x: a row in its own units; NaN is a missing cell" : "x: pixels from 0 to 1",
            "z: latents; p: components, in deviations");
    return ECC_OK;
}

static enum ecc_status make_decoder(struct job *job, const float *flat, struct ecc_error *error)
{
    const struct ecc_model *const m = job->model;
    const struct ecc_onnx_part part = part_of(job, flat, true);
    const bool table = m->scaling.columns > 0;
    size_t dims[3];
    ecc_onnx_begin(&job->graph, "decoder");
    ecc_onnx_input(&job->graph, "p", &m->d, 1);
    ecc_onnx_output(&job->graph, "x", dims, ecc_onnx_dims(dims, m->shape));
    put_gaussian(job);
    ECC_TRY(ecc_onnx_layers(&job->graph, &part, error));
    if (table) put_unscaling(job);
    ecc_onnx_add(&job->graph, &(struct ecc_onnx_node){.type = "Identity", .output = "x"});
    ecc_onnx_end(&job->graph);
    say_all(job, "p: components, in deviations",
            table ? "x: a row in its own units" : "x: pixels from 0 to 1");
    return ECC_OK;
}

static enum ecc_status write_both(struct job *job, const float *flat, const char *directory,
                                  struct ecc_error *error)
{
    enum ecc_status status = make_decoder(job, flat, error);
    if (status == ECC_OK) status = write_file(job, directory, "decoder.onnx", error);
    free(job->graph.model.bytes);
    job->graph.model.bytes = NULL;
    if (status != ECC_OK || !ecc_model_encoder_is_exportable(job->model)) return status;
    status = make_encoder(job, flat, error);
    if (status == ECC_OK) status = write_file(job, directory, "encoder.onnx", error);
    free(job->graph.model.bytes);
    return status;
}

enum ecc_status ecc_model_export_onnx(struct ecc_model *m, const struct ecc_components *components,
                                      const char *directory, const struct ecc_onnx_options *options,
                                      struct ecc_error *error)
{
    const size_t latent = m->d * m->d + m->d, most = m->size > latent ? m->size : latent;
    struct job job = {.model = m, .components = components, .options = options};
    if (components->d != m->d) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "these are components of %zu dimensions, expected the model's %zu",
                        components->d, m->d);
    }
    ECC_TRY(ecc_make_directory(directory, error));
    float *const flat = malloc(ecc_net_flat_size(m->net) * sizeof *flat);
    job.room = malloc(most * sizeof *job.room);
    enum ecc_status status =
        flat && job.room ? ECC_OK : ecc_fail_memory(error, "the weights of a model");
    if (status == ECC_OK) {
        ecc_net_export(m->net, flat);
        status = write_both(&job, flat, directory, error);
    }
    free(flat);
    free(job.room);
    return status;
}
