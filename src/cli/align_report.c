/* align_report.c: the results of `eccentric align` in words, as JSON and as heat maps. */
#include "cli/align.h"
#include "figure/figure.h"

#include <stdio.h>
#include <stdlib.h>

static const char *verdict_of(double aligned, double procrustes)
{
    return ecc_verdict_names[ecc_align_verdict(aligned, procrustes)];
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void print_mean(const char *name, struct ecc_align_mean mean, const char *unit, size_t pairs,
                       const char *meaning)
{
    const int digits = unit[0] ? 1 : 3;
    char deviation[32] = "";
    if (pairs > 1) snprintf(deviation, sizeof deviation, " ± %.*f", digits, mean.deviation);
    printf("%-18s %5.*f%s%-4s  %s\n", name, digits, mean.value, deviation, unit, meaning);
}

static void print_pairs(const struct ecc_align_result *r)
{
    printf("\n%-24s %8s %8s %8s %6s\n", "pair", "raw", "aligned", "rotated", "CKA");
    for (size_t i = 0; i < r->pair_count; i++) {
        const struct ecc_alignment *const l = &r->pairs[i].alignment;
        char name[48];
        snprintf(name, sizeof name, "%zu-%zu", r->pairs[i].a + 1, r->pairs[i].b + 1);
        printf("%-24s %7.1f° %7.1f° %7.1f° %6.3f  %s\n", name, l->angle_raw, l->angle_aligned,
               l->angle_procrustes, l->cka, verdict_of(l->angle_aligned, l->angle_procrustes));
    }
}

static void print_components(const struct ecc_align_result *r)
{
    printf("\ncomponent of 1   partner in the others (- flipped)   correlation: mean, least\n");
    for (size_t k = 0; k < r->d; k++) {
        char name[16], partners[200] = "";
        size_t used = 0;
        for (size_t i = 0; i < r->pair_count && used < sizeof partners; i++) {
            const struct ecc_alignment *const l = &r->pairs[i].alignment;
            if (r->pairs[i].a != 0) continue;
            used += (size_t)snprintf(partners + used, sizeof partners - used, "%s%sp%zu",
                                     used ? " " : "", l->sign[k] < 0 ? "-" : "", l->partner[k] + 1);
        }
        snprintf(name, sizeof name, "p%zu", k + 1);
        printf("%-16s %-35s %6.3f %6.3f\n", name, partners, r->stability[k], r->least[k]);
    }
}

static void print_words(const struct ecc_align_result *r)
{
    for (size_t i = 0; i < r->run_count; i++) {
        printf("%zu: %s, eccentricity %.3f\n", i + 1, r->runs[i], r->eccentricity[i]);
    }
    printf("%zu components, matched on %zu training items, measured on %zu test items\n\n", r->d,
           r->items, r->test_items);
    print_mean("angle, raw", r->raw, "°", r->pair_count, "between encodings of the same item");
    print_mean("angle, aligned", r->aligned, "°", r->pair_count, "components matched and flipped");
    print_mean("angle, rotated", r->procrustes, "°", r->pair_count, "after the best rotation");
    print_mean("CKA", r->cka, "", r->pair_count, "1: the same up to rotation");
    printf("%s\n", verdict_of(r->aligned.value, r->procrustes.value));
    if (r->pair_count > 1) print_pairs(r);
    print_components(r);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_mean(json_t *json, const char *key, struct ecc_align_mean mean)
{
    char deviation[40];
    ecc_json_number(json, key, mean.value);
    snprintf(deviation, sizeof deviation, "%s_deviation", key);
    ecc_json_number(json, deviation, mean.deviation);
}

static json_t *pair_json(const struct ecc_align_result *r, const struct ecc_align_pair *pair)
{
    const struct ecc_alignment *const l = &pair->alignment;
    json_t *const json = json_object(), *const partners = json_array();
    ecc_json_text(json, "a", r->runs[pair->a]);
    ecc_json_text(json, "b", r->runs[pair->b]);
    ecc_json_number(json, "angle_raw", l->angle_raw);
    ecc_json_number(json, "angle_aligned", l->angle_aligned);
    ecc_json_number(json, "angle_procrustes", l->angle_procrustes);
    ecc_json_number(json, "cka", l->cka);
    ecc_json_text(json, "verdict", verdict_of(l->angle_aligned, l->angle_procrustes));
    for (size_t k = 0; k < l->d; k++) {
        json_array_append_new(partners, json_integer((json_int_t)l->partner[k] + 1));
    }
    json_object_set_new(json, "partners", partners);
    ecc_json_numbers(json, "signs", l->sign, l->d);
    ecc_json_numbers(json, "correlations", l->correlation, l->d);
    ecc_json_matrix(json, "before", l->before, l->d, l->d);
    ecc_json_matrix(json, "after", l->after, l->d, l->d);
    return json;
}

static json_t *make_json(const struct ecc_align_result *r)
{
    json_t *const json = json_object(), *const runs = json_array(), *const pairs = json_array();
    for (size_t i = 0; i < r->run_count; i++) json_array_append_new(runs, json_string(r->runs[i]));
    json_object_set_new(json, "runs", runs);
    put_mean(json, "angle_raw", r->raw);
    put_mean(json, "angle_aligned", r->aligned);
    put_mean(json, "angle_procrustes", r->procrustes);
    put_mean(json, "cka", r->cka);
    ecc_json_text(json, "verdict", verdict_of(r->aligned.value, r->procrustes.value));
    ecc_json_count(json, "latent", r->d);
    ecc_json_count(json, "items", r->items);
    ecc_json_count(json, "test_items", r->test_items);
    ecc_json_numbers(json, "eccentricity", r->eccentricity, r->run_count);
    ecc_json_numbers(json, "stability", r->stability, r->d);
    ecc_json_numbers(json, "stability_least", r->least, r->d);
    for (size_t i = 0; i < r->pair_count; i++) {
        json_array_append_new(pairs, pair_json(r, &r->pairs[i]));
    }
    json_object_set_new(json, "pairs", pairs);
    ecc_json_number(json, "seconds", r->seconds);
    return json;
}

enum ecc_status ecc_align_report(const struct ecc_align_result *r, bool json,
                                 struct ecc_error *error)
{
    if (json) return ecc_json_print(make_json(r), error);
    print_words(r);
    return ECC_OK;
}

/* ---- Pictures -------------------------------------------------------------------------------- */

enum { SHOWN = 3 }; /* pairs */

/* Names of the d rows, columns and columns after alignment ("-p3": flipped), one block to free. */
struct names {
    char (*text)[12];  /* [2 d] */
    const char **list; /* [2 d] */
};

static void name_components(struct names *names, const struct ecc_alignment *l)
{
    const size_t d = l->d;
    names->text = calloc(2 * d, sizeof *names->text);
    names->list = calloc(2 * d, sizeof *names->list);
    for (size_t k = 0; names->text && names->list && k < d; k++) {
        snprintf(names->text[k], sizeof *names->text, "p%zu", k + 1);
        snprintf(names->text[d + k], sizeof *names->text, "%sp%zu", l->sign[k] < 0 ? "\u2212" : "",
                 l->partner[k] + 1);
        names->list[k] = names->text[k];
        names->list[d + k] = names->text[d + k];
    }
}

enum ecc_status ecc_align_draw(const struct ecc_align_result *r, const char *path,
                               struct ecc_error *error)
{
    const size_t shown = r->pair_count < SHOWN ? r->pair_count : SHOWN;
    struct ecc_panel panels[2 * SHOWN];
    char titles[2 * SHOWN][80], rows[SHOWN][40], columns[SHOWN][40], caption[120];
    struct names names[SHOWN];
    bool named = true;
    for (size_t i = 0; i < shown; i++) {
        const struct ecc_align_pair *const pair = &r->pairs[i];
        const struct ecc_alignment *const l = &pair->alignment;
        name_components(&names[i], l);
        named = named && names[i].text && names[i].list;
        snprintf(titles[2 * i], sizeof titles[0], "raw, mean angle %.0f°", l->angle_raw);
        snprintf(titles[2 * i + 1], sizeof titles[0], "aligned, mean angle %.0f°",
                 l->angle_aligned);
        snprintf(rows[i], sizeof rows[i], "run %zu", pair->a + 1);
        snprintf(columns[i], sizeof columns[i], "run %zu", pair->b + 1);
        for (size_t side = 0; side < 2; side++) {
            panels[2 * i + side] = (struct ecc_panel){
                .title = titles[2 * i + side],
                .kind = ECC_PANEL_HEAT,
                .heat = {.values = side ? l->after : l->before,
                         .rows = l->d,
                         .columns = l->d,
                         .limit = 1,
                         .row_names = names[i].list,
                         .column_names = names[i].list ? names[i].list + side * l->d : NULL,
                         .row_label = rows[i],
                         .column_label = columns[i],
                         .scale_label = "correlation"}};
        }
    }
    snprintf(caption, sizeof caption, "%zu test items · after the best rotation %.0f° · CKA %.2f",
             r->test_items, r->procrustes.value, r->cka.value);
    const struct ecc_figure figure = {.title = "Do the runs find the same components?",
                                      .caption = caption,
                                      .panels = panels,
                                      .panel_count = 2 * shown,
                                      .columns = 2};
    const enum ecc_status status =
        named ? ecc_figure_write(&figure, path, error) : ecc_fail_memory(error, "the picture");
    for (size_t i = 0; i < shown; i++) {
        free(names[i].text);
        free(names[i].list);
    }
    return status;
}
