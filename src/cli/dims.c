/* dims.c: `eccentric dims`: how many latent dimensions a data set needs. */
#include "cli/latent.h"
#include "cli/shared.h"
#include "eccentric_show.h"

#include <math.h>
#include <string.h>

enum { MOST_SIZES = 64 };

struct dims_settings {
    struct ecc_common common;
    struct ecc_data_words data;
    const char *sizes, *out;
    double epochs;
};

static void dims_defaults(void *settings)
{
    struct dims_settings *const s = settings;
    s->sizes = "2,3,4,6,8,12,16";
    s->common.seed = 1;
}

/* clang-format off */
static const struct ecc_option dims_options[] = {
    {"latent", ECC_TEXT, ECC_TO(dims_settings, sizes), "2,4,8|2..16",
     "the sizes to try (default 2,3,4,6,8,12,16, as far as they are smaller than an item)"},
    {"epochs", ECC_NUMBER, ECC_TO(dims_settings, epochs), "N",
     "passes through the data for each size (default: by the number of items)", 0, 1e7},
    {"out", ECC_TEXT, ECC_TO(dims_settings, out), "FIGURE",
     "draw what each size explains (.png, .svg or .pdf)", .writes = ECC_FORMAT_PICTURE},
    ECC_OPTIONS_DATA(dims_settings, data),
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};
/* clang-format on */

static enum ecc_status dims_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    const struct dims_settings *const s = settings;
    size_t sizes[MOST_SIZES], count;
    (void)operand_count;
    return ecc_parse_sizes(sizes, &count, MOST_SIZES, s->sizes, error);
}

static void print_words(const struct ecc_dims *r)
{
    ecc_print("%zu %s item%s, which %s not trained on:\n\n", r->items, r->items_are,
              ecc_s(r->items), r->items == 1 ? "was" : "were");
    ecc_print("dimensions     error  explained  PCA error  explained  seconds\n");
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_dims_row *const row = &r->rows[i];
        ecc_print("%-10zu %9.5f %9.1f%% %10.5f %9.1f%% %8.1f\n", row->latent, row->error,
                  100 * ecc_dims_explained(row), row->pca_error,
                  100 * (1 - row->pca_error / row->variance), row->seconds);
    }
    ecc_print(
        "\nrecommended: --latent %zu, the smallest that explains 95%% of what the best does%s\n",
        r->recommended,
        r->count > 1 && r->recommended == r->rows[r->count - 1].latent
            ? "; it is the largest that was tried, so more may be needed"
            : "");
}

static enum ecc_status print_json(const struct ecc_dims *r, struct ecc_error *error)
{
    json_t *const json = json_object(), *const rows = json_array();
    ecc_json_text(json, "part", r->items_are);
    ecc_json_count(json, "items", r->items);
    ecc_json_count(json, "recommended", r->recommended);
    for (size_t i = 0; i < r->count; i++) {
        json_t *const row = json_object();
        ecc_json_count(row, "latent", r->rows[i].latent);
        ecc_json_number(row, "error", r->rows[i].error);
        ecc_json_number(row, "explained", ecc_dims_explained(&r->rows[i]));
        ecc_json_number(row, "pca_error", r->rows[i].pca_error);
        ecc_json_number(row, "pca_explained", 1 - r->rows[i].pca_error / r->rows[i].variance);
        ecc_json_count(row, "steps", r->rows[i].steps);
        ecc_json_number(row, "seconds", r->rows[i].seconds);
        json_array_append_new(rows, row);
    }
    json_object_set_new(json, "sizes", rows);
    return ecc_json_print(json, error);
}

/* Sizes as large as an item have nothing to compress. */
static enum ecc_status keep_small(size_t *count, const size_t *sizes, const char *data,
                                  const struct ecc_data_options *options, struct ecc_error *error)
{
    struct ecc_dataset *set;
    ECC_TRY(ecc_dataset_open(&set, data, options, error));
    const size_t size = ecc_shape_size(set->shape);
    ecc_dataset_close(set);
    while (*count > 1 && sizes[*count - 1] >= size) (*count)--;
    return ECC_OK;
}

static struct ecc_train_options train_options_of(const struct dims_settings *s, const char *data)
{
    struct ecc_train_options o = ecc_data_words_train(&s->data);
    o.data = data;
    o.epochs = s->epochs;
    o.seed = s->common.seed;
    o.threads = s->common.threads;
    return o;
}

static enum ecc_status dims_run(void *settings, const char *const *operands, size_t operand_count,
                                struct ecc_error *error)
{
    const struct dims_settings *const s = settings;
    const struct ecc_train_options options = train_options_of(s, operands[0]);
    const struct ecc_data_options data = ecc_settings_data(&options);
    size_t sizes[MOST_SIZES], count;
    struct ecc_dims result;
    struct ecc_cli_watch cli;
    (void)operand_count;
    ECC_TRY(ecc_parse_sizes(sizes, &count, MOST_SIZES, s->sizes, error));
    ECC_TRY(keep_small(&count, sizes, operands[0], &data, error));
    ecc_cli_watch_start(&cli, &s->common);
    enum ecc_status status = ecc_dims_measure(&result, &options, sizes, count, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    if (status == ECC_OK && s->out) status = ecc_draw_dims(&result, s->out, error);
    if (status == ECC_OK && s->common.json) {
        status = print_json(&result, error);
    } else if (status == ECC_OK) {
        print_words(&result);
    }
    ecc_dims_release(&result);
    return status;
}

const struct ecc_command ecc_command_dims = {
    .name = "dims",
    .operands = "DATA",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "find out how many latent dimensions a data set needs",
    .description =
        "Trains DATA with several latent sizes, each in memory and with default settings, and "
        "shows for each the reconstruction error of items that were not trained on and the share "
        "of their variance that is explained, beside PCA of the same size. Recommends the smallest "
        "size that explains 95% of what the best one does.",
    .examples = "  eccentric dims table.csv\n"
                "  eccentric dims table.csv --latent 2..16 --drop id,date --scaling robust\n"
                "  eccentric dims glyphs --items 2000 --latent 2,4,8 --out dims.png\n",
    .options = dims_options,
    .settings_size = sizeof(struct dims_settings),
    .defaults = dims_defaults,
    .check = dims_check,
    .run = dims_run,
};
