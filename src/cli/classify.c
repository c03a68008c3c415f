/* classify.c: `eccentric classify`: how well latents tell the classes, beside baselines. */
#include "cli/classify.h"
#include "base/clock.h"
#include "base/text.h"
#include "figure/figure.h"

#include <stdlib.h>
#include <string.h>

static void classify_defaults(void *settings)
{
    struct ecc_classify_settings *const s = settings;
    s->repeats = 20;
    s->depth = "1,8";
    s->common.seed = 1;
}

static const char *const method_names[] = {"knn", "tree", NULL};
static const char *const subset_names[] = {"balanced", "uniform", NULL};
static const char *const baseline_names[] = {"yes", "no", NULL};

static const struct ecc_option classify_options[] = {
    {.name = "method",
     .kind = ECC_CHOICE,
     ECC_TO(ecc_classify_settings, method),
     .choices = method_names,
     .help = "nearest neighbours (default), or decision trees on the components"},
    {.name = "neighbours",
     .kind = ECC_COUNT,
     ECC_TO(ecc_classify_settings, neighbours),
     .value_name = "K",
     .low = 1,
     .high = 1e6,
     .help = "knn: vote of K neighbours (default 15; with --labels as the paper: 1 below 1000 "
             "items, 5, 10 from 10000, 15 from 50000)"},
    {.name = "depth",
     .kind = ECC_TEXT,
     ECC_TO(ecc_classify_settings, depth),
     .value_name = "D,D,...|full",
     .help = "tree: how deep (default 1,8)"},
    {.name = "labels",
     .kind = ECC_TEXT,
     ECC_TO(ecc_classify_settings, labels),
     .value_name = "N,N,...|all",
     .help = "learn from N labelled items only, drawn anew each repeat (default all)"},
    {.name = "repeats",
     .kind = ECC_COUNT,
     ECC_TO(ecc_classify_settings, repeats),
     .value_name = "R",
     .low = 1,
     .high = 10000,
     .help = "draws of each number of labelled items (default 20)"},
    {.name = "subset",
     .kind = ECC_CHOICE,
     ECC_TO(ecc_classify_settings, subset),
     .choices = subset_names,
     .help = "as many labelled items of each class (default), or any; attributes: any"},
    {.name = "train",
     .kind = ECC_TEXT,
     ECC_TO(ecc_classify_settings, train),
     .value_name = "DATA",
     .help = "labelled items (default: the training part of the run's data)"},
    {.name = "test",
     .kind = ECC_TEXT,
     ECC_TO(ecc_classify_settings, test),
     .value_name = "DATA",
     .help = "items to classify (default: the test part of the same)"},
    {.name = "validation",
     ECC_TO(ecc_classify_settings, validation),
     .help = "classify the items that the run kept for validation instead, by those it was "
             "trained on: to choose between recipes without touching the test part"},
    {.name = "baselines",
     .kind = ECC_CHOICE,
     ECC_TO(ecc_classify_settings, baselines),
     .choices = baseline_names,
     .help = "also classify pixels and their ordinary principal components (default yes)"},
    {.name = "items",
     .kind = ECC_COUNT,
     ECC_TO(ecc_classify_settings, items),
     .value_name = "N",
     .low = 1,
     .high = 4e9,
     .help = "only the first N items of each part"},
    {.name = "out",
     .kind = ECC_TEXT,
     ECC_TO(ecc_classify_settings, out),
     .value_name = "FIGURE",
     .help = "draw error against labels, what stumps find, or the confusions (.png, .svg, .pdf)"},
    ECC_OPTION_SEED,
    ECC_OPTION_THREADS,
    ECC_OPTION_QUIET,
    ECC_OPTION_JSON,
    ECC_OPTION_END,
};

/* "10,100,all" as numbers, where `word` stands for `meaning`; *list is the caller's to free. */
static enum ecc_status parse_counts(size_t **list, size_t *count, const char *text,
                                    const char *option, const char *word, size_t meaning,
                                    struct ecc_error *error)
{
    *list = malloc((strlen(text) / 2 + 1) * sizeof **list);
    *count = 0;
    if (!*list) return ecc_fail_memory(error, "a list of numbers");
    for (const char *at = text;; at++) {
        char copy[24], quoted[ECC_QUOTE_SIZE];
        const size_t length = strcspn(at, ",");
        snprintf(copy, sizeof copy, "%.*s", (int)(length < 23 ? length : 23), at);
        size_t value = meaning;
        if (strcmp(copy, word) != 0 && (!ecc_parse_size(copy, &value) || value == 0)) {
            return ecc_fail(error, ECC_BAD_ARGUMENT,
                            "--%s has %s in its list, expected numbers from 1 on, or %s", option,
                            ecc_quote(quoted, at, length), word);
        }
        (*list)[(*count)++] = value;
        at += length;
        if (*at == '\0') return ECC_OK;
    }
}

static void release_lists(struct ecc_classify_settings *s)
{
    free(s->label_counts);
    free(s->depths);
    s->label_counts = s->depths = NULL;
}

static enum ecc_status check_lists(struct ecc_classify_settings *s, struct ecc_error *error)
{
    ECC_TRY(parse_counts(&s->label_counts, &s->label_count_count, s->labels ? s->labels : "all",
                         "labels", "all", 0, error));
    ECC_TRY(parse_counts(&s->depths, &s->depth_count, s->depth, "depth", "full", SIZE_MAX, error));
    if (s->out) ECC_TRY(ecc_figure_check_path(s->out, error));
    if (!s->validation || (!s->train && !s->test && !s->items)) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "--validation takes the run's own items, so it does not go with --%s",
                    s->train  ? "train"
                    : s->test ? "test"
                              : "items");
}

static enum ecc_status classify_check(void *settings, size_t operand_count, struct ecc_error *error)
{
    (void)operand_count;
    struct ecc_classify_settings *const s = settings;
    const enum ecc_status status = check_lists(s, error);
    if (status != ECC_OK) release_lists(s);
    return status;
}

static enum ecc_status classify(struct ecc_classify *c, const char *run, struct ecc_error *error)
{
    const double start = ecc_seconds();
    ECC_TRY(ecc_classify_open(c, run, error));
    ECC_TRY(ecc_classify_evaluate(c, error));
    if (c->settings->method == ECC_CLASSIFY_TREE) ECC_TRY(ecc_classify_stumps(c, error));
    c->seconds = ecc_seconds() - start;
    if (c->settings->out) ECC_TRY(ecc_classify_draw(c, c->settings->out, error));
    return ecc_classify_report(c, error);
}

static enum ecc_status classify_run(void *settings, const char *const *operands, size_t count,
                                    struct ecc_error *error)
{
    (void)count;
    struct ecc_classify c = {.settings = settings};
    ecc_catch_interrupt();
    const enum ecc_status status = classify(&c, operands[0], error);
    ecc_classify_release(&c);
    release_lists(settings);
    return status;
}

const struct ecc_command ecc_command_classify = {
    .name = "classify",
    .operands = "RUN",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "how well the latents tell classes or attributes, beside baselines",
    .description =
        "Classifies test items by their latents: by a vote of the nearest labelled items, or by "
        "decision trees with the best information gain on the run's principal components.  Always "
        "beside the same for the pixels themselves, for as many ordinary principal components, and "
        "for the most frequent class.  Data with many attributes (CelebA) is classified for all of "
        "them at once, and the mean error is given.\n"
        "With trees, also which single component tells most about each attribute or class.",
    .examples = "  eccentric classify RUN\n"
                "  eccentric classify RUN --labels 10,100,1000,10000,all --out labels.png\n"
                "  eccentric classify RUN --method tree --depth 1,8 --out stumps.png\n"
                "  eccentric classify RUN --validation --baselines no --json\n",
    .options = classify_options,
    .settings_size = sizeof(struct ecc_classify_settings),
    .defaults = classify_defaults,
    .check = classify_check,
    .run = classify_run,
};
