/*
 * paper.h: what the paper printed: the numbers of its tables, to be set beside ours.
 *
 * Li & Blair, "Eccentric Regularization: Minimizing Hyperspherical Energy without explicit
 * projection", IJCNN 2022; tables and figures numbered as in its text.  NaN where it has no number.
 */
#ifndef ECC_REPRODUCE_PAPER_H
#define ECC_REPRODUCE_PAPER_H

#include <stdbool.h>
#include <stddef.h>

/* "49.5 +- 0.9" of so many runs; the deviation is NaN where none is printed. */
struct ecc_paper_number {
    double mean, deviation;
};

/* Table 1: CelebA, d = 64, four runs each, six pairs of them. */
struct ecc_paper_row1 {
    const char *method, *regularizer; /* "EAE", "eccentric" */
    double lambda;
    bool kept; /* among the few rows of a small effort */
    double eccentricity;
    struct ecc_paper_number raw, aligned, score; /* degrees, degrees, FI */
};
extern const struct ecc_paper_row1 ecc_paper_table1[];
extern const size_t ecc_paper_table1_rows;
enum { ECC_PAPER_RUNS1 = 4 };

/* Table 2: MNIST, KNN error in percent; 3 runs x 20 subsets. */
enum { ECC_PAPER_DIMS = 4, ECC_PAPER_LABELS = 5, ECC_PAPER_RUNS2 = 3, ECC_PAPER_SUBSETS = 20 };
extern const size_t ecc_paper_dims[ECC_PAPER_DIMS];     /* 2, 4, 6, 8 */
extern const size_t ecc_paper_labels[ECC_PAPER_LABELS]; /* 10, ..., 60000 */
extern const struct ecc_paper_number ecc_paper_table2[ECC_PAPER_DIMS][ECC_PAPER_LABELS];

/* Table 3: CelebA, mean error over 40 attributes in percent. */
struct ecc_paper_row3 {
    double lambda, mu;
    struct ecc_paper_number stump, tree, knn; /* depth 1, depth 8, 20 neighbours */
};
enum { ECC_PAPER_ROWS3 = 4 };
extern const struct ecc_paper_row3 ecc_paper_table3[ECC_PAPER_ROWS3];
extern const double ecc_paper_majority; /* percent */

/* Table 4: attributes that one component tells; accuracy in percent. */
struct ecc_paper_row4 {
    const char *attribute; /* as in list_attr_celeba.txt */
    size_t component;
    double majority, stump;
};
enum { ECC_PAPER_ROWS4 = 7 };
extern const struct ecc_paper_row4 ecc_paper_table4[ECC_PAPER_ROWS4];

/* Figure 5's settings: lambda and mu at d = 64, and its largest and smallest eigenvalue, whose
 * deviations are assumed. */
enum { ECC_PAPER_MUS = 5, ECC_PAPER_LAMBDAS5 = 2 };
extern const double ecc_paper_mus[ECC_PAPER_MUS];
extern const double ecc_paper_lambdas5[ECC_PAPER_LAMBDAS5];
extern const struct ecc_paper_number ecc_paper_largest_eigenvalue, ecc_paper_smallest_eigenvalue;

/* Figure 3's panels: d = 2. */
enum { ECC_PAPER_LAMBDAS3 = 3, ECC_PAPER_MUS3 = 2 };
extern const double ecc_paper_lambdas3[ECC_PAPER_LAMBDAS3];
extern const double ecc_paper_mus3[ECC_PAPER_MUS3];

/* What it trained with. */
enum {
    ECC_PAPER_MNIST_ITEMS = 60000,
    ECC_PAPER_MNIST_EPOCHS = 1000,
    ECC_PAPER_CELEBA_ITEMS = 162770,
    ECC_PAPER_CELEBA_EPOCHS = 100,
};

#endif
