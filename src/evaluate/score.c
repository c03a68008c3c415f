/* score.c: distances between sets of images: the Frechet distance (FID) and the kernel distance
 * (KID), for one operand after another. */
#include "evaluate/score.h"

#include "base/text.h"
#include "model/seen.h"
#include "score/pixel_axes.h"
#include "train/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ecc_score_options ecc_score_defaults(void)
{
    return (struct ecc_score_options){.from = ECC_SAMPLE_GAUSSIAN, .kid = true, .seed = 1};
}

void ecc_score_table_release(struct ecc_score_table *table)
{
    for (size_t i = 0; i < table->count; i++) free(table->scores[i].name);
    free(table->scores);
    free(table->reference);
    *table = (struct ecc_score_table){0};
}

/* ---- One pair ------------------------------------------------------------------------------- */

/* Warns if there are too few items for their covariance, or for axes that mean something. */
static void warn(const struct ecc_scoring *g, struct ecc_score *score,
                 const struct ecc_score_side *a, const struct ecc_score_side *b)
{
    const struct ecc_statistics *const s = &a->statistics, *const t = &b->statistics;
    const bool few_a = s->count && s->count <= s->size, few_b = t->count && t->count <= t->size;
    const bool few_axes =
        g->features && g->features->axes && t->count && t->count < ECC_AXES_ITEMS_FEW;
    if (few_a || few_b) {
        snprintf(score->warning, sizeof score->warning,
                 "%.60s has only %zu items for %zu features: its FID is overestimated",
                 ecc_short_name(few_a ? a->name : b->name), few_a ? s->count : t->count, s->size);
    } else if (few_axes) {
        snprintf(score->warning, sizeof score->warning,
                 "%.60s has only %zu items, so %zu principal component%s: this FID says little",
                 ecc_short_name(b->name), t->count, s->size, s->size == 1 ? "" : "s");
    }
    if (score->warning[0]) ecc_watch_remark(g->watch, "%s", score->warning);
}

static void describe_run(struct ecc_score *score, const struct ecc_score_side *side)
{
    const struct ecc_model *const m = side->model;
    score->eccentricity = score->trace = score->lambda = NAN;
    if (!m) return;
    snprintf(score->regularizer, sizeof score->regularizer, "%s", m->options.regularizer);
    score->lambda = m->regularizer.entry->no_lambda ? 0 : ecc_model_lambda(m);
    score->latent = m->d;
    if (side->components.d == 0) return;
    score->eccentricity = side->components.eccentricity;
    score->trace = side->components.trace;
}

/* Checks that all files have the same features; the table takes what any file says about them. */
static enum ecc_status check_identities(struct ecc_scoring *g, const struct ecc_score_side *a,
                                        const struct ecc_score_side *b, struct ecc_error *error)
{
    const struct ecc_statistics *const s = &a->statistics, *const t = &b->statistics;
    if (!g->identity[0]) memcpy(g->identity, s->identity, sizeof g->identity);
    ECC_TRY(ecc_score_check_identity(g, a, g->identity, t->size, error));
    return ecc_score_check_identity(g, b, g->identity, s->size, error);
}

/* Whether the run was trained on the images that it is compared with. */
static enum ecc_status look_for_seen(const struct ecc_scoring *g, struct ecc_score *score,
                                     const struct ecc_score_side *a, const struct ecc_score_side *b,
                                     struct ecc_error *error)
{
    if (!a->model || !b->data) return ECC_OK;
    ECC_TRY(ecc_model_mark_seen(a->model, NULL, &score->seen, b->data, true, error));
    ecc_seen_remark(&score->seen, b->data, g->watch);
    return ECC_OK;
}

static enum ecc_status compare(struct ecc_scoring *g, struct ecc_score *score,
                               const struct ecc_score_side *a, const struct ecc_score_side *b,
                               struct ecc_error *error)
{
    score->kind = a->kind;
    score->items = a->statistics.count;
    score->name = strdup(a->name);
    if (!score->name) return ecc_fail_memory(error, "a name");
    describe_run(score, a);
    ECC_TRY(look_for_seen(g, score, a, b, error));
    if (!g->features) ECC_TRY(check_identities(g, a, b, error));
    warn(g, score, a, b);
    ECC_TRY(ecc_frechet_distance(&score->frechet, &a->statistics, &b->statistics, error));
    score->has_kid = g->options->kid && ecc_reservoir_kept(&a->collector.sample) >= ECC_KID_LEAST &&
                     ecc_reservoir_kept(&b->collector.sample) >= ECC_KID_LEAST;
    if (!score->has_kid) return ECC_OK;
    return ecc_collector_kid(&score->kid, &a->collector, &b->collector, g->options->seed, error);
}

/* ---- All pairs ---------------------------------------------------------------------------- */

/* As many as the caller asks for, or as the other side has. */
static size_t sample_count(const struct ecc_scoring *g, const struct ecc_score_side *other)
{
    const size_t there = other->data ? other->data->count : other->statistics.count;
    if (g->options->count) return g->options->count;
    return there > 0 && there < ECC_SCORE_SAMPLES ? there : ECC_SCORE_SAMPLES;
}

/* With the axes, where the features have some, which own them. */
static enum ecc_status save(const struct ecc_scoring *g, const struct ecc_statistics *statistics,
                            struct ecc_error *error)
{
    struct ecc_statistics lent = *statistics;
    if (g->features && g->features->axes) lent.pca = *g->features->axes;
    return ecc_statistics_write(&lent, g->options->save, error);
}

static enum ecc_status collect_reference(struct ecc_scoring *g, struct ecc_score_table *table,
                                         struct ecc_error *error)
{
    struct ecc_score_side *const b = &g->sides[g->count - 1];
    const struct ecc_score_options *const o = g->options;
    ECC_TRY(ecc_score_side_open(g, b, error));
    ECC_TRY(ecc_score_side_open(g, &g->sides[0], error)); /* to know its number of items */
    /* different samples than A's, so that a run against itself shows the effect of chance */
    ECC_TRY(ecc_score_side_collect(g, b, sample_count(g, &g->sides[0]), o->seed + 1, error));
    memcpy(g->identity, b->statistics.identity, sizeof g->identity);
    if (o->save && ecc_share_is_first(g->share)) ECC_TRY(save(g, &b->statistics, error));
    table->reference = strdup(b->name);
    table->reference_kind = b->kind;
    table->reference_items = b->statistics.count;
    table->feature_count = b->statistics.size;
    table->accuracy = g->features ? g->features->accuracy : 0;
    table->from = o->from;
    return table->reference ? ECC_OK : ecc_fail_memory(error, "a name");
}

/* One operand after another; closes each before the next. */
static enum ecc_status score_all(struct ecc_scoring *g, struct ecc_score_table *table,
                                 struct ecc_error *error)
{
    const struct ecc_score_side *const b = &g->sides[g->count - 1];
    ECC_TRY(ecc_score_prepare(g, error));
    ECC_TRY(collect_reference(g, table, error));
    for (size_t i = 0; i + 1 < g->count; i++) {
        struct ecc_score_side *const a = &g->sides[i];
        ECC_TRY(ecc_score_side_open(g, a, error));
        ECC_TRY(ecc_score_side_collect(g, a, sample_count(g, b), g->options->seed, error));
        table->count++;
        ECC_TRY(compare(g, &table->scores[i], a, b, error));
        if (!a->model || a->model != g->guide) ecc_score_side_close(a);
    }
    memcpy(table->identity, g->features ? g->features->identity : g->identity,
           sizeof table->identity);
    return ECC_OK;
}

enum ecc_status ecc_score_images(struct ecc_score_table *table,
                                 const struct ecc_score_operand *operands, size_t count,
                                 const struct ecc_score_options *options,
                                 const struct ecc_watch *watch, struct ecc_error *error)
{
    const struct ecc_score_options defaults = ecc_score_defaults();
    struct ecc_scoring g = {.options = options ? options : &defaults, .watch = watch};
    g.share = ecc_team_share(g.options->team);
    *table = (struct ecc_score_table){0};
    if (count < 1)
        return ecc_fail(error, ECC_BAD_ARGUMENT, "there are no operands, expected at least one");
    if ((unsigned)g.options->features > ECC_FEATURES_PCA) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "features is %d, expected 0 to %d",
                        (int)g.options->features, ECC_FEATURES_PCA);
    }
    g.sides = calloc(count, sizeof *g.sides);
    table->scores = calloc(count, sizeof *table->scores);
    enum ecc_status status =
        g.sides && table->scores ? ECC_OK : ecc_fail_memory(error, "the operands");
    for (; status == ECC_OK && g.count < count; g.count++) {
        status = ecc_score_side_init(&g.sides[g.count], &operands[g.count], error);
    }
    if (status == ECC_OK) status = score_all(&g, table, error);
    for (size_t i = 0; i < g.count; i++) ecc_score_side_close(&g.sides[i]);
    ecc_features_close(g.features);
    free(g.sides);
    if (status != ECC_OK) ecc_score_table_release(table);
    return status;
}
