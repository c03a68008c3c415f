/* part_map.c: the items along the two strongest components, coloured by label or attribute. */
#include "report/part.h"
#include "show/plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double limit = 4.5; /* deviations: what lies beyond would make the rest small */

/* Points with their colours. */
struct map {
    struct ecc_plane plane;
    char (*numbers)[24];
    const char **names;
    double reach[2]; /* of the axes: the limit, or more where a whole class lies beyond */
    bool cut;        /* some lie beyond that along either component */
    struct ecc_circle circle;
    size_t circles; /* 1 where it is shown */
};

/* The attribute that the two components tell most about. */
static size_t best_in_plane(const struct ecc_classification *c)
{
    size_t best = 0;
    double most = -1;
    for (size_t t = 0; t < c->name_count; t++) {
        for (size_t k = 0; k < c->latent && k < 2; k++) {
            const double gain = fabs(c->gains[t * c->latent + k]);
            if (gain <= most) continue;
            most = gain;
            best = t;
        }
    }
    return best;
}

static enum ecc_status colour(struct map *map, const struct ecc_report *page,
                              struct ecc_error *error)
{
    const struct ecc_dataset *const data = page->items.data;
    const bool attributes = !data->labels && data->attributes && page->classes.gains;
    const size_t attribute = attributes ? best_in_plane(&page->classes) : 0;
    if (!data->labels && !attributes) return ECC_OK;
    struct ecc_plane *const plane = &map->plane;
    plane->category_count = attributes ? 2 : data->class_count;
    plane->category = malloc((page->shown_n + 1) * sizeof *plane->category);
    map->names = calloc(plane->category_count + 1, sizeof *map->names);
    map->numbers = calloc(plane->category_count + 1, sizeof *map->numbers);
    if (!plane->category || !map->names || !map->numbers) return ecc_fail_memory(error, "the map");
    plane->category_names = map->names;
    for (size_t c = 0; c < plane->category_count; c++) {
        snprintf(map->numbers[c], sizeof map->numbers[c], "%zu", c);
        map->names[c] = data->class_names && !attributes ? data->class_names[c] : map->numbers[c];
    }
    if (attributes) {
        map->names[0] = "others";
        map->names[1] = data->attribute_names[attribute];
    }
    for (size_t i = 0; i < page->shown_n; i++) {
        const size_t item = page->shown[i];
        plane->category[i] =
            attributes ? (int32_t)data->attributes[item * data->attribute_count + attribute]
                       : data->labels[item];
    }
    return ECC_OK;
}

static enum ecc_status fill(struct map *map, const struct ecc_report *page, struct ecc_error *error)
{
    const size_t n = page->shown_n, d = page->model->d, up = d > 1;
    struct ecc_plane *const plane = &map->plane;
    plane->n = n;
    plane->x = malloc((n + 1) * sizeof *plane->x);
    plane->y = malloc((n + 1) * sizeof *plane->y);
    if (!plane->x || !plane->y) return ecc_fail_memory(error, "the map");
    for (size_t i = 0; i < n; i++) {
        plane->x[i] = (double)page->p[i * d];
        plane->y[i] = (double)page->p[i * d + up];
    }
    ECC_TRY(colour(map, page, error));
    const double *const deviations = page->components.deviations;
    map->reach[0] = ecc_plane_reach(plane, plane->x, limit * deviations[0]);
    map->reach[1] = ecc_plane_reach(plane, plane->y, limit * deviations[up]);
    for (size_t i = 0; i < n; i++) {
        map->cut |= fabs(plane->x[i]) > map->reach[0] || fabs(plane->y[i]) > map->reach[1];
    }
    return ECC_OK;
}

/* With two dimensions the sphere of Theorem 1 is a circle around the latents' origin.  It is left
 * out where it does not fit on the map. */
static void place_circle(struct map *map, const struct ecc_components *c)
{
    if (c->d != 2) return;
    struct ecc_circle *const circle = &map->circle;
    for (size_t j = 0; j < 2; j++) {
        circle->x -= c->axes[j] * c->mean[j];
        circle->y -= c->axes[2 + j] * c->mean[j];
    }
    circle->radius = sqrt(2);
    map->circles = !map->cut || (fabs(circle->x) + circle->radius < map->reach[0] &&
                                 fabs(circle->y) + circle->radius < map->reach[1]);
}

static enum ecc_status draw(FILE *out, const struct map *map, const struct ecc_report *page,
                            struct ecc_error *error)
{
    const struct ecc_components *const c = &page->components;
    const size_t up = c->d > 1;
    struct ecc_plane arranged;
    struct ecc_plot plot;
    ECC_TRY(ecc_plane_arrange(&arranged, &map->plane, error));
    ecc_plot_start(&plot, NULL, 0, 0);
    struct ecc_chart *const chart = ecc_plot_chart(
        &plot, NULL, ecc_plot_text(&plot, "p1 (%.1f %% of the latents)", 100 * c->explained[0]),
        ecc_plot_text(&plot, "p%zu (%.1f %% of the latents)", up + 1, 100 * c->explained[up]));
    if (map->cut) {
        chart->x.low = -(chart->x.high = map->reach[0]);
        chart->y.low = -(chart->y.high = map->reach[1]);
    }
    chart->legend = ECC_LEGEND_NONE; /* the page has one below */
    ecc_plane_plot(&plot, chart, &arranged);
    if (map->circles)
        ecc_plot_circle(&plot, map->circle.x, map->circle.y, map->circle.radius, NULL);
    fputs("<figure class=\"map wide\">", out);
    const enum ecc_status status = ecc_plot_inline(
        &plot, out, 420, 350,
        ecc_plot_text(&plot, "Scatter plot of %zu items along the components p1 and p%zu",
                      page->shown_n, up + 1),
        error);
    if (arranged.category) ecc_html_legend(out, chart);
    fputs("</figure>\n", out);
    ecc_plot_release(&plot);
    ecc_plane_release(&arranged);
    return status;
}

static void put_words(FILE *out, const struct ecc_report *page, const struct map *map)
{
    char count[32], words[ECC_SEEN_WORDS];
    fprintf(out,
            "<p class=\"how\">Each point is one of %s %s, placed by its two strongest components. "
            "Similar items lie close together.",
            ecc_report_count(count, page->shown_n), ecc_report_items(words, page));
    if (map->plane.category && page->items.data->labels) {
        const bool shapes = map->plane.category_count > 10;
        fprintf(out, " %s the label, which the training never used.",
                shapes ? "Colour and shape show" : "The colour is");
    } else if (map->plane.category) {
        fputs(" In colour: ", out);
        ecc_html_text(out, map->names[1]);
        fputs(", the attribute that these two components predict best.", out);
    }
    if (map->cut) {
        fprintf(out, " Items more than %.1f deviations from the middle may be outside the map.",
                limit);
    }
    if (map->circles > 0) {
        const bool eccentric = page->model->regularizer.entry == &ecc_regularizer_eccentric;
        fprintf(out, " The circle has the radius √2%s.",
                eccentric ? ", the sphere to which the eccentric loss alone would move them" : "");
    }
    fputs("</p>\n", out);
}

static enum ecc_status write_map(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    if (!page->p) {
        ecc_report_missing(out, page->items.data ? &page->no_components : &page->no_items);
        return ECC_OK;
    }
    struct map map = {0};
    enum ecc_status status = fill(&map, page, error);
    if (status == ECC_OK) {
        place_circle(&map, &page->components);
        put_words(out, page, &map);
        status = draw(out, &map, page, error);
    }
    free(map.plane.x);
    free(map.plane.y);
    free(map.plane.category);
    free(map.names);
    free(map.numbers);
    return status;
}

const struct ecc_report_part ecc_part_map = {"map", "Map", write_map};
