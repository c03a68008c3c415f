/* figure8.c: Figure 8: images of all combinations of signs of six components. */
#include "eccentric_show.h"

#include "reproduce/items.h"

/* The paper's components for faces; of eight, the first six.  Numbered from 0. */
static const struct axes {
    size_t x[3], y[3];
    const char *x_words, *y_words;
} axes[ECC_SETS] = {{{0, 2, 4}, {1, 3, 5}, "p1,p3,p5", "p2,p4,p6"},
                    {{5, 10, 2}, {1, 9, 8}, "p6,p11,p3", "p2,p10,p9"}};

struct drawing {
    struct ecc_opened run;
    const struct axes *axes;
};

static enum ecc_status draw(void *context, const char *path, struct ecc_error *error)
{
    struct drawing *const d = context;
    const struct ecc_walk_grid grid = {d->axes->x, d->axes->y, 3, 3, 1};
    return ecc_draw_grid(d->run.model, &d->run.components, &grid, path, error);
}

static enum ecc_status measure(const struct ecc_repro *r, const struct ecc_task *task, json_t *out,
                               struct ecc_error *error)
{
    struct drawing d = {.axes = &axes[ecc_plan_set(r)]};
    enum ecc_status status = ecc_opened_open(&d.run, r, task, error);
    if (status == ECC_OK) {
        status = ecc_measure_picture(r, out, "figures/figure8", draw, &d, error);
    }
    ecc_opened_close(&d.run);
    return status;
}

static void make(struct ecc_section *s)
{
    struct ecc_repro *const r = s->r;
    const enum ecc_repro_set set = ecc_plan_set(r);
    const struct axes *const a = &axes[set];
    const double lambda = set == ECC_FACES ? 1e-4 : 1e-3;
    if (!r->data[set].what) ecc_section_lacks(s, set);
    const int run = ecc_ask_run(s, ecc_eae(set, ecc_plan_latent(set), lambda, 1, 1));
    const struct ecc_step step = {
        .name = "figure8",
        .measure = measure,
        .runs = ecc_group_of(run),
        .command = "grid",
        .words = ECC_SAY("--x %s --y %s --out figures/figure8.png", a->x_words, a->y_words)};
    if (!ecc_ask(s, &step)) return;
    ecc_section_figure(s, "figures/figure8",
                       "%s: components %s across and %s down, each plus and minus.",
                       ecc_set_title(r, set), a->x_words, a->y_words);
    ecc_section_text(s, "%s",
                     set == ECC_FACES
                         ? "Components are numbered differently in each run: Table 4 shows "
                           "what ours predict."
                         : "The paper has faces here: p6, p11, p3 across and p2, p10, p9 down.");
}

const struct ecc_item ecc_item_figure8 = {
    .name = "figure8",
    .title = "Figure 8: combinations of components",
    .about = "Images decoded from all combinations of plus and minus of six components.",
    .digits = true,
    .faces = true,
    .make = make,
};
