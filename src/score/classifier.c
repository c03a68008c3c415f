/* classifier.c: the last hidden layer of a small classifier as features; trained once, then kept.
 */
#include "score/classifier.h"
#include "base/text.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* ---- Layers --------------------------------------------------------------------------------- */

/* Convolutions that halve the image until its longer side is at most 8, then one hidden layer. */
enum ecc_status ecc_classifier_spec(struct ecc_net_spec **spec, struct ecc_item_shape shape,
                                    size_t classes, struct ecc_error *error)
{
    static const size_t widths[] = {48, 64, 96, 128};
    char text[2000];
    size_t side = shape.height > shape.width ? shape.height : shape.width, k = 0;
    const bool large = side > 64;
    int used = snprintf(text, sizeof text,
                        "encoder\n conv 32 kernel 3 padding 1 stride %d\n batchnorm\n relu\n",
                        large ? 2 : 1);
    for (side = large ? (side + 1) / 2 : side; side > 8; side = (side + 1) / 2, k++) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         " conv %zu kernel 3 padding 1 stride 2\n batchnorm\n relu\n",
                         widths[k < 3 ? k : 3]);
    }
    snprintf(text + used, sizeof text - (size_t)used,
             " flatten\n dense latent\n batchnorm\n relu\ndecoder\n dense %zu\n", classes);
    const struct ecc_item_shape target = {classes, 1, 1};
    return ecc_net_spec_parse_to(spec, text, "classifier", shape, ECC_CLASSIFIER_FEATURES,
                                 ECC_CLASSIFIER_FEATURES, target, error);
}

/* ---- Opening -------------------------------------------------------------------------------- */

static enum ecc_status check_data(const struct ecc_dataset *data, struct ecc_item_shape shape,
                                  struct ecc_error *error)
{
    char name[ECC_PATH_SIZE];
    if (!data) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "a classifier learns from labelled images, but none were given");
    }
    if (data->is_table) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is a table, expected labelled images",
                        ecc_quote_path(name, data->name));
    }
    ECC_TRY(ecc_check_labels(data, error));
    const struct ecc_item_shape s = data->shape;
    if (s.channels != shape.channels || s.height != shape.height || s.width != shape.width) {
        char theirs[64], ours[64];
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s, which the classifier would learn from, has images of %s, expected %s",
                        ecc_quote_path(name, data->name), ecc_model_shape_text(theirs, s, false),
                        ecc_model_shape_text(ours, shape, false));
    }
    return ECC_OK;
}

/* What one process found goes to all. */
static enum ecc_status share_weights(struct ecc_classifier *c, float *flat,
                                     const struct ecc_share *share, enum ecc_status status,
                                     struct ecc_error *error)
{
    double figures[] = {(double)c->trained, (double)c->held_out, c->accuracy};
    const size_t bytes = ecc_net_flat_size(c->net) * sizeof *flat;
    ECC_TRY(ecc_share_from_first(share, status, figures, sizeof figures, error));
    c->trained = (size_t)figures[0];
    c->held_out = (size_t)figures[1];
    c->accuracy = figures[2];
    return share ? share->broadcast(share->context, flat, bytes, error) : ECC_OK;
}

/* The kept weights of this data, or new ones, kept where possible. */
static enum ecc_status find_weights(struct ecc_classifier *c, float *flat,
                                    const struct ecc_features_options *options,
                                    struct ecc_error *error)
{
    char *path;
    struct ecc_error reason;
    ECC_TRY(ecc_classifier_path(&path, c, options->labelled, error));
    if (path && access(path, F_OK) == 0) {
        if (ecc_classifier_read(c, flat, path, &reason) == ECC_OK) {
            free(path);
            return ECC_OK;
        }
        ecc_watch_remark(options->watch, "the classifier is trained again: %.400s", reason.text);
    }
    enum ecc_status status =
        ecc_classifier_train(c, flat, options->labelled, options->threads, options->watch, error);
    if (status == ECC_OK && !path) {
        ecc_watch_remark(options->watch,
                         "the classifier is not kept: neither XDG_CACHE_HOME nor HOME is set");
    } else if (status == ECC_OK && ecc_classifier_write(c, flat, path, &reason) != ECC_OK) {
        ecc_watch_remark(options->watch, "the classifier is not kept: %.400s", reason.text);
    }
    free(path);
    return status;
}

static enum ecc_status set_up(struct ecc_classifier *c, const struct ecc_features_options *options,
                              struct ecc_error *error)
{
    c->classes = options->labelled->class_count;
    ECC_TRY(ecc_classifier_spec(&c->spec, options->shape, c->classes, error));
    const struct ecc_net_options net = {.batch = options->batch, .threads = options->threads};
    ECC_TRY(ecc_net_create(&c->net, c->spec, &net, error));
    const size_t count = ecc_net_flat_size(c->net);
    float *const flat = calloc(count, sizeof *flat);
    if (!flat) return ecc_fail_memory(error, "the weights of a classifier");
    enum ecc_status status = ECC_OK;
    if (ecc_share_is_first(options->share)) status = find_weights(c, flat, options, error);
    status = share_weights(c, flat, options->share, status, error);
    if (status == ECC_OK) {
        ecc_net_import(c->net, flat);
        c->sum = (uint32_t)crc32_z(0, (const unsigned char *)flat, count * sizeof *flat);
    }
    free(flat);
    return status;
}

static void classifier_close(void *state)
{
    struct ecc_classifier *const c = state;
    ecc_net_free(c->net);
    ecc_net_spec_free(c->spec);
    free(c);
}

static enum ecc_status classifier_open(struct ecc_features *features,
                                       const struct ecc_features_options *options,
                                       struct ecc_error *error)
{
    ECC_TRY(check_data(options->labelled, options->shape, error));
    struct ecc_classifier *const c = calloc(1, sizeof *c);
    if (!c) return ecc_fail_memory(error, "a classifier");
    features->state = c;
    ECC_TRY(set_up(c, options, error));
    const struct ecc_item_shape s = features->shape;
    features->size = ECC_CLASSIFIER_FEATURES;
    features->accuracy = c->accuracy;
    snprintf(features->identity, sizeof features->identity,
             "classifier %zux%zux%zu, %zu classes, %zu items, accuracy %.2f%% of %zu others, "
             "weights %08x",
             s.channels, s.height, s.width, c->classes, c->trained, 100 * c->accuracy, c->held_out,
             (unsigned)c->sum);
    return ECC_OK;
}

static enum ecc_status classifier_extract(struct ecc_features *features, float *f, const float *x,
                                          size_t n, struct ecc_error *error)
{
    struct ecc_classifier *const c = features->state;
    const float *z;
    ECC_TRY(ecc_net_encode(c->net, &z, x, n, false, error));
    memcpy(f, z, n * features->size * sizeof *f);
    return ECC_OK;
}

const struct ecc_features_kind ecc_features_classifier = {
    .name = "classifier",
    .open = classifier_open,
    .extract = classifier_extract,
    .close = classifier_close,
};
