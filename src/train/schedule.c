/* schedule.c: the learning rate at each step. */
#include "train/schedule.h"

#include <math.h>

double ecc_schedule_rate(const struct ecc_schedule *schedule, uint64_t step)
{
    if (step <= schedule->warmup) {
        return schedule->rate * (double)step / (double)(schedule->warmup + 1);
    }
    if (schedule->kind == ECC_SCHEDULE_CONSTANT || schedule->total <= schedule->warmup) {
        return schedule->rate;
    }
    const double done =
        (double)(step - schedule->warmup) / (double)(schedule->total - schedule->warmup);
    const double wave = 0.5 * (1 + cos(acos(-1) * fmin(1, done)));
    return schedule->final_rate + (schedule->rate - schedule->final_rate) * wave;
}
