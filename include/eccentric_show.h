/*
 * eccentric_show.h: results as pictures.
 *
 * Each function draws one picture to a path ending in .png, .svg or .pdf; the file is complete or
 * does not exist.  The library libeccentric_show, which holds libeccentric_train and needs cairo,
 * too; conventions are those of eccentric.h.
 */
#ifndef ECCENTRIC_SHOW_H
#define ECCENTRIC_SHOW_H

#include <eccentric_evaluate.h>
#include <eccentric_train.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Latents and components ----------------------------------------------------------------- */

/* Eigenvalues by rank, one line per run; names: [count] for the legend. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_draw_spectrum(const struct ecc_components *components,
                                                         const char *const *names, size_t count,
                                                         const char *path, struct ecc_error *error);

/* For each of list: [count] components (from 0) of a run of images, the mean plus and minus
 * `deviations` deviations along it. */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_draw_pairs(struct ecc_model *model, const struct ecc_components *components, const size_t *list,
               size_t count, double deviations, const char *path, struct ecc_error *error);
/* The same as a row of steps from minus to plus `deviations` deviations. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_draw_strips(struct ecc_model *model,
                                                       const struct ecc_components *components,
                                                       const size_t *list, size_t count,
                                                       size_t steps, double deviations,
                                                       const char *path, struct ecc_error *error);

/* Images of a run, for all combinations of signs of some components. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_draw_grid(struct ecc_model *model,
                                                     const struct ecc_components *components,
                                                     const struct ecc_walk_grid *grid,
                                                     const char *path, struct ecc_error *error);

/* A heat map: columns of a table by components, the columns that change most, with the changes in
 * the columns' own units where they fit. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_draw_meaning(const struct ecc_meaning *meaning,
                                                        const char *path, struct ecc_error *error);

/* Items as points in a plane. */
struct ecc_plane {
    double *x, *y;     /* [n] */
    int32_t *category; /* [n], < 0 for none; or NULL: one colour */
    size_t n;
    const char *const *category_names; /* [category_count], or NULL */
    size_t category_count;
    const char *x_label, *y_label, *title, *caption;
    double circle_x, circle_y, circle; /* of this radius; 0: none */

    /* Columns of a table as arrows: what the component of x, then that of y, does to them; NULL:
     * none.  The `arrows` that change most are drawn. */
    const struct ecc_meaning *meaning;
    size_t arrows;
};

ECC_API ECC_MUST_CHECK enum ecc_status ecc_draw_plane(const struct ecc_plane *plane,
                                                      const char *path, struct ecc_error *error);

/* ---- Images --------------------------------------------------------------------------------- */

/* A sheet of x: [count, channels, height, width], 1 or 3 channels, from 0 to 1; columns 0: about
 * square. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_draw_images(const float *x, size_t count,
                                                       size_t channels, size_t height, size_t width,
                                                       size_t columns, const char *path,
                                                       struct ecc_error *error);

/* ---- Results -------------------------------------------------------------------------------- */

/* Correlations before and after, of the first few pairs. */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_draw_runs_alignment(const struct ecc_runs_alignment *result, const char *path,
                        struct ecc_error *error);

/* The error against the number of labels where there are several; otherwise what single components
 * tell, where that was measured; otherwise what is taken for what, or how well each attribute is
 * known.  Without classes: the numbers. */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_draw_classification(const struct ecc_classification *result, const char *path,
                        struct ecc_error *error);

/* Error against latent size, beside PCA's. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_draw_dims(const struct ecc_dims *dims, const char *path,
                                                     struct ecc_error *error);

/* The FID of the runs in the table against their eccentricity, as in Figure 10 of the paper, and
 * against lambda, one line per regularizer.  Needs a run whose eccentricity is known. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_draw_scores(const struct ecc_score_table *table,
                                                       const char *path, struct ecc_error *error);

/* Four pictures in a folder, points, history, radius and spectrum; ending: "png", "svg" or "pdf".
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_draw_simulation(const struct ecc_simulation *result,
                                                           const char *folder, const char *ending,
                                                           struct ecc_error *error);

#ifdef __cplusplus
}
#endif
#endif
