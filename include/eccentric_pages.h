/*
 * eccentric_pages.h: results as pages, and what takes hours and ends in one.
 *
 * The report of a run, the explorer in the browser or as one file, methods compared on one's own
 * data, and the paper's figures and tables made again.  The library libeccentric_pages, which holds
 * libeccentric_show and needs libmicrohttpd, too; conventions are those of eccentric.h, watch may
 * be NULL.
 */
#ifndef ECCENTRIC_PAGES_H
#define ECCENTRIC_PAGES_H

#include <eccentric_show.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- A run as one page ---------------------------------------------------------------------- */

struct ecc_report_options {
    const char *data; /* where the run's training data is now; NULL: where it was */
    const char
        *test;         /* items to measure and show; NULL: those of the test part of the run's data
                        * that it was not trained on, else its validation items, else training items */
    size_t items;      /* only the first N of each part; 0: all */
    bool no_baselines; /* do not classify pixels and their ordinary components */
    uint64_t seed;     /* of what is drawn at random */
};

/* One thing that the page leaves out, and why. */
struct ecc_report_gap {
    const char *what; /* "training", "components", "items", "unseen items", "classes" */
    struct ecc_error why;
};
enum { ECC_REPORT_MOST_GAPS = 5 };

struct ecc_report_result {
    size_t bytes;         /* of the file */
    bool has_items;       /* otherwise the next three say nothing */
    struct ecc_seen seen; /* which of the items that were measured the run was trained on */
    double error, kept;   /* mean squared error, and the share of their variance that is kept */
    struct ecc_report_gap gaps[ECC_REPORT_MOST_GAPS];
    size_t gap_count;
};

/* Writes the model as one self-contained HTML file.  The same run, seed and number of threads give
 * the same bytes.  options, result: may be NULL. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_report_run(struct ecc_report_result *result,
                                                      struct ecc_model *model, const char *path,
                                                      const struct ecc_report_options *options,
                                                      const struct ecc_watch *watch,
                                                      struct ecc_error *error);

/* ---- The explorer --------------------------------------------------------------------------- */

/* Latents from anywhere, instead of runs. */
struct ecc_latents_request {
    const char *latents;  /* a .npy file [n, d] */
    const char *images;   /* DATA with an image for each row, or NULL */
    const char *metadata; /* a table with a line for each row, or NULL */
    size_t items;         /* at most, of each class its share; 0: all */
    size_t pixels;        /* of all images together, at most; 0: any number */
};

struct ecc_space_request {
    const char *const *runs; /* [run_count], one or two directories */
    size_t run_count;
    struct ecc_latents_request elsewhere; /* instead of runs, if it names latents */
    const char *data; /* the items, or NULL: the training part of the first run's data */
    size_t items;     /* at most: the first, */
    bool spread;      /* or of each class its share */
    size_t pixels;    /* of all images together, at most, if `spread`; 0: any number */
    int threads;      /* 0: all */
    bool alone;       /* nobody draws at the same time: the space may have all threads, too */
};

/* What the explorer shows: one run, or two on the same data, and their items, encoded. */
struct ecc_space;

/* Without `data` it is not an error if the run's own data is gone: a remark, and no items. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_space_open(struct ecc_space **space,
                                                      const struct ecc_space_request *request,
                                                      const struct ecc_watch *watch,
                                                      struct ecc_error *error);
ECC_API size_t ecc_space_items(const struct ecc_space *space);
/* How many there were before some were left out by `items`, `pixels` and `spread`. */
ECC_API size_t ecc_space_items_of(const struct ecc_space *space);
ECC_API void ecc_space_free(struct ecc_space *space);

struct ecc_server;

struct ecc_server_options {
    const char *address; /* numeric, such as 127.0.0.1 or ::1; NULL: 127.0.0.1 */
    size_t port;         /* 0: any free port */
    double patience; /* seconds that a request may take from its first to its last byte; 0: 60 */
    double rate;     /* requests per second from all clients, twice as many at once; 0: 2000 */
    bool framed;     /* pages of this machine, such as notebooks, may show the page in a frame */
};

/* Starts to listen.  The caller keeps the space, which must outlive the server, and calls all three
 * from the thread that opened it. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_server_create(struct ecc_server **server,
                                                         struct ecc_space *space,
                                                         const struct ecc_server_options *options,
                                                         struct ecc_error *error);
/* Serves until `stop`, called a few times a second, returns true. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_server_run(struct ecc_server *server, bool (*stop)(void),
                                                      struct ecc_error *error);
ECC_API void ecc_server_free(struct ecc_server *server);

/* "http://127.0.0.1:8320/", with a random token on any address but loopback. */
ECC_API const char *ecc_server_url(const struct ecc_server *server);
ECC_API size_t ecc_server_port(const struct ecc_server *server);

/* Differences of decoded items: of images in 255ths, of tables in deviations of each column. */
struct ecc_page_error {
    size_t items;         /* that were compared; 0: none */
    double most, typical; /* the largest, the root of the mean square */
    double placed;        /* the largest of encoded items, in deviations along a component */
};

/* Where its bytes are: as they are in the page, after packing; and what the weights cost. */
struct ecc_one_file_sizes {
    size_t all, page, nets, items, answers;
    double packed;                  /* bytes of the file for each byte of nets, items and answers */
    enum ecc_weight_format weights; /* as asked for, or as chosen */
    size_t spared;                  /* bytes of nets, by 8 bits where they were chosen */
    struct ecc_page_error error;
};

/* The explorer as one HTML file that needs no server (docs/export.md). */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_one_file_write(struct ecc_space *space, const char *path,
                                                          enum ecc_weight_format format,
                                                          struct ecc_one_file_sizes *sizes,
                                                          const struct ecc_watch *watch,
                                                          struct ecc_error *error);

/*
 * For TensorBoard's Embedding Projector, into the directory: tensors.tsv, the first run's
 * components in deviations; metadata.tsv, what is known of each item; of images sprite.png, unless
 * they are too many for it; projector_config.pbtxt, which names these.  *sprite: whether there is
 * one.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_projector_write(struct ecc_space *space,
                                                           const char *directory, bool *sprite,
                                                           const struct ecc_watch *watch,
                                                           struct ecc_error *error);

/* ---- Methods side by side ------------------------------------------------------------------- */

/*
 * All methods get the same net, items, seeds and number of epochs.  Lambda of each is chosen by a
 * short sweep on validation items; then come the long trainings, and one table and one page of what
 * test items say about them (docs/compare.md).  Everything is in one directory:
 *
 *     compare.html  compare.md  compare.csv  results.json
 *     figures/      samples and components of the first run of each method
 *     runs/         run directories, named by their settings, so that later calls find them
 *     steps/        what was measured
 */
struct ecc_compare_options {
    const char *out;
    const char *methods; /* "eccentric,kl,irmae:layers=4", or "all"; NAME:lambda=L needs no sweep */
    const size_t *latents; /* [latent_count] */
    size_t latent_count;
    struct ecc_train_options train; /* what all trainings share: data, net, batch, ... */
    double minutes;                 /* for everything that is still to be done, or ... */
    double epochs;                  /* ... > 0: of each long training */
    size_t seeds;                   /* long trainings of each method */
    size_t lambdas;                 /* tried for each; 1: only its usual one */
    bool plan_only;                 /* say what would be done, and stop */
    bool report_only;               /* train and measure nothing: report what is there */
    const struct ecc_watch *watch;
};

/* All methods, two seeds, five lambdas. */
ECC_API struct ecc_compare_options ecc_compare_defaults(void);

/* *results: the text of results.json, the caller's to free; NULL with plan_only and where nothing
 * came out.  A training that fails does not keep the others from being done; when the comparison is
 * interrupted, the page has what is there, and the same call goes on. */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_compare(char **results, const struct ecc_compare_options *options, struct ecc_error *error);

/* ---- The paper's figures and tables --------------------------------------------------------- */

enum ecc_repro_size {
    ECC_SIZE_QUICK = 0, /* small data, nets and trainings, to see that it works */
    ECC_SIZE_MINUTES,   /* the best that fits in a given time */
    ECC_SIZE_PAPER,     /* the paper's own epochs */
};

/* What stands for CelebA where digits would do. */
enum ecc_repro_on { ECC_ON_AUTO = 0, ECC_ON_MNIST, ECC_ON_CELEBA };

/*
 * Plans trainings and measurements, does those that are not there yet, sets the paper's numbers
 * beside ours with a verdict on each claim, and writes a report.  Everything is in one directory:
 *
 *     report.html  report.md  results.json
 *     figures/     pictures, PNG and SVG
 *     runs/        run directories, named by their settings
 *     steps/       what was measured, and the command that measures the same
 */
struct ecc_repro_options {
    const char *out;          /* the directory */
    const char *data;         /* a directory with mnist/ and celeba/ in it, or NULL */
    const char *const *items; /* [item_count] "figure1", ..., "claims", "all" */
    size_t item_count;
    enum ecc_repro_size size;
    enum ecc_repro_on on;
    double minutes;
    size_t runs;       /* of each setting, at most the paper's; 0: as many as fit */
    bool plan_only;    /* say what would be done, and stop */
    bool measure_only; /* train nothing: measure what is trained */
    bool report_only;  /* do nothing: report what is there */
    const struct ecc_watch *watch;
};

/* *results: as of ecc_compare.  A task that fails does not keep the others from being done:
 * ecc_reproduce then fails at the end, with the report written; and so it does when it is
 * interrupted. */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_reproduce(char **results, const struct ecc_repro_options *options, struct ecc_error *error);

#ifdef __cplusplus
}
#endif
#endif
