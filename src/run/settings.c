/* settings.c: the table of all settings of a training, and what they are unless changed. */
#include "run/settings.h"
#include "regularizer/choice.h"

#include <math.h>
#include <string.h>

const char *const ecc_schedule_names[] = {"constant", "cosine", "fall", NULL};
const char *const ecc_keep_names[] = {"last", "best", "refit", "auto", NULL};
const char *const ecc_reconstruction_names[] = {"mse", "bce", NULL};
const char *const ecc_pairs_names[] = {"published", "distinct", NULL};
const char *const ecc_m_rule_names[] = {"paper", "exact", "given", NULL};

#define TEXT(field) ECC_SETTING_TEXT, .offset = offsetof(struct ecc_train_options, field)
#define COUNT(field) ECC_SETTING_COUNT, .offset = offsetof(struct ecc_train_options, field)
#define U64(field) ECC_SETTING_U64, .offset = offsetof(struct ecc_train_options, field)
#define NUMBER(field) ECC_SETTING_NUMBER, .offset = offsetof(struct ecc_train_options, field)
#define FLAG(field) ECC_SETTING_FLAG, .offset = offsetof(struct ecc_train_options, field)
#define CHOICE(field, names)                                                                       \
    ECC_SETTING_CHOICE, .offset = offsetof(struct ecc_train_options, field), .choices = names
#define RANGE(a, b) .low = (a), .high = (b)
#define ABOVE(a, b) .low = (a), .high = (b), .above_low = true

/* clang-format off */
const struct ecc_train_setting ecc_settings[] = {
    {"data.source", NULL, "DATA", "the training data", TEXT(data), .path = true},
    {"net.name", "net", "NAME|FILE", "paper-mnist, paper-celeba, svae-mnist, two-stage (tables), auto, or a file of your own (docs/nets.md)", TEXT(net)},
    {"net.width", "width", "W", "scales the channels of a built-in net (default: 1, less for tables of few rows)", NUMBER(width), RANGE(0, 16)},
    {"net.latent", "latent", "D", "dimensions of the latent space", COUNT(latent), RANGE(1, 4096)},
    {"regularizer.name", "regularizer", "NAME[:OPTION=VALUE]", "regularizer of the latents, such as eccentric, none, kl, mmd or mhe:s=2 (see eccentric methods)", TEXT(regularizer)},
    {"regularizer.lambda", "lambda", "L", "weight of the regularizer; a smaller weight makes latents more eccentric; others have their own default", NUMBER(lambda), RANGE(0, 1e6)},
    {"regularizer.mu", "mu", "U", "strength of the repulsion", NUMBER(mu), ABOVE(0.5, 1e30)},
    {"regularizer.m_rule", NULL, NULL, "where the constant M comes from", CHOICE(m_rule, ecc_m_rule_names)},
    {"regularizer.m", NULL, NULL, "M, if given as a number", NUMBER(m)},
    {"regularizer.pairs", "pairs", NULL, "pairs that count: all, as in the published code, or only those with i != j, as in the definition", CHOICE(pairs, ecc_pairs_names)},
    {"regularizer.target_eccentricity", "target-eccentricity", "E", "steer lambda to this eccentricity", NUMBER(target_eccentricity), ABOVE(0, 100), .later = true, .may_be_nan = true},
    {"regularizer.target_loss", "target-loss", "X", "steer lambda to this eccentric loss", NUMBER(target_loss), RANGE(-1e6, 1e6), .later = true, .may_be_nan = true},
    {"train.reconstruction", "reconstruction", NULL, "what the reconstruction is trained by: the mean squared error, or the binary cross-entropy of pixels (for VAEs with lambda 1 / numbers of an item)", CHOICE(reconstruction, ecc_reconstruction_names), .later = true},
    {"train.binarize", "binarize", NULL, "train on black and white pixels, drawn again in each step with the grey values as probabilities", FLAG(binarize), .later = true},
    {"train.epochs", "epochs", "N", "passes through the data (default: by the number of items)", NUMBER(epochs), RANGE(0, 1e7)},
    {"train.minutes", "minutes", "M", "train for M minutes instead, from the first step to the last; how many steps fit is decided as it goes", NUMBER(minutes), RANGE(0, 1e6)},
    {"train.total_steps", NULL, NULL, "total number of steps", U64(total_steps)},
    {"train.batch", "batch", "N", "items per step (default: by the number of items, 100 for many)", COUNT(batch), RANGE(0, 1e6)},
    {"train.rate", "lr", "R", "learning rate of Adam", NUMBER(rate), ABOVE(0, 100)},
    {"train.final_rate", "final-lr", "R", "learning rate at the end of a cosine or fall (default 0)", NUMBER(final_rate), RANGE(0, 100)},
    {"train.schedule", "schedule", NULL, "schedule of the learning rate: fall is constant, then falls linearly at the end", CHOICE(schedule, ecc_schedule_names)},
    {"train.fall", "fall", "SHARE", "share of the steps in which schedule fall falls", NUMBER(fall), ABOVE(0, 1), .later = true},
    {"train.warmup", "warmup", "N", "steps of linear warm-up", U64(warmup), RANGE(0, 1e12)},
    {"train.average", "average", "SHARE", "average the weights over about this last share of the steps; 0: use the last weights", NUMBER(average), RANGE(0, 1), .later = true},
    {"train.decay", "decay", "W", "L2 weight decay", NUMBER(decay), RANGE(0, 1)},
    {"train.beta1", NULL, NULL, "Adam's decay of the mean gradient", NUMBER(beta1), RANGE(0, 0.999999)},
    {"train.beta2", NULL, NULL, "Adam's decay of the squared gradient", NUMBER(beta2), RANGE(0, 0.999999)},
    {"train.epsilon", NULL, NULL, "Adam's guard against division by zero", NUMBER(epsilon), ABOVE(0, 1)},
    {"data.validation", "validation", "N", "training items held out for validation, at most a fifth", COUNT(validation)},
    {"train.keep", "keep", NULL, "the model to keep: the last; the one with the smallest validation error; one trained again on all items for as many steps as that; or, by the data, one of these two", CHOICE(keep, ecc_keep_names), .later = true},
    {"train.patience", "patience", "SHARE", "end after this share of the steps without a smaller validation error; 0: never", NUMBER(patience), RANGE(0, 1), .later = true},
    {"data.items", "items", "N", "only the first N items", COUNT(items), RANGE(0, 4e9)},
    {"data.crop", "crop", "N", "image folders: crop to the central N x N pixels", COUNT(crop), RANGE(0, 8192)},
    {"data.size", "size", "N", "image folders: resize to N x N pixels", COUNT(size), RANGE(0, 8192)},
    {"data.labels", "labels", "FILE", "a label for each item: a .npy file, or text with one a line", TEXT(labels), .later = true, .path = true},
    {"data.metadata", "metadata", "FILE", "a table with a row for each item: labels, numbers, attributes", TEXT(metadata), .later = true, .path = true},
    {"data.strict", "strict", NULL, "image folders: stop at an image that cannot be read, instead of leaving it out", FLAG(strict), .later = true},
    {"data.label", "label", "NAME|NUMBER|first|last|none", "text tables: the column with the labels (default: detected)", TEXT(label)},
    {"data.use", "columns", "LIST", "text tables: use only these columns, such as age,\"net income\"", TEXT(columns), .later = true},
    {"data.drop", "drop", "LIST", "text tables: leave these columns out", TEXT(drop), .later = true},
    {"data.decimal", "decimal", NULL, "text tables: the decimal sign", CHOICE(decimal, ecc_decimal_names), .later = true},
    {"data.scaling", "scaling", NULL, "tables: by mean and deviation, or, against outliers, by median and interquartile range", CHOICE(scaler, ecc_scaler_names), .later = true},
    {"data.seed", NULL, NULL, "seed of the data: the test part, the built-in glyphs", U64(data_seed)},
    {"net.direct", "direct", NULL, "use direct convolution: slower, with a tenth of the rounding errors", FLAG(direct), .later = true},
    {"train.sync_norm", "sync-norm", NULL, "several processes (docs/cluster.md): batch norm over the whole batch, as one process would have it, instead of each process's own", FLAG(sync_norm), .later = true},
    {"train.tensorboard", "tensorboard", NULL, "also write TensorBoard event files", FLAG(tensorboard), .quiet = true},
    {"train.checkpoint_seconds", "checkpoint-seconds", "S", "seconds between checkpoints", NUMBER(checkpoint_seconds), RANGE(0, 60), .quiet = true},
    {"train.seed", "seed", "K", "seed of the random numbers", U64(seed)},
    {"train.threads", "threads", "N", "use N threads; 0: all", COUNT(threads), RANGE(0, 1024)},
};
/* clang-format on */
const size_t ecc_setting_count = sizeof ecc_settings / sizeof ecc_settings[0];

struct ecc_train_options ecc_train_defaults(void)
{
    return (struct ecc_train_options){
        .data_seed = 1,
        .validation = 1000,
        .net = "auto",
        .latent = 8,
        .regularizer = "eccentric",
        .lambda = 1e-3,
        .mu = 1,
        .target_eccentricity = NAN,
        .target_loss = NAN,
        .decay = 1e-6,
        .beta1 = 0.9,
        .beta2 = 0.999,
        .epsilon = 1e-8,
        .schedule = ECC_SCHEDULE_COSINE,
        .fall = 0.15,
        .warmup = 100,
        .average = 0.1,
        .rate = 3e-3,
        .keep = ECC_KEEP_AUTO,
        .patience = 0.3,
        .seed = 1,
        .checkpoint_seconds = 30,
    };
}

void ecc_train_preset_paper(struct ecc_train_options *options)
{
    options->rate = 1e-4;
    options->decay = 1e-6;
    options->schedule = ECC_SCHEDULE_CONSTANT;
    options->warmup = 0;
    options->average = 0;
    options->batch = 100;
    options->lambda = 1e-3;
    options->mu = 1;
    options->epochs = strcmp(options->net, "paper-celeba") == 0 ? 100 : 1000;
    options->validation = 0;
    options->keep = ECC_KEEP_LAST;
    options->patience = 0;
}

const struct ecc_train_setting *ecc_train_settings(size_t *count)
{
    *count = ecc_setting_count;
    return ecc_settings;
}

const struct ecc_train_setting *ecc_setting_find(const char *key)
{
    for (size_t i = 0; i < ecc_setting_count; i++) {
        if (strcmp(ecc_settings[i].key, key) == 0) return &ecc_settings[i];
    }
    return NULL;
}

void ecc_setting_copy(const struct ecc_train_setting *setting, struct ecc_train_options *to,
                      const struct ecc_train_options *from)
{
    static const size_t sizes[] = {
        [ECC_SETTING_TEXT] = sizeof(const char *), [ECC_SETTING_COUNT] = sizeof(size_t),
        [ECC_SETTING_U64] = sizeof(uint64_t),      [ECC_SETTING_NUMBER] = sizeof(double),
        [ECC_SETTING_FLAG] = sizeof(bool),         [ECC_SETTING_CHOICE] = sizeof(int),
    };
    memcpy((char *)to + setting->offset, (const char *)from + setting->offset,
           sizes[setting->kind]);
}

struct ecc_data_options ecc_settings_data(const struct ecc_train_options *o)
{
    return (struct ecc_data_options){.items = o->items,
                                     .crop = o->crop,
                                     .size = o->size,
                                     .label = o->label,
                                     .labels = o->labels,
                                     .metadata = o->metadata,
                                     .beside = o->data,
                                     .strict = o->strict,
                                     .columns = o->columns,
                                     .drop = o->drop,
                                     .decimal = o->decimal,
                                     .scaler = o->scaler,
                                     .seed = o->data_seed};
}

size_t ecc_settings_outputs(const struct ecc_train_options *o)
{
    struct ecc_regularizer_choice choice;
    if (ecc_regularizer_read(&choice, o->regularizer, NULL) != ECC_OK) return o->latent;
    return ecc_regularizer_columns(choice.entry, o->latent);
}

enum ecc_status ecc_train_method(struct ecc_train_options *options, const char *regularizer,
                                 struct ecc_error *error)
{
    struct ecc_regularizer_choice choice;
    ECC_TRY(ecc_regularizer_read(&choice, regularizer, error));
    options->regularizer = regularizer;
    options->lambda = ecc_regularizer_lambda(choice.entry);
    return ECC_OK;
}

struct ecc_loss_options ecc_settings_loss(const struct ecc_train_options *o)
{
    return (struct ecc_loss_options){
        .mu = o->mu, .m_rule = o->m_rule, .m = o->m, .pairs = o->pairs, .threads = (int)o->threads};
}
