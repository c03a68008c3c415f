/* method_rows.h: the rows of Table 1, which Figure 10 draws: four methods, several lambda. */
#ifndef ECC_REPRODUCE_METHOD_ROWS_H
#define ECC_REPRODUCE_METHOD_ROWS_H

#include "reproduce/items.h"

/* What a row came to. */
struct ecc_method_row {
    const struct ecc_paper_row1 *paper;
    struct ecc_group group;
    struct ecc_measured eccentricity, raw, aligned, score;
    const char *features; /* what its score was judged by, or NULL */
};

/* Asks for the row's trainings, alignment and scores, if the effort affords it, and takes whatever
 * of them is done. */
void ecc_method_ask(struct ecc_method_row *row, struct ecc_section *s, size_t index);
/* Scores by different features cannot stand side by side: takes the row's score away, and says so
 * in the section, when its features are not *first, those of the first row that has any. */
void ecc_method_compare(struct ecc_method_row *row, const char **first, struct ecc_section *s);
/* Whether these are Inception with the weights that published scores are made with. */
bool ecc_features_published(const char *features);

#endif
