/* paper.c: what the paper printed: the numbers of its tables, to be set beside ours. */
#include "reproduce/paper.h"

/* clang-format off */
const struct ecc_paper_row1 ecc_paper_table1[] = {
    {"EAE", "eccentric", 1e-2, true,  0.092, {81, 1}, {69, 1}, {53.7, 1.2}},
    {"EAE", "eccentric", 1e-3, true,  0.29,  {69, 2}, {54, 1}, {50.2, 0.5}},
    {"EAE", "eccentric", 3e-4, false, 0.49,  {59, 1}, {47, 1}, {48.7, 1.0}},
    {"EAE", "eccentric", 1e-4, true,  0.54,  {53, 2}, {43, 1}, {49.5, 0.9}},
    {"EAE", "eccentric", 1e-5, false, 0.71,  {55, 5}, {39, 1}, {50.3, 0.8}},
    {"EAE", "eccentric", 1e-6, false, 0.75,  {50, 2}, {40, 1}, {55.0, 1.7}},
    {"VAE", "kl",        1e-3, true,  0.25,  {76, 2}, {63, 1}, {50.0, 0.7}},
    {"VAE", "kl",        3e-4, false, 0.41,  {71, 2}, {58, 1}, {53.7, 1.9}},
    {"VAE", "kl",        1e-4, true,  0.56,  {59, 1}, {46, 1}, {57.7, 1.0}},
    {"VAE", "kl",        1e-5, false, 0.71,  {51, 2}, {40, 1}, {57.8, 0.2}},
    {"WAE", "mmd",       1e-1, true,  0.19,  {79, 1}, {65, 1}, {53.5, 0.8}},
    {"WAE", "mmd",       1e-2, true,  0.29,  {62, 2}, {49, 1}, {49.2, 1.4}},
    {"WAE", "mmd",       3e-3, false, 0.45,  {53, 4}, {40, 1}, {49.4, 0.6}},
    {"WAE", "mmd",       1e-3, true,  0.59,  {51, 3}, {40, 2}, {50.0, 1.0}},
    {"WAE", "mmd",       3e-4, false, 0.69,  {52, 2}, {40, 1}, {51.2, 0.6}},
    {"WAE", "mmd",       1e-4, false, 0.76,  {53, 5}, {41, 1}, {54.2, 0.4}},
    {"AE",  "none",      0,    true,  0.71,  {48, 1}, {38, 1}, {55.8, 0.1}},
};
const size_t ecc_paper_table1_rows = sizeof ecc_paper_table1 / sizeof ecc_paper_table1[0];

const size_t ecc_paper_dims[ECC_PAPER_DIMS] = {2, 4, 6, 8};
const size_t ecc_paper_labels[ECC_PAPER_LABELS] = {10, 100, 1000, 10000, 60000};
const struct ecc_paper_number ecc_paper_table2[ECC_PAPER_DIMS][ECC_PAPER_LABELS] = {
    {{39.0, 7.2}, {19.1, 2.6}, {12.4, 1.3}, {10.9, 0.9}, {10.6, 0.8}},
    {{36.0, 6.6}, {12.1, 1.9}, { 5.4, 0.6}, { 4.0, 0.3}, { 3.7, 0.3}},
    {{33.7, 7.3}, {10.0, 1.3}, { 4.1, 0.3}, { 3.0, 0.1}, { 2.6, 0.1}},
    {{34.0, 5.1}, { 9.5, 1.1}, { 3.7, 0.2}, { 2.4, 0.1}, { 2.0, 0.1}},
};

const struct ecc_paper_row3 ecc_paper_table3[ECC_PAPER_ROWS3] = {
    {1e-4,  1.0, {16.68, 0.12}, {14.42, 0.11}, {13.15, 0.03}},
    {1e-4, 64.5, {17.65, 0.33}, {14.56, 0.16}, {13.14, 0.04}},
    {1e-3,  1.0, {17.61, 0.37}, {15.20, 0.19}, {13.30, 0.01}},
    {1e-3, 64.5, {17.90, 0.32}, {15.52, 0.17}, {13.43, 0.02}},
};
const double ecc_paper_majority = 20.0;

const struct ecc_paper_row4 ecc_paper_table4[ECC_PAPER_ROWS4] = {
    {"Attractive",          2, 50, 65},
    {"Heavy_Makeup",        2, 60, 76},
    {"High_Cheekbones",     2, 52, 68},
    {"Male",                2, 61, 80},
    {"Mouth_Slightly_Open", 6, 50, 66},
    {"Smiling",             6, 50, 67},
    {"Wearing_Lipstick",    2, 52, 79},
};
/* clang-format on */

const double ecc_paper_mus[ECC_PAPER_MUS] = {1, 1.5, 4.5, 16.5, 64.5};
const double ecc_paper_lambdas5[ECC_PAPER_LAMBDAS5] = {1e-3, 1e-4};
const struct ecc_paper_number ecc_paper_largest_eigenvalue = {3.24, 0.05},
                              ecc_paper_smallest_eigenvalue = {0.47, 0.02};

const double ecc_paper_lambdas3[ECC_PAPER_LAMBDAS3] = {0.1, 0.01, 0.001};
const double ecc_paper_mus3[ECC_PAPER_MUS3] = {1, 2.5};
