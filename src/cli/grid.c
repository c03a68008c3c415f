/* grid.c: `eccentric grid`: images of all combinations of signs of some components (Figure 8). */
#include "eccentric_show.h"

#include "cli/latent.h"

#include <stdlib.h>

struct grid_settings {
    struct ecc_common common;
    const char *x, *y, *out, *data;
    double deviations;
};

static void grid_defaults(void *settings)
{
    ((struct grid_settings *)settings)->deviations = 1;
}

static const struct ecc_option grid_options[] = {
    {"x", ECC_TEXT, ECC_TO(grid_settings, x), "p6,p11,p3",
     "components that change from column to column", .required = true},
    {"y", ECC_TEXT, ECC_TO(grid_settings, y), "p2,p10,p9", "components that change from row to row",
     .required = true},
    {"deviations", ECC_NUMBER, ECC_TO(grid_settings, deviations), "K",
     "plus or minus K standard deviations along each (default 1)", 0, 100, .above_low = true},
    {"out", ECC_TEXT, ECC_TO(grid_settings, out), "GRID.png",
     "the picture, .png, .svg or .pdf (default: RUN/figures/grid.png)",
     .writes = ECC_FORMAT_PICTURE},
    ECC_OPTION_RUN_DATA(grid_settings, data),
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

static enum ecc_status say(const struct ecc_model *model, const struct ecc_walk_grid *grid,
                           const char *path, const struct grid_settings *s, struct ecc_error *error)
{
    const size_t rows = (size_t)1 << grid->y_count, columns = (size_t)1 << grid->x_count;
    if (!s->common.json) {
        ecc_print("%zu x %zu images in %s\n", rows, columns, path);
        return ECC_OK;
    }
    json_t *const json = json_object();
    ecc_json_text(json, "run", model->run->directory);
    ecc_json_text(json, "out", path);
    ecc_json_count(json, "rows", rows);
    ecc_json_count(json, "columns", columns);
    ecc_json_number(json, "deviations", s->deviations);
    return ecc_json_print(json, error);
}

static enum ecc_status draw(struct ecc_model *model, const struct ecc_walk_grid *grid,
                            const struct grid_settings *s, struct ecc_error *error)
{
    struct ecc_components components;
    char *path;
    ECC_TRY(ecc_cli_components(&components, model, s->data, &s->common, error));
    enum ecc_status status = ecc_cli_path(&path, model, s->out, "grid.png", error);
    if (status == ECC_OK) status = ecc_draw_grid(model, &components, grid, path, error);
    if (status == ECC_OK) status = say(model, grid, path, s, error);
    free(path);
    ecc_components_release(&components);
    return status;
}

static enum ecc_status grid_run(void *settings, const char *const *operands, size_t count,
                                struct ecc_error *error)
{
    (void)count;
    const struct grid_settings *const s = settings;
    struct ecc_model *model;
    size_t *x = NULL, *y = NULL;
    struct ecc_walk_grid grid = {.deviations = s->deviations};
    ECC_TRY(ecc_cli_open(&model, operands[0], &s->common, error));
    enum ecc_status status = ecc_components_parse(&x, &grid.x_count, s->x, model->d, error);
    if (status == ECC_OK) status = ecc_components_parse(&y, &grid.y_count, s->y, model->d, error);
    grid.x = x;
    grid.y = y;
    if (status == ECC_OK) status = draw(model, &grid, s, error);
    free(x);
    free(y);
    ecc_model_close(model);
    return status;
}

const struct ecc_command ecc_command_grid = {
    .name = "grid",
    .operands = "RUN",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "draw all combinations of some components",
    .description =
        "Decodes the mean plus or minus some deviations along the given components, for every "
        "combination of signs: three components on each side make 8 x 8 images. On each side, the "
        "first component changes most slowly.",
    .examples = "  eccentric grid run --x p6,p4,p3 --y p2,p7,p5 --out grid.png\n"
                "  eccentric grid faces-run --x p1-p4 --y p5,p6 --deviations 1.5 --out grid.pdf\n",
    .options = grid_options,
    .settings_size = sizeof(struct grid_settings),
    .defaults = grid_defaults,
    .run = grid_run,
};
