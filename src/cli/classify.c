/* classify.c: `eccentric classify`: how well the latents separate the classes, compared with
 * baselines. */
#include "cli/latent.h"
#include "cli/processes.h"
#include "cli/print.h"
#include "show/classification.h"

#include <stdlib.h>
#include <string.h>

struct classify_settings {
    struct ecc_common common;
    struct ecc_classify_options options;
    const char *out, *confusion, *labels, *depth;
    int method, subset, baselines;

    size_t *label_list, *depth_list; /* set by classify_check */
};

static const char *const method_names[] = {"knn", "tree", "mlp", NULL};
static const char *const subset_names[] = {"balanced", "uniform", NULL};
static const char *const baseline_names[] = {"yes", "no", NULL};
enum { SUBSET_UNIFORM = 1, BASELINES_YES = 0 };

static void classify_defaults(void *settings)
{
    struct classify_settings *const s = settings;
    s->options = ecc_classify_defaults();
    s->common.seed = s->options.seed;
}

#define TO(field) ECC_TO(classify_settings, field)

/* clang-format off */
static const struct ecc_option classify_options[] = {
    {"method", ECC_CHOICE, TO(method), NULL,
     "nearest neighbours (default), decision trees on the components, or a network of two hidden layers (IRMAE's)",
     .choices = method_names},
    {"neighbours", ECC_COUNT, TO(options.neighbours), "K",
     "knn: number of neighbours that vote (default: by the size of the classes, from 1 for fewer "
     "than 16 items to 15 from 784; with --labels 10,100,1000,10000 the paper's 1, 1, 5, "
     "10)", 1, 1e6},
    {"depth", ECC_TEXT, TO(depth), "D,D,...|full",
     "tree: maximum depths (default 1,8; of numbers 3,8)"},
    {"epochs", ECC_COUNT, TO(options.epochs), "N",
     "mlp: train for at most N epochs; a fifth of the labelled items says after how many to end (default 500)", 1, 1e6},
    {"labels", ECC_TEXT, TO(labels), "N,N,...|all",
     "learn from only N labelled items, drawn again for each repeat (default all)"},
    {"repeats", ECC_COUNT, TO(options.repeats), "R",
     "how often each number of labelled items is drawn (default 20)", 1, 10000},
    {"subset", ECC_CHOICE, TO(subset), NULL,
     "draw the same number of labelled items from each class (default), or from all items alike; "
     "attributes: always uniform", .choices = subset_names},
    {"target", ECC_TEXT, TO(options.target), "NAME",
     "predict only this number known of the items, such as an age (default: the classes, and all "
     "numbers)"},
    {"train", ECC_TEXT, TO(options.train), "DATA",
     "labelled items (default: the training part of the run's data)"},
    {"test", ECC_TEXT, TO(options.test), "DATA",
     "items to classify: all of DATA, or a part (default: those of the test part of the same data that the run was not "
     "trained on, else its validation items)"},
    {"validation", ECC_FLAG, TO(options.validation), NULL,
     "classify the run's validation items by its training items, to choose between recipes without "
     "touching the test part"},
    {"baselines", ECC_CHOICE, TO(baselines), NULL,
     "also classify pixels and their ordinary principal components (default "
     "yes)", .choices = baseline_names},
    {"items", ECC_COUNT, TO(options.items), "N", "only the first N items of each part", 1, 4e9},
    {"out", ECC_TEXT, TO(out), "FIGURE",
     "draw error against labels, what single components tell, or the confusions (.png, .svg, "
     ".pdf)", .writes = ECC_FORMAT_PICTURE},
    {"confusion", ECC_TEXT, TO(confusion), "FILE",
     "which classes are taken for which: a table of counts (.csv) or a picture (.png, .svg, "
     ".pdf)", .writes = ECC_FORMAT_PICTURE | ECC_FORMAT_CSV},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};
/* clang-format on */

/* A list such as "10,100,all" as numbers, where `word` stands for `meaning`. */
struct list_option {
    const char *name, *word;
    size_t meaning;
};

static enum ecc_status parse_list(size_t *list, size_t *count, const char *text,
                                  const struct list_option *option, struct ecc_error *error)
{
    for (const char *at = text;; at++) {
        char copy[24], quoted[ECC_QUOTE_SIZE];
        const size_t length = strcspn(at, ",");
        snprintf(copy, sizeof copy, "%.*s", (int)(length < 23 ? length : 23), at);
        size_t value = option->meaning;
        if (strcmp(copy, option->word) != 0 && (!ecc_parse_size(copy, &value) || value == 0)) {
            return ecc_fail(error, ECC_BAD_ARGUMENT,
                            "--%s has %s in its list, expected numbers of at least 1, or %s",
                            option->name, ecc_quote(quoted, at, length), option->word);
        }
        list[(*count)++] = value;
        at += length;
        if (*at == '\0') return ECC_OK;
    }
}

/* *list is NULL if the option was not given.  The caller frees *list. */
static enum ecc_status read_list(size_t **list, size_t *count, const char *text,
                                 const struct list_option *option, struct ecc_error *error)
{
    if (!text) return ECC_OK;
    *list = malloc((strlen(text) / 2 + 1) * sizeof **list);
    if (!*list) return ecc_fail_memory(error, "a list of numbers");
    const enum ecc_status status = parse_list(*list, count, text, option, error);
    if (status == ECC_OK) return ECC_OK;
    free(*list);
    *list = NULL;
    return status;
}

static enum ecc_status check_lists(struct classify_settings *s, struct ecc_error *error)
{
    static const struct list_option labels = {"labels", "all", 0};
    static const struct list_option depths = {"depth", "full", SIZE_MAX};
    ECC_TRY(read_list(&s->label_list, &s->options.label_count, s->labels, &labels, error));
    return read_list(&s->depth_list, &s->options.depth_count, s->depth, &depths, error);
}

static enum ecc_status check_rest(const struct classify_settings *s, struct ecc_error *error)
{
    const struct ecc_classify_options *const o = &s->options;
    if (!o->validation || (!o->train && !o->test && !o->items)) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "--validation uses the run's own items: it cannot be combined with --%s",
                    o->train  ? "train"
                    : o->test ? "test"
                              : "items");
}

static void release_lists(struct classify_settings *s)
{
    free(s->label_list);
    free(s->depth_list);
    s->label_list = s->depth_list = NULL;
}

static enum ecc_status classify_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    struct classify_settings *const s = settings;
    enum ecc_status status = check_lists(s, error);
    if (status == ECC_OK) status = check_rest(s, error);
    if (status != ECC_OK) release_lists(s);
    return status;
}

static enum ecc_status classify(struct ecc_classification *result, const char *run,
                                const struct classify_settings *s, struct ecc_error *error)
{
    struct ecc_classify_options options = s->options;
    options.method = (enum ecc_classify_method)s->method;
    options.labels = s->label_list;
    options.depths = s->depth_list;
    options.uniform = s->subset == SUBSET_UNIFORM;
    options.baselines = s->baselines == BASELINES_YES;
    options.seed = s->common.seed;
    struct ecc_model *model;
    struct ecc_cli_watch cli;
    ECC_TRY(ecc_cli_open(&model, run, &s->common, error));
    ecc_team_use(ecc_processes(), model);
    ecc_cli_watch_start(&cli, &s->common);
    const enum ecc_status status = ecc_classify(result, model, &options, &cli.watch, error);
    ecc_cli_watch_end(&cli);
    ecc_model_close(model);
    return status;
}

static enum ecc_status classify_run(void *settings, const char *const *operands, size_t count,
                                    struct ecc_error *error)
{
    (void)count;
    struct classify_settings *const s = settings;
    struct ecc_classification result = {0};
    enum ecc_status status = classify(&result, operands[0], s, error);
    const bool writes = ecc_team_rank(ecc_processes()) == 0;
    if (status == ECC_OK && s->out && writes) {
        status = ecc_draw_classification(&result, s->out, error);
    }
    if (status == ECC_OK && s->confusion && writes) {
        status = ecc_show_confusion(&result, s->confusion, error);
    }
    if (status == ECC_OK) {
        status = ecc_print_classification(&result, operands[0], s->common.json, error);
    }
    ecc_classification_release(&result);
    release_lists(s);
    return status;
}

const struct ecc_command ecc_command_classify = {
    .name = "classify",
    .operands = "RUN",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "classify items by their latents, and compare with baselines",
    .description =
        "Measures how well the latents separate classes. Test items are classified by their "
        "nearest labelled neighbours, by decision trees on the run's principal components, or by a "
        "small network trained on the labelled latents. The "
        "same is done for pixels, for ordinary PCA with as many components, and for always "
        "choosing the most frequent class. Data with many attributes (CelebA) is classified for "
        "all of them at once, and the mean error is reported. Beside the error stand the balanced "
        "error (the mean of the classes' errors) and the macro F1, for classes of different sizes, "
        "and which classes are taken for which. Trees also report the single "
        "component that says most about each attribute or class.\n\nNumbers known of the items (a "
        "numeric label, metadata) are predicted as the mean of the nearest neighbours and by "
        "regression trees, beside always predicting their mean.\n\nmpirun -n P or srun before the "
        "command shares the items among P processes (docs/cluster.md).",
    .examples = "  eccentric classify RUN\n"
                "  eccentric classify RUN --labels 10,100,1000,10000,all --out labels.png\n"
                "  eccentric classify RUN --confusion confusion.csv\n"
                "  eccentric classify RUN --method tree --depth 1,8 --out stumps.png\n"
                "  eccentric classify RUN --target age --out age.png\n"
                "  eccentric classify RUN --validation --baselines no --json\n",
    .together = true,
    .options = classify_options,
    .settings_size = sizeof(struct classify_settings),
    .defaults = classify_defaults,
    .check = classify_check,
    .run = classify_run,
};
