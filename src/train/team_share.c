/* team_share.c: a team as work that is shared by several processes (base/share.h). */
#include "model/model.h"
#include "train/team.h"

static enum ecc_status gather(void *context, enum ecc_status mine, void *all, size_t bytes,
                              struct ecc_error *error)
{
    return ecc_team_gather(context, mine, all, bytes, error);
}

static enum ecc_status broadcast(void *context, void *data, size_t bytes, struct ecc_error *error)
{
    return ecc_team_broadcast(context, data, bytes, error);
}

const struct ecc_share *ecc_team_share(struct ecc_team *team)
{
    if (!team || team->size == 1) return NULL;
    team->share = (struct ecc_share){.rank = (size_t)team->rank,
                                     .size = (size_t)team->size,
                                     .context = team,
                                     .gather = gather,
                                     .broadcast = broadcast};
    return &team->share;
}

void ecc_team_use(struct ecc_team *team, struct ecc_model *model)
{
    model->share = ecc_team_share(team);
}
