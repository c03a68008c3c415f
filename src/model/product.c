/* product.c: regularizers whose latents are a linear map of the encoder's outputs: the map as one
 * matrix. */
#include "model/product.h"
#include "math/lapack.h"

#include <cblas.h>
#include <stdlib.h>

enum { MOST_FOLDED = 1024 }; /* of more latents, multiplying the matrices takes too long */

void ecc_model_fold(struct ecc_model *m)
{
    const struct ecc_regularizer_plan *const plan = &m->regularizer;
    free(m->product);
    m->product = NULL;
    if (!plan->entry->product || m->d > MOST_FOLDED) return;
    m->product = malloc(m->d * m->d * sizeof *m->product);
    if (!m->product) return;
    if (plan->entry->product(m->product, m->d, plan->own, plan->values)) return;
    free(m->product);
    m->product = NULL;
}

void ecc_model_apply_product(const struct ecc_model *m, float *z, const float *outputs, size_t n)
{
    const int d = (int)m->d;
    for (size_t i = 0; i < n; i++) {
        cblas_sgemv(CblasRowMajor, CblasNoTrans, d, d, 1, m->product, d, outputs + i * m->d, 1, 0,
                    z + i * m->d, 1);
    }
}

enum ecc_status ecc_model_singular_values(const struct ecc_model *m, double **values,
                                          struct ecc_error *error)
{
    *values = NULL;
    if (!m->product) return ECC_OK;
    const size_t count = m->d * m->d;
    double *const wide = malloc(count * sizeof *wide);
    *values = malloc(m->d * sizeof **values);
    enum ecc_status status =
        wide && *values ? ECC_OK : ecc_fail_memory(error, "the singular values");
    if (status == ECC_OK) {
        for (size_t i = 0; i < count; i++) wide[i] = (double)m->product[i];
        status = ecc_singular_values(NULL, *values, NULL, wide, m->d, error);
    }
    free(wide);
    if (status == ECC_OK) return ECC_OK;
    free(*values);
    *values = NULL;
    return status;
}
