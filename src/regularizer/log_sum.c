/* log_sum.c: from scaled squared distances to the sum of log(1 + x) and the weights 1/(1 + x). */
#include "regularizer/log_sum.h"
#include "base/compiler.h"

#include <float.h>
#include <math.h>

/* ---- Logarithms ----------------------------------------------------------------------------- */

bool ecc_logsum_is_excess(double largest)
{
    return largest < 0.01;
}

static void reset_lanes(struct ecc_pair_sum *sum)
{
    for (int lane = 0; lane < 8; lane++) sum->lanes[lane] = sum->excess ? 0.0 : 1.0;
    sum->left = sum->room;
}

void ecc_logsum_start(struct ecc_pair_sum *sum, double largest, double factor)
{
    const double bits = log2(1.0 + largest); /* that one factor can add to a product */
    *sum = (struct ecc_pair_sum){.excess = ecc_logsum_is_excess(largest), .factor = factor};
    sum->room = bits > 1e-3 ? (size_t)(1000.0 / bits) : 1000000;
    reset_lanes(sum);
}

double ecc_logsum_flush(struct ecc_pair_sum *sum)
{
    for (int lane = 0; lane < 8; lane++) {
        sum->total += sum->excess ? sum->lanes[lane] : log(sum->lanes[lane]);
    }
    reset_lanes(sum);
    return sum->total;
}

ECC_MULTIVERSION
static void multiply(double lanes[8], const float *restrict x, double factor, size_t begin,
                     size_t end)
{
    ecc_d4 low = *(const ecc_d4 *)lanes, high = *(const ecc_d4 *)(lanes + 4);
    for (size_t j = begin; j < end; j += 8) {
        ecc_logsum_multiply(&low, &high, ecc_load8(x + j), factor);
    }
    *(ecc_d4 *)lanes = low;
    *(ecc_d4 *)(lanes + 4) = high;
}

/* x - log(1 + x) = x^2/2 - x^3/3 + ..., to full precision below 0.01 */
ECC_MULTIVERSION
static void add_excess(double lanes[8], const float *restrict x, double factor, size_t begin,
                       size_t end)
{
    for (size_t j = begin; j < end; j += 8) {
        for (size_t lane = 0; lane < 8; lane++) {
            const double v = x[j + lane] <= FLT_MAX ? (double)x[j + lane] * factor : 0.0;
            const double tail = 1.0 / 5 - v * (1.0 / 6 - v * (1.0 / 7 - v * (1.0 / 8)));
            lanes[lane] += v * v * (0.5 - v * (1.0 / 3 - v * (0.25 - v * tail)));
        }
    }
}

void ecc_logsum_add(struct ecc_pair_sum *sum, const float *x, size_t begin, size_t end)
{
    if (sum->excess) {
        add_excess(sum->lanes, x, sum->factor, begin, end);
        return;
    }
    while (begin < end) {
        if (sum->left == 0) ecc_logsum_flush(sum);
        const size_t vectors = (end - begin) / 8, run = vectors < sum->left ? vectors : sum->left;
        multiply(sum->lanes, x, sum->factor, begin, begin + 8 * run);
        sum->left -= run;
        begin += 8 * run;
    }
}

/* ---- Weights -------------------------------------------------------------------------------- */

ECC_MULTIVERSION
void ecc_row_weights(float *x, size_t begin, size_t end)
{
    for (size_t j = begin; j < end; j += 8) ecc_store8(x + j, 1.0F / (1.0F + ecc_load8(x + j)));
}

ECC_MULTIVERSION
float ecc_row_weights_summed(float *restrict x, float *restrict column, size_t begin, size_t end)
{
    ecc_f8 row = {0};
    for (size_t j = begin; j < end; j += 8) {
        const ecc_f8 w = 1.0F / (1.0F + ecc_load8(x + j));
        ecc_store8(x + j, w);
        ecc_store8(column + j, ecc_load8(column + j) + w);
        row += w;
    }
    return ecc_add_lanes8(row);
}

const struct ecc_pair_law ecc_law_log = {
    .start = ecc_logsum_start,
    .add = ecc_logsum_add,
    .flush = ecc_logsum_flush,
    .weights = ecc_row_weights,
    .weights_summed = ecc_row_weights_summed,
};
