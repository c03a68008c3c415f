/* model_mixture.c: fits a Gaussian mixture to the training latents of a run. */
#include "base/watch.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>

struct fitting {
    const struct ecc_watch *watch;
    size_t rounds;
};

static bool on_round(void *context, size_t k, size_t round, double log_likelihood)
{
    struct fitting *const f = context;
    char text[80];
    snprintf(text, sizeof text, "%zu Gaussians, round %zu, log-likelihood %.4f", k, round,
             log_likelihood);
    const struct ecc_work work = {"mixture", "rounds", ++f->rounds, 0, text};
    return ecc_watch_work(f->watch, &work, NULL) == ECC_OK;
}

enum ecc_status ecc_model_mixture(struct ecc_model *model, struct ecc_mixture *mixture,
                                  const char *data, const struct ecc_mixture_options *given,
                                  const struct ecc_watch *watch, struct ecc_error *error)
{
    struct fitting fitting = {.watch = watch};
    struct ecc_mixture_options options = given ? *given : ecc_mixture_defaults();
    options.on_round = on_round;
    options.context = &fitting;
    float *z;
    size_t n;
    ECC_TRY(ecc_model_training_latents(model, &z, &n, data, watch, error));
    const enum ecc_status status = ecc_mixture_fit(mixture, z, n, model->d, &options, error);
    free(z);
    return status;
}
