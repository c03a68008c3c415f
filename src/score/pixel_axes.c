/*
 * pixel_axes.c: fits principal axes to the pixels of images.
 *
 * Of small images by the covariance of the pixels.  Of others by the products of the images with
 * each other, [n, n], which has the same eigenvalues: there are far fewer images than pixels, and
 * the axes are exact, where an iteration would take long to find hundreds of them.
 */
#include "score/pixel_axes.h"

#include "base/text.h"
#include "math/lapack.h"
#include "math/statistics.h"

#include <cblas.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    SMALL = 1024, /* up to this many pixels, by the covariance */
    TILE = 256,   /* images whose products with others one thread works on */
    PANEL = 512,  /* pixels that are added at once */
    BATCH = 100,  /* images read at once */
};

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

void ecc_pixel_axes_name(const struct ecc_pca *p, char text[ECC_AXES_IDENTITY_END])
{
    uLong sum = crc32_z(0, (const unsigned char *)p->mean, p->size * sizeof *p->mean);
    sum = crc32_z(sum, (const unsigned char *)p->axes, p->d * p->size * sizeof *p->axes);
    snprintf(text, ECC_AXES_IDENTITY_END, "axes %08x", (unsigned)sum);
}

void ecc_pixel_axes_centre(const struct ecc_pca *p, float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < p->size; k++) x[i * p->size + k] -= p->mean[k];
    }
}

/* ---- Images --------------------------------------------------------------------------------- */

static enum ecc_status clip(float *x, size_t count, const struct ecc_dataset *data,
                            struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(x[k])) {
            return ecc_fail(error, ECC_BAD_DATA, "%s has a pixel that is %g",
                            ecc_quote_path(shown, data->name), (double)x[k]);
        }
        x[k] = x[k] < 0 ? 0 : x[k] > 1 ? 1 : x[k];
    }
    return ECC_OK;
}

/* x: [n, size], spread evenly over the data. */
static enum ecc_status read_images(float *x, struct ecc_dataset *data, size_t n,
                                   const struct ecc_watch *watch, struct ecc_error *error)
{
    const size_t size = ecc_shape_size(data->shape);
    struct ecc_work work = {.name = "principal axes", .unit = "images", .total = n};
    uint32_t items[BATCH];
    for (size_t done = 0; done < n; done = work.done) {
        const size_t count = min_size(BATCH, n - done);
        for (size_t i = 0; i < count; i++) items[i] = (uint32_t)((done + i) * data->count / n);
        ECC_TRY(ecc_dataset_read(data, x + done * size, items, count, error));
        ECC_TRY(clip(x + done * size, count * size, data, error));
        work.done = done + count;
        ECC_TRY(ecc_watch_work(watch, &work, error));
    }
    return ECC_OK;
}

/* ---- Products of images --------------------------------------------------------------------- */

struct products {
    const float *x; /* [n, size], centred */
    size_t n, size;
    double *gram;   /* [n, n]; tiles on and above the diagonal, then eigenvectors */
    double *panel;  /* [n, PANEL] */
    double *values; /* [n] */
    float *u;       /* [d, n] */
};

static void add_panel(struct products *p, size_t first, size_t width)
{
    const size_t n = p->n, tiles = (n + TILE - 1) / TILE;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < width; k++) {
            p->panel[i * width + k] = (double)p->x[i * p->size + first + k];
        }
    }
    /* each tile is one thread's, so that the last digits do not depend on their number */
#pragma omp parallel for schedule(dynamic) collapse(2)
    for (size_t a = 0; a < tiles; a++) {
        for (size_t b = 0; b < tiles; b++) {
            if (b < a) continue;
            const size_t i = a * TILE, j = b * TILE;
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)min_size(TILE, n - i),
                        (int)min_size(TILE, n - j), (int)width, 1, p->panel + i * width, (int)width,
                        p->panel + j * width, (int)width, 1, p->gram + i * n + j, (int)n);
        }
    }
}

/* An axis is the sum of the images, weighted by an eigenvector of their products, of length 1. */
static void weigh_images(struct ecc_pca *pca, struct products *p)
{
    const size_t n = p->n, size = p->size;
    for (size_t k = 0; k < pca->d; k++) {
        pca->eigenvalues[k] = p->values[k] / (double)n;
        const double scale = p->values[k] > 0 ? 1 / sqrt(p->values[k]) : 0;
        for (size_t i = 0; i < n; i++) p->u[k * n + i] = (float)(p->gram[k * n + i] * scale);
    }
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1); /* as above */
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)pca->d, (int)size, (int)n, 1, p->u,
                (int)n, p->x, (int)size, 0, pca->axes, (int)size);
    omp_set_num_threads(threads);
}

/* The mean is there already. */
static enum ecc_status fit_products(struct ecc_pca *pca, const float *x, size_t n,
                                    struct ecc_error *error)
{
    struct products p = {.x = x, .n = n, .size = pca->size};
    p.gram = calloc(n * n, sizeof *p.gram);
    p.panel = malloc(n * PANEL * sizeof *p.panel);
    p.values = malloc(n * sizeof *p.values);
    p.u = malloc(pca->d * n * sizeof *p.u);
    const bool all = p.gram && p.panel && p.values && p.u;
    enum ecc_status status = all ? ECC_OK : ecc_fail_memory(error, "principal axes");
    for (size_t k = 0; status == ECC_OK && k < p.size; k += PANEL) {
        add_panel(&p, k, min_size(PANEL, p.size - k));
    }
    if (status == ECC_OK) status = ecc_eigen_symmetric(p.values, p.gram, p.gram, n, error);
    if (status == ECC_OK) weigh_images(pca, &p);
    free(p.gram);
    free(p.panel);
    free(p.values);
    free(p.u);
    return status;
}

/* x becomes centred. */
static enum ecc_status fit_large(struct ecc_pca *pca, float *x, size_t n, size_t size, size_t d,
                                 struct ecc_error *error)
{
    *pca = (struct ecc_pca){.size = size, .d = d};
    pca->mean = calloc(size, sizeof *pca->mean);
    pca->axes = calloc(d * size, sizeof *pca->axes);
    pca->eigenvalues = calloc(d, sizeof *pca->eigenvalues);
    double *const mean = malloc(size * sizeof *mean);
    const bool all = pca->mean && pca->axes && pca->eigenvalues && mean;
    enum ecc_status status = all ? ECC_OK : ecc_fail_memory(error, "principal axes");
    if (status == ECC_OK) status = ecc_mean_covariance(mean, NULL, x, n, size, error);
    if (status == ECC_OK) {
        for (size_t k = 0; k < size; k++) pca->mean[k] = (float)mean[k];
        ecc_pixel_axes_centre(pca, x, n);
        status = fit_products(pca, x, n, error);
    }
    free(mean);
    if (status != ECC_OK) ecc_pca_release(pca);
    return status;
}

/* ---- Either --------------------------------------------------------------------------------- */

/* Leaves out axes along which the images do not vary; x: [n, size] is centred. */
static enum ecc_status finish(struct ecc_pixel_axes *axes, const float *x,
                              const struct ecc_dataset *data, struct ecc_error *error)
{
    struct ecc_pca *const p = &axes->pca;
    char shown[ECC_PATH_SIZE];
    double total = 0, kept = 0;
    for (size_t i = 0; i < axes->items * p->size; i++) total += (double)x[i] * (double)x[i];
    total /= (double)axes->items;
    if (!(total > 1e-12)) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "all %zu images of %s are the same, so they have no principal components; "
                        "choose other features",
                        axes->items, ecc_quote_path(shown, data->name));
    }
    while (p->d > 1 && !(p->eigenvalues[p->d - 1] > 1e-9 * total)) p->d--;
    for (size_t k = 0; k < p->d; k++) kept += p->eigenvalues[k];
    axes->share = fmin(kept / total, 1);
    return ECC_OK;
}

static enum ecc_status fit(struct ecc_pixel_axes *axes, float *x, size_t d,
                           struct ecc_dataset *data, struct ecc_error *error)
{
    const size_t size = ecc_shape_size(data->shape), n = axes->items;
    if (size <= SMALL) {
        ECC_TRY(ecc_pca_fit(&axes->pca, x, n, size, d, error));
        ecc_pixel_axes_centre(&axes->pca, x, n);
    } else {
        ECC_TRY(fit_large(&axes->pca, x, n, size, d, error));
    }
    return finish(axes, x, data, error);
}

enum ecc_status ecc_pixel_axes_fit(struct ecc_pixel_axes *axes, struct ecc_dataset *data,
                                   size_t most, const struct ecc_watch *watch,
                                   struct ecc_error *error)
{
    const size_t size = ecc_shape_size(data->shape);
    const size_t n = min_size(data->count, min_size(ECC_AXES_ITEMS, ECC_AXES_FLOATS / size + 1));
    const size_t d = min_size(min_size(most, size), n / ECC_AXES_ITEMS_OF_ONE);
    char shown[ECC_PATH_SIZE];
    *axes = (struct ecc_pixel_axes){.items = n};
    if (n < ECC_AXES_ITEMS_LEAST) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has %zu image%s, expected at least %d for principal components",
                        ecc_quote_path(shown, data->name), n, n == 1 ? "" : "s",
                        ECC_AXES_ITEMS_LEAST);
    }
    float *const x = malloc(n * size * sizeof *x);
    if (!x) return ecc_fail_memory(error, "images for principal axes");
    enum ecc_status status = read_images(x, data, n, watch, error);
    if (status == ECC_OK) status = fit(axes, x, d > 0 ? d : 1, data, error);
    free(x);
    if (status != ECC_OK) ecc_pca_release(&axes->pca);
    return status;
}
