/* neighbours_build.c: the tree of boxes in which neighbours are searched. */
#include "math/neighbours_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE = 64,      /* items that tell which coordinate varies most */
    TASK_ITEMS = 2048 /* a part of the tree that is worth another thread */
};

/* ---- Halving --------------------------------------------------------------------------------- */

/* Numbers in the order of the floats, whose signs are in the highest bit. */
static uint64_t ordered(float value)
{
    uint32_t bits;
    value += 0.0F; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000U ? ~bits : bits | 0x80000000U;
}

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* A guess of the median, from nine places. */
static uint64_t choose_pivot(const uint64_t *key, size_t count)
{
    uint64_t third[3];
    for (size_t t = 0; t < 3; t++) {
        const size_t at = count / 9 * (3 * t), step = count / 9;
        third[t] = middle(key[at], key[at + step], key[at + 2 * step]);
    }
    return middle(third[0], third[1], third[2]);
}

/* Puts the keys below the pivot first, and returns their number. */
static size_t part(uint64_t *key, size_t count, uint64_t pivot)
{
    size_t below = 0;
    for (size_t i = 0; i < count; i++) { /* without a branch, which would be wrong half the time */
        const uint64_t value = key[i];
        key[i] = key[below];
        key[below] = value;
        below += value < pivot;
    }
    return below;
}

static void sort_few(uint64_t *key, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint64_t value = key[i];
        size_t j = i;
        for (; j > 0 && key[j - 1] > value; j--) key[j] = key[j - 1];
        key[j] = value;
    }
}

/* Puts the `wanted` lowest of keys that all differ first. */
static void select_lowest(uint64_t *key, size_t count, size_t wanted)
{
    while (count > 24) {
        const uint64_t pivot = choose_pivot(key, count);
        size_t below = part(key, count, pivot);
        if (below == 0) below = part(key, count, pivot + 1); /* it was the lowest */
        if (wanted == below) return;
        if (wanted < below) {
            count = below;
        } else {
            key += below, count -= below, wanted -= below;
        }
    }
    sort_few(key, count);
}

/* The coordinate with the greatest variance, by a sample. */
static size_t widest(const struct ecc_search_tree *tree, size_t start, size_t count)
{
    const size_t d = tree->d, taken = count < SAMPLE ? count : SAMPLE;
    double most = -1;
    size_t at = 0;
    for (size_t k = 0; k < d; k++) {
        double sum = 0, squares = 0;
        const double origin = (double)tree->items[tree->number[start] * d + k];
        for (size_t i = 0; i < taken; i++) {
            const size_t number = tree->number[start + i * count / taken];
            const double value = (double)tree->items[number * d + k] - origin;
            sum += value;
            squares += value * value;
        }
        const double variance = squares - sum * sum / (double)taken;
        if (variance > most) most = variance, at = k;
    }
    return at;
}

/* Sorts the items of 2^bits leaves, from the given one, into these leaves.  Equal coordinates are
 * ordered by number, so that of many equal items the first are in one leaf. */
static void split(struct ecc_search_tree *tree, size_t leaf, unsigned bits)
{
    if (bits == 0) return;
    const size_t start = ecc_search_tree_start(tree, leaf), half = (size_t)1 << (bits - 1);
    const size_t end = ecc_search_tree_start(tree, leaf + 2 * half), count = end - start;
    const size_t d = tree->d, along = widest(tree, start, count);
    uint64_t *const key = tree->key;
    for (size_t i = start; i < end; i++) {
        const uint32_t number = tree->number[i];
        key[i] = ordered(tree->items[number * d + along]) << 32 | number;
    }
    select_lowest(key + start, count, ecc_search_tree_start(tree, leaf + half) - start);
    for (size_t i = start; i < end; i++) tree->number[i] = (uint32_t)key[i];
#pragma omp task if (count > TASK_ITEMS)
    split(tree, leaf, bits - 1);
    split(tree, leaf + half, bits - 1);
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

static float *box_at(const struct ecc_search_tree *tree, size_t level, size_t j)
{
    return tree->box[level] + j / ECC_TREE_WAYS * ECC_TREE_WAYS * 2 * tree->d + j % ECC_TREE_WAYS;
}

/* Copies the items of leaf j, and finds their box and the lowest of their numbers. */
static void fill_leaf(struct ecc_search_tree *tree, size_t j)
{
    const size_t d = tree->d, last = tree->levels - 1, start = ecc_search_tree_start(tree, j);
    const size_t count = ecc_search_tree_start(tree, j + 1) - start;
    const uint32_t *const number = tree->number + start;
    float *const box = box_at(tree, last, j);
    for (size_t k = 0; k < d; k++) {
        float *const to = tree->points + (j * d + k) * ECC_TREE_LEAF;
        float low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            to[i] = tree->items[number[i] * d + k] * tree->scale;
            low = fminf(low, to[i]), high = fmaxf(high, to[i]);
        }
        for (size_t i = count; i < ECC_TREE_LEAF; i++) to[i] = NAN;
        box[k * ECC_TREE_WAYS] = low;
        box[(d + k) * ECC_TREE_WAYS] = high;
    }
    uint32_t first = number[0];
    for (size_t i = 1; i < count; i++) first = number[i] < first ? number[i] : first;
    tree->first[last][j] = first;
}

/* The box around eight boxes. */
static void fill_box(struct ecc_search_tree *tree, size_t level, size_t j)
{
    const size_t d = tree->d;
    const float *const inner = box_at(tree, level + 1, j * ECC_TREE_WAYS);
    float *const box = box_at(tree, level, j);
    for (size_t k = 0; k < d; k++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < ECC_TREE_WAYS; i++) {
            low = fminf(low, inner[k * ECC_TREE_WAYS + i]);
            high = fmaxf(high, inner[(d + k) * ECC_TREE_WAYS + i]);
        }
        box[k * ECC_TREE_WAYS] = low;
        box[(d + k) * ECC_TREE_WAYS] = high;
    }
    const uint32_t *const inside = tree->first[level + 1] + j * ECC_TREE_WAYS;
    uint32_t first = inside[0];
    for (size_t i = 1; i < ECC_TREE_WAYS; i++) first = inside[i] < first ? inside[i] : first;
    tree->first[level][j] = first;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* How many boxes each level has: eight times as many as the one above; two to eight on top. */
static void plan_levels(struct ecc_search_tree *tree)
{
    unsigned bits = 1;
    while ((tree->n + ((size_t)1 << bits) - 1) >> bits > ECC_TREE_LEAF) bits++;
    tree->levels = (bits + 2) / 3;
    for (size_t level = tree->levels; level > 0; level--, bits -= 3) tree->bits[level - 1] = bits;
}

static enum ecc_status reserve(struct ecc_search_tree *tree, struct ecc_error *error)
{
    const size_t n = tree->n, d = tree->d, leaves = (size_t)1 << tree->bits[tree->levels - 1];
    tree->points = malloc(leaves * d * ECC_TREE_LEAF * sizeof *tree->points);
    tree->number = calloc(n, sizeof *tree->number);
    tree->key = malloc(n * sizeof *tree->key);
    bool enough = tree->points && tree->number && tree->key;
    for (size_t level = 0; level < tree->levels; level++) {
        const size_t width = ecc_search_tree_width(tree, level);
        tree->box[level] = calloc(width * 2 * d, sizeof *tree->box[level]);
        tree->first[level] = malloc(width * sizeof *tree->first[level]);
        enough = enough && tree->box[level] && tree->first[level];
    }
    return enough ? ECC_OK : ecc_fail_memory(error, "the search for neighbours");
}

enum ecc_status ecc_search_tree_create(struct ecc_search_tree *tree, const float *items, size_t n,
                                       size_t d, float scale, struct ecc_error *error)
{
    *tree = (struct ecc_search_tree){.items = items, .n = n, .d = d, .scale = scale};
    plan_levels(tree);
    ECC_TRY(reserve(tree, error));
    const size_t last = tree->levels - 1, leaves = (size_t)1 << tree->bits[last];
    for (size_t i = 0; i < n; i++) tree->number[i] = (uint32_t)i;
#pragma omp parallel if (n > 2 * TASK_ITEMS)
#pragma omp single
    split(tree, 0, tree->bits[last]);
#pragma omp parallel for if (n > 2 * TASK_ITEMS)
    for (size_t j = 0; j < leaves; j++) fill_leaf(tree, j);
    for (size_t level = last; level-- > 0;) {
        for (size_t j = 0; j < (size_t)1 << tree->bits[level]; j++) fill_box(tree, level, j);
    }
    free(tree->key);
    tree->key = NULL;
    return ECC_OK;
}

void ecc_search_tree_release(struct ecc_search_tree *tree)
{
    for (size_t level = 0; level < tree->levels; level++) {
        free(tree->box[level]);
        free(tree->first[level]);
    }
    free(tree->points);
    free(tree->number);
    free(tree->key);
}
