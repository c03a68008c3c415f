/*
 * model_map.c: computes something of each item of a data set, batch by batch, by one process or by
 * several that share the batches.
 *
 * Batches are the same however many processes there are: in a batch of another size, or at another
 * place in it, an item's latents may differ in their last bits.
 */
#include "base/share.h"
#include "base/watch.h"
#include "data/loader.h"
#include "model/model.h"

#include <stdlib.h>

struct mapping {
    const struct ecc_item_map *map;
    const struct ecc_watch *watch;
    struct ecc_loader *loader; /* of the items of this process */
    size_t batch, count;
};

static size_t items_of(const struct mapping *g, size_t piece)
{
    const size_t left = g->count - piece * g->batch;
    return left < g->batch ? left : g->batch;
}

static enum ecc_status compute(void *context, void *result, size_t piece, struct ecc_error *error)
{
    const struct mapping *const g = context;
    const float *x;
    const uint32_t *unused;
    ECC_TRY(ecc_loader_next(g->loader, &x, &unused, error));
    return g->map->compute(g->map->context, result, x, items_of(g, piece), error);
}

static enum ecc_status take(void *context, const void *result, size_t piece,
                            struct ecc_error *error)
{
    const struct mapping *const g = context;
    const size_t first = piece * g->batch, n = items_of(g, piece);
    ECC_TRY(g->map->take(g->map->context, result, first, n, error));
    const struct ecc_work work = {g->map->name, "items", first + n, g->count, NULL};
    return ecc_watch_work(g->watch, &work, error);
}

/* ---- Several processes ---------------------------------------------------------------------- */

/* The items of this process' batches, in order; *own: [*n], which the caller frees. */
static enum ecc_status own_items(const struct ecc_share *share, const struct ecc_pieces *pieces,
                                 const struct mapping *g, const uint32_t *items, uint32_t **own,
                                 size_t *n, struct ecc_error *error)
{
    *n = 0;
    *own = malloc((g->count + 1) * sizeof **own);
    if (!*own) return ecc_fail_memory(error, "the items of a process");
    for (size_t i = 0; i < g->count; i++) {
        if (!ecc_share_owns(share, pieces, i / g->batch)) continue;
        (*own)[(*n)++] = items ? items[i] : (uint32_t)i;
    }
    return ECC_OK;
}

static enum ecc_status compare(const struct ecc_model *m, const struct ecc_dataset *data,
                               size_t count, struct ecc_error *error)
{
    const uint64_t facts[] = {count, data->fingerprint, m->weight_sum, m->batch, m->d, m->size};
    return ecc_share_compare(m->share, facts, sizeof facts, "items, or another model,", error);
}

/* Each process has seen only its own. */
static enum ecc_status tell_damage(const struct ecc_share *share, struct ecc_dataset *data,
                                   const struct ecc_watch *watch, struct ecc_error *error)
{
    char own[ECC_DAMAGE_TEXT];
    if (!share) {
        if (*ecc_dataset_damage(own, data)) ecc_watch_remark(watch, "%s", own);
        return ECC_OK;
    }
    char *const all = calloc(share->size, ECC_DAMAGE_TEXT); /* [size, ECC_DAMAGE_TEXT] */
    enum ecc_status status = all ? ECC_OK : ecc_fail_memory(error, "the remarks");
    status = ecc_share_settle(share, status, error);
    if (all && status == ECC_OK) {
        ecc_dataset_damage(all + share->rank * ECC_DAMAGE_TEXT, data);
        status = share->gather(share->context, ECC_OK, all, ECC_DAMAGE_TEXT, error);
    }
    for (size_t k = 0; all && status == ECC_OK && k < share->size; k++) {
        const char *const damage = all + k * ECC_DAMAGE_TEXT;
        if (*damage) ecc_watch_remark(watch, "%s", damage);
    }
    free(all);
    return status;
}

/* ---- All ------------------------------------------------------------------------------------ */

static enum ecc_status open_loader(struct mapping *g, const struct ecc_share *share,
                                   const struct ecc_pieces *pieces, struct ecc_dataset *data,
                                   const uint32_t *items, struct ecc_error *error)
{
    uint32_t *own = NULL;
    size_t n = g->count;
    if (share) ECC_TRY(own_items(share, pieces, g, items, &own, &n, error));
    enum ecc_status status = ECC_OK;
    if (n > 0) {
        status = ecc_loader_create_once(&g->loader, data, own ? own : items, n, g->batch, error);
    }
    if (status == ECC_OK && n > 0) status = ecc_loader_start(g->loader, 0, error);
    free(own);
    return status;
}

enum ecc_status ecc_model_map(struct ecc_model *m, struct ecc_dataset *data, const uint32_t *items,
                              size_t count, const struct ecc_item_map *map,
                              const struct ecc_watch *watch, struct ecc_error *error)
{
    struct mapping g = {.map = map, .watch = watch, .batch = m->batch, .count = count};
    const struct ecc_pieces pieces = {.count = (count + m->batch - 1) / m->batch,
                                      .bytes = map->bytes,
                                      .context = &g,
                                      .compute = compute,
                                      .take = take};
    ECC_TRY(compare(m, data, count, error));
    if (count == 0) return ECC_OK;
    enum ecc_status status = open_loader(&g, m->share, &pieces, data, items, error);
    status = ecc_share_settle(m->share, status, error);
    if (status == ECC_OK) status = ecc_share_pieces(m->share, &pieces, error);
    ecc_loader_free(g.loader);
    if (status != ECC_OK && m->share) return status;
    const enum ecc_status told = tell_damage(m->share, data, watch, error);
    return status != ECC_OK ? status : told;
}
