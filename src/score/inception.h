/*
 * inception.h: Inception-v3 up to its 2048 features: the parts of the features kind `inception`.
 *
 * One description of the network (inception_graph.c) serves both kinds of weights; a weights file
 * is folded into convolutions with bias (inception_weights.c), planned and run on oneDNN
 * (inception_run.c), and compared with plain loops (inception_reference.c).  Images go through one
 * by one, so that features do not depend on what else is in a batch, and branches write straight
 * into their slice of a block's output.
 */
#ifndef ECC_SCORE_INCEPTION_H
#define ECC_SCORE_INCEPTION_H

#include "nn/dnn.h"
#include "run/safetensors.h"

#include <stdio.h>

/* ---- The network ---------------------------------------------------------------------------- */

/* FID: the network of 2015 that published scores are made with, as pytorch-fid defines it; its last
 * block takes the largest of a window where all others take the mean.  KERAS: as Keras names its
 * tensors. */
enum ecc_inception_variant { ECC_INCEPTION_FID, ECC_INCEPTION_KERAS };

enum {
    ECC_INCEPTION_SIDE = 299,
    ECC_INCEPTION_MIN_SIDE = 75, /* smaller images vanish on the way */
    ECC_INCEPTION_OPS = 128,
    ECC_INCEPTION_BUFFERS = 4,
};

struct ecc_inception_op {
    enum ecc_infer_kind kind;
    struct ecc_conv_shape shape; /* n is 1 */
    size_t from, to;             /* buffers */
    size_t channel;              /* of the target, where the output begins */
    size_t number;               /* of a convolution, from 1 */
    char name[40];               /* of a convolution: "Mixed_5b.branch1x1" */
};

struct ecc_inception_graph {
    enum ecc_inception_variant variant;
    struct ecc_inception_op ops[ECC_INCEPTION_OPS];
    size_t count;
    struct ecc_item_shape in, out;
    size_t output;                        /* the buffer in which the last block ends */
    size_t floats[ECC_INCEPTION_BUFFERS]; /* of each buffer */
};

/* For images [3, height, width].  `divide` makes a narrow network for tests: channels are divided
 * by it and rounded up to a multiple of 16.  The real one has 1. */
enum ecc_status ecc_inception_graph_init(struct ecc_inception_graph *graph,
                                         enum ecc_inception_variant variant, size_t height,
                                         size_t width, size_t divide, struct ecc_error *error);

/* Multiplications and additions of an image, as floating-point operations. */
double ecc_inception_flops(const struct ecc_inception_graph *graph);

/* ---- Weights -------------------------------------------------------------------------------- */

struct ecc_inception_weights {
    struct ecc_safetensors *file;
    enum ecc_inception_variant variant; /* known by the names of the tensors */
    float scale, shift;                 /* the network wants scale * x + shift of x in [0, 1] */
    uint32_t checksum;                  /* zlib's crc32 of all numbers of the file */
};

enum ecc_status ecc_inception_weights_init(struct ecc_inception_weights *weights, const char *path,
                                           struct ecc_error *error);
void ecc_inception_weights_release(struct ecc_inception_weights *weights);

/* Where the file usually is, the caller's to free; or a sentence that says how to get it. */
enum ecc_status ecc_inception_weights_find(char **path, struct ecc_error *error);

/* What a file has of one convolution: kernel: [outputs, inputs, height, width], and the four of its
 * batch norm: [outputs] each.  Gamma is 1 where the file has none. */
struct ecc_inception_unit {
    float *kernel, *gamma, *beta, *mean, *variance;
    float *raw; /* the kernel in the order of the file; later room for as much */
};
#define ECC_INCEPTION_EPSILON 1e-3

enum ecc_status ecc_inception_weights_get(const struct ecc_inception_weights *weights,
                                          struct ecc_inception_unit *unit,
                                          const struct ecc_inception_op *op,
                                          struct ecc_error *error);
/* Memory for any convolution of the network; NULL without. */
struct ecc_inception_unit *ecc_inception_unit_create(const struct ecc_inception_graph *graph);
void ecc_inception_unit_free(struct ecc_inception_unit *unit);
size_t ecc_inception_kernel_size(const struct ecc_inception_op *op);

/* ---- Running -------------------------------------------------------------------------------- */

struct ecc_inception;

enum ecc_status ecc_inception_create(struct ecc_inception **net,
                                     const struct ecc_inception_graph *graph,
                                     const struct ecc_inception_weights *weights, int threads,
                                     struct ecc_error *error);
void ecc_inception_free(struct ecc_inception *net);

/* Where the next image goes, [3, height, width], already scaled; it is overwritten by a run. */
float *ecc_inception_input(struct ecc_inception *net);
/* features: [channels of the last block]. */
enum ecc_status ecc_inception_run(struct ecc_inception *net, float *features,
                                  struct ecc_error *error);

/* One line for each layer: what it is and what runs it. */
void ecc_inception_describe(FILE *stream, const struct ecc_inception *net);
bool ecc_inception_is_slow(const struct ecc_inception *net); /* some layer is oneDNN's reference */

/* The same in double, with batch norm as it is; x: [3, height, width]. */
enum ecc_status ecc_inception_reference(double *features, const float *x,
                                        const struct ecc_inception_graph *graph,
                                        const struct ecc_inception_weights *weights,
                                        struct ecc_error *error);

/* ---- Images --------------------------------------------------------------------------------- */

/*
 * Bilinear between the four nearest pixels, pixel centres at half numbers, without antialiasing:
 * torch.nn.functional.interpolate(mode="bilinear", align_corners=False), as pytorch-fid does it.
 */
struct ecc_bilinear {
    struct ecc_item_shape from; /* 1 or 3 channels */
    size_t height, width;       /* to */
    size_t *near[2], *far[2];   /* [height], [width]: the two pixels */
    float *part[2];             /* of the far one */
};

enum ecc_status ecc_bilinear_init(struct ecc_bilinear *bilinear, struct ecc_item_shape from,
                                  size_t height, size_t width, struct ecc_error *error);
void ecc_bilinear_release(struct ecc_bilinear *bilinear);

/* y: [3, height, width] = scale * x resized + shift; grey becomes three equal channels. */
void ecc_bilinear_run(const struct ecc_bilinear *bilinear, float *y, const float *x, float scale,
                      float shift, int threads);

#endif
