/* latent_input.c: latents from .npy, .npz and .csv files. */
#include "model/latent_input.h"
#include "base/text.h"
#include "data/archive.h"
#include "data/csv_rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum ecc_status wrong_shape(const char *path, const struct ecc_npy_header *h, size_t d,
                                   struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], shape[ECC_SHAPE_TEXT];
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s has shape %s, but the latents of this run have size %zu: expected (n, %zu)",
                    ecc_quote_path(shown, path), ecc_shape_text(shape, h->shape, h->rank), d, d);
}

/* item: of all rows. */
static enum ecc_status too_large(const struct ecc_latent_input *in, size_t item, double value,
                                 struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s: row %zu, column %zu is %g, too large for float32: expected at most %.2g",
                    ecc_quote_path(shown, in->path), item / in->d, item % in->d, value,
                    (double)FLT_MAX);
}

/* ---- NumPy ---------------------------------------------------------------------------------- */

static enum ecc_status open_npy(struct ecc_latent_input *in, struct ecc_error *error)
{
    ECC_TRY(ecc_npy_reader_open(&in->stream, in->path, error));
    const struct ecc_npy_header *const h = &in->stream.header;
    if (h->rank != 2 || h->shape[1] != in->d || h->shape[0] == 0) {
        return wrong_shape(in->path, h, in->d, error);
    }
    in->rows = in->stream.rows;
    return ECC_OK;
}

static enum ecc_status take_array(struct ecc_latent_input *in, const struct ecc_array *array,
                                  struct ecc_error *error)
{
    if (array->rank != 2 || array->shape[1] != in->d || array->shape[0] == 0) {
        struct ecc_npy_header header = {.rank = array->rank};
        memcpy(header.shape, array->shape, sizeof header.shape);
        return wrong_shape(in->path, &header, in->d, error);
    }
    in->rows = array->shape[0];
    in->values = malloc(array->count * sizeof *in->values);
    if (!in->values) return ecc_fail_memory(error, "the latents");
    const size_t good = ecc_to_f32_until(in->values, array->data, array->dtype, array->count);
    if (good == array->count) return ECC_OK;
    return too_large(in, good, ((const double *)array->data)[good], error);
}

static enum ecc_status open_npz(struct ecc_latent_input *in, struct ecc_error *error)
{
    struct ecc_archive file;
    struct ecc_array array;
    ECC_TRY(ecc_archive_open(&file, in->path, error));
    in->named = true;
    enum ecc_status status = ecc_archive_get(&file, &array, "z", error);
    if (status != ECC_OK && ecc_archive_get(&file, &array, "p", NULL) == ECC_OK) {
        in->components = true;
        status = ECC_OK;
    }
    if (status == ECC_OK) {
        status = take_array(in, &array, error);
        ecc_array_release(&array);
    }
    ecc_archive_close(&file);
    return status;
}

/* ---- Text ----------------------------------------------------------------------------------- */

/* Where p1 ... pd, or z1 ... zd, are in the header; false: not all of them. */
static bool find_columns(size_t *places, const struct ecc_csv_row *header, char letter, size_t d)
{
    for (size_t k = 0; k < d; k++) {
        char name[32];
        size_t at = 0;
        snprintf(name, sizeof name, "%c%zu", letter, k + 1);
        while (at < header->count && strcmp(header->cells[at], name) != 0) at++;
        if (at == header->count) return false;
        places[k] = at;
    }
    return true;
}

static enum ecc_status read_header(struct ecc_latent_input *in, size_t *places,
                                   struct ecc_csv_reader *reader, struct ecc_error *error)
{
    struct ecc_csv_row header = {0};
    char shown[ECC_PATH_SIZE];
    enum ecc_status status = ecc_csv_next(reader, &header, error);
    in->named = true;
    in->components = status == ECC_OK && find_columns(places, &header, 'p', in->d);
    if (status == ECC_OK && !in->components && !find_columns(places, &header, 'z', in->d)) {
        status = ecc_fail(error, ECC_BAD_DATA,
                          "%s has no columns p1 to p%zu (along components) or z1 to z%zu (raw "
                          "latents) in its first line",
                          ecc_quote_path(shown, in->path), in->d, in->d);
    }
    ecc_csv_row_release(&header);
    return status;
}

static bool grow(struct ecc_latent_input *in, size_t *capacity)
{
    if (in->rows < *capacity) return true;
    *capacity = *capacity ? 2 * *capacity : 256;
    float *const values = realloc(in->values, *capacity * in->d * sizeof *values);
    if (values) in->values = values;
    return values != NULL;
}

static enum ecc_status take_row(struct ecc_latent_input *in, const struct ecc_csv_row *row,
                                const size_t *places, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    for (size_t k = 0; k < in->d; k++) {
        double value;
        const char *const cell = places[k] < row->count ? row->cells[places[k]] : "";
        if (!ecc_parse_double(cell, &value)) {
            return ecc_fail(error, ECC_BAD_DATA, "%s, line %zu: %s in column %c%zu is not a number",
                            ecc_quote_path(shown, in->path), row->line,
                            ecc_quote(quoted, cell, strlen(cell)), in->components ? 'p' : 'z',
                            k + 1);
        }
        if (fabs(value) > (double)FLT_MAX) {
            return too_large(in, in->rows * in->d + k, value, error);
        }
        in->values[in->rows * in->d + k] = (float)value;
    }
    in->rows++;
    return ECC_OK;
}

static enum ecc_status read_rows(struct ecc_latent_input *in, const size_t *places,
                                 struct ecc_csv_reader *reader, struct ecc_error *error)
{
    struct ecc_csv_row row = {0};
    size_t capacity = 0;
    char shown[ECC_PATH_SIZE];
    enum ecc_status status = ecc_csv_next(reader, &row, error);
    while (status == ECC_OK && row.count > 0) {
        status = grow(in, &capacity) ? take_row(in, &row, places, error)
                                     : ecc_fail_memory(error, "the latents");
        if (status == ECC_OK) status = ecc_csv_next(reader, &row, error);
    }
    ecc_csv_row_release(&row);
    if (status != ECC_OK || in->rows > 0) return status;
    return ecc_fail(error, ECC_BAD_DATA, "%s has a header but no rows",
                    ecc_quote_path(shown, in->path));
}

static enum ecc_status open_csv(struct ecc_latent_input *in, struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    struct ecc_csv_reader reader;
    ECC_TRY(ecc_file_read(&bytes, &size, in->path, error));
    size_t *const places = malloc((in->d + 1) * sizeof *places);
    char *const text = realloc(bytes, size + 1); /* a place for the reader's 0 */
    enum ecc_status status = places && text ? ECC_OK : ecc_fail_memory(error, "the latents");
    if (status == ECC_OK) status = ecc_csv_reader_init(&reader, text, size, in->path, error);
    if (status == ECC_OK) status = read_header(in, places, &reader, error);
    if (status == ECC_OK) status = read_rows(in, places, &reader, error);
    free(text ? (void *)text : (void *)bytes);
    free(places);
    return status;
}

/* ---- All ------------------------------------------------------------------------------------ */

enum ecc_status ecc_latent_input_open(struct ecc_latent_input *in, const char *path, size_t d,
                                      struct ecc_error *error)
{
    *in = (struct ecc_latent_input){.d = d, .path = strdup(path)};
    if (!in->path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_ends_in_any_case(path, ".csv")   ? open_csv(in, error)
                                   : ecc_ends_in_any_case(path, ".npz") ? open_npz(in, error)
                                                                        : open_npy(in, error);
    if (status != ECC_OK) ecc_latent_input_close(in);
    return status;
}

/* Rows and columns are counted from 0, as NumPy does. */
static enum ecc_status check_finite(const struct ecc_latent_input *in, const float *z, size_t n,
                                    struct ecc_error *error)
{
    for (size_t i = 0; i < n * in->d; i++) {
        if (isfinite(z[i])) continue;
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s: row %zu, column %zu is %s, expected a number",
                        ecc_quote_path(shown, in->path), in->row + i / in->d, i % in->d,
                        isnan(z[i]) ? "NaN" : "infinite");
    }
    return ECC_OK;
}

enum ecc_status ecc_latent_input_read(struct ecc_latent_input *in, float *z, size_t *got,
                                      size_t most, struct ecc_error *error)
{
    const size_t left = in->rows - in->row;
    *got = left < most ? left : most;
    if (in->values) {
        memcpy(z, in->values + in->row * in->d, *got * in->d * sizeof *z);
    } else {
        ECC_TRY(ecc_npy_reader_read(&in->stream, z, got, most, error));
    }
    ECC_TRY(check_finite(in, z, *got, error));
    in->row += *got;
    return ECC_OK;
}

void ecc_latent_input_close(struct ecc_latent_input *in)
{
    ecc_npy_reader_close(&in->stream);
    free(in->values);
    free(in->path);
    *in = (struct ecc_latent_input){0};
}
