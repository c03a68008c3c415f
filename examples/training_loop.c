/*
 * training_loop.c: the eccentric loss in somebody else's training loop, in C.
 *
 *   cc training_loop.c $(pkg-config --cflags --libs eccentric) -lm -o training_loop
 *
 * A linear autoencoder, written out by hand, is trained on points that lie near a plane in five
 * dimensions.  Each step asks the library for the loss of the batch's latents and its gradient, and
 * adds lambda times that gradient to the one from the reconstruction.  That is all there is to it.
 */
#include <eccentric.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { INPUTS = 5, LATENTS = 2, BATCH = 100, STEPS = 2000 };

static double uniform(void)
{
    return rand() / (RAND_MAX + 1.0);
}

static double normal(void)
{
    return sqrt(-2 * log(1 - uniform())) * cos(2 * acos(-1) * uniform());
}

/* Two factors of different strength, mixed into five inputs, and a little noise. */
static void draw_batch(float x[BATCH][INPUTS])
{
    static const double mix[2][INPUTS] = {{2, -1, 0.5, 0, 1}, {0, 0.5, 1, -1, 0.5}};
    for (int i = 0; i < BATCH; i++) {
        const double a = normal(), b = normal();
        for (int k = 0; k < INPUTS; k++) {
            x[i][k] = (float)(a * mix[0][k] + b * mix[1][k] + 0.05 * normal());
        }
    }
}

int main(void)
{
    const double lambda = 0.05, rate = 0.02;
    float encoder[LATENTS][INPUTS], decoder[INPUTS][LATENTS];
    float x[BATCH][INPUTS], z[BATCH][LATENTS], dz[BATCH][LATENTS];
    double error_mean = 0;

    /* Plan once; a step then allocates nothing. */
    struct ecc_error error;
    struct ecc_loss_options options = ecc_loss_defaults();
    options.mu = 1.0;
    struct ecc_loss_plan *plan;
    struct ecc_loss_value value = {0};
    if (ecc_loss_plan_create(&plan, BATCH, LATENTS, &options, &error) != ECC_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }

    for (int k = 0; k < LATENTS * INPUTS; k++) {
        (&encoder[0][0])[k] = (float)(0.3 * normal());
        (&decoder[0][0])[k] = (float)(0.3 * normal());
    }
    for (int step = 0; step < STEPS; step++) {
        float encoder_gradient[LATENTS][INPUTS] = {{0}}, decoder_gradient[INPUTS][LATENTS] = {{0}};
        error_mean = 0;
        draw_batch(x);
        for (int i = 0; i < BATCH; i++) { /* z = encoder x */
            for (int l = 0; l < LATENTS; l++) {
                z[i][l] = 0;
                for (int k = 0; k < INPUTS; k++) z[i][l] += encoder[l][k] * x[i][k];
            }
        }

        /* The regularizer: value and gradient of the batch of latents. */
        if (ecc_loss_plan_evaluate(plan, &value, &dz[0][0], &z[0][0], BATCH, &error) != ECC_OK) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }

        for (int i = 0; i < BATCH; i++) { /* the reconstruction's gradient joins it in dz */
            for (int l = 0; l < LATENTS; l++) dz[i][l] *= (float)lambda;
            for (int k = 0; k < INPUTS; k++) {
                float miss = -x[i][k];
                for (int l = 0; l < LATENTS; l++) miss += decoder[k][l] * z[i][l];
                error_mean += (double)miss * (double)miss / (BATCH * INPUTS);
                for (int l = 0; l < LATENTS; l++) {
                    dz[i][l] += 2 * miss * decoder[k][l] / (BATCH * INPUTS);
                    decoder_gradient[k][l] += 2 * miss * z[i][l] / (BATCH * INPUTS);
                }
            }
            for (int l = 0; l < LATENTS; l++) {
                for (int k = 0; k < INPUTS; k++) encoder_gradient[l][k] += dz[i][l] * x[i][k];
            }
        }
        for (int k = 0; k < LATENTS * INPUTS; k++) {
            (&encoder[0][0])[k] -= (float)rate * (&encoder_gradient[0][0])[k];
            (&decoder[0][0])[k] -= (float)rate * (&decoder_gradient[0][0])[k];
        }
    }

    double trace = 0;
    for (int i = 0; i < BATCH; i++) {
        for (int l = 0; l < LATENTS; l++) trace += (double)z[i][l] * (double)z[i][l] / BATCH;
    }
    printf("reconstruction error %.4f, eccentric loss %.4f, trace of the latents %.3f (d = %d)\n",
           error_mean, value.loss, trace, LATENTS);
    ecc_loss_plan_free(plan);
    return error_mean < 0.01 && trace > 1.5 && trace < 3 ? 0 : 1;
}
