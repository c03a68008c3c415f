/* posterior.c: samples of the posteriors of VAEs, with their densities. */
#include "evaluate/posterior.h"
#include "base/rng.h"
#include "base/streams.h"
#include "method/kl.h"
#include "regularizer/spherical.h"
#include "method/svae.h"

#include <math.h>

enum ecc_posterior_kind ecc_posterior_of(const struct ecc_regularizer_choice *choice)
{
    const struct ecc_regularizer *const entry = choice->entry;
    if (entry == &ecc_regularizer_kl || entry == &ecc_regularizer_vae) return ECC_POSTERIOR_NORMAL;
    if (entry != &ecc_regularizer_svae) return ECC_POSTERIOR_NONE;
    return choice->own[0] > 0 ? ECC_POSTERIOR_POWER : ECC_POSTERIOR_SPHERE;
}

/* log N(z; 0, 1) - log N(z; mean, variance): z is taken as drawn, before it is rounded. */
static double draw_normal(struct ecc_posterior_samples *s, const float *outputs, uint64_t seed,
                          uint64_t item)
{
    const size_t d = s->d;
    double *const eps = s->room, divergence = 0;
    ecc_rng_normal(eps, seed, ECC_STREAM_IMPORTANCE + item, 0, s->count * d);
    for (size_t i = 0; i < s->count; i++) s->log_ratio[i] = 0;
    for (size_t k = 0; k < d; k++) {
        const double mean = (double)outputs[k];
        const double logvar = fmin((double)outputs[d + k], ECC_KL_MAX_LOG_VARIANCE);
        const double deviation = exp(0.5 * logvar);
        divergence += 0.5 * (mean * mean + deviation * deviation - 1 - logvar);
        for (size_t i = 0; i < s->count; i++) {
            const double e = eps[i * d + k], z = mean + deviation * e;
            s->z[i * d + k] = (float)z;
            s->log_ratio[i] += 0.5 * (e * e - z * z + logvar);
        }
    }
    return divergence;
}

static double draw_sphere(struct ecc_posterior_samples *s, bool power, const float *outputs,
                          uint64_t seed, uint64_t item)
{
    const size_t m = s->d;
    double *const mu = s->room, *const z = mu + m, *const tangents = z + m;
    double unused, over;
    const double kappa = ecc_svae_kappa(&unused, &over, (double)outputs[m]);
    const struct ecc_spherical q = ecc_spherical_of(power, m, kappa);
    const double area = ecc_spherical_log_area((double)m);
    ecc_svae_mean(mu, outputs, m);
    ecc_rng_normal(tangents, seed, ECC_STREAM_IMPORTANCE + item, 0, s->count * (m - 1));
    for (size_t i = 0; i < s->count; i++) {
        double *const tangent = tangents + i * (m - 1);
        const struct ecc_spherical_source source = {.seed = seed,
                                                    .height = ECC_STREAM_IMPORTANCE_HEIGHT + item,
                                                    .gamma = ECC_STREAM_IMPORTANCE_GAMMA + item,
                                                    .item = i,
                                                    .squares = ecc_svae_normalize(tangent, m - 1)};
        const double gap = ecc_spherical_draw(&q, &unused, &source);
        const double log_q = q.log_factor + kappa * (power ? log(2 - gap) : 1 - gap);
        s->log_ratio[i] = -area - log_q;
        ecc_spherical_place(z, mu, tangent, gap, m);
        for (size_t k = 0; k < m; k++) s->z[i * m + k] = (float)z[k];
    }
    return q.kl;
}

double ecc_posterior_draw(struct ecc_posterior_samples *s, enum ecc_posterior_kind kind,
                          const float *outputs, uint64_t seed, uint64_t item)
{
    if (kind == ECC_POSTERIOR_NORMAL) return draw_normal(s, outputs, seed, item);
    return draw_sphere(s, kind == ECC_POSTERIOR_POWER, outputs, seed, item);
}
