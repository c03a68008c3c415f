/* team_pulse.c: when a process that others wait for is taken to hang. */
#include "train/team_pulse.h"

#include <math.h>
#include <stdio.h>

enum { FAR_LONGER = 100 }; /* times its longest step */
static const double MOMENT = 0.2;

void ecc_team_pulse_hear(struct ecc_team_pulse *p, const struct ecc_team_beat *beat)
{
    const bool moved = !p->known || beat->calls != p->last.calls;
    if (moved && p->known && p->last.steps) p->longest = fmax(p->longest, p->stuck);
    if (moved) p->stuck = 0;
    const bool done = beat->deeds != p->last.deeds || beat->writes != p->last.writes;
    if (moved || done) p->idle = 0;
    p->silent = 0;
    p->known = true;
    p->last = *beat;
}

void ecc_team_pulse_wait(struct ecc_team_pulse *p, double seconds)
{
    p->silent += seconds;
    p->idle += seconds;
    p->stuck += seconds;
    if (p->closed) p->since_closed += seconds;
}

/* Whether it hangs while the others wait for it. */
static bool keeps_waiting(char why[ECC_TEAM_WHY], const struct ecc_team_pulse *p,
                          const struct ecc_team_patience *patience)
{
    const double idle = p->last.writes ? patience->stall : patience->hang;
    const double stall = fmax(patience->stall, FAR_LONGER * p->longest);
    if (p->last.leaving && p->stuck >= 1) {
        snprintf(why, ECC_TEAM_WHY,
                 "has left while the others wait for it: were all started with the same command?");
        return true;
    }
    if (p->idle >= idle && !p->last.leaving) {
        snprintf(why, ECC_TEAM_WHY,
                 "has done nothing for %.0f seconds while the others wait for it: it is blocked, "
                 "perhaps by a file or drive that does not answer",
                 p->idle);
        return true;
    }
    if (p->last.steps && p->stuck >= stall) {
        snprintf(why, ECC_TEAM_WHY,
                 "has been busy for %.0f seconds while the others wait for it, and no step of it "
                 "took longer than %.1f",
                 p->stuck, p->longest + MOMENT);
        return true;
    }
    return false;
}

static bool hangs(char why[ECC_TEAM_WHY], const struct ecc_team_pulse *p, uint64_t most,
                  const struct ecc_team_patience *patience)
{
    if (p->closed && !p->last.leaving) {
        snprintf(why, ECC_TEAM_WHY,
                 "has died without a word: it was killed, perhaps for lack of memory, or crashed");
        return p->since_closed >= 2 * patience->delay;
    }
    if (!p->closed && p->silent >= patience->hang + patience->delay) {
        snprintf(why, ECC_TEAM_WHY,
                 "has not answered for %.0f seconds: it was stopped, or its machine or network "
                 "does not work",
                 p->silent);
        return true;
    }
    return p->last.calls < most && keeps_waiting(why, p, patience);
}

int ecc_team_judge(char why[ECC_TEAM_WHY], const struct ecc_team_pulse *pulses, int size,
                   const struct ecc_team_patience *patience)
{
    uint64_t most = 0;
    for (int k = 0; k < size; k++) {
        if (!pulses[k].known) continue;
        if (pulses[k].last.speaker) return -1; /* it is known */
        if (pulses[k].last.calls > most) most = pulses[k].last.calls;
    }
    for (int k = 0; k < size; k++) {
        if (pulses[k].known && hangs(why, &pulses[k], most, patience)) return k;
    }
    return -1;
}
