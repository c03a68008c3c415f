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

    struct ecc_npy_writer array;
    struct ecc_output table;
    struct ecc_measures measures; /* t2 and q: of all items; the rest too in a .npz, of a batch in a
                                   * .csv */
};

/* ---- Opening -------------------------------------------------------------------------------- */

static enum ecc_status make_room(struct ecc_latent_output *o, struct ecc_error *error)
{
    const size_t d = o->model->d, all = o->count + 1;
    const size_t some = o->format == ECC_FORMAT_NPZ ? all : o->model->batch;
    struct ecc_measures *const m = &o->measures;
    if (all > SIZE_MAX / sizeof(double) / (d + 1)) return ecc_fail_memory(error, "the latents");
    m->z = malloc(some * d * sizeof *m->z);
    m->p = malloc(some * d * sizeof *m->p);
    m->error = malloc(some * sizeof *m->error);
    m->t2 = malloc(all * sizeof *m->t2);
    m->q = malloc(all * sizeof *m->q);
    if (m->z && m->p && m->error && m->t2 && m->q) return ECC_OK;
    return ecc_fail_memory(error, "the latents");
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
    if (o->format != ECC_FORMAT_NPY) {
        ECC_TRY(make_room(o, error));
        return o->format == ECC_FORMAT_CSV ? open_table(o, error) : ECC_OK;
    }
    o->measures.z = malloc(o->model->batch * d * sizeof *o->measures.z);
    if (!o->measures.z) return ecc_fail_memory(error, "a batch of latents");
    return ecc_npy_writer_open(&o->array, o->path, ECC_F4, &d, 1, error);
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

static enum ecc_status add_to_array(struct ecc_latent_output *o, const float *x, size_t n,
                                    struct ecc_error *error)
{
    float *const z = o->measures.z;
    ECC_TRY(ecc_model_encode(o->model, z, x, n, error));
    if (o->components) ECC_TRY(ecc_components_project(&o->model->components, z, z, n, error));
    return ecc_npy_writer_append(&o->array, z, n, error);
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

/* Measures n items, in place for a .npz. */
static enum ecc_status add_measured(struct ecc_latent_output *o, const float *x, size_t n,
                                    struct ecc_error *error)
{
    const size_t d = o->model->d, at = o->format == ECC_FORMAT_NPZ ? o->done : 0;
    const struct ecc_measures all = o->measures;
    const struct ecc_measures these = {.z = all.z + at * d,
                                       .p = all.p + at * d,
                                       .error = all.error + at,
                                       .t2 = all.t2 + o->done,
                                       .q = all.q + o->done};
    ECC_TRY(ecc_model_measure(o->model, &these, x, n, error));
    if (o->format == ECC_FORMAT_NPZ) return ECC_OK;
    for (size_t i = 0; i < n; i++) put_row(o, &these, i);
    return ferror(o->table.stream) ? ecc_fail_errno(error, "write", o->path) : ECC_OK;
}

enum ecc_status ecc_latent_output_add(void *output, const float *x, size_t first, size_t n,
                                      struct ecc_error *error)
{
    struct ecc_latent_output *const o = output;
    (void)first;
    for (size_t i = 0; i < n; i += o->model->batch) {
        const size_t some = n - i < o->model->batch ? n - i : o->model->batch;
        const float *const items = x + i * o->model->size;
        ECC_TRY(o->format == ECC_FORMAT_NPY ? add_to_array(o, items, some, error)
                                            : add_measured(o, items, some, error));
        o->done += some;
    }
    return ECC_OK;
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
