/* classification.h: a classification (eccentric_evaluate.h) as a picture. */
#ifndef ECC_SHOW_CLASSIFICATION_H
#define ECC_SHOW_CLASSIFICATION_H

#include "eccentric_show.h"

struct ecc_plot;

/* For people, in the order of enum ecc_classify_method. */
extern const char *const ecc_classify_method_words[];

/* The only number against its prediction, or how well the neighbours predict each of several. */
enum ecc_status ecc_draw_numbers(const struct ecc_classification *result, const char *path,
                                 struct ecc_error *error);
/* One of the numbers against its prediction, as a chart of the plot. */
void ecc_plot_number(struct ecc_plot *plot, const struct ecc_classification *result, size_t number);

/* Which classes are taken for which: the counts as a .csv, or as a .png, .svg or .pdf; of many
 * classes the picture shows those with the most mistakes.  Fails with ECC_BAD_DATA for attributes
 * and for more than 4,096 classes. */
enum ecc_status ecc_show_confusion(const struct ecc_classification *result, const char *path,
                                   struct ecc_error *error);

#endif
