/*
 * eccentric_model.h: a trained run used from C or C++: items to latents, latents to items.
 *
 * The library libeccentric_model; conventions are those of eccentric.h.  A run is a directory that
 * `eccentric train` made.  Items are floats: images [channels, height, width] with pixels from 0
 * to 1, rows of a table standardised.  Batch norm uses its running statistics; latents of a VAE are
 * its posterior means.  A run that is still training, or was interrupted, is used as its last
 * checkpoint left it.
 */
#ifndef ECCENTRIC_MODEL_H
#define ECCENTRIC_MODEL_H

#include <eccentric.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Data in memory ------------------------------------------------------------------------- */

/* Items that the calling program holds itself. */
struct ecc_array_data {
    const float *x; /* [n, channels, height, width]: pixels from 0 to 1, or the cells of a table */
    size_t n, channels, height, width; /* a table: channels = height = 1, width columns */
    bool is_table;

    const int32_t *labels;          /* [n] classes from 0, or NULL */
    size_t classes;                 /* how many; 0: the largest label plus 1 */
    const char *const *class_names; /* [classes], or NULL: "0", "1", ... */

    const double *numbers; /* [n, number_count] to predict, such as an age or a price; not part of
                            * the items; NaN: not known; or NULL */
    size_t number_count;
    const char *const *number_names; /* [number_count] */

    const char *const *column_names; /* [width] of a table, or NULL */
    const double *cells;             /* [n, width] of a table, instead of x; or NULL */
    const char *name;                /* for messages; set by ecc_data_lend */
};

/*
 * Lends arrays to the library: "memory:NAME" is then DATA for every function that takes DATA, and
 * behaves as the same numbers in a file would: tables are standardised, a tenth of the items is the
 * test part, and ":train", ":test" and ":all" pick a part.  Arrays are used as they are: crop, size
 * and label, which are for files, give a remark.  What the struct points to must stay until
 * ecc_data_return and until nothing uses it any more.  A name lent again replaces the old.  Fails
 * with ECC_BAD_ARGUMENT or ECC_BAD_DATA, saying which number is wrong.
 */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_data_lend(const char *name, const struct ecc_array_data *array, struct ecc_error *error);
ECC_API void ecc_data_return(const char *name);

/* What is in a data set. */
struct ecc_data_info {
    size_t items, channels, height, width; /* a table has its columns as channels */
    bool is_table;
    size_t class_count, attribute_count;
    size_t *class_counts;    /* [class_count] items of each class */
    double low, high, mean;  /* of the values of `looked_at` items, spread over the set */
    size_t looked_at, blank; /* blank: of these, items whose values are all the same */
    char *remarks;           /* what is odd, one line each; or NULL */
};

/* Of DATA as the commands name it; items: only the first N, 0: all.  The caller releases it. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_data_describe(struct ecc_data_info *info,
                                                         const char *data, size_t items,
                                                         struct ecc_error *error);
ECC_API void ecc_data_info_release(struct ecc_data_info *info);

/* ---- Tables --------------------------------------------------------------------------------- */

/* How the decimal sign of a text table is found, and how its numbers are scaled. */
enum ecc_decimal { ECC_DECIMAL_AUTO = 0, ECC_DECIMAL_POINT, ECC_DECIMAL_COMMA };
enum ecc_scaler {
    ECC_SCALER_STANDARD = 0, /* mean and deviation */
    ECC_SCALER_ROBUST,       /* median and interquartile range, ends at 10 deviations */
};

/* What a column of a table is. */
enum ecc_column_kind {
    ECC_COLUMN_NUMBER = 0,
    ECC_COLUMN_DATE,     /* a date or a time, as days since 1970-01-01 */
    ECC_COLUMN_CATEGORY, /* words, or yes and no: one feature per level */
    ECC_COLUMN_LABEL,    /* the classes; not part of an item */
    ECC_COLUMN_TARGET,   /* a number to predict; not part of an item */
    ECC_COLUMN_LEFT_OUT, /* not used, for the reason given */
};

/* A column of a file, and the features of an item that it becomes. */
struct ecc_column {
    char *name;
    enum ecc_column_kind kind;
    char *reason;           /* why it is left out; otherwise NULL */
    size_t first, features; /* x[first] ... x[first + features - 1]; features 0: none */
    int decimals;           /* that its numbers are written with; of a date: 0, or 1 with a time */
    double mean, deviation; /* of a number or date: the feature is (value - mean) / deviation */
    double low, high;       /* of the training rows */
    size_t gaps, distinct;  /* missing cells and different values in the training rows; of numbers
                             * 1001 means: more than 1000 */
    char **levels;          /* [level_count] of a category, in the order of its features, or of the
                             * label, in the order of the classes */
    double *shares;         /* [level_count] of a category: of the training rows, from 0 to 1; a
                             * feature is (1 or 0 - share) / deviation */
    size_t level_count;
    double clip;     /* above 0: features of a number or date end at this many deviations */
    char date_order; /* of a date: the part its text starts with: 'Y', 'M', 'D', or 'h': a time */
};

/* How the cells of a table become an item, and come back.  A missing cell is NaN in an item. */
struct ecc_schema {
    struct ecc_column *columns; /* [count], in the order of the file */
    size_t count;
    size_t features; /* floats of an item */
};

/* What x: [schema->features] holds of a column, in its own unit: a number, days since 1970-01-01,
 * or the place of a level among `levels`.  NaN: missing, or not part of an item. */
ECC_API double ecc_schema_value(const struct ecc_column *column, const float *x);
/* The same as text: a number with column->decimals, a date as 2024-12-31, a level by its name;
 * empty where it is missing.  What is longer than size - 1 is cut.  Returns text. */
ECC_API const char *ecc_schema_cell(char *text, size_t size, const struct ecc_column *column,
                                    const float *x);

/* ---- Opening and saving --------------------------------------------------------------------- */

/* One thread at a time may use a model; several models may be used at the same time. */
struct ecc_model;

/* What is 0 is left to the library. */
struct ecc_model_options {
    size_t batch; /* items at once, 0: 100; 1 is the fastest for single latents */
    int threads;  /* 0: as many as OpenMP would use */
};

/* options may be NULL.  Fails with ECC_BAD_DATA or ECC_IO, naming the file, when the directory is
 * not a run or its files are damaged. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_model_open(struct ecc_model **model,
                                                      const char *directory,
                                                      const struct ecc_model_options *options,
                                                      struct ecc_error *error);
ECC_API void ecc_model_close(struct ecc_model *model);

/*
 * A model as one block of bytes: a safetensors file with the weights, the settings (config.json, in
 * the metadata) and, once known, the components.  *bytes is the caller's to free().
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_model_save_bytes(const struct ecc_model *model,
                                                            unsigned char **bytes, size_t *size,
                                                            struct ecc_error *error);
ECC_API ECC_MUST_CHECK enum ecc_status ecc_model_open_bytes(struct ecc_model **model,
                                                            const unsigned char *bytes, size_t size,
                                                            const struct ecc_model_options *options,
                                                            struct ecc_error *error);
/* The same as a run directory, which must not hold a run yet: config.json, model.safetensors and
 * components.npz; without the checkpoint and the metrics of the training. */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_model_save(const struct ecc_model *model, const char *directory, struct ecc_error *error);
/* The same model once more, planned for other batches or threads; nothing is read again. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_model_copy(struct ecc_model **copy,
                                                      const struct ecc_model *model,
                                                      const struct ecc_model_options *options,
                                                      struct ecc_error *error);

/* What a run is; the pointers are valid until it is closed. */
struct ecc_model_info {
    size_t latent; /* d, numbers of a latent */
    size_t channels, height, width;
    size_t size;             /* their product: floats of an item */
    bool finished;           /* false: weights from a checkpoint ... */
    bool training;           /* ... of a training that was under way when the run was opened ... */
    uint64_t step, steps;    /* ... after this step, of this many (0: not known yet) */
    const char *data;        /* what it was trained on, as `train` was told, made absolute */
    size_t columns;          /* of a table; 0 for images, and NULL the rest: */
    const double *mean;      /* [columns]; an item is (value - mean) / deviation, ... */
    const double *deviation; /* [columns] */
    double clip;             /* above 0: items end at this many deviations (ECC_SCALER_ROBUST) */
    const char *const *column_names; /* [columns], or NULL: they have none */
};

ECC_API struct ecc_model_info ecc_model_describe(const struct ecc_model *model);
/* The columns of the table that it was trained on; NULL for images, arrays and runs of 0.1.  Valid
 * until the model is closed. */
ECC_API const struct ecc_schema *ecc_model_schema(const struct ecc_model *model);

/* z: [n, d] of x: [n, c, h, w]; any n. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_model_encode(struct ecc_model *model, float *z,
                                                        const float *x, size_t n,
                                                        struct ecc_error *error);
/* x: [n, c, h, w] of z: [n, d]; any n. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_model_decode(struct ecc_model *model, float *x,
                                                        const float *z, size_t n,
                                                        struct ecc_error *error);

/* ---- Components and latents of data --------------------------------------------------------- */

/*
 * The components of the latents of the items that the run was trained on: from RUN/components.npz
 * when that was made of these weights, else computed and, where possible, kept there.  `data` is
 * where the run's training data is now, or NULL: where it was.  A remark says when a damaged file
 * was not used or the file could not be written.  The caller releases them
 * (ecc_components_release).
 */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_model_components(struct ecc_model *model, struct ecc_components *components, const char *data,
                     const struct ecc_watch *watch, struct ecc_error *error);

/*
 * The same, and how much of the variance of the data each of them explains (of_data): how much the
 * error of the reconstructions falls when it is added to those before it, the rest at their mean,
 * over the variance of the items.  Measured on the training items, or a sample of up to 5,000, if
 * components.npz does not have it.  NaN if all items are the same.  If it fails because the data is
 * gone, the components without it are there, if they could be found.
 */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_model_explained(struct ecc_model *model, struct ecc_components *components, const char *data,
                    const struct ecc_watch *watch, struct ecc_error *error);

/*
 * A Gaussian mixture fitted to the same latents.  options may be NULL: the defaults; the watch
 * takes the place of its on_round.  The caller releases it (ecc_mixture_release).
 */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_model_mixture(struct ecc_model *model, struct ecc_mixture *mixture, const char *data,
                  const struct ecc_mixture_options *options, const struct ecc_watch *watch,
                  struct ecc_error *error);

/*
 * *z: [*n, d], the latents of DATA as the commands name it: a path or a name, with ":train",
 * ":test" or ":all"; NULL: the training part of the run's own data.  items: only the first N,
 * 0: all.  *labels: [*n] (labels may be NULL) are its classes from 0, or NULL where it has none.
 * Both are the caller's to free().  Items are converted as the run's own were (crop, size, scaling
 * of a table), read in the background, and never all in memory.
 */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_model_latents(struct ecc_model *model, float **z, int32_t **labels, size_t *n, const char *data,
                  size_t items, const struct ecc_watch *watch, struct ecc_error *error);

/* ---- Other formats -------------------------------------------------------------------------- */

/* How weights are stored in a page (eccentric_pages.h): 32, 16 or 8 bits each; 8 with a factor for
 * each output.  AUTO: 8 bits where 16 need more than 2 MB and pictures stay nearly the same, else
 * 16. */
enum ecc_weight_format {
    ECC_WEIGHTS_FLOAT = 0,
    ECC_WEIGHTS_HALF,
    ECC_WEIGHTS_BYTE,
    ECC_WEIGHTS_AUTO
};

struct ecc_onnx_options {
    bool keep_norms; /* batch norm as a layer of its own, to train on, not inside the weights */
};

/* Whether other programs can run the encoder: an ONNX file, and the explorer as one page.  Those of
 * methods whose latents are codes (vq, fsq) they cannot. */
ECC_API bool ecc_model_encoder_is_exportable(const struct ecc_model *model);

/*
 * Writes directory/decoder.onnx (p -> x) and directory/encoder.onnx (x -> z, p): opset 17, any
 * number of items at once.  p are the components in deviations, z the raw latents, x pixels from 0
 * to 1 or the features of a table in their own units, where NaN is a missing cell and a category
 * has a number from 0 to 1 for each level.  components: those of the model (ecc_model_components).
 * options may be NULL.  Without an exportable encoder only the decoder is written.
 */
ECC_API ECC_MUST_CHECK enum ecc_status
ecc_model_export_onnx(struct ecc_model *model, const struct ecc_components *components,
                      const char *directory, const struct ecc_onnx_options *options,
                      struct ecc_error *error);

/* ---- Missing cells -------------------------------------------------------------------------- */

/*
 * Writes DATA, a text table, to the file `path` with its missing cells filled by the decoder, from
 * what is there in each row; *filled of them.  Everything else stays byte by byte: the order of
 * columns, quotes, the cells that are there.  Of a part (":test") the other rows stay as they are.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_model_impute(struct ecc_model *model, size_t *filled,
                                                        const char *data, const char *path,
                                                        const struct ecc_watch *watch,
                                                        struct ecc_error *error);

/* ---- How unusual items are ------------------------------------------------------------------ */

/*
 * What is measured of items, each an array for n of them, or NULL: not wanted.  The last two are
 * the distances of chemometrics: T2 says how far an item lies from the middle of the training items
 * within the model, Q how far it lies from what the model can express.
 */
struct ecc_measures {
    float *z;      /* [n, d] latents */
    float *p;      /* [n, d] the same along the components of the run */
    double *error; /* [n] mean squared error of the reconstruction; missing cells do not count */
    double *t2;    /* [n] the sum of p_k^2 / eigenvalue_k: the squared Mahalanobis distance in the
                    * Gaussian of the training latents; components that never vary do not count */
    double *q;     /* [n] squared error of the reconstruction, summed over the features (of a table:
                    * standardised); of an item with missing cells, scaled up to all of them */
};

/* Of x: [n, c, h, w]; any n.  Needs the run's components (ecc_model_components) for p and T2, and
 * finds them itself where its data is where it was. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_model_measure(struct ecc_model *model,
                                                         const struct ecc_measures *measures,
                                                         const float *x, size_t n,
                                                         struct ecc_error *error);

/* What 95% and 99% of items like the training items stay below. */
struct ecc_limits {
    double t2[2]; /* of new items in the Gaussian of n training items: d (n + 1) / (n - d) times the
                   * quantile of F(d, n - d); NaN for n <= d */
    double q[2];  /* quantiles of the training items; NaN if the model gives them back exactly */
    double t2_above[2]; /* the share of the training items whose T2 is above its limit: 0.05 and
                         * 0.01 if the latents are Gaussian */
    size_t items;       /* training items looked at: all, or 20,000 of them */
};

/* From RUN/limits.npz when that was made of these weights, else computed and, where possible, kept
 * there.  data: as for ecc_model_components. */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_model_limits(struct ecc_model *model,
                                                        struct ecc_limits *limits, const char *data,
                                                        const struct ecc_watch *watch,
                                                        struct ecc_error *error);
/* How unusual an item is: the larger of T2 and Q, each over its 99% limit; above 1 it is unusual.
 */
ECC_API double ecc_limits_excess(const struct ecc_limits *limits, double t2, double q);

/* ---- What a run has seen -------------------------------------------------------------------- */

enum ecc_seen_answer { ECC_SEEN_NONE = 0, ECC_SEEN_SOME, ECC_SEEN_ALL };

struct ecc_seen {
    enum ecc_seen_answer answer; /* which of the items the run was trained on */
    size_t items;                /* of the data set; of these, ... */
    size_t trained;              /* items that the run was trained on, ... */
    size_t validation;           /* and items that it kept aside to validate on */
    size_t twins;                /* items of another source whose contents also occur among the
                                  * training items; counted for tables and arrays of up to 200,000
                                  * rows if the training data is still there.  If all do, they count
                                  * as trained. */
    bool by_name;                /* the run does not say which rows it was given, or ... */
    bool changed;                /* ... its data has changed since: judged by the names */
};

/*
 * Which items of DATA (NULL: the run's own) the run was trained on.  Rows of the run's own source
 * are known by its fingerprint, wherever it is now; another source counts as unseen.  items: only
 * the first N, 0: all.
 */
ECC_API ECC_MUST_CHECK enum ecc_status ecc_model_seen(struct ecc_model *model,
                                                      struct ecc_seen *seen, const char *data,
                                                      size_t items, struct ecc_error *error);

#ifdef __cplusplus
}
#endif
#endif
