/*
 * model.h: an opened run: items to latents, latents to items.
 *
 * Opening, encoding and decoding are public (eccentric_model.h).
 *
 * Items of other data are converted like the run's own: same crop and size, same label column, and
 * for tables the scaling of the run.
 */
#ifndef ECC_MODEL_MODEL_H
#define ECC_MODEL_MODEL_H

#include "eccentric_model.h"

#include "base/share.h"
#include "base/text.h"
#include "data/dataset.h"
#include "latent/principal.h"
#include "nn/net.h"
#include "regularizer/regularizer.h"
#include "run/run.h"
#include "run/settings.h"

enum { ECC_MODEL_BATCH = 100 };

/* All fields may be read. */
struct ecc_model {
    struct ecc_run *run;
    struct ecc_train_options options;        /* of the run; texts point into its config */
    struct ecc_scaling scaling;              /* of a table; columns is 0 for images */
    struct ecc_schema *schema;               /* of a table with columns of its own (CSV), or NULL */
    struct ecc_regularizer_plan regularizer; /* without a state */
    float *product; /* [d, d], latents from outputs, where that is a linear map, or NULL */
    struct ecc_net_spec *spec;
    struct ecc_net *net;

    struct ecc_item_shape shape;
    size_t size;  /* floats of an item */
    size_t d;     /* of the latents */
    size_t batch; /* as planned */

    bool finished;       /* false: weights from a checkpoint */
    bool training;       /* some process was training the run when it was opened */
    uint64_t step;       /* of that checkpoint, else 0 */
    uint32_t weight_sum; /* checksum of all weights, to tell whether derived files belong to them */

    struct ecc_components components; /* of its training latents; d is 0 until they are known */

    const struct ecc_share *share; /* processes that work with the same model, or NULL */
};

/* A model of this run, first without weights, then with them; flat: [ecc_net_flat_size].  The model
 * takes over the run, also on failure. options may be NULL. */
enum ecc_status ecc_model_plan(struct ecc_model **model, struct ecc_run *run,
                               const struct ecc_model_options *options, struct ecc_error *error);
void ecc_model_take_weights(struct ecc_model *model, const float *flat);

/* The weight of the regularizer at the end of training, which differs from the option if it was
 * steered, or if the method decides it. */
double ecc_model_lambda(const struct ecc_model *model);

/* Of the sphere around 0 that all its latents lie on; 0: they do not lie on one. */
double ecc_model_radius(const struct ecc_model *model);

/* Where its samples come from unless something else is asked for: the sphere that its latents lie
 * on, or the Gaussian of these components. */
struct ecc_sampler ecc_model_sampler(const struct ecc_model *model,
                                     const struct ecc_components *components, uint64_t seed);

/* Steps that the training was to have; 0: not known, as in a refit. */
uint64_t ecc_model_steps(const struct ecc_model *model);

/* The sentence for those who use a model whose training has not ended, or NULL if it has. */
enum { ECC_UNFINISHED_TEXT = ECC_PATH_SIZE + 200 };
const char *ecc_model_unfinished(char out[ECC_UNFINISHED_TEXT], const struct ecc_model *model);

/* ---- Data ----------------------------------------------------------------------------------- */

/* Opens `what` as ecc_dataset_open names it, or the training part of the run's own data for NULL;
 * items: how many to use from the start, 0: all (for NULL: as many as the run used).  Refuses items
 * of another shape.  The caller closes it. */
enum ecc_status ecc_model_open_data(const struct ecc_model *model, struct ecc_dataset **data,
                                    const char *what, size_t items, struct ecc_error *error);

/* The items that the run was trained on, in rising order, without the validation items.  The caller
 * frees *items: [*count]. */
enum ecc_status ecc_model_training_items(const struct ecc_model *model, uint32_t **items,
                                         size_t *count, const struct ecc_dataset *data,
                                         struct ecc_error *error);

/* A batch of items x: [n, c, h, w], number first .. first + n - 1 of the list, in order. */
typedef enum ecc_status ecc_item_sink(void *context, const float *x, size_t first, size_t n,
                                      struct ecc_error *error);

/* What to do with the items of a data set, batch by batch. */
struct ecc_visit {
    const char *name; /* of the work, for its progress: "encode" */
    ecc_item_sink *sink;
    void *context;
};

/* Reads the items of a list (NULL: items 0 .. count - 1) batch by batch, the next batch in the
 * background; memory use does not grow with their number.  watch may be NULL. */
enum ecc_status ecc_model_visit(struct ecc_model *model, struct ecc_dataset *data,
                                const uint32_t *items, size_t count, const struct ecc_visit *visit,
                                const struct ecc_watch *watch, struct ecc_error *error);

/* What is computed of items, batch by batch, and what is done with it.  Processes that share the
 * model compute a part of the batches each, and get the results of all. */
struct ecc_item_map {
    const char *name;
    size_t bytes; /* of the results of a batch */
    void *context;
    /* results: [bytes] of a batch x: [n, c, h, w] */
    enum ecc_status (*compute)(void *context, void *results, const float *x, size_t n,
                               struct ecc_error *error);
    /* The results of items first .. first + n - 1 of the list, in order. */
    enum ecc_status (*take)(void *context, const void *results, size_t first, size_t n,
                            struct ecc_error *error);
};

/* model_map.c: items as for ecc_model_visit. */
enum ecc_status ecc_model_map(struct ecc_model *model, struct ecc_dataset *data,
                              const uint32_t *items, size_t count, const struct ecc_item_map *map,
                              const struct ecc_watch *watch, struct ecc_error *error);

/* A batch of latents z: [n, d] of items first .. first + n - 1 of the list, in order. */
typedef enum ecc_status ecc_latent_sink(void *context, const float *z, size_t first, size_t n,
                                        struct ecc_error *error);

/* The same, encoded. */
enum ecc_status ecc_model_encode_stream(struct ecc_model *model, struct ecc_dataset *data,
                                        const uint32_t *items, size_t count, ecc_latent_sink *sink,
                                        void *context, const struct ecc_watch *watch,
                                        struct ecc_error *error);

/* The same, into z: [count, d]. */
enum ecc_status ecc_model_encode_data(struct ecc_model *model, float *z, struct ecc_dataset *data,
                                      const uint32_t *items, size_t count,
                                      const struct ecc_watch *watch, struct ecc_error *error);

/* The latents of the items that the run was trained on, *z: [*n, d].  The caller frees *z. `what`
 * is the new place of its data if it was moved, or NULL. */
enum ecc_status ecc_model_training_latents(struct ecc_model *model, float **z, size_t *n,
                                           const char *what, const struct ecc_watch *watch,
                                           struct ecc_error *error);

/* As ecc_model_impute, of data that is open: writes its file to `path`, *filled cells filled. */
enum ecc_status ecc_model_impute_data(struct ecc_model *model, size_t *filled,
                                      struct ecc_dataset *data, const char *path,
                                      const struct ecc_watch *watch, struct ecc_error *error);

/* ---- Checks that commands share ------------------------------------------------------------- */

/* "1 x 28 x 28", "13 columns": an item's shape for messages. */
const char *ecc_model_shape_text(char out[64], struct ecc_item_shape shape, bool is_table);

/* Fails, naming the data, if the dataset has no labels or fewer than two classes. */
enum ecc_status ecc_check_has_labels(const struct ecc_dataset *data, struct ecc_error *error);
enum ecc_status ecc_check_labels(const struct ecc_dataset *data, struct ecc_error *error);

#endif
