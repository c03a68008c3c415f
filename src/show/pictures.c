/* pictures.c: the spectrum of a latent space; sheets of any images. */
#include "eccentric_show.h"

#include "figure/plot.h"

#include <math.h>
#include <stdlib.h>

enum ecc_status ecc_draw_spectrum(const struct ecc_components *components, const char *const *names,
                                  size_t count, const char *path, struct ecc_error *error)
{
    size_t longest = 0;
    double largest = 1;
    struct ecc_plot plot;
    ecc_plot_start(&plot, "Spectrum of the latents' covariance", 380, 240);
    struct ecc_chart *const chart =
        ecc_plot_chart(&plot, NULL, "component", "variance along it (eigenvalue)");
    for (size_t r = 0; r < count; r++) {
        const struct ecc_components *const c = &components[r];
        const char *const name =
            ecc_plot_text(&plot, "%.60s: eccentricity %.3f", names[r], c->eccentricity);
        ecc_plot_line(&plot, name, NULL, c->eigenvalues, c->d);
        longest = c->d > longest ? c->d : longest;
        largest = fmax(largest, c->eigenvalues[0]);
    }
    chart->x.low = 0.5;
    chart->x.high = (double)longest + 0.5;
    chart->x.whole = true;
    chart->y.high = 1.08 * largest;
    chart->legend = ECC_LEGEND_TOP_RIGHT;
    ecc_plot_rule(&plot, 1, "1");
    return ecc_plot_write(&plot, path, error);
}

enum ecc_status ecc_draw_images(const float *x, size_t count, size_t channels, size_t height,
                                size_t width, size_t columns, const char *path,
                                struct ecc_error *error)
{
    struct ecc_plot plot;
    if (count == 0 || height == 0 || width == 0 || (channels != 1 && channels != 3)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "cannot draw %zu images of %zu channels, %zu x %zu pixels: expected at "
                        "least one image with 1 or 3 channels",
                        count, channels, height, width);
    }
    ecc_plot_start(&plot, NULL, 0, 0);
    ecc_plot_sheet(&plot, x, count, channels, height, width)->columns = columns;
    return ecc_plot_write(&plot, path, error);
}
