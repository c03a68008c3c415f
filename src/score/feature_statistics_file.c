/* feature_statistics_file.c: mean and covariance in an .npz file, as pytorch-fid has it. */
#include "base/text.h"
#include "score/feature_statistics.h"
#include "score/pixel_axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum ecc_status ecc_statistics_write(const struct ecc_statistics *s, const char *path,
                                     struct ecc_error *error)
{
    const uint64_t count = s->count;
    const struct ecc_archive_item items[] = {
        {"mu", ECC_F8, 1, {s->size}, s->mean},
        {"sigma", ECC_F8, 2, {s->size, s->size}, s->covariance},
        {"count", ECC_U8, 0, {0}, &count},
        {"identity", ECC_U1, 1, {strlen(s->identity)}, s->identity},
        {"centre", ECC_F4, 1, {s->pca.size}, s->pca.mean}, /* of principal components only */
        {"axes", ECC_F4, 2, {s->pca.d, s->pca.size}, s->pca.axes},
    };
    const size_t all = sizeof items / sizeof items[0];
    return ecc_archive_write(path, items, s->pca.d > 0 ? all : all - 2, error);
}

/* ---- Reading -------------------------------------------------------------------------------- */

static enum ecc_status bad(const struct ecc_archive *file, const char *what,
                           struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA, "%s: %s", ecc_quote_path(shown, file->path), what);
}

/* An array of floating-point numbers, in double; *values is the caller's to free. */
static enum ecc_status read_floats(const struct ecc_archive *file, double **values,
                                   struct ecc_array *array, const char *name,
                                   struct ecc_error *error)
{
    *values = NULL;
    ECC_TRY(ecc_archive_get(file, array, name, error));
    enum ecc_status status = ECC_OK;
    if (array->dtype != ECC_F4 && array->dtype != ECC_F8) {
        char text[80];
        snprintf(text, sizeof text, "'%s' is of another type, expected float32 or float64", name);
        status = bad(file, text, error);
    }
    if (status == ECC_OK) {
        *values = malloc((array->count + 1) * sizeof **values);
        if (!*values) status = ecc_fail_memory(error, "statistics");
    }
    if (status == ECC_OK) ecc_to_f64(*values, array->data, array->dtype, array->count);
    free(array->data); /* but its shape stays */
    array->data = NULL;
    return status;
}

static enum ecc_status read_mean(struct ecc_statistics *s, const struct ecc_archive *file,
                                 struct ecc_error *error)
{
    struct ecc_array array = {0};
    char shape[ECC_SHAPE_TEXT], text[240];
    ECC_TRY(read_floats(file, &s->mean, &array, "mu", error));
    if (array.rank != 1 || array.count < 1 || array.count > ECC_MOST_FEATURES) {
        snprintf(text, sizeof text, "'mu' has the shape %s, expected (d,) with d from 1 to %d",
                 ecc_shape_text(shape, array.shape, array.rank), ECC_MOST_FEATURES);
        return bad(file, text, error);
    }
    s->size = array.count;
    return ECC_OK;
}

static enum ecc_status read_covariance(struct ecc_statistics *s, const struct ecc_archive *file,
                                       struct ecc_error *error)
{
    struct ecc_array array = {0};
    char shape[ECC_SHAPE_TEXT], text[240];
    ECC_TRY(read_floats(file, &s->covariance, &array, "sigma", error));
    if (array.rank != 2 || array.shape[0] != s->size || array.shape[1] != s->size) {
        snprintf(text, sizeof text, "'sigma' has the shape %s, expected (%zu, %zu) as 'mu' is long",
                 ecc_shape_text(shape, array.shape, array.rank), s->size, s->size);
        return bad(file, text, error);
    }
    return ECC_OK;
}

/* Finite, no variance below 0, and symmetric except for rounding, which is removed. */
static enum ecc_status check(struct ecc_statistics *s, const struct ecc_archive *file,
                             struct ecc_error *error)
{
    const size_t d = s->size;
    double *const c = s->covariance, largest = 0;
    for (size_t i = 0; i < d; i++) {
        if (!isfinite(s->mean[i])) return bad(file, "'mu' has a number that is not finite", error);
    }
    for (size_t i = 0; i < d * d; i++) {
        if (!isfinite(c[i])) return bad(file, "'sigma' has a number that is not finite", error);
        largest = fmax(largest, fabs(c[i]));
    }
    for (size_t i = 0; i < d; i++) {
        if (c[i * d + i] < -1e-6 * largest) {
            return bad(file, "'sigma' has a variance below 0", error);
        }
        for (size_t j = i + 1; j < d; j++) {
            if (fabs(c[i * d + j] - c[j * d + i]) > 1e-5 * largest) {
                return bad(file, "'sigma' is not symmetric", error);
            }
            c[i * d + j] = c[j * d + i] = (c[i * d + j] + c[j * d + i]) / 2;
        }
    }
    return ECC_OK;
}

/* An array of this many finite numbers, single precision; the caller frees *values. */
static enum ecc_status read_singles(const struct ecc_archive *file, float **values,
                                    struct ecc_array *array, const char *name,
                                    struct ecc_error *error)
{
    char text[80];
    *values = NULL;
    ECC_TRY(ecc_archive_get(file, array, name, error));
    bool good = array->dtype == ECC_F4;
    for (size_t i = 0; good && i < array->count; i++) good = isfinite(((float *)array->data)[i]);
    if (good) {
        *values = array->data;
        return ECC_OK;
    }
    ecc_array_release(array);
    snprintf(text, sizeof text, "'%s' is not of finite numbers of type float32", name);
    return bad(file, text, error);
}

/* The axes of principal components.  Their checksum ends the identity: with other axes, scores
 * would be wrong without a word. */
static enum ecc_status read_axes(struct ecc_statistics *s, const struct ecc_archive *file,
                                 struct ecc_error *error)
{
    struct ecc_array centre = {0}, axes = {0};
    struct ecc_pca *const p = &s->pca;
    char end[ECC_AXES_IDENTITY_END];
    ECC_TRY(read_singles(file, &p->mean, &centre, "centre", error));
    ECC_TRY(read_singles(file, &p->axes, &axes, "axes", error));
    if (centre.rank != 1 || centre.count < 1 || axes.rank != 2 || axes.shape[0] != s->size ||
        axes.shape[1] != centre.count) {
        return bad(file, "'centre' and 'axes' do not fit 'mu', expected (p,) and (d, p)", error);
    }
    p->size = centre.count;
    p->d = s->size;
    ecc_pixel_axes_name(p, end);
    if (ecc_ends_in(s->identity, end)) return ECC_OK;
    return bad(file, "'axes' are not those that 'identity' names by their checksum", error);
}

/* What only our own files have. */
static enum ecc_status read_extras(struct ecc_statistics *s, const struct ecc_archive *file,
                                   struct ecc_error *error)
{
    if (ecc_zip_find(&file->zip, "count.npy")) {
        double count;
        ECC_TRY(ecc_archive_get_f64(file, &count, "count", 1, error));
        if (!(count >= 0 && count < 1e15))
            return bad(file, "'count' is not a number of items", error);
        s->count = (size_t)count;
    }
    if (!ecc_zip_find(&file->zip, "identity.npy")) return ECC_OK;
    struct ecc_array text;
    ECC_TRY(ecc_archive_get(file, &text, "identity", error));
    bool fits = text.dtype == ECC_U1 && text.count < sizeof s->identity;
    for (size_t i = 0; fits && i < text.count; i++) {
        const char c = ((const char *)text.data)[i];
        fits = c >= ' ' && c <= '~';
        s->identity[i] = c;
    }
    ecc_array_release(&text);
    if (!fits) return bad(file, "'identity' is not a line of text", error);
    const bool has_axes =
        strncmp(s->identity, "pca ", 4) == 0 &&
        (ecc_zip_find(&file->zip, "axes.npy") || ecc_zip_find(&file->zip, "centre.npy"));
    return has_axes ? read_axes(s, file, error) : ECC_OK;
}

static enum ecc_status read_all(struct ecc_statistics *s, const struct ecc_archive *file,
                                struct ecc_error *error)
{
    ECC_TRY(read_mean(s, file, error));
    ECC_TRY(read_covariance(s, file, error));
    ECC_TRY(check(s, file, error));
    return read_extras(s, file, error);
}

enum ecc_status ecc_statistics_decode(struct ecc_statistics *s, const struct ecc_archive *file,
                                      struct ecc_error *error)
{
    *s = (struct ecc_statistics){0};
    const enum ecc_status status = read_all(s, file, error);
    if (status != ECC_OK) ecc_statistics_release(s);
    return status;
}

enum ecc_status ecc_statistics_read(struct ecc_statistics *s, const char *path,
                                    struct ecc_error *error)
{
    struct ecc_archive file;
    *s = (struct ecc_statistics){0};
    ECC_TRY(ecc_archive_open(&file, path, error));
    const enum ecc_status status = ecc_statistics_decode(s, &file, error);
    ecc_archive_close(&file);
    return status;
}

bool ecc_statistics_is_file(const char *path)
{
    struct ecc_archive file;
    struct ecc_error ignored;
    if (!ecc_ends_in(path, ".npz")) return false;
    if (ecc_archive_open(&file, path, &ignored) != ECC_OK) return false;
    const bool both = ecc_zip_find(&file.zip, "mu.npy") && ecc_zip_find(&file.zip, "sigma.npy");
    ecc_archive_close(&file);
    return both;
}
