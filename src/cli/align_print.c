/* align_print.c: the results of `eccentric align` in words and as JSON. */
#include "cli/print.h"
#include "latent/align_pair.h"
#include "model/seen.h"

/* ---- Words ----------------------------------------------------------------------------------- */

static void print_mean(const char *name, struct ecc_spread value, const char *unit, size_t pairs,
                       const char *meaning)
{
    const int digits = unit[0] ? 1 : 3;
    char deviation[32] = "";
    if (pairs > 1) snprintf(deviation, sizeof deviation, " ± %.*f", digits, value.deviation);
    ecc_print("%-18s %5.*f%s%-4s  %s\n", name, digits, value.mean, deviation, unit, meaning);
}

/* ": p3, p4 without a partner", or nothing. */
static const char *alone_words(char out[160], const struct ecc_alignment *l)
{
    size_t used = 0, alone = 0;
    out[0] = '\0';
    for (size_t k = 0; k < l->d; k++) {
        if (ecc_align_matched(l, k) || alone++ >= 12) continue;
        used += (size_t)snprintf(out + used, 160 - used, "%sp%zu", used ? ", " : ": ", k + 1);
    }
    if (alone > 12) used += (size_t)snprintf(out + used, 160 - used, " and %zu more", alone - 12);
    if (alone > 0) snprintf(out + used, 160 - used, " without a partner");
    return out;
}

static void print_pairs(const struct ecc_runs_alignment *r)
{
    ecc_print("\n%-24s %8s %8s %8s %6s\n", "pair", "raw", "aligned", "rotated", "CKA");
    for (size_t i = 0; i < r->pair_count; i++) {
        const struct ecc_alignment *const l = &r->pairs[i].alignment;
        char name[48], alone[160];
        snprintf(name, sizeof name, "%zu-%zu", r->pairs[i].a + 1, r->pairs[i].b + 1);
        ecc_print("%-24s %7.1f° %7.1f° %7.1f° %6.3f  %s%s\n", name, l->angle_raw, l->angle_aligned,
                  l->angle_procrustes, l->cka, r->pairs[i].verdict, alone_words(alone, l));
    }
}

static void print_components(const struct ecc_runs_alignment *r)
{
    ecc_print("\ncomponent of 1   partner in the others (- flipped)   correlation: mean, lowest\n");
    for (size_t k = 0; k < r->latent; k++) {
        char name[16], partners[200] = "";
        size_t used = 0;
        for (size_t i = 0; i < r->pair_count && used < sizeof partners; i++) {
            const struct ecc_alignment *const l = &r->pairs[i].alignment;
            if (r->pairs[i].a != 0) continue;
            used += (size_t)snprintf(partners + used, sizeof partners - used, "%s%sp%zu",
                                     used ? " " : "", l->sign[k] < 0 ? "-" : "", l->partner[k] + 1);
        }
        snprintf(name, sizeof name, "p%zu", k + 1);
        ecc_print("%-16s %-35s %6.3f %6.3f\n", name, partners, r->stability[k], r->least[k]);
    }
}

static void print_words(const struct ecc_runs_alignment *r, const char *const *runs)
{
    for (size_t i = 0; i < r->run_count; i++) {
        ecc_print("%zu: %s, eccentricity %.3f\n", i + 1, runs[i], r->eccentricity[i]);
    }
    char words[ECC_SEEN_WORDS];
    ecc_print("%zu component%s, matched on %zu items, measured on %zu %s\n\n", r->latent,
              ecc_s(r->latent), r->items, r->test_items, ecc_seen_words(words, &r->seen));
    print_mean("angle, raw", r->raw, "°", r->pair_count, "between encodings of the same item");
    print_mean("angle, aligned", r->aligned, "°", r->pair_count, "components matched and flipped");
    print_mean("angle, rotated", r->procrustes, "°", r->pair_count, "after the best rotation");
    print_mean("CKA", r->cka, "", r->pair_count, "1: the same up to rotation");
    char alone[160];
    ecc_print("%s%s\n", r->verdict,
              r->pair_count == 1 ? alone_words(alone, &r->pairs[0].alignment) : "");
    if (r->pair_count > 1) print_pairs(r);
    print_components(r);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_mean(json_t *json, const char *key, struct ecc_spread value)
{
    char deviation[40];
    ecc_json_number(json, key, value.mean);
    snprintf(deviation, sizeof deviation, "%s_deviation", key);
    ecc_json_number(json, deviation, value.deviation);
}

static json_t *pair_json(const struct ecc_run_pair *pair, const char *const *runs)
{
    const struct ecc_alignment *const l = &pair->alignment;
    json_t *const json = json_object(), *const partners = json_array();
    ecc_json_text(json, "a", runs[pair->a]);
    ecc_json_text(json, "b", runs[pair->b]);
    ecc_json_number(json, "angle_raw", l->angle_raw);
    ecc_json_number(json, "angle_aligned", l->angle_aligned);
    ecc_json_number(json, "angle_procrustes", l->angle_procrustes);
    ecc_json_number(json, "cka", l->cka);
    ecc_json_text(json, "verdict", pair->verdict);
    for (size_t k = 0; k < l->d; k++) {
        json_array_append_new(partners, json_integer((json_int_t)l->partner[k] + 1));
    }
    json_object_set_new(json, "partners", partners);
    json_t *const alone = json_array();
    for (size_t k = 0; k < l->d; k++) {
        if (!ecc_align_matched(l, k)) json_array_append_new(alone, json_integer((json_int_t)k + 1));
    }
    json_object_set_new(json, "unmatched", alone);
    ecc_json_numbers(json, "signs", l->sign, l->d);
    ecc_json_numbers(json, "correlations", l->correlation, l->d);
    ecc_json_matrix(json, "before", l->before, l->d, l->d);
    ecc_json_matrix(json, "after", l->after, l->d, l->d);
    return json;
}

static json_t *make_json(const struct ecc_runs_alignment *r, const char *const *runs)
{
    json_t *const json = json_object(), *const names = json_array(), *const pairs = json_array();
    for (size_t i = 0; i < r->run_count; i++) json_array_append_new(names, json_string(runs[i]));
    json_object_set_new(json, "runs", names);
    put_mean(json, "angle_raw", r->raw);
    put_mean(json, "angle_aligned", r->aligned);
    put_mean(json, "angle_procrustes", r->procrustes);
    put_mean(json, "cka", r->cka);
    ecc_json_text(json, "verdict", r->verdict);
    ecc_json_count(json, "latent", r->latent);
    ecc_json_count(json, "items", r->items);
    ecc_json_count(json, "test_items", r->test_items);
    ecc_json_count(json, "test_items_trained_on", r->seen.trained);
    ecc_json_numbers(json, "eccentricity", r->eccentricity, r->run_count);
    ecc_json_numbers(json, "stability", r->stability, r->latent);
    ecc_json_numbers(json, "stability_least", r->least, r->latent);
    for (size_t i = 0; i < r->pair_count; i++) {
        json_array_append_new(pairs, pair_json(&r->pairs[i], runs));
    }
    json_object_set_new(json, "pairs", pairs);
    ecc_json_number(json, "seconds", r->seconds);
    return json;
}

enum ecc_status ecc_print_runs_alignment(const struct ecc_runs_alignment *r,
                                         const char *const *runs, bool json,
                                         struct ecc_error *error)
{
    if (json) return ecc_json_print(make_json(r, runs), error);
    print_words(r, runs);
    return ECC_OK;
}
