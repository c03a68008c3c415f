/* schedule.c: the learning rate at each step. */
#include "train/schedule.h"

#include <math.h>

double ecc_schedule_done(const struct ecc_schedule *s, uint64_t step)
{
    const uint64_t from = s->from > s->warmup ? s->from : s->warmup;
    if (step <= from) return s->from_done;
    if (s->total <= from) return 1;
    const double part = (double)(step - from) / (double)(s->total - from);
    return fmin(1, s->from_done + (1 - s->from_done) * part);
}

double ecc_schedule_rate(const struct ecc_schedule *schedule, uint64_t step)
{
    if (step <= schedule->warmup) {
        return schedule->rate * (double)step / (double)(schedule->warmup + 1);
    }
    if (schedule->kind == ECC_SCHEDULE_CONSTANT || schedule->total <= schedule->warmup) {
        return schedule->rate;
    }
    const double done = ecc_schedule_done(schedule, step);
    const double wave = schedule->kind == ECC_SCHEDULE_FALL ? fmin(1, (1 - done) / schedule->fall)
                                                            : 0.5 * (1 + cos(acos(-1) * done));
    return schedule->final_rate + (schedule->rate - schedule->final_rate) * wave;
}
