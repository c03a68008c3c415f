/* unusual.c: how unusual items are: T2 and Q of chemometrics. */
#include "model/unusual.h"

#include <math.h>
#include <stdlib.h>

/* ---- Of a batch ----------------------------------------------------------------------------- */

/* Squared error of one item, summed over the features that are there; *present of them. */
static double residual(const float *x, const float *again, size_t size, size_t *present)
{
    double sum = 0;
    *present = 0;
    for (size_t j = 0; j < size; j++) {
        if (isnan(x[j])) continue;
        const double off = (double)x[j] - (double)again[j];
        sum += off * off;
        ++*present;
    }
    return sum;
}

size_t ecc_components_alive(const struct ecc_components *c)
{
    size_t alive = 0;
    while (alive < c->d && c->eigenvalues[alive] > 1e-12 * c->eigenvalues[0]) alive++;
    return alive;
}

static double distance(const struct ecc_components *c, const float *p)
{
    double sum = 0;
    const size_t alive = ecc_components_alive(c);
    for (size_t k = 0; k < alive; k++) sum += (double)p[k] * (double)p[k] / c->eigenvalues[k];
    return sum;
}

/* The measures of n items; again: [n, size] their reconstructions, or NULL: not wanted. */
static void fill(const struct ecc_model *m, const struct ecc_measures *to, const float *x,
                 const float *again, const float *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t at = i * m->size;
        size_t present = 0;
        const double sum = again ? residual(x + at, again + at, m->size, &present) : 0;
        const double mean = present > 0 ? sum / (double)present : (double)NAN;
        if (to->error) to->error[i] = mean;
        if (to->q) to->q[i] = mean * (double)m->size;
        if (to->t2) to->t2[i] = distance(&m->components, p + i * m->d);
    }
}

/* memory: [batch, 2 d + size] */
static enum ecc_status measure_batch(struct ecc_model *m, const struct ecc_measures *to,
                                     const float *x, size_t n, float *memory,
                                     struct ecc_error *error)
{
    const bool decoded = to->error || to->q, along = to->p || to->t2;
    float *const z = to->z ? to->z : memory;
    float *const p = to->p ? to->p : memory + m->batch * m->d;
    float *const again = memory + 2 * m->batch * m->d;
    ECC_TRY(ecc_model_encode(m, z, x, n, error));
    if (along) ECC_TRY(ecc_components_project(&m->components, p, z, n, error));
    if (decoded) ECC_TRY(ecc_model_decode(m, again, z, n, error));
    fill(m, to, x, decoded ? again : NULL, p, n);
    return ECC_OK;
}

/* ---- Of any number -------------------------------------------------------------------------- */

/* The same arrays from item `first` on. */
static struct ecc_measures skip(const struct ecc_measures *to, size_t first, size_t d)
{
    return (struct ecc_measures){.z = to->z ? to->z + first * d : NULL,
                                 .p = to->p ? to->p + first * d : NULL,
                                 .error = to->error ? to->error + first : NULL,
                                 .t2 = to->t2 ? to->t2 + first : NULL,
                                 .q = to->q ? to->q + first : NULL};
}

enum ecc_status ecc_model_measure(struct ecc_model *m, const struct ecc_measures *to,
                                  const float *x, size_t n, struct ecc_error *error)
{
    if ((to->p || to->t2) && m->components.d == 0) {
        struct ecc_components found;
        ECC_TRY(ecc_model_components(m, &found, NULL, NULL, error)); /* the model keeps them */
        ecc_components_release(&found);
    }
    float *const memory = malloc(m->batch * (2 * m->d + m->size) * sizeof *memory);
    if (!memory) return ecc_fail_memory(error, "a batch of items");
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; i < n && status == ECC_OK; i += m->batch) {
        const size_t some = n - i < m->batch ? n - i : m->batch;
        const struct ecc_measures rest = skip(to, i, m->d);
        status = measure_batch(m, &rest, x + i * m->size, some, memory, error);
    }
    free(memory);
    return status;
}
