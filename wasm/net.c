/*
 * net.c: an encoder or decoder in plain C without a library.
 *
 * Every layer with weights is a product of matrices: items' pixels as rows of channels times
 * weights with outputs side by side, so that a vector holds four of these.
 */
#include "net.h"

typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned long size;
typedef float four __attribute__((vector_size(16), aligned(4)));

enum { MOST_NETS = 64, MOST_LAYERS = 256, MOST_SIDE = 1 << 24, ROWS = 4, COLUMNS = 8 };

struct layer {
    u32 word[NET_WORDS];
    size in, out;          /* numbers of an item */
    float *weights, *bias; /* as [depth, columns], columns padded */
    size depth, columns;   /* of the product */
    float number;
};

struct net {
    struct layer *layers;
    u32 count;
    float *input, *items[2], *patches; /* what goes between layers; patches and products */
    size inputs, outputs;
};

static struct net nets[MOST_NETS];
static int net_count;

/* ---- Memory --------------------------------------------------------------------------------- */

#ifdef __wasm__
extern unsigned char __heap_base;
static size used;

void *net_reserve(size bytes)
{
    if (used == 0) used = (size)&__heap_base;
    const size start = (used + 15) & ~(size)15;
    const size room = __builtin_wasm_memory_size(0) * 65536;
    if (bytes > ((size)1 << 31) - start) return 0;
    if (start + bytes > room) {
        const size pages = (start + bytes - room + 65535) / 65536;
        if (__builtin_wasm_memory_grow(0, pages) == (size)-1) return 0;
    }
    used = start + bytes;
    return (void *)start;
}
#else
void net_forget(void)
{
    net_count = 0;
}
#endif

static float *floats(size count)
{
    return net_reserve((count + COLUMNS) * sizeof(float));
}

static void clear(float *to, size count)
{
    for (size i = 0; i < count; i++) to[i] = 0;
}

/* ---- Numbers -------------------------------------------------------------------------------- */

static u32 word_at(const unsigned char *bytes)
{
    return (u32)bytes[0] | (u32)bytes[1] << 8 | (u32)bytes[2] << 16 | (u32)bytes[3] << 24;
}

static float float_of(u32 bits)
{
    union {
        u32 bits;
        float number;
    } both = {bits};
    return both.number;
}

/* Half precision: a sign, five bits of exponent, ten of fraction. */
static float half_of(u16 bits)
{
    const u32 sign = (u32)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 31) return float_of(sign | 0x7f800000 | fraction << 13);
    if (exponent > 0) return float_of(sign | (exponent + 112) << 23 | fraction << 13);
    const float small = (float)fraction * float_of(0x33800000); /* 2^-24 */
    return sign ? -small : small;
}

static float exponential(float x)
{
    if (x != x) return x; /* no whole number is near it */
    if (x > 88) x = 88;
    if (x < -87) return 0;
    const float scaled = x * 1.44269504F,
                rounded = (float)(int)(scaled + (scaled < 0 ? -0.5F : 0.5F));
    const float r = (x - rounded * 0.693145752F) - rounded * 1.42860677e-6F;
    const float power =
        1 +
        r * (1 + r * (0.5F + r * (0.166666667F + r * (0.0416666667F +
                                                      r * (0.00833333333F + r * 0.00138888889F)))));
    return power * float_of((u32)((int)rounded + 127) << 23);
}

static float root(float x)
{
#ifdef __wasm__
    return __builtin_sqrtf(x);
#else
    float y = x > 1 ? x : 1;
    for (int i = 0; i < 60; i++) y = 0.5F * (y + x / y);
    return y;
#endif
}

/* ---- Loading -------------------------------------------------------------------------------- */

static int has_weights(u32 kind)
{
    return kind == NET_DENSE || kind == NET_CONV || kind == NET_DECONV || kind == NET_BYPASS;
}

/* Of the product that a layer is: numbers that are summed, and results side by side. */
static void size_product(struct layer *l, size inputs)
{
    const u32 *const w = l->word;
    const size taps = (size)w[KERNEL_HEIGHT] * w[KERNEL_WIDTH];
    const u32 kind = w[KIND];
    l->depth = kind == NET_DENSE    ? l->in
               : kind == NET_BYPASS ? inputs
               : kind == NET_CONV   ? taps * w[IN_CHANNELS]
                                    : w[IN_CHANNELS];
    l->columns = kind == NET_DECONV ? taps * w[OUT_CHANNELS]
                 : kind == NET_CONV ? w[OUT_CHANNELS]
                                    : l->out;
}

/* Whether floats: [count] lie inside the bytes. */
static int holds(u32 at, size count, size length)
{
    return at <= length && count <= (length - at) / 4;
}

static int read_weights(struct layer *l, const unsigned char *bytes, size length)
{
    static const size width[NET_FORMATS] = {4, 2, 1};
    const u32 format = l->word[FORMAT], at = l->word[WEIGHTS],
              outputs = l->word[KIND] == NET_CONV || l->word[KIND] == NET_DECONV
                            ? l->word[OUT_CHANNELS]
                            : (u32)l->out;
    const size count = l->depth * l->columns,
               padded = (l->columns + COLUMNS - 1) / COLUMNS * COLUMNS;
    if (format >= NET_FORMATS || count / l->depth != l->columns || at > length ||
        count > (length - at) / width[format]) {
        return 0;
    }
    if (format == NET_BYTE && !holds(l->word[SCALES], outputs, length)) return 0;
    if (!holds(l->word[BIAS], outputs, length)) return 0;
    l->weights = floats(l->depth * padded);
    l->bias = floats(outputs);
    if (!l->weights || !l->bias) return 0;
    clear(l->weights, l->depth * padded);
    for (size i = 0; i < outputs; i++)
        l->bias[i] = float_of(word_at(bytes + l->word[BIAS] + 4 * i));
    for (size i = 0; i < count; i++) {
        const unsigned char *const b = bytes + at + i * width[format];
        float value;
        if (format == NET_FLOAT) {
            value = float_of(word_at(b));
        } else if (format == NET_HALF) {
            value = half_of((u16)(b[0] | b[1] << 8));
        } else {
            const float scale =
                float_of(word_at(bytes + l->word[SCALES] + 4 * (i % l->columns % outputs)));
            value = (float)(signed char)b[0] * scale;
        }
        l->weights[i / l->columns * padded + i % l->columns] = value;
    }
    l->columns = padded;
    return 1;
}

static int read_norm(struct layer *l, const unsigned char *bytes, size length)
{
    const u32 channels = l->word[OUT_CHANNELS];
    if (!holds(l->word[SCALES], channels, length) || !holds(l->word[BIAS], channels, length))
        return 0;
    l->weights = floats(channels);
    l->bias = floats(channels);
    if (!l->weights || !l->bias) return 0;
    for (size i = 0; i < channels; i++) {
        l->weights[i] = float_of(word_at(bytes + l->word[SCALES] + 4 * i));
        l->bias[i] = float_of(word_at(bytes + l->word[BIAS] + 4 * i));
    }
    return 1;
}

static int fits(u32 value)
{
    return value >= 1 && value <= MOST_SIDE;
}

/* Whether a layer's sizes follow from each other; no product of three overflows. */
static int check_layer(const struct layer *l, const struct layer *before, size inputs)
{
    const u32 *const w = l->word;
    for (u32 k = IN_CHANNELS; k <= STRIDE_WIDTH; k++) {
        if (!fits(w[k])) return 0;
    }
    if (w[KIND] >= NET_KINDS || w[ACTIVATION] >= NET_ACTIVATIONS) return 0;
    if (l->in > MOST_SIDE || l->out > MOST_SIDE || (size)w[KERNEL_HEIGHT] * w[KERNEL_WIDTH] > 4096)
        return 0;
    if (w[PADDING_HEIGHT] > 4096 || w[PADDING_WIDTH] > 4096) return 0;
    if (l->in != (before ? before->out : inputs)) return 0;
    for (int side = 0; side < 2; side++) {
        const size in = w[IN_HEIGHT + side], out = w[OUT_HEIGHT + side],
                   kernel = w[KERNEL_HEIGHT + side];
        const size stride = w[STRIDE_HEIGHT + side], padding = w[PADDING_HEIGHT + side];
        if (w[KIND] == NET_CONV &&
            (in + 2 * padding < kernel || (in + 2 * padding - kernel) / stride + 1 != out))
            return 0;
        if (w[KIND] == NET_DECONV && (out + 2 * padding != (in - 1) * stride + kernel)) return 0;
        if (w[KIND] == NET_PAD && out != in + 2 * padding) return 0;
    }
    if (w[KIND] == NET_PAD && w[IN_CHANNELS] != w[OUT_CHANNELS]) return 0;
    if ((w[KIND] == NET_BYPASS || w[KIND] == NET_SPHERE) && l->in != l->out) return 0;
    if (w[KIND] == NET_NORM && (l->in != l->out || w[IN_CHANNELS] != w[OUT_CHANNELS])) return 0;
    if ((w[KIND] == NET_PLANES || w[KIND] == NET_PIXELS) && l->in != l->out) return 0;
    return w[KIND] != NET_FIRST || l->out <= l->in;
}

static size most_patches(const struct layer *l)
{
    const u32 *const w = l->word;
    if (w[KIND] == NET_CONV)
        return (size)w[OUT_HEIGHT] * w[OUT_WIDTH] * (l->depth + COLUMNS) +
               (size)w[OUT_HEIGHT] * w[OUT_WIDTH] * l->columns;
    if (w[KIND] == NET_DECONV) return (size)w[IN_HEIGHT] * w[IN_WIDTH] * l->columns;
    return l->columns;
}

int net_load(const unsigned char *bytes, size length)
{
    if (net_count == MOST_NETS || length < 16 || word_at(bytes) != NET_MAGIC) return 0;
    struct net *const net = &nets[net_count];
    net->count = word_at(bytes + 4);
    net->inputs = word_at(bytes + 8);
    net->outputs = word_at(bytes + 12);
    if (net->count < 1 || net->count > MOST_LAYERS || (length - 16) / (4 * NET_WORDS) < net->count)
        return 0;
    if (!fits((u32)net->inputs) || !fits((u32)net->outputs)) return 0;
    net->layers = net_reserve(net->count * sizeof *net->layers);
    if (!net->layers) return 0;
    size most = net->inputs, patches = 0;
    for (u32 i = 0; i < net->count; i++) {
        struct layer *const l = &net->layers[i];
        for (u32 k = 0; k < NET_WORDS; k++)
            l->word[k] = word_at(bytes + 16 + 4 * (i * NET_WORDS + k));
        for (u32 k = IN_CHANNELS; k <= OUT_WIDTH; k++) {
            if (!fits(l->word[k])) return 0;
        }
        l->in = (size)l->word[IN_CHANNELS] * l->word[IN_HEIGHT];
        l->out = (size)l->word[OUT_CHANNELS] * l->word[OUT_HEIGHT];
        if (l->in > MOST_SIDE || l->out > MOST_SIDE) return 0;
        l->in *= l->word[IN_WIDTH];
        l->out *= l->word[OUT_WIDTH];
        l->number = float_of(l->word[NUMBER]);
        if (!check_layer(l, i ? l - 1 : 0, net->inputs)) return 0;
        if (has_weights(l->word[KIND])) {
            size_product(l, net->inputs);
            if (!read_weights(l, bytes, length)) return 0;
            const size needed = most_patches(l);
            if (needed > patches) patches = needed;
        }
        if (l->word[KIND] == NET_NORM && !read_norm(l, bytes, length)) return 0;
        if (l->out > most) most = l->out;
    }
    if (net->layers[net->count - 1].out != net->outputs) return 0;
    net->input = floats(net->inputs);
    net->items[0] = floats(most);
    net->items[1] = floats(most);
    net->patches = floats(patches);
    if (!net->input || !net->items[0] || !net->items[1] || !net->patches) return 0;
    return ++net_count;
}

/* ---- Products ------------------------------------------------------------------------------- */

/* c: [rows, n] = a: [rows, depth] b: [depth, n]; n a multiple of COLUMNS */
static void multiply(float *c, const float *a, const float *b, size rows, size depth, size n)
{
    for (size j = 0; j < n; j += COLUMNS) {
        size i = 0;
        for (; i + ROWS <= rows; i += ROWS) {
            four sum[ROWS][2] = {{{0}}};
            for (size k = 0; k < depth; k++) {
                const four *const right = (const four *)(b + k * n + j);
                const four first = right[0], second = right[1];
                for (size r = 0; r < ROWS; r++) {
                    const float left = a[(i + r) * depth + k];
                    sum[r][0] += first * left;
                    sum[r][1] += second * left;
                }
            }
            for (size r = 0; r < ROWS; r++) {
                four *const to = (four *)(c + (i + r) * n + j);
                to[0] = sum[r][0];
                to[1] = sum[r][1];
            }
        }
        for (; i < rows; i++) {
            four first = {0}, second = {0};
            for (size k = 0; k < depth; k++) {
                const four *const right = (const four *)(b + k * n + j);
                first += right[0] * a[i * depth + k];
                second += right[1] * a[i * depth + k];
            }
            four *const to = (four *)(c + i * n + j);
            to[0] = first;
            to[1] = second;
        }
    }
}

/* ---- Layers --------------------------------------------------------------------------------- */

static void run_dense(const struct net *net, const struct layer *l, float *y, const float *x)
{
    multiply(net->patches, x, l->weights, 1, l->depth, l->columns);
    for (size i = 0; i < l->out; i++) y[i] = net->patches[i] + l->bias[i];
}

static void run_bypass(const struct net *net, const struct layer *l, float *y, const float *x)
{
    multiply(net->patches, net->input, l->weights, 1, l->depth, l->columns);
    for (size i = 0; i < l->out; i++) y[i] = x[i] + net->patches[i] + l->bias[i];
}

/* The pixels under a window, one row of the kernel after the other. */
static void read_patch(float *to, const u32 *w, const float *x, size row, size column)
{
    const size channels = w[IN_CHANNELS];
    for (size i = 0; i < w[KERNEL_HEIGHT]; i++) {
        for (size j = 0; j < w[KERNEL_WIDTH]; j++, to += channels) {
            const size y = row * w[STRIDE_HEIGHT] + i - w[PADDING_HEIGHT];
            const size v = column * w[STRIDE_WIDTH] + j - w[PADDING_WIDTH];
            if (y >= w[IN_HEIGHT] || v >= w[IN_WIDTH]) { /* also if below 0 */
                clear(to, channels);
                continue;
            }
            const float *const from = x + (y * w[IN_WIDTH] + v) * channels;
            for (size c = 0; c < channels; c++) to[c] = from[c];
        }
    }
}

static void run_conv(const struct net *net, const struct layer *l, float *y, const float *x)
{
    const u32 *const w = l->word;
    const size pixels = (size)w[OUT_HEIGHT] * w[OUT_WIDTH], outputs = w[OUT_CHANNELS];
    float *const products = net->patches + pixels * l->depth;
    for (size p = 0; p < pixels; p++)
        read_patch(net->patches + p * l->depth, w, x, p / w[OUT_WIDTH], p % w[OUT_WIDTH]);
    multiply(products, net->patches, l->weights, pixels, l->depth, l->columns);
    for (size p = 0; p < pixels; p++) {
        for (size o = 0; o < outputs; o++)
            y[p * outputs + o] = products[p * l->columns + o] + l->bias[o];
    }
}

/* Adds what one pixel gives to the pixels under its window. */
static void add_patch(float *y, const u32 *w, const float *from, size row, size column)
{
    const size outputs = w[OUT_CHANNELS];
    for (size i = 0; i < w[KERNEL_HEIGHT]; i++) {
        for (size j = 0; j < w[KERNEL_WIDTH]; j++, from += outputs) {
            const size at = row * w[STRIDE_HEIGHT] + i - w[PADDING_HEIGHT];
            const size v = column * w[STRIDE_WIDTH] + j - w[PADDING_WIDTH];
            if (at >= w[OUT_HEIGHT] || v >= w[OUT_WIDTH]) continue;
            float *const to = y + (at * w[OUT_WIDTH] + v) * outputs;
            for (size o = 0; o < outputs; o++) to[o] += from[o];
        }
    }
}

static void run_deconv(const struct net *net, const struct layer *l, float *y, const float *x)
{
    const u32 *const w = l->word;
    const size pixels = (size)w[IN_HEIGHT] * w[IN_WIDTH], outputs = w[OUT_CHANNELS];
    multiply(net->patches, x, l->weights, pixels, l->depth, l->columns);
    for (size i = 0; i < l->out; i++) y[i] = l->bias[i % outputs];
    for (size p = 0; p < pixels; p++)
        add_patch(y, w, net->patches + p * l->columns, p / w[IN_WIDTH], p % w[IN_WIDTH]);
}

static void run_pad(const struct layer *l, float *y, const float *x)
{
    const u32 *const w = l->word;
    const size channels = w[IN_CHANNELS];
    clear(y, l->out);
    for (size i = 0; i < l->in; i++) {
        const size pixel = i / channels, row = pixel / w[IN_WIDTH] + w[PADDING_HEIGHT];
        y[(row * w[OUT_WIDTH] + pixel % w[IN_WIDTH] + w[PADDING_WIDTH]) * channels + i % channels] =
            x[i];
    }
}

/* Between [rows, columns] and [columns, rows]. */
static void turn(float *y, const float *x, size rows, size columns)
{
    for (size i = 0; i < rows * columns; i++) y[i % columns * rows + i / columns] = x[i];
}

static void run_sphere(const struct layer *l, float *y, const float *x)
{
    float sum = 1e-12F;
    for (size i = 0; i < l->in; i++) sum += x[i] * x[i];
    for (size i = 0; i < l->in; i++) y[i] = x[i] * l->number / root(sum);
}

static void run_norm(const struct layer *l, float *y, const float *x)
{
    const size channels = l->word[OUT_CHANNELS];
    for (size i = 0; i < l->out; i++)
        y[i] = x[i] * l->weights[i % channels] + l->bias[i % channels];
}

static void activate(const struct layer *l, float *y)
{
    if (l->word[ACTIVATION] == NET_LEAKY) {
        for (size i = 0; i < l->out; i++) y[i] = y[i] > 0 ? y[i] : y[i] * l->number;
    } else if (l->word[ACTIVATION] == NET_SIGMOID) {
        for (size i = 0; i < l->out; i++) y[i] = 1 / (1 + exponential(-y[i]));
    }
}

static void run_layer(const struct net *net, const struct layer *l, float *y, const float *x)
{
    switch (l->word[KIND]) {
    case NET_DENSE: run_dense(net, l, y, x); break;
    case NET_CONV: run_conv(net, l, y, x); break;
    case NET_DECONV: run_deconv(net, l, y, x); break;
    case NET_PAD: run_pad(l, y, x); break;
    case NET_BYPASS: run_bypass(net, l, y, x); break;
    case NET_SPHERE: run_sphere(l, y, x); break;
    case NET_NORM: run_norm(l, y, x); break;
    case NET_PLANES: turn(y, x, l->in / l->word[IN_CHANNELS], l->word[IN_CHANNELS]); break;
    case NET_PIXELS: turn(y, x, l->word[OUT_CHANNELS], l->out / l->word[OUT_CHANNELS]); break;
    default:
        for (size i = 0; i < l->out; i++) y[i] = x[i];
    }
    activate(l, y);
}

float *net_input(int net)
{
    return nets[net - 1].input;
}

float *net_output(int net)
{
    return nets[net - 1].items[(nets[net - 1].count - 1) % 2];
}

void net_run(int number)
{
    const struct net *const net = &nets[number - 1];
    const float *x = net->input;
    for (u32 i = 0; i < net->count; i++) {
        run_layer(net, &net->layers[i], net->items[i % 2], x);
        x = net->items[i % 2];
    }
}
