/* principal.c: mean, covariance axes and spectrum of latents; coordinates along the axes. */
#include "latent/principal.h"
#include "base/text.h"
#include "math/lapack.h"
#include "math/statistics.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 }; /* latents converted to double at a time */

/* One block of memory for all arrays. */
enum ecc_status ecc_components_init(struct ecc_components *c, size_t d, struct ecc_error *error)
{
    *c = (struct ecc_components){.d = d, .of_mean = NAN};
    if (d == 0 || d > 32000) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the latents have %zu dimensions, expected 1 to 32000", d);
    }
    c->mean = calloc(d * (d + 6), sizeof *c->mean);
    if (!c->mean) return ecc_fail_memory(error, "the components");
    c->eigenvalues = c->mean + d;
    c->deviations = c->eigenvalues + d;
    c->explained = c->deviations + d;
    c->skewness = c->explained + d;
    c->axes = c->skewness + d;
    c->of_data = c->axes + d * d;
    for (size_t k = 0; k < d; k++) c->of_data[k] = NAN;
    return ECC_OK;
}

enum ecc_status ecc_components_copy(struct ecc_components *copy, const struct ecc_components *of,
                                    struct ecc_error *error)
{
    ECC_TRY(ecc_components_init(copy, of->d, error));
    copy->count = of->count;
    copy->of_mean = of->of_mean;
    memcpy(copy->mean, of->mean, of->d * (of->d + 6) * sizeof *of->mean);
    ecc_components_describe(copy);
    return ECC_OK;
}

void ecc_components_release(struct ecc_components *c)
{
    free(c->mean);
    *c = (struct ecc_components){0};
}

void ecc_components_describe(struct ecc_components *c)
{
    c->trace = ecc_spectrum_trace(c->eigenvalues, c->d);
    c->eccentricity = ecc_spectrum_eccentricity(c->eigenvalues, c->d);
    c->effective_rank = ecc_spectrum_effective_rank(c->eigenvalues, c->d);
    for (size_t k = 0; k < c->d; k++) {
        c->deviations[k] = sqrt(c->eigenvalues[k]);
        c->explained[k] = c->trace > 0 ? c->eigenvalues[k] / c->trace : 0;
    }
}

bool ecc_components_vary(const struct ecc_components *c)
{
    double square = 0;
    for (size_t k = 0; k < c->d; k++) square += c->mean[k] * c->mean[k];
    return c->trace > 1e-12 * square;
}

bool ecc_component_varies(const struct ecc_components *c, size_t k)
{
    return c->deviations[k] > 1e-9 && c->deviations[k] > 1e-6 * c->deviations[0];
}

double ecc_components_data_share(const struct ecc_components *c, size_t k)
{
    return k == 0 ? c->of_mean + c->of_data[0] : c->of_data[k];
}

/* ---- Fitting -------------------------------------------------------------------------------- */

/* Third moments along all axes, summed into c->skewness. */
static enum ecc_status third_moments(struct ecc_components *c, const float *z, size_t n,
                                     struct ecc_error *error)
{
    const size_t d = c->d;
    float *const p = malloc(BLOCK * d * sizeof *p);
    if (!p) return ecc_fail_memory(error, "a block of latents");
    enum ecc_status status = ECC_OK;
    for (size_t first = 0; first < n && status == ECC_OK; first += BLOCK) {
        const size_t count = n - first < BLOCK ? n - first : BLOCK;
        status = ecc_components_project(c, p, z + first * d, count, error);
        for (size_t i = 0; i < count * d && status == ECC_OK; i++) {
            const double value = (double)p[i];
            c->skewness[i % d] += value * value * value;
        }
    }
    free(p);
    return status;
}

/* If the third moment is exactly 0, the largest entry is made positive: any rule would do. */
static bool points_backwards(const double *axis, double third, size_t d)
{
    if (third != 0) return third < 0;
    size_t largest = 0;
    for (size_t j = 1; j < d; j++) {
        if (fabs(axis[j]) > fabs(axis[largest])) largest = j;
    }
    return axis[largest] < 0;
}

static void fix_signs(struct ecc_components *c)
{
    for (size_t k = 0; k < c->d; k++) {
        double *const axis = c->axes + k * c->d;
        if (points_backwards(axis, c->skewness[k], c->d)) {
            for (size_t j = 0; j < c->d; j++) axis[j] = -axis[j];
        }
        const double cube = c->deviations[k] * c->eigenvalues[k];
        c->skewness[k] = cube > 0 ? fabs(c->skewness[k]) / (double)c->count / cube : 0;
    }
}

static enum ecc_status fit(struct ecc_components *c, const float *z, struct ecc_error *error)
{
    const size_t d = c->d;
    ECC_TRY(ecc_mean_covariance(c->mean, c->axes, z, c->count, d, error));
    ECC_TRY(ecc_eigen_symmetric(c->eigenvalues, c->axes, c->axes, d, error));
    for (size_t k = 0; k < d; k++) c->eigenvalues[k] = fmax(0, c->eigenvalues[k]);
    ecc_components_describe(c);
    ECC_TRY(third_moments(c, z, c->count, error));
    fix_signs(c);
    return ECC_OK;
}

enum ecc_status ecc_components_fit(struct ecc_components *c, const float *z, size_t n, size_t d,
                                   struct ecc_error *error)
{
    ECC_TRY(ecc_components_init(c, d, error));
    c->count = n;
    const enum ecc_status status = fit(c, z, error);
    if (status != ECC_OK) ecc_components_release(c);
    return status;
}

/* ---- Coordinates ---------------------------------------------------------------------------- */

/* out = (in - mean) axes^T, or back: in axes + mean. */
static enum ecc_status transform(const struct ecc_components *c, float *out, const float *in,
                                 size_t n, bool back, struct ecc_error *error)
{
    const size_t d = c->d;
    double *const a = malloc(2 * BLOCK * d * sizeof *a), *const b = a ? a + BLOCK * d : NULL;
    if (!a) return ecc_fail_memory(error, "a block of latents");
    for (size_t first = 0; first < n; first += BLOCK) {
        const size_t count = n - first < BLOCK ? n - first : BLOCK;
        for (size_t i = 0; i < count * d; i++) {
            a[i] = (double)in[first * d + i] - (back ? 0 : c->mean[i % d]);
        }
        cblas_dgemm(CblasRowMajor, CblasNoTrans, back ? CblasNoTrans : CblasTrans, (int)count,
                    (int)d, (int)d, 1, a, (int)d, c->axes, (int)d, 0, b, (int)d);
        for (size_t i = 0; i < count * d; i++) {
            out[first * d + i] = (float)(b[i] + (back ? c->mean[i % d] : 0));
        }
    }
    free(a);
    return ECC_OK;
}

enum ecc_status ecc_components_project(const struct ecc_components *c, float *p, const float *z,
                                       size_t n, struct ecc_error *error)
{
    return transform(c, p, z, n, false, error);
}

enum ecc_status ecc_components_restore(const struct ecc_components *c, float *z, const float *p,
                                       size_t n, struct ecc_error *error)
{
    return transform(c, z, p, n, true, error);
}

/* ---- Lists of components -------------------------------------------------------------------- */

/* "p3" or "3" of `length` characters. */
static bool parse_one(const char *text, size_t length, size_t *number)
{
    char copy[24];
    const bool lettered = length > 0 && (*text == 'p' || *text == 'P');
    const char *const digits = text + lettered;
    length -= lettered;
    if (length == 0 || length >= sizeof copy) return false;
    memcpy(copy, digits, length);
    copy[length] = '\0';
    return ecc_parse_size(copy, number);
}

static enum ecc_status bad_list(const char *word, size_t length, size_t d, struct ecc_error *error)
{
    char quoted[ECC_QUOTE_SIZE];
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "%s is not a component: expected p1 to p%zu, as in p1,p3 or p2-p%zu",
                    ecc_quote(quoted, word, length), d, d);
}

/* One word, "p3" or "p2-p5"; the list has room for all d, and none may occur twice. */
static enum ecc_status parse_word(size_t *list, size_t *count, const char *word, size_t length,
                                  size_t d, struct ecc_error *error)
{
    const char *const dash = memchr(word, '-', length);
    size_t from = 0, to;
    const size_t first = dash ? (size_t)(dash - word) : length;
    bool good = parse_one(word, first, &from);
    to = from;
    if (good && dash) good = parse_one(dash + 1, length - first - 1, &to);
    if (!good || from < 1 || to > d || from > to) return bad_list(word, length, d, error);
    for (size_t k = from; k <= to; k++) {
        for (size_t i = 0; i < *count; i++) {
            if (list[i] != k - 1) continue;
            return ecc_fail(error, ECC_BAD_ARGUMENT, "component p%zu is named twice", k);
        }
        list[(*count)++] = k - 1;
    }
    return ECC_OK;
}

enum ecc_status ecc_components_parse(size_t **list, size_t *count, const char *text, size_t d,
                                     struct ecc_error *error)
{
    *count = 0;
    *list = calloc(d + 1, sizeof **list);
    if (!*list) return ecc_fail_memory(error, "a list of components");
    enum ecc_status status = ECC_OK;
    for (const char *word = text; status == ECC_OK; word++) {
        const size_t length = strcspn(word, ",");
        status = parse_word(*list, count, word, length, d, error);
        word += length;
        if (*word == '\0') break;
    }
    if (status == ECC_OK) return ECC_OK;
    free(*list);
    *list = NULL;
    return status;
}
