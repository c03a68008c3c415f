/*
 * net.h: an encoder or decoder in plain C without a library, for the one-file page
 * (docs/export.md): compiled to WebAssembly there, and natively for its test.
 *
 * A net is a block of bytes, little-endian, made by src/export/page_net.c:
 *     u32 magic, layers, inputs, outputs
 *     layers of NET_WORDS u32 each, in their order (enum net_word)
 *     the numbers of the weights, each tensor starting at a multiple of four bytes
 * Items are vectors, or images as [height, width, channels].  Batch norm is part of the weights.
 */
#ifndef ECC_WASM_NET_H
#define ECC_WASM_NET_H

enum { NET_MAGIC = 0x4e434345 }; /* "ECCN" */

enum net_kind {
    NET_DENSE,  /* weights [inputs, outputs] */
    NET_CONV,   /* weights [kernel, kernel, inputs, outputs] */
    NET_DECONV, /* weights [inputs, kernel, kernel, outputs] */
    NET_PAD,
    NET_BYPASS, /* weights [inputs of the net, outputs]; adds to what is there */
    NET_NORM,   /* times a number, plus a number, both of the channel */
    NET_SPHERE, /* scales the item to the length `number` */
    NET_FIRST,  /* the first `outputs` of the item */
    NET_PLANES, /* [height, width, channels] to [channels, height, width]: an image as a vector, */
    NET_PIXELS, /* and back */
    NET_KINDS
};

enum net_activation { NET_LINEAR, NET_LEAKY, NET_SIGMOID, NET_ACTIVATIONS };

enum net_format { NET_FLOAT, NET_HALF, NET_BYTE, NET_FORMATS }; /* of weights */

enum net_word {
    KIND,
    ACTIVATION,
    IN_CHANNELS,
    IN_HEIGHT,
    IN_WIDTH,
    OUT_CHANNELS,
    OUT_HEIGHT,
    OUT_WIDTH,
    KERNEL_HEIGHT,
    KERNEL_WIDTH,
    STRIDE_HEIGHT,
    STRIDE_WIDTH,
    PADDING_HEIGHT,
    PADDING_WIDTH,
    FORMAT,  /* of the weights */
    WEIGHTS, /* where they start, in bytes */
    SCALES,  /* of NET_BYTE and of NET_NORM: floats [outputs] */
    BIAS,    /* floats [outputs] */
    NUMBER,  /* a float: the slope of NET_LEAKY, the length of NET_SPHERE */
    NET_WORDS
};

/* Room for `size` bytes, at a multiple of 16, that is never given back; 0 without memory.  Outside
 * WebAssembly the caller has this function. */
void *net_reserve(unsigned long size);

/* Reads a net; its bytes are needed no longer.  Returns a number above 0 for net_run, or 0 if the
 * bytes are not a net or there is no memory. */
int net_load(const unsigned char *bytes, unsigned long size);

/* Where the input of net_run is written, and where its output is then. */
float *net_input(int net);
float *net_output(int net);
void net_run(int net);

/* Outside WebAssembly: the caller has given the memory of all nets back. */
void net_forget(void);

#endif
