/*
 * eccentric_train.h: training, from C or C++: data in memory or by name, settings, a model.
 *
 * The library libeccentric_train holds everything of libeccentric_model and libeccentric, too: link
 * this one alone.  Conventions are those of eccentric.h.  `eccentric train` is options for the
 * functions below and nothing else: the same settings give the same weights, bit for bit.
 */
#ifndef ECCENTRIC_TRAIN_H
#define ECCENTRIC_TRAIN_H

#include <eccentric_model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Settings ------------------------------------------------------------------------------- */

/* FALL: constant, then linear to the final rate over the last steps. */
enum ecc_schedule_kind { ECC_SCHEDULE_CONSTANT = 0, ECC_SCHEDULE_COSINE, ECC_SCHEDULE_FALL };
/* What the decoder's output is compared with the item by: the mean squared error, or the binary
 * cross-entropy, for pixels between 0 and 1 and a decoder that ends in a sigmoid. */
enum ecc_reconstruction { ECC_RECONSTRUCTION_MSE = 0, ECC_RECONSTRUCTION_BCE };
/* The model to keep: the last; the one with the smallest error on the validation items; one that is
 * trained again, on all items, for as many steps as that one; or, by the data, one of the last two.
 */
enum ecc_keep { ECC_KEEP_LAST = 0, ECC_KEEP_BEST, ECC_KEEP_REFIT, ECC_KEEP_AUTO };

/*
 * Everything that decides how a training goes.  Start from ecc_train_defaults() and change fields;
 * `eccentric train --help` has what they mean, and config.json of a run what they were.  Numbers
 * that may be missing are NaN, texts NULL.  Batch, epochs, width and threads that are 0 are
 * chosen once the number and shape of the items are known; config.json has what they became.
 */
struct ecc_train_options {
    const char *data;  /* DATA as the commands name it, or "memory:NAME" (ecc_data_lend) */
    size_t items;      /* only the first N; 0: all */
    size_t crop, size; /* image folders: pixels of the middle, and resized to; 0: as they are */
    const char *label; /* tables: the column of the labels; NULL: found */
    const char *columns, *drop; /* text tables: names, with commas: only these; not these; NULL: all
                                   that can be used */
    enum ecc_decimal decimal;   /* text tables */
    enum ecc_scaler scaler;     /* tables */
    const char *labels;         /* a file with a label for each item; NULL: none */
    const char *metadata; /* a table with a row for each item; NULL: a folder's metadata.csv */
    bool strict;          /* image folders: stop at an image that cannot be read */
    uint64_t data_seed;   /* of what is drawn: the test part, the built-in glyphs */
    size_t validation;    /* training items kept aside to validate on, at most a fifth */
    enum ecc_keep keep;   /* the model at the end, or one chosen by its error on them */
    double patience;      /* end after this share of all steps without a better one; 0: never */

    const char *net; /* built-in name, "auto" or a file */
    double width;    /* scales the channels of a built-in net; 1 as published */
    bool direct;     /* convolve by direct sums, never by Winograd's tiles */
    size_t latent;   /* d */

    enum ecc_reconstruction reconstruction; /* the other part of the loss */
    bool binarize; /* each pixel of a batch is 1 with its value as probability, else 0 */

    const char *regularizer; /* "eccentric", "none", "kl", ..., or with options: "mhe:s=2" */
    double lambda;           /* its weight */
    double mu;               /* strength of the repulsion */
    enum ecc_m_rule m_rule;
    double m; /* with ECC_M_GIVEN */
    enum ecc_pairs pairs;
    double target_eccentricity; /* steer lambda to this; NaN: do not */
    double target_loss;         /* likewise to this eccentric loss */

    size_t batch;
    double rate, final_rate; /* of Adam: the highest, and at the end of a cosine or fall */
    double decay;            /* L2, added to the gradient */
    double beta1, beta2, epsilon;
    enum ecc_schedule_kind schedule;
    double fall;          /* the last share of the steps, in which ECC_SCHEDULE_FALL falls */
    uint64_t warmup;      /* steps of linear rise of the rate */
    double average;       /* the last share of the steps whose weights are averaged; 0: none */
    double epochs;        /* passes through the data */
    double minutes;       /* > 0: instead of epochs; from the first step to the last */
    uint64_t total_steps; /* > 0: instead of both */

    bool sync_norm; /* several processes: batch norm over the batches of all, not of each */
    uint64_t seed;
    size_t threads; /* 0: all */
    bool tensorboard;
    double checkpoint_seconds;
};

/* Ours, chosen by measurement (docs/recipes.md). */
ECC_API struct ecc_train_options ecc_train_defaults(void);
/* The paper's own settings for a net; `latent`, data and seed stay as they are. */
ECC_API void ecc_train_preset_paper(struct ecc_train_options *options);
/* Another regularizer, with the lambda that it usually has; `regularizer` must stay in place. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_train_method(struct ecc_train_options *options,
                                                        const char *regularizer,
                                                        struct ecc_error *error);

/* ---- Settings by name ----------------------------------------------------------------------- */

enum ecc_setting_kind {
    ECC_SETTING_TEXT,   /* const char *, NULL: none */
    ECC_SETTING_COUNT,  /* size_t */
    ECC_SETTING_U64,    /* uint64_t */
    ECC_SETTING_NUMBER, /* double, NaN: none */
    ECC_SETTING_FLAG,   /* bool */
    ECC_SETTING_CHOICE, /* an enum, as int */
};

/* A field of struct ecc_train_options, for programs that let people set it: command lines, other
 * languages. */
struct ecc_train_setting {
    const char *key;   /* in config.json: "train.rate" */
    const char *flag;  /* on the command line: "lr"; NULL: not there */
    const char *value; /* of the flag, in help texts: "R" */
    const char *meaning;
    enum ecc_setting_kind kind;
    bool later;                 /* config.json of older runs may lack it */
    bool may_be_nan;            /* NaN: not asked for */
    bool above_low;             /* `low` itself is out */
    bool path;                  /* a file, which a run keeps with its absolute path */
    bool quiet;                 /* does not change what is trained: not part of the command */
    size_t offset;              /* in struct ecc_train_options */
    double low, high;           /* both 0: any */
    const char *const *choices; /* in the order of the enum, ending in NULL */
};

/* All of them: [*count]. */
ECC_API const struct ecc_train_setting *ecc_train_settings(size_t *count);

/* ---- Training ------------------------------------------------------------------------------- */

struct ecc_trainer; /* a training under way */

/* What the last step knows. */
struct ecc_train_progress {
    uint64_t step, total; /* total 0: not known yet */
    double epoch, seconds;
    bool epoch_ended;
    bool ended; /* this was the last step */
    double error, regularizer, lambda, rate, eccentricity, trace;
    size_t latent, channels, height, width; /* of the model; a table has columns as channels */
    struct ecc_trainer *trainer;            /* for ecc_train_examples, during the call */
};

/*
 * Processes that train together, each on its share of every batch: those that mpirun or srun
 * started.  A plugin connects them (docs/cluster.md).  All call the same functions; the first,
 * number 0, has the run directory and the result.
 */
struct ecc_team;

/* *team: NULL if this process was started alone.  Fails if the plugin is missing. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_team_join(struct ecc_team **team,
                                                     struct ecc_error *error);
/* 0 and 1 for NULL. */
ECC_API int ecc_team_rank(const struct ecc_team *team);
ECC_API int ecc_team_size(const struct ecc_team *team);
/*
 * Watches the other processes, in a thread of its own and by TCP, until ecc_team_leave; all call
 * this.  A process that has died, does not answer for six seconds, or does nothing for as long
 * while the others wait for it (docs/cluster.md) ends all: one of the others calls on_remark of
 * `last`, which is copied, from that thread, with a sentence that names it.  Fails with ECC_IO if a
 * process cannot be reached: that one is not watched.
 */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_team_watch(struct ecc_team *team, const struct ecc_watch *last, struct ecc_error *error);
/* From now on, encoding and measuring data with the model, its components and its classification
 * are work of all processes, each of which takes its share of the items: all must make the same
 * calls, and get the same results.  Files are written by the first.  Of NULL: alone. */
ECC_API void ecc_team_use(struct ecc_team *team, struct ecc_model *model);
/* Waits until all have come here. */
ECC_API void ecc_team_leave(struct ecc_team *team);
/* Ends all processes at once, for a failure that the others may not know of; of NULL, nothing. */
ECC_API void ecc_team_abort(struct ecc_team *team);

/* Where a training goes and who watches it; what is 0 or NULL is not asked for. */
struct ecc_train_job {
    const char *out; /* the run directory to make; NULL: the model stays in memory */
    bool overwrite;  /* replace the run that is there */

    /* After each step; returning false ends with ECC_INTERRUPTED and, in a directory, a checkpoint
     * that ecc_train_resume continues from, bit for bit.  Without a directory nothing is kept,
     * unless ... */
    bool (*on_step)(void *context, const struct ecc_train_progress *progress);
    bool keep_stopped; /* ... this is set: the training is then over, with the model so far */
    void (*on_remark)(void *context, const char *sentence);
    void *context;

    /* Trainings of one user that ask for this take turns of 50 ms where they do not fit on the
     * processors side by side: by locks on a small file in XDG_RUNTIME_DIR, or else in /tmp. */
    bool take_turns;

    /* Others that train with this process, or NULL.  All but number 0 get an empty result. */
    struct ecc_team *team;
};

/* The model and PCA of the same size on items that were not trained on: for a refit without test
 * items, the model before it. */
struct ecc_train_comparison {
    const char *items_are; /* "test", "validation", or NULL: there are none */
    size_t items;
    double error, pca_error; /* mean squared errors */
    double variance;         /* around the mean of the training items: 1 - error / variance is the
                              * share that the model explains */
};

/* What came out, over all items that were trained on, by running statistics. */
struct ecc_train_result {
    uint64_t steps;
    double epochs, seconds, items_per_second;
    size_t items, validation_items; /* trained on in the end; kept aside to choose the model */
    double error;                   /* mean squared error of the training items */
    double validation_error;        /* of those kept aside, before any refit; NaN without */
    double loss;                    /* the eccentric loss; NaN for d = 1 */
    double lambda;                  /* at the end: a target moves it */
    double target, reached;         /* NaN without a target */
    bool target_met;                /* within 5% */
    uint64_t best_step;             /* after which the model was the best, and kept */
    bool refit;                     /* and then trained again for as many steps, on all items */
    bool started_from_pca;          /* the net is PCA at step 0 */
    struct ecc_train_comparison unseen;
    char remark[300];                 /* where it is not met, why; else empty */
    struct ecc_components components; /* of the latents of the training items */
    struct ecc_model *model;          /* open; ecc_train_result_release closes it */
};

/*
 * Trains.  Fails with ECC_BAD_ARGUMENT (a setting), ECC_BAD_DATA or ECC_IO (data, directory),
 * ECC_NUMERIC (diverged; the last good checkpoint stays), ECC_INTERRUPTED, ECC_NO_MEMORY.  The
 * result is then empty.  job may be NULL: the model stays in memory.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_train(struct ecc_train_result *result,
                                                 const struct ecc_train_options *options,
                                                 const struct ecc_train_job *job,
                                                 struct ecc_error *error);
/*
 * Continues the training in a run directory, job->out, with its own settings.  epochs 0: as many as
 * it was to have; otherwise until there are that many in all, and a finished run becomes
 * unfinished.  A run that was trained on an array needs the same array again.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_train_resume(struct ecc_train_result *result,
                                                        double epochs,
                                                        const struct ecc_train_job *job,
                                                        struct ecc_error *error);
ECC_API void ecc_train_result_release(struct ecc_train_result *result);

/*
 * A model that was trained elsewhere, such as in PyTorch, as if it had been trained here.  options:
 * data, net (a file, or a built-in name) and latent; of the rest, what is known.  weights: [size]
 * bytes of a safetensors file, with every tensor as model.safetensors of a run has it:
 * encoder.0.weight, encoder.0.bias, ..., numbered by the lines of the net.  All items of the
 * training part count as trained on.  ecc_model_components and ecc_model_save make a run of it.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_train_adopt(struct ecc_model **model,
                                                       const struct ecc_train_options *options,
                                                       const unsigned char *weights, size_t size,
                                                       struct ecc_error *error);

/* Within on_step: items x: [*n, c, h, w] and what the model so far makes of them, y: [*n, c, h, w];
 * *unseen (may be NULL): they are items kept aside.  *n falls to as many as there are. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_train_examples(struct ecc_trainer *trainer, float *x,
                                                          float *y, size_t *n, bool *unseen,
                                                          struct ecc_error *error);

/* What a training would be here and now. */
struct ecc_train_estimate {
    size_t batch, threads;
    uint64_t steps; /* at most: it may end before; with those of a second training (refit) */
    double epochs, seconds;
};

/* Trains on some of the items for a second or so, in memory, to know.  Fails as ecc_train would. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_train_estimate(struct ecc_train_estimate *estimate,
                                                          const struct ecc_train_options *options,
                                                          struct ecc_error *error);

/* What would be trained: *text, the caller's to free(), lists the layers with their shapes,
 * parameters and work per item. */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_train_describe(char **text, const struct ecc_train_options *options, struct ecc_error *error);

#ifdef __cplusplus
}
#endif
#endif
