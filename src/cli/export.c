/* export.c: `eccentric export`: a model in the formats of other programs. */
#include "base/file.h"
#include "base/terminal.h"
#include "cli/latent.h"
#include "cli/latents_option.h"
#include "explore/space.h"
#include "export/page_net.h"

#include <stdlib.h>
#include <sys/stat.h>

struct export_settings {
    struct ecc_common common;
    const char *onnx, *html, *projector, *data;
    struct ecc_onnx_options options;
    struct ecc_latents_request elsewhere; /* items, also of a run */
    int weights;
};

/* Without --items: the most items, and the most pixels of all images together. */
enum { USUAL_ITEMS = 5000, USUAL_PIXELS = 8000000 };

static void export_defaults(void *settings)
{
    struct export_settings *const s = settings;
    s->weights = ECC_WEIGHTS_AUTO;
}

#define TO(field) ECC_TO(export_settings, field)

static const struct ecc_option export_options[] = {
    {"onnx", ECC_TEXT, TO(onnx), "DIR",
     "write DIR/encoder.onnx (items to latents z and components p) and DIR/decoder.onnx "
     "(components, in deviations, to items)",
     .writes = ECC_FORMAT_FOLDER},
    {"html", ECC_TEXT, TO(html), "PAGE.html",
     "write the explorer as one file, with the model and items inside: it needs no server and no "
     "network",
     .writes = ECC_FORMAT_HTML},
    {"projector", ECC_TEXT, TO(projector), "DIR",
     "write the components of the items for TensorBoard's Embedding Projector: tensors.tsv, "
     "metadata.tsv, sprite.png and projector_config.pbtxt",
     .writes = ECC_FORMAT_FOLDER},
    {"items", ECC_COUNT, TO(elsewhere.items), "N",
     "--html, --projector: N items, of each class its share; without labels the first (default "
     "5000; --html: of images, at most 8 million pixels together)",
     1, 1e6},
    ECC_OPTIONS_LATENTS(export_settings, elsewhere),
    {"weights", ECC_CHOICE, TO(weights), NULL,
     "--html: how weights are stored (default auto: float16, or int8 where float16 needs more than "
     "2 MB and pictures stay nearly the same)",
     .choices = ecc_weight_format_names},
    {"keep-norms", ECC_FLAG, TO(options.keep_norms), NULL,
     "--onnx: keep batch norm as a layer, to train the model further; otherwise it is part of the "
     "weights"},
    {"data", ECC_TEXT, TO(data), "DATA",
     "--html, --projector: the items to show (default: the training part of the run's data); "
     "--onnx: where the "
     "run's training data is now, if it has moved"},
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

/* The size of a file that was just written; 0 if it was not. */
static size_t size_of(const char *directory, const char *name)
{
    struct stat status;
    char *const path = ecc_path_join(directory, name);
    const size_t size = path && stat(path, &status) == 0 ? (size_t)status.st_size : 0;
    free(path);
    return size;
}

static void print_file(const char *directory, const char *name, const char *what)
{
    ecc_print("%s/%s  %s  %.2f MB\n", directory, name, what,
              1e-6 * (double)size_of(directory, name));
}

static enum ecc_status report(const struct ecc_model *m, const struct export_settings *s,
                              struct ecc_error *error)
{
    const bool table = m->scaling.columns > 0, encoder = ecc_model_encoder_is_exportable(m);
    if (s->common.json) {
        json_t *const json = json_object();
        ecc_json_text(json, "run", m->run->directory);
        ecc_json_text(json, "out", s->onnx);
        ecc_json_count(json, "latent", m->d);
        ecc_json_count(json, "decoder_bytes", size_of(s->onnx, "decoder.onnx"));
        if (encoder) ecc_json_count(json, "encoder_bytes", size_of(s->onnx, "encoder.onnx"));
        return ecc_json_print(json, error);
    }
    char x[80];
    if (table || m->size == m->shape.channels) {
        snprintf(x, sizeof x, "x [n, %zu]", m->size);
    } else {
        snprintf(x, sizeof x, "x [n, %zu, %zu, %zu]", m->shape.channels, m->shape.height,
                 m->shape.width);
    }
    char in[160], out[160];
    snprintf(in, sizeof in, "%s -> z, p [n, %zu]", x, m->d);
    snprintf(out, sizeof out, "p [n, %zu] -> %s", m->d, x);
    if (encoder) print_file(s->onnx, "encoder.onnx", in);
    print_file(s->onnx, "decoder.onnx", out);
    ecc_print("%s; p: components, in deviations\n",
              table ? "x: a table's features in their own units" : "x: pixels from 0 to 1");
    if (!encoder) {
        ecc_print("The latents of '%s' are codes, which ONNX has no operator for: there is no "
                  "encoder.\n",
                  m->regularizer.entry->name);
    }
    return ECC_OK;
}

static enum ecc_status write_onnx(const char *run, const struct export_settings *s,
                                  struct ecc_error *error)
{
    struct ecc_components components = {0};
    struct ecc_model *model;
    ECC_TRY(ecc_cli_open(&model, run, &s->common, error));
    enum ecc_status status = ecc_cli_components(&components, model, s->data, &s->common, error);
    if (status == ECC_OK) {
        status = ecc_model_export_onnx(model, &components, s->onnx, &s->options, error);
    }
    if (status == ECC_OK) status = report(model, s, error);
    ecc_components_release(&components);
    ecc_model_close(model);
    return status;
}

/* ---- A page --------------------------------------------------------------------------------- */

/* How weights are stored, why, and what that costs. */
static void print_weights(const struct ecc_space *space, const struct ecc_one_file_sizes *sizes)
{
    const struct ecc_page_error *const found = &sizes->error;
    char why[80] = "", placed[80] = "";
    if (found->items == 0) return;
    if (sizes->spared > 0) {
        snprintf(why, sizeof why, ", %.2f MB less than as float16",
                 1e-6 * sizes->packed * (double)sizes->spared);
    }
    if (found->placed > 0) {
        snprintf(placed, sizeof placed, ", encoded ones by %.2g deviations", found->placed);
    }
    ecc_print(
        "Weights as %s%s: %zu decoded %s differ from the model's by at most %.2g%s (root mean "
        "square %.2g)%s.\n",
        ecc_weight_format_names[sizes->weights], why, found->items,
        space->is_table ? "rows" : "images", found->most,
        space->is_table ? " deviations of a column" : " of 255", found->typical, placed);
}

static enum ecc_status report_page(const struct ecc_space *space,
                                   const struct ecc_one_file_sizes *sizes,
                                   const struct export_settings *s, struct ecc_error *error)
{
    const double mega = 1e-6, packed = mega * sizes->packed;
    if (s->common.json) {
        json_t *const json = json_object();
        ecc_json_text(json, "out", s->html);
        ecc_json_count(json, "bytes", sizes->all);
        ecc_json_count(json, "items", space->count);
        ecc_json_text(json, "weights", ecc_weight_format_names[sizes->weights]);
        if (sizes->error.items > 0) {
            ecc_json_number(json, "error_most", sizes->error.most);
            ecc_json_number(json, "error_rms", sizes->error.typical);
            ecc_json_number(json, "error_placed", sizes->error.placed);
        }
        return ecc_json_print(json, error);
    }
    char of[40] = "";
    if (space->of > space->count) snprintf(of, sizeof of, " of %zu", space->of);
    ecc_print("%s  %.2f MB: page %.2f, model about %.2f, %zu%s item%s %.2f, answers %.2f\n",
              s->html, mega * (double)sizes->all, mega * (double)sizes->page,
              packed * (double)sizes->nets, space->count, of, ecc_s(space->of),
              packed * (double)sizes->items, packed * (double)sizes->answers);
    print_weights(space, sizes);
    ecc_print("Open it by a double click; --items N%s smaller.\n",
              space->latents || sizes->weights == ECC_WEIGHTS_BYTE ? " makes it"
                                                                   : " and --weights int8 make it");
    return ECC_OK;
}

/* ---- The projector -------------------------------------------------------------------------- */

static enum ecc_status report_projector(const struct ecc_space *space, bool sprite,
                                        const struct export_settings *s, struct ecc_error *error)
{
    if (s->common.json) {
        json_t *const json = json_object();
        ecc_json_text(json, "out", s->projector);
        ecc_json_count(json, "items", space->count);
        ecc_json_count(json, "components", space->d);
        ecc_json_flag(json, "sprite", sprite);
        return ecc_json_print(json, error);
    }
    ecc_print("%zu item%s along %zu component%s in %s; see them with: tensorboard --logdir %s\n",
              space->count, ecc_s(space->count), space->d, ecc_s(space->d), s->projector,
              s->projector);
    if (!sprite && !space->is_table && !space->pixels) {
        ecc_print("No sprite: so many images do not fit into 8192 x 8192 pixels; --items fewer.\n");
    }
    return ECC_OK;
}

/* ---- What needs items ----------------------------------------------------------------------- */

static enum ecc_status write_items(struct ecc_space *space, const struct export_settings *s,
                                   const struct ecc_watch *watch, struct ecc_error *error)
{
    if (s->projector) {
        bool sprite;
        ECC_TRY(ecc_projector_write(space, s->projector, &sprite, watch, error));
        return report_projector(space, sprite, s, error);
    }
    struct ecc_one_file_sizes sizes;
    ECC_TRY(ecc_one_file_write(space, s->html, (enum ecc_weight_format)s->weights, &sizes, watch,
                               error));
    return report_page(space, &sizes, s, error);
}

static enum ecc_status write_space(const char *const *runs, size_t count,
                                   const struct export_settings *s, struct ecc_error *error)
{
    struct ecc_latents_request elsewhere = s->elsewhere;
    if (elsewhere.items == 0) {
        elsewhere.items = USUAL_ITEMS;
        elsewhere.pixels = s->html ? USUAL_PIXELS : 0;
    }
    const struct ecc_space_request request = {.runs = runs,
                                              .run_count = count,
                                              .data = s->data,
                                              .items = elsewhere.items,
                                              .spread = true,
                                              .pixels = elsewhere.pixels,
                                              .elsewhere = elsewhere,
                                              .threads = (int)s->common.threads,
                                              .alone = true};
    struct ecc_space *space;
    struct ecc_cli_watch cli;
    ecc_cli_watch_start(&cli, &s->common);
    enum ecc_status status = ecc_space_open(&space, &request, &cli.watch, error);
    if (status == ECC_OK) status = write_items(space, s, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    ecc_space_free(space);
    return status;
}

/* ---- The command ---------------------------------------------------------------------------- */

static enum ecc_status export_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    const struct export_settings *const s = settings;
    const int asked = (s->onnx != NULL) + (s->html != NULL) + (s->projector != NULL);
    if (asked != 1) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "export takes one of --html PAGE.html, --onnx DIR and --projector DIR, got "
                        "%d of them",
                        asked);
    }
    ECC_TRY(ecc_cli_check_latents(&s->elsewhere, operand_count, s->data, "export", error));
    if (s->elsewhere.latents && s->onnx) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--onnx needs a run: latents alone have no model");
    }
    if (!s->html && operand_count > 1) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--%s takes one run, got two",
                        s->onnx ? "onnx" : "projector");
    }
    return ECC_OK;
}

static enum ecc_status export_run(void *settings, const char *const *operands, size_t count,
                                  struct ecc_error *error)
{
    const struct export_settings *const s = settings;
    return s->onnx ? write_onnx(operands[0], s, error) : write_space(operands, count, s, error);
}

const struct ecc_command ecc_command_export = {
    .name = "export",
    .operands = "RUN [RUN2]",
    .operand_min = 0,
    .operand_max = 2,
    .summary = "write a run as one page to mail, or for other programs (ONNX, TensorBoard)",
    .description =
        "--html writes the explorer of RUN as one HTML file that anyone can open by a double "
        "click, without a server, a network or this program: sliders, strips, map, items, samples, "
        "grids, paths, labels, an image of one's own dropped on it; with RUN2, both. The decoder "
        "and the encoder run in the page.\n\n--onnx writes the model as ONNX (opset 17), for ONNX "
        "Runtime, OpenVINO and others. Everything between a file's numbers and the components is "
        "inside: the scaling of a table, missing cells (NaN), batch norm, the axes of the "
        "components. Latents drawn from a standard normal, given to the decoder as p, are samples "
        "of the model.\n\n--projector writes the components of the items, in deviations, for "
        "TensorBoard's Embedding Projector, with what is known of them and, of images, a sprite."
        "\n\nWith --latents instead of RUN, --html and --projector take embeddings from anywhere: "
        "a map of them, without what needs a decoder.",
    .examples = "  eccentric export run --html run.html --data mnist:test --items 10000\n"
                "  eccentric export faces-run --html faces.html --weights int8\n"
                "  eccentric export run --onnx onnx/\n"
                "  eccentric export run --projector projector/ --items 10000\n"
                "  eccentric export --latents z.npy --images photos/ --html map.html\n",
    .options = export_options,
    .settings_size = sizeof(struct export_settings),
    .defaults = export_defaults,
    .check = export_check,
    .run = export_run,
};
