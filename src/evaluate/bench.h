/* bench.h: how fast this machine trains, encodes, decodes and computes the loss. */
#ifndef ECC_EVALUATE_BENCH_H
#define ECC_EVALUATE_BENCH_H

#include "base/threads.h"
#include "data/dataset.h"

/* One case to time. */
struct ecc_bench_case {
    const char *net, *data;  /* as ecc_train_options takes them */
    const char *data_name;   /* for people */
    const char *regularizer; /* for the loss: "mhe:s=1"; NULL: the eccentric one */
    struct ecc_data_options data_options;
    struct ecc_item_shape shape;
    size_t threads, batch, latent; /* for the loss, batch is the number of points */
    double width;                  /* scales the channels of a built-in net */
    uint64_t seed;
    float *images; /* random images used as data, or NULL */
};

/* Fills everything but threads and latent size; the width is 1. data NULL: glyphs, or random images
 * for paper-celeba; enough for four times the batch. */
enum ecc_status ecc_bench_case_init(struct ecc_bench_case *at, const char *net, const char *data,
                                    const struct ecc_data_options *options, size_t batch,
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

extern const struct ecc_bench_kind ecc_bench_kinds[]; /* step, encode, decode, loss */
enum { ECC_BENCH_KINDS = 4 };

/* ---- Results -------------------------------------------------------------------------------- */

struct ecc_bench_row {
    size_t threads, batch, latent;
    double seconds; /* the best time of one run */
    struct ecc_bench_cost cost;
    double peak_gflops; /* of sgemm with the same number of threads */
};

enum ecc_bench_axis { ECC_BENCH_THREADS, ECC_BENCH_BATCH, ECC_BENCH_LATENT, ECC_BENCH_AXES };
enum { ECC_BENCH_MOST_ROWS = 24 };

struct ecc_bench_result {
    const struct ecc_bench_kind *kind;
    const char *net, *data;
    struct ecc_bench_row main;
    struct ecc_bench_row rows[ECC_BENCH_AXES][ECC_BENCH_MOST_ROWS];
    size_t counts[ECC_BENCH_AXES];
};

/* What all measurements of one call share. */
struct ecc_bench {
    struct ecc_bench_case base; /* threads, batch and latent size come from the rows */
    double seconds;             /* for each measurement */
    bool quick;
    const struct ecc_watch *watch;     /* or NULL */
    size_t measured, total;            /* measurements done, and planned, for the watch */
    double peaks[ECC_MAX_THREADS + 1]; /* GFLOP/s of sgemm by threads, 0 if not yet measured */
};

/* The caller sets result's kind and main's threads, batch and latent size; this measures the
 * rest. */
enum ecc_status ecc_bench_measure(struct ecc_bench *bench, struct ecc_bench_result *result,
                                  struct ecc_error *error);
/* How many measurements this takes. */
size_t ecc_bench_count(const struct ecc_bench *bench, const struct ecc_bench_row *main);

/* The value of a row on an axis: its threads, batch or latent size. */
size_t *ecc_bench_value(struct ecc_bench_row *row, enum ecc_bench_axis axis);

#endif
