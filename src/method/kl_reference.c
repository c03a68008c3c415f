/* kl_reference.c: the VAE's regularizer as its definition says, in double. */
#include "method/kl.h"

#include <math.h>

double ecc_kl_reference(double *doutputs, const float *outputs, size_t n, size_t d)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < d; k++) {
            const size_t mean_at = i * 2 * d + k, log_at = mean_at + d;
            const double mean = (double)outputs[mean_at], logvar = (double)outputs[log_at];
            sum += 0.5 * (mean * mean + exp(logvar) - 1 - logvar);
            if (!doutputs) continue;
            doutputs[mean_at] = mean / (double)n;
            doutputs[log_at] = 0.5 * (exp(logvar) - 1) / (double)n;
        }
    }
    return sum / (double)n;
}
