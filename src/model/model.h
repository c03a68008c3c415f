/*
 * model.h: a trained run opened for use: items to latents, latents to items.
 *
 * Opening, encoding and decoding are public (eccentric_model.h).
 *
 * Items of other data are converted as the run's own were: same crop and size, same label column,
 * and a table by the scaling of the run.
 */
#ifndef ECC_MODEL_MODEL_H
#define ECC_MODEL_MODEL_H

#include "eccentric_model.h"

#include "data/dataset.h"
#include "latent/components.h"
#include "nn/net.h"
#include "regularizer/regularizer.h"
#include "run/run.h"
#include "run/settings.h"

enum { ECC_MODEL_BATCH = 100 };

/* May be read by anyone. */
struct ecc_model {
    struct ecc_run *run;
    struct ecc_train_options options; /* of the run; texts point into its config */
    struct ecc_scaling scaling;       /* of a table; columns is 0 for images */
    const struct ecc_regularizer *regularizer;
    struct ecc_net_spec *spec;
    struct ecc_net *net;

    struct ecc_item_shape shape;
    size_t size;  /* floats of an item */
    size_t d;     /* of the latents */
    size_t batch; /* as planned */

    bool finished;       /* false: weights from a checkpoint */
    uint64_t step;       /* of that checkpoint, else 0 */
    uint32_t weight_sum; /* checksum of all weights, for what is derived from them */

    struct ecc_components components; /* of its training latents, once known; d is 0 before */
};

/* A model of this run, which it takes over whatever happens, still without weights; and with them,
 * flat: [ecc_net_flat_size].  options may be NULL. */
enum ecc_status ecc_model_plan(struct ecc_model **model, struct ecc_run *run,
                               const struct ecc_model_options *options, struct ecc_error *error);
void ecc_model_take_weights(struct ecc_model *model, const float *flat);

/* The checksum of weights. */
uint32_t ecc_weight_sum(const float *flat, size_t count);

/* The weight of the regularizer at the end of the training: a steered one has moved it. */
double ecc_model_lambda(const struct ecc_model *model);

/* ---- Data ----------------------------------------------------------------------------------- */

/* Opens `what` as ecc_dataset_open names it, or the training part of the run's own data for NULL;
 * items: the first so many, 0: all (for NULL: as many as the run had).  Refuses items of another
 * shape.  The caller closes it. */
enum ecc_status ecc_model_open_data(const struct ecc_model *model, struct ecc_dataset **data,
                                    const char *what, size_t items, struct ecc_error *error);

/* The items of the run's own training data that it was trained on, rising, without those that
 * validated.  *items: [*count] is the caller's to free. */
enum ecc_status ecc_model_training_items(const struct ecc_model *model, uint32_t **items,
                                         size_t *count, const struct ecc_dataset *data,
                                         struct ecc_error *error);

/* A batch of latents z: [n, d] of items first .. first + n - 1 of the list, in order. */
typedef enum ecc_status ecc_latent_sink(void *context, const float *z, size_t first, size_t n,
                                        struct ecc_error *error);

/* Encodes the items of a list (NULL: items 0 .. count - 1) one batch after another, the next being
 * read in the background; memory does not grow with their number.  watch may be NULL. */
enum ecc_status ecc_model_encode_stream(struct ecc_model *model, struct ecc_dataset *data,
                                        const uint32_t *items, size_t count, ecc_latent_sink *sink,
                                        void *context, const struct ecc_watch *watch,
                                        struct ecc_error *error);

/* The same into z: [count, d]. */
enum ecc_status ecc_model_encode_data(struct ecc_model *model, float *z, struct ecc_dataset *data,
                                      const uint32_t *items, size_t count,
                                      const struct ecc_watch *watch, struct ecc_error *error);

/* z: [*n, d], the caller's to free: the latents of the items the run was trained on.  `what` is
 * where its data is now, or NULL: where it was. */
enum ecc_status ecc_model_training_latents(struct ecc_model *model, float **z, size_t *n,
                                           const char *what, const struct ecc_watch *watch,
                                           struct ecc_error *error);

/* ---- Checks that commands share ------------------------------------------------------------- */

/* "1 x 28 x 28", "13 columns": an item's shape for messages. */
const char *ecc_model_shape_text(char out[64], struct ecc_item_shape shape, bool is_table);

/* That a dataset has labels, and of at least two classes; a sentence about this data otherwise. */
enum ecc_status ecc_check_has_labels(const struct ecc_dataset *data, struct ecc_error *error);
enum ecc_status ecc_check_labels(const struct ecc_dataset *data, struct ecc_error *error);

#endif
