/* simulate_print.c: the results of `eccentric simulate` in words and as JSON. */
#include "base/text.h"
#include "cli/print.h"

#include <math.h>

/* Notes why the result differs from the sphere of the theory. */
static void print_notes(const struct ecc_simulation *r)
{
    if (!r->at_rest && !r->interrupted) {
        ecc_print("\nNote: not yet at rest: the net forces are still %.2g of the radius (--steps, "
                  "--tolerance).\n",
                  r->history[ECC_HISTORY_FORCE][r->steps] / (r->radius.mean * sqrt((double)r->n)));
    }
    if (r->escape_gain > 0) {
        ecc_print(
            "\nNote: with this d, mu and M the sphere is stationary but not the minimum: points\n"
            "gain by moving to radius %.3g (see docs/theory.md).\n",
            r->escape_radius);
    } else if (r->trapped > 0) {
        ecc_print(
            "\nNote: %zu of %zu points rest well inside the sphere: this is a local minimum of "
            "the loss.\n",
            r->trapped, r->n);
    }
}

/* What is the same for all losses, from the trace on. */
static void print_shape(const struct ecc_simulation *r)
{
    ecc_print("%-24s %12s %12.6g\n", "trace of covariance", "", r->trace);
    ecc_print("%-24s %12s %12.4g\n", "largest eigenvalue", "", r->eigenvalues[0]);
    ecc_print("%-24s %12s %12.4g\n", "smallest eigenvalue", "", r->eigenvalues[r->d - 1]);
    ecc_print("%-24s %12s %12.4g\n", "eccentricity", "", r->eccentricity);
    ecc_print("%-24s %12s %12.4g   +- %.3g, smallest %.4g\n", "nearest neighbour", "",
              r->nearest.mean, r->nearest.deviation, r->nearest_least);
}

/* Another loss than the eccentric one, for which there is no theory. */
static void print_other(const struct ecc_simulation *r, const struct ecc_simulation_words *words)
{
    char quoted[ECC_PATH_SIZE];
    ecc_print("%zu points in %zu dimensions, regularizer %s, start %s", r->n, r->d,
              words->regularizer, ecc_quote_path(quoted, words->start));
    if (words->starts > 1) {
        ecc_print(", best of %zu starts: seed %llu", words->starts, (unsigned long long)r->seed);
    }
    ecc_print("\n%zu steps in %.2f s%s\n\n", r->steps, r->seconds, r->at_rest ? ", at rest" : "");
    ecc_print("%-24s %12s %12s\n", "", "start", "end");
    ecc_print("%-24s %12.6g %12.6g\n", "value", r->loss_start, r->loss);
    if (isfinite(r->energy))
        ecc_print("%-24s %12s %12.6f\n", "energy (sum over pairs)", "", r->energy);
    ecc_print("%-24s %12.6g %12.6g\n", "radius", r->radius_start.mean, r->radius.mean);
    ecc_print("%-24s %12.4g %12.4g\n", "  deviation", r->radius_start.deviation,
              r->radius.deviation);
    print_shape(r);
    print_notes(r);
}

void ecc_print_simulation(const struct ecc_simulation *r, const struct ecc_simulation_words *words)
{
    char quoted[ECC_PATH_SIZE];
    const double square = r->radius_theory * r->radius_theory;
    if (words->regularizer) {
        print_other(r, words);
        return;
    }
    ecc_print("%zu points in %zu dimensions, mu %g, M %.8g (%s), pairs %s, start %s\n", r->n, r->d,
              r->mu, r->m, words->m_rule, words->pairs, ecc_quote_path(quoted, words->start));
    ecc_print("%zu steps in %.2f s%s\n\n", r->steps, r->seconds, r->at_rest ? ", at rest" : "");
    ecc_print("%-24s %12s %12s   %s\n", "", "start", "end", "theory");
    ecc_print("%-24s %12.6g %12.6g   %.6g for the sphere", "loss", r->loss_start, r->loss,
              r->loss_sphere);
    if (r->mu == 1) ecc_print("; d(1 - 2 log 2) = %.6g", r->loss_paper);
    ecc_print("\n%-24s %12.6g %12.6g   %.6g by Theorem 1; sqrt(d) = %.6g\n", "radius",
              r->radius_start.mean, r->radius.mean, r->radius_theory, sqrt((double)r->d));
    ecc_print("%-24s %12.4g %12.4g   0\n", "  deviation", r->radius_start.deviation,
              r->radius.deviation);
    ecc_print("%-24s %12s %12.6g   %.6g = radius^2; d = %zu\n", "trace of covariance", "", r->trace,
              square, r->d);
    ecc_print("%-24s %12s %12.4g   %.4g = radius^2/d, all the same\n", "largest eigenvalue", "",
              r->eigenvalues[0], square / (double)r->d);
    ecc_print("%-24s %12s %12.4g", "smallest eigenvalue", "", r->eigenvalues[r->d - 1]);
    if (r->n <= r->d) ecc_print("   (%zu points span at most %zu dimensions)", r->n, r->n - 1);
    ecc_print("\n%-24s %12s %12.4g   0 on a sphere\n", "eccentricity", "", r->eccentricity);
    ecc_print("%-24s %12s %12.4g   +- %.3g, smallest %.4g\n", "nearest neighbour", "",
              r->nearest.mean, r->nearest.deviation, r->nearest_least);
    print_notes(r);
}

json_t *ecc_simulation_json(const struct ecc_simulation *r,
                            const struct ecc_simulation_words *words)
{
    json_t *const json = json_object();
    ecc_json_count(json, "points", r->n);
    ecc_json_count(json, "dim", r->d);
    if (words->regularizer) {
        ecc_json_text(json, "regularizer", words->regularizer);
        ecc_json_count(json, "starts", words->starts);
        ecc_json_count(json, "best_seed", r->seed);
        ecc_json_number(json, "energy", r->energy);
    }
    ecc_json_number(json, "mu", r->mu);
    ecc_json_number(json, "M", r->m);
    ecc_json_text(json, "m_rule", words->m_rule);
    ecc_json_text(json, "pairs", words->pairs);
    ecc_json_text(json, "start", words->start);
    ecc_json_count(json, "seed", words->seed);
    ecc_json_number(json, "tolerance", words->tolerance);
    ecc_json_count(json, "steps", r->steps);
    ecc_json_flag(json, "at_rest", r->at_rest);
    ecc_json_flag(json, "interrupted", r->interrupted);
    ecc_json_number(json, "seconds", r->seconds);
    ecc_json_number(json, "loss_start", r->loss_start);
    ecc_json_number(json, "loss", r->loss);
    ecc_json_number(json, "loss_sphere", r->loss_sphere);
    ecc_json_number(json, "loss_paper", r->loss_paper);
    ecc_json_number(json, "radius", r->radius.mean);
    ecc_json_number(json, "radius_deviation", r->radius.deviation);
    ecc_json_number(json, "radius_theory", r->radius_theory);
    ecc_json_number(json, "escape_gain", r->escape_gain);
    ecc_json_number(json, "escape_radius", r->escape_radius);
    ecc_json_number(json, "trace", r->trace);
    ecc_json_number(json, "eccentricity", r->eccentricity);
    ecc_json_number(json, "effective_rank", r->effective_rank);
    ecc_json_number(json, "nearest", r->nearest.mean);
    ecc_json_number(json, "nearest_deviation", r->nearest.deviation);
    ecc_json_number(json, "nearest_least", r->nearest_least);
    ecc_json_numbers(json, "eigenvalues", r->eigenvalues, r->d);
    return json;
}
