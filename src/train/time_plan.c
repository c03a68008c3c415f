/* time_plan.c: how many steps fit into a time budget, decided again as the speed changes. */
#include "train/time_plan.h"

#include <math.h>

enum {
    FIRST_LOOK = 50,  /* steps: then the speed is known well enough to begin with */
    LOOKS_AHEAD = 10, /* look again after a tenth of the steps that are left */
};

/* Of the budget: a plan that is off by less than this stands. */
static const double tolerance = 0.002;
/* Of the budget: never look later than this. */
static const double look_share = 0.01;
/* Of a look's weight in the speed, at the next look. */
static const double fading = 0.8;

static const char *const key_steps = "train.plan_steps", *const key_totals = "train.plan_totals";

static void apply(struct ecc_schedule *schedule, uint64_t step, uint64_t total)
{
    if (schedule->total > 0) {
        schedule->from_done = ecc_schedule_done(schedule, step);
        schedule->from = step > schedule->warmup ? step : schedule->warmup;
    }
    schedule->total = total;
}

/* A step at which a decision was made before; true until all of these are behind. */
static bool repeat(const struct ecc_time_plan *p, struct ecc_schedule *schedule, uint64_t step)
{
    if (p->count == 0 || (double)step > p->steps[p->count - 1]) return false;
    for (size_t i = 0; i < p->count; i++) {
        if ((double)step == p->steps[i]) apply(schedule, step, (uint64_t)p->totals[i]);
    }
    return true;
}

static void decide(struct ecc_time_plan *p, struct ecc_schedule *schedule, uint64_t step,
                   uint64_t total)
{
    p->steps[p->count] = (double)step;
    p->totals[p->count++] = (double)total;
    apply(schedule, step, total);
}

/* Seconds a step, lately. */
static double measure(struct ecc_time_plan *p, uint64_t step, double seconds)
{
    p->recent_steps = fading * p->recent_steps + (double)(step - p->seen_step);
    p->recent_seconds = fading * p->recent_seconds + seconds - p->seen_seconds;
    p->seen_step = step;
    p->seen_seconds = seconds;
    return p->recent_seconds / fmax(1, p->recent_steps);
}

/* By steps, or where these have become slow, by time. */
static bool look_is_due(const struct ecc_time_plan *p, const struct ecc_schedule *schedule,
                        uint64_t step, double seconds, double budget)
{
    if (schedule->total > 0 && seconds - p->seen_seconds > look_share * budget) return true;
    return step >= (p->look_at > 0 ? p->look_at : FIRST_LOOK);
}

bool ecc_time_plan_observe(struct ecc_time_plan *p, struct ecc_schedule *schedule, uint64_t step,
                           double seconds, double budget)
{
    if (repeat(p, schedule, step) || p->count == ECC_PLAN_MOST) {
        p->seen_step = step;
        p->seen_seconds = seconds;
        p->look_at = step + ECC_PLAN_AGAIN;
        return false;
    }
    if (schedule->total > 0 && step >= schedule->total) { /* the end, so that all is repeated */
        decide(p, schedule, step, step);
        return true;
    }
    if (!look_is_due(p, schedule, step, seconds, budget)) return false;
    const double per_step = measure(p, step, seconds);
    const uint64_t total = step + (uint64_t)fmax(1, fmax(0, budget - seconds) / per_step);
    const double off = fabs((double)total - (double)schedule->total) * per_step;
    const bool changed = schedule->total == 0 || off > tolerance * budget;
    if (changed) decide(p, schedule, step, total);
    const uint64_t ahead = (schedule->total - step) / LOOKS_AHEAD;
    p->look_at = step + (ahead > 0 ? ahead : 1);
    return changed;
}

enum ecc_status ecc_time_plan_restore(struct ecc_time_plan *p, struct ecc_schedule *schedule,
                                      const struct ecc_config *config, uint64_t step,
                                      struct ecc_error *error)
{
    *p = (struct ecc_time_plan){0};
    if (!ecc_config_has(config, key_steps)) return ECC_OK;
    size_t count;
    ECC_TRY(ecc_config_get_length(config, &count, key_steps, error));
    bool good = count <= ECC_PLAN_MOST;
    if (good) {
        ECC_TRY(ecc_config_get_numbers(config, p->steps, key_steps, count, error));
        ECC_TRY(ecc_config_get_numbers(config, p->totals, key_totals, count, error));
        p->count = count;
    }
    for (size_t i = 0; good && i < count; i++) {
        good = p->steps[i] >= 1 && p->totals[i] >= p->steps[i] && p->totals[i] < 9e15 &&
               (i == 0 || p->steps[i] > p->steps[i - 1]);
    }
    if (!good) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "'%s' and '%s' in config.json do not belong together: expected rising "
                        "steps, and for each the last step",
                        key_steps, key_totals);
    }
    schedule->total = 0;
    for (size_t i = 0; i < count && p->steps[i] <= (double)step; i++) {
        apply(schedule, (uint64_t)p->steps[i], (uint64_t)p->totals[i]);
    }
    return ECC_OK;
}

void ecc_time_plan_store(const struct ecc_time_plan *p, struct ecc_config *config)
{
    if (p->count == 0) return;
    ecc_config_set_numbers(config, key_steps, p->steps, p->count);
    ecc_config_set_numbers(config, key_totals, p->totals, p->count);
}
