/* sample.h: what `eccentric sample` shares with its paths. */
#ifndef ECC_CLI_SAMPLE_H
#define ECC_CLI_SAMPLE_H

#include "cli/command.h"
#include "latent/sampler.h"
#include "model/model.h"

struct ecc_sample_settings {
    struct ecc_common common;
    const char *out, *list, *path, *sweep, *tour, *latents, *data;
    size_t count, columns, steps;
    int from;
    double truncation;
    bool spherical;
    struct ecc_mixture_options mixture;
};

/* The source of the latents: a sampler, or a path through the latents of some items, or through
 * places along components. */
struct ecc_sampling {
    struct ecc_model *model;
    struct ecc_components components;
    struct ecc_mixture mixture;
    struct ecc_two_stage *two_stage;
    size_t *list;
    struct ecc_sampler sampler;

    float *stations; /* [legs + 1, d], or NULL: no path */
    size_t steps;    /* latents on each leg, both ends included */
    bool spherical;
    const char **row_names; /* [legs] "3 → 18" */
    char (*row_texts)[64];

    size_t count; /* number of latents */
};

/* The stations of --path: items of `what` (NULL: the run's own training part), encoded. */
enum ecc_status ecc_sample_path(struct ecc_sampling *sampling,
                                const struct ecc_sample_settings *settings, const char *what,
                                struct ecc_error *error);
/* Those of --sweep: along each component from the mean to one end, the other, and back; or of
 * --tour: around the map of the first and each other component. */
enum ecc_status ecc_sample_sweep(struct ecc_sampling *sampling,
                                 const struct ecc_sample_settings *settings,
                                 struct ecc_error *error);

#endif
