/* components.h: the deep principal components of a run, stored beside its weights. */
#ifndef ECC_MODEL_COMPONENTS_H
#define ECC_MODEL_COMPONENTS_H

#include "latent/principal.h"
#include "model/model.h"

#define ECC_COMPONENTS_FILE "components.npz"

/* As arrays mean, eigenvalues, components ([d, d], rows), explained_variance (of the latents),
 * explained_data_variance and explained_data_by_mean (NaN: not measured), skewness, eccentricity,
 * trace, effective_rank, count, weights (their checksum). */
enum ecc_status ecc_components_write(const struct ecc_components *components, uint32_t weight_sum,
                                     const char *path, struct ecc_error *error);
enum ecc_status ecc_components_read(struct ecc_components *components, uint32_t *weight_sum,
                                    const char *path, struct ecc_error *error);

/* Latents of other data, z: [n, d], for a run whose own data is gone; data is NULL if there are
 * none. */
struct ecc_stand_in {
    const char *data; /* its name */
    const float *z;
    size_t n;
};

/* The run's components.  If its own data can no longer be read: those of the stand-in, with a
 * remark. */
enum ecc_status ecc_model_components_or_fit(struct ecc_model *model,
                                            struct ecc_components *components,
                                            const struct ecc_stand_in *given,
                                            const struct ecc_watch *watch, struct ecc_error *error);

/* Measures of_data and of_mean of the model's components on a sample of the training items of
 * `data`, the rows that the run was given. */
enum ecc_status ecc_components_explain(struct ecc_model *model, struct ecc_dataset *data,
                                       const struct ecc_watch *watch, struct ecc_error *error);
/* How many items it decodes for a given number of them, with each number of components. */
size_t ecc_components_explain_items(size_t count, size_t d);

/* Fails if components from a file are not valid; name: for messages. */
enum ecc_status ecc_components_check(const struct ecc_components *components, const char *name,
                                     struct ecc_error *error);

#endif
