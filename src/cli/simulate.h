/* simulate.h: what `eccentric simulate` found, shared between the command and its pictures. */
#ifndef ECC_CLI_SIMULATE_H
#define ECC_CLI_SIMULATE_H

#include "cli/output.h"

struct ecc_simulate_result {
    size_t n, d;
    double mu, m;
    const char *m_rule, *pairs, *start_name;
    float *start, *points; /* [n, d] */

    size_t steps, steps_max; /* taken, and allowed */
    bool interrupted;
    bool at_rest;
    double seconds, tolerance;
    uint64_t seed;
    double *history[4]; /* step, loss, net force, radius: [steps + 1], from the start on */

    double loss_start, loss;
    double loss_sphere; /* of the uniform sphere of Theorem 1's radius */
    double loss_paper;  /* d (1 - 2 log 2), which the paper gives for mu = 1 */
    double radius_start, radius_start_deviation, radius, radius_deviation, radius_theory;
    double escape_gain, escape_radius; /* where points gain by leaving that sphere, if they do */
    double *eigenvalues;               /* [d], falling */
    double *axes;                      /* [d, d], rows */
    double *mean;                      /* [d] */
    double trace, eccentricity, effective_rank;
    size_t trapped; /* points that rest well inside the sphere */
    double nearest, nearest_deviation, nearest_least;
};

/* Writes points.png, history.png, radius.png and spectrum.png (or .svg, .pdf) into a directory. */
enum ecc_status ecc_simulate_draw(const struct ecc_simulate_result *result, const char *directory,
                                  const char *ending, struct ecc_error *error);

/* The report in words or as JSON. */
void ecc_simulate_print(const struct ecc_simulate_result *result);
json_t *ecc_simulate_json(const struct ecc_simulate_result *result);

#endif
