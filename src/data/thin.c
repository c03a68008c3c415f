/* thin.c: fewer items of a data set, of each class its share. */
#include "data/thin.h"

#include <stdlib.h>
#include <string.h>

/* Group 0 has no label, group c + 1 is class c. */
struct groups {
    size_t count;
    size_t *have, *take, *seen;
};

static size_t group_of(const struct ecc_dataset *data, size_t item)
{
    const int32_t label = data->labels ? data->labels[item] : -1;
    return label < 0 || (size_t)label >= data->class_count ? 0 : (size_t)label + 1;
}

static size_t richest(const struct groups *g)
{
    size_t best = 0;
    for (size_t c = 1; c < g->count; c++) {
        if (g->take[c] > g->take[best]) best = c;
    }
    return best;
}

/* `take` adds up to `count` <= data->count: whole shares, then one for each group without any, then
 * the rest to the groups that are farthest below their share. */
static void share_out(struct groups *g, size_t count, size_t all)
{
    size_t left = count;
    for (size_t c = 0; c < g->count; c++) {
        g->take[c] = (size_t)((double)count * (double)g->have[c] / (double)all);
        left -= g->take[c];
    }
    for (size_t c = 0; c < g->count; c++) {
        if (g->take[c] > 0 || g->have[c] == 0) continue;
        const size_t rich = richest(g);
        if (left == 0 && g->take[rich] < 2) break;
        g->take[c] = 1;
        if (left > 0) {
            left--;
        } else {
            g->take[rich]--;
        }
    }
    while (left > 0) {
        size_t best = g->count;
        double most = 0;
        for (size_t c = 0; c < g->count; c++) {
            const double lack =
                (double)count * (double)g->have[c] / (double)all - (double)g->take[c];
            if (g->take[c] >= g->have[c] || (best < g->count && lack <= most)) continue;
            best = c;
            most = lack;
        }
        g->take[best]++;
        left--;
    }
}

/* kept: the items, evenly from each group. */
static void choose(struct groups *g, const struct ecc_dataset *data, uint32_t *kept)
{
    size_t used = 0;
    for (size_t i = 0; i < data->count; i++) {
        const size_t c = group_of(data, i), j = g->seen[c]++;
        if ((j + 1) * g->take[c] / g->have[c] > j * g->take[c] / g->have[c]) {
            kept[used++] = (uint32_t)i;
        }
    }
}

/* Items ascend, so nothing is overwritten that is still needed. */
static void keep(void *column, const uint32_t *kept, size_t count, size_t bytes)
{
    unsigned char *const base = column;
    for (size_t i = 0; base && i < count; i++) {
        if (kept[i] != i) memcpy(base + i * bytes, base + kept[i] * bytes, bytes);
    }
}

static enum ecc_status choose_by_class(const struct ecc_dataset *data, uint32_t *kept, size_t count,
                                       struct ecc_error *error)
{
    const size_t groups = data->class_count + 1;
    size_t *const room = calloc(3 * groups, sizeof *room);
    if (!room) return ecc_fail_memory(error, "the classes");
    struct groups g = {groups, room, room + groups, room + 2 * groups};
    for (size_t i = 0; i < data->count; i++) g.have[group_of(data, i)]++;
    share_out(&g, count, data->count);
    choose(&g, data, kept);
    free(room);
    return ECC_OK;
}

enum ecc_status ecc_dataset_thin(struct ecc_dataset *data, uint32_t *kept, size_t count,
                                 struct ecc_error *error)
{
    const size_t n = count < data->count ? count : data->count;
    for (size_t i = 0; i < n; i++) kept[i] = (uint32_t)i;
    if (n == data->count) return ECC_OK;
    if (data->labels) ECC_TRY(choose_by_class(data, kept, n, error));
    keep(data->rows, kept, n, sizeof *data->rows);
    keep(data->labels, kept, n, sizeof *data->labels);
    keep(data->attributes, kept, n, data->attribute_count);
    keep(data->numbers, kept, n, data->number_count * sizeof *data->numbers);
    for (size_t k = 0; k < data->word_count; k++) keep(data->words[k].of, kept, n, 1);
    keep(data->factors, kept, n, data->factor_count * sizeof *data->factors);
    data->count = data->limit = n;
    return ECC_OK;
}
