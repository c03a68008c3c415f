/*
 * sigreg.c: sketched isotropic Gaussian regularization (Balestriero & LeCun, 2025: LeJEPA), as its
 * authors' code has it: Epps and Pulley's test of normality along random directions.
 *
 * Of the projections s of n latents, T = n sum_q w_q [(mean cos(t_q s) - phi_q)^2 +
 * (mean sin(t_q s))^2] with knots t_q = 3q/16, q = 0..16, phi = exp(-t^2/2) and weights
 * w = 2 phi 3/16, half that at both ends.  The value is the mean of T over directions.  A sample of
 * the standard normal scores 1.0525 on average, whatever n.
 *
 * Knots are equally spaced: one sine and cosine for each projection, the others by adding angles.
 */
#include "base/compiler.h"
#include "base/streams.h"
#include "regularizer/outputs.h"
#include "method/sigreg.h"
#include "regularizer/slices.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { SLICES = 0 };      /* its option */
enum { SUM_LENGTH = 64 }; /* vectors that are added up in float */

static const double knot_distance = 3.0 / (ECC_SIGREG_KNOTS - 1);

/* Memory of a thread: sine and cosine of the distance of knots times s, [stride] each. */
static enum ecc_status sigreg_create(void **state, size_t n_max, size_t d,
                                     const struct ecc_regularizer_options *options,
                                     struct ecc_error *error)
{
    const size_t stride = n_max < SIZE_MAX / 64 ? ecc_slices_stride(n_max) : 0;
    return ecc_slices_create((struct ecc_slices **)state, n_max, d, (size_t)options->own[SLICES],
                             false, 2 * stride * sizeof(float), options, error);
}

double ecc_sigreg_weight(double *phi, double *t, size_t q)
{
    *t = knot_distance * (double)q;
    *phi = exp(-*t * *t / 2);
    return knot_distance * *phi * (q == 0 || q == ECC_SIGREG_KNOTS - 1 ? 1 : 2);
}

void ecc_sigreg_directions(float *directions, size_t count, size_t d, uint64_t seed, uint64_t step)
{
    struct ecc_slices s = {.d = d, .count = count, .seed = seed, .direction = directions};
    for (size_t k = 0; k < count; k++) ecc_slices_draw(&s, k, ECC_STREAM_SIGREG + step);
}

/*
 * Sine and cosine of s times the distance of knots.  Quarter turns are taken off in double, so that
 * even angles of 1e9 give a point on the circle; the rest by Taylor's series on [-pi/4, pi/4].
 */
ECC_MULTIVERSION
static void circle(float *restrict sine, float *restrict cosine, const float *restrict s,
                   double distance, size_t count)
{
    const double turns_per_angle = 0.63661977236758134, round_to_whole = 0x1.8p52;
    const double quarter_high = 1.5707963267948966, quarter_low = 6.123233995736766e-17;
    for (size_t i = 0; i < count; i++) {
        const double angle = distance * (double)s[i];
        const double quarters = (angle * turns_per_angle + round_to_whole) - round_to_whole;
        const double a = (angle - quarters * quarter_high) - quarters * quarter_low, b = a * a;
        const double half = 0.5 * quarters, odd = half - ((half + round_to_whole) - round_to_whole);
        const double sa =
            a * (1 + b * (-1.0 / 6 + b * (1.0 / 120 + b * (-1.0 / 5040 + b / 362880))));
        const double ca = 1 + b * (-0.5 + b * (1.0 / 24 + b * (-1.0 / 720 + b / 40320)));
        /* an odd number of quarters swaps the two; what is left is a sign for each */
        const double fourth = 0.25 * quarters;
        const double turn = fourth - ((fourth + round_to_whole) - round_to_whole);
        const double swap_s = odd != 0 ? ca : sa, swap_c = odd != 0 ? sa : ca;
        /* turn: 0, 1/4, +-1/2, -1/4 of the whole */
        sine[i] = (float)(turn == 0 || turn == 0.25 ? swap_s : -swap_s);
        cosine[i] = (float)(turn == 0 || turn == -0.25 ? swap_c : -swap_c);
    }
}

/* sums: [2, KNOTS] of cosines and sines at all knots; lanes beyond n have s = 0: cosine 1. */
ECC_MULTIVERSION
static void add_knots(double *restrict sums, const float *restrict sine,
                      const float *restrict cosine, size_t stride)
{
    memset(sums, 0, (size_t)2 * ECC_SIGREG_KNOTS * sizeof *sums);
    for (size_t begin = 0; begin < stride; begin += (size_t)8 * SUM_LENGTH) {
        ecc_f8 part[2][ECC_SIGREG_KNOTS] = {{{0}}};
        const size_t left = stride - begin;
        const size_t end = begin + (left < (size_t)8 * SUM_LENGTH ? left : (size_t)8 * SUM_LENGTH);
        for (size_t i = begin; i < end; i += 8) {
            const ecc_f8 c1 = ecc_load8(cosine + i), s1 = ecc_load8(sine + i);
            ecc_f8 c = c1, s = s1;
            for (size_t q = 1; q < ECC_SIGREG_KNOTS; q++) {
                part[0][q] += c;
                part[1][q] += s;
                const ecc_f8 next = c * c1 - s * s1;
                s = s * c1 + c * s1;
                c = next;
            }
        }
        for (size_t q = 1; q < ECC_SIGREG_KNOTS; q++) {
            sums[q] += (double)ecc_add_lanes8(part[0][q]);
            sums[ECC_SIGREG_KNOTS + q] += (double)ecc_add_lanes8(part[1][q]);
        }
    }
}

/* slope[i] = sum over knots of a_q cos(t_q s_i) - b_q sin(t_q s_i) */
ECC_MULTIVERSION
static void find_slopes(float *restrict slope, const float *restrict sine,
                        const float *restrict cosine, const float *restrict a,
                        const float *restrict b, size_t stride)
{
    for (size_t i = 0; i < stride; i += 8) {
        const ecc_f8 c1 = ecc_load8(cosine + i), s1 = ecc_load8(sine + i);
        ecc_f8 c = c1, s = s1, sum = {0};
        for (size_t q = 1; q < ECC_SIGREG_KNOTS; q++) {
            sum += a[q] * c - b[q] * s;
            const ecc_f8 next = c * c1 - s * s1;
            s = s * c1 + c * s1;
            c = next;
        }
        ecc_store8(slope + i, sum);
    }
}

struct knot {
    double weight, phi, t;
};

/* The statistic of the projections along[k], which become its derivatives. */
static double test_slice(const struct ecc_slices *s, const struct knot *knots, size_t k, size_t n,
                         bool with_slopes)
{
    const size_t stride = ecc_slices_stride(n);
    float *const along = s->along + k * stride;
    void *const memory = (char *)s->scratch + (size_t)omp_get_thread_num() * s->scratch_size;
    float *const sine = memory;
    float *const cosine = sine + stride;
    circle(sine, cosine, along, knot_distance, stride);
    double sums[2 * ECC_SIGREG_KNOTS], total = 0;
    float a[ECC_SIGREG_KNOTS], b[ECC_SIGREG_KNOTS];
    add_knots(sums, sine, cosine, stride);
    for (size_t q = 1; q < ECC_SIGREG_KNOTS; q++) {
        const double weight = knots[q].weight, t = knots[q].t;
        const double c = (sums[q] - (double)(stride - n)) / (double)n - knots[q].phi;
        const double si = sums[ECC_SIGREG_KNOTS + q] / (double)n;
        total += weight * (c * c + si * si);
        a[q] = (float)(2 * weight * t * si);
        b[q] = (float)(2 * weight * t * c);
    }
    if (with_slopes) find_slopes(along, sine, cosine, a, b, stride);
    return (double)n * total;
}

static enum ecc_status sigreg_evaluate(void *state, struct ecc_regularizer_value *value, float *dz,
                                       const float *z, size_t n, uint64_t step,
                                       struct ecc_error *error)
{
    struct ecc_slices *const s = state;
    ECC_TRY(ecc_check_latents(z, n, s->d, 2, s->n_max, error));
    const int threads = ecc_slices_threads(s, n);
    struct knot knots[ECC_SIGREG_KNOTS];
    for (size_t q = 0; q < ECC_SIGREG_KNOTS; q++) {
        knots[q].weight = ecc_sigreg_weight(&knots[q].phi, &knots[q].t, q);
    }
    ecc_slices_spread(s->item, z, n, s->d);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (size_t k = 0; k < s->count; k++) {
        ecc_slices_draw(s, k, ECC_STREAM_SIGREG + step);
        ecc_slices_project(s, s->along + k * ecc_slices_stride(n), s->item, k, n);
        s->value[k] = test_slice(s, knots, k, n, dz != NULL);
    }
    double sum = 0;
    for (size_t k = 0; k < s->count; k++) sum += s->value[k];
    *value = (struct ecc_regularizer_value){.loss = sum / (double)s->count};
    if (dz) ecc_slices_gradient(s, dz, n, 1 / (double)s->count);
    return ECC_OK;
}

static const struct ecc_regularizer_option sigreg_options[] = {
    {"slices", "directions, drawn again at every step", 256, 1, 65536, .whole = true},
    {NULL},
};

const struct ecc_regularizer ecc_regularizer_sigreg = {
    .name = "sigreg",
    .summary = "a test of normality along random directions (LeJEPA)",
    .options = sigreg_options,
    .lambda = 0.02,
    .outputs_per_latent = 1,
    .n_min = 2,
    .d_min = 1,
    .create = sigreg_create,
    .evaluate = sigreg_evaluate,
    .destroy = ecc_slices_free,
};
