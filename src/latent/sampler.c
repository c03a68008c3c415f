/* sampler.c: new latents, drawn from (seed, number) alone; and paths between latents. */
#include "latent/sampler.h"
#include "base/rng.h"
#include "base/streams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 100000 };
#define LEAST 0.001 /* truncation; all but 1e-35 are done by then */

const char *const ecc_sample_names[] = {"gaussian", "normal",    "sphere",
                                        "mixture",  "two-stage", NULL};
const char *const ecc_sample_words[] = {"the fitted Gaussian", "the standard normal",
                                        "the uniform distribution on the sphere",
                                        "a mixture of Gaussians", "a second VAE of the latents"};

/* u: [d] standard normals of latent i; those beyond the truncation are drawn again. */
static void draw_normal(const struct ecc_sampler *s, double *u, uint64_t i, size_t d)
{
    ecc_rng_normal(u, s->seed, ECC_STREAM_NORMAL, i * d, d);
    for (size_t j = 0; j < d && s->truncation > 0; j++) {
        for (uint64_t attempt = 1; fabs(u[j]) > s->truncation && attempt < ATTEMPTS; attempt++) {
            ecc_rng_normal(u + j, s->seed, ECC_STREAM_NORMAL + attempt, i * d + j, 1);
        }
    }
}

static void from_gaussian(double *z, const double *u, const struct ecc_components *c)
{
    const size_t d = c->d;
    memcpy(z, c->mean, d * sizeof *z);
    for (size_t k = 0; k < d; k++) {
        const double along = c->deviations[k] * u[k];
        for (size_t j = 0; j < d; j++) z[j] += along * c->axes[k * d + j];
    }
}

static void from_sphere(double *z, const double *u, size_t d, double radius)
{
    double square = 0;
    for (size_t j = 0; j < d; j++) square += u[j] * u[j];
    const double scale = radius > 0 ? radius / sqrt(square) : sqrt((double)d / square);
    for (size_t j = 0; j < d; j++) z[j] = u[j] * scale;
}

static void from_mixture(double *z, const double *u, const struct ecc_mixture *m, double choice)
{
    const size_t d = m->d;
    size_t c = 0;
    while (c + 1 < m->k && (choice -= m->weights[c]) > 0) c++;
    const double *const mean = m->means + c * d, *const factor = m->factors + c * d * d;
    for (size_t i = 0; i < d; i++) {
        z[i] = mean[i];
        for (size_t j = 0; j <= i; j++) z[i] += factor[i * d + j] * u[j];
    }
}

/* Keeps z along the listed components; along the others it is set to the mean. */
static void restrict_to(double *z, double *kept, const struct ecc_sampler *s)
{
    const struct ecc_components *const c = s->components;
    const size_t d = c->d;
    memcpy(kept, c->mean, d * sizeof *kept);
    for (size_t l = 0; l < s->list_count; l++) {
        const double *const axis = c->axes + s->list[l] * d;
        double along = 0;
        for (size_t j = 0; j < d; j++) along += axis[j] * (z[j] - c->mean[j]);
        for (size_t j = 0; j < d; j++) kept[j] += along * axis[j];
    }
    memcpy(z, kept, d * sizeof *z);
}

static void draw_one(const struct ecc_sampler *s, double *z, double *work, uint64_t i, size_t d)
{
    draw_normal(s, work, i, d);
    switch (s->from) {
    case ECC_SAMPLE_GAUSSIAN: from_gaussian(z, work, s->components); break;
    case ECC_SAMPLE_NORMAL: memcpy(z, work, d * sizeof *z); break;
    case ECC_SAMPLE_SPHERE: from_sphere(z, work, d, s->radius); break;
    case ECC_SAMPLE_MIXTURE: {
        double choice;
        ecc_rng_uniform(&choice, s->seed, ECC_STREAM_CHOICE, i, 1);
        from_mixture(z, work, s->mixture, choice);
        break;
    }
    case ECC_SAMPLE_TWO_STAGE: break; /* drawn by its own function */
    }
    if (s->list) restrict_to(z, work, s);
}

static enum ecc_status check_list(const struct ecc_sampler *s, size_t d, struct ecc_error *error)
{
    for (size_t l = 0; s->list && l < s->list_count; l++) {
        if (s->list[l] < d) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "component %zu does not exist: there are %zu, counted from 0", s->list[l],
                        d);
    }
    return ECC_OK;
}

/* Checks that what is needed is there and has the same size, *d. */
static enum ecc_status check(const struct ecc_sampler *s, size_t *d, struct ecc_error *error)
{
    const struct ecc_components *const c = s->components;
    const struct ecc_mixture *const m = s->mixture;
    const bool mixed = s->from == ECC_SAMPLE_MIXTURE;
    if ((unsigned)s->from > ECC_SAMPLE_TWO_STAGE) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%d is not a sampler: expected one of enum ecc_sample_from", (int)s->from);
    }
    if (!c && (s->from == ECC_SAMPLE_GAUSSIAN || s->list)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the sampler needs components to draw along");
    }
    if (s->from == ECC_SAMPLE_TWO_STAGE && (!s->draw || s->list || s->truncation > 0)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        s->draw ? "a second VAE draws along all components, without truncation"
                                : "the sampler needs a second VAE to draw from");
    }
    if (mixed && !m) return ecc_fail(error, ECC_BAD_ARGUMENT, "the sampler needs a mixture");
    *d = s->d ? s->d : c ? c->d : m ? m->d : 0;
    if (*d == 0)
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the sampler needs the size of the latents");
    if ((c && c->d != *d) || (mixed && m->d != *d)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "a sampler of latents of size %zu has %s of another size", *d,
                        c && c->d != *d ? "components" : "a mixture");
    }
    if (s->truncation != 0 && !(s->truncation >= LEAST)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the truncation is %g deviations, expected at least %g, or 0 for none",
                        s->truncation, LEAST);
    }
    if (s->truncation > 0 && s->from == ECC_SAMPLE_SPHERE) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "a sphere cannot be truncated: it has one radius");
    }
    return check_list(s, *d, error);
}

enum ecc_status ecc_sampler_draw(const struct ecc_sampler *s, float *z, uint64_t first, size_t n,
                                 struct ecc_error *error)
{
    size_t d;
    ECC_TRY(check(s, &d, error));
    if (s->from == ECC_SAMPLE_TWO_STAGE) return s->draw(s->context, z, s->seed, first, n, error);
    double *const work = malloc(2 * d * sizeof *work);
    if (!work) return ecc_fail_memory(error, "a latent");
    for (size_t i = 0; i < n; i++) {
        draw_one(s, work, work + d, first + i, d);
        for (size_t j = 0; j < d; j++) z[i * d + j] = (float)work[j];
    }
    free(work);
    return ECC_OK;
}

/* ---- Between latents ------------------------------------------------------------------------ */

struct polar {
    double a, b, angle; /* lengths, and the angle between the two */
};

static struct polar measure(const float *a, const float *b, const double *mean, size_t d)
{
    double aa = 0, bb = 0, ab = 0;
    for (size_t j = 0; j < d; j++) {
        const double x = (double)a[j] - mean[j], y = (double)b[j] - mean[j];
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    const double lengths = sqrt(aa * bb);
    const double cosine = lengths > 0 ? fmax(-1, fmin(1, ab / lengths)) : 1;
    return (struct polar){sqrt(aa), sqrt(bb), acos(cosine)};
}

void ecc_interpolate(float *z, const float *a, const float *b, const double *mean, size_t d,
                     double t, bool spherical)
{
    double from = 1 - t, to = t;
    const struct polar p = measure(a, b, mean, d);
    /* latents on a line through the mean have a straight path */
    if (spherical && sin(p.angle) > 1e-6) {
        const double length = (1 - t) * p.a + t * p.b;
        from = sin((1 - t) * p.angle) / sin(p.angle) * length / p.a;
        to = sin(t * p.angle) / sin(p.angle) * length / p.b;
    }
    for (size_t j = 0; j < d; j++) {
        z[j] = (float)(mean[j] + from * ((double)a[j] - mean[j]) + to * ((double)b[j] - mean[j]));
    }
}
