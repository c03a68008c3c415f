/* latent_output.c: writes the latents of items to .npy, .csv or .npz, depending on the name. */
#include "show/latent_output.h"
#include "base/npy.h"
#include "data/archive.h"
#include "data/cells.h"
#include "data/source.h"

#include <stdlib.h>
#include <string.h>

struct ecc_latent_output {
    enum ecc_format format;
    struct ecc_model *model;
    const struct ecc_dataset *data;
    bool components;
    size_t folder; /* of the items' files (data/source.h) */
    char *path;
    size_t count, done;
    bool writes; /* the first process of several does */

    struct ecc_npy_writer array;
    struct ecc_output table;
    struct ecc_measures measures; /* of all items; in a .csv only t2 and q */
};

/* ---- Opening -------------------------------------------------------------------------------- */

static enum ecc_status make_room(struct ecc_latent_output *o, struct ecc_error *error)
{
    const size_t d = o->model->d, all = o->count + 1;
    struct ecc_measures *const m = &o->measures;
    if (all > SIZE_MAX / sizeof(double) / (d + 1)) return ecc_fail_memory(error, "the latents");
    m->t2 = malloc(all * sizeof *m->t2);
    m->q = malloc(all * sizeof *m->q);
    if (!m->t2 || !m->q) return ecc_fail_memory(error, "the latents");
    if (o->format != ECC_FORMAT_NPZ) return ECC_OK;
    m->z = malloc(all * d * sizeof *m->z);
    m->p = malloc(all * d * sizeof *m->p);
    m->error = malloc(all * sizeof *m->error);
    return m->z && m->p && m->error ? ECC_OK : ecc_fail_memory(error, "the latents");
}

static enum ecc_status open_table(struct ecc_latent_output *o, struct ecc_error *error)
{
    ECC_TRY(ecc_output_open(&o->table, o->path, error));
    FILE *const out = o->table.stream;
    fputs("row", out);
    if (ecc_data_file(o->data, 0, &o->folder)) fputs(",file", out);
    if (o->data->labels) fputs(",label", out);
    for (size_t k = 0; k < o->model->d; k++)
        fprintf(out, ",%c%zu", o->components ? 'p' : 'z', k + 1);
    fputs(",error,T2,Q\n", out);
    return ECC_OK;
}

static enum ecc_status open_format(struct ecc_latent_output *o, struct ecc_error *error)
{
    const size_t d = o->model->d;
    if (o->format != ECC_FORMAT_NPY) ECC_TRY(make_room(o, error));
    if (!o->writes || o->format == ECC_FORMAT_NPZ) return ECC_OK;
    if (o->format == ECC_FORMAT_CSV) return open_table(o, error);
    return ecc_npy_writer_open_rows(&o->array, o->path, ECC_F4, o->count, &d, 1, error);
}

enum ecc_status ecc_latent_output_create(struct ecc_latent_output **output, const char *path,
                                         struct ecc_model *model, const struct ecc_dataset *data,
                                         bool components, struct ecc_error *error)
{
    struct ecc_latent_output *const o = calloc(1, sizeof *o);
    *output = NULL;
    if (!o) return ecc_fail_memory(error, "an output");
    o->format = ecc_format_of(path);
    o->model = model;
    o->data = data;
    o->components = components;
    o->writes = ecc_share_is_first(model->share);
    o->count = data->count;
    o->path = strdup(path);
    const enum ecc_status status =
        o->path ? open_format(o, error) : ecc_fail_memory(error, "a path");
    if (status != ECC_OK) {
        ecc_latent_output_free(o);
        return status;
    }
    *output = o;
    return ECC_OK;
}

/* ---- Adding --------------------------------------------------------------------------------- */

/* A batch as it is passed on: the parts of it that the format has, [batch] or [batch, d] each. */
static struct ecc_measures parts_of(const struct ecc_latent_output *o, void *results)
{
    const size_t batch = o->model->batch, d = o->model->d;
    double *const doubles = results;
    float *const floats = (void *)(doubles + 3 * batch);
    if (o->format == ECC_FORMAT_NPY) return (struct ecc_measures){.z = results};
    return (struct ecc_measures){.error = doubles,
                                 .t2 = doubles + batch,
                                 .q = doubles + 2 * batch,
                                 .z = floats,
                                 .p = floats + batch * d};
}

static size_t bytes_of(const struct ecc_latent_output *o)
{
    const size_t latents = o->model->batch * o->model->d * sizeof(float);
    if (o->format == ECC_FORMAT_NPY) return latents;
    return 3 * o->model->batch * sizeof(double) + 2 * latents;
}

static enum ecc_status measure(void *output, void *results, const float *x, size_t n,
                               struct ecc_error *error)
{
    struct ecc_latent_output *const o = output;
    const struct ecc_measures these = parts_of(o, results);
    if (o->format != ECC_FORMAT_NPY) return ecc_model_measure(o->model, &these, x, n, error);
    ECC_TRY(ecc_model_encode(o->model, these.z, x, n, error));
    if (!o->components) return ECC_OK;
    return ecc_components_project(&o->model->components, these.z, these.z, n, error);
}

static void put_row(struct ecc_latent_output *o, const struct ecc_measures *m, size_t i)
{
    FILE *const out = o->table.stream;
    const struct ecc_dataset *const data = o->data;
    const size_t d = o->model->d, item = o->done + i;
    const float *const z = (o->components ? m->p : m->z) + i * d;
    fprintf(out, "%zu", (size_t)data->rows[item] + 1);
    const char *const file = ecc_data_file(data, item, &o->folder);
    if (file) {
        fputc(',', out);
        ecc_cell_put(out, file);
    }
    if (data->labels && data->labels[item] < 0) {
        fputc(',', out);
    } else if (data->labels && data->class_names) {
        fputc(',', out);
        ecc_cell_put(out, data->class_names[data->labels[item]]);
    } else if (data->labels) {
        fprintf(out, ",%d", (int)data->labels[item]);
    }
    for (size_t k = 0; k < d; k++) fprintf(out, ",%.7g", (double)z[k]);
    fprintf(out, ",%.7g,%.7g,%.7g\n", m->error[i], m->t2[i], m->q[i]);
}

/* Of a table only T2 and Q are kept. */
static void keep(struct ecc_latent_output *o, const struct ecc_measures *m, size_t n)
{
    const size_t d = o->model->d, at = o->done;
    const struct ecc_measures *const all = &o->measures;
    memcpy(all->t2 + at, m->t2, n * sizeof *m->t2);
    memcpy(all->q + at, m->q, n * sizeof *m->q);
    if (o->format != ECC_FORMAT_NPZ) return;
    memcpy(all->error + at, m->error, n * sizeof *m->error);
    memcpy(all->z + at * d, m->z, n * d * sizeof *m->z);
    memcpy(all->p + at * d, m->p, n * d * sizeof *m->p);
}

static enum ecc_status take(void *output, const void *results, size_t first, size_t n,
                            struct ecc_error *error)
{
    struct ecc_latent_output *const o = output;
    const struct ecc_measures these = parts_of(o, (void *)results);
    (void)first;
    if (o->format == ECC_FORMAT_NPY) {
        if (o->writes) ECC_TRY(ecc_npy_writer_append(&o->array, these.z, n, error));
        o->done += n;
        return ECC_OK;
    }
    keep(o, &these, n);
    for (size_t i = 0; o->table.stream && i < n; i++) put_row(o, &these, i);
    o->done += n;
    const bool failed = o->table.stream && ferror(o->table.stream);
    return failed ? ecc_fail_errno(error, "write", o->path) : ECC_OK;
}

enum ecc_status ecc_latent_output_add(struct ecc_latent_output *o, struct ecc_dataset *data,
                                      const struct ecc_watch *watch, struct ecc_error *error)
{
    const struct ecc_item_map map = {"encode", bytes_of(o), o, measure, take};
    return ecc_model_map(o->model, data, NULL, data->count, &map, watch, error);
}

void ecc_latent_output_measured(const struct ecc_latent_output *o, const double **t2,
                                const double **q, size_t *n)
{
    *t2 = o->measures.t2;
    *q = o->measures.q;
    *n = o->done;
}

/* ---- The end -------------------------------------------------------------------------------- */

static enum ecc_status write_arrays(struct ecc_latent_output *o, struct ecc_error *error)
{
    const size_t n = o->done, d = o->model->d;
    const struct ecc_measures *const m = &o->measures;
    uint32_t *const rows = malloc((n + 1) * sizeof *rows);
    const char **const files = malloc((n + 1) * sizeof *files);
    if (!rows || !files) {
        free(rows);
        free(files);
        return ecc_fail_memory(error, "the numbers of the rows");
    }
    for (size_t i = 0; i < n; i++) {
        rows[i] = o->data->rows[i] + 1;
        files[i] = ecc_data_file(o->data, i, &o->folder);
    }
    size_t count = 6;
    struct ecc_archive_item arrays[9] = {
        {"row", ECC_U4, 1, {n}, rows},  {"p", ECC_F4, 2, {n, d}, m->p},
        {"z", ECC_F4, 2, {n, d}, m->z}, {"error", ECC_F8, 1, {n}, m->error},
        {"T2", ECC_F8, 1, {n}, m->t2},  {"Q", ECC_F8, 1, {n}, m->q},
    };
    if (o->data->labels) {
        arrays[count++] = (struct ecc_archive_item){"label", ECC_I4, 1, {n}, o->data->labels};
    }
    if (o->data->labels && o->data->class_names) {
        arrays[count++] =
            (struct ecc_archive_item){"class_names", .rank = 1, .shape = {o->data->class_count},
                                      .texts = (const char *const *)o->data->class_names};
    }
    if (n > 0 && files[0]) {
        arrays[count++] =
            (struct ecc_archive_item){"file", .rank = 1, .shape = {n}, .texts = files};
    }
    const enum ecc_status status = ecc_archive_write(o->path, arrays, count, error);
    free(rows);
    free(files);
    return status;
}

enum ecc_status ecc_latent_output_finish(struct ecc_latent_output *o, struct ecc_error *error)
{
    if (!o->writes) return ECC_OK;
    if (o->format == ECC_FORMAT_NPY) return ecc_npy_writer_commit(&o->array, error);
    if (o->format == ECC_FORMAT_CSV) return ecc_output_commit(&o->table, error);
    return write_arrays(o, error);
}

void ecc_latent_output_free(struct ecc_latent_output *o)
{
    if (!o) return;
    ecc_npy_writer_discard(&o->array);
    ecc_output_discard(&o->table);
    free(o->measures.z);
    free(o->measures.p);
    free(o->measures.error);
    free(o->measures.t2);
    free(o->measures.q);
    free(o->path);
    free(o);
}
