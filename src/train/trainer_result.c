/* trainer_result.c: what a model is like by its running statistics: validation, and the end. */
#include "math/lapack.h"
#include "math/statistics.h"
#include "run/weights.h"
#include "train/trainer_internal.h"

#include <math.h>
#include <stdlib.h>

enum ecc_status ecc_trainer_reconstruct(struct ecc_trainer *t, double *error_mean, float *y,
                                        const float *x, size_t n, struct ecc_error *error)
{
    const size_t batch = t->options.batch, size = ecc_shape_size(t->data->shape);
    double sum = 0;
    ECC_TRY(ecc_trainer_show_average(t, error));
    for (size_t i = 0; i < n; i += batch) {
        const size_t count = n - i < batch ? n - i : batch;
        const float *outputs;
        double part;
        ECC_TRY(ecc_net_encode(t->net, &outputs, x + i * size, count, false, error));
        ecc_regularizer_means(t->regularizer.entry, t->z, outputs, count, t->options.latent);
        ECC_TRY(ecc_net_decode(t->net, y ? y + i * size : NULL, t->z, count, false, error));
        ECC_TRY(ecc_net_error(t->net, &part, error));
        sum += part * (double)count;
    }
    *error_mean = sum / (double)n;
    return ECC_OK;
}

/* Latents of all training items, z: [item_count, d], and their reconstruction error. */
static enum ecc_status encode_all(struct ecc_trainer *t, float *z, float *x, double *error_mean,
                                  struct ecc_error *error)
{
    const size_t batch = t->options.batch, d = t->options.latent;
    double sum = 0;
    for (size_t i = 0; i < t->item_count; i += batch) {
        const size_t count = t->item_count - i < batch ? t->item_count - i : batch;
        double part;
        ECC_TRY(ecc_dataset_read(t->data, x, t->items + i, count, error));
        ECC_TRY(ecc_trainer_reconstruct(t, &part, NULL, x, count, error));
        for (size_t k = 0; k < count * d; k++) z[i * d + k] = t->z[k];
        sum += part * (double)count;
    }
    *error_mean = sum / (double)t->item_count;
    return ECC_OK;
}

static enum ecc_status describe(struct ecc_trainer *t, struct ecc_train_result *r, const float *z,
                                struct ecc_error *error)
{
    const size_t d = t->options.latent, n = t->item_count;
    r->mean = calloc(d, sizeof *r->mean);
    r->eigenvalues = calloc(d, sizeof *r->eigenvalues);
    r->axes = calloc(d * d, sizeof *r->axes);
    if (!r->mean || !r->eigenvalues || !r->axes) return ecc_fail_memory(error, "the covariance");
    ECC_TRY(ecc_mean_covariance(r->mean, r->axes, z, n, d, error));
    ECC_TRY(ecc_eigen_symmetric(r->eigenvalues, r->axes, r->axes, d, error));
    r->trace = ecc_spectrum_trace(r->eigenvalues, d);
    r->eccentricity = ecc_spectrum_eccentricity(r->eigenvalues, d);
    r->eccentric_loss = NAN;
    if (d < 2) return ECC_OK;
    const struct ecc_loss_options options = {.mu = t->options.mu,
                                             .m_rule = t->options.m_rule,
                                             .m = t->options.m,
                                             .pairs = t->options.pairs,
                                             .threads = (int)t->options.threads};
    const size_t most = 65536; /* the time grows with the square */
    struct ecc_loss_value value;
    ECC_TRY(ecc_loss(&value, NULL, z, n < most ? n : most, d, &options, error));
    r->eccentric_loss = value.loss;
    return ECC_OK;
}

enum ecc_status ecc_trainer_finish(struct ecc_trainer *t, struct ecc_train_result *r,
                                   struct ecc_error *error)
{
    *r = (struct ecc_train_result){.validation_error = NAN};
    ECC_TRY(ecc_trainer_save(t, error));
    ECC_TRY(ecc_trainer_show_average(t, error));
    ECC_TRY(ecc_weights_save(t->net, t->run->model, NULL, error));
    r->seconds = ecc_trainer_seconds(t);
    float *const z = malloc(t->item_count * t->options.latent * sizeof *z);
    float *const x = malloc(t->options.batch * ecc_shape_size(t->data->shape) * sizeof *x);
    enum ecc_status status = z && x ? ECC_OK : ecc_fail_memory(error, "the latents of all items");
    if (status == ECC_OK) status = encode_all(t, z, x, &r->error, error);
    if (status == ECC_OK) status = describe(t, r, z, error);
    free(z);
    free(x);
    ECC_TRY(status);
    if (t->validation_count == 0) return ECC_OK;
    return ecc_trainer_reconstruct(t, &r->validation_error, NULL, t->validation,
                                   t->validation_count, error);
}

void ecc_train_result_release(struct ecc_train_result *r)
{
    free(r->mean);
    free(r->eigenvalues);
    free(r->axes);
    *r = (struct ecc_train_result){0};
}
