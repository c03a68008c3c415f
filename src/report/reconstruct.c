/* reconstruct.c: encodes and reconstructs some items for the page. */
#include "base/rng.h"
#include "base/streams.h"
#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 5000,    /* items on the map */
    MEASURED = 1000, /* how many of them are reconstructed */
    PICTURED = 24,   /* how many of those are shown */
};

/* Sums over items for each of their numbers. */
struct sums {
    double *x, *xx, *errors, *n; /* [size] */
};

/* ---- Which items ---------------------------------------------------------------------------- */

/* A random subset in random order, so that no class hides another on the map. */
static enum ecc_status choose(struct ecc_report *page, struct ecc_error *error)
{
    const size_t count = page->items.count;
    uint32_t *const all = malloc((count + 1) * sizeof *all);
    if (!all) return ecc_fail_memory(error, "a list of items");
    ecc_rng_permutation(all, count, page->seed, ECC_STREAM_SHOWN);
    for (size_t i = 0; page->items.items && i < count; i++) all[i] = page->items.items[all[i]];
    page->shown = all;
    page->shown_n = count < SHOWN ? count : SHOWN;
    return ECC_OK;
}

static enum ecc_status encode(struct ecc_report *page, const struct ecc_watch *watch,
                              struct ecc_error *error)
{
    const size_t n = page->shown_n;
    page->p = malloc((n * page->model->d + 1) * sizeof *page->p);
    if (!page->p) return ecc_fail_memory(error, "the latents");
    ECC_TRY(ecc_model_encode_data(page->model, page->p, page->items.data, page->shown, n, watch,
                                  error));
    if (page->components.d == 0) {
        free(page->p);
        page->p = NULL;
        return ECC_OK;
    }
    return ecc_components_project(&page->components, page->p, page->p, n, error);
}

/* ---- Reconstructions ------------------------------------------------------------------------ */

static void add(struct sums *sums, const float *x, const float *y, size_t n, size_t size)
{
    for (size_t i = 0; i < n * size; i++) {
        const double value = (double)x[i], difference = (double)y[i] - value;
        if (isnan(value)) continue; /* a missing cell */
        sums->n[i % size]++;
        sums->x[i % size] += value;
        sums->xx[i % size] += value * value;
        sums->errors[i % size] += difference * difference;
    }
}

/* One batch of the shown items; the first ones are kept for the page. */
static enum ecc_status reconstruct_some(struct ecc_report *page, struct sums *sums, float *memory,
                                        size_t first, size_t n, struct ecc_error *error)
{
    struct ecc_model *const m = page->model;
    float *const x = memory, *const y = x + m->batch * m->size, *const z = y + m->batch * m->size;
    ECC_TRY(ecc_dataset_read(page->items.data, x, page->shown + first, n, error));
    ECC_TRY(ecc_model_encode(m, z, x, n, error));
    ECC_TRY(ecc_model_decode(m, y, z, n, error));
    add(sums, x, y, n, m->size);
    const size_t wanted = first < page->kept_n ? page->kept_n - first : 0;
    const size_t floats = (n < wanted ? n : wanted) * m->size;
    memcpy(page->x + first * m->size * (wanted > 0), x, floats * sizeof *x);
    memcpy(page->y + first * m->size * (wanted > 0), y, floats * sizeof *y);
    return ECC_OK;
}

static void conclude(struct ecc_report *page, const struct sums *sums)
{
    const size_t size = page->model->size;
    double errors = 0, variance = 0;
    for (size_t j = 0; j < size; j++) {
        const double n = fmax(1, sums->n[j]), mean = sums->x[j] / n;
        const double own = fmax(0, sums->xx[j] / n - mean * mean);
        errors += sums->errors[j] / n;
        variance += own;
        page->column_kept[j] = own > 0 ? 1 - sums->errors[j] / n / own : (double)NAN;
    }
    page->error = errors / (double)size;
    page->kept = variance > 0 ? 1 - errors / variance : (double)NAN;
}

static enum ecc_status reconstruct(struct ecc_report *page, struct ecc_error *error)
{
    struct ecc_model *const m = page->model;
    const size_t n = page->shown_n < MEASURED ? page->shown_n : MEASURED;
    page->measured = n;
    page->kept_n = n < PICTURED ? n : PICTURED;
    page->x = malloc((page->kept_n * m->size + 1) * sizeof *page->x);
    page->y = malloc((page->kept_n * m->size + 1) * sizeof *page->y);
    page->column_kept = calloc(m->size, sizeof *page->column_kept);
    double *const room = calloc(4 * m->size, sizeof *room);
    float *const memory = malloc(m->batch * (2 * m->size + m->d) * sizeof *memory);
    struct sums sums = {room, room + m->size, room + 2 * m->size, room + 3 * m->size};
    const bool enough = page->x && page->y && page->column_kept && room && memory;
    enum ecc_status status = enough ? ECC_OK : ecc_fail_memory(error, "the reconstructions");
    for (size_t i = 0; status == ECC_OK && i < n; i += m->batch) {
        status =
            reconstruct_some(page, &sums, memory, i, n - i < m->batch ? n - i : m->batch, error);
    }
    if (status == ECC_OK) conclude(page, &sums);
    free(room);
    free(memory);
    return status;
}

enum ecc_status ecc_report_measure(struct ecc_report *page, const struct ecc_watch *watch,
                                   struct ecc_error *error)
{
    page->error = page->kept = (double)NAN;
    if (!page->items.data) return ECC_OK;
    ECC_TRY(choose(page, error));
    ECC_TRY(encode(page, watch, error));
    return reconstruct(page, error);
}
