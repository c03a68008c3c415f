/*
 * trainer_pixels.c: items as pixels between 0 and 1: the cross-entropy as the other part of the
 * loss, and pixels drawn black or white.
 *
 * Whatever is trained by, `error` is the mean squared error, so that runs can be compared.  A run
 * that is trained by the cross-entropy keeps the model with the smallest whole loss on the
 * validation items instead, with latents drawn as in training, from the same draws at each look:
 * for a VAE with lambda = 1 / (numbers of an item) this is the bound on the likelihood.
 */
#include "base/streams.h"
#include "base/text.h"
#include "data/binarize.h"
#include "train/trainer_internal.h"

#include <math.h>
#include <stdlib.h>

/* Steps of training never get here, so the draws of the validation items are their own. */
static const uint64_t validation_step = UINT64_C(1) << 39;

static bool by_entropy(const struct ecc_trainer *t)
{
    return t->options.reconstruction == ECC_RECONSTRUCTION_BCE;
}

static bool between_0_and_1(const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(x[i] >= 0 && x[i] <= 1)) return false;
    }
    return true;
}

/* Some of the items; those of a step are checked again as they come. */
static enum ecc_status check_items(struct ecc_trainer *t, const char *what, struct ecc_error *error)
{
    const size_t size = ecc_shape_size(t->data->shape);
    char name[ECC_PATH_SIZE];
    bool good = !t->data->is_table;
    if (good) {
        ECC_TRY(ecc_dataset_read(t->data, t->drawn, t->items, t->options.batch, error));
        good = between_0_and_1(t->drawn, t->options.batch * size) &&
               between_0_and_1(t->validation, t->validation_count * size);
    }
    if (good) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s needs items whose numbers all lie between 0 and 1, as pixels do, and those "
                    "of %s do not%s",
                    what, ecc_quote_path(name, t->data->name),
                    t->data->is_table ? ": columns of tables are standardised" : "");
}

enum ecc_status ecc_trainer_prepare_pixels(struct ecc_trainer *t, struct ecc_error *error)
{
    if (!by_entropy(t) && !t->options.binarize) return ECC_OK;
    t->drawn = malloc(t->options.batch * ecc_shape_size(t->data->shape) * sizeof *t->drawn);
    if (!t->drawn) return ecc_fail_memory(error, "a batch");
    ECC_TRY(check_items(t, by_entropy(t) ? "reconstruction bce" : "binarize", error));
    if (!by_entropy(t) || ecc_net_ends_in_sigmoid(t->net)) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "reconstruction bce needs a decoder that ends in a sigmoid, and that of net %s "
                    "does not",
                    t->spec->name);
}

const float *ecc_trainer_pixels(struct ecc_trainer *t, const float *x)
{
    if (!t->options.binarize) return x;
    const size_t count = t->options.batch * ecc_shape_size(t->data->shape);
    ecc_binarize(t->drawn, x, count, t->options.seed, ECC_STREAM_BINARY + t->step,
                 (size_t)t->team->rank * count);
    return t->drawn;
}

enum ecc_status ecc_trainer_error(struct ecc_trainer *t, double *mean_squared, double *entropy,
                                  struct ecc_error *error)
{
    *entropy = 0;
    if (!by_entropy(t)) return ecc_net_error(t->net, mean_squared, error);
    return ecc_net_cross_entropy(t->net, entropy, mean_squared, error);
}

/* The whole loss of n validation items from number `first` on, their sum. */
static enum ecc_status add_loss(struct ecc_trainer *t, double *sum, size_t first, size_t n,
                                struct ecc_error *error)
{
    const size_t size = ecc_shape_size(t->data->shape);
    const uint64_t step = validation_step + first;
    const float *x = t->validation + first * size, *outputs;
    struct ecc_regularizer_value value = {0};
    double entropy, unused;
    if (t->options.binarize) {
        ecc_binarize(t->drawn, x, n * size, t->options.seed, ECC_STREAM_BINARY_ASIDE, first * size);
        x = t->drawn;
    }
    ECC_TRY(ecc_net_encode(t->net, &outputs, x, n, false, error));
    ECC_TRY(ecc_regularizer_latents(&t->regularizer, t->z, outputs, n, step, error));
    if (n >= t->regularizer.entry->n_min) {
        ECC_TRY(ecc_regularizer_evaluate(&t->regularizer, &value, NULL, outputs, n, step, error));
    }
    ECC_TRY(ecc_net_decode(t->net, NULL, t->z, n, false, error));
    ECC_TRY(ecc_net_cross_entropy(t->net, &entropy, &unused, error));
    *sum += (double)n * (entropy + t->steer.lambda * value.loss);
    return ECC_OK;
}

enum ecc_status ecc_trainer_validation_loss(struct ecc_trainer *t, double *loss,
                                            struct ecc_error *error)
{
    const size_t batch = t->options.batch, count = t->validation_count;
    double sum = 0;
    *loss = NAN;
    if (!by_entropy(t) || count == 0) return ECC_OK;
    ECC_TRY(ecc_trainer_show_average(t, error));
    for (size_t i = 0; i < count; i += batch) {
        ECC_TRY(add_loss(t, &sum, i, count - i < batch ? count - i : batch, error));
    }
    *loss = sum / (double)count;
    return ECC_OK;
}
