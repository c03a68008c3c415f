/* item_output.c: writes decoded items to a file or folder, depending on its name. */
#include "show/item_output.h"
#include "base/npy.h"
#include "base/place.h"
#include "base/text.h"
#include "data/archive.h"
#include "data/cells.h"
#include "data/image_file.h"
#include "data/image_motion.h"
#include "figure/plot.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAME_MILLISECONDS = 80 };

struct ecc_item_output {
    enum ecc_format format;
    const struct ecc_model *model;
    struct ecc_output_words words;
    char *path;
    size_t count, done;

    struct ecc_npy_writer array;
    struct ecc_output table;
    struct ecc_motion motion;
    double *values; /* [batch, columns] of a table; in a .npz, [count, columns] */
    float *pixels;  /* [count, size] of a sheet, or of images in a .npz */
    float *latents; /* [count, d] in a .npz */
    char *folder;   /* the folder while it is being filled */
};

bool ecc_model_drawable(const struct ecc_model *m)
{
    return m->scaling.columns == 0 && (m->shape.channels == 1 || m->shape.channels == 3);
}

void ecc_model_unscale(const struct ecc_model *m, double *values, const float *x, size_t n)
{
    const size_t columns = m->scaling.columns;
    for (size_t i = 0; i < n * columns; i++) {
        values[i] = (double)x[i] * m->scaling.deviation[i % columns] + m->scaling.mean[i % columns];
    }
}

/* ---- Which format --------------------------------------------------------------------------- */

unsigned ecc_item_formats(const struct ecc_model *m)
{
    const unsigned arrays = ECC_FORMAT_NPY | ECC_FORMAT_NPZ;
    if (m->scaling.columns > 0) return ECC_FORMAT_CSV | arrays;
    const unsigned pictures = ECC_FORMAT_PICTURE | ECC_FORMAT_FOLDER | ECC_FORMAT_APNG;
    return ecc_model_drawable(m) ? arrays | pictures : arrays;
}

enum ecc_status ecc_item_output_check(const char *path, const struct ecc_model *m,
                                      struct ecc_error *error)
{
    const unsigned formats = ecc_item_formats(m);
    if (ecc_format_of(path) & formats) return ECC_OK;
    char shown[ECC_PATH_SIZE], words[ECC_FORMAT_WORDS], items[64];
    snprintf(items, sizeof items, "images of %zu channels", m->shape.channels);
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "cannot write %s: the items of this run are %s, use %s",
                    ecc_quote_path(shown, path),
                    m->scaling.columns > 0  ? "rows of a table"
                    : ecc_model_drawable(m) ? "images"
                                            : items,
                    ecc_format_words(words, formats));
}

static enum ecc_status check_count(const struct ecc_item_output *o, struct ecc_error *error)
{
    if (!(o->format & ECC_FORMAT_PICTURE) || o->count <= ECC_SHEET_MOST) return ECC_OK;
    char shown[ECC_PATH_SIZE];
    return ecc_fail(
        error, ECC_BAD_ARGUMENT,
        "%zu images are too many for the sheet %s, at most %d fit; use .npy, .npz or a folder",
        o->count, ecc_quote_path(shown, o->path), ECC_SHEET_MOST);
}

/* ---- Opening -------------------------------------------------------------------------------- */

static enum ecc_status open_array(struct ecc_item_output *o, struct ecc_error *error)
{
    const struct ecc_item_shape s = o->model->shape;
    if (o->model->scaling.columns > 0) {
        return ecc_npy_writer_open_rows(&o->array, o->path, ECC_F8, o->count, &s.channels, 1,
                                        error);
    }
    const size_t shape[] = {s.channels, s.height, s.width};
    const bool grey = s.channels == 1;
    return ecc_npy_writer_open_rows(&o->array, o->path, ECC_F4, o->count, shape + grey,
                                    grey ? 2 : 3, error);
}

/* Room for everything. */
static enum ecc_status open_arrays(struct ecc_item_output *o, struct ecc_error *error)
{
    const struct ecc_model *const m = o->model;
    const bool table = m->scaling.columns > 0;
    const size_t all = o->count + 1;
    if (all > SIZE_MAX / sizeof(double) / (m->size + m->d)) {
        return ecc_fail_memory(error, "the items");
    }
    o->latents = malloc(all * m->d * sizeof *o->latents);
    if (table) {
        o->values = malloc(all * m->size * sizeof *o->values);
    } else {
        o->pixels = malloc(all * m->size * sizeof *o->pixels);
    }
    return o->latents && (o->values || o->pixels) ? ECC_OK : ecc_fail_memory(error, "the items");
}

/* The columns that items are made of, by name. */
static enum ecc_status open_table(struct ecc_item_output *o, struct ecc_error *error)
{
    const struct ecc_scaling *const scaling = &o->model->scaling;
    const struct ecc_schema *const schema = ecc_model_schema(o->model);
    ECC_TRY(ecc_output_open(&o->table, o->path, error));
    const size_t count = schema ? schema->count : scaling->columns;
    const char *separator = "";
    for (size_t c = 0; c < count; c++) {
        char number[32];
        if (schema && schema->columns[c].features == 0) continue;
        snprintf(number, sizeof number, "column%zu", c + 1);
        fputs(separator, o->table.stream);
        ecc_cell_put(o->table.stream, schema           ? schema->columns[c].name
                                      : scaling->names ? scaling->names[c]
                                                       : number);
        separator = ",";
    }
    fputc('\n', o->table.stream);
    return ECC_OK;
}

/* The path must not exist, or be an empty folder. */
static enum ecc_status check_folder(const char *path, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    DIR *const directory = opendir(path);
    if (!directory) {
        if (errno == ENOENT) return ECC_OK;
        return ecc_fail_errno(error, "make a folder of", path);
    }
    size_t entries = 0;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(directory);
    if (entries == 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT, "the folder %s is not empty: choose another name",
                    ecc_quote_path(shown, path));
}

static enum ecc_status open_folder(struct ecc_item_output *o, struct ecc_error *error)
{
    size_t length = strlen(o->path);
    while (length > 1 && o->path[length - 1] == '/') o->path[--length] = '\0';
    ECC_TRY(check_folder(o->path, error));
    char *const folder = malloc(length + 32);
    if (!folder) return ecc_fail_memory(error, "a path");
    snprintf(folder, length + 32, "%s.%ld.part", o->path, (long)getpid());
    const enum ecc_status status = ecc_make_directory(folder, error);
    if (status == ECC_OK) {
        o->folder = folder;
    } else {
        free(folder);
    }
    return status;
}

static enum ecc_status open_format(struct ecc_item_output *o, struct ecc_error *error)
{
    const struct ecc_model *const m = o->model;
    ECC_TRY(ecc_item_output_check(o->path, m, error));
    ECC_TRY(check_count(o, error));
    if (o->format == ECC_FORMAT_NPZ) return open_arrays(o, error);
    if (m->scaling.columns > 0) {
        o->values = malloc(m->batch * m->size * sizeof *o->values);
        if (!o->values) return ecc_fail_memory(error, "rows of a table");
    }
    if (o->format == ECC_FORMAT_NPY) return open_array(o, error);
    if (o->format == ECC_FORMAT_CSV) return open_table(o, error);
    if (o->format == ECC_FORMAT_FOLDER) return open_folder(o, error);
    if (o->format == ECC_FORMAT_APNG) {
        return ecc_motion_open(&o->motion, o->path, m->shape, o->count, FRAME_MILLISECONDS, error);
    }
    o->pixels = malloc((o->count * m->size + 1) * sizeof *o->pixels);
    return o->pixels ? ECC_OK : ecc_fail_memory(error, "a sheet of images");
}

enum ecc_status ecc_item_output_create(struct ecc_item_output **output, const char *path,
                                       const struct ecc_model *model, size_t count,
                                       const struct ecc_output_words *words,
                                       struct ecc_error *error)
{
    struct ecc_item_output *const o = calloc(1, sizeof *o);
    *output = NULL;
    if (!o) return ecc_fail_memory(error, "an output");
    o->format = ecc_format_of(path);
    o->model = model;
    o->count = count;
    if (words) o->words = *words;
    o->path = strdup(path);
    const enum ecc_status status =
        o->path ? open_format(o, error) : ecc_fail_memory(error, "a path");
    if (status != ECC_OK) {
        ecc_item_output_free(o);
        return status;
    }
    *output = o;
    return ECC_OK;
}

/* ---- Adding --------------------------------------------------------------------------------- */

/* One row of a table, its cells as the table has them. */
static void put_cells(FILE *out, const struct ecc_schema *schema, const float *x)
{
    const char *separator = "";
    for (size_t c = 0; c < schema->count; c++) {
        char cell[1000];
        if (schema->columns[c].features == 0) continue;
        fputs(separator, out);
        ecc_cell_put(out, ecc_schema_cell(cell, sizeof cell, &schema->columns[c], x));
        separator = ",";
    }
    fputc('\n', out);
}

static enum ecc_status add_rows(struct ecc_item_output *o, const float *x, size_t n,
                                struct ecc_error *error)
{
    const size_t columns = o->model->size;
    const struct ecc_schema *const schema = ecc_model_schema(o->model);
    if (o->format == ECC_FORMAT_NPZ) {
        ecc_model_unscale(o->model, o->values + o->done * columns, x, n);
        return ECC_OK;
    }
    ecc_model_unscale(o->model, o->values, x, n);
    if (o->format == ECC_FORMAT_NPY) return ecc_npy_writer_append(&o->array, o->values, n, error);
    for (size_t i = 0; schema && i < n; i++) put_cells(o->table.stream, schema, x + i * columns);
    for (size_t i = 0; !schema && i < n * columns; i++) {
        fprintf(o->table.stream, "%.9g%c", o->values[i], (i + 1) % columns ? ',' : '\n');
    }
    return ferror(o->table.stream) ? ecc_fail_errno(error, "write", o->path) : ECC_OK;
}

static enum ecc_status add_files(struct ecc_item_output *o, const float *x, size_t n,
                                 struct ecc_error *error)
{
    int digits = 5;
    for (size_t most = o->count; most > 100000; most /= 10) digits++;
    for (size_t i = 0; i < n; i++) {
        char name[40];
        snprintf(name, sizeof name, "%0*zu.png", digits, o->done + i);
        char *const path = ecc_path_join(o->folder, name);
        if (!path) return ecc_fail_memory(error, "a path");
        const enum ecc_status status =
            ecc_image_write(path, x + i * o->model->size, o->model->shape, error);
        free(path);
        ECC_TRY(status);
    }
    return ECC_OK;
}

static enum ecc_status add_some(struct ecc_item_output *o, const float *x, size_t n,
                                struct ecc_error *error)
{
    if (o->values) return add_rows(o, x, n, error);
    if (o->format == ECC_FORMAT_NPY) return ecc_npy_writer_append(&o->array, x, n, error);
    if (o->format == ECC_FORMAT_FOLDER) return add_files(o, x, n, error);
    if (o->format == ECC_FORMAT_APNG) return ecc_motion_add(&o->motion, x, n, error);
    memcpy(o->pixels + o->done * o->model->size, x, n * o->model->size * sizeof *x);
    return ECC_OK;
}

enum ecc_status ecc_item_output_add(struct ecc_item_output *o, const float *x, const float *z,
                                    size_t n, struct ecc_error *error)
{
    const size_t d = o->model->d;
    if (n > o->count - o->done) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "more items than the %zu that were announced",
                        o->count);
    }
    if (o->latents) memcpy(o->latents + o->done * d, z, n * d * sizeof *z);
    for (size_t i = 0; i < n; i += o->model->batch) {
        const size_t some = n - i < o->model->batch ? n - i : o->model->batch;
        ECC_TRY(add_some(o, x + i * o->model->size, some, error));
        o->done += some;
    }
    return ECC_OK;
}

/* ---- The end -------------------------------------------------------------------------------- */

static enum ecc_status draw_sheet(const struct ecc_item_output *o, struct ecc_error *error)
{
    const struct ecc_item_shape s = o->model->shape;
    struct ecc_plot plot;
    ecc_plot_start(&plot, o->words.title, 0, 0);
    plot.figure.caption = o->words.caption;
    struct ecc_sheet *const sheet =
        ecc_plot_sheet(&plot, o->pixels, o->done, s.channels, s.height, s.width);
    sheet->columns = o->words.columns;
    sheet->row_names = o->words.row_names;
    sheet->column_names = o->words.column_names;
    return ecc_plot_write(&plot, o->path, error);
}

static enum ecc_status write_arrays(const struct ecc_item_output *o, struct ecc_error *error)
{
    const struct ecc_item_shape s = o->model->shape;
    const struct ecc_scaling *const scaling = &o->model->scaling;
    const size_t n = o->done;
    struct ecc_archive_item arrays[3] = {{"x", ECC_F4, 4, {n, s.channels, s.height, s.width}},
                                         {"z", ECC_F4, 2, {n, o->model->d}, o->latents},
                                         {"feature_names", ECC_U4, 1, {scaling->columns}}};
    if (o->values) {
        arrays[0] = (struct ecc_archive_item){"x", ECC_F8, 2, {n, scaling->columns}, o->values};
        arrays[2].texts = (const char *const *)scaling->names;
    } else if (s.channels == 1) {
        arrays[0] = (struct ecc_archive_item){"x", ECC_F4, 3, {n, s.height, s.width}, o->pixels};
    } else {
        arrays[0].data = o->pixels;
    }
    return ecc_archive_write(o->path, arrays, arrays[2].texts ? 3 : 2, error);
}

enum ecc_status ecc_item_output_finish(struct ecc_item_output *o, struct ecc_error *error)
{
    if (o->format == ECC_FORMAT_NPZ) return write_arrays(o, error);
    if (o->format == ECC_FORMAT_NPY) return ecc_npy_writer_commit(&o->array, error);
    if (o->format == ECC_FORMAT_CSV) return ecc_output_commit(&o->table, error);
    if (o->format & ECC_FORMAT_PICTURE) return draw_sheet(o, error);
    if (o->format == ECC_FORMAT_APNG) return ecc_motion_commit(&o->motion, error);
    if (rename(o->folder, o->path) != 0) return ecc_fail_errno(error, "make the folder", o->path);
    free(o->folder);
    o->folder = NULL;
    return ECC_OK;
}

static void remove_folder(const char *path)
{
    DIR *const directory = opendir(path);
    if (!directory) return;
    const int inside = dirfd(directory);
    for (const struct dirent *entry; inside >= 0 && (entry = readdir(directory));) {
        if (entry->d_name[0] != '.') unlinkat(inside, entry->d_name, 0);
    }
    closedir(directory);
    rmdir(path);
}

void ecc_item_output_free(struct ecc_item_output *o)
{
    if (!o) return;
    ecc_npy_writer_discard(&o->array);
    ecc_output_discard(&o->table);
    ecc_motion_discard(&o->motion);
    if (o->folder) remove_folder(o->folder);
    free(o->folder);
    free(o->values);
    free(o->pixels);
    free(o->latents);
    free(o->path);
    free(o);
}
