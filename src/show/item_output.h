/*
 * item_output.h: writes decoded items, batch by batch, to a file or folder. The name decides the
 * format:
 *
 *     x.npy            float32 [n, h, w] or [n, c, h, w]; rows of a table as float64 [n, features],
 *                      a category as the shares of its levels
 *     x.npz            the same as array x, beside z: float32 [n, d], the raw latents, and of a
 *                      table feature_names; this is DATA again, and decode reads its z
 *     x.csv            rows of a table, with the names of its columns; numbers, dates and levels
 *                      written as the table has them
 *     x.png, .svg, .pdf  a sheet of images
 *     x.apng           a moving picture, one image after the other
 *     anything else    a folder of PNG files, 00000.png and so on
 *
 * The output appears under its name only when it is complete.  Except for sheets and .npz files,
 * memory use does not grow with the number of items.
 */
#ifndef ECC_SHOW_ITEM_OUTPUT_H
#define ECC_SHOW_ITEM_OUTPUT_H

#include "base/place.h"
#include "model/model.h"

enum { ECC_SHEET_MOST = 10000 }; /* images on a sheet */

/* The formats (base/place.h) that items of any run can be written in ... */
enum {
    ECC_ITEM_FORMATS = ECC_FORMAT_CSV | ECC_FORMAT_NPY | ECC_FORMAT_NPZ | ECC_FORMAT_PICTURE |
                       ECC_FORMAT_FOLDER | ECC_FORMAT_APNG
};

/* For sheets; the other formats ignore it. */
struct ecc_output_words {
    const char *title, *caption;
    size_t columns; /* 0: about square */
    const char *const *row_names, *const *column_names;
};

struct ecc_item_output;

/* count: how many items will come; words may be NULL and must live until the end. */
enum ecc_status ecc_item_output_create(struct ecc_item_output **output, const char *path,
                                       const struct ecc_model *model, size_t count,
                                       const struct ecc_output_words *words,
                                       struct ecc_error *error);
/* x: [n, c, h, w] as ecc_model_decode gives it for z: [n, d]. */
enum ecc_status ecc_item_output_add(struct ecc_item_output *output, const float *x, const float *z,
                                    size_t n, struct ecc_error *error);
enum ecc_status ecc_item_output_finish(struct ecc_item_output *output, struct ecc_error *error);
/* Takes away what was not finished. */
void ecc_item_output_free(struct ecc_item_output *output);

/* ... and those of this run. */
unsigned ecc_item_formats(const struct ecc_model *model);
/* Fails, listing them, if the path is of none of them. */
enum ecc_status ecc_item_output_check(const char *path, const struct ecc_model *model,
                                      struct ecc_error *error);

/* That the run's items can be drawn: images of 1 or 3 channels. */
bool ecc_model_drawable(const struct ecc_model *model);

/* x: [n, columns] standardised to the units of the table. */
void ecc_model_unscale(const struct ecc_model *model, double *values, const float *x, size_t n);

#endif
