/* bench.h: how fast this machine trains, encodes, decodes and computes the loss. */
#ifndef ECC_EVALUATE_BENCH_H
#define ECC_EVALUATE_BENCH_H

#include "eccentric_evaluate.h"

#include "data/dataset.h"

/* One case to time. */
struct ecc_bench_case {
    struct ecc_train_options train; /* also its threads, batch (of the loss: points), latent size */
    const char *data_name;          /* for people */
    struct ecc_item_shape shape;
    float *images; /* random images used as data, or NULL */
};

/* Data of NULL becomes glyphs, or random images for paper-celeba; enough for four times the batch.
 */
enum ecc_status ecc_bench_case_init(struct ecc_bench_case *at,
                                    const struct ecc_train_options *options,
                                    struct ecc_error *error);
void ecc_bench_case_release(struct ecc_bench_case *at);

struct ecc_bench_cost {
    double flops; /* of one run */
    size_t bytes; /* planned once, for all runs */
};

/* A benchmark: `open` prepares one case, `run` does the timed work once. */
struct ecc_bench_kind {
    const char *name;
    const char *shows;   /* what one run does, after "one" */
    const char *counted; /* which operations the flops count */
    bool has_net;
    enum ecc_status (*open)(void **job, struct ecc_bench_cost *cost,
                            const struct ecc_bench_case *at, struct ecc_error *error);
    enum ecc_status (*run)(void *job, struct ecc_error *error);
    void (*close)(void *job); /* accepts NULL */
};

extern const struct ecc_bench_kind ecc_bench_kinds[]; /* [ECC_BENCH_KINDS], by ecc_bench_what */

/* The value of a row on an axis: its threads, batch or latent size. */
size_t *ecc_bench_value(struct ecc_bench_row *row, enum ecc_bench_axis axis);

#endif
