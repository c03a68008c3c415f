/* pca_features.c: pixels along principal axes as features: they need no network and no labels, and
 * there are few enough of them for a covariance of images of any size. */
#include "base/text.h"
#include "model/model.h"
#include "score/features.h"
#include "score/pixel_axes.h"

#include <cblas.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct ecc_pca pca;
    float *x; /* [batch, pixels], centred */
};

/* "pca 3x8x8, " */
static int write_start(char *text, size_t size, struct ecc_item_shape s)
{
    return snprintf(text, size, "pca %zux%zux%zu, ", s.channels, s.height, s.width);
}

static enum ecc_status check_images(const struct ecc_dataset *data, struct ecc_item_shape shape,
                                    struct ecc_error *error)
{
    char name[ECC_PATH_SIZE], theirs[64], ours[64];
    if (!data) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "principal components are fitted to images, but none were given");
    }
    ecc_quote_path(name, data->name);
    if (data->is_table) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is a table, expected images to fit axes to", name);
    }
    const struct ecc_item_shape s = data->shape;
    if (s.channels == shape.channels && s.height == shape.height && s.width == shape.width) {
        return ECC_OK;
    }
    return ecc_fail(
        error, ECC_BAD_DATA, "%s, which axes would be fitted to, has images of %s, expected %s",
        name, ecc_model_shape_text(theirs, s, false), ecc_model_shape_text(ours, shape, false));
}

/* Of several processes, all take those of the first: other processors may round otherwise. */
static enum ecc_status share_axes(struct ecc_pca *p, const struct ecc_share *share,
                                  struct ecc_error *error)
{
    const uint64_t sizes[] = {p->size, p->d};
    if (!share) return ECC_OK;
    ECC_TRY(ecc_share_compare(share, sizes, sizeof sizes, "principal axes", error));
    ECC_TRY(share->broadcast(share->context, p->mean, p->size * sizeof *p->mean, error));
    return share->broadcast(share->context, p->axes, p->d * p->size * sizeof *p->axes, error);
}

static enum ecc_status fit(struct ecc_features *features, struct state *state,
                           const struct ecc_features_options *options, struct ecc_error *error)
{
    struct ecc_pixel_axes axes;
    char end[ECC_AXES_IDENTITY_END];
    const size_t most = options->axes ? options->axes : ECC_AXES_MOST;
    ECC_TRY(check_images(options->fitted, features->shape, error));
    ECC_TRY(ecc_pixel_axes_fit(&axes, options->fitted, most < ECC_AXES_MOST ? most : ECC_AXES_MOST,
                               options->watch, error));
    state->pca = axes.pca;
    ECC_TRY(share_axes(&axes.pca, options->share, error));
    ecc_pixel_axes_name(&axes.pca, end);
    const size_t size = sizeof features->identity;
    const int used = write_start(features->identity, size, features->shape);
    snprintf(features->identity + used, size - (size_t)used,
             "%zu component%s of %zu images, %.1f%% of their variance, %s", axes.pca.d,
             axes.pca.d == 1 ? "" : "s", axes.items, 100 * axes.share, end);
    return ECC_OK;
}

/* The axes of statistics move to the features. */
static enum ecc_status take(struct ecc_features *features, struct state *state,
                            struct ecc_statistics *from, struct ecc_error *error)
{
    char start[100];
    const int length = write_start(start, sizeof start, features->shape);
    const bool same_shape = strncmp(from->identity, start, (size_t)length) == 0 &&
                            from->pca.size == ecc_shape_size(features->shape);
    if (!same_shape) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "these statistics are of images of another size (%s), expected %.*s",
                        from->identity, length - 2, start);
    }
    memcpy(features->identity, from->identity, sizeof features->identity);
    state->pca = from->pca;
    from->pca = (struct ecc_pca){0};
    return ECC_OK;
}

static enum ecc_status pca_open(struct ecc_features *features,
                                const struct ecc_features_options *options, struct ecc_error *error)
{
    struct state *const state = calloc(1, sizeof *state);
    if (!state) return ecc_fail_memory(error, "principal components");
    features->state = state;
    if (options->statistics) {
        ECC_TRY(take(features, state, options->statistics, error));
    } else {
        ECC_TRY(fit(features, state, options, error));
    }
    features->size = state->pca.d;
    features->axes = &state->pca;
    state->x = malloc(features->batch * state->pca.size * sizeof *state->x);
    return state->x ? ECC_OK : ecc_fail_memory(error, "a batch of images");
}

/* Centred first: the mean is much longer than the differences that count. */
static enum ecc_status pca_extract(struct ecc_features *features, float *f, const float *x,
                                   size_t n, struct ecc_error *error)
{
    (void)error;
    struct state *const state = features->state;
    const struct ecc_pca *const p = &state->pca;
    memcpy(state->x, x, n * p->size * sizeof *x);
    ecc_pixel_axes_centre(p, state->x, n);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1); /* so that the last digits do not depend on their number */
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)p->d, (int)p->size, 1,
                state->x, (int)p->size, p->axes, (int)p->size, 0, f, (int)p->d);
    omp_set_num_threads(threads);
    return ECC_OK;
}

static void pca_close(void *opaque)
{
    struct state *const state = opaque;
    ecc_pca_release(&state->pca);
    free(state->x);
    free(state);
}

const struct ecc_features_kind ecc_features_pca = {
    .name = "pca",
    .open = pca_open,
    .extract = pca_extract,
    .close = pca_close,
};
