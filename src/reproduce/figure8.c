/* figure8.c: Figure 8: images of all combinations of signs of six components. */
#include "reproduce/items.h"

/* The paper's components for faces; of eight, the first six. */
static const struct {
    const char *x, *y;
} axes[ECC_SETS] = {{"p1,p3,p5", "p2,p4,p6"}, {"p6,p11,p3", "p2,p10,p9"}};

static struct ecc_setting setting_of(const struct ecc_repro *r)
{
    const enum ecc_repro_set set = ecc_plan_set(r);
    return ecc_eae(set, ecc_plan_latent(set), set == ECC_FACES ? 1e-4 : 1e-3, 1, 1);
}

static void plan(struct ecc_repro *r)
{
    static const char *const names[] = {"figure8", "figure8-svg"}, *const files[] = {
                                                                       "figures/figure8.png",
                                                                       "figures/figure8.svg"};
    const struct ecc_setting s = setting_of(r);
    const int run = ecc_plan_run(r, &s);
    for (size_t i = 0; i < 2; i++) {
        const int step = ecc_plan_step_on(r, names[i], "grid", &run, 1, "--x", axes[s.set].x, "--y",
                                          axes[s.set].y, "--out", files[i], "--json");
        ecc_plan_file(r, step, files[i]);
    }
}

static enum ecc_status report(const struct ecc_repro *r, json_t *section, struct ecc_error *error)
{
    (void)error;
    const enum ecc_repro_set set = ecc_plan_set(r);
    if (!r->data[set].what) ecc_section_lacks(section, r, set);
    ecc_section_task(section, r, ecc_plan_find(r, "figure8"));
    if (!ecc_plan_result(r, "figure8")) return ECC_OK;
    ecc_section_figure(section, "figures/figure8",
                       "%s: components %s across and %s down, each plus and minus.",
                       ecc_set_title(r, set), axes[set].x, axes[set].y);
    if (set == ECC_FACES) {
        ecc_section_text(section,
                         "Which of the paper's p2, p3, ... these are depends on the run: see Table "
                         "4 for what each of ours tells.");
    } else {
        ecc_section_text(section, "The paper has faces here: p6, p11, p3 across and p2, p10, p9 "
                                  "down.");
    }
    return ECC_OK;
}

const struct ecc_item ecc_item_figure8 = {
    .name = "figure8",
    .title = "Figure 8: combinations of components",
    .about = "Images decoded from all combinations of plus and minus of six components.",
    .digits = true,
    .faces = true,
    .plan = plan,
    .report = report,
};
