/*
 * use_run.c: a trained run used from C: its components, the latents of data, new items.
 *
 *   eccentric train glyphs --latent 8 --out run
 *   cc use_run.c $(pkg-config --cflags --libs eccentric_model) -o use_run
 *   ./use_run run glyphs:test
 *
 * Prints the principal components of the run, encodes DATA and says which of its items lie nearest
 * to the first in component coordinates, then draws 100 new items into samples.pgm.
 */
#include <eccentric_model.h>

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 10, NEAREST = 5 };

static struct ecc_error error;

static int fail(const char *sentence)
{
    fprintf(stderr, "use_run: %s\n", sentence);
    return 1;
}

static void print_components(const struct ecc_components *c)
{
    printf("%zu latents, trace %.3f, eccentricity %.3f, effective rank %.2f\n", c->count, c->trace,
           c->eccentricity, c->effective_rank);
    for (size_t k = 0; k < c->d; k++) {
        printf("p%-3zu deviation %.3f  explains %4.1f %%  skewness %.2f\n", k + 1, c->deviations[k],
               100 * c->explained[k], c->skewness[k]);
    }
}

/* Encodes the data, goes over to component coordinates, finds the items nearest to the first. */
static int find_similar(struct ecc_model *model, const struct ecc_components *c, const char *data)
{
    float *z;
    int32_t *labels;
    size_t n, index[NEAREST];
    double squared[NEAREST];
    if (ecc_model_latents(model, &z, &labels, &n, data, 1000, NULL, &error) != ECC_OK) {
        return fail(error.text);
    }
    enum ecc_status status = ecc_components_project(c, z, z, n, &error);
    if (status == ECC_OK) {
        status = ecc_neighbours(squared, index, z, 1, z, n, c->d, NEAREST, &error);
    }
    for (size_t i = 0; status == ECC_OK && i < NEAREST; i++) {
        printf("item %zu, class %d, squared distance %.4f\n", index[i],
               labels ? (int)labels[index[i]] : -1, squared[i]);
    }
    free(z);
    free(labels);
    return status == ECC_OK ? 0 : fail(error.text);
}

/* The first channel of SIDE x SIDE images, x: [SIDE * SIDE, size], as one grey picture. */
static int write_sheet(const char *path, const float *x, const struct ecc_model_info *info)
{
    FILE *const file = fopen(path, "wb");
    if (!file) return fail("cannot write the samples");
    const size_t h = info->height, w = info->width;
    fprintf(file, "P5 %zu %zu 255\n", SIDE * w, SIDE * h);
    for (size_t row = 0; row < SIDE * h; row++) {
        for (size_t column = 0; column < SIDE * w; column++) {
            const float *const image = x + (row / h * SIDE + column / w) * info->size;
            const float pixel = image[row % h * w + column % w];
            fputc((int)(255 * (pixel < 0 ? 0 : pixel > 1 ? 1 : pixel) + 0.5F), file);
        }
    }
    return fclose(file) == 0 ? 0 : fail("cannot write the samples");
}

/* New latents from the Gaussian with the components' mean and covariance, decoded. */
static int sample(struct ecc_model *model, const struct ecc_components *c)
{
    const size_t n = (size_t)SIDE * SIDE;
    const struct ecc_sampler sampler = {.components = c, .seed = 1};
    const struct ecc_model_info info = ecc_model_describe(model);
    float *const z = malloc(n * info.latent * sizeof *z), *const x =
                                                              malloc(n * info.size * sizeof *x);
    int failed = z && x ? 0 : fail("out of memory");
    if (!failed && (ecc_sampler_draw(&sampler, z, 0, n, &error) != ECC_OK ||
                    ecc_model_decode(model, x, z, n, &error) != ECC_OK)) {
        failed = fail(error.text);
    }
    if (!failed) failed = write_sheet("samples.pgm", x, &info);
    free(z);
    free(x);
    return failed;
}

int main(int argc, char **argv)
{
    struct ecc_model *model;
    struct ecc_components components;
    if (argc < 2) return fail("usage: use_run RUN [DATA]");
    if (ecc_model_open(&model, argv[1], NULL, &error) != ECC_OK) return fail(error.text);
    if (ecc_model_components(model, &components, NULL, NULL, &error) != ECC_OK) {
        ecc_model_close(model);
        return fail(error.text);
    }
    print_components(&components);
    int failed = find_similar(model, &components, argc > 2 ? argv[2] : NULL);
    if (!failed) failed = sample(model, &components);
    ecc_components_release(&components);
    ecc_model_close(model);
    return failed;
}
