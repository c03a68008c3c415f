/* align_pair.c: matches two runs' components, and measures how close that brings their encodings.
 */
#include "latent/align_pair.h"

#include "math/lapack.h"
#include "math/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ecc_verdict_names[] = {"same components",
                                         "same space, rotated",
                                         "mostly the same components",
                                         "some components the same",
                                         "related spaces, different components",
                                         "different spaces",
                                         NULL};

/* At a correlation of 0.7 two components share half of their variance, and at 30 degrees a rotation
 * explains three quarters of the energy of one encoding by the other.  Components with less than a
 * hundredth of the variance in both runs are noise. */
static const double matched = 0.7, same_cka = 0.8, related_cka = 0.5, same_angle = 30;
static const double least_share = 0.01;

bool ecc_align_matched(const struct ecc_alignment *l, size_t k)
{
    return l->correlation[k] >= matched || l->share[k] < least_share;
}

/* Whether all components of b together have as much of component k as a partner has: components
 * of a run are uncorrelated. */
static bool is_rotated(const struct ecc_alignment *l, size_t k)
{
    double sum = 0;
    for (size_t j = 0; j < l->d; j++) sum += l->after[k * l->d + j] * l->after[k * l->d + j];
    return sum >= matched * matched;
}

enum ecc_verdict ecc_align_verdict(const struct ecc_alignment *l)
{
    size_t alone = 0, lost = 0, partners = 0;
    for (size_t k = 0; k < l->d; k++) {
        alone += !ecc_align_matched(l, k);
        lost += !ecc_align_matched(l, k) && !is_rotated(l, k);
        partners += l->correlation[k] >= matched;
    }
    if (l->cka >= same_cka && l->angle_procrustes <= same_angle) {
        return alone == 0 ? ECC_SAME_COMPONENTS : lost == 0 ? ECC_SAME_SPACE : ECC_MOST_COMPONENTS;
    }
    if (partners > 0) return ECC_SOME_COMPONENTS;
    return l->cka >= related_cka ? ECC_RELATED_SPACES : ECC_DIFFERENT_SPACES;
}

double ecc_mean_angle(const float *a, const float *b, size_t m, size_t d)
{
    double sum = 0;
    for (size_t i = 0; i < m; i++) {
        double ab = 0, aa = 0, bb = 0;
        for (size_t k = 0; k < d; k++) {
            const double x = (double)a[i * d + k], y = (double)b[i * d + k];
            ab += x * y, aa += x * x, bb += y * y;
        }
        const double norm = sqrt(aa) * sqrt(bb);
        sum += acos(norm > 0 ? fmax(-1, fmin(1, ab / norm)) : 0);
    }
    return sum / (double)m * (180 / acos(-1));
}

/* ---- Covariances of both at once ------------------------------------------------------------- */

/* joint: [2d, 2d], the covariance of [a, b]: its corner is the cross-covariance. */
static enum ecc_status joint_covariance(double *joint, const float *a, const float *b, size_t n,
                                        size_t d, struct ecc_error *error)
{
    float *const both = malloc((2 * n * d + 1) * sizeof *both);
    double *const mean = malloc(2 * d * sizeof *mean);
    enum ecc_status status = both && mean ? ECC_OK : ecc_fail_memory(error, "two runs' latents");
    if (status == ECC_OK) {
        for (size_t i = 0; i < n; i++) {
            memcpy(both + 2 * i * d, a + i * d, d * sizeof *both);
            memcpy(both + (2 * i + 1) * d, b + i * d, d * sizeof *both);
        }
        status = ecc_mean_covariance(mean, joint, both, n, 2 * d, error);
    }
    free(both);
    free(mean);
    return status;
}

/* The sum of squares of a block of a joint covariance. */
static double block_energy(const double *joint, size_t d, size_t row, size_t column)
{
    double sum = 0;
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++) {
            const double x = joint[(row + i) * 2 * d + column + j];
            sum += x * x;
        }
    }
    return sum;
}

static void find_shares(struct ecc_alignment *l, const double *joint)
{
    const size_t d = l->d;
    double a = 0, b = 0;
    for (size_t k = 0; k < d; k++) {
        a += joint[k * 2 * d + k];
        b += joint[(d + k) * 2 * d + d + k];
    }
    for (size_t k = 0; k < d; k++) {
        const size_t partner = d + l->partner[k];
        l->share[k] = fmax(joint[k * 2 * d + k] / fmax(a, 1e-300),
                           joint[partner * 2 * d + partner] / fmax(b, 1e-300));
    }
}

static void find_correlations(struct ecc_alignment *l, const double *joint)
{
    const size_t d = l->d;
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++) {
            const double product = joint[i * 2 * d + i] * joint[(d + j) * 2 * d + d + j];
            /* a component that does not vary has no correlation */
            l->before[i * d + j] = product > 0 ? joint[i * 2 * d + d + j] / sqrt(product) : 0;
        }
    }
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++) {
            l->after[i * d + j] = l->sign[j] * l->before[i * d + l->partner[j]];
        }
        l->correlation[i] = l->after[i * d + i];
    }
    find_shares(l, joint);
    const double own = block_energy(joint, d, 0, 0) * block_energy(joint, d, d, d);
    l->cka = own > 0 ? block_energy(joint, d, 0, d) / sqrt(own) : 0;
}

/* ---- Matching and rotating ------------------------------------------------------------------- */

/* cross: [d, d] covariance of training items. */
static enum ecc_status match(struct ecc_alignment *l, const double *cross, struct ecc_error *error)
{
    const size_t d = l->d;
    double *const size = malloc(d * d * sizeof *size);
    if (!size) return ecc_fail_memory(error, "the cross-covariance");
    for (size_t i = 0; i < d * d; i++) size[i] = fabs(cross[i]);
    const enum ecc_status status = ecc_assignment(l->partner, NULL, size, d, d, true, error);
    for (size_t k = 0; status == ECC_OK && k < d; k++) {
        l->sign[k] = cross[k * d + l->partner[k]] < 0 ? -1 : 1;
    }
    free(size);
    return status;
}

/* rotation: [d, d], such that rotation b is as close to a as possible: u vt of the covariance. */
static enum ecc_status find_rotation(double *rotation, const double *cross, size_t d,
                                     struct ecc_error *error)
{
    double *const u = malloc((2 * d * d + d) * sizeof *u);
    if (!u) return ecc_fail_memory(error, "a rotation");
    double *const vt = u + d * d, *const values = vt + d * d;
    const enum ecc_status status = ecc_singular_values(u, values, vt, cross, d, error);
    for (size_t i = 0; status == ECC_OK && i < d * d; i++) {
        double sum = 0;
        for (size_t k = 0; k < d; k++) sum += u[i / d * d + k] * vt[k * d + i % d];
        rotation[i] = sum;
    }
    free(u);
    return status;
}

static void apply_match(float *moved, const float *b, const struct ecc_alignment *l, size_t m)
{
    const size_t d = l->d;
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < d; k++) {
            moved[i * d + k] = (float)l->sign[k] * b[i * d + l->partner[k]];
        }
    }
}

static void apply_rotation(float *moved, const float *b, const double *rotation, size_t m, size_t d)
{
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < d; k++) {
            double sum = 0;
            for (size_t j = 0; j < d; j++) sum += rotation[k * d + j] * (double)b[i * d + j];
            moved[i * d + k] = (float)sum;
        }
    }
}

/* ---- All of it ------------------------------------------------------------------------------- */

static enum ecc_status reserve(struct ecc_alignment *l, size_t d, struct ecc_error *error)
{
    *l = (struct ecc_alignment){.d = d};
    l->partner = calloc(d, sizeof *l->partner);
    l->sign = calloc(d, sizeof *l->sign);
    l->correlation = calloc(d, sizeof *l->correlation);
    l->share = calloc(d, sizeof *l->share);
    l->before = calloc(d * d, sizeof *l->before);
    l->after = calloc(d * d, sizeof *l->after);
    const bool all = l->partner && l->sign && l->correlation && l->share && l->before && l->after;
    return all ? ECC_OK : ecc_fail_memory(error, "an alignment");
}

void ecc_alignment_release(struct ecc_alignment *l)
{
    free(l->partner);
    free(l->sign);
    free(l->correlation);
    free(l->share);
    free(l->before);
    free(l->after);
    *l = (struct ecc_alignment){0};
}

/* The same n items as latents of both runs: [n, d]. */
struct pair {
    const float *a, *b;
    size_t n;
};

struct scratch {
    double *joint; /* [2d, 2d] */
    double *cross; /* [d, d] */
    float *moved;  /* [test.n, d] */
};

/* Match and rotation come from the training items; correlations and angles from the test items. */
static enum ecc_status align(struct ecc_alignment *l, struct pair train, struct pair test,
                             const struct scratch *s, struct ecc_error *error)
{
    const size_t d = l->d;
    ECC_TRY(joint_covariance(s->joint, train.a, train.b, train.n, d, error));
    for (size_t i = 0; i < d; i++) {
        memcpy(s->cross + i * d, s->joint + i * 2 * d + d, d * sizeof *s->cross);
    }
    ECC_TRY(match(l, s->cross, error));
    ECC_TRY(find_rotation(s->cross, s->cross, d, error));
    ECC_TRY(joint_covariance(s->joint, test.a, test.b, test.n, d, error));
    find_correlations(l, s->joint);
    l->angle_raw = ecc_mean_angle(test.a, test.b, test.n, d);
    apply_match(s->moved, test.b, l, test.n);
    l->angle_aligned = ecc_mean_angle(test.a, s->moved, test.n, d);
    apply_rotation(s->moved, test.b, s->cross, test.n, d);
    l->angle_procrustes = ecc_mean_angle(test.a, s->moved, test.n, d);
    return ECC_OK;
}

enum ecc_status ecc_align(struct ecc_alignment *l, const float *train_a, const float *train_b,
                          size_t n, const float *test_a, const float *test_b, size_t m, size_t d,
                          struct ecc_error *error)
{
    *l = (struct ecc_alignment){0};
    if (n < 2 || m < 2 || d == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "cannot align %zu training and %zu test items of %zu components: expected "
                        "at least 2 of each",
                        n, m, d);
    }
    enum ecc_status status = reserve(l, d, error);
    const struct scratch s = {.joint = malloc(4 * d * d * sizeof *s.joint),
                              .cross = malloc(d * d * sizeof *s.cross),
                              .moved = malloc(m * d * sizeof *s.moved)};
    if (status == ECC_OK && (!s.joint || !s.cross || !s.moved)) {
        status = ecc_fail_memory(error, "an alignment");
    }
    if (status == ECC_OK) {
        const struct pair train = {train_a, train_b, n}, test = {test_a, test_b, m};
        status = align(l, train, test, &s, error);
    }
    free(s.joint);
    free(s.cross);
    free(s.moved);
    if (status != ECC_OK) ecc_alignment_release(l);
    return status;
}
