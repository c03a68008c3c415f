/* theory.c: `eccentric theory radius` and `theory m`: the minimum of the loss. */
#include "cli/output.h"
#include "cli/shared.h"

#include <math.h>

struct theory_settings {
    struct ecc_common common;
    size_t dim;
    double mu, radius;
    const char *m;

    enum ecc_m_rule rule; /* set by radius_check */
    double given;
};

static void theory_defaults(void *settings)
{
    struct theory_settings *const s = settings;
    s->m = "paper";
}

/* clang-format off */
#define OPTION_DIM                                                                                 \
    {.name = "dim", .kind = ECC_COUNT, ECC_TO(theory_settings, dim), .value_name = "D",            \
     .low = 2, .high = 1e6, .required = true,                                                      \
     .help = "dimensions of the latent space, at least 2"}
#define OPTION_MU                                                                                  \
    {.name = "mu", .kind = ECC_NUMBER, ECC_TO(theory_settings, mu), .value_name = "U",             \
     .low = 0.5, .above_low = true, .required = true,                                              \
     .help = "strength of the repulsion, above 1/2"}
/* clang-format on */

/* ---- theory radius -------------------------------------------------------------------------- */

static const struct ecc_option radius_options[] = {
    OPTION_DIM, OPTION_MU, ECC_OPTION_M(theory_settings, m), ECC_OPTION_JSON, ECC_OPTION_END,
};

static enum ecc_status radius_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    struct theory_settings *const s = settings;
    return ecc_parse_m(&s->rule, &s->given, s->m, error);
}

static enum ecc_status radius_run(void *settings, const char *const *operands, size_t count,
                                  struct ecc_error *error)
{
    (void)operands, (void)count;
    const struct theory_settings *const s = settings;
    double m, radius, loss, gain, better;
    ECC_TRY(ecc_theory_m(&m, s->dim, s->mu, s->rule, s->given, error));
    ECC_TRY(ecc_theory_radius(&radius, s->dim, s->mu, m, error));
    ECC_TRY(ecc_theory_sphere_loss(&loss, s->dim, s->mu, m, radius, error));
    ECC_TRY(ecc_theory_escape(&gain, &better, s->dim, s->mu, m, error));
    const double root = sqrt((double)s->dim), percent = 100 * (radius / root - 1);
    if (!s->common.json) {
        ecc_print("radius    %.12g   (%.6f%% %s sqrt(%zu) = %.12g)\n", radius, fabs(percent),
                  percent < 0 ? "below" : "above", s->dim, root);
        ecc_print("M         %.12g\n", m);
        ecc_print("loss      %.12g   of the sphere of that radius\n", loss);
        if (gain > 0) {
            ecc_print("minimum   no: a point gains %.4g by moving from the sphere to radius %.4g\n",
                      gain, better);
        } else {
            ecc_print("minimum   yes: no point gains by leaving the sphere\n");
        }
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_count(json, "dim", s->dim);
    ecc_json_number(json, "mu", s->mu);
    ecc_json_number(json, "M", m);
    ecc_json_number(json, "radius", radius);
    ecc_json_number(json, "sqrt_dim", root);
    ecc_json_number(json, "percent", percent);
    ecc_json_number(json, "loss", loss);
    ecc_json_flag(json, "minimum", gain == 0);
    ecc_json_number(json, "escape_gain", gain);
    ecc_json_number(json, "escape_radius", better);
    return ecc_json_print(json, error);
}

const struct ecc_command ecc_command_theory_radius = {
    .name = "theory radius",
    .operands = "",
    .summary = "compute the radius at which the loss is stationary (Theorem 1)",
    .description =
        "Computes the radius of the uniform sphere on which the loss is stationary (Theorem 1 of "
        "the paper), the loss of that sphere, and whether it is a minimum. With the paper's M it "
        "is not a minimum in two dimensions for mu above 1.55, nor in three for mu above 3.74.",
    .examples = "  eccentric theory radius --dim 64 --mu 1.8\n"
                "  eccentric theory radius --dim 2 --mu 5 --m exact --json\n",
    .options = radius_options,
    .settings_size = sizeof(struct theory_settings),
    .defaults = theory_defaults,
    .check = radius_check,
    .run = radius_run,
};

/* ---- theory m ------------------------------------------------------------------------------- */

static const struct ecc_option m_options[] = {
    OPTION_DIM,
    OPTION_MU,
    {"radius", ECC_NUMBER, ECC_TO(theory_settings, radius), "R", "the radius (default sqrt(d))", 0,
     1e100, .above_low = true},
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status m_run(void *settings, const char *const *operands, size_t count,
                             struct ecc_error *error)
{
    (void)operands, (void)count;
    const struct theory_settings *const s = settings;
    const double radius = s->radius > 0 ? s->radius : sqrt((double)s->dim);
    const double paper = ecc_theory_m_paper(s->dim, s->mu);
    double m;
    ECC_TRY(ecc_theory_m_for_radius(&m, s->dim, s->mu, radius, error));
    if (!s->common.json) {
        ecc_print("M         %.12g   gives radius %.12g\n", m, radius);
        ecc_print("paper's   %.12g   (closed form, meant for radius sqrt(d))\n", paper);
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_count(json, "dim", s->dim);
    ecc_json_number(json, "mu", s->mu);
    ecc_json_number(json, "radius", radius);
    ecc_json_number(json, "M", m);
    ecc_json_number(json, "M_paper", paper);
    return ecc_json_print(json, error);
}

const struct ecc_command ecc_command_theory_m = {
    .name = "theory m",
    .operands = "",
    .summary = "compute the M whose radius is exactly sqrt(d), or a given one",
    .description =
        "Solves Theorem 1 for the constant M that makes the loss stationary on the sphere of "
        "radius sqrt(d), or of the given radius.",
    .examples = "  eccentric theory m --dim 2 --mu 1\n"
                "  eccentric theory m --dim 8 --mu 1 --radius 1\n",
    .options = m_options,
    .settings_size = sizeof(struct theory_settings),
    .defaults = theory_defaults,
    .run = m_run,
};
