/* post_kernels.c: the inner loops of batch norm and activations. */
#include "nn/post_kernels.h"
#include "base/compiler.h"

ECC_INLINE ecc_f8 broadcast(float value)
{
    return (ecc_f8){value, value, value, value, value, value, value, value};
}

typedef int32_t mask8 __attribute__((vector_size(32), aligned(4), may_alias));

/* value where `test` is positive, else value * slope */
ECC_INLINE ecc_f8 leaky_where8(ecc_f8 value, ecc_f8 test, float slope)
{
    const mask8 positive = test > broadcast(0);
    return (ecc_f8)(((mask8)value & positive) | ((mask8)(value * slope) & ~positive));
}

ECC_INLINE ecc_f8 leaky8(ecc_f8 value, float slope)
{
    return leaky_where8(value, value, slope);
}

/* dy before the activation, whose input was pre */
ECC_INLINE ecc_f8 leaky_back8(ecc_f8 dy, ecc_f8 pre, float slope)
{
    return leaky_where8(dy, pre, slope);
}

ECC_INLINE float leaky1(float value, float slope)
{
    return value > 0 ? value : value * slope;
}

/* The values of a channel (or eight) that backward needs. */
struct channel8 {
    ecc_f8 scale, shift, mean, inverse;
};
struct channel1 {
    float scale, shift, mean, inverse;
};

ECC_INLINE struct channel8 load_channels(const struct ecc_post *post, size_t c)
{
    struct channel8 channel = {.scale = ecc_load8(post->scale + c),
                               .shift = ecc_load8(post->shift + c)};
    channel.mean = post->norm ? ecc_load8(post->mean + c) : broadcast(0);
    channel.inverse = post->norm ? ecc_load8(post->inverse + c) : broadcast(0);
    return channel;
}

ECC_INLINE struct channel1 load_channel(const struct ecc_post *post, size_t c)
{
    return (struct channel1){post->scale[c], post->shift[c], post->norm ? post->mean[c] : 0,
                             post->norm ? post->inverse[c] : 0};
}

ECC_INLINE struct channel8 spread_channel(const struct ecc_post *post, size_t c)
{
    const struct channel1 one = load_channel(post, c);
    return (struct channel8){broadcast(one.scale), broadcast(one.shift), broadcast(one.mean),
                             broadcast(one.inverse)};
}

/* ---- Statistics ----------------------------------------------------------------------------- */

/* Four sums side by side: shorter chains, and smaller rounding errors. */
ECC_INLINE ecc_f8 sum8(const float *u, size_t count, size_t stride)
{
    ecc_f8 s[4] = {broadcast(0), broadcast(0), broadcast(0), broadcast(0)};
    size_t p = 0;
    for (; p + 4 <= count; p += 4) {
        for (size_t k = 0; k < 4; k++) s[k] += ecc_load8(u + (p + k) * stride);
    }
    for (; p < count; p++) s[0] += ecc_load8(u + p * stride);
    return (s[0] + s[1]) + (s[2] + s[3]);
}

ECC_INLINE ecc_f8 squares8(const float *u, ecc_f8 mean, size_t count, size_t stride)
{
    ecc_f8 s[4] = {broadcast(0), broadcast(0), broadcast(0), broadcast(0)};
    size_t p = 0;
    for (; p + 4 <= count; p += 4) {
        for (size_t k = 0; k < 4; k++) {
            const ecc_f8 off = ecc_load8(u + (p + k) * stride) - mean;
            s[k] += off * off;
        }
    }
    for (; p < count; p++) {
        const ecc_f8 off = ecc_load8(u + p * stride) - mean;
        s[0] += off * off;
    }
    return (s[0] + s[1]) + (s[2] + s[3]);
}

/* One channel whose pixels are `stride` floats apart; with stride 1 eight at a time. */
ECC_INLINE void statistics1(float *mean, float *squares, const float *u, size_t pixels,
                            size_t stride)
{
    const size_t whole = stride == 1 ? pixels / 8 : 0;
    float sum = whole ? ecc_add_lanes8(sum8(u, whole, 8)) : 0;
    for (size_t p = 8 * whole; p < pixels; p++) sum += u[p * stride];
    *mean = sum / (float)pixels;
    sum = whole ? ecc_add_lanes8(squares8(u, broadcast(*mean), whole, 8)) : 0;
    for (size_t p = 8 * whole; p < pixels; p++) {
        sum += (u[p * stride] - *mean) * (u[p * stride] - *mean);
    }
    *squares = sum;
}

ECC_MULTIVERSION
void ecc_kernel_statistics(float *mean, float *squares, const float *u, size_t pixels,
                           size_t blocks, size_t block)
{
    const float share = 1 / (float)pixels;
    for (size_t b = 0; b < blocks; b++) {
        const float *const start = u + b * pixels * block;
        const size_t c = b * block;
        size_t k = 0;
        for (; k + 8 <= block; k += 8) {
            const ecc_f8 m = sum8(start + k, pixels, block) * share;
            ecc_store8(mean + c + k, m);
            ecc_store8(squares + c + k, squares8(start + k, m, pixels, block));
        }
        for (; k < block; k++) {
            statistics1(mean + c + k, squares + c + k, start + k, pixels, block);
        }
    }
}

/* ---- Forward -------------------------------------------------------------------------------- */

ECC_INLINE void affine1(float *y, const float *u, float scale, float shift, float slope,
                        size_t pixels, size_t stride)
{
    size_t p = 0;
    if (stride == 1) {
        const ecc_f8 a = broadcast(scale), b = broadcast(shift);
        for (; p + 8 <= pixels; p += 8) ecc_store8(y + p, leaky8(a * ecc_load8(u + p) + b, slope));
    }
    for (; p < pixels; p++) y[p * stride] = leaky1(scale * u[p * stride] + shift, slope);
}

ECC_MULTIVERSION
void ecc_kernel_affine(float *y, const float *u, const float *scale, const float *shift,
                       float slope, size_t pixels, size_t blocks, size_t block)
{
    for (size_t b = 0; b < blocks; b++) {
        const size_t at = b * pixels * block, c = b * block;
        size_t k = 0;
        for (; k + 8 <= block; k += 8) {
            const ecc_f8 a = ecc_load8(scale + c + k), s = ecc_load8(shift + c + k);
            const float *const from = u + at + k;
            float *const to = y + at + k;
            for (size_t p = 0; p < pixels; p++) {
                ecc_store8(to + p * block, leaky8(a * ecc_load8(from + p * block) + s, slope));
            }
        }
        for (; k < block; k++) {
            affine1(y + at + k, u + at + k, scale[c + k], shift[c + k], slope, pixels, block);
        }
    }
}

/* exp(x): 2^n from the exponent's bits, times a polynomial for the rest, |rest| <= ln 2 / 2. */
ECC_INLINE ecc_f8 exp8(ecc_f8 x)
{
    const mask8 high = x > broadcast(87), low = x < broadcast(-87);
    x = (ecc_f8)(((mask8)x & ~(high | low)) | ((mask8)broadcast(87) & high) |
                 ((mask8)broadcast(-87) & low));
    const ecc_f8 shift = broadcast(12582912); /* 1.5 * 2^23: adding it rounds to an integer */
    const ecc_f8 rounded = x * 1.44269504F + shift;
    const ecc_f8 n = rounded - shift;
    const ecc_f8 r = x - n * 0.693359375F + n * 2.12194440e-4F;
    ecc_f8 p = broadcast(1.9875691500e-4F);
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r * r + r + 1.0F;
    const mask8 power = ((mask8)rounded - (mask8)shift + 127) << 23;
    return p * (ecc_f8)power;
}

ECC_MULTIVERSION
void ecc_kernel_sigmoid(float *y, size_t count)
{
    size_t k = 0;
    for (; k + 8 <= count; k += 8) ecc_store8(y + k, 1.0F / (1.0F + exp8(-ecc_load8(y + k))));
    float rest[8] = {0};
    for (size_t i = k; i < count; i++) rest[i - k] = y[i];
    ecc_store8(rest, 1.0F / (1.0F + exp8(-ecc_load8(rest))));
    for (size_t i = k; i < count; i++) y[i] = rest[i - k];
}

/* ---- Backward, sums ------------------------------------------------------------------------- */

struct sums8 {
    ecc_f8 sum, product;
};

ECC_INLINE struct sums8 add_sums8(const float *dy, const float *u, struct channel8 channel,
                                  float slope, size_t count, size_t stride)
{
    struct sums8 even = {broadcast(0), broadcast(0)}, odd = even;
    size_t p = 0;
    for (; p + 2 <= count; p += 2) {
        const ecc_f8 u0 = ecc_load8(u + p * stride), u1 = ecc_load8(u + (p + 1) * stride);
        const ecc_f8 g0 =
            leaky_back8(ecc_load8(dy + p * stride), channel.scale * u0 + channel.shift, slope);
        const ecc_f8 g1 = leaky_back8(ecc_load8(dy + (p + 1) * stride),
                                      channel.scale * u1 + channel.shift, slope);
        even.sum += g0;
        odd.sum += g1;
        even.product += g0 * (u0 - channel.mean);
        odd.product += g1 * (u1 - channel.mean);
    }
    if (p < count) {
        const ecc_f8 v = ecc_load8(u + p * stride);
        const ecc_f8 g =
            leaky_back8(ecc_load8(dy + p * stride), channel.scale * v + channel.shift, slope);
        even.sum += g;
        even.product += g * (v - channel.mean);
    }
    return (struct sums8){even.sum + odd.sum, (even.product + odd.product) * channel.inverse};
}

ECC_INLINE void sums1(float *sum, float *product, const float *dy, const float *u,
                      const struct ecc_post *post, size_t c, size_t pixels, size_t stride)
{
    const struct channel1 channel = load_channel(post, c);
    const size_t whole = stride == 1 ? pixels / 8 : 0;
    *sum = *product = 0;
    if (whole) {
        const struct sums8 sums = add_sums8(dy, u, spread_channel(post, c), post->slope, whole, 8);
        *sum = ecc_add_lanes8(sums.sum);
        *product = ecc_add_lanes8(sums.product);
    }
    float rest = 0;
    for (size_t p = 8 * whole; p < pixels; p++) {
        const float v = u[p * stride], d = dy[p * stride];
        const float g = channel.scale * v + channel.shift > 0 ? d : d * post->slope;
        *sum += g;
        rest += g * (v - channel.mean);
    }
    *product += rest * channel.inverse;
}

ECC_MULTIVERSION
void ecc_kernel_sums(float *sum, float *product, const float *dy, const float *u,
                     const struct ecc_post *post, size_t pixels, size_t blocks, size_t block)
{
    for (size_t b = 0; b < blocks; b++) {
        const size_t at = b * pixels * block, c = b * block;
        size_t k = 0;
        for (; k + 8 <= block; k += 8) {
            const struct sums8 sums = add_sums8(dy + at + k, u + at + k, load_channels(post, c + k),
                                                post->slope, pixels, block);
            ecc_store8(sum + c + k, sums.sum);
            ecc_store8(product + c + k, sums.product);
        }
        for (; k < block; k++) {
            sums1(sum + c + k, product + c + k, dy + at + k, u + at + k, post, c + k, pixels,
                  block);
        }
    }
}

/* ---- Backward, apply ------------------------------------------------------------------------ */

/* du = scale g - a - b (u - mean), with a and b from the sums: the same for all pixels. */
struct back8 {
    ecc_f8 factor, constant, linear;
};

ECC_INLINE struct back8 back_terms(struct channel8 channel, ecc_f8 dbeta, ecc_f8 dgamma,
                                   float share)
{
    const ecc_f8 linear = channel.scale * channel.inverse * dgamma * share;
    return (struct back8){channel.scale, channel.scale * dbeta * share, linear};
}

ECC_INLINE void back8(float *dy, const float *u, struct channel8 channel, struct back8 terms,
                      float slope, size_t count, size_t stride)
{
    for (size_t p = 0; p < count; p++) {
        const ecc_f8 v = ecc_load8(u + p * stride);
        const ecc_f8 g =
            leaky_back8(ecc_load8(dy + p * stride), channel.scale * v + channel.shift, slope);
        ecc_store8(dy + p * stride,
                   terms.factor * g - terms.constant - terms.linear * (v - channel.mean));
    }
}

ECC_INLINE void back1(float *dy, const float *u, const struct ecc_post *post, size_t c, float share,
                      size_t pixels, size_t stride)
{
    const struct channel8 channel = spread_channel(post, c);
    const struct back8 terms =
        post->norm
            ? back_terms(channel, broadcast(post->dbeta[c]), broadcast(post->dgamma[c]), share)
            : (struct back8){broadcast(1), broadcast(0), broadcast(0)};
    const size_t whole = stride == 1 ? pixels / 8 : 0;
    back8(dy, u, channel, terms, post->slope, whole, 8);
    for (size_t p = 8 * whole; p < pixels; p++) {
        const float v = u[p * stride], d = dy[p * stride];
        const float g = channel.scale[0] * v + channel.shift[0] > 0 ? d : d * post->slope;
        dy[p * stride] =
            terms.factor[0] * g - terms.constant[0] - terms.linear[0] * (v - channel.mean[0]);
    }
}

ECC_MULTIVERSION
void ecc_kernel_back(float *dy, const float *u, const struct ecc_post *post, float share,
                     size_t pixels, size_t blocks, size_t block)
{
    for (size_t b = 0; b < blocks; b++) {
        const size_t at = b * pixels * block, c = b * block;
        size_t k = 0;
        for (; k + 8 <= block; k += 8) {
            const struct channel8 channel = load_channels(post, c + k);
            const struct back8 terms =
                post->norm ? back_terms(channel, ecc_load8(post->dbeta + c + k),
                                        ecc_load8(post->dgamma + c + k), share)
                           : (struct back8){broadcast(1), broadcast(0), broadcast(0)};
            back8(dy + at + k, u + at + k, channel, terms, post->slope, pixels, block);
        }
        for (; k < block; k++) {
            back1(dy + at + k, u + at + k, post, c + k, share, pixels, block);
        }
    }
}
