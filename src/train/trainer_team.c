/*
 * trainer_team.c: what the processes of a team tell each other in a training.
 *
 * All hold the same weights and make the same decisions: a process that computed something with a
 * part of its own, such as the time or an error of its items, shares it before anything follows
 * from it.
 */
#include "method/eccentric.h"
#include "train/trainer_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_SENT = 1 << 18, /* floats, to be sent beside other work */
    LEAST_SHARED = 2048,  /* items of a whole batch, to share its pairs */
};

/* What a process knows after its half of a step. */
struct ecc_team_note {
    double error, entropy, cells; /* means over its items, and how many numbers they are of */
    double seconds;
    int64_t evaluated; /* the status of the regularizer */
};

static enum ecc_status collect(void *context, void *all, size_t bytes, struct ecc_error *error)
{
    return ecc_team_collect(context, all, bytes, error);
}

enum ecc_status ecc_trainer_share_norms(struct ecc_trainer *t, bool on, struct ecc_error *error)
{
    if (!t->options.sync_norm) return ECC_OK;
    const struct ecc_norm_share share = {.rank = (size_t)t->team->rank,
                                         .size = (size_t)t->team->size,
                                         .context = t->team,
                                         .collect = collect};
    return ecc_net_share_norms(t->net, on ? &share : NULL, error);
}

/* Between machines, where the network works and not the processors, and for messages that take
 * time; shared batch norm needs the team itself meanwhile.  ECCENTRIC_OVERLAP=0 or 1 decides
 * otherwise, to measure it. */
static bool sending_pays(struct ecc_trainer *t)
{
    const char *const given = getenv("ECCENTRIC_OVERLAP");
    size_t count;
    ecc_net_decoder_gradients(t->net, &count);
    if (t->options.sync_norm || count == 0) return false;
    if (given && *given) return strcmp(given, "0") != 0;
    return t->team->local < t->team->size && count >= LEAST_SENT;
}

static enum ecc_status add(void *context, float *x, size_t count, struct ecc_error *error)
{
    struct ecc_team *const team = context;
    const float size = (float)team->size;
    ECC_TRY(ecc_team_average(team, x, count, error));
    for (size_t i = 0; i < count; i++) x[i] *= size;
    return ECC_OK;
}

static enum ecc_status add_doubles(void *context, double *x, size_t count, struct ecc_error *error)
{
    return ecc_team_add(context, x, count, error);
}

/* The eccentric loss of large batches, whose pairs take longer than a message: each process
 * evaluates a share of them.  ECCENTRIC_SHARE_PAIRS says from how many items on, to measure it. */
static void share_pairs(struct ecc_trainer *t)
{
    const char *const given = getenv("ECCENTRIC_SHARE_PAIRS");
    const size_t whole = ecc_trainer_whole_batch(t);
    const size_t least = given && atol(given) > 0 ? (size_t)atol(given) : LEAST_SHARED;
    if (t->regularizer.entry != &ecc_regularizer_eccentric || whole < least) return;
    const struct ecc_pair_share share = {.rank = (size_t)t->team->rank,
                                         .size = (size_t)t->team->size,
                                         .least = whole,
                                         .context = t->team,
                                         .add = add,
                                         .add_doubles = add_doubles};
    ecc_loss_plan_share(t->regularizer.state, &share);
    t->shares_pairs = true;
}

enum ecc_status ecc_trainer_prepare_team(struct ecc_trainer *t, struct ecc_error *error)
{
    const size_t size = (size_t)t->team->size, n = t->options.batch;
    const size_t rows = n * t->spec->encoder_outputs * sizeof(float);
    size_t gradients, statistics;
    if (size == 1) return ECC_OK;
    ecc_net_gradients(t->net, &gradients);
    ecc_net_statistics(t->net, &statistics);
    t->all_dz = calloc(size * n * t->options.latent, sizeof *t->all_dz);
    t->all_statistics = calloc(size * statistics + 1, sizeof *t->all_statistics);
    t->notes = calloc(size, sizeof *t->notes);
    if (!t->all_dz || !t->all_statistics || !t->notes) return ecc_fail_memory(error, "a team");
    share_pairs(t);
    const size_t whole = ecc_trainer_whole_batch(t);
    const size_t forces = t->shares_pairs ? (whole + 16) * t->options.latent : 0;
    const size_t weights = t->shares_pairs ? whole * sizeof(double) : 0;
    const size_t most = rows > weights ? rows : weights;
    const size_t bytes = most > sizeof *t->notes ? most : sizeof *t->notes;
    ECC_TRY(ecc_team_reserve(t->team, gradients > forces ? gradients : forces, bytes, error));
    t->sends_beside = sending_pays(t) && ecc_team_send_beside(t->team);
    return ecc_trainer_share_norms(t, true, error);
}

/* ---- The start ------------------------------------------------------------------------------ */

/* What must be the same for all. */
struct basis {
    uint64_t items, fingerprint, channels, height, width, weights, batch, ways;
};

enum ecc_status ecc_trainer_compare_team(struct ecc_trainer *t, enum ecc_status mine,
                                         struct ecc_error *error)
{
    struct ecc_team *const team = t->team;
    if (team->size == 1) return mine;
    struct basis *const all = calloc((size_t)team->size, sizeof *all);
    if (!all) return ecc_fail_memory(error, "a team");
    if (mine == ECC_OK) {
        const struct ecc_item_shape s = t->data->shape;
        const unsigned ways = (unsigned)t->options.sync_norm | (unsigned)t->shares_pairs << 1 |
                              (unsigned)t->sends_beside << 2;
        all[team->rank] = (struct basis){.items = t->data->count,
                                         .fingerprint = t->data->fingerprint,
                                         .channels = s.channels,
                                         .height = s.height,
                                         .width = s.width,
                                         .weights = ecc_net_flat_size(t->net),
                                         .batch = t->options.batch,
                                         .ways = ways};
    }
    enum ecc_status status = ecc_team_gather(team, mine, all, sizeof *all, error);
    for (int k = 1; status == ECC_OK && k < team->size; k++) {
        if (memcmp(&all[0], &all[k], sizeof *all) == 0) continue;
        team->agreed = true; /* all see the same */
        status = ecc_fail(error, ECC_BAD_DATA,
                          "process %d of %d found other data than process 0 (%llu and %llu items): "
                          "all need the same files and settings",
                          k, team->size, (unsigned long long)all[k].items,
                          (unsigned long long)all[0].items);
    }
    free(all);
    return status;
}

enum ecc_status ecc_trainer_share_weights(struct ecc_trainer *t, struct ecc_error *error)
{
    if (t->team->size == 1) return ECC_OK;
    ecc_net_export(t->net, t->saved_weights);
    ECC_TRY(ecc_team_broadcast(t->team, t->saved_weights,
                               ecc_net_flat_size(t->net) * sizeof *t->saved_weights, error));
    ecc_net_import(t->net, t->saved_weights);
    return ECC_OK;
}

enum ecc_status ecc_trainer_share_state(struct ecc_trainer *t, struct ecc_error *error)
{
    void *data;
    size_t bytes;
    if (t->team->size == 1) return ECC_OK;
    for (size_t i = 0; ecc_checkpoint_array(t->checkpoint, i, &data, &bytes); i++) {
        ECC_TRY(ecc_team_broadcast(t->team, data, bytes, error));
    }
    return ECC_OK;
}

/* ---- A step --------------------------------------------------------------------------------- */

/* The first failure among the notes, or ECC_OK. */
static enum ecc_status first_failure(const struct ecc_trainer *t)
{
    for (int k = 0; k < t->team->size; k++) {
        if (t->notes[k].evaluated != ECC_OK) return (enum ecc_status)t->notes[k].evaluated;
    }
    return ECC_OK;
}

enum ecc_status ecc_trainer_share_errors(struct ecc_trainer *t, enum ecc_status mine,
                                         enum ecc_status *evaluated, double *mean_squared,
                                         double *entropy, struct ecc_error *error)
{
    const int size = t->team->size;
    t->clock = ecc_trainer_seconds(t);
    if (size == 1) return mine;
    if (mine == ECC_OK) {
        t->notes[t->team->rank] = (struct ecc_team_note){
            *mean_squared, *entropy, (double)ecc_net_cells(t->net), t->clock, *evaluated};
    }
    ECC_TRY(ecc_team_gather(t->team, mine, t->notes, sizeof *t->notes, error));
    double cells = 0, squares = 0, entropies = 0;
    for (int k = 0; k < size; k++) {
        cells += t->notes[k].cells;
        squares += t->notes[k].error * t->notes[k].cells;
        entropies += t->notes[k].entropy * t->notes[k].cells;
    }
    *mean_squared = squares / fmax(1, cells);
    *entropy = entropies / fmax(1, cells);
    t->clock = t->notes[0].seconds;
    const double weight = t->notes[t->team->rank].cells * size / fmax(1, cells);
    if (weight != 1) ecc_net_weigh_error(t->net, weight); /* numbers are missing */
    return ECC_OK;
}

enum ecc_status ecc_trainer_settle_evaluation(struct ecc_trainer *t, enum ecc_status mine,
                                              struct ecc_error *error)
{
    if (t->team->size == 1 || first_failure(t) == ECC_OK) return mine;
    return ecc_team_settle(t->team, mine, error);
}

const float *ecc_trainer_spread(struct ecc_trainer *t, const float *dz)
{
    const size_t own = t->options.batch * t->options.latent;
    if (t->team->size == 1) return dz;
    memcpy(t->all_dz + (size_t)t->team->rank * own, dz, own * sizeof *dz);
    return t->all_dz;
}

void ecc_trainer_send_decoder(struct ecc_trainer *t)
{
    size_t count;
    float *const gradients = ecc_net_decoder_gradients(t->net, &count);
    if (t->sends_beside) ecc_team_begin_average(t->team, gradients, count);
}

/* All, or those before and after the decoder's, which are on their way. */
static enum ecc_status average(struct ecc_trainer *t, struct ecc_error *error)
{
    size_t count, sent;
    float *const gradients = ecc_net_gradients(t->net, &count);
    if (!t->sends_beside) return ecc_team_average(t->team, gradients, count, error);
    ECC_TRY(ecc_team_end_average(t->team, error));
    float *const decoder = ecc_net_decoder_gradients(t->net, &sent), *const after = decoder + sent;
    ECC_TRY(ecc_team_average(t->team, gradients, (size_t)(decoder - gradients), error));
    return ecc_team_average(t->team, after, (size_t)(gradients + count - after), error);
}

enum ecc_status ecc_trainer_average_gradients(struct ecc_trainer *t, struct ecc_error *error)
{
    const size_t size = (size_t)t->team->size;
    size_t count;
    if (size == 1) return ECC_OK;
    ECC_TRY(average(t, error));
    const float *const statistics = ecc_net_statistics(t->net, &count);
    if (t->options.sync_norm || count == 0) return ECC_OK; /* they are the same already */
    memcpy(t->all_statistics + (size_t)t->team->rank * count, statistics,
           count * sizeof *statistics);
    ECC_TRY(ecc_team_collect(t->team, t->all_statistics, count * sizeof *statistics, error));
    ecc_net_pool_statistics(t->net, t->all_statistics, size);
    return ECC_OK;
}

/* ---- Decisions ------------------------------------------------------------------------------ */

enum ecc_status ecc_trainer_share_validation(struct ecc_trainer *t, double *error_mean,
                                             double *loss, struct ecc_error *error)
{
    double both[2] = {*error_mean, *loss};
    if (t->team->size == 1) return ECC_OK;
    ECC_TRY(ecc_team_broadcast(t->team, both, sizeof both, error));
    *error_mean = both[0];
    *loss = both[1];
    if (!t->best.now) return ECC_OK;
    return ecc_team_broadcast(t->team, t->best.now, t->validation_count * sizeof *t->best.now,
                              error);
}
