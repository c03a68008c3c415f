/*
 * linear_start.c: starts a net with linear paths at PCA's solution.
 *
 * The encoder's path becomes the projection on the principal components, times one number that
 * makes the mean variance of the latents 1, as the regularizers want it; the decoder's path takes
 * it back.  The layers beside the paths end in zeros.  So the net is PCA at first, and training can
 * only improve on it.
 */
#include "data/gaps.h"
#include "train/trainer_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FLOATS = 1 << 26 }; /* of items that PCA is fitted to */

/* Whether a part ends in a dense layer and a path around it. */
static bool ends_in_bypass(const struct ecc_layer_spec *layers, size_t count)
{
    return count >= 2 && layers[count - 1].kind == ECC_LAYER_BYPASS &&
           layers[count - 2].kind == ECC_LAYER_DENSE;
}

bool ecc_trainer_has_linear_paths(const struct ecc_trainer *t)
{
    return ends_in_bypass(t->spec->encoder, t->spec->encoder_count) &&
           ends_in_bypass(t->spec->decoder, t->spec->decoder_count);
}

enum ecc_status ecc_trainer_fit_pca(struct ecc_trainer *t, struct ecc_pca *pca,
                                    struct ecc_error *error)
{
    const size_t size = ecc_shape_size(t->data->shape), most = MOST_FLOATS / size + 1;
    const size_t n = t->item_count < most ? t->item_count : most;
    float *const x = malloc(n * size * sizeof *x);
    if (!x) return ecc_fail_memory(error, "principal components");
    enum ecc_status status = ecc_dataset_read(t->data, x, t->items, n, error);
    if (status == ECC_OK) {
        ecc_fill_gaps(x, n * size);
        status = ecc_pca_fit(pca, x, n, size, t->options.latent, error);
    }
    free(x);
    return status;
}

/* The last three tensors of a part: weight and bias of the dense layer, and the path. */
struct ending {
    const struct ecc_tensor *weight, *bias, *path;
};

/* parts: the encoder's and the decoder's. */
static void find_endings(struct ending parts[2], const struct ecc_net *net)
{
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(net, &tensors);
    for (size_t i = 2; i < count; i++) {
        const char *const role = strrchr(tensors[i].name, '.') + 1;
        if (strcmp(role, ECC_TENSOR_BYPASS) != 0) continue;
        parts[tensors[i].name[0] == 'd'] =
            (struct ending){&tensors[i - 2], &tensors[i - 1], &tensors[i]};
    }
}

static void clear(float *flat, const struct ending *part)
{
    memset(flat + part->weight->offset, 0, part->weight->count * sizeof *flat);
    memset(flat + part->bias->offset, 0, part->bias->count * sizeof *flat);
    memset(flat + part->path->offset, 0, part->path->count * sizeof *flat);
}

/* z = scale axes (x - mean), and x = mean + transposed axes z / scale. */
static void set_paths(float *flat, const struct ending parts[2], const struct ecc_pca *pca,
                      size_t latent, double scale)
{
    float *const there = flat + parts[0].path->offset, *const back = flat + parts[1].path->offset;
    float *const shift = flat + parts[0].bias->offset;
    for (size_t k = 0; k < pca->d; k++) {
        double sum = 0;
        for (size_t i = 0; i < pca->size; i++) {
            const double axis = (double)pca->axes[k * pca->size + i];
            there[k * pca->size + i] = (float)(scale * axis);
            back[i * latent + k] = (float)(axis / scale);
            sum += axis * (double)pca->mean[i];
        }
        shift[k] = (float)(-scale * sum);
    }
    memcpy(flat + parts[1].bias->offset, pca->mean, pca->size * sizeof *pca->mean);
}

enum ecc_status ecc_trainer_start_linear(struct ecc_trainer *t, const struct ecc_pca *pca,
                                         struct ecc_error *error)
{
    struct ending parts[2] = {0};
    double trace = 0;
    for (size_t k = 0; k < pca->d; k++) trace += pca->eigenvalues[k];
    find_endings(parts, t->net);
    if (!(trace > 0) || !parts[0].path || !parts[1].path) return ECC_OK;
    float *const flat = malloc((ecc_net_flat_size(t->net) + 1) * sizeof *flat);
    if (!flat) return ecc_fail_memory(error, "the weights");
    ecc_net_export(t->net, flat);
    clear(flat, &parts[0]);
    clear(flat, &parts[1]);
    set_paths(flat, parts, pca, t->options.latent, sqrt((double)pca->d / trace));
    ecc_net_import(t->net, flat);
    free(flat);
    return ECC_OK;
}
